//! The elements that are open inside structured data: which of them does a start or end tag close?
//!
//! All elements stand here, unlike in `html::stack`, for any can hold a property; and each brings something along that is handed back
//! when it closes. The rules are those of the HTML standard's tree construction (13.2.6.4.7 and the tables) that end elements: implied
//! ends of paragraphs, items, cells, options and headings, scopes, and end tags that special elements keep from reaching further out.
//!
//! Cost: at most [`REACH`] elements are looked at for a tag. Not guaranteed: formatting elements that are closed across blocks are
//! closed with what stands in them; nothing is moved out of tables.

use xxhash_rust::xxh3::xxh3_64;

use crate::html::tag::Tag;

/// Open elements looked through for the one a tag closes.
const REACH: usize = 128;

#[derive(Debug)]
struct Open<T> {
    tag: Tag,
    /// A hash of the name, for elements that share a tag.
    name: u64,
    brings: T,
}

/// The open elements, the outermost first.
#[derive(Debug)]
pub(crate) struct OpenElements<T> {
    open: Vec<Open<T>>,
    most: usize,
}

impl<T> OpenElements<T> {
    pub(crate) fn new(most: u64) -> OpenElements<T> {
        OpenElements { open: Vec::new(), most: usize::try_from(most).unwrap_or(usize::MAX) }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// An element begins. Gives it back if too many are open.
    pub(crate) fn push(&mut self, tag: Tag, name: &[u8], brings: T) -> Option<T> {
        if self.open.len() >= self.most {
            return Some(brings);
        }
        self.open.push(Open { tag, name: lower_hash(name), brings });
        None
    }

    /// The innermost element closes.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.open.pop().map(|open| open.brings)
    }

    /// How many elements the start of another closes.
    pub(crate) fn implied(&self, tag: Tag) -> usize {
        let in_table = |open: Tag| matches!(open, Tag::Table | Tag::Template);
        let count = match tag {
            Tag::Li => self.item(|open| open == Tag::Li),
            Tag::Dt | Tag::Dd => self.item(|open| matches!(open, Tag::Dt | Tag::Dd)),
            Tag::Td | Tag::Th => self.through(
                |open| matches!(open, Tag::Td | Tag::Th | Tag::Caption),
                |open| in_table(open) || open == Tag::Tr,
            ),
            Tag::Tr => self.through(|open| matches!(open, Tag::Tr | Tag::Caption), in_table),
            Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption => {
                let part = |open| matches!(open, Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption | Tag::Tr);
                self.outermost(part, in_table)
            }
            Tag::A => self.through(|open| open == Tag::A, is_scope),
            Tag::Button => self.through(|open| open == Tag::Button, is_scope),
            Tag::Option | Tag::Optgroup => self.through(|open| open == Tag::Option, |_| true),
            _ => 0,
        };
        let ends_paragraph = tag.is_flow() || matches!(tag, Tag::P | Tag::Table | Tag::Hr | Tag::Form);
        if !ends_paragraph {
            return count;
        }
        let left = &self.open[..self.open.len() - count];
        let bars = |open: Tag| is_scope(open) || open == Tag::Button;
        let paragraph = through(left, |open| open.tag == Tag::P, |open| bars(open.tag));
        let heading = tag.is_heading() && left.last().is_some_and(|open| open.tag.is_heading());
        count + paragraph.max(usize::from(heading))
    }

    /// How many elements an end tag closes.
    pub(crate) fn ended(&self, tag: Tag, name: &[u8]) -> usize {
        let in_table = |open: Tag| matches!(open, Tag::Table | Tag::Template);
        match tag {
            Tag::Body | Tag::Html => 0,
            Tag::Li => self.through(|open| open == tag, |open| is_scope(open) || matches!(open, Tag::Ul | Tag::Ol)),
            Tag::P => self.through(|open| open == tag, |open| is_scope(open) || open == Tag::Button),
            Tag::Table | Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption => {
                self.through(|open| open == tag, in_table)
            }
            tag if tag.is_heading() => self.through(Tag::is_heading, is_scope),
            tag if tag.is_flow() || tag.is_scope() || matches!(tag, Tag::Form | Tag::Button | Tag::Select) => {
                self.through(|open| open == tag, is_scope)
            }
            _ => {
                let hash = lower_hash(name);
                let formats = tag == Tag::A || is_formatting(name);
                let bars = |open: &Open<T>| {
                    if formats {
                        is_scope(open.tag)
                    } else {
                        open.tag.is_special() || matches!(open.tag, Tag::Div | Tag::Address | Tag::P)
                    }
                };
                through(&self.open, |open| open.name == hash, bars)
            }
        }
    }

    fn through(&self, is: impl Fn(Tag) -> bool, bars: impl Fn(Tag) -> bool) -> usize {
        through(&self.open, |open| is(open.tag), |open| bars(open.tag))
    }

    /// An item of a list ends the one before it, but reaches through `address`, `div` and `p` only.
    fn item(&self, is: impl Fn(Tag) -> bool) -> usize {
        self.through(is, Tag::is_special)
    }

    /// Up to the outermost of several.
    fn outermost(&self, is: impl Fn(Tag) -> bool, bars: impl Fn(Tag) -> bool) -> usize {
        let near = self.open.iter().rev().take(REACH).take_while(|open| !bars(open.tag));
        near.enumerate().filter(|(_, open)| is(open.tag)).last().map_or(0, |(up, _)| up + 1)
    }
}

/// How many elements close if the innermost of a kind does, unless another bars the way.
fn through<T>(open: &[Open<T>], is: impl Fn(&Open<T>) -> bool, bars: impl Fn(&Open<T>) -> bool) -> usize {
    let near = open.iter().rev().take(REACH).enumerate().find(|(_, open)| is(open) || bars(open));
    near.filter(|(_, open)| is(open)).map_or(0, |(up, _)| up + 1)
}

/// Nothing outside it can be closed from inside.
fn is_scope(tag: Tag) -> bool {
    tag.is_scope() && tag != Tag::Title
}

/// The formatting elements of the standard, without `a`.
fn is_formatting(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 13] =
        [b"b", b"big", b"code", b"em", b"font", b"i", b"nobr", b"s", b"small", b"strike", b"strong", b"tt", b"u"];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn lower_hash(name: &[u8]) -> u64 {
    let mut lower = [0; 24];
    match lower.get_mut(..name.len()) {
        Some(lower) => {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            xxh3_64(lower)
        }
        None => xxh3_64(&name.to_ascii_lowercase()),
    }
}

/// Whether an element never has content.
pub(crate) fn is_void(tag: Tag, name: &[u8]) -> bool {
    const NAMES: [&[u8]; 6] = [b"wbr", b"col", b"param", b"track", b"keygen", b"basefont"];
    tag.is_void() || (tag == Tag::Other && NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which elements are open at `!`, by their names.
    fn open_at(html: &str) -> String {
        let mut open = OpenElements::new(512);
        for piece in html.split(['<', '>']).filter(|piece| !piece.is_empty()) {
            if piece == "!" {
                break;
            }
            let name = piece.trim_start_matches('/');
            let tag = Tag::named(name.as_bytes());
            let closed = if piece.starts_with('/') { open.ended(tag, name.as_bytes()) } else { open.implied(tag) };
            (0..closed).for_each(|_| drop(open.pop()));
            if !piece.starts_with('/') && !is_void(tag, name.as_bytes()) {
                open.push(tag, name.as_bytes(), name.to_owned());
            }
        }
        let names: Vec<String> = open.open.into_iter().map(|open| open.brings).collect();
        names.join(" ")
    }

    #[test]
    fn elements_end_where_the_standard_ends_them() {
        for (html, open) in [
            ("<p><span><div>!", "div"),
            ("<p><button><p>!", "p button p"),
            ("<ul><li><b><li>!", "ul li"),
            ("<ul><li><ul><li>!", "ul li ul li"),
            ("<ul><li><div><li>!", "ul li"),
            ("<dl><dt><dd>!", "dl dd"),
            ("<table><tr><td><b><td>!", "table tr td"),
            ("<table><tbody><tr><td><tbody>!", "table tbody"),
            ("<table><tr><td><table><tr>!", "table tr td table tr"),
            ("<table><tr><td></table>!", ""),
            ("<h1><h2>!", "h2"),
            ("<h1></h2>!", ""),
            ("<span><div></span>!", "span div"),
            ("<b><div></b>!", ""),
            ("<div><span></div>!", ""),
            ("<div><table><tr><td></div>!", "div table tr td"),
            ("<a><b><a>!", "a"),
            ("<select><option><option>!", "select option"),
            ("<time><data></time>!", ""),
            ("<IMG><wbr><br>!", ""),
            ("<ul></li>!", "ul"),
            ("<p></body>!", "p"),
        ] {
            assert_eq!(open_at(html), open, "{html}");
        }
    }
}
