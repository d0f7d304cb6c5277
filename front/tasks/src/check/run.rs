//! Checks a survey, and writes what was found while it is found.

use std::io::Write;
use std::sync::Arc;

use groma_check::tell::{Manner, Painter, teller};
use groma_check::{Baseline, Evidence, Gate, Report, Verdict, Within};
use groma_model::Reason;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Overrides};
use groma_store::Folder;
use groma_survey_graph::StoreEvidence;

use crate::check::{Form, usual_options};
use crate::crawl::prepare::Requester;
use crate::crawl::saved_seeds;
use crate::map::wording::up_to_layer;
use crate::observer::{Observer, Step};
use crate::outcome::FindingCounts;
use crate::outside::{Observed, OutsideRequest, evidence};
use crate::task::Check;

/// What is done with the findings beside listing them.
pub struct Judging<'a> {
    /// What makes the check fail.
    pub gate: &'a Gate,
    /// What was found before: only others are new.
    pub baseline: Option<&'a mut Baseline>,
    /// Only what is new is listed.
    pub only_new: bool,
    /// The next baseline is written here.
    pub copy: Option<&'a mut dyn Write>,
    /// Groups of a kind that are listed, unless the task says how many.
    pub listed: usize,
    /// Colors for text.
    pub paint: Painter,
}

/// Checks a survey, or the site in it that the task looks at.
pub fn run(
    folder: &Folder,
    task: &Check,
    form: Form,
    judging: Judging<'_>,
    requester: Requester<'_>,
    observer: &mut dyn Observer,
    out: &mut dyn Write,
) -> Result<(FindingCounts, Verdict), Fault> {
    if let Some(request) = outside_request(folder, task, requester)? {
        let stop = Arc::clone(observer.stop());
        request.ask(folder, &mut Observed(observer), stop)?;
    }
    let site = task.scope.0.site(folder, observer)?;
    observer.step(Step::Checking);
    let mut store = folder.read()?;
    let options = task.options(usual_options(&mut store, requester.config)?);
    let mut evidence = evidence(folder, &mut store)?;
    if let Some(layer) = evidence.horizon() {
        observer.note(&up_to_layer(layer));
    }
    let Judging { gate, baseline, only_new, copy, listed, paint } = judging;
    if baseline.is_some() && is_incomplete(&mut evidence)? {
        observer.note("some pages of the site were not read this time: what was found there before counts as fixed");
    }
    let (most, compared) = (task.listed(listed), baseline.is_some());
    let manner = Manner { most, gate: Some(gate.clone()), compared, paint };
    let report = Report { options, gate, baseline, only_new, copy };
    let mut part;
    let looked_at: &mut dyn Evidence = match &site {
        Some(site) => {
            part = Within::new(&mut evidence, &site.inside);
            &mut part
        }
        None => &mut evidence,
    };
    let (summary, verdict) = report.write(looked_at, &mut *teller(form.told(), out, &manner))?;
    Ok((FindingCounts::of_summary(&summary), verdict))
}

/// How links that lead out are to be asked, with the settings that the survey was begun with; nothing if they are not.
fn outside_request(folder: &Folder, task: &Check, requester: Requester<'_>) -> Result<Option<OutsideRequest>, Fault> {
    let most = task.outside.unwrap_or_default().most();
    if most == 0 {
        return Ok(None);
    }
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    let mut book = Book::of_task(&Overrides::default(), &[], requester.config, Some(&saved))?;
    let settings = Settings::from_book(&mut book)?;
    Ok(OutsideRequest::new(most, &settings, &saved_seeds(&saved)?, requester.guarded || saved.guarded))
}

/// Are there pages of the site that were not read?
fn is_incomplete(evidence: &mut StoreEvidence<'_>) -> Result<bool, Fault> {
    let mut unread = false;
    let out_of_reach = |reason: Reason| matches!(reason, Reason::DepthLimit | Reason::PageLimit | Reason::Waiting);
    evidence.pages(&mut |page| unread |= page.in_scope && out_of_reach(page.reason))?;
    Ok(unread)
}
