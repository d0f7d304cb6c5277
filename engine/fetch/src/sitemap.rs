//! The body of a sitemap, with every compression undone.
//!
//! Up to `limits.sitemap_bytes` over the wire and again after decompression. A file that is gzip itself (`sitemap.xml.gz`) is unpacked
//! too. A sitemap that cannot be had is none: no page depends on it. Redirects are left to whoever asks: robots.txt and the pause
//! hold for every hop.

use groma_model::{Limits, Outcome, Request};
use groma_page::inflate::inflate;
use url::Url;

use crate::Fetcher;

/// How a gzip file begins.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// What came of asking for a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitemapAnswer {
    /// Its body.
    Body(Vec<u8>),
    /// It is elsewhere.
    Moved(Url),
    /// There is none.
    Nothing,
}

/// Asks for a sitemap, once.
pub async fn sitemap(fetcher: &impl Fetcher, url: &Url, limits: &Limits) -> SitemapAnswer {
    let most = limits.sitemap_bytes;
    let Outcome::Answer(response) = fetcher.fetch_whole(Request::get(url.clone()), most).await else {
        return SitemapAnswer::Nothing;
    };
    if let Some(place) = response.location() {
        return url.join(place).map_or(SitemapAnswer::Nothing, SitemapAnswer::Moved);
    }
    if !(200..300).contains(&response.status) {
        return SitemapAnswer::Nothing;
    }
    let coding = response.header("content-encoding").map(str::to_owned);
    let mut body = response.body;
    if let Some(coding) = coding {
        body = inflate(body, &coding, most).bytes;
    }
    if body.starts_with(&GZIP) {
        body = inflate(body, "gzip", most).bytes;
    }
    SitemapAnswer::Body(body)
}
