//! CSV by RFC 4180, with a head, safe for spreadsheets: no cell is a formula.
//!
//! The columns are the fields of the JSON Lines form. Control characters become spaces.

use std::io::{self, Write};

use groma_model::moment::rfc3339;
use groma_model::wording::{plain, write_row};

use super::telling::Teller;
use crate::closing::Closing;
use crate::finding::Finding;

/// The first row.
pub const COLUMNS: [&str; 13] =
    ["kind", "severity", "from", "to", "anchor", "block", "link", "reason", "since", "detail", "next", "new", "key"];

/// Tells findings as CSV.
pub struct Csv<'w> {
    to: &'w mut dyn Write,
    begun: bool,
}

impl<'w> Csv<'w> {
    pub fn new(to: &'w mut dyn Write) -> Csv<'w> {
        Csv { to, begun: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) { Ok(()) } else { write_row(self.to, &COLUMNS) }
    }
}

impl Teller for Csv<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.begin()?;
        let since = if finding.since > 0 { rfc3339(finding.since) } else { String::new() };
        let row: [String; COLUMNS.len()] = [
            finding.kind.name().to_owned(),
            finding.kind.severity().name().to_owned(),
            plain(&finding.from),
            finding.to.as_deref().map(plain).unwrap_or_default(),
            plain(&finding.anchor),
            finding.block.map(|block| block.name()).unwrap_or_default().to_owned(),
            finding.link.map(|link| link.name()).unwrap_or_default().to_owned(),
            finding.reason.map(|reason| reason.name()).unwrap_or_default().to_owned(),
            since,
            plain(&finding.detail),
            finding.next.to_owned(),
            finding.new.to_string(),
            finding.key().hex(),
        ];
        write_row(self.to, &row)
    }

    fn close(&mut self, _: &Closing<'_>) -> io::Result<()> {
        self.begin()?;
        self.to.flush()
    }
}
