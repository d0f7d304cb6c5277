//! Which tables hold data, and have no header cell?
//!
//! Rule: a table of at least three rows and two columns, without `th`, that is not called presentation and holds no table, heading, form
//! or image: those lay a page out. Cost: constant an element; memory is bounded by how deep tables are nested.
//! Not seen: tables made of other elements; tables whose cells merely look like a header.

use super::attributes::{Attr, Attributes};
use super::tag::Tag;

/// Tables nested deeper are not looked at.
const DEEPEST: usize = 100;

#[derive(Clone, Copy, Debug, Default)]
struct OpenTable {
    rows: u32,
    /// Cells of the row that is open, and of the longest.
    cells: u32,
    columns: u32,
    /// It has a header cell, or lays something out.
    fine: bool,
}

/// The tables that are open.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    open: Vec<OpenTable>,
    /// Those beyond the deepest.
    beyond: u32,
}

impl Tables {
    /// An element begins.
    pub(crate) fn begin(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if tag == Tag::Table {
            if let Some(outer) = self.open.last_mut() {
                outer.fine = true;
            }
            if self.open.len() < DEEPEST {
                let fine = matches!(attributes.text(Attr::Role), "presentation" | "none");
                self.open.push(OpenTable { fine, ..OpenTable::default() });
            } else {
                self.beyond += 1;
            }
            return;
        }
        let Some(table) = self.open.last_mut().filter(|_| self.beyond == 0) else { return };
        match tag {
            Tag::Tr => {
                table.rows += 1;
                table.cells = 0;
            }
            Tag::Td => {
                table.cells += 1;
                table.columns = table.columns.max(table.cells);
            }
            Tag::Th | Tag::Form => table.fine = true,
            _ => {}
        }
    }

    /// Something that stands in no table of data.
    pub(crate) fn lays_out(&mut self) {
        if let Some(table) = self.open.last_mut() {
            table.fine = true;
        }
    }

    /// A table ends; its size, if it has data and no header cell.
    pub(crate) fn end(&mut self) -> Option<String> {
        if self.beyond > 0 {
            self.beyond -= 1;
            return None;
        }
        let table = self.open.pop()?;
        (!table.fine && table.rows >= 3 && table.columns >= 2).then(|| format!("{} rows", table.rows))
    }
}
