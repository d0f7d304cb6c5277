//! The logical sites that were found in a survey, the one that is looked at, and the form that looks for another.

use askama::Template;
use serde::Deserialize;

use groma_store::jobs::JobRow;

use super::found::{FoundSite, METHODS, tell};
use super::naming::called;
use crate::door::TaskForm;
use crate::error::Problem;
use crate::pages::layout::{Frame, Tab, query};
use crate::pages::pager::query_number;
use crate::pages::results::{AtWork, ListHead, ListPages, Listing};
use crate::results::bounds::BoundsResults;

/// What is looked at.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BoundsQuestion {
    /// Which of the sites that were found.
    start: String,
    /// Which member of the family is looked at.
    step: String,
    /// With anything in it, the whole list is shown.
    all: String,
}

#[derive(Template)]
#[template(path = "bounds.html")]
pub(crate) struct BoundsPage {
    frame: Frame,
    head: ListHead,
    found: Option<FoundSite>,
    others: Vec<OtherSite>,
    methods: &'static [(&'static str, &'static str)],
}

/// Another site that was found in the survey.
struct OtherSite {
    name: String,
    href: String,
    here: bool,
}

impl ListPages for BoundsResults {
    type Question = BoundsQuestion;
    type Page = BoundsPage;
    const TAB: Tab = Tab::Bounds;
    const HEADING: &'static str = "Bounds";
    const PATH: &'static str = "bounds";
    const FORM: &'static str = "/find";

    fn asked_code(_: &TaskForm) -> &'static str {
        "bounds-asked"
    }

    fn at_work(_: &JobRow, _: &[String]) -> AtWork {
        AtWork {
            about: "Looking for the bounds of the site".to_owned(),
            hint: "This page shows what was found as soon as it is over.",
            ..AtWork::default()
        }
    }

    fn page(frame: Frame, head: ListHead, listing: Listing<'_, Self>) -> Result<BoundsPage, Problem> {
        let Listing { site, question, rows: starts, .. } = listing;
        let step = query_number(&question.step, "step")?;
        let start = Some(question.start.trim()).filter(|start| !start.is_empty());
        let known = start.is_none_or(|start| starts.iter().any(|one| one == start));
        let found = if known { site.bounds(start)? } else { None };
        let found = found.map(|found| tell(site, &found, step, !question.all.is_empty())).transpose()?;
        let here = found.as_ref().map_or("", |found| found.start.as_str());
        let other = |start: &String| OtherSite {
            name: called(start),
            href: format!("/sites/{}/bounds{}", site.name, query(&[("start", start)])),
            here: start == here,
        };
        let others = if starts.len() > 1 || !known { starts.iter().map(other).collect() } else { Vec::new() };
        Ok(BoundsPage { frame, head, found, others, methods: METHODS })
    }
}
