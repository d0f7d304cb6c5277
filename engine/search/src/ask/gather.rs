//! Goes through everything that answers, once: the best of it, how much there is, and counts by section, type, language, site.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::HashMap;
use std::sync::Arc;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use crate::key::Key;
use crate::places::Places;

/// The number of no page.
const NO_PAGE: u32 = u32::MAX;
/// The language of what has none.
const NO_LANGUAGE: u64 = u64::MAX;

/// Where the records of a database stand: with its form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    /// The number of the form's page, if it is in the survey.
    pub(crate) page: Option<u32>,
    /// The number of its host.
    pub(crate) host: u64,
}

/// Where a record stands whose database nobody knows any more.
const LOST: Home = Home { page: None, host: u64::MAX };

/// What the place of a document is, whatever it stands for.
#[derive(Clone, Copy, Debug)]
struct Stand {
    /// Its page, or that of its form.
    page: u32,
    /// The host of a record; nothing for pages: the document has it.
    host: Option<u64>,
}

/// What a page or record must be besides answering the words.
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
    /// By number: pages that may answer, and records whose forms are on them.
    pub(crate) pages: Option<Arc<[bool]>>,
}

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
    /// Where records stand, by their gathering.
    pub(crate) homes: Arc<HashMap<u32, Home>>,
}

/// All matches of a query, the best of them in full.
#[derive(Debug, Default)]
pub(crate) struct MatchSet {
    pub(crate) total: u64,
    /// Score and key, best first.
    pub(crate) best: Vec<(f32, Key)>,
    /// By place of the section.
    pub(crate) sections: Vec<u64>,
    pub(crate) classes: HashMap<u64, u64>,
    pub(crate) languages: HashMap<u64, u64>,
    pub(crate) hosts: HashMap<u64, u64>,
}

/// A document in the running, by its score and the number of its key: the better is the greater.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Runner(f32, u64);

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
    found: MatchSet,
    /// The value counted last, and how often in a row: neighbors are mostly alike.
    runs: [(u64, u64); 3],
    /// The gathering whose record came last, and where it stands: neighbors are mostly of the same.
    last: (u32, Home),
}

impl Collector for Gather {
    type Fruit = MatchSet;
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
        let found = MatchSet { sections: vec![0; if self.facets { sections } else { 0 }], ..MatchSet::default() };
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
            last: (0, LOST),
        })
    }

    fn requires_scoring(&self) -> bool {
        !self.by_rank && self.most > 0
    }

    fn merge_fruits(&self, parts: Vec<MatchSet>) -> tantivy::Result<MatchSet> {
        let mut all = MatchSet::default();
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
        all.best.sort_unstable_by_key(|(score, key)| Reverse(Runner(*score, key.number())));
        all.best.truncate(self.most);
        Ok(all)
    }
}

impl Part {
    /// Where the document of this key stands.
    fn stand(&mut self, key: Key) -> Stand {
        let gather = match key {
            Key::Page(page) => return Stand { page, host: None },
            Key::Record(gather, _) | Key::Whole(gather) => gather,
        };
        if self.last.0 != gather {
            self.last = (gather, self.what.homes.get(&gather).copied().unwrap_or(LOST));
        }
        let home = self.last.1;
        Stand { page: home.page.unwrap_or(NO_PAGE), host: Some(home.host) }
    }

    /// The host of a document.
    fn host(&self, document: DocId, stand: Stand) -> u64 {
        stand.host.unwrap_or_else(|| self.host.first(document).unwrap_or(0))
    }

    /// The language of a document. A record has none: its words are only stemmed like those of its form.
    fn language(&self, document: DocId, stand: Stand) -> u64 {
        stand.host.map_or_else(|| self.language.first(document).unwrap_or(0), |_| NO_LANGUAGE)
    }

    fn passes(&self, document: DocId, stand: Stand) -> bool {
        let filter = &self.what.filter;
        let page = stand.page;
        let value = |column: &Column<u64>| column.first(document).unwrap_or(0);
        let within = |wanted: &Option<Vec<u64>>, not: &[u64], value: &dyn Fn() -> u64| {
            if wanted.is_none() && not.is_empty() {
                return true;
            }
            let value = value();
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
            && within(&filter.hosts, &filter.not_hosts, &|| self.host(document, stand))
            && within(&filter.classes, &filter.not_classes, &|| value(&self.class))
            && within(&filter.languages, &filter.not_languages, &|| self.language(document, stand))
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

    fn count(&mut self, document: DocId, stand: Stand) {
        let page = stand.page;
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
        let class = self.class.first(document).unwrap_or(0);
        let values = [class, self.language(document, stand), self.host(document, stand)];
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
    type Fruit = MatchSet;

    fn collect(&mut self, document: DocId, score: Score) {
        if !self.has_filter && !self.what.facets && self.is_hopeless(score) {
            self.found.total += 1;
            return;
        }
        let number = self.page.first(document).unwrap_or(0);
        let stand = self.stand(Key::from_number(number));
        if self.has_filter && !self.passes(document, stand) {
            return;
        }
        self.found.total += 1;
        if self.what.facets {
            self.count(document, stand);
        }
        if self.is_hopeless(score) {
            return;
        }
        let rank = self.what.places.rank(stand.page);
        let runner = Runner(if self.what.by_rank { rank } else { score * (1.0 + self.what.rank * rank) }, number);
        if self.best.len() < self.what.most {
            self.best.push(Reverse(runner));
        } else if self.best.peek().is_some_and(|least| runner > least.0) {
            self.best.pop();
            self.best.push(Reverse(runner));
        }
    }

    fn harvest(mut self) -> MatchSet {
        let sums = [&mut self.found.classes, &mut self.found.languages, &mut self.found.hosts];
        self.runs.into_iter().zip(sums).for_each(|(run, sums)| flush(run, sums));
        self.found.languages.remove(&NO_LANGUAGE);
        self.found.best =
            self.best.into_iter().map(|Reverse(Runner(score, key))| (score, Key::from_number(key))).collect();
        self.found
    }
}
