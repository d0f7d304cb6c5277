//! Random sites: cheap, the same each time, and their truth is what can be asked for.

use std::collections::BTreeSet;
use std::time::Instant;

use groma_forms::{Method, Options, Paging, Site, Totals};
use groma_hel::Tree;
use groma_testweb::{Ask, Web};

use crate::client::{all, encoded, rows, text};

/// A page of a site without a server.
fn page(site: &Site, ask: &Ask) -> Tree {
    let answer = site.answer(ask);
    assert_eq!(answer.status, 200, "{}", ask.path);
    Tree::parse(&String::from_utf8_lossy(&answer.body), &groma_hel::Bounds::default())
}

/// Without what only makes asking harder.
fn plain(seed: u64) -> Options {
    Options {
        k: 0,
        totals: Totals::Yes,
        paging: Paging::None,
        method: Method::Get,
        tokens: false,
        session: false,
        ..Options::random(seed)
    }
}

#[test]
fn a_site_is_made_in_milliseconds_and_the_same_each_time() {
    let begun = Instant::now();
    for seed in 0..100 {
        let (one, two) = (Site::build(&plain(seed)).unwrap(), Site::build(&plain(seed)).unwrap());
        assert_eq!(one.truth(), two.truth());
        for path in ["/search", "/results?form=search", "/row/0"] {
            assert_eq!(one.answer(&Ask::get(path)).body, two.answer(&Ask::get(path)).body, "{seed} {path}");
        }
    }
    // 200 sites; a debug build on a busy machine is allowed a lot.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn what_is_reachable_is_what_the_widest_questions_show() {
    let (mut with_links, mut unreachable) = (0, 0);
    for seed in 0..300 {
        let site = Site::build(&plain(seed)).unwrap();
        let truth = site.truth();
        if page(&site, &Ask::get("/search")).len() < 10 {
            panic!("{seed}: no form");
        }
        // A list without a choice for "any" must be asked once for each of its choices, all combinations of such lists.
        let form = page(&site, &Ask::get("/search"));
        let mut questions = vec![String::from("/results?form=search")];
        for (name, values) in &required(&form) {
            questions = questions
                .iter()
                .flat_map(|q| values.iter().map(move |v| format!("{q}&{}={}", encoded(name), encoded(v))))
                .collect();
        }
        if questions.len() > 200 || plain(seed).refuse_empty {
            continue;
        }
        let mut found = BTreeSet::new();
        let mut shown = 0;
        for question in &questions {
            let tree = page(&site, &Ask::get(question));
            found.extend(rows(&tree));
            shown += usize::from(all(&tree, "a").len() > 2);
        }
        let right: BTreeSet<usize> = truth.iter().filter(|row| row.reachable).map(|row| row.id).collect();
        unreachable += truth.len() - right.len();
        if shown > 0 {
            with_links += 1;
            assert_eq!(found, right, "{seed}");
        }
    }
    assert!(with_links > 100 && unreachable > 50, "{with_links} {unreachable}");
}

/// Lists and buttons that must have a value, with those they can have.
fn required(form: &Tree) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for select in all(form, "select") {
        let options = all(form, "option").iter().filter(|node| (*select..form.end(*select)).contains(*node));
        let value = |node: &u32| {
            let own = form.attribute(*node, "value").map(str::to_owned);
            own.unwrap_or_else(|| text(form, *node))
        };
        let values: Vec<String> = options.map(value).collect();
        if !values.iter().any(String::is_empty) {
            found.push((form.attribute(*select, "name").unwrap_or_default().to_owned(), values));
        }
    }
    let radio = all(form, "input").iter().filter(|node| form.attribute(**node, "type") == Some("radio"));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for node in radio {
        let name = form.attribute(*node, "name").unwrap_or_default();
        let value = form.attribute(*node, "value").unwrap_or_default().to_owned();
        match groups.iter_mut().find(|group| group.0 == name) {
            Some(group) => group.1.push(value),
            None => groups.push((name.to_owned(), vec![value])),
        }
    }
    found.extend(groups.into_iter().filter(|group| !group.1.iter().any(String::is_empty)));
    found
}
