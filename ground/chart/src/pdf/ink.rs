//! Which colors does the map use? Few: ink, two greys, one for links, one for bars, one for what is broken, and one a sort.

use crate::Sort;

/// Red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(pub(super) u8, pub(super) u8, pub(super) u8);

impl Ink {
    pub(super) const BLACK: Ink = Ink(0x1c, 0x20, 0x26);
    pub(super) const GREY: Ink = Ink(0x6c, 0x74, 0x7e);
    pub(super) const PALE: Ink = Ink(0xb9, 0xc0, 0xc8);
    pub(super) const TRACK: Ink = Ink(0xec, 0xee, 0xf1);
    pub(super) const LINK: Ink = Ink(0x2a, 0x5d, 0x84);
    pub(super) const BAR: Ink = Ink(0x5b, 0x7f, 0xa3);
    pub(super) const RANK: Ink = Ink(0xb0, 0x8a, 0x3e);
    pub(super) const BROKEN: Ink = Ink(0xb3, 0x32, 0x2c);

    /// The parts as the operators of a page want them.
    pub(super) fn parts(self) -> [f32; 3] {
        [self.0, self.1, self.2].map(|part| (f32::from(part) / 255.0 * 1000.0).round() / 1000.0)
    }

    /// The color of a sort of content in the chart of parts.
    pub(super) fn for_sort(sort: Sort) -> Ink {
        match sort {
            Sort::Page => Ink(0x4e, 0x79, 0xa7),
            Sort::Image => Ink(0xf2, 0x8e, 0x2b),
            Sort::Media => Ink(0xd3, 0x4e, 0x5a),
            Sort::Document => Ink(0x59, 0xa1, 0x4f),
            Sort::Archive => Ink(0x9c, 0x75, 0x5f),
            Sort::Code => Ink(0xa0, 0x7c, 0xb5),
            Sort::Other => Ink(0xa9, 0xaf, 0xb6),
        }
    }
}
