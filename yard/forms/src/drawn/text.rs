//! How a text field compares: what people mean by "search" differs from form to form.

/// How a text field is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matching {
    pub(crate) by: By,
    /// Whether capitals are letters of their own.
    pub(crate) case: bool,
}

/// What must be where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// One of the words asked for is a word of the text.
    Word,
    /// All words asked for are words of the text.
    AllWords,
    /// The text begins so.
    Prefix,
    /// It stands anywhere in the text.
    Substring,
    /// The whole text; `%` stands for anything.
    Pattern,
}

impl By {
    pub(crate) const ALL: [By; 5] = [By::Word, By::AllWords, By::Prefix, By::Substring, By::Pattern];

    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Word => "whole words",
            By::AllWords => "all of the words",
            By::Prefix => "beginnings",
            By::Substring => "any part",
            By::Pattern => "patterns with %",
        }
    }
}

impl Matching {
    pub(crate) fn matches(self, text: &str, asked: &str) -> bool {
        if self.case {
            return self.finds(text, asked);
        }
        self.finds(&text.to_lowercase(), &asked.to_lowercase())
    }

    fn finds(self, text: &str, asked: &str) -> bool {
        let has = |word: &str| words(text).any(|own| own == word);
        match self.by {
            By::Word => words(asked).any(has),
            By::AllWords => words(asked).next().is_some() && words(asked).all(has),
            By::Prefix => text.starts_with(asked),
            By::Substring => text.contains(asked),
            By::Pattern => like(text, asked),
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// SQL's LIKE with `%` alone: the pieces follow one another, the first at the beginning, the last at the end.
fn like(text: &str, pattern: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('%').collect();
    let [first, middle @ .., last] = pieces.as_slice() else { return text == pattern };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_finds_what_it_should() {
        let text = "Port Lindenau am See";
        let finds = |by, case, asked| Matching { by, case }.matches(text, asked);
        assert!(finds(By::Word, false, "see berg") && !finds(By::Word, false, "linden"));
        assert!(finds(By::AllWords, false, "see port") && !finds(By::AllWords, false, "see berg"));
        assert!(finds(By::Prefix, false, "port l") && !finds(By::Prefix, true, "port"));
        assert!(finds(By::Substring, true, "nau a") && !finds(By::Substring, true, "SEE"));
        assert!(finds(By::Pattern, true, "P%am%") && !finds(By::Pattern, true, "Port"));
        assert!(finds(By::Pattern, false, "%see") && !finds(By::Pattern, true, "%see"));
        assert!(!finds(By::AllWords, false, "%"));
    }
}
