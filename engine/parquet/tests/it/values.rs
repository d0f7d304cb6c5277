//! Values that others computed, in the forms in which they write them.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use groma_model::PageId;
use groma_parquet::{TableError, read_ranks, read_values};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{DoubleType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::made::Desk;

/// Writes a file of ids and values, in groups of so many rows.
pub(crate) fn write(path: &Path, properties: WriterProperties, ids: &[i64], values: &[f64], group: usize) {
    let schema = "message m { required int64 id; optional double rank; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    for (ids, values) in ids.chunks(group).zip(values.chunks(group)) {
        let mut rows = writer.next_row_group().unwrap();
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(ids, None, None).unwrap();
        column.close().unwrap();
        // A value that is no number stands for none.
        let levels: Vec<i16> = values.iter().map(|value| i16::from(!value.is_nan())).collect();
        let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&there, Some(&levels), None).unwrap();
        column.close().unwrap();
        rows.close().unwrap();
    }
    writer.close().unwrap();
}

fn made(count: i64) -> (Vec<i64>, Vec<f64>) {
    let value = |n: i64| if n % 10 == 3 { f64::NAN } else { (n % 100) as f64 / 7.0 };
    (0..count).map(|n| (n * 3, value(n))).unzip()
}

#[test]
fn ranks_come_in_every_packing_and_page_form() {
    let desk = Desk::new();
    let (ids, values) = made(30_000);
    let wanted: Vec<(PageId, f64)> =
        ids.iter().zip(&values).filter(|(_, v)| !v.is_nan()).map(|(id, v)| (PageId(*id as u32), *v)).collect();
    let packings = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
    ];
    for (n, packing) in packings.into_iter().enumerate() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [true, false] {
                let path = desk.join(&format!("{n}.parquet"));
                let mut properties = WriterProperties::builder()
                    .set_compression(packing)
                    .set_writer_version(version)
                    .set_dictionary_enabled(dictionary)
                    .set_data_page_size_limit(5000)
                    .set_write_batch_size(100);
                if !dictionary {
                    properties = properties.set_column_encoding("id".into(), Encoding::DELTA_BINARY_PACKED);
                }
                write(&path, properties.build(), &ids, &values, 7001);
                let aim = groma_parquet::Aim::Path(path);
                let found: Result<Vec<_>, _> = read_ranks(&aim, 30_000).unwrap().collect();
                assert_eq!(found.unwrap(), wanted, "{packing:?} {version:?} {dictionary}");
            }
        }
    }
}

#[test]
fn whole_and_short_numbers_and_other_names_do_too() {
    let desk = Desk::new();
    let path = desk.join("levels.parquet");
    let schema = "message m { required int32 page (INTEGER(32,false)); required float level; optional int64 hop; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, Default::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&[1, -1], None, None).unwrap();
    column.close().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    column.typed::<FloatType>().write_batch(&[0.5, -2.0], None, None).unwrap();
    column.close().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[9], Some(&[0, 1]), None).unwrap();
    column.close().unwrap();
    rows.close().unwrap();
    writer.close().unwrap();

    let aim = groma_parquet::Aim::Path(path);
    let values = |value: &str| read_values(&aim, "page", value, 10).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(values("level"), [(PageId(1), 0.5), (PageId(u32::MAX), -2.0)]);
    assert_eq!(values("hop"), [(PageId(u32::MAX), 9.0)]);
    let says = |id: &str, value: &str| {
        let mut rows = read_values(&aim, id, value, 10).unwrap();
        rows.find_map(Result::err).map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(says("id", "level").contains("no column id"));
    assert!(says("level", "level").contains("no number of a page"));
    assert!(says("hop", "level").contains("no number of a page"));
    let mut few = read_values(&aim, "page", "level", 1).unwrap();
    assert!(few.next().unwrap().unwrap_err().to_string().contains("more rows than there can be"));
    assert!(few.next().is_none());
}

#[test]
fn a_folder_is_all_its_files_but_those_that_are_hidden() {
    let desk = Desk::new();
    let folder = desk.join("ranks");
    fs::create_dir_all(folder.join("part=1/_temporary")).unwrap();
    let one = |name: &str, id: i64| write(&folder.join(name), WriterProperties::new(), &[id], &[1.0], 10);
    one("part-00000.snappy.parquet", 1);
    one("part=1/x.parquet", 2);
    one("part=1/_temporary/x.parquet", 3);
    one(".hidden.parquet", 4);
    fs::write(folder.join("_SUCCESS"), "").unwrap();
    fs::write(folder.join("part-00000.crc"), "x").unwrap();
    let aim = desk.aim("ranks");
    let mut found: Vec<u32> = read_ranks(&aim, 10).unwrap().map(|row| row.unwrap().0.0).collect();
    found.sort_unstable();
    assert_eq!(found, [1, 2]);
    fs::create_dir(desk.join("nothing")).unwrap();
    assert!(matches!(read_ranks(&desk.aim("nothing"), 1).map(drop), Err(TableError::Nothing(_))));
    assert!(matches!(read_ranks(&desk.aim("missing"), 1).map(drop), Err(TableError::Io { .. })));
}

#[test]
fn what_is_no_rank_is_refused() {
    let desk = Desk::new();
    let path = desk.join("r.parquet");
    let aim = groma_parquet::Aim::Path(path.clone());
    for (id, value) in [(-1, 1.0), (1 << 32, 1.0), (1, -0.5), (1, f64::INFINITY)] {
        write(&path, WriterProperties::new(), &[1, id], &[1.0, value], 10);
        let mut rows = read_ranks(&aim, 2).unwrap();
        assert!(rows.next().unwrap().is_ok());
        assert!(matches!(rows.next(), Some(Err(TableError::File { .. }))), "{id} {value}");
        assert!(rows.next().is_none(), "after an error there is nothing more");
    }
}
