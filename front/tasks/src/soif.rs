//! Looking through a file of SOIF objects: what is in it, and what is wrong with it.
//!
//! Objects are read one by one and told at once: memory holds one object, whatever the size of the file. The reader ends at
//! the first complaint, for behind a wrong length nothing has a meaning; here reading is taken up again at the next line that
//! begins with `@`. Such a line may be part of a lost value, so objects behind a complaint are as good as their looks.
//!
//! Cost: linear.

use std::io::{BufRead, Read, Result};

use groma_soif::{Complaint, Limits, Object, read};

/// What is met in a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// An object, and the octet where its reading began.
    Object(u64, Object),
    /// What is wrong there, and how many octets were passed over behind the place.
    Lost(Complaint, u64),
}

/// What is met in a stream.
pub fn look<R: BufRead>(stream: R) -> Looking<R> {
    Looking { stream: Counted { stream, at: 0 }, done: false }
}

/// A stream being looked through.
pub struct Looking<R> {
    stream: Counted<R>,
    done: bool,
}

impl<R: BufRead> Iterator for Looking<R> {
    type Item = Met;

    fn next(&mut self) -> Option<Met> {
        if self.done {
            return None;
        }
        let from = self.stream.at;
        match read(&mut self.stream, Limits::default()).next() {
            None => {
                self.done = true;
                None
            }
            Some(Ok(object)) => Some(Met::Object(from, object)),
            Some(Err(complaint)) => {
                let noticed = self.stream.at;
                // What cannot be read now cannot be read further on.
                self.done = !self.stream.seek_object().unwrap_or(false);
                let complaint = Complaint { at: complaint.at + from, ..complaint };
                Some(Met::Lost(complaint, self.stream.at - noticed))
            }
        }
    }
}

/// Attributes that stand in an object more than once under the same name: only the first counts for readers that ask for one.
pub fn repeated(object: &Object) -> Vec<String> {
    let mut seen = std::collections::HashMap::new();
    for (name, _) in &object.attributes {
        *seen.entry(name.to_ascii_lowercase()).or_insert(0u32) += 1;
    }
    let mut names: Vec<String> = seen
        .iter()
        .filter(|(_, times)| **times > 1)
        .map(|(name, _)| String::from_utf8_lossy(name).into_owned())
        .collect();
    names.sort();
    names
}

/// A stream that knows how much of it was taken.
struct Counted<R> {
    stream: R,
    at: u64,
}

impl<R: BufRead> Counted<R> {
    /// Past everything up to a line that begins with `@`; false if there is none.
    fn seek_object(&mut self) -> Result<bool> {
        let mut at_line = false;
        loop {
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let mut found = None;
            for (place, byte) in buffer.iter().enumerate() {
                if at_line && *byte == b'@' {
                    found = Some(place);
                    break;
                }
                at_line = matches!(byte, b'\n' | b'\r');
            }
            let length = found.unwrap_or(buffer.len());
            self.consume(length);
            if found.is_some() {
                return Ok(true);
            }
        }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let count = self.stream.read(into)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.stream.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.at += count as u64;
        self.stream.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_goes_on_behind_a_complaint() {
        let text = b"@A { u\nX{1}:\t1\n}\n@B { v\nY{x}:\t2\n}\n@C { w\nZ{1}:\t3\nz{1}:\t4\n}\nrest";
        let met: Vec<Met> = look(&text[..]).collect();
        assert_eq!(met.len(), 4, "{met:?}");
        assert!(matches!(&met[0], Met::Object(0, object) if object.kind == b"A"));
        assert!(matches!(&met[1], Met::Lost(complaint, 8) if complaint.at == 26), "{:?}", met[1]);
        assert!(matches!(&met[2], Met::Object(_, object) if object.kind == b"C" && repeated(object) == ["z"]));
        assert!(matches!(&met[3], Met::Lost(complaint, _) if complaint.at == 59), "{:?}", met[3]);
        assert_eq!(look(&b"\n \n"[..]).count(), 0);
    }
}
