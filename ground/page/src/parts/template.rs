//! What holds on most pages of a site: its menu, and where its pages set title, authors and abstract.
//!
//! For each host a table by path (the hash of tags and class names that [`Parts`] keeps for blocks and links) counts
//! on how many pages the path was met and which label it bore. With n pages shown and a path met on m of them:
//! * a link whose path *and* target recur on m >= max(`PAGES`, 0.6 n) pages is menu, with confidence 50 + 45 m / n, unless it is something surer;
//! * a label is steady at a path if it was borne on at least 0.7 m of m >= `PAGES` pages; a part there gains confidence, and a page that has no part of this
//!   kind takes the block at that path, with confidence 40 + 40 (its share), but only if the path is met once on the page.
//!
//! Memory: at most `HOSTS` hosts, `PATHS` paths and `TARGETS` targets each; what comes later is not taken up. Deterministic in the order
//! pages are shown. Cost: linear in blocks and links of the page.
//!
//! Not guaranteed: a site with several templates of equal weight has no menu of 0.6; labels of a path that two templates share are
//! steady only if both use it alike.

use std::collections::{BTreeMap, HashMap};

use groma_model::{BlockKind, Link, LinkKind, ParsedPage, Part, PartKind, Parts, Target};
use xxhash_rust::xxh3::xxh3_64;

/// Pages that have to be seen before anything is steady.
const PAGES: u32 = 4;
/// Bounds of the memory.
const HOSTS: usize = 4096;
const PATHS: usize = 4096;
const TARGETS: usize = 4096;

/// What is remembered of the sites that were read.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    hosts: HashMap<String, Site>,
}

#[derive(Clone, Debug, Default)]
struct Site {
    pages: u32,
    /// By path of blocks: pages it was met on, and pages it bore each label on.
    paths: HashMap<u32, Seen>,
    /// By path and target of links: pages it was met on.
    targets: HashMap<u64, u32>,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    pages: u32,
    labels: [u32; PartKind::ALL.len()],
}

/// The labels a path can be known for: one block each.
const STEADY: [PartKind; 3] = [PartKind::Title, PartKind::Authors, PartKind::Abstract];

impl Templates {
    /// Nothing is known of any site yet.
    pub fn new() -> Templates {
        Templates::default()
    }

    /// How many pages of a host were shown.
    pub fn pages(&self, host: &str) -> u32 {
        self.hosts.get(host).map_or(0, |site| site.pages)
    }

    /// Takes in a page of a host.
    pub fn learn(&mut self, host: &str, page: &ParsedPage) {
        let Some(parts) = &page.parts else { return };
        if !self.hosts.contains_key(host) && self.hosts.len() >= HOSTS {
            return;
        }
        let site = self.hosts.entry(host.to_owned()).or_default();
        site.pages = site.pages.saturating_add(1);
        for (path, count) in met(page) {
            if count > 1 {
                continue;
            }
            if !site.paths.contains_key(&path) && site.paths.len() >= PATHS {
                continue;
            }
            let seen = site.paths.entry(path).or_default();
            seen.pages += 1;
        }
        for kind in STEADY {
            let Some(part) = parts.content.iter().find(|part| part.kind == kind && part.confidence >= 60) else {
                continue;
            };
            if let Some(path) = path_of(page, &part.text)
                && let Some(seen) = site.paths.get_mut(&path)
            {
                seen.labels[kind as usize] += 1;
            }
        }
        let mut targets: Vec<u64> = links(page).map(|(number, link)| key(parts.links[number].path, link)).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if site.targets.contains_key(&target) || site.targets.len() < TARGETS {
                *site.targets.entry(target).or_default() += 1;
            }
        }
    }

    /// Corrects the parts of a page by what holds on its site.
    pub fn apply(&self, host: &str, page: &mut ParsedPage) {
        if let Some(parts) = self.corrected(host, page) {
            page.parts = Some(Box::new(parts));
        }
    }

    /// The parts of a page, corrected by what holds on its site; nothing if too little is known of the site, or the page has none.
    pub fn corrected(&self, host: &str, page: &ParsedPage) -> Option<Parts> {
        let site = self.hosts.get(host).filter(|site| site.pages >= PAGES)?;
        let mut parts = page.parts.as_deref()?.clone();
        for (number, link) in links(page) {
            let Some(part) = parts.links.get_mut(number) else { continue };
            let times = site.targets.get(&key(part.path, link)).copied().unwrap_or(0);
            let most = times >= PAGES && u64::from(times) * 10 >= u64::from(site.pages) * 6;
            if most && (matches!(part.kind, PartKind::Text | PartKind::Menu | PartKind::List) || part.confidence < 60) {
                let confidence = (50 + 45 * u64::from(times.min(site.pages)) / u64::from(site.pages)) as u8;
                // Something surer keeps its name: a steady advertisement is no menu.
                if part.kind != PartKind::Noise || part.confidence < 50 {
                    (part.kind, part.confidence) = (PartKind::Menu, part.confidence.max(confidence));
                }
            }
        }
        let counts = met(page);
        for kind in STEADY {
            let own = parts.content.iter().position(|part| part.kind == kind);
            let path = own.and_then(|at| path_of(page, &parts.content[at].text));
            if let (Some(at), Some(share)) = (own, path.and_then(|path| site.share(path, kind))) {
                let part = &mut parts.content[at];
                part.confidence = part.confidence.max(70 + (share / 4).min(25));
                continue;
            }
            // What is weak gives way to what is steady.
            if own.is_some_and(|at| parts.content[at].confidence >= 60) || kind == PartKind::Authors {
                continue;
            }
            let steady = page
                .blocks
                .iter()
                .zip(&parts.paths)
                .filter(|(_, path)| counts.get(path) == Some(&1))
                .filter_map(|(block, path)| Some((block, site.share(*path, kind)?)))
                .max_by_key(|(_, share)| *share);
            if let Some((block, share)) = steady {
                let part = Part { kind, text: block.text.clone(), confidence: 40 + share * 2 / 5 };
                match own {
                    Some(at) => parts.content[at] = part,
                    None => parts.content.push(part),
                }
            }
        }
        Some(parts)
    }
}

impl Site {
    /// The share of pages a path bore a label on, in per cent, if that is steady.
    fn share(&self, path: u32, kind: PartKind) -> Option<u8> {
        let seen = self.paths.get(&path)?;
        let share = (u64::from(seen.labels[kind as usize]) * 100 / u64::from(seen.pages.max(1))) as u8;
        (seen.pages >= PAGES && share >= 70).then_some(share.min(100))
    }
}

/// The paths of a page's blocks and how often each is met.
fn met(page: &ParsedPage) -> BTreeMap<u32, u32> {
    let mut met = BTreeMap::new();
    for (block, path) in page.blocks.iter().zip(page.parts.iter().flat_map(|parts| &parts.paths)) {
        if *path != 0
            && !matches!(
                block.kind,
                BlockKind::Title | BlockKind::Description | BlockKind::Keywords | BlockKind::ImageAlt
            )
        {
            *met.entry(*path).or_default() += 1;
        }
    }
    met
}

/// The path of the block that is a text, or begins with it.
fn path_of(page: &ParsedPage, text: &str) -> Option<u32> {
    let parts = page.parts.as_ref()?;
    let start: String = text.chars().take(60).collect();
    let blocks = page.blocks.iter().zip(&parts.paths).filter(|(_, path)| **path != 0);
    let mut found = blocks
        .filter(|(block, _)| block.text.starts_with(&start) || (start.len() >= 20 && block.text.contains(&start)));
    found.next().map(|(_, path)| *path)
}

fn links(page: &ParsedPage) -> impl Iterator<Item = (usize, &Link)> {
    let count = page.parts.as_ref().map_or(0, |parts| parts.links.len());
    page.links.iter().enumerate().take(count).filter(|(_, link)| link.kind == LinkKind::Anchor)
}

/// A path and a target together.
fn key(path: u32, link: &Link) -> u64 {
    let target = match &link.target {
        Target::Web(url) => url.as_str(),
        Target::Malformed(text) => text,
    };
    xxh3_64(target.as_bytes()) ^ u64::from(path).rotate_left(32)
}
