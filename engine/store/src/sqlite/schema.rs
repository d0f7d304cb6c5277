//! The tables. Changing one means a new format number. What was added to an older format is added to its files when somebody
//! writes; who only reads takes it for empty. Files of other formats are refused with a hint.

use rusqlite::Connection;

use crate::StoreError;

/// The format this program writes.
pub(super) const FORMAT: i64 = 3;

/// The oldest format that can be brought up to date.
pub(super) const OLDEST: i64 = 2;

/// New in format 3: by which URLs a URL was linked, where its canonical form is not the only one.
const LINKED: &str = "(id INTEGER PRIMARY KEY, urls TEXT NOT NULL)";

/// "Groma survey", so that `file` and we can tell.
pub(crate) const APPLICATION: i64 = 0x4752_4f4d;

const TABLES: &str = "
CREATE TABLE survey (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counter (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE limit_hit (key TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE run (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER, outcome TEXT NOT NULL);
CREATE TABLE host (id INTEGER PRIMARY KEY, origin TEXT NOT NULL, robots_at INTEGER, robots_status INTEGER, robots BLOB);
CREATE TABLE address (
    id INTEGER PRIMARY KEY, fp BLOB NOT NULL, host INTEGER NOT NULL, url TEXT NOT NULL, reason INTEGER NOT NULL,
    depth INTEGER, via INTEGER, via_kind INTEGER, alias_of INTEGER,
    round INTEGER, rank INTEGER, run INTEGER NOT NULL, since INTEGER NOT NULL
);
CREATE TABLE print (key INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE INDEX address_alias ON address (alias_of) WHERE alias_of IS NOT NULL;
CREATE INDEX address_queue ON address (round, host, rank, id) WHERE round IS NOT NULL;
CREATE TABLE page (
    id INTEGER PRIMARY KEY, status INTEGER NOT NULL, media_type TEXT NOT NULL, charset TEXT NOT NULL, language TEXT NOT NULL,
    content_language TEXT NOT NULL, size INTEGER NOT NULL, title TEXT NOT NULL, last_modified TEXT NOT NULL, etag TEXT NOT NULL,
    expires TEXT NOT NULL, text_fp BLOB, body_fp BLOB, near_fp INTEGER NOT NULL, words INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL, fetched_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, canonical INTEGER,
    noindex INTEGER NOT NULL, nofollow INTEGER NOT NULL, cuts TEXT NOT NULL, note TEXT NOT NULL
);
CREATE TABLE content (id INTEGER PRIMARY KEY, targets BLOB NOT NULL, details BLOB NOT NULL);
CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE variant (key BLOB PRIMARY KEY, page INTEGER NOT NULL, text BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE fold (key BLOB PRIMARY KEY, page INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE learned (
    shape TEXT NOT NULL, param TEXT NOT NULL, equal INTEGER NOT NULL, differ INTEGER NOT NULL, standing INTEGER NOT NULL,
    folded INTEGER NOT NULL, samples INTEGER NOT NULL, example TEXT NOT NULL, PRIMARY KEY (shape, param)
) WITHOUT ROWID;
CREATE TABLE finding (
    kind TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (kind, subject)
) WITHOUT ROWID;
CREATE TABLE change (
    seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, page INTEGER NOT NULL, kind INTEGER NOT NULL,
    amount INTEGER NOT NULL, moved_to INTEGER
);
";

/// Makes the tables of a new survey, all or none.
pub(super) fn create(db: &mut Connection) -> Result<(), StoreError> {
    let tx = db.transaction()?;
    tx.execute_batch(TABLES)?;
    tx.execute_batch(&format!("CREATE TABLE linked {LINKED}"))?;
    tx.pragma_update(None, "application_id", APPLICATION)?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    tx.commit()?;
    Ok(())
}

/// Brings a survey of an older format up to date, all or nothing.
pub(super) fn bring_up_to_date(db: &mut Connection) -> Result<(), StoreError> {
    let tx = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    tx.execute_batch(&format!("CREATE TABLE IF NOT EXISTS linked {LINKED}"))?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    tx.commit()?;
    Ok(())
}

/// For whoever only reads a survey of an older format: what it does not have is empty. Nothing is written to the file.
pub(super) fn make_do(db: &Connection) -> Result<(), StoreError> {
    Ok(db.execute_batch(&format!("CREATE TEMP TABLE IF NOT EXISTS linked {LINKED}"))?)
}

/// The same, when the file may have been brought up to date meanwhile.
pub(super) fn make_do_no_more(db: &Connection) -> Result<(), StoreError> {
    Ok(db.execute_batch("DROP TABLE IF EXISTS temp.linked")?)
}
