//! The truth file: one JSON object a line for every page.
//!
//! `address`; `type` (article, book, list, other); `role` (what the page is within the library); `field`, `subfield`, `topic`
//! (the source's own labels, for articles, books and chapters); `template` and `split`; `source` and `derived`; `blocks`
//! with `title`, `authors`, `affiliation`, `abstract`, `keywords` as they stand on the page (an absent one is left out);
//! `links` in document order with `target` and `label`: sequence, related, menu, noise, list, authors, keywords, text.
//! The way down to a page counts as menu; subjects, full texts and the book of a chapter as text; advertising and small
//! print as noise. Links within the page (`#...`) are left out. Full texts under `/download/` are no pages, and robots.txt
//! forbids them; links to them stand in the truth all the same.

use groma_model::PageType;
use serde_json::{Map, Value, json};

use crate::render::Rendered;

/// Whether a page meets the demand: it is about an article, and one of the article's labels is this one.
pub fn relevant(label: &str, page: &Rendered) -> bool {
    page.page_type == PageType::Article && page.subject.as_ref().is_some_and(|subject| subject.has(label))
}

/// The line of a page; `brief` leaves out blocks and links.
pub fn truth_line(base: &str, path: &str, page: &Rendered, brief: bool) -> String {
    let mut line = Map::new();
    let mut set = |key: &str, value: Value| line.insert(key.to_owned(), value);
    set("address", json!(format!("{base}{path}")));
    set("type", json!(page.page_type.name()));
    set("role", json!(page.role));
    if let Some(subject) = &page.subject {
        set("field", json!(subject.field));
        set("subfield", json!(subject.subfield));
        set("topic", json!(subject.topic));
    }
    set("template", json!(page.template));
    set("split", json!(crate::Split::name_of(page.template)));
    if let Some(source) = &page.source {
        set("source", json!(source));
        set("derived", json!(page.derived));
    }
    if !brief {
        set("blocks", blocks(page));
        let link = |link: &crate::Link| json!({"target": format!("{base}{}", link.target), "label": link.label.name()});
        set("links", page.links.iter().map(link).collect());
    }
    Value::Object(line).to_string()
}

fn blocks(page: &Rendered) -> Value {
    let (found, mut out) = (&page.blocks, Map::new());
    if let Some(title) = &found.title {
        out.insert("title".into(), json!(title));
    }
    if let Some(summary) = &found.summary {
        out.insert("abstract".into(), json!(summary));
    }
    for (name, list) in
        [("authors", &found.authors), ("affiliation", &found.affiliation), ("keywords", &found.keywords)]
    {
        if !list.is_empty() {
            out.insert(name.into(), json!(list));
        }
    }
    Value::Object(out)
}
