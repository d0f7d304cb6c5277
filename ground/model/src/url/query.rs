//! The pieces of a query: what a parameter is called, what it says, and how it is written.
//!
//! A query is cut at `&`, a piece at its first `=`; empty pieces are nothing (as in the URL standard's form parser).
//! Names and values are compared as the server reads them, percent-decoded and with `+` as a space, but a piece is always
//! kept as it was written: `a` and `a=` stay two spellings, and bytes that are no UTF-8 survive. Cost: linear.

use std::borrow::Cow;
use std::fmt::Write;

/// One parameter of a query.
#[derive(Clone, Debug)]
pub(crate) struct Param<'a> {
    /// Percent-decoded.
    pub(crate) name: Cow<'a, [u8]>,
    /// Its value, decoded; empty if there is none.
    pub(crate) value: Cow<'a, [u8]>,
    /// As it is written.
    pub(crate) raw: &'a str,
}

impl<'a> Param<'a> {
    /// Reads one piece between two `&`.
    pub(crate) fn read(raw: &'a str) -> Param<'a> {
        let cut = raw.bytes().position(|byte| byte == b'=');
        let (name, value) = cut.map_or((raw, ""), |at| (&raw[..at], &raw[at + 1..]));
        Param { name: decode(name), value: decode(value), raw }
    }

    /// The order of a canonical query: name, then value; the spelling only decides between equals.
    pub(crate) fn order(&self) -> (&[u8], &[u8], &str) {
        (&self.name, &self.value, self.raw)
    }

    /// The name as people may read it.
    pub(crate) fn label(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

/// The parameters of a query, in the order they are written.
pub(crate) fn params(query: &str) -> impl Iterator<Item = Param<'_>> {
    query.split('&').filter(|piece| !piece.is_empty()).map(Param::read)
}

/// The query with these parameters in this order.
pub(crate) fn join(params: &[Param<'_>]) -> String {
    let mut query = String::with_capacity(params.iter().map(|param| param.raw.len() + 1).sum());
    for param in params {
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(param.raw);
    }
    query
}

/// A parameter written out, so that reading it gives back name and value and parsing the URL changes nothing.
///
/// Encodes no more than that needs: a site's own links say `a,b` and not `a%2Cb`, and the two must meet.
pub(crate) fn spell(name: &str, value: &str) -> String {
    let mut raw = String::with_capacity(name.len() + value.len() + 1);
    encode(name, b"=", &mut raw);
    raw.push('=');
    encode(value, b"", &mut raw);
    raw
}

fn encode(text: &str, also: &[u8], out: &mut String) {
    for byte in text.bytes() {
        if byte == b' ' {
            out.push('+');
        } else if !byte.is_ascii_graphic() || b"\"#<>'&+%".contains(&byte) || also.contains(&byte) {
            // Writing into a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        } else {
            out.push(char::from(byte));
        }
    }
}

/// `%XX` and `+` undone; a `%` that is followed by no two hexadecimal digits stands for itself.
fn decode(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = (byte == b'%').then(|| Some(hex(*bytes.get(at + 1)?)? << 4 | hex(*bytes.get(at + 2)?)?)).flatten();
        out.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        at += if code.is_some() { 3 } else { 1 };
    }
    Cow::Owned(out)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_url::{Url, form_urlencoded};
    use proptest::prelude::*;

    #[test]
    fn pieces_are_cut_at_the_first_equals_sign_and_empty_ones_are_nothing() {
        let read: Vec<_> = params("&a=b=c&&d&=e&=&")
            .map(|p| (p.label().into_owned(), String::from_utf8_lossy(&p.value).into_owned(), p.raw))
            .collect();
        let expected = [("a", "b=c", "a=b=c"), ("d", "", "d"), ("", "e", "=e"), ("", "", "=")];
        assert_eq!(read, expected.map(|(n, v, r)| (n.to_owned(), v.to_owned(), r)));
    }

    proptest! {
        #[test]
        fn reading_agrees_with_the_form_parser_of_the_standard(query in "[a&=+%4c\u{e9}z0-9]{0,24}") {
            let ours: Vec<_> = params(&query)
                .map(|p| (p.label().into_owned(), String::from_utf8_lossy(&p.value).into_owned()))
                .collect();
            let theirs: Vec<_> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn what_is_spelled_reads_back_and_survives_the_url_parser(name in ".{0,8}", value in ".{0,8}") {
            let raw = spell(&name, &value);
            let param = Param::read(&raw);
            prop_assert_eq!((&*param.name, &*param.value), (name.as_bytes(), value.as_bytes()));
            let mut url = Url::parse("http://a/").unwrap();
            url.set_query(Some(&raw));
            prop_assert_eq!(url.query(), Some(raw.as_str()));
        }
    }
}
