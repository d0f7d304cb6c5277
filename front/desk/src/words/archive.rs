//! Sentences about archives.

pub const NOTHING_ARCHIVED: &str = "the survey keeps no pages as they came";

/// A second crawl of an archived survey is archived too.
pub fn archive_remembered(dir: &str) -> String {
    format!("this survey is archived: WARC files go to {dir}, as before (--no-warc stops it)")
}
