//! Is any file read as a sitemap within the limits, and does what is beyond them stand in the cuts?
//!
//! Input: a byte that chooses the limits, then the file (also in gzip).

use groma_model::Limits;
use groma_page::sitemap::read;

pub fn sitemap(data: &[u8]) {
    let (chosen, file) = crate::choice(data);
    let limits = match chosen % 4 {
        0 => Limits::default(),
        1 => Limits { sitemap_urls: 3, ..Limits::default() },
        2 => Limits { url_bytes: 24, ..Limits::default() },
        _ => Limits { sitemap_bytes: 200, ..Limits::default() },
    };
    let map = read(file, &limits);
    assert_eq!(read(file, &limits), map, "read twice");
    let alternates = || map.entries.iter().flat_map(|entry| &entry.alternates);
    let media = || map.entries.iter().flat_map(|entry| &entry.media).map(|medium| &medium.loc);
    for count in [map.entries.len(), map.children.len(), alternates().count(), media().count()] {
        assert!(count as u64 <= limits.sitemap_urls, "{count} URLs");
    }
    for address in map.entries.iter().map(|entry| &entry.loc).chain(&map.children).chain(alternates()).chain(media()) {
        assert!(!address.is_empty() && address.trim() == address, "a URL, without the space around it: {address:?}");
        assert!(address.len() as u64 <= limits.url_bytes, "{} bytes", address.len());
    }
    let bounds = ["sitemap_bytes", "sitemap_urls", "url_bytes"];
    assert!(map.cuts.iter().all(|cut| bounds.contains(cut)), "{:?}", map.cuts);
    let distinct: std::collections::BTreeSet<_> = map.cuts.iter().collect();
    assert_eq!(distinct.len(), map.cuts.len(), "each cut is named once");
    if chosen % 4 == 0 && file.len() < 4096 && !file.starts_with(&[0x1f, 0x8b]) {
        assert!(map.cuts.is_empty(), "nothing is cut of so little: {:?}", map.cuts);
    }
}
