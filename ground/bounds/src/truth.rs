//! What truly belongs to a site, or to each of several: read from a file, to hold what was found against it.
//!
//! ```text
//! # a comment
//! https://example.org/a.html         a page
//! https://example.org/docs/          all that begins with it: the line ends in / or *
//! https://example.org/blog-*
//! https://example.net/      Blog     behind a tab: the name of the site it belongs to
//! ```
//!
//! or a table with the header `prefix<TAB>pages`: every line is a prefix, and a site of its own unless it has a name; a number in
//! the second column and all further columns are left aside. A page belongs to the site that lists it, else to the one with the longest
//! prefix it begins with, so a site may lie within another. URLs are compared as the URL standard writes them, without fragments.
//!
//! Cost: linear in the text, and prefixes are sorted; a page costs its parsing and a binary search. Lines that cannot be read are
//! complained about and left out.

mod score;

use std::collections::{HashMap, HashSet};

use groma_url::Url;

pub use score::{Score, ScoreRow, table};

use crate::starts::Starts;
use crate::surt::{Complaint, MOST_COMPLAINTS};

/// Bytes of a line; a longer one is left out.
pub const LONGEST_LINE: usize = 16384;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrueSite {
    /// The name given, or its first line; empty if the whole file is one site without a name.
    pub name: String,
    /// The first page or prefix listed, without a star: where to begin looking for it.
    pub start: String,
    /// Pages listed one by one.
    pub pages: u32,
    /// Prefixes listed.
    pub prefixes: u32,
}

/// The sites of a file of true sites, to be looked up by URL.
#[derive(Clone, Debug)]
pub struct Truth {
    sites: Vec<TrueSite>,
    pages: HashMap<String, u32>,
    prefixes: Starts<u32>,
}

/// How the lines of a file that have no name go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// All are one site; those of a table with a header are one each.
    Usual,
    /// Each is a site.
    Apart,
}

/// Reads a file of true pages and prefixes. Of a URL or prefix that is listed twice, the later line holds.
pub fn read(text: &str, grouping: Grouping) -> (Truth, Vec<Complaint>) {
    let mut reader = Reader { apart: grouping == Grouping::Apart, ..Reader::default() };
    let mut complaints = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.split(['\n', '\r']).enumerate() {
        if let Err(why) = reader.line(line)
            && complaints.len() < MOST_COMPLAINTS
        {
            complaints.push(Complaint { line: number + 1, why });
        }
    }
    (reader.finish(), complaints)
}

#[derive(Default)]
struct Reader {
    begun: bool,
    apart: bool,
    /// Is every line a prefix, as a header said?
    all_prefixes: bool,
    sites: Vec<TrueSite>,
    named: HashMap<String, u32>,
    pages: HashMap<String, u32>,
    prefixes: Vec<(String, u32)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if line.len() > LONGEST_LINE {
            return Err("it is too long");
        }
        let line = without_comment(line).trim();
        if line.is_empty() {
            return Ok(());
        }
        let mut columns = line.split('\t').map(str::trim);
        let entry = columns.next().unwrap_or_default();
        let name = columns.next().filter(|name| !name.is_empty() && !is_number(name));
        if !std::mem::replace(&mut self.begun, true) && entry.eq_ignore_ascii_case("prefix") {
            (self.apart, self.all_prefixes) = (true, true);
            return Ok(());
        }
        let starred = entry.strip_suffix('*');
        let is_prefix = self.all_prefixes || starred.is_some() || entry.ends_with('/');
        let text = match starred {
            Some(stem) => prefix(stem),
            // A host without its slash is not the beginning of a longer name.
            None if is_prefix => prefix(&closed(entry)),
            None => canonical(entry),
        };
        let text = text.ok_or("it is no URL")?;
        let site = self.site(name, &text);
        if is_prefix {
            self.sites[site as usize].prefixes += 1;
            self.prefixes.push((text, site));
        } else {
            self.sites[site as usize].pages += 1;
            self.pages.insert(text, site);
        }
        Ok(())
    }

    /// The number of the site a line belongs to.
    fn site(&mut self, name: Option<&str>, text: &str) -> u32 {
        let name = name.unwrap_or(if self.apart { text } else { "" });
        let next = self.sites.len() as u32;
        let number = *self.named.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.sites.push(TrueSite { name: name.to_owned(), start: text.to_owned(), pages: 0, prefixes: 0 });
        }
        number
    }

    fn finish(self) -> Truth {
        Truth { sites: self.sites, pages: self.pages, prefixes: Starts::new(self.prefixes) }
    }
}

impl Truth {
    /// All sites, in the order in which they are first listed.
    pub fn sites(&self) -> &[TrueSite] {
        &self.sites
    }

    /// The number of the site a URL belongs to; nothing if to none.
    pub fn site_of(&self, address: &str) -> Option<usize> {
        let canonical = canonical(address);
        let address = canonical.as_deref().unwrap_or(address);
        let listed = self.pages.get(address).or_else(|| self.prefixes.longest(address).map(|(_, site)| site));
        listed.map(|&site| site as usize)
    }

    /// How many pages each site truly has: those listed one by one, and those of the known ones that a prefix takes in. An
    /// URL counts once, however often it is given.
    pub fn sizes<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
        let mut sizes = vec![0; self.sites.len()];
        for &site in self.pages.values() {
            sizes[site as usize] += 1;
        }
        let mut seen = HashSet::new();
        for address in known {
            let canonical = canonical(address).unwrap_or_else(|| address.to_owned());
            if self.pages.contains_key(&canonical) {
                continue;
            }
            if let Some((_, &site)) = self.prefixes.longest(&canonical)
                && seen.insert(canonical)
            {
                sizes[site as usize] += 1;
            }
        }
        sizes
    }

    /// How good a set of pages is as one of the sites, which has `size` pages by [`Truth::sizes`].
    pub fn score<'a>(&self, site: usize, size: u32, found: impl IntoIterator<Item = &'a str>) -> Score {
        let found: HashSet<String> =
            found.into_iter().map(|address| canonical(address).unwrap_or_else(|| address.to_owned())).collect();
        let both = found.iter().filter(|address| self.site_of(address) == Some(site)).count();
        Score::new(found.len() as u32, size, both as u32)
    }
}

/// What stands before a `#` at the front or behind a space.
fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(is_comment).map_or(line, |(at, _)| &line[..at])
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | ' '))
}

/// The URL as the URL standard writes it, without its fragment.
fn canonical(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.set_fragment(None);
    Some(url.into_string())
}

/// With a slash behind a host that has none.
fn closed(entry: &str) -> String {
    let has_path = entry.split_once("://").is_none_or(|(_, behind)| behind.contains('/'));
    if has_path { entry.to_owned() } else { format!("{entry}/") }
}

/// What canonical URLs begin with that begin so. A letter is put behind it while it is read, so that its last dots or
/// digits are not taken for more than they are.
fn prefix(text: &str) -> Option<String> {
    let text = &text[..text.find('#').unwrap_or(text.len())];
    let (_, behind) = text.split_once("://")?;
    let mut address = Url::parse(&format!("{text}x")).ok()?.into_string();
    if !behind.contains(['/', '\\', '?']) && address.ends_with('/') {
        address.pop();
    }
    address.ends_with('x').then(|| {
        address.pop();
        address
    })
}

#[cfg(test)]
mod tests;
