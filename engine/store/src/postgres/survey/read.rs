//! Reading: every answer in the words of the house.

use groma_model::{Fp, PageId};

use super::print::Print;
use super::reading::{row, rows};
use super::rows::{ADDRESS, PAGE, address, change, finding, get, host, known, learned, page, reason, run, string};
use super::{PgStore, damage, walks};
use crate::postgres::driver::stored_text;
use crate::rows::{AddressRow, Balance, Change, Finding, HostRow, LearnedRow, PageRow, RunRow, Standing};
use crate::{KnownAddress, Packed, Sheet, Snapshot, StoreError, codec};

impl Snapshot for PgStore {
    fn find(&mut self, fp: Fp) -> Result<Option<KnownAddress>, StoreError> {
        let sql =
            "SELECT id, fp, reason, EXISTS (SELECT 1 FROM linked l WHERE l.id = a.id) FROM address a WHERE fp = $1";
        let found = self.ask(|live| row(live, sql, &[&Print(fp)]))?;
        found.as_ref().map(known).transpose()
    }

    fn linked(&mut self, id: PageId) -> Result<Option<String>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT urls FROM linked WHERE id = $1", &[&i64::from(id.0)]))?;
        found.map(|row| string(&row, 0)).transpose()
    }

    fn each_linked(&mut self, call: &mut dyn FnMut(PageId, &str)) -> Result<(), StoreError> {
        self.walk(&[&walks::LINKED], |cursors| walks::linked(cursors, call))
    }

    fn address(&mut self, id: PageId) -> Result<Option<AddressRow>, StoreError> {
        let sql = format!("SELECT {ADDRESS} FROM address a LEFT JOIN queue q ON q.id = a.id WHERE a.id = $1");
        self.ask(|live| row(live, &sql, &[&i64::from(id.0)]))?.as_ref().map(address).transpose()
    }

    fn aliases(&mut self, of: PageId) -> Result<Vec<AddressRow>, StoreError> {
        let sql = format!(
            "SELECT {ADDRESS} FROM address a LEFT JOIN queue q ON q.id = a.id WHERE a.alias_of = $1 ORDER BY a.id"
        );
        self.ask(|live| rows(live, &sql, &[&i64::from(of.0)]))?.iter().map(address).collect()
    }

    fn addresses(&mut self, after: Option<PageId>, most: usize) -> Result<Vec<AddressRow>, StoreError> {
        let sql = format!(
            "SELECT {ADDRESS} FROM address a LEFT JOIN queue q ON q.id = a.id WHERE a.id > $1 ORDER BY a.id LIMIT $2"
        );
        let after = after.map_or(-1, |id| i64::from(id.0));
        self.ask(|live| rows(live, &sql, &[&after, &limit(most)]))?.iter().map(address).collect()
    }

    fn page(&mut self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        let sql = format!("SELECT {PAGE} FROM page WHERE id = $1");
        self.ask(|live| row(live, &sql, &[&i64::from(id.0)]))?.as_ref().map(page).transpose()
    }

    fn links(&mut self, id: PageId) -> Result<Vec<(PageId, codec::Mark)>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT targets FROM content WHERE id = $1", &[&i64::from(id.0)]))?;
        let Some(found) = found else { return Ok(Vec::new()) };
        let mut links = Vec::new();
        codec::unpack_links(get(&found, 0)?, &mut links)
            .ok_or_else(|| StoreError::Damaged(format!("the links of page {}", id.0)))?;
        Ok(links.into_iter().map(|(target, mark)| (PageId(target), mark)).collect())
    }

    fn details(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT details FROM content WHERE id = $1", &[&i64::from(id.0)]))?;
        found.map(|row| get(&row, 0)).transpose()
    }

    fn body(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT bytes FROM body WHERE id = $1", &[&i64::from(id.0)]))?;
        let Some(found) = found else { return Ok(None) };
        let body = codec::decompress(get(&found, 0)?);
        body.map(Some).ok_or_else(|| StoreError::Damaged(format!("the body of page {}", id.0)))
    }

    fn hosts(&mut self) -> Result<Vec<HostRow>, StoreError> {
        let sql = "SELECT id, origin, robots_at, robots_status, robots FROM host ORDER BY id";
        self.ask(|live| rows(live, sql, &[]))?.iter().map(host).collect()
    }

    fn learned(&mut self) -> Result<Vec<LearnedRow>, StoreError> {
        let sql = "SELECT shape, param, equal, differ, standing, folded, samples, example FROM learned";
        let rows = self.ask(|live| rows(live, sql, &[]))?;
        let mut all = rows.iter().map(learned).collect::<Result<Vec<_>, _>>()?;
        // Sorted here: a text with U+0000 in it is stored as another one, which has another place.
        all.sort_by(|a, b| (&a.shape, &a.param).cmp(&(&b.shape, &b.param)));
        Ok(all)
    }

    fn findings(&mut self) -> Result<Vec<Finding>, StoreError> {
        let rows = self.ask(|live| rows(live, "SELECT kind, subject, detail, since FROM finding", &[]))?;
        let mut all = rows.iter().map(finding).collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| (&a.kind, &a.subject).cmp(&(&b.kind, &b.subject)));
        Ok(all)
    }

    fn balance(&mut self) -> Result<Balance, StoreError> {
        let mut balance = Balance::default();
        let [tally, queued, counters, limits, layer] = self.survey(|live| {
            Ok([
                rows(live, "SELECT reason, count(*) FROM address GROUP BY reason", &[])?,
                rows(live, "SELECT count(*) FROM queue", &[])?,
                rows(live, "SELECT key, value FROM counter", &[])?,
                rows(live, "SELECT key, count FROM limit_hit", &[])?,
                rows(live, "SELECT value FROM survey WHERE key = 'finished_layer'", &[])?,
            ])
        })?;
        for row in &tally {
            balance.tally.insert(reason(row, 0)?, get::<i64>(row, 1)? as u64);
        }
        for row in &queued {
            balance.queued = get::<i64>(row, 0)? as u64;
        }
        for row in &counters {
            match string(row, 0)?.as_str() {
                "fetches" => balance.fetches = get::<i64>(row, 1)? as u64,
                "bytes" => balance.bytes = get::<i64>(row, 1)? as u64,
                "rendered" => balance.rendered = get::<i64>(row, 1)? as u64,
                _ => {}
            }
        }
        for row in &limits {
            balance.limits.insert(string(row, 0)?, get::<i64>(row, 1)? as u64);
        }
        for row in &layer {
            balance.finished_layer = string(row, 0)?.parse().ok();
        }
        Ok(balance)
    }

    fn cuts(&mut self) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = "SELECT cuts, count(*) FROM page WHERE cuts <> '' GROUP BY cuts";
        let mut all = Vec::new();
        for row in self.survey(|live| rows(live, sql, &[]))? {
            all.push((string(&row, 0)?, get::<i64>(&row, 1)? as u64));
        }
        all.sort();
        Ok(all)
    }

    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        let key = stored_text(key);
        let found = self.ask(|live| row(live, "SELECT value FROM survey WHERE key = $1", &[&&*key]))?;
        found.map(|row| string(&row, 0)).transpose()
    }

    fn runs(&mut self) -> Result<Vec<RunRow>, StoreError> {
        let sql = "SELECT id, kind, started, ended, outcome FROM run ORDER BY id";
        self.ask(|live| rows(live, sql, &[]))?.iter().map(run).collect()
    }

    fn changes(&mut self, after: u64, most: usize) -> Result<Vec<Change>, StoreError> {
        let sql = "SELECT seq, run, at, page, moved_to, kind, amount FROM change WHERE seq > $1 ORDER BY seq LIMIT $2";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.ask(|live| rows(live, sql, &[&after, &limit(most)]))?.iter().map(change).collect()
    }

    fn each_standing(&mut self, call: &mut dyn FnMut(&Standing<'_>)) -> Result<(), StoreError> {
        self.walk(&[&walks::STANDING], |cursors| walks::standings(cursors, call))
    }

    fn each_extent(&mut self, call: &mut dyn FnMut(PageId, &str, u64)) -> Result<(), StoreError> {
        self.walk(&[&walks::EXTENT], |cursors| walks::extents(cursors, call))
    }

    fn each_targets(&mut self, call: &mut dyn FnMut(PageId, &[u8])) -> Result<(), StoreError> {
        self.walk(&[&walks::TARGETS], |cursors| walks::targets(cursors, call))
    }

    fn each_content(&mut self, call: &mut dyn FnMut(PageId, Packed<'_>)) -> Result<(), StoreError> {
        self.walk(&[&walks::CONTENT], |cursors| walks::contents(cursors, call))
    }

    fn each_page(&mut self, call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> Result<(), StoreError> {
        self.walk(&[&walks::ADDRESSES, &walks::PAGES], |cursors| walks::pages(cursors, call))
    }

    fn each_sheet(&mut self, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Result<(), StoreError> {
        let tables = [&walks::SHEET, &walks::FACTS, &walks::CONTENT];
        let read = if packed { &tables[..] } else { &tables[..2] };
        self.walk(read, |cursors| walks::sheets(cursors, packed, call))
    }

    fn each_fingerprint(&mut self, call: &mut dyn FnMut(Fp)) -> Result<(), StoreError> {
        self.walk(&[&walks::FINGERPRINT], |cursors| walks::fingerprints(cursors, call))
    }

    fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        self.survey(damage::complaints)
    }

    /// A reader that rests should not hold a moment: the server cannot clean up what that moment still sees.
    fn renew(&mut self) -> Result<(), StoreError> {
        match &mut self.reading {
            Some(reading) => reading.renew(),
            None => Ok(()),
        }
    }
}

pub(super) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}
