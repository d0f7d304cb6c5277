//! Links that lead out of a survey, asked whether they are there: what each URL answered, and when.
//!
//! They live in a file of their own beside the survey (`outside.db`): what was only asked for its header is no page of it. A redirect
//! is an answer like any other; where it leads is another URL with an answer of its own, so nothing is asked twice.
//!
//! Invariants, checked by the exam:
//! - a URL has one answer, its last;
//! - since when a URL has been as it is changes only when its reason does;
//! - whatever is kept appears as a whole or not at all.

mod rows;
pub(crate) mod schema;

pub use rows::{OutsideAnswer, OutsideRobots};

use groma_model::{Fp, LinkKind, Reason};

use crate::postgres::ServerSchema;
use crate::sql::{Base, Repeat, SideStore, SqlRow, args, damaged};
use crate::sqlite::FileSchema;
use crate::{AddressRow, StoreError};

const ANSWER: &str = "url, at, since, reason, status, leads_to, by_get, etag, last_modified, elapsed";
const COLUMNS: usize = 11;

/// The links of one survey that lead out of it. Times are seconds since 1970 and come from the caller.
pub struct Outside {
    base: Base,
}

impl SideStore for Outside {
    const FILE: &'static FileSchema = &schema::FILE_SCHEMA;
    const SERVER: &'static ServerSchema = &schema::SERVER_SCHEMA;

    fn over(base: Base) -> Outside {
        Outside { base }
    }
}

impl Outside {
    /// Keeps answers, each in place of one of the same URL. A URL stands in them once.
    pub fn keep(&mut self, answers: &[OutsideAnswer]) -> Result<(), StoreError> {
        let prints: Vec<[u8; 16]> = answers.iter().map(|answer| print(&answer.url)).collect();
        let mut fields = Vec::with_capacity(answers.len() * COLUMNS);
        for (answer, print) in answers.iter().zip(&prints) {
            let OutsideAnswer { url, at, since, reason, status, leads_to, by_get, etag, last_modified, elapsed_ms } =
                answer;
            fields.extend(args![
                print,
                url,
                *at,
                *since,
                reason.code(),
                *status,
                leads_to,
                *by_get,
                etag,
                last_modified,
                *elapsed_ms
            ]);
        }
        let sql = format!(
            "INSERT INTO outside (print, {ANSWER}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (print) DO UPDATE SET at = excluded.at,
                 since = CASE WHEN outside.reason = excluded.reason THEN outside.since ELSE excluded.since END,
                 reason = excluded.reason, status = excluded.status, leads_to = excluded.leads_to,
                 by_get = excluded.by_get, etag = excluded.etag, last_modified = excluded.last_modified,
                 elapsed = excluded.elapsed"
        );
        self.base.write(Repeat::Harmless, |db| db.run_each(&sql, COLUMNS, &fields))
    }

    /// What a URL answered, if it was asked.
    pub fn answer(&mut self, url: &str) -> Result<Option<OutsideAnswer>, StoreError> {
        let sql = format!("SELECT {ANSWER} FROM outside WHERE print = ?1");
        let print = print(url);
        self.base.read(|db| db.first(&sql, &args![&print], answer_of))
    }

    /// Calls back with every answer.
    pub fn each(&mut self, call: &mut dyn FnMut(OutsideAnswer)) -> Result<(), StoreError> {
        let sql = format!("SELECT {ANSWER} FROM outside ORDER BY print");
        self.base.read(|db| {
            db.each(&sql, &[], &mut |row| {
                call(answer_of(row)?);
                Ok(true)
            })
        })
    }

    /// What a host's robots.txt said, if it was asked for.
    pub fn robots(&mut self, origin: &str) -> Result<Option<OutsideRobots>, StoreError> {
        let sql = "SELECT at, status, body FROM outside_robots WHERE print = ?1";
        let print = print(origin);
        self.base.read(|db| {
            db.first(sql, &args![&print], |row| {
                Ok(OutsideRobots { at: row.get(0)?, status: row.get(1)?, body: row.get(2)? })
            })
        })
    }

    /// Keeps what robots.txt of these hosts said. A host stands in them once.
    pub fn keep_robots(&mut self, said: &[(String, OutsideRobots)]) -> Result<(), StoreError> {
        let prints: Vec<[u8; 16]> = said.iter().map(|(origin, _)| print(origin)).collect();
        let mut fields = Vec::with_capacity(said.len() * 5);
        for ((origin, robots), print) in said.iter().zip(&prints) {
            fields.extend(args![print, origin, robots.at, robots.status, &robots.body]);
        }
        let sql = "INSERT INTO outside_robots (print, origin, at, status, body) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (print) DO UPDATE SET at = excluded.at, status = excluded.status, body = excluded.body";
        self.base.write(Repeat::Harmless, |db| db.run_each(sql, 5, &fields))
    }

    /// What is wrong with what is kept, in words; for `groma verify`.
    pub fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        let sql = format!("SELECT {ANSWER}, print FROM outside");
        self.base.read(|db| {
            db.each(&sql, &[], &mut |row| {
                let (answer, kept): (_, [u8; 16]) = (answer_of(row)?, row.get(10)?);
                if kept != print(&answer.url) {
                    found.push(format!("the answer of {} is kept under another URL", answer.url));
                }
                Ok(true)
            })
        })?;
        Ok(found)
    }
}

/// Is it a URL that is asked whether it is there, though it is no page of the survey? It leads out of its scope, or is an image, style or
/// script that was not fetched; and somebody links to it: a sitemap is no link, and nobody sends a form to see whether it is there.
pub fn is_candidate(row: &AddressRow) -> bool {
    matches!(row.reason, Reason::OutOfScope | Reason::Asset)
        && !matches!(row.via_kind, Some(LinkKind::Form | LinkKind::Sitemap))
        && (row.url.starts_with("https://") || row.url.starts_with("http://"))
}

/// The key of a URL: an ordered index of PostgreSQL cannot hold long texts.
fn print(url: &str) -> [u8; 16] {
    Fp::hash_bytes(url.as_bytes()).to_bytes()
}

fn answer_of(row: &SqlRow<'_>) -> Result<OutsideAnswer, StoreError> {
    Ok(OutsideAnswer {
        url: row.get(0)?,
        at: row.get(1)?,
        since: row.get(2)?,
        reason: Reason::from_code(row.get(3)?).ok_or_else(|| damaged("a reason that nobody knows"))?,
        status: row.get(4)?,
        leads_to: row.get(5)?,
        by_get: row.get(6)?,
        etag: row.get(7)?,
        last_modified: row.get(8)?,
        elapsed_ms: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, HostId, PageId};

    use super::*;

    #[test]
    fn only_what_is_not_fetched_and_not_only_sent_to_is_asked() {
        let row = |reason, via, url: &str| AddressRow {
            id: PageId(1),
            fp: Fp::hash_bytes(url.as_bytes()),
            host: HostId(1),
            url: url.to_owned(),
            reason,
            depth: Depth(1),
            via: None,
            via_kind: Some(via),
            alias_of: None,
            queued: false,
            run: 0,
            since: 0,
        };
        let is_asked = |reason, via| is_candidate(&row(reason, via, "https://b.test/"));
        assert!(is_asked(Reason::OutOfScope, LinkKind::Anchor) && is_asked(Reason::Asset, LinkKind::Image));
        assert!(!is_asked(Reason::OutOfScope, LinkKind::Form) && !is_asked(Reason::OutOfScope, LinkKind::Sitemap));
        for &reason in Reason::ALL.iter().filter(|reason| !matches!(reason, Reason::OutOfScope | Reason::Asset)) {
            assert!(!is_asked(reason, LinkKind::Anchor), "{reason}");
        }
        assert!(!is_candidate(&row(Reason::OutOfScope, LinkKind::Anchor, "ftp://b.test/")));
    }
}
