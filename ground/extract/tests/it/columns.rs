//! Columns: how they are written, conditions, types, what several of one name come to, JSON and expressions.

use groma_extract::{Cell, Column, ColumnError, Columns, Flaw, Page, Value, ValueLimits};
use groma_url::Url;

use crate::values;

fn read(lines: &[&str], page: &str, url: &str) -> Vec<Cell> {
    let columns = Columns::new(lines.iter().map(|line| line.parse().expect(line)).collect()).expect("columns");
    let url = Url::parse(url).expect(url);
    let page = Page::read(page, Some(&url));
    columns.read(&page, ValueLimits::default()).into_iter().map(|read| read.cell).collect()
}

fn text(text: &str) -> Cell {
    Cell::One(Value::Text(text.to_owned()))
}

#[test]
fn a_column_is_written_as_it_is_read() {
    for line in [
        "title=css:h1",
        "price:number@/product/*=css:.price match /([\\d.,]+) EUR/",
        "tags:text[]=xpath://a[@rel='tag']",
        "when:date=json:$.datePublished",
        "links:url[]@re:a=b=css:a::attr(href)",
        "n=regex:a=css:(b)",
        "t=hel:html.body.p[0].txt, match /(a)/",
    ] {
        let column: Column = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(column.to_string(), line);
    }
    assert_eq!("a:list=css:b".parse::<Column>().unwrap().to_string(), "a:text[]=css:b");
}

#[test]
fn bad_columns_are_refused_with_the_place() {
    let error = |line: &str| line.parse::<Column>().unwrap_err();
    assert!(matches!(error("title"), ColumnError::NoSelector(_)));
    assert!(matches!(error("a b=css:p"), ColumnError::Name(_)));
    assert!(matches!(error("url=css:p"), ColumnError::Name(_)));
    assert!(matches!(error("a:color=css:p"), ColumnError::Type { .. }));
    assert!(matches!(error("a@re:(=css:p"), ColumnError::Urls { .. }));
    assert!(matches!(error("a=css:p match /(/"), ColumnError::Part { .. }));
    for line in ["a=css:p[", "a=xpath://p[", "a=regex:(", "a=json:$.", "a=hel:html..", "a=css:", "a=regex:x*"] {
        assert!(matches!(error(line), ColumnError::Selector { .. }), "{line}: {}", error(line));
    }
    assert!(error("a=regex:(a{1000}){1000}").to_string().contains("too large"));
    assert!(error(&format!("a=css:{}", "p ".repeat(4000))).to_string().contains("at most"));
    let two = ["a=css:p", "a:number=css:b"].map(|line| line.parse().unwrap()).to_vec();
    assert!(matches!(Columns::new(two), Err(ColumnError::Types { .. })));
    assert!(matches!(Columns::new(Vec::new()), Err(ColumnError::None)));
}

#[test]
fn conditions_types_and_several_of_one_name() {
    let page = "<base href='https://b.example/'><h1>Tea</h1><h2>Other</h2><p class=p>1.299,00 €</p><a href='x y'>a</a>
        <time>5 March 2024</time><li>1<li>two<li>3";
    let lines = [
        "name@/product/*=css:h1",
        "name=css:h2",
        "price:number=css:.p",
        "link:url=css:a::attr(href)",
        "day:date=css:time",
        "counts:number[]=css:li",
        "missing=css:.none",
        "title:number=css:h1",
    ];
    let cells = read(&lines, page, "https://a.example/product/1");
    let number = |number| Value::Number(number);
    assert_eq!(
        cells,
        [
            text("Tea"),
            Cell::One(number(1299.0)),
            text("https://b.example/x%20y"),
            text("2024-03-05"),
            Cell::Many(vec![number(1.0), number(3.0)]),
            Cell::Empty,
            Cell::Empty,
        ]
    );
    assert_eq!(read(&lines[..2], page, "https://a.example/blog/1"), [text("Other")]);
    let columns = Columns::new(vec!["a@/product/*=css:h1".parse().unwrap()]).unwrap();
    assert!(columns.are_for(&Url::parse("https://a.example/product/1").unwrap()));
    assert!(!columns.are_for(&Url::parse("https://a.example/blog/1").unwrap()));
}

#[test]
fn flaws_are_told() {
    let columns = ["title:number=css:h1", "long=css:p", "many:list=css:li"];
    let columns = Columns::new(columns.map(|line| line.parse().unwrap()).to_vec()).unwrap();
    let page = format!("<h1>Tea</h1><p>{}</p>{}", "word ".repeat(100), "<li>x".repeat(50));
    let page = Page::read(&page, None);
    let read = columns.read(&page, ValueLimits { values: 10, value_bytes: 20 });
    assert_eq!(read[0].flaw, Some(Flaw::NotOfType));
    assert_eq!(
        (read[1].cell.clone(), read[1].flaw),
        (text("word word word word "), Some(Flaw::Limit("extract_value_bytes")))
    );
    assert_eq!((read[2].cell.values().len(), read[2].flaw), (10, Some(Flaw::Limit("extract_values"))));
}

#[test]
fn json_in_the_page() {
    let page = r#"<script type="application/ld+json">{"@type":"Product","name":"Tea","offers":[{"price":3.5},{"price":4}],"tags":["a","b"]}</script>
        <script type="application/ld+json">{broken</script><script type="Application/JSON; charset=utf-8">{"name":"State","ok":true}</script>
        <script>{"name":"no"}</script>"#;
    for (path, texts) in [
        ("$.name", &["Tea", "State"][..]),
        ("$.offers[0].price", &["3.5"]),
        ("$.offers[*].price", &["3.5", "4"]),
        ("$..price", &["3.5", "4"]),
        ("$.tags", &["a", "b"]),
        ("$.ok", &["true"]),
        ("$.offers[?@.price > 3.7].price", &["4"]),
        ("$[?@.price]", &[]),
        ("$['@type']", &["Product"]),
        ("$.offers[1]", &["{\"price\":4}"]),
    ] {
        assert_eq!(values("json", path, page), texts, "{path}");
    }
    assert_eq!(values("json", "$.offers[*].price match /^4/", page), ["4"]);
}

#[test]
fn expressions_look_at_the_source() {
    let page = "<p data-x=1>a: 12</p><!-- sku: 77 -->";
    assert_eq!(values("regex", r"sku: (\d+)", page), ["77"]);
    assert_eq!(values("regex", r"(?<key>\w): (?<value>\d+)", page), ["12", "77"]);
    assert_eq!(values("regex", r"data-x=\d", page), ["data-x=1"]);
    assert_eq!(values("hel", "html.body.p[0].getAttr(data-x)", page), ["1"]);
}
