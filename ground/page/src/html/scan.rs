//! From text to tags and text: the tokenization of the HTML standard (13.2.5) over a string that is there as a whole.
//!
//! Pieces between tags are found with memchr and handed on as they stand in the page; nothing is allocated per tag. What
//! becomes of them is the [`Sink`]'s affair, which also says how the content of an element is read, as the standard's tree
//! construction does for its tokenizer. A tag, comment or reference that the page ends inside of is as in the standard: the
//! first two are nothing, the last is text.
//!
//! Cost: linear. Whatever is looked for and not found reaches to the end of the page, and then the page is done; all else is
//! looked at a bounded number of times.
//!
//! Otherwise than in the standard: comments and document types are skipped, not built; a NUL in text is left out here and
//! not in tree construction, in SVG and MathML too (where it would be shown as U+FFFD); attributes of end tags and those
//! nobody asks for are not kept; no parse errors are counted. All else is compared with html5gum in the tests.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::attributes::Attributes;
use super::raw;
use super::reference::{self, Meaning, Within};
use super::seek::{self, ATTRIBUTE_NAME, NAME, SPACE, VALUE};
use super::tag::Tag;

/// How the content of an element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Markup,
    /// As text with character references, up to the end tag.
    Rcdata,
    /// As text, up to the end tag.
    Rawtext,
    Script,
    /// As text, up to the end of the page.
    Plaintext,
}

/// What takes the tags and the text.
pub(crate) trait Sink {
    /// A piece of text; a run of text may come in several.
    fn text(&mut self, text: &str);
    /// A start tag. Says how its content is read.
    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) -> Content;
    fn end(&mut self, tag: Tag, name: &[u8]);
    /// Is the innermost open element one of SVG or MathML, where CDATA is text?
    fn is_foreign(&self) -> bool;
    /// Inside structured data all attributes are asked for that may hold a value of it.
    fn is_data(&self) -> bool {
        false
    }
}

/// Line ends as the standard wants them before anything is read: one line feed each.
pub(crate) fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr(b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Gives all tags and all text of a page to a sink; the page has [line feeds](with_line_feeds) only. Of each tag at most
/// `most` attributes are looked at; false if one had more. `all` asks for those that only the parts of a page need.
pub(crate) fn scan<S: Sink>(page: &str, most: u64, all: bool, sink: &mut S) -> bool {
    let nuls = memchr(0, page.as_bytes()).is_some();
    let mut scan =
        Scan { page, bytes: page.as_bytes(), at: 0, nuls, attributes: Attributes::new(page, most, all), sink };
    // The page may end anywhere; that is all the `Option` says.
    let _end = scan.markup();
    !scan.attributes.cut
}

struct Scan<'t, 's, S> {
    page: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// There are NULs in the page.
    nuls: bool,
    attributes: Attributes<'t>,
    sink: &'s mut S,
}

impl<'t, S: Sink> Scan<'t, '_, S> {
    /// "Data state". Comes back at the end of the page only.
    fn markup(&mut self) -> Option<()> {
        // Text from here on has not been handed on.
        let mut from = 0;
        loop {
            let Some(at) = seek::either(self.bytes, self.at, b'<', b'&') else {
                self.text(from, self.bytes.len());
                return None;
            };
            if self.bytes[at] == b'&' {
                self.at = at + 1;
                if let Some((meaning, length)) = reference::read(&self.bytes[at + 1..], Within::Text) {
                    self.text(from, at);
                    self.meaning(meaning);
                    self.at += length;
                    from = self.at;
                }
                continue;
            }
            match (self.bytes.get(at + 1), self.bytes.get(at + 2)) {
                (Some(b), _) if b.is_ascii_alphabetic() => {
                    self.text(from, at);
                    self.at = at + 1;
                    self.start_tag()?;
                }
                (Some(b'/'), Some(b)) if b.is_ascii_alphabetic() => {
                    self.text(from, at);
                    self.at = at + 2;
                    self.end_tag()?;
                }
                (Some(b'!'), _) => {
                    self.text(from, at);
                    self.at = at + 2;
                    self.declaration()?;
                }
                // A "bogus comment", or `</>`, which is nothing.
                (Some(b'/'), Some(_)) | (Some(b'?'), _) => {
                    self.text(from, at);
                    self.at = at + 1;
                    self.skip_past_bracket()?;
                }
                _ => {
                    self.at = at + 1;
                    continue;
                }
            }
            from = self.at;
        }
    }

    /// Hands on text, without NULs.
    #[inline]
    fn text(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        let text = &self.page[from..to];
        if self.nuls {
            text.split('\0').filter(|part| !part.is_empty()).for_each(|part| self.sink.text(part));
        } else {
            self.sink.text(text);
        }
    }

    /// Hands on text in which a NUL is a broken character.
    fn raw_text(&mut self, from: usize, to: usize) {
        if !self.nuls {
            return self.text(from, to);
        }
        for (number, part) in self.page[from..to].split('\0').enumerate() {
            if number > 0 {
                self.sink.text("\u{fffd}");
            }
            if !part.is_empty() {
                self.sink.text(part);
            }
        }
    }

    fn meaning(&mut self, meaning: Meaning) {
        match meaning {
            Meaning::Text(text) => self.sink.text(text),
            Meaning::Char(char) => self.sink.text(char.encode_utf8(&mut [0; 4])),
        }
    }

    fn skip_past_bracket(&mut self) -> Option<()> {
        self.at = seek::one(self.bytes, self.at, b'>')? + 1;
        Some(())
    }

    /// What `<!` opens: a comment, CDATA, a document type, or nothing.
    fn declaration(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"--") {
            self.at += 2;
            return self.comment();
        }
        if rest.starts_with(b"[CDATA[") && self.sink.is_foreign() {
            self.at += 7;
            let end = memmem::find(&self.bytes[self.at..], b"]]>").map(|offset| self.at + offset);
            self.text(self.at, end.unwrap_or(self.bytes.len()));
            self.at = end? + 3;
            return Some(());
        }
        self.skip_past_bracket()
    }

    /// A comment ends with `-->` or `--!>`; right after its start `>` and `->` do as well.
    fn comment(&mut self) -> Option<()> {
        let from = self.at;
        loop {
            self.skip_past_bracket()?;
            let inside = &self.bytes[from..self.at - 1];
            if matches!(inside, b"" | b"-") || inside.ends_with(b"--") || inside.ends_with(b"--!") {
                return Some(());
            }
        }
    }

    /// The name of a tag.
    #[inline]
    fn name(&mut self) -> Option<&'t [u8]> {
        let end = seek::class(self.bytes, self.at, NAME)?;
        let name = &self.bytes[self.at..end];
        self.at = end;
        Some(name)
    }

    fn start_tag(&mut self) -> Option<()> {
        let name = self.name()?;
        let tag = Tag::named(name);
        self.attributes.begin(tag, name, self.at, self.sink.is_data());
        let closes_itself = self.rest_of_tag(true)?;
        let content = self.sink.start(tag, &self.attributes, closes_itself);
        if content == Content::Markup { Some(()) } else { self.raw(content, tag, name) }
    }

    fn end_tag(&mut self) -> Option<()> {
        let name = self.name()?;
        self.rest_of_tag(false)?;
        self.sink.end(Tag::named(name), name);
        Some(())
    }

    /// The content of an element that is text, and its end tag.
    fn raw(&mut self, content: Content, tag: Tag, name: &[u8]) -> Option<()> {
        let from = self.at;
        let end = match content {
            Content::Markup | Content::Plaintext => None,
            Content::Script => raw::script_end(self.bytes, from),
            Content::Rcdata | Content::Rawtext => raw::end(self.bytes, from, name),
        };
        let to = end.unwrap_or(self.bytes.len());
        if content == Content::Rcdata {
            self.rcdata(from, to)
        } else {
            self.raw_text(from, to)
        }
        self.at = end? + 2 + name.len();
        self.rest_of_tag(false)?;
        self.sink.end(tag, name);
        Some(())
    }

    fn rcdata(&mut self, mut from: usize, to: usize) {
        let mut search = from;
        while let Some(offset) = memchr(b'&', &self.bytes[search..to]) {
            let at = search + offset;
            search = at + 1;
            if let Some((meaning, length)) = reference::read(&self.bytes[at + 1..to], Within::Text) {
                self.raw_text(from, at);
                self.meaning(meaning);
                search += length;
                from = search;
            }
        }
        self.raw_text(from, to);
    }

    /// The attributes of a tag, and its end: does it close itself? The attributes are kept, or passed over.
    #[inline]
    fn rest_of_tag(&mut self, keep: bool) -> Option<bool> {
        // Most tags end here.
        if *self.bytes.get(self.at)? == b'>' {
            self.at += 1;
            return Some(false);
        }
        self.all_attributes(keep)
    }

    fn all_attributes(&mut self, keep: bool) -> Option<bool> {
        loop {
            match *self.bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.at += 1;
                    if *self.bytes.get(self.at)? == b'>' {
                        self.at += 1;
                        return Some(true);
                    }
                }
                b' ' | b'\n' | b'\t' | 0x0c => self.at += 1,
                _ => self.attribute(keep)?,
            }
        }
    }

    #[inline]
    fn attribute(&mut self, keep: bool) -> Option<()> {
        let start = self.at;
        // A `=` here belongs to the name.
        let end = seek::class(self.bytes, start + 1, ATTRIBUTE_NAME)?;
        let name = &self.bytes[start..end];
        self.at = end;
        self.skip_space()?;
        let (mut from, mut to) = (self.at, self.at);
        if self.bytes[self.at] == b'=' {
            self.at += 1;
            self.skip_space()?;
            from = self.at;
            match self.bytes[from] {
                quote @ (b'"' | b'\'') => {
                    from += 1;
                    to = seek::one(self.bytes, from, quote)?;
                    self.at = to + 1;
                }
                b'>' => to = from,
                _ => {
                    to = seek::class(self.bytes, from, VALUE)?;
                    self.at = to;
                }
            }
        }
        if keep {
            self.attributes.add(name, from, to);
        }
        Some(())
    }

    /// Skips white space; nothing if the page ends there.
    #[inline]
    fn skip_space(&mut self) -> Option<()> {
        while seek::is(SPACE, *self.bytes.get(self.at)?) {
            self.at += 1;
        }
        Some(())
    }
}
