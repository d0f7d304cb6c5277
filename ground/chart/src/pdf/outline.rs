//! The bookmarks: the places of the contents as a tree that readers show beside the pages.

use std::io;

use groma_model::wording;
use pdf_writer::{Ref, TextStr};

use super::body::Body;
use super::layout::{Chosen, Layout};
use super::metadata::plain;

/// The neighbors of a bookmark, by their position in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Kin {
    parent: Option<usize>,
    before: Option<usize>,
    after: Option<usize>,
    first: Option<usize>,
    last: Option<usize>,
    /// Count of bookmarks below it.
    below: i32,
}

/// The bookmarks of a file.
pub(super) struct Outline {
    kin: Vec<Kin>,
    root: Ref,
    first: Ref,
}

impl Outline {
    /// Bookmarks for places in reading order; the list has number `root`, its items `first` and the next ones.
    pub(super) fn new(chosen: &[Chosen], root: Ref, first: Ref) -> Outline {
        let mut kin = vec![Kin::default(); chosen.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut last_top = None;
        for (at, place) in chosen.iter().enumerate() {
            open.truncate(place.depth as usize);
            let parent = open.last().copied();
            let before = match parent {
                Some(parent) => kin[parent].last.replace(at),
                None => last_top.replace(at),
            };
            match (before, parent) {
                (Some(before), _) => kin[before].after = Some(at),
                (None, Some(parent)) => kin[parent].first = Some(at),
                (None, None) => {}
            }
            for &above in &open {
                kin[above].below += 1;
            }
            kin[at] = Kin { parent, before, ..Kin::default() };
            open.push(at);
        }
        Outline { kin, root, first }
    }

    fn id(&self, at: usize) -> Ref {
        Ref::new(self.first.get() + at as i32)
    }

    /// The number of the list, if there is anything in it.
    pub(super) fn root(&self) -> Option<Ref> {
        (!self.kin.is_empty()).then_some(self.root)
    }

    /// Writes one bookmark.
    pub(super) fn item(
        &self,
        body: &mut Body<'_>,
        at: usize,
        (name, pages): (&str, u32),
        layout: &Layout,
        sheet: impl Fn(u32) -> Ref,
    ) -> io::Result<()> {
        let (kin, entry) = (self.kin[at], layout.chosen[at].entry);
        let mut title = plain(name);
        if pages > 1 {
            title.push_str(&format!(" ({})", wording::grouped(u64::from(pages))));
        }
        body.object(self.id(at), |chunk| {
            let mut item = chunk.outline_item(self.id(at));
            item.title(TextStr(&title)).parent(kin.parent.map_or(self.root, |parent| self.id(parent)));
            if let Some(before) = kin.before {
                item.prev(self.id(before));
            }
            if let Some(after) = kin.after {
                item.next(self.id(after));
            }
            if let (Some(first), Some(last)) = (kin.first, kin.last) {
                // The root is open, all others closed: then their number is told below zero.
                item.first(self.id(first)).last(self.id(last)).count(if at == 0 {
                    self.open_count()
                } else {
                    -kin.below
                });
            }
            let top = layout.entries.top_of(entry) + 4.0;
            item.dest().page(sheet(layout.entries.sheet_of(entry))).xyz(0.0, top, None);
        })
    }

    /// Bookmarks that are seen below the root: its children, which are closed.
    fn open_count(&self) -> i32 {
        self.kin.iter().filter(|kin| kin.parent == Some(0)).count() as i32
    }

    /// Writes the list itself.
    pub(super) fn write(&self, body: &mut Body<'_>) -> io::Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        body.object(root, |chunk| {
            chunk.outline(root).first(self.id(0)).last(self.id(0)).count(1 + self.open_count());
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_know_their_kin() {
        let depths = [0, 1, 2, 2, 1, 2, 3];
        let chosen: Vec<Chosen> =
            (0u32..).zip(depths).map(|(place, depth)| Chosen { place, depth, entry: place }).collect();
        let outline = Outline::new(&chosen, Ref::new(4), Ref::new(100));
        let kin = &outline.kin;
        assert_eq!((kin[0].first, kin[0].last, kin[0].below), (Some(1), Some(4), 6));
        assert_eq!((kin[1].parent, kin[1].after, kin[1].first, kin[1].last), (Some(0), Some(4), Some(2), Some(3)));
        assert_eq!((kin[3].before, kin[3].after, kin[3].below), (Some(2), None, 0));
        assert_eq!((kin[5].parent, kin[5].before, kin[5].below), (Some(4), None, 1));
        assert_eq!(outline.open_count(), 2);
    }
}
