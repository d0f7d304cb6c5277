//! The map as a PDF: a head, contents with sheet numbers, and the tree as an indented list with bars, charts and links.
//!
//! Why not a library that composes documents: those keep the whole document until it is finished, and a map has thousands of
//! sheets. Here a sheet is drawn, compressed, written and forgotten. Two things make that possible: the layout follows from the
//! tree alone (`layout.rs`), so contents, bookmarks and "12 / 340" are known before the first title is read; and a PDF may refer
//! to objects that come later, so the fonts are cut down to what was used when all is drawn.
//!
//! Source: ISO 32000-1. Cost: linear in the pages shown; memory: the tree, one sheet, the characters used, and 48 bytes a sheet.
//! Each label is asked for once, and once more where it stands in the contents or in a running head.
//!
//! Not guaranteed: tagged structure for screen readers; joined Arabic letters (`script.rs`); that a reader has fonts for Chinese,
//! Japanese and Korean (`asian.rs`). The same map gives the same bytes.

mod asian;
mod body;
mod columns;
mod contents;
mod cover;
mod entry;
mod face;
mod ink;
mod layout;
mod metadata;
mod numbers;
mod outline;
#[cfg(test)]
mod read_back;
mod reading;
mod script;
mod setting;
mod sheet;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tool_tests;

use std::io::{self, Write};

use pdf_writer::{Name, Ref};

use self::body::Body;
use self::cover::Cover;
use self::entry::{Entry, called};
use self::layout::Layout;
use self::numbers::Numbers;
use self::outline::Outline;
use self::reading::Reading;
use self::setting::{Case, Font};
use self::sheet::Sheet;
use crate::{Labels, SiteMap, View};

/// Draws a map as PDF.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    let mut case = Case::open()?;
    let shown = View::select(map.tree, &map.sizes, map.depth, None);
    let cover = Cover::set(map, shown.shown_count(), &mut case);
    let layout = Layout::new(map, shown, cover.end);
    let numbers = Numbers::allocate(layout.sheets, layout.chosen.len() as u32);
    let outline = Outline::new(&layout.chosen, Ref::new(Numbers::OUTLINE), numbers.marks());
    let mut reading = Reading::new(map.tree, shown, shown.walk());
    let mut body = Body::begin(out)?;
    let mut marked = 0;

    for number in 0..layout.sheets {
        let mut sheet = Sheet::new();
        if number == 0 {
            cover.draw(map, &layout.columns, &mut case, &mut sheet);
        }
        draw_contents(map, labels, &layout, number, &mut case, &mut sheet)?;
        for row in layout.entries.rows_on(number) {
            let Some((place, depth)) = reading.next() else { break };
            let top = layout.entries.top_of(row);
            if row == layout.entries.rows_on(number).start {
                contents::captions(&mut sheet, &mut case, &layout.columns, top);
                if number > 0 {
                    let way = contents::way(map, labels, place, reading.first)?;
                    contents::head(&mut sheet, &mut case, &way);
                }
            }
            let label = labels.label(map.tree.node(place))?;
            let (pages, folded) = (map.pages(place), shown.hidden_pages(place));
            let entry = Entry { depth, follows: &reading.follows, pages, all: map.tree.len(), folded };
            entry::draw(&mut sheet, &mut case, &layout.columns, &entry, &label, top);
            if layout.chosen.get(marked).is_some_and(|chosen| chosen.entry == row) {
                outline.item(&mut body, marked, (&called(&label), pages), &layout, |sheet| numbers.sheet(sheet))?;
                marked += 1;
            }
        }
        contents::foot(&mut sheet, &mut case, &map.heading.root, number, layout.sheets);
        put(sheet, number, &numbers, &mut body)?;
    }

    outline.write(&mut body)?;
    numbers.write(&mut body, &case)?;
    for font in Font::ALL.into_iter().filter(|&font| case.is_used(font)) {
        let first = Numbers::font(font);
        match font {
            Font::Book => case.book.write(&mut body, first)?,
            Font::Bold => case.bold.write(&mut body, first)?,
            Font::Of(script) => script.write(&mut body, first)?,
        }
    }
    let (catalog, information, xmp) =
        (Ref::new(Numbers::CATALOG), Ref::new(Numbers::INFORMATION), Ref::new(Numbers::XMP));
    metadata::information(&map.heading, &mut body, information)?;
    metadata::xmp(&map.heading, &mut body, xmp)?;
    metadata::catalog(&mut body, catalog, numbers.root(), outline.root(), xmp)?;
    body.end(numbers.table(), catalog, information)
}

/// Draws the rows of the contents that stand on a sheet.
fn draw_contents(
    map: &SiteMap<'_>,
    labels: &mut dyn Labels,
    layout: &Layout,
    number: u32,
    case: &mut Case,
    sheet: &mut Sheet,
) -> io::Result<()> {
    let Some(flow) = layout.contents else { return Ok(()) };
    for row in flow.rows_on(number) {
        if row == 0 {
            contents::headline(sheet, case, layout, flow.top_of(0));
        } else if row == flow.rows_on(number).start {
            contents::head(sheet, case, &["Contents".to_owned()]);
        }
        let chosen = layout.chosen[row as usize];
        let label = labels.label(map.tree.node(chosen.place))?;
        contents::row(sheet, case, layout, chosen, map.pages(chosen.place), &label, flow.top_of(row));
    }
    Ok(())
}

/// Writes a sheet: its drawing, and its page object with the links.
fn put(sheet: Sheet, number: u32, numbers: &Numbers, body: &mut Body<'_>) -> io::Result<()> {
    let (drawing, links) = sheet.finish();
    body.stream(numbers.drawing(number), drawing.as_slice(), |_| {})?;
    body.compressed(numbers.holder(number), numbers.sheet(number), |chunk| {
        let mut page = chunk.page(numbers.sheet(number));
        page.parent(numbers.above(number)).contents(numbers.drawing(number));
        if !links.is_empty() {
            links.write(page.insert(Name(b"Annots")).array(), |sheet| numbers.sheet(sheet));
        }
    })
}
