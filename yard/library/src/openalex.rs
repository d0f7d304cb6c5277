//! Works out of a file of OpenAlex: one JSON object a line, plain or compressed with gzip.
//!
//! An article, review, letter or the like with an abstract of at least `FEWEST_WORDS` words and two keywords becomes an
//! article. A chapter, a book, and whatever the source has no abstract of becomes a chapter: the library's books
//! reprint it. Works without a title, an author or a topic, covers, corrections and supplements are left out.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use crate::work::{Author, Subject, Work, WorkKind, plain};

/// An abstract has at least so many words; what is shorter is a remark of the source.
const FEWEST_WORDS: usize = 30;
/// An abstract is cut after so many words.
const MOST_WORDS: usize = 400;
/// A page names so many authors at most.
const MOST_AUTHORS: usize = 12;
/// A page names so many keywords at most.
const MOST_KEYWORDS: usize = 8;

/// What stands in the source where a publisher's page had no abstract.
const NO_ABSTRACT: [&str; 6] = [
    "abstract is not available",
    "no abstract",
    "uses cookies",
    "click to increase image size",
    "you do not have access",
    "full pdf is available",
];

#[derive(Deserialize)]
struct Line {
    openalex_response: Option<Record>,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    title: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    language: Option<String>,
    #[serde(default)]
    authorships: Vec<Authorship>,
    #[serde(default)]
    keywords: Vec<Named>,
    primary_topic: Option<Topic>,
    abstract_inverted_index: Option<HashMap<String, Vec<usize>>>,
}

#[derive(Deserialize)]
struct Authorship {
    author: Named,
    #[serde(default)]
    raw_affiliation_strings: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    display_name: Option<String>,
}

#[derive(Deserialize)]
struct Topic {
    display_name: String,
    subfield: Named,
    field: Named,
}

/// Reads a file of works.
pub fn read(path: &Path) -> io::Result<Vec<Work>> {
    let mut file = BufReader::new(File::open(path)?);
    let packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let lines: Box<dyn Read> = if packed { Box::new(flate2::read::MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut works = Vec::new();
    for line in BufReader::new(lines).lines() {
        works.extend(parse(&line?));
    }
    Ok(works)
}

/// The work a line tells of, if the library has a use for it.
pub fn parse(line: &str) -> Option<Work> {
    let record = serde_json::from_str::<Line>(line).ok()?.openalex_response?;
    let title = plain(record.title.as_deref()?);
    let topic = record.primary_topic?;
    if title.chars().filter(|c| c.is_alphabetic()).count() < 5 {
        return None;
    }
    let (authors, affiliations) = people(&record.authorships);
    let summary = record.abstract_inverted_index.as_ref().map(running).unwrap_or_default();
    let mut keywords: Vec<String> = Vec::new();
    for name in record.keywords.iter().filter_map(|k| k.display_name.as_deref()) {
        // "Association (psychology)": what stands in brackets is the source's note.
        let name = name.split(" (").next().unwrap_or_default().trim().to_owned();
        if !name.is_empty() && !keywords.contains(&name) && keywords.len() < MOST_KEYWORDS {
            keywords.push(name);
        }
    }
    let small = summary.to_lowercase();
    let summary = if NO_ABSTRACT.iter().any(|phrase| small.contains(phrase)) { String::new() } else { summary };
    let whole = summary.split(' ').count() >= FEWEST_WORDS && keywords.len() >= 2;
    let kind = match record.kind.as_deref()? {
        "article" | "review" | "preprint" | "letter" | "editorial" | "report" | "dissertation" if whole => {
            WorkKind::Article
        }
        "article" | "review" | "letter" | "editorial" | "book-chapter" | "book" | "reference-entry" => {
            WorkKind::Chapter
        }
        _ => return None,
    };
    let article = kind == WorkKind::Article;
    Some(Work {
        id: record.id,
        derived: false,
        kind,
        title,
        authors,
        affiliations,
        summary: if article { summary } else { String::new() },
        keywords: if article { keywords } else { Vec::new() },
        subject: Subject {
            topic: topic.display_name,
            subfield: topic.subfield.display_name?,
            field: topic.field.display_name?,
        },
        language: record.language.unwrap_or_else(|| "en".into()),
    })
    .filter(|work| !work.authors.is_empty())
}

fn people(authorships: &[Authorship]) -> (Vec<Author>, Vec<String>) {
    let (mut authors, mut places): (Vec<Author>, Vec<String>) = (Vec::new(), Vec::new());
    for authorship in authorships.iter().take(MOST_AUTHORS) {
        let name = plain(authorship.author.display_name.as_deref().unwrap_or_default());
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        if letters < 3 || name.contains("&NA;") || authors.iter().any(|a| a.name == name) {
            continue;
        }
        let place = authorship.raw_affiliation_strings.first().map(|place| plain(place));
        let place = place.filter(|p| (8..=220).contains(&p.len()));
        let affiliation = place.map(|place| {
            places.iter().position(|p| *p == place).unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            })
        });
        authors.push(Author { name, affiliation });
    }
    (authors, places)
}

/// The running text of an inverted index.
fn running(index: &HashMap<String, Vec<usize>>) -> String {
    let mut words: Vec<(usize, &str)> =
        index.iter().flat_map(|(word, places)| places.iter().map(|at| (*at, word.as_str()))).collect();
    words.sort_unstable();
    let text = words.iter().take(MOST_WORDS).map(|(_, word)| *word).collect::<Vec<_>>().join(" ");
    let text = plain(&text);
    // Many abstracts of the source begin with the heading that stood above them.
    let heads = ["ABSTRACT", "Abstract", "SUMMARY", "Summary", "Zusammenfassung", "Résumé"];
    let head = heads.iter().find_map(|head| text.strip_prefix(head));
    head.map_or(text.as_str(), |rest| rest.trim_start_matches([' ', '.', ':', '—', '-'])).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_work() {
        let places: Vec<String> = (0..40).map(|n| format!("\"word{n}\":[{n}]")).collect();
        let line = format!(
            "{{\"openalex_response\":{{\"id\":\"W1\",\"title\":\"On <i>Things</i>\",\"type\":\"article\",\"language\":null,\
             \"authorships\":[{{\"author\":{{\"display_name\":\"A. Person\"}},\"raw_affiliation_strings\":[\"Some University\"]}}],\
             \"keywords\":[{{\"display_name\":\"Thing (physics)\"}},{{\"display_name\":\"Matter\"}}],\
             \"primary_topic\":{{\"display_name\":\"T\",\"subfield\":{{\"display_name\":\"S\"}},\"field\":{{\"display_name\":\"F\"}}}},\
             \"abstract_inverted_index\":{{{}}}}}}}",
            places.join(",")
        );
        let work = parse(&line).unwrap();
        assert_eq!((work.kind, work.title.as_str()), (WorkKind::Article, "On Things"));
        assert_eq!(work.keywords, ["Thing", "Matter"]);
        assert_eq!(work.affiliations, ["Some University"]);
        assert!(work.summary.starts_with("word0 word1 ") && work.summary.ends_with(" word39"));
        assert!(work.subject.has("S") && !work.subject.has("X"));
    }

    #[test]
    fn other_lines_are_no_works() {
        assert!(parse("").is_none());
        assert!(parse("{\"openalex_response\":null}").is_none());
    }
}
