//! Focused crawls: how they are kept, which job works on which, and how they are saved.

use std::io::Write;

use groma_store::focuses::{FocusId, FocusRow, Focuses};
use groma_store::jobs::JobKind;
use groma_store::{Folder, StoreError};
use groma_tasks::focus::{Form, export};
use groma_tasks::task::{Focus, Job, Task};

use super::{NumberedKind, ReadAll, ReadOne, ResultKind, list_numbered};
use crate::error::Problem;
use crate::sites::Site;
use crate::words;

/// Focused crawls, as results.
pub(crate) struct FocusedCrawls;

impl ResultKind for FocusedCrawls {
    type Request = Focus;
    type Row = FocusRow;
    const JOB: JobKind = JobKind::Focus;
    const TASK: fn(Focus) -> Task = Task::Focus;

    fn list(site: &Site) -> Result<Vec<FocusRow>, Problem> {
        list_numbered::<FocusedCrawls>(site)
    }
}

impl NumberedKind for FocusedCrawls {
    type Keeper = Focuses;
    const CALLED: &'static str = "focused crawl";
    const NO_SUCH_HINT: &'static str = "those of the survey are listed on the page Focus";
    const IS_AT_WORK: &'static str = "this focused crawl is under way";
    const FILE: &'static str = "focus";
    const KEEPER: fn(&Folder) -> Result<Option<Focuses>, StoreError> = Folder::focuses_if_any;
    const ROWS: ReadAll<Focuses, FocusRow> = Focuses::focuses;
    const ROW: ReadOne<Focuses, FocusRow> = |kept, id| kept.focus(FocusId(id));
    const REMOVE: fn(&mut Focuses, u64) -> Result<bool, StoreError> = |kept, id| kept.forget(FocusId(id));
    const NUMBER: fn(&FocusRow) -> u64 = |row| row.id.0;

    /// They are the same if they were asked for in the same words, however many pages; start pages that nobody named are those of the
    /// survey.
    fn is_same_task(args: &str, row: &FocusRow) -> bool {
        let Ok(Task::Focus(job)) = Job::read(JobKind::Focus, args).map(|job| job.task) else { return false };
        let Ok(mut crawl) = Focus::read_stored(&row.asked) else { return false };
        if job.seeds.is_empty() {
            crawl.seeds.clear();
        }
        job.is_same(&crawl)
    }

    /// Up to so many pages.
    fn task_to_go_on(row: &FocusRow, pages: &str) -> Result<Task, Problem> {
        let wrong = |why: String| Problem::refused(format!("pages: {why}"), words::NO_MORE_HINT);
        let pages = pages.trim().parse().map_err(wrong)?;
        let task = Focus { pages: Some(pages), ..Focus::read_stored(&row.asked)? };
        if task.pages() <= row.steps && !row.end.is_empty() {
            let fetched = format!("it has fetched {} pages already", row.steps);
            return Err(Problem::refused(fetched, words::NO_MORE_HINT));
        }
        Ok(Task::Focus(task))
    }

    /// The relevant pages, or all.
    fn write(folder: &Folder, id: u64, format: &str, all: bool, to: &mut dyn Write) -> Result<(), Problem> {
        let form = Form::chosen(format)?;
        export(folder, FocusId(id), form, all, to)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_knows_its_crawl() {
        let task = |json: &str| -> Focus { serde_json::from_str(json).unwrap() };
        let args = |json: &str| Job::from(Task::Focus(task(json))).text();
        let row = FocusRow {
            id: FocusId(1),
            key: String::new(),
            topic: "rods".into(),
            strategy: "arms".into(),
            asked: task(r#"{"topic":"rods","seeds":["http://a.example/"],"pages":9}"#).stored(),
            begun: 0,
            last: 0,
            steps: 0,
            relevant: 0,
            end: String::new(),
        };
        assert!(
            FocusedCrawls::is_same_task(&args(r#"{"topic":"rods","pages":500}"#), &row),
            "the start pages are the survey's"
        );
        assert!(FocusedCrawls::is_same_task(&args(r#"{"topic":"rods","seeds":["http://a.example/"]}"#), &row));
        assert!(!FocusedCrawls::is_same_task(&args(r#"{"topic":"rods","seeds":["http://b.example/"]}"#), &row));
        assert!(!FocusedCrawls::is_same_task(&args(r#"{"topic":"rods","strategy":"bfs"}"#), &row));
        assert!(!FocusedCrawls::is_same_task("nonsense", &row));
        let older = r#"{"pages":"9","seeds":"http://a.example/","strategy":"arms","topic":"rods"}"#;
        assert!(
            FocusedCrawls::is_same_task(&args(r#"{"topic":"rods"}"#), &FocusRow { asked: older.into(), ..row }),
            "as 0.1.0 kept it"
        );
    }
}
