//! The text form: exact where it is small, and never wider or stranger than a terminal can bear.

use groma_chart::text::{Options, Tone, render};
use groma_chart::{Field, Labels, SiteMap};

use crate::hostile::Hostile;
use crate::made_up::MadeUp;
use unicode_width::UnicodeWidthStr;

fn drawn(map: &SiteMap<'_>, labels: &mut dyn Labels, options: Options<'_>) -> String {
    let mut out = Vec::new();
    render(map, labels, &mut out, options).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_small_map_looks_like_this() {
    let site = MadeUp::of_parents(vec![0, 0, 0, 1, 1, 1, 1, 2, 3]);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = vec![Field::Title, Field::Pages];
    let shown = drawn(&map, &mut site.labels(), Options { width: 60, rows: Some(5), ..Options::default() });
    let wanted = "\
Museum of Roman Surveying
https://groma.example/
9 pages to depth 3, surveyed 2026-01-01, drawn 2026-01-02 by
Groma 0.1.0
14 pages cannot be reached from the root and are not on this
map
5 of 9 pages are shown; dots and brackets count the others
Note: The crawl is still running: drawn up to depth 7.

page                                          pages
Museum of Roman Surveying                         9 ████████
├── מפה Survey Übersicht 测量                     6 █████▍
│   ├── Gallery Archive Été 2024 [+1 page]        2 █▉
│   └── … and 3 more pages
└── Roads Été                                     2 █▉
    └── Gallery Πλατεία Gallery

bar: share of all pages
";
    assert_eq!(shown, wanted);
}

#[test]
fn no_line_is_wider_than_asked_and_none_has_control_characters() {
    let chain = MadeUp::chain(300);
    let large = MadeUp::site(3_000);
    for width in [30, 80, 200] {
        for ascii in [false, true] {
            let hostile = Hostile::new();
            let options = Options { width, ascii, rows: Some(400), ..Options::default() };
            let texts = [
                drawn(&hostile.map(), &mut Hostile::new(), options),
                drawn(&SiteMap::new(chain.heading(), chain.tree()), &mut chain.labels(), options),
                drawn(&SiteMap::new(large.heading(), large.tree()), &mut large.labels(), options),
            ];
            for line in texts.iter().flat_map(|text| text.split('\n')) {
                assert!(line.width() <= width, "{} cells: {line}", line.width());
                assert!(!line.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)), "{line:?}");
                assert!(!ascii || line.is_ascii(), "{line}");
            }
        }
    }
}

#[test]
fn a_page_that_is_not_indexed_says_why() {
    let site = MadeUp::site(60);
    let map = SiteMap::new(site.heading(), site.tree());
    assert!(drawn(&map, &mut site.labels(), Options::default()).contains("archive-23 [robots]"));
}

#[test]
fn columns_without_room_are_named() {
    let site = MadeUp::site(20);
    let map = SiteMap::new(site.heading(), site.tree());
    let shown = drawn(&map, &mut site.labels(), Options { width: 50, ..Options::default() });
    assert!(shown.contains("too narrow for these columns: "), "{shown}");
}

#[test]
fn paint_is_around_pieces_and_changes_nothing_else() {
    let site = MadeUp::site(200);
    let map = SiteMap::new(site.heading(), site.tree());
    let paint = |tone: Tone, text: &str| match tone {
        Tone::Bold => format!("\x1b[1m{text}\x1b[0m"),
        Tone::Faint => format!("\x1b[2m{text}\x1b[0m"),
    };
    let painted = drawn(&map, &mut site.labels(), Options { paint: &paint, ..Options::default() });
    let bare = painted.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "");
    assert!(painted.contains("\x1b[1m"));
    assert_eq!(bare, drawn(&map, &mut site.labels(), Options::default()));
}
