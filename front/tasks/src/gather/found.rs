//! Which pages of a survey lead to databases? Forms that look like a search, and documents that lead to a summarizer.
//!
//! A form that stands on many pages is told once, with the first page it stands on. Whether it looks like a search is said by
//! [`Form::looks`](groma_gather::form::Form::looks); where the page itself is kept, labels are read from it, else the fields are those
//! that the survey keeps. Cost: the addresses are gone through until enough pages were seen, the details of those are unpacked,
//! and [`COPIES`] kept copies of [`COPIED`] bytes in all are read. Not guaranteed: what stands on later pages is not seen, and
//! [`FormsFound::more`] says so.

use std::collections::HashMap;

use groma_gather::form::{Choice, Enctype, Field, Form, Kind, LabelFrom, forms};
use groma_gather::{DbContent, Method};
use groma_hel::{Bounds, Tree};
use groma_model::PageId;
use groma_page::charset;
use groma_store::codec::{Details, unpack_details};
use groma_store::{Sheet, Snapshot, StoreError};
use groma_url::Url;

/// URLs that are gone through for each page that may be looked at: those without text cost little.
const ADDRESSES: usize = 100;
/// Pages that are looked at for a list of forms.
const PAGES: usize = 5_000;
/// Different search forms that nobody described, and documents, that are told.
const FOUND: usize = 300;
/// Kept copies that are read for labels.
const COPIES: usize = 100;
/// Bytes of them: a tree is dearer than its text.
const COPIED: usize = 16 << 20;
/// Fields of a form that are told.
const FIELDS: usize = 40;

/// Search forms and documents in a survey.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormsFound {
    /// Forms, the most promising first.
    pub forms: Vec<FormFound>,
    /// Documents that lead to a summarizer.
    pub documents: Vec<DocumentFound>,
    /// Pages that were looked at.
    pub looked: usize,
    /// There are pages that were not looked at, or forms that are not told.
    pub more: bool,
}

/// A form that looks like a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormFound {
    /// The number of the first page it stands on.
    pub id: PageId,
    /// The URL of that page.
    pub page: String,
    /// The title of that page.
    pub title: String,
    /// Pages it stands on, as far as they were looked at.
    pub pages: usize,
    /// Which form of the page, from 1.
    pub nth: usize,
    /// Where it is sent.
    pub action: String,
    /// Whether it is sent by POST.
    pub posts: bool,
    /// Its page describes it by `DB.*` tags.
    pub described: bool,
    /// What can be varied.
    pub fields: Vec<FieldFound>,
    /// Fields that are not told.
    pub fields_more: usize,
    score: i32,
}

/// A field that can be varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFound {
    /// Internal name.
    pub name: String,
    /// What people read beside it; its internal name where that is not known.
    pub label: String,
    /// What kind of field it is, in a word.
    pub kind: &'static str,
    /// Values to choose from; nothing where something is typed.
    pub values: Option<usize>,
}

/// A document that leads to a summarizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFound {
    pub id: PageId,
    pub address: String,
    /// What the database is called.
    pub title: String,
    /// URL of the summarizer.
    pub summarizer: String,
    /// How many tables and attributes it names.
    pub tables: (usize, usize),
}

impl FormsFound {
    /// Looks through a survey, and reads labels from kept copies.
    pub fn read(store: &mut dyn Snapshot) -> Result<FormsFound, StoreError> {
        let mut found = FormsFound::read_up_to(store, PAGES)?;
        let mut room = COPIED;
        for form in found.forms.iter_mut().take(COPIES) {
            form.label(store, &mut room)?;
        }
        Ok(found)
    }

    /// Looks at one page.
    pub(super) fn of_page(store: &mut dyn Snapshot, page: PageId) -> Result<FormsFound, StoreError> {
        let mut found = FormsFound::default();
        let details = store.details(page)?.and_then(|packed| unpack_details(&packed));
        if let (Some(address), Some(row), Some(details)) = (store.address(page)?, store.page(page)?, details) {
            found.take(&Sheet::from_rows(&address, &row, None), &details, &mut HashMap::new());
        }
        Ok(found)
    }

    /// Looks at so many pages of a survey.
    pub(super) fn read_up_to(store: &mut dyn Snapshot, pages: usize) -> Result<FormsFound, StoreError> {
        let mut found = FormsFound::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut addresses = 0;
        store.each_sheet(true, &mut |sheet| {
            addresses += 1;
            if found.looked == pages || addresses > pages.saturating_mul(ADDRESSES) {
                found.more = true;
                return false;
            }
            let Some(packed) = sheet.packed else { return true };
            found.looked += 1;
            if let Some(details) = unpack_details(packed.details) {
                found.take(sheet, &details, &mut known);
            }
            true
        })?;
        found.forms.sort_by_key(|form| (std::cmp::Reverse((form.described, form.score)), form.id));
        Ok(found)
    }

    fn take(&mut self, sheet: &Sheet<'_>, details: &Details, known: &mut HashMap<String, usize>) {
        let facts = sheet.facts.unwrap_or_default();
        if facts.media_type.starts_with("text/") && !facts.media_type.contains("html") {
            self.document(sheet, details);
        }
        let described = details.metas.iter().any(|meta| meta.name.starts_with("db."));
        let Ok(page) = Url::parse(sheet.url) else { return };
        for (nth, kept) in details.forms.iter().enumerate() {
            let form = of_kept(kept, nth, &page);
            let looks = form.looks();
            if !looks.search && !described {
                continue;
            }
            let names: Vec<&str> = form.fields.iter().map(|field| field.name.as_str()).collect();
            let key = format!("{}\n{}\n{}", kept.method, kept.action, names.join("\n"));
            if let Some(same) = known.get(&key).and_then(|at| self.forms.get_mut(*at)) {
                same.pages += 1;
                continue;
            }
            if self.forms.len() >= FOUND && !described {
                self.more = true;
                continue;
            }
            known.insert(key, self.forms.len());
            let mut one = FormFound {
                id: sheet.id,
                page: sheet.url.to_owned(),
                title: facts.title.to_owned(),
                pages: 1,
                nth: nth + 1,
                action: kept.action.clone(),
                posts: form.method == Method::Post,
                described,
                fields: Vec::new(),
                fields_more: 0,
                score: looks.score,
            };
            one.tell(&form);
            self.forms.push(one);
        }
    }

    fn document(&mut self, sheet: &Sheet<'_>, details: &Details) {
        let Some(first) = details.blocks.first().filter(|block| holds_key(&block.text, "summarizer")) else { return };
        if self.documents.len() == FOUND {
            self.more = true;
            return;
        }
        let text: String = details.blocks.iter().skip(1).fold(unfolded(&first.text), |mut text, block| {
            text.push('\n');
            text.push_str(&unfolded(&block.text));
            text
        });
        let document = DbContent::read(text.as_bytes(), Some("utf-8"));
        let Some(summarizer) = document.summarizer else { return };
        self.documents.push(DocumentFound {
            id: sheet.id,
            address: sheet.url.to_owned(),
            title: document.title.unwrap_or_default(),
            summarizer,
            tables: (document.tables.len(), document.tables.iter().map(|table| table.attributes.len()).sum()),
        });
    }
}

impl FormFound {
    /// Takes over what can be varied.
    fn tell(&mut self, form: &Form) {
        let variable = || form.fields.iter().filter(|field| field.is_variable());
        let told = |field: &Field| FieldFound {
            name: field.name.clone(),
            label: field.title().to_owned(),
            kind: kind_name(field.kind),
            values: field.kind.is_chosen().then(|| field.domain().count()),
        };
        self.fields = variable().take(FIELDS).map(told).collect();
        self.fields_more = variable().count().saturating_sub(FIELDS);
    }

    /// Reads labels and values from the kept copy of the page, if there is one with the same form in it.
    fn label(&mut self, store: &mut dyn Snapshot, room: &mut usize) -> Result<(), StoreError> {
        let Some(body) = store.body(self.id)?.filter(|body| body.len() <= *room) else { return Ok(()) };
        *room -= body.len();
        let named = store.page(self.id)?.map(|page| page.facts.charset).unwrap_or_default();
        let Ok(page) = Url::parse(&self.page) else { return Ok(()) };
        let (text, encoding) = charset::decode(&body, Some(named.as_str()).filter(|name| !name.is_empty()));
        let tree = Tree::parse(&text, &Bounds::default());
        let all = forms(&tree, &page, encoding.name());
        let same = |form: &&Form| {
            let has = |name: &str| form.fields.iter().any(|field| field.name == name);
            form.nth + 1 == self.nth && self.fields.iter().all(|field| has(&field.name))
        };
        if let Some(form) = all.iter().find(same) {
            self.tell(form);
        }
        Ok(())
    }
}

/// A form as the survey keeps it.
fn of_kept(kept: &groma_model::page::Form, nth: usize, page: &Url) -> Form {
    let mut fields: Vec<Field> = Vec::new();
    for (place, one) in kept.fields.iter().enumerate() {
        let kind = kind_of(&one.kind);
        let boxes = matches!(kind, Kind::Radio | Kind::CheckBox);
        let choice = |value: &str, label: &str| Choice {
            value: value.to_owned(),
            label: label.to_owned(),
            chosen: false,
            disabled: false,
            open: value.is_empty(),
            place: place as u32,
        };
        if boxes && let Some(group) = fields.iter_mut().find(|field| field.kind == kind && field.name == one.name) {
            group.values.push(choice(&one.value, &one.value));
            continue;
        }
        let values = if boxes {
            vec![choice(&one.value, &one.value)]
        } else {
            one.options.iter().map(|(value, label)| choice(value, label)).collect()
        };
        fields.push(Field {
            name: one.name.clone(),
            kind,
            label: if kind.is_submit() { one.value.clone() } else { String::new() },
            label_from: LabelFrom::default(),
            values,
            default: one.value.clone(),
            min: None,
            max: None,
            step: None,
            max_length: None,
            pattern: None,
            required: false,
            disabled: false,
            read_only: false,
            dirname: None,
            overrides: None,
            place: place as u32,
        });
    }
    Form {
        nth,
        id: None,
        name: None,
        page: page.clone(),
        action: Url::parse(&kept.action).ok(),
        method: if kept.method.eq_ignore_ascii_case("post") { Method::Post } else { Method::Get },
        dialog: kept.method.eq_ignore_ascii_case("dialog"),
        enctype: Enctype::default(),
        charset: "UTF-8",
        fields,
        title: String::new(),
        navigation: None,
        cut: None,
    }
}

/// Kinds of fields and their words, as the survey keeps them.
const KINDS: [(Kind, &str); 25] = [
    (Kind::Text, "text"),
    (Kind::Search, "search"),
    (Kind::Tel, "tel"),
    (Kind::Url, "url"),
    (Kind::Email, "email"),
    (Kind::Number, "number"),
    (Kind::Range, "range"),
    (Kind::Date, "date"),
    (Kind::Month, "month"),
    (Kind::Week, "week"),
    (Kind::Time, "time"),
    (Kind::DateTime, "datetime-local"),
    (Kind::Color, "color"),
    (Kind::TextArea, "textarea"),
    (Kind::Select, "select"),
    (Kind::MultiSelect, "select-multiple"),
    (Kind::Radio, "radio"),
    (Kind::CheckBox, "checkbox"),
    (Kind::Hidden, "hidden"),
    (Kind::Submit, "submit"),
    (Kind::Image, "image"),
    (Kind::Password, "password"),
    (Kind::File, "file"),
    (Kind::Button, "button"),
    (Kind::Reset, "reset"),
];

fn kind_of(word: &str) -> Kind {
    KINDS.iter().find(|(_, name)| name.eq_ignore_ascii_case(word)).map_or(Kind::Text, |(kind, _)| *kind)
}

fn kind_name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(one, _)| *one == kind).map_or("text", |(_, name)| name)
}

/// Does a word of the text name this key, as `key:`?
fn holds_key(text: &str, key: &str) -> bool {
    text.split(' ').any(|word| word.split_once(':').is_some_and(|(word, _)| word.eq_ignore_ascii_case(key)))
}

/// The lines of a document whose lines the survey has folded: a line begins at each key.
fn unfolded(text: &str) -> String {
    const STARTS: [&str; 8] =
        ["summarizer", "url", "title", "description", "keywords", "database", "table", "attribute"];
    let mut lines = String::with_capacity(text.len() + 64);
    for word in text.split(' ') {
        let key = word.split(':').next().filter(|key| key.len() < word.len());
        let starts = key.is_some_and(|key| STARTS.iter().any(|start| start.eq_ignore_ascii_case(key)));
        lines.push(if starts { '\n' } else { ' ' });
        lines.push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use groma_model::page::Field as KeptField;

    use super::*;

    fn field(name: &str, kind: &str, value: &str, options: &[&str]) -> KeptField {
        let options = options.iter().map(|text| ((*text).to_owned(), (*text).to_owned())).collect();
        KeptField { name: name.into(), kind: kind.into(), value: value.into(), options }
    }

    #[test]
    fn a_kept_form_looks_as_it_did_on_its_page() {
        let page = Url::parse("http://a.test/").unwrap();
        let search = groma_model::page::Form {
            action: "http://a.test/search".into(),
            method: "get".into(),
            fields: vec![
                field("kind", "radio", "inn", &[]),
                field("kind", "radio", "mill", &[]),
                field("place", "select", "", &["", "Bonn", "Ulm"]),
                field("", "submit", "Search", &[]),
            ],
        };
        let form = of_kept(&search, 0, &page);
        assert!(form.looks().search, "{:?}", form.looks());
        assert_eq!(form.fields.len(), 3);
        let counts: Vec<usize> = form.fields.iter().map(|field| field.domain().count()).collect();
        assert_eq!(counts[..2], [2, 2]);
        let login = groma_model::page::Form {
            fields: vec![field("user", "text", "", &[]), field("pass", "password", "", &[])],
            ..search
        };
        assert!(!of_kept(&login, 0, &page).looks().search);
    }

    #[test]
    fn a_document_is_known_by_its_keys_though_its_lines_were_folded() {
        let text = "Summarizer: http://a.test/sum URL: http://a.test/form Title: Hotels: all of them Table: hotel Attribute: name";
        assert!(holds_key(text, "summarizer") && !holds_key("a summarizer is a thing: yes", "summarizer"));
        let document = DbContent::read(unfolded(text).as_bytes(), Some("utf-8"));
        assert_eq!(document.title.as_deref(), Some("Hotels: all of them"));
        assert_eq!(document.summarizer.as_deref(), Some("http://a.test/sum"));
        assert_eq!(document.tables.len(), 1);
    }
}
