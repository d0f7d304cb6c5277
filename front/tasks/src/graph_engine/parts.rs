//! A survey in parts that fit: a cluster makes them of its links, and what lies inside some of them is read back.
//!
//! Links between parts are not seen by whoever looks inside one. Parts are made so that there are few ([`groma_graph_engines::Engine::parts`]).
//! Memory: the URLs of the survey, four bytes a page for its part, and the links of those parts that are read back.

use std::collections::HashSet;

use groma_graph_engines::mcl_parts::{Manner, Parted, cluster_parts};
use groma_graph_engines::{GraphEngineError, Input, PartSettings};
use groma_parquet::{Aim, GraphPage, TableError, read_some_links, read_values};
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_survey_graph::{LinkSet, PageWeb, WebPages};

use super::held::Held;
use super::out::{self, Written};
use super::{Request, Watch};

/// Stands for: in no part.
const NONE: u32 = u32::MAX;

/// Work that is to be done in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InParts {
    /// Who makes them, and where.
    pub at: Request,
    /// The most pages of a part.
    pub largest: u32,
}

/// The parts of a survey.
pub struct Parts {
    /// Its pages, without links.
    pub web: PageWeb,
    /// By number of a page: its part, called by the number of a page.
    of: Vec<u32>,
    /// Path of the links inside parts.
    links: String,
    /// The most there can be.
    most: u64,
    at: Request,
    _held: Held,
}

impl Parts {
    /// Has them made; nothing if whoever watches said stop.
    pub fn make(
        store: &mut dyn Snapshot,
        links: LinkSet,
        wanted: &InParts,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Parts>, Fault> {
        let at = wanted.at.clone();
        let mut pages = WebPages::read(store)?;
        let held = Held::take(&at)?;
        let written = out::write(&at, watch, &mut |outlet| {
            pages.each_row(store, links, &mut |node, row| {
                row.sort_unstable();
                row.dedup();
                row.iter().filter(|&&target| target != node).for_each(|&target| outlet.link(node, target, false));
            })?;
            // Which of them are pages is known only now.
            for node in (0..pages.standings.count()).filter(|&node| pages.pages[node as usize]) {
                let url = pages.standings.names.url(node);
                outlet.page(&GraphPage { id: node, url, is_source: true, is_member: true });
            }
            Ok(())
        })?;
        let Some(Written { pages: count, links: most, .. }) = written else { return Ok(None) };
        let web = pages.bare(store)?;
        let mut of = vec![NONE; web.standings.count() as usize];
        let mut parts = Parts { web, of: Vec::new(), links: String::new(), most, at, _held: held };
        if count > 0 {
            let settings = PartSettings { largest: wanted.largest, ..PartSettings::default() };
            let made = groma_graph_engines::open(&parts.at.address, &Input::Survey(parts.at.graph()), &parts.at.work)
                .and_then(|mut engine| engine.parts(&settings, watch));
            let outcome = match made {
                Err(GraphEngineError::Stopped { .. }) => return Ok(None),
                other => other.map_err(|error| parts.at.fault(&error))?,
            };
            parts.links = format!("{}/results/part-links", parts.at.work);
            parts.read(&outcome.path, count, &mut of).map_err(|error| parts.at.unread(&error))?;
        }
        Ok(Some(Parts { of, ..parts }))
    }

    /// Part by page, as a cluster wrote it: its files are of somebody else, and whatever does not fit is refused.
    fn read(&self, path: &str, pages: u64, of: &mut [u32]) -> Result<(), TableError> {
        let unfit = |says: String| TableError::File { file: path.to_owned(), says };
        let mut found = 0u64;
        for row in read_values(&Aim::parse(path)?, "id", "part", pages)? {
            let (page, part) = row?;
            let place = of.get_mut(page.0 as usize).filter(|place| self.web.is_page(page.0) && **place == NONE);
            let sound = part.fract() == 0.0 && (0.0..f64::from(self.web.standings.count())).contains(&part);
            let place = place.filter(|_| sound).ok_or_else(|| unfit(format!("page {} has no such part", page.0)))?;
            *place = part as u32;
            found += 1;
        }
        if found == pages { Ok(()) } else { Err(unfit(format!("{found} pages where there must be {pages}"))) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.of.iter().filter(|part| **part != NONE).collect::<HashSet<_>>().len()
    }

    /// Calls back with every link inside a part: the part, and its ends.
    fn each_link(&self, visit: &mut dyn FnMut(u32, u32, u32)) -> Result<(), TableError> {
        if self.links.is_empty() {
            return Ok(());
        }
        let part = |page: u32| self.of.get(page as usize).copied().filter(|part| *part != NONE);
        for link in read_some_links(&Aim::parse(&self.links)?, self.most)? {
            let (source, target) = link?;
            match (part(source.0), part(target.0)) {
                (Some(of), Some(other)) if of == other => visit(of, source.0, target.0),
                _ => {
                    let says = format!("a link from {} to {} is inside no part", source.0, target.0);
                    return Err(TableError::File { file: self.links.clone(), says });
                }
            }
        }
        Ok(())
    }

    /// The parts of some pages, as a web of its own.
    pub fn around(self, pages: &[u32]) -> Result<PageWeb, Fault> {
        let wanted: HashSet<u32> = pages.iter().filter_map(|&page| self.of.get(page as usize).copied()).collect();
        let mut links = Vec::new();
        let read = self.each_link(&mut |part, from, to| {
            if wanted.contains(&part) {
                links.push((from, to));
            }
        });
        read.map_err(|error| self.at.unread(&error))?;
        let inside = self.of.iter().map(|part| *part != NONE && wanted.contains(part)).collect();
        Ok(self.web.piece(inside, links))
    }

    /// Clusters part after part: each page with the smallest number of its cluster; pages without links inside their part are not told. Nothing
    /// if whoever watches said stop.
    pub fn cluster(
        &self,
        manner: &Manner,
        watch: &mut Watch<'_>,
        found: &mut dyn FnMut(u32, u32),
    ) -> Result<Option<Parted>, Fault> {
        let mut links = |visit: &mut dyn FnMut(i64, i64, i64)| {
            let read = self.each_link(&mut |part, from, to| visit(part.into(), from.into(), to.into()));
            read.map_err(|error| GraphEngineError::Table { path: self.links.clone(), why: error.to_string() })
        };
        let mut tell = |page: i64, cluster: i64| found(page as u32, cluster as u32);
        match cluster_parts(&mut links, manner, watch, &mut tell) {
            Err(GraphEngineError::Stopped { .. }) => Ok(None),
            Err(error) => Err(self.at.fault(&error)),
            Ok(done) => Ok(Some(done)),
        }
    }
}
