//! Drawn sites: the same each time, every feature comes up, what is called reachable can be reached; and a short examination of the
//! strategy.

use std::collections::BTreeSet;

use groma_forms::exam::{Exam, Tables, examine};
use groma_forms::{Options, Site, SiteKind};
use groma_hel::Tree;
use groma_testweb::{Ask, Web};

use crate::client::{all, encoded};

fn site(seed: u64) -> Site {
    Site::build(&Options { seed, ..Options::new(SiteKind::Drawn) }).expect("a site")
}

fn text(site: &Site, path: &str) -> String {
    let answer = site.answer(&Ask::get(path));
    assert_eq!(answer.status, 200, "{path}");
    String::from_utf8(answer.body).expect("UTF-8")
}

#[test]
fn a_drawn_site_is_the_same_each_time() {
    for seed in [1_000_000, 1_000_001, 1_900_000] {
        let (one, two) = (site(seed), site(seed));
        assert_eq!(one.truth(), two.truth());
        assert_ne!(one.truth(), site(seed + 7).truth());
        for path in ["/find", "/list", "/list?page=2", "/"] {
            assert_eq!(text(&one, path), text(&two, path), "{seed} {path}");
        }
    }
}

/// Names of controls with what can be sent for each: every value of lists, a tick of boxes.
fn values(form: &Tree) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let named = |node: u32| form.attribute(node, "name").map(str::to_owned);
    for select in all(form, "select") {
        let inside = all(form, "option").iter().filter(|node| (*select..form.end(*select)).contains(*node));
        let values = inside.filter_map(|node| form.attribute(*node, "value").map(str::to_owned)).collect();
        found.extend(named(*select).map(|name| (name, values)));
    }
    for input in all(form, "input") {
        let kind = form.attribute(*input, "type").unwrap_or_default();
        let value = form.attribute(*input, "value").unwrap_or_default().to_owned();
        let Some(name) = named(*input).filter(|_| matches!(kind, "radio" | "checkbox")) else { continue };
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => found.push((name, vec![value])),
        }
    }
    found
}

/// Keys of the records whose pages a list leads to.
fn keys(page: &Tree) -> BTreeSet<String> {
    let hrefs = all(page, "a").iter().filter_map(|a| page.attribute(*a, "href"));
    hrefs.filter_map(|href| href.strip_prefix("/item/").map(str::to_owned)).collect()
}

#[test]
fn no_question_shows_a_record_that_is_called_out_of_reach() {
    let (mut shown, mut out_of_reach) = (0, 0);
    for seed in 5_000_000..5_000_120 {
        let site = site(seed);
        let truth = site.truth();
        let reachable = |key: &str| {
            truth.iter().any(|row| row.reachable && row.values.first().is_some_and(|(_, cell)| cell.shown() == key))
        };
        out_of_reach += truth.iter().filter(|row| !row.reachable).count();
        let form = Tree::parse(&text(&site, "/find"), &groma_hel::Bounds::default());
        for (name, values) in values(&form) {
            for value in values.iter().take(6) {
                let list = text(&site, &format!("/list?{}={}", encoded(&name), encoded(value)));
                let found = keys(&Tree::parse(&list, &groma_hel::Bounds::default()));
                shown += found.len();
                assert!(found.iter().all(|key| reachable(key)), "{seed} {name}={value}");
            }
        }
    }
    assert!(shown > 2000 && out_of_reach > 100, "{shown} {out_of_reach}");
}

#[test]
fn a_short_examination_finds_no_false_certificate() {
    let exam = Exam { sites: 60, words: 3, seed: 26, hold: None, threads: 2 };
    let outcomes = exam.run(&|_| {}).expect("an examination");
    assert_eq!(outcomes.len(), 63);
    let tables = Tables::new(&outcomes);
    assert_eq!(tables.wrong(), 0, "{}\n{}", tables.false_certificates(), tables.by_feature());
    assert!(outcomes.iter().all(|outcome| !outcome.broke), "{}", tables.oddities());
    // What is drawn is worth examining: some of it can be proved, some is found, and every kind of feature comes up.
    assert!(outcomes.iter().filter(|outcome| outcome.is_provable()).count() > 5, "{}", tables.by_feature());
    assert!(outcomes.iter().map(|outcome| outcome.found).sum::<u64>() > 1000);
    let kinds: BTreeSet<&str> =
        outcomes.iter().flat_map(|outcome| outcome.features.iter().map(|(kind, _)| *kind)).collect();
    let wanted = ["control", "cut", "language", "markup", "method", "order", "pager", "text", "tokens", "totals"];
    assert!(wanted.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[test]
fn what_was_certified_wrongly_once_is_not_again() {
    for seed in [2_001_000_080, 907_000_031] {
        let outcome = examine(seed, false).expect("a gathering");
        assert!(!outcome.is_false(), "{}", outcome.told());
    }
}
