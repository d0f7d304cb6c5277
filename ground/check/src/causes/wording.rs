//! Words for groups, the same wherever they are told. Made of our own words and numbers; what strangers wrote is left to whoever shows it.

use groma_model::BlockKind;
use groma_model::wording::{counted, grouped};

use super::KindCauses;
use super::cause::Cause;
use super::group::CauseGroup;
use super::standing::LinkPlace;

impl KindCauses {
    /// How much there is, in short: "1,197 targets on 3,804 pages".
    pub fn extent(&self) -> String {
        let pages = counted(self.pages, "page", "pages");
        if self.kind.is_of_link() {
            return format!("{} on {pages}", counted(self.causes, "target", "targets"));
        }
        pages
    }
}

impl CauseGroup {
    /// What it is about: the URL, the pattern of URLs or the words they have in common. Text of strangers.
    pub fn name(&self) -> &str {
        match &self.cause {
            Cause::Server(text) | Cause::Target(text) | Cause::Words(text) => text,
            Cause::Pages(family) => &family.pattern,
        }
    }

    /// What stands before or after the name, where it is not plain by itself.
    pub fn name_says(&self) -> &'static str {
        match &self.cause {
            Cause::Server(_) => "server",
            Cause::Target(_) if !self.kind.is_of_link() => "same as",
            Cause::Pages(family) if family.elsewhere => "elsewhere",
            _ => "",
        }
    }

    /// Whether the name is a URL that can be visited.
    pub fn is_named_by_url(&self) -> bool {
        match &self.cause {
            Cause::Target(_) => true,
            Cause::Pages(_) => self.size.findings == 1,
            Cause::Server(_) | Cause::Words(_) => false,
        }
    }

    /// Whether the name is words of a page, a title for example, and no URL.
    pub fn is_of_words(&self) -> bool {
        matches!(self.cause, Cause::Words(_))
    }

    /// How many of what: "3,804 pages".
    pub fn count(&self) -> String {
        counted(self.size.pages, "page", "pages")
    }

    /// How many links there are and where they stand, if that says more than the number of pages: "3 links in the navigation × 3,804
    /// pages", and what follows from that. `of_pages` is how many pages the site has. The text of the link is told apart.
    pub fn standing(&self, of_pages: u64) -> Option<String> {
        let size = self.size;
        if !self.kind.is_of_link() {
            return None;
        }
        let place = self.habit.as_ref().map(LinkPlace::says).filter(|place| !place.is_empty());
        let place = place.map_or_else(String::new, |place| format!(" {place}"));
        let targets =
            if size.targets > 1 { format!(" to {} URLs there", grouped(size.targets)) } else { String::new() };
        let each = size.links / size.pages.max(1);
        let alike = size.pages > 1 && each * size.pages == size.links;
        let mut says = if alike && (each > 1 || self.habit.is_some()) {
            format!(
                "{}{place}{targets} \u{d7} {}",
                counted(each, "link", "links"),
                counted(size.pages, "page", "pages")
            )
        } else if size.links > size.pages || size.targets > 1 || !place.is_empty() {
            let pages = counted(size.pages, "page", "pages");
            format!("{}{place}{targets} on {pages}", counted(size.links, "link", "links"))
        } else {
            return None;
        };
        if self.habit.is_some() {
            says.push_str(if size.pages * 2 > of_pages {
                ": it is in the template of the site"
            } else {
                ": most likely a template"
            });
        }
        Some(says)
    }
}

impl LinkPlace {
    /// Where it stands: "in the navigation". Empty if that is not known.
    pub fn says(&self) -> &'static str {
        match self.block {
            None => "",
            Some(BlockKind::Navigation) => "in the navigation",
            Some(BlockKind::Paragraph) => "in the text",
            Some(BlockKind::ListItem) => "in a list",
            Some(BlockKind::TableCell) => "in a table",
            Some(BlockKind::Preformatted) => "in preformatted text",
            Some(BlockKind::ImageAlt) => "on an image",
            Some(BlockKind::Title | BlockKind::Description | BlockKind::Keywords) => "in the head",
            Some(
                BlockKind::Heading1
                | BlockKind::Heading2
                | BlockKind::Heading3
                | BlockKind::Heading4
                | BlockKind::Heading5
                | BlockKind::Heading6,
            ) => "in a heading",
        }
    }
}
