//! How does a text field search, and which word is asked next?
//!
//! ```text
//! probe    of one known record: its first word, the beginning of that, the inside of that, the second word
//!          inside found: any part; beginning found, second word not: the beginning of the whole text; else words
//! next     of the words that the records found so far have, and that were not asked, the one that should bring most new records:
//!          matches(w) = df(w) / f,  new(w) = min(K, matches(w)) (1 - f)       df: records that have it, f: share of known records
//!          in the last answers, K: rows an answer has at most
//! end      so many words in a row brought nothing new
//! ```
//!
//! Source: Ntoulas, Zerfos, Cho, Downloading textual hidden web content through keyword queries, JCDL 2005 (adaptive choice). Before any
//! record is known: single letters, which beginnings and parts match, then words of the form's page. Cost: O(words) a choice.
//! Not guaranteed: records that share no word with any other are found by chance only.

use std::collections::{HashMap, HashSet};

use super::vocabulary::Vocabulary;

/// Words in a row without a new record, after which there are no more.
const DRY: u32 = 24;
/// Words asked at once.
const BATCH: usize = 4;
/// What is tried where nothing is known: letters that many texts have, or begin with; what some sites take for anything; words that stand in
/// many titles, and names that many people have.
const SEEDS: [&str; 46] = [
    "e", "a", "s", "n", "%", "*", "A", "S", "i", "o", "t", "r", "M", "B", "C", "the", "of", "and", "de", "la", "der",
    "und", "Anna", "Maria", "John", "Peter", "D", "G", "H", "J", "K", "L", "N", "P", "R", "T", "W", "1", "2", "le",
    "el", "di", "v", "na", "の", "for",
];
/// Words in a row without a record, after which there are no more, as long as there is no record at all.
const LOST: u32 = 64;
/// Attributes whose words are tried to tell how it searches.
const PROBES: usize = 5;

/// How a text field searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matching {
    /// It finds whole words.
    Words,
    /// Beginnings of words or any part of the text: words find at least what they find as words.
    Parts,
    /// The beginning of the whole text.
    Beginning,
}

impl Matching {
    /// What it searches, in words.
    pub(super) fn says(self) -> &'static str {
        match self {
            Matching::Words => "whole words",
            Matching::Parts => "parts of words",
            Matching::Beginning => "the beginning of a text",
        }
    }
}

/// A record whose own words are asked.
#[derive(Clone, Debug)]
struct Probe {
    key: u128,
    /// The attribute whose text it is.
    attribute: String,
    first: String,
    beginning: String,
    inside: String,
    second: String,
}

/// A text field that is searched.
#[derive(Clone, Debug, Default)]
pub(super) struct TextSearch {
    /// Its axis, if the form has one.
    pub(super) axis: Option<usize>,
    /// What the field is called.
    names: Vec<String>,
    words: Vec<String>,
    asked: HashSet<String>,
    probe: Option<Probe>,
    /// Attributes whose words it does not search.
    missed: Vec<String>,
    /// By word of the probe: did its answer show the record?
    found: HashMap<String, bool>,
    pub(super) matching: Option<Matching>,
    dry: u32,
    /// Rows of the last answers, and those of them that were known.
    rows: f64,
    known: f64,
}

impl TextSearch {
    /// A field with this axis; words of the form's page for want of better ones. How it searches stays known.
    pub(super) fn begin(&mut self, axis: Option<usize>, names: &[String], page: &[String]) {
        let matching = self.matching;
        let words = if axis.is_some() { page.to_vec() } else { Vec::new() };
        *self = TextSearch { axis, names: names.to_vec(), words, matching, ..TextSearch::default() };
    }

    /// The next words to ask; none: nothing more is expected of them. `limit`: rows that an answer has at most.
    pub(super) fn next(&mut self, vocabulary: &Vocabulary, limit: Option<u64>) -> Vec<String> {
        let is_lost = vocabulary.examples().is_empty();
        if self.dry >= if is_lost { LOST } else { DRY } {
            return Vec::new();
        }
        if self.matching.is_none()
            && self.probe.is_none()
            && let Some(probe) = probe_of(vocabulary, &self.names, &self.missed)
        {
            let all = [&probe.first, &probe.beginning, &probe.inside, &probe.second];
            let words: Vec<String> = all.into_iter().filter(|word| !word.is_empty()).cloned().collect();
            self.asked.extend(words.iter().cloned());
            self.probe = Some(probe);
            return words;
        }
        let is_new = |word: &str| !self.asked.contains(word);
        let known = if self.rows > 0.0 { (self.known / self.rows).clamp(0.05, 0.95) } else { 0.5 };
        let most = limit.unwrap_or(u64::MAX) as f64;
        let mut best: Vec<(f64, String)> = Vec::new();
        for (word, count) in vocabulary.most_frequent(u32::MAX).into_iter().filter(|(word, _)| is_new(word)) {
            let matches = f64::from(count) / known;
            // Beyond K nothing more comes, and what comes is oftener known.
            let gain = if matches > most { most - 0.01 * (matches / most).min(99.0) } else { matches };
            best.push((gain, word));
        }
        best.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
        let mut words: Vec<String> = best.into_iter().take(BATCH).map(|(_, word)| word).collect();
        if words.is_empty() {
            let seeds = SEEDS.iter().map(|seed| (*seed).to_owned()).chain(self.words.iter().cloned());
            words = seeds.filter(|word| is_new(word)).take(BATCH).collect();
        }
        self.asked.extend(words.iter().cloned());
        words
    }

    /// The answer to a word: its rows, how many of them were new, and whether it was read to its end.
    pub(super) fn hear(&mut self, word: &str, rows: &[u128], new: usize, whole: bool) {
        self.dry = if new > 0 { 0 } else { self.dry + 1 };
        // The last answers count most.
        self.rows = self.rows * 0.8 + rows.len() as f64;
        self.known = self.known * 0.8 + (rows.len() - new.min(rows.len())) as f64;
        let Some(probe) = &self.probe else { return };
        let is_there = rows.contains(&probe.key);
        if is_there || whole {
            // Below other questions it may be another record's turn.
            *self.found.entry(word.to_owned()).or_insert(false) |= is_there;
        }
    }

    /// The probe has been answered: how does the field search? The attribute whose beginning it takes.
    pub(super) fn conclude(&mut self) -> Option<(Matching, String)> {
        let probe = self.probe.as_ref().filter(|_| self.matching.is_none())?;
        let found = |word: &str| if word.is_empty() { None } else { self.found.get(word).copied() };
        // It searches something else of the record.
        if found(&probe.first) == Some(false) && self.missed.len() < PROBES {
            self.missed.push(probe.attribute.clone());
            self.probe = None;
            return None;
        }
        let matching = match (found(&probe.inside), found(&probe.beginning), found(&probe.second)) {
            (Some(true), ..) => Matching::Parts,
            (_, Some(true), Some(false) | None) => Matching::Beginning,
            (_, Some(true), _) => Matching::Parts,
            _ => Matching::Words,
        };
        let attribute = probe.attribute.clone();
        self.matching = Some(matching);
        Some((matching, attribute))
    }
}

/// A record with two words of which beginnings and insides tell something. `names`: what the field is called; `missed`: attributes that it
/// does not search.
fn probe_of(vocabulary: &Vocabulary, names: &[String], missed: &[String]) -> Option<Probe> {
    let attributes = vocabulary.texts(names);
    let mut attributes = attributes.into_iter().filter(|attribute| !missed.iter().any(|known| known == attribute));
    attributes.find_map(|attribute| {
        let mut best: Option<(u32, Probe)> = None;
        for (key, values) in vocabulary.examples() {
            let Some((_, text)) = values.iter().find(|(own, _)| own == attribute) else { continue };
            let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let first = words.next().unwrap_or_default();
            let letters: Vec<char> = first.chars().collect();
            if letters.len() < 5 || !text.starts_with(first) {
                continue;
            }
            let is_telling = |word: &&str| word.chars().count() >= 4 && !word.eq_ignore_ascii_case(first);
            let second = words.find(is_telling).unwrap_or_default().to_owned();
            let probe = Probe {
                key: *key,
                attribute: attribute.to_owned(),
                first: first.to_owned(),
                beginning: letters[..4].iter().collect(),
                inside: letters[1..].iter().collect(),
                second,
            };
            // Rare words are not cut off.
            let weight = vocabulary.count(first) + if probe.second.is_empty() { 1000 } else { 0 };
            if best.as_ref().is_none_or(|(known, _)| weight < *known) {
                best = Some((weight, probe));
            }
        }
        best.map(|(_, probe)| probe)
    })
}
