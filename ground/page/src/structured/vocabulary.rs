//! What the terms of RDFa stand for: `vocab` and `prefix`, and the prefixes everybody knows (RDFa 1.1 Core, 7.4, and its initial context).
//!
//! ```text
//! term          word without a colon: the vocabulary and the word; nothing without a vocabulary
//! prefix:name   what the prefix stands for and the name; an IRI as it is if nobody declared the prefix
//! ```
//!
//! Cost: each look-up passes the declarations that are open, in which there are at most [`MOST`] prefixes.

use groma_model::structured::schema_term;

/// Prefixes that are open at once.
const MOST: usize = 128;
/// A longer vocabulary or prefix is none: each term would carry it.
const LONGEST: usize = 500;

/// The initial context of RDFa, without what nobody writes on pages.
const KNOWN: [(&str, &str); 22] = [
    ("article", "http://ogp.me/ns/article#"),
    ("cc", "http://creativecommons.org/ns#"),
    ("ctag", "http://commontag.org/ns#"),
    ("dc", "http://purl.org/dc/terms/"),
    ("dc11", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("gr", "http://purl.org/goodrelations/v1#"),
    ("ical", "http://www.w3.org/2002/12/cal/icaltzd#"),
    ("og", "http://ogp.me/ns#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("rev", "http://purl.org/stuff/rev#"),
    ("schema", "http://schema.org/"),
    ("sioc", "http://rdfs.org/sioc/ns#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("v", "http://rdf.data-vocabulary.org/#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("wdr", "http://www.w3.org/2007/05/powder#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// What an element declares.
#[derive(Debug, Default)]
struct Declared {
    /// An empty one takes back the one around it.
    vocabulary: Option<String>,
    prefixes: Vec<(String, String)>,
}

/// The declarations of the open elements, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Vocabularies(Vec<Declared>);

impl Vocabularies {
    /// An element declares a vocabulary or prefixes. False if it declares nothing.
    pub(super) fn declare(&mut self, vocabulary: Option<&str>, prefixes: Option<&str>) -> bool {
        let vocabulary = vocabulary.map(str::trim_ascii).filter(|iri| iri.len() <= LONGEST).map(str::to_owned);
        let room = MOST.saturating_sub(self.0.iter().map(|declared| declared.prefixes.len()).sum());
        let prefixes = prefixes.map(|written| read_prefixes(written, room)).unwrap_or_default();
        let some = vocabulary.is_some() || !prefixes.is_empty();
        if some {
            self.0.push(Declared { vocabulary, prefixes });
        }
        some
    }

    /// The element that declared something ends.
    pub(super) fn end(&mut self) {
        self.0.pop();
    }

    /// What a word of `typeof` or `property` stands for; nothing if it is a term of no vocabulary.
    pub(super) fn term(&self, word: &str) -> Option<String> {
        let iri = match word.split_once(':') {
            Some(_) => self.iri(word),
            None => {
                let vocabulary = self.0.iter().rev().find_map(|declared| declared.vocabulary.as_deref());
                format!("{}{word}", vocabulary.filter(|vocabulary| !vocabulary.is_empty())?)
            }
        };
        Some(schema_term(&iri).map(str::to_owned).unwrap_or(iri))
    }

    /// What a word with a colon stands for, as far as a prefix of it was declared.
    pub(super) fn iri(&self, word: &str) -> String {
        let word = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).unwrap_or(word);
        let full = word.split_once(':').filter(|(_, name)| !name.starts_with("//"));
        let meant = full.and_then(|(prefix, name)| Some((self.prefix(prefix)?, name)));
        meant.map_or_else(|| word.to_owned(), |(stands, name)| format!("{stands}{name}"))
    }

    fn prefix(&self, prefix: &str) -> Option<&str> {
        let declared = self.0.iter().rev().flat_map(|declared| declared.prefixes.iter().rev());
        let declared = declared.map(|(name, iri)| (name.as_str(), iri.as_str()));
        declared.chain(KNOWN).find(|(name, _)| name.eq_ignore_ascii_case(prefix)).map(|(_, iri)| iri)
    }
}

/// `name: IRI name: IRI ...`
fn read_prefixes(written: &str, most: usize) -> Vec<(String, String)> {
    let mut words = written.split_ascii_whitespace();
    let mut prefixes = Vec::new();
    while let Some(word) = words.next().filter(|_| prefixes.len() < most) {
        let Some(name) = word.strip_suffix(':') else { continue };
        let Some(iri) = words.next() else { break };
        if iri.len() <= LONGEST {
            prefixes.push((name.to_owned(), iri.to_owned()));
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_what_was_declared() {
        let mut open = Vocabularies::default();
        assert_eq!(open.term("name"), None);
        assert!(open.declare(Some("http://schema.org/"), Some("ex: http://ex.test/# foaf: http://other.test/ lost")));
        assert!(!open.declare(None, None));
        for (word, meaning) in [
            ("name", "name"),
            ("ex:name", "http://ex.test/#name"),
            ("EX:name", "http://ex.test/#name"),
            ("foaf:name", "http://other.test/name"),
            ("dc:title", "http://purl.org/dc/terms/title"),
            ("schema:name", "name"),
            ("https://schema.org/name", "name"),
            ("unknown:name", "unknown:name"),
            ("http://a.test/name", "http://a.test/name"),
        ] {
            assert_eq!(open.term(word).as_deref(), Some(meaning), "{word}");
        }
        open.declare(Some(""), None);
        assert_eq!(open.term("name"), None);
        open.end();
        assert_eq!(open.term("name").as_deref(), Some("name"));
        assert_eq!(open.iri("[ex:a]"), "http://ex.test/#a");
    }
}
