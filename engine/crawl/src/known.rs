//! Which URLs are known: a bounded memory in front of the store.
//!
//! A page has a hundred links and nearly all of them lead to URLs seen before, so the look-up is what an ingest costs. Three
//! steps, each cheaper to pass than the next:
//!
//! ```text
//! cache   fingerprint -> number and marks, direct-mapped, 2^18 entries: the links every page has
//! filter  blocked Bloom filter, 10 bits a URL, 7 of them in one cache line: surely new?
//! store   its index of fingerprints
//! ```
//!
//! Memory: 5 MB, plus 1.25 MB for each million URLs. The filter errs for fewer than 2 new URLs in 100 (a test says so), which then cost a
//! look-up in the store; it never takes a known address for new.

use std::collections::HashMap;

use groma_model::{Fp, PageId};
use groma_store::{KnownAddress, Store, StoreError};

const CACHE_BITS: u32 = 18;
const FILTER_START: usize = 1 << 20;
const BITS_PER_ADDRESS: usize = 10;
const PROBES: u32 = 7;
/// The marks of a cached URL.
const SOFT: u8 = 1;
const DOUBTFUL: u8 = 2;

/// The URLs of a survey.
pub(crate) struct Known {
    keys: Vec<u128>,
    ids: Vec<u32>,
    marks: Vec<u8>,
    filter: Vec<[u64; 8]>,
    room: usize,
    count: usize,
    /// Numbers given out in the batch that is not committed yet.
    fresh: HashMap<Fp, KnownAddress>,
    /// Where others enter URLs too: what the store knew of these when the batch was begun. The filter says nothing then, and what is
    /// soft may have ceased to be.
    asked: Option<HashMap<Fp, Option<KnownAddress>>>,
}

impl Known {
    /// Reads the fingerprints of a store.
    pub(crate) fn load(store: &mut dyn Store) -> Result<Known, StoreError> {
        let (last, _) = store.last_ids()?;
        let mut known = Known::empty();
        known.rebuild(store, (last as usize * 2).max(FILTER_START))?;
        Ok(known)
    }

    /// Nothing: for whoever shares the store from the beginning.
    pub(crate) fn empty() -> Known {
        Known {
            keys: vec![0; 1 << CACHE_BITS],
            ids: vec![u32::MAX; 1 << CACHE_BITS],
            marks: vec![0; 1 << CACHE_BITS],
            filter: vec![[0; 8]; 1],
            room: 0,
            count: 0,
            fresh: HashMap::new(),
            asked: None,
        }
    }

    /// The URL with this fingerprint, if it is known.
    pub(crate) fn find(&mut self, store: &mut dyn Store, fp: Fp) -> Result<Option<KnownAddress>, StoreError> {
        if let Some(found) = self.cached(fp).filter(|found| !found.soft || self.asked.is_none()) {
            return Ok(Some(found));
        }
        if self.asked.is_none() && !self.maybe(fp) {
            return Ok(None);
        }
        let asked = self.asked.as_ref().and_then(|asked| asked.get(&fp));
        let found = match (self.fresh.get(&fp), asked) {
            (Some(&found), _) => Some(found),
            (None, Some(&known)) => known,
            (None, None) => store.find(fp)?,
        };
        if let Some(found) = found {
            self.cache(fp, found);
        }
        Ok(found)
    }

    /// From now on others enter URLs too.
    pub(crate) fn share(&mut self) {
        self.asked.get_or_insert_default();
        self.filter = vec![[0; 8]; 1];
    }

    /// Asks for many at once, before they are looked for one by one.
    pub(crate) fn ask(&mut self, store: &mut dyn Store, fps: impl Iterator<Item = Fp>) -> Result<(), StoreError> {
        let open = |fp: &Fp| self.cached(*fp).is_none_or(|found| found.soft) && !self.fresh.contains_key(fp);
        let mut fps: Vec<Fp> = fps.filter(open).collect();
        fps.sort_unstable_by_key(|fp| fp.0);
        fps.dedup();
        let Some((asked, workers)) = self.asked.as_mut().zip(store.workers()) else { return Ok(()) };
        let found = workers.find_all(&fps)?;
        asked.extend(fps.into_iter().map(|fp| (fp, None)));
        asked.extend(found.iter().map(|(fp, found)| (*fp, Some(*found))));
        Ok(())
    }

    fn cached(&self, fp: Fp) -> Option<KnownAddress> {
        let slot = slot(fp);
        let (id, marks) = (self.ids[slot], self.marks[slot]);
        (id != u32::MAX && self.keys[slot] == fp.0).then_some(KnownAddress {
            id: PageId(id),
            soft: marks & SOFT != 0,
            doubtful: marks & DOUBTFUL != 0,
        })
    }

    /// Others had entered this one: it has their number.
    pub(crate) fn rename(&mut self, fp: Fp, found: KnownAddress) {
        self.cache(fp, found);
    }

    /// A number has been given to a new URL.
    pub(crate) fn add(&mut self, fp: Fp, found: KnownAddress) {
        self.fresh.insert(fp, found);
        if self.asked.is_none() {
            self.note(fp);
            self.count += 1;
        }
        self.cache(fp, found);
    }

    /// The URL is no longer, or newly, one that a better link would change.
    pub(crate) fn set_soft(&mut self, fp: Fp, id: PageId, soft: bool) {
        let known = self.fresh.get(&fp).copied().or_else(|| self.cached(fp));
        self.change(fp, KnownAddress { id, soft, doubtful: known.is_some_and(|found| found.doubtful) });
    }

    /// Another URL of this URL may, or can no longer, be what robots.txt allows. Of one that has left the cache the store knows.
    pub(crate) fn set_doubtful(&mut self, fp: Fp, doubtful: bool) {
        if let Some(known) = self.fresh.get(&fp).copied().or_else(|| self.cached(fp)) {
            self.change(fp, KnownAddress { doubtful, ..known });
        }
    }

    fn change(&mut self, fp: Fp, found: KnownAddress) {
        if let Some(fresh) = self.fresh.get_mut(&fp) {
            *fresh = found;
        }
        self.cache(fp, found);
    }

    /// The batch is committed: the store knows its URLs now.
    pub(crate) fn committed(&mut self, store: &mut dyn Store) -> Result<(), StoreError> {
        self.fresh.clear();
        if let Some(asked) = &mut self.asked {
            asked.clear();
            return Ok(());
        }
        if self.count > self.room {
            self.rebuild(store, self.room * 4)?;
        }
        Ok(())
    }

    fn cache(&mut self, fp: Fp, found: KnownAddress) {
        let slot = slot(fp);
        self.keys[slot] = fp.0;
        self.ids[slot] = found.id.0;
        self.marks[slot] = if found.soft { SOFT } else { 0 } | if found.doubtful { DOUBTFUL } else { 0 };
    }

    fn rebuild(&mut self, store: &mut dyn Store, room: usize) -> Result<(), StoreError> {
        self.filter = vec![[0; 8]; room * BITS_PER_ADDRESS / 512 + 1];
        self.room = room;
        self.count = 0;
        let mut seen = 0;
        store.each_fingerprint(&mut |fp| {
            self.note(fp);
            seen += 1;
        })?;
        self.count = seen;
        Ok(())
    }

    fn note(&mut self, fp: Fp) {
        let (line, mut bits) = self.place(fp);
        for _ in 0..PROBES {
            self.filter[line][(bits >> 6 & 7) as usize] |= 1 << (bits & 63);
            bits >>= 9;
        }
    }

    fn maybe(&self, fp: Fp) -> bool {
        let (line, bits) = self.place(fp);
        let words = &self.filter[line];
        (0..PROBES).all(|probe| {
            let bits = bits >> (9 * probe);
            words[(bits >> 6 & 7) as usize] & (1 << (bits & 63)) != 0
        })
    }

    fn place(&self, fp: Fp) -> (usize, u64) {
        let line = ((fp.0 >> 64) as u64 as u128 * self.filter.len() as u128) >> 64;
        (line as usize, fp.0 as u64)
    }
}

fn slot(fp: Fp) -> usize {
    (fp.0 as usize) >> 7 & ((1 << CACHE_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_store::SqliteStore;

    #[test]
    fn what_was_added_is_found_and_nothing_else() {
        let mut store = SqliteStore::open(std::path::Path::new(":memory:")).unwrap();
        let mut known = Known::load(&mut store).unwrap();
        let fp = |n: u32| Fp::hash_bytes(&n.to_le_bytes());
        for n in 0..300_000 {
            known.add(fp(n), KnownAddress { id: PageId(n), soft: n % 2 == 0, doubtful: n % 3 == 0 });
        }
        for n in (0..300_000).step_by(7) {
            let found = known.find(&mut store, fp(n)).unwrap();
            assert_eq!(found, Some(KnownAddress { id: PageId(n), soft: n % 2 == 0, doubtful: n % 3 == 0 }));
        }
        let wrong = (300_000..400_000).filter(|n| known.maybe(fp(*n))).count();
        assert!(wrong < 2_000, "{wrong} of 100,000 taken for known");
        known.set_soft(fp(6), PageId(6), false);
        assert_eq!(
            known.find(&mut store, fp(6)).unwrap(),
            Some(KnownAddress { id: PageId(6), soft: false, doubtful: true })
        );
        known.set_doubtful(fp(6), false);
        assert_eq!(
            known.find(&mut store, fp(6)).unwrap(),
            Some(KnownAddress { id: PageId(6), soft: false, doubtful: false })
        );
    }
}
