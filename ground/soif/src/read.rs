//! From octets to objects, leniently where the meaning is clear.
//!
//! A space does for the tab, white space may stand before the type, the braces and the colon, line ends may be those of
//! any system or be missing after a value, names and types may be any octets but `{` and white space. A length is
//! never guessed: where one is wrong, what follows has no meaning, so the first complaint ends the reading.
//!
//! Cost: linear. A length is compared with the limits before anything is taken, and memory grows with what has come, not
//! with what was announced.

use std::fmt;
use std::io::{BufRead, Read};

use crate::object::Object;

/// How much is taken of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Octets of a type or a name.
    pub name: u64,
    /// Octets of a URL.
    pub url: u64,
    /// Octets of a value.
    pub value: u64,
    /// Octets of all names and values of an object.
    pub object: u64,
    /// Attributes of an object.
    pub attributes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { name: 256, url: 8192, value: 64 << 20, object: 256 << 20, attributes: 10_000 }
    }
}

/// What is wrong with a stream, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The octet where it was noticed, counted from 0.
    pub at: u64,
    /// A sentence without a full stop.
    pub what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at octet {}: {}", self.at, self.what)
    }
}

impl std::error::Error for Complaint {}

/// Reads the objects of a stream; a slice is one, too.
pub fn read<R: BufRead>(stream: R, limits: Limits) -> Objects<R> {
    Objects { stream, limits, at: 0, done: false }
}

/// The objects of a stream, up to the first complaint.
#[derive(Debug)]
pub struct Objects<R> {
    stream: R,
    limits: Limits,
    at: u64,
    done: bool,
}

impl<R: BufRead> Iterator for Objects<R> {
    type Item = Result<Object, Complaint>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.object().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

impl<R: BufRead> Objects<R> {
    fn complaint<T>(&self, what: impl Into<String>) -> Result<T, Complaint> {
        Err(Complaint { at: self.at, what: what.into() })
    }

    /// The next octet, which stays.
    fn peek(&mut self) -> Result<Option<u8>, Complaint> {
        loop {
            match self.stream.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Complaint { at: self.at, what: format!("reading failed: {error}") }),
            }
        }
    }

    fn skip(&mut self) {
        self.stream.consume(1);
        self.at += 1;
    }

    /// Past octets of a kind.
    fn skip_while(&mut self, kind: impl Fn(u8) -> bool) -> Result<(), Complaint> {
        while self.peek()?.is_some_and(&kind) {
            self.skip();
        }
        Ok(())
    }

    /// Octets up to one of a kind, which stays; no more than so many.
    fn until(&mut self, most: u64, what: &str, ends: impl Fn(u8) -> bool) -> Result<Vec<u8>, Complaint> {
        let mut taken = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| !ends(*byte)) {
            if taken.len() as u64 >= most {
                return self.complaint(format!("{what} has more than {most} octets"));
            }
            taken.push(byte);
            self.skip();
        }
        Ok(taken)
    }

    fn expect(&mut self, sign: u8, why: &str) -> Result<(), Complaint> {
        match self.peek()? {
            Some(byte) if byte == sign => {
                self.skip();
                Ok(())
            }
            Some(byte) => self.complaint(format!("expected `{}` {why}, found `{}`", sign as char, byte.escape_ascii())),
            None => self.complaint(format!("expected `{}` {why}, found the end", sign as char)),
        }
    }

    fn object(&mut self) -> Result<Option<Object>, Complaint> {
        self.skip_while(is_space)?;
        if self.peek()?.is_none() {
            return Ok(None);
        }
        self.expect(b'@', "before the type of an object")?;
        self.skip_while(is_space)?;
        let kind = self.until(self.limits.name, "the type", |byte| is_space(byte) || byte == b'{')?;
        if kind.is_empty() {
            return self.complaint("expected the type of an object after `@`");
        }
        self.skip_while(is_space)?;
        self.expect(b'{', "after the type")?;
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'))?;
        let mut url = self.until(self.limits.url, "the URL", |byte| matches!(byte, b'\n' | b'\r'))?;
        url.truncate(url.len() - url.iter().rev().take_while(|byte| is_space(**byte)).count());
        url.drain(..url.iter().take_while(|byte| is_space(**byte)).count());
        let mut object = Object { kind, url, attributes: Vec::new() };
        let mut size = 0;
        loop {
            self.skip_while(is_space)?;
            match self.peek()? {
                Some(b'}') => {
                    self.skip();
                    return Ok(Some(object));
                }
                Some(_) => {}
                None => return self.complaint("the object that was begun has no closing `}`"),
            }
            if object.attributes.len() >= self.limits.attributes {
                return self.complaint(format!("an object has more than {} attributes", self.limits.attributes));
            }
            let attribute = self.attribute(&mut size)?;
            object.attributes.push(attribute);
        }
    }

    fn attribute(&mut self, size: &mut u64) -> Result<(Vec<u8>, Vec<u8>), Complaint> {
        let name = self.until(self.limits.name, "the name of an attribute", |byte| is_space(byte) || byte == b'{')?;
        if name.is_empty() {
            return self.complaint("expected the name of an attribute or `}`, found `{`");
        }
        self.skip_while(is_space)?;
        self.expect(b'{', "after the name of an attribute")?;
        self.skip_while(is_space)?;
        let at = self.at;
        let digits = self.until(20, "the length of a value", |byte| !byte.is_ascii_digit())?;
        let length = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<u64>().ok());
        let Some(length) = length else {
            return Err(Complaint { at, what: "expected the length of a value in octets".into() });
        };
        *size = size.saturating_add(length).saturating_add(name.len() as u64);
        if length > self.limits.value || *size > self.limits.object {
            let what = format!("a value of {length} octets is more than is taken");
            return Err(Complaint { at, what });
        }
        self.skip_while(is_space)?;
        self.expect(b'}', "after the length of a value")?;
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'))?;
        self.expect(b':', "before a value")?;
        if matches!(self.peek()?, Some(b'\t' | b' ')) {
            self.skip();
        }
        let mut value = Vec::new();
        let came = self.stream.by_ref().take(length).read_to_end(&mut value);
        self.at += value.len() as u64;
        match came {
            Ok(_) if value.len() as u64 == length => Ok((name, value)),
            Ok(came) => self.complaint(format!("a value of {length} octets was announced, {came} came")),
            Err(error) => self.complaint(format!("reading failed: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Result<Vec<Object>, Complaint> {
        read(text, Limits::default()).collect()
    }

    fn pair(name: &str, value: &str) -> (Vec<u8>, Vec<u8>) {
        (name.into(), value.into())
    }

    #[test]
    fn objects_of_harvest_are_read() {
        let text = "@FILE { http://www.example.org/a.html\nTitle{5}:\tH\u{fc}te\nText{12}:\ta\n}\n@b { c\n}\n\n}\n@FILE { -\n}\n";
        let objects = all(text.as_bytes()).unwrap();
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0].url, b"http://www.example.org/a.html");
        assert_eq!(objects[0].attributes, [pair("Title", "H\u{fc}te"), pair("Text", "a\n}\n@b { c\n}")]);
        assert_eq!(objects[1], Object { kind: b"FILE".to_vec(), url: b"-".to_vec(), attributes: Vec::new() });
    }

    #[test]
    fn what_is_meant_is_understood() {
        let text = "\r\n @  DB.x{ http://h/ \r\nA-1{1}: x\r\nB:c\u{e4} { 2 } :yz}@T {\nC{0}:\t\nD{0}:\n}";
        let objects = all(text.as_bytes()).unwrap();
        assert_eq!(objects[0].kind, b"DB.x");
        assert_eq!(objects[0].url, b"http://h/");
        assert_eq!(objects[0].attributes, [pair("A-1", "x"), pair("B:c\u{e4}", "yz")]);
        assert_eq!(objects[1].attributes, [pair("C", ""), pair("D", "")]);
        assert!(all(b" \n").unwrap().is_empty());
    }

    #[test]
    fn complaints_have_a_place_and_end_the_reading() {
        let complaints: [(&[u8], u64, &str); 12] = [
            (b"FILE { x\n}", 0, "expected `@` before the type"),
            (b"@ { x", 2, "expected the type"),
            (b"@FILE x", 6, "expected `{` after the type"),
            (b"@F { u\nA{3}:\tab", 15, "3 octets was announced, 2 came"),
            (b"@F { u\nA{-1}:\tab", 9, "the length of a value in octets"),
            (b"@F { u\nA{99999999999}:\tab", 9, "more than is taken"),
            (b"@F { u\nA{99999999999999999999}:\tab", 9, "the length of a value"),
            (b"@F { u\nA{1x}:\tab", 10, "expected `}` after the length"),
            (b"@F { u\nA{1}\tab", 12, "expected `:` before a value, found `a`"),
            (b"@F { u\nA{1}:\tb\n", 15, "no closing `}`"),
            (b"@F { u\n{1}:\tb\n}", 7, "expected the name of an attribute or `}`"),
            (b"@F { u\nA{1}:\tb\nc\xff", 17, "expected `{` after the name of an attribute, found the end"),
        ];
        for (text, at, what) in complaints {
            let mut objects = read(text, Limits::default());
            let complaint = objects.next().unwrap().unwrap_err();
            assert!(complaint.what.contains(what), "{complaint}");
            assert_eq!(complaint.at, at, "{complaint}");
            assert!(objects.next().is_none());
        }
    }

    #[test]
    fn limits_are_kept() {
        let limits = Limits { name: 3, url: 4, value: 5, object: 12, attributes: 2 };
        let fails = |text: &str| read(text.as_bytes(), limits).next().unwrap().unwrap_err().what;
        assert!(fails("@FILE { x\n}").contains("the type has more than 3"));
        assert!(fails("@F { abcde\n}").contains("the URL has more than 4"));
        assert!(fails("@F { u\nABCD{1}:\tx\n}").contains("name of an attribute has more than 3"));
        assert!(fails("@F { u\nA{6}:\t123456\n}").contains("6 octets is more"));
        assert!(fails("@F { u\nA{5}:\t12345\nA{5}:\t12345\nA{1}:\t1\n}").contains("more than 2 attributes"));
        assert!(fails("@F { u\nABC{5}:\t12345\nABC{5}:\t12345\n}").contains("more than is taken"));
        assert!(read(&b"@F { u\nA{5}:\t12345\nB{5}:\t12345\n}"[..], limits).all(|object| object.is_ok()));
    }
}
