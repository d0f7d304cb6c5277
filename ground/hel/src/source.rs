//! How is a piece of a page written? `.src`: the HTML of a node and of all that is in it.
//!
//! What is written is the tree, by the rules of the HTML standard for serialising (section 13.3): every element with its end tag (but for those
//! that have none), attributes between double quotes, `&`, `<` and `>` as references. So it is what a browser has made of the page, not
//! the octets that came: names in lower case, `tbody` where it was left out, no comments and no white space between elements, for they are no nodes.
//! Cost: linear in the subtree and in what is written.

use crate::tree::{Node, Tree};

/// Elements that have no end tag.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements whose texts are written as they are.
const RAW: [&str; 6] = ["iframe", "noembed", "noframes", "script", "style", "xmp"];

/// The HTML of a node and of all that is in it, as `.src` gives it; nothing if it has more bytes than these.
pub fn html_of(tree: &Tree, node: Node, most: usize) -> Option<String> {
    let mut html = String::new();
    // Elements that are open, from the outside.
    let mut open: Vec<Node> = Vec::new();
    for at in node..tree.end(node) {
        close(tree, &mut open, at, &mut html);
        if tree.is_text(at) {
            let is_raw = open.last().is_some_and(|above| RAW.contains(&tree.name(*above)));
            if is_raw { html.push_str(tree.text(at)) } else { escape(tree.text(at), false, &mut html) }
        } else if !tree.name(at).is_empty() {
            start_tag(tree, at, &mut html);
            if !VOID.contains(&tree.name(at)) {
                open.push(at);
            }
        }
        if html.len() > most {
            return None;
        }
    }
    close(tree, &mut open, Node::MAX, &mut html);
    (html.len() <= most).then_some(html)
}

/// Writes the end tags of the elements that do not hold what comes next.
fn close(tree: &Tree, open: &mut Vec<Node>, next: Node, html: &mut String) {
    while let Some(last) = open.pop_if(|last| tree.end(*last) <= next) {
        html.push_str("</");
        html.push_str(tree.name(last));
        html.push('>');
    }
}

fn start_tag(tree: &Tree, node: Node, html: &mut String) {
    html.push('<');
    html.push_str(tree.name(node));
    for (name, value) in tree.attributes(node) {
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        escape(value, true, html);
        html.push('"');
    }
    html.push('>');
}

fn escape(text: &str, is_attribute: bool, html: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' if is_attribute => html.push_str("&quot;"),
            _ => html.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    fn source(page: &str, label: &str) -> String {
        let tree = Tree::parse(page, &Bounds::default());
        let node = tree.nodes(tree.label_of(label).expect("a label"))[0];
        html_of(&tree, node, 10_000).expect("within bounds")
    }

    #[test]
    fn a_node_is_written_as_a_browser_would() {
        assert_eq!(source("<p>a<BR>b<IMG SRC=x.png ALT='\"'>", "p"), "<p>a<br>b<img src=\"x.png\" alt=\"&quot;\"></p>");
        assert_eq!(
            source("<table><tr><td>1 &lt; 2 &amp;&nbsp;x</table>", "tr"),
            "<tr><td>1 &lt; 2 &amp;&nbsp;x</td></tr>"
        );
        assert_eq!(
            source("<ul> <li><b>a</b> c <!-- no --><li></ul> x", "ul"),
            "<ul><li><b>a</b> c </li><li></li></ul>"
        );
        assert_eq!(source("<script>if (a < b) c()</script>", "script"), "<script>if (a < b) c()</script>");
    }

    #[test]
    fn what_was_written_reads_as_the_same_tree() {
        let page =
            "<table><tr><td><p>a<p>b<td>&amp;lt;</table><select><option selected>x<option>y</select><p title='<&\">'>";
        let first = source(page, "html");
        assert_eq!(source(&first, "html"), first);
    }

    #[test]
    fn too_much_is_nothing() {
        let tree = Tree::parse("<p>aaaa", &Bounds::default());
        assert_eq!(html_of(&tree, 1, 10), None);
    }
}
