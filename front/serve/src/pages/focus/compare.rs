//! Harvests side by side: the picture, and the same as a table of exact numbers.

use std::collections::BTreeMap;

use groma_model::wording::grouped;
use groma_store::focuses::{FocusId, FocusRow};

use super::naming::topic;
use crate::error::Problem;
use crate::pages::picture::{Harvest, MOST_LINES, Reaped};
use crate::results::NumberedKind;
use crate::results::focus::FocusedCrawls;
use crate::sites::Site;

/// Points of a curve: more than there are pixels say nothing more.
pub(super) const POINTS: usize = 300;
/// Rows of the table.
const ROWS: u32 = 8;

/// Crawls that are compared.
pub(super) struct Comparison {
    pub(super) picture: Harvest,
    pub(super) heads: Vec<Head>,
    pub(super) rows: Vec<(String, Vec<String>)>,
}

/// A crawl at the head of a column.
pub(super) struct Head {
    pub(super) id: u64,
    pub(super) class: usize,
    pub(super) topic: String,
    pub(super) strategy: String,
}

/// The numbers of the crawls to compare, as they were asked for (`c3=1`); if none was, those with the topic of the last.
pub(super) fn chosen(crawls: &[FocusRow], asked: &BTreeMap<String, String>) -> Vec<u64> {
    let wanted = |crawl: &&FocusRow| asked.contains_key(&format!("c{}", crawl.id.0));
    let mut chosen: Vec<u64> = crawls.iter().filter(wanted).map(|crawl| crawl.id.0).take(MOST_LINES).collect();
    if chosen.is_empty() {
        let alike = |crawl: &&FocusRow| crawls.first().is_some_and(|last| last.topic == crawl.topic);
        chosen = crawls.iter().filter(alike).map(|crawl| crawl.id.0).take(MOST_LINES).collect();
    }
    chosen.sort_unstable();
    chosen
}

impl Comparison {
    /// Of some crawls; nothing if they have fetched nothing yet.
    pub(super) fn read(site: &Site, crawls: &[FocusRow], chosen: &[u64]) -> Result<Option<Comparison>, Problem> {
        let Some(mut kept) = (FocusedCrawls::KEEPER)(&site.folder)? else { return Ok(None) };
        let mut reaped = Vec::new();
        let mut heads = Vec::new();
        let mine = chosen.iter().filter_map(|id| crawls.iter().find(|crawl| crawl.id.0 == *id));
        for (class, crawl) in mine.enumerate() {
            let points = kept.curve(crawl.id, POINTS)?;
            reaped.push(Reaped { id: crawl.id.0, strategy: crawl.strategy.clone(), points });
            heads.push(Head { id: crawl.id.0, class, topic: topic(crawl), strategy: crawl.strategy.clone() });
        }
        let Some(picture) = Harvest::draw(&reaped) else { return Ok(None) };
        let far = reaped.iter().filter_map(|crawl| crawl.points.last()).map(|last| last.0).max().unwrap_or(0);
        let mut rows = Vec::new();
        for fetched in stations(far) {
            let mut cells = Vec::new();
            for head in &heads {
                let step = kept.steps(FocusId(head.id), fetched - 1, 1, false)?;
                cells.push(step.first().map_or_else(String::new, |step| grouped(step.found.into())));
            }
            rows.push((grouped(fetched.into()), cells));
        }
        Ok(Some(Comparison { picture, heads, rows }))
    }
}

/// Round numbers of pages up to the last, at which the crawls are compared; the last among them.
fn stations(far: u32) -> Vec<u32> {
    let rough = f64::from(far) / f64::from(ROWS);
    let power = 10f64.powf(rough.max(1.0).log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|round| (round * power) as u32).into_iter().find(|step| f64::from(*step) >= rough);
    let step = step.unwrap_or(far).max(1);
    let mut all: Vec<u32> = (1..=ROWS).map(|n| n.saturating_mul(step)).take_while(|n| *n < far).collect();
    if far > 0 {
        all.push(far);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_are_round_and_end_at_the_end() {
        assert_eq!(stations(100), [20, 40, 60, 80, 100]);
        assert_eq!(stations(1), [1]);
        assert_eq!(stations(3), [1, 2, 3]);
        assert!(stations(0).is_empty());
        for far in [7, 99, 1_000, 12_345, 10_000_000, u32::MAX] {
            let all = stations(far);
            assert!(all.len() <= 9 && all.last() == Some(&far) && all.is_sorted(), "{far}: {all:?}");
        }
    }

    #[test]
    fn those_of_the_same_topic_are_compared_unless_others_are_asked_for() {
        let crawl = |id: u64, topic: &str| FocusRow {
            id: FocusId(id),
            key: String::new(),
            topic: topic.into(),
            strategy: "arms".into(),
            asked: String::new(),
            begun: 0,
            last: 0,
            steps: 0,
            relevant: 0,
            end: String::new(),
        };
        let all = [crawl(7, "rods"), crawl(5, "lines"), crawl(3, "rods")];
        assert_eq!(chosen(&all, &BTreeMap::new()), [3, 7]);
        assert_eq!(chosen(&all, &BTreeMap::from([("c5".into(), "1".into()), ("c9".into(), String::new())])), [5]);
        assert!(chosen(&[], &BTreeMap::new()).is_empty());
        let many: Vec<FocusRow> = (0..20).map(|id| crawl(id, "rods")).collect();
        assert_eq!(chosen(&many, &BTreeMap::new()).len(), MOST_LINES);
    }
}
