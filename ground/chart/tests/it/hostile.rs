//! Pages whose titles and URLs try to break out of every form.

use std::io;

use groma_chart::{Heading, Label, Labels, Parts, SiteMap, Sort};
use groma_graph::{ArcScan, Tree};
use groma_model::Reason;

/// The texts, each a title and a URL.
pub(crate) fn texts() -> Vec<(String, String)> {
    let titles = [
        "</script><script>alert(1)</script>",
        "]]><!-- -- --><?xml?>&lt;&#0;&bogus;",
        "\0\u{1}\u{8}\u{b}\u{c}\u{e}\u{1f}\u{7f}\u{85}\u{fffe}\u{ffff}",
        "\x1b[2J\x1b]0;owned\x07\r\nsecond line\tand tab",
        "\u{202e}gnitirw\u{2066} \u{200f}\u{61c} מפה \u{2028}\u{2029}",
        "\"quotes' \\ \\u0000 \\ud800 {{7*7}} $(id) `id` %s%n",
        "e\u{301}\u{301}\u{301}\u{301} 👩‍👩‍👧‍👦 🏳️‍🌈 ﷽ 地図",
        "=HYPERLINK(\"x\")",
        "   ",
        "",
    ];
    let urls = [
        "javascript:alert(document.domain)",
        "https://groma.example/a?x=1&y=<2>\"'`",
        "https://groma.example/') format('pdf",
        "data:text/html,<script>alert(1)</script>",
        "https://groma.example/\u{0}\n\r\t\u{202e}",
        "",
        "https://",
        "https://groma.example/%00%ff%zz%",
        "http://[::1]:80/ü ž",
        "https://groma.example/--]]>",
    ];
    let mut texts: Vec<(String, String)> =
        titles.iter().zip(urls).map(|(title, url)| ((*title).to_owned(), url.to_owned())).collect();
    texts.push(("x".repeat(100_000), format!("https://groma.example/{}", "y".repeat(100_000))));
    texts.push(("ž\u{301} ".repeat(30_000), "https://groma.example/z".into()));
    texts
}

/// A site with these texts: a root and below it all of them in two layers.
pub(crate) struct Hostile {
    pub(crate) tree: Tree,
    pub(crate) texts: Vec<(String, String)>,
}

impl Hostile {
    pub(crate) fn new() -> Hostile {
        let texts = texts();
        let count = texts.len() as u32;
        let parents = (0..count).map(|place| u32::from(place > count / 2)).collect();
        Hostile { tree: Tree::of_places((0..count).collect(), parents).unwrap(), texts }
    }

    pub(crate) fn map(&self) -> SiteMap<'_> {
        let heading = Heading {
            site: self.texts[0].0.clone(),
            root: self.texts[1].1.clone(),
            surveyed: i64::MIN,
            drawn: i64::MAX,
            generator: self.texts[2].0.clone(),
            unreached: u64::MAX,
            notes: self.texts.iter().map(|(title, _)| title.clone()).collect(),
        };
        let mut map = SiteMap::new(heading, &self.tree);
        map.fields = groma_chart::Field::ALL.to_vec();
        map.fields.extend(groma_chart::Field::USUAL);
        map
    }
}

impl Labels for Hostile {
    fn label(&mut self, node: u32) -> io::Result<Label> {
        let (title, url) = self.texts[node as usize].clone();
        let mut parts = Parts::default();
        for sort in Sort::ALL {
            parts.add(sort, if node.is_multiple_of(2) { Some(u64::MAX) } else { None });
        }
        Ok(Label {
            reason: Reason::ALL[node as usize % Reason::ALL.len()],
            rank: [f64::NAN, f64::INFINITY, f64::MAX, -1.0][node as usize % 4],
            status: u16::MAX,
            media_type: title.clone(),
            size: Some(u64::MAX),
            language: title.clone(),
            words: u32::MAX,
            modified: Some(i64::MAX),
            changed: Some(i64::MIN),
            fetched: Some(0),
            unlisted: false,
            links_in: u32::MAX,
            links_out: u32::MAX,
            broken: u32::MAX,
            cluster: Some(u32::MAX),
            database: "search-form",
            parts,
            title,
            url,
        })
    }
}

impl ArcScan for Hostile {
    fn node_count(&self) -> u32 {
        self.tree.len()
    }

    /// Every page links to every other.
    fn scan(&self, visit: &mut dyn FnMut(u32, &[u32])) {
        for node in 0..self.tree.len() {
            let others: Vec<u32> = (0..self.tree.len()).filter(|&other| other != node).collect();
            visit(node, &others);
        }
    }
}
