//! The first degree of cooperation: a DBContent document names a summarizer, and that answers with one SOIF object.
//!
//! ```text
//! GET document -> Summarizer, URL, tables        GET summarizer?id=DOCUMENT -> @DATABASE { URL  attribute{n}: values  }
//! ```
//!
//! Two requests, whatever the size of the database. The second time the summarizer is asked first, with the ETag of the last
//! answer: if nothing is new, that is the only request. The id is the name of the document without its ending: a word that the
//! summarizer looks up in its list, never a path.
//!
//! Not guaranteed: that the summarizer tells the truth. Its word is taken, and said to be its word.

use groma_url::Url;

use groma_gather::DbContent;
use groma_soif::{Limits, Object, read};

/// Attributes of an object that describe it and are no attributes of the database.
const ABOUT: [&str; 14] = [
    "title",
    "description",
    "keywords",
    "type",
    "update-time",
    "time-to-live",
    "refresh-rate",
    "file-size",
    "md5",
    "digest",
    "last-modification-time",
    "gatherer-name",
    "gatherer-version",
    "partial",
];

/// Does this look like a DBContent document? It says who summarizes, on a line of its own near its beginning.
pub(super) fn is_document(body: &[u8]) -> bool {
    let start = &body[..body.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    let key =
        |line: &str| line.split_once(':').map(|(key, _)| key.trim().trim_start_matches('\u{feff}').to_lowercase());
    !text.trim_start().starts_with('<') && text.lines().filter_map(key).any(|key| key == "summarizer")
}

/// Does this look like SOIF: a collection, or one summary?
pub(super) fn is_soif(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    body.starts_with(b"@") && body[..body.len().min(512)].contains(&b'{')
}

/// The URL of the summarizer for this document; in words why there is none.
pub(super) fn address(document: &DbContent, place: &Url) -> Result<Url, String> {
    let named = document.summarizer.as_deref().ok_or("the document names no summarizer")?;
    let mut url = place.join(named).map_err(|_| format!("{named} is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{named} cannot be asked"));
    }
    let id = id_of(place).ok_or("the document has no name that could be its id")?;
    url.query_pairs_mut().append_pair("id", &id);
    Ok(url)
}

/// The name of a document without its ending.
fn id_of(place: &Url) -> Option<String> {
    let last = place.path().rsplit('/').next()?;
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    Some(stem.to_owned()).filter(|stem| !stem.is_empty())
}

/// What a summarizer said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// The form that people use.
    pub(super) form: Option<String>,
    pub(super) title: Option<String>,
    /// Attributes and values.
    pub(super) values: Vec<(String, String)>,
    /// Something is missing, and what.
    pub(super) missing: Vec<String>,
}

/// Reads the answer of a summarizer: all objects in it are of the database.
pub(super) fn summary(body: &[u8]) -> Result<Summary, String> {
    let mut said = Summary::default();
    let mut objects = 0;
    for object in read(body, Limits::default()) {
        match object {
            Ok(object) => take(&object, &mut said),
            // What came before it stands.
            Err(complaint) if objects > 0 => said.missing.push(complaint.to_string()),
            Err(complaint) => return Err(format!("the answer is no SOIF: {complaint}")),
        }
        objects += 1;
    }
    if objects == 0 {
        return Err("the answer holds no SOIF object".to_owned());
    }
    Ok(said)
}

fn take(object: &Object, said: &mut Summary) {
    let address = String::from_utf8_lossy(&object.url).into_owned();
    said.form = said.form.take().or(Some(address).filter(|address| !address.is_empty() && address != "-"));
    said.title = said.title.take().or(object.text("title").map(|title| title.into_owned()));
    if let Some(what) = object.text("partial") {
        said.missing.push(format!("the summarizer left something out: {what}"));
    }
    said.values.extend(attributes(object));
}

/// The attributes of the database that an object summarizes, with their values; not what describes the object itself.
pub fn attributes(object: &Object) -> Vec<(String, String)> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in &object.attributes {
        let name = base(&String::from_utf8_lossy(name)).to_owned();
        let about = ABOUT.contains(&name.to_lowercase().as_str());
        if !about && !names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            names.push(name);
        }
    }
    let mut found = Vec::new();
    for name in names {
        for value in object.values(&name) {
            found.push((name.clone(), String::from_utf8_lossy(value).into_owned()));
        }
    }
    found
}

/// A name without the number of the older form, `Name-1`.
fn base(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((base, number))
            if !base.is_empty() && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            base
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_from_pages_and_lead_to_their_summarizer() {
        assert!(is_document(b"\xef\xbb\xbfSummarizer: http://a/\n"));
        assert!(is_document(b"Title: x\r\nSUMMARIZER : /s\r\n"));
        assert!(!is_document(b"<html>Summarizer: x"));
        assert!(!is_document(b"Title: x\n"));
        let at = |document: &str, place: &str| {
            address(&DbContent::read(document.as_bytes(), None), &Url::parse(place).unwrap()).map(|url| url.to_string())
        };
        let place = "http://a.test/db/hotel.dbcontent";
        assert_eq!(at("Summarizer: /cgi/Ora-DB.pl", place).unwrap(), "http://a.test/cgi/Ora-DB.pl?id=hotel");
        assert_eq!(at("Summarizer: http://a.test/s?x=1", place).unwrap(), "http://a.test/s?x=1&id=hotel");
        assert!(at("Summarizer: file:///etc/passwd", place).is_err());
        assert!(at("Title: x", place).is_err());
        // The id is one word: what could be a path does not leave the last part of the URL.
        assert_eq!(
            at("Summarizer: /s", "http://a.test/x/%2e%2e%2fy.txt").unwrap(),
            "http://a.test/s?id=%252e%252e%252fy"
        );
        assert!(at("Summarizer: /s", "http://a.test/x/").is_err());
    }

    #[test]
    fn a_summary_gives_values_and_says_what_is_missing() {
        let said = summary(
            b"@DATABASE { http://a.test/form\nTitle{6}:\tHotels\nname{5}:\tA\nB\nC\nort-2{1}:\tY\nort-1{1}:\tX\n}\n",
        )
        .unwrap();
        assert_eq!((said.form.as_deref(), said.title.as_deref()), (Some("http://a.test/form"), Some("Hotels")));
        let values: Vec<_> = said.values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(values, [("name", "A"), ("name", "B"), ("name", "C"), ("ort", "X"), ("ort", "Y")]);
        assert!(said.missing.is_empty(), "{:?}", said.missing);
        assert!(summary(b"<html>").is_err());
        assert!(!summary(b"@DATABASE { x\nname{99999999999}:\tA\n}\n").is_ok_and(|said| said.missing.is_empty()));
    }
}
