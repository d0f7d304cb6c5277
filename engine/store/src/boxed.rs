//! A store that is in a box is a store: which one it is was decided when it was opened.

use groma_model::{Fp, HostId, PageId, Reason};

use crate::codec::Mark;
use crate::{
    AddressRow, Balance, Change, Finding, HostRow, KnownAddress, LearnedRow, Packed, PageRow, Queued, RunRow, Sheet,
    Snapshot, Standing, Store, StoreError, WriteBatch,
};

/// Methods that the store in the box answers.
macro_rules! passed_on {
    ($( fn $name:ident($( $argument:ident: $kind:ty ),*) -> $answer:ty; )*) => {
        $( fn $name(&mut self, $( $argument: $kind ),*) -> Result<$answer, StoreError> {
            (**self).$name($( $argument ),*)
        } )*
    };
}

impl<S: Snapshot + ?Sized> Snapshot for Box<S> {
    passed_on! {
        fn find(fp: Fp) -> Option<KnownAddress>;
        fn address(id: PageId) -> Option<AddressRow>;
        fn aliases(of: PageId) -> Vec<AddressRow>;
        fn addresses(after: Option<PageId>, most: usize) -> Vec<AddressRow>;
        fn linked(id: PageId) -> Option<String>;
        fn each_linked(call: &mut dyn FnMut(PageId, &str)) -> ();
        fn page(id: PageId) -> Option<PageRow>;
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

impl<S: Store + ?Sized> Store for Box<S> {
    fn workers(&mut self) -> Option<&mut dyn crate::workers::Workers> {
        (**self).workers()
    }

    passed_on! {
        fn commit(batch: &WriteBatch) -> ();
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
