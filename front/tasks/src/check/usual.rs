//! What checks look for unless somebody says: all but what groma.toml, or the settings saved with the survey, leave out.

use std::path::Path;

use groma_check::Options;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Overrides};
use groma_store::Snapshot;

/// Reads it.
pub fn usual_options(store: &mut dyn Snapshot, config: Option<&Path>) -> Result<Options, Fault> {
    let saved = Saved::load(store)?.unwrap_or_default();
    let mut book = Book::of_task(&Overrides::default(), &[], config, Some(&saved))?;
    Ok(Settings::from_book(&mut book)?.checks)
}
