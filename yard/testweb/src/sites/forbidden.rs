//! A site whose robots.txt is about spellings: every page is linked in several, and some of them are forbidden.
//!
//! Page `i` has the path and the parameters that the seed says, `id=i` among them; a spelling is an order of the parameters, with or
//! without parameters that mean nothing (`utm_source`, `PHPSESSID`) and empty pieces. Any spelling answers with the same page. Pages link to pages
//! by spellings, every eleventh redirects to one, every tenth stands in the sitemap. robots.txt has groups for several names, with
//! rules cut out of spellings.
//!
//! Truth, given a reader of robots.txt: what may be fetched is what that reader allows; a page that was linked, from a page that could be
//! had, by a spelling that it allows is to be fetched; nothing is to be asked for that nobody linked.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::prose::{mix, words};
use crate::{Answer, Ask, Web};

const PATHS: [&str; 6] = ["/", "/list", "/index.php", "/wiki/%C3%89t%C3%A9", "/a/b.html", "/shop/~x"];
const NAMES: [&str; 8] = ["s", "cat", "sort", "page", "title", "q", "view", "lang"];
const VALUES: [&str; 6] = ["foo", "1", "Special:Log", "a%2Fb", "%C3%A9", "desc"];
/// Spellings of a page that are ever linked.
const SPELLINGS: u64 = 5;
/// Names that the file speaks to.
pub const FORBIDDEN_TO: [&str; 3] = ["groma", "mybot", "*"];

pub struct Forbidden {
    seed: u64,
    pages: u64,
    delay: Option<Duration>,
    log: Mutex<Vec<(String, Option<SystemTime>)>>,
}

/// What a log came to.
#[derive(Debug, Default)]
pub struct Judgement {
    /// Requests that were judged.
    pub requests: usize,
    /// Asked for, though forbidden, as asked or as linked.
    pub violations: Vec<String>,
    /// Asked for, though nobody linked it.
    pub unlinked: Vec<String>,
    /// Pages that could have been had and were not asked for.
    pub missed: Vec<u64>,
    /// Pages that could be had.
    pub allowed: usize,
    /// Pages that nobody may have.
    pub forbidden: usize,
}

impl Forbidden {
    /// A site of so many pages.
    pub fn new(seed: u64, pages: u64) -> Forbidden {
        Forbidden { seed, pages, delay: None, log: Mutex::default() }
    }

    /// Its robots.txt asks for this pause.
    pub fn with_delay(self, delay: Duration) -> Forbidden {
        Forbidden { delay: Some(delay), ..self }
    }

    /// Text of robots.txt.
    pub fn robots(&self) -> String {
        let mut text = String::new();
        for (group, name) in FORBIDDEN_TO.iter().enumerate() {
            let _ = writeln!(text, "User-agent: {name}\nAllow: /$");
            for rule in 0..10 {
                let number = mix(self.seed ^ 7, (group * 100 + rule) as u64);
                let word = if number % 10 < 3 { "Allow" } else { "Disallow" };
                let _ = writeln!(text, "{word}: {}", self.pattern(number));
            }
            if let Some(delay) = self.delay {
                let _ = writeln!(text, "Crawl-delay: {}", delay.as_secs_f64());
            }
            text.push('\n');
        }
        if self.seed.is_multiple_of(2) {
            text.push_str("Sitemap: /maps/all.xml\n");
        }
        text
    }

    /// A pattern cut out of a spelling, or about a parameter.
    fn pattern(&self, number: u64) -> String {
        let name = NAMES[(number >> 8) as usize % NAMES.len()];
        match (number >> 4) % 8 {
            0 => format!("/*?{name}="),
            1 => format!("/*&{name}="),
            2 => format!("/*{name}={}", VALUES[(number >> 16) as usize % VALUES.len()]),
            3 => "/*?*utm_".to_owned(),
            4 => "/*PHPSESSID=".to_owned(),
            5 => format!("{}$", self.spelling(1 + number % self.pages, number >> 20)),
            6 if number.is_multiple_of(5) => "/sitemap".to_owned(),
            _ => {
                let whole = self.spelling(1 + number % self.pages, number >> 20);
                let from = whole.find('?').unwrap_or(whole.len() - 1) + 1;
                let cut = from + (number >> 24) as usize % (whole.len() - from).max(1);
                let cut = (0..=cut).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
                whole[..cut.max(2)].to_owned()
            }
        }
    }

    fn parameters(&self, page: u64) -> Vec<(String, String)> {
        let number = mix(self.seed, page);
        let mut all = vec![("id".to_owned(), page.to_string())];
        for (place, name) in NAMES.iter().enumerate() {
            if number >> (3 * place) & 7 < 2 {
                all.push(((*name).to_owned(), VALUES[(number >> (5 + place)) as usize % VALUES.len()].to_owned()));
            }
        }
        all
    }

    fn path(&self, page: u64) -> &'static str {
        PATHS[mix(self.seed ^ 1, page) as usize % PATHS.len()]
    }

    /// A spelling of a page.
    pub fn spelling(&self, page: u64, which: u64) -> String {
        let which = which % SPELLINGS;
        let number = mix(self.seed ^ 2, page * SPELLINGS + which);
        let mut parts: Vec<String> =
            self.parameters(page).iter().map(|(name, value)| format!("{name}={value}")).collect();
        match number % 7 {
            0 => parts.push("utm_source=nav".to_owned()),
            1 => parts.push(format!("PHPSESSID={which}")),
            2 => parts.push(String::new()),
            _ => {}
        }
        parts.sort_by_key(|part| mix(number, crate::prose::hash(part)));
        format!("{}?{}", self.path(page), parts.join("&"))
    }

    /// The page that a URL means.
    pub fn page_of(&self, url: &str) -> Option<u64> {
        if url == "/" {
            return Some(0);
        }
        let (path, query) = url.split_once('?')?;
        let meant = |name: &&str| !name.is_empty() && !name.starts_with("utm_") && !name.starts_with("PHPSESSID");
        let mut parts: Vec<&str> = query.split('&').filter(meant).collect();
        parts.sort_unstable();
        let page: u64 = parts.iter().find_map(|part| part.strip_prefix("id=")?.parse().ok())?;
        let mut own: Vec<String> =
            self.parameters(page).iter().map(|(name, value)| format!("{name}={value}")).collect();
        own.sort_unstable();
        (page >= 1 && page <= self.pages && path == self.path(page) && own == parts).then_some(page)
    }

    /// Where a page redirects to.
    fn moved(&self, page: u64) -> Option<String> {
        let next = page + 1;
        (page > 0 && page.is_multiple_of(11) && next <= self.pages)
            .then(|| self.spelling(next, mix(self.seed ^ 3, page)))
    }

    /// What a page links to.
    fn links(&self, page: u64) -> Vec<String> {
        (0..6)
            .map(|place| {
                let number = mix(self.seed ^ 4, page * 6 + place);
                let target = if place == 0 { page + 1 } else { 1 + number % self.pages };
                self.spelling(target.clamp(1, self.pages), number >> 32)
            })
            .collect()
    }

    fn sitemap(&self) -> Vec<String> {
        (1..=self.pages).filter(|page| page.is_multiple_of(10)).map(|page| self.spelling(page, page)).collect()
    }

    fn sitemap_path(&self) -> &'static str {
        if self.seed.is_multiple_of(2) { "/maps/all.xml" } else { "/sitemap.xml" }
    }

    /// What was asked for, in order, and when it came.
    pub fn log(&self) -> Vec<(String, Option<SystemTime>)> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Judges the log by a reader of robots.txt.
    pub fn judge(&self, allows: &dyn Fn(&str) -> bool) -> Judgement {
        let (linked, reached) = self.truth(allows);
        let mut judgement = Judgement { allowed: reached.len(), ..Judgement::default() };
        judgement.forbidden = (self.pages + 1) as usize - reached.len();
        let mut had = BTreeSet::new();
        for (url, _) in self.log().into_iter().filter(|(url, _)| url != "/robots.txt") {
            judgement.requests += 1;
            let page = self.page_of(&url);
            let as_linked = |spelling: &String| self.page_of(spelling) == page && allows(spelling);
            let fine = allows(&url) && (linked.contains(&url) || linked.iter().any(as_linked));
            if !fine {
                judgement.violations.push(url.clone());
            }
            if !linked.contains(&url) {
                judgement.unlinked.push(url);
            }
            had.extend(page);
        }
        judgement.missed = reached.difference(&had).copied().collect();
        judgement
    }

    /// Everything that is linked from what can be had, and what can be had.
    fn truth(&self, allows: &dyn Fn(&str) -> bool) -> (BTreeSet<String>, BTreeSet<u64>) {
        let (mut linked, mut reached) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<String> = vec!["/".to_owned(), self.sitemap_path().to_owned()];
        while let Some(url) = open.pop() {
            if !linked.insert(url.clone()) || !allows(&url) {
                continue;
            }
            if url == self.sitemap_path() {
                open.extend(self.sitemap());
            }
            let Some(page) = self.page_of(&url) else { continue };
            reached.insert(page);
            match self.moved(page) {
                Some(to) => open.push(to),
                None => open.extend(self.links(page)),
            }
        }
        (linked, reached)
    }
}

impl Web for Forbidden {
    fn answer(&self, ask: &Ask) -> Answer {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push((ask.path.clone(), ask.came));
        if ask.path == "/robots.txt" {
            return Answer::text(self.robots());
        }
        if ask.path == self.sitemap_path() {
            let rows =
                self.sitemap().into_iter().map(|url| format!("<url><loc>{}</loc></url>", url.replace('&', "&amp;")));
            return Answer::typed("application/xml", format!("<urlset>{}</urlset>", rows.collect::<String>()));
        }
        let Some(page) = self.page_of(&ask.path) else { return Answer::status(404) };
        if let Some(to) = self.moved(page) {
            return Answer::redirect(302, &to);
        }
        let links = self.links(page).into_iter();
        let links = links.map(|url| format!("<a href=\"{}\">x</a> ", url.replace('&', "&amp;"))).collect::<String>();
        Answer::html(format!("<title>{page}</title><p>{} {links}", words(mix(self.seed ^ 5, page), 30)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_means_its_page_and_a_page_has_several() {
        let site = Forbidden::new(1, 100);
        for page in 1..=100 {
            let all: BTreeSet<String> = (0..SPELLINGS).map(|which| site.spelling(page, which)).collect();
            assert!(all.iter().all(|spelling| site.page_of(spelling) == Some(page)), "{all:?}");
        }
        let several = (1..=100).filter(|page| site.spelling(*page, 0) != site.spelling(*page, 1)).count();
        assert!(several > 50, "{several}");
        assert_eq!(site.page_of("/list?id=1000"), None);
    }

    #[test]
    fn whoever_asks_for_what_is_forbidden_or_for_nothing_is_found_out() {
        let site = Forbidden::new(1, 100);
        let allows = |url: &str| !url.contains("s=");
        let (linked, reached) = site.truth(&allows);
        assert!(reached.len() > 20 && reached.len() < 101, "{}", reached.len());
        let forbidden = linked.iter().find(|url| !allows(url)).unwrap();
        site.answer(&Ask::get("/"));
        site.answer(&Ask::get(forbidden));
        site.answer(&Ask::get("/nobody"));
        let judgement = site.judge(&allows);
        assert_eq!(judgement.requests, 3);
        assert!(judgement.violations.contains(forbidden), "{judgement:?}");
        assert_eq!(judgement.unlinked, ["/nobody"]);
        assert_eq!(judgement.missed.len(), reached.len() - 1);
    }
}
