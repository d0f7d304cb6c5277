//! A survey in memory, for tests: built by hand, read like one that was crawled.

use std::collections::HashMap;
use std::io;

use groma_model::{BlockKind, Depth, Fp, LinkKind, Markup, PageId, ParsedPage, Reason, Rel, State};

use crate::evidence::{Asked, Completeness, Evidence, LinkFacts, PageFacts, PageLinks, TextFacts};

/// A URL and what stands there, owned.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) url: String,
    pub(crate) reason: Reason,
    pub(crate) depth: Depth,
    pub(crate) since: i64,
    pub(crate) alias_of: Option<PageId>,
    pub(crate) status: u16,
    pub(crate) media_type: String,
    pub(crate) size: u64,
    pub(crate) elapsed_ms: u32,
    pub(crate) title: String,
    pub(crate) heading: String,
    pub(crate) text_fp: Option<Fp>,
    pub(crate) near_fp: u64,
    pub(crate) words: u32,
    pub(crate) language: String,
    pub(crate) noindex: bool,
    pub(crate) canonical: Option<PageId>,
    pub(crate) via: Option<PageId>,
    pub(crate) in_scope: bool,
    pub(crate) from_sitemap: bool,
    pub(crate) cuts: String,
    pub(crate) links: Vec<Linked>,
    pub(crate) anchors: Vec<String>,
    /// The page as it was read, where it was.
    pub(crate) read: Option<Box<ParsedPage>>,
}

/// A link that owns its texts.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub(crate) target: PageId,
    pub(crate) kind: LinkKind,
    pub(crate) rel: Rel,
    pub(crate) block: BlockKind,
    pub(crate) text: String,
    pub(crate) fragment: String,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub(crate) pages: Vec<Stored>,
    pub(crate) completeness: Completeness,
    pub(crate) error_texts: Vec<Fp>,
    /// What came of asking for URLs that are no pages, and where they have moved to.
    pub(crate) asked: HashMap<PageId, (Reason, &'static str)>,
}

impl Survey {
    pub(crate) fn add(&mut self, url: &str, reason: Reason) -> PageId {
        let id = PageId(self.pages.len() as u32);
        let fetched = reason.state() == State::Fetched;
        self.pages.push(Stored {
            url: url.to_owned(),
            reason,
            depth: Depth(1),
            since: i64::from(id.0),
            alias_of: None,
            status: if fetched { 200 } else { 0 },
            media_type: if fetched { "text/html" } else { "" }.to_owned(),
            size: 1000,
            elapsed_ms: 10,
            title: if fetched { format!("Title of {url}") } else { String::new() },
            heading: String::new(),
            text_fp: fetched.then(|| Fp::hash_bytes(url.as_bytes())),
            near_fp: Fp::hash_bytes(url.as_bytes()).0 as u64,
            words: 400,
            language: "en".to_owned(),
            noindex: false,
            canonical: None,
            via: None,
            in_scope: true,
            from_sitemap: false,
            cuts: String::new(),
            links: Vec::new(),
            anchors: Vec::new(),
            read: None,
        });
        id
    }

    /// Adds a page that was fetched, with a title and text of its own.
    pub(crate) fn indexed(&mut self, url: &str) -> PageId {
        self.add(url, Reason::Fetched)
    }

    /// What is stored of a URL.
    pub(crate) fn page(&mut self, id: PageId) -> &mut Stored {
        &mut self.pages[id.0 as usize]
    }

    /// Adds a link in a paragraph.
    pub(crate) fn link(&mut self, from: PageId, to: PageId, text: &str) -> &mut Linked {
        let (text, fragment) = (text.to_owned(), String::new());
        let (kind, rel, block) = (LinkKind::Anchor, Rel::default(), BlockKind::Paragraph);
        let link = Linked { target: to, kind, rel, block, text, fragment };
        let links = &mut self.page(from).links;
        links.push(link);
        links.last_mut().unwrap()
    }

    fn facts(&self, id: usize) -> PageFacts<'_> {
        let page = &self.pages[id];
        PageFacts {
            depth: page.depth,
            since: page.since,
            alias_of: page.alias_of,
            status: page.status,
            media_type: &page.media_type,
            size: page.size,
            elapsed_ms: page.elapsed_ms,
            title: &page.title,
            text: TextFacts { fp: page.text_fp, near_fp: page.near_fp, words: page.words, language: &page.language },
            noindex: page.noindex,
            canonical: page.canonical,
            via: page.via,
            in_scope: page.in_scope,
            from_sitemap: page.from_sitemap,
            cuts: &page.cuts,
            asked: self.asked.get(&PageId(id as u32)).map(|&(reason, moved_to)| Asked {
                reason,
                since: 86_400,
                moved_to,
            }),
            ..PageFacts::new(PageId(id as u32), &page.url, page.reason)
        }
    }

    fn linked(&self, id: usize, call: &mut dyn FnMut(&PageLinks<'_>)) {
        let Some(page) = self.pages.get(id).filter(|page| page.reason.state() == State::Fetched) else { return };
        let links: Vec<LinkFacts<'_>> = page
            .links
            .iter()
            .map(|link| LinkFacts {
                target: link.target,
                kind: link.kind,
                rel: link.rel,
                block: link.block,
                text: &link.text,
                fragment: &link.fragment,
            })
            .collect();
        let (read, markup) = (page.read.as_deref(), Markup::default());
        call(&PageLinks {
            id: PageId(id as u32),
            heading: &page.heading,
            links: &links,
            anchors: &page.anchors,
            blocks: read.map(|read| read.blocks.as_slice()).unwrap_or_default(),
            forms: read.map(|read| read.forms.as_slice()).unwrap_or_default(),
            metas: read.map(|read| read.metas.as_slice()).unwrap_or_default(),
            markup: Some(read.map_or(&markup, |read| &read.markup)),
            structured: read.and_then(|read| read.structured.as_deref()),
        });
    }
}

impl Evidence for Survey {
    fn pages(&mut self, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        (0..self.pages.len()).for_each(|id| call(&self.facts(id)));
        Ok(())
    }

    fn links(&mut self, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        (0..self.pages.len()).for_each(|id| self.linked(id, call));
        Ok(())
    }

    fn url(&mut self, id: PageId) -> io::Result<String> {
        self.pages.get(id.0 as usize).map(|page| page.url.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn page(&mut self, id: PageId, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        if (id.0 as usize) < self.pages.len() {
            call(&self.facts(id.0 as usize));
        }
        Ok(())
    }

    fn links_of(&mut self, id: PageId, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        self.linked(id.0 as usize, call);
        Ok(())
    }

    fn completeness(&mut self) -> io::Result<Completeness> {
        Ok(self.completeness.clone())
    }

    fn error_texts(&mut self) -> io::Result<Vec<Fp>> {
        Ok(self.error_texts.clone())
    }
}
