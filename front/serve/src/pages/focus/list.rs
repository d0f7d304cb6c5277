//! The focused crawls of a survey: their harvests side by side, and the form that begins one.

use std::collections::BTreeMap;

use askama::Template;
use groma_model::wording::grouped;
use groma_settings::saved::Saved;
use groma_store::focuses::FocusRow;
use groma_store::jobs::JobRow;
use groma_tasks::task::{Job, Task};

use super::compare::{self, Comparison};
use super::naming::{TOPIC, harvest, so_far, topic};
use crate::door::TaskForm;
use crate::error::Problem;
use crate::pages::layout::{Frame, Tab, short};
use crate::pages::results::{AtWork, ListHead, ListPages, Listing, ResultCell, ResultRow, ResultTable, at_work_on};
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::results::NumberedKind;
use crate::results::focus::FocusedCrawls;

/// Start pages that are named in the form.
const STARTS: usize = 5;

#[derive(Template)]
#[template(path = "focus.html")]
pub(crate) struct FocusPage {
    frame: Frame,
    head: ListHead,
    table: ResultTable,
    comparison: Option<Comparison>,
    strategies: &'static [(&'static str, &'static str, &'static str)],
    starts: Vec<String>,
    starts_more: usize,
}

impl ListPages for FocusedCrawls {
    /// Which crawls are compared, as `c3=1`.
    type Question = BTreeMap<String, String>;
    type Page = FocusPage;
    const TAB: Tab = Tab::Focus;
    const HEADING: &'static str = "Focus";
    const PATH: &'static str = "focus";

    fn asked_code(_: &TaskForm) -> &'static str {
        "focus-asked"
    }

    fn at_work(job: &JobRow, crawls: &[FocusRow]) -> AtWork {
        let about = match Job::read(job.kind, &job.args).map(|job| job.task) {
            Ok(Task::Focus(task)) => task.about().map(|about| about.name()),
            _ => Ok(String::new()),
        };
        at_work_on::<FocusedCrawls>(job, crawls, short(&about.unwrap_or_default(), TOPIC), so_far)
    }

    fn page(frame: Frame, head: ListHead, listing: Listing<'_, Self>) -> Result<FocusPage, Problem> {
        let Listing { site, question, rows: crawls, open } = listing;
        let chosen = compare::chosen(&crawls, question);
        let saved = if head.begun { Saved::load(&mut *site.read()?)?.unwrap_or_default() } else { Saved::default() };
        let row = |crawl: &FocusRow| {
            let at_work = open.iter().any(|job| FocusedCrawls::is_same_task(&job.args, crawl));
            row(crawl, at_work, (crawls.len() > 1).then(|| chosen.contains(&crawl.id.0)))
        };
        Ok(FocusPage {
            table: ResultTable {
                href: format!("/sites/{}/focus", site.name),
                title: "Topic",
                rows: crawls.iter().map(row).collect(),
            },
            comparison: Comparison::read(site, &crawls, &chosen)?,
            strategies: words::STRATEGIES,
            starts_more: saved.seeds.len().saturating_sub(STARTS),
            starts: saved.seeds.iter().take(STARTS).map(|start| short(start, TOPIC)).collect(),
            head,
            frame,
        })
    }
}

fn row(crawl: &FocusRow, at_work: bool, chosen: Option<bool>) -> ResultRow {
    let (title, strategy) = (topic(crawl), short(&crawl.strategy, 40));
    ResultRow {
        id: crawl.id.0,
        choice: chosen.map(|chosen| (format!("{}, {title}, {strategy}", crawl.id.0), chosen)),
        title,
        cells: vec![
            ResultCell::text("Strategy", strategy),
            ResultCell::number("Fetched", grouped(crawl.steps.into())),
            ResultCell::number("Relevant", grouped(crawl.relevant.into())),
            ResultCell::number("Harvest", harvest(crawl.relevant, crawl.steps)),
        ],
        end: words::focus_end(&crawl.end).to_owned(),
        badge: None,
        at_work,
        last: Moment::at(crawl.last),
    }
}
