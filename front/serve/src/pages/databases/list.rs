//! The gatherings of a survey, the forms it has met, and the form that begins a gathering.

use askama::Template;
use groma_model::wording::grouped;
use groma_store::gathers::GatherRow;
use groma_store::jobs::JobRow;
use groma_tasks::task::{Job, Task};
use serde::Deserialize;

use super::found::FoundPart;
use super::naming::{ADDRESS, TITLE, end_of, so_far, title};
use crate::door::TaskForm;
use crate::error::Problem;
use crate::pages::layout::{Frame, Tab, short};
use crate::pages::pager::part_number;
use crate::pages::results::{AtWork, ListHead, ListPages, Listing, ResultCell, ResultRow, ResultTable, at_work_on};
use crate::pages::shown::about;
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::results::NumberedKind;
use crate::results::databases::{Databases, Statement};

/// Which part of the forms that were found.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FormsQuestion {
    page: String,
    /// A URL to be written into the form: one was chosen elsewhere.
    #[serde(alias = "address")]
    url: String,
}

#[derive(Template)]
#[template(path = "databases.html")]
pub(crate) struct DatabasesPage {
    frame: Frame,
    head: ListHead,
    table: ResultTable,
    found: Option<FoundPart>,
    hows: &'static [(&'static str, &'static str, &'static str)],
}

impl ListPages for Databases {
    type Question = FormsQuestion;
    type Page = DatabasesPage;
    const TAB: Tab = Tab::Databases;
    const HEADING: &'static str = "Databases";
    const PATH: &'static str = "databases";

    fn typed(question: &FormsQuestion) -> TaskForm {
        TaskForm::filled(&[("url", &short(&question.url, 2_000))])
    }

    fn asked_code(typed: &TaskForm) -> &'static str {
        if typed.has("plan") { "gather-planned" } else { "gather-asked" }
    }

    fn at_work(job: &JobRow, rows: &[GatherRow]) -> AtWork {
        let about = match Job::read(job.kind, &job.args).map(|job| job.task) {
            Ok(Task::Gather(task)) => task.url().to_owned(),
            _ => String::new(),
        };
        at_work_on::<Databases>(job, rows, short(&about, TITLE), so_far)
    }

    fn page(frame: Frame, head: ListHead, listing: Listing<'_, Self>) -> Result<DatabasesPage, Problem> {
        let Listing { site, question, rows, open } = listing;
        let part = part_number(&question.page, "page")?;
        let row =
            |one: &GatherRow| row(&site.name, one, open.iter().any(|job| Databases::is_same_task(&job.args, one)));
        Ok(DatabasesPage {
            found: if head.begun { Some(FoundPart::read(site, &rows, part)?) } else { None },
            table: ResultTable {
                href: format!("/sites/{}/databases", site.name),
                title: "Database",
                rows: rows.iter().map(row).collect(),
            },
            hows: words::HOWS,
            head,
            frame,
        })
    }
}

fn row(site: &str, row: &GatherRow, at_work: bool) -> ResultRow {
    let said = Statement::shown(row).unwrap_or_default();
    let (end, badge) = end_of(row, &said);
    let address = if row.form.is_empty() { &row.address } else { &row.form };
    let records = match (row.records, said.values) {
        (0, values) if values > 0 => format!("{} values", grouped(values)),
        (records, _) => grouped(records.into()),
    };
    ResultRow {
        id: row.id.0,
        title: title(row),
        cells: vec![
            ResultCell::address("Form", short(address, ADDRESS), about(site, address)),
            ResultCell::text("Degree", short(said.degree.as_deref().unwrap_or("–"), 20)),
            ResultCell::number("Records", records),
        ],
        end,
        badge: Some(badge),
        at_work,
        last: Moment::at(row.last),
        choice: None,
    }
}
