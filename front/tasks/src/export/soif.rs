//! SOIF, as Harvest's gatherers hand it on: an object for each page, then one for each gathered database.
//!
//! ```text
//! @FILE { url
//! Title, Description, Keywords, Author   what the page says of itself
//! Type                                   HTML, Text, PDF, ... as Harvest calls them; else the media type
//! File-Size                              octets of the body
//! MD5                                    of the body, where the survey keeps it
//! Last-Modification-Time                 by the page's server     }
//! Update-Time                            when it was fetched      } seconds since 1970
//! Time-to-Live                           seconds after Update-Time until its server says that it expires
//! Body                                   the text, a line for each block, if texts are wanted
//! }
//! ```
//!
//! What is not known is not written. Cost: linear; one page is in memory at a time.

use std::io::Write;
use std::time::UNIX_EPOCH;

use data_encoding::HEXLOWER;
use groma_settings::Fault;
use groma_soif::Writer;
use groma_store::codec::Details;
use groma_store::{FetchFacts, Folder, Snapshot};
use md5::{Digest, Md5};

use super::{Exported, Leaf, PagesWanted, given, text_of, walk};

/// Media types and what Harvest calls them.
const TYPES: [(&str, &str); 12] = [
    ("text/html", "HTML"),
    ("application/xhtml+xml", "HTML"),
    ("text/plain", "Text"),
    ("application/pdf", "PDF"),
    ("application/postscript", "PostScript"),
    ("application/rtf", "RTF"),
    ("text/rtf", "RTF"),
    ("application/x-tex", "TeX"),
    ("application/x-soif", "SOIF"),
    ("image/gif", "GIF"),
    ("image/jpeg", "JPEG"),
    ("image/png", "PNG"),
];

/// Writes the pages, and what was gathered into the same survey.
pub(super) fn write(
    store: &mut dyn Snapshot,
    folder: &Folder,
    wanted: &PagesWanted<'_>,
    to: &mut dyn Write,
) -> Result<Exported, Fault> {
    let done = walk(store, wanted, &mut |store, leaf| page(store, &leaf, wanted.text, to))?;
    if !done.stopped {
        crate::gather::export_soif(folder, to)?;
    }
    Ok(done)
}

fn page(store: &mut dyn Snapshot, leaf: &Leaf, with_text: bool, to: &mut dyn Write) -> Result<(), Fault> {
    let details = leaf.details(store)?;
    let body = match &leaf.page {
        Some(page) => store.body(page.id)?,
        None => None,
    };
    let facts = leaf.page.as_ref().map(|page| page.facts.clone()).unwrap_or_default();
    let mut attributes = attributes(&facts, details.as_ref());
    if let Some(body) = body {
        attributes.push(("MD5", HEXLOWER.encode(&Md5::digest(&body))));
    }
    if with_text && let Some(text) = details.as_ref().map(text_of).filter(|text| !text.is_empty()) {
        attributes.push(("Body", text));
    }
    let mut writer = Writer::new(to);
    let mut object = writer.object(b"FILE", leaf.address.url.as_bytes())?;
    for (name, value) in &attributes {
        object.attribute(name.as_bytes(), value.as_bytes())?;
    }
    Ok(object.end()?)
}

/// What is known of a page, without its body.
fn attributes(facts: &FetchFacts, details: Option<&Details>) -> Vec<(&'static str, String)> {
    let meta = |name: &str| {
        let found = details?.metas.iter().find(|meta| meta.name == name)?;
        given(found.content.trim()).map(str::to_owned)
    };
    let fetched = Some(facts.fetched_at).filter(|at| *at > 0);
    let expires = seconds(&facts.expires).zip(fetched).map(|(expires, fetched)| expires.saturating_sub(fetched).max(0));
    let all = [
        ("Title", given(&facts.title).map(str::to_owned)),
        ("Description", meta("description")),
        ("Keywords", meta("keywords")),
        ("Author", meta("author")),
        ("Type", given(&facts.media_type).map(harvest_type)),
        ("File-Size", Some(facts.size).filter(|_| facts.status > 0).map(|size| size.to_string())),
        ("Last-Modification-Time", seconds(&facts.last_modified).map(|at| at.to_string())),
        ("Update-Time", fetched.map(|at| at.to_string())),
        ("Time-to-Live", expires.map(|left| left.to_string())),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn harvest_type(media_type: &str) -> String {
    TYPES.iter().find(|(media, _)| *media == media_type).map_or(media_type, |(_, name)| name).to_owned()
}

/// A date of a header in seconds since 1970.
fn seconds(date: &str) -> Option<i64> {
    let at = httpdate::parse_http_date(date.trim()).ok()?;
    i64::try_from(at.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()
}

#[cfg(test)]
mod tests {
    use groma_model::page::Meta;

    use super::*;

    #[test]
    fn a_page_has_the_common_attributes_as_far_as_they_are_known() {
        let facts = FetchFacts {
            status: 200,
            media_type: "text/html".into(),
            title: "Hotels".into(),
            size: 1234,
            last_modified: "Thu, 01 Jan 1970 01:00:00 GMT".into(),
            expires: "Thu, 01 Jan 1970 03:00:00 GMT".into(),
            fetched_at: 7_200,
            ..FetchFacts::default()
        };
        let meta = |name: &str, content: &str| Meta { name: name.into(), content: content.into() };
        let metas = vec![meta("description", " All of them "), meta("keywords", ""), meta("author", "Weber")];
        let details = Details { metas, ..Details::default() };
        let expected = [
            ("Title", "Hotels"),
            ("Description", "All of them"),
            ("Author", "Weber"),
            ("Type", "HTML"),
            ("File-Size", "1234"),
            ("Last-Modification-Time", "3600"),
            ("Update-Time", "7200"),
            ("Time-to-Live", "3600"),
        ];
        let all = attributes(&facts, Some(&details));
        assert_eq!(all.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>(), expected);
        // It had expired when it came: not a negative time.
        let stale = FetchFacts { expires: "0".into(), last_modified: "yesterday".into(), ..facts.clone() };
        let stale = attributes(&stale, None);
        assert!(!stale.iter().any(|(name, _)| ["Time-to-Live", "Last-Modification-Time"].contains(name)), "{stale:?}");
        let past = FetchFacts { expires: "Thu, 01 Jan 1970 00:00:01 GMT".into(), ..facts };
        assert!(attributes(&past, None).contains(&("Time-to-Live", "0".to_owned())));
        assert!(attributes(&FetchFacts::default(), None).is_empty());
    }
}
