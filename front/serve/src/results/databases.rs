//! Gatherings of databases: how they are kept, which job works on which, how they are saved, and gathering by another description.

use std::io::Write;

use groma_store::gathers::{GatherId, GatherRow, Gathers};
use groma_store::jobs::JobKind;
use groma_store::{Folder, StoreError};
use groma_tasks::gather::{Form, export};
use groma_tasks::task::{Gather, Job, Requests, Task};

use super::{NumberedKind, ReadAll, ReadOne, ResultKind, list_numbered, open};
use crate::app::App;
use crate::error::Problem;
use crate::sites::Site;
use crate::{orders, words};

pub(crate) use super::statement::{LeftOut, Plan, PlanField, Report, Statement};

/// Letters of a description.
pub(crate) const LONGEST_DESCRIPTION: usize = 60_000;

/// Databases that were gathered.
pub(crate) struct Databases;

impl ResultKind for Databases {
    type Request = Gather;
    type Row = GatherRow;
    const JOB: JobKind = JobKind::Gather;
    const TASK: fn(Gather) -> Task = Task::Gather;

    fn list(site: &Site) -> Result<Vec<GatherRow>, Problem> {
        list_numbered::<Databases>(site)
    }
}

impl NumberedKind for Databases {
    type Keeper = Gathers;
    const CALLED: &'static str = "gathering";
    const NO_SUCH_HINT: &'static str = "those of the survey are listed on the page Databases";
    const IS_AT_WORK: &'static str = "this database is being gathered";
    const FILE: &'static str = "database";
    const KEEPER: fn(&Folder) -> Result<Option<Gathers>, StoreError> = Folder::gathers_if_any;
    const ROWS: ReadAll<Gathers, GatherRow> = Gathers::gathers;
    const ROW: ReadOne<Gathers, GatherRow> = |kept, id| kept.gather(GatherId(id));
    const REMOVE: fn(&mut Gathers, u64) -> Result<bool, StoreError> = |kept, id| kept.forget(GatherId(id));
    const NUMBER: fn(&GatherRow) -> u64 = |row| row.id.0;

    /// They are the same if they were asked for in the same words, however far they go.
    fn is_same_task(args: &str, row: &GatherRow) -> bool {
        let Ok(Task::Gather(job)) = Job::read(JobKind::Gather, args).map(|job| job.task) else { return false };
        Gather::read_stored(&row.asked).is_ok_and(|gathering| gathering.is_same(&job))
    }

    /// Up to so many requests in all (empty: as many as it takes); one that has ended is gathered again.
    fn task_to_go_on(row: &GatherRow, budget: &str) -> Result<Task, Problem> {
        let wrong = |why: String| Problem::refused(format!("budget: {why}"), words::NO_MORE_HINT);
        let budget: Option<Requests> =
            Some(budget.trim()).filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(wrong)?;
        if row.end.is_empty() && budget.is_some_and(|most| most.get() <= u64::from(row.requests)) {
            let made = format!("it has made {} requests already", row.requests);
            return Err(Problem::refused(made, words::NO_MORE_HINT));
        }
        Ok(Task::Gather(Gather { budget, plan: false, ..Gather::read_stored(&row.asked)? }))
    }

    fn write(folder: &Folder, id: u64, format: &str, _: bool, to: &mut dyn Write) -> Result<(), Problem> {
        let form = Form::chosen(format)?;
        export(folder, GatherId(id), form, to)?;
        Ok(())
    }
}

/// Gathers the same with another description.
pub(crate) fn gather_by(app: &App, site: &Site, id: u64, description: &str) -> Result<u64, Problem> {
    let wrong = |why: String| Problem::refused(format!("description: {why}"), words::LONG_BODY_HINT);
    let mut task = Gather { plan: false, ..Gather::read_stored(&open::<Databases>(site, id)?.1.asked)? };
    // The lines say which form is meant, where they do.
    if description.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with("db.form")) {
        task.form = None;
    }
    task.description = Some(description.parse().map_err(wrong)?);
    orders::ask(app, site, Task::Gather(task))
}

/// Gathers the same, and varies what it left as it was.
pub(crate) fn gather_varying(app: &App, site: &Site, id: u64, names: &[&str]) -> Result<u64, Problem> {
    if names.is_empty() {
        return Err(Problem::refused("nothing is ticked", "tick what is to be varied, too"));
    }
    let row = open::<Databases>(site, id)?.1;
    let left = Report::last_run(&row).left_out;
    if let Some(unknown) = names.iter().find(|name| !left.iter().any(|control| control.name == **name)) {
        return Err(Problem::refused(
            format!("nothing of that name was left as it is: {unknown}"),
            "load the page again",
        ));
    }
    let mut task = Gather { plan: false, ..Gather::read_stored(&row.asked)? };
    task.vary.extend(names.iter().map(|name| (*name).to_owned()));
    task.vary.sort_unstable();
    task.vary.dedup();
    orders::ask(app, site, Task::Gather(task))
}

/// The gatherings whose form or document is at this URL, the one that was last at work first.
pub(crate) fn gathered_at(site: &Site, address: &str) -> Result<Vec<GatherRow>, Problem> {
    let mut rows = list_numbered::<Databases>(site)?;
    rows.retain(|row| row.address == address || row.form == address);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_knows_its_gathering() {
        let task = |json: &str| -> Gather { serde_json::from_str(json).unwrap() };
        let args = |json: &str| Job::from(Task::Gather(task(json))).text();
        let row = GatherRow {
            id: GatherId(1),
            key: String::new(),
            address: "http://a.example/".into(),
            form: String::new(),
            title: String::new(),
            asked: task(r#"{"url":"http://a.example/","budget":9}"#).stored(),
            begun: 0,
            last: 0,
            generation: 0,
            shown: 0,
            requests: 0,
            records: 0,
            end: String::new(),
            statement: String::new(),
            report: String::new(),
        };
        assert!(Databases::is_same_task(&args(r#"{"url":"http://a.example/","plan":true}"#), &row));
        assert!(!Databases::is_same_task(&args(r#"{"url":"http://b.example/"}"#), &row));
        assert!(!Databases::is_same_task(&args(r#"{"url":"http://a.example/","form":"2"}"#), &row));
        assert!(!Databases::is_same_task("nonsense", &row));
        let older = r#"{"address":"http://a.example/","how":"whole"}"#;
        assert!(
            Databases::is_same_task(&args(r#"{"url":"http://a.example/"}"#), &GatherRow { asked: older.into(), ..row }),
            "as 0.1.0 kept it"
        );
    }
}
