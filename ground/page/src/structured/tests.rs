//! What the structured data of pages is read as.

use groma_model::{Limits, ParsedPage};
use groma_url::Url;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Filter, Html, Input};

fn read_with(html: &str, limits: &Limits) -> ParsedPage {
    let url = Url::parse("http://a.test/dir/page.html").unwrap();
    Html.read(&Input { bytes: html.as_bytes(), url: &url, charset: None, limits, parts: false })
}

/// The items as they are exported.
fn items(html: &str) -> Value {
    let structured = read_with(html, &Limits::default()).structured;
    structured.map_or(Value::Null, |data| serde_json::to_value(&data.items).unwrap())
}

/// The things alone.
fn things(html: &str) -> Value {
    let Value::Array(items) = items(html) else { return Value::Null };
    let bare = items.into_iter().map(|mut item| {
        let members = item.as_object_mut().unwrap();
        members.remove("syntax");
        members.remove("line");
        item
    });
    bare.collect()
}

/// `syntax line: what`
fn faults(html: &str) -> Vec<String> {
    let data = read_with(html, &Limits::default()).structured.unwrap_or_default();
    data.faults.iter().map(|fault| format!("{} {}: {}", fault.syntax.name(), fault.line, fault.what)).collect()
}

#[test]
fn a_page_without_any_has_none() {
    for html in [
        "<p>text</p>",
        "<html prefix='og: http://ogp.me/ns#'><meta property=og:title content=x><meta name=twitter:card content=summary>",
        "<template><div itemscope><b itemprop=name>x</b></div><script type=application/ld+json>{}</script></template>",
        "<script>{\"@type\": \"Thing\"}</script>",
        "<!-- <div itemscope> -->",
    ] {
        assert_eq!(read_with(html, &Limits::default()).structured, None, "{html}");
    }
}

#[test]
fn each_item_has_its_syntax_and_its_line() {
    let html = "<p>\n<div itemscope\n itemtype=https://schema.org/Person><b itemprop=name>Ann</b></div>\n\
                <p vocab=http://schema.org/ typeof=Person><b property=name>Ben</b>\n\
                <script type='application/ld+json'>{\"@context\": \"https://schema.org\", \"@type\": \"Person\", \"name\": \"Cid\"}</script>";
    let person = |syntax: &str, line: u32, name: &str| json!({ "syntax": syntax, "line": line, "types": ["Person"], "properties": { "name": [name] } });
    assert_eq!(
        items(html),
        json!([person("json-ld", 5, "Cid"), person("microdata", 2, "Ann"), person("rdfa", 4, "Ben")])
    );
}

#[test]
fn the_value_of_an_itemprop_depends_on_its_element() {
    for (html, value) in [
        ("<b itemprop=x>  some\n <i>bold</i> text</b>", "some bold text"),
        ("<meta itemprop=x content=' a '>", " a "),
        ("<meta itemprop=x>", ""),
        ("<img itemprop=x src='b.png'>", "http://a.test/dir/b.png"),
        ("<img itemprop=x>", ""),
        ("<a itemprop=x href=../c>text</a>", "http://a.test/c"),
        ("<a itemprop=x href=''>text</a>", "http://a.test/dir/page.html"),
        ("<a itemprop=x>text</a>", ""),
        ("<a itemprop=x href=mailto:me@a.test>text</a>", "mailto:me@a.test"),
        ("<link itemprop=x href=https://schema.org/InStock>", "https://schema.org/InStock"),
        ("<object itemprop=x data=o.swf></object>", "http://a.test/dir/o.swf"),
        ("<data itemprop=x value=12>twelve</data>", "12"),
        ("<meter itemprop=x value=3 max=5>three</meter>", "3"),
        ("<time itemprop=x datetime=2026-01-02>yesterday</time>", "2026-01-02"),
        ("<time itemprop=x>2026-01-03</time>", "2026-01-03"),
        ("<span itemprop=x content=12.5>12,50</span>", "12.5"),
        ("<iframe itemprop=x src=//b.test/v></iframe>", "http://b.test/v"),
        ("<p itemprop=x>a<script>b</script><style>c</style><div>d</div>", "a"),
        ("<ul><li itemprop=x>a<li>b</ul>", "a"),
        ("<table><tr><td itemprop=x>a<td>b</table>", "a"),
        ("<div itemprop=x>a<textarea>b</textarea>&amp;</div>", "ab&"),
        ("<div itemprop='x\n x'>a</div>", "a"),
        ("<B ITEMPROP=x>a</B>", "a"),
        ("<b itemprop=http://schema.org/x>a</b>", "a"),
    ] {
        assert_eq!(
            things(&format!("<div itemscope>{html}</div>")),
            json!([{ "properties": { "x": [value] } }]),
            "{html}"
        );
    }
}

#[test]
fn items_stand_in_one_another() {
    let html = "<div itemscope itemtype='https://schema.org/Book http://ex.test/Thing' itemid=urn:isbn:1 id=whole>
        <h1 itemprop='name headline'>Title by <span itemprop=author itemscope itemtype=http://schema.org/Person>
        <b itemprop=name>Ann</b><b itemprop=knows itemscope><i itemprop=name>Ben</i></b></span></h1>
        <div itemscope itemtype=http://ex.test/Own><b itemprop=name>own</b></div>
        <b itemprop=name>again</b></div>";
    let ann = json!({ "types": ["Person"], "properties": { "name": ["Ann"], "knows": [{ "properties": { "name": ["Ben"] } }] } });
    let book = json!({
        "types": ["Book", "http://ex.test/Thing"], "id": "urn:isbn:1",
        "properties": { "name": ["Title by AnnBen", "again"], "headline": ["Title by AnnBen"], "author": [ann] },
    });
    let own = json!({ "types": ["http://ex.test/Own"], "properties": { "name": ["own"] } });
    assert_eq!(things(html), json!([book, own]));
    assert_eq!(faults(html), [""; 0]);
}

#[test]
fn properties_may_stand_elsewhere() {
    let html = "<p id=before itemprop=a>1</p>
        <div itemscope itemref='after before'><b itemprop=a>2</b></div>
        <div itemscope itemref=after></div>
        <div id=after><b itemprop=b>3</b><p itemprop=c itemscope><i itemprop=b>4</i></p><b id=twice>5</b></div>";
    let inner = json!({ "properties": { "b": ["4"] } });
    let first = json!({ "properties": { "a": ["1", "2"], "b": ["3"], "c": [inner] } });
    let second = json!({ "properties": { "b": ["3"], "c": [inner] } });
    assert_eq!(things(html), json!([first, second]));
    assert_eq!(faults(html), [""; 0]);
    let html = "<meta itemscope itemtype=http://schema.org/X itemref=s><meta id=s itemprop=a content=1>";
    assert_eq!(things(html), json!([{ "types": ["X"], "properties": { "a": ["1"] } }]));
    // What is referred to may belong to an item as well, and refer to each other.
    let html = "<div itemscope><div id=x><b itemprop=a>1</b><div id=y><b itemprop=a>2</b></div></div></div><i itemscope itemref='y x'></i>";
    assert_eq!(things(html), json!([{ "properties": { "a": ["1", "2"] } }, { "properties": { "a": ["1", "2"] } }]));
}

#[test]
fn an_item_that_is_a_property_of_nothing_stands_alone() {
    let html = "<p itemprop=rating itemscope><b itemprop=value>4</b></p>";
    assert_eq!(things(html), json!([{ "properties": { "value": ["4"] } }]));
    assert_eq!(faults(html), ["microdata 1: itemprop \"rating\" outside of any item"]);
}

#[test]
fn microdata_that_means_nothing_is_told() {
    for (html, told) in [
        ("\n<b itemprop=name>x</b><i itemprop=name>y</i>", "microdata 2: itemprop \"name\" outside of any item"),
        ("<b itemtype=http://schema.org/Person>x</b>", "microdata 1: itemtype without itemscope"),
        ("<b itemscope itemtype=Person>x</b>", "microdata 1: itemtype \"Person\" is not an absolute URL"),
        ("<b itemscope itemref=gone>x</b>", "microdata 1: itemref names \"gone\", which is not an id of the page"),
        (
            "<b itemscope itemref=self></b><i id=self itemprop=in itemscope itemref=self></i>",
            "microdata 1: an item that contains itself by itemref",
        ),
    ] {
        assert_eq!(faults(html), [told], "{html}");
    }
}

#[test]
fn rdfa_is_read_as_triples_would_be() {
    for (html, told) in [
        (
            "<div vocab=http://schema.org/ typeof=Book resource=#b><b property=name>N</b><a property=url href=/u>U</a>
             <div property=author typeof=Person><b property='name alternateName'>A</b></div><img property=image src=i.png></div>",
            json!([{ "types": ["Book"], "id": "http://a.test/dir/page.html#b", "properties": {
                "name": ["N"], "url": ["http://a.test/u"], "image": ["http://a.test/dir/i.png"],
                "author": [{ "types": ["Person"], "properties": { "name": ["A"], "alternateName": ["A"] } }] } }]),
        ),
        // Without property it is another thing, not a part of the one around it.
        (
            "<p vocab=https://schema.org/ typeof=Event><b property=name>E</b><span typeof=Place><b property=name>P</b></span>",
            json!([{ "types": ["Event"], "properties": { "name": ["E"] } }, { "types": ["Place"], "properties": { "name": ["P"] } }]),
        ),
        (
            "<div prefix='ex: http://ex.test/# dc: http://ex.test/dc#' typeof='ex:A http://ex.test/B'><b property=dc:title content=C>x</b></div>",
            json!([{ "types": ["http://ex.test/#A", "http://ex.test/B"], "properties": { "http://ex.test/dc#title": ["C"] } }]),
        ),
        // Of the page itself; meta elements are left to the cards.
        (
            "<html vocab=http://schema.org/><meta property=name content=M><h1 property=headline>H</h1>",
            json!([{ "properties": { "headline": ["H"] } }]),
        ),
        (
            "<div about=/x><b property=dc:title>T</b></div><a resource=/x><time property=dc:date datetime=2026>now</time></a>",
            json!([{ "id": "http://a.test/x", "properties": { "http://purl.org/dc/terms/title": ["T"], "http://purl.org/dc/terms/date": ["2026"] } }]),
        ),
        // A link without a property says what its inside is about.
        (
            "<div vocab=http://schema.org/ typeof=WebPage><a href=/y><b property=name>Y</b></a><b property=name>X</b></div>",
            json!([{ "types": ["WebPage"], "properties": { "name": ["X"] } }, { "id": "http://a.test/y", "properties": { "name": ["Y"] } }]),
        ),
        (
            "<ol vocab=https://schema.org/ typeof=BreadcrumbList><li property=itemListElement typeof=ListItem>
             <a property=item typeof=WebPage href=/h><span property=name>H</span></a><meta property=position content=1></li></ol>",
            json!([{ "types": ["BreadcrumbList"], "properties": { "itemListElement": [{ "types": ["ListItem"], "properties": {
                "item": [{ "types": ["WebPage"], "id": "http://a.test/h", "properties": { "name": ["H"] } }], "position": ["1"] } }] } }]),
        ),
    ] {
        assert_eq!(things(html), told, "{html}");
    }
    assert_eq!(
        faults("<div typeof=Person><b property=name>x</b></div>"),
        [
            "rdfa 1: typeof \"Person\" has no vocabulary: no vocab around it",
            "rdfa 1: property \"name\" has no vocabulary: no vocab around it"
        ]
    );
}

fn script(json: &str) -> String {
    format!("<script type=application/ld+json>{json}</script>")
}

#[test]
fn json_ld_is_read_by_its_context() {
    for (json, told) in [
        (
            r##"{"@context": "http://schema.org/", "@type": ["Article", "schema:NewsArticle"], "@id": "#a", "b": 1, "a": [true, null, [0.5]],
                "author": {"@type": "Person", "name": "A"}, "e": [], "n": null}"##,
            json!([{ "types": ["Article", "NewsArticle"], "id": "#a", "properties": { "b": [1], "a": [true, 0.5],
                "author": [{ "types": ["Person"], "properties": { "name": ["A"] } }] } }]),
        ),
        (
            r##"{"@context": "https://schema.org", "@graph": [{"@type": "A", "x": "1"}, {"@id": "#b", "@type": "B"}]}"##,
            json!([{ "types": ["A"], "properties": { "x": ["1"] } }, { "types": ["B"], "id": "#b" }]),
        ),
        (
            r##"[{"@context": "https://schema.org", "@type": "A"}, {"@context": "https://schema.org", "@type": "B"}]"##,
            json!([{ "types": ["A"] }, { "types": ["B"] }]),
        ),
        (
            r##"{"@context": {"@vocab": "http://ex.test/", "s": "http://schema.org/", "type": "@type", "title": {"@id": "s:name"}},
                "type": "Own", "s:url": "u", "title": "t", "other": {"@value": "v", "@language": "de"}, "l": {"@list": ["a", "b"]}}"##,
            json!([{ "types": ["http://ex.test/Own"], "properties": {
                "url": ["u"], "name": ["t"], "http://ex.test/other": ["v"], "http://ex.test/l": ["a", "b"] } }]),
        ),
        (
            r##"{"@context": ["https://schema.org", {"ex": "http://ex.test/"}], "@type": "ex:A", "name": "n",
                "in": {"@context": {"ex": "http://other.test/"}, "ex:p": 1}, "ex:p": 2}"##,
            json!([{ "types": ["http://ex.test/A"], "properties": {
                "name": ["n"], "in": [{ "properties": { "http://other.test/p": [1] } }], "http://ex.test/p": [2] } }]),
        ),
    ] {
        assert_eq!(things(&script(json)), told, "{json}");
        assert_eq!(faults(&script(json)), [""; 0], "{json}");
    }
}

#[test]
fn json_ld_that_cannot_be_read_is_told() {
    for (json, told) in [
        (
            "\n{\"@context\": \"https://schema.org\",\n \"name\": \"x\",}",
            "json-ld 3: not valid JSON: trailing comma at column 14 of its line",
        ),
        (
            "{\"a\": \"x\ny\"}",
            "json-ld 1: not valid JSON: control character (\\u0000-\\u001F) found while parsing a string at the end of its line",
        ),
        (" ", "json-ld 1: an empty script"),
        ("\"text\"", "json-ld 1: a script that holds something else than objects"),
        ("{\"@type\": \"Person\"}", "json-ld 1: no @context: its names mean nothing to whoever reads by the standard"),
        ("{\"@context\": 1}", "json-ld 1: @context is neither a URL nor an object"),
        ("{\"@context\": \"https://schema.org\", \"@type\": {}, \"@id\": \"x\"}", "json-ld 1: @type is not a text"),
        ("{\"@context\": \"https://schema.org\", \"@id\": 1}", "json-ld 1: @id is not a text"),
    ] {
        assert_eq!(faults(&script(json)), [told], "{json}");
    }
    // What is readable is kept beside what is not.
    let html = format!("{}{}", script("{"), script(r##"{"@context": "https://schema.org", "@type": "A"}"##));
    assert_eq!((things(&html), faults(&html).len()), (json!([{ "types": ["A"] }]), 1));
}

#[test]
fn limits_cut_and_say_so() {
    let item = "<div itemscope><b itemprop=name>some words</b></div>";
    let json = script(r##"{"@context": "https://schema.org", "a": {"a": {"a": {"b": 1}}}}"##);
    let cut = |html: &str, limits: &Limits| {
        let page = read_with(html, limits);
        (page.structured.unwrap_or_default(), page.cuts)
    };
    let (data, cuts) = cut(&item.repeat(5), &Limits { structured_items: 3, ..Limits::default() });
    assert_eq!((data.items.len(), cuts), (3, vec!["structured_items"]));
    let (data, cuts) = cut(&json, &Limits { structured_depth: 2, ..Limits::default() });
    assert_eq!(serde_json::to_value(&data.items[0].thing).unwrap(), json!({ "properties": { "a": [{}] } }));
    assert_eq!(cuts, ["structured_depth"]);
    let (data, cuts) = cut(&json, &Limits { structured_bytes: 30, ..Limits::default() });
    assert_eq!((data.items.len(), cuts), (0, vec!["structured_bytes"]));
    assert_eq!(data.faults[0].what, "not read: more JSON-LD than limits.structured_bytes allows");
    let (data, cuts) = cut(&item.repeat(5), &Limits { structured_bytes: 100, ..Limits::default() });
    assert!(data.items.len() == 2 && data.items[1].thing.properties.is_empty());
    assert_eq!(cuts, ["structured_bytes"]);
}

proptest! {
    #[test]
    fn any_markup_is_read_within_the_limits(pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let html: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        let limits = Limits { structured_items: 9, structured_bytes: 300, structured_depth: 3, ..Limits::default() };
        let data = read_with(&html, &limits).structured.unwrap_or_default();
        prop_assert!(data.items.len() <= 27, "{}", html);
        for item in &data.items {
            prop_assert!(depth(&item.thing) <= 3, "{}", html);
        }
    }
}

fn depth(thing: &groma_model::Thing) -> usize {
    let values = thing.properties.iter().flat_map(|property| &property.values);
    let inside =
        values.map(|value| if let groma_model::PropertyValue::Thing(thing) = value { depth(thing) } else { 0 });
    1 + inside.max().unwrap_or(0)
}

#[rustfmt::skip]
const PIECES: [&str; 30] = [
    "<div itemscope>", "</div>", "<div itemscope itemprop=a itemref='x y'>", "<b itemprop=b>", "</b>", "text ", "<p id=x>", "<p id=y itemprop=c>",
    "<ul><li>", "<table><tr><td>", "</table>", "<div vocab=http://schema.org/>", "<p typeof=T>", "<p typeof=U property=d>", "<a href=/z property=e>",
    "<a href=/w>", "<i about=/v property=dc:f>", "<span resource=#u>", "<meta itemprop=g content=h>", "<meta property=og:x content=h>", "<img src=i itemprop=j>",
    "<svg><title itemprop=k>", "<template>", "</template>", "<script type=application/ld+json>", "{\"@graph\":[{\"a\":{\"b\":{\"c\":{\"d\":1}}}}]}", "</script>",
    "<title>", "</title>", "<html prefix='og: x' itemscope itemtype=T>",
];
