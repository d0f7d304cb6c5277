//! A work as the library knows it, whatever source it came from.

/// The source's own labels, from narrow to wide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// The widest label.
    pub field: String,
    /// The label in between.
    pub subfield: String,
    /// The narrowest label.
    pub topic: String,
}

impl Subject {
    /// Whether one of the three labels is this one.
    pub fn has(&self, label: &str) -> bool {
        self.topic == label || self.subfield == label || self.field == label
    }
}

/// What becomes of a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    /// An article of a journal: it has an abstract and keywords.
    Article,
    /// A chapter of a book: it has neither.
    Chapter,
}

/// An author of a work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The name as printed.
    pub name: String,
    /// The place of the affiliation in the work's list.
    pub affiliation: Option<usize>,
}

/// A work of the library: an article, a book or a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// What the source calls it; of derived works, that of the first work they were made of.
    pub id: String,
    /// Whether it was put together from others.
    pub derived: bool,
    /// What becomes of it.
    pub kind: WorkKind,
    /// Its title, without markup.
    pub title: String,
    /// Its authors, at least one.
    pub authors: Vec<Author>,
    /// Where they work, each once.
    pub affiliations: Vec<String>,
    /// Its abstract; empty for chapters.
    pub summary: String,
    /// Its keywords; empty for chapters.
    pub keywords: Vec<String>,
    /// Field, subfield and topic.
    pub subject: Subject,
    /// Its language as a two-letter code.
    pub language: String,
}

/// Text without tags, with white space folded and character references of XML undone.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        // A tag begins with a letter or a slash and ends soon; anything else is a "less than".
        let tag = rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let end = rest[at..].find('>').filter(|end| tag && *end <= 80);
        out.push_str(&rest[..at]);
        match end {
            Some(end) => rest = &rest[at + end + 1..],
            None => {
                out.push('<');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Letters and digits of a text as a part of an address, at most so many bytes.
pub(crate) fn slug(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() >= most {
            break;
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    if out.is_empty() { "untitled".into() } else { out }
}

/// The sentences of a text: cut after a full stop that a space and a capital letter follow.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut begin = 0;
    for (at, _) in text.match_indices(". ") {
        let next = text[at + 2..].chars().next();
        // Short pieces are initials and abbreviations.
        if at > begin + 30 && next.is_some_and(char::is_uppercase) {
            out.push(&text[begin..=at]);
            begin = at + 2;
        }
    }
    if begin < text.len() {
        out.push(&text[begin..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_goes_and_signs_stay() {
        assert_eq!(plain("LaMnO<sub>3</sub>  at p < 0.05 &amp; <i>in vivo</i>"), "LaMnO3 at p < 0.05 & in vivo");
        assert_eq!(plain("a <"), "a <");
    }

    #[test]
    fn slugs_are_ascii() {
        assert_eq!(slug("Über Öl & Wasser (II)", 40), "ber-l-wasser-ii");
        assert_eq!(slug("题目", 40), "untitled");
    }

    #[test]
    fn sentences_keep_every_letter() {
        let text = "This is the first sentence of some text. A second one follows it, by J. Smith, at last. End";
        assert_eq!(sentences(text).join(" "), text);
        assert_eq!(sentences(text).len(), 3);
    }
}
