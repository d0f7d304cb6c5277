//! The report: complete, well-formed whatever strangers wrote, the same bytes every time, and calm in a browser.

use std::collections::BTreeMap;

use groma_chart::html::Words;
use groma_chart::report::{self, Findings, Options, ReportFile, ReportPage};
use groma_chart::{Labels, SiteMap};
use groma_check::external::ExternalSite;
use groma_check::inventory::{Amount, Inventory, TypeRow};
use groma_check::tell::Teller;
use groma_check::{Closing, Finding, Kind, Verdict};
use groma_model::{BlockKind, LinkKind, Reason};
use serde_json::json;

use crate::hostile::{self, Hostile};
use crate::made_up::MadeUp;
use crate::programs;
use groma_browser::Chromium;

/// What a report is made of, besides the map.
#[derive(Default)]
struct Stock {
    tally: BTreeMap<Reason, u64>,
    findings: Findings,
    first: Vec<u32>,
    inventory: Inventory,
    sites: Vec<ExternalSite>,
    limits: BTreeMap<String, u64>,
    remarks: Vec<String>,
    files: Vec<ReportFile>,
}

impl Stock {
    fn find(&mut self, finding: &Finding) {
        self.findings.tell(finding).unwrap();
        self.findings.summary.count(finding);
    }

    /// Every part of it filled with these texts, each a title and a URL.
    fn of_texts(texts: &[(String, String)]) -> Stock {
        let mut stock = Stock { first: (0..texts.len() as u32).collect(), ..Stock::default() };
        stock.tally = Reason::ALL.iter().map(|reason| (*reason, u64::from(reason.code()))).collect();
        for kind in Kind::ALL {
            for (n, (title, url)) in texts.iter().enumerate() {
                stock.find(&Finding {
                    to: (n % 2 == 0).then(|| title.clone()),
                    anchor: title.clone(),
                    detail: title.clone(),
                    block: Some(BlockKind::ListItem),
                    link: Some(LinkKind::Anchor),
                    reason: Some(Reason::NotFound),
                    since: [0, 86_400, i64::MAX, i64::MIN][n % 4],
                    ..Finding::of_page(*kind, url.clone())
                });
            }
        }
        for (n, (title, url)) in texts.iter().enumerate() {
            let amount = Amount { amount: u64::MAX - n as u64, url: url.clone() };
            let row = TypeRow { media_type: title.clone(), pages: 1, bytes: u64::MAX, largest: amount.clone() };
            stock.inventory.types.push(row);
            stock.inventory.largest.push(amount.clone());
            stock.inventory.slowest.push(amount);
            stock.inventory.depths.insert(n as u32, 1);
            let examples = vec![url.clone()];
            stock.sites.push(ExternalSite { site: title.clone(), links: 1, embedded: 0, pages: 1, examples });
            stock.limits.insert(title.clone(), 1);
            stock.remarks.push(title.clone());
        }
        stock.inventory.sizes = vec![(Some(1_000), 1), (Some(10_000), 0), (None, 3)];
        stock
    }

    fn written(&self, map: &SiteMap<'_>, labels: &mut dyn Labels, options: &Options<'_>) -> String {
        let mut findings = self.findings.clone();
        findings.close(&Closing { summary: &self.findings.summary, verdict: &Verdict::default() }).unwrap();
        let page = ReportPage {
            map,
            tally: &self.tally,
            fetches: 7,
            bytes: 7_000,
            findings: &findings,
            first: &self.first,
            ranked: self.first.len() as u64 + 3,
            inventory: &self.inventory,
            sites: &self.sites,
            limits: &self.limits,
            remarks: &self.remarks,
            files: &self.files,
        };
        let mut out = Vec::new();
        report::render_with(options, &page, labels, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }
}

fn hostile_report() -> String {
    let hostile = Hostile::new();
    let mut map = hostile.map();
    map.heading.site = "</title><script>alert(1)</script>\u{202e}".into();
    map.heading.root = "javascript:alert(1)".into();
    map.heading.notes = hostile::texts().into_iter().map(|(title, _)| title).collect();
    Stock::of_texts(&hostile::texts()).written(&map, &mut Hostile::new(), &Options::default())
}

/// What our elements have; neither styles nor anything that runs or loads.
const ATTRIBUTES: [&str; 21] = [
    "aria-hidden",
    "aria-label",
    "charset",
    "class",
    "content",
    "height",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "preserveAspectRatio",
    "rel",
    "rx",
    "scope",
    "tabindex",
    "viewBox",
    "width",
    "x",
    "/",
];

/// The names of the attributes of a tag. No value has a quotation mark in it.
fn attributes(tag: &str) -> impl Iterator<Item = &str> {
    let outside = tag.split('"').step_by(2).flat_map(str::split_whitespace);
    outside.skip(1).map(|word| word.split('=').next().unwrap_or_default())
}

/// The elements of a page in their order; fails where one is closed that is not the last opened, or is left open.
fn elements(page: &str) -> Vec<String> {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let (mut open, mut all): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for tag in format!("{before}{after}").split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("not closed: {tag:.80}"));
        let name: String = tag.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "{tag:.80}");
        } else if !tag.starts_with('!') {
            attributes(tag).for_each(|attribute| assert!(ATTRIBUTES.contains(&attribute), "{attribute}: {tag:.80}"));
            all.push(name.clone());
            if !tag.ends_with(" /") && !["meta", "link"].contains(&name.as_str()) {
                open.push(name);
            }
        }
    }
    assert_eq!(open, Vec::<String>::new(), "left open");
    all
}

#[test]
fn hostile_texts_stay_texts_in_every_part() {
    let page = hostile_report();
    let elements = elements(&page);
    assert!(!elements.iter().any(|name| name == "script"));
    assert_eq!(elements.iter().filter(|name| *name == "title").count(), 1);
    assert!(!page.contains("href=\"javascript:") && !page.contains("href=\"data:text"));
    assert!(!page.chars().any(|c| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c)));
    // Texts of 100 kB stand in it a hundred times, cut.
    assert!(page.len() < 2_000_000, "{}", page.len());
}

#[test]
fn a_report_has_all_its_parts_and_counts_what_it_leaves_out() {
    let site = MadeUp::site(3_000);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.heading.unreached = 5;
    let mut stock = Stock { findings: Findings::keeping(3), first: vec![0, 1, 2], ..Stock::default() };
    stock.tally =
        [(Reason::Fetched, 2_990), (Reason::Robots, 9), (Reason::NotFound, 1), (Reason::Redirected, 4)].into();
    for n in 0..10 {
        let to = Some(format!("https://groma.example/gone-{n}"));
        stock.find(&Finding { to, ..Finding::of_page(Kind::InvalidLink, "https://groma.example/a".into()) });
    }
    let page = stock.written(&map, &mut site.labels(), &Options::default());
    elements(&page);
    for words in [
        "3,000 URLs were discovered",
        "2,990 fetched",
        "4 other names",
        "https://groma.example/gone-2",
        "and 7 more: <code>groma check -f csv</code>",
        "and 3 more: <code>groma rank</code>",
        "What to do: remove the link",
        "5 pages of the survey cannot be reached",
        "robots.txt asks us not to fetch it",
        "Every page listed as an orphan is one",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("gone-3") && !page.contains("id=files") && !page.contains("id=limits"));
    // The map: shown and hidden pages are all pages.
    let map = page.split("<ul class=map>").nth(1).unwrap().split("</section>").next().unwrap();
    let number = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().unwrap();
    let hidden: u64 = map.split("class=more>").skip(1).map(|rest| number(rest.split('<').next().unwrap())).sum();
    let shown = map.matches("rel=\"noopener noreferrer\"").count() as u64;
    assert_eq!((shown, shown + hidden), (200, 3_000));
}

#[test]
fn a_link_of_every_page_does_not_hide_the_others() {
    let site = MadeUp::site(3);
    let find = |most: usize| {
        let mut stock = Stock { findings: Findings::keeping(most), ..Stock::default() };
        for n in 0..1_234 {
            for to in ["https://groma.example/<footer>".to_owned(), format!("https://groma.example/gone-{n}")] {
                let from = format!("https://groma.example/page-{n}");
                stock.find(&Finding { to: Some(to), ..Finding::of_page(Kind::InvalidLink, from) });
            }
        }
        stock
    };
    let stock = find(20);
    let page = stock.written(&map_of(&site), &mut site.labels(), &Options::default());
    elements(&page);
    assert_eq!(page.matches("<bdi>https://groma.example/&lt;footer&gt;</bdi>").count(), 1, "one group");
    assert!(page.contains("</a> <span class=count>1,234 pages</span>"), "{page}");
    assert!(page.contains("1 link \u{d7} 1,234 pages: it is in the template of the site"));
    assert_eq!(page.matches("<span class=count>1 page</span>").count(), 19);
    assert!(page.contains("and 1,215 more: <code>"));
    let all = find(usize::MAX).written(&map_of(&site), &mut site.labels(), &Options::default());
    assert_eq!(all.matches("<span class=count>1 page</span>").count(), 1_234);
    assert!(all.contains("gone-1233<") && !all.contains("groma check -f csv"), "without a limit all are listed");
}

fn map_of(site: &MadeUp) -> SiteMap<'_> {
    SiteMap::new(site.heading(), site.tree())
}

#[test]
fn in_a_folder_the_rest_is_in_its_files() {
    let site = MadeUp::site(20);
    let mut stock = Stock { findings: Findings::keeping(1), first: vec![0], ..Stock::default() };
    for n in 0..3 {
        let from = format!("https://groma.example/{n}");
        stock.find(&Finding { detail: ["a", "b", "c"][n].into(), ..Finding::of_page(Kind::Orphan, from) });
    }
    stock.files = ["map.html", "findings.csv", "ranks.csv", "sitemap-2.xml"]
        .map(|name| ReportFile { name: name.into(), bytes: 1_234 })
        .to_vec();
    let page = stock.written(&map_of(&site), &mut site.labels(), &Options::default());
    elements(&page);
    for words in [
        "and 2 more: see <a href=\"findings.csv\">findings.csv</a>",
        "and 3 more: see <a href=\"ranks.csv\">ranks.csv</a>",
        "searched: <a href=\"map.html\">map.html</a>",
        "<a href=\"sitemap-2.xml\">sitemap-2.xml</a></td><td>a sitemap for search engines",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(page, stock.written(&map_of(&site), &mut site.labels(), &Options::default()), "the same bytes again");
}

#[test]
fn empty_surveys_and_long_chains_are_written() {
    for (site, first) in [(MadeUp::site(0), vec![]), (MadeUp::site(1), vec![0]), (MadeUp::chain(5_000), vec![0, 4_999])]
    {
        let stock = Stock { first, ..Stock::default() };
        let page = stock.written(&map_of(&site), &mut site.labels(), &Options::default());
        elements(&page);
        assert!(page.contains("Nothing was found in 0 pages"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }
}

#[test]
fn another_language_takes_the_place_of_english() {
    let table = [("report", "Bericht über {site}"), ("findings", "Befunde"), ("kind.orphan", "verwaist")];
    let words = Words { language: "de", table: &table };
    let site = MadeUp::site(3);
    let mut stock = Stock::default();
    stock.find(&Finding::of_page(Kind::Orphan, "https://groma.example/x".into()));
    let page = stock.written(&map_of(&site), &mut site.labels(), &Options { words, ..Options::default() });
    assert!(page.contains("<html lang=\"de\">") && page.contains("Bericht über <bdi>") && page.contains(">Verwaist<"));
    assert!(page.contains("How to read this"), "what is not translated stays English");
}

#[test]
fn a_browser_reads_it_without_complaint_or_request() {
    let page = hostile_report();
    let path = programs::file("report-hostile.html", page.as_bytes());
    let Some(mut browser) = Chromium::start("report") else { return };
    browser.open(&path, "");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.value("document.scripts.length"), json!(0));
    // The parser found the elements that were written, in the same number: nothing broke out, nothing was moved.
    let written = elements(&page);
    for name in ["a", "li", "ul", "details", "summary", "tr", "bdi", "section", "rect"] {
        let count = written.iter().filter(|other| *other == name).count();
        assert_eq!(browser.value(&format!("document.getElementsByTagName('{name}').length")), json!(count), "{name}");
    }
    assert_eq!(browser.value("document.getElementsByTagName('style').length"), json!(1));
    assert_ne!(
        browser.value("getComputedStyle(document.querySelector('.bar')).height"),
        json!("auto"),
        "the style holds"
    );
    for width in [1280, 360] {
        let metrics = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        browser.ask("Emulation.setDeviceMetricsOverride", &metrics);
        let overflow = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(overflow, json!(0), "wider than {width}");
    }
    browser.value("document.querySelector('#redirect > summary').focus()");
    assert_eq!(browser.value("document.getElementById('redirect').open"), json!(false));
    let enter = json!({ "type": "keyDown", "key": "Enter", "text": "\r", "windowsVirtualKeyCode": 13 });
    browser.ask("Input.dispatchKeyEvent", &enter);
    browser.wait_for("document.getElementById('redirect').open");
    browser.ask("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    assert!(
        browser.value("document.querySelector('#cut .found').offsetHeight").as_f64().unwrap() > 0.0,
        "folded is printed"
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
