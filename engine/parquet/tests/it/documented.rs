//! The schema that users read about is the one that is written.

use std::fs::File;

use groma_parquet::Options;
use parquet::basic::{LogicalType, Repetition, Type};
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::made::{Desk, files, written};

#[test]
fn every_column_is_documented_with_its_type() {
    let desk = Desk::new();
    let mut store = desk.survey(20, 2);
    written(&mut store, &desk.aim("out"), &Options { texts: true, ..Options::default() }).unwrap();
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/parquet.md")).unwrap();
    for table in ["pages", "links", "texts"] {
        let section = guide.split("\n### ").find(|part| part.starts_with(&format!("`{table}`"))).expect(table);
        let file = files(&desk.join(&format!("out/{table}"))).remove(0);
        let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
        let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
        let mut rows = section.lines().filter(|line| line.starts_with("| `"));
        for column in &columns {
            let kind = match (column.physical_type(), column.logical_type_ref()) {
                (Type::INT64, Some(LogicalType::Timestamp { .. })) => "timestamp",
                (Type::INT64, _) => "int64",
                (Type::INT32, _) => "int32",
                (Type::BOOLEAN, _) => "boolean",
                (Type::DOUBLE, _) => "double",
                (Type::BYTE_ARRAY, Some(LogicalType::String)) => "string",
                other => panic!("{other:?}"),
            };
            let optional = column.self_type().get_basic_info().repetition() == Repetition::OPTIONAL;
            let begins = format!("| `{}` | {kind}{} | ", column.name(), if optional { ", null" } else { "" });
            let row = rows.next().unwrap_or_default();
            assert!(row.starts_with(&begins), "{table}: {begins} is not {row}");
        }
        assert_eq!(rows.next(), None, "{table}");
    }
}
