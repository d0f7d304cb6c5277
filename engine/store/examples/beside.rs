//! How fast the stores beside a survey are: `cargo run --release -p groma-store --example beside [POSTGRES-ADDRESS]`.
//!
//! Without an address: SQLite files in a folder of their own under the temporary one. With one: a survey of its own on that server,
//! removed afterwards. Each figure is the best of five rounds: by the clock, and by the time this thread had a processor (on Linux),
//! which is what can be compared where others work too.

use std::path::Path;
use std::time::Instant;

use groma_model::PageId;
use groma_store::StoreError;
use groma_store::accounts::{Accounts, Session};
use groma_store::focuses::{Focuses, NewFocus, StepRow};
use groma_store::gathers::{Gathers, Harvest, NewGather, RecordRow};
use groma_store::jobs::{Ending, JobKind, NewJob, Queue};
use groma_store::{Server, SideStore, SurveyName, drop_survey};

fn told(what: &str, count: u32, mut act: impl FnMut(u32) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let (mut best, mut least) = (f64::MAX, f64::MAX);
    for round in 0..5 {
        let (begun, busy) = (Instant::now(), busy());
        act(round)?;
        best = best.min(begun.elapsed().as_secs_f64());
        least = least.min(crate::busy() - busy);
    }
    println!(
        "{what:30} {:>10.0} a second {:>8.2} µs of a processor each",
        f64::from(count) / best,
        least / f64::from(count)
    );
    Ok(())
}

/// Microseconds for which this thread had a processor.
fn busy() -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    said.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e3
}

fn steps(focuses: &mut Focuses) -> Result<(), StoreError> {
    let step = |order: u32| StepRow {
        order,
        page: PageId(order),
        address: format!("http://www.example.org/a/page/{order}.html"),
        score: f64::from(order % 100) / 100.0,
        relevant: order.is_multiple_of(3),
        found: order / 3 + 1,
        said: "{\"cosine\":0.25,\"weight\":0.5}".into(),
    };
    let all: Vec<Vec<StepRow>> =
        (0..20).map(|batch| (batch * 1_000..(batch + 1) * 1_000).map(step).collect()).collect();
    told("steps of a focused crawl", 20_000, |round| {
        let new =
            NewFocus { key: round.to_string(), topic: "t".into(), strategy: "s".into(), asked: String::new(), at: 1 };
        let id = focuses.begin(&new)?.id;
        for batch in &all {
            focuses.add_steps(id, batch, 2)?;
        }
        Ok(())
    })
}

fn records(gathers: &mut Gathers) -> Result<(), StoreError> {
    let record = |n: u32| RecordRow {
        place: 0,
        values: format!("[[\"title\",\"record {n}\"],[\"year\",\"1999\"]]"),
        link: format!("http://www.example.org/record/{n}"),
        question: "year = 1999".into(),
    };
    let value = |n: u32| (["title", "year", "author", "place"][n as usize % 4].to_owned(), format!("value {n}"));
    let harvest = |batch: u32| Harvest {
        records: (batch * 50..(batch + 1) * 50).map(record).collect(),
        values: (batch * 50..(batch + 1) * 50).map(value).collect(),
        requests: batch,
        at: 2,
        ..Harvest::default()
    };
    let all: Vec<Harvest> = (0..200).map(harvest).collect();
    told("records of a gathering", 10_000, |round| {
        let new = NewGather { key: round.to_string(), address: String::new(), asked: String::new(), at: 1 };
        let id = gathers.begin(&new)?.id;
        all.iter().try_for_each(|harvest| gathers.add(id, harvest).map(|_| ()))
    })
}

fn jobs(queue: &mut Queue, count: u32) -> Result<(), StoreError> {
    let new = NewJob { kind: JobKind::Map, args: "{}".into(), priority: 0, not_before: 0, schedule: None };
    told("jobs from asking to end", count, |_| {
        for _ in 0..count {
            queue.add(std::slice::from_ref(&new), false, 1)?;
            let Some((lease, _)) = queue.take("me", 100, &|_| false, 2)? else { continue };
            queue.beat(&lease, Some("{\"done\":1}"), 100, 3)?;
            queue.end(&lease, Ending::Done, "done", 4)?;
        }
        Ok(())
    })?;
    let id = queue.add(&[new], false, 1)?[0];
    told("looks at a job", count * 10, |_| (0..count * 10).try_for_each(|_| queue.job(id).map(|_| ())))
}

fn sessions(accounts: &mut Accounts) -> Result<(), StoreError> {
    let session =
        Session { key: [7; 32], user: String::new(), csrf: "c".into(), expires_at: 1_000, made_at: 1, last_seen: 1 };
    accounts.open_session(&session)?;
    told("sessions looked up", 50_000, |_| (0..50_000).try_for_each(|_| accounts.session(&[7; 32], 5).map(|_| ())))
}

fn in_files(folder: &Path) -> Result<(), StoreError> {
    steps(&mut Focuses::open_file(&folder.join("focus.db"))?)?;
    records(&mut Gathers::open_file(&folder.join("gather.db"))?)?;
    jobs(&mut Queue::open_file(&folder.join("jobs.db"))?, 2_000)?;
    sessions(&mut Accounts::open_file(&folder.join("desk.db"))?)
}

fn on_a_server(server: &Server, survey: &SurveyName) -> Result<(), StoreError> {
    steps(&mut Focuses::open_on(server, survey)?)?;
    records(&mut Gathers::open_on(server, survey)?)?;
    jobs(&mut Queue::open_on(server, survey)?, 500)
}

fn main() -> Result<(), StoreError> {
    if let Some(address) = std::env::args().nth(1) {
        let (server, survey) = (Server::parse(&address)?, SurveyName::new("example.beside")?);
        let done = on_a_server(&server, &survey);
        drop_survey(&server, &survey)?;
        return done;
    }
    let folder = std::env::temp_dir().join(format!("groma-beside-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    let done = in_files(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    done
}
