//! What is written in a piece of a page? `.txt`: its text as a reader sees it.
//!
//! The texts of the subtree in order; white space (no-break spaces among it) is one blank, none at the ends; `br` and
//! the borders of blocks and cells are a blank, for a reader sees the words apart, and so is the border between two elements with
//! nothing between them (`<b>2005</b><i>a6</i>`), which pages set apart by their styles. Scripts and styles are not read,
//! unless the node is one itself. Cost: linear in the subtree.

use crate::tree::{Node, Tree};

/// Elements at whose borders words are apart.
const APART: [&str; 63] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "part",
    "plaintext",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "video",
    "xmp",
];

/// Elements whose texts nobody reads.
const UNREAD: [&str; 2] = ["script", "style"];

/// Are words apart at its borders?
pub(crate) fn is_apart(name: &str) -> bool {
    APART.binary_search(&name).is_ok()
}

/// A text with its white space cleaned.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_clean(&mut out, text, &mut false);
    out
}

/// Adds a text; `gap` says whether a blank is due before the next word.
fn push_clean(out: &mut String, text: &str, gap: &mut bool) {
    for (nth, word) in text.split(char::is_whitespace).enumerate() {
        *gap |= nth > 0;
        if !word.is_empty() {
            if *gap && !out.is_empty() {
                out.push(' ');
            }
            *gap = false;
            out.push_str(word);
        }
    }
}

/// Does a node follow an element directly, with no text between?
pub(crate) fn follows_element(tree: &Tree, node: Node) -> bool {
    let parent = tree.parent(node);
    let Some(before) = node.checked_sub(1).filter(|before| Some(*before) != parent) else { return false };
    let is_text_between = tree.is_text(before) && tree.parent(before) == parent;
    !is_text_between && !tree.is_text(node)
}

/// The text of a node. `most` bounds its bytes: nothing if there are more.
pub(crate) fn text_of(tree: &Tree, node: Node, most: usize) -> Option<String> {
    let mut out = String::new();
    let mut gap = false;
    let end = tree.end(node);
    // Where blocks end that are open.
    let mut borders: Vec<Node> = Vec::new();
    let mut at = node;
    while at < end {
        while borders.last().is_some_and(|border| *border <= at) {
            borders.pop();
            gap = true;
        }
        let name = tree.name(at);
        if tree.is_text(at) {
            push_clean(&mut out, tree.text(at), &mut gap);
            if out.len() > most {
                return None;
            }
        } else if at != node && UNREAD.contains(&name) {
            at = tree.end(at);
            continue;
        } else if is_apart(name) {
            gap = true;
            borders.push(tree.end(at));
        } else if at != node {
            gap |= follows_element(tree, at);
        }
        at += 1;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    fn text(page: &str, name: &str) -> String {
        let tree = Tree::parse(page, &Bounds::default());
        let node = tree.nodes(tree.label_of(name).unwrap())[0];
        text_of(&tree, node, 1000).unwrap()
    }

    #[test]
    fn names_are_in_order_so_that_they_are_found() {
        assert!(APART.is_sorted());
    }

    #[test]
    fn white_space_is_cleaned_and_borders_are_blanks() {
        assert_eq!(clean(" a\n\u{a0} b  "), "a b");
        assert_eq!(text("<p>one<br>two<b>three</b></p>", "p"), "one twothree");
        assert_eq!(text("<div>a<div>b</div>c<span>d</span></div>", "div"), "a b cd");
        assert_eq!(text("<table><tr><td>1<td>2<tr><td>3</table>", "table"), "1 2 3");
        assert_eq!(text("<ul><li>x<li>y</ul>", "ul"), "x y");
        assert_eq!(text("<p><span>2005-01-23</span><span>a666091f5</span>", "p"), "2005-01-23 a666091f5");
        assert_eq!(text("<p><b>1</b> <i><u>2</u></i><b><i>3</i></b>", "p"), "1 2 3");
        assert_eq!(text("<p>H<sub>2</sub>O, <b>R</b>ostock", "p"), "H2O, Rostock");
        assert_eq!(text("<p>a<!-- no -->b &amp; c", "p"), "ab & c");
    }

    #[test]
    fn scripts_are_read_only_when_they_are_meant() {
        assert_eq!(text("<div>a<script>var x</script><style>p{}</style>b</div>", "div"), "ab");
        assert_eq!(text("<script>var x</script>", "script"), "var x");
    }

    #[test]
    fn a_text_that_is_too_long_is_none() {
        let tree = Tree::parse("<p>0123456789", &Bounds::default());
        assert_eq!(text_of(&tree, 0, 9), None);
        assert_eq!(text_of(&tree, 0, 10).as_deref(), Some("0123456789"));
    }
}
