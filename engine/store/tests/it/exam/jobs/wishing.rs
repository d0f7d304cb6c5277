//! Cases about jobs that are paused, resumed, cancelled and retried.

use super::{Open, add, new, state, take, well};
use groma_store::jobs::{Ending, JobId, JobKind, JobState, Queue, Reply};

/// A job of its own in this state.
fn in_state(queue: &mut Queue, wanted: JobState) -> JobId {
    let id = add(queue, JobKind::Map);
    let ending = match wanted {
        JobState::Waiting => return id,
        JobState::Paused => {
            assert!(queue.pause(id, 1).expect("pauses"));
            return id;
        }
        JobState::Running => None,
        JobState::Done => Some(Ending::Done),
        JobState::Failed => Some(Ending::Failed),
        JobState::Cancelled => Some(Ending::Cancelled),
    };
    // More urgent than all before it.
    assert!(queue.prioritize(id, id.0 as i32).expect("sets"));
    let (lease, row) = take(queue, 110).expect("is there");
    assert_eq!(row.id, id);
    if let Some(ending) = ending {
        assert!(queue.end(&lease, ending, "", 111).expect("ends"));
    }
    id
}

pub(super) fn every_state(open: &Open<'_>) {
    use JobState::{Cancelled, Done, Failed, Paused, Running, Waiting};
    type Act = fn(&mut Queue, JobId) -> bool;
    let pause: Act = |queue, id| queue.pause(id, 120).expect("answers");
    let resume: Act = |queue, id| queue.resume(id, 120).expect("answers");
    let cancel: Act = |queue, id| queue.cancel(id, 120).expect("answers");
    let retry: Act = |queue, id| queue.retry(id, 120).expect("answers");
    let cases: [(&str, Act, [Option<JobState>; 6]); 4] = [
        // Waiting, running, paused, done, failed, cancelled; nothing: it is refused.
        ("pause", pause, [Some(Paused), Some(Running), None, None, None, None]),
        ("resume", resume, [None, None, Some(Waiting), None, None, None]),
        ("cancel", cancel, [Some(Cancelled), Some(Running), Some(Cancelled), None, None, None]),
        ("retry", retry, [None, None, None, None, Some(Waiting), Some(Waiting)]),
    ];
    let mut queue = open();
    for (name, act, expected) in cases {
        for (before, after) in [Waiting, Running, Paused, Done, Failed, Cancelled].into_iter().zip(expected) {
            let id = in_state(&mut queue, before);
            assert_eq!(act(&mut queue, id), after.is_some(), "{name} in {}", before.name());
            assert_eq!(state(&mut queue, id), after.unwrap_or(before), "{name} in {}", before.name());
            well(&mut queue);
        }
    }
}

pub(super) fn minds_change(open: &Open<'_>) {
    let mut queue = open();
    // Paused while it runs: the worker hears it and stops.
    let id = add(&mut queue, JobKind::Crawl);
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.pause(id, 111).expect("answers"));
    assert_eq!(queue.beat(&lease, None, 10, 112).expect("beats"), Reply::Pause);
    assert!(queue.end(&lease, Ending::Paused, "", 113).expect("ends"));
    assert_eq!(state(&mut queue, id), JobState::Paused);
    assert!(take(&mut queue, 114).is_none());
    assert!(queue.resume(id, 115).expect("answers"));
    // Resumed before the worker had stopped: it waits for the next one.
    let (lease, _) = take(&mut queue, 116).expect("is there");
    assert!(queue.pause(id, 117).expect("answers") && queue.resume(id, 118).expect("answers"));
    assert_eq!(queue.beat(&lease, None, 10, 119).expect("beats"), Reply::GoOn);
    assert!(queue.end(&lease, Ending::Paused, "", 120).expect("ends"));
    assert_eq!(state(&mut queue, id), JobState::Waiting);
    // Cancelled while it is about to pause: that stays, whatever is said later.
    let (lease, _) = take(&mut queue, 121).expect("is there");
    assert!(queue.pause(id, 122).expect("answers") && queue.cancel(id, 123).expect("answers"));
    assert!(!queue.pause(id, 124).expect("answers") && !queue.resume(id, 124).expect("answers"));
    assert_eq!(queue.beat(&lease, None, 10, 125).expect("beats"), Reply::Cancel);
    assert!(queue.end(&lease, Ending::Paused, "", 126).expect("ends"));
    assert_eq!(state(&mut queue, id), JobState::Cancelled);
    // Done before the wish was heard: done is done.
    for wish in [true, false] {
        let id = add(&mut queue, JobKind::Crawl);
        let (lease, _) = take(&mut queue, 130).expect("is there");
        assert!(if wish { queue.pause(id, 131) } else { queue.cancel(id, 131) }.expect("answers"));
        assert!(queue.end(&lease, Ending::Done, "", 132).expect("ends"));
        assert_eq!(state(&mut queue, id), JobState::Done);
    }
    // A worker that goes home fulfils the wish on its way.
    for (wish, after) in [(true, JobState::Paused), (false, JobState::Cancelled)] {
        let id = add(&mut queue, JobKind::Crawl);
        let (lease, _) = take(&mut queue, 140).expect("is there");
        assert!(if wish { queue.pause(id, 141) } else { queue.cancel(id, 141) }.expect("answers"));
        assert!(queue.end(&lease, Ending::Back { not_before: 0 }, "", 142).expect("ends"));
        assert_eq!(state(&mut queue, id), after);
    }
    well(&mut queue);
}

pub(super) fn cancelled_packages(open: &Open<'_>) {
    let mut queue = open();
    let kinds = [JobKind::Update, JobKind::Check, JobKind::Map, JobKind::Index];
    let ids = queue.add(&kinds.map(new), true, 100).expect("adds");
    // The map alone is not wanted: what stands behind it goes too, and only that.
    assert!(queue.cancel(ids[2], 101).expect("answers"));
    let states: Vec<JobState> = ids.iter().map(|id| state(&mut queue, *id)).collect();
    assert_eq!(states, [JobState::Waiting, JobState::Waiting, JobState::Cancelled, JobState::Cancelled]);
    // While the first one runs: the worker hears it, and those behind go at once.
    let (lease, _) = take(&mut queue, 110).expect("is there");
    assert!(queue.cancel(ids[0], 111).expect("answers"));
    assert_eq!((state(&mut queue, ids[0]), state(&mut queue, ids[1])), (JobState::Running, JobState::Cancelled));
    assert!(queue.end(&lease, Ending::Cancelled, "", 112).expect("ends"));
    // Retried, it brings back what fell with it, but not what somebody had cancelled by itself.
    assert!(queue.retry(ids[0], 120).expect("answers"));
    let states: Vec<JobState> = ids.iter().map(|id| state(&mut queue, *id)).collect();
    assert_eq!(states[..3], [JobState::Waiting, JobState::Waiting, JobState::Cancelled]);
    // One that is retried by itself goes although those before it were not done.
    let alone = queue.add(&[new(JobKind::Update), new(JobKind::Check)], true, 100).expect("adds");
    assert!(queue.cancel(alone[0], 121).expect("answers") && queue.retry(alone[1], 122).expect("answers"));
    assert!(queue.prioritize(alone[1], 9).expect("sets"));
    assert_eq!(take(&mut queue, 130).expect("is there").1.id, alone[1]);
    well(&mut queue);
}

pub(super) fn amending(open: &Open<'_>) {
    let mut queue = open();
    let id = add(&mut queue, JobKind::Crawl);
    assert!(queue.amend(id, "{\"exclude\":[\"/a\"]}").expect("answers"));
    let (lease, row) = take(&mut queue, 110).expect("is there");
    assert_eq!(row.args, "{\"exclude\":[\"/a\"]}");
    assert!(!queue.amend(id, "{}").expect("answers"), "its worker has read it already");
    assert!(queue.prioritize(id, 3).expect("answers"));
    assert!(queue.end(&lease, Ending::Done, "", 111).expect("ends"));
    assert!(!queue.amend(id, "{}").expect("answers") && !queue.prioritize(id, 4).expect("answers"));
    let row = queue.job(id).expect("reads").expect("is there");
    assert_eq!((row.args.as_str(), row.priority), ("{\"exclude\":[\"/a\"]}", 3));
}
