//! How long does a check of a large survey take, and how much memory?
//!
//! A site that is a function: pages, links and texts follow from numbers, nothing is stored. Run it as
//! `cargo run --release -p groma-check --example scale -- 1000000 10`, pages and links a page; memory with `/usr/bin/time -v`.

use std::io;
use std::time::Instant;

use groma_check::tell::{Format, Manner, teller};
use groma_check::{
    Completeness, Evidence, Gate, LinkFacts, Options, PageFacts, PageLinks, Report, TextFacts, check, external,
};
use groma_model::{BlockKind, Depth, Fp, LinkKind, Markup, PageId, Reason, Rel};

struct Site {
    pages: u32,
    links: u32,
    markup: Markup,
}

fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

impl Site {
    /// One URL in fifty is unreachable, one in fifty redirects, the rest are pages.
    fn reason(id: u32) -> Reason {
        match id % 50 {
            7 => Reason::NotFound,
            13 => Reason::Redirected,
            _ => Reason::Fetched,
        }
    }

    fn facts(id: u32, call: &mut dyn FnMut(&PageFacts<'_>)) {
        let url = format!("https://www.example.org/section-{}/page-{id}.html", id % 997);
        let title = format!("Page {} of the example", id / 3);
        let text = u64::from(if id.is_multiple_of(20) { id / 40 } else { id });
        // One page in ten is of a crowd of pages that are all rather alike: up to eight bits from one another's middle.
        let turn = |n: u64| 1u64 << (mix(u64::from(id) << 8 | n) % 64);
        let near = if id % 10 == 3 {
            (0..8).fold(0x1234_5678_9abc_def0, |hash, n| hash ^ turn(n))
        } else {
            mix(u64::from(id))
        };
        call(&PageFacts {
            depth: Depth(u32::from(id > 0) + id / 100_000),
            since: 1_700_000_000 + i64::from(id),
            alias_of: (Site::reason(id) == Reason::Redirected).then_some(PageId(id - 1)),
            status: 200,
            media_type: "text/html",
            size: 20_000,
            title: &title,
            text: TextFacts {
                fp: Some(Fp::hash_bytes(&text.to_le_bytes())),
                near_fp: near,
                words: 400,
                language: "en",
            },
            ..PageFacts::new(PageId(id), &url, Site::reason(id))
        });
    }

    fn linked(&self, id: u32, call: &mut dyn FnMut(&PageLinks<'_>)) {
        if Site::reason(id) != Reason::Fetched {
            return;
        }
        let target = |n: u32| (mix(u64::from(id) << 20 | u64::from(n)) % u64::from(self.pages)) as u32;
        let links: Vec<LinkFacts<'_>> = (0..self.links)
            .map(|n| LinkFacts {
                target: PageId(target(n)),
                kind: LinkKind::Anchor,
                rel: Rel::default(),
                block: if n < 5 { BlockKind::Navigation } else { BlockKind::Paragraph },
                text: "the text of a link of usual length",
                fragment: if n == 9 { "part-2" } else { "" },
            })
            .collect();
        let anchors = [format!("part-{}", id % 3), "top".to_owned()];
        call(&PageLinks {
            id: PageId(id),
            heading: "A heading",
            links: &links,
            anchors: &anchors,
            blocks: &[],
            forms: &[],
            metas: &[],
            markup: Some(&self.markup),
            structured: None,
        });
    }
}

impl Evidence for Site {
    fn pages(&mut self, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        (0..self.pages).for_each(|id| Site::facts(id, call));
        Ok(())
    }

    fn links(&mut self, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        (0..self.pages).for_each(|id| self.linked(id, call));
        Ok(())
    }

    fn url(&mut self, id: PageId) -> io::Result<String> {
        let mut url = String::new();
        Site::facts(id.0, &mut |page| page.url.clone_into(&mut url));
        Ok(url)
    }

    fn page(&mut self, id: PageId, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        Site::facts(id.0, call);
        Ok(())
    }

    fn links_of(&mut self, id: PageId, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        self.linked(id.0, call);
        Ok(())
    }

    fn completeness(&mut self) -> io::Result<Completeness> {
        Ok(Completeness { finished: true, limits: Vec::new(), sitemap_read: true })
    }
}

fn main() -> io::Result<()> {
    let number = |at, otherwise| std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let mut site = Site { pages: number(1, 1_000_000), links: number(2, 10), markup: Markup::default() };
    let begun = Instant::now();
    site.pages(&mut |_| ())?;
    site.links(&mut |_| ())?;
    println!("making the site up once: {:.2} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let summary = check(&mut site, &Options::default(), &mut |_| Ok(()))?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{} pages, {} links: {} findings in {seconds:.2} s", summary.pages, summary.links, summary.total());
    for (kind, count) in summary.found() {
        println!("  {:>9} {kind}", count.all);
    }
    let gate = Gate::open();
    let report = Report { options: Options::default(), gate: &gate, baseline: None, only_new: false, copy: None };
    let (begun, mut told) = (Instant::now(), Vec::new());
    report.write(&mut site, &mut *teller(Format::Text, &mut told, &Manner::default()))?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("checked and told by cause: {seconds:.2} s, {} lines", String::from_utf8_lossy(&told).lines().count());
    let begun = Instant::now();
    let sites = external::table(&mut site, &external::Border::Domain)?;
    println!("external sites: {} in {:.2} s", sites.len(), begun.elapsed().as_secs_f64());
    Ok(())
}
