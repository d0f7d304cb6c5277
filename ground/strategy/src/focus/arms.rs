//! Arms: kinds of links are the arms of a bandit, and what a fetched page was worth is what its arm paid.
//!
//! ```text
//! arm(l)   = shape of the URL x part of the page the link stands in
//! level(p) = how near the texts of and around its links are: 0 to 6;  fans(p) = relevant pages that link to it: 0, 1, 2-3, more
//! cell     = arm x level x fans
//! worth(i) = max over k of (r_i + v_1 + ... + v_k) / (1 + k)      r_i = 1 if i is relevant; v: values of the new pages it leads to, falling
//! value(c) = (S_c + K p_c) / (n_c + K)                             p_c: what `belief` expects of shape, part, level and fans
//! next     = a page of the cell with the largest  value(c) + C m / (m + 8) sqrt(ln(1 + N) / (1 + n_arm))
//! ```
//!
//! S and n are sums of worths and their number, forgotten at a rate of `FORGET` per page of the same cell; N are all pages read, m those
//! that wait in the cell. Within a cell the nearest goes first: by the cosines of the link, of what stands around it, and of its page.
//!
//! The worth is the best rate at which pages come in when a page and then the best k of what it leads to are fetched: the index of
//! Gittins (1979) for the choice "this page, then its leads". So a list that leads to twenty relevant pages is worth nearly as
//! much as a relevant page: it is fetched before pages of which half are relevant, and after those that almost surely are.
//!
//! Source: ours; the bonus is that of UCB1 (Auer et al. 2002), less where little would be learned for. Nothing is drawn by lot. Levels
//! come from the topic's words in the text (topics of words) or from cosines (texts, examples).
//!
//! Cost: O(log n) per link, O(cells) per page taken. Arms are bounded by `MOST`, so cells by 28 times that; 24 bytes per page known,
//! and 8 per entry of a heap, of which there are at most twice as many as pages that wait. Not guaranteed: anything where kinds of
//! links say nothing about pages; then levels alone decide, much as in best-first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use groma_model::PartKind;

use super::End;
use super::belief::{Weight, fit, probability};
use super::order::{Fetched, Followed, Order, Pick};
use super::shape::{coarse, shape};

/// Arms at most; links beyond share the first.
const MOST: usize = 1024;
/// Levels of similarity that link texts are sorted into.
const LEVELS: usize = 7;
/// Numbers of relevant pages that link to one: none, one, a few, more.
const FANS: usize = 4;
/// Weight of what has been seen, one page later.
const FORGET: f64 = 0.99;
/// New pages of one page that count for its worth.
const LEADS: usize = 256;
const NOBODY: u32 = u32::MAX;

/// The constants of arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmSettings {
    /// How many pages a belief of the coarser kind counts.
    pub trust: f64,
    /// How much little-known arms are preferred.
    pub curiosity: f64,
}

impl Default for ArmSettings {
    fn default() -> ArmSettings {
        ArmSettings { trust: 3.0, curiosity: 0.1 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Paid {
    count: f64,
    sum: f64,
}

impl Paid {
    fn add(&mut self, worth: f64) {
        self.count = self.count * FORGET + 1.0;
        self.sum = self.sum * FORGET + worth;
    }

    fn value(self, trust: f64, prior: f64) -> f64 {
        (self.sum + trust * prior) / (self.count + trust)
    }
}

/// An arm, how near the texts are, how many relevant pages link there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CellKey {
    arm: u16,
    level: u8,
    fans: u8,
}

#[derive(Debug, Default)]
struct Cell {
    paid: Paid,
    /// Asked for, not yet read.
    pending: u32,
    heap: BinaryHeap<(u32, Reverse<u32>)>,
    /// Entries of the heap that count.
    live: usize,
}

/// A kind of link.
#[derive(Clone, Debug, Default)]
struct Arm {
    name: String,
    part: PartKind,
    /// Number of the coarser kind.
    folder: u16,
    weight: Weight,
    tries: f64,
}

/// What is known about a page.
#[derive(Clone, Copy, Debug)]
struct Known {
    cell: CellKey,
    parent: u32,
    fans: u16,
    near: f32,
    state: u8,
}

impl Known {
    /// Is an entry of a heap, of this cell and with these bits, the live one?
    fn is_at(&self, cell: CellKey, bits: u32) -> bool {
        self.state == WAITING && self.cell == cell && self.near.max(0.0).to_bits() == bits
    }
}

const UNKNOWN: Known =
    Known { cell: CellKey { arm: 0, level: 0, fans: 0 }, parent: NOBODY, fans: 0, near: 0.0, state: 0 };
const WAITING: u8 = 1;
const TAKEN: u8 = 2;

/// The bandit: arms are kinds of links, the reward is relevance.
#[derive(Debug)]
pub(crate) struct Arms {
    settings: ArmSettings,
    is_words: bool,
    arms: Vec<Arm>,
    numbers: HashMap<(String, PartKind), u16>,
    coarse: HashMap<String, u16>,
    cells: BTreeMap<CellKey, Cell>,
    levels: [Weight; LEVELS],
    fans: [Weight; FANS],
    parts: [Weight; PartKind::ALL.len()],
    folders: Vec<Weight>,
    known: Vec<Known>,
    read: f64,
    /// Of the page being read: whether it is relevant, and the values of what it leads to.
    reward: f64,
    leads: Vec<f64>,
}

/// What a page is worth by the level of its texts, before anything was paid.
const PRIOR: [f64; LEVELS] = [0.03, 0.06, 0.12, 0.2, 0.35, 0.7, 0.85];

impl Arms {
    pub(crate) fn new(settings: ArmSettings, is_words: bool) -> Arms {
        let sound = |x: f64, usual: f64| if x.is_finite() { x.clamp(0.0, 1000.0) } else { usual };
        let usual = ArmSettings::default();
        let settings = ArmSettings {
            trust: sound(settings.trust, usual.trust).max(0.01),
            curiosity: sound(settings.curiosity, usual.curiosity),
        };
        Arms {
            settings,
            is_words,
            arms: vec![Arm { name: "others".to_owned(), ..Arm::default() }],
            numbers: HashMap::new(),
            coarse: HashMap::new(),
            cells: BTreeMap::new(),
            levels: PRIOR.map(Weight::from_probability),
            fans: [Weight::default(); FANS],
            parts: [Weight::default(); PartKind::ALL.len()],
            folders: vec![Weight::default()],
            known: Vec::new(),
            read: 0.0,
            reward: 0.0,
            leads: Vec::new(),
        }
    }

    fn known(&mut self, node: u32) -> &mut Known {
        let at = node as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, UNKNOWN);
        }
        &mut self.known[at]
    }

    fn number(&mut self, address: &str, part: PartKind) -> u16 {
        let key = (shape(address), part);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        if self.arms.len() >= MOST {
            return 0;
        }
        let number = self.arms.len() as u16;
        let next = self.folders.len() as u16;
        let folder = *self.coarse.entry(coarse(&key.0)).or_insert(next);
        if folder == next {
            self.folders.push(Weight::default());
        }
        let name = format!("{} in {}", key.0, part.name());
        self.arms.push(Arm { name, folder, part, ..Arm::default() });
        self.numbers.insert(key, number);
        number
    }

    /// How near texts are, as one of the levels.
    fn level(&self, link: &Followed<'_>) -> u8 {
        let anchor = link.anchor.unwrap_or_default();
        let steps = |x: f64, steps: [f64; 6]| steps.iter().filter(|step| x >= **step).count() as u8;
        if self.is_words {
            if anchor.cover > 0.99 {
                return 6;
            }
            return steps(link.context.cover, [0.01, 0.25, 0.45, 0.65, 0.99, 2.0]);
        }
        steps(link.context.cosine.max(anchor.cosine), [0.03, 0.06, 0.09, 0.12, 0.16, 0.24])
    }

    fn value(&self, key: CellKey) -> f64 {
        let arm = &self.arms[usize::from(key.arm)];
        let expected = probability(&[
            arm.weight,
            self.folders[usize::from(arm.folder)],
            self.parts[arm.part as usize],
            self.levels[usize::from(key.level)],
            self.fans[usize::from(key.fans)],
        ]);
        self.cells.get(&key).map_or(expected, |cell| cell.paid.value(self.settings.trust, expected))
    }

    /// The value with what is added for little-known arms.
    fn score(&self, key: CellKey, cell: &Cell) -> f64 {
        let tries = self.arms[usize::from(key.arm)].tries + f64::from(cell.pending);
        // What is learned about an arm is of use for the pages that wait in it.
        let use_of = cell.live as f64 / (cell.live as f64 + 8.0);
        let bonus = ((1.0 + self.read).ln() / (1.0 + tries)).sqrt();
        self.value(key) + self.settings.curiosity * use_of * bonus
    }

    fn wait(&mut self, node: u32, key: CellKey, near: f32) {
        let old = *self.known(node);
        if old.state == WAITING
            && let Some(cell) = self.cells.get_mut(&old.cell)
        {
            cell.live -= 1;
        }
        let known = self.known(node);
        (known.cell, known.near, known.state) = (key, near, WAITING);
        let cell = self.cells.entry(key).or_default();
        cell.live += 1;
        // The bits of a number that is not negative are in the order of the number.
        cell.heap.push((near.max(0.0).to_bits(), Reverse(node)));
        if cell.heap.len() > 2 * cell.live + 64 {
            let known = &self.known;
            cell.heap.retain(|(bits, Reverse(node))| known[*node as usize].is_at(key, *bits));
        }
    }

    /// Takes the best page of a cell.
    fn take(&mut self, key: CellKey) -> Option<u32> {
        let cell = self.cells.get_mut(&key)?;
        while let Some((bits, Reverse(node))) = cell.heap.pop() {
            let known = &mut self.known[node as usize];
            if known.is_at(key, bits) {
                known.state = TAKEN;
                cell.live -= 1;
                cell.pending += 1;
                return Some(node);
            }
        }
        None
    }

    /// A page of a cell was worth this much.
    fn pay(&mut self, node: u32, worth: f64) {
        let key = self.known(node).cell;
        let arm = &mut self.arms[usize::from(key.arm)];
        arm.tries += 1.0;
        fit(
            &mut [
                &mut arm.weight,
                &mut self.folders[usize::from(arm.folder)],
                &mut self.parts[arm.part as usize],
                &mut self.levels[usize::from(key.level)],
                &mut self.fans[usize::from(key.fans)],
            ],
            worth,
        );
        let cell = self.cells.entry(key).or_default();
        cell.paid.add(worth);
        cell.pending = cell.pending.saturating_sub(1);
        self.read += 1.0;
    }
}

/// The best rate: of the page alone, or with the best of what it leads to.
fn worth(reward: f64, leads: &mut [f64]) -> f64 {
    leads.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut best) = (reward, reward);
    for (k, lead) in leads.iter().take(LEADS).enumerate() {
        sum += lead;
        best = f64::max(best, sum / (2.0 + k as f64));
    }
    best
}

impl Order for Arms {
    fn plant(&mut self, node: u32) {
        self.known(node).state = TAKEN;
    }

    fn read(&mut self, page: Fetched<'_>) {
        self.reward = f64::from(u8::from(page.relevance.relevant));
        self.leads.clear();
    }

    fn follow(&mut self, link: Followed<'_>) {
        let old = *self.known(link.to);
        if old.state == TAKEN {
            return;
        }
        let anchor = link.anchor.map_or(0.0, |near| near.cosine);
        let near = (link.context.cosine + anchor + link.parent.whole.cosine) as f32;
        let fans = old.fans.saturating_add(u16::from(link.parent.relevant));
        let is_better = old.state != WAITING || near > old.near;
        let arm = if is_better { self.number(link.address, link.part) } else { old.cell.arm };
        let level = self.level(&link).max(if old.state == WAITING { old.cell.level } else { 0 });
        let key = CellKey { arm, level, fans: [0, 1, 2, 2, 3][usize::from(fans.min(4))] };
        let before = if old.state == WAITING { self.value(old.cell) } else { 0.0 };
        let known = self.known(link.to);
        known.fans = fans;
        if is_better {
            known.parent = link.from;
        }
        if old.state != WAITING || key != old.cell || near > old.near {
            self.wait(link.to, key, near.max(old.near));
        }
        let gain = self.value(key) - before;
        if gain > 0.0 {
            self.leads.push(gain);
        }
    }

    fn done(&mut self, node: u32) {
        let mut leads = std::mem::take(&mut self.leads);
        let worth = worth(self.reward, &mut leads);
        self.leads = leads;
        self.pay(node, worth);
    }

    fn fail(&mut self, node: u32) {
        self.pay(node, 0.0);
    }

    fn rename(&mut self, node: u32, to: u32) {
        let from = *self.known(node);
        if self.known(to).state == 0 {
            self.known(to).parent = from.parent;
            self.wait(to, from.cell, from.near);
        }
    }

    fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        let mut picks = Vec::new();
        while picks.len() < most {
            let mut best: Option<(f64, CellKey)> = None;
            for (key, cell) in self.cells.iter().filter(|(_, cell)| cell.live > 0) {
                let score = self.score(*key, cell);
                if best.is_none_or(|(of, _)| score > of) {
                    best = Some((score, *key));
                }
            }
            let Some((weight, key)) = best else { break };
            match self.take(key) {
                Some(node) => {
                    let parent = Some(self.known(node).parent).filter(|parent| *parent != NOBODY);
                    picks.push(Pick { node, weight, parent, arm: Some(u32::from(key.arm)) });
                }
                // Cannot be: live entries are in the heap. But it must end.
                None => self.cells.entry(key).or_default().live = 0,
            }
        }
        if picks.is_empty() { Err(End::FrontierExhausted) } else { Ok(picks) }
    }

    fn weight(&self, node: u32) -> f64 {
        self.known.get(node as usize).map_or(0.0, |known| self.value(known.cell))
    }

    fn arm(&self, arm: u32) -> Option<&str> {
        self.arms.get(arm as usize).map(|arm| arm.name.as_str())
    }
}
