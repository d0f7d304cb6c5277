//! `focus`: where a topic leads; the relevant pages as a file.

use groma_crawl::{End, PageSeen, Progress, Watch};
use groma_store::Folder;
use groma_store::focuses::FocusId;

use super::course::Course;
use super::crawl::{BUSY, Wanted, saved_of, survey};
use super::result::{ResultFiles, name};
use super::{Asker, Bench, Outcome};
use crate::focus::{self, Form, Line};
use crate::survey::Task;
use crate::task::Focus;
use crate::{Fault, words};

pub(super) fn focus(
    folder: &Folder,
    task: &Focus,
    format: &str,
    asker: &Asker<'_>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    let wanted = if format.is_empty() { Some(Form::Csv) } else { Form::named(format) };
    let form = wanted.ok_or_else(|| Fault::new(words::no_such_form(format), words::FOCUS_FORMS))?;
    let saved = saved_of(folder, &bench.memo)?;
    let Focus { seeds, settings, .. } = task;
    let wanted = Wanted { task: Task::Crawl, seeds, settings, also_exclude: &[], fresh: false, keep: false };
    let mut survey = survey(&wanted, folder, asker, saved.as_ref(), false, bench)?;
    survey.aside = true;
    focus::keep_bodies(&mut survey.book);
    let task = Focus { seeds: survey.seeds.iter().map(url::Url::to_string).collect(), ..task.clone() };
    let ready = survey.ready()?;
    ready.notes().iter().for_each(|note| bench.log(note));
    let Some(opened) = ready.open_unless_busy()? else {
        return Ok(Outcome::Later { seconds: BUSY, says: words::SOMEBODY_WRITES.to_owned() });
    };
    opened.notes.iter().for_each(|note| bench.log(note));
    if bench.is_stopped() {
        return Ok(Outcome::Stopped);
    }
    let mut watch = Watching { course: Course::new(bench, "focusing"), last: Progress::default() };
    let focused = focus::focus(opened, &task, &mut watch, bench.stop().clone())?;
    let phase = if focused.end == End::Interrupted { "stopped" } else { "done" };
    watch.course.close(&watch.last, phase);
    if focused.end == End::Interrupted {
        return Ok(Outcome::Stopped);
    }
    let closing = focused.closing;
    if closing.read == 0 {
        return Err(Fault::new(words::NOTHING_FETCHED_FOCUS, words::NO_FOCUS_HINT));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    {
        let mut out = files.open(&name(bench.row.id, form.ending()))?;
        focus::export(folder, FocusId(closing.id), form, false, &mut *out)?;
        out.flush()?;
    }
    files.finish(bench)?;
    Ok(Outcome::Done(words::focus_ended(&closing.says, closing.fetched, closing.relevant, closing.harvest)))
}

/// The course of the crawl beneath; what was found is in `focus.db` for all to see.
struct Watching<'b> {
    course: Course<'b>,
    last: Progress,
}

impl Watch for Watching<'_> {
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

impl focus::Watch for Watching<'_> {
    fn step(&mut self, _line: &Line, _relevant: u32) {}
}
