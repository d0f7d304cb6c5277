//! No page panics, hangs or breaks what holds of all parts.

use std::time::Duration;

use groma_cpu_time::measured;
use proptest::prelude::*;

use super::*;
use crate::parts::marked;

fn holds(page: &ParsedPage) {
    let parts = page.parts.as_ref().unwrap();
    assert_eq!(parts.links.len(), page.links.len());
    assert_eq!(parts.paths.len(), page.blocks.len());
    assert!(parts.main.is_sorted_by(|a, b| a < b));
    assert!(parts.main.iter().all(|block| (*block as usize) < page.blocks.len()));
    assert!(parts.content.iter().all(|part| part.confidence <= 100 && !part.text.is_empty()), "{:?}", parts.content);
    assert!(parts.links.iter().all(|part| part.confidence <= 100) && parts.confidence <= 100);
}

#[test]
#[rustfmt::skip]
fn repeated_patterns_cost_linear_time() {
    let mut slow = false;
    for pattern in [
        "<div>", "<p>Ana Smith, Bo Lee", "<a href=x>Ana Smith</a>, ", "<h1>Abstract</h1>", "<h2>Keywords</h2><p>a; b; c", "<sup>1</sup>University of X", "<br>", "<br>Ana Smith<br>", "a<br>", "<b>", "<li><a href=/p>On the cutting of pages</a>",
        "<div class='author abstract title keyword'>x", "<span title='University of X' class=author>Ana Smith</span>", "<table><tr><td>Abstract<td>x", "<p>Abstract: ", "Ana Smith<sup>1</sup>, ", "<h3>Related articles</h3><a href=x>y</a>", "<dt>Keywords<dd>x, y", "</div>", "<ul><li>",
        "<script type=application/ld+json>{\"@type\":\"Book\"}</script>", "<script type=application/ld+json>[[[[[[", "<meta name=citation_author content='A B'>", "<meta name=citation_abstract content='<a<a<a<a<a<a'>", "<form><div><p>x", "; ", ", and ", "学", "<details><summary>Abstract</summary>x",
        "<h2>Ana Smith</h2>", "<h4>On the cutting of pages</h4>", "x<sup>*</sup>", "<sup>1</sup>", "<p>x<br>y<br>Ana Smith, University of X<br>", "<b>x<br>", "<p>Keywords: a, b", "a; ", "<table><tr><td>", "<table><td>Ana Smith<table><td>x", "<meta name=dc.subject content='a, b, c'>",
        "<script type=application/ld+json>{\"@type\":\"ScholarlyArticle\",\"author\":[\"A B\"]}</script>", "<meta name=x content=y>", "<p class=title>On pages", "<p class=author>Ana Smith, Bo Lee", "<p class=affiliation>Ana Smith, University of X", "<div class=abstract><p>x", "<i><p>Ana Smith and ", "<h3>Authors</h3><p>Ana Smith, Bo Lee",
        "<h3>Affiliations</h3><p>1 University of X; ", "<ul><li><a href=/p>On the cutting of pages</a></ul>", "<h1>x", "<a href=/p>Next</a> | ", "<dt>Authors<dd>Ana Smith", "<p>by by by by by ", "<p>Department, University, School, ", "<div><div><p>Some text, with commas, and more, of it.</p></div>", "<div hidden><ul><li><b>x", "<a href=/x><h3>On pages</h3></a><p>Ana Smith",
    ] {
        let head = "<h1>On the Cutting of Pages</h1><p>Ana Smith<sup>1</sup>, Bo Lee<sup>2</sup></p>";
        let page = |bytes: usize| format!("{head}{}", pattern.repeat(bytes / pattern.len()));
        // The least of a few, since others use the machine too; the long page once.
        let short = page(1 << 18);
        let spent_short = (0..3).map(|_| measured(|| holds(&read(&short))).1).min().unwrap_or_default();
        let long = page(2 << 20);
        let spent = measured(|| holds(&read(&long))).1;
        println!("{spent_short:9.3?} {spent:9.3?} {pattern:?}");
        // Eight times as long: linear takes 8 times, what grows with the square 64.
        slow |= spent > spent_short * 24 + Duration::from_millis(500);
    }
    assert!(!slow);
}

#[test]
fn a_hundred_thousand_links() {
    let page: String = (0..100_000).map(|n| format!("<li><a href=/{n}>On the cutting of pages {n}</a>")).collect();
    let (read, spent) = measured(|| read(&format!("<h1>Pages</h1><ul>{page}</ul>")));
    assert!(spent < Duration::from_secs(15));
    holds(&read);
    assert_eq!(read.parts.unwrap().page_type, PageType::List);
}

#[test]
fn a_marked_page_is_the_page_with_marks() {
    let html = format!(
        "<!-- <h1> --><h1>On the Cutting of Pages</h1><p class=x>Ana Smith, Bo Lee</p><h2>Abstract</h2><p\n>{ABSTRACT}</p><script>'<p>'</script><a href='/n' >Next</a>"
    );
    let url = Url::parse("http://a.test/").unwrap();
    let out = marked(&html, &url, &Limits::default());
    for mark in [
        "<h1 data-part=\"title\">",
        "<p data-part=\"authors\" class=x>",
        "<p data-part=\"abstract\"\n>",
        "<a data-part=\"sequence\" href='/n' >",
    ] {
        assert!(out.contains(mark), "{out}");
    }
    let mut without = out;
    for kind in PartKind::ALL {
        without = without.replace(&format!(" data-part=\"{}\"", kind.name()), "");
    }
    assert_eq!(without, html);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_bytes_give_parts(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let url = Url::parse("http://a.test/").unwrap();
        let page = Html.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &Limits::default(), parts: true });
        holds(&page);
    }

    #[test]
    fn any_markup_gives_parts(pieces in proptest::collection::vec(prop::sample::select(vec![
        "<p>", "</p>", "<div class=author>", "</div>", "<sup>1</sup>", "Ana Smith", ", ", "; ", "<br>", "<h1>", "</h1>", "Abstract", "Keywords: ", "<a href=/x>", "</a>", "<li>", "<table>", "<td>", "</table>", "University of X", "摘要", "：",
        "<pre>\n", "</pre>", "<img alt=x>", "<template>", "</template>", "<title>", "</title>", "&amp;", "\0", "<svg>", "</svg>", "<b>", "</b>", " ", "<span title='University of X'>", "</span>", "<nav>", "</nav>", "x y z. ", "Next", "<form>", "</form>",
    ]), 0..120)) {
        let html = pieces.concat();
        holds(&read(&html));
        let url = Url::parse("http://a.test/").unwrap();
        let out = marked(&html, &url, &Limits::default());
        prop_assert!(out.len() >= html.len());
    }
}
