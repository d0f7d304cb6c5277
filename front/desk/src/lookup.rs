//! Which page of a survey is meant by what was typed: an address in any spelling, a path, or the name of an imported node.

use url::Url;

use groma_model::{Fp, PageId};
use groma_store::Snapshot;

use crate::Fault;
use crate::settings::Book;
use crate::settings::meaning::Settings;
use crate::settings::saved::Saved;
use crate::{address, words};

/// The number of the address that was typed.
pub fn page(store: &mut dyn Snapshot, typed: &str) -> Result<PageId, Fault> {
    let typed = typed.trim();
    // The nodes of an imported graph may be called anything.
    if let Some(found) = store.find(Fp::of(typed.as_bytes()))? {
        return Ok(found.id);
    }
    let saved = Saved::load(store)?.unwrap_or_default();
    let start = saved.seeds.first().and_then(|text| Url::parse(text).ok());
    // A path alone is one of the site.
    let base = start.as_ref().filter(|_| typed.starts_with('/'));
    let url = match Url::parse_with_base(typed, base) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => address::read(typed)?.url,
    };
    let mut book = Book::gather(&[], None, Some(&saved))?;
    let canonizer = Settings::of(&mut book)?.canonizer();
    let fp = canonizer.canon(&url).address.fp;
    let found = store.find(fp)?;
    found.map(|found| found.id).ok_or_else(|| Fault::new(not_in_survey(typed), words::NOT_IN_SURVEY_HINT))
}

fn not_in_survey(typed: &str) -> String {
    format!("{typed} is not in the survey")
}
