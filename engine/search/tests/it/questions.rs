//! The language of questions, end to end.

use groma_model::BlockKind;
use groma_search::{Ask, Note, Weights};

use crate::{Page, Site, page, paths, shown, sorted};

fn site() -> Site {
    let mut site = Site::with_pages(&[
        page("/", "Home", "Welcome to the garden of words").link("/docs/", "Manual").link("/blog/", "News"),
        page("/docs/", "Manual", "How to plant an apple tree").link("/docs/pear.html", "Pears"),
        page("/docs/pear.html", "Pear trees", "A pear is not an apple. Water the tree daily."),
        page("/blog/", "News", "The apple tree was planted").language("de").link("/blog/old.txt", "Old news"),
        Page {
            media_type: "text/plain".into(),
            last_modified: "Wed, 21 Oct 2015 07:28:00 GMT".into(),
            ..page("/blog/old.txt", "", "Old apple news about a tree")
        },
        page("https://other.test:8443/x", "Elsewhere", "Another apple"),
    ]);
    site.follow();
    site
}

#[test]
fn words_phrases_and_what_is_not_wanted() {
    let mut site = site();
    assert_eq!(site.ask("apple").total, 5);
    assert_eq!(sorted(site.found("apple tree")), ["/blog/", "/blog/old.txt", "/docs/", "/docs/pear.html"]);
    assert_eq!(sorted(site.found("\"apple tree\"")), ["/blog/", "/docs/"]);
    assert_eq!(sorted(site.found("apple -tree")), ["https://other.test:8443/x"]);
    assert_eq!(
        sorted(site.found("apple -\"apple tree\"")),
        ["/blog/old.txt", "/docs/pear.html", "https://other.test:8443/x"]
    );
    assert_eq!(sorted(site.found("daily OR welcome")), ["/", "/docs/pear.html"]);
    assert_eq!(site.found("title:pear"), ["/docs/pear.html"]);
    assert_eq!(site.found("url:old"), ["/blog/old.txt"]);
    assert_eq!(site.found("foo:bar"), [""; 0]);
}

#[test]
fn filters() {
    let mut site = site();
    assert_eq!(site.found("apple site:other.test"), ["https://other.test:8443/x"]);
    assert_eq!(site.found("apple site:other.test:8443").len(), 1);
    assert_eq!(site.found("apple -site:site.test"), ["https://other.test:8443/x"]);
    assert!(site.found("apple site:nowhere.test").is_empty());
    assert_eq!(site.found("apple type:text"), ["/blog/old.txt"]);
    assert!(site.found("apple type:nonsense").is_empty());
    assert_eq!(site.found("apple lang:de"), ["/blog/"]);
    assert_eq!(sorted(site.found("apple in:/docs/")), ["/docs/", "/docs/pear.html"]);
    assert_eq!(sorted(site.found("apple in:http://site.test/blog/")), ["/blog/", "/blog/old.txt"]);
    assert_eq!(sorted(site.found("apple in:manual")), ["/docs/", "/docs/pear.html"]);
    assert_eq!(site.found("apple date:2015"), ["/blog/old.txt"]);
    assert_eq!(site.found("apple before:2015-10-22"), ["/blog/old.txt"]);
    assert!(!site.found("apple after:2015-10-22").contains(&"/blog/old.txt".to_owned()));
    assert_eq!(site.ask("apple in:nowhere").notes, [Note::NoSuchSection("nowhere".into())]);
    assert_eq!(site.ask("apple date:someday").notes, [Note::NoDate("someday".into())]);
    let listed = site.ask("site:site.test");
    assert_eq!((listed.total, listed.hits.len()), (5, 5));
    assert!(listed.hits.windows(2).all(|pair| pair[0].score >= pair[1].score), "by rank");
}

#[test]
fn nothing_and_too_much() {
    let mut site = site();
    for nothing in ["", "   ", "-apple", "!?", "\"\"", "-", "OR"] {
        let answer = site.ask(nothing);
        assert_eq!((answer.total, answer.notes), (0, vec![Note::NothingAsked]), "{nothing:?}");
    }
    assert!(site.ask(&"apple ".repeat(5_000)).notes.contains(&Note::TooLong));
    let some = site.ask("apple zeppelin");
    assert_eq!((some.total, some.notes), (5, vec![Note::SomeWords]));
    assert_eq!(site.ask("zeppelin").total, 0);
}

#[test]
fn pages_of_hits_do_not_overlap() {
    let pages: Vec<Page> = (0..25).map(|n| page(&format!("/{n}"), "Same", "the same word on every page")).collect();
    let mut site = Site::with_pages(&pages);
    site.follow();
    let index = site.open();
    let weights = Weights::default();
    let mut all = Vec::new();
    for first in [0, 10, 20, 30] {
        let ask = Ask { text: "word", first, most: 10, facets: false, weights: &weights, within: None };
        let answer = index.search(&ask, &mut site.store).unwrap();
        assert_eq!(answer.total, 25);
        assert!(answer.facets.is_none());
        all.extend(paths(&answer));
    }
    assert_eq!(all.len(), 25);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 25);
}

#[test]
fn a_set_of_pages_can_be_searched_alone() {
    let pages: Vec<Page> = (0..25).map(|n| page(&format!("/{n}"), "Same", "the same word on every page")).collect();
    let mut site = Site::with_pages(&pages);
    site.follow();
    let (index, weights) = (site.open(), Weights::default());
    let all = site.ask("word").hits;
    let of =
        |path: &str| all.iter().find(|hit| hit.url.ends_with(path)).expect("a hit").page.expect("a page").0 as usize;
    let mut within = vec![false; of("/7").max(of("/11")) + 1];
    within[of("/7")] = true;
    within[of("/11")] = true;
    let within = Some(within.into());
    let ask = Ask { text: "word", first: 0, most: 10, facets: true, weights: &weights, within };
    let answer = index.search(&ask, &mut site.store).unwrap();
    assert_eq!((answer.total, sorted(paths(&answer))), (2, vec!["/11".to_owned(), "/7".to_owned()]));
    assert_eq!(answer.facets.unwrap().types[0].count, 2, "what is counted is what answers");
    let ask = Ask { within: Some(Vec::new().into()), ..ask };
    assert_eq!(index.search(&ask, &mut site.store).unwrap().total, 0);
}

#[test]
fn where_a_word_stands_and_who_links_to_a_page_count() {
    let filler =
        |path: &str| page(path, "x", "words that fill the page, about as many").block(BlockKind::Heading1, "A head");
    let mut pages = vec![
        page("/", "Home", "start").link("/linked", "see here"),
        page("/body", "One", "a zebra among many other animals of this page"),
        page("/heading", "Two", "many other animals are on this page too").block(BlockKind::Heading2, "The zebra"),
        page("/title", "Zebra", "many other animals are on this page, too"),
        page("/linked", "Three", "a zebra among many other animals of this page"),
    ];
    pages.extend((0..10).map(|n| filler(&format!("/{n}")).link("/linked", "see here")));
    let mut site = Site::with_pages(&pages);
    site.follow();
    assert_eq!(site.found("zebra"), ["/title", "/heading", "/linked", "/body"]);
}

#[test]
fn slips_are_mended_and_typing_is_completed() {
    let mut pages: Vec<Page> =
        (0..5).map(|n| page(&format!("/{n}"), "Configuration of servers", "all about configuration files")).collect();
    pages.push(page("/other", "Zebra", "something else"));
    let mut site = Site::with_pages(&pages);
    site.follow();
    let answer = site.ask("confguration files");
    assert_eq!(answer.did_you_mean.as_deref(), Some("configuration files"));
    assert_eq!(site.ask("configuration").did_you_mean, None);
    assert_eq!(site.ask("qqqqqq").did_you_mean, None);
    let index = site.open();
    assert_eq!(index.suggest("conf", 5).unwrap(), ["Configuration of servers", "configuration"]);
    assert_eq!(index.suggest("about fil", 5).unwrap(), ["about files"]);
    assert_eq!(index.suggest("serv", 5).unwrap(), ["servers", "Configuration of servers"]);
    assert!(index.suggest("", 5).unwrap().is_empty());
    assert_eq!(index.suggest("c", 1).unwrap().len(), 1);
}

#[test]
fn hits_say_what_they_are() {
    let mut site = site();
    let answer = site.ask("old apple");
    let hit = &answer.hits[0];
    assert_eq!((hit.title.as_str(), hit.media_type.as_str(), hit.kind), ("old.txt", "text/plain", "page"));
    assert_eq!((hit.date, hit.site.as_str()), (1_445_412_480, "http://site.test"));
    assert_eq!(hit.section, "http://site.test/blog/");
    assert_eq!(shown(&hit.snippet), "[Old] [apple] news about a tree");
}
