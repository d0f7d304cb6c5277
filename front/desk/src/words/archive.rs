//! Sentences about archives.

use std::path::Path;

use groma_model::wording::grouped;
use groma_shelf::Told;

use super::counted;

pub const SHELF_HINT: &str = "check the folder of the archive (--warc DIR), its permissions, and the disk";
pub const EMPTY_SHELF_HINT: &str = "run the crawl with --warc first; files still being written do not count";
pub const MIXED_SHELF_HINT: &str = "use the files as they are, or `groma export wacz`, which takes both";
pub const NOTHING_ARCHIVED: &str = "the survey keeps no pages as they came";
pub const NOTHING_ARCHIVED_HINT: &str = "crawl with --warc DIR, or with --bodies keep";
pub const NO_WARC_HINT: &str = "crawl with --warc DIR: a WACZ is made of the exchanges as they were";
pub const NOTHING_TO_IMPORT_HINT: &str =
    "name the first page with --start URL, and check that these are WARC, ARC or WACZ files";
pub const OUTPUT_NEEDED: &str = "an archive is not written to a terminal";
pub const OUTPUT_NEEDED_HINT: &str = "name a file with -o FILE";

/// A second crawl of an archived survey is archived too.
pub fn archive_remembered(dir: &str) -> String {
    format!("this survey is archived: WARC files go to {dir}, as before (--no-warc stops it)")
}

pub fn empty_shelf(dir: &Path) -> String {
    format!("there are no finished WARC files in {}", dir.display())
}

pub fn mixed_shelf(dir: &Path) -> String {
    format!("the files in {} are compressed in different ways and cannot be joined", dir.display())
}

pub fn archive_title(start: &str) -> String {
    format!("Survey of {start}")
}

pub fn nothing_to_import(told: &Told) -> String {
    let wrong = told.wrong.first().map(|wrong| format!("; {} at {}: {}", wrong.file, wrong.offset, wrong.what));
    format!("no page to start at among {}{}", counted(told.records, "record", "records"), wrong.unwrap_or_default())
}

/// What was read of archives, in a line.
pub fn imported_archive(told: &Told) -> String {
    let (records, files) = (counted(told.records, "record", "records"), counted(told.files, "file", "files"));
    format!("{records} in {files}, {} of them answers of servers", grouped(told.answers))
}

/// What is wrong with them, a line each.
pub fn wrong_with_archive(told: &Told) -> Vec<String> {
    let mut lines: Vec<String> =
        told.counts.iter().map(|(what, count)| format!("{}: {what}", grouped(*count))).collect();
    lines.extend(told.wrong.iter().take(10).map(|wrong| format!("{} at {}: {}", wrong.file, wrong.offset, wrong.what)));
    lines
}

pub fn loose_pages(count: u64) -> String {
    let (pages, are) = (counted(count, "page", "pages"), if count == 1 { "is" } else { "are" });
    format!("{pages} of the archive {are} reached by no link from the start; --all takes in such pages too")
}

pub fn archive_written(files: u64, pages: u64, without: u64) -> String {
    if files > 0 {
        return format!("{} joined", counted(files, "WARC file", "WARC files"));
    }
    let lacking =
        if without > 0 { format!(" ({} have no bytes in the survey)", grouped(without)) } else { String::new() };
    format!("{} as resource records{lacking}", counted(pages, "page", "pages"))
}

pub fn wacz_written(files: u64, pages: u64, bytes: u64) -> String {
    let (files, pages) = (counted(files, "WARC file", "WARC files"), counted(pages, "page", "pages"));
    format!("{files}, {pages}, {}", counted(bytes, "byte", "bytes"))
}
