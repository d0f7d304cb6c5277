//! What a map shows of a page, read from the store when its turn comes.

use std::collections::HashMap;
use std::io;

use groma_chart::{Label, Labels, Parts, Sort};
use groma_model::{LinkKind, PageId, Reason};
use groma_store::{Snapshot, StoreError};

use crate::{Standings, SurveyGraph};

/// Labels of the pages of a survey.
pub struct StoreLabels<'a> {
    store: &'a mut dyn Snapshot,
    graph: &'a SurveyGraph,
    links_in: Vec<u32>,
    extents: Option<Extents>,
    /// What pages are for databases, by their numbers.
    databases: HashMap<u32, &'static str>,
}

/// The sort and size of every URL: nine bytes each.
struct Extents {
    sorts: Vec<Sort>,
    sizes: Vec<Option<u64>>,
}

impl<'a> StoreLabels<'a> {
    /// Labels; `with_parts` if the chart of what a page links to is wanted: it costs a read of the links of each page.
    pub fn new(
        store: &'a mut dyn Snapshot,
        graph: &'a SurveyGraph,
        with_parts: bool,
    ) -> Result<StoreLabels<'a>, StoreError> {
        let extents = if with_parts { Some(Extents::read(store, &graph.standings)?) } else { None };
        Ok(StoreLabels { store, graph, links_in: graph.links_in(), extents, databases: HashMap::new() })
    }

    /// Says of these pages what they are for a database.
    pub fn with_databases(mut self, databases: HashMap<u32, &'static str>) -> StoreLabels<'a> {
        self.databases = databases;
        self
    }

    /// What a page links to, each file once.
    fn parts(&mut self, node: u32) -> Result<Parts, StoreError> {
        let mut parts = Parts::default();
        let Some(extents) = &self.extents else { return Ok(parts) };
        let mut targets = self.store.targets(PageId(node))?;
        for target in &mut targets {
            target.0 = self.graph.standings.page_of(target.0);
        }
        targets.sort_unstable();
        targets.dedup();
        for target in targets.into_iter().filter(|target| target.0 != node) {
            let (sort, size) = extents.sort_and_size(target.0);
            parts.add(sort, size);
        }
        Ok(parts)
    }
}

impl Labels for StoreLabels<'_> {
    fn label(&mut self, node: u32) -> io::Result<Label> {
        let page = self.store.page(PageId(node)).map_err(io::Error::other)?;
        let parts = self.parts(node).map_err(io::Error::other)?;
        let graph = self.graph;
        let fetched = page.as_ref().filter(|page| page.facts.status != 0);
        let facts = page.as_ref().map(|page| &page.facts);
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        Ok(Label {
            url: graph.standings.names.url(node).to_owned(),
            title: text(facts.map(|f| &f.title)),
            reason: graph.standings.reason(node).unwrap_or(Reason::Waiting),
            rank: graph.ranks.values.get(node as usize).copied().unwrap_or_default(),
            status: facts.map_or(0, |f| f.status),
            media_type: text(facts.map(|f| &f.media_type)),
            size: fetched.map(|page| page.facts.size),
            language: text(facts.map(|f| &f.language)),
            words: facts.map_or(0, |f| f.words),
            modified: facts.and_then(|f| moment(&f.last_modified)),
            changed: fetched.map(|page| page.changed_at).filter(|at| *at > 0),
            fetched: fetched.map(|page| page.facts.fetched_at),
            unlisted: facts
                .is_some_and(|f| f.noindex || f.canonical.is_some_and(|of| graph.standings.page_of(of.0) != node)),
            links_in: self.links_in.get(node as usize).copied().unwrap_or(0),
            links_out: graph.links_out(node),
            broken: graph.broken.get(node as usize).copied().unwrap_or(0),
            cluster: None,
            database: self.databases.get(&node).copied().unwrap_or_default(),
            parts,
        })
    }
}

impl Extents {
    fn read(store: &mut dyn Snapshot, standings: &Standings) -> Result<Extents, StoreError> {
        let guess = |number| sort_by_name(standings.names.url(number), standings.via_kind(number));
        let mut sorts: Vec<Sort> = (0..standings.count()).map(guess).collect();
        let mut sizes = vec![None; sorts.len()];
        store.each_extent(&mut |id, media_type, size| {
            let at = id.0 as usize;
            if at < sorts.len() && !media_type.is_empty() {
                sorts[at] = Sort::of_media_type(media_type);
                sizes[at] = Some(size);
            }
        })?;
        Ok(Extents { sorts, sizes })
    }

    fn sort_and_size(&self, number: u32) -> (Sort, Option<u64>) {
        let at = number as usize;
        (self.sorts.get(at).copied().unwrap_or(Sort::Other), self.sizes.get(at).copied().flatten())
    }
}

/// The sort of what was never fetched: by the kind of link that leads to it, then by the end of its name.
fn sort_by_name(url: &str, kind: Option<LinkKind>) -> Sort {
    match kind {
        Some(LinkKind::Image) => return Sort::Image,
        Some(LinkKind::Script | LinkKind::Style) => return Sort::Code,
        _ => {}
    }
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let file = path.splitn(4, '/').nth(3).unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let Some((_, ending)) = file.rsplit_once('.') else { return Sort::Page };
    match ending.to_ascii_lowercase().as_str() {
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "svg" | "avif" | "ico" | "bmp" | "tif" | "tiff" => Sort::Image,
        "mp3" | "mp4" | "ogg" | "oga" | "ogv" | "webm" | "wav" | "flac" | "avi" | "mov" | "mkv" => Sort::Media,
        "pdf" | "ps" | "txt" | "doc" | "docx" | "odt" | "xls" | "xlsx" | "ods" | "ppt" | "pptx" | "rtf" | "epub"
        | "md" => Sort::Document,
        "zip" | "gz" | "tgz" | "bz2" | "xz" | "zst" | "7z" | "rar" | "tar" | "deb" | "rpm" | "iso" | "jar" | "exe"
        | "dmg" | "apk" => Sort::Archive,
        "css" | "js" | "mjs" | "json" | "xml" | "wasm" | "woff" | "woff2" | "ttf" | "map" => Sort::Code,
        _ => Sort::Page,
    }
}

/// A date of HTTP, in seconds since 1970.
fn moment(text: &str) -> Option<i64> {
    let time = httpdate::parse_http_date(text).ok()?;
    time.duration_since(std::time::UNIX_EPOCH).ok().map(|since| since.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_fetched_is_sorted_by_its_name() {
        for (url, kind, sort) in [
            ("http://a.test/x.PNG?y=1", None, Sort::Image),
            ("http://a.test/pic", Some(LinkKind::Image), Sort::Image),
            ("http://a.test/", None, Sort::Page),
            ("http://a.test", None, Sort::Page),
            ("http://a.test/v1.2/", None, Sort::Page),
            ("http://a.test/b.tar.gz#top", None, Sort::Archive),
            ("17", None, Sort::Page),
        ] {
            assert_eq!(sort_by_name(url, kind), sort, "{url}");
        }
    }
}
