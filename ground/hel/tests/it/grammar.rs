//! Every line of the grammar, and what each means.

use groma_hel::{Rule, Value};

use super::{list, on, text};

const PAGE: &str = "<title>T</title><body><h1 id=top>Head</h1><table class=x><tr><td>a0<td>b0<tr><td>a1<td>b1<tr><td>a2</table>\
    <p>one <b>two</b> three<img src=i.png alt=pic><p>last <a href=/x>ex</a> <a href=/y>why</a></body>";

fn rows(cells: &[&[&str]]) -> Value {
    Value::List(cells.iter().map(|row| Value::List(row.iter().map(|cell| text(cell)).collect())).collect())
}

#[test]
fn children_and_flow() {
    assert_eq!(on(PAGE, "html.head.title.txt"), text("T"));
    assert_eq!(on(PAGE, "html.body.title.txt"), Value::Null);
    assert_eq!(on(PAGE, "html->b.txt"), text("two"));
    // To the end of the document, not of the subtree; and from the document.
    assert_eq!(on(PAGE, "html.head->a[1].txt"), text("why"));
    assert_eq!(on(PAGE, "html.body.h1->h1.txt"), Value::Null);
    assert_eq!(on(PAGE, "->table.getAttr(class)"), text("x"));
    assert_eq!(on(PAGE, ".html.body.h1.txt"), text("Head"));
    assert_eq!(on(PAGE, "title.txt"), Value::Null);
}

#[test]
fn rows_are_seen_through_the_sections_of_a_table() {
    assert_eq!(on(PAGE, "html.body.table.tr[1].td[1].txt"), text("b1"));
    assert_eq!(on(PAGE, "html.body.table.tbody.tr[1].td[1].txt"), text("b1"));
    let page = "<table><thead><tr><td>h<tbody><tr><td>1<tr><td>2<tfoot><tr><td>f</table>";
    assert_eq!(on(page, "html.body.table.tr[*].td.txt"), list(["h", "1", "2", "f"]));
    assert_eq!(on(page, "html.body.table.tbody.tr[*].td.txt"), list(["1", "2"]));
    assert_eq!(on(page, "html.body.table.numberOf(tr)"), text("4"));
    assert_eq!(on(page, "html.body.table.td.txt"), Value::Null);
}

#[test]
fn indices() {
    let rule = |index: &str| format!("html.body.table.tr{index}.td.txt");
    assert_eq!(on(PAGE, &rule("")), text("a0"));
    assert_eq!(on(PAGE, &rule("[2]")), text("a2"));
    assert_eq!(on(PAGE, &rule("[3]")), Value::Null);
    assert_eq!(on(PAGE, &rule("[4294967295]")), Value::Null);
    assert_eq!(on(PAGE, &rule("[*]")), list(["a0", "a1", "a2"]));
    assert_eq!(on(PAGE, &rule("[1:*]")), list(["a1", "a2"]));
    assert_eq!(on(PAGE, &rule("[*:1]")), list(["a0", "a1"]));
    assert_eq!(on(PAGE, &rule("[0-1]")), list(["a0", "a1"]));
    assert_eq!(on(PAGE, &rule("[1:9]")), list(["a1", "a2"]));
    assert_eq!(on(PAGE, &rule("[2:1]")), list([]));
    assert_eq!(on(PAGE, &rule("[2,0,7]")), list(["a2", "a0"]));
    assert_eq!(on(PAGE, &rule("[0:1, 2]")), list(["a0", "a1", "a2"]));
    assert_eq!(on(PAGE, "html.body.table.tr[*].td[*].txt"), rows(&[&["a0", "b0"], &["a1", "b1"], &["a2"]]));
    let second = Value::List(vec![text("b0"), text("b1"), Value::Null]);
    assert_eq!(on(PAGE, "html.body.table.tr[*].td[1].txt"), second);
}

#[test]
fn properties() {
    assert_eq!(on(PAGE, "html.body->img.src"), text("<img src=\"i.png\" alt=\"pic\">"));
    assert_eq!(on(PAGE, "html.body.p[0].src"), text("<p>one <b>two</b> three<img src=\"i.png\" alt=\"pic\"></p>"));
    assert_eq!(on(PAGE, "html.body.p[0].pcdata[*].src"), list(["one ", " three"]));
    assert_eq!(on(PAGE, "html.body->img.getAttr(src)"), text("i.png"));
    assert_eq!(on(PAGE, "html.body->img.getAttr(ALT)"), text("pic"));
    assert_eq!(on(PAGE, "html.body->img.getAttr('alt')"), text("pic"));
    assert_eq!(on(PAGE, "html.body->img.getAttr(title)"), Value::Null);
    assert_eq!(on(PAGE, "html.body.p.numberOf"), text("4"));
    assert_eq!(on(PAGE, "html.body.numberOf(p)"), text("2"));
    assert_eq!(on(PAGE, "html.body.getNumberOf(video)"), text("0"));
    assert_eq!(on(PAGE, "html.body.p.numberOf(pcdata)"), text("2"));
    // Without a property a result is the text.
    assert_eq!(on(PAGE, "html.body.p"), text("one two three"));
    assert_eq!(on(PAGE, "html.body->a[*]"), list(["ex", "why"]));
}

#[test]
fn texts_are_nodes_under_three_names() {
    for name in ["pcdata", "PDATA", "#text"] {
        assert_eq!(on(PAGE, &format!("html.body.p.{name}[1].txt")), text("three"));
        assert_eq!(on(PAGE, &format!("html.body->a[1]->{name}.txt")), text("why"));
    }
    assert_eq!(on(PAGE, "html.body.p(##text[1].txt #b.#text.txt)"), list(["three", "two"]));
}

#[test]
fn forks() {
    let both = rows(&[&["a0", "b0"], &["a1", "b1"]]);
    assert_eq!(on(PAGE, "html.body.table.tr[0:1](#.td[0].txt #.td[1].txt)"), both);
    assert_eq!(on(PAGE, "html.body.table.tr[0:1](td[0].txt # td[1].txt)"), both);
    assert_eq!(on(PAGE, "html.body->a(#.txt #.getAttr(href))"), list(["ex", "/x"]));
    assert_eq!(on(PAGE, "html.body->a(#->a.txt)"), list(["why"]));
    assert_eq!(on(PAGE, "html.body->a[7](#.txt)"), Value::Null);
    let nested = Value::List(vec![text("why"), list(["/y", "4"])]);
    assert_eq!(on(PAGE, "html.body(#->a[1].txt #(#->a[1].getAttr(href) #p.numberOf))"), nested);
}

#[test]
fn match_and_split() {
    assert_eq!(on(PAGE, "html.body.table.tr[1].td.txt, match /[0-9]/"), text("1"));
    assert_eq!(
        on(PAGE, "html.body.table.tr[1].td.txt, match /([a-z])([0-9])(x)?/"),
        Value::List(vec![text("a"), text("1"), Value::Null])
    );
    assert_eq!(
        on(PAGE, "html.body.table.tr[*].td.txt, match /A([12])/i"),
        Value::List(vec![Value::Null, text("1"), text("2")])
    );
    assert_eq!(on(PAGE, "html.body.p.txt, split /\\s+/"), list(["one", "two", "three"]));
    assert_eq!(
        on(PAGE, "html.body.p.txt, split / /, match /^t(.*)/"),
        Value::List(vec![Value::Null, text("wo"), text("hree")])
    );
    assert_eq!(on(PAGE, "html.body.p.txt, match /[a-z]+/g"), list(["one", "two", "three"]));
    assert_eq!(on(PAGE, "html.body->a.getAttr(href), match /\\/(.)/"), text("x"));
    assert_eq!(on(PAGE, "html.body->video.txt, match /x/"), Value::Null);
}

#[test]
fn variables_take_the_first_that_fits_or_all() {
    let rule = |index: &str, condition: &str| {
        format!("html.body.table.tr[{index}].td.txt where html.body.table.tr[i].td{condition}")
    };
    assert_eq!(on(PAGE, &rule("i", "[1].txt =~ 'b'")), text("a0"));
    assert_eq!(on(PAGE, &rule("i", "[1].txt = 'b1'")), text("a1"));
    assert_eq!(on(PAGE, &rule("i", "[1].txt = 'b9'")), Value::Null);
    assert_eq!(on(PAGE, &rule("i:*", "[1].txt =~ /B/i")), list(["a0", "a1"]));
    assert_eq!(on(PAGE, &rule("i:*", "[1].txt = 'b1'")), list(["a1"]));
    assert_eq!(on(PAGE, &rule("i:0", "[1].txt =~ 'b'")), list(["a0"]));
    assert_eq!(on(PAGE, &rule("1:i", "[0].txt =~ 'a'")), list(["a1", "a2"]));
    assert_eq!(on(PAGE, &rule("i,0", "[0].txt = 'a2'")), list(["a2", "a0"]));
    // What is not there satisfies nothing; any of a list is enough.
    assert_eq!(on(PAGE, &rule("i:*", "[1].txt != 'b0'")), list(["a1"]));
    assert_eq!(on(PAGE, &rule("i:*", "[*].txt = 'b1'")), list(["a1"]));
    // In two places it is the same index.
    assert_eq!(on(PAGE, "html.body.table.tr[n].td[n].txt where html.body.table.tr[n].td[n].txt =~ '1'"), text("b1"));
}

#[test]
fn a_condition_waits_for_its_last_variable() {
    let cells = "html.body.table.tr[i:*].td[j].txt where html.body.table.tr[i].td[j].txt =~ '^b'";
    assert_eq!(on(PAGE, cells), Value::List(vec![text("b0"), text("b1"), Value::Null]));
    let rule = "html.body.table.tr[i].td[j].txt WHERE html.body.table.tr[i].td.txt = 'a1' AND html.body.table.tr[i].td[j].txt =~ 'b'";
    assert_eq!(on(PAGE, rule), text("b1"));
    let fork = "html.body.table.tr[i](#td[j].txt #td.txt) where html.body.table.tr[i].numberOf = 1 and html.body.table.tr[i].td[j].txt = 'a2'";
    assert_eq!(on(PAGE, fork), list(["a2", "a2"]));
    // Without variables it is true or false of the page.
    assert_eq!(on(PAGE, "html.head.title.txt where html.body.numberOf(p) >= 2"), text("T"));
    assert_eq!(on(PAGE, "html.head.title.txt where html.body.numberOf(p) > 2"), Value::Null);
}

#[test]
fn values_are_flat_distinct_and_not_blank() {
    let page = "<ul><li>b<li>a<li><br><li>b<li title=x>c</ul>";
    let value = on(page, "html.body.ul.li[*](#.txt #.getAttr(title))");
    assert_eq!(value.values(), ["b", "a", "c", "x"]);
    assert!(Value::Null.values().is_empty());
}

#[test]
fn faults_say_where_and_what_was_expected() {
    let faults = [
        ("", 1, "expected the name of an element"),
        ("html.", 6, "expected the name of an element, or pcdata, found the end of the rule"),
        ("html..body", 6, "found `.`"),
        ("html.body[", 11, "expected a number, `*` or a variable"),
        ("html.body[0", 12, "expected `,`, `:` or `]`, found the end"),
        ("html.body[-1]", 11, "expected a number"),
        ("html.body[99999999999]", 11, "too large"),
        ("html.3", 6, "an index stands in brackets"),
        ("html.txt.body", 9, "ends a path"),
        ("html->txt", 7, "is a property"),
        ("html.body.getAttr", 18, "`(` as in getAttr(NAME)"),
        ("html.body.getAttr()", 19, "the name of an attribute"),
        ("html.body(#.txt", 16, "`#` or `)`"),
        ("html.txt, grep /x/", 11, "match or split"),
        ("html.txt, match x", 17, "between slashes"),
        ("html.txt, match /x", 17, "no closing /"),
        ("html.txt, match /(/", 17, "unclosed group"),
        ("html.txt, match /(?=x)/", 17, "look-around"),
        ("html.txt, match /(a)\\1/", 17, "backreference"),
        ("html.txt, match /x/q", 17, "no flag `q`"),
        ("html.txt where html.body = 'x'", 16, "compares values, not nodes"),
        ("html.txt where html.txt ~ 'x'", 25, "one of = =="),
        ("html.txt where html.txt = x", 27, "a string in quotes or a number, found `x`"),
        ("html.txt where html.txt = 'x", 27, "no closing '"),
        ("html.txt html", 10, "expected WHERE or the end of the rule, found `html`"),
        ("html.txt where html.txt = 1 or", 29, "expected AND or the end of the rule, found `or`"),
        ("html.a[i].txt where html.a[k].txt = 1", 1, "`k` of a condition does not stand in the path"),
        ("html(#a[i] #a[k]) where html(#a[i].txt #a[k].txt) = 1", 1, "different branches"),
        ("html.a[i:k].txt", 1, "both variables are free"),
        ("html.a[i].txt", 1, "the variable `i` has no condition"),
        ("html.a[i:*].b[k].txt where html.a[i].txt = 1", 1, "the variable `k` has no condition"),
        ("html(#a[i].txt #b.txt)", 1, "the variable `i` has no condition"),
        ("html.ü.[", 8, "expected the name"),
    ];
    for (rule, letter, what) in faults {
        let fault = Rule::parse(rule).expect_err(rule);
        assert!(fault.to_string().contains(what), "{rule}: {fault}");
        assert_eq!(fault.letter, letter, "{rule}: {fault}");
        assert!(fault.shown(rule).ends_with('^'));
    }
}

#[test]
fn what_can_be_written_in_two_ways_is_printed_in_one() {
    let printed = [
        (
            " HTML . Body -> A [ i - * ] . TXT Where html.a[i].getATTR( 'href' ) == \"it's\"",
            "html.body->a[i:*].txt WHERE html.a[i].getAttr(href) = 'it''s'",
        ),
        ("txt", ".txt"),
        ("->pdata(a.src)", "->pcdata(#a.src)"),
        ("html.getNumberOf( #text ),match /a\\/b/ii", "html.numberOf(pcdata), match /a\\/b/i"),
        (
            "my-tag->x.txt where b.txt !~ 'a/b' and b.src <= -1.50",
            "my-tag->x.txt WHERE b.txt !~ /a\\/b/ AND b.src <= -1.50",
        ),
        ("a.getAttr('on click')", "a.getAttr('on click')"),
    ];
    for (rule, expected) in printed {
        let parsed = Rule::parse(rule).unwrap();
        assert_eq!(parsed.to_string(), expected);
        assert_eq!(Rule::parse(expected).unwrap(), parsed);
    }
}
