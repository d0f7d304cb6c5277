//! How does a text field search, and which word is asked next?
//!
//! ```text
//! probe    of one known record: its first word, the beginning of that, the inside of that, the second word
//!          inside found: any part; beginning found, second word not: the beginning of the whole text; else words
//!          none found: the beginning before a wildcard; found: the beginning of the whole text, by a pattern
//! joined   both words: more rows than for one are OR; found, and in the other order, too: AND; in that order only: a phrase
//! case     the first word in the other case
//! next     of the words that the records found so far have, and that were not asked, the one that should bring most new records:
//!          matches(w) = df(w) / f,  new(w) = min(K, matches(w)) (1 - f)       df: records that have it, f: share of known records
//!          in the last answers, K: rows an answer has at most
//!          where words are joined by AND, pairs of a word whose answer was cut and another: matches(w v) = df(w) df(v) / (n f)
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
/// Words whose answers were cut, and words that are joined with them.
const CUT: usize = 40;
const JOINED: usize = 200;
/// What stands for anything behind the beginning of a text.
const WILDCARDS: [&str; 2] = ["%", "*"];
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

/// How several words are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    And,
    Or,
    Phrase,
}

impl Joined {
    fn says(self) -> &'static str {
        match self {
            Joined::And => "all of several words must be there (AND)",
            Joined::Or => "one of several words is enough (OR)",
            Joined::Phrase => "several words must follow one another",
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
    /// Wildcards have been tried behind the beginning.
    tried_wildcards: bool,
    /// By word: did its answer show the record?
    found: HashMap<String, bool>,
    /// By word: the rows of its answer, and whether that was all of it.
    sizes: HashMap<String, (usize, bool)>,
}

impl Probe {
    fn both(&self) -> [String; 2] {
        [format!("{} {}", self.first, self.second), format!("{} {}", self.second, self.first)]
    }

    /// The first word in the other case, if it has one.
    fn other_case(&self) -> Option<String> {
        let (upper, lower) = (self.first.to_uppercase(), self.first.to_lowercase());
        let other = if self.first == upper { lower } else { upper };
        (other != self.first).then_some(other)
    }
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
    /// What is asked next, whatever seems best.
    wanted: Vec<String>,
    pub(super) matching: Option<Matching>,
    joined: Option<Joined>,
    /// Words are asked that tell how several are joined, and whether case counts.
    is_joining: bool,
    /// Words whose answers were not whole.
    cut: Vec<String>,
    dry: u32,
    /// Rows of the last answers, and those of them that were known.
    rows: f64,
    known: f64,
}

impl TextSearch {
    /// A field with this axis; words of the form's page for want of better ones. How it searches stays known.
    pub(super) fn begin(&mut self, axis: Option<usize>, names: &[String], page: &[String]) {
        let (matching, joined) = (self.matching, self.joined);
        let words = if axis.is_some() { page.to_vec() } else { Vec::new() };
        *self = TextSearch { axis, names: names.to_vec(), words, matching, joined, ..TextSearch::default() };
    }

    /// The next words to ask; none: nothing more is expected of them. `limit`: rows that an answer has at most.
    pub(super) fn next(&mut self, vocabulary: &Vocabulary, limit: Option<u64>) -> Vec<String> {
        let wanted = std::mem::take(&mut self.wanted);
        if !wanted.is_empty() {
            self.asked.extend(wanted.iter().cloned());
            return wanted;
        }
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
        // Beyond K nothing more comes, and what comes is oftener known.
        let gain = |matches: f64| if matches > most { most - 0.01 * (matches / most).min(99.0) } else { matches };
        let frequent = vocabulary.most_frequent(u32::MAX);
        if self.joined == Some(Joined::And) {
            let all = f64::from(vocabulary.records().max(1));
            let is_cut = |word: &String| self.cut.contains(word);
            for word in &self.cut {
                let own = f64::from(vocabulary.count(word));
                // Of two that were cut, the first by the alphabet is the first of the pair.
                let others = frequent.iter().take(JOINED).filter(|(other, _)| word < other || !is_cut(other));
                for (other, count) in others {
                    let (matches, pair) = (own * f64::from(*count) / all / known, format!("{word} {other}"));
                    if matches >= 1.0 && !other.eq_ignore_ascii_case(word) && is_new(&pair) {
                        best.push((gain(matches), pair));
                    }
                }
            }
        }
        for (word, count) in frequent.into_iter().filter(|(word, _)| is_new(word)) {
            best.push((gain(f64::from(count) / known), word));
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
        if !whole && rows.len() > 1 && self.cut.len() < CUT && !word.contains(' ') {
            self.cut.push(word.to_owned());
        }
        let Some(probe) = &mut self.probe else { return };
        probe.sizes.insert(word.to_owned(), (rows.len(), whole));
        let is_there = rows.contains(&probe.key);
        if is_there || whole {
            // Below other questions it may be another record's turn.
            *probe.found.entry(word.to_owned()).or_insert(false) |= is_there;
        }
    }

    /// The probe has been answered: how does the field search? The attribute that it searches, and the wildcard behind beginnings.
    pub(super) fn conclude(&mut self) -> Option<(Matching, String, &'static str)> {
        let probe = self.probe.as_mut().filter(|_| self.matching.is_none())?;
        let found = |word: &str| if word.is_empty() { None } else { probe.found.get(word).copied() };
        let pattern = |wildcard: &str| format!("{}{wildcard}", probe.beginning);
        if let Some(wildcard) = WILDCARDS.into_iter().find(|wildcard| found(&pattern(wildcard)) == Some(true)) {
            self.matching = Some(Matching::Beginning);
            return Some((Matching::Beginning, probe.attribute.clone(), wildcard));
        }
        if found(&probe.first) == Some(false) {
            if !std::mem::replace(&mut probe.tried_wildcards, true) {
                self.wanted = WILDCARDS.map(|wildcard| format!("{}{wildcard}", probe.beginning)).to_vec();
            } else if self.missed.len() < PROBES {
                // It searches something else of the record.
                self.missed.push(probe.attribute.clone());
                self.probe = None;
            } else {
                self.matching = Some(Matching::Words);
            }
            return None;
        }
        let matching = match (found(&probe.inside), found(&probe.beginning), found(&probe.second)) {
            (Some(true), ..) => Matching::Parts,
            (_, Some(true), Some(false) | None) => Matching::Beginning,
            (_, Some(true), _) => Matching::Parts,
            _ => Matching::Words,
        };
        if matching != Matching::Beginning && !probe.second.is_empty() {
            self.wanted = probe.both().into_iter().chain(probe.other_case()).collect();
            self.is_joining = true;
        }
        self.matching = Some(matching);
        Some((matching, probe.attribute.clone(), ""))
    }

    /// What is known of several words and of case, once it is known.
    pub(super) fn conclude_joined(&mut self) -> Vec<&'static str> {
        let Some(probe) = self.probe.as_ref().filter(|_| self.is_joining && self.wanted.is_empty()) else {
            return Vec::new();
        };
        self.is_joining = false;
        let [both, reversed] = probe.both();
        let (one, two) = (probe.sizes.get(&probe.first), probe.sizes.get(&both));
        let is_there = |word: &str| probe.found.get(word) == Some(&true);
        self.joined = match (one, two) {
            (Some((one, _)), Some((two, _))) if two > one => Some(Joined::Or),
            // Where both are cut nobody can tell.
            (Some((_, true)), Some((_, true))) | (Some((_, false)), Some((_, true))) if is_there(&both) => {
                Some(if is_there(&reversed) { Joined::And } else { Joined::Phrase })
            }
            _ => None,
        };
        let case = probe.other_case().and_then(|other| probe.found.get(&other).copied());
        let case = case.map(|is_found| if is_found { "case does not count" } else { "case counts" });
        self.joined.map(Joined::says).into_iter().chain(case).collect()
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
                tried_wildcards: false,
                found: HashMap::new(),
                sizes: HashMap::new(),
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

#[cfg(test)]
mod tests {
    use super::*;

    type Matches = fn(&str, &str) -> bool;

    fn words(text: &str) -> Vec<String> {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    }

    fn has_any(text: &str, asked: &str) -> bool {
        words(asked).iter().any(|word| words(text).contains(word))
    }

    fn has_all(text: &str, asked: &str) -> bool {
        words(asked).iter().all(|word| words(text).contains(word))
    }

    fn has_part(text: &str, asked: &str) -> bool {
        text.contains(asked)
    }

    fn is_like(text: &str, asked: &str) -> bool {
        let beginning = asked.strip_suffix('%').unwrap_or("\0");
        asked == text || text.to_lowercase().starts_with(&beginning.to_lowercase())
    }

    const TEXTS: [&str; 6] = [
        "Harbour of Lindenau",
        "Lindenau mill",
        "Harbour inn",
        "Bridge tavern",
        "Tavern of the harbour",
        "Quiet valley",
    ];

    /// Asks as long as words are wanted that tell how the field searches.
    fn told(matches: Matches) -> (Option<Matching>, String, Vec<&'static str>) {
        let mut vocabulary = Vocabulary::default();
        for (key, text) in TEXTS.iter().enumerate() {
            vocabulary.learn(key as u128, &[("name".to_owned(), (*text).to_owned())]);
        }
        let mut search = TextSearch::default();
        search.begin(Some(0), &["name".to_owned()], &[]);
        let (mut told, mut wildcard) = (Vec::new(), String::new());
        for _ in 0..6 {
            told.extend(search.conclude_joined());
            if let Some((_, _, behind)) = search.conclude() {
                behind.clone_into(&mut wildcard);
            }
            for word in search.next(&vocabulary, None) {
                let rows: Vec<u128> =
                    (0..TEXTS.len()).filter(|nth| matches(TEXTS[*nth], &word)).map(|nth| nth as u128).collect();
                search.hear(&word, &rows, 0, true);
            }
        }
        (search.matching, wildcard, told)
    }

    #[test]
    fn ways_of_searching_are_told_apart() {
        let (and, or) = (Joined::And.says(), Joined::Or.says());
        assert_eq!(told(has_all), (Some(Matching::Words), String::new(), vec![and, "case does not count"]));
        assert_eq!(told(has_any), (Some(Matching::Words), String::new(), vec![or, "case does not count"]));
        let (matching, _, parts) = told(has_part);
        assert_eq!((matching, parts.last()), (Some(Matching::Parts), Some(&"case counts")));
        assert_eq!(told(is_like), (Some(Matching::Beginning), "%".to_owned(), Vec::new()));
    }

    #[test]
    fn words_whose_answers_are_cut_are_joined_with_others() {
        let mut vocabulary = Vocabulary::default();
        for key in 0..40_u128 {
            let text = format!("river {}", ["lake", "hill"][key as usize % 2]);
            vocabulary.learn(key, &[("name".to_owned(), text)]);
        }
        let mut search =
            TextSearch { matching: Some(Matching::Words), joined: Some(Joined::And), ..TextSearch::default() };
        search.begin(Some(0), &[], &[]);
        let mut asked: Vec<String> = Vec::new();
        for _ in 0..4 {
            for word in search.next(&vocabulary, Some(10)) {
                search.hear(&word, &[1, 2, 3], 1, false);
                asked.push(word);
            }
        }
        let pairs: Vec<&String> = asked.iter().filter(|word| word.contains(' ')).collect();
        assert!(!pairs.is_empty() && pairs.len() <= 3, "each pair once, in one order: {asked:?}");
    }
}
