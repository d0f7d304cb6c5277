//! The exam of the queue, held on files and on a server.
//!
//! `open` gives one more connection to the queue of the case each time it is called, as another process would have it.

mod crowd;
mod timing;
mod wishing;

use groma_store::jobs::{CURVE_POINTS, LOG_BYTES, LOG_LINES};
use groma_store::jobs::{
    Curve, Ending, Filter, JobId, JobKind, JobRow, JobState, Lease, NewJob, NoticeRow, Queue, Reply,
};

/// Opens the queue of a case; called again, it opens the same one.
pub(crate) type Open<'a> = dyn Fn() -> Queue + Sync + 'a;

/// A case: its name and what is done.
pub(crate) type Case = (&'static str, fn(&Open<'_>));

pub(crate) const CASES: &[Case] = &[
    ("an empty queue has nothing to give", empty),
    ("the most urgent goes first, then the oldest", priorities),
    ("not before its moment", not_before),
    ("a row keeps what was asked for", rows),
    ("the jobs of a package go in their order", packages),
    ("what stands behind a failed job is cancelled and comes back with it", failing_packages),
    ("of those that write one runs at a time, of those that index likewise", one_at_a_time),
    ("a job ends once", double_ends),
    ("a job can go back and be taken again", going_back),
    ("logs are bounded and the oldest lines go", logs),
    ("curves are bounded and show the whole course", curves),
    ("lists go back in time page by page", lists),
    ("ended jobs are forgotten, with all that belongs to them", forgetting),
    ("notices are kept and their delivery told", notices),
    ("pause, resume, cancel and retry in every state", wishing::every_state),
    ("somebody changes their mind", wishing::minds_change),
    ("cancelling takes along what stands behind", wishing::cancelled_packages),
    ("other arguments and another priority", wishing::amending),
    ("a lease runs out", timing::leases),
    ("a dead worker is known at once", timing::the_dead),
    ("a job that kills its workers fails", timing::poison),
    ("schedules are kept, and not set back by whoever edits them", timing::schedules),
    ("a schedule fires once for a moment", timing::firing),
    ("eight threads fire a schedule once", crowd::one_fire),
    ("eight threads end each job once", crowd::each_once),
];

pub(super) const NOBODY_IS_DEAD: &dyn Fn(&str) -> bool = &|_| false;

pub(super) fn new(kind: JobKind) -> NewJob {
    NewJob { kind, args: "{}".into(), priority: 0, not_before: 0, schedule: None }
}

pub(super) fn add(queue: &mut Queue, kind: JobKind) -> JobId {
    queue.add(&[new(kind)], false, 100).expect("is added")[0]
}

pub(super) fn take(queue: &mut Queue, now: i64) -> Option<(Lease, JobRow)> {
    queue.take("me", 10, NOBODY_IS_DEAD, now).expect("takes")
}

pub(super) fn state(queue: &mut Queue, id: JobId) -> JobState {
    queue.job(id).expect("reads").expect("is there").state
}

fn well(queue: &mut Queue) {
    assert_eq!(queue.complaints(1_000).expect("reads"), Vec::<String>::new());
}

fn empty(open: &Open<'_>) {
    let mut queue = open();
    assert!(take(&mut queue, 1).is_none());
    assert_eq!(queue.peek(NOBODY_IS_DEAD, 1).expect("reads"), None);
    assert_eq!(queue.jobs(&Filter::default(), None, 10).expect("reads"), []);
    assert_eq!(queue.add(&[], true, 1).expect("adds"), []);
    assert!(queue.job(JobId(7)).expect("reads").is_none());
    assert!(!queue.pause(JobId(7), 1).expect("answers") && !queue.retry(JobId(7), 1).expect("answers"));
    queue.log(JobId(7), "nobody", 1).expect("is passed over");
    queue.plot(JobId(7), Curve { at_ms: 1, done: 1, left: 1 }).expect("is passed over");
    well(&mut queue);
}

fn priorities(open: &Open<'_>) {
    let mut queue = open();
    let with = |priority| NewJob { priority, ..new(JobKind::Map) };
    let ids = queue.add(&[with(0), with(5), with(-3), with(5), with(0)], false, 100).expect("adds");
    let mut order = Vec::new();
    while let Some(next) = queue.peek(NOBODY_IS_DEAD, 200).expect("reads") {
        let (lease, row) = take(&mut queue, 200).expect("what can be seen can be taken");
        assert_eq!(next.id, row.id);
        order.push(ids.iter().position(|id| *id == row.id).expect("is one of them"));
        assert!(queue.end(&lease, Ending::Done, "", 201).expect("ends"));
    }
    assert_eq!(order, [1, 3, 0, 4, 2]);
    well(&mut queue);
}

fn not_before(open: &Open<'_>) {
    let mut queue = open();
    let later = NewJob { not_before: 150, priority: 9, ..new(JobKind::Check) };
    let ids = queue.add(&[later, new(JobKind::Check)], false, 100).expect("adds");
    assert_eq!(take(&mut queue, 149).expect("is there").1.id, ids[1]);
    assert!(take(&mut queue, 149).is_none());
    assert_eq!(take(&mut queue, 150).expect("is there").1.id, ids[0]);
}

fn rows(open: &Open<'_>) {
    let mut queue = open();
    let asked = NewJob { args: "{\"format\":\"pdf\"}".into(), priority: -2, not_before: 7, ..new(JobKind::Map) };
    let id = queue.add(&[asked], false, 100).expect("adds")[0];
    let (lease, taken) = take(&mut queue, 120).expect("is there");
    assert_eq!(
        (taken.state, taken.owner.as_str(), taken.lease_until, taken.started_at),
        (JobState::Running, "me", 130, 120)
    );
    assert_eq!(
        (taken.args.as_str(), taken.priority, taken.not_before, taken.made_at),
        ("{\"format\":\"pdf\"}", -2, 7, 100)
    );
    assert_eq!(queue.beat(&lease, Some("{\"done\":3}"), 10, 125).expect("beats"), Reply::GoOn);
    assert_eq!(queue.beat(&lease, None, 10, 126).expect("beats"), Reply::GoOn);
    assert!(queue.remember(&lease, "{\"run\":4}").expect("keeps"));
    drop(queue);
    let mut queue = open();
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!((row.progress.as_str(), row.memo.as_str(), row.lease_until), ("{\"done\":3}", "{\"run\":4}", 136));
    assert!(queue.end(&lease, Ending::Done, "map drawn", 140).expect("ends"));
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!((row.state, row.outcome.as_str(), row.ended_at), (JobState::Done, "map drawn", 140));
    well(&mut queue);
}

fn packages(open: &Open<'_>) {
    let mut queue = open();
    let ids = queue.add(&[new(JobKind::Update), new(JobKind::Check), new(JobKind::Index)], true, 100).expect("adds");
    // The last of them is urgent, and still comes last.
    assert!(queue.prioritize(ids[2], 50).expect("sets"));
    for id in &ids {
        let (lease, row) = take(&mut queue, 110).expect("is there");
        assert_eq!((row.id, row.package.map(|package| package.0)), (*id, Some(ids[0].0)));
        assert!(take(&mut queue, 110).is_none(), "the next one waits for this one");
        assert!(queue.end(&lease, Ending::Done, "", 111).expect("ends"));
    }
    // A paused one holds up those behind it, and nobody else.
    let ids = queue.add(&[new(JobKind::Map), new(JobKind::Check)], true, 100).expect("adds");
    assert!(queue.pause(ids[0], 100).expect("pauses"));
    assert!(take(&mut queue, 110).is_none());
    let other = add(&mut queue, JobKind::Rank);
    assert_eq!(take(&mut queue, 110).expect("is there").1.id, other);
    well(&mut queue);
}

fn failing_packages(open: &Open<'_>) {
    let mut queue = open();
    let ids = queue.add(&[new(JobKind::Update), new(JobKind::Check), new(JobKind::Index)], true, 100).expect("adds");
    let own = queue.add(&[new(JobKind::Map)], false, 100).expect("adds")[0];
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.remember(&lease, "{\"run\":1}").expect("keeps"));
    assert!(queue.end(&lease, Ending::Failed, "no server", 111).expect("ends"));
    assert_eq!(
        ids.iter().map(|id| state(&mut queue, *id)).collect::<Vec<_>>(),
        [JobState::Failed, JobState::Cancelled, JobState::Cancelled]
    );
    assert_eq!(state(&mut queue, own), JobState::Waiting, "what is not of the package goes on");
    let felled = queue.job(ids[1]).expect("reads").expect("is there");
    assert!(felled.outcome.contains(&ids[0].0.to_string()) && felled.ended_at == 111, "{}", felled.outcome);
    well(&mut queue);
    assert!(queue.retry(ids[0], 120).expect("retries"));
    assert!(ids.iter().all(|id| state(&mut queue, *id) == JobState::Waiting));
    let again = queue.job(ids[0]).expect("reads").expect("is there");
    assert_eq!(
        (again.memo.as_str(), again.outcome.as_str(), again.ended_at),
        ("", "", 0),
        "a new attempt knows nothing of the old"
    );
    for id in ids.iter().chain([&own]) {
        let (lease, row) = take(&mut queue, 130).expect("is there");
        assert_eq!(row.id, *id);
        assert!(queue.end(&lease, Ending::Done, "", 131).expect("ends"));
    }
    well(&mut queue);
}

fn one_at_a_time(open: &Open<'_>) {
    let mut queue = open();
    let kinds = [JobKind::Crawl, JobKind::Update, JobKind::Index, JobKind::Index, JobKind::Map, JobKind::Map];
    let ids: Vec<JobId> = kinds.iter().map(|kind| add(&mut queue, *kind)).collect();
    let mut taken = Vec::new();
    while let Some((lease, row)) = take(&mut queue, 110) {
        taken.push((lease, row.id));
    }
    let numbers: Vec<JobId> = taken.iter().map(|(_, id)| *id).collect();
    assert_eq!(numbers, [ids[0], ids[2], ids[4], ids[5]]);
    well(&mut queue);
    assert!(queue.end(&taken[0].0, Ending::Done, "", 111).expect("ends"));
    assert_eq!(take(&mut queue, 112).expect("is there").1.id, ids[1]);
    assert!(queue.end(&taken[1].0, Ending::Done, "", 111).expect("ends"));
    assert_eq!(take(&mut queue, 112).expect("is there").1.id, ids[3]);
    well(&mut queue);
}

fn double_ends(open: &Open<'_>) {
    let mut queue = open();
    let id = add(&mut queue, JobKind::Map);
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.end(&lease, Ending::Done, "first", 111).expect("ends"));
    for ending in [Ending::Done, Ending::Failed, Ending::Paused, Ending::Cancelled, Ending::Back { not_before: 0 }] {
        assert!(!queue.end(&lease, ending, "second", 112).expect("answers"));
    }
    assert_eq!(queue.beat(&lease, Some("late"), 10, 112).expect("answers"), Reply::Lost);
    assert!(!queue.remember(&lease, "late").expect("answers"));
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!(
        (row.state, row.outcome.as_str(), row.ended_at, row.progress.as_str()),
        (JobState::Done, "first", 111, "")
    );
}

fn going_back(open: &Open<'_>) {
    let mut queue = open();
    let id = add(&mut queue, JobKind::Crawl);
    let (first, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.remember(&first, "{\"run\":3}").expect("keeps"));
    assert!(queue.end(&first, Ending::Back { not_before: 140 }, "busy", 111).expect("ends"));
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!(
        (row.state, row.not_before, row.ended_at, row.memo.as_str()),
        (JobState::Waiting, 140, 0, "{\"run\":3}")
    );
    assert!(take(&mut queue, 139).is_none());
    let (second, row) = take(&mut queue, 140).expect("is there");
    assert!(second.fence > first.fence && row.memo == "{\"run\":3}" && row.started_at == 110);
    well(&mut queue);
}

fn logs(open: &Open<'_>) {
    let mut queue = open();
    let id = add(&mut queue, JobKind::Crawl);
    let many = LOG_LINES + 25;
    for number in 1..=many {
        queue.log(id, &format!("line {number}"), number as i64).expect("writes");
    }
    let all = queue.log_of(id, 0, usize::MAX).expect("reads");
    assert_eq!(all.len() as u64, LOG_LINES);
    assert_eq!((all[0].text.as_str(), all[0].seq), ("line 26", 26));
    assert_eq!(all.last().map(|line| (line.seq, line.at)), Some((many, many as i64)));
    let some = queue.log_of(id, many - 3, 2).expect("reads");
    assert_eq!(some.iter().map(|line| line.seq).collect::<Vec<_>>(), [many - 2, many - 1]);
    queue.log(id, &"ž".repeat(LOG_BYTES), 1).expect("writes");
    let long = queue.log_of(id, many, 1).expect("reads");
    assert!(long[0].text.len() <= LOG_BYTES + 4 && long[0].text.ends_with('…'));
}

fn curves(open: &Open<'_>) {
    let mut queue = open();
    let id = add(&mut queue, JobKind::Crawl);
    let last = 5 * CURVE_POINTS as i64;
    for second in 0..=last {
        queue.plot(id, Curve { at_ms: second * 1000, done: second as u64, left: 7 }).expect("writes");
    }
    let curve = queue.curve_of(id).expect("reads");
    assert!(curve.len() <= CURVE_POINTS && curve.len() > CURVE_POINTS / 4, "{}", curve.len());
    assert_eq!((curve[0].at_ms, curve.last().map(|point| point.at_ms)), (0, Some(last * 1000)));
    // No part of the course is thinner than a hundredth of it.
    let widest = curve.windows(2).map(|pair| pair[1].at_ms - pair[0].at_ms).max().unwrap_or(0);
    assert!(widest <= last * 10, "a gap of {widest} ms");
    assert!(curve.iter().all(|point| point.done as i64 * 1000 == point.at_ms && point.left == 7));
}

fn lists(open: &Open<'_>) {
    let mut queue = open();
    let ids: Vec<JobId> =
        (0..7).map(|n| add(&mut queue, if n % 2 == 0 { JobKind::Map } else { JobKind::Check })).collect();
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.end(&lease, Ending::Done, "", 111).expect("ends"));
    let numbers = |rows: Vec<JobRow>| rows.into_iter().map(|row| row.id.0 - ids[0].0).collect::<Vec<_>>();
    let all = Filter::default();
    assert_eq!(numbers(queue.jobs(&all, None, 3).expect("reads")), [6, 5, 4]);
    assert_eq!(numbers(queue.jobs(&all, Some(ids[4]), 3).expect("reads")), [3, 2, 1]);
    let checks = Filter { kinds: vec![JobKind::Check], ..Filter::default() };
    assert_eq!(numbers(queue.jobs(&checks, None, 10).expect("reads")), [5, 3, 1]);
    let done = Filter { states: vec![JobState::Done, JobState::Failed], ..Filter::default() };
    assert_eq!(numbers(queue.jobs(&done, None, 10).expect("reads")), [0]);
    let package = queue.add(&[new(JobKind::Map), new(JobKind::Map)], true, 100).expect("adds");
    let of = queue.job(package[1]).expect("reads").expect("is there").package;
    assert_eq!(numbers(queue.jobs(&Filter { package: of, ..all }, None, 10).expect("reads")), [8, 7]);
}

fn forgetting(open: &Open<'_>) {
    let mut queue = open();
    let old = add(&mut queue, JobKind::Map);
    queue.log(old, "a line", 1).expect("writes");
    queue.plot(old, Curve { at_ms: 1, done: 1, left: 0 }).expect("writes");
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.end(&lease, Ending::Done, "", 111).expect("ends"));
    let package = queue.add(&[new(JobKind::Map), new(JobKind::Check)], true, 100).expect("adds");
    let (lease, _) = take(&mut queue, 112).expect("is there");
    assert!(queue.end(&lease, Ending::Done, "", 113).expect("ends"));
    assert_eq!(queue.forget(1_000).expect("forgets"), 1, "a package goes as a whole");
    assert!(queue.job(old).expect("reads").is_none() && queue.job(package[0]).expect("reads").is_some());
    assert!(queue.log_of(old, 0, 9).expect("reads").is_empty() && queue.curve_of(old).expect("reads").is_empty());
    let (lease, _) = take(&mut queue, 114).expect("is there");
    assert!(queue.end(&lease, Ending::Done, "", 115).expect("ends"));
    assert_eq!(queue.forget(115).expect("forgets"), 0, "only what ended before");
    assert_eq!(queue.forget(116).expect("forgets"), 2);
    let next = add(&mut queue, JobKind::Map);
    assert!(next > package[1], "no number is given twice");
    well(&mut queue);
}

fn notices(open: &Open<'_>) {
    let mut queue = open();
    let notice =
        |run| NoticeRow { id: 0, at: 5, run, title: format!("run {run}"), body: "{}".into(), delivery: String::new() };
    let ids: Vec<u64> = (1..=3).map(|run| queue.add_notice(&notice(run)).expect("is kept")).collect();
    queue.deliver(ids[1], "{\"mail\":\"sent\"}").expect("is kept");
    let latest = queue.notices(None, 2).expect("reads");
    assert_eq!(latest.iter().map(|row| (row.id, row.run)).collect::<Vec<_>>(), [(ids[2], 3), (ids[1], 2)]);
    assert_eq!((latest[1].delivery.as_str(), latest[0].delivery.as_str()), ("{\"mail\":\"sent\"}", ""));
    let first = queue.notices(Some(ids[1]), 9).expect("reads");
    assert_eq!(first, [NoticeRow { id: ids[0], ..notice(1) }]);
}
