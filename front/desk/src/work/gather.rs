//! `gather`: a database behind a form; its records as a file.

use groma_crawl::{PageSeen, Progress};
use groma_store::Folder;
use groma_store::gathers::GatherId;

use super::course::Course;
use super::crawl::BUSY;
use super::result::{ResultFiles, name};
use super::{Bench, Outcome};
use crate::gather::{self, Form, Request};
use crate::survey::Requester;
use crate::task::Gather;
use crate::{Fault, address, words};

pub(super) fn gather(
    folder: &Folder,
    task: &Gather,
    format: &str,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    let wanted = if format.is_empty() { Some(Form::Json) } else { Form::named(format) };
    let form = wanted.ok_or_else(|| Fault::new(words::no_such_form(format), words::GATHER_FORMS))?;
    let read = address::read(task.url())?;
    let request = Request::new(folder.clone(), task, read, requester, &mut |note| bench.log(note))?;
    if folder.exists() && folder.gathering()?.is_none() {
        return Ok(Outcome::Later { seconds: BUSY, says: words::GATHERED_ELSEWHERE.to_owned() });
    }
    if bench.is_stopped() {
        return Ok(Outcome::Stopped);
    }
    let mut watch = Watching { course: Course::new(bench, "gathering"), last: Progress::default() };
    let gathered = gather::gather(&request, &mut watch, bench.stop().clone())?;
    let closing = gathered.closing;
    watch.course.close(&watch.last, if closing.end == "interrupted" { "stopped" } else { "done" });
    if closing.end == "interrupted" {
        return Ok(Outcome::Stopped);
    }
    if let Some(why) = gathered.fault {
        return Err(Fault::new(why, words::NO_DATABASE_HINT));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    {
        let mut out = files.open(&name(bench.row.id, form.name()))?;
        gather::export(folder, GatherId(closing.id), form, &mut *out)?;
        out.flush()?;
    }
    files.finish(bench)?;
    let cost = gathered.planned.filter(|_| closing.end == "planned");
    let cost = cost.map(|plan| format!("; {}", words::planned(plan.questions, plan.pages, plan.seconds)));
    Ok(Outcome::Done(format!("{}{}", closing.says, cost.unwrap_or_default())))
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
