//! Between the words of the ground (verdicts, prefixes, keywords, SURT) and what is told of a site: one place for all of it.

use std::collections::{HashMap, HashSet};

use groma_bounds::keywords::Keywords;
use groma_bounds::prefixes::{self, Matcher, Standing};
use groma_bounds::{Because, Judgement, Links, Verdict, surt};
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_survey_graph::PageWeb;
use xxhash_rust::xxh3::Xxh3;

use super::{Keyword, Prefix};

/// Keywords that are told.
const KEYWORDS: usize = 12;
/// Places beside the site that are told.
const BESIDE: usize = 500;
/// Texts that are remembered: 16 bytes each.
const SEEN: usize = 4_000_000;

fn standing(verdict: Verdict) -> Standing {
    match verdict {
        Verdict::In => Standing::In,
        Verdict::Undecided => Standing::Undecided,
        Verdict::Out => Standing::Out,
    }
}

/// The site as beginnings of URLs, each with what speaks for it.
pub(super) fn prefixes(web: &PageWeb, judgements: &[(u32, Judgement)]) -> Vec<Prefix> {
    let list = prefixes::list(judgements.iter().map(|(node, judgement)| prefixes::Page {
        address: web.address(*node),
        standing: standing(judgement.verdict),
        confidence: judgement.confidence,
    }));
    let matcher = prefixes::apply(&list);
    let mut sums = vec![Sum::default(); list.len()];
    let mut beside = Beside::from_judgements(web, judgements);
    for (node, judgement) in judgements {
        match matcher.line(web.address(*node)).and_then(|line| sums.get_mut(line)) {
            Some(sum) => sum.add(&judgement.because),
            None => beside.add(web, *node, judgement),
        }
    }
    let told = |(line, sum): (prefixes::Prefix, Sum)| Prefix {
        prefix: line.text,
        single: line.single,
        verdict: line.verdict.name().to_owned(),
        pages: line.pages,
        inside: line.inside,
        undecided: line.undecided,
        decides: line.decides,
        confidence: line.confidence,
        reason: sum.says(),
        beside: false,
    };
    let mut all: Vec<Prefix> = list.into_iter().zip(sums).map(told).collect();
    all.extend(beside.told());
    all.sort_by(|a, b| (&a.prefix, a.single).cmp(&(&b.prefix, b.single)));
    all
}

/// Places that no line speaks of, which means that they are out: by host, and on the hosts of the site by folder. They say nothing
/// that the list does not say without them, but people want to see what lies beside a site and why it is not of it.
struct Beside<'a> {
    /// Hosts that hold pages of the site.
    shared: HashSet<u32>,
    places: HashMap<&'a str, (u32, f64, Sum)>,
}

impl<'a> Beside<'a> {
    fn from_judgements(web: &PageWeb, judgements: &[(u32, Judgement)]) -> Beside<'a> {
        let inside = judgements.iter().filter(|(_, judgement)| judgement.verdict == Verdict::In);
        Beside { shared: inside.map(|(node, _)| web.standings.host(*node)).collect(), places: HashMap::new() }
    }

    fn add(&mut self, web: &'a PageWeb, node: u32, judgement: &Judgement) {
        let address = web.address(node);
        let Some(host) = address.find("://").map(|at| at + 3) else { return };
        let Some(root) = address[host..].find('/').map(|at| host + at + 1) else { return };
        let path = &address[root..address[root..].find(['?', '#']).map_or(address.len(), |at| root + at)];
        let folder = path.find('/').filter(|_| self.shared.contains(&web.standings.host(node))).map_or(0, |at| at + 1);
        let (pages, sure, sum) = self.places.entry(&address[..root + folder]).or_default();
        *pages += 1;
        *sure += f64::from(judgement.confidence);
        sum.add(&judgement.because);
    }

    /// Those with the most links with the site first, then those with the most pages.
    fn told(self) -> Vec<Prefix> {
        let mut all: Vec<_> = self.places.into_iter().collect();
        let joined = |sum: &Sum| sum.links.to_site.saturating_add(sum.links.from_site);
        all.sort_by(|(x, (n, _, a)), (y, (m, _, b))| (joined(b), m).cmp(&(joined(a), n)).then_with(|| x.cmp(y)));
        all.truncate(BESIDE);
        let told = |(place, (pages, sure, sum)): (&str, (u32, f64, Sum))| Prefix {
            prefix: place.to_owned(),
            single: false,
            verdict: Standing::Out.name().to_owned(),
            pages,
            inside: 0,
            undecided: 0,
            decides: pages,
            confidence: (sure / f64::from(pages.max(1))) as f32,
            reason: sum.says(),
            beside: true,
        };
        all.into_iter().map(told).collect()
    }
}

/// What speaks for the verdicts on several pages.
#[derive(Clone, Default)]
struct Sum {
    starts: u64,
    accepted: u64,
    rejected: u64,
    clustered: u64,
    cut: u64,
    unlinked: u64,
    links: Links,
}

impl Sum {
    fn add(&mut self, because: &Because) {
        let count = match because {
            Because::Start => &mut self.starts,
            Because::Accepted => &mut self.accepted,
            Because::Rejected => &mut self.rejected,
            Because::Clustered(_) => &mut self.clustered,
            Because::Cut(_) => &mut self.cut,
            Because::Unlinked => &mut self.unlinked,
        };
        *count += 1;
        if let Because::Clustered(links) | Because::Cut(links) = because {
            self.links.to_site = self.links.to_site.saturating_add(links.to_site);
            self.links.from_site = self.links.from_site.saturating_add(links.from_site);
            self.links.elsewhere = self.links.elsewhere.saturating_add(links.elsewhere);
        }
    }

    fn says(&self) -> String {
        let mut parts = Vec::new();
        if self.starts > 0 {
            parts.push(start_pages(self.starts));
        }
        if self.accepted > 0 {
            parts.push("accepted by hand".to_owned());
        }
        if self.rejected > 0 {
            parts.push("rejected by hand".to_owned());
        }
        if self.clustered > 0 && self.cut == 0 {
            parts.push("in the cluster of a start page".to_owned());
        }
        if self.clustered + self.cut > 0 {
            parts.push(self.links.to_string());
        }
        if parts.is_empty() && self.unlinked > 0 {
            parts.push(Because::Unlinked.to_string());
        }
        parts.join("; ")
    }
}

/// What was told, back in the words of the ground.
fn lines(list: &[Prefix]) -> Vec<prefixes::Prefix> {
    let standings = [Standing::In, Standing::Undecided, Standing::Out];
    let of = |word: &str| standings.into_iter().find(|one| one.name() == word).unwrap_or(Standing::Out);
    let line = |one: &Prefix| prefixes::Prefix {
        text: one.prefix.clone(),
        single: one.single,
        verdict: of(&one.verdict),
        pages: one.pages,
        inside: one.inside,
        undecided: one.undecided,
        decides: one.decides,
        confidence: one.confidence,
    };
    list.iter().filter(|one| !one.beside).map(line).collect()
}

/// Looks up what a URL gets its verdict from.
pub(super) fn matcher(list: &[Prefix]) -> Matcher {
    prefixes::apply(&lines(list))
}

/// The site as SURT prefixes, and the URLs that no such prefix can tell apart. `pages`: all that are known.
pub(super) fn as_surt<'a>(list: &[Prefix], pages: impl IntoIterator<Item = &'a str>) -> (String, Vec<String>) {
    let told = prefixes::surt_rules(&lines(list), false, pages);
    (surt::write(&told.rules), told.untold)
}

/// Words that characterise the site: what others call its pages. A text by which one host names a page counts once, however many of
/// its pages repeat it: they share a template.
pub(super) fn keywords(store: &mut dyn Snapshot, web: &PageWeb, inside: &[bool]) -> Result<Vec<Keyword>, Fault> {
    let holds = |page: u32| inside.get(page as usize).copied().unwrap_or(false);
    let mut found = Keywords::new();
    let mut seen: HashSet<u64> = HashSet::new();
    web.each_anchor(store, &mut |from, to, text| {
        let (here, there) = (holds(from), holds(to));
        // Links within the site are navigation.
        if here && there {
            return;
        }
        let mut key = Xxh3::new();
        key.update(&web.standings.host(from).to_le_bytes());
        key.update(&to.to_le_bytes());
        key.update(text.as_bytes());
        if seen.len() >= SEEN {
            seen.clear();
        }
        if !seen.insert(key.digest()) {
            return;
        }
        if there {
            found.to_site(text, here, 1);
        } else {
            found.elsewhere(text, 1);
        }
    })?;
    let told = |word: groma_bounds::keywords::Keyword| Keyword {
        word: word.text,
        score: (word.score * 100.0).round() / 100.0,
        count: word.count,
    };
    Ok(found.top(KEYWORDS).into_iter().map(told).collect())
}

fn start_pages(count: u64) -> String {
    counted(count, "start page", "start pages")
}
