//! Links whose text says nothing.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::generic_texts;
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "link-text-generic",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links whose text says nothing",
    next_step: "say in the text of the link what it leads to",
    help: "The text of a link is one of those that fit every link (\"click here\", \"more\", \"mehr\", \"en savoir plus\"). Who jumps from link to \
        link hears only that, and search engines learn nothing about the page behind it. The list has eleven languages. Links within a \
        page are left alone: \"view\" may well be a term of a glossary.",
    example: Example {
        fault: r#"<p><a href="/prices">Click here</a>
@ https://a.example/prices
<title>Prices</title>"#,
        fine: r#"<p><a href="/prices">Prices of rooms</a>
@ https://a.example/prices
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.link.kind == LinkKind::Anchor && link.end != link.from && generic_texts::says_nothing(link.link.text)
}
