//! What is shown of a record: its values with their attributes, those that were asked for first of all, as many as there is room for.

use groma_model::{Block, BlockKind};

use crate::Piece;
use crate::ask::{Marker, passages, push_plain};
use crate::text::Language;

/// Letters that are shown, about.
const LETTERS: usize = 240;
/// A value with more letters is shown by its best passage.
const LONG: usize = 120;
/// Letters of an attribute's name.
const LABEL: usize = 40;
/// Values that are looked at.
const VALUES: usize = 500;

/// A value, ready to be shown.
struct Shown {
    label: String,
    pieces: Vec<Piece>,
    letters: usize,
}

/// The snippet of a record: in the order of the record, with a mark where something is left out. Work: linear in the values.
pub(crate) fn pairs<'a>(
    marker: &Marker,
    values: impl Iterator<Item = (&'a str, &'a str)>,
    language: Language,
) -> Vec<Piece> {
    let all: Vec<Shown> = values.take(VALUES).map(|(name, value)| shown(marker, name, value, language)).collect();
    let has_hit = |shown: &&Shown| shown.pieces.iter().any(|piece| piece.hit);
    let mut chosen = vec![false; all.len()];
    let mut left = LETTERS;
    for wanted in [true, false] {
        for (at, shown) in all.iter().enumerate().filter(|(_, shown)| has_hit(shown) == wanted) {
            // The first is shown however long it is.
            if shown.letters <= left || left == LETTERS {
                left = left.saturating_sub(shown.letters);
                chosen[at] = true;
            }
        }
    }
    let mut pieces = Vec::new();
    let mut before = None;
    for (at, shown) in all.into_iter().enumerate().filter(|(at, _)| chosen[*at]) {
        match before {
            Some(before) if before + 1 == at => push_plain(&mut pieces, " · "),
            Some(_) => push_plain(&mut pieces, " … "),
            None if at > 0 => push_plain(&mut pieces, "… "),
            None => {}
        }
        before = Some(at);
        if !shown.label.is_empty() {
            push_plain(&mut pieces, &format!("{}: ", shown.label));
        }
        for piece in shown.pieces {
            match piece.hit {
                true => pieces.push(piece),
                false => push_plain(&mut pieces, &piece.text),
            }
        }
    }
    if before.is_some_and(|last| last + 1 < chosen.len()) {
        push_plain(&mut pieces, " …");
    }
    pieces
}

fn shown(marker: &Marker, attribute: &str, value: &str, language: Language) -> Shown {
    let value = value.trim();
    let label: String = attribute.trim().trim_end_matches(':').chars().take(LABEL).collect();
    let pieces = if value.chars().nth(LONG).is_none() {
        marker.title(value, language)
    } else {
        passages(marker, &[Block { kind: BlockKind::Paragraph, text: value.to_owned() }], language)
    };
    let letters = pieces.iter().map(|piece| piece.text.chars().count()).sum::<usize>() + label.chars().count() + 5;
    Shown { label, pieces, letters }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Phrasing, parse};
    use proptest::prelude::*;

    fn snippet(question: &str, values: &[(&str, &str)]) -> String {
        let phrasing = Phrasing { languages: vec![Language::from_code("de")], japanese: false };
        let groups = parse(question).groups;
        let atoms: Vec<_> = groups.iter().flatten().flat_map(|part| phrasing.atoms(part)).collect();
        let pieces = pairs(&Marker::new(&atoms), values.iter().copied(), Language::from_code("de"));
        pieces.iter().map(|p| if p.hit { format!("[{}]", p.text) } else { p.text.clone() }).collect()
    }

    #[test]
    fn values_are_shown_with_their_attributes() {
        let values = [("ort", "Rostock"), ("Preis:", "55"), ("", "mit Garten")];
        assert_eq!(snippet("rostock preis", &values), "ort: [Rostock] · Preis: 55 · mit Garten");
    }

    #[test]
    fn those_asked_for_are_shown_first_and_the_order_stays() {
        let long = "wort ".repeat(20);
        let values = [("a", long.as_str()), ("b", long.as_str()), ("c", long.as_str()), ("ort", "Rostock")];
        let text = snippet("rostock", &values);
        assert!(text.starts_with("a: wort") && text.ends_with(" … ort: [Rostock]"), "{text}");
        let deep = format!("{} Rostock {}", "wort ".repeat(500), "wort ".repeat(500));
        let text = snippet("rostock", &[("a", "x"), ("text", &deep), ("b", "y")]);
        assert!(text.contains("[Rostock]") && text.chars().count() < 2 * LETTERS, "{text}");
        assert_eq!(snippet("rostock", &[]), "");
    }

    proptest! {
        #[test]
        fn any_values_can_be_shown(values: Vec<(String, String)>, question in "\\PC{1,20}") {
            let values: Vec<(&str, &str)> = values.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            prop_assert!(snippet(&question, &values).chars().count() < 2_000);
        }
    }
}
