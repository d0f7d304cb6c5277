//! How can an answer be narrowed? The facets as links: each adds a word to the question, and takes it away again.

use groma_search::{FacetCount, Facets};

use crate::pages::layout::short;
use crate::pages::wording::grouped;

/// One sort of facets.
pub(super) struct Group {
    /// What people see above it.
    pub(super) name: &'static str,
    pub(super) rows: Vec<Choice>,
}

/// A value by which hits can be narrowed down.
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) count: String,
    /// The question with it, or without it if it is chosen.
    pub(super) href: String,
    pub(super) on: bool,
}

/// The facets worth showing: those that would narrow the answer, or do.
pub(super) fn groups(facets: &Facets, q: &str, link: &dyn Fn(&str) -> String) -> Vec<Group> {
    let all = [
        ("Section", "in", &facets.sections),
        ("Type", "type", &facets.types),
        ("Language", "lang", &facets.languages),
        ("Site", "site", &facets.sites),
    ];
    let group = |(name, prefix, counts): (&'static str, &str, &Vec<FacetCount>)| {
        let offered: Vec<Choice> = counts.iter().map(|one| choice(one, prefix, q, link)).collect();
        let rows: Vec<Choice> = chosen(prefix, q, counts, link).into_iter().chain(offered).collect();
        let narrows = rows.len() > 1 || rows.iter().any(|row| row.on);
        narrows.then_some(Group { name, rows })
    };
    all.into_iter().filter_map(group).collect()
}

fn choice(one: &FacetCount, prefix: &str, q: &str, link: &dyn Fn(&str) -> String) -> Choice {
    let word = word(prefix, &one.value);
    let without = without(q, &word);
    let label = if one.label.trim().is_empty() { &one.value } else { &one.label };
    Choice {
        label: short(label, 60),
        count: grouped(one.count),
        on: without.is_some(),
        href: link(&without.unwrap_or_else(|| format!("{} {word}", q.trim()))),
    }
}

/// What was chosen but is not offered any more, such as the section whose parts are offered now: it can be taken back.
fn chosen(prefix: &str, q: &str, counts: &[FacetCount], link: &dyn Fn(&str) -> String) -> Vec<Choice> {
    let mut quoted = false;
    let words = q.split(|c: char| {
        quoted ^= c == '"';
        c.is_whitespace() && !quoted
    });
    let mut taken = Vec::new();
    for asked in words {
        let Some(value) = asked.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(':')) else { continue };
        let label = value.trim_matches('"');
        let offered = counts.iter().any(|one| word(prefix, &one.value) == asked);
        if let (false, false, Some(rest)) = (offered, label.is_empty(), without(q, asked)) {
            taken.push(Choice { label: short(label, 60), count: String::new(), href: link(&rest), on: true });
        }
    }
    taken
}

/// `type:html`, `in:"a section"`.
fn word(prefix: &str, value: &str) -> String {
    let value = value.replace('"', " ");
    if value.contains(char::is_whitespace) {
        format!("{prefix}:\"{}\"", value.trim())
    } else {
        format!("{prefix}:{value}")
    }
}

/// The question without this word, if it has it.
fn without(q: &str, word: &str) -> Option<String> {
    let at = q.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = q[..at].chars().next_back().is_none_or(char::is_whitespace);
        before && q[at + word.len()..].chars().next().is_none_or(char::is_whitespace)
    })?;
    let (before, after) = (q[..at].trim(), q[at + word.len()..].trim());
    Some(format!("{before} {after}").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_added_and_taken_away() {
        let one = FacetCount { value: "html".into(), label: "HTML".into(), count: 1200 };
        let link = |q: &str| q.to_owned();
        let added = choice(&one, "type", "cats ", &link);
        assert_eq!((added.href.as_str(), added.on, added.count.as_str()), ("cats type:html", false, "1,200"));
        let gone = choice(&one, "type", "cats type:html dogs", &link);
        assert_eq!((gone.href.as_str(), gone.on), ("cats dogs", true));
        assert!(!choice(&one, "type", "cats type:html5", &link).on);
    }

    #[test]
    fn values_with_spaces_are_quoted() {
        let one = FacetCount { value: "big \"cats\"".into(), label: String::new(), count: 1 };
        let added = choice(&one, "in", "x", &|q| q.to_owned());
        assert_eq!(added.href, "x in:\"big  cats\"");
        assert!(choice(&one, "in", &added.href, &|q| q.to_owned()).on);
    }

    #[test]
    fn what_narrows_nothing_is_left_out() {
        let one = FacetCount { value: "html".into(), label: "HTML".into(), count: 3 };
        let facets = Facets { types: vec![one], ..Facets::default() };
        assert!(groups(&facets, "x", &|q| q.to_owned()).is_empty());
        assert_eq!(groups(&facets, "x type:html", &|q| q.to_owned()).len(), 1);
    }

    #[test]
    fn what_is_not_offered_any_more_can_be_taken_back() {
        let link = |q: &str| format!("?{q}");
        let taken = chosen("in", "map in:\"a section\" -in:/x/ in:/docs/ type:pdf in:", &[], &link);
        let told: Vec<(&str, &str)> = taken.iter().map(|one| (one.label.as_str(), one.href.as_str())).collect();
        assert_eq!(
            told,
            [
                ("a section", "?map -in:/x/ in:/docs/ type:pdf in:"),
                ("/docs/", "?map in:\"a section\" -in:/x/ type:pdf in:"),
            ]
        );
        let offered = FacetCount { value: "/docs/".into(), label: String::new(), count: 3 };
        assert!(chosen("in", "in:/docs/", &[offered], &link).is_empty());
    }
}
