//! Pages and rules that want to cost much end within their bounds, and say so.

use std::time::Duration;

use groma_cpu_time::measured;
use groma_hel::{Bounds, Exceeded, Prefix, Rule, Tree, join};

use super::{on, text, tree};

/// Generous, for slow machines and unoptimized code; what is quadratic takes minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn quick<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (result, spent) = measured(work);
    assert!(spent < PATIENCE, "{what}: {spent:?}");
    result
}

#[test]
fn pages_that_are_quadratic_elsewhere_are_not_here() {
    let numbered = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    let pages = [
        ("deep", "<div>".repeat(200_000)),
        ("deep lists", "<ul><li>".repeat(100_000)),
        ("deep formatting", "<b>".repeat(200_000)),
        ("different formatting", numbered(50_000, &|n| format!("<font size={n}>"))),
        ("formatting opened again", numbered(20_000, &|n| format!("<p><font size={n}>x</p>"))),
        ("misnested", "<a><p></a><b><div></b></p>".repeat(20_000)),
        ("many attributes", format!("<p {}>", numbered(300_000, &|n| format!("a{n} ")))),
        ("same attributes", format!("<p {}>", "a=1 ".repeat(300_000))),
        ("formatting with attributes", format!("<b {}>", numbered(200, &|n| format!("a{n} "))).repeat(2000)),
        ("body attributes", numbered(50_000, &|n| format!("<body b{n}=1>"))),
        ("end tags", format!("{}{}", "<x>".repeat(500), "</y>".repeat(300_000))),
        ("tables", "<table><tr><td>".repeat(60_000)),
        ("table text", format!("<table>{}", "x<b>".repeat(60_000))),
        ("templates", "<template>".repeat(100_000)),
        ("selects", "<select><option>".repeat(100_000)),
        ("foreign", "<svg><g>".repeat(100_000)),
        ("comments", "<!---->a".repeat(200_000)),
        ("wide", "<i>x</i>".repeat(200_000)),
    ];
    for (what, page) in pages {
        let tree = quick(what, || Tree::parse(&page, &Bounds::default()));
        assert!(tree.len() <= Bounds::default().nodes + 2000, "{what}: {} nodes", tree.len());
        quick(what, || Rule::parse("html.body.txt").unwrap().extract(&tree, &Bounds::default()).unwrap());
        drop(tree);
    }
}

#[test]
fn a_large_attribute_that_is_opened_again_does_not_fill_the_memory() {
    let page = format!("<p><font color='{}'>x</p>{}", "x".repeat(1 << 20), "<p>y</p>".repeat(10_000));
    let bounds = Bounds { page_bytes: 4 << 20, ..Bounds::default() };
    let tree = quick("attribute", || Tree::parse(&page, &bounds));
    assert_eq!(tree.cut(), Some("attributes"));
    let fonts = tree.nodes(tree.label_of("font").unwrap());
    assert!((2..10).contains(&fonts.len()), "{} elements of a megabyte", fonts.len());
}

#[test]
fn each_bound_of_a_page_is_told() {
    let cut = |page: &str, bounds: Bounds| Tree::parse(page, &bounds).cut();
    let all = Bounds::default();
    assert_eq!(cut("<p>x", Bounds { page_bytes: 3, ..all }), Some("page_bytes"));
    assert_eq!(cut("<p>äöü", Bounds { page_bytes: 4, ..all }), Some("page_bytes"));
    assert_eq!(cut(&"<p>x".repeat(50), Bounds { nodes: 20, ..all }), Some("nodes"));
    assert_eq!(cut("<p a=1 b=2><p a=1 b=2>", Bounds { attributes: 3, ..all }), Some("attributes"));
    assert_eq!(cut("<p a b c d>", Bounds { element_attributes: 3, ..all }), Some("element_attributes"));
    assert_eq!(cut(&"<div>".repeat(30), Bounds { depth: 20, ..all }), Some("depth"));
    assert_eq!(cut(&"<div>".repeat(200), Bounds { building: 100, ..all }), Some("building"));
}

#[test]
fn rows_of_a_large_table_are_found_in_linear_time() {
    let rows: String = (0..30_000).map(|n| format!("<tr><td>{}<td>r{n}", if n % 3 == 0 { "x" } else { "y" })).collect();
    let page = format!("<table>{rows}</table>");
    let rule = Rule::parse("html->table.tr[i:*].td[1].txt where html->table.tr[i].td.txt = 'x'").unwrap();
    let tree = quick("table", || tree(&page));
    let value = quick("rows", || rule.extract(&tree, &Bounds::default()).unwrap());
    assert_eq!(value.values().len(), 10_000);
    let rule = Rule::parse("html->table.tr[i].td[1].txt where html->table.tr[i].td[1].txt = 'r29999'").unwrap();
    assert_eq!(quick("last", || rule.extract(&tree, &Bounds::default()).unwrap()), text("r29999"));
}

#[test]
fn rules_that_multiply_are_stopped() {
    let wide = tree(&"<i>x</i>".repeat(100_000));
    let deep = tree(&"<div>".repeat(400));
    let forks = format!("html->i[*]{}{}", "(#->i[*](#.txt #.txt)".repeat(8), ")".repeat(8));
    let rules = [
        "html->i[*]->i[*]->i[*].txt",
        "html->i[*]->pcdata[*].txt",
        "html->i[a:*]->i[b:*].txt where html->i[a]->i[b]->i[*].txt = 'y'",
        "html->div[*]->div[*]->div[*]->div[*].numberOf",
    ];
    assert!(Rule::parse(&forks).is_err(), "a fork of a fork of a fork");
    for rule in rules {
        let rule = Rule::parse(rule).unwrap();
        for tree in [&wide, &deep] {
            if let Err(exceeded) = quick("rule", || rule.extract(tree, &Bounds::default())) {
                assert_eq!(exceeded, Exceeded::Work(Bounds::default().work));
                assert!(exceeded.to_string().contains("more than 10000000 steps"));
            }
        }
    }
    let rule = Rule::parse(rules[0]).unwrap();
    assert!(rule.extract(&wide, &Bounds::default()).is_err());
    let forks = Rule::parse("html->i[*](#->i[*].txt #->i[*](#->i[*].txt))").unwrap();
    assert!(quick("forks", || forks.extract(&wide, &Bounds::default())).is_err());
}

#[test]
fn texts_that_multiply_are_stopped() {
    let page = format!("{}{}", "<div>".repeat(500), "long ".repeat(100_000));
    let rule = Rule::parse("html->div[*].txt").unwrap();
    let exceeded = quick("texts", || rule.extract(&tree(&page), &Bounds::default())).unwrap_err();
    assert_eq!(exceeded, Exceeded::Bytes(16 << 20));
}

#[test]
fn large_expressions_are_refused_and_slow_ones_are_paid_for() {
    let refused = ["a{1000}{1000}", "(a{1000}){1000}", "\\w{5000}", "((((a{50}){50}){50}){50})"];
    for source in refused {
        let fault = quick(source, || Rule::parse(&format!("html.txt, match /{source}/"))).unwrap_err();
        assert!(fault.to_string().contains("too large") || fault.to_string().contains("exceeds"), "{source}: {fault}");
    }
    let nested = format!("html.txt, match /{}a{}/", "(".repeat(200), ")".repeat(200));
    assert!(Rule::parse(&nested).is_err());
    let rule = Rule::parse("html.body.txt, match /(x+x+)+y|(.*)(.*)(.*)=[01]{300}z/").unwrap();
    let page = "x".repeat(1_000_000);
    let _ = quick("expression", || rule.extract(&tree(&page), &Bounds::default()));
    let global = Rule::parse("html.body.txt, match /()/g").unwrap();
    let _ = quick("empty matches", || global.extract(&tree(&page), &Bounds::default()));
}

#[test]
fn long_rules_are_refused() {
    assert!(
        Rule::parse(&format!("html.txt where html.txt = '{}'", "x".repeat(5000)))
            .unwrap_err()
            .what
            .contains("4096 bytes")
    );
    let long = vec!["a"; 65].join(".");
    assert!(Rule::parse(&long).unwrap_err().what.contains("64 steps"));
    assert!(Rule::parse(&vec!["a"; 64].join("->")).is_ok());
    assert!(Rule::parse(&format!("{}a{}", "(#".repeat(500), ")".repeat(500))).unwrap_err().what.contains("8 deep"));
    let prefix = Prefix::parse(&vec!["a"; 40].join(".")).unwrap();
    let rule = Rule::parse(&vec!["b"; 40].join(".")).unwrap();
    assert!(join(&prefix, &rule).unwrap_err().what.contains("80 steps"));
    assert_eq!(on("<p>x", "html->p.txt"), text("x"));
}
