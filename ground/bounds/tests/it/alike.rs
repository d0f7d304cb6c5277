//! Where URLs mislead, what pages say decides; where nothing is known of pages, URLs decide as ever.

use groma_bounds::content_similarity::{Rarity, Words};
use groma_bounds::{ContentSimilarity, Settings, Start, Web, clusters, find};
use groma_graph::Csr;

use crate::made_up::MadeUp;

/// Two manuals, each spread over the same two folders, joined by so many links that URLs cannot tell them apart.
fn tangled() -> (MadeUp, Vec<u32>, Vec<u32>) {
    let mut made = MadeUp::default();
    let one = made.manual(|n| format!("http://h/{}/one-", n % 2), 3, 15);
    let two = made.manual(|n| format!("http://h/{}/two-", n % 2), 3, 15);
    made.join(&one, &two, 30);
    made.join(&two, &one, 30);
    (made, one, two)
}

fn inside(web: &Web<'_>, start: u32) -> Vec<u32> {
    let settings = Settings::default();
    let clustering = clusters(web, &settings, &mut |_, _| true);
    find(web, &Start { seeds: vec![start], ..Start::default() }, &settings, Some(&clustering)).inside().collect()
}

/// A page has twelve of sixteen words that pages of its site have, and ten that all pages have.
fn words_of(made: &MadeUp, page: u32) -> Vec<u32> {
    let site = made.site[page as usize];
    let of_site = (0..12).map(|n| 100 + 100 * site + (page * 7 + n) % 16);
    of_site.chain(0..10).collect()
}

fn content_similarity(made: &MadeUp, graph: &Csr, is_known: impl Fn(u32) -> bool) -> Option<ContentSimilarity> {
    let pages = made.addresses.len() as u32;
    let mut rarity = Rarity::default();
    (0..pages).for_each(|page| rarity.learn(&mut words_of(made, page)));
    let mut words = Words::new(pages, rarity);
    (0..pages).filter(|page| is_known(*page)).for_each(|page| words.add(page, &mut words_of(made, page)));
    ContentSimilarity::of_links(graph, |a, b| words.alike(a, b))
}

#[test]
fn words_tell_sites_apart_that_addresses_do_not() {
    let (made, one, two) = tangled();
    let looked = made.look();
    let content_similarity = content_similarity(&made, &looked.graph, |_| true);
    let web = Web { content_similarity: content_similarity.as_ref(), ..looked.web() };
    for manual in [&one, &two] {
        assert_ne!(inside(&looked.web(), manual[0]), *manual, "by URLs alone it is not found");
        assert_eq!(inside(&web, manual[0]), *manual);
    }
}

#[test]
fn pages_of_which_nothing_is_known_stay_where_they_were() {
    let mut made = MadeUp::default();
    let one = made.manual(|_| "http://h/doc/a/".to_owned(), 4, 12);
    let two = made.manual(|_| "http://h/doc/b/".to_owned(), 4, 12);
    made.join(&one, &two, 12);
    let looked = made.look();
    assert_eq!(content_similarity(&made, &looked.graph, |_| false), None);
    // Every third page was not read: it is found by its URL, among others that are found by both.
    let some = content_similarity(&made, &looked.graph, |page| page % 3 > 0);
    let web = Web { content_similarity: some.as_ref(), ..looked.web() };
    for manual in [&one, &two] {
        assert_eq!(inside(&looked.web(), manual[0]), *manual);
        assert_eq!(inside(&web, manual[0]), *manual);
    }
}
