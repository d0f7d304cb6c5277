//! JSON as frameworks, search engines and interfaces of programs write it.

use groma_hel::{Bounds, Tree, Value};
use groma_url::Url;
use proptest::prelude::*;

use super::path::JsonPath;
use super::*;
use crate::Description;
use crate::answer::{Answer, Total, TotalKind, propose, read};

fn answer(text: &str, description: &str) -> Answer {
    let tree = Tree::parse(&as_page(text), &Bounds::default());
    let page = Url::parse("http://h.test/api/search?q=x").unwrap();
    read(&tree, &page, "utf-8", &Description::parse(description), &[("q", "x")])
}

fn proposed(text: &str, other: Option<&str>) -> (String, Answer) {
    let tree = |text: &str| Tree::parse(&as_page(text), &Bounds::default());
    let other = other.map(tree);
    let rules = propose(&tree(text), other.as_ref()).unwrap_or_default();
    let rules: String = rules.iter().map(|(name, rule)| format!("DB.Result.{name}: {rule}\n")).collect();
    let answer = answer(text, &rules);
    assert!(answer.complaints.is_empty() && Description::parse(&rules).metadata().complaints.is_empty(), "{rules}");
    (rules, answer)
}

fn values(answer: &Answer, nth: usize) -> Vec<String> {
    answer.records[nth].values.iter().map(|(name, value)| format!("{name}={value}")).collect()
}

const ITEMS: &str = r#"{"total": 57, "next": "/api/search?q=x&page=2", "items": [
    {"id": 7, "name": "Sea View", "price": {"amount": 90.5, "currency": "EUR"}, "tags": ["sea", "dogs"], "open": true, "note": null},
    {"id": 8, "name": "Old <b>Mill</b>", "price": {"amount": 60, "currency": "EUR"}, "tags": [], "open": false}]}"#;

#[test]
fn rules_name_pieces_of_json() {
    let rules = "DB.Result.price: json.items[*].price.amount\nDB.Result.name: json.items[*].name\nDB.Result.tag: json.items[*].tags[*]\n";
    let page = answer(ITEMS, rules);
    assert_eq!(values(&page, 0), ["name=Sea View", "price=90.5", "tag=sea", "tag=dogs"]);
    assert_eq!(values(&page, 1), ["name=Old <b>Mill</b>", "price=60"]);
    assert_eq!(page.total, Some(Total { number: 57, kind: TotalKind::Exact }));
    assert_eq!(page.next[0].url.as_str(), "http://h.test/api/search?q=x&page=2");
    // After a common prefix.
    let prefixed = "DB.Result: json.items[*]\nDB.Result.price: .price.amount\nDB.Result.kind: inn, mill\n";
    let page = answer(ITEMS, prefixed);
    assert_eq!(values(&page, 1), ["price=60"]);
    assert_eq!(page.values["kind"], ["inn", "mill"]);
    // One element, those of a kind, keys in quotes.
    for (rule, expected) in [
        ("json.items[1].id", vec!["8"]),
        ("json.items[name='Sea View'].id", vec!["7"]),
        ("json['total'].x", vec![]),
        ("json.'items'[*].open", vec!["true", "false"]),
        ("json.items[9].id", vec![]),
        ("json.items.name", vec![]),
        ("json(other).items[*].id", vec![]),
    ] {
        let Ok(path) = JsonPath::parse(rule) else {
            assert!(rule.contains("['total']"));
            continue;
        };
        assert_eq!(path.to_string().replace('\'', ""), rule.replace('\'', ""));
        let tree = Tree::parse(&as_page(ITEMS), &Bounds::default());
        assert_eq!(path.extract(&block::blocks(&tree)).values(), expected, "{rule}");
    }
}

#[test]
fn wrong_rules_are_told_where() {
    for (rule, says) in [
        ("json.", "letter 6: expected a key, found the end of the rule"),
        ("json.a[", "letter 8: expected a number, `*`, or a key, found the end of the rule"),
        ("json.a[*", "letter 9: expected `]`, found the end of the rule"),
        ("json.a[1 ]", "letter 9: expected `=` or `]`, found ` `"),
        ("json.a b", "letter 7: expected `.` or `[`, found ` `"),
        ("json(x", "letter 6: expected `)`, found `x`"),
        ("json.'x", "letter 7: expected `'`, found `x`"),
    ] {
        assert_eq!(JsonPath::parse(rule).unwrap_err(), says, "{rule}");
        let complaints = &Description::parse(&format!("DB.Result.x: {rule}")).metadata().complaints.clone();
        assert_eq!(complaints, &[format!("DB.Result.x, {says}")]);
    }
    assert!(Description::parse("DB.Result.format: json, xml").metadata().complaints.is_empty());
}

#[test]
fn answers_in_json_are_proposed_with_flat_names() {
    let (rules, page) = proposed(ITEMS, None);
    assert!(rules.contains("DB.Result.price.amount: json.items[*].price.amount\n"), "{rules}");
    assert_eq!(page.records.len(), 2);
    let mut own = values(&page, 0);
    own.sort();
    let expected =
        ["id=7", "name=Sea View", "open=true", "price.amount=90.5", "price.currency=EUR", "tags=dogs", "tags=sea"];
    assert_eq!(own, expected);
    // JSON Lines, and with a guard before.
    let lines = "{\"sku\": \"a1\", \"title\": \"Nail\"}\n{\"sku\": \"b2\", \"title\": \"Screw\"}\n{\"sku\": \"c3\", \"title\": \"Bolt\"}\n";
    assert_eq!(proposed(lines, None).1.records.len(), 3);
    assert_eq!(proposed(&format!(")]}}',\n{ITEMS}"), None).1.records.len(), 2);
    // An answer with one record fits the rules of the one before.
    let single = r#"{"total": 1, "items": [{"id": 9, "name": "Inn", "price": {"amount": 1}}]}"#;
    let page = answer(single, &rules);
    assert_eq!((page.records.len(), page.total.map(|total| total.number), page.none), (1, Some(1), false));
    let empty = answer(r#"{"total": 0, "items": []}"#, &rules);
    assert_eq!((empty.records.len(), empty.none), (0, true));
    assert!(answer("[]", "").none && answer(r#"{"hits": [], "total": 0}"#, "").none);
}

#[test]
fn data_of_frameworks_is_found_in_the_page() {
    let menu = r#"<script>window.__CONFIG__ = {"menu":[{"label":"Home","href":"/"},{"label":"Contact us today","href":"/c"}], "api": 1};</script>"#;
    let rows = r#"[{"slug":"a","title":"Alpha package","stars":5},{"slug":"b","title":"Beta package","stars":3},{"slug":"c","title":"Gamma","stars":1}]"#;
    for (script, name) in [
        (
            format!(
                r#"<script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{"numFound":3,"docs":{rows}}}}}}}</script>"#
            ),
            "json(__NEXT_DATA__).props.pageProps.docs[*].title",
        ),
        (
            format!(
                r#"<script>window.__INITIAL_STATE__ = {{"search":{{"results":{rows},"totalCount":3}}}};(function(){{}}())</script>"#
            ),
            "json(__INITIAL_STATE__).search.results[*].title",
        ),
        (
            format!(r#"<script>var x = {{a: 1}}; var data={{"total":3,"list":{rows}}};</script>"#),
            "json(data).list[*].title",
        ),
        (format!(r#"<script>window["state"] = {{"total":3,"list":{rows}}}</script>"#), "json(state).list[*].title"),
    ] {
        let html = format!("<html><head>{menu}</head><body><div id=app></div>{script}</body></html>");
        let (rules, page) = proposed(&html, None);
        assert!(rules.contains(&format!("DB.Result.title: {name}\n")), "{rules}");
        assert_eq!(page.records.len(), 3);
        assert_eq!(page.total, Some(Total { number: 3, kind: TotalKind::Exact }), "{html}");
    }
    // What stands in the page of the form as well is no record.
    let form = format!("<script type=application/json>{{\"places\":{rows}}}</script><p>Search");
    assert!(proposed(&form, Some(&form)).1.records.is_empty());
}

#[test]
fn linked_data_is_read() {
    let list = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList","numberOfItems":40,"itemListElement":[
        {"@type":"ListItem","position":1,"item":{"@type":"Hotel","name":"Sea View","url":"/h/1","address":{"addressLocality":"Wismar"}}},
        {"@type":"ListItem","position":2,"item":{"@type":"Hotel","name":"Inn","url":"/h/2","address":{"addressLocality":"Rostock"}}}]}</script>"#;
    let crumbs = r#"<script type="application/ld+json">{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Home sweet home of us","item":"/"},{"@type":"ListItem","position":2,"name":"All the hotels of the coast","item":"/h"}]}</script>"#;
    let (rules, page) = proposed(&format!("{crumbs}{list}"), None);
    assert!(rules.contains("DB.Result.name: json(application/ld+json).itemListElement[*].item.name\n"), "{rules}");
    assert_eq!(page.records.len(), 2);
    assert_eq!(page.records[1].link.as_deref(), Some("http://h.test/h/2"));
    assert_eq!(page.total, Some(Total { number: 40, kind: TotalKind::Exact }));
    // A graph of many types: those of the type that most have.
    let graph = r#"<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"Shop","url":"/"},{"@type":"Product","name":"Nail","sku":"1"},{"@type":"Product","name":"Bolt","sku":"2"},{"@type":"Organization","name":"Us"}]}</script>"#;
    let (rules, page) = proposed(graph, None);
    assert_eq!(page.records.len(), 2, "{rules}");
    assert!(rules.contains("@graph[@type='Product'].sku"), "{rules}");
}

#[test]
fn of_two_the_one_that_says_more_is_taken() {
    let cards = "<ul><li class=h><b class=n>Sea View</b><i class=o>Wismar</i></li><li class=h><b class=n>Old Inn</b><i class=o>Rostock</i></li></ul>";
    let script = |more: &str| {
        format!(
            r#"<script type=application/json>{{"hits":[{{"name":"Sea View"{more}}},{{"name":"Old Inn"{more}}}]}}</script>"#
        )
    };
    let rich = script(r#","city":"Wismar","stars":5,"price":90"#);
    assert!(proposed(&format!("{cards}{rich}"), None).0.contains("json"));
    let poor = script(r#","x":1"#);
    assert!(!proposed(&format!("{cards}{poor}"), None).0.contains("json"));
    // Another number of records is another list.
    let places = r#"<script type=application/json>{"places":[{"id":1,"name":"Wismar","lat":1,"lon":2},{"id":2,"name":"Rostock","lat":1,"lon":2},{"id":3,"name":"Barth","lat":1,"lon":2}]}</script>"#;
    assert!(!proposed(&format!("{cards}{places}"), None).0.contains("json"));
}

#[test]
fn totals_and_further_pages_stand_beside_the_list() {
    let rows = r#"[{"a":"x1","b":"y"},{"a":"x2","b":"y"}]"#;
    for (text, total, next) in [
        (
            format!(r#"{{"hits":{{"total":{{"value":10000,"relation":"gte"}},"hits":{rows}}}}}"#),
            Some((10000, TotalKind::AtLeast)),
            None,
        ),
        (format!(r#"{{"response":{{"numFound":243,"start":0,"docs":{rows}}}}}"#), Some((243, TotalKind::Exact)), None),
        (
            format!(r#"{{"count":243,"next":"http://h.test/api/search?q=x&offset=2","results":{rows}}}"#),
            Some((243, TotalKind::Exact)),
            Some("http://h.test/api/search?q=x&offset=2"),
        ),
        (
            format!(r#"{{"count":2,"next":"?q=x&p=2","results":{rows}}}"#),
            None,
            Some("http://h.test/api/search?q=x&p=2"),
        ),
        (
            format!(r#"{{"data":{rows},"meta":{{"total":57}},"links":{{"next":"/api/search?q=x&p=2","prev":null}}}}"#),
            Some((57, TotalKind::Exact)),
            Some("http://h.test/api/search?q=x&p=2"),
        ),
        (
            format!(
                r#"{{"_embedded":{{"books":{rows}}},"page":{{"totalElements":57}},"_links":{{"next":{{"href":"/api/search?q=x&p=2"}}}}}}"#
            ),
            Some((57, TotalKind::Exact)),
            Some("http://h.test/api/search?q=x&p=2"),
        ),
        (format!(r#"{{"nbHits":57,"exhaustiveNbHits":false,"hits":{rows}}}"#), Some((57, TotalKind::About)), None),
        (format!(r#"{{"total":1,"next":"http://other.test/","nextCursor":"abc","items":{rows}}}"#), None, None),
        (format!(r#"{{"total":"57","items":{rows}}}"#), None, None),
    ] {
        let page = proposed(&text, None).1;
        assert_eq!(page.records.len(), 2, "{text}");
        assert_eq!(page.total.map(|total| (total.number, total.kind)), total, "{text}");
        assert_eq!(page.next.first().map(|next| next.url.as_str()), next, "{text}");
    }
}

#[test]
fn what_is_no_json_is_left() {
    for text in ["<html>{}", "{ this is a text }", "[sic] a text", "", "{\"a\": ", "[1, 2"] {
        assert_eq!(as_page(text), text);
    }
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("<script>{}</script>", "x={".repeat(100_000)),
        format!("<script>{}</script>", "a[\"b\"]=[1,".repeat(100_000)),
    ] {
        assert!(proposed(&text, None).1.records.is_empty());
    }
    let wide = format!("[{}]", vec![r#"{"a":"x","b":"y"}"#; 50_000].join(","));
    proposed(&wide, None);
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,60}", rule in "json[a-z.\\[\\]*'=0-9 ()@]{0,30}") {
        answer(&text, "");
        if let Ok(path) = JsonPath::parse(&rule) {
            prop_assert_eq!(JsonPath::parse(&path.to_string()), Ok(path.clone()));
            let _: Value = path.extract(&block::blocks(&Tree::parse(&as_page(ITEMS), &Bounds::default())));
        }
    }
}

#[test]
fn the_pager_of_a_page_whose_records_are_json_is_no_list() {
    let items: Vec<String> = (0..10)
        .map(|nth| {
            format!(r#"{{"name": "House {nth}", "place": "Wismar", "price": {}, "url": "/item/{nth}"}}"#, 40 + nth)
        })
        .collect();
    let pages: String = (2..=5).map(|nth| format!("<a href='/s?q=x&page={nth}'>{nth}</a> ")).collect();
    let page = |body: &str| format!("<html><body><h1>Found</h1>{body}</body></html>");
    let html = page(&format!(
        "<div id=app></div><script type=application/json id=data>{{\"items\": [{}]}}</script><div class=pages><b>1</b> {pages}</div>",
        items.join(",")
    ));
    let (rules, answer) = proposed(&html, Some(&page("<form action=/s><input name=q></form>")));
    assert!(rules.contains("items[*].name"), "{rules}");
    assert_eq!(answer.records.len(), 10);
}

#[test]
fn a_line_that_counts_unnamed_things_counts_records_in_json() {
    let items: Vec<String> = (0..5)
        .map(|nth| format!(r#"{{"@type": "Thing", "name": "Fix {nth}", "who": "A. Okafor", "url": "/item/{nth}"}}"#))
        .collect();
    let html = format!(
        "<html><body><h1>Found</h1><p class=count>23 commits</p><script type=application/ld+json>{{\"itemListElement\": [{}]}}</script>\
         <p class=pages><a href='/api/search?q=x&amp;page=2'>Next</a></p></body></html>",
        items.join(",")
    );
    let (_, answer) = proposed(&html, None);
    assert_eq!(answer.records.len(), 5);
    assert_eq!(answer.total, Some(Total { number: 23, kind: TotalKind::Exact }));
}

#[test]
fn an_empty_list_is_an_answer_and_an_error_is_none() {
    assert!(answer(r#"{"items": [], "next": null, "page": 1}"#, "").none);
    assert!(!answer(r#"{"items": [], "error": "the session has expired"}"#, "").none);
    assert!(!answer(r#"{"status": "ok"}"#, "").none);
}
