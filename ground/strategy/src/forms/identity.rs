//! What is a record known by (and a page: `groma_gather::answer::KnownPages`)? By all that it shows, but for what changes with the question: its place in the list, a score, a time that
//! passes, a link that says where it stood.
//!
//! ```text
//! place    an attribute whose values on the first page of two records or more are 0, 1, 2, ... or 1, 2, 3, ...
//! score    one whose values there are percentages that never rise and are not all the same, or that is called one
//! time     one of which half of the values there say how long ago something was
//! link     parameters that say a place in a list or a way back (`pos`, `back`, ...), if the links of that page differ without them
//! key      a digest of the other attributes and values; of all, if there are none
//! ```
//!
//! What is left out is decided once, by the first page, so that keys stay the same. Records that differ in nothing else share a key: they
//! count once for each time that they come on one page, so too few may be counted, and never too many. What changes and is none of these
//! shows in the end: records that had to come again did not (see `groma_gather::cover`).
//!
//! A question that one record satisfies may lead to the page of that record: it is the record whose link leads there.
//! Cost: linear in the page; 24 bytes for each record with a link, up to a bound.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use groma_gather::answer::{Answer as Page, KnownPages, Record as Read};
use groma_url::Url;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::controls::plain;
use super::fragment::Record;

/// Links by which records are known.
const LINKS: usize = 2_000_000;
/// Records of a page from which on it is told what changes.
const ENOUGH: usize = 2;

/// Parameters that say where a record stood, or the way back.
const PLACES: [&str; 38] = [
    "pos",
    "position",
    "rank",
    "idx",
    "index",
    "offset",
    "start",
    "page",
    "seite",
    "row",
    "rownum",
    "rownumber",
    "hit",
    "hitno",
    "hitnumber",
    "result",
    "resultno",
    "listpos",
    "recno",
    "back",
    "backto",
    "backurl",
    "return",
    "returnto",
    "returnurl",
    "ref",
    "referer",
    "referrer",
    "search",
    "searchid",
    "query",
    "q",
    "hl",
    "highlight",
    "sid",
    "session",
    "sessionid",
    "phpsessid",
];
/// Names of attributes that hold scores.
const SCORES: [&str; 10] = [
    "score",
    "relevance",
    "relevanz",
    "rank",
    "ranking",
    "match",
    "pertinence",
    "relevancia",
    "rilevanza",
    "trefferquote",
];
/// What says how long ago something was: before the number, or behind it.
const BEFORE: [&str; 5] = ["vor ", "il y a ", "hace ", "před ", "há "];
const BEHIND: [&str; 7] = [" ago", " fa", " temu", "前", " sedan", " siden", " geleden"];

/// What records are known by.
#[derive(Debug, Default)]
pub(super) struct Identity {
    /// What pages are known by.
    pub(super) pages: KnownPages,
    is_decided: bool,
    /// Attributes that change with the question.
    changing: BTreeSet<String>,
    /// Attributes that are links with a place in them.
    placed: BTreeSet<String>,
    /// The record that a link leads to.
    by_link: HashMap<u64, u128>,
    /// Beginnings of links to records, and how many records each leads to, 2 standing for more.
    folders: HashMap<u64, u8>,
}

impl Identity {
    /// Before the first answer.
    pub(super) fn new(pages: KnownPages) -> Identity {
        Identity { pages, ..Identity::default() }
    }

    /// Learns from a page what changes, if it is the first that can tell.
    pub(super) fn learn(&mut self, page: &Page) {
        if self.is_decided || page.records.len() < ENOUGH {
            return;
        }
        self.is_decided = true;
        let mut columns: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in page.records.iter().flat_map(|record| &record.values) {
            columns.entry(name).or_default().push(value);
        }
        let count = page.records.len();
        for (name, values) in columns {
            if (values.len() == count && (are_places(&values) || are_scores(name, &values))) || are_times(&values) {
                self.changing.insert(name.to_owned());
            } else if are_placed(&values) {
                self.placed.insert(name.to_owned());
            }
        }
    }

    /// What a record is known by.
    pub(super) fn key(&self, record: &Read) -> u128 {
        let link = record.link.as_deref().map(steady);
        // One that was met on a page of its own first.
        let met = link.as_deref().and_then(|link| self.by_link.get(&xxh3_64(link.as_bytes())));
        if let Some(key) = met.filter(|key| **key == of_link(link.as_deref().unwrap_or_default())) {
            return *key;
        }
        let kept = record.values.iter().filter(|(name, _)| !self.changing.contains(name));
        let mut values: Vec<(String, String)> = kept
            .map(|(name, value)| {
                let value = if self.placed.contains(name) { steady(value) } else { value.clone() };
                (name.clone(), value)
            })
            .collect();
        if values.is_empty() {
            values.clone_from(&record.values);
        }
        Record { values, ..Record::default() }.digest()
    }

    /// Remembers where records lead.
    pub(super) fn remember(&mut self, record: &Read, key: u128) {
        let Some(link) = record.link.as_deref().map(steady).filter(|_| self.by_link.len() < LINKS) else { return };
        let is_new = self.by_link.insert(xxh3_64(link.as_bytes()), key).is_none();
        if is_new {
            let count = self.folders.entry(xxh3_64(folder(&link).as_bytes())).or_default();
            *count = count.saturating_add(1).min(2);
        }
    }

    /// The record whose page this is, if it is one: a known one, or one that lies where the pages of others do.
    pub(super) fn met(&mut self, address: &Url) -> Option<u128> {
        let link = steady(address.as_str());
        let hash = xxh3_64(link.as_bytes());
        if let Some(key) = self.by_link.get(&hash) {
            return Some(*key);
        }
        let folder = folder(&link);
        // Everything lies in the root of a site.
        let is_root = !folder.contains('?') && folder.matches('/').count() <= 2;
        let is_beside = !is_root && self.folders.get(&xxh3_64(folder.as_bytes())) == Some(&2);
        let key = is_beside.then(|| of_link(&link))?;
        self.by_link.insert(hash, key);
        Some(key)
    }
}

fn of_link(link: &str) -> u128 {
    xxh3_128(format!("link\0{link}").as_bytes())
}

/// 1, 2, 3, ... as they stand in the list.
fn are_places(values: &[&str]) -> bool {
    let number = |value: &&str| {
        let digits = value.trim().trim_start_matches('#').trim_end_matches(['.', ')', ':']).trim();
        digits.parse::<u64>().ok()
    };
    let numbers: Option<Vec<u64>> = values.iter().map(number).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() >= ENOUGH) else { return false };
    numbers[0] <= 1 && numbers.windows(2).all(|two| two[1] == two[0] + 1)
}

fn are_scores(name: &str, values: &[&str]) -> bool {
    let number = |value: &&str| {
        let (number, percent) = match value.trim().strip_suffix('%') {
            Some(rest) => (rest.trim(), true),
            None => (value.trim(), false),
        };
        Some((number.replace(',', ".").parse::<f64>().ok()?, percent))
    };
    let Some(numbers) = values.iter().map(number).collect::<Option<Vec<(f64, bool)>>>() else { return false };
    if SCORES.contains(&plain(name).as_str()) {
        return true;
    }
    let falls = numbers.windows(2).all(|two| two[1].0 <= two[0].0);
    let differs = numbers.windows(2).any(|two| two[1].0 < two[0].0);
    falls && differs && numbers.iter().all(|(_, percent)| *percent)
}

fn are_times(values: &[&str]) -> bool {
    let is_time = |value: &&&str| {
        let lower = value.trim().to_lowercase();
        let is_counted = |text: &str| text.trim().starts_with(|c: char| c.is_ascii_digit());
        lower.len() < 40
            && (BEFORE.iter().any(|word| lower.strip_prefix(word).is_some_and(is_counted))
                || (is_counted(&lower) && BEHIND.iter().any(|word| lower.ends_with(word))))
    };
    !values.is_empty() && values.iter().filter(is_time).count() * 2 >= values.len()
}

/// Are these links with places in them, which lead to as many pages without?
fn are_placed(values: &[&str]) -> bool {
    let distinct = |texts: Vec<String>| texts.into_iter().collect::<HashSet<String>>().len();
    let is_link = |value: &&str| value.contains('?') && !value.contains(char::is_whitespace);
    values.iter().any(is_link)
        && values.iter().any(|value| steady(value) != **value)
        && distinct(values.iter().map(|value| steady(value)).collect())
            == distinct(values.iter().map(|value| (*value).to_owned()).collect())
}

/// A link without what says where it stood.
fn steady(link: &str) -> String {
    let link = link.split('#').next().unwrap_or_default();
    let Some((path, query)) = link.split_once('?') else { return without_session(link).to_owned() };
    let is_kept = |pair: &&str| !PLACES.contains(&plain(pair.split('=').next().unwrap_or_default()).as_str());
    let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
    let path = without_session(path);
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// `/item;jsessionid=17` is `/item`.
fn without_session(path: &str) -> &str {
    path.find(";jsessionid=").map_or(path, |at| &path[..at])
}

/// What links to records of one kind have in common: the path up to its last part, or all of it and the names of parameters.
fn folder(link: &str) -> String {
    match link.split_once('?') {
        Some((path, query)) => {
            let names: Vec<&str> = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default()).collect();
            format!("{path}?{}", names.join("&"))
        }
        None => link.rsplit_once('/').map_or(link, |(folder, _)| folder).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(values: &[(&str, &str)]) -> Read {
        let values: Vec<(String, String)> =
            values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let link = values.iter().find(|(name, _)| name == "link").map(|(_, link)| format!("http://h.test{link}"));
        Read { values, link }
    }

    /// The same record first in one list, and elsewhere in another.
    fn keys(first: &[&[(&str, &str)]], other: &[(&str, &str)]) -> (u128, u128) {
        let mut identity = Identity::default();
        let page = Page { records: first.iter().map(|values| record(values)).collect(), ..Page::default() };
        identity.learn(&page);
        (identity.key(&page.records[1]), identity.key(&record(other)))
    }

    #[test]
    fn what_changes_with_the_question_is_no_part_of_a_record() {
        let (one, other) =
            keys(&[&[("n", "1"), ("name", "A")], &[("n", "2"), ("name", "B")]], &[("n", "1"), ("name", "B")]);
        assert_eq!(one, other, "a place in the list");
        let (one, other) = keys(
            &[&[("fit", "98 %"), ("name", "A")], &[("fit", "71 %"), ("name", "B")]],
            &[("fit", "88 %"), ("name", "B")],
        );
        assert_eq!(one, other, "a score");
        let (one, other) = keys(
            &[&[("when", "3 min ago"), ("name", "A")], &[("when", "vor 2 Stunden"), ("name", "B")]],
            &[("when", "5 hours ago"), ("name", "B")],
        );
        assert_eq!(one, other, "a time");
        let (one, other) = keys(
            &[&[("link", "/item?id=7&pos=1")], &[("link", "/item?id=9&pos=2&back=%2Flist%3Fq%3Dx")]],
            &[("link", "/item?id=9&pos=1&back=%2Flist%3Fq%3Dy")],
        );
        assert_eq!(one, other, "a link with a place");
    }

    #[test]
    fn what_tells_records_apart_stays() {
        let (one, other) =
            keys(&[&[("n", "17"), ("name", "A")], &[("n", "18"), ("name", "B")]], &[("n", "3"), ("name", "B")]);
        assert_ne!(one, other, "numbers that are no places");
        let (one, other) = keys(
            &[&[("share", "12 %"), ("name", "A")], &[("share", "71 %"), ("name", "B")]],
            &[("share", "4 %"), ("name", "B")],
        );
        assert_ne!(one, other, "percentages in no order");
        let (one, other) = keys(&[&[("link", "/item?pos=1")], &[("link", "/item?pos=2")]], &[("link", "/item?pos=3")]);
        assert_ne!(one, other, "links that nothing else tells apart");
        let (one, other) = keys(&[&[("n", "1")], &[("n", "2")]], &[("n", "3")]);
        assert_ne!(one, other, "there is nothing else");
    }

    #[test]
    fn the_page_of_a_record_is_that_record() {
        let mut identity = Identity::default();
        let records =
            [record(&[("link", "/item/7?pos=1"), ("name", "A")]), record(&[("link", "/item/9"), ("name", "B")])];
        for record in &records {
            let key = identity.key(record);
            identity.remember(record, key);
        }
        let url = |text: &str| Url::parse(text).expect("a URL");
        assert_eq!(identity.met(&url("http://h.test/item/9?back=x")), Some(identity.key(&records[1])));
        assert_eq!(identity.met(&url("http://h.test/login")), None);
        // One that no list has shown yet has the same key when one does.
        let met = identity.met(&url("http://h.test/item/11")).expect("beside the others");
        assert_eq!(identity.key(&record(&[("link", "/item/11"), ("name", "C")])), met);
    }
}
