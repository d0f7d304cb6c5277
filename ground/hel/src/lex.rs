//! What is written here? The words of a rule, read where a word of that kind may stand.
//!
//! What a letter means depends on where it stands (`-` joins names and makes intervals, `#` begins `#text` and branches, `/`
//! begins expressions), so there is no list of tokens: the parser asks for what it expects, and what is not there is a
//! [`Fault`] that says so.

use std::fmt;

/// What is wrong with a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte where it was noticed.
    pub at: usize,
    /// The same place in letters, counted from 1.
    pub letter: usize,
    /// What is wrong, as a sentence without a full stop.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at letter {}: {}", self.letter, self.what)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    pub(crate) fn new(text: &str, at: usize, what: impl Into<String>) -> Fault {
        let letter = text.char_indices().take_while(|(place, _)| *place < at).count() + 1;
        Fault { at, letter, what: what.into() }
    }

    /// The rule with a mark below the place, in two lines; of a long rule the part around it.
    pub fn shown(&self, rule: &str) -> String {
        const AROUND: usize = 40;
        let first = self.letter.saturating_sub(AROUND + 1);
        let shown: String =
            rule.chars().skip(first).take(2 * AROUND).map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{shown}\n{}^", " ".repeat(self.letter - 1 - first))
    }
}

/// A place in a rule.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// Where the next word begins.
    pub(crate) fn place(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    pub(crate) fn fault(&self, at: usize, what: impl Into<String>) -> Fault {
        Fault::new(self.text, at, what)
    }

    /// "expected X, found Y".
    pub(crate) fn expected(&mut self, what: &str) -> Fault {
        self.skip_space();
        let found: String = match self.rest().chars().next() {
            None => "the end of the rule".to_owned(),
            Some(first) if is_letter(first) => {
                let word: String = self.rest().chars().take_while(|c| is_letter(*c)).take(20).collect();
                format!("`{word}`")
            }
            Some(first) => format!("`{first}`"),
        };
        self.fault(self.at, format!("expected {what}, found {found}"))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// Is this sign next? If so, past it.
    pub(crate) fn sign(&mut self, sign: &str) -> bool {
        let is_next = self.sees(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// Is this sign next?
    pub(crate) fn sees(&mut self, sign: &str) -> bool {
        self.skip_space();
        self.rest().starts_with(sign)
    }

    /// The name of an element or attribute, in lower case: letters, digits, `_`, `:`, and `-` where it is not an arrow.
    pub(crate) fn name(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        let part =
            |at: usize, c: char| is_letter(c) || (at > 0 && (c == ':' || (c == '-' && !rest[at..].starts_with("->"))));
        let length = rest.char_indices().find(|(at, c)| !part(*at, *c)).map_or(rest.len(), |(at, _)| at);
        self.take(length).map(str::to_ascii_lowercase)
    }

    /// Reads the label `#text`, if it is next.
    pub(crate) fn text_label(&mut self) -> bool {
        self.skip_space();
        let rest = self.rest();
        let fits = rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("#text"));
        let is_next = fits && !rest[5..].starts_with(is_letter);
        if is_next {
            self.at += 5;
        }
        is_next
    }

    /// A variable: letters, digits and `_`, not beginning with a digit.
    pub(crate) fn variable(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.take(rest.find(|c| !is_letter(c)).unwrap_or(rest.len())).map(str::to_owned)
    }

    /// Is this word next, in any case, and not a part of a longer one?
    pub(crate) fn sees_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let rest = self.rest();
        let fits = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        // `src-set` is another name, `txt->b` is not.
        let ends = |rest: &str| !rest.starts_with(is_letter) && (!rest.starts_with('-') || rest.starts_with("->"));
        fits && ends(&rest[word.len()..])
    }

    /// A word that means something here: past it, if it is next.
    pub(crate) fn keyword(&mut self, word: &str) -> bool {
        let is_next = self.sees_word(word);
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    pub(crate) fn digits(&mut self) -> Option<&'t str> {
        self.skip_space();
        let rest = self.rest();
        self.take(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
    }

    /// A number with sign and decimals.
    pub(crate) fn number(&mut self) -> Option<&'t str> {
        self.skip_space();
        let rest = self.rest();
        let digits = |from: usize| rest[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - from);
        let sign = usize::from(rest.starts_with(['-', '+']));
        let mut length = sign + digits(sign);
        if length == sign {
            return None;
        }
        if rest[length..].starts_with('.') && digits(length + 1) > 0 {
            length += 1 + digits(length + 1);
        }
        self.take(length)
    }

    /// A string in quotes of either kind; a quote inside is written twice.
    pub(crate) fn string(&mut self) -> Result<Option<String>, Fault> {
        self.skip_space();
        let start = self.at;
        let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '\'' | '"')) else { return Ok(None) };
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(length) = self.rest().find(quote) else {
                return Err(self.fault(start, format!("the string that begins here has no closing {quote}")));
            };
            text.push_str(&self.rest()[..length]);
            self.at += length + 1;
            if !self.rest().starts_with(quote) {
                return Ok(Some(text));
            }
            text.push(quote);
            self.at += 1;
        }
    }

    /// An expression between slashes, and its flags; escaped slashes are left as they are.
    pub(crate) fn expression(&mut self) -> Result<Option<(&'t str, &'t str)>, Fault> {
        self.skip_space();
        let start = self.at;
        if !self.rest().starts_with('/') {
            return Ok(None);
        }
        let mut escaped = false;
        let body = &self.rest()[1..];
        let end = body.find(|c| {
            let ends = c == '/' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let Some(length) = end else {
            return Err(self.fault(start, "the expression that begins here has no closing /"));
        };
        self.at += length + 2;
        let rest = self.rest();
        let flags = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        Ok(Some((&body[..length], self.take(flags).unwrap_or_default())))
    }

    fn take(&mut self, length: usize) -> Option<&'t str> {
        let taken = &self.rest()[..length];
        self.at += length;
        Some(taken).filter(|taken| !taken.is_empty())
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
