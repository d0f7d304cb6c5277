//! Which text becomes which block.

use super::*;

#[test]
fn inline_elements_join_and_block_elements_divide() {
    assert_eq!(shown("a<b>b</b> <i> c </i><span>d</span>"), ["paragraph: ab c d"]);
    assert_eq!(
        shown("a<div>b</div>c<p>d<p>e</p>f<hr>g"),
        ["a", "b", "c", "d", "e", "f", "g"].map(|t| format!("paragraph: {t}"))
    );
    assert_eq!(shown("a<br>b<wbr>c"), ["paragraph: a bc"]);
    assert_eq!(shown(" \n\t&nbsp; "), [""; 0]);
}

#[test]
fn every_kind_of_block_is_known() {
    for (html, kind) in [
        ("<h1>x</h1>", "h1"),
        ("<h2>x</h2>", "h2"),
        ("<h3>x</h3>", "h3"),
        ("<h4>x</h4>", "h4"),
        ("<h5>x</h5>", "h5"),
        ("<h6>x</h6>", "h6"),
        ("<p>x", "paragraph"),
        ("<blockquote>x", "paragraph"),
        ("<ul><li>x", "list-item"),
        ("<ul><li><p>x", "list-item"),
        ("<dl><dt>x", "list-item"),
        ("<dl><dd>x", "list-item"),
        ("<table><tr><td>x", "table-cell"),
        ("<table><th>x", "table-cell"),
        ("<table><caption>x", "paragraph"),
        ("<table><tr><td><h2>x", "h2"),
        ("<pre>x", "preformatted"),
        ("<xmp>x", "preformatted"),
        ("<img alt=x>", "image-alt"),
        ("<input type=image alt=x>", "image-alt"),
        ("<meta name=Description content=x>", "description"),
        ("<meta name=keywords content=x>", "keywords"),
        ("<title>x</title>", "title"),
    ] {
        assert_eq!(shown(html), [format!("{kind}: x")], "{html}");
    }
}

#[test]
fn navigation_is_what_frames_the_site() {
    for html in [
        "<nav>x",
        "<nav><ul><li>x",
        "<nav><h2>x",
        "<header>x",
        "<footer><p>x",
        "<aside>x",
        "<menu><li>x",
        "<div role=navigation>x",
        "<div role=' Banner '><p>x",
        "<ul role=menubar><li>x",
        "<section role=contentinfo>x",
        "<nav><div></div>x",
        "<div role=navigation><div>x</div></div>",
    ] {
        assert_eq!(shown(html), ["navigation: x"], "{html}");
    }
    for html in [
        "<article><header>x",
        "<main><footer>x",
        "<section><div><header>x",
        "<nav></nav>x",
        "<div role=main>x",
        "<nav><td></nav>x",
    ] {
        assert_eq!(shown(html), ["paragraph: x"], "{html}");
    }
}

#[test]
fn ends_are_implied_as_in_the_standard() {
    assert_eq!(shown("<ul><li>a<li>b</ul>c"), ["list-item: a", "list-item: b", "paragraph: c"]);
    assert_eq!(
        shown("<ul><li>a<ul><li>b</ul>c</ul>d"),
        ["list-item: a", "list-item: b", "list-item: c", "paragraph: d"]
    );
    assert_eq!(shown("<dl><dt>a<dd>b</dl>c"), ["list-item: a", "list-item: b", "paragraph: c"]);
    assert_eq!(
        shown("<table><td>a<td>b<tr><td>c</table>d"),
        ["table-cell: a", "table-cell: b", "table-cell: c", "paragraph: d"]
    );
    assert_eq!(
        shown("<table><td>a<table><td>b</table>c</table>d"),
        ["table-cell: a", "table-cell: b", "table-cell: c", "paragraph: d"]
    );
    assert_eq!(shown("<h1>a<h2>b</h1>c"), ["h1: a", "h2: b", "paragraph: c"]);
    assert_eq!(shown("<h1>a</h3>b"), ["h1: a", "paragraph: b"]);
    assert_eq!(shown("<div><li>a</div>b"), ["list-item: a", "paragraph: b"]);
    assert_eq!(shown("<table><td><ul><li>a</td><td>b"), ["list-item: a", "table-cell: b"]);
}

#[test]
fn stray_ends_close_nothing() {
    assert_eq!(shown("<ul><li>a</div></p></td></table>b"), ["list-item: a", "list-item: b"]);
    assert_eq!(shown("<div><table><td>a</div>b</table>c</div>"), ["table-cell: ab", "paragraph: c"]);
    assert_eq!(shown("<ul><li>a<ul></li>b"), ["list-item: a", "list-item: b"]);
    assert_eq!(shown("a<td>b</td>c"), ["paragraph: abc"]);
}

#[test]
fn white_space_counts_where_it_is_preformatted() {
    assert_eq!(blocks("<pre>\n a\n  b <b>c</b>\n\n</pre>d  e")[0], (BlockKind::Preformatted, " a\n  b c".to_owned()));
    assert_eq!(shown("<pre> \n </pre>d  e"), ["paragraph: d e"]);
    assert_eq!(blocks("<pre>a<br>b")[0].1, "a\nb");
}

#[test]
fn an_image_is_a_block_of_its_own_and_does_not_divide_the_text() {
    assert_eq!(shown("a <img alt='  the\n cat '> b"), ["paragraph: a b", "image-alt: the cat"]);
    assert_eq!(shown("<img alt=cat> b<img alt=''>"), ["image-alt: cat", "paragraph: b"]);
    assert_eq!(shown("<svg><title>star</title><text>5</text></svg>"), ["image-alt: star", "paragraph: 5"]);
}

#[test]
fn what_nobody_sees_is_no_text() {
    for html in [
        "<script>x</script>",
        "<script><!-- <script> x </script> --></script>",
        "<style>x</style>",
        "<iframe>x<a href=y></iframe>",
        "<noembed>x</noembed>",
        "<template>x<template>x</template>x<a href=y></template>",
        "<template><script></template></script></template>",
        "<textarea>x</textarea>",
        "<select><option>x</select>",
        "<svg><style>x</style><script>y</script><desc>z</desc></svg>",
        "<!-- x --><!doctype x><?x ?>",
        "\0",
    ] {
        assert_eq!(shown(html), [""; 0], "{html}");
        assert_eq!(linked(html), [""; 0], "{html}");
    }
}

#[test]
fn raw_text_ends_only_at_its_own_end_tag() {
    assert_eq!(shown("<script>a</style></script x>b"), ["paragraph: b"]);
    assert_eq!(shown("<title>a<b>&lt;</titles></TITLE >b"), ["title: a<b><</titles>", "paragraph: b"]);
    assert_eq!(shown("<plaintext>a</plaintext><b>"), ["preformatted: a</plaintext><b>"]);
    assert_eq!(shown("<noscript>a <b>b</b></noscript>"), ["paragraph: a b"]);
    assert_eq!(shown("<noframes>a <b>b</b></noframes>"), ["paragraph: a b"]);
}

#[test]
fn the_title_is_the_first_title_of_the_page_and_not_of_a_picture() {
    assert_eq!(read("<svg><title>picture</title></svg><title>page</title><title>more</title>").title, "page");
    assert_eq!(read("<title></title><title>late</title>").title, "");
    assert_eq!(read("<body><p>x<title>anywhere").title, "anywhere");
    assert_eq!(
        read("<svg><foreignObject><div></div></foreignObject><title>a</title></svg><title>b</title>").title,
        "b"
    );
}

#[test]
fn foreign_content_ends_where_html_begins_again() {
    assert_eq!(shown("<svg><g><p>a</p><title>b</title>"), ["paragraph: a", "title: b"]);
    assert_eq!(shown("<svg/><title>b</title>"), ["title: b"]);
    assert_eq!(shown("<svg><path/><![CDATA[a<b>]]></svg>c"), ["paragraph: a<b>c"]);
    assert_eq!(shown("<math><mi>x</mi></math> y"), ["paragraph: x y"]);
}

#[test]
fn a_page_that_calls_itself_xml_closes_its_tags_itself() {
    assert_eq!(shown("<?xml version='1.0'?><html><title/><script src='a'/><a id='x'/>b</html>"), ["paragraph: b"]);
    assert_eq!(shown("<html><script src='a'/>b</html>"), [""; 0]);
}

#[test]
fn text_beyond_the_limits_is_cut_between_words() {
    let limits = Limits { html_text: 40, ..Limits::default() };
    let page = read_with(b"<p>one two<p>three four<p>five", &limits);
    let texts: Vec<_> = page.blocks.iter().map(|b| b.text.as_str()).collect();
    assert_eq!(texts, ["one two", "three four"]);
    assert_eq!(page.cuts, ["html_text"]);
    let page = read_with("<pre>aé".as_bytes(), &Limits { html_text: 2, ..Limits::default() });
    assert_eq!((page.blocks[0].text.as_str(), page.cuts.as_slice()), ("a", &["html_text"][..]));
}

#[test]
fn elements_beyond_the_depth_are_read_as_if_they_stood_here() {
    let limits = Limits { html_depth: 3, ..Limits::default() };
    let page = read_with(b"<div><div><ul><li>a<div>b</div></li></ul>c<li>d</li>e</div></div>f", &limits);
    let shown: Vec<_> = page.blocks.iter().map(|b| (b.kind, b.text.as_str())).collect();
    use BlockKind::{ListItem, Paragraph};
    assert_eq!(
        shown,
        [(Paragraph, "a"), (Paragraph, "b"), (Paragraph, "c"), (ListItem, "d"), (Paragraph, "e"), (Paragraph, "f")]
    );
    assert_eq!(page.cuts, ["html_depth"]);
}

#[test]
fn bytes_that_fall_apart_are_put_together() {
    assert_eq!(shown("a<é b &é </é> c"), ["paragraph: a<é b &é c"]);
    assert_eq!(shown("&notit; &amp &#x41; &#0;"), ["paragraph: ¬it; & A \u{fffd}"]);
}
