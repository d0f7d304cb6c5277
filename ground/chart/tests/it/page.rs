//! The HTML form as a file: every page once, one a line, nothing of a stranger's text as markup, the same bytes every
//! time.

use groma_chart::{Field, Labels, SiteMap, html};
use groma_graph::WalkStep;

use crate::hostile::Hostile;
use crate::made_up::MadeUp;

pub(crate) fn drawn(map: &SiteMap<'_>, labels: &mut dyn Labels) -> String {
    let mut out = Vec::new();
    html::render(map, labels, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The lines of the list.
fn lines(page: &str) -> Vec<&str> {
    let list = page.split("<noscript").nth(1).unwrap().split("</noscript>").next().unwrap();
    list.lines().collect()
}

#[test]
fn every_page_is_a_line_in_reading_order_with_its_values() {
    let site = MadeUp::site(500);
    let map = SiteMap::new(site.heading(), site.tree());
    let page = drawn(&map, &mut site.labels());
    let lines = lines(&page);
    let pages: Vec<&&str> = lines.iter().filter(|line| line.starts_with("<li")).collect();
    let places =
        site.tree().walk().filter_map(|step| if let WalkStep::Enter(place) = step { Some(place) } else { None });
    assert_eq!(pages.len(), 500);
    for (line, place) in pages.iter().zip(places) {
        let label = site.labels().label(site.tree().node(place)).unwrap();
        assert!(line.contains(&format!("<a href=\"{}\"", label.url)), "{line}");
        assert!(label.title.is_empty() || line.contains(&format!(">{}</a>", label.title)), "{line}");
        assert!(line.contains(&format!("<i>{}</i>", map.pages(place))), "{line}");
    }
    let count = |what: &str| lines.iter().filter(|line| **line == what).count();
    assert_eq!(count("<ul>"), count("</ul>"));
    assert_eq!(page, drawn(&map, &mut site.labels()), "the same map gives the same bytes");
}

#[test]
fn folded_pages_are_counted_where_they_are_and_at_the_head() {
    let site = MadeUp::site(3_000);
    let map = SiteMap::new(site.heading(), site.tree());
    let options = html::Options { rows: 400, ..html::Options::default() };
    let mut out = Vec::new();
    html::render_with(&options, &map, &mut site.labels(), &mut out).unwrap();
    let page = String::from_utf8(out).unwrap();
    let lines = lines(&page);
    let folded = lines.iter().filter_map(|line| line.strip_prefix("<li class=m data-n="));
    let hidden: usize = folded.map(|rest| rest.split('>').next().unwrap().parse::<usize>().unwrap()).sum();
    let shown = lines.iter().filter(|line| line.contains("<a ")).count();
    assert_eq!((shown, shown + hidden), (400, 3_000));
    assert!(page.contains("it shows 400 of 3,000"));
}

#[test]
fn only_chosen_values_are_in_the_file() {
    let site = MadeUp::site(50);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = vec![Field::Status];
    map.depth = Some(1);
    let page = drawn(&map, &mut site.labels());
    let lines = lines(&page);
    assert!(lines.iter().all(|line| line.matches("<i>").count() <= 1));
    assert!(lines[0].contains("data-fields=\"status\""));
    assert!(page.contains("Shown to depth 1;"));
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = Hostile::new();
    let page = drawn(&hostile.map(), &mut Hostile::new());
    for (mark, times) in [("<script", 1), ("</script", 1), ("<noscript", 1), ("</noscript", 1), ("<style", 1)] {
        assert_eq!(page.matches(mark).count(), times, "{mark}");
    }
    assert!(!page.contains("href=\"javascript:") && !page.contains("href=\"data:text"));
    assert!(!page.chars().any(|c| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c)));
    let pages = lines(&page).iter().filter(|line| line.starts_with("<li")).count();
    assert_eq!(pages, hostile.texts.len(), "a page is a line");
    assert!(page.contains(&format!("href=\"https://groma.example/{}\"", "y".repeat(100_000))), "URLs are not cut");
}

#[test]
fn the_page_allows_itself_nothing_from_outside() {
    let site = MadeUp::site(3);
    let map = SiteMap::new(site.heading(), site.tree());
    let page = drawn(&map, &mut site.labels());
    assert!(page.contains("content=\"default-src 'none'; script-src 'sha256-"));
    assert!(!page.contains("unsafe-inline") && !page.contains(" src=") && !page.contains("style=\""));
}

#[test]
fn empty_maps_and_long_chains_are_written() {
    for site in [MadeUp::site(0), MadeUp::site(1), MadeUp::chain(5_000)] {
        let map = SiteMap::new(site.heading(), site.tree());
        let page = drawn(&map, &mut site.labels());
        let pages = lines(&page).iter().filter(|line| line.starts_with("<li")).count();
        assert_eq!(pages, site.tree().len() as usize);
    }
}
