//! The table `texts`: what pages say, their blocks one a line. Apart from `pages`, so that whoever asks for facts reads no texts.

use groma_model::PageId;

use crate::error::TableError;
use crate::tables::batch::RowWriter;
use crate::tables::schema::{Column, Kind, Table, always, maybe};

const COLUMNS: [Column; 5] = [
    always("id", Kind::Number),
    always("url", Kind::Own),
    maybe("language", Kind::Text),
    maybe("title", Kind::Text),
    always("text", Kind::Own),
];

pub(crate) static TEXTS: Table = Table { name: "texts", columns: &COLUMNS };

pub(crate) fn fill(
    row: &mut RowWriter<'_>,
    id: PageId,
    url: &str,
    facts: Option<&groma_store::SheetFacts<'_>>,
    text: &str,
) -> Result<(), TableError> {
    row.number(i64::from(id.0))
        .text(url)
        .known(facts.map_or("", |facts| facts.language))
        .known(facts.map_or("", |facts| facts.title))
        .text(text)
        .end()
}
