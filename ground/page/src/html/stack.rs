//! The open elements: where in the page we are, and what a start or end tag closes.
//!
//! This is the part of the HTML standard's tree construction that decides which text belongs to which block: implied
//! ends of list items, cells and headings, scopes, foreign content. There is no tree; formatting elements never stand here.
//!
//! Cost: constant per tag. Each open element remembers the one of the same name below it, so that what an end tag closes is
//! found without a search; elements are popped once. At most `limits.html_depth` are open; deeper ones are not entered,
//! only counted, so that their end tags close nothing else.

use groma_model::BlockKind;

use super::tag::Tag;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// What text here is, outside of navigation.
    kind: BlockKind,
    nav: bool,
    /// Inside an article, main or section: a header there is not the site's.
    sectioned: bool,
    /// White space is kept, as in `pre`.
    pub(crate) pre: bool,
    /// Directly inside SVG or MathML.
    pub(crate) foreign: bool,
    /// Nobody sees text here (style or script of an SVG).
    pub(crate) hidden: bool,
    /// Text here stands for an image (title of an SVG).
    pub(crate) alt: bool,
    /// Height of the innermost element that bounds scopes.
    pub(crate) scope: u16,
    /// Height of the innermost special element.
    special: u16,
}

impl Place {
    /// What a block that begins here is.
    pub(crate) fn block(self) -> BlockKind {
        if self.nav { BlockKind::Navigation } else { self.kind }
    }
}

#[derive(Clone, Copy, Debug)]
struct Open {
    tag: Tag,
    /// Height of the open element of the same name below, 0 for none.
    below: u16,
    /// Where we were outside of it.
    outside: Place,
}

/// The stack of open elements. Heights count from 1.
#[derive(Debug)]
pub(crate) struct Stack {
    open: Vec<Open>,
    top: [u16; Tag::COUNT],
    place: Place,
    most: usize,
    beyond: [u32; Tag::COUNT],
    /// An element was not entered because too many were open.
    pub(crate) overflowed: bool,
    overflowing: bool,
}

impl Stack {
    pub(crate) fn new(most: u64) -> Stack {
        let place = Place {
            kind: BlockKind::Paragraph,
            nav: false,
            sectioned: false,
            pre: false,
            foreign: false,
            hidden: false,
            alt: false,
            scope: 0,
            special: 0,
        };
        let most = most.min(u64::from(u16::MAX)) as usize;
        let (top, beyond) = ([0; Tag::COUNT], [0; Tag::COUNT]);
        Stack { open: Vec::new(), top, place, most, beyond, overflowed: false, overflowing: false }
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// The innermost open element of those that were entered.
    pub(crate) fn parent(&self) -> Option<Tag> {
        self.open.last().map(|open| open.tag)
    }

    /// Is an element of this name open?
    pub(crate) fn has(&self, tag: Tag) -> bool {
        self.top[tag as usize] > 0 || self.beyond[tag as usize] > 0
    }

    /// An element begins; whatever its start implies has been closed.
    pub(crate) fn enter(&mut self, tag: Tag, role: &str) {
        if self.open.len() >= self.most {
            self.overflowed = true;
            self.overflowing = true;
            self.beyond[tag as usize] += 1;
            return;
        }
        let outside = self.place;
        self.open.push(Open { tag, below: self.top[tag as usize], outside });
        let height = self.open.len() as u16;
        self.top[tag as usize] = height;
        let place = &mut self.place;
        if tag.is_scope() {
            place.scope = height;
        }
        if tag.is_special() {
            place.special = height;
        }
        match tag {
            Tag::Li | Tag::Dt | Tag::Dd => place.kind = BlockKind::ListItem,
            Tag::Td | Tag::Th => place.kind = BlockKind::TableCell,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => {
                (place.kind, place.pre) = (BlockKind::Preformatted, true)
            }
            Tag::H1 => place.kind = BlockKind::Heading1,
            Tag::H2 => place.kind = BlockKind::Heading2,
            Tag::H3 => place.kind = BlockKind::Heading3,
            Tag::H4 => place.kind = BlockKind::Heading4,
            Tag::H5 => place.kind = BlockKind::Heading5,
            Tag::H6 => place.kind = BlockKind::Heading6,
            Tag::Article | Tag::Main | Tag::Section => place.sectioned = true,
            Tag::Nav | Tag::Aside | Tag::Menu => place.nav = true,
            Tag::Header | Tag::Footer => place.nav |= !place.sectioned,
            Tag::Svg | Tag::Math => place.foreign = true,
            Tag::ForeignObject => place.foreign = false,
            // Only those of an SVG come here.
            Tag::Title => (place.foreign, place.alt) = (false, true),
            Tag::Desc | Tag::Style | Tag::Script => (place.foreign, place.hidden) = (tag != Tag::Desc, true),
            _ => {}
        }
        const ROLES: [&str; 5] = ["navigation", "banner", "contentinfo", "menu", "menubar"];
        place.nav |= !role.is_empty() && ROLES.iter().any(|name| name.eq_ignore_ascii_case(role.trim_ascii()));
    }

    /// Closes what the start of this element implies the end of. True if anything was.
    pub(crate) fn imply(&mut self, tag: Tag) -> bool {
        let innermost = self.innermost();
        let height = match tag {
            Tag::Li if innermost == Some(Tag::Li) => self.place.special,
            Tag::Dt | Tag::Dd if matches!(innermost, Some(Tag::Dt | Tag::Dd)) => self.place.special,
            tag if tag.is_heading() && self.open.last().is_some_and(|open| open.tag.is_heading()) => self.height(),
            Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption => self.cell(),
            // A table directly inside a table (not in one of its cells) ends it.
            Tag::Table if self.top[Tag::Table as usize] > self.cell() => self.top[Tag::Table as usize],
            _ => 0,
        };
        self.close(height)
    }

    /// An element ends. True if it was open.
    pub(crate) fn leave(&mut self, tag: Tag) -> bool {
        if self.beyond[tag as usize] > 0 {
            self.beyond[tag as usize] -= 1;
            return true;
        }
        let top = |tag: Tag| self.top[tag as usize];
        let (height, bound) = match tag {
            Tag::Li => (top(tag), self.place.scope.max(top(Tag::Ul)).max(top(Tag::Ol))),
            Tag::Td | Tag::Th | Tag::Caption => (top(tag), top(Tag::Table)),
            Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot => (self.cell(), 0),
            tag if tag.is_scope() => (top(tag), 0),
            tag if tag.is_heading() => {
                let levels = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
                (levels.into_iter().map(top).max().unwrap_or(0), self.place.scope)
            }
            _ => (top(tag), self.place.scope),
        };
        height > bound && self.close(height)
    }

    pub(crate) fn leave_foreign(&mut self) {
        while self.place.foreign && self.close(self.height()) {}
    }

    fn height(&self) -> u16 {
        self.open.len() as u16
    }

    fn innermost(&self) -> Option<Tag> {
        let index = usize::from(self.place.special).checked_sub(1)?;
        Some(self.open[index].tag)
    }

    /// Height of the cell or caption we are in, 0 if we are in none of the innermost table's.
    fn cell(&self) -> u16 {
        let cell = [Tag::Td, Tag::Th, Tag::Caption].into_iter().map(|tag| self.top[tag as usize]).max().unwrap_or(0);
        if cell > self.top[Tag::Table as usize] { cell } else { 0 }
    }

    /// Closes all elements from a height up.
    fn close(&mut self, height: u16) -> bool {
        let some = height > 0 && self.open.len() >= usize::from(height);
        if some {
            for open in self.open.drain(usize::from(height) - 1..).rev() {
                self.top[open.tag as usize] = open.below;
                self.place = open.outside;
            }
            if self.overflowing {
                self.beyond = [0; Tag::COUNT];
                self.overflowing = false;
            }
        }
        some
    }
}
