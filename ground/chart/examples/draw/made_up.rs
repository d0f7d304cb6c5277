//! A site that does not exist: any number of pages, each label made when it is asked for, so that measured memory is that of
//! the map. Also used by the integration tests. The same number of pages gives the same site.

use std::io;

use groma_chart::{Heading, Label, Labels, Parts, Sort};
use groma_graph::{ArcScan, Tree};
use groma_model::Reason;

/// Words for titles, in several scripts.
const WORDS: [&str; 24] = [
    "Survey",
    "Roads",
    "Borders",
    "Camp",
    "Aqueduct",
    "Catalogue",
    "Měřictví",
    "Žižkov",
    "Straßen",
    "Übersicht",
    "Été",
    "Πλατεία",
    "Карта",
    "Измерение",
    "地図",
    "测量",
    "Letters",
    "Gallery",
    "News",
    "2024",
    "About us",
    "Contact",
    "מפה",
    "Archive",
];
const SEGMENTS: [&str; 8] = ["survey", "roads", "gallery", "news", "archive", "letters", "catalogue", "camp"];
const TYPES: [&str; 6] = ["text/html", "text/html", "text/html", "application/pdf", "image/jpeg", "text/plain"];

/// A site that exists nowhere, of any size.
pub(crate) struct MadeUp {
    tree: Tree,
}

/// A number that looks like chance, always the same for the same input.
fn dice(seed: u32, salt: u32) -> u32 {
    let mut x = u64::from(seed) << 32 | u64::from(salt);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) as u32
}

impl MadeUp {
    /// A site with the look of a real one: a few large branches, many leaves, some long lists.
    pub(crate) fn site(pages: u32) -> MadeUp {
        let mut parents: Vec<u32> = Vec::with_capacity(pages as usize);
        parents.extend((pages > 0).then_some(0));
        let mut parent = 0;
        while (parents.len() as u32) < pages {
            let family = match (parent, dice(parent, 1) % 100) {
                (0, _) => 9,
                (1..=9, chance) => 3 + chance % 20,
                (_, 0..=64) => 0,
                (_, 65..=94) => 1 + dice(parent, 2) % 8,
                (_, 95..=98) => 20 + dice(parent, 2) % 30,
                _ => 80 + dice(parent, 2) % 200,
            };
            // The site must not die out before it has all its pages.
            let family = if parent + 1 == parents.len() as u32 { family.max(1) } else { family };
            let room = pages - parents.len() as u32;
            parents.extend((0..family.min(room)).map(|_| parent));
            parent += 1;
        }
        MadeUp::of_parents(parents)
    }

    /// A chain: every page links to the next.
    pub(crate) fn chain(pages: u32) -> MadeUp {
        MadeUp::of_parents((0..pages).map(|place| place.saturating_sub(1)).collect())
    }

    /// A site whose tree has these parents, as in [`Tree::of_places`]; the nodes are numbered from the end.
    pub(crate) fn of_parents(parents: Vec<u32>) -> MadeUp {
        let nodes = (0..parents.len() as u32).rev().collect();
        MadeUp { tree: Tree::of_places(nodes, parents).expect("parents in order") }
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What stands at the head of its map.
    pub(crate) fn heading(&self) -> Heading {
        Heading {
            site: "Museum of Roman Surveying".into(),
            root: "https://groma.example/".into(),
            surveyed: 1_767_225_600,
            drawn: 1_767_312_000,
            generator: "Groma 0.1.0".into(),
            unreached: 14,
            notes: vec!["The crawl is still running: drawn up to depth 7.".into()],
        }
    }

    /// What is known of its pages.
    pub(crate) fn labels(&self) -> MadeUpLabels<'_> {
        MadeUpLabels { site: self }
    }

    fn place(&self, node: u32) -> u32 {
        self.tree.len() - 1 - node
    }

    fn url(&self, place: u32) -> String {
        let mut segments = Vec::new();
        let mut at = place;
        while let Some(parent) = self.tree.parent(at) {
            if segments.len() == 12 {
                break;
            }
            segments.push(format!("{}-{}", SEGMENTS[dice(at, 3) as usize % SEGMENTS.len()], at));
            at = parent;
        }
        segments.reverse();
        let mut url = format!("https://groma.example/{}", segments.join("/"));
        if !self.tree.children(place).is_empty() && place != 0 {
            url.push('/');
        }
        url
    }
}

/// The labels of a made-up site.
pub(crate) struct MadeUpLabels<'a> {
    site: &'a MadeUp,
}

impl Labels for MadeUpLabels<'_> {
    fn label(&mut self, node: u32) -> io::Result<Label> {
        let place = self.site.place(node);
        let roll = |salt| dice(place, salt);
        let reason = match roll(10) % 40 {
            _ if !self.site.tree.children(place).is_empty() => Reason::Fetched,
            0 => Reason::Robots,
            1 => Reason::DepthLimit,
            2 => Reason::Forbidden,
            _ => Reason::Fetched,
        };
        let indexed = reason == Reason::Fetched;
        let mut parts = Parts::default();
        if indexed {
            let favourite = Sort::ALL[roll(11) as usize % Sort::ALL.len()];
            parts.add(Sort::Page, Some(u64::from(roll(12) % 400_000)));
            for file in 0..roll(13) % 9 {
                parts.add(favourite, Some(u64::from(roll(14 + file) % 300_000)));
            }
        }
        let media_type =
            if self.site.tree.children(place).is_empty() { TYPES[roll(30) as usize % TYPES.len()] } else { TYPES[0] };
        let words = (0..1 + roll(31) % 4).map(|word| WORDS[roll(32 + word) as usize % WORDS.len()]);
        let title = match place {
            0 => "Museum of Roman Surveying".into(),
            _ if !indexed || roll(40) % 20 == 0 => String::new(),
            _ => words.collect::<Vec<_>>().join(" "),
        };
        let below = self.site.tree.len() as f64 / f64::from(place + 1);
        Ok(Label {
            url: self.site.url(place),
            title,
            reason,
            rank: 0.15 + below.sqrt() / 2.0,
            status: if indexed { 200 } else { 0 },
            media_type: if indexed { media_type.into() } else { String::new() },
            size: indexed.then(|| u64::from(roll(50) % 90_000) + 500),
            language: if indexed { ["en", "cs", "de", ""][roll(51) as usize % 4].into() } else { String::new() },
            words: if indexed { roll(52) % 3_000 } else { 0 },
            modified: (roll(53) % 3 == 0).then(|| 1_600_000_000 + i64::from(roll(54) % 150_000_000)),
            changed: indexed.then(|| 1_700_000_000 + i64::from(roll(55) % 60_000_000)),
            fetched: indexed.then_some(1_767_225_000),
            unlisted: roll(56) % 50 == 0,
            links_in: 1 + roll(57) % 50,
            links_out: if indexed { self.site.tree.children(place).len() as u32 + roll(58) % 20 } else { 0 },
            broken: if indexed && roll(59) % 12 == 0 { 1 + roll(60) % 5 } else { 0 },
            cluster: (place > 0).then(|| roll(61) % 7),
            database: "",
            parts,
        })
    }
}

impl ArcScan for MadeUp {
    fn node_count(&self) -> u32 {
        self.tree.len()
    }

    /// Every page links to its children, to the root, and to two pages anywhere.
    fn scan(&self, visit: &mut dyn FnMut(u32, &[u32])) {
        let count = self.tree.len();
        for node in 0..count {
            let place = self.place(node);
            let mut successors: Vec<u32> = self.tree.children(place).map(|child| self.tree.node(child)).collect();
            successors.extend([count - 1, dice(node, 70) % count, dice(node, 71) % count]);
            successors.retain(|&successor| successor != node);
            successors.sort_unstable();
            successors.dedup();
            if !successors.is_empty() {
                visit(node, &successors);
            }
        }
    }
}
