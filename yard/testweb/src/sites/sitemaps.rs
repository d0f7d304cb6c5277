//! A site that tells of its pages in robots.txt and sitemaps.
//!
//! Truth: the home page links to [`Sitemaps::linked`] pages `/linked/i.html`, the first of which links to
//! `/secret/1.html`. [`Sitemaps::loose`] pages `/loose/i.html` are linked from nowhere: those with `i % 3 == 0` stand
//! in `/maps/plain.xml`, with 1 in `/maps/packed.xml.gz` (gzip as a file, not as an encoding), with 2 in
//! `/maps/list.txt`. The linked pages stand in `/maps/plain.xml` too. robots.txt names the index `/sitemap_index.xml`
//! (which names the first two), the list, and one sitemap that is not there; it disallows `/secret/`.
//! `/secret/1.html` answers 200: whoever asks for it did not obey.

use std::fmt::Write as _;
use std::io::Write as _;

use super::number_in;
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct Sitemaps {
    /// How many pages are linked from the home page.
    pub linked: usize,
    /// How many pages stand in sitemaps only.
    pub loose: usize,
}

impl Default for Sitemaps {
    fn default() -> Self {
        Sitemaps { linked: 10, loose: 30 }
    }
}

impl Sitemaps {
    /// The pages that a crawl with sitemaps and robots.txt finds: home, linked, loose.
    pub fn allowed_paths(&self) -> Vec<String> {
        let linked = (0..self.linked).map(|i| format!("/linked/{i}.html"));
        let loose = (0..self.loose).map(|i| format!("/loose/{i}.html"));
        std::iter::once("/".to_owned()).chain(linked).chain(loose).collect()
    }

    fn part(&self, rest: usize) -> impl Iterator<Item = String> {
        (0..self.loose).filter(move |i| i % 3 == rest).map(|i| format!("/loose/{i}.html"))
    }

    fn told(&self, ask: &Ask) -> Option<Answer> {
        let base = format!("http://{}", ask.host);
        Some(match ask.path.as_str() {
            "/robots.txt" => Answer::text(format!(
                "User-agent: *\nDisallow: /secret/\n\nSitemap: {base}/sitemap_index.xml\n\
                 Sitemap: {base}/maps/list.txt\nSitemap: {base}/maps/missing.xml\n"
            )),
            "/sitemap_index.xml" => {
                let maps = ["/maps/plain.xml", "/maps/packed.xml.gz"].map(str::to_owned);
                Answer::typed("application/xml", xml("sitemapindex", "sitemap", &base, maps.into_iter()))
            }
            "/maps/plain.xml" => {
                let linked = (0..self.linked).map(|i| format!("/linked/{i}.html"));
                Answer::typed("application/xml", xml("urlset", "url", &base, linked.chain(self.part(0))))
            }
            "/maps/packed.xml.gz" => {
                Answer::typed("application/gzip", gzip(xml("urlset", "url", &base, self.part(1)).as_bytes()))
            }
            "/maps/list.txt" => {
                Answer::text(self.part(2).map(|path| format!("{base}{path}\n")).collect::<Vec<_>>().concat())
            }
            _ => return None,
        })
    }

    fn page(&self, path: &str) -> Option<Answer> {
        if path == "/" {
            let links = (0..self.linked).map(|i| format!("/linked/{i}.html"));
            return Some(Page::new("Home").says("What is linked.").links(links).answer());
        }
        if path == "/secret/1.html" {
            return Some(Page::new("Secret").says("Not for robots.").answer());
        }
        let linked = number_in(path, "/linked/", ".html").filter(|i| *i < self.linked);
        let loose = number_in(path, "/loose/", ".html").filter(|i| *i < self.loose);
        let (kind, i) = linked.map(|i| ("Linked", i)).or(loose.map(|i| ("Loose", i)))?;
        let seed = i as u64 + if kind == "Loose" { 100_000 } else { 2048 };
        let mut page = Page::new(&format!("{kind} {i}")).says(&format!("{} {}", word(seed), words(seed, 60)));
        if linked == Some(0) {
            page.add_link("/secret/1.html", "secret");
        }
        Some(page.link("/", "home").answer())
    }
}

impl Web for Sitemaps {
    fn answer(&self, ask: &Ask) -> Answer {
        self.told(ask).or_else(|| self.page(&ask.path)).unwrap_or_else(|| Answer::status(404))
    }
}

fn xml(root: &str, entry: &str, base: &str, paths: impl Iterator<Item = String>) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for path in paths {
        let _ = writeln!(out, "<{entry}><loc>{base}{path}</loc></{entry}>");
    }
    let _ = writeln!(out, "</{root}>");
    out
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to memory cannot fail.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::io::Read as _;

    fn bytes(path: &str) -> Vec<u8> {
        let answer = Sitemaps::default().answer(&Ask::get(path));
        assert_eq!(answer.status, 200, "{path}");
        answer.body
    }

    fn locs(text: &str) -> BTreeSet<String> {
        let loc = |rest: &str| rest.split('<').next().unwrap().replace("http://test.example", "");
        text.split("<loc>").skip(1).map(loc).collect()
    }

    #[test]
    fn the_sitemaps_name_every_page_but_the_secret_one() {
        let index = locs(&String::from_utf8(bytes("/sitemap_index.xml")).unwrap());
        assert_eq!(index, ["/maps/packed.xml.gz", "/maps/plain.xml"].map(str::to_owned).into());
        let mut named = locs(&String::from_utf8(bytes("/maps/plain.xml")).unwrap());
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&bytes("/maps/packed.xml.gz")[..]).read_to_string(&mut unpacked).unwrap();
        named.extend(locs(&unpacked));
        let list = String::from_utf8(bytes("/maps/list.txt")).unwrap();
        named.extend(list.lines().map(|line| line.replace("http://test.example", "")));
        named.insert("/".into());
        assert_eq!(named, Sitemaps::default().allowed_paths().into_iter().collect());
    }

    #[test]
    fn walking_finds_what_is_linked_and_nothing_loose() {
        let walk = crate::walk::naive(&Sitemaps::default(), 1000);
        assert_eq!(walk.count(200), 12, "home, ten linked, the secret one");
        for path in Sitemaps::default().allowed_paths() {
            assert_eq!(Sitemaps::default().answer(&Ask::get(&path)).status, 200, "{path}");
        }
        assert_eq!(Sitemaps::default().answer(&Ask::get("/maps/missing.xml")).status, 404);
    }
}
