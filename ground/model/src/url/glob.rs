//! Does a text match a glob? Only `*` is special: it stands for any run of characters, none included.
//!
//! The glob is cut at its stars; the first piece must begin the text, the last must end it, and the pieces between are
//! taken leftmost one after the other, which is enough because a star forgets how far it reached (no backtracking).
//! Cost: length of the text times length of the longest piece at worst, in practice one pass. No allocation.

/// A compiled glob, anchored at both ends.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    /// The pieces between the stars; never empty, and a single one is a glob without a star.
    pieces: Vec<Vec<u8>>,
    /// Letters A-Z and a-z count as equal.
    caseless: bool,
}

impl Glob {
    /// A glob that tells upper from lower case.
    pub(crate) fn new(text: &str) -> Glob {
        Glob { pieces: text.split('*').map(|piece| piece.as_bytes().to_vec()).collect(), caseless: false }
    }

    /// A glob that does not tell upper from lower case (ASCII letters).
    pub(crate) fn caseless(text: &str) -> Glob {
        Glob { caseless: true, ..Glob::new(text) }
    }

    /// The first byte a match must have; none if the glob begins with a star or is empty.
    pub(crate) fn first_byte(&self) -> Option<u8> {
        self.pieces.first().and_then(|piece| piece.first()).copied()
    }

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        let (Some((first, rest)), caseless) = (self.pieces.split_first(), self.caseless) else { return false };
        let Some((last, middle)) = rest.split_last() else { return same(first, text, caseless) };
        if text.len() < first.len() + last.len() {
            return false;
        }
        let (head, tail) = text.split_at(first.len());
        let (mut tail, end) = tail.split_at(tail.len() - last.len());
        if !same(first, head, caseless) || !same(last, end, caseless) {
            return false;
        }
        for piece in middle.iter().filter(|piece| !piece.is_empty()) {
            let Some(rest) = after(piece, tail, caseless) else { return false };
            tail = rest;
        }
        true
    }
}

/// What follows the first occurrence of a piece. Looks for its first byte before it compares, which is what makes it fast.
fn after<'a>(piece: &[u8], mut text: &'a [u8], caseless: bool) -> Option<&'a [u8]> {
    let (low, high) = match (piece.first()?, caseless) {
        (byte, true) => (byte.to_ascii_lowercase(), byte.to_ascii_uppercase()),
        (&byte, false) => (byte, byte),
    };
    while text.len() >= piece.len() {
        text = &text[text.iter().position(|&byte| byte == low || byte == high)?..];
        if text.len() >= piece.len() && same(piece, &text[..piece.len()], caseless) {
            return Some(&text[piece.len()..]);
        }
        text = &text[1..];
    }
    None
}

fn same(a: &[u8], b: &[u8], caseless: bool) -> bool {
    if caseless {
        return a.eq_ignore_ascii_case(b);
    }
    // Pieces are short and mostly differ at once: byte by byte beats the call that `==` on slices is (measured, 3 times).
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_star_is_special_and_both_ends_are_anchored() {
        for (glob, text, expected) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "/a?b=c", true),
            ("/a?b", "/a?b", true),
            ("/a?b", "/axb", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*.pdf", "/x.pdf", true),
            ("*.pdf", "/x.pdf?y", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c", false),
            ("**", "anything", true),
            ("*ab*ba*", "aba", false),
            ("utm_*", "UTM_source", false),
        ] {
            assert_eq!(Glob::new(glob).matches(text.as_bytes()), expected, "{glob} on {text}");
        }
        assert!(Glob::caseless("utm_*").matches(b"UTM_Source"));
    }

    proptest! {
        #[test]
        fn agrees_with_the_regex_of_the_same_meaning(glob in "[aAb*?]{0,8}", text in "[abB?]{0,12}") {
            let regex = format!("^(?s:{})$", regex::escape(&glob).replace(r"\*", ".*"));
            let expected = regex::Regex::new(&regex).unwrap().is_match(&text);
            prop_assert_eq!(Glob::new(&glob).matches(text.as_bytes()), expected);
            let expected = regex::Regex::new(&format!("(?i){regex}")).unwrap().is_match(&text);
            prop_assert_eq!(Glob::caseless(&glob).matches(text.as_bytes()), expected);
        }
    }
}
