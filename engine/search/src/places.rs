//! What is known of a page apart from its text: its rank, and where it stands on the map.
//!
//! Ranks and the map change with every crawl, documents do not: so this is a file of its own, as large as sixteen bytes a page,
//! read into memory. The map is kept as a walk: a page is entered at a number and left at another, and everything between is
//! below it.

use std::path::Path;

use groma_graph::WalkStep;
use groma_model::PageId;
use groma_store::Snapshot;
use groma_survey_graph::{Reading, SurveyGraph, SurveyGraphError};

use crate::{SearchError, sealed};

/// Not on the map.
const NOWHERE: u32 = u32::MAX;
/// Titles kept for suggestions, of the first pages by rank.
const TITLES: usize = 5_000;
/// Letters of a title that count.
const LETTERS: usize = 100;
pub(crate) const NAME: &str = "places";
pub(crate) const TITLE_NAME: &str = "titles";

/// Ranks and places, by the number of a page.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// From 0, the least, to 1, the highest of the survey; logarithmic.
    ranks: Vec<f32>,
    /// Where a page is entered and left.
    spans: Vec<(u32, u32)>,
    /// The page at each step of the walk.
    walk: Vec<u32>,
    /// The child of the root each page stands below, as a place in `sections`.
    section_of: Vec<u32>,
    /// The children of the root.
    sections: Vec<u32>,
}

impl Places {
    /// The rank of a page between 0 and 1.
    pub(crate) fn rank(&self, page: u32) -> f32 {
        self.ranks.get(page as usize).copied().unwrap_or(0.0)
    }

    /// From where to where the walk is below this page; nothing if it is not on the map.
    pub(crate) fn span(&self, page: u32) -> Option<(u32, u32)> {
        self.spans.get(page as usize).copied().filter(|span| span.0 != NOWHERE)
    }

    /// How many pages stand below this one.
    pub(crate) fn below(&self, page: u32) -> u32 {
        self.span(page).map_or(0, |(enter, leave)| leave - enter - 1)
    }

    /// The section of the site: a child of the root.
    pub(crate) fn section(&self, page: u32) -> Option<u32> {
        self.sections.get(*self.section_of.get(page as usize)? as usize).copied()
    }

    /// The pages right below a page, in the order of the map; for the root, the sections.
    pub(crate) fn children(&self, page: u32) -> Vec<u32> {
        let Some((enter, leave)) = self.span(page) else { return Vec::new() };
        let mut children = Vec::new();
        let mut at = enter + 1;
        while at < leave {
            let Some(&child) = self.walk.get(at as usize) else { break };
            children.push(child);
            at = self.spans[child as usize].1.max(at + 1);
        }
        children
    }

    /// The page entered at this step of the walk.
    pub(crate) fn at(&self, step: u32) -> Option<u32> {
        self.walk.get(step as usize).copied()
    }

    /// The root of the map.
    pub(crate) fn root(&self) -> Option<u32> {
        self.walk.first().copied()
    }

    /// The number of sections, and the place among them of a page's.
    pub(crate) fn sections(&self) -> &[u32] {
        &self.sections
    }

    /// The place among the sections; greater than their number if it stands below none.
    pub(crate) fn section_place(&self, page: u32) -> usize {
        self.section_of.get(page as usize).copied().unwrap_or(NOWHERE) as usize
    }

    fn from_spans(ranks: Vec<f32>, spans: Vec<(u32, u32)>) -> Places {
        let on_map = spans.iter().filter(|span| span.0 != NOWHERE).count();
        let mut walk = vec![NOWHERE; on_map];
        for (page, span) in spans.iter().enumerate() {
            if let Some(step) = walk.get_mut(span.0 as usize) {
                *step = page as u32;
            }
        }
        let mut places = Places { section_of: vec![NOWHERE; spans.len()], ranks, spans, walk, sections: Vec::new() };
        let sections = places.root().map(|root| places.children(root)).unwrap_or_default();
        for (place, section) in sections.iter().enumerate() {
            let (enter, leave) = places.spans[*section as usize];
            for page in &places.walk[enter as usize..(leave as usize).min(places.walk.len())] {
                places.section_of[*page as usize] = place as u32;
            }
        }
        places.sections = sections;
        places
    }

    /// Reads the file in this folder; nothing known if there is none.
    pub(crate) fn load(folder: &Path) -> Result<Places, SearchError> {
        let Some(bytes) = sealed::read(&folder.join(NAME))? else { return Ok(Places::default()) };
        let (rows, _) = bytes.as_chunks::<12>();
        let number = |row: &[u8; 12], at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
        let ranks = rows.iter().map(|row| f32::from_bits(number(row, 0))).collect();
        let spans = rows.iter().map(|row| (number(row, 4), number(row, 8))).collect();
        Ok(Places::from_spans(ranks, spans))
    }

    /// Which of its files are not there, though the store has what they are made of.
    pub(crate) fn missing(folder: &Path, store: &mut dyn Snapshot) -> Result<Vec<&'static str>, SearchError> {
        let missing: Vec<_> = [NAME, TITLE_NAME].into_iter().filter(|name| !folder.join(name).exists()).collect();
        if missing.is_empty() {
            return Ok(missing);
        }
        match SurveyGraph::read(store, &Reading::default()) {
            Ok(_) => Ok(missing),
            Err(SurveyGraphError::Store(error)) => Err(error.into()),
            Err(SurveyGraphError::Io(error)) => Err(error.into()),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// The titles kept in this folder, the highest rank first.
    pub(crate) fn titles(folder: &Path) -> Result<Vec<String>, SearchError> {
        let bytes = sealed::read(&folder.join(TITLE_NAME))?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }

    /// Computes ranks and map and writes them into this folder. A crawl that has finished no layer yet has none: the old ones
    /// stay. `belongs`: pages whose titles may be suggested.
    pub(crate) fn renew(
        folder: &Path,
        store: &mut dyn Snapshot,
        belongs: &dyn Fn(u32) -> bool,
    ) -> Result<(), SearchError> {
        let graph = match SurveyGraph::read(store, &Reading::default()) {
            Ok(graph) => graph,
            Err(SurveyGraphError::Store(error)) => return Err(error.into()),
            Err(SurveyGraphError::Io(error)) => return Err(error.into()),
            Err(_) => return Ok(()),
        };
        let ranks = &graph.ranks.values;
        let least = 0.15f64;
        let top = ranks.iter().copied().fold(least, f64::max);
        let scale = (top / least).ln().max(f64::MIN_POSITIVE);
        let mut spans = vec![(NOWHERE, NOWHERE); graph.standings.count() as usize];
        if let Ok(root) = graph.root(None) {
            let tree = graph.tree(root);
            let mut next = 0;
            for step in tree.walk() {
                match step {
                    WalkStep::Enter(place) => {
                        spans[tree.node(place) as usize] = (next, NOWHERE);
                        next += 1;
                    }
                    WalkStep::Leave(place) => spans[tree.node(place) as usize].1 = next,
                }
            }
        }
        let mut bytes = Vec::with_capacity(spans.len() * 12);
        for (page, span) in spans.iter().enumerate() {
            let rank = ranks.get(page).map_or(0.0, |rank| ((rank / least).max(1.0).ln() / scale) as f32);
            bytes.extend(rank.to_bits().to_le_bytes());
            bytes.extend(span.0.to_le_bytes());
            bytes.extend(span.1.to_le_bytes());
        }
        sealed::write(&folder.join(NAME), &bytes)?;
        let mut titles = String::new();
        for page in graph.by_rank().filter(|page| belongs(*page)).take(TITLES) {
            let title = store.page(PageId(page))?.map(|page| page.facts.title).unwrap_or_default();
            let line: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
            if !line.is_empty() {
                titles.extend(line.chars().filter(|c| !c.is_control()).take(LETTERS));
                titles.push('\n');
            }
        }
        Ok(sealed::write(&folder.join(TITLE_NAME), titles.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_spans_of_a_walk() {
        // 5 is the root; 1 and 3 are below it, 2 and 4 below 1; 0 is nowhere.
        let spans = vec![(NOWHERE, NOWHERE), (1, 4), (2, 3), (4, 5), (3, 4), (0, 5)];
        let places = Places::from_spans(vec![0.0; 6], spans);
        assert_eq!(places.root(), Some(5));
        assert_eq!(places.children(5), [1, 3]);
        assert_eq!(places.children(1), [2, 4]);
        assert_eq!((places.section(4), places.section(3), places.section(5)), (Some(1), Some(3), None));
        assert_eq!((places.section(0), places.section(99), places.below(1)), (None, None, 2));
        assert_eq!(places.rank(99), 0.0);
    }
}
