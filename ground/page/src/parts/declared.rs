//! What the head says of the work a page is about: Highwire and Google Scholar (`citation_*`), Dublin Core, PRISM, OpenGraph, and
//! JSON-LD (schema.org).
//!
//! Sources are asked in the order of what they are made for: citation tags, JSON-LD, Dublin Core and PRISM, OpenGraph. The first
//! that has a field gives it. Cost: linear in the metas; data that is no JSON is passed over.

use groma_model::{PageType, ParsedPage};
use serde_json::Value;

/// Elements of JSON that are looked at.
const LOOKED_AT: usize = 5000;
/// Metas of one name, and words of one list, that are looked at; names and words that are kept.
const ASKED: usize = 2000;
const KEPT: usize = 500;
/// Institutions of one person.
const PLACES: usize = 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    pub(crate) title: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) affiliations: Vec<String>,
    pub(crate) summary: Option<String>,
    /// The summary is called an abstract, not just a description.
    pub(crate) is_abstract: bool,
    pub(crate) keywords: Vec<String>,
    /// What it calls keywords without saying whose: often the site's own.
    pub(crate) loose: Vec<String>,
    /// What it says it is.
    pub(crate) page_type: Option<PageType>,
    /// Citation tags are there: it is about one work.
    pub(crate) cited: bool,
}

/// Reads the meta tags and the JSON-LD of a page.
pub(crate) fn read_declared(page: &ParsedPage, data: &[String]) -> Declared {
    let mut found = citation(page);
    let mut left = LOOKED_AT;
    for text in data.iter().filter(|text| !text.trim_ascii().is_empty()) {
        if let Ok(value) = serde_json::from_str::<Value>(text.trim_ascii()) {
            linked_data(&value, &mut found, &mut left);
        }
    }
    dublin_core(page, &mut found);
    open_graph(page, &mut found);
    if let Some(words) = page.meta("keywords") {
        split_words(words, &mut found.loose);
    }
    found
}

fn all<'a>(page: &'a ParsedPage, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
    let named = |name: &str| names.contains(&name);
    page.metas
        .iter()
        .filter(move |meta| named(&meta.name))
        .map(|meta| meta.content.trim())
        .filter(|text| !text.is_empty())
        .take(ASKED)
}

fn citation(page: &ParsedPage) -> Declared {
    let titles = ["citation_title", "bepress_citation_title", "eprints.title", "wkhealth_title"];
    let title = all(page, &titles).next().map(folded);
    let mut found = Declared { title, ..Declared::default() };
    for name in all(page, &["citation_author", "bepress_citation_author", "eprints.creators_name"]) {
        add(&mut found.authors, &super::people::clean(name));
    }
    if found.authors.is_empty() {
        for names in all(page, &["citation_authors"]) {
            names.split(';').take(ASKED).for_each(|name| add(&mut found.authors, &super::people::clean(name)));
        }
    }
    let places = ["citation_author_institution", "citation_author_affiliation", "citation_dissertation_institution"];
    all(page, &places).for_each(|place| add(&mut found.affiliations, place));
    found.summary = all(page, &["citation_abstract", "eprints.abstract"]).next().map(without_tags);
    found.is_abstract = found.summary.is_some();
    for words in all(page, &["citation_keywords", "citation_keyword", "eprints.keywords"]) {
        split_words(words, &mut found.keywords);
    }
    let has = |names: &[&str]| all(page, names).next().is_some();
    found.cited = found.title.is_some();
    let serial = ["citation_journal_title", "citation_conference_title", "citation_issn", "citation_conference"];
    if has(&serial) {
        found.page_type = Some(PageType::Article);
    } else if has(&["citation_isbn", "citation_book_title", "citation_inbook_title"]) {
        // A chapter counts as a piece of a book; an abstract of its own makes it an article.
        found.page_type = Some(PageType::Book);
    } else if has(&["citation_firstpage"]) {
        found.page_type = Some(PageType::Article);
    }
    found
}

fn dublin_core(page: &ParsedPage, found: &mut Declared) {
    if found.title.is_none() {
        found.title = all(page, &["dc.title", "dcterms.title", "prism.title"]).next().map(folded);
    }
    if found.authors.is_empty() {
        let creators: Vec<&str> = all(page, &["dc.creator", "dcterms.creator", "dc.contributor.author"]).collect();
        creators
            .iter()
            .flat_map(|names| names.split(';'))
            .take(ASKED)
            .for_each(|name| add(&mut found.authors, &super::people::clean(name)));
    }
    if found.summary.is_none() {
        let names = ["dcterms.abstract", "dc.description.abstract", "dc.description"];
        found.summary = names.iter().find_map(|name| page.meta(name)).map(without_tags).filter(|text| text.len() > 60);
        found.is_abstract = found.summary.is_some() && names[..2].iter().any(|name| page.meta(name).is_some());
    }
    if found.keywords.is_empty() {
        let names = ["dc.subject", "dcterms.subject", "prism.keyword", "article:tag"];
        all(page, &names).for_each(|words| split_words(words, &mut found.keywords));
    }
    if found.page_type.is_none() {
        let kind = all(page, &["dc.type", "dcterms.type", "prism.contenttype", "prism.aggregationtype"])
            .next()
            .unwrap_or_default()
            .to_lowercase();
        found.page_type = match kind.as_str() {
            "book" | "monograph" => Some(PageType::Book),
            kind if kind.contains("article") || kind == "journal" || kind.contains("paper") => Some(PageType::Article),
            _ if all(page, &["prism.issn", "prism.doi", "prism.publicationname"]).next().is_some()
                && found.title.is_some() =>
            {
                Some(PageType::Article)
            }
            _ => None,
        };
    }
}

fn open_graph(page: &ParsedPage, found: &mut Declared) {
    if found.title.is_none() {
        found.title = all(page, &["og:title", "twitter:title"]).next().map(folded);
    }
    // `article` is what news pages and blogs call themselves: it says nothing of literature.
    if found.page_type.is_none() && matches!(page.meta("og:type"), Some("book" | "books.book")) {
        found.page_type = Some(PageType::Book);
        all(page, &["book:author"])
            .filter(|name| !name.contains("://"))
            .for_each(|name| add(&mut found.authors, &super::people::clean(name)));
    }
}

/// JSON-LD: looks for a work, through lists and graphs.
fn linked_data(value: &Value, found: &mut Declared, left: &mut usize) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    match value {
        Value::Array(values) => values.iter().for_each(|value| linked_data(value, found, left)),
        Value::Object(object) => {
            let kinds = texts(object.get("@type"));
            let is = |names: &[&str]| kinds.iter().any(|kind| names.contains(&kind.as_str()));
            if is(&["ScholarlyArticle", "MedicalScholarlyArticle", "Thesis", "TechArticle"]) {
                work(object, PageType::Article, found);
            } else if is(&["Book", "Chapter"]) {
                work(object, PageType::Book, found);
            } else if is(&[
                "CollectionPage",
                "SearchResultsPage",
                "ItemList",
                "PublicationIssue",
                "PublicationVolume",
                "Periodical",
            ]) && found.page_type.is_none()
            {
                found.page_type = Some(PageType::List);
            }
            for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                if let Some(value) = object.get(key).filter(|value| value.is_object() || value.is_array()) {
                    linked_data(value, found, left);
                }
            }
        }
        _ => {}
    }
}

fn work(object: &serde_json::Map<String, Value>, page_type: PageType, found: &mut Declared) {
    let text = |keys: &[&str]| keys.iter().find_map(|key| texts(object.get(*key)).into_iter().next());
    // A second work beside the first is one of those it is related to.
    if found.page_type.is_some_and(|known| known != PageType::List) && found.title.is_some() && found.summary.is_some()
    {
        return;
    }
    found.cited = true;
    if found.page_type.is_none_or(|known| known == PageType::List) {
        found.page_type = Some(page_type);
    }
    if found.title.is_none() {
        found.title = text(&["headline", "name", "title"]).map(|text| folded(&text));
    }
    let fresh = found.authors.is_empty();
    let mut people: Vec<&Value> = Vec::new();
    for key in ["author", "creator"] {
        match object.get(key) {
            Some(Value::Array(values)) => people.extend(values.iter().take(500)),
            Some(value) => people.push(value),
            None => {}
        }
    }
    for person in people {
        let name = match person {
            Value::Object(person) => person_name(person),
            value => texts(Some(value)).into_iter().next(),
        };
        if let (true, Some(name)) = (fresh, name) {
            add(&mut found.authors, &super::people::clean(&name));
        }
        let places = person.get("affiliation").or_else(|| person.get("worksFor"));
        let places = match places {
            Some(Value::Array(values)) => values.iter().take(PLACES).collect(),
            Some(value) => vec![value],
            None => Vec::new(),
        };
        for place in places {
            let name = place.get("name").or_else(|| place.get("legalName")).unwrap_or(place);
            texts(Some(name)).iter().for_each(|name| add(&mut found.affiliations, name));
        }
    }
    if found.summary.is_none() {
        let keys: &[&str] = if page_type == PageType::Book { &["abstract"] } else { &["abstract", "description"] };
        found.summary = text(keys).map(|text| without_tags(&text)).filter(|text| text.len() > 60);
        found.is_abstract = found.summary.is_some() && object.contains_key("abstract");
    }
    if found.keywords.is_empty() {
        let words = texts(object.get("keywords"));
        words.iter().for_each(|words| split_words(words, &mut found.keywords));
    }
}

fn person_name(person: &serde_json::Map<String, Value>) -> Option<String> {
    let text = |key: &str| texts(person.get(key)).into_iter().next();
    text("name").or_else(|| Some(format!("{} {}", text("givenName")?, text("familyName")?)))
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) if !text.trim().is_empty() => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().take(200).flat_map(|value| texts(Some(value))).collect(),
        Some(Value::Object(object)) => {
            texts(object.get("@value").or_else(|| object.get("name")).filter(|value| value.is_string()))
        }
        _ => Vec::new(),
    }
}

fn add(list: &mut Vec<String>, text: &str) {
    let text = folded(text);
    if text.chars().any(char::is_alphanumeric) && text.len() < 1000 && list.len() < KEPT && !list.contains(&text) {
        list.push(text);
    }
}

/// A list of keywords in one text: semicolons, else commas, else bullets.
fn split_words(words: &str, list: &mut Vec<String>) {
    const SIGNS: [&[char]; 3] = [&[';', '；', '؛'], &[',', '，', '、', '،'], &['|', '·', '•', '\n']];
    let by = SIGNS.into_iter().find(|signs| words.contains(*signs)).unwrap_or(SIGNS[1]);
    words.split(by).take(ASKED).for_each(|word| add(list, word));
}

fn folded(text: &str) -> String {
    crate::fold::folded(text, usize::MAX)
}

/// A text that may hold markup, as abstracts in metas do.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at..];
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match tag.bytes().take(200).position(|b| b == b'>').filter(|_| is_tag) {
            Some(end) => {
                out.push(' ');
                rest = &tag[end + 1..];
            }
            None => {
                out.push('<');
                rest = &tag[1..];
            }
        }
    }
    out.push_str(rest);
    let text = folded(&out);
    super::wording::inline(&text, 0)
        .filter(|(label, _)| *label == super::wording::Label::Abstract)
        .map_or(text.clone(), |(_, at)| text[at..].to_owned())
}
