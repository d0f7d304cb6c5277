//! Is it safe to let the library read this file? It believes what headers claim and takes memory accordingly, so claims are
//! checked here first: the sizes of the footer and of every page, counts of values against rows, dictionaries before their use.
//!
//! What is refused: a footer above [`FOOTER`], a page above [`PAGE`] (packed or unpacked; writers make pages of about 1 MB), chunks
//! that lie outside the file, dictionaries that claim more values than they have bytes, more values than rows. Cost: one short read
//! for the header of each page. What is left to chance: decoders that panic on nonsense between sound headers; the reader catches
//! that (see `column.rs`).

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use parquet::basic::Type;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::header::{PageHeader, PageKind};

/// The longest footer: 4 MB describe a thousand groups of our widest table.
const FOOTER: u64 = 4 << 20;
/// Largest page that is read, in bytes.
const PAGE: i64 = 64 << 20;
/// The longest header of a page, and how much is read at first.
const HEADER: u64 = 64 << 10;
const SHORT: u64 = 256;
/// Magic bytes at both ends.
const MAGIC: [u8; 4] = *b"PAR1";

/// Checks the ends of a file; returns its length.
pub(crate) fn check_ends(file: &mut File) -> Result<u64, String> {
    let length = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    if length < 12 {
        return Err("no Parquet file: it is too short".to_owned());
    }
    let mut head = [0; 4];
    let mut tail = [0; 8];
    let read = |file: &mut File, at: u64, into: &mut [u8]| {
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(into)).map_err(|error| error.to_string())
    };
    read(file, 0, &mut head)?;
    read(file, length - 8, &mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    if magic == *b"PARE" {
        return Err("it is encrypted".to_owned());
    }
    if head != MAGIC || magic != MAGIC {
        return Err("no Parquet file".to_owned());
    }
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer > FOOTER || footer > length - 12 {
        return Err(format!("its footer claims {footer} bytes"));
    }
    Ok(length)
}

/// Checks every page of a column of a group.
pub(crate) fn check_pages(
    file: &mut File,
    length: u64,
    group: &RowGroupMetaData,
    chunk: &ColumnChunkMetaData,
) -> Result<(), String> {
    let (from, to) = extent(length, chunk)?;
    let rows = group.num_rows();
    if rows < 0 || chunk.num_values() != rows {
        return Err(format!("a column claims {} values in a group of {rows} rows", chunk.num_values()));
    }
    let width = match chunk.column_type() {
        Type::INT32 | Type::FLOAT => 4,
        _ => 8,
    };
    let (mut at, mut values, mut has_dictionary) = (from, 0, false);
    while at < to && values < rows {
        let header = header_at(file, at, to)?;
        let kind = header.kind().ok_or("the header of a page contradicts itself")?;
        if !(0..=PAGE).contains(&header.packed) || !(0..=PAGE).contains(&header.unpacked) {
            return Err(format!("a page claims {} bytes, {} once unpacked", header.packed, header.unpacked));
        }
        let body = at + header.length as u64;
        at = body + header.packed as u64;
        if at > to {
            return Err("a page is longer than its column".to_owned());
        }
        match kind {
            PageKind::Other => continue,
            PageKind::Dictionary => {
                let fits = header.values.checked_mul(width).is_some_and(|bytes| (0..=header.unpacked).contains(&bytes));
                if has_dictionary || values > 0 || !fits || !matches!(header.encoding, 0 | 2) {
                    return Err(format!("a dictionary claims {} values in {} bytes", header.values, header.unpacked));
                }
                has_dictionary = true;
                continue;
            }
            PageKind::DataV2 if !(0..=header.unpacked).contains(&header.levels) => {
                return Err("the levels of a page claim more bytes than it has".to_owned());
            }
            PageKind::DataV2 if !(0..=header.values).contains(&header.empty) => {
                return Err("a page claims more empty values than values".to_owned());
            }
            PageKind::Data | PageKind::DataV2 => {}
        }
        if matches!(header.encoding, 2 | 8) && !has_dictionary {
            return Err("a page refers to a dictionary that is not there".to_owned());
        }
        if !(0..=rows - values).contains(&header.values) {
            return Err(format!("pages claim more values than the group has rows ({rows})"));
        }
        values += header.values;
    }
    if values == rows { Ok(()) } else { Err(format!("a column has {values} values in a group of {rows} rows")) }
}

/// Where a column of a group lies in the file.
fn extent(length: u64, chunk: &ColumnChunkMetaData) -> Result<(u64, u64), String> {
    let outside = || "a column lies outside the file".to_owned();
    let data = chunk.data_page_offset();
    let from = match chunk.dictionary_page_offset() {
        Some(dictionary) if dictionary > 0 => dictionary.min(data),
        _ => data,
    };
    let from = u64::try_from(from).map_err(|_| outside())?;
    let bytes = u64::try_from(chunk.compressed_size()).map_err(|_| outside())?;
    let to = from.checked_add(bytes).filter(|to| *to <= length).ok_or_else(outside)?;
    // The library takes the place of the dictionary for the beginning, whatever it is.
    if chunk.dictionary_page_offset().is_some_and(|offset| offset < 0 || offset > data) {
        return Err(outside());
    }
    Ok((from, to))
}

fn header_at(file: &mut File, at: u64, to: u64) -> Result<PageHeader, String> {
    let mut bytes = Vec::new();
    for most in [SHORT, HEADER] {
        bytes.clear();
        file.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
        file.take(most.min(to - at)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if let Some(header) = PageHeader::read(&bytes) {
            return Ok(header);
        }
    }
    Err("a page has no header that can be read".to_owned())
}
