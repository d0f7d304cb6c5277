//! Which names and values are in a query? URL standard, section 5 "application/x-www-form-urlencoded".
//!
//! Cost: linear. Not guaranteed: that a query was meant as names and values; nor that what is read and written again is the
//! same text (`%20` becomes `+`).

use std::borrow::Cow;

use crate::encode;

/// Reads names and values, decoded.
pub fn parse(query: &[u8]) -> Parse<'_> {
    Parse { rest: Some(query) }
}

/// Names and values, one after the other.
#[derive(Clone, Debug)]
pub struct Parse<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Parse<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (pair, rest) = cut(self.rest?, b'&');
            self.rest = rest;
            if !pair.is_empty() {
                let (name, value) = cut(pair, b'=');
                return Some((decoded(name), decoded(value.unwrap_or_default())));
            }
        }
    }
}

impl<'a> Parse<'a> {
    /// The same as strings of their own.
    pub fn into_owned(self) -> impl Iterator<Item = (String, String)> + 'a {
        self.map(|(name, value)| (name.into_owned(), value.into_owned()))
    }
}

/// Before and behind the first such byte.
fn cut(bytes: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|&byte| byte == at) {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    }
}

fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if !bytes.iter().any(|byte| matches!(byte, b'+' | b'%')) {
        return String::from_utf8_lossy(bytes);
    }
    let spaced: Vec<u8> = bytes.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
    Cow::Owned(String::from_utf8_lossy(&encode::decode(&spaced)).into_owned())
}

/// One name or value, as it is written.
pub fn escape(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    push(&mut to, text);
    to
}

/// Writes names and values.
#[derive(Clone, Debug, Default)]
pub struct Serializer {
    text: String,
}

impl Serializer {
    /// Goes on after what is in the string.
    pub fn new(text: String) -> Serializer {
        Serializer { text }
    }

    /// Writes a name and its value.
    pub fn append_pair(&mut self, name: &str, value: &str) -> &mut Serializer {
        push_pair(&mut self.text, 0, name, value);
        self
    }

    /// Writes several of them.
    pub fn extend_pairs<N: AsRef<str>, V: AsRef<str>>(
        &mut self,
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> &mut Serializer {
        for (name, value) in pairs {
            push_pair(&mut self.text, 0, name.as_ref(), value.as_ref());
        }
        self
    }

    /// The pairs written so far; the serializer is empty then.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// Writes a pair to the end of a query that begins somewhere in a text.
pub(crate) fn push_pair(to: &mut String, start: usize, name: &str, value: &str) {
    if to.len() > start {
        to.push('&');
    }
    push(to, name);
    to.push('=');
    push(to, value);
}

fn push(to: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b' ' => to.push('+'),
            b'*' | b'-' | b'.' | b'_' => to.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => to.push(char::from(byte)),
            _ => encode::push_escaped(to, byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(query: &str) -> Vec<(String, String)> {
        parse(query.as_bytes()).into_owned().collect()
    }

    #[test]
    fn names_and_values_are_decoded() {
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        assert_eq!(pairs("a=b&c"), [("a", "b"), ("c", "")].map(own));
        assert_eq!(pairs("&&a=b=c&=&%C3%A9+%2B=%zz"), [("a", "b=c"), ("", ""), ("é +", "%zz")].map(own));
        assert_eq!(pairs("a=%ff"), [("a", "\u{fffd}")].map(own));
        assert_eq!(pairs(""), []);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let given = [("a b", "é&=+%"), ("", ""), ("*-._~", "\0")];
        let text = Serializer::default().extend_pairs(given).append_pair("last", "1").finish();
        assert_eq!(text, "a+b=%C3%A9%26%3D%2B%25&=&*-._%7E=%00&last=1");
        let read: Vec<_> = parse(text.as_bytes()).collect();
        assert_eq!(read[..3], given.map(|(name, value)| (name.into(), value.into())));
        assert_eq!(Serializer::new("x=1".to_owned()).append_pair("y", "").finish(), "x=1&y=");
    }
}
