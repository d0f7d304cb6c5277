//! The checksum of one page.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Bytes of a checksum, at the end of a page.
pub const SUM: usize = 8;
/// What a file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the header says how many bytes at the end of each page are not SQLite's.
pub(crate) const RESERVED: usize = 20;
/// The least a page can be.
const LEAST: usize = 512;

/// Is this a whole page, by its length and place?
pub(crate) fn is_page(length: usize, offset: i64) -> bool {
    length >= LEAST && length.is_power_of_two() && offset >= 0 && (offset as u64).is_multiple_of(length as u64)
}

/// How many bytes of each page are reserved, if this is the beginning of a file.
pub(crate) fn reserved(bytes: &[u8], offset: i64) -> Option<u8> {
    (offset == 0 && bytes.len() >= 100 && bytes.starts_with(MAGIC)).then(|| bytes[RESERVED])
}

/// The checksum that belongs to a page.
pub(crate) fn sum(page: &[u8], offset: i64) -> [u8; SUM] {
    let content = page.len().saturating_sub(SUM);
    xxh3_64_with_seed(&page[..content], offset as u64).to_le_bytes()
}

/// Has this page the checksum it should have?
pub(crate) fn is_whole(page: &[u8], offset: i64) -> bool {
    page.ends_with(&sum(page, offset))
}

/// Is this the first page of a file with checksums whose header no longer says that it is one?
pub(crate) fn is_disguised(page: &[u8], offset: i64) -> bool {
    if offset != 0 || page.len() <= RESERVED || page[RESERVED] as usize == SUM {
        return false;
    }
    let mut honest = page.to_vec();
    honest[RESERVED] = SUM as u8;
    is_whole(&honest, offset)
}
