//! Surveys go from files to a server and back, whole, and are the same.

mod filled;
mod killed;
mod refused;

use std::collections::BTreeMap;
use std::path::Path;

use groma_store::jobs::{JobKind, NewJob};
use groma_store::{Copied, Folder, verify};
use rusqlite::types::Value;

use crate::postgres_survey::{Place, address};
use crate::scratch;
use filled::fill;

/// The folder of a survey on the server for tests.
pub(crate) fn on_server(home: &Path, place: &Place, parameters: &str) -> Folder {
    std::fs::create_dir_all(home).unwrap();
    std::fs::write(home.join("server"), format!("{}{parameters}", address().unwrap())).unwrap();
    let folder = Folder::new(home.join(format!("{}.groma", place.survey)));
    assert!(folder.is_on_server());
    folder
}

/// Does something to a survey that no groma would.
fn meddle(place: &Place, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&address().unwrap(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("SET search_path = \"{}\"; {sql}", place.survey)).await.unwrap();
    });
}

/// Every row of every file of a survey, as SQLite tells it.
fn everything(folder: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let mut found = BTreeMap::new();
    for file in ["survey.db", "jobs.db", "bounds.db", "focus.db", "gather.db", "outside.db"] {
        let db = groma_sqlite_checksums::open(folder.join(file), groma_sqlite_checksums::writing()).unwrap();
        let names: Vec<String> = {
            let mut tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
            tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        for name in names.iter().filter(|name| !name.starts_with("sqlite_stat")) {
            let mut select = db.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let width = select.column_count();
            let read = |row: &rusqlite::Row<'_>| (0..width).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>();
            let mut rows: Vec<Vec<Value>> = select.query_map([], read).unwrap().map(Result::unwrap).collect();
            rows.sort_by_cached_key(|row| format!("{row:?}"));
            found.insert(format!("{file} {name}"), rows);
        }
    }
    found
}

fn verified(folder: &Folder) {
    let mut store = folder.read().unwrap();
    let report = verify::verify(&mut *store).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.complaints);
    assert!(report.links > 100, "{} links", report.links);
}

fn copied(from: &Folder, to: &Folder) -> Copied {
    let mut told = BTreeMap::new();
    let copied = from.copy_to(to, &mut |table, rows| {
        told.insert(table.to_owned(), rows);
    });
    let copied = copied.unwrap();
    for table in &copied.tables {
        assert_eq!(told.get(table.name), Some(&table.rows), "{}", table.name);
    }
    copied
}

fn next_job(folder: &Folder) -> u64 {
    let job = NewJob { kind: JobKind::Index, args: "{}".into(), priority: 0, not_before: 0, schedule: None };
    folder.queue().unwrap().add(&[job], false, 1).unwrap()[0].0
}

fn sorted(dir: &Path) -> Vec<String> {
    let names = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn there_and_back_everything_is_the_same() {
    let Some(place) = Place::new("copied") else { return };
    let dir = scratch("copied");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 400);
    first.keep(1).unwrap();
    let before = everything(first.path());
    assert!(before.values().all(|rows| !rows.is_empty()), "every table has rows");

    let there = on_server(&dir.join("home"), &place, "");
    let up = copied(&first, &there);
    assert!(up.tables.iter().all(|table| table.rows > 0 && table.bytes > 0), "{up:?}");
    assert_eq!(up.tables.len(), 34);
    verified(&there);
    let sizes = groma_store::survey_sizes(&place.server).unwrap();
    let size = sizes.iter().find(|size| size.name == place.survey).unwrap();
    assert!(size.bytes > 100_000 && size.addresses == Some(400), "{size:?}");
    assert!(there.stamp().is_some() && !there.is_busy());
    assert!(there.read_kept(1).unwrap().is_some(), "what was kept after a run goes with it");

    let back = Folder::new(dir.join("back.groma"));
    assert_eq!(copied(&there, &back), up);
    verified(&back);
    assert_eq!(everything(back.path()), before);
    assert!(back.read_kept(1).unwrap().is_some());
    assert_eq!(sorted(&dir), ["back.groma", "first.groma", "home"], "nothing lies about");

    // And on: what is new gets new numbers, and the writer goes on where it was.
    let expected = next_job(&first);
    assert_eq!((next_job(&there), next_job(&back)), (expected, expected));
    assert!(expected > 1000, "also after numbers whose rows are gone: {expected}");
    for folder in [&there, &back] {
        let (mut store, lock) = folder.open().unwrap();
        store.commit(&filled::more(401)).unwrap();
        assert_eq!(store.changes(0, 10_000).unwrap().last().unwrap().seq, 401);
        drop((store, lock));
        verified(folder);
    }
    assert_eq!(everything(first.path())["survey.db address"], before["survey.db address"], "the source is as it was");
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_same_kind_to_the_same_kind() {
    let dir = scratch("samekind");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 150);
    let second = Folder::new(dir.join("second.groma"));
    let here = copied(&first, &second);
    assert_eq!(everything(second.path()), everything(first.path()));
    verified(&second);
    if let Some(place) = Place::new("samekind") {
        let other = place.beside("samekind-other");
        let (left, right) = (on_server(&dir.join("a"), &place, ""), on_server(&dir.join("b"), &other, ""));
        assert_eq!(copied(&second, &left), here);
        assert_eq!(copied(&left, &right), here);
        verified(&right);
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_survey_with_nothing_beside_it_has_nothing_beside_its_copy() {
    let dir = scratch("alone");
    let (first, second) = (Folder::new(dir.join("first.groma")), Folder::new(dir.join("second.groma")));
    drop(first.open().unwrap());
    let copied = first.copy_to(&second, &mut |_, _| {}).unwrap();
    assert!(copied.tables.iter().all(|table| table.room == "survey" && table.rows == 0), "{copied:?}");
    assert_eq!(sorted(second.path()), ["lock", "survey.db"]);
    assert!(second.queue_if_any().unwrap().is_none());
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_survey_on_a_server_is_kept_as_it_stood_after_a_run() {
    let Some(place) = Place::new("kept") else { return };
    let dir = scratch("kept");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 200);
    let there = on_server(&dir.join("home"), &place, "");
    copied(&first, &there);
    // Also while somebody writes.
    let (mut store, lock) = there.open().unwrap();
    there.keep(7).unwrap();
    store.commit(&filled::more(201)).unwrap();
    let mut kept = there.read_kept(7).unwrap().unwrap();
    let report = verify::verify(&mut *kept).unwrap();
    assert_eq!((report.wrong, report.addresses), (0, 200), "{:?}", report.complaints);
    drop((store, lock));
    assert_eq!(sorted(&there.path().join("runs")), ["7.db"]);
    std::fs::remove_dir_all(dir).unwrap();
}

/// Whoever adds a table or a column on a server has to say how it is copied, or here that it is not.
#[test]
fn no_table_and_no_column_on_a_server_is_forgotten() {
    let Some(place) = Place::new("columns") else { return };
    let dir = scratch("columns");
    let first = Folder::new(dir.join("first.groma"));
    fill(&first, 20);
    let there = on_server(&dir.join("home"), &place, "");
    copied(&first, &there);
    let here = everything(first.path());
    let own = ["commits", "room", "writer", "crew", "lease", "server", "number_given"];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let counts: Vec<(String, i64)> = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&address().unwrap(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let sql =
            "SELECT table_name::text, count(*) FROM information_schema.columns WHERE table_schema = $1 GROUP BY 1";
        let rows = client.query(sql, &[&place.survey.as_str()]).await.unwrap();
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    });
    for (table, columns) in counts.iter().filter(|(table, _)| !own.contains(&table.as_str())) {
        let found = here.iter().find(|(name, _)| name.ends_with(&format!(" {table}")));
        let width = found.map(|(_, rows)| rows[0].len() as i64);
        // The queue is a table of its own there; two tables have a key that is made of other columns.
        let expected = match table.as_str() {
            "queue" => Some(4),
            "address" => width.map(|width| width - 2),
            "learned" | "finding" => width.map(|width| width + 1),
            _ => width,
        };
        assert_eq!(Some(*columns), expected, "{table}");
    }
    assert_eq!(counts.len(), 34 + own.len());
    std::fs::remove_dir_all(dir).unwrap();
}
