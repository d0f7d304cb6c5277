//! The library as a web: paths to pages, robots.txt, and full texts nobody may crawl.

use groma_testweb::{Answer, Ask, Web};

use crate::Library;

/// Where full texts lie; robots.txt forbids it.
pub(crate) const DOWNLOADS: &str = "/download/";

impl Library {
    /// Text of robots.txt.
    pub fn robots(&self) -> String {
        format!("User-agent: *\nDisallow: {DOWNLOADS}\n")
    }
}

impl Web for Library {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.path == "/robots.txt" {
            return Answer::text(self.robots());
        }
        if ask.path.starts_with(DOWNLOADS) {
            return Answer::typed("application/pdf", PDF);
        }
        match self.find(&ask.path).and_then(|number| self.render(number)) {
            Some(page) => Answer::html(page.html),
            None => Answer::status(404),
        }
    }
}

/// The smallest document that is one: one empty page.
const PDF: &[u8] =
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
