//! Files of people who mean harm, and files that were damaged: an error in words, no panic, little memory, little time.

use std::fs;
use std::time::{Duration, Instant};

use groma_parquet::{Aim, read_ranks};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;

use crate::made::Desk;
use crate::values::write;

/// A file as others write it.
fn sound(desk: &Desk, version: WriterVersion, compression: Compression) -> Vec<u8> {
    let path = desk.join("sound.parquet");
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(compression)
        .set_data_page_size_limit(200)
        .set_write_batch_size(20);
    let (ids, values): (Vec<i64>, Vec<f64>) = (0..100).map(|n| (n, (n % 5) as f64)).unzip();
    write(&path, properties.build(), &ids, &values, 60);
    fs::read(path).unwrap()
}

/// Reads to the end or to the first error; how many rows came.
fn read(desk: &Desk, bytes: &[u8]) -> Result<usize, String> {
    let path = desk.join("hostile.parquet");
    fs::write(&path, bytes).unwrap();
    let begun = Instant::now();
    let rows = read_ranks(&Aim::Path(path), 1000).map_err(|error| error.to_string())?;
    let read = rows.collect::<Result<Vec<_>, _>>().map(|rows| rows.len()).map_err(|error| error.to_string());
    assert!(begun.elapsed() < Duration::from_secs(20));
    read
}

#[test]
fn what_is_cut_or_no_such_file_is_refused() {
    let desk = Desk::new();
    let bytes = sound(&desk, WriterVersion::PARQUET_1_0, Compression::SNAPPY);
    assert_eq!(read(&desk, &bytes), Ok(100));
    for cut in 0..bytes.len() {
        assert!(read(&desk, &bytes[..cut]).is_err(), "{cut}");
    }
    for other in [&b""[..], b"PAR1", b"PAR1PAR1PAR1", b"<html>not this</html>", &[0; 5000]] {
        assert!(read(&desk, other).is_err());
    }
    let mut long = bytes.clone();
    let at = long.len() - 8;
    long[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(read(&desk, &long).unwrap_err().contains("footer claims"));
}

#[test]
fn a_byte_that_is_wrong_is_an_error_or_another_value() {
    let desk = Desk::new();
    let forms = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0]
        .into_iter()
        .flat_map(|version| [Compression::UNCOMPRESSED, Compression::ZSTD(ZstdLevel::default())].map(|c| (version, c)));
    for (form, (version, compression)) in forms.enumerate() {
        let bytes = sound(&desk, version, compression);
        // Every fourth byte in each form, the next in the next: together they see all.
        for at in (form..bytes.len()).step_by(4) {
            for with in [0xff, bytes[at] ^ 0x01] {
                let mut wrong = bytes.clone();
                wrong[at] = with;
                // Whatever comes of it, it comes to an end, and there are never more rows than were allowed.
                assert!(read(&desk, &wrong).unwrap_or_default() <= 1000);
            }
        }
    }
}

/// A number as Thrift's compact protocol writes it.
fn thrift(number: i64) -> Vec<u8> {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// A file whose first page, of column `id`, has this header and body.
fn forged(header: &[u8], body: &[u8], rows: i64) -> Vec<u8> {
    let mut file = b"PAR1".to_vec();
    let page = [header, body].concat();
    let offset = file.len() as i64;
    file.extend(&page);
    let name = |text: &str| [vec![text.len() as u8], text.as_bytes().to_vec()].concat();
    let field = |head: u8, number: i64| [vec![head], thrift(number)].concat();
    // SchemaElement: type, repetition, name; the root: name, children.
    let root = [vec![0x48], name("m"), field(0x15, 2), vec![0]].concat();
    let column = |of: i64, text: &str| [field(0x15, of), field(0x25, 0), vec![0x18], name(text), vec![0]].concat();
    let schema = [vec![0x19, 0x3c], root, column(2, "id"), column(5, "rank")].concat();
    let chunk = |of: i64, text: &str| {
        let meta = [
            field(0x15, of),
            vec![0x19, 0x15],
            thrift(0),
            vec![0x19, 0x18],
            name(text),
            field(0x15, 0),
            field(0x16, rows),
            field(0x16, page.len() as i64),
            field(0x16, page.len() as i64),
            field(0x26, offset),
            vec![0],
        ];
        [field(0x26, offset), vec![0x1c], meta.concat(), vec![0]].concat()
    };
    let group = [
        vec![0x19, 0x2c],
        chunk(2, "id"),
        chunk(5, "rank"),
        field(0x16, page.len() as i64),
        field(0x16, rows),
        vec![0],
    ];
    let footer = [field(0x15, 1), schema, field(0x16, rows), vec![0x19, 0x1c], group.concat(), vec![0]].concat();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

fn header(kind: i64, unpacked: i64, packed: i64, part: u8, values: i64, encoding: i64) -> Vec<u8> {
    let field = |head: u8, number: i64| [vec![head], thrift(number)].concat();
    let levels = [field(0x15, 3), field(0x15, 3)].concat();
    let part = [vec![part], field(0x15, values), field(0x15, encoding), levels, vec![0]].concat();
    [field(0x15, kind), field(0x15, unpacked), field(0x15, packed), part, vec![0]].concat()
}

const DATA: u8 = 0x2c;
const DICTIONARY: u8 = 0x4c;

#[test]
fn claims_are_checked_before_they_cost_memory() {
    let desk = Desk::new();
    let body = 7i64.to_le_bytes();
    // The forgery itself is sound: one row, id 7, and the same bits as a rank.
    assert_eq!(read(&desk, &forged(&header(0, 8, 8, DATA, 1, 0), &body, 1)), Ok(1));
    let refused = |file: Vec<u8>, says: &str| {
        let told = read(&desk, &file).unwrap_err();
        assert!(told.contains(says), "{says}: {told}");
    };
    let huge = i64::from(i32::MAX);
    refused(forged(&header(0, huge, 8, DATA, 1, 0), &body, 1), "a page claims");
    refused(forged(&header(0, -1, 8, DATA, 1, 0), &body, 1), "a page claims");
    refused(forged(&header(0, 8, huge, DATA, 1, 0), &body, 1), "a page claims");
    refused(forged(&header(0, 8, 9, DATA, 1, 0), &body, 1), "longer than its column");
    refused(forged(&header(0, 8, 8, DATA, huge, 0), &body, 1), "more values than the group");
    refused(forged(&header(2, 8, 8, DICTIONARY, huge, 0), &body, 1), "a dictionary claims");
    refused(forged(&header(2, 8, 8, DICTIONARY, -1, 0), &body, 1), "a dictionary claims");
    refused(forged(&header(0, 8, 8, DATA, 1, 8), &body, 1), "a dictionary that is not there");
    refused(forged(&header(0, 8, 8, DICTIONARY, 1, 0), &body, 1), "contradicts itself");
    refused(forged(&header(0, 8, 8, DATA, 1, 0), &body, huge), "more rows than there can be");
    refused(forged(&header(0, 8, 8, DATA, 1, 0), &body, -1), "fewer than no rows");
    refused(forged(&header(0, 8, 8, DATA, 1, 0), &body, 5), "has 1 values in a group of 5");
    refused(forged(&[], &[0xff; 300], 1), "no header");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn many_wrong_bytes_are_survived(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..20),
        second in any::<bool>(),
    ) {
        let desk = Desk::new();
        let version = if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
        let mut bytes = sound(&desk, version, Compression::UNCOMPRESSED);
        // The ends stay, so that it comes to the decoders at all.
        let inner = 4..bytes.len() - 8;
        for (at, with) in changes {
            let at = inner.start + at.index(inner.len());
            bytes[at] = with;
        }
        let _ = read(&desk, &bytes);
    }
}
