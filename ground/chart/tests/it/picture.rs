//! The SVG form: well-formed XML without scripts, every page shown or counted.

use groma_chart::{Field, Labels, SiteMap, svg};

use crate::hostile::Hostile;
use crate::made_up::MadeUp;
use crate::programs::{content, file, run};

fn drawn(map: &SiteMap<'_>, labels: &mut dyn Labels) -> Vec<u8> {
    let mut out = Vec::new();
    svg::render(map, labels, &mut out).unwrap();
    out
}

/// How many elements of a name there are, read by a reader of XML.
fn count(bytes: &[u8], name: &str) -> usize {
    let mut reader = quick_xml::Reader::from_reader(bytes);
    let mut found = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                found += usize::from(tag.name().as_ref() == name);
            }
            quick_xml::events::Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn every_page_is_a_row_with_a_link_and_its_chart() {
    let site = MadeUp::site(300);
    let map = SiteMap::new(site.heading(), site.tree());
    let picture = drawn(&map, &mut site.labels());
    assert_eq!((count(&picture, "a"), count(&picture, "script")), (300, 0));
    // One dot a page; a legend, and a chart of at least one part for most pages.
    assert_eq!(count(&picture, "circle"), 300);
    assert!(count(&picture, "rect") > 400);
    assert_eq!(picture, drawn(&map, &mut site.labels()));
}

#[test]
fn a_large_map_is_folded_and_says_so() {
    let site = MadeUp::site(20_000);
    let map = SiteMap::new(site.heading(), site.tree());
    let picture = drawn(&map, &mut site.labels());
    assert_eq!(count(&picture, "circle"), 2_000);
    let text = String::from_utf8(picture).unwrap();
    assert!(text.contains("2,000 of 20,000 pages are shown") && text.contains("more pages in"));
}

#[test]
fn only_chosen_columns_are_drawn() {
    let site = MadeUp::site(30);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = vec![Field::Title];
    let text = String::from_utf8(drawn(&map, &mut site.labels())).unwrap();
    assert!(!text.contains("class=\"bar\"") && !text.contains("class=\"number"));
}

#[test]
fn hostile_texts_chains_and_nothing_are_drawn_as_proper_xml() {
    let hostile = Hostile::new();
    let (none, chain) = (MadeUp::site(0), MadeUp::chain(3_000));
    let pictures = [
        drawn(&hostile.map(), &mut Hostile::new()),
        drawn(&SiteMap::new(none.heading(), none.tree()), &mut none.labels()),
        drawn(&SiteMap::new(chain.heading(), chain.tree()), &mut chain.labels()),
    ];
    for (number, picture) in pictures.iter().enumerate() {
        assert_eq!(count(picture, "script"), 0);
        let text = std::str::from_utf8(picture).unwrap();
        assert!(!text.contains("href=\"javascript:") && !text.contains("href=\"data:"));
        let path = file(&format!("picture-{number}.svg"), picture);
        if let Some(output) = run("xmllint", &["--noout", "--huge", "--nonet", path.to_str().unwrap()]) {
            content(&output, "xmllint");
        }
    }
}
