//! The folder of a survey: `NAME.groma/` with `survey.db` in it. Copy it, open it anywhere.
//!
//! The tables of a survey may lie on a server instead: then its folder is in a home that names the server (see [`crate::home_of`]), and
//! holds only what is made on this machine. Which it is shows in nothing but what is opened here.

mod anew;
mod copying;
mod made;
mod repair;
mod side;
mod stamp;
mod there;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::bounds::BoundsStore;
use crate::file_lock::FileLock;
use crate::home::{home_of, server_of};
use crate::jobs::{Queue, WorkerLock, workers};
use crate::outside::Outside;
use crate::postgres::driver::Link;
use crate::workers::Member;
use crate::{PgStore, Server, Snapshot, SqliteStore, Store, StoreError, SurveyName, copy};

use anew::is_survey;
pub use repair::Repaired;
pub use stamp::{Identity, Stamp};
use there::ServerSurvey;

/// What may lie in the folder of a survey that has not been begun: jobs can be asked for before there is a page.
const BESIDE: [&str; 26] = [
    "lock",
    made::LIST,
    "made.part",
    "runs",
    "jobs.db",
    "focus.db",
    "focus.db-wal",
    "focus.db-shm",
    "gather.db",
    "gather.lock",
    "gather.db-wal",
    "gather.db-shm",
    "outside.db",
    "outside.lock",
    "outside.db-wal",
    "outside.db-shm",
    "jobs.db-wal",
    "jobs.db-shm",
    "bounds.db",
    "bounds.db-wal",
    "bounds.db-shm",
    "workers",
    "results",
    "index",
    "notices",
    "graph",
];

/// Is this what a survey consists of? Then nothing else is written there.
pub(crate) fn is_of_a_survey(path: &Path) -> bool {
    let ours = |name: &std::ffi::OsStr| {
        name == "survey.db" || BESIDE.iter().chain(&LEFT).chain(&["pictures"]).any(|known| name == *known)
    };
    let mut inner = path;
    while let (Some(folder), Some(name)) = (inner.parent(), inner.file_name()) {
        if ours(name) && is_survey(&folder.join("survey.db")) {
            return true;
        }
        inner = folder;
    }
    false
}

/// What a kill may leave where there is no survey: of one that was being begun, and of one that was being removed.
const LEFT: [&str; 10] = [
    "begun.db",
    "begun.db-journal",
    "begun.db-wal",
    "begun.db-shm",
    "survey.db-journal",
    "survey.db-wal",
    "survey.db-shm",
    "survey.db-lost",
    "survey.db-damaged",
    "survey.db-repaired",
];

/// A lock that is held only for a moment is tried so often, with this pause.
const TRIES: u32 = 20;
const MOMENT: Duration = Duration::from_millis(10);

/// The folder of a survey, whether it exists or not.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    tables: Tables,
}

/// Where the tables of a survey lie.
#[derive(Clone, Debug)]
enum Tables {
    /// In files in its folder.
    Here,
    There(Arc<ServerSurvey>),
    /// On a server whose URL cannot be read: why.
    Nowhere(String),
}

/// Held by whoever writes. The system, or the server, lets go of it when the process ends, however it ends.
pub struct Lock {
    _held: Held,
}

enum Held {
    File(#[expect(dead_code, reason = "it is held, not read")] FileLock),
    Connection(#[expect(dead_code, reason = "it is held, not read")] Box<Link>),
    /// The store that is open for writing holds it itself.
    Store,
}

impl std::fmt::Debug for Lock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lock").finish_non_exhaustive()
    }
}

/// The name a survey of this host gets in the working directory. Only letters, digits, `.` and `-` are taken over.
pub fn default_folder(host: &str, port: Option<u16>) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' };
    let mut name: String = host.trim_matches(['[', ']']).chars().map(plain).collect();
    if let Some(port) = port {
        name.push_str(&format!("-{port}"));
    }
    PathBuf::from(format!("{}.groma", name.trim_start_matches('.')))
}

impl Folder {
    /// The folder at this path, whether it exists or not. The path may be the URL of a survey on a server.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        let path = path.into();
        if let Some(address) = path.to_str().filter(|text| Server::is_address(text)) {
            return Folder::at(address).unwrap_or_else(|error| {
                let tables = Tables::Nowhere(error.to_string());
                Folder { path: path.clone(), tables }
            });
        }
        let home = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let tables = match server_of(home) {
            None => Tables::Here,
            Some(server) => server
                .and_then(|server| Tables::on(server, &path))
                .unwrap_or_else(|error| Tables::Nowhere(error.to_string())),
        };
        Folder { path, tables }
    }

    fn at(address: &str) -> Result<Folder, StoreError> {
        let server = Server::parse(address)?;
        let survey = server.named_survey()?.clone();
        let path = home_of(address)?.join(format!("{survey}.groma"));
        fs::create_dir_all(&path).map_err(|source| StoreError::Io { path: path.clone(), source })?;
        Ok(Folder { path, tables: Tables::There(Arc::new(ServerSurvey::new(server, survey))) })
    }

    /// The folder on this machine, also where the tables are on a server.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the survey is, as people would type it.
    pub fn shown(&self) -> PathBuf {
        match &self.tables {
            Tables::There(there) => there.shown(),
            Tables::Here | Tables::Nowhere(_) => self.path.clone(),
        }
    }

    /// Are its tables on a server?
    pub fn is_on_server(&self) -> bool {
        !matches!(self.tables, Tables::Here)
    }

    fn database(&self) -> PathBuf {
        self.path.join("survey.db")
    }

    fn there(&self) -> Result<Option<&ServerSurvey>, StoreError> {
        match &self.tables {
            Tables::Here => Ok(None),
            Tables::There(there) => Ok(Some(there)),
            Tables::Nowhere(why) => Err(StoreError::Address(why.clone())),
        }
    }

    /// Is there a survey?
    pub fn exists(&self) -> bool {
        match &self.tables {
            Tables::Here => self.database().is_file(),
            Tables::There(there) => there.exists(),
            Tables::Nowhere(_) => true,
        }
    }

    /// Another one after every commit to the survey; nothing if there is none.
    pub fn stamp(&self) -> Option<Stamp> {
        match &self.tables {
            Tables::Here => Stamp::of_file(&self.database()),
            Tables::There(there) => there.survey_stamp().map(Stamp::There),
            Tables::Nowhere(_) => None,
        }
    }

    /// Another one after every change of what URLs outside answered; nothing if none was asked.
    pub fn outside_stamp(&self) -> Option<Stamp> {
        match &self.tables {
            Tables::Here => Stamp::of_file(&self.side_path::<Outside>()),
            Tables::There(there) => there.outside_stamp().map(Stamp::There),
            Tables::Nowhere(_) => None,
        }
    }

    /// Another one after every change of the bounds; nothing if there are none.
    pub fn bounds_stamp(&self) -> Option<Stamp> {
        match &self.tables {
            Tables::Here => Stamp::of_file(&self.side_path::<BoundsStore>()),
            Tables::There(there) => there.bounds_stamp().map(Stamp::There),
            Tables::Nowhere(_) => None,
        }
    }

    /// Which survey stands here: whoever holds a view of another one must let go of it.
    pub fn identity(&self) -> Option<Identity> {
        if self.is_on_server() { Some(Identity::THERE) } else { Identity::of_file(&self.database()) }
    }

    /// The same for the queue.
    pub fn queue_identity(&self) -> Option<Identity> {
        if self.is_on_server() { Some(Identity::THERE) } else { Identity::of_file(&self.side_path::<Queue>()) }
    }

    /// Was it begun a moment ago, so that it may not be whole yet?
    pub fn is_new(&self, moment: Duration) -> bool {
        let made = fs::metadata(self.database()).and_then(|file| file.modified());
        !self.is_on_server() && made.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < moment))
    }

    /// Opens the survey for writing, or begins it.
    pub fn open(&self) -> Result<(Box<dyn Store>, Lock), StoreError> {
        self.make()?;
        if let Some(there) = self.there()? {
            let store = PgStore::open(&there.server, &there.survey)?;
            return Ok((Box::new(store), Lock { _held: Held::Store }));
        }
        let lock = self.lock()?;
        self.begin()?;
        let store = SqliteStore::open(&self.database())?;
        Ok((Box::new(store), lock))
    }

    /// The same, to crawl in a way in which others can lend a hand, where that is possible.
    pub fn open_leading(&self) -> Result<(Box<dyn Store>, Lock), StoreError> {
        let Some(there) = self.there()? else { return self.open() };
        self.make()?;
        let store = PgStore::open_leading(&there.server, &there.survey)?;
        Ok((Box::new(store), Lock { _held: Held::Store }))
    }

    /// Opens the survey to lend a hand with its crawl; nothing if nobody wants one.
    pub fn open_helping(&self) -> Result<Option<Box<dyn Store>>, StoreError> {
        let Some(there) = self.there()? else { return Ok(None) };
        self.make()?;
        let store = PgStore::open_helping(&there.server, &there.survey)?;
        Ok(store.map(|store| Box::new(store) as Box<dyn Store>))
    }

    /// What a hand would be wanted for at this moment, if it would.
    pub fn task_for_hands(&self) -> Option<String> {
        self.there().ok()??.task_for_hands()
    }

    /// Those who write to it at this moment, as far as that is known.
    pub fn workers(&self) -> Vec<Member> {
        self.there().ok().flatten().map(ServerSurvey::workers).unwrap_or_default()
    }

    /// Makes the folder, unless it is there and somebody else's.
    fn make(&self) -> Result<(), StoreError> {
        if self.there()?.is_none() && self.path.exists() && !self.exists() && !self.is_empty() {
            return Err(StoreError::NotASurvey(self.path.clone()));
        }
        fs::create_dir_all(&self.path).map_err(|e| self.io(e))
    }

    /// Makes an empty survey, if there is none, and gives it its name only when it is whole: a kill at any moment leaves none or
    /// one that everybody can read. For whoever holds the lock.
    fn begin(&self) -> Result<(), StoreError> {
        if self.exists() {
            return Ok(());
        }
        // The log of another survey would be taken for that of this one.
        for name in LEFT {
            self.remove(name)?;
        }
        let begun = self.path.join("begun.db");
        SqliteStore::begin(&begun)?;
        fs::rename(&begun, self.database()).map_err(|e| self.io(e))
    }

    fn remove(&self, name: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.path.join(name)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(self.io(e)),
            _ => Ok(()),
        }
    }

    /// Opens the survey for reading; somebody else may be writing.
    pub fn read(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        if let Some(there) = self.there()? {
            return Ok(Box::new(PgStore::open_reading(&there.server, &there.survey)?));
        }
        if !self.exists() {
            return Err(StoreError::Missing(self.path.clone()));
        }
        Ok(Box::new(SqliteStore::open_reading(&self.database())?))
    }

    /// Where the results of jobs are kept.
    pub fn results(&self) -> PathBuf {
        self.path.join("results")
    }

    /// Where pictures of its pages are kept.
    pub fn pictures(&self) -> PathBuf {
        self.path.join("pictures")
    }

    /// Held by whoever gathers: two at once would spoil each other's answers. Nothing if somebody does.
    pub fn gathering(&self) -> Result<Option<Lock>, StoreError> {
        self.hold("gathering", "gather.lock")
    }

    /// Held by whoever asks the links that lead out: two at once would ask each of them twice. Nothing if somebody does.
    pub fn asking_outside(&self) -> Result<Option<Lock>, StoreError> {
        self.hold("outside", "outside.lock")
    }

    fn hold(&self, what: &str, file: &str) -> Result<Option<Lock>, StoreError> {
        if let Some(there) = self.there()? {
            return Ok(there.hold(what)?.map(|link| Lock { _held: Held::Connection(Box::new(link)) }));
        }
        match self.lock_file(file) {
            Ok(lock) => Ok(Some(lock)),
            Err(StoreError::Busy(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Says that a worker of this name is at work in this folder, until it is dropped or the process ends.
    pub fn worker(&self, id: &str) -> Result<WorkerLock, StoreError> {
        WorkerLock::hold(&self.path.join("workers"), id).map_err(|e| self.io(e))
    }

    /// Is there no worker of this name at work? Of those on other machines nobody here knows: the time of what they hold tells.
    pub fn is_worker_dead(&self, id: &str) -> bool {
        if self.is_on_server() {
            return workers::is_left(&self.path.join("workers"), id);
        }
        workers::is_dead(&self.path.join("workers"), id)
    }

    /// Removes what dead workers left.
    pub fn sweep_workers(&self) {
        // On a server, a file that is not there may be of another machine: only what is there tells of a death.
        let older = if self.is_on_server() { workers::LONG_AGO } else { Duration::ZERO };
        workers::sweep(&self.path.join("workers"), older);
    }

    /// Keeps a copy of the survey as it stood after a run, unless there is one: `runs/N.db` in its folder.
    pub fn keep(&self, run: u32) -> Result<(), StoreError> {
        let (copy, part) = (self.kept(run), self.path.join("runs").join("part.db"));
        if copy.exists() {
            return Ok(());
        }
        fs::create_dir_all(self.path.join("runs")).map_err(|e| self.io(e))?;
        // What a kill left behind.
        let _ = fs::remove_file(&part);
        let copied = match self.there()? {
            Some(there) => copy::to_file(&there.server, &there.survey, &part),
            None => SqliteStore::copy(&self.database(), &part),
        };
        copied.inspect_err(|_| drop(fs::remove_file(&part)))?;
        fs::rename(&part, &copy).map_err(|e| self.io(e))?;
        self.note_made(&copy)
    }

    /// Opens the survey as it stood after a run, if that was kept.
    pub fn read_kept(&self, run: u32) -> Result<Option<Box<dyn Snapshot>>, StoreError> {
        let copy = self.kept(run);
        if copy.exists() { Ok(Some(Box::new(SqliteStore::open_reading(&copy)?))) } else { Ok(None) }
    }

    fn kept(&self, run: u32) -> PathBuf {
        self.path.join("runs").join(format!("{run}.db"))
    }

    /// Is somebody writing to it at this moment?
    pub fn is_busy(&self) -> bool {
        if let Ok(Some(there)) = self.there() {
            return there.is_busy();
        }
        FileLock::is_held(&self.path.join("lock"))
    }

    /// Is somebody writing to it, and not only just done? A server knows a moment later.
    fn stays_busy(&self) -> bool {
        (0..TRIES).all(|tried| {
            if tried > 0 {
                std::thread::sleep(MOMENT);
            }
            self.is_busy()
        })
    }

    fn lock(&self) -> Result<Lock, StoreError> {
        self.lock_file("lock")
    }

    fn lock_file(&self, name: &str) -> Result<Lock, StoreError> {
        let path = self.path.join(name);
        // Somebody may be asking `is_busy` in this very instant: that is over in a moment.
        for _ in 0..TRIES {
            match FileLock::take(&path).map_err(|e| self.io(e))? {
                Some(lock) => return Ok(Lock { _held: Held::File(lock) }),
                None => std::thread::sleep(MOMENT),
            }
        }
        Err(StoreError::Busy(self.path.clone()))
    }

    /// May a survey be begun here? Nothing else is there, or somebody was killed who began one.
    fn is_empty(&self) -> bool {
        if self.was_being_begun() {
            return true;
        }
        let ours = |name: &std::ffi::OsStr| BESIDE.iter().chain(&LEFT).any(|known| name == *known);
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.all(|e| e.is_ok_and(|e| ours(&e.file_name()))))
    }

    fn io(&self, source: std::io::Error) -> StoreError {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        match source.kind() {
            PermissionDenied | ReadOnlyFilesystem => StoreError::ReadOnly(self.path.clone()),
            StorageFull => StoreError::DiskFull,
            _ => StoreError::Io { path: self.path.clone(), source },
        }
    }
}

impl Tables {
    /// On a server, in the survey that is called like the folder.
    fn on(server: Server, path: &Path) -> Result<Tables, StoreError> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let survey = SurveyName::new(name.strip_suffix(".groma").unwrap_or(&name))?;
        Ok(Tables::There(Arc::new(ServerSurvey::new(server, survey))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        assert_eq!(default_folder("www.example.org", None), Path::new("www.example.org.groma"));
        assert_eq!(default_folder("127.0.0.1", Some(8080)), Path::new("127.0.0.1-8080.groma"));
        assert_eq!(default_folder("[::1]", Some(80)), Path::new("__1-80.groma"));
        assert_eq!(default_folder("../x", None), Path::new("_x.groma"));
    }
}
