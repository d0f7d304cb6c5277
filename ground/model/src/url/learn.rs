//! Learned rules: parameters that do not change the page (spec 1, "Address rules", beyond the paper).
//!
//! For an address u and a parameter x let u\x be u without x. Two fetched addresses with equal u\x and different x are a
//! witness about the pair (shape(u), x): *equal* if their visible text is the same, *differ* if not.
//!
//! ```text
//! strong(shape, x)  <=>  differ = 0 and (at least `learn_equal` witnesses with pairwise different texts
//!                                        or at least 3 witnesses, where x is strong for another shape of the same host)
//! ```
//!
//! Pairwise different texts, because a script that answers everything with "please log in" proves nothing; three witnesses where
//! the parameter is known on the host, because a home page has only one text to show. A strong rule folds
//! every other variant of u\x into the one known first, so no address is asked for that nobody linked. Folded variants go on
//! being sampled: the k-th sample is taken when k^2 variants have been folded, up to `learn_samples`. One witness to the
//! contrary refutes the rule for good, and what it folded is fetched after all.
//!
//! Cost: a look-up per parameter of each fetched page. Not guaranteed: a parameter that matters on very few pages can pass for
//! meaningless if no sample meets one of them; `groma rules` shows the evidence, and a written rule settles it.

use std::collections::{HashMap, HashSet};

use ::url::Url;

use super::shape::{Shape, host_of_shape, shape_text, text_shape};
use crate::{Fp, Limits};

/// Parameters of one address that are looked at.
const PARAMS_AT_MOST: usize = 8;
/// Pairs (shape, parameter) watched at once.
const WATCHED_AT_MOST: usize = 20_000;
/// Witnesses that are enough where the parameter is known to be meaningless elsewhere on the host.
const ENOUGH_BESIDE: u32 = 3;

/// The names of the parameters of an address, in order, each once, as written.
pub fn parameters(url: &Url) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for piece in url.query().unwrap_or_default().split('&').filter(|p| !p.is_empty()) {
        let name = piece.split('=').next().unwrap_or_default();
        if names.len() < PARAMS_AT_MOST && !names.iter().any(|n| n == name) {
            names.push(name.to_string());
        }
    }
    names
}

/// u\x as a key, or nothing if x is not there. Never equal to the fingerprint of an address.
pub fn without(url: &Url, name: &str) -> Option<Fp> {
    let query = url.query()?;
    let mut key = String::with_capacity(url.as_str().len() + name.len() + 2);
    key.push_str(name);
    key.push('\n');
    key.push_str(url.as_str().split('?').next().unwrap_or_default());
    let mut found = false;
    for piece in query.split('&') {
        if piece.split('=').next() == Some(name) {
            found = true;
        } else {
            key.push('&');
            key.push_str(piece);
        }
    }
    found.then(|| Fp::of(key.as_bytes()))
}

/// What is thought of a pair (shape, parameter).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Standing {
    /// Evidence is being gathered.
    Watching = 0,
    /// Strong: variants are folded.
    Strong = 1,
    /// The parameter changes pages.
    Refuted = 2,
}

impl Standing {
    /// From what a store kept.
    pub fn from_code(code: u8) -> Standing {
        match code {
            1 => Standing::Strong,
            2 => Standing::Refuted,
            _ => Standing::Watching,
        }
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Watching => "watching",
            Standing::Strong => "applied",
            Standing::Refuted => "refuted",
        }
    }
}

/// The evidence on one pair.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Witnesses whose text was the same, with pairwise different texts.
    pub equal: u32,
    /// Witnesses whose text was not the same.
    pub differ: u32,
    /// What follows.
    pub standing: Standing,
    /// Variants folded so far.
    pub folded: u64,
    /// Samples taken so far.
    pub samples: u32,
    texts: HashSet<Fp>,
    /// Witnesses whose text was the same, however often the same text.
    agreeing: u32,
}

impl Evidence {
    /// As a store kept it.
    pub fn restored(equal: u32, differ: u32, standing: Standing, folded: u64, samples: u32) -> Evidence {
        Evidence { equal, differ, standing, folded, samples, texts: HashSet::new(), agreeing: equal }
    }
}

/// What a witness changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing yet.
    None,
    /// The rule has become strong: fold the variants.
    BecameStrong,
    /// The rule was strong and is refuted: unfold them.
    BecameRefuted,
}

/// The evidence of one survey.
pub struct Learner {
    pairs: HashMap<(Shape, String), Evidence>,
    /// Parameters with a strong rule, by host.
    strong: HashSet<(String, String)>,
    equal: u32,
    samples: u32,
}

impl Learner {
    /// With the limits of the survey.
    pub fn new(limits: &Limits) -> Learner {
        let small = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
        Learner {
            pairs: HashMap::new(),
            strong: HashSet::new(),
            equal: small(limits.learn_equal).max(1),
            samples: small(limits.learn_samples),
        }
    }

    /// Takes up the evidence of an earlier run.
    pub fn remember(&mut self, shape: &str, param: String, evidence: Evidence) {
        if evidence.standing == Standing::Strong {
            self.strong.insert((host_of_shape(shape).to_string(), param.clone()));
        }
        self.pairs.insert((text_shape(shape), param), evidence);
    }

    /// What is known of a pair.
    pub fn evidence(&self, shape: Shape, param: &str) -> Option<&Evidence> {
        self.pairs.get(&(shape, param.to_string()))
    }

    /// The parameter of this address that a strong rule calls meaningless, if any.
    pub fn meaningless(&self, url: &Url) -> Option<(Shape, String)> {
        if self.pairs.is_empty() || url.query().is_none() {
            return None;
        }
        let shape = text_shape(&shape_text(url));
        let strong = |name: &String| self.evidence(shape, name).is_some_and(|e| e.standing == Standing::Strong);
        parameters(url).into_iter().find(strong).map(|name| (shape, name))
    }

    /// Hears a witness: two addresses of this shape (as text) that differ in `param` only, with these texts.
    pub fn witness(&mut self, shape_text: &str, param: &str, first: Fp, second: Fp) -> Turn {
        let shape = text_shape(shape_text);
        if self.pairs.len() >= WATCHED_AT_MOST && self.evidence(shape, param).is_none() {
            return Turn::None;
        }
        let fresh = || Evidence::restored(0, 0, Standing::Watching, 0, 0);
        let evidence = self.pairs.entry((shape, param.to_string())).or_insert_with(fresh);
        let before = evidence.standing;
        if first != second {
            evidence.differ = evidence.differ.saturating_add(1);
            evidence.standing = Standing::Refuted;
            return if before == Standing::Strong { Turn::BecameRefuted } else { Turn::None };
        }
        if evidence.standing != Standing::Watching {
            return Turn::None;
        }
        evidence.agreeing += 1;
        evidence.equal += u32::from(evidence.texts.insert(first));
        let beside = (host_of_shape(shape_text).to_string(), param.to_string());
        if evidence.equal >= self.equal || (evidence.agreeing >= ENOUGH_BESIDE && self.strong.contains(&beside)) {
            evidence.standing = Standing::Strong;
            evidence.texts = HashSet::new();
            self.strong.insert(beside);
            return Turn::BecameStrong;
        }
        Turn::None
    }

    /// A variant is about to be folded by a strong rule: true if it shall be fetched as a sample instead.
    pub fn sample(&mut self, shape: Shape, param: &str) -> bool {
        let most = self.samples;
        let Some(evidence) = self.pairs.get_mut(&(shape, param.to_string())) else { return true };
        let k = u64::from(evidence.samples);
        if evidence.samples < most && evidence.folded >= k * k {
            evidence.samples += 1;
            return true;
        }
        evidence.folded += 1;
        false
    }

    /// Variants were folded without being offered as samples (they were waiting when the rule became strong).
    pub fn folded(&mut self, shape: Shape, param: &str, how_many: u64) {
        if let Some(evidence) = self.pairs.get_mut(&(shape, param.to_string())) {
            evidence.folded += how_many;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: &str = "h/p";

    fn key() -> Shape {
        text_shape(S)
    }

    fn learner() -> Learner {
        Learner::new(&Limits { learn_equal: 3, learn_samples: 5, ..Limits::default() })
    }

    fn text(n: u128) -> Fp {
        Fp(n)
    }

    #[test]
    fn keys_leave_out_one_parameter_and_nothing_else() {
        let a = Url::parse("http://h/p?id=1&x=2&z=3").unwrap();
        let b = Url::parse("http://h/p?id=1&x=9&z=3").unwrap();
        let c = Url::parse("http://h/p?id=2&x=9&z=3").unwrap();
        assert_eq!(without(&a, "x"), without(&b, "x"));
        assert_ne!(without(&a, "x"), without(&c, "x"));
        assert_ne!(without(&a, "x"), without(&a, "z"));
        assert_eq!(without(&a, "y"), None);
        assert_eq!(parameters(&a), ["id", "x", "z"]);
    }

    #[test]
    fn enough_different_pages_make_a_rule_strong() {
        let mut learner = learner();
        assert_eq!(learner.witness(S, "x", text(1), text(1)), Turn::None);
        assert_eq!(learner.witness(S, "x", text(1), text(1)), Turn::None, "the same page proves nothing twice");
        assert_eq!(learner.witness(S, "x", text(2), text(2)), Turn::None);
        assert_eq!(learner.witness(S, "x", text(3), text(3)), Turn::BecameStrong);
    }

    #[test]
    fn one_contrary_witness_refutes_for_good() {
        let mut learner = learner();
        assert_eq!(learner.witness(S, "x", text(1), text(2)), Turn::None);
        for n in 0..20 {
            assert_eq!(learner.witness(S, "x", text(n), text(n)), Turn::None);
        }
        for n in 0..3 {
            learner.witness(S, "y", text(n), text(n));
        }
        assert_eq!(learner.witness(S, "y", text(1), text(2)), Turn::BecameRefuted);
        assert_eq!(learner.evidence(key(), "y").unwrap().standing, Standing::Refuted);
    }

    #[test]
    fn few_witnesses_are_enough_beside_a_strong_rule_of_the_same_host() {
        let mut learner = learner();
        for n in 0..3 {
            learner.witness(S, "x", text(n), text(n));
        }
        assert_eq!(learner.witness("h/", "x", text(9), text(9)), Turn::None);
        assert_eq!(learner.witness("h/", "x", text(9), text(9)), Turn::None);
        assert_eq!(learner.witness("h/", "x", text(9), text(9)), Turn::BecameStrong);
        for _ in 0..9 {
            assert_eq!(learner.witness("other/", "x", text(9), text(9)), Turn::None);
        }
    }

    #[test]
    fn samples_are_dense_at_first_then_sparse_then_end() {
        let mut learner = learner();
        for n in 0..3 {
            learner.witness(S, "x", text(n), text(n));
        }
        let taken: Vec<usize> = (0..200).filter(|_| learner.sample(key(), "x")).collect();
        assert_eq!(taken.len(), 5);
        assert_eq!(taken[0], 0);
        assert_eq!(learner.evidence(key(), "x").unwrap().folded, 195);
    }
}
