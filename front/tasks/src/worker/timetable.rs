//! Schedules that are due fire: once each, whoever looks.

use groma_settings::Fault;
use groma_store::Folder;
use groma_store::jobs::{JobId, Queue, ScheduleRow};

use crate::period::Period;
use crate::task::Package;

/// Lets the schedules of a survey fire whose moment has come. One that cannot be read is passed over: whoever lists the schedules
/// is told why.
pub(super) fn fire_due(folder: &Folder, now: i64) {
    let Ok(Some(mut queue)) = folder.queue_if_any() else { return };
    let Ok(schedules) = queue.schedules() else { return };
    for schedule in schedules.iter().filter(|schedule| schedule.enabled && schedule.next_at <= now) {
        // Somebody else fires it, or the next look does.
        let _ = fire(&mut queue, schedule, now);
    }
}

/// Lets a schedule fire for its moment. Nothing if somebody else did.
pub(super) fn fire(queue: &mut Queue, schedule: &ScheduleRow, now: i64) -> Result<Option<Vec<JobId>>, Fault> {
    let period = Period::read(&schedule.period, &schedule.zone, schedule.jitter)?;
    let next = period.next(&schedule.name, schedule.next_at, now);
    let jobs = Package::read(&schedule.jobs)?.rows(schedule.priority, Some(schedule.id));
    Ok(queue.fire(schedule.id, schedule.next_at, next, &jobs, now)?)
}
