//! The judges of the catalogue at work: what they say of rows, pages, servers and links becomes drafts.
//!
//! Remarks are kept once each. Cost: each judge that is asked for looks at each page once; 4 bytes a finding beside its draft, and the
//! remarks.

use std::collections::HashMap;

use groma_model::PageId;

use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::catalogue::view::{LinkView, PageView};
use crate::draft::Draft;
use crate::evidence::PageFacts;
use crate::facts::NONE;
use crate::finding::{Kind, Kinds};

macro_rules! judges {
    ($( $variant:ident, $file:ident; )*) => {
        /// How a check comes to its findings.
        pub(crate) fn judge_of(kind: Kind) -> Judge {
            match kind { $( Kind::$variant => super::$file::JUDGE, )* }
        }
    };
}

each_check!(judges);

/// What was said of pages, each text once.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    texts: Vec<String>,
    places: HashMap<String, u32>,
}

impl Remarks {
    /// The number of a text; none for an empty one.
    fn keep(&mut self, text: String) -> u32 {
        if text.is_empty() {
            return NONE;
        }
        if let Some(place) = self.places.get(&text) {
            return *place;
        }
        let place = u32::try_from(self.texts.len()).unwrap_or(NONE);
        self.texts.push(text.clone());
        self.places.insert(text, place);
        place
    }

    /// The text of a number.
    pub(crate) fn text(&self, place: u32) -> &str {
        self.texts.get(place as usize).map_or("", String::as_str)
    }
}

/// What was seen at a server: the first page, how many, and what was said of the first.
#[derive(Debug)]
struct SeenAtServer {
    first: PageId,
    pages: u64,
    remark: String,
}

type RowJudge = fn(&PageFacts<'_>, &Thresholds) -> Option<String>;
type LinkJudge = fn(&LinkView<'_>) -> bool;
type PageJudge = fn(&PageView<'_>) -> Option<String>;

/// The judges that are asked for, and what they have said so far.
pub(crate) struct Judging<'a> {
    pub(crate) thresholds: &'a Thresholds,
    rows: Vec<(Kind, RowJudge)>,
    pages: Vec<(Kind, PageJudge)>,
    servers: Vec<(Kind, PageJudge)>,
    links: Vec<(Kind, LinkJudge)>,
    seen: HashMap<(Kind, u32), SeenAtServer>,
    /// Pages of each server that were looked at.
    looked_at: HashMap<u32, u64>,
    pub(crate) remarks: Remarks,
}

impl<'a> Judging<'a> {
    pub(crate) fn new(wanted: Kinds, thresholds: &'a Thresholds) -> Judging<'a> {
        let mut judging = Judging {
            thresholds,
            rows: Vec::new(),
            pages: Vec::new(),
            servers: Vec::new(),
            links: Vec::new(),
            seen: HashMap::new(),
            looked_at: HashMap::new(),
            remarks: Remarks::default(),
        };
        for kind in wanted.iter() {
            match judge_of(kind) {
                Judge::Row(judge) => judging.rows.push((kind, judge)),
                Judge::Page(judge) => judging.pages.push((kind, judge)),
                Judge::Server(judge) => judging.servers.push((kind, judge)),
                Judge::Link(judge) => judging.links.push((kind, judge)),
                Judge::Survey => {}
            }
        }
        judging
    }

    /// Looks at a page of the survey without its content.
    pub(crate) fn row(&mut self, page: &PageFacts<'_>, drafts: &mut Vec<Draft>) {
        for (kind, judge) in &self.rows {
            if let Some(remark) = judge(page, self.thresholds) {
                drafts.push(Draft::with_remark(*kind, page.id, self.remarks.keep(remark)));
            }
        }
    }

    /// Looks at a page of the survey with its content.
    pub(crate) fn page(&mut self, view: &PageView<'_>, drafts: &mut Vec<Draft>) {
        for (kind, judge) in &self.pages {
            if let Some(remark) = judge(view) {
                drafts.push(Draft::with_remark(*kind, view.content.id, self.remarks.keep(remark)));
            }
        }
        let server = view.page.server;
        *self.looked_at.entry(server).or_default() += u64::from(!self.servers.is_empty());
        for (kind, judge) in &self.servers {
            let Some(remark) = judge(view) else { continue };
            let first = view.content.id;
            self.seen.entry((*kind, server)).or_insert(SeenAtServer { first, pages: 0, remark }).pages += 1;
        }
    }

    /// The kinds of finding that a link is.
    pub(crate) fn link(&self, view: &LinkView<'_>) -> impl Iterator<Item = Kind> {
        self.links.iter().filter(|(_, judge)| judge(view)).map(|(kind, _)| *kind)
    }

    /// What is said of servers, now that all pages have been looked at.
    pub(crate) fn finish(&mut self, drafts: &mut Vec<Draft>) {
        for ((kind, server), seen) in std::mem::take(&mut self.seen) {
            let all = self.looked_at.get(&server).copied().unwrap_or_default();
            let pages = match (seen.pages, all) {
                (pages, all) if pages == all => {
                    format!("on all {} of this server", groma_model::wording::counted(all, "page", "pages"))
                }
                (pages, all) => format!(
                    "on {} of {} pages of this server",
                    groma_model::wording::grouped(pages),
                    groma_model::wording::grouped(all)
                ),
            };
            let remark = if seen.remark.is_empty() { pages } else { format!("{}; {pages}", seen.remark) };
            drafts.push(Draft::with_remark(kind, seen.first, self.remarks.keep(remark)));
        }
    }
}
