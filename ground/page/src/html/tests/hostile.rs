//! No page panics, hangs, or costs more than two seconds, whatever it holds.

use std::time::Duration;

use groma_cpu_time::measured;
use proptest::prelude::*;

use super::*;

fn is_quick(name: &str, page: &[u8]) -> ParsedPage {
    let (parsed, spent) = measured(|| read_with(page, &Limits::default()));
    assert!(spent < Duration::from_secs(10), "{name:?}: {spent:?} for {} bytes", page.len());
    println!("{name:?}: {spent:?} for {} bytes", page.len());
    parsed
}

/// Four megabytes, or what the environment says, of a pattern in which `#` is a running number.
fn many(pattern: &str) -> Vec<u8> {
    let megabytes: usize = std::env::var("GROMA_HOSTILE_MB").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let size = megabytes << 20;
    if !pattern.contains('#') {
        return pattern.repeat(size / pattern.len()).into_bytes();
    }
    let mut page = Vec::new();
    let mut number = 0u32;
    while page.len() < size {
        page.extend_from_slice(pattern.replace('#', &number.to_string()).as_bytes());
        number += 1;
    }
    page
}

#[test]
#[rustfmt::skip]
fn repeated_patterns_cost_linear_time() {
    for pattern in [
        "<ul><li>", "<div>", "<table>", "<table><td>", "<", "</", "&amp;", "&", "&n", "&#x41", "<a href>", "<a href=x>", "<a href=x>y z ",
        "<p id=#>", "<a name=#>", "<p>a", "<b>", "</p>", "</div>", "<svg>", "<svg><title>", "<math><svg><foreignObject>",
        "<template>", "<!--", "<!-->", "<![CDATA[", "<form>", "<form></form>", "<input name=#>", "<select><option>#", "<option>x",
        "<textarea>", "<title>", "<script><!--<script>", "<meta name=# content=x>", "<base href=#/>", "<img src=# alt=x>",
        "<dl><dt><dd>", "<h1><h2>", "<tr></tr>", "<nav><div role=navigation>", "<h1></h2>", "<a href=#><table><td></a>",
        "x ", "é", "\0", "\r\n", "漢", "# ", "<img srcset='a 1x, b 2x, c(,), d'>", "<x y=z>", "<pre>\n", "<link rel=next href=#>",
        "<p><td></p>", "<object></div>", "<button>x", "<frameset><frame src=#>", "\u{a0}", "<?xml", "<a href='../../../#'>",
        "<a<", "<a a='", "<a a=\"\" ", "<!----", "<!--->", "--!", "</a/", "<a =", "&#", "&#9", "&CounterClockwiseContourIntegral", "&not", "<title>&", "<title></titl",
        "<div itemscope itemprop=a>", "<div itemscope><b itemprop=#>x", "<b itemprop=#>", "<p itemscope itemref=#><b id=#>", "<p itemscope itemref='a b'><b id=a><i id=b itemprop=x>",
        "<div vocab=# typeof=b property=c>", "<a href=# typeof=x><b property=dc:#>y", "<p prefix='a#: b' property=a#:b>", "<b resource=#>", "<script type=application/ld+json>",
        "<script type=application/ld+json>[{\"@context\":{\"a#\":\"b\"},\"a#\":{\"@id\":\"#\"}}]</script>", "<script></scrip", "<script><!--<script></script>", "<svg><![CDATA[x]]", "<svg><![CDATA[]]>", "<noframes>", "\r", "<a a='\0'>", "<div><p><ul><li><table><tr><td>",
    ] {
        let page = many(pattern);
        is_quick(pattern, &page);
        if pattern.starts_with("</") || pattern.contains("td") || pattern.contains("li") || pattern.contains("h1") {
            is_quick(&format!("depth, then {pattern}"), &[b"<div><p><table><td>".repeat(200), page].concat());
        }
    }
}

#[test]
#[rustfmt::skip]
fn single_giants_cost_linear_time() {
    let x = many("x");
    for (start, end) in [
        ("<a href='", "'>t</a>"), ("<a href=\"?", "\">"), ("<a ", "=y>"), ("<", ">"), ("</", ">"), ("<!--", ""), ("<img srcset='", ",'>"),
        ("<title>", ""), ("<p>", ""), ("<pre>", ""), ("<a href=y>", ""), ("<base href='", "'><a href=y><a href=z>"), ("&", ";"), ("&#", ";"), ("<a b='", ""), ("<a b=\"", ""), ("<a b=", ""), ("<svg><![CDATA[", ""), ("<!", ""), ("<?", ""), ("</ ", ""),
        ("<meta name='", "' content=x>"), ("<meta http-equiv=refresh content='0;url=", "'>"), ("<html lang='", "'>"), ("<p id='", "'>"),
        ("<form action='", "'>"), ("<a href='http://", "/'>"), ("<a href='http://[", "/'>"), ("<script>", ""), ("<textarea>", ""),
    ] {
        is_quick(start, &[start.as_bytes(), &x, end.as_bytes()].concat());
    }
    for (name, inside) in [("attributes", " a#=b"), ("hrefs", " href=x"), ("bare attributes", " #"), ("srcset", " ,"), ("paths", "../"), ("stars", "&#x41;")] {
        let inside = many(inside);
        for (start, end) in [(&b"<a"[..], &b">"[..]), (b"<a href='", b"'>"), (b"<img srcset='", b"'>")] {
            is_quick(name, &[start, &inside, end].concat());
        }
    }
    // The longest base that is taken, under as many links as are kept.
    let base = format!("<base href='/{}/'>", "x/".repeat(2000));
    is_quick("base", &[base.as_bytes(), &many("<a href=#>")].concat());
}

#[test]
fn bounds_hold_on_hostile_pages() {
    let limits = Limits::default();
    let page = is_quick("links", &many("<a href=#>"));
    assert_eq!((page.links.len() as u64, page.cuts.as_slice()), (limits.html_links, &["html_links"][..]));
    let page = is_quick("depth", &many("<ul><li>"));
    assert_eq!(page.cuts, ["html_depth"]);
    let page = is_quick("attributes", &[b"<a", many(" a#=b").as_slice(), b" href=x>"].concat());
    assert_eq!((page.links.len(), page.cuts.as_slice()), (0, &["html_attributes"][..]));
    let page = is_quick("text", &many("# <p>"));
    assert!(page.blocks.iter().map(|b| b.text.len() as u64).sum::<u64>() <= limits.html_text);
    assert_eq!(page.cuts, ["html_text"]);
}

proptest! {
    #[test]
    fn any_bytes_are_read_and_always_the_same(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(read_with(&bytes, &Limits::default()), read_with(&bytes, &Limits::default()));
    }

    #[test]
    fn any_markup_is_read_and_always_the_same(
        html in "(<|>|</|/>|=|\"|'|&|;| |\n|x|é|#|a |href|src|srcset|id|div|p|li|ul|td|tr|table|svg|title|foreignObject|template|script|style|select|option|textarea|form|input|img|base|meta|content|name|h1|h2|pre|nav|dt|dd|<a href=x>|</a>|<svg>|<td>|<li>|<!--|-->|<!\\[CDATA\\[|\\]\\]>){0,40}",
        depth in 0u64..6, links in 0u64..4, text in 0u64..60,
    ) {
        let limits = Limits { html_depth: depth, html_links: links, html_text: text, anchor_bytes: 8, html_forms: 1, html_attributes: 3, ..Limits::default() };
        let page = read_with(html.as_bytes(), &limits);
        prop_assert!(page.links.len() as u64 <= links);
        prop_assert!(page.links.iter().all(|link| link.text.len() <= 8));
        prop_assert!(page.blocks.iter().map(|b| b.text.len() as u64).sum::<u64>() <= text);
        prop_assert!(page.blocks.iter().all(|b| !b.text.is_empty()));
        prop_assert_eq!(&page, &read_with(html.as_bytes(), &limits));
        read(&html);
    }
}
