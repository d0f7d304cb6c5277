//! A store whose disk is full from a chosen moment on: what a kill between two commits leaves behind.

use groma_model::{Fp, HostId, PageId, Reason};
use groma_store::codec::Mark;
use groma_store::{
    AddressRow, Balance, Change, Finding, HostRow, KnownAddress, LearnedRow, Packed, PageRow, Queued, RunRow, Sheet,
    Snapshot, Standing, Store, StoreError, WriteBatch,
};

/// Commits up to and with the first batch that is `last`, and none after it.
pub(crate) struct FailingStore {
    inner: Box<dyn Store>,
    last: fn(&WriteBatch) -> bool,
    full: bool,
}

impl FailingStore {
    /// What wraps a store that somebody else opens.
    pub(crate) fn after(last: fn(&WriteBatch) -> bool) -> impl FnOnce(Box<dyn Store>) -> FailingStore + Send + 'static {
        move |inner| FailingStore { inner, last, full: false }
    }
}

/// Methods that the store inside answers.
macro_rules! passed_on {
    ($( fn $name:ident($( $argument:ident: $kind:ty ),*) -> $answer:ty; )*) => {
        $( fn $name(&mut self, $( $argument: $kind ),*) -> Result<$answer, StoreError> {
            self.inner.$name($( $argument ),*)
        } )*
    };
}

impl Snapshot for FailingStore {
    passed_on! {
        fn find(fp: Fp) -> Option<KnownAddress>;
        fn address(id: PageId) -> Option<AddressRow>;
        fn addresses(after: Option<PageId>, most: usize) -> Vec<AddressRow>;
        fn aliases(of: PageId) -> Vec<AddressRow>;
        fn linked(id: PageId) -> Option<String>;
        fn each_linked(call: &mut dyn FnMut(PageId, &str)) -> ();
        fn page(id: PageId) -> Option<PageRow>;
        fn targets(id: PageId) -> Vec<PageId>;
        fn links(id: PageId) -> Vec<(PageId, Mark)>;
        fn details(id: PageId) -> Option<Vec<u8>>;
        fn body(id: PageId) -> Option<Vec<u8>>;
        fn hosts() -> Vec<HostRow>;
        fn learned() -> Vec<LearnedRow>;
        fn findings() -> Vec<Finding>;
        fn balance() -> Balance;
        fn cuts() -> Vec<(String, u64)>;
        fn value(key: &str) -> Option<String>;
        fn runs() -> Vec<RunRow>;
        fn changes(after: u64, most: usize) -> Vec<Change>;
        fn each_standing(call: &mut dyn FnMut(&Standing<'_>)) -> ();
        fn each_extent(call: &mut dyn FnMut(PageId, &str, u64)) -> ();
        fn each_targets(call: &mut dyn FnMut(PageId, &[u8])) -> ();
        fn each_content(call: &mut dyn FnMut(PageId, Packed<'_>)) -> ();
        fn each_page(call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> ();
        fn each_sheet(packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> ();
        fn each_fingerprint(call: &mut dyn FnMut(Fp)) -> ();
        fn damage() -> Vec<String>;
        fn renew() -> ();
    }
}

impl Store for FailingStore {
    fn commit(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        if self.full {
            return Err(StoreError::DiskFull);
        }
        self.inner.commit(batch)?;
        self.full = (self.last)(batch);
        Ok(())
    }

    passed_on! {
        fn last_ids() -> (u32, u32);
        fn folded(key: Fp) -> Option<PageId>;
        fn variant(key: Fp) -> Option<(PageId, Fp)>;
        fn first_round() -> Option<u32>;
        fn queued_hosts(round: u32) -> Vec<HostId>;
        fn queued(round: u32, host: HostId, most: usize) -> Vec<Queued>;
        fn requeue(which: &dyn Fn(Reason) -> bool) -> u64;
        fn shelve(reason: Reason, now: i64) -> u64;
    }
}
