//! Data on its way out: to stdout or a file, as text, JSON Lines or CSV.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use groma_model::escape::JsonInert;
use groma_model::wording;
use groma_settings::Fault;
use groma_store::OutputFile;
use serde::Serialize;

use crate::paint::Paint;

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

/// Standard output or a file, written as rows, objects or text.
pub(crate) struct Out {
    to: BufWriter<To>,
    /// Colors, if somebody looks.
    pub(crate) paint: Paint,
}

/// What takes the data.
enum To {
    Stdout(io::Stdout),
    /// Row after row, for those who look at them meanwhile.
    File(File),
    /// All of it or nothing.
    Whole(OutputFile),
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Stdout(to) => to.write(bytes),
            To::File(to) => to.write(bytes),
            To::Whole(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            To::Stdout(to) => to.flush(),
            To::File(to) => to.flush(),
            To::Whole(to) => to.flush(),
        }
    }
}

impl Out {
    /// Stdout, or a file that is there when all is written, and then only: [`Out::finish`] says that it is.
    pub(crate) fn open(file: Option<&Path>) -> Result<Out, Fault> {
        Out::to_file_or_stdout(file, |path| OutputFile::create(path).map(To::Whole))
    }

    /// Stdout, or a file that is written as the data comes, for those who look at it meanwhile.
    pub(crate) fn streaming(file: Option<&Path>) -> Result<Out, Fault> {
        Out::to_file_or_stdout(file, |path| OutputFile::in_place(path).map(To::File))
    }

    fn to_file_or_stdout(file: Option<&Path>, make: impl FnOnce(&Path) -> io::Result<To>) -> Result<Out, Fault> {
        let (to, terminal) = match file.filter(|path| path.as_os_str() != "-") {
            None => (To::Stdout(io::stdout()), io::stdout().is_terminal()),
            Some(path) => (make(path).map_err(|e| Fault::of_input(&path.display().to_string(), &e))?, false),
        };
        Ok(Out { to: BufWriter::with_capacity(1 << 16, to), paint: Paint::on(terminal) })
    }

    /// All is written: the file takes its name.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.to.into_inner().map_err(io::IntoInnerError::into_error)? {
            To::Whole(file) => file.finish(),
            mut other => other.flush(),
        }
    }

    /// A line for people. Whatever strangers put into it, nothing but our own colors acts on a terminal.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(self.paint.safe(text).as_bytes())?;
        self.to.write_all(b"\n")
    }

    /// Empties the screen of a terminal.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.to.write_all(b"\x1b[2J\x1b[H\n")
    }

    /// A value as one line of JSON. It says exactly what the value says; characters that could act on a terminal are written as escapes.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::from)?;
        writeln!(self.to, "{}", JsonInert(&text))
    }

    /// A row of CSV.
    pub(crate) fn csv<S: AsRef<str>>(&mut self, cells: &[S]) -> io::Result<()> {
        wording::write_row(&mut self.to, cells)
    }

    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.to
    }

    /// Whatever is written is there.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A line on stderr, without anything that could act on a terminal. If nobody is there to read it, that is no reason to stop.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{}", wording::plain_lines(line));
}
