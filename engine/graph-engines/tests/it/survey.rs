//! Exported surveys: which pages and links count.

use groma_graph::pagerank::Settings;
use groma_graph_engines::files::{self, Column};
use groma_graph_engines::{Engine, Input, Local};

use crate::graphs::{quiet, ranks, wholes};
use crate::scratch::Scratch;

/// A page: id, url, host, state, reason, what it is another name of.
type Page = (i64, &'static str, &'static str, &'static str, &'static str, Option<i64>);

const PAGES: [Page; 11] = [
    (1, "http://a/", "a", "fetched", "fetched", None),
    (2, "http://a/two", "a", "fetched", "fetched", None),
    (3, "http://a/three", "a", "skipped", "depth", None),
    (4, "http://a/old", "a", "alias", "redirect", Some(5)),
    (5, "http://a/older", "a", "alias", "redirect", Some(2)),
    (6, "http://b/", "b", "skipped", "out-of-scope", None),
    (7, "http://a/gone", "a", "broken", "gone", None),
    (8, "http://a/round", "a", "alias", "redirect", Some(9)),
    (9, "http://a/about", "a", "alias", "redirect", Some(8)),
    (10, "http://a/picture", "a", "skipped", "depth", None),
    (11, "http://a/alone", "a", "fetched", "fetched", None),
];

const LINKS: [(i64, i64, &str); 11] = [
    (1, 4, "anchor"),
    (1, 2, "anchor"),
    (1, 6, "anchor"),
    (2, 3, "anchor"),
    (2, 7, "anchor"),
    (2, 8, "anchor"),
    (1, 10, "image"),
    (3, 1, "anchor"),
    (4, 1, "redirect"),
    (11, 1, "frame"),
    (2, 1, "canonical"),
];

pub(crate) fn write_survey(folder: &str) -> Input {
    let text = |of: fn(&Page) -> &'static str| PAGES.iter().map(|page| of(page).to_owned()).collect::<Column>();
    let pages = [
        ("id", PAGES.iter().map(|page| page.0).collect()),
        ("url", text(|page| page.1)),
        ("host", text(|page| page.2)),
        ("state", text(|page| page.3)),
        ("reason", text(|page| page.4)),
        ("alias_of", Column::Whole(PAGES.iter().map(|page| page.5).collect())),
    ];
    let links = [
        ("source", LINKS.iter().map(|link| link.0).collect()),
        ("target", LINKS.iter().map(|link| link.1).collect()),
        ("kind", LINKS.iter().map(|link| link.2.to_owned()).collect()),
    ];
    std::fs::create_dir_all(folder).unwrap();
    std::fs::create_dir_all(format!("{folder}/pages")).unwrap();
    files::write(&format!("{folder}/pages/part=00"), &pages).unwrap();
    std::fs::create_dir_all(format!("{folder}/links")).unwrap();
    files::write(&format!("{folder}/links/part=00"), &links).unwrap();
    Input::Survey(folder.to_owned())
}

#[test]
fn pages_links_and_names_count_as_in_a_survey() {
    let scratch = Scratch::new("survey");
    let input = write_survey(&scratch.join("export"));
    let mut engine = Local::open(&input, &scratch.join("work")).unwrap();
    let degrees = wholes(&engine.degrees().unwrap(), &["id", "links", "linked"]);
    let expected = [[1, 2, 2], [2, 2, 1], [3, 0, 1], [6, 0, 1], [10, 0, 0], [11, 1, 0]];
    assert_eq!(degrees, expected.map(|row| row.to_vec()));
    let found = ranks(&engine.ranks(&Settings::default(), &mut quiet).unwrap());
    assert!((found[4].1 - 0.15).abs() < 1e-12);
    let map = wholes(&engine.map(1, &mut quiet).unwrap(), &["id", "layer", "parent"]);
    assert_eq!(map, [[1, 0, 1], [2, 1, 1], [3, 2, 2]].map(|row| row.to_vec()), "page 6 is out of scope");
    assert!(engine.map(6, &mut quiet).is_err());
}
