//! XPath expressions: axes, predicates, functions and comparisons, as XPath 1.0 has them.

use crate::values;

const PAGE: &str =
    "<!DOCTYPE html><html lang=en><body><div id=a class=box><h2>One</h2><p>x <b>y</b></p><p id=p2>z</p></div>
<div id=b><h2>Two</h2><p>w</p></div><dl><dt>Price<dd>$3<dt>Stock<dd>7</dl>
<table><tr><th>Size<td>10<tr><th>Weight<td>20</table><a href=/1>l1</a><a href=/2 class=on>l2</a>";

fn xpath(expression: &str) -> Vec<String> {
    values("xpath", expression, PAGE)
}

#[test]
fn paths_and_axes() {
    for (expression, texts) in [
        ("//h2", &["One", "Two"][..]),
        ("/html/body/div/p", &["x y", "z", "w"]),
        ("//div[1]/p[2]", &["z"]),
        ("//p[1]", &["x y", "w"]),
        ("(//p)[1]", &["x y"]),
        ("//p[last()]", &["z", "w"]),
        ("(//p)[position() > 1]", &["z", "w"]),
        ("//p/text()", &["x", "z", "w"]),
        ("//a/@href", &["/1", "/2"]),
        ("//@href[. = '/2']/..", &["l2"]),
        ("//b/ancestor::div/@id", &["a"]),
        ("//b/ancestor::*[1]", &["x y"]),
        ("//b/..", &["x y"]),
        ("//h2[.='Two']/following-sibling::p", &["w"]),
        ("//p[@id='p2']/preceding-sibling::*[1]", &["x y"]),
        ("//p[@id='p2']/preceding::h2", &["One"]),
        ("//p[@id='p2']/following::h2", &["Two"]),
        ("//div/descendant-or-self::div/@id", &["a", "b"]),
        ("//dt[.='Price']/following-sibling::dd[1]", &["$3"]),
        ("//tr[th='Weight']/td", &["20"]),
        ("//table//td", &["10", "20"]),
        ("//a[@class='on'] | //h2", &["One", "Two", "l2"]),
        ("//self::h2", &["One", "Two"]),
        ("//DIV/@ID", &["a", "b"]),
        ("//comment()", &[]),
        ("//a/@*[name()='class']", &["on"]),
    ] {
        assert_eq!(xpath(expression), texts, "{expression}");
    }
}

#[test]
fn functions_and_comparisons() {
    for (expression, text) in [
        ("count(//p)", "3"),
        ("string(//h2)", "One"),
        ("concat(//h2, '-', //dd)", "One-$3"),
        ("substring-after(//dd, '$')", "3"),
        ("substring-before('a-b', '-')", "a"),
        ("substring('12345', 1.5, 2.6)", "234"),
        ("substring('12345', 0)", "12345"),
        ("normalize-space('  a  b ')", "a b"),
        ("translate('bar', 'abc', 'AB')", "BAr"),
        ("string-length('abc')", "3"),
        ("sum(//td)", "30"),
        ("1 + 2 * 3 - 4 div 2", "5"),
        ("7 mod 4", "3"),
        ("-(-3)", "3"),
        ("round(2.5)", "3"),
        ("floor(-1.5)", "-2"),
        ("ceiling(1.2)", "2"),
        ("number('12') = 12", "true"),
        ("//td > 15", "true"),
        ("//td > 25", "false"),
        ("not(//td = 10)", "false"),
        ("//td != 10", "true"),
        ("5 > //td", "false"),
        ("'a' = 'b' or 2 = 2 and true()", "true"),
        ("boolean(//nothing)", "false"),
        ("id('p2')", "z"),
        ("//p[contains(., 'y')]/b", "y"),
        ("//p[starts-with(@id, 'p')]", "z"),
        ("//p[ends-with(@id, '2')]", "z"),
        ("lower-case(//h2)", "one"),
        ("local-name(//h2)", "h2"),
        ("name(//a/@href)", "href"),
        ("//h2[lang('en')]", "One"),
        ("//div[p][2]/@id", "b"),
        ("//div[not(@class)]/h2", "Two"),
        ("true() = 'x'", "true"),
    ] {
        assert_eq!(xpath(expression).first().map(String::as_str), Some(text), "{expression}");
    }
    assert_eq!(xpath("number('x')"), [""; 0]);
}

#[test]
fn what_is_wrong_is_said() {
    for (expression, what) in [
        ("//", "expected a step"),
        ("//p[", "expected a step"),
        ("//p]", "expected an operator"),
        ("foo()", "no such function"),
        ("count()", "takes 1 argument"),
        ("wrong::p", "no such axis"),
        ("'abc", "does not end"),
        ("//p/#", "expected a step"),
        ("text(", "expected `)`"),
    ] {
        let error = format!("x=xpath:{expression}").parse::<groma_extract::Column>().unwrap_err();
        assert!(error.to_string().contains(what), "{expression}: {error}");
    }
    let deep = format!("{}1{}", "(".repeat(100), ")".repeat(100));
    let error = format!("x=xpath:{deep}").parse::<groma_extract::Column>().unwrap_err();
    assert!(error.to_string().contains("nest at most"), "{error}");
    let long = format!("1{}", "+1".repeat(1000));
    assert!(format!("x=xpath:{long}").parse::<groma_extract::Column>().is_err());
}
