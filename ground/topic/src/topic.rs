//! What is looked for: words, a text, or example pages.

use groma_model::{BlockKind, ParsedPage, PartKind};

use crate::Language;

/// Bytes of a text that count.
const TEXT: usize = 1 << 18;
/// A topic of more words than this is a text.
const FEW: usize = 8;

/// A topic to which pages are compared: words or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Each with its language; without one it is read in the language of whatever it is compared with.
    pub(crate) texts: Vec<(String, Option<Language>)>,
    /// Is it a few words, each of which is meant?
    pub(crate) is_words: bool,
}

impl Topic {
    /// A topic of a few words. More than eight are a text.
    pub fn words(words: &str) -> Topic {
        let is_words = words.split_whitespace().count() <= FEW;
        Topic { texts: vec![(cut(words, TEXT).to_owned(), None)], is_words }
    }

    /// A topic that a text is about.
    pub fn text(text: &str) -> Topic {
        Topic { texts: vec![(cut(text, TEXT).to_owned(), None)], is_words: false }
    }

    /// A topic that these pages share: the mean of their vectors.
    pub fn pages(pages: &[ParsedPage]) -> Topic {
        let text = |page: &ParsedPage| (text_of(page), Some(Language::from_code(page.language.as_deref())));
        Topic { texts: pages.iter().map(text).collect(), is_words: false }
    }

    /// Is every word of it meant?
    pub fn is_words(&self) -> bool {
        self.is_words
    }
}

/// What an example page says: its content parts, or its main text, or all that is no navigation.
fn text_of(page: &ParsedPage) -> String {
    let mut out = String::new();
    let mut add = |text: &str| {
        if out.len() < TEXT {
            out.push_str(cut(text, TEXT - out.len()));
            out.push('\n');
        }
    };
    let is_about = |kind| matches!(kind, PartKind::Title | PartKind::Abstract | PartKind::Keywords);
    let parts = page.parts.as_deref();
    let about = parts.is_some_and(|parts| parts.content.iter().any(|part| part.kind == PartKind::Abstract));
    match parts {
        Some(parts) if about => {
            parts.content.iter().filter(|part| is_about(part.kind)).for_each(|part| add(&part.text));
        }
        Some(parts) if !parts.main.is_empty() => {
            add(&page.title);
            parts.main.iter().filter_map(|at| page.blocks.get(*at as usize)).for_each(|block| add(&block.text));
        }
        _ => {
            let blocks = page.blocks.iter().filter(|block| block.kind != BlockKind::Navigation);
            blocks.for_each(|block| add(&block.text));
        }
    }
    out
}

/// At most so many bytes of a text, whole letters.
fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::{Block, Part, Parts};

    #[test]
    fn many_words_are_a_text() {
        assert!(Topic::words("machine translation").is_words());
        assert!(!Topic::words("one two three four five six seven eight nine").is_words());
    }

    #[test]
    fn an_example_page_says_its_abstract() {
        let part = |kind, text: &str| Part { kind, text: text.into(), confidence: 90 };
        let content = vec![part(PartKind::Title, "A"), part(PartKind::Authors, "B"), part(PartKind::Abstract, "C")];
        let block = |kind, text: &str| Block { kind, text: text.into() };
        let mut page = ParsedPage {
            blocks: vec![block(BlockKind::Navigation, "menu"), block(BlockKind::Paragraph, "text")],
            ..ParsedPage::default()
        };
        assert_eq!(text_of(&page), "text\n");
        page.parts = Some(Box::new(Parts { content, ..Parts::default() }));
        assert_eq!(text_of(&page), "A\nC\n");
    }

    #[test]
    fn cuts_fall_between_letters() {
        assert_eq!(cut("žluť", 1), "");
        assert_eq!(cut("žluť", 3), "žl");
    }
}
