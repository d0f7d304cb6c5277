//! `/sites/{site}/findings.{ending}`: the chosen findings as a file, checked anew so that none is left out.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use groma_check::tell::{Format, Manner, Teller, teller};
use groma_check::{CauseGroup, Closing, Finding, Gate, Report};
use groma_tasks::check::usual_options;

use super::cause;
use super::filter::{Asked, Filter};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::spool::{Sent, Spool};

/// A form, how its file ends, its media type.
#[derive(Clone, Copy)]
pub(super) struct Form {
    format: Format,
    ending: &'static str,
    media_type: &'static str,
    says: &'static str,
}

pub(super) const FORMS: [Form; 6] = [
    Form { format: Format::Csv, ending: "csv", media_type: "text/csv; charset=utf-8", says: "CSV" },
    Form { format: Format::Json, ending: "jsonl", media_type: "application/jsonl", says: "JSON Lines" },
    Form { format: Format::Junit, ending: "junit.xml", media_type: "application/xml", says: "JUnit" },
    Form { format: Format::Sarif, ending: "sarif", media_type: "application/sarif+json", says: "SARIF" },
    Form { format: Format::Markdown, ending: "md", media_type: "text/markdown; charset=utf-8", says: "Markdown" },
    Form { format: Format::Text, ending: "txt", media_type: "text/plain; charset=utf-8", says: "text" },
];

impl Form {
    pub(super) fn href(&self, site: &str, asked: &Asked) -> String {
        format!("/sites/{site}/findings.{}{}", self.ending, asked.query(&[("list", ""), ("page", "")]))
    }

    /// What it is called.
    pub(super) fn says(&self) -> &'static str {
        self.says
    }
}

/// A route for each form.
pub(super) fn routes(pages: Router<Arc<App>>) -> Router<Arc<App>> {
    FORMS.into_iter().fold(pages, |pages, form| {
        let handler =
            move |State(app): State<Arc<App>>, Path(site): Path<String>, Query(asked): Query<Asked>| async move {
                save(&app, site, asked, form).await
            };
        pages.route(&format!("/sites/{{site}}/findings.{}", form.ending), get(handler))
    })
}

async fn save(app: &Arc<App>, site: String, asked: Asked, form: Form) -> Result<Response, Problem> {
    let sent = app.work(move |app| write(app, &site, &asked, form)).await?;
    Ok(sent.into_response())
}

fn write(app: &App, site: &str, asked: &Asked, form: Form) -> Result<Sent, Problem> {
    let site = app.site(site)?;
    let drawn = if asked.branch.trim().is_empty() { None } else { Some(site.drawn()?) };
    let mut store = site.read()?;
    let filter = Filter::read(asked, &mut *store, drawn.as_deref())?;
    let cause = match asked.cause.as_str() {
        "" => None,
        key => {
            let known = site.findings()?;
            let group = cause::named(known.all.iter().filter(|finding| filter.takes(finding)), key);
            Some(group.ok_or_else(|| Problem::bad("there is no such cause", "choose one on the page of findings"))?)
        }
    };
    // A file tells what is there; whether that is too much is asked by `groma check`.
    let gate = Gate::parse("none").map_err(|error| Problem::ours(error.to_string(), error.hint))?;
    let mut spool = Spool::begin()?;
    {
        let manner = Manner { most: usize::MAX, ..Manner::default() };
        let mut chosen = Chosen { filter: &filter, cause, to: teller(form.format, &mut spool, &manner) };
        let options = usual_options(&mut **store, None)?;
        let report = Report { options, gate: &gate, baseline: None, only_new: false, copy: None };
        report.write(&mut groma_tasks::outside::evidence(&site.folder, &mut **store)?, &mut chosen)?;
    }
    Ok(spool.finish(format!("{}-findings.{}", site.name, form.ending), form.media_type)?)
}

/// Tells only what is meant; the closing counts everything.
struct Chosen<'a, 'w> {
    filter: &'a Filter<'a>,
    cause: Option<CauseGroup>,
    to: Box<dyn Teller + 'w>,
}

impl Teller for Chosen<'_, '_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        let in_cause = || self.cause.as_ref().is_none_or(|group| cause::is_in(group, finding));
        if self.filter.takes(finding) && in_cause() { self.to.tell(finding) } else { Ok(()) }
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.to.close(closing)
    }
}
