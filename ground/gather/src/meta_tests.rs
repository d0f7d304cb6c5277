//! Every tag and every way of writing it.

use groma_hel::Bounds;

use super::*;

const CITYWORLD: &str = r##"<html><head>
<META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region"
  CONTENT="html.body->A[i]->pdata[1].txt
  where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Result" CONTENT="html.body->table[1].">
<META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt
  where tr[j].td[1].font.getAttr(color) = '#FF8000'">
<META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt
  where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
<META NAME="DB.Navigation" CONTENT="NO"><meta name=keywords content=x></head>"##;

fn rule(metadata: &Metadata, attribute: &str) -> String {
    match metadata.results[attribute].as_slice() {
        [Extraction::Rule(rule)] => rule.to_string(),
        other => panic!("{attribute}: {other:?}"),
    }
}

fn values(metadata: &Metadata, attribute: &str) -> Vec<String> {
    match metadata.results[attribute].as_slice() {
        [Extraction::Values(values)] => values.clone(),
        other => panic!("{attribute}: {other:?}"),
    }
}

#[test]
fn the_papers_tags_are_read_in_any_order() {
    let mut tags = tags(&Tree::parse(CITYWORLD, &Bounds::default()));
    assert_eq!(tags.len(), 6);
    let first = Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str())));
    assert!(first.complaints.is_empty(), "{:?}", first.complaints);
    assert_eq!(first.essential, ["region"]);
    assert_eq!(first.navigation, Some(Navigation::No));
    assert_eq!(
        rule(&first, "region"),
        "html.body->a[i]->pcdata[1].txt WHERE html.body->a[i].getAttr(name) = 'Seitenanfang'"
    );
    let ort =
        "html.body->table[1].tr[j:*].td[1].txt WHERE html.body->table[1].tr[j].td[1].font.getAttr(color) = '#FF8000'";
    assert_eq!(rule(&first, "ort"), ort);
    for _ in 0..tags.len() {
        tags.rotate_left(1);
        assert_eq!(Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str()))), first);
        tags.reverse();
    }
}

#[test]
fn every_variant_is_understood() {
    let metadata = Metadata::read([
        ("db.CONFIGFILE", "/db.conf"),
        ("DB.QueryScript", "http://h/s?a=1,2, post"),
        ("DB.queryElements", "region, preis"),
        ("DB.QueryElement", "region,'a, b'"),
        ("DB.QueryElement.ort", "[A-Z]%"),
        ("db.queryelement.preis", "1, 2"),
        ("db.queryelement.preis", "3"),
        ("DB.Result", "html->table[1]->"),
        ("DB.Result.Preis", "td[2].txt"),
        ("DB.Result.Link", ".a.getAttr(href)"),
        ("DB.Result.Region", "R\u{fc}gen, Usedom"),
        ("DB.Result.Art", "Hotel"),
        ("DB.Result.Seite", "html.head.title"),
        ("DB.NavigationURL", "/list?page=*"),
        ("description", "nothing of ours"),
    ]);
    assert!(metadata.complaints.is_empty(), "{:?}", metadata.complaints);
    assert_eq!(metadata.config_file.as_deref(), Some("/db.conf"));
    assert_eq!(metadata.query_script, Some(QueryScript { url: "http://h/s?a=1,2".into(), method: Some(Method::Post) }));
    assert_eq!(metadata.essential, ["region", "preis", "a, b"]);
    assert_eq!(metadata.domain("ort", true).unwrap().unwrap().len(), 26);
    assert_eq!(metadata.domain("preis", false).unwrap().unwrap(), ["1", "2", "3"]);
    assert_eq!(rule(&metadata, "Preis"), "html->table[1]->td[2].txt");
    assert_eq!(rule(&metadata, "Link"), "html->table[1].a.getAttr(href)");
    assert_eq!(rule(&metadata, "Seite"), "html.head.title");
    assert_eq!(values(&metadata, "Region"), ["R\u{fc}gen", "Usedom"]);
    assert_eq!(values(&metadata, "Art"), ["Hotel"]);
    assert_eq!(metadata.navigation, Some(Navigation::Url("/list?page=*".into())));
}

#[test]
fn scripts_have_a_method_or_none() {
    let script = |content: &str| query_script(content);
    assert_eq!(script("/s"), QueryScript { url: "/s".into(), method: None });
    assert_eq!(script("/s,GET"), QueryScript { url: "/s".into(), method: Some(Method::Get) });
    assert_eq!(script("/s Post"), QueryScript { url: "/s".into(), method: Some(Method::Post) });
    assert_eq!(script("/s,b"), QueryScript { url: "/s,b".into(), method: None });
}

#[test]
fn mistakes_are_told_and_the_rest_is_used() {
    let metadata = Metadata::read([
        ("DB.Result", "html.body->table[1"),
        ("DB.Result.a", "tr[*].td.txt"),
        ("DB.Result.b", "html.body->a[*].txt"),
        ("DB.Result.c", "html.body->a[.txt"),
        ("DB.Navigation", "AUTO"),
        ("DB.Navigation", "NO"),
        ("DB.Colour", "red"),
        ("DB.QueryElement", " "),
    ]);
    assert_eq!(metadata.results.keys().collect::<Vec<_>>(), ["b"]);
    assert_eq!(metadata.navigation, Some(Navigation::Auto));
    assert_eq!(metadata.complaints.len(), 5, "{:?}", metadata.complaints);
}

#[test]
fn a_file_says_what_the_page_does_not() {
    let counted = |text: &str| Metadata::read([("DB.Navigation", text)]).navigation;
    let Some(Navigation::Counted(offset)) = counted("offset from 0 by 20") else { panic!("{:?}", counted("")) };
    assert_eq!(offset.to_string(), "offset from 0 by 20");
    let page = |text: &str| Url::parse(&format!("http://a.test/s?{text}")).unwrap();
    let next =
        |text: &str, rows, total| offset.after(&page(text), rows, total).map(|url| url.query().unwrap().to_owned());
    assert_eq!(next("q=x", 20, None).as_deref(), Some("q=x&offset=20"));
    assert_eq!(next("offset=40&q=x", 20, Some(61)).as_deref(), Some("q=x&offset=60"));
    assert_eq!(next("offset=40&q=x", 20, Some(60)), None, "these are the last");
    assert_eq!(next("q=x&offset=0&limit=50", 50, None).as_deref(), Some("q=x&limit=50&offset=50"), "no record twice");
    assert_eq!((next("offset=40", 0, None), next("offset=x", 9, None)), (None, None));
    assert!(matches!(counted("page from 1 by 0"), Some(Navigation::Url(_))), "it would never end");
    let tags = lines("Navigation: AUTO\nDB.QueryElement: a\nResult.x: html->b[*].txt\n: no\nno colon\nResult.y: 1, 2");
    let file = Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str())));
    assert!(file.complaints.is_empty(), "{:?}", file.complaints);
    let page = Metadata::read([("DB.Navigation", "NO"), ("DB.Result.x", "html->i[*].txt")]);
    let both = page.or(file);
    assert_eq!((both.navigation.clone(), both.essential.clone()), (Some(Navigation::No), vec!["a".to_owned()]));
    assert_eq!(rule(&both, "x"), "html->i[*].txt");
    assert!(both.results.contains_key("y"));
    let prefix = Metadata::read([("DB.Result", "html->table.")]);
    let both = prefix.or(Metadata::read([("DB.Result.z", "tr[*].td.txt")]));
    assert_eq!(rule(&both, "z"), "html->table.tr[*].td.txt");
}
