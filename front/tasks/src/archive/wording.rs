//! Sentences that more than one place says.

use std::path::Path;

pub const IMPORT_INTO_FULL_HINT: &str = "choose another folder with --store, or start over with --fresh";

pub fn import_into_full(store: &Path) -> String {
    format!("{} already holds a survey", store.display())
}
