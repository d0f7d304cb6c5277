//! Rules made from examples: on pages with differing numbers of siblings, ids that vary, values in attributes, with currencies, behind labels.

use groma_extract::induce::{Example, InduceError, Wanted, choose, induce};
use groma_extract::{Page, Skeleton, ValueType};

/// The best column from examples, as its line.
fn rule(examples: &[(&str, &[&str])], r#type: &str) -> Result<String, InduceError> {
    let pages: Vec<Page<'_>> = examples.iter().map(|(page, _)| Page::read(page, None)).collect();
    let values: Vec<Vec<String>> =
        examples.iter().map(|(_, values)| values.iter().map(|value| (*value).to_owned()).collect()).collect();
    let examples: Vec<Example<'_>> = pages.iter().zip(&values).map(|(page, values)| Example { page, values }).collect();
    let r#type: ValueType = r#type.parse().expect("a type");
    induce(Wanted { name: "x", r#type }, &examples).map(|found| found[0].column.to_string())
}

#[test]
fn names_are_preferred_to_counting() {
    let a = "<div id=p17><h1 class='title t-4f2a1'>Tea</h1><p>a</p><p class=price>3</p></div>";
    let b = "<div id=p18><h1 class='title t-99ab2'>Cup</h1><p class=price>4</p></div>";
    assert_eq!(rule(&[(a, &["Tea"]), (b, &["Cup"])], "text").unwrap(), "x=css:.title");
    assert_eq!(rule(&[(a, &["3"]), (b, &["4"])], "text").unwrap(), "x=css:.price");
    let itemprop = "<p><span itemprop=name>Tea</span> <span class=name>Tea</span>";
    assert_eq!(rule(&[(itemprop, &["Tea"])], "text").unwrap(), "x=css:span[itemprop=\"name\"]");
}

#[test]
fn ids_that_vary_do_not_count() {
    let page = |id: u32, name: &str| {
        format!("<div id=item-{id}><b id=name{id}>{name}</b><i>x</i></div><div><b>other</b></div>")
    };
    let (a, b) = (page(1, "Tea"), page(2, "Cup"));
    let rule = rule(&[(&a, &["Tea"]), (&b, &["Cup"])], "text").unwrap();
    assert!(!rule.contains("name1") && !rule.contains("item-1"), "{rule}");
}

#[test]
fn labels_name_what_has_no_name() {
    let a = "<table><tr><th>Size<td>10<tr><th>Weight<td>20 g</table>";
    let b = "<table><tr><th>Color<td>red<tr><th>Size<td>11<tr><th>Weight<td>25 g</table>";
    let found = rule(&[(a, &["20 g"]), (b, &["25 g"])], "text").unwrap();
    assert_eq!(found, "x=xpath://th[.='Weight']/following-sibling::td[1]");
    let a = "<dl><dt>By<dd><a href=/1>Ann</a><dt>On<dd>5 May</dl>";
    let b = "<dl><dt>In<dd>News<dt>By<dd><a href=/2>Bob</a></dl>";
    assert_eq!(rule(&[(a, &["Ann"]), (b, &["Bob"])], "text").unwrap(), "x=css:a");
    assert_eq!(rule(&[(a, &["/1"]), (b, &["/2"])], "text").unwrap(), "x=css:a::attr(href)");
}

#[test]
fn values_with_other_words_around_them() {
    let a = "<p class=c>Price: $19.99 incl. VAT</p><p class=d>1</p>";
    let b = "<p class=c>Price: $5.00 incl. VAT</p><p class=d>2</p>";
    let found = rule(&[(a, &["19.99"]), (b, &["5.00"])], "text").unwrap();
    assert_eq!(found, r"x=css:.c match /Price: \$(-?\d[\d.,]*)/");
    let a = "<p class=c>By Ann on Monday</p>";
    let b = "<p class=c>By Bob Smith on Tuesday</p>";
    assert_eq!(rule(&[(a, &["Ann"]), (b, &["Bob Smith"])], "text").unwrap(), "x=css:.c match /By (.+?) on /");
    // A number that the page writes with a currency and groups.
    let a = "<b class=v>€ 1.234,50</b>";
    assert_eq!(rule(&[(a, &["1234.50"])], "number").unwrap(), "x:number=css:.v");
}

#[test]
fn attributes_meta_and_json() {
    let a = "<meta property=og:image content=/a.png><img src=/a.png alt=A><p>x";
    let b = "<meta property=og:image content=/b.png><img src=/z.png alt=A><p>x";
    assert_eq!(
        rule(&[(a, &["/a.png"]), (b, &["/b.png"])], "text").unwrap(),
        "x=css:meta[property=\"og:image\"]::attr(content)"
    );
    let json = |name: &str| {
        format!(
            "<script type=application/ld+json>{{\"@graph\":[{{\"@type\":\"WebPage\"}},{{\"@type\":\"Product\",\"sku\":\"{name}\"}}]}}</script>"
        )
    };
    let (a, b) = (json("A1"), json("B2"));
    assert_eq!(
        rule(&[(&a, &["A1"]), (&b, &["B2"])], "text").unwrap(),
        "x=json:$['@graph'][?@['@type']=='Product'].sku"
    );
}

#[test]
fn two_values_of_a_page_make_a_list() {
    let page =
        "<ul class=nav><li><a>Home</a><li><a>About</a></ul><div class=tags><a>red</a> <a>blue</a> <a>green</a></div>";
    assert_eq!(rule(&[(page, &["red", "green"])], "list").unwrap(), "x:text[]=css:.tags > a");
}

#[test]
fn what_is_not_there_is_said() {
    let error = rule(&[("<p>a", &["a"]), ("<p>b", &["c"])], "text").unwrap_err();
    assert_eq!(error, InduceError::NotThere { value: "c".to_owned(), example: 1 });
    assert_eq!(rule(&[], "text"), Err(InduceError::NoExample));
}

#[test]
fn pages_nobody_looked_at_decide_between_rules() {
    let page = |name: &str, extra: &str| format!("<div class=a>{extra}<b class=n>{name}</b></div>");
    let (a, b) = (page("Tea", ""), page("Cup", ""));
    let others = [page("Pot", "<b class=n>New!</b>"), page("Can", ""), page("Lid", "<b class=n>New!</b>")];
    let pages = [Page::read(&a, None), Page::read(&b, None)];
    let values = [vec!["Tea".to_owned()], vec!["Cup".to_owned()]];
    let examples: Vec<Example<'_>> = pages.iter().zip(&values).map(|(page, values)| Example { page, values }).collect();
    let wanted = Wanted { name: "x", r#type: ValueType::default() };
    let found = induce(wanted, &examples).unwrap();
    let others: Vec<Page<'_>> = others.iter().map(|page| Page::read(page, None)).collect();
    let chosen = choose(found, &others);
    let (best, held) = &chosen[0];
    assert_eq!((held.pages, held.several, held.of), (3, 0, 3), "{}", best.column);
}

#[test]
fn pages_of_a_template_are_similar_and_others_are_not() {
    let list =
        |count: usize| format!("<body class=l><ul class=items>{}</ul>", "<li class=item><a>x</a></li>".repeat(count));
    let article = "<body class=a><article><h1>x</h1><p>y</p></article>";
    let skeleton = |page: &str| Skeleton::new(&Page::read(page, None));
    assert_eq!(skeleton(&list(2)).similarity(&skeleton(&list(90))), 1.0);
    assert!(skeleton(&list(2)).similarity(&skeleton(article)) < 0.5);
}
