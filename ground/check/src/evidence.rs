//! What do the checks look at? A survey, read from one end to the other, and a page of it again where a finding needs words.
//!
//! The numbers of URLs are dense (given out in order of discovery), so that a few bytes a URL in columns are all that
//! the checks keep. Nothing else is held: texts of links are read again for the pages that have findings.

use std::io;

use groma_model::page::{Form, Meta};
use groma_model::{Block, BlockKind, Depth, Fp, LinkKind, Markup, PageId, Reason, Rel, State, StructuredData};

/// What is known of a URL without its links.
#[derive(Clone, Copy, Debug)]
pub struct PageFacts<'a> {
    pub id: PageId,
    /// Its canonical form (or the raw text of one that does not parse).
    pub url: &'a str,
    /// Why it is in its state.
    pub reason: Reason,
    /// Clicks from the start page.
    pub depth: Depth,
    /// When it came into its state, in seconds since 1970.
    pub since: i64,
    /// The URL it is another name of: the next hop, not the last.
    pub alias_of: Option<PageId>,
    /// HTTP status; 0 if there was no answer or it was not fetched.
    pub status: u16,
    /// Media type; empty if not known.
    pub media_type: &'a str,
    /// Size in bytes.
    pub size: u64,
    /// How long the fetch took, in milliseconds.
    pub elapsed_ms: u32,
    pub title: &'a str,
    pub text: TextFacts<'a>,
    /// Its author asks not to show it in searches.
    pub noindex: bool,
    /// The page it names as its canonical form.
    pub canonical: Option<PageId>,
    /// The page it was found on first.
    pub via: Option<PageId>,
    /// It belongs to the survey, rather than to what the survey links to.
    pub in_scope: bool,
    /// A sitemap names it.
    pub from_sitemap: bool,
    /// What was cut, by limit keys; "broken" if the answer broke off.
    pub cuts: &'a str,
    /// What came of asking whether it is there, where it is no page of the survey.
    pub asked: Option<Asked<'a>>,
}

/// What is known of the visible text of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFacts<'a> {
    /// Its fingerprint.
    pub fp: Option<Fp>,
    /// Its similarity hash.
    pub near_fp: u64,
    /// How many words it has.
    pub words: u32,
    /// Its language; empty if not known.
    pub language: &'a str,
}

/// What came of asking whether something is there that is no page of the survey, redirects followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// [`Reason::Fetched`] if it is there; else why not, or why nobody knows.
    pub reason: Reason,
    /// Since when, in seconds since 1970.
    pub since: i64,
    /// The URL it has moved to for good; empty if it has not.
    pub moved_to: &'a str,
}

impl<'a> PageFacts<'a> {
    /// A URL of which nothing but its number, form and state is known.
    pub fn new(id: PageId, url: &'a str, reason: Reason) -> PageFacts<'a> {
        PageFacts {
            id,
            url,
            reason,
            depth: Depth::LOOSE,
            since: 0,
            alias_of: None,
            status: 0,
            media_type: "",
            size: 0,
            elapsed_ms: 0,
            title: "",
            text: TextFacts::default(),
            noindex: false,
            canonical: None,
            via: None,
            in_scope: true,
            from_sitemap: false,
            cuts: "",
            asked: None,
        }
    }

    /// Why it is in its state, with what came of asking for it.
    pub fn known_reason(&self) -> Reason {
        let asked = self.asked.map(|asked| asked.reason);
        asked.filter(|reason| reason.state() != State::Fetched).unwrap_or(self.reason)
    }
}

/// A link as it stands on a page.
#[derive(Clone, Copy, Debug)]
pub struct LinkFacts<'a> {
    /// Where it leads: the URL as linked, not yet followed through aliases.
    pub target: PageId,
    pub kind: LinkKind,
    /// Words of its `rel` attribute.
    pub rel: Rel,
    /// The block it stands in.
    pub block: BlockKind,
    pub text: &'a str,
    /// The fragment of its URL, without the number sign.
    pub fragment: &'a str,
}

/// What stands on an indexed page.
#[derive(Clone, Copy, Debug)]
pub struct PageLinks<'a> {
    /// The page they stand on.
    pub id: PageId,
    /// Its first heading of level one; empty if it has none.
    pub heading: &'a str,
    /// Its links in document order.
    pub links: &'a [LinkFacts<'a>],
    /// What fragments can point at.
    pub anchors: &'a [String],
    /// Its texts, block by block.
    pub blocks: &'a [Block],
    pub forms: &'a [Form],
    pub metas: &'a [Meta],
    /// What its markup and the header of its answer show; nothing if it was read by a version that did not keep it.
    pub markup: Option<&'a Markup>,
    /// JSON-LD, microdata and RDFa, where there is any.
    pub structured: Option<&'a StructuredData>,
}

/// How much of the site the survey has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completeness {
    /// The last crawl came to its end.
    pub finished: bool,
    /// Keys of the limits that were hit.
    pub limits: Vec<String>,
    /// Sitemaps were looked for and at least one was read.
    pub sitemap_read: bool,
}

/// A survey as the checks see it. Every method may have to read from a disk, and that may fail.
pub trait Evidence {
    /// Calls back with every URL, in order of their numbers.
    fn pages(&mut self, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()>;

    /// Calls back with every indexed page and its links, in order of their numbers.
    fn links(&mut self, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()>;

    /// The canonical form of a URL.
    fn url(&mut self, id: PageId) -> io::Result<String>;

    /// Calls back with one URL; not at all if it is not there.
    fn page(&mut self, id: PageId, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()>;

    /// Calls back with the links of one indexed page, the same as in [`Evidence::links`]; not at all if there are none.
    fn links_of(&mut self, id: PageId, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()>;

    /// How much of the site has been seen.
    fn completeness(&mut self) -> io::Result<Completeness>;

    /// Fingerprints of the texts that servers of this survey are known to give for pages that do not exist.
    fn error_texts(&mut self) -> io::Result<Vec<Fp>> {
        Ok(Vec::new())
    }
}
