//! Nothing that pages or people write does any harm.

use groma_model::BlockKind;
use proptest::prelude::*;

use crate::{Page, Site, page};

#[test]
fn texts_of_any_kind_are_indexed_and_found() {
    let mut site = Site::with_pages(&[
        page("/long", &"a".repeat(100_000), &format!("{} marker", "word".repeat(50_000))),
        page("/many", "", &"unique marker ".repeat(20_000)),
        page(
            "/signs",
            "<script>alert(1)</script>",
            "\u{0}\u{1}\u{1e}\u{e000}\u{e0ff}\u{feff} marker \u{202e}\u{300}\u{300}",
        ),
        page("/marks", "\u{e003}\u{1e}", &format!("e{} marker", "\u{301}".repeat(10_000))),
        page("/han", "", &format!("{} marker", "数".repeat(50_000))),
        page("/empty", "", ""),
        page("/%zz%ff?%00=\u{1e}", "", "marker").block(BlockKind::Heading1, ""),
    ]);
    site.follow();
    let answer = site.ask("marker");
    assert_eq!(answer.total, 6);
    for hit in &answer.hits {
        let length: usize = hit.snippet.iter().map(|piece| piece.text.chars().count()).sum();
        assert!(length < 600, "{}: {length}", hit.url);
        assert!(hit.snippet.iter().all(|piece| !piece.text.chars().any(char::is_control)), "{}", hit.url);
    }
    assert!(site.complaints().is_empty());
}

#[test]
fn any_question_is_answered_soon() {
    let pages: Vec<Page> = (0..200).map(|n| page(&format!("/{n}"), "the a of", "the of and to in a is it")).collect();
    let mut site = Site::with_pages(&pages);
    site.follow();
    let index = site.open();
    for asked in [
        "the OR of ".repeat(5_000),
        "\"the of and to in a is it\" ".repeat(500),
        "(((((((((((".repeat(1_000),
        "-".repeat(100_000),
        "\"".repeat(99_999),
        "in:".repeat(10_000),
        "a:b:c:".repeat(10_000),
        "数据库".repeat(10_000),
        "東京の".repeat(10_000),
        "x".repeat(1_000_000),
    ] {
        let begun = std::time::Instant::now();
        site.ask_of(&index, &asked);
        let taken = begun.elapsed();
        // A fraction of a second on a free machine; what grows with the square of a question takes minutes.
        assert!(taken.as_secs() < 15, "{:.20}: {taken:?}", asked);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_a_question(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        thread_local! {
            static SITE: std::cell::RefCell<Option<(Site, groma_search::Index)>> = const { std::cell::RefCell::new(None) };
        }
        SITE.with_borrow_mut(|kept| {
            let (site, index) = kept.get_or_insert_with(|| {
                let mut site = Site::with_pages(&[page("/a", "A title", "some text of a page"), page("/b", "B", "数据库 text")]);
                site.follow();
                let index = site.open();
                (site, index)
            });
            let typed = String::from_utf8_lossy(&bytes);
            site.ask_of(index, &typed);
            index.suggest(&typed, 8).unwrap();
            for form in [format!("text {typed}"), format!("in:{typed} OR \"{typed}"), format!("site:{typed} date:{typed}")] {
                site.ask_of(index, &form);
            }
        });
    }
}
