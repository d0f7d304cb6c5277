//! Schedules that fire while workshops are open.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use groma_settings::clock::now;
use groma_store::Snapshot;
use groma_store::jobs::{Filter, JobKind, JobState, ScheduleId, ScheduleRow};
use groma_tasks::task::Package;
use groma_testweb::Server;
use groma_testweb::sites::Changing;

use crate::{Place, Running, ask, crawl_of};

#[test]
fn a_due_schedule_fires_once_though_three_workshops_look() {
    let epoch = Arc::new(AtomicU64::new(0));
    let server = Server::start(Changing::new(20, Arc::clone(&epoch)));
    let place = Place::new();
    ask(&place.folder, &crawl_of(&server.base(), "0"));
    place.workshop(1).run_until_idle().unwrap();
    epoch.store(1, Ordering::Relaxed);
    let mut queue = place.folder.queue().unwrap();
    let package = Package::usual(&[JobKind::Update, JobKind::Check, JobKind::Rank]);
    let row = ScheduleRow {
        id: ScheduleId(0),
        name: "nightly".into(),
        period: "every 7 days".into(),
        zone: "Europe/Prague".into(),
        jitter: 0,
        jobs: package.text(),
        priority: 3,
        enabled: true,
        // The machine was off for a month.
        next_at: now() - 30 * 86_400,
        last_at: 0,
        last_package: None,
    };
    let id = queue.put_schedule(&row).unwrap();
    let broken = ScheduleRow { name: "broken".into(), period: "now and then".into(), ..row };
    queue.put_schedule(&broken).unwrap();
    let open: Vec<Running> = (0..3).map(|_| Running::start(place.workshop(1))).collect();
    let since = std::time::Instant::now();
    let package = loop {
        let schedule = queue.schedules().unwrap().remove(0);
        if let Some(package) = schedule.last_package {
            break package;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{schedule:?}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let of_package = Filter { package: Some(package), ..Filter::default() };
    let jobs = queue.jobs(&of_package, None, 10).unwrap();
    assert_eq!(jobs.len(), 3);
    for job in &jobs {
        let row = place.until(job.id, |row| row.state.is_over());
        assert_eq!((row.state, row.schedule, row.priority), (JobState::Done, Some(id), 3), "{row:?}");
    }
    // Long enough for everybody to look again.
    std::thread::sleep(Duration::from_millis(2_500));
    open.into_iter().for_each(Running::stop);
    let all = queue.jobs(&Filter::default(), None, 100).unwrap();
    assert_eq!(all.len(), 4, "missed moments count once");
    let schedule = queue.schedules().unwrap().remove(0);
    assert!(schedule.next_at > now() && schedule.next_at <= now() + 7 * 86_400 + 3_600, "{schedule:?}");
    let runs = place.folder.read().unwrap().runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.kind.as_str()).collect::<Vec<_>>(), ["crawl", "update"]);
}
