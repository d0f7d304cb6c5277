//! A store that is in a box is a store: which one it is was decided when it was opened.

use groma_model::{Fp, HostId, PageId, Reason};

use crate::{
    AddressRow, Balance, Change, Finding, Found, HostRow, LearnedRow, Packed, PageRow, Queued, RunRow, Sheet, Snapshot,
    Standing, Store, StoreError, WriteBatch, codec,
};

impl<S: Snapshot + ?Sized> Snapshot for Box<S> {
    fn find(&mut self, fp: Fp) -> Result<Option<Found>, StoreError> {
        (**self).find(fp)
    }

    fn address(&mut self, id: PageId) -> Result<Option<AddressRow>, StoreError> {
        (**self).address(id)
    }

    fn aliases(&mut self, of: PageId) -> Result<Vec<AddressRow>, StoreError> {
        (**self).aliases(of)
    }

    fn addresses(&mut self, after: Option<PageId>, most: usize) -> Result<Vec<AddressRow>, StoreError> {
        (**self).addresses(after, most)
    }

    fn linked(&mut self, id: PageId) -> Result<Option<String>, StoreError> {
        (**self).linked(id)
    }

    fn each_linked(&mut self, call: &mut dyn FnMut(PageId, &str)) -> Result<(), StoreError> {
        (**self).each_linked(call)
    }

    fn page(&mut self, id: PageId) -> Result<Option<PageRow>, StoreError> {
        (**self).page(id)
    }

    fn targets(&mut self, id: PageId) -> Result<Vec<PageId>, StoreError> {
        (**self).targets(id)
    }

    fn links(&mut self, id: PageId) -> Result<Vec<(PageId, codec::Mark)>, StoreError> {
        (**self).links(id)
    }

    fn details(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).details(id)
    }

    fn body(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).body(id)
    }

    fn hosts(&mut self) -> Result<Vec<HostRow>, StoreError> {
        (**self).hosts()
    }

    fn learned(&mut self) -> Result<Vec<LearnedRow>, StoreError> {
        (**self).learned()
    }

    fn findings(&mut self) -> Result<Vec<Finding>, StoreError> {
        (**self).findings()
    }

    fn balance(&mut self) -> Result<Balance, StoreError> {
        (**self).balance()
    }

    fn cuts(&mut self) -> Result<Vec<(String, u64)>, StoreError> {
        (**self).cuts()
    }

    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        (**self).value(key)
    }

    fn runs(&mut self) -> Result<Vec<RunRow>, StoreError> {
        (**self).runs()
    }

    fn changes(&mut self, after: u64, most: usize) -> Result<Vec<Change>, StoreError> {
        (**self).changes(after, most)
    }

    fn each_standing(&mut self, call: &mut dyn FnMut(&Standing<'_>)) -> Result<(), StoreError> {
        (**self).each_standing(call)
    }

    fn each_extent(&mut self, call: &mut dyn FnMut(PageId, &str, u64)) -> Result<(), StoreError> {
        (**self).each_extent(call)
    }

    fn each_targets(&mut self, call: &mut dyn FnMut(PageId, &[u8])) -> Result<(), StoreError> {
        (**self).each_targets(call)
    }

    fn each_content(&mut self, call: &mut dyn FnMut(PageId, Packed<'_>)) -> Result<(), StoreError> {
        (**self).each_content(call)
    }

    fn each_page(&mut self, call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> Result<(), StoreError> {
        (**self).each_page(call)
    }

    fn each_sheet(&mut self, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Result<(), StoreError> {
        (**self).each_sheet(packed, call)
    }

    fn each_fingerprint(&mut self, call: &mut dyn FnMut(Fp)) -> Result<(), StoreError> {
        (**self).each_fingerprint(call)
    }

    fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        (**self).damage()
    }

    fn renew(&mut self) -> Result<(), StoreError> {
        (**self).renew()
    }
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn crew(&mut self) -> Option<&mut dyn crate::crew::Crew> {
        (**self).crew()
    }

    fn commit(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        (**self).commit(batch)
    }

    fn last_ids(&mut self) -> Result<(u32, u32), StoreError> {
        (**self).last_ids()
    }

    fn folded(&mut self, key: Fp) -> Result<Option<PageId>, StoreError> {
        (**self).folded(key)
    }

    fn variant(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
        (**self).variant(key)
    }

    fn first_round(&mut self) -> Result<Option<u32>, StoreError> {
        (**self).first_round()
    }

    fn queued_hosts(&mut self, round: u32) -> Result<Vec<HostId>, StoreError> {
        (**self).queued_hosts(round)
    }

    fn queued(&mut self, round: u32, host: HostId, most: usize) -> Result<Vec<Queued>, StoreError> {
        (**self).queued(round, host, most)
    }

    fn requeue(&mut self, which: &dyn Fn(Reason) -> bool) -> Result<u64, StoreError> {
        (**self).requeue(which)
    }

    fn shelve(&mut self, reason: Reason, now: i64) -> Result<u64, StoreError> {
        (**self).shelve(reason, now)
    }
}
