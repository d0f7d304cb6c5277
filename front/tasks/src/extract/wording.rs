//! Sentences of extraction.

use groma_extract::ColumnError;
use groma_model::wording::counted;

pub(crate) const NO_COLUMNS: &str = "nothing says what to read out of the pages";
pub(crate) const COLUMNS_HINT: &str =
    "name a column, such as --column 'title=css:h1', or show a value: --like 'VALUE' URL";
pub(crate) const COLUMN_HINT: &str =
    "docs/extract.md shows columns in each language; `groma hel` tries HEL on one page";
pub(crate) const LIKE_HINT: &str = "name the page each value stands on, in the same order: --like 'A' --like 'B' URL-OF-A URL-OF-B; for a list two values and one URL";
pub(crate) const NOT_THERE_HINT: &str =
    "copy the value as the page shows it; what scripts put there is kept only if the crawl ran them (--js)";
pub(crate) const NO_RULE_HINT: &str =
    "show values on pages of the same template, or write the column yourself with --column";
pub(crate) const NO_PARQUET: &str = "this groma was built without Parquet";
pub(crate) const NO_PARQUET_HINT: &str = "write csv or jsonl, or build with `cargo build --release --features parquet`";

pub(crate) fn likes_and_pages(values: usize, pages: usize) -> String {
    let (values, pages) = (values as u64, pages as u64);
    format!("{} and {} do not go together", counted(values, "value", "values"), counted(pages, "page", "pages"))
}

pub(crate) fn not_there(value: &str, url: &str) -> String {
    format!("`{value}` does not stand on {url} as it was kept")
}

pub(crate) fn no_body(url: &str) -> String {
    format!("the body of {url} was not kept")
}

pub(crate) const NO_BODY_HINT: &str = "add --ask to fetch it now, or crawl with --set bodies=keep";

pub(crate) fn column_hint(error: &ColumnError) -> &'static str {
    match error {
        ColumnError::Types { .. } => "give both the same type, or another name to one of them",
        ColumnError::Name(_) => "choose another name",
        ColumnError::Many(_) => "ask in two runs",
        ColumnError::None => COLUMNS_HINT,
        _ => COLUMN_HINT,
    }
}
