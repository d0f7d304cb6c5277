//! Reading: every answer in the words of the house.

use rusqlite::{OptionalExtension, Row, params};

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};

use super::SqliteStore;
use crate::rows::{
    AddressRow, Balance, Change, ChangeKind, FetchFacts, Finding, HostRow, LearnedRow, PageRow, RobotsRow, RunRow,
    Standing,
};
use crate::{KnownAddress, Packed, Sheet, Snapshot, StoreError, codec};

const ADDRESS: &str = "id, fp, host, url, reason, depth, via, via_kind, alias_of, round, run, since";
const PAGE: &str =
    "id, status, media_type, charset, language, content_language, size, title, last_modified, etag, expires,
    text_fp, body_fp, near_fp, words, elapsed_ms, fetched_at, changed_at, canonical, noindex, nofollow, cuts, note";

impl Snapshot for SqliteStore {
    fn find(&mut self, fp: Fp) -> Result<Option<KnownAddress>, StoreError> {
        let found = self.tail.find(&self.db, fp)?;
        let Some((id, code, linked)) = found else { return Ok(None) };
        let reason = Reason::from_code(code).ok_or_else(|| unknown_code(1))?;
        Ok(Some(KnownAddress::from_reason(PageId(id), reason, linked)))
    }

    fn linked(&mut self, id: PageId) -> Result<Option<String>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT urls FROM linked WHERE id = ?1")?;
        Ok(find.query_row([id.0], |row| row.get(0)).optional()?)
    }

    fn each_linked(&mut self, call: &mut dyn FnMut(PageId, &str)) -> Result<(), StoreError> {
        let mut all = self.db.prepare_cached("SELECT id, urls FROM linked ORDER BY id")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            call(PageId(row.get(0)?), row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?);
        }
        Ok(())
    }

    fn address(&mut self, id: PageId) -> Result<Option<AddressRow>, StoreError> {
        let mut find = self.db.prepare_cached(&format!("SELECT {ADDRESS} FROM address WHERE id = ?1"))?;
        Ok(find.query_row([id.0], address).optional()?)
    }

    fn aliases(&mut self, of: PageId) -> Result<Vec<AddressRow>, StoreError> {
        let sql = format!("SELECT {ADDRESS} FROM address WHERE alias_of = ?1 ORDER BY id");
        let mut find = self.db.prepare_cached(&sql)?;
        Ok(find.query_map([of.0], address)?.collect::<Result<_, _>>()?)
    }

    fn addresses(&mut self, after: Option<PageId>, most: usize) -> Result<Vec<AddressRow>, StoreError> {
        let sql = format!("SELECT {ADDRESS} FROM address WHERE id > ?1 ORDER BY id LIMIT ?2");
        let mut find = self.db.prepare_cached(&sql)?;
        let after = after.map_or(-1, |id| i64::from(id.0));
        Ok(find.query_map(params![after, most as i64], address)?.collect::<Result<_, _>>()?)
    }

    fn page(&mut self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        let mut find = self.db.prepare_cached(&format!("SELECT {PAGE} FROM page WHERE id = ?1"))?;
        Ok(find.query_row([id.0], page).optional()?)
    }

    fn links(&mut self, id: PageId) -> Result<Vec<(PageId, codec::Mark)>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT targets FROM content WHERE id = ?1")?;
        let Some(packed) = find.query_row([id.0], |row| row.get::<_, Vec<u8>>(0)).optional()? else {
            return Ok(Vec::new());
        };
        let mut links = Vec::new();
        codec::unpack_links(&packed, &mut links)
            .ok_or_else(|| StoreError::Damaged(format!("the links of page {}", id.0)))?;
        Ok(links.into_iter().map(|(target, mark)| (PageId(target), mark)).collect())
    }

    fn details(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT details FROM content WHERE id = ?1")?;
        Ok(find.query_row([id.0], |row| row.get(0)).optional()?)
    }

    fn body(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT bytes FROM body WHERE id = ?1")?;
        let Some(packed) = find.query_row([id.0], |row| row.get::<_, Vec<u8>>(0)).optional()? else { return Ok(None) };
        let body = codec::decompress(&packed);
        body.map(Some).ok_or_else(|| StoreError::Damaged(format!("the body of page {}", id.0)))
    }

    fn hosts(&mut self) -> Result<Vec<HostRow>, StoreError> {
        let mut all =
            self.db.prepare_cached("SELECT id, origin, robots_at, robots_status, robots FROM host ORDER BY id")?;
        let rows = all.query_map([], |row| {
            let id = HostId(row.get(0)?);
            let robots = match row.get::<_, Option<i64>>(2)? {
                Some(at) => Some(RobotsRow { host: id, at, status: row.get(3)?, body: row.get(4)? }),
                None => None,
            };
            Ok(HostRow { id, origin: row.get(1)?, robots })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn learned(&mut self) -> Result<Vec<LearnedRow>, StoreError> {
        let sql =
            "SELECT shape, param, equal, differ, standing, folded, samples, example FROM learned ORDER BY shape, param";
        let mut all = self.db.prepare_cached(sql)?;
        let rows = all.query_map([], |row| {
            Ok(LearnedRow {
                shape: row.get(0)?,
                param: row.get(1)?,
                equal: row.get(2)?,
                differ: row.get(3)?,
                standing: row.get(4)?,
                folded: row.get::<_, i64>(5)? as u64,
                samples: row.get(6)?,
                example: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn findings(&mut self) -> Result<Vec<Finding>, StoreError> {
        let mut all =
            self.db.prepare_cached("SELECT kind, subject, detail, since FROM finding ORDER BY kind, subject")?;
        let rows = all.query_map([], |row| {
            Ok(Finding { kind: row.get(0)?, subject: row.get(1)?, detail: row.get(2)?, since: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn balance(&mut self) -> Result<Balance, StoreError> {
        let mut balance = Balance::default();
        // Counted here, in one pass: GROUP BY would sort all URLs in memory first.
        let mut tally = self.db.prepare_cached("SELECT reason, round IS NOT NULL FROM address")?;
        let mut counts = [0u64; 256];
        let mut rows = tally.query([])?;
        while let Some(row) = rows.next()? {
            counts[usize::from(row.get::<_, u8>(0)?)] += 1;
            balance.queued += u64::from(row.get::<_, bool>(1)?);
        }
        for (code, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let reason = Reason::from_code(code as u8).ok_or_else(|| unknown_code(0))?;
            balance.tally.insert(reason, *count);
        }
        let mut counter = self.db.prepare_cached("SELECT value FROM counter WHERE key = ?1")?;
        let mut sum = |key: &str| counter.query_row([key], |row| row.get::<_, i64>(0)).optional();
        balance.fetches = sum("fetches")?.unwrap_or(0) as u64;
        balance.bytes = sum("bytes")?.unwrap_or(0) as u64;
        balance.rendered = sum("rendered")?.unwrap_or(0) as u64;
        let mut limits = self.db.prepare_cached("SELECT key, count FROM limit_hit")?;
        let hits = limits.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        balance.limits = hits.collect::<Result<_, _>>()?;
        drop(limits);
        drop(counter);
        drop(rows);
        drop(tally);
        balance.finished_layer = self.value("finished_layer")?.and_then(|v| v.parse().ok());
        Ok(balance)
    }

    fn cuts(&mut self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut all = self.db.prepare_cached("SELECT cuts, count(*) FROM page WHERE cuts <> '' GROUP BY cuts")?;
        let rows = all.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT value FROM survey WHERE key = ?1")?;
        Ok(find.query_row([key], |row| row.get(0)).optional()?)
    }

    fn runs(&mut self) -> Result<Vec<RunRow>, StoreError> {
        let mut all = self.db.prepare_cached("SELECT id, kind, started, ended, outcome FROM run ORDER BY id")?;
        let rows = all.query_map([], |row| {
            Ok(RunRow {
                id: row.get(0)?,
                kind: row.get(1)?,
                started: row.get(2)?,
                ended: row.get(3)?,
                outcome: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn changes(&mut self, after: u64, most: usize) -> Result<Vec<Change>, StoreError> {
        let mut find = self.db.prepare_cached(
            "SELECT seq, run, at, page, kind, amount, moved_to FROM change WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        )?;
        let rows = find.query_map(params![after as i64, most as i64], |row| {
            Ok(Change {
                seq: row.get::<_, i64>(0)? as u64,
                run: row.get(1)?,
                at: row.get(2)?,
                page: PageId(row.get(3)?),
                kind: ChangeKind::from_code(row.get(4)?).ok_or_else(|| unknown_code(4))?,
                amount: row.get(5)?,
                to: row.get::<_, Option<u32>>(6)?.map(PageId),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn each_standing(&mut self, call: &mut dyn FnMut(&Standing<'_>)) -> Result<(), StoreError> {
        let sql = "SELECT id, host, url, reason, depth, via_kind, alias_of FROM address ORDER BY id";
        let mut all = self.db.prepare_cached(sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            call(&Standing {
                id: PageId(row.get(0)?),
                host: HostId(row.get(1)?),
                url: row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?,
                reason: reason(row, 3)?,
                depth: row.get::<_, Option<u32>>(4)?.map_or(Depth::LOOSE, Depth),
                via_kind: row.get::<_, Option<u8>>(5)?.and_then(LinkKind::from_code),
                alias_of: row.get::<_, Option<u32>>(6)?.map(PageId),
            });
        }
        Ok(())
    }

    fn each_extent(&mut self, call: &mut dyn FnMut(PageId, &str, u64)) -> Result<(), StoreError> {
        let mut all = self.db.prepare_cached("SELECT id, media_type, size FROM page ORDER BY id")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let media_type = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            call(PageId(row.get(0)?), media_type, row.get::<_, i64>(2)? as u64);
        }
        Ok(())
    }

    fn each_targets(&mut self, call: &mut dyn FnMut(PageId, &[u8])) -> Result<(), StoreError> {
        let mut all = self.db.prepare_cached("SELECT id, targets FROM content ORDER BY id")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let packed = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            call(PageId(row.get(0)?), packed);
        }
        Ok(())
    }

    fn each_content(&mut self, call: &mut dyn FnMut(PageId, Packed<'_>)) -> Result<(), StoreError> {
        let mut all = self.db.prepare_cached("SELECT id, targets, details FROM content ORDER BY id")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let targets = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            let details = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            call(PageId(row.get(0)?), Packed { targets, details });
        }
        Ok(())
    }

    fn each_page(&mut self, call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> Result<(), StoreError> {
        let sql = format!("SELECT {ADDRESS} FROM address ORDER BY id");
        let mut addresses = self.db.prepare_cached(&sql)?;
        let mut pages = self.db.prepare_cached(&format!("SELECT {PAGE} FROM page ORDER BY id"))?;
        // Both are read side by side in order of their numbers: a join would look every page up.
        let mut pages = pages.query_map([], page)?;
        let mut next = pages.next().transpose()?;
        for address in addresses.query_map([], address)? {
            let address = address?;
            while next.as_ref().is_some_and(|page| page.id < address.id) {
                next = pages.next().transpose()?;
            }
            call(&address, next.as_ref().filter(|page| page.id == address.id));
        }
        Ok(())
    }

    fn each_sheet(&mut self, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Result<(), StoreError> {
        super::sheets::each(&self.db, packed, call)
    }

    fn each_fingerprint(&mut self, call: &mut dyn FnMut(Fp)) -> Result<(), StoreError> {
        let mut all = self.db.prepare_cached("SELECT fp FROM address")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            call(Fp(u128::from_be_bytes(row.get(0)?)));
        }
        Ok(())
    }

    fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        let path = self.db.path().filter(|path| !path.is_empty()).map(std::path::PathBuf::from);
        let mut lines = super::damage::of_file(&self.db, path.as_deref());
        if lines.is_empty() {
            lines = super::prints::complaints(&self.db)?;
        }
        Ok(lines)
    }

    fn renew(&mut self) -> Result<(), StoreError> {
        self.tail = super::prints::Tail::default();
        self.bodies = None;
        if !self.db.is_autocommit() {
            self.db.execute_batch("COMMIT")?;
            if self.old {
                let (_, format) = self.format()?;
                self.make_do(format)?;
            }
            self.db.execute_batch("BEGIN")?;
        }
        Ok(())
    }
}

fn unknown_code(column: usize) -> rusqlite::Error {
    rusqlite::Error::IntegralValueOutOfRange(column, -1)
}

pub(super) fn reason(row: &Row<'_>, column: usize) -> rusqlite::Result<Reason> {
    Reason::from_code(row.get(column)?).ok_or_else(|| unknown_code(column))
}

fn address(row: &Row<'_>) -> rusqlite::Result<AddressRow> {
    Ok(AddressRow {
        id: PageId(row.get(0)?),
        fp: Fp(u128::from_be_bytes(row.get(1)?)),
        host: HostId(row.get(2)?),
        url: row.get(3)?,
        reason: reason(row, 4)?,
        depth: row.get::<_, Option<u32>>(5)?.map_or(Depth::LOOSE, Depth),
        via: row.get::<_, Option<u32>>(6)?.map(PageId),
        via_kind: row.get::<_, Option<u8>>(7)?.and_then(LinkKind::from_code),
        alias_of: row.get::<_, Option<u32>>(8)?.map(PageId),
        queued: row.get::<_, Option<u32>>(9)?.is_some(),
        run: row.get(10)?,
        since: row.get(11)?,
    })
}

fn page(row: &Row<'_>) -> rusqlite::Result<PageRow> {
    let fp = |column| -> rusqlite::Result<Option<Fp>> {
        Ok(row.get::<_, Option<[u8; 16]>>(column)?.map(|bytes| Fp(u128::from_be_bytes(bytes))))
    };
    Ok(PageRow {
        id: PageId(row.get(0)?),
        facts: FetchFacts {
            status: row.get(1)?,
            media_type: row.get(2)?,
            charset: row.get(3)?,
            language: row.get(4)?,
            content_language: row.get(5)?,
            size: row.get::<_, i64>(6)? as u64,
            title: row.get(7)?,
            last_modified: row.get(8)?,
            etag: row.get(9)?,
            expires: row.get(10)?,
            text_fp: fp(11)?,
            body_fp: fp(12)?,
            near_fp: row.get::<_, i64>(13)? as u64,
            words: row.get(14)?,
            elapsed_ms: row.get(15)?,
            fetched_at: row.get(16)?,
            canonical: row.get::<_, Option<u32>>(18)?.map(PageId),
            noindex: row.get(19)?,
            nofollow: row.get(20)?,
            cuts: row.get(21)?,
            note: row.get(22)?,
        },
        changed_at: row.get(17)?,
    })
}
