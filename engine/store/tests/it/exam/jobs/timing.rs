//! Cases about time: leases, deaths, schedules.

use super::{NOBODY_IS_DEAD, Open, add, new, state, take, well};
use groma_store::jobs::{Ending, JobKind, JobState, MOST_DEATHS, Reply, ScheduleId, ScheduleRow};

pub(super) fn leases(open: &Open<'_>) {
    let (mut one, mut other) = (open(), open());
    let id = add(&mut one, JobKind::Crawl);
    let (first, _) = take(&mut one, 100).expect("is there");
    assert_eq!(one.beat(&first, Some("half"), 10, 105).expect("beats"), Reply::GoOn);
    assert!(other.take("you", 10, NOBODY_IS_DEAD, 114).expect("looks").is_none(), "the lease holds until 115");
    // Nobody took it although the lease had run out: it still belongs to whoever has it.
    assert_eq!(one.beat(&first, None, 10, 130).expect("beats"), Reply::GoOn);
    let (second, row) = other.take("you", 10, NOBODY_IS_DEAD, 140).expect("looks").expect("is there");
    assert!(row.id == id && second.fence > first.fence && row.owner == "you" && row.progress == "half");
    // The first one is not heard any more.
    assert_eq!(one.beat(&first, Some("late"), 10, 141).expect("answers"), Reply::Lost);
    assert!(!one.remember(&first, "late").expect("answers"));
    assert!(!one.end(&first, Ending::Done, "late", 141).expect("answers"));
    assert_eq!(state(&mut one, id), JobState::Running);
    assert!(other.end(&second, Ending::Done, "in time", 142).expect("ends"));
    let row = one.job(id).expect("reads").expect("is there");
    assert_eq!((row.outcome.as_str(), row.progress.as_str(), row.memo.as_str()), ("in time", "half", ""));
    // What somebody wanted of a job whose worker is gone happens when that is found out.
    for (cancel, after) in [(false, JobState::Paused), (true, JobState::Cancelled)] {
        let id = add(&mut one, JobKind::Crawl);
        take(&mut one, 200).expect("is there");
        assert!(if cancel { one.cancel(id, 201) } else { one.pause(id, 201) }.expect("answers"));
        assert!(other.take("you", 10, NOBODY_IS_DEAD, 300).expect("looks").is_none());
        assert_eq!(state(&mut one, id), after);
    }
    well(&mut one);
}

pub(super) fn the_dead(open: &Open<'_>) {
    let mut queue = open();
    let (a, b) = (add(&mut queue, JobKind::Map), add(&mut queue, JobKind::Map));
    queue.take("alive", 10, NOBODY_IS_DEAD, 100).expect("takes").expect("is there");
    queue.take("dead", 10, NOBODY_IS_DEAD, 100).expect("takes").expect("is there");
    let is_dead = |owner: &str| owner == "dead";
    assert_eq!(queue.peek(&is_dead, 101).expect("looks").map(|row| row.id), Some(b));
    assert_eq!(state(&mut queue, b), JobState::Running, "looking changes nothing");
    let (_, row) = queue.take("new", 10, &is_dead, 101).expect("takes").expect("is there");
    assert_eq!((row.id, row.owner.as_str()), (b, "new"));
    assert!(queue.take("new", 10, &is_dead, 101).expect("takes").is_none());
    assert_eq!(queue.job(a).expect("reads").expect("is there").owner, "alive");
    // A dead writer does not keep the next one from writing.
    let crawl = add(&mut queue, JobKind::Crawl);
    let update = add(&mut queue, JobKind::Update);
    let (_, row) = queue.take("dead", 10, NOBODY_IS_DEAD, 100).expect("takes").expect("is there");
    assert_eq!(row.id, crawl);
    assert!(queue.prioritize(update, 5).expect("sets"));
    let (_, row) = queue.take("new", 10, &is_dead, 101).expect("takes").expect("is there");
    assert_eq!((row.id, state(&mut queue, crawl)), (update, JobState::Waiting));
    well(&mut queue);
}

pub(super) fn poison(open: &Open<'_>) {
    let mut queue = open();
    let everybody = |_: &str| true;
    let ids = queue.add(&[new(JobKind::Rank), new(JobKind::Map)], true, 100).expect("adds");
    let id = ids[0];
    for round in 0..MOST_DEATHS - 1 {
        let (_, row) = queue.take("x", 10, &everybody, 100).expect("takes").expect("is there");
        assert_eq!((row.id, row.deaths), (id, round));
    }
    // One sign of life, and it is not counted against the job.
    let (lease, row) = queue.take("x", 10, &everybody, 100).expect("takes").expect("is there");
    assert_eq!(row.deaths, MOST_DEATHS - 1);
    queue.beat(&lease, None, 10, 100).expect("beats");
    for round in 0..MOST_DEATHS {
        let (_, row) = queue.take("x", 10, &everybody, 100).expect("takes").expect("is there");
        assert_eq!((row.id, row.deaths), (id, round));
    }
    assert!(queue.take("x", 10, &everybody, 150).expect("takes").is_none());
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!((row.state, row.ended_at), (JobState::Failed, 150));
    assert!(row.outcome.contains(&MOST_DEATHS.to_string()) && row.outcome.contains("sign of life"), "{}", row.outcome);
    assert_eq!(state(&mut queue, ids[1]), JobState::Cancelled);
    // Whoever fixed the cause may try again.
    assert!(queue.retry(id, 160).expect("answers"));
    assert_eq!(queue.job(id).expect("reads").expect("is there").deaths, 0);
    well(&mut queue);
}

pub(super) fn weekly(next_at: i64) -> ScheduleRow {
    ScheduleRow {
        id: ScheduleId(0),
        name: "weekly".into(),
        period: "every 7 days".into(),
        zone: "Europe/Prague".into(),
        jitter: 600,
        jobs: "[]".into(),
        priority: -1,
        enabled: true,
        next_at,
        last_at: 0,
        last_package: None,
    }
}

pub(super) fn schedules(open: &Open<'_>) {
    let mut queue = open();
    let id = queue.put_schedule(&weekly(1_000)).expect("is kept");
    let other = queue.put_schedule(&ScheduleRow { name: "other".into(), ..weekly(5) }).expect("is kept");
    assert_ne!(id, other);
    let read = queue.schedules().expect("reads");
    assert_eq!(read[0], ScheduleRow { id, ..weekly(1_000) });
    // Somebody edits it, and it fires meanwhile: neither is lost.
    let edited = ScheduleRow { name: "nightly".into(), ..read[0].clone() };
    let fired = queue.fire(id, 1_000, 2_000, &[new(JobKind::Update)], 1_003).expect("fires").expect("is ours");
    assert_eq!(queue.put_schedule(&edited).expect("is kept"), id);
    let row = queue.schedules().expect("reads").remove(0);
    assert_eq!((row.name.as_str(), row.next_at, row.last_at), ("nightly", 2_000, 1_003));
    assert_eq!(row.last_package.map(|package| package.0), Some(fired[0].0));
    // A moment that is really new is taken.
    queue.put_schedule(&ScheduleRow { next_at: 1_500, ..row.clone() }).expect("is kept");
    assert_eq!(queue.schedules().expect("reads")[0].next_at, 1_500);
    assert!(queue.drop_schedule(other).expect("answers") && !queue.drop_schedule(other).expect("answers"));
    assert_eq!(queue.schedules().expect("reads").len(), 1);
    let third = queue.put_schedule(&weekly(1)).expect("is kept");
    assert!(third > other, "no number is given twice");
}

pub(super) fn firing(open: &Open<'_>) {
    let mut queue = open();
    let id = queue.put_schedule(&weekly(1_000)).expect("is kept");
    let jobs = [new(JobKind::Update), new(JobKind::Index)];
    assert_eq!(queue.fire(id, 999, 2_000, &jobs, 1_001).expect("answers"), None, "its moment is another");
    let fired = queue.fire(id, 1_000, 2_000, &jobs, 1_001).expect("answers").expect("is ours");
    assert_eq!(fired.len(), 2);
    assert_eq!(queue.fire(id, 1_000, 2_000, &jobs, 1_001).expect("answers"), None, "somebody fired it");
    let row = queue.job(fired[0]).expect("reads").expect("is there");
    assert_eq!((row.schedule, row.package.map(|package| package.0)), (Some(id), Some(fired[0].0)));
    // Its package is still under way: only the moment moves on.
    assert_eq!(queue.fire(id, 2_000, 3_000, &jobs, 2_001).expect("answers"), Some(Vec::new()));
    let schedule = queue.schedules().expect("reads").remove(0);
    assert_eq!((schedule.next_at, schedule.last_at), (3_000, 1_001));
    for _ in 0..2 {
        let (lease, _) = take(&mut queue, 2_500).expect("is there");
        assert!(queue.end(&lease, Ending::Done, "", 2_501).expect("ends"));
    }
    let again = queue.fire(id, 3_000, 4_000, &jobs, 3_001).expect("answers").expect("is ours");
    assert_eq!(again.len(), 2);
    // One that is switched off does not fire.
    let off = ScheduleRow { enabled: false, ..queue.schedules().expect("reads").remove(0) };
    queue.put_schedule(&off).expect("is kept");
    assert_eq!(queue.fire(id, 4_000, 5_000, &jobs, 4_001).expect("answers"), None);
    well(&mut queue);
}
