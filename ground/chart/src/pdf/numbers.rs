//! Which number does each object of the file have? Known before anything is written, because objects refer ahead.
//!
//! Sheets hang in a tree of nodes with at most [`KIDS`] below each: a reader finds one of thousands in a few steps.

use std::io;

use pdf_writer::{Finish, Name, Rect, Ref};

use super::asian::ASIAN_OBJECTS;
use super::body::Body;
use super::face::FACE_OBJECTS;
use super::setting::{Case, Font};
use super::sheet::PAPER;

/// The most nodes below a node.
const KIDS: u32 = 50;

/// The numbers of a file with so many sheets and bookmarks.
pub(super) struct Numbers {
    sheets: u32,
    /// How many nodes each level of the tree has, from the sheets up to the root.
    levels: Vec<u32>,
    marks: u32,
}

impl Numbers {
    pub(super) const CATALOG: i32 = 1;
    pub(super) const INFORMATION: i32 = 2;
    pub(super) const XMP: i32 = 3;
    pub(super) const OUTLINE: i32 = 4;
    const FONTS: i32 = 5;
    const SHEETS: i32 = Self::FONTS + 2 * FACE_OBJECTS + 3 * ASIAN_OBJECTS;

    pub(super) fn allocate(sheets: u32, marks: u32) -> Numbers {
        let mut levels = vec![sheets.div_ceil(KIDS).max(1)];
        while let Some(&below) = levels.last().filter(|&&below| below > 1) {
            levels.push(below.div_ceil(KIDS));
        }
        Numbers { sheets, levels, marks }
    }

    /// The first number of a font.
    pub(super) fn font(font: Font) -> Ref {
        let before = match font {
            Font::Book => 0,
            Font::Bold => FACE_OBJECTS,
            Font::Of(script) => 2 * FACE_OBJECTS + script as i32 * ASIAN_OBJECTS,
        };
        Ref::new(Self::FONTS + before)
    }

    /// The page object of a sheet.
    pub(super) fn sheet(&self, sheet: u32) -> Ref {
        Ref::new(Self::SHEETS + sheet as i32)
    }

    /// What is drawn on a sheet.
    pub(super) fn drawing(&self, sheet: u32) -> Ref {
        Ref::new(Self::SHEETS + (self.sheets + sheet) as i32)
    }

    /// The stream that holds the page object of a sheet.
    pub(super) fn holder(&self, sheet: u32) -> Ref {
        Ref::new(Self::SHEETS + (2 * self.sheets + sheet) as i32)
    }

    /// A node of the tree of sheets; level 0 stands right above the sheets.
    fn node(&self, level: usize, at: u32) -> Ref {
        let below: u32 = self.levels[..level].iter().sum();
        Ref::new(Self::SHEETS + (3 * self.sheets + below + at) as i32)
    }

    /// The node a sheet hangs on.
    pub(super) fn above(&self, sheet: u32) -> Ref {
        self.node(0, sheet / KIDS)
    }

    /// The root of the tree of sheets.
    pub(super) fn root(&self) -> Ref {
        self.node(self.levels.len() - 1, 0)
    }

    /// Number of the first bookmark; the others follow.
    pub(super) fn marks(&self) -> Ref {
        let nodes: u32 = self.levels.iter().sum();
        Ref::new(Self::SHEETS + (3 * self.sheets + nodes) as i32)
    }

    /// The table of places, the last object.
    pub(super) fn table(&self) -> Ref {
        Ref::new(self.marks().get() + self.marks as i32)
    }

    /// Writes the tree of sheets. All of them share the size of the paper and the fonts.
    pub(super) fn write(&self, body: &mut Body<'_>, case: &Case) -> io::Result<()> {
        let mut under = self.sheets;
        for (level, &nodes) in self.levels.iter().enumerate() {
            for at in 0..nodes {
                let kids = (at * KIDS)..((at + 1) * KIDS).min(under);
                let leaves = KIDS.saturating_pow(level as u32);
                let count = (kids.end * leaves).min(self.sheets) - (kids.start * leaves).min(self.sheets);
                let id = self.node(level, at);
                body.object(id, |chunk| {
                    let mut node = chunk.pages(id);
                    node.count(count as i32);
                    node.kids(kids.map(|kid| if level == 0 { self.sheet(kid) } else { self.node(level - 1, kid) }));
                    if level + 1 < self.levels.len() {
                        node.parent(self.node(level + 1, at / KIDS));
                        return;
                    }
                    node.media_box(Rect::new(0.0, 0.0, PAPER.0, PAPER.1));
                    let mut resources = node.resources();
                    let mut fonts = resources.fonts();
                    for font in Font::ALL.into_iter().filter(|&font| case.is_used(font)) {
                        fonts.pair(Name(font.name()), Numbers::font(font));
                    }
                    fonts.finish();
                })?;
            }
            under = nodes;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_number_is_given_twice() {
        for sheets in [1, 49, 50, 51, 2_500, 2_501, 6_000] {
            let numbers = Numbers::allocate(sheets, 7);
            let mut seen: HashSet<i32> = (1..Numbers::SHEETS).collect();
            let mut take = |id: Ref| assert!(seen.insert(id.get()), "{sheets}: {id:?}");
            for sheet in 0..sheets {
                [numbers.sheet(sheet), numbers.drawing(sheet), numbers.holder(sheet)].into_iter().for_each(&mut take);
            }
            for (level, &nodes) in numbers.levels.iter().enumerate() {
                (0..nodes).for_each(|at| take(numbers.node(level, at)));
            }
            (0..7).for_each(|mark| take(Ref::new(numbers.marks().get() + mark)));
            take(numbers.table());
            assert_eq!(seen.len() as i32, numbers.table().get(), "and none is left out");
        }
    }
}
