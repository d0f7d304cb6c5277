//! Small files beside the index: written whole or not at all, and known to be whole when they are read.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::SearchError;

/// Writes a file in place of an older one, with its checksum.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = File::create(&part)?;
    file.write_all(&xxh3_64(bytes).to_le_bytes())?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)
}

/// Reads a file back; nothing if there is none. [`SearchError::Unusable`] if it is damaged.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, SearchError> {
    let mut bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let whole = bytes.split_first_chunk::<8>().is_some_and(|(sum, rest)| u64::from_le_bytes(*sum) == xxh3_64(rest));
    if !whole {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(SearchError::Unusable(format!("its file `{name}` has the wrong checksum")));
    }
    bytes.drain(..8);
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    #[test]
    fn damage_is_seen() {
        let path = std::env::temp_dir().join(format!("groma-sealed-{}", std::process::id()));
        super::write(&path, b"some words").unwrap();
        assert_eq!(super::read(&path).unwrap().as_deref(), Some(&b"some words"[..]));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[9] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(super::read(&path), Err(crate::SearchError::Unusable(_))));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(super::read(&path).unwrap(), None);
    }
}
