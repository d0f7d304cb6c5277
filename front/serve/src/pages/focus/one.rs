//! `/sites/{site}/focus/{id}`: one focused crawl: its numbers and curves, the pages it found, and what can be done about it.

use askama::Template;
use askama::filters::HtmlSafe;
use groma_model::wording::grouped;
use groma_store::Snapshot;
use groma_store::focuses::{FocusRow, Focuses, StepRow};
use groma_tasks::focus::Line;
use groma_tasks::task::{Focus, PAGES};
use serde::Deserialize;

use super::compare::POINTS;
use super::naming::{harvest, topic};
use crate::error::Problem;
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, query, short};
use crate::pages::pager::{Pager, pager, part_number};
use crate::pages::picture::{Harvest, Reaped, Richness, stretch_of};
use crate::pages::results::{OneHead, OnePages, OneWords};
use crate::pages::shown::{Shown, counted};
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::results::focus::FocusedCrawls;
use crate::sites::Site;

/// Pages of a list at a time.
const LISTED: usize = 25;

/// Which part of which list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StepsQuestion {
    /// `all`: all pages in the order in which they were fetched; otherwise the relevant ones, the best first.
    list: String,
    page: String,
}

#[derive(Template)]
#[template(path = "focus_one.html")]
pub(crate) struct FocusOnePage {
    frame: Frame,
    head: OneHead,
    numbers: FocusNumbers,
    all: bool,
    rows: Vec<StepView>,
    pager: Pager,
    /// Pages that are proposed for going on.
    more: u32,
}

/// The numbers of a crawl.
#[derive(Template)]
#[template(path = "part/focus_numbers.html")]
pub(crate) struct FocusNumbers {
    site: String,
    job: Option<JobView>,
    stats: Vec<(&'static str, String)>,
    end: &'static str,
    begun: Option<Moment>,
    last: Option<Moment>,
    picture: Option<Harvest>,
    richness: Option<Richness>,
    stretch: String,
}

impl HtmlSafe for FocusNumbers {}

/// A page of the list.
struct StepView {
    n: String,
    page: Shown,
    why_href: String,
    r: String,
    /// R in per cent, for a bar.
    width: f64,
    kind: String,
    sure: String,
    cosines: Vec<Cosine>,
    parent: Option<Shown>,
    why: String,
    relevant: bool,
}

/// How near a part of a page is to the topic.
pub(super) struct Cosine {
    pub(super) name: String,
    pub(super) says: String,
    /// In per cent, for a bar.
    pub(super) width: f64,
}

impl Cosine {
    /// All of a page, the nearest first.
    pub(super) fn all(line: &Line) -> Vec<Cosine> {
        let mut all: Vec<(&String, f64)> = line.cosines.iter().map(|(name, cosine)| (name, *cosine)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.into_iter()
            .map(|(name, cosine)| Cosine { name: short(name, 40), says: two(cosine), width: of_100(cosine) })
            .collect()
    }
}

/// A number with two digits; what is less than nothing by a hair is nothing.
pub(super) fn two(number: f64) -> String {
    let number = if number.abs() < 0.005 { 0.0 } else { number };
    format!("{number:.2}")
}

/// A share of 100, with one digit.
pub(super) fn of_100(share: f64) -> f64 {
    if share.is_finite() { (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0 } else { 0.0 }
}

impl OnePages for FocusedCrawls {
    type OneQuestion = StepsQuestion;
    type OnePage = FocusOnePage;
    type Numbers = FocusNumbers;
    const FILES: &'static str = "pages";
    const HOW_FAR: &'static str = "pages";
    const FORGOTTEN: &'static str = "focus-forgotten";
    const ONE: OneWords = OneWords {
        numbers: "Harvest",
        files: "The relevant pages as a file",
        noun: "crawl",
        forgetting: "Its list, its curve and its reasons are forgotten for good. The pages it fetched stay in the survey.",
    };

    fn title(row: &FocusRow) -> String {
        topic(row)
    }

    fn asked(row: &FocusRow) -> Vec<(&'static str, String)> {
        let task = Focus::read_stored(&row.asked).unwrap_or_default();
        let number = |number: Option<String>| number.unwrap_or_default();
        let strategy = words::STRATEGIES.iter().find(|one| one.0 == row.strategy);
        let strategy = strategy.map_or_else(|| short(&row.strategy, 40), |one| format!("{}: {}", one.0, one.2));
        vec![
            ("Strategy", strategy),
            ("Text", task.text.as_deref().unwrap_or_default().to_owned()),
            ("Pages like", task.like.join(" ")),
            ("Start pages", task.seeds.join(" ")),
            ("Pages at most", task.pages().to_string()),
            ("Pages of any type", if task.any_type { words::YES } else { "" }.to_owned()),
            ("Relevant from R", number(task.threshold.map(|number| number.to_string()))),
            ("At a time", number(task.batch.map(|number| number.to_string()))),
        ]
    }

    fn numbers(site: &Site, kept: &mut Focuses, row: &FocusRow, job: Option<JobView>) -> Result<FocusNumbers, Problem> {
        let points = kept.curve(row.id, POINTS)?;
        let stretch = stretch_of(&points);
        let before = points.iter().rev().find(|point| point.0 + stretch <= row.steps).copied().unwrap_or((0, 0));
        let last = (row.steps.saturating_sub(before.0), row.relevant.saturating_sub(before.1));
        let reaped = [Reaped { id: row.id.0, strategy: row.strategy.clone(), points: points.clone() }];
        Ok(FocusNumbers {
            site: site.name.clone(),
            job,
            stats: vec![
                ("pages fetched", grouped(row.steps.into())),
                ("relevant", grouped(row.relevant.into())),
                ("harvest", harvest(row.relevant, row.steps)),
                ("harvest of the last stretch", harvest(last.1, last.0)),
            ],
            end: words::focus_end(&row.end),
            begun: Moment::at(row.begun),
            last: Moment::at(row.last),
            picture: Harvest::draw(&reaped),
            richness: Richness::draw(&points),
            stretch: counted(stretch.into(), "page", "pages"),
        })
    }

    fn one_page(
        frame: Frame,
        head: OneHead,
        site: &Site,
        (mut kept, row, numbers): (Focuses, FocusRow, FocusNumbers),
        question: &StepsQuestion,
    ) -> Result<FocusOnePage, Problem> {
        let part = part_number(&question.page, "page")?;
        let all = question.list == "all";
        let skip = (part - 1).saturating_mul(LISTED);
        let steps = if all {
            kept.steps(row.id, u32::try_from(skip).unwrap_or(u32::MAX), LISTED, false)?
        } else {
            kept.best(row.id, skip, LISTED)?
        };
        let mut store = site.read()?;
        let mut rows = Vec::new();
        for step in &steps {
            rows.push(step_view(site, row.id.0, &mut *store, step)?);
        }
        let (list, count) = if all { ("all", row.steps) } else { ("", row.relevant) };
        let href = |part: &str| format!("{}{}#pages", head.here, query(&[("list", list), ("page", part)]));
        let pager = pager(part, LISTED, count as usize, &href);
        let more = row.steps.saturating_mul(2).max(PAGES);
        Ok(FocusOnePage { frame, head, numbers, all, rows, pager, more })
    }
}

fn step_view(site: &Site, id: u64, store: &mut dyn Snapshot, step: &StepRow) -> Result<StepView, Problem> {
    let line: Line = serde_json::from_str(&step.said).unwrap_or_default();
    let title = store.page(step.page)?.map(|page| page.facts.title).unwrap_or_default();
    Ok(StepView {
        n: grouped(u64::from(step.order) + 1),
        page: Shown::titled(&site.name, &step.address, &title),
        why_href: why_href(&site.name, id, &step.address),
        r: two(step.score),
        width: of_100(step.score),
        kind: short(&line.r#type, 40),
        sure: if line.r#type.is_empty() { String::new() } else { format!("{:.0} %", line.confidence * 100.0) },
        cosines: Cosine::all(&line),
        parent: line.parent.as_deref().map(|parent| Shown::titled(&site.name, parent, "")),
        why: short(&line.why, 200),
        relevant: step.relevant,
    })
}

/// Where it is told why a crawl went to a page.
pub(super) fn why_href(site: &str, id: u64, address: &str) -> String {
    format!("/sites/{site}/focus/{id}/page{}", query(&[("url", address)]))
}
