//! Where do files go, and how do they come to be there all at once?
//!
//! On the disk an export is written beside its place, `NAME.partial`, and gets its name when it is whole. Object stores know no
//! folders and no new names for many objects, but an object is there only when it was sent to its end: there the mark `_SUCCESS`,
//! sent last and removed first, says that an export is whole. On the disk the mark is there too, so that readers need one rule.

#[cfg(feature = "parquet")]
mod local;
#[cfg(feature = "cloud")]
mod objects;
mod single;
#[cfg(feature = "parquet")]
mod whole;

use std::io::Write;
use std::path::PathBuf;

use crate::error::TableError;

#[cfg(feature = "cloud")]
pub(crate) use objects::Store;
pub use single::write_file;
#[cfg(feature = "parquet")]
pub use whole::Place;

/// Where a file goes while it is written.
pub(crate) trait Sink: Write + Send {
    /// Ends it: from here on the file is there, and stays there.
    fn finish(self: Box<Self>) -> Result<(), TableError>;
}

/// What was typed as a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A folder or file on this machine.
    Path(PathBuf),
    /// A URL of an object store.
    Objects(String),
}

impl Aim {
    /// Tells a path from a URL. `file://` is a path; one letter before the colon is a drive of Windows.
    pub fn parse(typed: &str) -> Result<Aim, TableError> {
        let Some((scheme, rest)) = typed.split_once("://").filter(|(scheme, _)| scheme.len() > 1) else {
            let path = PathBuf::from(typed);
            return if typed.is_empty() { Err(TableError::NoPlace(typed.to_owned())) } else { Ok(Aim::Path(path)) };
        };
        match scheme.to_ascii_lowercase().as_str() {
            "file" => {
                let path = rest.strip_prefix("localhost").unwrap_or(rest);
                let is_path = path.starts_with('/') && path.len() > 1;
                // What a URL escapes stands in a file's name as it is.
                let url = groma_url::Url::parse(&format!("file://{path}")).ok().filter(|_| is_path);
                let path = url.map(|url| unescaped(url.path()));
                path.flatten().map(Aim::Path).ok_or_else(|| TableError::NoPlace(typed.to_owned()))
            }
            "s3" | "s3a" | "gs" | "az" | "azure" | "abfs" | "abfss" | "adl" => Ok(Aim::Objects(typed.to_owned())),
            _ => Err(TableError::NoPlace(typed.to_owned())),
        }
    }
}

impl std::fmt::Display for Aim {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Aim::Path(path) => path.display().fmt(out),
            Aim::Objects(url) => url.fmt(out),
        }
    }
}

fn unescaped(path: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0')).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls_are_told_apart() {
        let path = |typed: &str| Aim::parse(typed).unwrap();
        assert_eq!(path("out"), Aim::Path("out".into()));
        assert_eq!(path("a:b"), Aim::Path("a:b".into()));
        assert_eq!(path("file:///tmp/a%20b"), Aim::Path("/tmp/a b".into()));
        assert_eq!(path("file://localhost/tmp/x"), Aim::Path("/tmp/x".into()));
        assert_eq!(path("s3://bucket/x"), Aim::Objects("s3://bucket/x".into()));
        assert_eq!(path("GS://bucket"), Aim::Objects("GS://bucket".into()));
        for wrong in ["", "ftp://x/y", "file://", "file://host/share", "http://x/y", "file:///a%00b"] {
            assert!(matches!(Aim::parse(wrong), Err(TableError::NoPlace(_))), "{wrong}");
        }
    }
}
