//! Every check has an example that has the fault and one that has not; here they are read as pages are, and checked.

use groma_model::{BlockKind, Depth, Limits, LinkKind, PageId, ParsedPage, Reason, Target};
use groma_page::{Filter, Html, Input};
use groma_url::Url;

use crate::catalogue::{Judge, Kind, Thresholds, judge_of};
use crate::finding::{Finding, Kinds};
use crate::memory::{Linked, Survey};
use crate::testing::found;
use crate::{Options, check};

const HOME: &str = "https://a.example/";

/// A page of an example, as it is written there.
#[derive(Default)]
struct Written<'a> {
    url: &'a str,
    words: Vec<&'a str>,
    header: Vec<(String, String)>,
    body: String,
}

fn written(example: &str) -> Vec<Written<'_>> {
    let mut pages: Vec<Written<'_>> = Vec::new();
    for line in example.lines() {
        if let Some(rest) = line.strip_prefix("@ ") {
            let mut words = rest.split(' ');
            pages.push(Written { url: words.next().unwrap(), words: words.collect(), ..Written::default() });
            continue;
        }
        if pages.is_empty() {
            pages.push(Written { url: HOME, ..Written::default() });
        }
        let page = pages.last_mut().unwrap();
        match line.strip_prefix("> ").and_then(|field| field.split_once(": ")) {
            Some((name, value)) => page.header.push((name.to_ascii_lowercase(), value.to_owned())),
            None => page.body.push_str(&format!("{line}\n")),
        }
    }
    if pages.is_empty() {
        pages.push(Written { url: HOME, ..Written::default() });
    }
    pages
}

/// The survey that an example comes to.
fn survey(example: &str) -> Survey {
    let pages = written(example);
    let mut survey = Survey::default();
    for page in &pages {
        let has = |word: &str| page.words.contains(&word);
        let status = page.words.iter().find_map(|word| word.parse::<u16>().ok());
        let outside = has("outside");
        let reason = match status {
            _ if outside => Reason::OutOfScope,
            _ if has("robots") => Reason::Robots,
            Some(301) => Reason::Redirected,
            Some(status) if status != 200 => Reason::of_status(status),
            _ => Reason::Fetched,
        };
        let id = survey.add(page.url, reason);
        let stored = survey.page(id);
        stored.in_scope = !outside;
        stored.from_sitemap = has("sitemap");
        stored.depth = if id == PageId(0) { Depth(0) } else { Depth(1) };
        stored.status = status.unwrap_or(200);
        stored.cuts = page.words.iter().find_map(|word| word.strip_prefix("cut:")).unwrap_or_default().to_owned();
        if outside {
            let answer = match status {
                Some(200) | None => Reason::Fetched,
                Some(status) => Reason::of_status(status),
            };
            survey.asked.insert(id, (answer, if has("moved") { "https://b.example/new" } else { "" }));
        }
    }
    for (at, page) in pages.iter().enumerate() {
        let id = PageId(at as u32);
        if let Some(to) = page.words.iter().find(|word| word.starts_with("http")) {
            survey.page(id).alias_of = number(&mut survey, to);
        }
        if survey.page(id).reason == Reason::Fetched {
            read(&mut survey, id, page);
        }
    }
    survey
}

/// The number of a URL, which becomes known by it.
fn number(survey: &mut Survey, url: &str) -> Option<PageId> {
    let url = url.split('#').next().unwrap();
    let known = survey.pages.iter().position(|page| page.url == url);
    Some(known.map_or_else(
        || {
            let inside = url.starts_with(HOME) || url.starts_with("http://a.example");
            let id = survey.add(url, if inside { Reason::Waiting } else { Reason::OutOfScope });
            survey.page(id).in_scope = inside;
            id
        },
        |at| PageId(at as u32),
    ))
}

fn read(survey: &mut Survey, id: PageId, written: &Written<'_>) {
    let (url, limits) = (Url::parse(written.url).unwrap(), Limits::default());
    let input =
        Input { bytes: written.body.as_bytes(), url: &url, charset: Some("utf-8"), limits: &limits, parts: false };
    let mut page: ParsedPage = Html.read(&input);
    let version = written.header.iter().find(|(name, _)| name == "version").map(|(_, value)| value.clone());
    if !written.header.is_empty() {
        page.markup.keep_header(version.as_deref().unwrap_or("HTTP/2"), &written.header);
    }
    let links = page.links.iter().map(|link| {
        let Target::Web(to) = &link.target else { panic!("the examples have URLs only") };
        let fragment = to.fragment().unwrap_or_default().to_owned();
        let (kind, rel, block, text) = (link.kind, link.rel, link.block, link.text.clone());
        Linked { target: number(survey, to.as_str()).unwrap(), kind, rel, block, text, fragment }
    });
    let links: Vec<Linked> = links.collect();
    let canonical = links.iter().find(|link| link.kind == LinkKind::Canonical).map(|link| link.target);
    let stored = survey.page(id);
    stored.title.clone_from(&page.title);
    let heading = page.blocks.iter().find(|block| block.kind == BlockKind::Heading1);
    stored.heading = heading.map(|block| block.text.clone()).unwrap_or_default();
    (stored.text_fp, stored.near_fp, stored.words) = (page.text_fp, page.near_fp, page.words);
    stored.language = page.language.clone().unwrap_or_default();
    stored.noindex = page.directives.noindex;
    stored.canonical = canonical;
    stored.anchors = std::mem::take(&mut page.anchors);
    stored.size = written.body.len() as u64;
    stored.links = links;
    stored.read = Some(Box::new(page));
}

#[test]
fn each_check_finds_its_fault_and_nothing_in_what_is_fine() {
    let wrong = |kind: &&Kind| {
        let example = kind.definition().example;
        let missed = !example.fault.is_empty() && found(&mut survey(example.fault), **kind).is_empty();
        missed || !found(&mut survey(example.fine), **kind).is_empty()
    };
    assert_eq!(Kind::ALL.iter().filter(wrong).collect::<Vec<_>>(), [&Kind::InvalidLink; 0]);
}

/// Faults that would make long examples, with numbers that are smaller.
#[test]
fn what_is_too_much_depends_on_the_threshold() {
    let found = |kind: Kind, name: &str, value: u64, change: &dyn Fn(&mut Survey)| {
        let mut thresholds = Thresholds::default();
        assert!(thresholds.set(name, value), "{name}");
        let options = Options { kinds: Kinds::NONE.with(kind), thresholds, ..Options::default() };
        let mut survey =
            survey("<title>Hours</title><a href=/x>Prices</a>\n@ https://a.example/x\n<title>Prices</title>");
        change(&mut survey);
        let mut found: Vec<Finding> = Vec::new();
        let mut sink = |finding: &mut Finding| {
            found.push(finding.clone());
            Ok(())
        };
        check(&mut survey, &options, &mut sink).unwrap();
        found.into_iter().map(|finding| finding.detail).collect::<Vec<_>>()
    };
    let nothing = |_: &mut Survey| ();
    let image = |survey: &mut Survey| survey.page(PageId(1)).media_type = "image/png".to_owned();
    let slow = |survey: &mut Survey| survey.page(PageId(1)).elapsed_ms = 2_345;
    for (kind, name, value, change, details) in [
        (Kind::LinksMany, "page_links", 0, &nothing as &dyn Fn(&mut Survey), vec!["1 links"]),
        (Kind::LinksMany, "page_links", 1, &nothing, vec![]),
        (Kind::UrlLong, "url_chars", 18, &nothing, vec!["19 characters"]),
        (Kind::ElementsMany, "elements", 1, &nothing, vec!["2 elements"]),
        (Kind::Deep, "depth", 0, &nothing, vec!["1 clicks"]),
        (Kind::HtmlLarge, "html_bytes", 10, &nothing, vec!["0 kB", "0 kB"]),
        (Kind::ImageLarge, "image_bytes", 10, &image, vec!["0 kB"]),
        (Kind::ImageLarge, "image_bytes", 10, &nothing, vec![]),
        (Kind::SlowAnswer, "answer_ms", 2_000, &slow, vec!["2.3 s"]),
        (Kind::SlowAnswer, "answer_ms", 3_000, &slow, vec![]),
    ] {
        assert_eq!(found(kind, name, value, change), details, "{kind} with {name} {value}");
    }
}

#[test]
fn what_is_said_of_a_server_is_said_once() {
    let site = "> Server: x\n<title>A</title>\n@ https://a.example/2\n> X-Frame-Options: DENY\n<title>B</title>\n@ https://a.example/3\n> Server: x\n\
        <title>C</title>";
    let [finding] = found(&mut survey(site), Kind::FramingOpen).try_into().unwrap();
    assert_eq!((finding.from.as_str(), finding.detail.as_str()), (HOME, "on 2 of 3 pages of this server"));
    let [finding] = found(&mut survey("> Server: x/1.0\n<title>A</title>"), Kind::VersionRevealed).try_into().unwrap();
    assert_eq!(finding.detail, "\u{201c}x/1.0\u{201d}; on all 1 page of this server");
}

#[test]
fn definitions_are_whole() {
    for &kind in Kind::ALL {
        let definition = kind.definition();
        assert!(definition.help.ends_with(['.', ')']) && definition.help.len() > 40, "{kind}");
        assert!(!definition.headline.ends_with('.') && !definition.next_step.ends_with('.'), "{kind}");
        assert!(
            definition.example.fault.is_empty() == is_of_size(kind),
            "{kind} has an example of its fault, unless that would be long"
        );
        let of_size = matches!(judge_of(kind), Judge::Row(_) | Judge::Page(_));
        assert_eq!(kind.is_of_link_alone(), matches!(judge_of(kind), Judge::Link(_)), "{kind}");
        assert!(of_size || !definition.example.fault.is_empty(), "{kind}");
    }
}

/// Checks whose fault is that something is too much.
fn is_of_size(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, LinksMany | UrlLong | ImageLarge | SlowAnswer | HtmlLarge | ElementsMany | Deep)
}
