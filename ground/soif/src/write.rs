//! From values to octets, as they come: nothing is held but what the writer below holds.
//!
//! What could not be read again is refused: empty names and types, white space or `{` in them, a name that begins with
//! `}`, white space around a URL or line ends in it.

use std::io::{self, Read, Write};

/// Writes objects one after the other.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
}

impl<W: Write> Writer<W> {
    pub fn new(out: W) -> Writer<W> {
        Writer { out }
    }

    /// Begins an object. It is not whole before [`ObjectWriter::end`].
    pub fn object(&mut self, kind: &[u8], url: &[u8]) -> io::Result<ObjectWriter<'_, W>> {
        check_name(kind, "a type")?;
        let bare = url.trim_ascii().len() == url.len() && !url.starts_with(b"\x0b") && !url.ends_with(b"\x0b");
        if !bare || url.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return refuse("a URL has no line ends and no white space around it");
        }
        self.out.write_all(b"@")?;
        self.out.write_all(kind)?;
        self.out.write_all(b" { ")?;
        self.out.write_all(url)?;
        self.out.write_all(b"\n")?;
        Ok(ObjectWriter { out: &mut self.out })
    }

    /// Writes an object that is there as a whole.
    pub fn write(&mut self, object: &crate::Object) -> io::Result<()> {
        let mut writer = self.object(&object.kind, &object.url)?;
        for (name, value) in &object.attributes {
            writer.attribute(name, value)?;
        }
        writer.end()
    }

    /// What it writes to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Writes the attributes of an object.
#[derive(Debug)]
pub struct ObjectWriter<'w, W> {
    out: &'w mut W,
}

impl<W: Write> ObjectWriter<'_, W> {
    /// An attribute with one value, whatever it holds.
    pub fn attribute(&mut self, name: &[u8], value: &[u8]) -> io::Result<()> {
        self.head(name, value.len() as u64)?;
        self.out.write_all(value)?;
        self.out.write_all(b"\n")
    }

    /// An attribute with several values, a line each; a line end within one is written as a blank. They are gone through twice:
    /// the length stands first.
    pub fn values<'v>(&mut self, name: &[u8], values: impl Iterator<Item = &'v [u8]> + Clone) -> io::Result<()> {
        let octets: u64 = values.clone().map(|value| value.len() as u64 + 1).sum();
        self.head(name, octets.saturating_sub(1))?;
        for (nth, value) in values.enumerate() {
            if nth > 0 {
                self.out.write_all(b"\n")?;
            }
            for (nth, line) in value.split(|byte| matches!(byte, b'\n' | b'\r')).enumerate() {
                if nth > 0 {
                    self.out.write_all(b" ")?;
                }
                self.out.write_all(line)?;
            }
        }
        self.out.write_all(b"\n")
    }

    /// An attribute whose value is read from somewhere, so many octets of it; fewer are an error.
    pub fn copy(&mut self, name: &[u8], octets: u64, from: &mut impl Read) -> io::Result<()> {
        self.head(name, octets)?;
        if io::copy(&mut from.take(octets), &mut self.out)? < octets {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.out.write_all(b"\n")
    }

    /// What it writes to. Whatever else is written there stands in the object.
    pub fn get_mut(&mut self) -> &mut W {
        self.out
    }

    /// Writes the closing brace.
    pub fn end(self) -> io::Result<()> {
        self.out.write_all(b"}\n")
    }

    fn head(&mut self, name: &[u8], octets: u64) -> io::Result<()> {
        check_name(name, "a name")?;
        if name.starts_with(b"}") {
            return refuse("a name does not begin with `}`");
        }
        self.out.write_all(name)?;
        write!(self.out, "{{{octets}}}:\t")
    }
}

fn check_name(name: &[u8], what: &str) -> io::Result<()> {
    if name.is_empty() || name.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, 0x0b | b'{')) {
        return refuse(&format!("{what} is not empty and has neither white space nor `{{` in it"));
    }
    Ok(())
}

fn refuse<T>(what: &str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, what.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Limits, Object, read};

    fn name() -> impl Strategy<Value = Vec<u8>> {
        let byte = any::<u8>()
            .prop_filter("no white space", |byte| !byte.is_ascii_whitespace() && !matches!(byte, 0x0b | b'{'));
        prop::collection::vec(byte, 1..12).prop_filter("no brace first", |name| name[0] != b'}')
    }

    fn object() -> impl Strategy<Value = Object> {
        let value = prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "[@{}:\\n\\t a-c0-9]{0,40}".prop_map(String::into_bytes)
        ];
        let url = prop_oneof![Just(Vec::new()), name()];
        (name(), url, prop::collection::vec((name(), value), 0..6)).prop_map(|(kind, url, attributes)| Object {
            kind,
            url,
            attributes,
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_itself(objects in prop::collection::vec(object(), 0..5)) {
            let mut writer = Writer::new(Vec::new());
            for object in &objects {
                writer.write(object).unwrap();
            }
            let octets = writer.into_inner();
            let again: Vec<Object> = read(&octets[..], Limits::default()).collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&again, &objects);
            // A stream that comes octet by octet is the same stream.
            let slow = std::io::BufReader::with_capacity(1, &octets[..]);
            prop_assert_eq!(read(slow, Limits::default()).collect::<Result<Vec<_>, _>>().unwrap(), objects);
        }

        #[test]
        fn values_come_back_one_by_one(values in prop::collection::vec("[^\\r\\n]{1,8}", 0..8)) {
            let mut writer = Writer::new(Vec::new());
            let mut object = writer.object(b"FILE", b"http://h/").unwrap();
            object.values(b"Ort", values.iter().map(String::as_bytes)).unwrap();
            object.end().unwrap();
            let octets = writer.into_inner();
            let object = read(&octets[..], Limits::default()).next().unwrap().unwrap();
            prop_assert_eq!(object.values("Ort"), values.iter().map(String::as_bytes).collect::<Vec<_>>());
        }

        #[test]
        fn any_octets_end(octets in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"@{}:\t\nA19 ".to_vec())], 0..80)) {
            let limits = Limits { value: 50, ..Limits::default() };
            for object in read(&octets[..], limits).flatten() {
                prop_assert!(object.attributes.iter().all(|(_, value)| value.len() <= 50));
            }
        }
    }

    #[test]
    fn it_looks_as_harvest_wrote_it() {
        let mut writer = Writer::new(Vec::new());
        let mut object = writer.object(b"FILE", b"http://www.example.org/").unwrap();
        object.attribute(b"Title", "H\u{fc}te".as_bytes()).unwrap();
        object.values(b"Ort", [&b"a\nb"[..], b"c"].into_iter()).unwrap();
        object.values(b"Leer", [].into_iter()).unwrap();
        object.end().unwrap();
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert_eq!(text, "@FILE { http://www.example.org/\nTitle{5}:\tH\u{fc}te\nOrt{5}:\ta b\nc\nLeer{0}:\t\n}\n");
    }

    #[test]
    fn values_can_be_copied_as_they_come() {
        let mut writer = Writer::new(Vec::new());
        let mut object = writer.object(b"F", b"u").unwrap();
        object.copy(b"A", 3, &mut &b"a\nbc"[..]).unwrap();
        assert_eq!(object.get_mut().len(), 17);
        assert!(object.copy(b"B", 3, &mut &b"a"[..]).is_err());
        let octets = writer.into_inner();
        assert!(octets.starts_with(b"@F { u\nA{3}:\ta\nb\n"), "{octets:?}");
    }

    #[test]
    fn what_could_not_be_read_again_is_refused() {
        let mut writer = Writer::new(Vec::new());
        assert!(writer.object(b"", b"u").is_err() && writer.object(b"A B", b"u").is_err());
        assert!(writer.object(b"F", b"u\nv").is_err() && writer.object(b"F", b" u").is_err());
        let mut object = writer.object(b"F", b"").unwrap();
        for name in [&b""[..], b"a{", b"a b", b"}a"] {
            assert!(object.attribute(name, b"").is_err());
        }
    }
}
