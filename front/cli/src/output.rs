//! Data on its way out: to stdout or a file, as text, JSON Lines or CSV.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use groma_model::wording;

use crate::paint::Paint;
use groma_desk::Fault;

/// How data is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: JSON, one object a line where there are many
    Json,
    /// For spreadsheets
    Csv,
}

/// Where data goes.
pub(crate) struct Out {
    to: BufWriter<Box<dyn Write>>,
    /// Colours, if somebody looks.
    pub(crate) paint: Paint,
}

impl Out {
    /// Stdout, or a file.
    pub(crate) fn open(file: Option<&Path>) -> Result<Out, Fault> {
        let (to, terminal): (Box<dyn Write>, bool) = match file {
            None => (Box::new(io::stdout()), io::stdout().is_terminal()),
            Some(path) if path.as_os_str() == "-" => (Box::new(io::stdout()), io::stdout().is_terminal()),
            Some(path) => {
                (Box::new(File::create(path).map_err(|e| Fault::of_input(&path.display().to_string(), &e))?), false)
            }
        };
        Ok(Out { to: BufWriter::with_capacity(1 << 16, to), paint: Paint::on(terminal) })
    }

    /// A line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())?;
        self.to.write_all(b"\n")
    }

    /// A value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.to, value).map_err(io::Error::from)?;
        self.to.write_all(b"\n")
    }

    /// A row of CSV.
    pub(crate) fn csv<S: AsRef<str>>(&mut self, cells: &[S]) -> io::Result<()> {
        wording::write_row(&mut self.to, cells)
    }

    /// Where bytes go.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.to
    }

    /// Whatever is written is there.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A line on stderr. If nobody is there to read it, that is no reason to stop.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
