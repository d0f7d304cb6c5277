//! The table `links`: every link of every page, in the order of the page. Numbers, not URLs: those stand in `pages`, once.

use groma_model::{BlockKind, PageId, Rel};
use groma_store::codec::{LentLink, Mark};

use crate::error::TableError;
use crate::tables::batch::RowWriter;
use crate::tables::schema::{Column, Kind, Table, always, maybe};

const COLUMNS: [Column; 10] = [
    always("source", Kind::Number),
    always("target", Kind::Number),
    always("position", Kind::Number),
    always("kind", Kind::Word),
    always("navigation", Kind::Flag),
    always("nofollow", Kind::Flag),
    maybe("rel", Kind::Text),
    maybe("block", Kind::Word),
    maybe("anchor", Kind::Text),
    maybe("fragment", Kind::Text),
];

pub(crate) static LINKS: Table = Table { name: "links", columns: &COLUMNS };

/// Fills a row; `details` are not known of links that came without their pages (an imported graph).
pub(crate) fn fill(
    row: &mut RowWriter<'_>,
    source: PageId,
    target: u32,
    position: usize,
    mark: Mark,
    details: Option<LentLink<'_>>,
    rel: &mut String,
) -> Result<(), TableError> {
    rel.clear();
    for word in details.map_or(Rel::default(), |link| link.rel).words() {
        if !rel.is_empty() {
            rel.push(' ');
        }
        rel.push_str(word);
    }
    row.number(i64::from(source.0))
        .number(i64::from(target))
        .number(position as i64)
        .word(mark.kind().name())
        .flag(mark.is_navigation())
        .flag(mark.is_nofollow())
        .known(rel)
        .word(details.map(|link| BlockKind::name(link.block)))
        .text(details.map(|link| link.text))
        .known(details.map_or("", |link| link.fragment))
        .end()
}
