//! Counts of hits by section, type, language and site.

use crate::{Page, Site, page};

#[test]
fn hits_are_counted_by_section_type_language_and_site() {
    let mut pages = vec![page("/", "Home", "stone").link("/a/", "A").link("/b/", "B")];
    let mut a = page("/a/", "Part A", "stone");
    for n in 0..6 {
        a = a.link(&format!("/a/{n}"), "x");
        pages.push(page(&format!("/a/{n}"), "Leaf", "stone").language(if n < 2 { "de" } else { "en" }));
    }
    pages.push(a.link("/a/deep/", "Deep"));
    pages.push(page("/a/deep/", "Deep part", "stone").link("/a/deep/1", "one"));
    pages.push(page("/a/deep/1", "Deep one", "stone"));
    pages.push(Page { media_type: "text/plain".into(), ..page("/b/", "Part B", "stone") });
    let mut site = Site::with_pages(&pages);
    site.follow();
    let answer = site.ask("stone");
    let facets = answer.facets.unwrap();
    let counts = |list: &[groma_search::FacetCount]| -> Vec<(String, u64)> {
        list.iter().map(|facet| (facet.label.clone(), facet.count)).collect()
    };
    let own =
        |list: &[(&str, u64)]| -> Vec<(String, u64)> { list.iter().map(|(l, n)| ((*l).to_owned(), *n)).collect() };
    assert_eq!(counts(&facets.sections), own(&[("Part A", 9), ("Part B", 1)]));
    assert_eq!(counts(&facets.types), own(&[("Web pages", 10), ("Plain text", 1)]));
    assert_eq!(counts(&facets.languages), own(&[("en", 9), ("de", 2)]));
    assert_eq!(counts(&facets.sites), own(&[("site.test", 11)]));
    for (key, list) in
        [("in", &facets.sections), ("type", &facets.types), ("lang", &facets.languages), ("site", &facets.sites)]
    {
        for facet in list {
            let narrowed = site.ask(&format!("stone {key}:{}", facet.value));
            assert_eq!(narrowed.total, facet.count, "{key}:{}", facet.value);
            assert!(narrowed.notes.is_empty());
        }
    }
    let inside = site.ask("stone in:http://site.test/a/").facets.unwrap();
    assert_eq!(inside.sections[0].value, "http://site.test/a/deep/");
    assert_eq!((inside.sections[0].count, inside.sections.len()), (2, 7));
}
