//! CSS selectors: each test of the language with elements that pass it and elements that do not.

use crate::values;

const PAGE: &str = "<!DOCTYPE html><html lang=en-GB><title>T</title><body>
<div id=main class='box wide' data-kind='a b'><h1>Head <em>line</em></h1>
<p class=one>First<br>line</p><p class='one Two' title='x-y'>Second</p><span></span><p>Third</p></div>
<ul><li>1<li class=on>2<li>3<li>4<li>5</ul><a href='/x.pdf' rel='nofollow me'>pdf</a><a HREF=\"y.html\">page</a>
<table><tr><th>Size<td>7</table>";

fn css(selector: &str) -> Vec<String> {
    values("css", selector, PAGE)
}

#[test]
fn simple_tests_and_what_joins_them() {
    for (selector, texts) in [
        ("h1", &["Head line"][..]),
        ("H1", &["Head line"]),
        ("#main > p.one", &["First line", "Second"]),
        (".Two", &["Second"]),
        (".two", &[]),
        ("div em", &["line"]),
        ("div > em", &[]),
        ("p + p", &["Second"]),
        ("p ~ p", &["Second", "Third"]),
        ("h1 + p", &["First line"]),
        ("table > tbody > tr > td", &["7"]),
        ("th+td, h1 em", &["line", "7"]),
        ("*[title]", &["Second"]),
        ("[data-kind~=b] > h1", &["Head line"]),
        ("[data-kind='a b'] h1", &["Head line"]),
        ("[title|=x]", &["Second"]),
        ("a[href$='.PDF' i]", &["pdf"]),
        ("a[href$='.PDF']", &[]),
        ("a[href^='/']", &["pdf"]),
        ("a[href*=htm]", &["page"]),
        ("a[href*='']", &[]),
        ("html[lang|=en] title", &["T"]),
    ] {
        assert_eq!(css(selector), texts, "{selector}");
    }
}

#[test]
fn places_and_relations() {
    for (selector, texts) in [
        ("li:first-child", &["1"][..]),
        ("li:last-child", &["5"]),
        ("li:nth-child(2n+1)", &["1", "3", "5"]),
        ("li:nth-child(even)", &["2", "4"]),
        ("li:nth-child(-n+2)", &["1", "2"]),
        ("li:nth-last-child(2)", &["4"]),
        ("#main > p:nth-of-type(2)", &["Second"]),
        ("#main > p:nth-child(2)", &["First line"]),
        ("#main > p:last-of-type", &["Third"]),
        ("h1:only-of-type", &["Head line"]),
        ("td:only-child", &[]),
        ("span:empty", &[""; 0]),
        ("li:not(.on):not(:first-child)", &["3", "4", "5"]),
        ("li:not(.on, :last-child)", &["1", "3", "4"]),
        (":is(h1, th)", &["Head line", "Size"]),
        ("tr:has(> th) td", &["7"]),
        ("p:has(+ span)", &["Second"]),
        ("p:has(em)", &[]),
        ("li:has(~ .on)", &["1"]),
        ("th:contains('Size') + td", &["7"]),
        (":root > head > title", &["T"]),
    ] {
        assert_eq!(css(selector), texts, "{selector}");
    }
}

#[test]
fn pieces_of_elements() {
    assert_eq!(css("h1::text"), ["Head"]);
    assert_eq!(css("a::attr(href)"), ["/x.pdf", "y.html"]);
    assert_eq!(css("h1::html"), ["<h1>Head <em>line</em></h1>"]);
    assert_eq!(css("a::attr(title)"), [""; 0]);
}
