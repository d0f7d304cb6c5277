//! The notices of a site as an Atom feed (RFC 4287): the latest first, each under a name that never changes.

use groma_model::escape::{Xml, XmlLines};
use groma_model::moment::rfc3339;
use groma_model::wording::{plain, plain_lines};
use groma_notify::fingerprint;
use groma_settings::Fault;
use groma_store::Folder;
use groma_store::jobs::Queue;

use super::{Body, site_name, text, words};

const ENTRIES: usize = 50;

/// The feed. `base_url` is where people reach the server, with or without a slash at its end.
pub fn feed(folder: &Folder, queue: &mut Queue, base_url: &str) -> Result<String, Fault> {
    let rows = queue.notices(None, ENTRIES)?;
    let site = site_name(folder);
    let (notices, own) = (words::notices(base_url, &site), words::feed_address(base_url, &site));
    let updated = rows.first().map_or(0, |row| row.at);
    let shown = rows.first().map_or_else(|| site.clone(), |row| Body::from_row(row).site);
    let mut feed =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    element(&mut feed, "  ", "title", &words::feed_title(&shown));
    element(&mut feed, "  ", "subtitle", words::FEED_SUBTITLE);
    element(&mut feed, "  ", "id", &urn(&fingerprint(&["feed", &site])));
    element(&mut feed, "  ", "updated", &rfc3339(updated));
    feed.push_str("  <author><name>Groma</name></author>\n");
    feed.push_str(&format!("  <generator version=\"{}\">Groma</generator>\n", env!("CARGO_PKG_VERSION")));
    feed.push_str(&format!("  <link rel=\"self\" type=\"application/atom+xml\" href=\"{}\"/>\n", Xml(&own)));
    feed.push_str(&format!("  <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n", Xml(&notices)));
    for row in &rows {
        let body = Body::from_row(row);
        let findings = words::findings_url(base_url, &site);
        feed.push_str("  <entry>\n");
        element(&mut feed, "    ", "title", &row.title);
        element(&mut feed, "    ", "id", &urn(&body.id));
        element(&mut feed, "    ", "updated", &rfc3339(row.at));
        element(&mut feed, "    ", "published", &rfc3339(row.at));
        let link = format!("{notices}#notice-{}", row.id);
        feed.push_str(&format!("    <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n", Xml(&link)));
        body.counts.keys().for_each(|kind| feed.push_str(&format!("    <category term=\"{}\"/>\n", Xml(kind))));
        let letter = text::letter(row, &body, Some(&findings));
        let content = letter.split("\n-- \n").next().unwrap_or_default();
        feed.push_str(&format!(
            "    <content type=\"text\">{}</content>\n  </entry>\n",
            XmlLines(&plain_lines(content))
        ));
    }
    feed.push_str("</feed>\n");
    Ok(feed)
}

fn element(feed: &mut String, indent: &str, name: &str, text: &str) {
    feed.push_str(&format!("{indent}<{name}>{}</{name}>\n", Xml(&plain(text))));
}

/// A fingerprint as the name of a thing (RFC 9562, version 8: bits of our own).
fn urn(fingerprint: &str) -> String {
    let digits: String =
        fingerprint.chars().filter(char::is_ascii_hexdigit).chain("0".repeat(32).chars()).take(32).collect();
    format!(
        "urn:uuid:{}-{}-8{}-8{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..32]
    )
}
