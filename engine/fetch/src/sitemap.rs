//! The body of a sitemap, with every compression undone.
//!
//! Up to `limits.sitemap_bytes` over the wire and again after decompression. A file that is gzip itself (`sitemap.xml.gz`) is unpacked
//! too. No page depends on a sitemap, but what is missing of one is told. Redirects are left to whoever asks: robots.txt and the pause
//! hold for every hop.

use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Outcome, Request};
use groma_page::inflate::inflate;
use groma_url::Url;

use crate::Fetcher;

/// How a gzip file begins.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// A sitemap as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitemapFile {
    /// The file, decompressed.
    pub bytes: Vec<u8>,
    /// It is larger than `limits.sitemap_bytes`.
    pub cut: bool,
    /// It broke off on the way, or cannot be unpacked to its end.
    pub broken: bool,
}

/// What came of asking for a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitemapAnswer {
    File(SitemapFile),
    /// A redirect to this URL.
    Moved(Url),
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSitemap {
    /// The server says so.
    #[error("the server answers {0}")]
    Status(u16),
    /// There was no answer.
    #[error("{0}")]
    Failed(Failure),
    /// A redirect whose target is no URL.
    #[error("it redirects to what is no URL")]
    Redirect,
}

/// Asks for a sitemap, once.
pub async fn sitemap(fetcher: &dyn Fetcher, url: &Url, limits: &Limits) -> Result<SitemapAnswer, NoSitemap> {
    let most = limits.sitemap_bytes;
    let response = match fetcher.fetch_whole(Request::get(url.clone()), most).await {
        Outcome::Answer(response) => response,
        Outcome::Failed(failure) => return Err(NoSitemap::Failed(failure)),
    };
    if let Some(place) = response.location() {
        return url.join(&place).map(SitemapAnswer::Moved).map_err(|_| NoSitemap::Redirect);
    }
    if !(200..300).contains(&response.status) {
        return Err(NoSitemap::Status(response.status));
    }
    let coding = response.header("content-encoding").map(str::to_owned);
    let (cut, broken) = (response.cut == Some(Cut::TooLarge), response.cut.is_some_and(Cut::is_partial));
    let mut file = SitemapFile { bytes: response.body, cut, broken };
    if let Some(coding) = coding {
        file.unpack(&coding, most);
    }
    if file.bytes.starts_with(&GZIP) {
        file.unpack("gzip", most);
    }
    Ok(SitemapAnswer::File(file))
}

impl SitemapFile {
    fn unpack(&mut self, coding: &str, most: u64) {
        let inflated = inflate(std::mem::take(&mut self.bytes), coding, most);
        self.bytes = inflated.bytes;
        // Where it was cut before, it cannot be unpacked to its end.
        self.broken |= inflated.broken && !inflated.cut && !self.cut;
        self.cut |= inflated.cut;
    }
}
