//! Is everything in the folder of a survey what was written, and does it agree? And what can be restored if not?
//!
//! Looked at: the survey and its copies after runs, jobs, bounds, focused crawls, gatherings, the full-text index, results of jobs, the
//! archive, pictures of pages, and the accounts in the folder above. What cannot be read is a complaint like any other.

use std::fs;
use std::sync::atomic::AtomicBool;

use groma_model::wording::counted;
use groma_page::picture::is_whole_png;
use groma_search::{Index, SearchError};
use groma_settings::Fault;
use groma_store::accounts::{self, Accounts};
use groma_store::verify::{self, Report};
use groma_store::{Folder, Snapshot, StoreError};

use crate::{archive, notify, sums};

/// Records of an archive named one by one.
const NAMED: usize = 20;

/// Result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// What was looked at, and what is wrong.
    pub report: Report,
    /// What somebody should know besides.
    pub notes: Vec<String>,
}

/// What was done about it.
#[derive(Clone, Debug, Default)]
pub struct Repair {
    /// What is whole again.
    pub restored: Vec<String>,
    /// What cannot be restored.
    pub lost: Vec<String>,
    /// Pages that are queued to be fetched again.
    pub queued: u64,
    /// How everything is afterwards.
    pub after: Verified,
}

/// Verifies everything that belongs to a survey.
pub fn look(folder: &Folder) -> Result<Verified, Fault> {
    let mut done = Verified::default();
    match folder.read() {
        Ok(mut store) => {
            done.report = verify::verify(&mut store)?;
            done.complain(index(folder, &mut store)?);
            match archive(&mut store) {
                Err(fault) => done.complain(vec![fault.says]),
                Ok(lines) => done.complain(lines),
            }
        }
        Err(error) if error.is_damage() => done.complain(vec![format!("the survey: {error}")]),
        Err(error) => return Err(error.into()),
    }
    done.complain(lines(folder.queue_if_any(), |queue| queue.complaints(groma_settings::clock::now()))?);
    done.complain(lines(folder.bounds_store_if_any(), |bounds_store| bounds_store.complaints())?);
    done.complain(lines(folder.focuses_if_any(), |focuses| focuses.complaints())?);
    done.complain(lines(folder.gathers_if_any(), |gathers| gathers.complaints())?);
    done.complain(lines(folder.outside_if_any(), |outside| outside.complaints())?);
    done.complain(folder.lost_files());
    done.complain(folder.damage_of_runs());
    done.complain(sums::complaints(&folder.results()));
    done.complain(sums::complaints(&notify::place(folder)));
    done.complain(pictures(folder));
    done.complain(of_accounts(folder)?);
    done.notes.extend(folder.has_server_checksums().map(|on| server_checksums(on).to_owned()));
    Ok(done)
}

/// Restores what can be restored, and looks at everything again.
pub fn repair(folder: &Folder, stop: &AtomicBool) -> Result<Repair, Fault> {
    let files = folder.repair(groma_settings::clock::now())?;
    let mut done = Repair { restored: files.restored, lost: files.lost, queued: files.queued, ..Repair::default() };
    if let Ok(mut store) = folder.read() {
        if !index(folder, &mut store)?.is_empty() {
            Index::follow(folder.path(), &mut store, true, stop, &mut |_| {})?;
            done.restored.push("index: made anew from the survey".to_owned());
        }
        if let Some(dir) = archive::place(&mut store)? {
            let checked = groma_warc_store::check(&dir)?;
            done.lost.extend(checked.lost.iter().map(|(file, records)| archive_file_lost(file, *records)));
            // Behind a record that cannot be read none would be found: then the old index knows more.
            let differs = checked.missing + checked.strange > 0 || !checked.lost.is_empty();
            if differs && checked.wrong.is_empty() {
                groma_warc_store::rebuild(&dir)?;
                done.restored.push(format!("{}: the index of the archive was made anew", dir.display()));
            }
        }
    }
    for place in [folder.results(), notify::place(folder)] {
        let names = sums::complete(&place).map_err(|error| Fault::of_input(&place.display().to_string(), &error))?;
        done.restored.extend(names.iter().map(|name| format!("{name}: it has a checksum again, of what it is now")));
    }
    done.after = look(folder)?;
    if folder.is_on_server() {
        done.after
            .notes
            .push("tables on a PostgreSQL server are not repaired here: restore them from its backups".to_owned());
    }
    Ok(done)
}

impl Verified {
    fn complain(&mut self, lines: Vec<String>) {
        self.report.wrong += lines.len() as u64;
        self.report.complaints.extend(lines);
    }
}

/// What a store beside the survey complains about; that it cannot be opened is a complaint too.
fn lines<T>(
    opened: Result<Option<T>, StoreError>,
    complaints: impl FnOnce(&mut T) -> Result<Vec<String>, StoreError>,
) -> Result<Vec<String>, Fault> {
    let found = opened.and_then(|opened| opened.map_or(Ok(Vec::new()), |mut store| complaints(&mut store)));
    match found {
        Err(error @ (StoreError::DamagedFile { .. } | StoreError::Damaged(_) | StoreError::Foreign { .. })) => {
            Ok(vec![error.to_string()])
        }
        other => Ok(other?),
    }
}

fn index(folder: &Folder, store: &mut dyn Snapshot) -> Result<Vec<String>, Fault> {
    match Index::complaints(folder.path(), store) {
        // What lies beside the survey, and is complained about there.
        Err(SearchError::Store(StoreError::DamagedFile { path, .. })) => {
            Ok(vec![format!("the index cannot be compared with {}", path.display())])
        }
        other => Ok(other?),
    }
}

fn archive(store: &mut dyn Snapshot) -> Result<Vec<String>, Fault> {
    let Some(dir) = archive::place(store)? else { return Ok(Vec::new()) };
    let checked = groma_warc_store::check(&dir)?;
    let mut lines: Vec<String> = Vec::new();
    for wrong in checked.wrong.iter().take(NAMED) {
        lines.push(format!("archive: {} at {}: {}", wrong.file, wrong.offset, wrong.what));
    }
    if checked.wrong.len() > NAMED {
        lines.push(format!("archive: and {} more records", checked.wrong.len() - NAMED));
    }
    lines.extend(checked.lost.iter().map(|(file, records)| archive_file_lost(file, *records)));
    if checked.strange + checked.missing > 0 {
        let (strange, missing) = (checked.strange, checked.missing);
        lines.push(format!("archive: {strange} lines of its index are of no record, {missing} records are not in it"));
    }
    Ok(lines)
}

/// Pictures of pages that are not what the browser made.
fn pictures(folder: &Folder) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder.pictures()).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.extension().is_none_or(|ending| ending != "png") {
            continue;
        }
        match fs::read(&path) {
            Ok(bytes) if is_whole_png(&bytes) => {}
            Ok(_) => lines.push(format!("pictures/{}: damaged", name.display())),
            Err(error) => lines.push(format!("pictures/{}: {error}", name.display())),
        }
    }
    lines.sort();
    lines
}

/// The accounts of the server whose surveys lie in the folder above.
fn of_accounts(folder: &Folder) -> Result<Vec<String>, Fault> {
    let path = folder.path().parent().map(|home| home.join(accounts::FILE)).filter(|path| path.is_file());
    let Some(path) = path.filter(|_| !folder.is_on_server()) else { return Ok(Vec::new()) };
    match Accounts::damage_at(&path) {
        // Others may not read it.
        Err(StoreError::ReadOnly(_) | StoreError::Io { .. }) => Ok(Vec::new()),
        other => lines(other.map(Some), |found| Ok(std::mem::take(found))),
    }
}

fn archive_file_lost(file: &str, records: u64) -> String {
    format!("archive: {file} is gone or empty, and with it {}", counted(records, "record", "records"))
}

/// The checksums of a survey's tables, where those are on a server.
fn server_checksums(on: bool) -> &'static str {
    match on {
        true => {
            "the tables are on a PostgreSQL server, which checks the pages of its files itself (data_checksums is on)"
        }
        false => {
            "the tables are on a PostgreSQL server that does not check the pages of its files (data_checksums is off)"
        }
    }
}
