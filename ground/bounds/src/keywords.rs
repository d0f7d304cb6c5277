//! Which words characterise a site? Those with which others point at it, and seldom at anything else.
//!
//! ```text
//! a, b   occurrences of a word in texts of links from outside to the site, and of links to everything else
//! c, d   occurrences of all words in these
//! score  = 2 (a ln(a/A) + b ln(b/B) + (c-a) ln((c-a)/(c-A)) + (d-b) ln((d-b)/(d-B))),  if a/c > b/d
//!          A = c (a+b)/(c+d), B = d (a+b)/(c+d): what would be expected if it made no difference
//! ```
//!
//! Source: Dunning, "Accurate methods for the statistics of surprise and coincidence", 1993 (log-likelihood ratio). Links within
//! the site are left out: their texts are navigation (paper 2 regrets that its tool took them along). Little words of any language are common
//! everywhere, so their score is low; words of the web itself (`click`, `here`) are left out by a short list. Two words side by
//! side are a phrase if neither is a little word, and they score more than each of them, or as much and both are telling; a word that
//! is found mostly in such a phrase is not told again.
//!
//! Cost: linear in the texts, sorting at the end. Memory: at most [`Keywords::ROOM`] different words and as many phrases; when
//! they are more, the rarer half is forgotten, so counts of rare words may be too low then. Not guaranteed: words of languages written
//! without spaces, whose runs of letters count as words; that one outside site with the same link on all its pages does not outweigh
//! others, unless the caller gives each text of a source site once.

mod words;

use std::collections::HashMap;

use words::words;

/// A word that makes up more than one part in so many of the texts of other links is a little word, and no part of a phrase.
const COMMON: u64 = 200;

/// What chance alone reaches in one case of twenty; below it nothing is told.
const LEAST: f64 = 3.84;

/// A word or phrase of two words, and how telling it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyword {
    /// In lower case.
    pub text: String,
    /// The log-likelihood ratio; without links to anything else, the count.
    pub score: f64,
    /// How often it stands in links from outside to the site.
    pub count: u64,
}

/// How often a word stands in texts of links.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    to_site: u64,
    elsewhere: u64,
}

impl Tally {
    fn add(&mut self, to_site: bool, times: u32) {
        let count = if to_site { &mut self.to_site } else { &mut self.elsewhere };
        *count = count.saturating_add(u64::from(times));
    }

    fn all(self) -> u64 {
        self.to_site.saturating_add(self.elsewhere)
    }
}

/// Takes in the texts of links, in any order, and tells the words that characterise the site.
#[derive(Clone, Debug)]
pub struct Keywords {
    words: HashMap<String, Tally>,
    phrases: HashMap<String, Tally>,
    total: Tally,
    room: usize,
    forgot: bool,
}

impl Default for Keywords {
    fn default() -> Keywords {
        Keywords::new()
    }
}

impl Keywords {
    /// How many different words are kept, and how many phrases.
    pub const ROOM: usize = 200_000;

    pub fn new() -> Keywords {
        Keywords::with_room(Keywords::ROOM)
    }

    /// Keeps that many words and phrases at most.
    pub fn with_room(room: usize) -> Keywords {
        let (words, phrases) = (HashMap::new(), HashMap::new());
        Keywords { words, phrases, total: Tally::default(), room: room.max(2), forgot: false }
    }

    /// The text of a link to a page of the site, found that many times. One from inside the site does not count.
    pub fn to_site(&mut self, text: &str, from_inside: bool, times: u32) {
        if !from_inside {
            self.take(text, true, times);
        }
    }

    /// The text of a link to any other page.
    pub fn elsewhere(&mut self, text: &str, times: u32) {
        self.take(text, false, times);
    }

    /// Were there so many different words that rare ones were forgotten?
    pub fn forgot(&self) -> bool {
        self.forgot
    }

    fn take(&mut self, text: &str, to_site: bool, times: u32) {
        if times == 0 {
            return;
        }
        let mut before: Option<String> = None;
        for word in words(text) {
            let Some(word) = word else {
                before = None;
                continue;
            };
            self.total.add(to_site, times);
            if let Some(before) = before.filter(|before| *before != word) {
                count(&mut self.phrases, format!("{before} {word}"), to_site, times);
            }
            count(&mut self.words, word.clone(), to_site, times);
            before = Some(word);
        }
        for counts in [&mut self.words, &mut self.phrases] {
            if counts.len() > self.room {
                keep_the_frequent(counts, self.room / 2);
                self.forgot = true;
            }
        }
    }

    /// The most telling words and phrases, best first; at most `most`.
    pub fn top(&self, most: usize) -> Vec<Keyword> {
        let mut told: Vec<Keyword> = Vec::new();
        // Words that are mostly found in a phrase that is told.
        let mut covered: HashMap<&str, u64> = HashMap::new();
        for (phrase, &tally) in self.phrases.iter().filter(|(_, tally)| tally.to_site > 0) {
            let (Some(score), Some((one, two))) = (self.score(tally), phrase.split_once(' ')) else { continue };
            let of = |word: &str| self.words.get(word).copied().unwrap_or_default();
            let [first, second] = [one, two].map(|word| self.score(of(word)));
            // As good as its parts is good enough if both are telling.
            let best = first.unwrap_or(0.0).max(second.unwrap_or(0.0));
            let beats = score > best || (score == best && first.is_some() && second.is_some());
            if beats && ![one, two].into_iter().any(|word| self.is_common(of(word))) {
                told.push(Keyword { text: phrase.clone(), score, count: tally.to_site });
                for word in [one, two] {
                    let most = covered.entry(word).or_default();
                    *most = tally.to_site.max(*most);
                }
            }
        }
        for (word, &tally) in self.words.iter().filter(|(_, tally)| tally.to_site > 0) {
            let in_phrase = covered.get(word.as_str()).copied().unwrap_or(0);
            if let Some(score) = self.score(tally).filter(|_| in_phrase <= tally.to_site / 2) {
                told.push(Keyword { text: word.clone(), score, count: tally.to_site });
            }
        }
        let order = |a: &Keyword, b: &Keyword| {
            b.score.total_cmp(&a.score).then_with(|| b.count.cmp(&a.count)).then_with(|| a.text.cmp(&b.text))
        };
        told.sort_by(order);
        told.truncate(most);
        told
    }

    fn is_common(&self, tally: Tally) -> bool {
        tally.elsewhere > self.total.elsewhere / COMMON && self.total.elsewhere >= COMMON
    }

    /// How telling these counts are; nothing if they are not.
    fn score(&self, tally: Tally) -> Option<f64> {
        if self.total.elsewhere == 0 {
            return Some(tally.to_site as f64);
        }
        let [a, b, c, d] = [tally.to_site, tally.elsewhere, self.total.to_site, self.total.elsewhere].map(|n| n as f64);
        if a * d <= b * c {
            return None;
        }
        Some(ratio(a, b, c, d)).filter(|&score| score >= LEAST)
    }
}

/// The formula at the top. A term of nothing is nothing.
fn ratio(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let share = (a + b) / (c + d);
    let term = |seen: f64, expected: f64| if seen > 0.0 { seen * (seen / expected).ln() } else { 0.0 };
    2.0 * (term(a, c * share) + term(b, d * share) + term(c - a, c - c * share) + term(d - b, d - d * share))
}

fn count(counts: &mut HashMap<String, Tally>, text: String, to_site: bool, times: u32) {
    counts.entry(text).or_default().add(to_site, times);
}

/// Forgets all but the most frequent; among equals the first of the alphabet stay.
fn keep_the_frequent(counts: &mut HashMap<String, Tally>, most: usize) {
    let mut all: Vec<(String, Tally)> = counts.drain().collect();
    all.sort_by(|a, b| b.1.all().cmp(&a.1.all()).then_with(|| a.0.cmp(&b.0)));
    all.truncate(most);
    counts.extend(all);
}

#[cfg(test)]
mod tests;
