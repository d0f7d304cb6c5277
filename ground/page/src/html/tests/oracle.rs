//! Does our scanner find the tags and the text that html5gum finds, which follows the standard byte for byte?
//!
//! Both feed the same kind of sink. Compared are the tags with the attributes anybody asks for, the text between them in
//! one piece, and whole pages; comments, document types and NULs in markup are nothing to either.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use groma_model::Symptom;
use html5gum::{Emitter, Error, State, Tokenizer};
use proptest::prelude::*;

use super::*;
use crate::html::attributes::{Attr, Attributes};
use crate::html::page::Page;
use crate::html::scan::{self, Content, Sink};
use crate::html::tag::Tag;

/// What a sink is given, in order.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Text(String),
    Start(Tag, Vec<(Attr, String)>, bool),
    End(Tag),
}

#[derive(Default)]
struct Record {
    events: Vec<Event>,
    foreign: bool,
}

impl Sink for Record {
    fn text(&mut self, text: &str) {
        assert!(!text.is_empty());
        match self.events.last_mut() {
            Some(Event::Text(before)) => before.push_str(text),
            _ => self.events.push(Event::Text(text.to_owned())),
        }
    }

    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) -> Content {
        let kept = Attr::ALL.into_iter().filter_map(|attr| Some((attr, attributes.get(attr)?.to_owned()))).collect();
        self.events.push(Event::Start(tag, kept, closes_itself));
        self.foreign |= matches!(tag, Tag::Svg | Tag::Math) && !closes_itself;
        match tag {
            _ if self.foreign => Content::Markup,
            Tag::Script => Content::Script,
            Tag::Style | Tag::Iframe | Tag::Xmp => Content::Rawtext,
            Tag::Title | Tag::Textarea => Content::Rcdata,
            Tag::Plaintext => Content::Plaintext,
            _ => Content::Markup,
        }
    }

    fn end(&mut self, tag: Tag, _: &[u8]) {
        self.foreign &= !matches!(tag, Tag::Svg | Tag::Math);
        self.events.push(Event::End(tag));
    }

    fn is_foreign(&self) -> bool {
        self.foreign
    }
}

/// html5gum's tokens, given to a sink.
struct Oracle<'s, S> {
    sink: &'s mut S,
    /// Text comes in pieces that need not be strings.
    text: Vec<u8>,
    name: Vec<u8>,
    last: Vec<u8>,
    is_end: bool,
    closes_itself: bool,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
    most: u64,
    cut: &'s mut bool,
}

impl<S: Sink> Oracle<'_, S> {
    fn begin(&mut self, is_end: bool) {
        self.name.clear();
        self.attributes.clear();
        (self.is_end, self.closes_itself) = (is_end, false);
    }

    fn hand_on_text(&mut self) {
        if !self.text.is_empty() {
            self.sink.text(std::str::from_utf8(&self.text).expect("a string in all"));
            self.text.clear();
        }
    }
}

impl<S: Sink> Emitter for Oracle<'_, S> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, last: Option<&[u8]>) {
        self.last = last.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.hand_on_text();
    }

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.text.extend(text.iter().filter(|b| **b != 0));
    }

    fn init_start_tag(&mut self) {
        self.begin(false);
    }

    fn init_end_tag(&mut self) {
        self.begin(true);
    }

    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        self.hand_on_text();
        let tag = Tag::from_lowercase(&self.name);
        if self.is_end {
            self.sink.end(tag, b"");
            return None;
        }
        self.last.clone_from(&self.name);
        // Values are written as they are read, so that nothing is left to be replaced in them.
        let mut page = String::new();
        let ranges: Vec<_> = self
            .attributes
            .iter()
            .map(|(name, value)| {
                let from = page.len();
                page.push_str(&String::from_utf8_lossy(value).replace('&', "&amp;"));
                (name, from, page.len())
            })
            .collect();
        let name = self.name.clone();
        let mut attributes = Attributes::new(&page, self.most, false);
        attributes.begin(tag, &name, 0, self.sink.is_data());
        ranges.into_iter().for_each(|(name, from, to)| attributes.add(name, from, to));
        *self.cut |= attributes.cut;
        match self.sink.start(tag, &attributes, self.closes_itself) {
            Content::Markup => None,
            Content::Rcdata => Some(State::RcData),
            Content::Rawtext => Some(State::RawText),
            Content::Script => Some(State::ScriptData),
            Content::Plaintext => Some(State::PlainText),
        }
    }

    fn emit_current_comment(&mut self) {}

    fn emit_current_doctype(&mut self) {}

    fn set_self_closing(&mut self) {
        self.closes_itself = true;
    }

    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, _: &[u8]) {}

    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        self.attributes.push(<_>::default());
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attributes.last_mut().unwrap().0.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.attributes.last_mut().unwrap().1.extend_from_slice(value);
    }

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.name == self.last
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.sink.is_foreign()
    }
}

fn ask_the_oracle<S: Sink>(html: &str, most: u64, sink: &mut S) -> bool {
    let (text, name, last, attributes) = <_>::default();
    let mut cut = false;
    let oracle =
        Oracle { sink, text, name, last, is_end: false, closes_itself: false, attributes, most, cut: &mut cut };
    let Ok(()) = Tokenizer::new_with_emitter(html.as_bytes(), oracle).finish();
    !cut
}

/// Tags and text as both find them, and the pages these come to.
fn both(html: &str) -> [(Vec<Event>, ParsedPage); 2] {
    let limits = Limits::default();
    let url = Url::parse("http://a.test/dir/page.html?q=1").unwrap();
    let input = Input { bytes: html.as_bytes(), url: &url, charset: Some("utf-8"), limits: &limits, parts: false };
    let page = |scan: &dyn Fn(&mut Page<'_>) -> bool| {
        let mut page = Page::new(&limits, html.trim_start().starts_with("<?xml"));
        page.cut_attributes = !scan(&mut page);
        page.finish();
        let mut page = crate::html::finish(page, html, &input, encoding_rs::UTF_8).0;
        // The oracle does not tell where a tag stands and how it is written.
        page.markup.observations.retain(|seen| seen.symptom != Symptom::LateCharset);
        ParsedPage { structured: None, ..page }
    };
    let ours = scan::with_line_feeds(html.into());
    let (mut found, mut expected) = (Record::default(), Record::default());
    scan::scan(&ours, 5, false, &mut found);
    ask_the_oracle(html, 5, &mut expected);
    [
        (found.events, page(&|page| scan::scan(&ours, limits.html_attributes, false, page))),
        (expected.events, page(&|page| ask_the_oracle(html, limits.html_attributes, page))),
    ]
}

fn agree(name: &str, html: &str) {
    let [(found, page), (expected, expected_page)] = both(html);
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "event {number} of {name}");
    }
    assert_eq!(found.len(), expected.len(), "{name}");
    assert!(page == expected_page, "the page of {name}");
}

/// Pieces of markup where tokenizers go wrong.
#[rustfmt::skip]
const NASTY: [&str; 117] = [
    "<", ">", "</", "/>", "/", "=", "\"", "'", "&", ";", " ", "\n", "\r", "\r\n", "\t", "\x0c", "\0", "-", "--", "!", "?", "x", "é", "漢", "\u{a0}", "#",
    "<a", "<a ", "<A HREF=", " href=", " href", "href='", "href=\"", " HREF = ", " id=x", " id=", "<a href=x>", "</a>", "</a >", "<p>", "<br/>", "<img alt=",
    "<b =c>", "<a/b=c>", "<a href=x/>", "<a href='a&amp;b\r\nc\0'>", "<a href=a&copy=b&copy>", "<a href=\"&notit;&not&#x41\" href=z>",
    "<!--", "-->", "--!>", "<!-->", "<!--->", "<!----!>", "<!", "<!>", "<!x>", "<?", "<?xml", "</>", "</ x>", "<!doctype html>", "<!DOCTYPE x PUBLIC \"a>",
    "<!doctype", "<![CDATA[", "<![cdata[", "]]>", "]]", "]", "<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<title>", "</title>", "</TITLE\n>", "</titl", "</title/x='>'>",
    "<textarea>", "</textarea>", "<style>", "</style>", "<script>", "</script>", "<SCRIPT", "</SCRIPT", "script", "<xmp>", "</xmp>", "<plaintext>", "<iframe>", "</iframe>",
    "&amp;", "&amp", "&lt", "&nbsp;", "&not", "&notin;", "&notit", "&no", "&Aacute", "&frac12x", "&NotEqualTilde;", "&#", "&#x", "&#X4", "&#65", "&#65;", "&#0;", "&#x80;",
    "&#xD800;", "&#x110000;", "&#99999999999;", "&zzz;", "<template>", "</template>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn nasty_markup_is_read_as_the_standard_says(parts in proptest::collection::vec(0..NASTY.len(), 0..24)) {
        let html: String = parts.into_iter().map(|part| NASTY[part]).collect();
        agree(&format!("{html:?}"), &html);
    }

    #[test]
    fn any_characters_are_read_as_the_standard_says(html in "[<>/!?&;#x=\"' \\-\\[\\]aA1\0\r\né]{0,40}") {
        agree(&format!("{html:?}"), &html);
    }

    #[test]
    fn scripts_end_where_the_standard_says(html in "<script>(<|/|>|!|-|--|-->|<!--|script|SCRIPT|</script|<script|</scripts| |\n|\0|&lt;){0,20}") {
        agree(&format!("{html:?}"), &html);
    }

    #[test]
    fn references_mean_what_the_standard_says(name in 0..crate::html::names::NAMES.len(), cut in 0usize..34, after in "[;= xé&]{0,2}") {
        let (name, _) = crate::html::names::NAMES[name];
        let name = &name[..cut.min(name.len())];
        let html = format!("&{name}{after}<a href=\"&{name}{after}\" id=&{name}{after}><title>&{name}{after}");
        agree(&html, &html);
    }
}

/// All files below a folder that end so, in order; none if there is no such folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn the_corpus_of_the_fuzzers_is_read_as_the_standard_says() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../yard/fuzz/corpus/html"), &mut paths);
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        agree(&path.display().to_string(), &String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn pages_of_this_machine_are_read_as_the_standard_says() {
    let mut paths = Vec::new();
    files(Path::new("/usr/share/doc"), &mut paths);
    paths.retain(|path| path.extension().is_some_and(|end| end == "html" || end == "htm"));
    for path in paths.iter().step_by(paths.len() / 150 + 1) {
        let Ok(bytes) = std::fs::read(path) else { continue };
        agree(&path.display().to_string(), &String::from_utf8_lossy(&bytes));
    }
}
