//! What publishers write into the head of a page for machines: Highwire tags, Dublin Core, OpenGraph, JSON-LD.

use serde_json::json;

use crate::sheet::Sheet;
use crate::view::{ArticleView, BookView, Place};

impl Sheet {
    /// One `<meta>` element.
    pub(crate) fn meta(&mut self, name: &str, content: &str) -> &mut Sheet {
        self.put("<meta name=\"").put(name).put("\" content=\"").say(content).put("\">\n")
    }

    /// One `<meta>` element with a property, as OpenGraph has it.
    pub(crate) fn property(&mut self, name: &str, content: &str) -> &mut Sheet {
        self.put("<meta property=\"").put(name).put("\" content=\"").say(content).put("\"/>\n")
    }

    /// The opening of a page up to its `<title>`, with the style of the template.
    pub(crate) fn head(&mut self, at: &Place, style: &str) -> &mut Sheet {
        self.put("<!DOCTYPE html>\n<html lang=\"")
            .put(at.words.code)
            .put("\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
        self.say(&at.bar).put("</title>\n<style>").put(style).put("</style>\n")
    }

    /// All Highwire tags there are.
    pub(crate) fn highwire(&mut self, v: &ArticleView) -> &mut Sheet {
        self.highwire_bare(v);
        for author in &v.authors {
            self.meta("citation_author", &author.name);
            if let Some(place) = author.mark.and_then(|mark| v.affiliations.get(mark - 1)) {
                self.meta("citation_author_institution", place);
            }
        }
        if !v.summary.is_empty() {
            self.meta("citation_abstract", v.summary);
        }
        let keywords: Vec<&str> = v.keywords.iter().map(|k| k.name.as_str()).collect();
        self.meta("citation_keywords", &keywords.join("; "))
    }

    /// Highwire tags of those who write the least: title, journal, numbers.
    pub(crate) fn highwire_bare(&mut self, v: &ArticleView) -> &mut Sheet {
        self.meta("citation_title", v.title).meta("citation_journal_title", &v.journal.text);
        self.meta("citation_volume", &v.volume.to_string()).meta("citation_issue", &v.number.to_string());
        self.meta("citation_firstpage", &v.pages.0.to_string()).meta("citation_doi", &v.doi);
        self.meta("citation_publication_date", &v.date)
    }

    /// Dublin Core of an article.
    pub(crate) fn dublin_core(&mut self, v: &ArticleView) -> &mut Sheet {
        self.meta("DC.Title", v.title).meta("DC.Identifier", &v.doi).meta("DC.Date", &v.date);
        for author in &v.authors {
            self.meta("DC.Creator", &author.name);
        }
        for keyword in &v.keywords {
            self.meta("DC.Subject", &keyword.name);
        }
        self.meta("DC.Description", v.summary).meta("DC.Language", v.language)
    }

    /// OpenGraph of any page.
    pub(crate) fn open_graph(&mut self, kind: &str, title: &str, text: &str) -> &mut Sheet {
        let short: String = text.chars().take(200).collect();
        self.property("og:type", kind).property("og:title", title).property("og:description", &short)
    }

    /// A JSON-LD object in a script.
    pub(crate) fn json_ld(&mut self, object: &serde_json::Value) -> &mut Sheet {
        // "</script>" within a text would end the element.
        let text = object.to_string().replace("</", "<\\/");
        self.put("<script type=\"application/ld+json\">").put(&text).put("</script>\n")
    }

    /// An article as JSON-LD.
    pub(crate) fn json_ld_article(&mut self, v: &ArticleView) -> &mut Sheet {
        let author = |a: &crate::view::Person| {
            let place = a.mark.and_then(|mark| v.affiliations.get(mark - 1));
            json!({"@type": "Person", "name": a.name, "affiliation": place})
        };
        let keywords: Vec<&str> = v.keywords.iter().map(|k| k.name.as_str()).collect();
        self.json_ld(&json!({
            "@context": "https://schema.org", "@type": "ScholarlyArticle", "headline": v.title, "datePublished": v.date,
            "author": v.authors.iter().map(author).collect::<Vec<_>>(), "description": v.summary,
            "keywords": keywords.join(", "), "isPartOf": {"@type": "Periodical", "name": v.journal.text},
        }))
    }

    /// A book or a chapter as JSON-LD.
    pub(crate) fn json_ld_book(&mut self, v: &BookView) -> &mut Sheet {
        let kind = if v.part_of.is_some() { "Chapter" } else { "Book" };
        let authors: Vec<serde_json::Value> =
            v.authors.iter().map(|a| json!({"@type": "Person", "name": a.name})).collect();
        self.json_ld(&json!({"@context": "https://schema.org", "@type": kind, "name": v.title, "author": authors,
            "datePublished": v.year.to_string(), "isbn": v.isbn}))
    }
}
