//! What does a question mean, and what would it mark in one text? Without an index: for those who try the words of a question.

use groma_model::{Block, BlockKind};

use crate::ask::{Atom, Marker, Phrasing, parse, passages};
use crate::text::Language;
use crate::{Note, Piece};

/// What a question means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Words and phrases that are looked for.
    pub wanted: usize,
    /// Words and phrases that must not be there.
    pub unwanted: usize,
    /// Values of filters in the query.
    pub values: usize,
    /// What the asker should know.
    pub notes: Vec<Note>,
    /// What would be shown of the text.
    pub snippet: Vec<Piece>,
}

/// Reads a question and looks for its words in a text, every line of which is a paragraph. `language`: that of the text, by its
/// code. Any question and any text will do; time is linear in both.
pub fn preview(typed: &str, text: &str, language: &str) -> Preview {
    let question = parse(typed);
    let language = Language::from_code(language);
    let phrasing = Phrasing { languages: vec![language], japanese: false };
    let atoms: Vec<Atom> = question.groups.iter().flatten().flat_map(|part| phrasing.atoms(part)).collect();
    let paragraph = |line: &str| Block { kind: BlockKind::Paragraph, text: line.to_owned() };
    let blocks: Vec<Block> = text.lines().map(paragraph).collect();
    let choices = [&question.site, &question.class, &question.language, &question.section];
    Preview {
        wanted: question.groups.iter().map(Vec::len).sum(),
        unwanted: question.not.len(),
        values: choices.into_iter().map(|choice| choice.any.len() + choice.none.len()).sum(),
        snippet: passages(&Marker::new(&atoms), &blocks, language),
        notes: question.notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_question_are_marked() {
        let seen = preview("running -dogs site:a.org lang:de,en", "He runs home.\nAnd runs again.", "en");
        assert_eq!((seen.wanted, seen.unwanted, seen.values), (1, 1, 3));
        let hits: Vec<&str> = seen.snippet.iter().filter(|piece| piece.hit).map(|piece| piece.text.as_str()).collect();
        assert_eq!(hits, ["runs", "runs"]);
        assert!(preview("", "", "").snippet.is_empty());
    }
}
