//! Learned rules: parameters that do not change the page (spec 1, "URL rules", beyond the paper).
//!
//! For a URL u and a parameter x let u\x be u without x. Two fetched URLs with equal u\x and different x are a
//! witness about x, twice over: for their shape, and for their host as a whole (`HOST/*`), because a site that names its pages by
//! words has a shape per page. A witness is *equal* if the visible texts are the same, *differ* if not.
//!
//! ```text
//! strong(kind, x)  <=>  differ = 0 and at least `learn_equal` equal witnesses with pairwise different texts
//! meaningless(u, x) <=>  strong(shape(u), x), or strong(host(u), x) and x not refuted for shape(u)
//! ```
//!
//! Pairwise different texts, because a script that answers everything with "please log in" proves nothing. A strong rule folds
//! every other variant of u\x into the one known first, so no URL is asked for that nobody linked. Folded variants go on
//! being sampled: one in ten of the first 320, then the k-th when 320 + 4 (k - 32)^2 are folded, up to `learn_samples`; a rule of a host also
//! samples the first three of each quarter. One witness to the contrary refutes the rule for good, and what it folded is fetched
//! after all.
//!
//! Cost: a look-up per parameter of each fetched page. Not guaranteed: a parameter that matters on very few pages can pass for
//! meaningless if no sample meets one of them; `groma rules` shows the evidence, and a written rule settles it.

use std::collections::{HashMap, HashSet};

use groma_url::Url;

use super::shape::{Shape, host_of_shape, shape_text};
use crate::{Fp, Limits};

/// Parameters of one URL that are looked at.
const PARAMS_AT_MOST: usize = 8;
/// Pairs (shape, parameter) watched at once.
const WATCHED_AT_MOST: usize = 20_000;
/// Samples that a rule of a host takes in each quarter before it folds anything there.
const SAMPLES_PER_QUARTER: u32 = 3;
/// Quarters remembered for a rule of a host.
const QUARTERS_AT_MOST: usize = 10_000;

/// The names of the parameters of a URL, in order, each once, as written.
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

/// u\x as a key, or nothing if x is not there. Never equal to the fingerprint of a URL.
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
    found.then(|| Fp::hash_bytes(key.as_bytes()))
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
    /// What follows from the evidence.
    pub standing: Standing,
    /// Variants folded so far.
    pub folded: u64,
    /// Samples taken so far.
    pub samples: u32,
    texts: HashSet<Fp>,
    quarters: HashMap<Shape, u32>,
}

impl Evidence {
    /// As a store kept it.
    pub fn restored(equal: u32, differ: u32, standing: Standing, folded: u64, samples: u32) -> Evidence {
        Evidence { equal, differ, standing, folded, samples, texts: HashSet::new(), quarters: HashMap::new() }
    }
}

/// What a witness changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing changed.
    None,
    /// The rule has become strong: fold the variants.
    BecameStrong,
    /// The rule was strong and is refuted: unfold them.
    BecameRefuted,
}

impl Turn {
    const ALL: [Turn; 3] = [Turn::None, Turn::BecameStrong, Turn::BecameRefuted];

    /// Its name in stores: never to be changed.
    pub fn name(self) -> &'static str {
        match self {
            Turn::None => "None",
            Turn::BecameStrong => "BecameStrong",
            Turn::BecameRefuted => "BecameRefuted",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Turn> {
        Turn::ALL.into_iter().find(|turn| turn.name() == name)
    }
}

/// The kinds a witness of this URL speaks for, as text: its shape, and its host as a whole.
pub fn kinds(url: &Url) -> [String; 2] {
    let shape = shape_text(url);
    let host = format!("{}/*", host_of_shape(&shape));
    [shape, host]
}

/// Is this URL of this kind?
pub fn is_of(url: &Url, kind: &str) -> bool {
    kinds(url).iter().any(|k| k == kind)
}

/// The evidence of one survey.
pub struct Learner {
    pairs: HashMap<(String, String), Evidence>,
    equal: u32,
    samples: u32,
}

impl Learner {
    /// With the limits of the survey.
    pub fn new(limits: &Limits) -> Learner {
        let small = |limit: u64| u32::try_from(limit).unwrap_or(u32::MAX);
        Learner { pairs: HashMap::new(), equal: small(limits.learn_equal).max(1), samples: small(limits.learn_samples) }
    }

    /// Takes up the evidence of an earlier run.
    pub fn remember(&mut self, kind: String, param: String, evidence: Evidence) {
        self.pairs.insert((kind, param), evidence);
    }

    /// What is known of a pair.
    pub fn evidence(&self, kind: &str, param: &str) -> Option<&Evidence> {
        self.pairs.get(&(kind.to_string(), param.to_string()))
    }

    /// The parameter of this URL that a strong rule calls meaningless, if any, with the kind the rule is for.
    pub fn meaningless(&self, url: &Url) -> Option<(String, String)> {
        if self.pairs.is_empty() || url.query().is_none() {
            return None;
        }
        let [shape, host] = kinds(url);
        let standing = |kind: &str, name: &str| self.evidence(kind, name).map(|e| e.standing);
        parameters(url).into_iter().find_map(|name| match (standing(&shape, &name), standing(&host, &name)) {
            (Some(Standing::Strong), _) => Some((shape.clone(), name)),
            (Some(Standing::Refuted), _) => None,
            (_, Some(Standing::Strong)) => Some((host.clone(), name)),
            _ => None,
        })
    }

    /// Hears a witness: two URLs of this kind that differ in `param` only, with these texts.
    pub fn witness(&mut self, kind: &str, param: &str, first: Fp, second: Fp) -> Turn {
        if self.pairs.len() >= WATCHED_AT_MOST && self.evidence(kind, param).is_none() {
            return Turn::None;
        }
        let fresh = || Evidence::restored(0, 0, Standing::Watching, 0, 0);
        let evidence = self.pairs.entry((kind.to_string(), param.to_string())).or_insert_with(fresh);
        if first != second {
            evidence.differ = evidence.differ.saturating_add(1);
            let before = std::mem::replace(&mut evidence.standing, Standing::Refuted);
            return if before == Standing::Strong { Turn::BecameRefuted } else { Turn::None };
        }
        if evidence.standing == Standing::Watching && evidence.texts.insert(first) {
            evidence.equal += 1;
            if evidence.equal >= self.equal {
                evidence.standing = Standing::Strong;
                evidence.texts = HashSet::new();
                return Turn::BecameStrong;
            }
        }
        Turn::None
    }

    /// A variant in this quarter is about to be folded by a strong rule: true if it shall be fetched as a sample instead.
    pub fn sample(&mut self, kind: &str, param: &str, quarter: Shape) -> bool {
        let most = self.samples;
        let Some(evidence) = self.pairs.get_mut(&(kind.to_string(), param.to_string())) else { return true };
        if kind.ends_with("/*") && evidence.quarters.len() < QUARTERS_AT_MOST {
            let taken = evidence.quarters.entry(quarter).or_default();
            if *taken < SAMPLES_PER_QUARTER {
                *taken += 1;
                return true;
            }
        }
        let k = u64::from(evidence.samples);
        let due = if k <= 32 { 10 * k } else { 320 + 4 * (k - 32) * (k - 32) };
        if evidence.samples < most && evidence.folded >= due {
            evidence.samples += 1;
            return true;
        }
        evidence.folded += 1;
        false
    }

    /// Variants were folded without being offered as samples: they had been fetched and were found to be the same.
    pub fn folded(&mut self, kind: &str, param: &str, how_many: u64) {
        if let Some(evidence) = self.pairs.get_mut(&(kind.to_string(), param.to_string())) {
            evidence.folded += how_many;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: &str = "h/p";
    const Q: Shape = Shape(1);

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
        assert_eq!(Turn::ALL.map(|turn| Turn::named(turn.name())), Turn::ALL.map(Some));
        assert_eq!(Turn::named("refuted"), None, "a word that nobody knows undoes no rule");
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
        assert_eq!(learner.evidence(S, "y").unwrap().standing, Standing::Refuted);
    }

    #[test]
    fn a_host_learns_what_its_shapes_cannot() {
        let mut learner = learner();
        for n in 0..3 {
            learner.witness("h/*", "x", text(n), text(n));
        }
        let rule = |learner: &Learner, url: &str| learner.meaningless(&Url::parse(url).unwrap());
        assert_eq!(rule(&learner, "http://h/word?x=1"), Some(("h/*".into(), "x".into())));
        assert_eq!(rule(&learner, "http://h/word?y=1"), None);
        assert_eq!(rule(&learner, "http://g/word?x=1"), None);
        learner.witness("h/word", "x", text(1), text(2));
        assert_eq!(rule(&learner, "http://h/word?x=1"), None, "refuted for this shape");
        assert!(is_of(&Url::parse("http://h/word?x=1").unwrap(), "h/*"));
    }

    #[test]
    fn a_rule_of_a_host_looks_into_every_quarter() {
        let mut learner = learner();
        for n in 0..3 {
            learner.witness("h/*", "x", text(n), text(n));
        }
        let taken =
            |learner: &mut Learner, quarter| (0..9).filter(|_| learner.sample("h/*", "x", Shape(quarter))).count();
        assert!(taken(&mut learner, 1) >= 3);
        assert!(taken(&mut learner, 2) >= 3);
    }

    #[test]
    fn samples_are_dense_at_first_then_sparse_then_end() {
        let mut learner = learner();
        for n in 0..3 {
            learner.witness(S, "x", text(n), text(n));
        }
        let taken: Vec<usize> = (0..200).filter(|_| learner.sample(S, "x", Q)).collect();
        assert_eq!(taken.len(), 5);
        assert_eq!(taken[0], 0);
        assert_eq!(learner.evidence(S, "x").unwrap().folded, 195);
    }
}
