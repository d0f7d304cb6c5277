//! What was typed means what? Any text is a question; what cannot be understood is taken as words, or noted.
//!
//! ```text
//! words            all of them            a OR b           one of them
//! "a phrase"       in this order          -word -"phrase"  not with these
//! title: url:      in the title, in the URL           (also intitle:, inurl:)
//! site: type: lang: in:                   only these; with - before, not these; several of a kind: one of them
//! after: before: date:                    2026, 2026-03, 2026-03-15; date: also a..b
//! ```

use super::cut::{Piece, cut};
use crate::{Note, day};

/// Words and phrases of a question that count.
const PARTS: usize = 32;
/// Values of filters that count.
const VALUES: usize = 32;

/// Where a word must stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Title, URL or text.
    #[default]
    Any,
    Title,
    Address,
}

/// A word or a phrase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) phrase: bool,
    pub(crate) scope: Scope,
}

/// What a filter asks for, and what it shuts out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) any: Vec<String>,
    pub(crate) none: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Of each group one part must be there.
    pub(crate) groups: Vec<Vec<Part>>,
    /// None of these may be there.
    pub(crate) not: Vec<Part>,
    pub(crate) site: Choice,
    pub(crate) class: Choice,
    pub(crate) language: Choice,
    pub(crate) section: Choice,
    /// The first and the last day.
    pub(crate) days: Option<(i64, i64)>,
    pub(crate) notes: Vec<Note>,
}

impl Question {
    /// Does it ask for anything but words?
    pub(crate) fn has_filter(&self) -> bool {
        let choices = [&self.site, &self.class, &self.language, &self.section];
        self.days.is_some() || choices.into_iter().any(|choice| *choice != Choice::default())
    }

    fn narrow(&mut self, from: i64, to: i64) {
        let (first, last) = self.days.unwrap_or((i64::MIN, i64::MAX));
        self.days = Some((first.max(from), last.min(to)));
    }

    /// Takes up a key with its value; gives back what is no key of ours.
    fn filter(&mut self, piece: Piece) -> Option<Piece> {
        let choice = match piece.key.as_deref().unwrap_or_default() {
            "site" | "host" => &mut self.site,
            "type" | "filetype" | "kind" => &mut self.class,
            "lang" | "language" => &mut self.language,
            "in" | "section" => &mut self.section,
            "after" | "since" | "before" | "until" | "date" => {
                self.date(&piece);
                return None;
            }
            _ => return Some(piece),
        };
        if choice.any.len() + choice.none.len() < VALUES {
            let list = if piece.not { &mut choice.none } else { &mut choice.any };
            // `lang:de,en` is how some people write "one of these".
            match piece.quoted || piece.text.contains('/') {
                true => list.push(piece.text),
                false => list.extend(piece.text.split(',').filter(|v| !v.is_empty()).take(VALUES).map(str::to_owned)),
            }
        }
        None
    }

    fn date(&mut self, piece: &Piece) {
        let text = piece.text.trim();
        let span = |text: &str| day::span(text.trim());
        let days = match (piece.key.as_deref(), text.split_once("..")) {
            (Some("after" | "since"), _) => span(text).map(|(first, _)| (first, i64::MAX)),
            (Some("before" | "until"), _) => span(text).map(|(first, _)| (i64::MIN, first - 1)),
            (_, Some((from, to))) => match (from.trim().is_empty(), to.trim().is_empty()) {
                (true, true) => None,
                (true, false) => span(to).map(|(_, last)| (i64::MIN, last)),
                (false, true) => span(from).map(|(first, _)| (first, i64::MAX)),
                (false, false) => span(from).zip(span(to)).map(|((first, _), (_, last))| (first, last)),
            },
            (_, None) => span(text),
        };
        match days {
            Some((from, to)) if !piece.not => self.narrow(from, to),
            _ => self.notes.push(Note::NoDate(text.to_owned())),
        }
    }
}

/// Reads what was typed. Never fails, in time linear in its length.
pub(crate) fn parse(typed: &str) -> Question {
    let (pieces, cut_off) = cut(typed);
    let mut question = Question::default();
    let mut parts = 0;
    let mut too_long = cut_off;
    let mut or = false;
    for piece in pieces {
        if piece.key.is_none() && !piece.quoted && !piece.not && matches!(piece.text.as_str(), "OR" | "|" | "||") {
            or = true;
            continue;
        }
        if piece.key.is_none() && !piece.quoted && matches!(piece.text.as_str(), "AND" | "&&") {
            continue;
        }
        let not = piece.not;
        let Some(piece) = question.filter(piece) else {
            or = false;
            continue;
        };
        if parts == PARTS {
            too_long = true;
            continue;
        }
        let Some(part) = part(piece) else { continue };
        parts += 1;
        match question.groups.last_mut() {
            _ if not => question.not.push(part),
            Some(group) if or => group.push(part),
            _ => question.groups.push(vec![part]),
        }
        or = false;
    }
    if too_long {
        question.notes.push(Note::TooLong);
    }
    question
}

fn part(piece: Piece) -> Option<Part> {
    let scope = match piece.key.as_deref() {
        Some("title" | "intitle") => Scope::Title,
        Some("url" | "inurl" | "address") => Scope::Address,
        _ => Scope::Any,
    };
    let text = match piece.key {
        // Not a key we know: a word before a colon.
        Some(key) if scope == Scope::Any => format!("{key}:{}", piece.text),
        _ => piece.text,
    };
    let says_something = text.chars().any(char::is_alphanumeric);
    says_something.then_some(Part { text, phrase: piece.quoted, scope })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn groups(typed: &str) -> Vec<Vec<String>> {
        let texts = |group: Vec<Part>| group.into_iter().map(|part| part.text).collect();
        parse(typed).groups.into_iter().map(texts).collect()
    }

    #[test]
    fn words_phrases_and_alternatives() {
        assert_eq!(groups("a b OR c d"), [vec!["a"], vec!["b", "c"], vec!["d"]]);
        assert_eq!(groups("OR a OR"), [vec!["a"]]);
        assert_eq!(groups("foo:bar std::vector"), [vec!["foo:bar"], vec!["std::vector"]]);
        let question = parse(r#"one -two -"three four" title:"big words" ..."#);
        assert_eq!(question.not.iter().map(|part| part.text.as_str()).collect::<Vec<_>>(), ["two", "three four"]);
        assert_eq!(question.groups[1][0].scope, Scope::Title);
        assert!(question.groups[1][0].phrase && question.groups.len() == 2);
    }

    #[test]
    fn filters() {
        let question = parse("x site:a.org -site:b.org type:pdf,html lang:de in:/docs/ in:\"Big Part\"");
        assert_eq!((question.site.any, question.site.none), (vec!["a.org".to_owned()], vec!["b.org".to_owned()]));
        assert_eq!(question.class.any, ["pdf", "html"]);
        assert_eq!(question.section.any, ["/docs/", "Big Part"]);
        assert_eq!(parse("date:1970").days, Some((0, 364)));
        assert_eq!(parse("after:1970-01-02 before:1970-01-05").days, Some((1, 3)));
        assert_eq!(parse("date:1970-01..1970-02").days, Some((0, 58)));
        assert_eq!(parse("date:..1970").days, Some((i64::MIN, 364)));
        assert_eq!(parse("date:soon").notes, [Note::NoDate("soon".into())]);
    }

    #[test]
    fn long_questions_are_cut_and_it_is_said() {
        let question = parse(&"word OR ".repeat(10_000));
        assert!(question.notes.contains(&Note::TooLong));
        assert_eq!(question.groups.iter().map(Vec::len).sum::<usize>(), PARTS);
        assert!(parse(&"y ".repeat(100_000)).notes.contains(&Note::TooLong));
    }

    proptest! {
        #[test]
        fn any_text_is_a_question(typed in "\\PC*") {
            let question = parse(&typed);
            prop_assert!(question.groups.iter().all(|group| !group.is_empty()));
        }

        #[test]
        fn signs_are_no_danger(typed in "[-:\"“”«» a-cO R/.,0-9|&]{0,200}") {
            parse(&typed);
        }
    }
}
