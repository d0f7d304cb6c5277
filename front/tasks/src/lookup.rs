//! Which page of a survey is meant by what was typed: a URL in any spelling, a path, or the name of an imported node.

use groma_model::{Fp, PageId};
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, address};
use groma_store::Snapshot;
use groma_url::Url;

/// The number of the URL that was typed.
pub fn page(store: &mut dyn Snapshot, typed: &str) -> Result<PageId, Fault> {
    let typed = typed.trim();
    // The nodes of an imported graph may be called anything.
    if let Some(found) = store.find(Fp::hash_bytes(typed.as_bytes()))? {
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
    let canonizer = Settings::from_book(&mut book)?.canonizer();
    let fp = canonizer.canon(&url).address.fp;
    let found = store.find(fp)?;
    found.map(|found| found.id).ok_or_else(|| Fault::new(not_in_survey(typed), NOT_IN_SURVEY_HINT))
}

fn not_in_survey(typed: &str) -> String {
    format!("{typed} is not in the survey")
}

/// Where the URLs of a survey are listed.
pub const NOT_IN_SURVEY_HINT: &str = "`groma pages` lists every URL of the survey";
