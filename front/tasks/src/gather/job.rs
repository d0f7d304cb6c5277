//! `gather`: a database behind a form; its records as a file.

use groma_crawl::{PageSeen, Progress};
use groma_settings::{Fault, address};
use groma_store::Folder;
use groma_store::gathers::GatherId;

use crate::crawl::job::BUSY;
use crate::crawl::prepare::Requester;
use crate::gather::wording::{GATHERED_ELSEWHERE, ONLY_JSON_OF_ALL, ONLY_JSON_OF_ALL_HINT, planned as planned_cost};
use crate::gather::{self, Form, Request};
use crate::jobs::bench::Bench;
use crate::jobs::course::Course;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;
use crate::task::Gather;

pub(crate) fn gather(
    folder: &Folder,
    task: &Gather,
    format: &str,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    if task.all {
        return all(folder, task, form, requester, bench);
    }
    let read = address::read(task.url())?;
    let request = Request::new(folder.clone(), task, read, requester, &mut |note| bench.log(note))?;
    if folder.exists() && folder.gathering()?.is_none() {
        return Ok(Worked::Later { seconds: BUSY, says: GATHERED_ELSEWHERE.to_owned() });
    }
    if bench.is_stopped() {
        return Ok(Worked::Stopped);
    }
    let mut watch = Watching { course: Course::new(bench, "gathering"), last: Progress::default() };
    let gathered = gather::gather(&request, &mut watch, bench.stop().clone())?;
    let closing = gathered.closing;
    watch.course.close(&watch.last, if closing.end == "interrupted" { "stopped" } else { "done" });
    if closing.end == "interrupted" {
        return Ok(Worked::Stopped);
    }
    if let Some(why) = gathered.fault {
        return Err(Fault::new(why, gathered.hint));
    }
    let planned = gathered.planned.filter(|_| closing.end == "planned");
    let cost = planned.map(|plan| format!("; {}", planned_cost(plan.questions, plan.pages, plan.seconds)));
    keep_file(folder, bench, form.format(), |_, out| {
        gather::export(folder, GatherId(closing.id), form, out)?;
        Ok(Outcome::Gathered {
            end: closing.end,
            says: format!("{}{}", closing.says, cost.unwrap_or_default()),
            records: closing.rows,
            requests: closing.requests,
            certified: closing.certified,
        })
    })
}

/// Every database of the survey that described itself or was allowed; the file says what was done with each.
fn all(
    folder: &Folder,
    task: &Gather,
    form: Form,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
    if form != Form::Json {
        return Err(Fault::new(ONLY_JSON_OF_ALL, ONLY_JSON_OF_ALL_HINT));
    }
    task.check()?;
    if folder.gathering()?.is_none() {
        return Ok(Worked::Later { seconds: BUSY, says: GATHERED_ELSEWHERE.to_owned() });
    }
    let chosen = gather::AllDatabases::of_survey(folder, task, &requester)?;
    let stop = bench.stop().clone();
    let mut watch = Watching { course: Course::new(bench, "gathering"), last: Progress::default() };
    let done = chosen.gather(folder, &requester, &mut watch, &stop);
    watch.course.close(&watch.last, if done.interrupted { "stopped" } else { "done" });
    if done.interrupted {
        return Ok(Worked::Stopped);
    }
    done.lines().iter().for_each(|line| bench.log(line));
    keep_file(folder, bench, form.format(), |_, out| {
        writeln!(out, "{}", serde_json::json!(done))?;
        Ok(done.outcome())
    })
}

/// The course of the questions; what was found is in `gather.db` for all to see.
struct Watching<'b> {
    course: Course<'b>,
    last: Progress,
}

impl groma_crawl::Watch for Watching<'_> {
    fn page(&mut self, page: &PageSeen<'_>) {
        self.course.page(page);
    }

    fn tick(&mut self, progress: &Progress) {
        self.last.clone_from(progress);
        self.course.tick(progress);
    }

    fn notice(&mut self, line: &str) {
        self.course.notice(line);
    }
}

impl gather::Watch for Watching<'_> {
    fn found(&mut self, _records: u64, _values: u64) {}
}
