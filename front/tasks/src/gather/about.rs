//! What does the provider of a database say of it? Description and keywords.
//!
//! In this order, the first that has them: the DBContent document, the answer of the summarizer, the META tags of the form's page.
//! They are read from the answers that are kept, and stand in the report of the gathering.

use groma_gather::DbContent;
use groma_hel::Tree;
use groma_model::Reason;
use groma_soif::{Limits, read};
use groma_store::StoreError;
use groma_store::gathers::{AnswerRow, GatherId, GatherRow, Gathers};
use serde::{Deserialize, Serialize};

use super::describe::tree_of;

/// Letters of each that are kept.
const LETTERS: usize = 10_000;

/// Description and keywords of a database; empty where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// What it is about.
    pub description: String,
    /// Words for it, with commas between.
    pub keywords: String,
}

impl About {
    /// What the report of a gathering says.
    pub fn of_gather(row: &GatherRow) -> About {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Report {
            about: About,
        }
        serde_json::from_str::<Report>(&row.report).unwrap_or_default().about
    }

    /// What the kept answers say; `keys` are those of the documents before the first question.
    pub(super) fn of_answers(answers: &mut Gathers, id: GatherId, keys: &[&str]) -> Result<About, StoreError> {
        let mut about = About::default();
        for key in keys {
            let Some(answer) = answers.answer(id, key)?.filter(|answer| answer.reason == Reason::Fetched) else {
                continue;
            };
            let said = About::of_answer(&answer);
            for (known, new) in [(&mut about.description, said.description), (&mut about.keywords, said.keywords)] {
                if known.is_empty() {
                    *known = new;
                }
            }
        }
        Ok(about)
    }

    fn of_answer(answer: &AnswerRow) -> About {
        let body = answer.body.trim_ascii_start();
        if body.starts_with(b"@") {
            let object = read(body, Limits::default()).next().and_then(Result::ok);
            return object.map_or_else(About::default, |object| About::of_object(&object));
        }
        let charset = Some(answer.charset.as_str()).filter(|charset| !charset.is_empty());
        let is_page = body.starts_with(b"<") || answer.media_type.contains("html");
        if is_page {
            return About::of_page(&tree_of(answer));
        }
        let document = DbContent::read(&answer.body, charset);
        About::new(&document.description.unwrap_or_default(), &document.keywords.join(", "))
    }

    /// What an object says of the database it summarizes.
    pub(super) fn of_object(object: &groma_soif::Object) -> About {
        let text = |name: &str| object.text(name).unwrap_or_default().into_owned();
        About::new(&text("description"), &text("keywords"))
    }

    fn of_page(tree: &Tree) -> About {
        let meta = |wanted: &str| {
            let nodes = tree.label_of("meta").map(|label| tree.nodes(label)).unwrap_or_default();
            let named = |node: &&groma_hel::Node| {
                tree.attribute(**node, "name").is_some_and(|name| name.trim().eq_ignore_ascii_case(wanted))
            };
            nodes.iter().find(named).and_then(|node| tree.attribute(*node, "content")).unwrap_or_default()
        };
        About::new(meta("description"), meta("keywords"))
    }

    fn new(description: &str, keywords: &str) -> About {
        let short = |text: &str| groma_hel::clean(text).chars().take(LETTERS).collect();
        About { description: short(description), keywords: short(keywords) }
    }
}

#[cfg(test)]
mod tests {
    use groma_hel::Bounds;

    use super::*;

    #[test]
    fn pages_documents_and_objects_say_what_a_database_is_about() {
        let page = "<META NAME=Keywords CONTENT='Hotel,  Pension'><meta name=description content=Inns>";
        let page = About::of_page(&Tree::parse(page, &Bounds::default()));
        assert_eq!((page.description.as_str(), page.keywords.as_str()), ("Inns", "Hotel, Pension"));
        let answer = |media_type: &str, body: &[u8]| AnswerRow {
            key: "start".into(),
            about: String::new(),
            at: 1,
            reason: Reason::Fetched,
            status: 200,
            address: "http://a.test/".into(),
            media_type: media_type.into(),
            charset: "iso-8859-1".into(),
            etag: String::new(),
            last_modified: String::new(),
            cut: false,
            unchanged: false,
            requests: 1,
            body: body.to_vec(),
        };
        let document = b"Summarizer: /s\nDescription: Hotelf\xfchrer\nKeywords: Hotel,Zimmer\n";
        let document = About::of_answer(&answer("text/plain", document));
        assert_eq!((document.description.as_str(), document.keywords.as_str()), ("Hotelf\u{fc}hrer", "Hotel, Zimmer"));
        let object = About::of_answer(&answer("application/x-soif", b"@D { u\nDescription{4}:\tInns\n}\n"));
        assert_eq!((object.description.as_str(), object.keywords.as_str()), ("Inns", ""));
        assert_eq!(About::of_answer(&answer("text/html", b"nothing")), About::default());
    }
}
