//! The body of a sitemap, wherever its redirects lead, with every compression undone.
//!
//! Up to `limits.redirects` hops; up to `limits.sitemap_bytes` over the wire and again after decompression. A file that is
//! gzip itself (`sitemap.xml.gz`) is unpacked too. A sitemap that cannot be had is none: no page depends on it.

use groma_model::{Limits, Outcome, Request};
use groma_page::inflate::inflate;
use url::Url;

use crate::Fetcher;

/// How a gzip file begins.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// Fetches a sitemap.
pub async fn sitemap(fetcher: &impl Fetcher, url: &Url, limits: &Limits) -> Option<Vec<u8>> {
    let most = limits.sitemap_bytes;
    let mut url = url.clone();
    for _ in 0..=limits.redirects {
        let Outcome::Answer(response) = fetcher.fetch_whole(Request::get(url.clone()), most).await else { return None };
        if let Some(place) = response.location() {
            url = url.join(place).ok()?;
            continue;
        }
        if !(200..300).contains(&response.status) {
            return None;
        }
        let coding = response.header("content-encoding").map(str::to_owned);
        let mut body = response.body;
        if let Some(coding) = coding {
            body = inflate(body, &coding, most).bytes;
        }
        if body.starts_with(&GZIP) {
            body = inflate(body, "gzip", most).bytes;
        }
        return Some(body);
    }
    None
}
