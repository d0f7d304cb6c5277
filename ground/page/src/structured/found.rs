//! What has been found of the structured data of a page, and how much more there may be.
//!
//! While a page is read, places are bytes of it; they become lines in one pass at the end, so a page without structured data counts none.

use groma_model::structured::DEEPEST;
use groma_model::{DataFault, DataItem, DataSyntax, Limits, StructuredData, Thing};

/// Faults kept of one page; those that say the same count once.
const FAULTS: usize = 50;
/// What a property costs besides the bytes of its name and value.
pub(crate) const PROPERTY: usize = 16;

/// Where something stands: a byte of the page, and lines after that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) byte: usize,
    pub(crate) lines: u32,
}

impl Spot {
    pub(crate) fn at(byte: usize) -> Spot {
        Spot { byte, lines: 0 }
    }
}

/// What may still be kept of one syntax.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    items: u64,
    bytes: u64,
    depth: usize,
    /// The limits that cut something, of items, bytes and depth.
    cut: [bool; 3],
}

/// The limits by key, in the order of [`Room::cut`].
const KEYS: [&str; 3] = ["structured_items", "structured_bytes", "structured_depth"];

impl Room {
    pub(crate) fn new(limits: &Limits) -> Room {
        let depth = usize::try_from(limits.structured_depth).unwrap_or(DEEPEST).min(DEEPEST);
        Room { items: limits.structured_items, bytes: limits.structured_bytes, depth, cut: [false; 3] }
    }

    /// Is there room for an item with so many around it?
    pub(crate) fn admits_item(&mut self, around: usize) -> bool {
        self.cut[2] |= around >= self.depth;
        self.cut[0] |= self.items == 0;
        let fits = around < self.depth && self.items > 0;
        self.items -= u64::from(fits);
        fits
    }

    /// Is there room for a property of so many bytes?
    pub(crate) fn admits_bytes(&mut self, bytes: usize) -> bool {
        let bytes = (bytes + PROPERTY) as u64;
        let fits = bytes <= self.bytes;
        self.cut[1] |= !fits;
        self.bytes -= if fits { bytes } else { 0 };
        fits
    }

    /// Bytes that a value may have at most.
    pub(crate) fn bytes(&self) -> usize {
        usize::try_from(self.bytes).unwrap_or(usize::MAX).saturating_sub(PROPERTY)
    }

    pub(crate) fn note_cut_bytes(&mut self) {
        self.cut[1] = true;
    }
}

/// The items and faults so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    items: Vec<(Spot, DataSyntax, Thing)>,
    faults: Vec<(Spot, DataSyntax, String)>,
    cut: [bool; 3],
}

impl Findings {
    pub(crate) fn add_item(&mut self, spot: Spot, syntax: DataSyntax, thing: Thing) {
        self.items.push((spot, syntax, thing));
    }

    pub(crate) fn add_fault(&mut self, spot: Spot, syntax: DataSyntax, what: impl Into<String>) {
        let what = what.into();
        if self.faults.len() < FAULTS && !self.faults.iter().any(|(_, of, said)| *of == syntax && *said == what) {
            self.faults.push((spot, syntax, what));
        }
    }

    /// Takes the faults of a syntax from elsewhere, in place of its own.
    pub(crate) fn replace_faults(&mut self, other: Findings, syntax: DataSyntax) {
        self.faults.retain(|(_, of, _)| *of != syntax);
        self.faults.extend(other.faults.into_iter().filter(|(_, of, _)| *of == syntax));
    }

    /// Remembers which limits were met.
    pub(crate) fn note(&mut self, room: &Room) {
        self.cut.iter_mut().zip(room.cut).for_each(|(cut, more)| *cut |= more);
    }

    /// Everything, with lines of the page; and the limits that cut something.
    pub(crate) fn finish(self, page: &str, cuts: &mut Vec<&'static str>) -> Option<Box<StructuredData>> {
        cuts.extend(KEYS.iter().zip(self.cut).filter(|(_, cut)| *cut).map(|(key, _)| *key));
        if self.items.is_empty() && self.faults.is_empty() {
            return None;
        }
        let bytes = self.items.iter().map(|(spot, ..)| spot.byte).chain(self.faults.iter().map(|(spot, ..)| spot.byte));
        let lines = Lines::new(page, bytes.collect());
        let mut items: Vec<DataItem> = self
            .items
            .into_iter()
            .map(|(spot, syntax, thing)| DataItem { syntax, line: lines.of_spot(spot), thing })
            .collect();
        let mut faults: Vec<DataFault> = self
            .faults
            .into_iter()
            .map(|(spot, syntax, what)| DataFault { syntax, line: lines.of_spot(spot), what })
            .collect();
        items.sort_by_key(|item| (item.syntax, item.line));
        faults.sort_by_key(|fault| (fault.line, fault.syntax));
        Some(Box::new(StructuredData { items, faults }))
    }
}

/// The lines of some bytes.
struct Lines(Vec<(usize, u32)>);

impl Lines {
    fn new(page: &str, mut bytes: Vec<usize>) -> Lines {
        bytes.sort_unstable();
        bytes.dedup();
        let (mut line, mut from) = (1, 0);
        let lines = bytes.into_iter().map(|byte| {
            let to = byte.min(page.len());
            line += memchr::memchr_iter(b'\n', &page.as_bytes()[from..to]).count() as u32;
            from = to;
            (byte, line)
        });
        Lines(lines.collect())
    }

    fn of_spot(&self, spot: Spot) -> u32 {
        let place = self.0.binary_search_by_key(&spot.byte, |(byte, _)| *byte);
        place.map_or(0, |place| self.0[place].1) + spot.lines
    }
}
