//! Which words and values have records shown? For trying texts, and for knowing how numbers are written.
//!
//! Cost: a counter for each different word, up to a bound; a few values for each attribute.

use std::collections::{BTreeMap, HashMap, HashSet};

use groma_gather::answer::Answer as Page;

use super::axes::is_called;
use super::controls::{Control, Trial};

/// Different words that are counted.
const WORDS: usize = 200_000;
/// Values of an attribute that are kept, those of them that are long, and attributes.
const VALUES: usize = 300;
const LONG_VALUES: usize = 40;
const ATTRIBUTES: usize = 200;
/// Records that are kept.
const EXAMPLES: usize = 60;
/// Bytes of a value that is not long.
const SHORT: usize = 60;
/// Letters of a word, at least and at most.
const LEAST: usize = 3;
const MOST: usize = 40;

/// The words of the records that were found, and some values.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// By word: how many records have it.
    counts: HashMap<String, u32>,
    /// Words with capitals, as records show them: some sites tell cases apart.
    capitals: HashMap<String, String>,
    values: BTreeMap<String, Vec<String>>,
    /// The first records that were found.
    examples: Vec<(u128, Vec<(String, String)>)>,
    /// How many there were.
    records: u32,
}

impl Vocabulary {
    /// Takes in a record that was not known.
    pub(super) fn learn(&mut self, key: u128, values: &[(String, String)]) {
        self.records = self.records.saturating_add(1);
        if self.examples.len() < EXAMPLES {
            self.examples.push((key, values.to_vec()));
        }
        let mut own: Vec<String> = Vec::new();
        for (attribute, value) in values {
            for word in words_of(value) {
                let lower = word.to_lowercase();
                if lower != word && self.capitals.len() < WORDS {
                    self.capitals.entry(lower.clone()).or_insert(word);
                }
                own.push(lower);
            }
            self.keep(attribute, value);
        }
        own.sort_unstable();
        own.dedup();
        for word in own {
            if let Some(count) = self.counts.get_mut(&word) {
                *count += 1;
            } else if self.counts.len() < WORDS {
                self.counts.insert(word, 1);
            }
        }
    }

    /// Takes in how values of a page are written.
    pub(super) fn learn_values(&mut self, page: &Page) {
        let records = page.records.iter().flat_map(|record| record.values.iter().map(|(name, value)| (name, value)));
        let values = page.values.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        for (attribute, value) in records.chain(values) {
            self.keep(attribute, value);
        }
    }

    fn keep(&mut self, attribute: &str, value: &str) {
        if self.values.len() < ATTRIBUTES || self.values.contains_key(attribute) {
            let known = self.values.entry(attribute.to_owned()).or_default();
            let most = if value.len() <= SHORT { VALUES } else { LONG_VALUES };
            if known.len() < most && !known.iter().any(|own| own == value) {
                known.push(value.to_owned());
            }
        }
    }

    /// Values by attribute: how things are written.
    pub(super) fn seen(&self) -> HashMap<String, Vec<String>> {
        self.values.iter().map(|(attribute, values)| (attribute.clone(), values.clone())).collect()
    }

    /// What an empty text is tried with: a value of an attribute that is called like it, else a title, a word of another attribute, and the
    /// word that most records have.
    /// Of a number or a date, two values of such an attribute.
    pub(super) fn for_control(&self, control: &Control) -> Vec<String> {
        let is_window = control.trial == Trial::Window;
        if let Some(values) = self.of(control) {
            let told = values.iter().filter(|value| !value.trim().is_empty());
            return told.take(if is_window { 2 } else { 1 }).cloned().collect();
        }
        if is_window {
            return Vec::new();
        }
        // A whole text is found by whatever compares; a word of another attribute, and the word that most records have.
        let texts = self.texts(&[]);
        let values = |nth: usize| texts.get(nth).and_then(|attribute| self.values.get(*attribute)?.first());
        let whole = values(0).map(|text| groma_hel::clean(text)).filter(|text| text.len() <= SHORT);
        let word = values(1).or(values(0)).and_then(|text| words_of(text).next());
        let frequent = self.most_frequent(u32::MAX).first().map(|(word, _)| word.clone());
        let mut words: Vec<String> = Vec::new();
        for word in [whole, word, frequent].into_iter().flatten() {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// Attributes that a text field may search: those that are called like it, then those that say something else of each record; no links
    /// and no numbers.
    pub(super) fn texts(&self, names: &[String]) -> Vec<&str> {
        let is_text = |value: &&String| {
            let is_link = value.starts_with('/') || value.contains("://") || value.contains('?');
            !is_link && value.chars().filter(|c| c.is_alphabetic()).count() > 2
        };
        let rank = |(attribute, values): (&'_ String, &Vec<String>)| {
            let texts = values.iter().filter(is_text).count();
            let is_called = names.iter().any(|name| is_called(attribute, name));
            (texts * 2 > values.len()).then_some((is_called, texts))
        };
        let ranked = self.values.iter().filter_map(|(attribute, values)| Some((rank((attribute, values))?, attribute)));
        let mut ranked: Vec<((bool, usize), &String)> = ranked.collect();
        ranked.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
        ranked.into_iter().map(|(_, attribute)| attribute.as_str()).collect()
    }

    /// Values of an attribute that is called like a control.
    fn of(&self, control: &Control) -> Option<&Vec<String>> {
        let is_own = |attribute: &str| is_called(attribute, &control.title) || is_called(attribute, &control.name);
        self.values.iter().find(|(attribute, _)| is_own(attribute)).map(|(_, values)| values)
    }

    /// Values of a list or of boxes that records show: under an attribute that is called like it, else under the one that shows most of
    /// them, at least two, and in words.
    pub(super) fn shown(&self, control: &Control) -> HashSet<String> {
        let found = |values: &Vec<String>, words: bool| -> HashSet<String> {
            let pieces = values.iter().flat_map(|value| value.split([',', ';', '|', '/']).chain([value.as_str()]));
            let shown: HashSet<String> = pieces.map(folded).collect();
            let is_shown = |(value, label): &&(String, String)| {
                let label = folded(label);
                let told = if words { label.chars().any(char::is_alphabetic) } else { true };
                told && !label.is_empty() && shown.contains(&label)
                    || !words && !value.is_empty() && shown.contains(&folded(value))
            };
            control.choices.iter().filter(is_shown).map(|(value, _)| value.clone()).collect()
        };
        if let Some(values) = self.of(control) {
            return found(values, false);
        }
        let best = self.values.values().map(|values| found(values, true)).max_by_key(HashSet::len);
        best.filter(|best| best.len() > 1).unwrap_or_default()
    }

    /// The first records that were found.
    pub(super) fn examples(&self) -> &[(u128, Vec<(String, String)>)] {
        &self.examples
    }

    /// Records that were found.
    pub(super) fn records(&self) -> u32 {
        self.records
    }

    /// Records that have a word.
    pub(super) fn count(&self, word: &str) -> u32 {
        self.counts.get(&word.to_lowercase()).copied().unwrap_or(0)
    }

    /// First letters of the values of an attribute.
    pub(super) fn first_letters(&self, attribute: &str) -> Vec<char> {
        let values = self.values.get(attribute).into_iter().flatten();
        let mut letters: Vec<char> = values.filter_map(|value| value.chars().next()).collect();
        letters.extend('a'..='z');
        letters.extend('0'..='9');
        let mut kept: Vec<char> = Vec::new();
        for letter in letters {
            if !kept.iter().any(|known| known.to_lowercase().eq(letter.to_lowercase())) {
                kept.push(letter);
            }
        }
        kept
    }

    /// Words by the number of records that have them, at most so many, as records show them.
    pub(super) fn most_frequent(&self, most: u32) -> Vec<(String, u32)> {
        let fits = self.counts.iter().filter(|(_, count)| **count <= most);
        let shown = |word: &'_ String| -> String { self.capitals.get(word).unwrap_or(word).clone() };
        let mut words: Vec<(String, u32)> = fits.map(|(word, count)| (shown(word), *count)).collect();
        words.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
        words
    }
}

fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|word| (LEAST..=MOST).contains(&word.chars().count())).map(str::to_owned)
}

/// A value as it is compared with a label, which may say in parentheses how many there are.
fn folded(text: &str) -> String {
    let text = text.trim();
    let counted = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    let plain = match counted {
        Some((label, count)) if count.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')) => label.trim_end(),
        _ => text,
    };
    plain.to_lowercase()
}
