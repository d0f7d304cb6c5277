//! Goes through everything that answers, once: the best of it, how much there is, and counts by section, type, language, site.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::HashMap;
use std::sync::Arc;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::places::Places;

/// What a page must be besides answering the words.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub(crate) hosts: Option<Vec<u64>>,
    pub(crate) not_hosts: Vec<u64>,
    pub(crate) classes: Option<Vec<u64>>,
    pub(crate) not_classes: Vec<u64>,
    pub(crate) languages: Option<Vec<u64>>,
    pub(crate) not_languages: Vec<u64>,
    /// The first and the last day.
    pub(crate) days: Option<(i64, i64)>,
    /// Branches of the map, one of which it must stand in.
    pub(crate) branches: Option<Vec<(u32, u32)>>,
    pub(crate) not_branches: Vec<(u32, u32)>,
    /// By number: pages that may answer.
    pub(crate) pages: Option<Arc<[bool]>>,
}

/// What is gathered.
#[derive(Clone, Debug)]
pub(crate) struct Gather {
    pub(crate) filter: Arc<Filter>,
    pub(crate) places: Arc<Places>,
    /// How many of the best are wanted.
    pub(crate) most: usize,
    /// How much the rank counts.
    pub(crate) rank: f32,
    /// There are no words: the rank alone decides.
    pub(crate) by_rank: bool,
    /// Count by kind too; where the sections of the branch asked for begin, or of the whole site if that is empty.
    pub(crate) facets: bool,
    pub(crate) sections: Arc<Vec<u32>>,
}

/// Everything that answers.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) total: u64,
    /// Score and page, best first.
    pub(crate) best: Vec<(f32, u32)>,
    /// By place of the section.
    pub(crate) sections: Vec<u64>,
    pub(crate) classes: HashMap<u64, u64>,
    pub(crate) languages: HashMap<u64, u64>,
    pub(crate) hosts: HashMap<u64, u64>,
}

/// A page in the running: the better is the greater.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Runner(f32, u32);

impl Eq for Runner {}

impl PartialOrd for Runner {
    fn partial_cmp(&self, other: &Runner) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Runner {
    fn cmp(&self, other: &Runner) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// One part of the index.
pub(crate) struct Part {
    what: Gather,
    page: Column<u64>,
    day: Column<u64>,
    class: Column<u64>,
    language: Column<u64>,
    host: Column<u64>,
    has_filter: bool,
    best: BinaryHeap<Reverse<Runner>>,
    found: Found,
    /// The value counted last, and how often in a row: neighbours are mostly alike.
    runs: [(u64, u64); 3],
}

impl Collector for Gather {
    type Fruit = Found;
    type Child = Part;

    fn for_segment(&self, _: SegmentOrdinal, segment: &SegmentReader) -> tantivy::Result<Part> {
        let columns = segment.fast_fields();
        let filter = &self.filter;
        let has_filter = filter.hosts.is_some()
            || filter.classes.is_some()
            || filter.languages.is_some()
            || filter.days.is_some()
            || filter.branches.is_some()
            || filter.pages.is_some()
            || !filter.not_hosts.is_empty()
            || !filter.not_classes.is_empty()
            || !filter.not_languages.is_empty()
            || !filter.not_branches.is_empty();
        let sections = if self.sections.is_empty() { self.places.sections().len() } else { self.sections.len() };
        let found = Found { sections: vec![0; if self.facets { sections } else { 0 }], ..Found::default() };
        Ok(Part {
            what: self.clone(),
            page: columns.u64("page")?,
            day: columns.u64("day")?,
            class: columns.u64("class")?,
            language: columns.u64("language")?,
            host: columns.u64("host")?,
            has_filter,
            best: BinaryHeap::new(),
            found,
            runs: [(u64::MAX, 0); 3],
        })
    }

    fn requires_scoring(&self) -> bool {
        !self.by_rank && self.most > 0
    }

    fn merge_fruits(&self, parts: Vec<Found>) -> tantivy::Result<Found> {
        let mut all = Found::default();
        for part in parts {
            all.total += part.total;
            all.best.extend(part.best);
            all.sections.resize(part.sections.len().max(all.sections.len()), 0);
            all.sections.iter_mut().zip(part.sections).for_each(|(sum, count)| *sum += count);
            for (sums, counts) in
                [(&mut all.classes, part.classes), (&mut all.languages, part.languages), (&mut all.hosts, part.hosts)]
            {
                counts.into_iter().for_each(|(value, count)| *sums.entry(value).or_default() += count);
            }
        }
        all.best.sort_unstable_by_key(|(score, page)| Reverse(Runner(*score, *page)));
        all.best.truncate(self.most);
        Ok(all)
    }
}

impl Part {
    fn passes(&self, document: DocId, page: u32) -> bool {
        let filter = &self.what.filter;
        let value = |column: &Column<u64>| column.first(document).unwrap_or(0);
        let within = |wanted: &Option<Vec<u64>>, not: &[u64], column: &Column<u64>| {
            if wanted.is_none() && not.is_empty() {
                return true;
            }
            let value = value(column);
            wanted.as_ref().is_none_or(|wanted| wanted.contains(&value)) && !not.contains(&value)
        };
        let in_days = |(first, last): (i64, i64)| {
            let day = value(&self.day) as i64;
            day > 0 && first <= day && day <= last
        };
        let enter = || self.what.places.span(page).map(|span| span.0);
        let below = |branches: &[(u32, u32)]| {
            enter().is_some_and(|at| branches.iter().any(|(enter, leave)| *enter <= at && at < *leave))
        };
        filter.pages.as_ref().is_none_or(|pages| pages.get(page as usize).copied().unwrap_or(false))
            && within(&filter.hosts, &filter.not_hosts, &self.host)
            && within(&filter.classes, &filter.not_classes, &self.class)
            && within(&filter.languages, &filter.not_languages, &self.language)
            && filter.days.is_none_or(in_days)
            && filter.branches.as_ref().is_none_or(|branches| below(branches))
            && (filter.not_branches.is_empty() || !below(&filter.not_branches))
    }

    /// Even the highest rank would not bring a page with this score among the best.
    fn is_hopeless(&self, score: Score) -> bool {
        if self.best.len() < self.what.most {
            return false;
        }
        let highest = score * (1.0 + self.what.rank);
        self.best.peek().is_none_or(|least| !self.what.by_rank && highest < least.0.0)
    }

    fn count(&mut self, document: DocId, page: u32) {
        let places = &self.what.places;
        let place = if self.what.sections.is_empty() {
            places.section_place(page)
        } else {
            let enter = places.span(page).map_or(0, |span| span.0);
            self.what.sections.partition_point(|start| *start <= enter).wrapping_sub(1)
        };
        if let Some(count) = self.found.sections.get_mut(place) {
            *count += 1;
        }
        let values = [&self.class, &self.language, &self.host].map(|column| column.first(document).unwrap_or(0));
        let sums = [&mut self.found.classes, &mut self.found.languages, &mut self.found.hosts];
        for ((value, run), sum) in values.into_iter().zip(&mut self.runs).zip(sums) {
            if run.0 == value {
                run.1 += 1;
            } else {
                flush(*run, sum);
                *run = (value, 1);
            }
        }
    }
}

fn flush((value, count): (u64, u64), sums: &mut HashMap<u64, u64>) {
    if count > 0 {
        *sums.entry(value).or_default() += count;
    }
}

impl SegmentCollector for Part {
    type Fruit = Found;

    fn collect(&mut self, document: DocId, score: Score) {
        if !self.has_filter && !self.what.facets && self.is_hopeless(score) {
            self.found.total += 1;
            return;
        }
        let page = self.page.first(document).unwrap_or(0) as u32;
        if self.has_filter && !self.passes(document, page) {
            return;
        }
        self.found.total += 1;
        if self.what.facets {
            self.count(document, page);
        }
        if self.is_hopeless(score) {
            return;
        }
        let rank = self.what.places.rank(page);
        let runner = Runner(if self.what.by_rank { rank } else { score * (1.0 + self.what.rank * rank) }, page);
        if self.best.len() < self.what.most {
            self.best.push(Reverse(runner));
        } else if self.best.peek().is_some_and(|least| runner > least.0) {
            self.best.pop();
            self.best.push(Reverse(runner));
        }
    }

    fn harvest(mut self) -> Found {
        let sums = [&mut self.found.classes, &mut self.found.languages, &mut self.found.hosts];
        self.runs.into_iter().zip(sums).for_each(|(run, sums)| flush(run, sums));
        self.found.best = self.best.into_iter().map(|Reverse(Runner(score, page))| (score, page)).collect();
        self.found
    }
}
