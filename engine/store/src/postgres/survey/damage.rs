//! What the storage finds wrong with itself.
//!
//! Always: rows that belong to no URL, and turns at another host than that of their URL. Where the extension `amcheck` is
//! installed and may be used, every index is compared with its table too. What the server keeps on its disks it checks itself (its
//! checksums).

use crate::postgres::driver::{Fault, Live};

use super::reading::{row, rows};

/// Complaints listed of each kind.
const LISTED: i64 = 20;

const CHECKS: [(&str, &str); 6] = [
    (
        "a page without a URL",
        "SELECT id FROM page p WHERE NOT EXISTS (SELECT FROM address a WHERE a.id = p.id) LIMIT $1",
    ),
    (
        "content without a URL",
        "SELECT id FROM content c WHERE NOT EXISTS (SELECT FROM address a WHERE a.id = c.id) LIMIT $1",
    ),
    (
        "a body without a URL",
        "SELECT id FROM body b WHERE NOT EXISTS (SELECT FROM address a WHERE a.id = b.id) LIMIT $1",
    ),
    (
        "linked URLs without a URL",
        "SELECT id FROM linked l WHERE NOT EXISTS (SELECT FROM address a WHERE a.id = l.id) LIMIT $1",
    ),
    (
        "a turn without a URL",
        "SELECT id FROM queue q WHERE NOT EXISTS (SELECT FROM address a WHERE a.id = q.id) LIMIT $1",
    ),
    (
        "a turn at another host than its URL",
        "SELECT q.id FROM queue q JOIN address a ON a.id = q.id WHERE a.host <> q.host LIMIT $1",
    ),
];

/// What the rows contradict each other in, in words.
pub(super) fn complaints(live: &mut Live) -> Result<Vec<String>, Fault> {
    let mut wrong = Vec::new();
    for (what, sql) in CHECKS {
        for row in rows(live, sql, &[&LISTED])? {
            let id: i64 = row.try_get(0)?;
            wrong.push(format!("number {id}: {what}"));
        }
    }
    wrong.extend(indexes(live)?);
    Ok(wrong)
}

/// Compares every index with its table, where that can be done.
fn indexes(live: &mut Live) -> Result<Vec<String>, Fault> {
    let able = "SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_extension e ON e.extnamespace = p.pronamespace
         WHERE e.extname = 'amcheck' AND p.proname = 'bt_index_check' AND p.pronargs = 2 AND has_function_privilege(p.oid, 'EXECUTE')";
    if row(live, able, &[])?.is_none() {
        return Ok(Vec::new());
    }
    let names = "SELECT c.oid::int8, c.relname::text, n.nspname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
             JOIN pg_am m ON m.oid = c.relam
             CROSS JOIN LATERAL (SELECT extnamespace FROM pg_extension WHERE extname = 'amcheck') e
             JOIN pg_namespace n ON n.oid = e.extnamespace
         WHERE c.relnamespace = current_schema()::regnamespace AND m.amname = 'btree' AND i.indisvalid ORDER BY c.relname";
    let mut wrong = Vec::new();
    for index in rows(live, names, &[])? {
        let (oid, name, home): (i64, String, String) = (index.try_get(0)?, index.try_get(1)?, index.try_get(2)?);
        let check =
            format!("SELECT {}.bt_index_check({oid}::oid::regclass, true)", crate::postgres::driver::quoted(&home));
        // A failed check ends a transaction; a savepoint keeps the moment.
        live.batch("SAVEPOINT checked")?;
        match live.batch(&check) {
            Ok(()) => live.batch("RELEASE checked")?,
            Err(Fault::Statement { message, .. }) => {
                wrong.push(format!("index {name}: {message}"));
                live.batch("ROLLBACK TO checked")?;
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(wrong)
}
