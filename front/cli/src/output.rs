//! Data on its way out: to stdout or a file, as text, JSON Lines or CSV.
//!
//! CSV by RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe in front: titles and addresses come
//! from strangers.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::fault::Fault;
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
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.to.write_all(b",")?;
            }
            write_cell(&mut self.to, cell.as_ref())?;
        }
        self.to.write_all(b"\r\n")
    }

    /// Whatever is written is there.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn write_cell(to: &mut impl Write, cell: &str) -> io::Result<()> {
    let guard = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if cell.contains(['"', ',', '\n', '\r']) {
        write!(to, "\"{guard}{}\"", cell.replace('"', "\"\""))
    } else {
        write!(to, "{guard}{cell}")
    }
}

/// A line on stderr. If nobody is there to read it, that is no reason to stop.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `17 B`, `1.2 kB`, `3.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    let mut amount = bytes as f64;
    let mut unit = "B";
    for next in units {
        if amount < 1000.0 {
            break;
        }
        amount /= 1000.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") }
}

/// Text from strangers, fit for a terminal: no control characters, and none that turn the direction of what follows.
pub(crate) fn plain(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> String {
        let mut out = Vec::new();
        write_cell(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn cells_are_quoted_where_needed_and_never_formulas() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("say \"x\""), "\"say \"\"x\"\"\"");
        for formula in ["=1+1", "+1", "-1", "@x", "\tx"] {
            assert_eq!(cell(formula), format!("'{formula}"));
        }
        assert_eq!(cell("=A1,\"x\""), "\"'=A1,\"\"x\"\"\"");
        assert_eq!(cell("\rx"), "\"'\rx\"");
    }

    #[test]
    fn numbers_are_grouped() {
        let shown: Vec<String> = [0, 999, 1_000, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([size(17), size(1_234), size(3_400_000)], ["17 B", "1.2 kB", "3.4 MB"]);
    }

    #[test]
    fn a_terminal_is_safe_from_strangers() {
        assert_eq!(plain("a\x1b[31mb\n"), "a [31mb ");
    }
}
