//! What a judge sees: a page with its content, or a link.

use groma_model::markup::{HeaderField, Markup, Symptom};
use groma_model::page::Form;
use groma_model::{BlockKind, PageId};

use crate::catalogue::thresholds::Thresholds;
use crate::evidence::{LinkFacts, PageLinks};
use crate::facts::{Facts, Mark, Page};

/// Characters of a text that are quoted.
const QUOTED: usize = 120;

/// A page of the survey that was read: HTML, status 200, in scope.
pub(crate) struct PageView<'a> {
    pub(crate) content: &'a PageLinks<'a>,
    pub(crate) page: &'a Page,
    pub(crate) facts: &'a Facts,
    pub(crate) thresholds: &'a Thresholds,
}

impl<'a> PageView<'a> {
    pub(crate) fn links(&self) -> &'a [LinkFacts<'a>] {
        self.content.links
    }

    pub(crate) fn forms(&self) -> &'a [Form] {
        self.content.forms
    }

    /// Its markup; nothing if it was read by a version that did not keep it.
    pub(crate) fn markup(&self) -> Option<&'a Markup> {
        self.content.markup
    }

    /// The first value of a field of its header.
    pub(crate) fn field(&self, field: HeaderField) -> Option<&'a str> {
        self.markup()?.field(field)
    }

    /// Its header is known.
    pub(crate) fn has_header(&self) -> bool {
        self.markup().is_some_and(|markup| !markup.header.is_empty())
    }

    /// The content of its metas of this name (in lower case).
    pub(crate) fn metas(&self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.content.metas.iter().filter(move |meta| meta.name == name).map(|meta| meta.content.as_str())
    }

    /// The text of its first block of a kind; empty if there is none.
    pub(crate) fn first(&self, kind: BlockKind) -> &'a str {
        self.content.blocks.iter().find(|block| block.kind == kind).map_or("", |block| block.text.as_str())
    }

    /// How often a symptom was seen.
    pub(crate) fn count(&self, symptom: Symptom) -> u32 {
        self.markup().map_or(0, |markup| markup.count(symptom))
    }

    /// A symptom in words, if it was seen: how often, and the first example.
    pub(crate) fn seen(&self, symptom: Symptom) -> Option<String> {
        let markup = self.markup()?;
        let (count, example) = (markup.count(symptom), markup.example(symptom).trim());
        match (count, example) {
            (0, _) => None,
            (1, "") => Some(String::new()),
            (1, example) => Some(quoted(example)),
            (count, "") => Some(format!("{count} times")),
            (count, example) => Some(format!("{count} times, first {}", quoted(example))),
        }
    }

    /// It is fetched by https.
    pub(crate) fn is_secure(&self) -> bool {
        self.has(Mark::Secure)
    }

    /// It asks not to be listed.
    pub(crate) fn is_unlisted(&self) -> bool {
        self.has(Mark::NoIndex)
    }

    /// It sends its visitors on and has next to nothing to read.
    pub(crate) fn sends_on(&self) -> bool {
        self.page.words <= 20 && self.links().iter().any(|link| link.kind == groma_model::LinkKind::Refresh)
    }

    /// Something search engines would show: listed, and not only a step on the way.
    pub(crate) fn is_listed(&self) -> bool {
        !self.is_unlisted() && !self.sends_on() && !crate::checks::duplicates::names_another(self.facts, self.page)
    }

    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.facts.has(self.content.id, mark)
    }
}

/// A link on a page that was read.
pub(crate) struct LinkView<'a> {
    pub(crate) from: PageId,
    pub(crate) link: &'a LinkFacts<'a>,
    /// The page it comes to in the end.
    pub(crate) end: PageId,
    pub(crate) facts: &'a Facts,
}

/// The beginning of a text of strangers, with a mark where it is cut.
pub(crate) fn cut(text: &str) -> String {
    let text = text.trim();
    let shown: String = text.chars().take(QUOTED).collect();
    let dots = if shown.len() < text.len() { "\u{2026}" } else { "" };
    format!("{shown}{dots}")
}

/// The same in quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    format!("\u{201c}{}\u{201d}", cut(text))
}
