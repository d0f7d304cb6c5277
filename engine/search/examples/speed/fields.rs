//! A plain run of the engine with the fields that our index has.

use std::path::Path;

use groma_model::{BlockKind, LinkKind, Reason};
use groma_store::codec::{unpack_details, unpack_links};
use groma_store::{Folder, Snapshot};
use tantivy::TantivyDocument;
use tantivy::schema::{FAST, INDEXED, STRING, Schema, TEXT};

use crate::Done;

/// Texts of links that go into a document, as many as in ours.
const KEPT: usize = 12;

/// What other pages call each page, by its number.
pub(crate) fn said(folder: &Path) -> Done<Vec<Vec<String>>> {
    let mut said: Vec<Vec<String>> = Vec::new();
    let mut targets = Vec::new();
    Folder::new(folder).read()?.each_content(&mut |id, packed| {
        let Some(details) = unpack_details(packed.details) else { return };
        if unpack_links(packed.targets, &mut targets).is_none() {
            return;
        }
        for (link, (target, _)) in details.links.into_iter().zip(&targets) {
            let place = *target as usize;
            said.resize_with(said.len().max(place + 1), Vec::new);
            let known = &mut said[place];
            let counts = link.kind == LinkKind::Anchor && *target != id.0 && !link.text.is_empty();
            if counts && known.len() < KEPT && !known.contains(&link.text) {
                known.push(link.text);
            }
        }
    })?;
    Ok(said)
}

/// Writes title, headings, texts of links, summary, body, URL, folders and numbers of every page.
pub(crate) fn write(folder: &Path, target: &Path, said: &[Vec<String>]) -> Done<u64> {
    let mut builder = Schema::builder();
    let mut text = |name: &str| builder.add_text_field(name, TEXT);
    let (title, heading, anchor) = (text("title"), text("heading"), text("anchor"));
    let (summary, body, address) = (text("summary"), text("body"), text("address"));
    let under = builder.add_text_field("under", STRING);
    let page = builder.add_u64_field("page", FAST | INDEXED);
    let numbers = ["digest", "day", "class", "language", "host"].map(|name| builder.add_u64_field(name, FAST));
    let index = tantivy::Index::create_in_dir(target, builder.build())?;
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(2, 160_000_000)?;
    let mut store = Folder::new(folder).read()?;
    let mut all = Vec::new();
    store.each_page(&mut |row, facts| {
        if let Some(facts) = facts.filter(|_| row.reason == Reason::Fetched) {
            all.push((row.id, row.url.clone(), facts.facts.title.clone()));
        }
    })?;
    let mut pages = 0;
    for (id, url, name) in all {
        let Some(details) = store.details(id)?.and_then(|packed| unpack_details(&packed)) else { continue };
        let joined = |wanted: &dyn Fn(BlockKind) -> bool| {
            let texts = details.blocks.iter().filter(|block| wanted(block.kind)).map(|block| block.text.as_str());
            texts.collect::<Vec<_>>().join("\n")
        };
        let is_heading = |kind| (BlockKind::Heading1..=BlockKind::Heading6).contains(&kind);
        let is_summary = |kind| matches!(kind, BlockKind::Description | BlockKind::Keywords);
        let is_body = |kind| {
            use BlockKind::{ImageAlt, ListItem, Paragraph, Preformatted, TableCell};
            matches!(kind, Paragraph | ListItem | TableCell | Preformatted | ImageAlt)
        };
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        let mut document = TantivyDocument::default();
        for (field, text) in [
            (title, name),
            (heading, joined(&is_heading)),
            (anchor, said.get(id.0 as usize).map(|said| said.join("\n")).unwrap_or_default()),
            (summary, joined(&is_summary)),
            (body, joined(&is_body)),
            (address, path.to_owned()),
        ] {
            if !text.is_empty() {
                document.add_text(field, text);
            }
        }
        let start = url.len() - path.len();
        for (at, _) in path.match_indices('/').take(12) {
            document.add_text(under, &url[..=start + at]);
        }
        document.add_u64(page, u64::from(id.0));
        // Any number costs what another one costs, but for those that differ on every page.
        for (place, field) in (0u64..).zip(numbers) {
            document
                .add_u64(field, if place == 0 { u64::from(id.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { place });
        }
        writer.add_document(document)?;
        pages += 1;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(pages)
}
