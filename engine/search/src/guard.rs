//! Where a panic of the full-text engine becomes an error.
//!
//! The engine trusts its files: where one is damaged, it may index out of bounds or unwrap what is not there. Files are compared with
//! their checksums before they are read where that is cheap (see [`crate::engine`]); what remains ends here, and nothing is
//! printed.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::SearchError;

thread_local! {
    /// How many guards this thread is in.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Threads of the engine begin like this.
const THREADS: [&str; 4] = ["thrd-tantivy", "merge_thread", "segment_updater", "tantivy"];

/// Does what is to be done; a panic inside means that the index is damaged.
pub(crate) fn guarded<T>(act: impl FnOnce() -> Result<T, SearchError>) -> Result<T, SearchError> {
    hush();
    INSIDE.set(INSIDE.get() + 1);
    // What a panic leaves half done is an index in memory that is dropped, or files that are only valid once they are committed.
    let done = panic::catch_unwind(AssertUnwindSafe(act));
    INSIDE.set(INSIDE.get() - 1);
    done.unwrap_or_else(|_| Err(SearchError::Unusable("its files are damaged".to_owned())))
}

/// From now on panics in guarded places and in the engine's own threads, which report them as errors, are not printed.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            let of_engine = thread.name().is_some_and(|name| THREADS.iter().any(|begin| name.starts_with(begin)));
            if INSIDE.get() == 0 && !of_engine {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let damaged = guarded::<()>(|| Vec::<u8>::new().first().map(|_| Ok(())).unwrap());
        assert!(matches!(damaged, Err(SearchError::Unusable(_))));
        assert!(matches!(guarded(|| Ok(7)), Ok(7)));
    }
}
