//! JSON Feed 1.0 and 1.1.

use serde_json::Value;

use groma_model::{BlockKind, LinkKind};

use super::{Entry, Writer};

pub(super) fn read(text: &str, writer: &mut Writer<'_>) {
    // The parser goes 128 levels deep and no further.
    let Ok(feed) = serde_json::from_str::<Value>(text) else { return };
    let word = |name: &str| feed.get(name).and_then(Value::as_str).unwrap_or_default();
    writer.sheet.title(word("title"));
    writer.sheet.language(word("language"));
    writer.sheet.block(BlockKind::Description, word("description"));
    writer.link(word("home_page_url"), LinkKind::Anchor, "", word("title"), BlockKind::Paragraph);
    writer.link(word("next_url"), LinkKind::Related, "next", "", BlockKind::Navigation);
    for item in feed.get("items").and_then(Value::as_array).into_iter().flatten() {
        let word = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let first = |names: [&str; 2]| names.map(word).into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let html = word("content_html");
        let attached = item.get("attachments").and_then(Value::as_array).into_iter().flatten();
        let attached = attached.filter_map(|one| one.get("url")?.as_str().map(str::to_owned));
        let pictures = ["image", "banner_image"].map(word).into_iter().filter(|address| !address.is_empty());
        writer.entry(&Entry {
            title: word("title"),
            link: first(["url", "external_url"]),
            date: first(["date_published", "date_modified"]),
            plain: if html.is_empty() { first(["content_text", "summary"]) } else { String::new() },
            html,
            enclosures: pictures.chain(attached).collect(),
        });
    }
}
