//! Files as people write them, and scores by definition.

use proptest::prelude::*;

use super::*;

fn usual(text: &str) -> Truth {
    let (truth, complaints) = read(text, Grouping::Usual);
    assert_eq!(complaints, []);
    truth
}

#[test]
fn pages_and_prefixes_of_one_site() {
    let truth = usual(
        "\u{feff}# true pages\r\nhttps://h/a.html  # the first\nHTTPS://H:443/b/../c#part\n\nhttps://h/docs/\nhttps://h/blog-*\nhttps://g*\n",
    );
    assert_eq!(
        truth.sites(),
        [TrueSite { name: String::new(), start: "https://h/a.html".to_owned(), pages: 2, prefixes: 3 }]
    );
    for page in [
        "https://h/a.html",
        "https://h/a.html#x",
        "https://h/c",
        "https://h/docs/",
        "https://h/docs/x?y",
        "https://h/x/../docs/a",
        "https://h/blog-1",
        "https://g/",
        "https://g.example/a",
    ] {
        assert_eq!(truth.site_of(page), Some(0), "{page}");
    }
    for page in ["https://h/a.html?x", "https://h/", "https://h/docs", "http://h/c", "https://h/blog", "", "mailto:x"] {
        assert_eq!(truth.site_of(page), None, "{page}");
    }
}

#[test]
fn a_table_is_a_site_a_line_unless_it_has_names() {
    let truth = usual(
        "prefix\tpages\nhttps://h/a/\t12\nhttps://h/b\t1,200\tmore\nhttps://g\n\t\nhttps://h/b/c/\tC\thttps\nhttps://k/\tC\n",
    );
    let names: Vec<(&str, &str, u32)> =
        truth.sites().iter().map(|site| (site.name.as_str(), site.start.as_str(), site.prefixes)).collect();
    assert_eq!(
        names,
        [
            ("https://h/a/", "https://h/a/", 1),
            ("https://h/b", "https://h/b", 1),
            ("https://g/", "https://g/", 1),
            ("C", "https://h/b/c/", 2)
        ]
    );
    // The longest prefix says whose it is.
    assert_eq!(truth.site_of("https://h/b/d"), Some(1));
    assert_eq!(truth.site_of("https://h/b/c/d"), Some(3));
    assert_eq!(truth.site_of("https://g.example/"), None);
    assert_eq!(
        truth.sizes(["https://h/b/c/d", "https://h/b", "https://h/b#x", "https://k/", "https://x/"]),
        [0, 1, 0, 2]
    );
}

#[test]
fn a_plain_list_can_be_read_as_a_site_a_line_too() {
    let (truth, _) = read("https://h/a/\nhttps://h/b/x\nhttps://h/c/*\tC", Grouping::Apart);
    let names: Vec<&str> = truth.sites().iter().map(|site| site.name.as_str()).collect();
    assert_eq!(names, ["https://h/a/", "https://h/b/x", "C"]);
    let (together, _) = read("https://h/a/\nhttps://h/b/x\nhttps://h/c/*\tC", Grouping::Usual);
    assert_eq!(together.sites().len(), 2);
}

#[test]
fn what_cannot_be_read_is_told() {
    let long = format!("https://h/{}", "a".repeat(LONGEST_LINE));
    let (truth, complaints) = read(&format!("https://h/\nno URL\n*\n/\n{long}\nhttp://[/*\n"), Grouping::Usual);
    assert_eq!(complaints.iter().map(|complaint| complaint.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6]);
    assert_eq!(truth.sites().len(), 1);
    let (nothing, complaints) = read("", Grouping::Usual);
    assert_eq!((nothing.sites().len(), complaints.len(), nothing.sizes(["https://h/"]).len()), (0, 0, 0));
    assert_eq!(read(&"x\n".repeat(MOST_COMPLAINTS + 9), Grouping::Usual).1.len(), MOST_COMPLAINTS);
}

#[test]
fn scores_count_addresses_once_and_missing_pages_too() {
    let truth = usual("https://h/never-crawled\nhttps://h/docs/\n");
    let known = ["https://h/docs/1", "https://h/docs/2", "https://h/docs/2#again", "https://h/other"];
    let sizes = truth.sizes(known);
    assert_eq!(sizes, [3]);
    let score = truth.score(0, sizes[0], ["https://h/docs/1", "https://h/docs/./1", "https://h/other"]);
    assert_eq!((score.size, score.truth, score.both), (2, 3, 1));
    assert_eq!((score.precision, score.recall, score.f1), (0.5, 1.0 / 3.0, 0.4));
    assert_eq!(truth.score(7, 0, ["https://h/docs/1"]).both, 0);
}

#[test]
fn dots_and_digits_at_the_end_of_a_prefix_stay() {
    for (given, read_as) in [
        ("https://h/a/.", "https://h/a/."),
        ("https://h/a/..", "https://h/a/.."),
        ("https://h/%", "https://h/%"),
        ("http://127.0.0.1", "http://127.0.0.1"),
        ("HTTP://H", "http://h"),
        ("https://h/?q", "https://h/?q"),
    ] {
        assert_eq!(prefix(given).as_deref(), Some(read_as), "{given}");
    }
    assert_eq!(prefix("h/"), None);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC*", lines in proptest::collection::vec("(prefix|https?://[a-b.*/#?:\\[]{0,8})?[\t #x*]{0,3}", 0..9)) {
        for text in [text, lines.join("\n")] {
            for grouping in [Grouping::Usual, Grouping::Apart] {
                let (truth, _) = read(&text, grouping);
                for (number, site) in truth.sites().iter().enumerate() {
                    prop_assert!(site.pages + site.prefixes > 0);
                    prop_assert!(grouping == Grouping::Usual || !site.name.is_empty(), "{:?}", truth.sites()[number]);
                }
            }
        }
    }

    #[test]
    fn scores_are_those_of_the_definition(
        lines in proptest::collection::hash_set("https://h/(a/)?([ab]|b/)?", 1..5),
        known in proptest::collection::hash_set("https://h/(a/|b/)?[a-d]?", 0..12),
        found in proptest::collection::vec("https://h/(a/|b/)?[a-d]?", 0..9),
    ) {
        let text = lines.iter().cloned().collect::<Vec<_>>().join("\n");
        let truth = usual(&text);
        let is_true = |page: &str| lines.iter().any(|line| page == line || (line.ends_with('/') && page.starts_with(line)));
        let known: HashSet<&str> = known.iter().chain(&found).map(String::as_str).collect();
        let size = truth.sizes(known.iter().copied())[0];
        let listed = lines.iter().map(String::as_str).filter(|line| !line.ends_with('/'));
        let all: HashSet<&str> = known.iter().copied().filter(|page| is_true(page)).chain(listed).collect();
        prop_assert_eq!(size as usize, all.len());
        let score = truth.score(0, size, found.iter().map(String::as_str));
        let found: HashSet<&str> = found.iter().map(String::as_str).collect();
        prop_assert_eq!(score, Score::new(found.len() as u32, size, found.iter().filter(|page| is_true(page)).count() as u32));
    }
}
