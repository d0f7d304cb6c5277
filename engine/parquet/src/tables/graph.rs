//! A link graph alone, for engines that compute on it: the tables `pages` and `links` with the few columns that they need, of those
//! pages and links that count. Whoever gives them says which do; names of pages that are other names of them are followed already.
//!
//! Places, parts, sizes and marks are those of an export (see `export.rs`), so whatever reads one finds its way in the other.
//! Cost: linear; memory as there. Not guaranteed: that links lie beside the pages they begin on; they are dealt by number.

use crate::MOST_PARTS;
use crate::error::TableError;
use crate::place::Place;
use crate::tables::batch::RowWriter;
use crate::tables::export::Exported;
use crate::tables::host::Sites;
use crate::tables::manifest::Manifest;
use crate::tables::schema::{Column, Kind, Table, always, maybe};
use crate::tables::table::{Sizes, TableWriter};

static PAGES: Table = Table { name: "pages", columns: &PAGE_COLUMNS };
static LINKS: Table = Table { name: "links", columns: &LINK_COLUMNS };

const PAGE_COLUMNS: [Column; 6] = [
    always("id", Kind::Number),
    always("url", Kind::Own),
    maybe("host", Kind::Text),
    always("state", Kind::Word),
    always("reason", Kind::Word),
    maybe("alias_of", Kind::Number),
];

const LINK_COLUMNS: [Column; 3] =
    [always("source", Kind::Number), always("target", Kind::Number), always("navigation", Kind::Flag)];

/// A node, as a row of the table `pages`.
#[derive(Clone, Copy, Debug)]
pub struct GraphPage<'a> {
    /// Number that links refer to.
    pub id: u32,
    pub url: &'a str,
    /// Whether its links count (`indexed`; else `registered`).
    pub is_source: bool,
    /// Whether it may stand on a map; else its reason is `out-of-scope`.
    pub is_member: bool,
}

/// The tables of a graph that is being written.
pub struct GraphTables<'a> {
    pages: TableWriter<'a>,
    links: TableWriter<'a>,
    sites: Sites,
    parts: u32,
}

impl GraphTables<'_> {
    pub fn page(&mut self, page: &GraphPage<'_>) -> Result<(), TableError> {
        let site = self.sites.for_url(page.url);
        let fill = |row: &mut RowWriter<'_>| {
            row.number(i64::from(page.id))
                .text(page.url)
                .known(&site.host)
                .word(if page.is_source { "fetched" } else { "skipped" })
                .word(if page.is_member { "known" } else { "out-of-scope" })
                .number(None)
                .end()
        };
        self.pages.row(site.part, fill)
    }

    pub fn link(&mut self, source: u32, target: u32, navigation: bool) -> Result<(), TableError> {
        self.links.row(source % self.parts, |row| {
            row.number(i64::from(source)).number(i64::from(target)).flag(navigation).end()
        })
    }
}

/// Writes a graph to a place: whatever `fill` puts into its tables. If that fails, nothing is left there.
pub fn write_graph(
    place: Place,
    parts: u32,
    fill: &mut dyn FnMut(&mut GraphTables<'_>) -> Result<(), TableError>,
) -> Result<Exported, TableError> {
    if !(1..=MOST_PARTS).contains(&parts) {
        return Err(TableError::Parts(parts));
    }
    let table = |table| TableWriter::begin(&place, table, parts, Sizes::default());
    let mut tables = GraphTables { pages: table(&PAGES), links: table(&LINKS), sites: Sites::new(parts), parts };
    fill(&mut tables)?;
    let written = vec![tables.pages.end()?, tables.links.end()?];
    let manifest = Manifest::new(parts, written);
    place.finish(&manifest)?;
    Ok(Exported { manifest })
}
