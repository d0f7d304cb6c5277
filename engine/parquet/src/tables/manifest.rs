//! What an export says of itself: `manifest.json`, written when all files are there, before `_SUCCESS`.

use serde::{Deserialize, Serialize};

/// The number of the format: of the columns and of how folders and files are named. A change that readers would trip over is a
/// new number; a new column at the end is not.
pub const FORMAT: u32 = 1;

/// The name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The name of the mark that is written last.
pub(crate) const SUCCESS: &str = "_SUCCESS";
/// The folders of tables.
const TABLES: [&str; 3] = ["pages", "links", "texts"];
/// The folder of archives.
pub(crate) const BODIES: &str = "bodies";

/// Contents of `manifest.json`: what an export wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Who wrote it: always `groma`.
    pub writer: String,
    /// Version of Groma.
    pub version: String,
    pub format: u32,
    /// How many parts each table has at most.
    pub parts: u32,
    pub tables: Vec<TableFacts>,
}

/// What was written of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFacts {
    pub name: String,
    /// Rows in all files.
    pub rows: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Its files, by name.
    pub files: Vec<FileFacts>,
}

/// One Parquet file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Where it lies, from the top of the export.
    pub name: String,
    pub rows: u64,
    pub bytes: u64,
}

impl Manifest {
    pub(crate) fn new(parts: u32, tables: Vec<TableFacts>) -> Manifest {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Manifest { writer: "groma".to_owned(), version, format: FORMAT, parts, tables }
    }
}

/// Whether a path below the top of an export is one that an export writes: only such are ever removed.
pub(crate) fn is_ours(name: &str) -> bool {
    let mut steps = name.split('/');
    match (steps.next(), steps.next(), steps.next(), steps.next()) {
        (Some(MANIFEST | SUCCESS), None, _, _) => true,
        (Some(table), Some(part), Some(file), None) => {
            let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let ending = if table == BODIES { ".warc.gz" } else { ".parquet" };
            let file = file.strip_prefix(table).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(ending));
            (TABLES.contains(&table) || table == BODIES)
                && part.strip_prefix("part=").is_some_and(number)
                && file.is_some_and(number)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_export_writes_is_ours() {
        for ours in
            ["_SUCCESS", "manifest.json", "links/part=07/links-0000.parquet", "bodies/part=123/bodies-0001.warc.gz"]
        {
            assert!(is_ours(ours), "{ours}");
        }
        let others = [
            "",
            "notes.txt",
            "links",
            "links/part=07",
            "links/part=x/links-0000.parquet",
            "links/part=07/pages-0000.parquet",
            "links/part=07/links-.parquet",
            "links/part=07/links-0000.parquet/x",
            "other/part=07/other-0000.parquet",
            "bodies/part=07/bodies-0000.parquet",
            "a/_SUCCESS",
        ];
        for other in others {
            assert!(!is_ours(other), "{other}");
        }
    }
}
