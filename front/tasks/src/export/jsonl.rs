//! JSON Lines: an object for each page, with its links, and with its text where that is wanted.

use std::io::Write;

use groma_model::moment::rfc3339;
use groma_model::page::Meta;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_store::codec::Details;
use serde::Serialize;

use super::{Exported, Leaf, Names, PagesWanted, given, text_of, walk};

#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    state: &'static str,
    reason: &'static str,
    depth: Option<u32>,
    status: Option<u16>,
    r#type: Option<&'a str>,
    size: Option<u64>,
    title: Option<&'a str>,
    language: Option<&'a str>,
    words: Option<u32>,
    description: Option<&'a str>,
    keywords: Option<&'a str>,
    since: String,
    fetched: Option<String>,
    changed: Option<String>,
    last_modified: Option<&'a str>,
    alias_of: Option<String>,
    canonical: Option<String>,
    text_digest: Option<String>,
    body_digest: Option<String>,
    near_digest: Option<String>,
    links: Vec<LinkPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<BlockPart<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize)]
struct LinkPart {
    to: String,
    kind: &'static str,
    text: String,
    block: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rel: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    fragment: String,
}

#[derive(Serialize)]
struct BlockPart<'a> {
    kind: &'static str,
    text: &'a str,
}

/// Writes an object for each URL.
pub(super) fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, to: &mut dyn Write) -> Result<Exported, Fault> {
    let mut names = Names::default();
    let mut links = 0;
    let done = walk(store, wanted, &mut |store, leaf| {
        let details = leaf.details(store)?;
        let kept = match &details {
            Some(details) => list(store, &mut names, &leaf, details)?,
            None => Vec::new(),
        };
        links += kept.len() as u64;
        let mut name = |id: Option<_>| id.map(|id| names.url(store, id)).transpose();
        let alias_of = name(leaf.address.alias_of)?;
        let canonical = name(leaf.page.as_ref().and_then(|page| page.facts.canonical))?;
        let line = Line { alias_of, canonical, links: kept, ..line(&leaf, details.as_ref(), wanted.text) };
        serde_json::to_writer(&mut *to, &line).map_err(std::io::Error::from)?;
        Ok(to.write_all(b"\n")?)
    })?;
    Ok(Exported { links, ..done })
}

fn list(store: &mut dyn Snapshot, names: &mut Names, leaf: &Leaf, details: &Details) -> Result<Vec<LinkPart>, Fault> {
    let targets = store.targets(leaf.address.id)?;
    let link = |(target, link): (_, &groma_store::codec::KeptLink)| {
        Ok(LinkPart {
            to: names.url(store, target)?,
            kind: link.kind.name(),
            text: link.text.clone(),
            block: link.block.name(),
            rel: link.rel.words().collect(),
            fragment: link.fragment.clone(),
        })
    };
    targets.into_iter().zip(&details.links).map(link).collect()
}

fn line<'a>(leaf: &'a Leaf, details: Option<&'a Details>, with_text: bool) -> Line<'a> {
    let facts = leaf.page.as_ref().map(|page| &page.facts);
    let changed = leaf.page.as_ref().map(|page| page.changed_at).filter(|at| *at > 0);
    let meta = |name: &str| {
        let found = details?.metas.iter().find(|meta: &&Meta| meta.name == name)?;
        given(&found.content)
    };
    let shown = details.filter(|_| with_text);
    let blocks = shown.map(|d| d.blocks.iter().map(|b| BlockPart { kind: b.kind.name(), text: &b.text }).collect());
    Line {
        url: &leaf.address.url,
        state: leaf.address.state().name(),
        reason: leaf.address.reason.name(),
        depth: leaf.address.depth.known(),
        status: facts.map(|f| f.status).filter(|status| *status > 0),
        r#type: facts.and_then(|f| given(&f.media_type)),
        size: facts.map(|f| f.size),
        title: facts.and_then(|f| given(&f.title)),
        language: facts.and_then(|f| given(&f.language)),
        words: facts.map(|f| f.words),
        description: meta("description"),
        keywords: meta("keywords"),
        since: rfc3339(leaf.address.since),
        fetched: facts.map(|f| f.fetched_at).filter(|at| *at > 0).map(rfc3339),
        changed: changed.map(rfc3339),
        last_modified: facts.and_then(|f| given(&f.last_modified)),
        alias_of: None,
        canonical: None,
        text_digest: facts.and_then(|f| f.text_fp).map(|fp| fp.hex()),
        body_digest: facts.and_then(|f| f.body_fp).map(|fp| fp.hex()),
        near_digest: facts.filter(|f| f.text_fp.is_some()).map(|f| format!("{:016x}", f.near_fp)),
        links: Vec::new(),
        blocks,
        text: shown.map(text_of),
    }
}
