//! What a reader finds in the file: every page once, on the sheet the contents say, whatever strangers put into titles.

use std::io;

use groma_graph::Tree;
use proptest::prelude::*;

use super::read_back::{ReadBack, Told, drawn, heading, label, title, tree};
use super::render;
use crate::{Field, SiteMap};

/// The rows of the contents: words and the sheet they name, counted from 0.
fn contents(read: &ReadBack) -> Vec<(String, usize)> {
    let all: Vec<&String> = read.lines.iter().flatten().collect();
    let Some(start) = all.iter().position(|line| *line == "Contents") else { return Vec::new() };
    let mut rows = Vec::new();
    // After the headline and its explanation: name, pages below, sheet; heads and feet of sheets between them.
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ',') && !text.is_empty();
    for row in all[start..].windows(3) {
        if row[0].starts_with('Ž') && is_number(row[1]) && is_number(row[2]) {
            rows.push((row[0].clone(), row[2].parse::<usize>().unwrap() - 1));
        }
        if row[0] == "rank" {
            break;
        }
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_page_stands_once_on_the_sheet_that_contents_and_bookmarks_name(
        steps in prop::collection::vec(0u32..3, 0..260),
        depth in prop::option::of(0u32..6),
    ) {
        let tree = tree(&steps);
        let mut map = SiteMap::new(heading(), &tree);
        map.depth = depth;
        let read = ReadBack::parse(&drawn(&map));
        let sheets = read.lines.len();
        let body = (0..sheets).find(|&sheet| read.lines[sheet].iter().any(|line| line == "rank")).unwrap();
        for place in 0..tree.len() {
            let on: Vec<usize> = (body..sheets).filter(|&sheet| {
                // Running heads repeat titles; an entry is followed by its URL.
                let entry = [title(tree.node(place)), format!("https://example.org/{}", tree.node(place))];
                read.lines[sheet].windows(2).any(|pair| pair == entry)
            }).collect();
            let shown = depth.is_none_or(|depth| tree.depth(place) <= depth);
            prop_assert_eq!(on.len(), usize::from(shown), "place {}", place);
        }
        let entry_on = |words: &str, sheet: usize| {
            read.lines[sheet].windows(2).any(|pair| pair[0] == words && pair[1].starts_with("https://"))
        };
        for (words, sheet) in contents(&read) {
            prop_assert!(entry_on(&words, sheet), "{words} is not on {sheet}");
        }
        let bookmarks = read.bookmarks();
        prop_assert!(!bookmarks.is_empty());
        for (depth, words, sheet) in bookmarks {
            let words = words.split(" (").next().unwrap();
            prop_assert!(entry_on(words, sheet), "{words} is not on {sheet}");
            prop_assert!(depth > 0 || words == title(tree.node(0)));
        }
        for (sheet, lines) in read.lines.iter().enumerate() {
            let number = format!("{} / {sheets}", sheet + 1);
            prop_assert!(lines.contains(&number));
        }
    }
}

/// A root with a hundred children of fifty each.
fn wide() -> Tree {
    let parents = (0..=100).map(|_| 0).chain((1..=100).flat_map(|parent| (0..49).map(move |_| parent))).collect();
    Tree::of_places((0..5_001).collect(), parents).unwrap()
}

#[test]
fn five_thousand_pages_have_contents_that_name_the_right_sheets_and_links_that_lead_there() {
    let tree = wide();
    let read = ReadBack::parse(&drawn(&SiteMap::new(heading(), &tree)));
    assert!(read.lines.len() > 100 && read.lines.len() < 250, "{}", read.lines.len());
    let rows = contents(&read);
    assert_eq!(rows.len(), 101, "the root and what has pages below");
    assert_eq!(rows[0].0, title(0));
    for (words, sheet) in &rows {
        assert!(read.sheets_with(words).contains(sheet), "{words}");
    }
    let goals: Vec<usize> = (0..8).flat_map(|sheet| read.links(sheet)).filter_map(Result::err).collect();
    assert_eq!(goals, rows.iter().map(|(_, sheet)| *sheet).collect::<Vec<_>>());
    assert_eq!(read.bookmarks().len(), rows.len());
    assert_eq!(read.bookmarks()[1].1, format!("{} (50)", title(1)));
    let last = read.lines.len() - 1;
    assert!(read.links(last).contains(&Ok(format!("https://example.org/{}", tree.node(5_000)))));
}

#[test]
fn the_same_map_gives_the_same_bytes() {
    let tree = tree(&[0, 1, 0, 1, 2]);
    let map = SiteMap::new(heading(), &tree);
    assert_eq!(drawn(&map), drawn(&map));
}

#[test]
fn an_empty_map_and_one_page_are_one_sheet() {
    let none = Tree::of_places(vec![], vec![]).unwrap();
    let read = ReadBack::parse(&drawn(&SiteMap::new(heading(), &none)));
    assert_eq!((read.lines.len(), read.bookmarks().len()), (1, 0));
    assert!(read.lines[0].iter().any(|line| line.starts_with("The map is empty")));
    let one = tree(&[]);
    let read = ReadBack::parse(&drawn(&SiteMap::new(heading(), &one)));
    assert_eq!((read.lines.len(), read.bookmarks()), (1, vec![(0, title(0), 0)]));
    assert_eq!(read.sheets_with(&title(0)), [0]);
}

#[test]
fn a_chain_of_five_hundred_layers_is_told_in_digits() {
    let chain =
        Tree::of_places((0..500).collect(), (0..500u32).map(|place| place.saturating_sub(1)).collect()).unwrap();
    let read = ReadBack::parse(&drawn(&SiteMap::new(heading(), &chain)));
    let deepest = read.lines.last().unwrap();
    let at = deepest.iter().position(|line| *line == title(499)).unwrap();
    assert_eq!(deepest[at - 1], "499");
    // The head names the root, the step after it, and the two above the first entry of the sheet.
    let head: Vec<&str> = deepest.iter().map(String::as_str).take_while(|line| *line != "rank").collect();
    assert!(read.lines.last().unwrap().contains(&"…".to_owned()), "{head:?}");
}

#[test]
fn folded_layers_are_counted() {
    let tree = wide();
    let mut map = SiteMap::new(heading(), &tree);
    map.depth = Some(1);
    let read = ReadBack::parse(&drawn(&map));
    let folded = read.lines.iter().flatten().filter(|line| *line == "+ 49 folded").count();
    assert_eq!(folded, 100);
    assert!(read.sheets_with(&title(101)).is_empty());
    assert!(read.lines[0].contains(&"Folded below depth 1: 4,900 pages are counted, not listed.".to_owned()));
}

#[test]
fn scripts_come_back_as_they_were() {
    let titles = [
        "Žluťoučký kůň úpěl ďábelské ódy",
        "Größe und Maß: Übersicht",
        "Съешь ещё этих мягких булок",
        "Ξεσκεπάζω την ψυχοφθόρα",
        "测绘网站地图",
        "日本のウェブ地図",
        "한국어 사이트 지도",
        "ภาษาไทย",
        "crab 🦀 and (parentheses) \\ back",
        "ﬁ Ω Ω µ μ",
    ];
    let tree = tree(&[0; 9]);
    let map = SiteMap::new(heading(), &tree);
    let mut out = Vec::new();
    let mut labels = Told(|node: u32| Ok(label(titles[node as usize], "https://example.org/")));
    render(&map, &mut labels, &mut out).unwrap();
    let read = ReadBack::parse(&out);
    for words in titles {
        assert_eq!(read.sheets_with(words), [0], "{words}: {:?}", read.lines[0]);
    }
    let marks: Vec<String> = read.bookmarks().into_iter().map(|(_, words, _)| words).collect();
    assert!(titles.iter().skip(1).all(|words| marks.contains(&(*words).to_owned())), "{marks:?}");
}

#[test]
fn hostile_labels_stay_on_their_line() {
    let long = "long ".repeat(20_000);
    let hostile = [
        ("\u{0}\u{1}\u{1b}[2J ) Tj ET (", "https://example.org/)\\(\r\n/ET"),
        (long.as_str(), "javascript:alert(1)"),
        ("</script>]]>\u{202e}txt\u{feff}", "http://example.org/\u{202e}ř"),
        ("\u{301}\u{ffff}\u{10ffff}\u{e000}", &"https://example.org/long".repeat(5_000)),
        ("", ""),
        ("\n \t", "https://example.org/untitled?x=<>"),
    ];
    let tree = tree(&[0; 5]);
    let mut map = SiteMap::new(heading(), &tree);
    map.heading.site = long.clone();
    map.heading.root = "https://x/".repeat(10_000);
    map.heading.notes = vec![long.clone(); 40];
    map.heading.drawn = i64::MAX;
    map.fields = Field::ALL.to_vec();
    let mut out = Vec::new();
    let mut labels = Told(|node: u32| {
        let (title, url) = hostile[node as usize];
        let mut label = label(title, url);
        (label.rank, label.language, label.media_type) = (f64::NAN, "\u{0}é".into(), long.clone());
        (label.modified, label.size) = (Some(i64::MIN), Some(u64::MAX));
        label.parts.bytes = [u64::MAX; 7];
        Ok(label)
    });
    render(&map, &mut labels, &mut out).unwrap();
    let read = ReadBack::parse(&out);
    let all: Vec<&String> = read.lines.iter().flatten().collect();
    assert!(all.iter().all(|line| line.chars().count() < 420 && !line.chars().any(char::is_control)));
    assert!(all.iter().any(|line| *line == "[2J ) Tj ET ("));
    assert!(all.iter().any(|line| line.starts_with("long long") && line.ends_with('…')));
    assert!(all.iter().any(|line| *line == "</script>]]> txt"));
    assert!(all.iter().any(|line| *line == "untitled?x=<>"));
    assert!(all.iter().any(|line| *line == "32 more notes are left out here."));
    let addresses: Vec<String> =
        (0..read.lines.len()).flat_map(|sheet| read.links(sheet)).filter_map(Result::ok).collect();
    assert!(addresses.contains(&"https://example.org/)\\(%0D%0A/ET".to_owned()), "{addresses:?}");
    assert!(addresses.contains(&"http://example.org/%E2%80%AE%C5%99".to_owned()));
    assert!(addresses.iter().all(|address| address.starts_with("http") && address.len() <= 8_000));
    assert!(read.bookmarks().iter().all(|(_, words, _)| words.chars().count() < 330));
}

#[test]
fn any_choice_of_fields_is_drawn() {
    let tree = wide();
    for fields in [Field::ALL, &[], &[Field::Url], &[Field::Rank, Field::Words], &[Field::Title, Field::Parts]] {
        let mut map = SiteMap::new(heading(), &tree);
        map.fields = fields.to_vec();
        map.depth = Some(1);
        let read = ReadBack::parse(&drawn(&map));
        let all: Vec<&String> = read.lines.iter().flatten().collect();
        let has = |words: &str| all.iter().any(|line| *line == words);
        assert_eq!(has("rank"), fields.contains(&Field::Rank), "{fields:?}");
        assert_eq!(has("· 321 words") || has("321 words"), fields.contains(&Field::Words), "{fields:?}");
        assert_eq!(has("https://example.org/77"), fields.contains(&Field::Url), "{fields:?}");
        assert!(has(&title(77)) || fields == [Field::Url]);
    }
}

#[test]
fn programs_are_told_what_the_file_is() {
    let tree = tree(&[0, 0]);
    let read = ReadBack::parse(&drawn(&SiteMap::new(heading(), &tree)));
    assert_eq!(read.information(b"Title"), "Site map of A site (of \\ tests)");
    assert!(read.information(b"CreationDate").starts_with("D:20260102000000"));
    assert_eq!(read.catalog().get(b"Lang").unwrap().as_str().unwrap(), b"en");
    let shown = read.catalog().get(b"ViewerPreferences").unwrap().as_dict().unwrap();
    assert!(shown.get(b"DisplayDocTitle").unwrap().as_bool().unwrap());
    assert!(read.xmp().contains("Site map of A site (of \\ tests)</rdf:li>"));
    assert!(read.xmp().contains("<xmp:CreateDate>2026-01-02T00:00:00Z</xmp:CreateDate>"));
}

#[test]
fn failures_are_handed_on() {
    let tree = tree(&[0, 0]);
    let map = SiteMap::new(heading(), &tree);
    let mut unreadable = Told(|node: u32| if node == 2 { Err(io::Error::other("disk")) } else { Ok(label("x", "")) });
    assert_eq!(render(&map, &mut unreadable, &mut Vec::new()).unwrap_err().to_string(), "disk");
    let mut room = [0u8; 100];
    let mut labels = Told(|_| Ok(label("x", "")));
    assert!(render(&map, &mut labels, &mut room.as_mut_slice()).is_err(), "a full disk");
}
