//! Webs whose sites are known because they were made so.

use groma_bounds::{Tokens, Web};
use groma_graph::Csr;

/// A web that grows.
#[derive(Default)]
pub(crate) struct MadeUp {
    pub(crate) addresses: Vec<String>,
    pub(crate) links: Vec<(u32, u32)>,
    /// The site of each page.
    pub(crate) site: Vec<u32>,
}

/// The same, to be looked at.
pub(crate) struct Looked {
    pub(crate) graph: Csr,
    pub(crate) tokens: Tokens,
    pub(crate) pages: Vec<bool>,
}

impl MadeUp {
    /// A documentation: a home page, chapters, and pages that link home, to every chapter, and to the pages around them.
    pub(crate) fn manual(&mut self, at: impl Fn(u32) -> String, chapters: u32, pages: u32) -> Vec<u32> {
        let site = self.site.iter().max().map_or(0, |most| most + 1);
        let home = self.add(format!("{}index.html", at(0)), site);
        let heads: Vec<u32> = (0..chapters).map(|c| self.add(format!("{}c{c}.html", at(c)), site)).collect();
        let mut all: Vec<u32> = heads.clone();
        for chapter in 0..chapters {
            let mut before = heads[chapter as usize];
            for page in 0..pages {
                let page = self.add(format!("{}c{chapter}p{page}.html", at(chapter + page)), site);
                self.links.extend([(heads[chapter as usize], page), (before, page), (page, before)]);
                all.push(page);
                before = page;
            }
        }
        self.links.extend(heads.iter().map(|&head| (home, head)));
        for &page in &all {
            self.links.push((page, home));
            self.links.extend(heads.iter().map(|&head| (page, head)));
        }
        all.insert(0, home);
        all
    }

    fn add(&mut self, address: String, site: u32) -> u32 {
        self.addresses.push(address);
        self.site.push(site);
        self.addresses.len() as u32 - 1
    }

    /// As many links from one set of pages to another, spread over both.
    pub(crate) fn join(&mut self, from: &[u32], to: &[u32], links: usize) {
        for n in 0..links {
            self.links.push((from[n * 7 % from.len()], to[n * 5 % to.len()]));
        }
    }

    pub(crate) fn look(&self) -> Looked {
        let mut tokens = Tokens::new();
        for address in &self.addresses {
            tokens.push(address);
        }
        let graph = Csr::of_arcs(self.addresses.len() as u32, self.links.iter().copied());
        Looked { graph, tokens, pages: vec![true; self.addresses.len()] }
    }
}

impl Looked {
    pub(crate) fn web(&self) -> Web<'_> {
        Web { graph: &self.graph, tokens: &self.tokens, pages: &self.pages, content_similarity: None }
    }
}
