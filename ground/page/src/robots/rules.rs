//! Which rule decides about a path?
//!
//! Rule (RFC 9309, 2.2.2 and 2.2.3): of all rules that match, the one with the most octets; of equals, an allowing one.
//! A rule matches from the start of the path; `*` stands for any bytes, a final `$` for the end.
//!
//! Method: a rule is a head (before the first `*`) and pieces (between the stars). The heads stand in a tree that the
//! path is walked down. The pieces of all rules are looked for together in one pass over the path; each rule waits for
//! its next piece only, and taking the first place where it fits is enough, for a later one leaves less room.
//!
//! Cost for a path of n bytes and rules of p bytes together: n steps, one step for each occurrence of a distinct piece
//! (at most n sqrt(2 p), typically a few), and one for each piece that moves a rule on (at most p). No pattern and no
//! number of stars makes it worse. Not guaranteed: speed for URLs far longer than `url_bytes`.

use super::{
    escape::{Query, Star, spell},
    trie::{Finder, ROOT, Trie},
};
use std::{cmp::Reverse, collections::HashMap, ops::Range};

/// A line of the file that allows or forbids.
pub(super) struct Rule {
    pub(super) allow: bool,
    /// The line it stands in, from 1.
    pub(super) line: u32,
    /// The line as written, without its comment.
    pub(super) text: Box<str>,
}

/// A pattern as it is put into a [`RuleSet`].
pub(super) struct Pattern<'a> {
    /// The value of the line: not empty.
    pub(super) value: &'a [u8],
    /// The rule it belongs to.
    pub(super) rule: Rule,
}

/// Rules, ready to be asked.
#[derive(Default)]
pub(super) struct RuleSet {
    rules: Vec<Matcher>,
    /// What rules start with, up to the first star.
    heads: Trie,
    /// For each head: the best rule that is met by it alone, and the best that wants the path to end there too.
    plain: Vec<[Option<u32>; 2]>,
    pieces: Option<Pieces>,
}

struct Matcher {
    rule: Rule,
    octets: u32,
    head_bytes: u32,
    head: u32,
    /// Where its pieces stand in [`Pieces::steps`]; empty for a rule that is a head alone.
    steps: Range<u32>,
}

/// The floating parts of all rules. A piece that may stand anywhere has slot `2 key`, one that must end the path
/// `2 key + 1`.
struct Pieces {
    finder: Finder,
    bytes: Vec<u32>,
    steps: Vec<u32>,
    /// Slot -> the rules whose first piece it is, those with a short head first.
    first: Vec<u32>,
    starters: Vec<u32>,
}

/// A pattern taken apart; the places are those in the buffer of all spelled patterns.
struct Parts {
    octets: u32,
    head: Range<usize>,
    pieces: Vec<Range<usize>>,
    /// The last piece, or the head if there is none, must end the path.
    at_end: bool,
}

impl RuleSet {
    pub(super) fn compile(patterns: Vec<Pattern<'_>>, query: Query) -> RuleSet {
        let mut spelled = Vec::new();
        let mut parts = Vec::with_capacity(patterns.len());
        for pattern in &patterns {
            parts.push(take_apart(pattern.value, query, &mut spelled));
        }
        let (heads, head_of) = sorted_keys(&spelled, parts.iter().map(|part| part.head.clone()));
        let heads_trie = Trie::from_sorted(&heads);
        let nodes = nodes_of(&heads_trie, &heads);
        let (keys, key_of) = sorted_keys(&spelled, parts.iter().flat_map(|part| part.pieces.iter().cloned()));

        let mut set = RuleSet { plain: vec![[None; 2]; heads.len()], heads: heads_trie, ..RuleSet::default() };
        let mut steps: Vec<u32> = Vec::with_capacity(key_of.len());
        for ((pattern, part), &head) in patterns.into_iter().zip(&parts).zip(&head_of) {
            let from = small(steps.len());
            let keys = &key_of[steps.len()..steps.len() + part.pieces.len()];
            steps.extend(keys.iter().map(|key| 2 * key));
            if let (true, Some(last)) = (part.at_end && !keys.is_empty(), steps.last_mut()) {
                *last += 1;
            }
            let number = small(set.rules.len());
            set.rules.push(Matcher {
                rule: pattern.rule,
                octets: part.octets,
                head_bytes: small(part.head.len()),
                head: nodes[head as usize],
                steps: from..small(steps.len()),
            });
            if keys.is_empty() {
                let kept = set.plain[head as usize][usize::from(part.at_end)];
                set.plain[head as usize][usize::from(part.at_end)] = set.better(kept, number);
            }
        }
        if !keys.is_empty() {
            set.pieces = Some(Pieces::new(&keys, steps, &set.rules));
        }
        set
    }

    /// Whether there is no rule to ask for.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule that decides about `path`, spelled as the rules are.
    pub(super) fn decide(&self, path: &[u8]) -> Option<Decision<'_>> {
        let mut best = None;
        // The nodes of the heads the path starts with, by length.
        let mut walked = vec![ROOT];
        let mut node = ROOT;
        for at in 0..=path.len() {
            if let Some([open, closed]) = self.heads.key(node).map(|head| self.plain[head]) {
                let closed = closed.filter(|_| at == path.len());
                for rule in [open, closed].into_iter().flatten() {
                    best = self.better(best, rule);
                }
            }
            match path.get(at).and_then(|&byte| self.heads.child(node, byte)) {
                Some(child) => node = child,
                None => break,
            }
            walked.push(node);
        }
        if let Some(pieces) = &self.pieces {
            best = Search::new(self, pieces, &walked, best).run(path);
        }
        best.map(|rule| &self.rules[rule as usize]).map(|best| Decision { octets: best.octets, rule: &best.rule })
    }

    /// The rule that decides of the two; the earlier line of equals, for the explanation's sake.
    fn better(&self, kept: Option<u32>, new: u32) -> Option<u32> {
        let weight = |rule: u32| {
            let Matcher { rule, octets, .. } = &self.rules[rule as usize];
            (*octets, rule.allow, Reverse(rule.line))
        };
        Some(kept.filter(|&kept| weight(kept) >= weight(new)).unwrap_or(new))
    }
}

/// A rule that matched, with its weight.
pub(super) struct Decision<'a> {
    octets: u32,
    pub(super) rule: &'a Rule,
}

impl<'a> Decision<'a> {
    /// The weightier of what two sets say.
    pub(super) fn of_both(one: Option<Decision<'a>>, other: Option<Decision<'a>>) -> Option<Decision<'a>> {
        one.into_iter().chain(other).max_by_key(|it| (it.octets, it.rule.allow, Reverse(it.rule.line)))
    }
}

impl Pieces {
    fn new(keys: &[&[u8]], steps: Vec<u32>, rules: &[Matcher]) -> Pieces {
        let mut starters: Vec<u32> = (0..small(rules.len())).filter(|&r| !rules[r as usize].steps.is_empty()).collect();
        let slot = |rule: u32| steps[rules[rule as usize].steps.start as usize];
        starters.sort_unstable_by_key(|&rule| (slot(rule), rules[rule as usize].head_bytes));
        let mut first = vec![0; 2 * keys.len() + 1];
        for &rule in &starters {
            first[slot(rule) as usize + 1] += 1;
        }
        for slot in 1..first.len() {
            first[slot] += first[slot - 1];
        }
        let bytes = keys.iter().map(|key| small(key.len())).collect();
        Pieces { finder: Finder::from_sorted(keys), bytes, steps, first, starters }
    }
}

/// One pass over one path.
struct Search<'a> {
    set: &'a RuleSet,
    pieces: &'a Pieces,
    walked: &'a [u32],
    best: Option<u32>,
    /// Slot -> how many of its starters are through; its first and last waiter, counted from 1.
    slots: Vec<[u32; 3]>,
    waiters: Vec<Waiter>,
}

/// A rule that needs the piece of its slot, from a place on.
struct Waiter {
    rule: u32,
    step: u32,
    from: u32,
    next: u32,
}

impl<'a> Search<'a> {
    fn new(set: &'a RuleSet, pieces: &'a Pieces, walked: &'a [u32], best: Option<u32>) -> Self {
        Search { set, pieces, walked, best, slots: vec![[0; 3]; 2 * pieces.bytes.len()], waiters: Vec::new() }
    }

    fn run(mut self, path: &[u8]) -> Option<u32> {
        let mut state = ROOT;
        for (at, &byte) in path.iter().enumerate() {
            state = self.pieces.finder.step(state, byte);
            for key in self.pieces.finder.hits(state) {
                self.found(2 * key, key, at + 1);
                if at + 1 == path.len() {
                    self.found(2 * key + 1, key, at + 1);
                }
            }
        }
        self.best
    }

    /// The piece of `slot` ends at `end`: every rule that waited for it moves on.
    fn found(&mut self, slot: usize, key: usize, end: usize) {
        let starters = self.pieces.first[slot] as usize..self.pieces.first[slot + 1] as usize;
        let [through, waiting, _] = self.slots[slot];
        if waiting == 0 && through as usize == starters.len() {
            return; // Most occurrences in a hostile path interest nobody any more.
        }
        let end = small(end);
        let start = end - self.pieces.bytes[key];
        while let Some(&rule) = self.pieces.starters[starters.clone()].get(self.slots[slot][0] as usize) {
            let Matcher { head, head_bytes, steps, .. } = &self.set.rules[rule as usize];
            if *head_bytes > start {
                break;
            }
            self.slots[slot][0] += 1;
            if self.walked.get(*head_bytes as usize) == Some(head) {
                self.move_on(rule, steps.start, end);
            }
        }
        // Waiters came in order of their place, so the first that must wait on ends the round.
        while let Some(&Waiter { rule, step, from, next }) =
            self.slots[slot][1].checked_sub(1).and_then(|at| self.waiters.get(at as usize))
        {
            if from > start {
                break;
            }
            self.slots[slot][1] = next;
            self.move_on(rule, step, end);
        }
    }

    fn move_on(&mut self, rule: u32, step: u32, from: u32) {
        let step = step + 1;
        let better = self.set.better(self.best, rule);
        if better != Some(rule) {
            return; // It could not decide any more.
        }
        if step == self.set.rules[rule as usize].steps.end {
            self.best = better;
            return;
        }
        self.waiters.push(Waiter { rule, step, from, next: 0 });
        let new = small(self.waiters.len());
        let slot = &mut self.slots[self.pieces.steps[step as usize] as usize];
        match slot[1] {
            0 => slot[1] = new,
            _ => self.waiters[slot[2] as usize - 1].next = new,
        }
        slot[2] = new;
    }
}

/// Spells a pattern at the end of `spelled` and finds its parts there.
fn take_apart(value: &[u8], query: Query, spelled: &mut Vec<u8>) -> Parts {
    let (value, closed) = value.strip_suffix(b"$").map_or((value, false), |value| (value, true));
    let from = spelled.len();
    spell(value, Star::Wild, query, spelled);
    let mut at = from;
    let mut parts = spelled[from..].split(|&byte| byte == b'*').map(|part| {
        let range = at..at + part.len();
        at = range.end + 1;
        range
    });
    let head = parts.next().unwrap_or(from..from);
    let mut pieces: Vec<_> = parts.collect();
    // A star at the end, `$` behind it or not, asks for nothing more.
    let at_end = closed && pieces.last().is_none_or(|last| !last.is_empty());
    pieces.retain(|piece| !piece.is_empty());
    Parts { octets: small(spelled.len() - from + usize::from(closed)), head, pieces, at_end }
}

/// The distinct keys at `ranges` in order, and for each range the number of its key.
fn sorted_keys(spelled: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> (Vec<&[u8]>, Vec<u32>) {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut keys = Vec::new();
    let mut found: Vec<u32> = Vec::new();
    for range in ranges {
        let key = &spelled[range];
        found.push(*numbers.entry(key).or_insert_with(|| {
            keys.push((key, small(keys.len())));
            small(keys.len()) - 1
        }));
    }
    keys.sort_unstable();
    let mut place = vec![0; keys.len()];
    for (at, &(_, number)) in keys.iter().enumerate() {
        place[number as usize] = small(at);
    }
    found.iter_mut().for_each(|number| *number = place[*number as usize]);
    (keys.into_iter().map(|(key, _)| key).collect(), found)
}

/// The node at which each key ends.
fn nodes_of(trie: &Trie, keys: &[&[u8]]) -> Vec<u32> {
    let walk = |key: &&[u8]| key.iter().try_fold(ROOT, |node, &byte| trie.child(node, byte)).unwrap_or(ROOT);
    keys.iter().map(walk).collect()
}

/// A place as it is kept; the file is cut long before 2^32.
fn small(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 bytes of rules or URL")
}
