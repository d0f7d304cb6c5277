//! From a document and a database to one SOIF object.
//!
//! ```text
//! @DATABASE { address of the form
//! Title, Description, Keywords     what the document says
//! Type                             Database
//! table.attribute                  the distinct values, a line each, in the order of their octets
//! Partial                          a line for each thing that is not whole, and why; absent if everything is
//! MD5                              of all octets of the object before it
//! Update-Time                      when the content was first seen as it is, in seconds since 1970
//! }
//! ```
//!
//! An attribute is called by its table and its name as the document writes them, with a dot between, always: so no name
//! depends on what else a document names, and none can be taken for `Title`. What stands after the last dot is the name of the
//! attribute. Octets that would break SOIF or this rule (white space, control signs, `{ } : %`, dots in the attribute's own
//! name, a `-` before a number at the end, which means "several values" in SOIF) are written as `%` and two hexadecimal digits.
//!
//! The order is that of the values in the database. A value that held line ends has blanks there instead, which may put it out
//! of order, or make it equal to one that is not beside it.
//!
//! Cost: the database sorts; here everything is written and copied once, in constant memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Instant, SystemTime};

use data_encoding::HEXLOWER;
use groma_soif::Writer;
use md5::Md5;
use sha2::{Digest, Sha256};

use crate::catalogue::{self, Column, Kind, Lookup, Relation};
use crate::clean::clean;
use crate::database::{Reader, Wanted};
use crate::error::SummaryError;
use crate::limits::Limits;
use crate::shelf::Document;
use crate::spool::{Scratch, Spool};

/// Values between two looks at the clock.
const LOOK: u64 = 4096;

/// An object that was written.
#[derive(Debug)]
pub(crate) struct Written {
    /// The file it is in.
    pub(crate) file: Scratch,
    /// The digest of everything but `MD5` and `Update-Time`.
    pub(crate) digest: String,
    /// Octets of the file.
    pub(crate) octets: u64,
    /// When the content was first seen as it is.
    pub(crate) changed: u64,
    /// Whether what was read hangs on rows alone.
    pub(crate) rows_only: bool,
    /// Attributes in it.
    pub(crate) names: usize,
    /// What is not whole.
    pub(crate) partial: Vec<String>,
}

/// What was read so far.
struct Reading<'a> {
    document: &'a Document,
    limits: &'a Limits,
    until: Instant,
    spool: Spool,
    /// Names of the attributes in the spool.
    names: Vec<String>,
    partial: Vec<String>,
    /// Octets of all of them.
    total: u64,
    rows_only: bool,
}

/// Reads what a document names and writes the object into a file of this folder. `before` is the digest of the object that
/// was there before, and when it was first seen.
pub(crate) fn write(
    reader: &mut dyn Reader,
    document: &Document,
    limits: &Limits,
    until: Instant,
    folder: &Path,
    before: Option<(&str, u64)>,
) -> Result<Written, SummaryError> {
    let refuse = |what: &str| SummaryError::Document { id: document.id.clone(), what: what.to_owned() };
    let url = document.content.url.as_deref().filter(|url| !url.is_empty()).ok_or_else(|| refuse("it has no URL"))?;
    let mut reading = Reading {
        document,
        limits,
        until,
        spool: Spool::create(folder)?,
        names: Vec::new(),
        partial: Vec::new(),
        total: 0,
        rows_only: true,
    };
    reading.tables(reader)?;
    if reading.names.is_empty() {
        let first = reading.partial.first().map_or("it names no attributes", String::as_str);
        return Err(refuse(first));
    }
    reading.compose(url, folder, before)
}

impl Reading<'_> {
    fn tables(&mut self, reader: &mut dyn Reader) -> Result<(), SummaryError> {
        let relations = reader.relations()?;
        let document = self.document;
        for table in &document.content.tables {
            let relation = match catalogue::relation(&relations, &table.name) {
                Lookup::Found(relation) => relation,
                Lookup::Missing => {
                    self.leave_out(&table.name, "there is no such table that can be read");
                    continue;
                }
                Lookup::Several => {
                    self.leave_out(&table.name, "several tables have this name");
                    continue;
                }
            };
            let columns = reader.columns(relation)?;
            for attribute in &table.attributes {
                let name = attribute_name(&table.name, attribute);
                if self.names.contains(&name) {
                    continue;
                }
                if self.names.len() >= self.limits.attributes {
                    self.leave_out(&name, &format!("only the first {} attributes are read", self.limits.attributes));
                    return Ok(());
                }
                match catalogue::column(&columns, attribute) {
                    Lookup::Found(Column { kind: Kind::Binary, .. }) => {
                        self.leave_out(&name, "its values are no texts")
                    }
                    Lookup::Found(column) => self.attribute(reader, name, relation, column)?,
                    Lookup::Missing => self.leave_out(&name, "there is no such attribute that can be read"),
                    Lookup::Several => self.leave_out(&name, "several attributes have this name"),
                }
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, name: &str, why: &str) {
        // As many as anybody reads.
        if self.partial.len() < 100 {
            let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
            self.partial.push(format!("{name}: {why}"));
        }
    }

    fn attribute(
        &mut self,
        reader: &mut dyn Reader,
        name: String,
        relation: &Relation,
        column: &Column,
    ) -> Result<(), SummaryError> {
        let Limits { values, letters, .. } = *self.limits;
        let most = self.limits.octets.min(self.limits.object.saturating_sub(self.total));
        let (spool, until) = (&mut self.spool, self.until);
        let (mut came, mut long, mut full) = (0_u64, 0_u64, None);
        // One more than is taken: so it is known that there is more. Values that come to nothing count as rows.
        let wanted = Wanted { rows: values.saturating_add(1).min(i64::MAX as u64), letters: u64::from(letters) + 1 };
        reader.values(relation, column, wanted, &mut |octets| {
            came += 1;
            if came.is_multiple_of(LOOK) && Instant::now() >= until {
                return Err(SummaryError::Time(0));
            }
            let Some((value, was_cut)) = clean(octets, letters) else { return Ok(ControlFlow::Continue(())) };
            if spool.count() >= values {
                full = Some(format!("only the first {values} values"));
            } else if spool.length_with(&value) > most {
                full = Some(format!("only the first {} values, {most} octets", spool.count()));
            }
            if full.is_some() {
                return Ok(ControlFlow::Break(()));
            }
            long += u64::from(was_cut);
            spool.push(&value)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if came > values && full.is_none() {
            full = Some(format!("only the first {values} values"));
        }
        self.total += self.spool.finish();
        if let Some(full) = full {
            self.leave_out(&name, &full);
        }
        if long > 0 {
            self.leave_out(&name, &format!("values longer than {letters} characters are cut"));
        }
        self.rows_only &= relation.rows_only;
        self.names.push(name);
        Ok(())
    }

    fn compose(mut self, url: &str, folder: &Path, before: Option<(&str, u64)>) -> Result<Written, SummaryError> {
        let (scratch, file) = Scratch::create(folder)?;
        let mut writer = Writer::new(Digesting::new(BufWriter::with_capacity(1 << 18, file)));
        let content = &self.document.content;
        let (mut values, lengths) = self.spool.read()?;
        let mut object = writer.object(b"DATABASE", url.as_bytes())?;
        let keywords = (!content.keywords.is_empty()).then(|| content.keywords.join(", "));
        let told = [("Title", &content.title), ("Description", &content.description), ("Keywords", &keywords)];
        for (name, value) in told {
            if let Some(value) = value {
                object.attribute(name.as_bytes(), value.as_bytes())?;
            }
        }
        object.attribute(b"Type", b"Database")?;
        for (name, octets) in self.names.iter().zip(lengths) {
            object.copy(name.as_bytes(), *octets, &mut values)?;
        }
        if !self.partial.is_empty() {
            object.values(b"Partial", self.partial.iter().map(String::as_bytes))?;
        }
        let (digest, md5) = object.get_mut().digests();
        object.attribute(b"MD5", md5.as_bytes())?;
        let changed = match before {
            Some((same, since)) if same == digest => since,
            _ => now(),
        };
        object.attribute(b"Update-Time", changed.to_string().as_bytes())?;
        object.end()?;
        let (mut file, octets) = writer.into_inner().finish();
        file.flush()?;
        let (names, rows_only) = (self.names.len(), self.rows_only);
        Ok(Written { file: scratch, digest, octets, changed, rows_only, names, partial: self.partial })
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The name of an attribute in the object.
pub(crate) fn attribute_name(table: &str, attribute: &str) -> String {
    let mut name = String::with_capacity(table.len() + attribute.len() + 1);
    escape(table, false, &mut name);
    name.push('.');
    escape(attribute, true, &mut name);
    // `Name-1`, `Name-2` are values of `Name`.
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    if digits > 0 && name.as_bytes().get(name.len() - digits - 1) == Some(&b'-') {
        let at = name.len() - digits - 1;
        name.replace_range(at..=at, "%2D");
    }
    name
}

fn escape(text: &str, and_dots: bool, to: &mut String) {
    for letter in text.chars() {
        let breaks = letter.is_whitespace() || letter.is_control() || matches!(letter, '{' | '}' | ':' | '%');
        if breaks || (and_dots && letter == '.') {
            let mut octets = [0; 4];
            for octet in letter.encode_utf8(&mut octets).bytes() {
                to.push('%');
                to.push_str(&data_encoding::HEXUPPER.encode(&[octet]));
            }
        } else {
            to.push(letter);
        }
    }
}

/// A writer that knows what went through it.
struct Digesting {
    out: BufWriter<File>,
    sha: Sha256,
    md5: Md5,
    octets: u64,
}

impl Digesting {
    fn new(out: BufWriter<File>) -> Digesting {
        Digesting { out, sha: Sha256::new(), md5: Md5::new(), octets: 0 }
    }

    /// The digests of everything so far.
    fn digests(&self) -> (String, String) {
        (HEXLOWER.encode(&self.sha.clone().finalize()), HEXLOWER.encode(&self.md5.clone().finalize()))
    }

    fn finish(self) -> (BufWriter<File>, u64) {
        (self.out, self.octets)
    }
}

impl Write for Digesting {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.out.write(octets)?;
        self.sha.update(&octets[..written]);
        self.md5.update(&octets[..written]);
        self.octets += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_attributes_are_names_in_soif() {
        assert_eq!(attribute_name("hotel", "name"), "hotel.name");
        assert_eq!(attribute_name("shop.hotel", "a.b"), "shop.hotel.a%2Eb");
        assert_eq!(attribute_name("my table", "x{1}"), "my%20table.x%7B1%7D");
        assert_eq!(attribute_name("}t", "Stra\u{df}e"), "%7Dt.Stra\u{df}e");
        assert_eq!(attribute_name("t", "name-1"), "t.name%2D1");
        assert_eq!(attribute_name("t", "-7"), "t.%2D7");
        assert_eq!(attribute_name("t", "a-b1"), "t.a-b1");
        assert_eq!(attribute_name("a\"; DROP\nTABLE x", "%"), "a\"%3B%20DROP".replace("%3B", ";") + "%0ATABLE%20x.%25");
        let mut writer = Writer::new(Vec::new());
        let mut object = writer.object(b"DATABASE", b"u").unwrap();
        for odd in ["", " ", "\0", "\u{a0}", "{", "}", "\u{2028}", "a\tb", "\u{b}"] {
            object.attribute(attribute_name(odd, odd).as_bytes(), b"x").unwrap();
        }
    }
}
