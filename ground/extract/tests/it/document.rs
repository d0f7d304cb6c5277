//! What docs/extract.md says is so: its columns are read from its page, its file of columns is one.

use groma_extract::{Cell, Columns, Page, Value, ValueLimits};
use groma_url::Url;

const DOCUMENT: &str = include_str!("../../../../docs/extract.md");

/// The text of the block whose fence says this.
fn block(fence: &str) -> &'static str {
    let start = DOCUMENT.find(&format!("```{fence}\n")).expect(fence) + fence.len() + 4;
    let end = DOCUMENT[start..].find("\n```").expect("the end of the block");
    &DOCUMENT[start..start + end]
}

fn json(cell: &Cell) -> serde_json::Value {
    let one = |value: &Value| match value {
        Value::Text(text) => text.as_str().into(),
        Value::Number(number) if number.fract() == 0.0 => (*number as i64).into(),
        Value::Number(number) => (*number).into(),
    };
    match cell {
        Cell::Empty => serde_json::Value::Null,
        Cell::One(value) => one(value),
        Cell::Many(values) => values.iter().map(one).collect(),
    }
}

#[test]
fn every_column_of_the_document_has_what_it_says() {
    let url = Url::parse("https://shop.example/p/1").expect("a URL");
    let page = Page::read(block("html"), Some(&url));
    let lines: Vec<&str> = block("columns").lines().collect();
    assert!(lines.len() >= 30, "{}", lines.len());
    for pair in lines.chunks(2) {
        let [line, expected] = pair else { panic!("{pair:?}") };
        let column = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let read = Columns::new(vec![column]).expect("a column").read(&page, ValueLimits::default());
        let expected: serde_json::Value = serde_json::from_str(expected.trim_start_matches("=> ")).expect(expected);
        assert_eq!(json(&read[0].cell), expected, "{line}");
    }
}
