//! From a document and a database to one SOIF object.
//!
//! ```text
//! @DATABASE { address of the form
//! Title, Description, Keywords     what the document says
//! Type                             Database
//! attribute, or table.attribute    the distinct values, a line each, in the order of their octets
//! Partial                          a line for each thing that is not whole, and why; absent if everything is
//! MD5                              of all octets of the object before it
//! Update-Time                      when the content was first seen as it is, in seconds since 1970
//! }
//! ```
//!
//! How attributes are called is a matter of its own ([`AttributeNames`]).
//!
//! The order is that of the values in the database. A value that held line ends has blanks there instead, which may put it out
//! of order, or make it equal to one that is not beside it.
//!
//! Cost: the database sorts; here everything is written and copied once, in constant memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use data_encoding::HEXLOWER;
use groma_soif::Writer;
use md5::Md5;
use sha2::{Digest, Sha256};

use crate::attribute_names::{AttributeNames, qualified};
use crate::catalogue::{self, Column, Kind, Lookup, Relation};
use crate::clean::clean;
use crate::documents::Document;
use crate::error::SummaryError;
use crate::limits::Limits;
use crate::reader::{ColumnLimit, Reader};
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
    /// How many attributes it has.
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
        let names = AttributeNames::of_document(&document.content);
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
                let (name, whole) = (names.name(&table.name, attribute), qualified(&table.name, attribute));
                if self.names.contains(&name) {
                    continue;
                }
                if self.names.len() >= self.limits.attributes {
                    self.leave_out(&whole, &format!("only the first {} attributes are read", self.limits.attributes));
                    return Ok(());
                }
                match catalogue::column(&columns, attribute) {
                    Lookup::Found(Column { kind: Kind::Binary, .. }) => {
                        self.leave_out(&whole, "its values are no texts")
                    }
                    Lookup::Found(column) => self.attribute(reader, (name, &whole), relation, column)?,
                    Lookup::Missing => self.leave_out(&whole, "there is no such attribute that can be read"),
                    Lookup::Several => self.leave_out(&whole, "several attributes have this name"),
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
        (name, whole): (String, &str),
        relation: &Relation,
        column: &Column,
    ) -> Result<(), SummaryError> {
        let Limits { values, letters, .. } = *self.limits;
        let most = self.limits.octets.min(self.limits.object.saturating_sub(self.total));
        let (spool, until) = (&mut self.spool, self.until);
        let (mut came, mut long, mut full) = (0_u64, 0_u64, None);
        // One more than is taken: so it is known that there is more. Values that come to nothing count as rows.
        let wanted = ColumnLimit {
            rows: values.saturating_add(1).min(i64::MAX as u64),
            letters: u64::from(letters) + 1,
            octets: most,
        };
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
            self.leave_out(whole, &full);
        }
        if long > 0 {
            self.leave_out(whole, &format!("values longer than {letters} characters are cut"));
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

pub(crate) fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0)
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
