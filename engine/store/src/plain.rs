//! A copy of a survey for other programs: a SQLite file with the tables `pages` and `links`, nothing packed and nothing in codes.
//!
//! It is no survey: nobody goes on with it. It is written to a file of its own beside the one that is wanted, and takes its name when it is whole
//! and on the disk; what was not finished is removed. What the columns mean is described in docs/exports.md; a change of them is a new number
//! in the table `about`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use groma_model::PageId;
use groma_model::moment::rfc3339;
use rusqlite::{Connection, params};

use crate::codec::{KeptLink, Mark};
use crate::output::{OutputKind, like_before, part_in, straight};
use crate::{AddressRow, PageRow, StoreError};

/// The number of this shape.
const SHAPE: &str = "1";

const TABLES: &str = "
    create table about (key text primary key, value text not null);
    create table pages (
        id integer primary key, url text not null, state text not null, reason text not null, depth integer, via integer,
        via_kind text, alias_of integer, since text not null, status integer, media_type text, charset text, language text,
        size integer, title text, words integer, fetched text, elapsed_ms integer, changed text, last_modified text, etag text,
        canonical integer, noindex integer, nofollow integer, text_digest text, body_digest text, near_digest text, cuts text,
        text text);
    create table links (
        source integer not null, target integer not null, position integer not null, kind text not null,
        navigation integer not null, nofollow integer not null, rel text, block text, anchor text, fragment text,
        primary key (source, position)) without rowid;";

/// Made when everything is in, which is quicker.
const INDEXES: &str = "
    create index pages_by_url on pages (url);
    create index links_by_target on links (target);";

/// A page to be written.
#[derive(Clone, Copy, Debug)]
pub struct PlainPage<'a> {
    /// Its row among the URLs.
    pub address: &'a AddressRow,
    /// What is known of it.
    pub page: Option<&'a PageRow>,
    /// Its text, if that is wanted.
    pub text: Option<&'a str>,
}

/// A link to be written.
#[derive(Clone, Copy, Debug)]
pub struct PlainLink<'a> {
    /// The page it stands on.
    pub source: PageId,
    /// The number of the page it leads to.
    pub target: PageId,
    /// Its place on the page, from 0.
    pub position: u64,
    /// What the graph knows of it.
    pub mark: Mark,
    /// What else is kept of it.
    pub kept: Option<&'a KeptLink>,
}

/// A copy under way.
pub struct PlainCopy {
    base: Option<Connection>,
    half: PathBuf,
    whole: OutputKind,
}

impl PlainCopy {
    /// Begins a copy that will lie at this path.
    pub fn begin(path: &Path) -> Result<PlainCopy, StoreError> {
        PlainCopy::try_begin(path).map_err(|error| no_survey_is_full(path, error))
    }

    fn try_begin(path: &Path) -> Result<PlainCopy, StoreError> {
        let whole = OutputKind::at_path(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        let half = match &whole {
            OutputKind::Plain(to) => part_in(to.parent().unwrap_or(Path::new("."))),
            // What takes bytes as they come gets them when all is there.
            OutputKind::Straight(_) => part_in(&std::env::temp_dir()),
        };
        // Made by ourselves, so that nothing is opened that was put there.
        File::create_new(&half).map_err(|source| StoreError::Io { path: half.clone(), source })?;
        let base = Connection::open(&half)?;
        // A copy that breaks off is thrown away: it needs no way back.
        base.execute_batch("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16384;")?;
        base.execute_batch(TABLES)?;
        base.execute_batch("begin")?;
        let copy = PlainCopy { base: Some(base), half, whole };
        for (key, value) in [("program", concat!("groma ", env!("CARGO_PKG_VERSION"))), ("shape", SHAPE)] {
            copy.base()?.execute("insert into about values (?1, ?2)", params![key, value])?;
        }
        Ok(copy)
    }

    fn base(&self) -> Result<&Connection, StoreError> {
        self.base.as_ref().ok_or_else(|| StoreError::Damaged("the copy is closed".into()))
    }

    fn told(&self, error: StoreError) -> StoreError {
        let (OutputKind::Plain(to) | OutputKind::Straight(to)) = &self.whole;
        no_survey_is_full(to, error)
    }

    /// Inserts a row of the table `pages`.
    pub fn page(&mut self, page: &PlainPage<'_>) -> Result<(), StoreError> {
        self.insert_page(page).map_err(|error| self.told(error))
    }

    fn insert_page(&self, page: &PlainPage<'_>) -> Result<(), StoreError> {
        let PlainPage { address, page, text } = page;
        let facts = page.map(|page| &page.facts);
        let given = |text: &'_ String| Some(text.clone()).filter(|text| !text.is_empty());
        let moment = |at: i64| (at > 0).then(|| rfc3339(at));
        let mut insert = self.base()?.prepare_cached(
            "insert into pages values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, \
             ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)",
        )?;
        insert.execute(params![
            address.id.0,
            address.url,
            address.state().name(),
            address.reason.name(),
            address.depth.known(),
            address.via.map(|id| id.0),
            address.via_kind.filter(|_| address.via.is_some()).map(|kind| kind.name()),
            address.alias_of.map(|id| id.0),
            rfc3339(address.since),
            facts.map(|f| f.status),
            facts.and_then(|f| given(&f.media_type)),
            facts.and_then(|f| given(&f.charset)),
            facts.and_then(|f| given(&f.language)),
            facts.map(|f| i64::try_from(f.size).unwrap_or(i64::MAX)),
            facts.and_then(|f| given(&f.title)),
            facts.map(|f| f.words),
            facts.and_then(|f| moment(f.fetched_at)),
            facts.map(|f| f.elapsed_ms),
            page.and_then(|page| moment(page.changed_at)),
            facts.and_then(|f| given(&f.last_modified)),
            facts.and_then(|f| given(&f.etag)),
            facts.and_then(|f| f.canonical).map(|id| id.0),
            facts.map(|f| f.noindex),
            facts.map(|f| f.nofollow),
            facts.and_then(|f| f.text_fp).map(|fp| fp.hex()),
            facts.and_then(|f| f.body_fp).map(|fp| fp.hex()),
            facts.filter(|f| f.text_fp.is_some()).map(|f| format!("{:016x}", f.near_fp)),
            facts.and_then(|f| given(&f.cuts)),
            text,
        ])?;
        Ok(())
    }

    /// Inserts a row of the table `links`.
    pub fn link(&mut self, link: &PlainLink<'_>) -> Result<(), StoreError> {
        self.insert_link(link).map_err(|error| self.told(error))
    }

    fn insert_link(&self, link: &PlainLink<'_>) -> Result<(), StoreError> {
        let rel = link.kept.map(|kept| kept.rel.words().collect::<Vec<_>>().join(" ")).filter(|rel| !rel.is_empty());
        let fragment = link.kept.map(|kept| kept.fragment.as_str()).filter(|fragment| !fragment.is_empty());
        let mut insert =
            self.base()?.prepare_cached("insert into links values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
        insert.execute(params![
            link.source.0,
            link.target.0,
            i64::try_from(link.position).unwrap_or(i64::MAX),
            link.mark.kind().name(),
            link.mark.is_navigation(),
            link.mark.is_nofollow(),
            rel,
            link.kept.map(|kept| kept.block.name()),
            link.kept.map(|kept| kept.text.as_str()),
            fragment,
        ])?;
        Ok(())
    }

    /// It is whole: it takes its name.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let Some(base) = self.base.take() else { return Ok(()) };
        let closed = base
            .execute_batch("commit")
            .and_then(|()| base.execute_batch(INDEXES))
            .and_then(|()| base.close().map_err(|(_, error)| error));
        closed.map_err(|error| self.told(error.into()))?;
        let put = || match &self.whole {
            OutputKind::Plain(to) => {
                File::open(&self.half)?.sync_all()?;
                like_before(&self.half, to);
                fs::rename(&self.half, to)
            }
            OutputKind::Straight(to) => io::copy(&mut File::open(&self.half)?, &mut straight(to)?).map(drop),
        };
        put().map_err(|source| {
            let (OutputKind::Plain(to) | OutputKind::Straight(to)) = &self.whole;
            StoreError::Io { path: to.clone(), source }
        })
    }
}

/// It is the disk of the copy that is full: nothing of it stays, and nothing goes on.
fn no_survey_is_full(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::DiskFull => StoreError::Io { path: path.to_owned(), source: io::ErrorKind::StorageFull.into() },
        other => other,
    }
}

impl Drop for PlainCopy {
    fn drop(&mut self) {
        drop(self.base.take());
        // Gone already if it took its name.
        let _ = fs::remove_file(&self.half);
    }
}
