//! From a page of the store to a document of the index.

use groma_model::state::Fault;
use groma_model::{Block, BlockKind, Reason};
use groma_store::{AddressRow, PageRow};
use tantivy::TantivyDocument;
use xxhash_rust::xxh3::Xxh3;

use crate::day;
use crate::schema::{Class, FORMAT, Fields, language_code};
use crate::text::{BREAK, Language};

/// Folders above a page that can be asked for.
const FOLDERS: usize = 12;
/// A Last-Modified this close to the moment of the fetch says nothing: the server made the page up just then.
const JUST_NOW: i64 = 120;

/// Belongs this page into the index? Those read, and those read once that could not be had or seen since; not those that are
/// gone, ignored or other names of a page, nor those whose author asks for it.
pub(crate) fn belongs(address: &AddressRow, page: &PageRow) -> bool {
    let facts = &page.facts;
    let stays = match address.reason {
        Reason::Fetched => true,
        // Its text is still known from a better day.
        reason => matches!(reason.fault(), Some(Fault::Unreachable | Fault::Unknown)) && facts.text_fp.is_some(),
    };
    stays && address.alias_of.is_none() && !facts.noindex && Class::of(&facts.media_type).is_some()
}

/// When the page changed last, in seconds since 1970: by its server's word, or when we saw it change; 0 if unknown.
pub(crate) fn date(page: &PageRow) -> i64 {
    let by_server = day::of_http(&page.facts.last_modified);
    by_server.filter(|at| *at > 0 && page.facts.fetched_at - at > JUST_NOW).unwrap_or(page.changed_at).max(0)
}

/// A digest of what [`compose`] uses of the facts.
pub(crate) fn digest_of_facts(address: &AddressRow, page: &PageRow) -> u64 {
    let mut sum = Xxh3::new();
    let facts = &page.facts;
    for text in [&address.url, &facts.media_type, &facts.language, &facts.title] {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    }
    sum.update(&FORMAT.to_le_bytes());
    sum.update(&address.host.0.to_le_bytes());
    sum.update(&(date(page) / 86_400).to_le_bytes());
    sum.digest()
}

/// The beginning of a digest of the facts and of the texts: of everything that [`compose`] uses, but for the anchors.
pub(crate) fn digest(facts: u64) -> Xxh3 {
    Xxh3::with_seed(facts)
}

/// Goes on with a digest.
pub(crate) fn add_block(sum: &mut Xxh3, kind: BlockKind, text: &str) {
    sum.update(&[kind as u8]);
    sum.update(&(text.len() as u64).to_le_bytes());
    sum.update(text.as_bytes());
}

/// The document of a page.
pub(crate) fn compose(
    fields: &Fields,
    address: &AddressRow,
    page: &PageRow,
    blocks: &[Block],
    anchors: &[&str],
    digest: u64,
) -> TantivyDocument {
    let facts = &page.facts;
    let mark = Language::of(&facts.language).mark();
    let texts_of = |wanted: fn(BlockKind) -> bool| {
        let texts = blocks.iter().filter(move |block| wanted(block.kind)).map(|block| block.text.as_str());
        joined(mark, texts)
    };
    let mut document = TantivyDocument::default();
    document.add_u64(fields.page, u64::from(address.id.0));
    document.add_u64(fields.digest, digest);
    document.add_u64(fields.day, (date(page) / 86_400) as u64);
    document.add_u64(fields.class, Class::of(&facts.media_type).map_or(0, |class| u64::from(class.0)));
    document.add_u64(fields.language, language_code(&facts.language));
    document.add_u64(fields.host, u64::from(address.host.0));
    let texts = [
        (fields.title, joined(mark, std::iter::once(facts.title.as_str()))),
        (fields.heading, texts_of(|kind| (BlockKind::Heading1..=BlockKind::Heading6).contains(&kind))),
        (fields.anchor, joined(mark, anchors.iter().copied())),
        (fields.summary, texts_of(|kind| matches!(kind, BlockKind::Description | BlockKind::Keywords))),
        (fields.body, texts_of(is_body)),
        (fields.address, joined(mark, std::iter::once(&*address_words(&address.url)))),
    ];
    for (field, text) in texts.into_iter().filter(|(_, text)| text.len() > mark.len_utf8()) {
        document.add_text(field, text);
    }
    for folder in folders(&address.url) {
        document.add_text(fields.under, folder);
    }
    document
}

/// Running text. Navigation is the site's, not the page's: its words would find every page.
pub(crate) fn is_body(kind: BlockKind) -> bool {
    use BlockKind::{ImageAlt, ListItem, Paragraph, Preformatted, TableCell};
    matches!(kind, Paragraph | ListItem | TableCell | Preformatted | ImageAlt)
}

fn joined<'a>(mark: char, texts: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::from(mark);
    for text in texts.filter(|text| !text.is_empty()) {
        if all.len() > mark.len_utf8() {
            all.push(BREAK);
        }
        all.push_str(text);
    }
    all
}

/// The path and the query of an address, escapes undone.
fn address_words(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
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
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// The folders an address stands in, as addresses, the topmost first; the root of the site is none.
fn folders(url: &str) -> impl Iterator<Item = &str> {
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
        assert_eq!(address_words("http://h:1/a%20b/%C5%99/%zz?q=1%"), "/a b/ř/%zz?q=1%");
        assert_eq!(address_words("http://h"), "");
        let all: Vec<&str> = folders("http://h/docs/api/x.html?/q/").collect();
        assert_eq!(all, ["http://h/docs/", "http://h/docs/api/"]);
        assert_eq!(folders("http://h/").count() + folders("http://h").count(), 0);
    }

    #[test]
    fn the_date_is_the_servers_unless_it_makes_it_up() {
        let mut page = PageRow { id: groma_model::PageId(1), facts: groma_store::FetchFacts::default(), changed_at: 5 };
        page.facts.fetched_at = 1_445_412_500;
        assert_eq!(date(&page), 5);
        page.facts.last_modified = "Wed, 21 Oct 2015 07:28:00 GMT".into();
        assert_eq!(date(&page), 5);
        page.facts.last_modified = "Tue, 20 Oct 2015 07:28:00 GMT".into();
        assert_eq!(date(&page), 1_445_326_080);
    }
}
