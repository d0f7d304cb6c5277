//! From a page of the store to a document of the index.

use std::sync::Arc;

use groma_model::state::Fault;
use groma_model::{BlockKind, Reason};
use groma_store::codec::lend_blocks;
use groma_store::{Sheet, SheetFacts};
use xxhash_rust::xxh3::Xxh3;

use super::anchors::Anchors;
use super::leaf::{Leaf, Room};
use crate::day;
use crate::schema::{Class, FORMAT, Fields, language_code};
use crate::text::{BREAK, Language};

/// Folders above a page that can be asked for.
const FOLDERS: usize = 12;
/// A Last-Modified this close to the moment of the fetch says nothing: the server made the page up just then.
const JUST_NOW: i64 = 120;

/// Belongs this page into the index? Those read, and those read once that could not be had or seen since; not those that are
/// gone, ignored or other names of a page, nor those whose author asks for it.
pub(crate) fn belongs(sheet: &Sheet<'_>, facts: &SheetFacts<'_>) -> bool {
    let stays = match sheet.reason {
        Reason::Fetched => true,
        // Its text is still known from a better day.
        reason => matches!(reason.fault(), Some(Fault::Unreachable | Fault::Unknown)) && facts.text_fp.is_some(),
    };
    stays && sheet.alias_of.is_none() && !facts.noindex && Class::from_media_type(facts.media_type).is_some()
}

/// When the page changed last, in seconds since 1970: by its server's word, or when we saw it change; 0 if unknown.
pub(crate) fn date(facts: &SheetFacts<'_>) -> i64 {
    let by_server = day::of_http(facts.last_modified);
    by_server.filter(|at| *at > 0 && facts.fetched_at - at > JUST_NOW).unwrap_or(facts.changed_at).max(0)
}

/// A digest of what a document has of the facts.
pub(crate) fn digest_of_facts(sheet: &Sheet<'_>, facts: &SheetFacts<'_>) -> u64 {
    let mut sum = Xxh3::new();
    for text in [sheet.url, facts.media_type, facts.language, facts.title] {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    }
    sum.update(&FORMAT.to_le_bytes());
    sum.update(&sheet.host.0.to_le_bytes());
    sum.update(&(date(facts) / 86_400).to_le_bytes());
    sum.digest()
}

/// The beginning of a digest of the facts and of the texts: of everything a document has, but for the anchors.
pub(crate) fn digest(facts: u64) -> Xxh3 {
    Xxh3::with_seed(facts)
}

/// Goes on with a digest.
pub(crate) fn add_block(sum: &mut Xxh3, kind: BlockKind, text: &str) {
    sum.update(&[kind as u8]);
    sum.update(&(text.len() as u64).to_le_bytes());
    sum.update(text.as_bytes());
}

/// The end of a digest: with the anchors.
pub(crate) fn whole(texts: u64, anchors: u64) -> u64 {
    texts ^ anchors.rotate_left(1)
}

/// Makes documents. What it needs for one is used again for the next.
pub(crate) struct Composer {
    fields: Fields,
    room: Arc<Room>,
    unpacked: Vec<u8>,
    title: String,
    heading: String,
    anchor: String,
    summary: String,
    body: String,
    address: String,
}

impl Composer {
    pub(crate) fn new(fields: Fields, room: Arc<Room>) -> Composer {
        let empty = String::new;
        let (title, heading, anchor) = (empty(), empty(), empty());
        let (summary, body, address) = (empty(), empty(), empty());
        Composer { fields, room, unpacked: Vec::new(), title, heading, anchor, summary, body, address }
    }

    /// The document of a page; nothing if its texts are damaged. `known`: the digest of its facts; `place`: that of
    /// its anchors.
    pub(crate) fn compose(&mut self, sheet: &Sheet<'_>, known: u64, anchors: &Anchors, place: usize) -> Option<Leaf> {
        let facts = sheet.facts.unwrap_or_default();
        let mark = Language::from_code(facts.language).mark();
        let Composer { title, heading, anchor, summary, body, address, .. } = self;
        for text in [&mut *title, &mut *heading, &mut *anchor, &mut *summary, &mut *body, &mut *address] {
            text.clear();
            text.push(mark);
        }
        let mut sum = digest(known);
        let packed = sheet.packed.map_or(&[][..], |packed| packed.details);
        if !packed.is_empty() {
            lend_blocks(packed, &mut self.unpacked, |kind, text| {
                add_block(&mut sum, kind, text);
                match kind {
                    kind if is_body(kind) => join(body, text),
                    BlockKind::Description | BlockKind::Keywords => join(summary, text),
                    kind if (BlockKind::Heading1..=BlockKind::Heading6).contains(&kind) => join(heading, text),
                    _ => {}
                }
            })?;
        }
        let anchors = anchors.taken(place);
        anchors.texts().for_each(|text| join(anchor, text));
        let digest = whole(sum.digest(), anchors.digest());
        join(title, facts.title);
        address_words(sheet.url, address);

        let fields = &self.fields;
        let texts = [
            (fields.title, title),
            (fields.heading, heading),
            (fields.anchor, anchor),
            (fields.summary, summary),
            (fields.body, body),
            (fields.address, address),
        ];
        let said = texts.iter().filter(|(_, text)| text.len() > mark.len_utf8());
        let space = said.clone().map(|(_, text)| text.len()).chain(folders(sheet.url).map(str::len)).sum();
        let mut leaf = Leaf::with_space(space, &self.room);
        said.for_each(|(field, text)| leaf.text(*field, text));
        folders(sheet.url).for_each(|folder| leaf.text(fields.under, folder));
        leaf.number(fields.page, u64::from(sheet.id.0));
        leaf.number(fields.digest, digest);
        leaf.number(fields.day, (date(&facts) / 86_400) as u64);
        leaf.number(fields.class, Class::from_media_type(facts.media_type).map_or(0, |class| u64::from(class.0)));
        leaf.number(fields.language, language_code(facts.language));
        leaf.number(fields.host, u64::from(sheet.host.0));
        Some(leaf)
    }
}

/// Appends a text behind a mark and other texts.
pub(super) fn join(all: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    // The mark alone is three bytes.
    if all.len() > 3 {
        all.push(BREAK);
    }
    all.push_str(text);
}

/// Running text. Navigation is the site's, not the page's: its words would find every page.
pub(crate) fn is_body(kind: BlockKind) -> bool {
    use BlockKind::{ImageAlt, ListItem, Paragraph, Preformatted, TableCell};
    matches!(kind, Paragraph | ListItem | TableCell | Preformatted | ImageAlt)
}

/// Appends the path and the query of a URL, escapes undone.
fn address_words(url: &str, to: &mut String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    if !path.contains('%') {
        return to.push_str(path);
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut input = path.as_bytes();
    while let Some((&byte, rest)) = input.split_first() {
        let escaped = match rest {
            [high, low, ..] if byte == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        bytes.push(escaped.map_or(byte, |(high, low)| high << 4 | low));
        input = if escaped.is_some() { &rest[2..] } else { rest };
    }
    to.push_str(&String::from_utf8_lossy(&bytes));
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// The folders a URL stands in, as URLs, the topmost first; the root of the site is none.
pub(super) fn folders(url: &str) -> impl Iterator<Item = &str> {
    let path = url.find(['?', '#']).map_or(url, |at| &url[..at]);
    let start = path.find("://").map_or(0, |at| at + 3);
    let root = path[start..].find('/').map_or(path.len(), |at| start + at);
    let slashes = path.char_indices().filter(move |(at, c)| *c == '/' && *at > root);
    slashes.map(move |(at, _)| &path[..=at]).take(FOLDERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_words_and_folders() {
        let words = |url: &str| {
            let mut text = String::new();
            address_words(url, &mut text);
            text
        };
        assert_eq!(words("http://h:1/a%20b/%C5%99/%zz?q=1%"), "/a b/ř/%zz?q=1%");
        assert_eq!((words("http://h").as_str(), words("http://h/a/b.html?c").as_str()), ("", "/a/b.html?c"));
        let all: Vec<&str> = folders("http://h/docs/api/x.html?/q/").collect();
        assert_eq!(all, ["http://h/docs/", "http://h/docs/api/"]);
        assert_eq!(folders("http://h/").count() + folders("http://h").count(), 0);
    }

    #[test]
    fn the_date_is_the_servers_unless_it_makes_it_up() {
        let mut facts = SheetFacts { fetched_at: 1_445_412_500, changed_at: 5, ..SheetFacts::default() };
        assert_eq!(date(&facts), 5);
        facts.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT";
        assert_eq!(date(&facts), 5);
        facts.last_modified = "Tue, 20 Oct 2015 07:28:00 GMT";
        assert_eq!(date(&facts), 1_445_326_080);
    }
}
