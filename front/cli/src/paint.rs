//! Color where somebody looks: never in a pipe or a file, never against NO_COLOR or CLICOLOR=0.

use std::borrow::Cow;

use groma_chart::text::Tone;
use groma_check::tell::{self, Painter};
use groma_model::wording::plain_lines;

/// The colors there are, and the end of one.
const CODES: [&str; 6] = ["0", "1", "31", "1;32", "2", "33"];

/// Colors for text on a terminal; none where nobody looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For an output that is a terminal, or is not.
    pub(crate) fn on(terminal: bool) -> Paint {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let unwanted = set("CLICOLOR").is_some_and(|value| value == "0") || set("TERM").is_some_and(|t| t == "dumb");
        Paint(set("NO_COLOR").is_none() && (forced || (terminal && !unwanted)))
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A line as it may be written to a terminal: whatever strangers put into it, only our own colors act there.
    pub(crate) fn safe<'t>(self, line: &'t str) -> Cow<'t, str> {
        if !self.0 || !line.contains('\x1b') {
            return plain_lines(line);
        }
        let mut safe = String::with_capacity(line.len());
        for (at, piece) in line.split("\x1b[").enumerate() {
            // Before the first there is no sequence.
            let code =
                CODES.into_iter().find(|code| at > 0 && piece.strip_prefix(code).is_some_and(|p| p.starts_with('m')));
            match code {
                Some(code) => safe.push_str(&format!("\x1b[{code}m{}", plain_lines(&piece[code.len() + 1..]))),
                None if at > 0 => safe.push_str(&format!(" [{}", plain_lines(piece))),
                None => safe.push_str(&plain_lines(piece)),
            }
        }
        Cow::Owned(safe)
    }

    pub(crate) fn heading(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Something that is broken.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What was looked for.
    pub(crate) fn good(self, text: &str) -> String {
        self.with("1;32", text)
    }

    /// A piece of a list or a map.
    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        match tone {
            Tone::Bold => self.heading(text),
            Tone::Faint => self.faint(text),
        }
    }

    /// The colors of findings, for text that is safe already.
    pub(crate) fn painter(self) -> Painter {
        if self.0 { |tone, text| Paint(true).finding(tone, text) } else { tell::unpainted }
    }

    /// A piece of a list of findings.
    pub(crate) fn finding(self, tone: tell::Tone, text: &str) -> String {
        match tone {
            tell::Tone::Heading => self.heading(text),
            tell::Tone::Bad => self.bad(text),
            tell::Tone::Warning => self.with("33", text),
            tell::Tone::Faint => self.faint(text),
        }
    }

    /// Something of less weight.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_colors_reach_a_terminal() {
        let hostile = "\x1b]0;title\x07 \x1b[2J\x1b[31;5mx\u{9b}1m\u{202e}y\r\x1b";
        for paint in [Paint(true), Paint(false)] {
            let line = format!("{}\tend\n", paint.bad(hostile));
            let safe = paint.safe(&line).replace("\x1b[31m", "").replace("\x1b[0m", "");
            assert_eq!(safe, " ]0;title   [2J [31;5mx 1m y  \tend\n");
        }
        let painted = Paint(true).heading("x");
        assert_eq!(Paint(true).safe(&painted), "\x1b[1mx\x1b[0m");
        assert_eq!(Paint(false).safe(&painted), " [1mx [0m");
    }
}
