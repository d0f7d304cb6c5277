//! The tree is that of the standard, where rules feel it.

use groma_hel::{Bounds, DOCUMENT, Tree};

use super::tree;

/// The tree in one line.
fn drawn(tree: &Tree) -> String {
    let mut out = String::new();
    let mut ends = Vec::new();
    for node in 1..tree.len() as u32 {
        while ends.last().is_some_and(|end| *end <= node) {
            ends.pop();
            out.push(')');
        }
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        if tree.is_text(node) {
            out.push_str(&format!("{:?}", tree.text(node)));
        } else {
            out.push_str(tree.name(node));
            if tree.end(node) > node + 1 {
                out.push('(');
                ends.push(tree.end(node));
            }
        }
    }
    out.push_str(&")".repeat(ends.len()));
    out
}

#[test]
fn pages_are_read_as_browsers_read_them() {
    let pages = [
        ("", "html(head body)"),
        ("x", "html(head body(\"x\"))"),
        ("<table><tr><td>1<td>2</table>", "html(head body(table(tbody(tr(td(\"1\") td(\"2\"))))))"),
        ("<p>a<p>b<div>c", "html(head body(p(\"a\") p(\"b\") div(\"c\")))"),
        ("<ul><li>a<li>b</ul>", "html(head body(ul(li(\"a\") li(\"b\"))))"),
        ("<table><form><tr><td><input></form></table>", "html(head body(table(form tbody(tr(td(input))))))"),
        ("<table>x<tr><td>y</table>", "html(head body(\"x\" table(tbody(tr(td(\"y\"))))))"),
        ("<b>1<p>2</b>3", "html(head body(b(\"1\") p(b(\"2\") \"3\")))"),
        ("<select><option>a<option>b</select>", "html(head body(select(option(\"a\") option(\"b\"))))"),
        (
            "<title>a<b></title><script>if (a<b) x('</p>')</script>c",
            "html(head(title(\"a<b>\") script(\"if (a<b) x('</p>')\")) body(\"c\"))",
        ),
        ("<textarea>\n<p></textarea>", "html(head body(textarea(\"<p>\")))"),
        ("<svg><foreignObject><p>x</svg>", "html(head body(svg(foreignobject(p(\"x\")))))"),
        ("<noscript><p>x</noscript>", "html(head(noscript) body(p(\"x\")))"),
        ("<body><noscript><p>x</noscript>", "html(head body(noscript(p(\"x\"))))"),
        ("<template><p>x</template>y", "html(head(template) body(\"y\"))"),
        ("<!-- c --><p> <b> </b>\n<!-- c -->a<!-- c -->b", "html(head body(p(b \"a\" \"b\")))"),
        ("a&amp;b\0c&nbsp;", "html(head body(\"a&bc\\u{a0}\"))"),
        ("<math><mi>x</math><plaintext><p>", "html(head body(math(mi(\"x\")) plaintext(\"<p>\")))"),
    ];
    for (page, expected) in pages {
        assert_eq!(drawn(&tree(page)), expected, "{page}");
        assert_eq!(tree(page).cut(), None);
    }
}

#[test]
fn quirks_decide_about_tables_in_paragraphs() {
    assert_eq!(drawn(&tree("<p><table></table>")), "html(head body(p(table)))");
    assert_eq!(drawn(&tree("<!doctype html><p><table></table>")), "html(head body(p table))");
}

#[test]
fn attributes_are_kept_once_and_in_lower_case() {
    let tree = tree("<body a=1><p CLASS=x class=y Title='&lt;a&gt;' hidden><body a=2 b=3>");
    let node = tree.nodes(tree.label_of("p").unwrap())[0];
    assert_eq!(tree.attributes(node).collect::<Vec<_>>(), [("class", "x"), ("title", "<a>"), ("hidden", "")]);
    let body = tree.nodes(tree.label_of("body").unwrap())[0];
    assert_eq!(tree.attributes(body).collect::<Vec<_>>(), [("a", "1"), ("b", "3")]);
    assert_eq!(tree.attribute(node, "CLASS"), None);
    assert_eq!(tree.attributes(DOCUMENT).count(), 0);
}

#[test]
fn numbers_that_name_nothing_are_harmless() {
    let tree = tree("<p>x");
    for node in [6, 99, u32::MAX] {
        assert_eq!((tree.name(node), tree.text(node), tree.parent(node)), ("", "", None));
        assert_eq!(tree.children(node).count() + tree.attributes(node).count(), 0);
        assert!(tree.flow(node, tree.label_of_text()).is_empty());
    }
    assert_eq!(tree.label_of("#text"), None);
    assert_eq!(tree.label_of("#document"), None);
}

#[test]
fn what_is_too_deep_stands_at_the_depth() {
    let bounds = Bounds { depth: 10, ..Bounds::default() };
    let page = format!("<div id=a>{}x<img>{}</div><p>after", "<div>".repeat(30), "</div>".repeat(30));
    let tree = Tree::parse(&page, &bounds);
    assert_eq!(tree.cut(), Some("depth"));
    assert!(tree.nodes(tree.label_of("div").unwrap()).len() < 12);
    assert!(tree.label_of("img").is_some());
    let after = tree.nodes(tree.label_of("p").unwrap())[0];
    assert_eq!(tree.name(tree.parent(after).unwrap()), "body", "as many end tags are left out");
}

#[test]
fn fields_know_the_form_that_was_open() {
    let tree = tree("<table><form id=f><tr><td><input></table><input></form><input><form><div></form><input>");
    let forms = tree.nodes(tree.label_of("form").unwrap());
    let inputs = tree.nodes(tree.label_of("input").unwrap());
    let owners: Vec<_> = inputs.iter().map(|input| tree.open_form(*input)).collect();
    assert_eq!(owners, [Some(forms[0]), Some(forms[0]), None, None]);
    assert!(!tree.holds(forms[0], inputs[0]) && tree.holds(forms[1], inputs[3]));
    assert!(tree.ancestors(inputs[3]).any(|above| above == forms[1]));
    assert!(!tree.holds(forms[1], forms[1]));
}

#[test]
fn the_rows_of_a_rule_are_the_nodes_its_values_stand_in() {
    let tree = tree("<table><tr><th>x<tr><td>a<td>1<tr><td>b<td>2<tr><td>c</table>");
    let rule = groma_hel::Rule::parse("html.body.table.tr[i:*].td[1].txt where html.body.table.tr[i].numberOf(td) > 0")
        .unwrap();
    let rows = rule.rows(&tree, &Bounds::default()).unwrap();
    let texts: Vec<_> = rows.iter().map(|row| tree.txt(*row, 100).unwrap()).collect();
    assert_eq!(texts, ["a 1", "b 2", "c"]);
    let single = groma_hel::Rule::parse("html.body.table.tr.txt").unwrap();
    assert!(single.rows(&tree, &Bounds::default()).unwrap().is_empty());
}
