//! A page being written, and the truth about it being taken down at the same time.
//!
//! Templates write markup with [`Sheet::put`] and whatever has a meaning with a method that says which. So the truth cannot
//! say what the page does not: it is a record of what was written, in the order it was written.

use std::fmt::Write as _;

use groma_model::PartKind;
use groma_model::escape::Html;
use groma_testweb::prose::{hash, mix};

use crate::view::{Anchor, Person};

/// A link of a page and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The path it leads to, with its query.
    pub target: String,
    /// What it is for.
    pub label: PartKind,
}

/// The texts of a page's content blocks, as they stand on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The title of the work.
    pub title: Option<String>,
    /// Its authors, in order.
    pub authors: Vec<String>,
    /// Their affiliations, each once.
    pub affiliation: Vec<String>,
    /// Its abstract; paragraphs are joined by a space.
    pub summary: Option<String>,
    /// Its keywords, in order.
    pub keywords: Vec<String>,
}

/// A page being written.
#[derive(Debug)]
pub(crate) struct Sheet {
    seed: u64,
    pub(crate) html: String,
    pub(crate) links: Vec<Link>,
    pub(crate) blocks: Blocks,
}

impl Sheet {
    /// An empty sheet; the number is for class names that are hashes.
    pub(crate) fn new(seed: u64) -> Sheet {
        Sheet { seed, html: String::with_capacity(16 * 1024), links: Vec::new(), blocks: Blocks::default() }
    }

    /// Markup, as it stands.
    pub(crate) fn put(&mut self, markup: &str) -> &mut Sheet {
        self.html.push_str(markup);
        self
    }

    /// Adds text, escaped.
    pub(crate) fn say(&mut self, text: &str) -> &mut Sheet {
        let _ = write!(self.html, "{}", Html(text));
        self
    }

    /// A class name as a bundler makes them: the same for a name on one site, another on the next.
    pub(crate) fn hashed(&self, name: &str) -> String {
        let number = mix(self.seed, hash(name));
        let mut out = String::from("x");
        for n in 0..6 {
            let digit = (number >> (n * 5) & 31) as u32;
            out.push(char::from_digit(digit, 36).unwrap_or('x'));
        }
        out
    }

    /// `<tag class="hash">`, the class being a hash of a name.
    pub(crate) fn open(&mut self, tag: &str, name: &str) -> &mut Sheet {
        let class = self.hashed(name);
        self.put("<").put(tag).put(" class=\"").put(&class).put("\">")
    }

    /// A link with a label for the truth.
    pub(crate) fn a(&mut self, label: PartKind, to: &Anchor) -> &mut Sheet {
        self.a_with(label, "", &to.href, &to.text)
    }

    /// A link with attributes and a text of its own.
    pub(crate) fn a_with(&mut self, label: PartKind, attributes: &str, href: &str, text: &str) -> &mut Sheet {
        self.a_open(label, attributes, href).say(text).put("</a>")
    }

    /// The beginning of a link around more than text.
    pub(crate) fn a_open(&mut self, label: PartKind, attributes: &str, href: &str) -> &mut Sheet {
        self.links.push(Link { target: href.split('#').next().unwrap_or_default().to_owned(), label });
        self.put("<a");
        if !attributes.is_empty() {
            self.put(" ").put(attributes);
        }
        self.put(" href=\"").say(href).put("\">")
    }

    /// Things with something between them.
    pub(crate) fn each<T>(
        &mut self,
        things: &[T],
        between: &str,
        mut write: impl for<'a> FnMut(&'a mut Sheet, &T) -> &'a mut Sheet,
    ) -> &mut Sheet {
        for (n, thing) in things.iter().enumerate() {
            if n > 0 {
                self.put(between);
            }
            write(self, thing);
        }
        self
    }

    /// Links with something between them.
    pub(crate) fn row(&mut self, label: PartKind, anchors: &[Anchor], between: &str) -> &mut Sheet {
        self.each(anchors, between, |s, to| s.a(label, to))
    }

    /// Links in a list: `<li>` each.
    pub(crate) fn items(&mut self, label: PartKind, anchors: &[Anchor]) -> &mut Sheet {
        for to in anchors {
            self.put("<li>").a(label, to).put("</li>");
        }
        self
    }

    /// The title of the work the page is about.
    pub(crate) fn title(&mut self, text: &str) -> &mut Sheet {
        self.blocks.title = Some(text.to_owned());
        self.say(text)
    }

    /// An author; a link if there is a page about them.
    pub(crate) fn author(&mut self, person: &Person) -> &mut Sheet {
        self.author_as(person, &person.name)
    }

    /// An author in another spelling than the usual one.
    pub(crate) fn author_as(&mut self, person: &Person, name: &str) -> &mut Sheet {
        remember(&mut self.blocks.authors, name);
        match &person.href {
            Some(href) => self.a_with(PartKind::Authors, "", href, name),
            None => self.say(name),
        }
    }

    pub(crate) fn affiliation(&mut self, text: &str) -> &mut Sheet {
        remember(&mut self.blocks.affiliation, text);
        self.say(text)
    }

    /// The abstract in one piece.
    pub(crate) fn summary(&mut self, text: &str) -> &mut Sheet {
        self.blocks.summary = Some(text.to_owned());
        self.say(text)
    }

    /// The abstract in paragraphs of at most so many sentences.
    pub(crate) fn summary_in(&mut self, text: &str, most: usize, open: &str, close: &str) -> &mut Sheet {
        self.blocks.summary = Some(text.to_owned());
        for part in crate::work::sentences(text).chunks(most.max(1)) {
            self.put(open).say(&part.join(" ")).put(close).put("\n");
        }
        self
    }

    /// A keyword as plain text.
    pub(crate) fn keyword(&mut self, text: &str) -> &mut Sheet {
        remember(&mut self.blocks.keywords, text);
        self.say(text)
    }

    /// A keyword; a link if there is a result list for it.
    pub(crate) fn keyword_link(&mut self, attributes: &str, to: &Person) -> &mut Sheet {
        remember(&mut self.blocks.keywords, &to.name);
        match &to.href {
            Some(href) => self.a_with(PartKind::Keywords, attributes, href, &to.name),
            None => self.put("<span>").say(&to.name).put("</span>"),
        }
    }
}

fn remember(list: &mut Vec<String>, text: &str) {
    if !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}
