//! How a page was seen: as it came, or as a browser built it; and why. Kept as a line of words with the page (its note), so that
//! what was learned about patterns can be learned again from the stored pages.
//!
//! ```text
//! rendered (WHY): L links and W words more[; picture NAME]        not rendered (WHY)        rendering failed: WHAT
//! ```

use std::fmt;

/// Why a page was rendered, or not. The words are kept in stores: never change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// The user wants every page rendered.
    Always,
    /// It came as an empty shell.
    Shell,
    /// It came with text, but pages of its pattern gain: a sample.
    Sample,
    /// It came with text, and the samples of its pattern gained.
    Pattern,
    /// It came with text of its own.
    Text,
    /// It came as an empty shell, but pages of its pattern gain nothing.
    Barren,
    /// It has no scripts.
    Plain,
}

impl Why {
    pub const ALL: [Why; 7] = [Why::Always, Why::Shell, Why::Sample, Why::Pattern, Why::Text, Why::Barren, Why::Plain];

    /// The word that is kept.
    pub fn name(self) -> &'static str {
        match self {
            Why::Always => "always",
            Why::Shell => "shell",
            Why::Sample => "sample",
            Why::Pattern => "pattern",
            Why::Text => "text",
            Why::Barren => "barren",
            Why::Plain => "plain",
        }
    }

    /// The reason in words.
    pub fn says(self) -> &'static str {
        match self {
            Why::Always => "every page is",
            Why::Shell => "it came as an empty shell",
            Why::Sample => "it came with text, and shells of its pattern gain: a sample",
            Why::Pattern => "it came with text, but pages of its pattern gain by it",
            Why::Text => "it came with text of its own",
            Why::Barren => "pages of its pattern gain nothing by it",
            Why::Plain => "it has no scripts",
        }
    }

    fn named(name: &str) -> Option<Why> {
        Why::ALL.into_iter().find(|why| why.name() == name)
    }
}

/// How a page was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// As a browser built it.
    Done {
        /// Why it was rendered.
        why: Why,
        /// Links it has more than it came with.
        links: u32,
        /// Words it has more than it came with.
        words: u32,
        /// The file of its picture.
        picture: Option<String>,
    },
    /// As it came, and this is why.
    Not(Why),
    /// As it came, since this went wrong.
    Failed(String),
}

impl Rendering {
    /// Reads a line; nothing if it is about something else.
    pub fn read(line: &str) -> Option<Rendering> {
        if let Some(what) = line.strip_prefix("rendering failed: ") {
            return Some(Rendering::Failed(what.to_owned()));
        }
        if let Some(why) = line.strip_prefix("not rendered (") {
            return Why::named(why.strip_suffix(')')?).map(Rendering::Not);
        }
        let (why, rest) = line.strip_prefix("rendered (")?.split_once("): ")?;
        let (links, rest) = rest.split_once(" links and ")?;
        let (words, rest) = rest.split_once(" words more")?;
        let picture = rest.strip_prefix("; picture ").map(str::to_owned);
        Some(Rendering::Done { why: Why::named(why)?, links: links.parse().ok()?, words: words.parse().ok()?, picture })
    }

    /// Whether the page was rendered.
    pub fn is_done(&self) -> bool {
        matches!(self, Rendering::Done { .. })
    }

    /// The file of its picture.
    pub fn picture(&self) -> Option<&str> {
        match self {
            Rendering::Done { picture, .. } => picture.as_deref(),
            _ => None,
        }
    }

    /// The sentence people see.
    pub fn says(&self) -> String {
        match self {
            Rendering::Done { why, links, words, .. } => {
                format!("yes, because {}; {links} links and {words} words more", why.says())
            }
            Rendering::Not(why) => format!("no, because {}", why.says()),
            Rendering::Failed(what) => format!("no, it failed: {what}"),
        }
    }
}

impl fmt::Display for Rendering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rendering::Done { why, links, words, picture } => {
                write!(f, "rendered ({}): {links} links and {words} words more", why.name())?;
                picture.as_ref().map_or(Ok(()), |name| write!(f, "; picture {name}"))
            }
            Rendering::Not(why) => write!(f, "not rendered ({})", why.name()),
            Rendering::Failed(what) => write!(f, "rendering failed: {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_back() {
        let mut all = vec![Rendering::Failed("the page never came to rest".into())];
        for why in Why::ALL {
            all.push(Rendering::Not(why));
            all.push(Rendering::Done { why, links: 3, words: 0, picture: None });
            all.push(Rendering::Done { why, links: 0, words: 70, picture: Some("ab.png".into()) });
        }
        for one in all {
            assert_eq!(Rendering::read(&one.to_string()).as_ref(), Some(&one), "{one}");
        }
    }

    #[test]
    fn other_notes_are_other_notes() {
        for line in
            ["", "TimeOut(\"idle\")", "rendered", "rendered (x): 1 links and 2 words more", "not rendered (shell"]
        {
            assert_eq!(Rendering::read(line), None, "{line}");
        }
    }
}
