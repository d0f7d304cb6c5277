//! Which questions bring out a database whose answers stop after K rows, and is it all?
//!
//! ```text
//! ask the open question; an answer that is cut, or could be, is split (see `split`); a whole one is a leaf
//! proved(q) = whole(q)                                                    (see `limit`)
//!           | lower(q) >= total(q)                                        a total that counts; rows seen (see `ledger`, `count`)
//!           | q was split along a closed axis and all parts are proved
//! certified = proved(open question), and nothing contradicts
//! ```
//!
//! Source: Sheng, Zhang, Tao, Jin, Optimal Algorithms for Crawling a Hidden Database in the Web, VLDB 2012 (rank-shrink,
//! slice-cover); spec 4, "Beyond the paper". An axis is *closed* if it is known from outside that every record lies in one of
//! its parts. Otherwise records without a value (NULL) or with one outside the list are found by no part of it, and only a total of a
//! question above shows that there are none: the classical false certificate. What is not shown is never taken for proved.
//! Contradictions (rows that do not match, known rows that are missing, totals that do not add up) take the certificate away.
//! Assumed, beyond what is checked: records do not come and go while we ask (whoever asks looks at that, see `groma_strategy::forms`),
//! no form counts only to some odd number (see `limit`), and what the open question does not bring is no part of the form's database:
//! that is for the controls to prove, which are no axes here.
//! *Peek*: a first page whose total is above K is not read further. Fields that take several values: see `several`.
//!
//! The cover is a function of what it was told: telling it the same again in the same order brings it to the same state.
//! Cost: O(depth) per row heard, O(s log s) per split for s <= 512 rows of a sample; memory a digest per distinct row.
//! Not guaranteed: forms whose limit changes from question to question without a word, and records that come while we ask.

mod count;
mod estimate;
mod hear;
mod leak;
mod ledger;
mod limit;
mod node;
mod plan;
pub mod probe;
mod proof;
mod several;
mod space;
mod split;
mod statement;
mod words;

use std::collections::{BTreeSet, VecDeque};

pub use space::{AnswerRecord, Axis, Cut, Heard, Part, Question, Space, Value};
pub use statement::{Estimate, Forecast, Reason, Statement};

use leak::Leak;
use ledger::Ledger;
use limit::Limit;
use node::{Node, State};
use several::Joins;
use split::Sample;

/// Rows of a sample.
const SAMPLE: usize = 512;

/// What is known or wished before the first question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// K: rows an answer has at most, where known.
    pub limit: Option<u64>,
    /// Rows a page, where known.
    pub page: Option<u64>,
    /// Questions that may be asked.
    pub questions: Option<u64>,
    /// Pages that may be read.
    pub pages: Option<u64>,
    /// Known from outside: the form never cuts an answer without saying so, and its totals count all records.
    pub speaks: bool,
    /// The open list, of so many rows on one page, has the same records in another order: it is not the beginning of a longer one.
    pub reordered: Option<u64>,
}

/// Names a question that was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub u32);

/// What to do after a page of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Read the next page.
    ReadOn,
    /// Leave it: it is cut and will be split.
    Split,
    /// Leave it: there is nothing new to come.
    Enough,
}

/// Whether a field does what it should.
#[derive(Clone, Copy, Debug, Default)]
struct Health {
    /// Answers equal to that of the question without it, and whether there was ever another.
    echoes: u32,
    differs: bool,
    /// Answers without a new row and no smaller than that of the question without it, one after the other.
    stale: u32,
    /// Questions that say something about it, and were asked.
    spent: u64,
}

/// The plan of questions and what was heard.
#[derive(Clone, Debug)]
pub struct Cover {
    axes: Vec<Axis>,
    settings: Settings,
    nodes: Vec<Node>,
    queue: VecDeque<u32>,
    /// Answers that look whole and may be cut.
    doubted: Vec<u32>,
    /// Parts that were spared.
    spared: Vec<u32>,
    ledger: Ledger,
    limit: Limit,
    health: Vec<Health>,
    /// Axes the form takes no notice of.
    useless: Vec<bool>,
    /// Axes of words that came while we asked.
    grown: Vec<bool>,
    /// By axis of beginnings: letters were added in the other case.
    both_cases: Vec<bool>,
    leaks: Vec<Leak>,
    /// By axis: how several values of one field are joined, as far as that is known.
    joins: Vec<Joins>,
    /// Questions below the open one that were split along each choice, and the first of its slices.
    splits: Vec<u32>,
    slices: Vec<Option<u32>>,
    /// The lowest and the highest number that rows have shown.
    seen: Vec<Option<(i64, i64)>>,
    /// A row came on two pages of an answer.
    repeats: bool,
    /// What speaks against a certificate for good.
    against: BTreeSet<Reason>,
    /// By depth: answers read to their end, and those of them that were cut.
    levels: Vec<(u32, u32)>,
    handed: u64,
    waiting_for: u64,
    questions: u64,
    pages: u64,
    page: u64,
}

impl Cover {
    /// A cover of this space, before the first question.
    pub fn new(space: Space, settings: Settings) -> Cover {
        let axes = space.fields;
        let parts = axes.iter().map(|axis| axis.whole().unwrap_or(Part::Open)).collect();
        let limit = Limit::new(settings.limit, settings.speaks);
        let mut cover = Cover {
            health: vec![Health::default(); axes.len()],
            useless: vec![false; axes.len()],
            leaks: vec![Leak::default(); axes.len()],
            grown: vec![false; axes.len()],
            both_cases: vec![false; axes.len()],
            seen: vec![None; axes.len()],
            joins: vec![Joins::default(); axes.len()],
            splits: vec![0; axes.len()],
            slices: vec![None; axes.len()],
            axes,
            settings,
            nodes: Vec::new(),
            queue: VecDeque::new(),
            doubted: Vec::new(),
            spared: Vec::new(),
            ledger: Ledger::default(),
            limit,
            repeats: false,
            against: BTreeSet::new(),
            levels: Vec::new(),
            handed: 0,
            waiting_for: 0,
            questions: 0,
            pages: 0,
            page: settings.page.unwrap_or(0),
        };
        cover.add(Node::new(None, Question { parts }));
        cover
    }

    /// After how many rows an answer of this form is known to stop.
    pub fn limit(&self) -> Option<u64> {
        self.limit.known()
    }

    /// Is this total known to be the number of records that match?
    pub fn counts(&self, total: u64) -> bool {
        let root = &self.nodes[0];
        self.limit.counts(total) || (root.total == Some(total) && self.is_listed_whole(root))
    }

    /// The questions that choose a value on each of these axes and nothing else, and how many records each has.
    pub fn roots(&self, chosen: &[usize]) -> Vec<(Question, u64)> {
        let is_root = |node: &&Node| {
            let is_chosen = |(axis, part): (usize, &Part)| match part {
                Part::Is(_) => chosen.contains(&axis),
                part => *part == Part::Open && !chosen.contains(&axis),
            };
            !chosen.is_empty()
                && !node.slice
                && !node.abandoned
                && node.question.parts.iter().enumerate().all(is_chosen)
        };
        let records = |node: &Node| node.total.unwrap_or(0).max(node.size.rows).max(node.lower);
        self.nodes.iter().filter(is_root).map(|node| (node.question.clone(), records(node))).collect()
    }

    fn has_budget(&self) -> bool {
        self.settings.questions.is_none_or(|most| self.handed < most)
            && self.settings.pages.is_none_or(|most| self.pages + self.waiting_for < most)
    }

    fn ancestors(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(id), |id| self.nodes[*id as usize].parent)
    }

    /// After a page of an answer: read on?
    pub fn peek(&self, id: QuestionId, heard: &Heard<'_>) -> Verdict {
        let Some(node) = self.nodes.get(id.0 as usize) else { return Verdict::Enough };
        if !heard.more || self.settings.pages.is_some_and(|most| self.pages + heard.pages.len() as u64 >= most) {
            return Verdict::Enough;
        }
        if node.again.is_some() {
            return Verdict::ReadOn;
        }
        if node.counted {
            return Verdict::Enough;
        }
        // One cut answer is read to its end: it shows the limit, and whether totals go beyond it.
        if heard.said.is_some() && self.limit.is_unknown() {
            return Verdict::ReadOn;
        }
        let exceeds = heard.cut == Cut::Yes
            || (heard.said.is_none() && self.foretells_cut(id.0))
            || heard.said.is_some_and(|said| self.limit.exceeds(said));
        if exceeds {
            let sample: Vec<Sample> = heard.pages.iter().flatten().take(SAMPLE).map(sample_of).collect();
            return if self.split_of(node, &sample).is_some() { Verdict::Split } else { Verdict::ReadOn };
        }
        // All of it was seen elsewhere.
        let new = heard.pages.iter().flatten().any(|row| !self.ledger.rows.contains_key(&row.key));
        if !new && heard.said.is_some_and(|said| self.limit.counts(said) && node.lower >= said) {
            return Verdict::Enough;
        }
        Verdict::ReadOn
    }

    /// Without totals a cut shows on the last page only. Where most answers at the same depth were cut, this one is not read to its
    /// end to see it; but for one in eight, to notice when that changes.
    fn foretells_cut(&self, id: u32) -> bool {
        let depth = self.nodes[id as usize].depth as usize;
        let (read, cut) = self.levels.get(depth).copied().unwrap_or_default();
        let saves = self.limit.rows().is_some_and(|limit| limit > 2 * self.page);
        saves && read >= 4 && u64::from(cut) * 10 >= u64::from(read) * 7 && !id.is_multiple_of(8)
    }

    /// There was no answer. The rest goes on.
    pub fn failed(&mut self, id: QuestionId) {
        if !self.answered(id) {
            return;
        }
        let node = &mut self.nodes[id.0 as usize];
        if let Some(axis) = node.again.filter(|_| !node.counted) {
            node.state = State::Split(axis);
            return;
        }
        node.state = State::Failed;
        if node.counted {
            return node.parent.into_iter().for_each(|parent| self.add_up(parent));
        }
        // A form may refuse the open question and take others.
        if id.0 == 0 {
            return self.divide(0, State::Failed);
        }
        self.leave_refused_axis(id.0);
    }

    /// The open question was refused, and so was every part of it along an axis, which chooses nothing then: another one may be what it takes.
    fn leave_refused_axis(&mut self, id: u32) {
        let root = &self.nodes[0];
        let State::Split(axis) = root.state else { return };
        let is_refused = |part: &u32| self.nodes[*part as usize].state == State::Failed;
        let is_part = self.nodes[id as usize].parent == Some(0) && self.nodes[id as usize].along == Some(axis);
        if is_part && self.ledger.rows.is_empty() && root.total.is_none() && root.children.iter().all(is_refused) {
            self.split_anew(0, axis);
        }
    }

    fn answered(&mut self, id: QuestionId) -> bool {
        let asked = self.nodes.get(id.0 as usize).is_some_and(|node| node.state == State::Asked);
        if asked {
            self.waiting_for = self.waiting_for.saturating_sub(1);
            self.questions += 1;
        }
        asked
    }
}

fn sample_of(row: &AnswerRecord) -> Sample {
    Sample { key: row.key, values: row.values.clone() }
}
