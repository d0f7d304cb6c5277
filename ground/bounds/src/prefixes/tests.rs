//! Lists that a person would write, and that no shorter one exists.

use groma_url::Url;
use proptest::prelude::*;

use super::*;
use crate::surt::Decider;

fn pages<'a>(inside: &[&'a str], undecided: &[&'a str], outside: &[&'a str]) -> Vec<Page<'a>> {
    let all = [(inside, Standing::In), (undecided, Standing::Undecided), (outside, Standing::Out)];
    let of = |(addresses, standing): (&[&'a str], Standing)| -> Vec<Page<'a>> {
        addresses.iter().map(|address| Page { address, standing, confidence: 0.5 }).collect()
    };
    all.into_iter().flat_map(of).collect()
}

fn written(pages: &[Page]) -> Vec<String> {
    let line =
        |line: &Prefix| format!("{} {}{}", line.verdict.name(), line.text, if line.single { " alone" } else { "" });
    list(pages.iter().copied()).iter().map(line).collect()
}

#[test]
fn a_site_that_is_a_folder_is_one_line() {
    let site = pages(
        &["https://h/docs/a", "https://h/docs/b/c", "https://h/docs/b/d?x=/y"],
        &[],
        &["https://h/", "https://g/"],
    );
    assert_eq!(written(&site), ["in https://h/docs/"]);
    let line = &list(site)[0];
    assert_eq!((line.pages, line.inside, line.undecided, line.decides, line.outside()), (3, 3, 0, 3, 0));
    assert_eq!((line.confidence, line.share()), (0.5, 1.0));
}

#[test]
fn exceptions_are_folders_or_single_pages_and_have_exceptions_of_their_own() {
    let inside = ["https://h/", "https://h/a", "https://h/b", "https://h/old/new", "https://h/b?q"];
    let site = pages(
        &inside,
        &["https://h/maybe/1", "https://h/maybe/2"],
        &["https://h/old/1", "https://h/old/2", "https://h/c"],
    );
    let lines = [
        "in https://h/",
        "out https://h/c alone",
        "undecided https://h/maybe/",
        "out https://h/old/",
        "in https://h/old/new alone",
    ];
    assert_eq!(written(&site), lines);
    let host = &list(site)[0];
    assert_eq!((host.pages, host.inside, host.undecided, host.decides, host.outside()), (10, 5, 2, 4, 3));
    assert_eq!(host.share(), 0.5);
}

#[test]
fn one_page_says_nothing_about_its_folder_unless_it_is_the_index() {
    assert_eq!(written(&pages(&["https://big/page"], &[], &[])), ["in https://big/page alone"]);
    assert_eq!(written(&pages(&["https://h/a/"], &[], &[])), ["in https://h/a/"]);
    assert_eq!(
        written(&pages(&["https://h/a/x", "https://h/a/y"], &[], &["https://h/a/z"])),
        ["in https://h/a/", "out https://h/a/z alone"]
    );
}

#[test]
fn an_index_page_may_differ_from_its_folder() {
    let site = pages(&["https://h/a/1", "https://h/a/2"], &[], &["https://h/a/"]);
    assert_eq!(written(&site), ["in https://h/a/", "out https://h/a/ alone"]);
    let matcher = apply(&list(site));
    assert_eq!(matcher.standing("https://h/a/"), Standing::Out);
    assert_eq!(matcher.standing("https://h/a/3"), Standing::In);
    assert_eq!(
        (matcher.line("https://h/a/"), matcher.line("https://h/a/3"), matcher.line("https://h/")),
        (Some(1), Some(0), None)
    );
}

#[test]
fn odd_addresses_stand_alone_and_do_no_harm() {
    let odd =
        ["mailto:a@b", "", "https://h", "https://h?x=/", "://", "/a/b", "https:///x", "\u{e4}://\u{e4}/\u{e4}/\u{e4}"];
    let site = pages(&odd, &[], &[]);
    let listed = list(site.iter().copied());
    assert!(listed.iter().all(|line| line.single || !line.text.is_empty()), "{listed:?}");
    let matcher = apply(&listed);
    assert!(odd.iter().all(|address| matcher.standing(address) == Standing::In));
    assert_eq!(matcher.standing("mailto:c"), Standing::Out);
    assert_eq!(list([]), []);
}

#[test]
fn of_an_address_given_twice_the_first_holds_and_odd_confidence_is_none() {
    let site =
        [Standing::In, Standing::Out].map(|standing| Page { address: "https://h/", standing, confidence: f32::NAN });
    let listed = list(site);
    assert_eq!((listed.len(), listed[0].verdict, listed[0].confidence), (1, Standing::In, 0.0));
}

#[test]
fn a_path_of_many_folders_takes_no_stack() {
    let deep = format!("https://h/{}", "a/".repeat(100_000));
    assert_eq!(list(pages(&[&deep], &[], &["https://h/"])).len(), 1);
}

#[test]
fn rules_of_single_pages_that_would_take_others_along_are_told() {
    let inside = ["https://h/", "https://h/wiki/a", "https://h/wiki/b", "https://h/x.html", "https://h/y"];
    let site = pages(&inside, &["https://h/u"], &["https://h/wiki", "https://h/z"]);
    let listed = list(site.iter().copied());
    let SurtRules { rules, untold } = surt_rules(&listed, true, site.iter().map(|page| page.address));
    assert_eq!(untold, ["https://h/wiki"]);
    assert_eq!(crate::surt::write(&rules), "+http://(h,)/\n+http://(h,)/u\n-http://(h,)/z\n");
    assert_eq!(surt_rules(&listed, false, []).untold, [""; 0]);
    assert_eq!(surt_rules(&list(pages(&["mailto:a@b"], &[], &[])), false, []).untold, ["mailto:a@b"]);
}

/// URLs whose folders are among five, with all kinds of last segments.
fn addresses() -> impl Strategy<Value = String> {
    "https://h/(|a/|b/|a/a/|a/b/)(|p|q|pq|p\\?a/b|a)"
}

fn some_pages() -> impl Strategy<Value = Vec<(String, Standing)>> {
    let standing = proptest::sample::select(Standing::CAREFUL.to_vec());
    let of = proptest::collection::hash_map(addresses(), standing, 0..14);
    of.prop_map(|pages| pages.into_iter().collect())
}

fn listed(pages: &[(String, Standing)]) -> Vec<Prefix> {
    let sure = |address: &str| address.len() as f32 / 64.0;
    list(pages.iter().map(|(address, standing)| Page { address, standing: *standing, confidence: sure(address) }))
}

/// The length of the shortest list: every choice of folders is tried, and what is wrong then is a line of its own.
fn shortest(pages: &[(String, Standing)]) -> usize {
    const FOLDERS: [&str; 5] = ["https://h/", "https://h/a/", "https://h/b/", "https://h/a/a/", "https://h/a/b/"];
    const CHOICES: [Option<Standing>; 4] = [None, Some(Standing::In), Some(Standing::Undecided), Some(Standing::Out)];
    let folders = |address: &str| (0..5).filter(|&n| address.starts_with(FOLDERS[n])).collect::<Vec<_>>();
    let pages: Vec<(Vec<usize>, Standing)> =
        pages.iter().map(|(address, standing)| (folders(address), *standing)).collect();
    let lines = |choice: usize| {
        let chosen: Vec<Option<Standing>> = (0..5).map(|folder| CHOICES[(choice >> (2 * folder)) % 4]).collect();
        // The later of two folders above a page is the longer.
        let verdict = |above: &[usize]| above.iter().rev().find_map(|&folder| chosen[folder]).unwrap_or(Standing::Out);
        chosen.iter().flatten().count() + pages.iter().filter(|(above, standing)| verdict(above) != *standing).count()
    };
    (0..1 << 10).map(lines).min().unwrap()
}

proptest! {
    #[test]
    fn the_list_gives_every_verdict_back_and_none_is_shorter(pages in some_pages()) {
        let listed = listed(&pages);
        let matcher = apply(&listed);
        for (address, standing) in &pages {
            prop_assert_eq!(matcher.standing(address), *standing, "{} in {:?}", address, listed);
        }
        prop_assert_eq!(listed.len(), shortest(&pages), "{:?}", listed);
        // The figures are those of the pages.
        for (number, line) in listed.iter().enumerate() {
            let below = |(address, _): &&(String, Standing)| if line.single { *address == line.text } else { address.starts_with(&line.text) };
            let count = |wanted: Standing| pages.iter().filter(below).filter(|(_, standing)| *standing == wanted).count() as u32;
            prop_assert_eq!([line.inside, line.undecided, line.outside()], [Standing::In, Standing::Undecided, Standing::Out].map(count));
            let decided = pages.iter().filter(|(address, _)| matcher.line(address) == Some(number));
            let lengths: Vec<usize> = decided.map(|(address, _)| address.len()).collect();
            prop_assert_eq!(line.decides as usize, lengths.len());
            let sure = lengths.iter().sum::<usize>() as f64 / 64.0 / lengths.len() as f64;
            prop_assert!((f64::from(line.confidence) - sure).abs() < 1e-6);
        }
    }

    #[test]
    fn the_order_in_which_pages_come_means_nothing(pages in some_pages(), cut in 0usize..14) {
        let mut turned = pages.clone();
        turned.rotate_left(cut.min(pages.len()));
        prop_assert_eq!(listed(&turned), listed(&pages));
    }

    #[test]
    fn surt_rules_say_the_same_of_all_pages_but_those_they_name(pages in some_pages(), take_undecided: bool) {
        let listed = listed(&pages);
        let told = surt_rules(&listed, take_undecided, pages.iter().map(|(address, _)| address.as_str()));
        let decider = Decider::new(&told.rules);
        for (address, standing) in pages.iter().filter(|(address, _)| !told.untold.contains(address)) {
            let taken = *standing == Standing::In || (take_undecided && *standing == Standing::Undecided);
            prop_assert_eq!(decider.decide(&Url::parse(address).unwrap()).unwrap_or(false), taken, "{} {:?}", address, told);
        }
        prop_assert!(told.untold.iter().all(|text| listed.iter().any(|line| line.single && line.text == *text)));
        prop_assert_eq!(told.rules.len() + told.untold.len(), listed.len());
    }

    #[test]
    fn any_texts_are_listed(texts in proptest::collection::vec("[a:/?#\u{e4}]{0,9}|a://[ab/?#]{0,8}", 0..12)) {
        let standing = |n: usize| Standing::CAREFUL[n % 3];
        let pages: Vec<Page> = texts.iter().enumerate().map(|(n, address)| Page { address, standing: standing(n), confidence: 0.1 }).collect();
        let matcher = apply(&list(pages.iter().copied()));
        for (n, text) in texts.iter().enumerate() {
            let first = texts.iter().position(|other| other == text).unwrap_or(n);
            prop_assert_eq!(matcher.standing(text), standing(first));
        }
    }
}
