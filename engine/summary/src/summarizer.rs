//! Who reads when? One reading per document at a time, a few altogether, and none while the last one is fresh.
//!
//! What an asker can rely on: an answer shows the database as it was at most [`Limits::fresh`] and one reading ago. When that
//! time is over, the database is asked for the sign of its state (PostgreSQL, SQLite); an equal sign spares the reading. Without
//! a sign everything is read again, and the digest says whether anything changed. So a request that brings the last ETag costs
//! one question, or none, and gets `304`.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::catalogue::{self, Lookup, Relation};
use crate::database::{Address, Database};
use crate::documents::{Document, Documents, Listing};
use crate::error::SummaryError;
use crate::keep::{Folder, Kept};
use crate::limits::Limits;
use crate::object::{self, now};

/// After a failure the database is left alone for so long.
const REST: Duration = Duration::from_secs(5);

/// What a summarizer works with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of DBContent documents.
    pub documents: PathBuf,
    pub database: Address,
    /// Where answers are kept; without it in a folder that goes with the process.
    pub cache: Option<PathBuf>,
    /// How much, how long.
    pub limits: Limits,
    /// Read through a role that may write, too.
    pub allow_writable_role: bool,
    /// Go to another machine without encryption.
    pub allow_far: bool,
}

/// What is said to the keeper of the database, never to those who ask.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Reads the database for its documents, and keeps the answers.
pub struct Summarizer {
    pub(crate) documents: Documents,
    pub(crate) limits: Limits,
    database: Database,
    allow_writable_role: bool,
    folder: Folder,
    /// What answers depend on besides document and rows.
    of: String,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    readings: Gate,
    log: Log,
}

impl std::fmt::Debug for Summarizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Summarizer").field("database", &self.database).finish_non_exhaustive()
    }
}

/// State of one document; the condition is signaled when it changes.
#[derive(Debug, Default)]
struct Slot {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    kept: Option<Kept>,
    is_being_read: bool,
    /// Counts readings that ended well.
    done: u64,
    failed: Option<(Instant, Arc<SummaryError>)>,
}

impl Summarizer {
    /// Opens the folder of documents and tries the database. A role that may write is refused here, unless it is allowed.
    pub fn open(options: Options, log: Log) -> Result<Arc<Summarizer>, SummaryError> {
        let documents = Documents::open(&options.documents, options.limits.documents)?;
        let listing = documents.list()?;
        for complaint in &listing.complaints {
            log(complaint);
        }
        if options.database.is_far() && !options.allow_far {
            #[cfg(feature = "odbc")]
            if let Address::Odbc(_) = options.database {
                return Err(SummaryError::Unseen);
            }
            return Err(SummaryError::Far);
        }
        let database = Database::new(options.database);
        let mut reader = database.connect()?;
        let excess = reader.excess()?;
        if !excess.is_empty() {
            if !options.allow_writable_role {
                return Err(SummaryError::Role(excess));
            }
            log(&format!("the role may do more than read, and that was allowed: {}", excess.join("; ")));
        }
        if let Some(more) = beyond_documents(&listing, &reader.relations()?) {
            log(&more);
        }
        Ok(Arc::new(Summarizer {
            documents,
            of: format!("{} {}", database.shown(), options.limits.of_content()),
            readings: Gate::new(options.limits.readings.max(1)),
            limits: options.limits,
            database,
            allow_writable_role: options.allow_writable_role,
            folder: Folder::open(options.cache.as_deref())?,
            slots: Mutex::default(),
            log,
        }))
    }

    /// The limits it works within.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Removes what was kept for this process only, also while a reading is under way.
    pub fn tidy_up(&self) {
        self.folder.remove_if_passing();
    }

    /// The object of a document, at most [`Limits::fresh`] old; waits at most so long for it.
    pub(crate) fn object(
        self: &Arc<Self>,
        document: &Document,
        wait: Duration,
    ) -> Result<(Kept, File), Arc<SummaryError>> {
        let of = self.source_digest(document);
        let slot = self.slot(&document.id);
        let until = Instant::now() + wait;
        let mut state = lock(&slot.state);
        let seen = state.done;
        loop {
            // What another process has read counts as well.
            if state.kept.as_ref().is_none_or(|kept| !kept.is_fresh(&of, self.limits.fresh)) && !state.is_being_read {
                state.kept = self.folder.load(&document.id).filter(|kept| kept.of == of);
            }
            let usable = |kept: &&Kept| kept.is_fresh(&of, self.limits.fresh) || (state.done > seen && kept.of == of);
            if let Some(kept) = state.kept.as_ref().filter(usable) {
                match self.folder.file(kept) {
                    Ok(file) => return Ok((kept.clone(), file)),
                    // Somebody tidied up: it is read again.
                    Err(_) => state.kept = None,
                }
            }
            if let Some((at, error)) = &state.failed
                && at.elapsed() < REST
                && !state.is_being_read
            {
                return Err(Arc::clone(error));
            }
            if !state.is_being_read {
                state.is_being_read = true;
                state.failed = None;
                let (own, slot, document) = (Arc::clone(self), Arc::clone(&slot), document.clone());
                let of = of.clone();
                let work = move || own.work(&slot, &document, &of);
                if let Err(error) = std::thread::Builder::new().name("reading".into()).spawn(work) {
                    state.is_being_read = false;
                    return Err(Arc::new(error.into()));
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Arc::new(SummaryError::Busy));
            }
            let waited = slot.changed.wait_timeout_while(state, left, |state| state.is_being_read);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_being_read {
                return Err(Arc::new(SummaryError::Busy));
            }
        }
    }

    /// A reading, in a thread of its own: it goes on when whoever asked has gone.
    fn work(&self, slot: &Slot, document: &Document, of: &str) {
        let before = lock(&slot.state).kept.clone();
        let result = self.readings.pass(|| self.refresh(document, of, before.as_ref()));
        let mut state = lock(&slot.state);
        match result {
            Ok(kept) => {
                state.kept = Some(kept);
                state.done += 1;
            }
            Err(error) => {
                (self.log)(&format!("{}: {error}", document.id));
                state.failed = Some((Instant::now(), Arc::new(error)));
            }
        }
        state.is_being_read = false;
        slot.changed.notify_all();
    }

    /// Asks whether anything changed, and reads if so.
    fn refresh(&self, document: &Document, of: &str, before: Option<&Kept>) -> Result<Kept, SummaryError> {
        let time = |error| match error {
            SummaryError::Time(_) => SummaryError::Time(self.limits.time.as_secs()),
            other => other,
        };
        let until = Instant::now() + self.limits.time;
        let mut reader = self.database.connect()?;
        if !self.allow_writable_role {
            // Rights may have been given since we started.
            let excess = reader.excess().map_err(time)?;
            if !excess.is_empty() {
                return Err(SummaryError::Role(excess));
            }
        }
        let checked = now();
        reader.begin(until).map_err(time)?;
        let sign = reader.sign().map_err(time)?;
        if let Some(before) = before
            && sign.is_some()
            && before.sign == sign
            && before.of == of
            && self.folder.file(before).is_ok()
        {
            let kept = Kept { checked, ..before.clone() };
            self.folder.note_down(&kept)?;
            return Ok(kept);
        }
        let earlier = before.map(|kept| (kept.digest.as_str(), kept.changed));
        let folder = self.folder.path();
        let written = object::write(reader.as_mut(), document, &self.limits, until, folder, earlier).map_err(time)?;
        let (names, octets) = (written.names, written.octets);
        (self.log)(&format!("{}: read {names} attributes, {octets} octets", document.id));
        for partial in &written.partial {
            (self.log)(&format!("{}: {partial}", document.id));
        }
        let kept = Kept {
            id: document.id.clone(),
            of: of.to_owned(),
            digest: written.digest.clone(),
            octets: written.octets,
            changed: written.changed,
            checked,
            sign: sign.filter(|_| written.rows_only),
        };
        self.folder.store(&kept, written)?;
        Ok(kept)
    }

    fn source_digest(&self, document: &Document) -> String {
        HEXLOWER.encode(&Sha256::digest(format!("{} {}", document.digest, self.of).as_bytes()))
    }

    fn slot(&self, id: &str) -> Arc<Slot> {
        // Ids come from the list of files, so there are no more slots than there were files.
        Arc::clone(lock(&self.slots).entry(id.to_owned()).or_default())
    }
}

/// What the role can read though no document names it: nothing of it is ever asked for, but a role that cannot is better. A file
/// has no roles.
fn beyond_documents(listing: &Listing, relations: &[Relation]) -> Option<String> {
    let documents: Vec<Document> = listing.ids().filter_map(|id| listing.document(id).ok()).collect();
    let named: HashSet<(Option<&str>, &str)> = documents
        .iter()
        .flat_map(|document| &document.content.tables)
        .filter_map(|table| match catalogue::relation(relations, &table.name) {
            Lookup::Found(found) => Some((found.schema.as_deref(), found.name.as_str())),
            _ => None,
        })
        .collect();
    let of_roles = relations.iter().filter(|relation| relation.of_role);
    let mut more = of_roles.filter(|relation| !named.contains(&(relation.schema.as_deref(), relation.name.as_str())));
    let first = more.next()?.name.clone();
    Some(format!("the role can also read {first} and {} other tables that no document names", more.count()))
}

/// A panic elsewhere does not make what is behind a lock wrong here: every change is one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets so many through at once.
#[derive(Debug)]
struct Gate {
    free: Mutex<usize>,
    left: Condvar,
}

impl Gate {
    fn new(most: usize) -> Gate {
        Gate { free: Mutex::new(most), left: Condvar::new() }
    }

    fn pass<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut free =
            self.left.wait_while(lock(&self.free), |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        drop(free);
        let done = work();
        *lock(&self.free) += 1;
        self.left.notify_one();
        done
    }
}
