//! `focus`: where a topic leads; the relevant pages as a file.

use groma_crawl::{End, PageSeen, Progress, Watch};
use groma_settings::Fault;
use groma_store::Folder;
use groma_store::focuses::FocusId;

use crate::crawl::job::{BUSY, saved_of};
use crate::crawl::prepare::Requester;
use crate::focus::wording::NO_FOCUS_HINT;
use crate::focus::{self, Form, Line};
use crate::jobs::bench::Bench;
use crate::jobs::course::Course;
use crate::jobs::result::keep_file;
use crate::jobs::wording::SOMEBODY_WRITES;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;
use crate::task::Focus;

pub(crate) fn focus(
    folder: &Folder,
    task: &Focus,
    format: &str,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let saved = saved_of(folder, &bench.memo)?;
    let mut say = |note: &str| bench.log(note);
    let (survey, task) = focus::requested(folder, task, saved.as_ref(), requester, &mut say)?;
    let Some(opened) = survey.open_unless_busy(&mut say)? else {
        return Ok(Worked::Later { seconds: BUSY, says: SOMEBODY_WRITES.to_owned() });
    };
    if bench.is_stopped() {
        return Ok(Worked::Stopped);
    }
    let mut watch = Watching { course: Course::new(bench, "focusing"), last: Progress::default() };
    let focused = focus::focus(opened, &task, &mut watch, bench.stop().clone())?;
    let phase = if focused.end == End::Interrupted { "stopped" } else { "done" };
    watch.course.close(&watch.last, phase);
    if focused.end == End::Interrupted {
        return Ok(Worked::Stopped);
    }
    let closing = focused.closing;
    if closing.read == 0 {
        return Err(Fault::new("none of the start pages could be fetched", NO_FOCUS_HINT));
    }
    keep_file(folder, bench, form.format(), |_, out| {
        focus::export(folder, FocusId(closing.id), form, false, out)?;
        let (fetched, relevant, harvest) = (closing.fetched, closing.relevant, closing.harvest);
        Ok(Outcome::Focused { end: closing.says, fetched, relevant, harvest })
    })
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
