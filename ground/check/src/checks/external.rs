//! A2: which links lead out, and to whom?
//!
//! ```text
//! A2 = { <p, q> : p indexed, q indexed or registered, D(q) != D(p) }     grouped by D(q)
//! ```
//!
//! D is the registrable domain by default, or the host, or the part of the site below given URLs ([`Border`]). q is followed
//! through aliases to its end. An invalid q belongs to A1, an ignored or waiting one to neither. Links of every kind that stands on
//! a page count; redirects do not stand on pages.
//! Cost: four bytes a URL, one pass over the URLs and one over the links; a host is looked up in the public suffix list
//! once. Not seen: links that scripts make.

use std::collections::HashMap;
use std::io;

use groma_model::url::scope::registrable_domain;
use groma_model::{LinkKind, PageId, State};
use groma_url::Url;
use serde::Serialize;

use crate::evidence::{Evidence, LinkFacts, PageFacts};
use crate::facts::{self, NONE};

/// URLs of a group that are named as examples.
const EXAMPLES: usize = 3;
/// Aliases are followed so far.
const HOPS_AT_MOST: usize = 1_000;

/// What tells one site from another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Border {
    /// Registrable domain.
    #[default]
    Domain,
    Host,
    /// What lies below one of these URLs (`https://a.org/docs/`, the scheme aside) is one site; elsewhere hosts are.
    Prefix(Vec<String>),
    /// These pages, by their numbers, are one site, wherever they lie; elsewhere registrable domains are.
    Pages {
        /// What the site is called.
        name: String,
        /// By number: does it belong to the site?
        inside: Vec<bool>,
    },
}

impl Border {
    /// Is it one of the pages that are a site?
    fn holds(&self, page: PageId) -> bool {
        matches!(self, Border::Pages { inside, .. } if inside.get(page.0 as usize).copied().unwrap_or(false))
    }

    /// The site a URL belongs to, as people read it.
    pub fn site(&self, url: &str) -> String {
        let host = || facts::authority(url).to_owned();
        match self {
            Border::Domain | Border::Pages { .. } => {
                Url::parse(url).map_or_else(|_| host(), |url| registrable_domain(&url))
            }
            Border::Host => host(),
            Border::Prefix(prefixes) => {
                let bare =
                    |text: &str| text.split_once("://").map_or_else(|| text.to_owned(), |(_, rest)| rest.to_owned());
                let address = bare(url);
                // The longest says most.
                let above =
                    prefixes.iter().map(|prefix| bare(prefix)).filter(|prefix| address.starts_with(prefix.as_str()));
                above.max_by_key(String::len).unwrap_or_else(host)
            }
        }
    }
}

/// A link that leads out.
#[derive(Clone, Copy, Debug)]
pub struct ExternalLink<'a> {
    /// The page it stands on.
    pub from: PageId,
    /// Where it leads in the end.
    pub to: PageId,
    /// The site it leads to.
    pub site: &'a str,
    /// As it stands on the page.
    pub link: &'a LinkFacts<'a>,
}

/// A site that is linked to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExternalSite {
    /// Its domain, host or prefix.
    pub site: String,
    /// How many links lead there.
    pub links: u64,
    /// Those of them that ask for a part of the page: an image, a script, a style, a frame.
    pub embedded: u64,
    /// Pages that link to it.
    pub pages: u64,
    /// Some URLs on it, in the order in which they are linked first.
    pub examples: Vec<String>,
}

/// Calls back with every link that leads out, in order of the pages and of the links on them.
pub fn each(evidence: &mut dyn Evidence, border: &Border, call: &mut dyn FnMut(&ExternalLink<'_>)) -> io::Result<()> {
    let mut sites = Sites::default();
    evidence.pages(&mut |page| sites.take(page, border))?;
    evidence.links(&mut |page| {
        let Some(own) = sites.site_number(page.id) else { return };
        for link in page.links.iter().filter(|link| !matches!(link.kind, LinkKind::Redirect | LinkKind::Sitemap)) {
            let Some(end) = sites.end(link.target) else { continue };
            let Some(site) = sites.site_number(end).filter(|site| *site != own) else { continue };
            call(&ExternalLink { from: page.id, to: end, site: &sites.names[site as usize], link });
        }
    })
}

/// The sites that are linked to, those with the most pages linking to them first.
pub fn table(evidence: &mut dyn Evidence, border: &Border) -> io::Result<Vec<ExternalSite>> {
    struct SiteTally {
        links: u64,
        embedded: u64,
        pages: u64,
        last: PageId,
        examples: Vec<PageId>,
    }
    let mut rows: HashMap<String, SiteTally> = HashMap::new();
    each(evidence, border, &mut |link| {
        if !rows.contains_key(link.site) {
            let row = SiteTally { links: 0, embedded: 0, pages: 0, last: PageId(NONE), examples: Vec::new() };
            rows.insert(link.site.to_owned(), row);
        }
        let Some(row) = rows.get_mut(link.site) else { return };
        row.links += 1;
        let kind = link.link.kind;
        row.embedded +=
            u64::from(matches!(kind, LinkKind::Image | LinkKind::Script | LinkKind::Style | LinkKind::Frame));
        row.pages += u64::from(row.last != link.from);
        row.last = link.from;
        if row.examples.len() < EXAMPLES && !row.examples.contains(&link.to) {
            row.examples.push(link.to);
        }
    })?;
    let mut table = Vec::with_capacity(rows.len());
    for (site, row) in rows {
        let examples = row.examples.into_iter().map(|id| evidence.url(id)).collect::<io::Result<_>>()?;
        table.push(ExternalSite { site, links: row.links, embedded: row.embedded, pages: row.pages, examples });
    }
    table.sort_by(|a, b| (b.pages, b.links).cmp(&(a.pages, a.links)).then_with(|| a.site.cmp(&b.site)));
    Ok(table)
}

/// The site of every URL that can be an end of an external link.
#[derive(Default)]
struct Sites {
    /// By number; [`NONE`] if it is neither indexed nor registered.
    site: Vec<u32>,
    aliases: HashMap<u32, u32>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Sites of hosts that were looked up.
    hosts: HashMap<String, u32>,
}

impl Sites {
    fn take(&mut self, page: &PageFacts<'_>, border: &Border) {
        let at = page.id.0 as usize;
        if at >= self.site.len() {
            self.site.resize(at + 1, NONE);
        }
        match page.known_reason().state() {
            State::Fetched | State::Skipped => {
                self.site[at] = if border.holds(page.id) { self.own(border) } else { self.number(page.url, border) };
            }
            State::Alias => {
                self.aliases.extend(page.alias_of.map(|to| (page.id.0, to.0)));
            }
            _ => {}
        }
    }

    /// The number of the site that is a set of pages.
    fn own(&mut self, border: &Border) -> u32 {
        let name = if let Border::Pages { name, .. } = border { name.as_str() } else { "" };
        self.named(name)
    }

    fn named(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn number(&mut self, url: &str, border: &Border) -> u32 {
        // URLs of one host are of one site, unless paths count.
        let host = if matches!(border, Border::Prefix(_)) { "" } else { facts::authority(url) };
        if let Some(number) = self.hosts.get(host) {
            return *number;
        }
        let number = self.named(&border.site(url));
        if !host.is_empty() {
            self.hosts.insert(host.to_owned(), number);
        }
        number
    }

    fn site_number(&self, id: PageId) -> Option<u32> {
        self.site.get(id.0 as usize).copied().filter(|site| *site != NONE)
    }

    fn end(&self, id: PageId) -> Option<PageId> {
        let mut at = id.0;
        for _ in 0..HOPS_AT_MOST {
            match self.aliases.get(&at) {
                Some(next) => at = *next,
                None => return Some(PageId(at)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;
    use proptest::prelude::*;

    use super::*;
    use crate::memory::Survey;

    fn sites(survey: &mut Survey, border: &Border) -> Vec<(String, u64, u64)> {
        table(survey, border).unwrap().into_iter().map(|row| (row.site, row.links, row.pages)).collect()
    }

    #[test]
    fn links_out_are_grouped_by_registrable_domain() {
        let mut survey = Survey::default();
        let (home, shop) = (survey.indexed("https://www.a.co.uk/"), survey.indexed("https://shop.a.co.uk/"));
        let out: Vec<PageId> = ["https://b.org/1", "https://www.b.org/2", "https://c.org/"]
            .into_iter()
            .map(|url| survey.add(url, Reason::OutOfScope))
            .collect();
        for (from, to) in [(home, shop), (home, out[0]), (home, out[1]), (home, out[1]), (shop, out[1]), (shop, out[2])]
        {
            survey.link(from, to, "x");
        }
        survey.link(home, out[0], "").kind = LinkKind::Image;
        let rows = table(&mut survey, &Border::Domain).unwrap();
        assert_eq!(rows[0].site, "b.org");
        assert_eq!((rows[0].links, rows[0].embedded, rows[0].pages), (5, 1, 2));
        assert_eq!(rows[0].examples, ["https://b.org/1", "https://www.b.org/2"]);
        assert_eq!((rows[1].site.as_str(), rows[1].links, rows.len()), ("c.org", 1, 2));
        let by_host: Vec<_> = sites(&mut survey, &Border::Host).into_iter().map(|(site, ..)| site).collect();
        assert_eq!(by_host, ["www.b.org", "b.org", "c.org", "shop.a.co.uk"]);
    }

    #[test]
    fn a_prefix_can_be_a_site_of_its_own() {
        let border = Border::Prefix(vec!["https://a.org/docs/".into(), "https://a.org/docs/v2/".into()]);
        for (url, site) in [
            ("http://a.org/docs/x", "a.org/docs/"),
            ("https://a.org/docs/v2/x", "a.org/docs/v2/"),
            ("https://a.org/docs", "a.org"),
            ("https://b.org/docs/", "b.org"),
        ] {
            assert_eq!(border.site(url), site, "{url}");
        }
        let mut survey = Survey::default();
        let (inside, outside) = (survey.indexed("https://a.org/docs/1"), survey.indexed("https://a.org/blog/1"));
        survey.link(inside, outside, "x");
        assert_eq!(sites(&mut survey, &border), [("a.org".to_owned(), 1, 1)]);
    }

    #[test]
    fn pages_can_be_a_site_wherever_they_lie() {
        let mut survey = Survey::default();
        let (home, second) = (survey.indexed("https://a.org/"), survey.indexed("https://b.org/docs/"));
        let neighbour = survey.indexed("https://a.org/blog/");
        let stranger = survey.add("https://c.org/", Reason::OutOfScope);
        for (from, to) in [(home, second), (second, home), (home, neighbour), (second, stranger), (neighbour, home)] {
            survey.link(from, to, "x");
        }
        let mut inside = vec![false; survey.pages.len()];
        inside[home.0 as usize] = true;
        inside[second.0 as usize] = true;
        let border = Border::Pages { name: "the site of https://a.org/".into(), inside };
        let mut rows = sites(&mut survey, &border);
        rows.sort();
        let row = |site: &str| (site.to_owned(), 1, 1);
        assert_eq!(rows, [row("a.org"), row("c.org"), row("the site of https://a.org/")]);
    }

    proptest! {
        #[test]
        fn the_table_counts_the_set_of_the_definition(
            pages in proptest::collection::vec((proptest::sample::select(Reason::ALL), 0usize..4), 1..12),
            links in proptest::collection::vec((0usize..12, 0usize..12), 0..40),
        ) {
            let hosts = ["a.org", "www.a.org", "b.org", "c.co.uk"];
            let domains = ["a.org", "a.org", "b.org", "c.co.uk"];
            let mut survey = Survey::default();
            for (n, (reason, host)) in pages.iter().enumerate() {
                survey.add(&format!("https://{}/{n}", hosts[*host]), *reason);
            }
            let mut expected: HashMap<&str, u64> = HashMap::new();
            for (from, to) in links.into_iter().filter(|(from, to)| *from < pages.len() && *to < pages.len()) {
                survey.link(PageId(from as u32), PageId(to as u32), "x");
                let ((p, at), (q, to)) = (pages[from], pages[to]);
                let known = matches!(q.state(), State::Fetched | State::Skipped);
                if p.state() == State::Fetched && known && domains[at] != domains[to] {
                    *expected.entry(domains[to]).or_default() += 1;
                }
            }
            let rows = table(&mut survey, &Border::Domain).unwrap();
            let told: HashMap<&str, u64> = rows.iter().map(|row| (row.site.as_str(), row.links)).collect();
            prop_assert_eq!(told, expected);
        }
    }
}
