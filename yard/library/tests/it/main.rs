//! The library as a whole: the same bytes for the same number, a truth that pages bear out, the mix that was asked for.

mod reading;

use std::collections::{BTreeMap, HashSet, VecDeque};

use groma_library::{Library, Rendered, Settings, Split, relevant, truth_line};
use groma_model::{PageType, PartKind};
use groma_testweb::{Ask, Web as _};

fn library(seed: u64, pages: usize, split: Split) -> Library {
    Library::build(&[], &Settings { seed, pages, split, fields: Vec::new() })
}

fn pages(library: &Library) -> Vec<(String, Rendered)> {
    let page = |(n, path): (usize, &str)| (path.to_owned(), library.render(n).expect("a page"));
    library.paths_of_pages().enumerate().map(page).collect()
}

#[test]
fn the_same_number_gives_the_same_bytes() {
    let (a, b, c) = (library(5, 600, Split::All), library(5, 600, Split::All), library(6, 600, Split::All));
    let bytes = |library: &Library| {
        pages(library)
            .into_iter()
            .map(|(path, page)| truth_line("", &path, &page, false) + &page.html)
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(&a), bytes(&b));
    let (first, other) = (bytes(&a), bytes(&c));
    let same = first.iter().filter(|page| other.contains(page)).count();
    assert_eq!(same, 0, "another number, other pages");
}

#[test]
fn pages_say_what_the_truth_says() {
    let library = library(11, 1500, Split::All);
    let mut seen = BTreeMap::<usize, [usize; 5]>::new();
    for (path, page) in pages(&library) {
        let text = reading::text(&page.html);
        let blocks = &page.blocks;
        let lists = [&blocks.authors, &blocks.affiliation, &blocks.keywords];
        let single = [&blocks.title, &blocks.summary].into_iter().flatten();
        for said in lists.into_iter().flatten().chain(single) {
            assert!(text.contains(&reading::fold(said)), "{path}: {said}\n{text}");
        }
        let of = seen.entry(page.template).or_default();
        if page.page_type == PageType::Article {
            let counts = [
                blocks.title.iter().len(),
                blocks.authors.len(),
                blocks.affiliation.len(),
                blocks.summary.iter().len(),
                blocks.keywords.len(),
            ];
            of.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        } else {
            assert!(
                blocks.summary.is_none() && blocks.keywords.is_empty(),
                "{path}: only articles have an abstract or keywords"
            );
        }
        let written: Vec<String> = reading::links(&page.html).into_iter().filter(|href| !href.is_empty()).collect();
        let told: Vec<&str> = page.links.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(written, told, "{path}: every link is told, in order");
        for link in page.links.iter().filter(|link| !link.target.starts_with("/download/")) {
            assert!(library.find(&link.target).is_some(), "{path}: {} leads nowhere", link.target);
        }
    }
    for (template, [title, authors, .., summary, _]) in seen {
        assert!(title > 0 && authors > 0 && summary > 0, "template {template} sets articles");
    }
}

#[test]
fn every_kind_of_link_is_there() {
    let library = library(2, 1500, Split::All);
    let mut kinds = HashSet::new();
    let mut related_right = (0, 0);
    for (_, page) in pages(&library) {
        kinds.extend(page.links.iter().map(|link| link.label));
        if page.page_type != PageType::Article {
            continue;
        }
        for link in page.links.iter().filter(|link| link.label == PartKind::Related) {
            let other = library.render(library.find(&link.target).unwrap()).unwrap();
            let same = other.subject.unwrap().subfield == page.subject.as_ref().unwrap().subfield;
            related_right = (related_right.0 + usize::from(same), related_right.1 + 1);
        }
    }
    for kind in [
        PartKind::Sequence,
        PartKind::Related,
        PartKind::Menu,
        PartKind::Noise,
        PartKind::List,
        PartKind::Authors,
        PartKind::Keywords,
        PartKind::Text,
    ] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    let share = related_right.0 as f64 / related_right.1 as f64;
    assert!((0.75..0.95).contains(&share), "related pages are mostly right, and not always: {share}");
}

#[test]
fn every_page_can_be_reached() {
    for (seed, size) in [(1, 100), (2, 1200)] {
        let library = library(seed, size, Split::All);
        let mut seen = HashSet::from([0]);
        let mut queue = VecDeque::from([0]);
        while let Some(number) = queue.pop_front() {
            for link in library.render(number).unwrap().links {
                queue.extend(library.find(&link.target).filter(|to| seen.insert(*to)));
            }
        }
        let lost: Vec<&str> =
            library.paths_of_pages().enumerate().filter(|(n, _)| !seen.contains(n)).map(|(_, p)| p).collect();
        assert!(
            lost.is_empty(),
            "{} of {} pages are out of reach, e.g. {:?}",
            lost.len(),
            library.len(),
            &lost[..lost.len().min(5)]
        );
    }
}

#[test]
fn the_mix_is_as_asked() {
    let library = library(4, 4000, Split::All);
    let mut count = BTreeMap::<PageType, usize>::new();
    for (_, page) in pages(&library) {
        *count.entry(page.page_type).or_default() += 1;
    }
    assert_eq!((count[&PageType::Article], count[&PageType::Book]), (2200, 1200));
    assert!(library.len().abs_diff(4000) <= 40, "{} pages", library.len());
}

#[test]
fn the_split_is_kept() {
    let of = |split| pages(&library(9, 1500, split)).into_iter().map(|(_, page)| page.template).collect::<HashSet<_>>();
    let (development, held_out, all) = (of(Split::Development), of(Split::HeldOut), of(Split::All));
    assert_eq!(development, (0..9).collect());
    assert!(held_out.len() >= 7 && held_out.iter().all(|n| *n >= 9), "{held_out:?}");
    assert_eq!(all.len(), development.len() + held_out.len());
}

#[test]
fn topics_tell_what_there_is() {
    let library = library(3, 1500, Split::All);
    let all = pages(&library);
    let rows = library.topics(1, 5);
    assert!(rows.iter().any(|row| row.level == "field") && rows.iter().any(|row| row.level == "topic"));
    for row in rows {
        let of = |kind| {
            all.iter()
                .filter(|(_, p)| p.page_type == kind && p.subject.as_ref().is_some_and(|s| s.has(&row.label)))
                .count()
        };
        assert_eq!((row.articles, row.books), (of(PageType::Article), of(PageType::Book)), "{}", row.label);
        assert_eq!(row.articles, all.iter().filter(|(_, page)| relevant(&row.label, page)).count());
        assert_eq!(row.words.len(), 5, "{}", row.label);
    }
}

#[test]
fn it_is_a_web() {
    let library = library(8, 300, Split::All);
    assert_eq!(library.answer(&Ask::get("/")).status, 200);
    assert_eq!(library.answer(&Ask::get("/nowhere")).status, 404);
    assert!(String::from_utf8(library.answer(&Ask::get("/robots.txt")).body).unwrap().contains("Disallow: /download/"));
}
