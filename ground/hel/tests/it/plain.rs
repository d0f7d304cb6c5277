//! The quick way to a tree gives the tree of the standard, or none.

use groma_hel::{Bounds, DOCUMENT, Node, Tree};
use proptest::prelude::*;

/// Everything a tree says, a line for each node.
fn told(tree: &Tree) -> Vec<String> {
    let node = |node: Node| {
        let attributes: Vec<String> = tree.attributes(node).map(|(name, value)| format!("{name}={value:?}")).collect();
        let form = tree.open_form(node);
        let (parent, end) = (tree.parent(node), tree.end(node));
        format!("{node} {} {:?} {attributes:?} {parent:?} {end} {form:?}", tree.name(node), tree.text(node))
    };
    (DOCUMENT..tree.len() as Node).map(node).collect()
}

/// Holds both ways together; true if the page is plain.
fn agree(page: &str) -> bool {
    let bounds = Bounds::default();
    let Some(plain) = Tree::parse_plain(page, &bounds) else { return false };
    let by_the_book = Tree::parse_by_the_book(page, &bounds);
    assert_eq!(told(&plain), told(&by_the_book), "{page:?}");
    assert_eq!(by_the_book.cut(), None);
    for label in ["div", "p", "td", "a", "html"] {
        let nodes = |tree: &Tree| tree.label_of(label).map_or(Vec::new(), |label| tree.nodes(label).to_vec());
        assert_eq!(nodes(&plain), nodes(&by_the_book), "{page:?}");
    }
    true
}

#[test]
fn plain_pages_are_known_as_such() {
    for page in [
        "",
        "text",
        " \n text ",
        "<!doctype html><html><head><title>a &amp; b</title></head><body class=x>y</body></html>\n",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><p>a<p>b<ul><li>1<li>2</ul>",
        "<!doctype html><p>a<table><tr><td>1<td>2<tr><th>3</table>b",
        "<meta charset=utf-8><script>if (a < b) '</p>'</script><p>x</p>text</body> \n</html>\n",
        "<dl><dt>a<dd>b<dt>c</dl><h1>x</h1><pre>\n\n y</pre><textarea>\n&lt;</textarea>",
        "<form><input name=a><img><select><option>1<option selected>2<optgroup><option>3</select></form>",
        "<svg viewBox='0 0 1 1' xlink:href=#a><path d=x /><g><title>t</title></g></svg>z",
        "<a href='?a=1&b=2&copy=3&amp;d'>&copy 2024 &nbsp;&#8212;&#x41 &unknown</a>",
        "<p>a</foo>b<!-- c -->d</p>e<br/><hr>f</p>",
        "<div><b>x</b><i>y</i><br>z</div",
        "<head><noscript><link rel=a></noscript></head><body>x",
    ] {
        assert!(agree(page), "{page:?}");
    }
    for page in [
        "<p><b>x<p>y",
        "<table>x<tr><td>y</table>",
        "<body>x</body>y",
        "<template>x</template>",
        "<a>x<a>y</a>",
        "<b><i>x</b></i>",
        "<svg><p>x</svg>",
        "a\0b",
        "&#0;",
    ] {
        assert!(!agree(page), "{page:?}");
    }
}

const PIECES: [&str; 96] = [
    "<html>",
    "<html lang=a>",
    "<head>",
    "</head>",
    "<body>",
    "<body a=1>",
    "</body>",
    "</html>",
    "<!doctype html>",
    "<!DOCTYPE x>",
    "<title>",
    "</title>",
    "<p>",
    "</p>",
    "<p a=b c='d' a=e>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<a href=x&amp;y>",
    "</a>",
    "<code>",
    "</code>",
    "<span>",
    "</span>",
    "<ul>",
    "</ul>",
    "<ol>",
    "</ol>",
    "<li>",
    "</li>",
    "<dl>",
    "</dl>",
    "<dt>",
    "<dd>",
    "</dd>",
    "<h1>",
    "</h1>",
    "<h2>",
    "</h2>",
    "<table>",
    "</table>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<th>",
    "<tbody>",
    "</tbody>",
    "<thead>",
    "<caption>",
    "</caption>",
    "<col>",
    "<colgroup>",
    "</colgroup>",
    "<form>",
    "</form>",
    "<input>",
    "<input type=hidden form=f>",
    "<select>",
    "</select>",
    "<option>",
    "</option>",
    "<optgroup>",
    "<button>",
    "</button>",
    "<img/>",
    "<br>",
    "</br>",
    "<hr>",
    "<pre>",
    "</pre>",
    "<textarea>",
    "</textarea>",
    "<script>",
    "</script>",
    "<style>a</style>",
    "<svg>",
    "<path/>",
    "</svg>",
    "<g>",
    "</g>",
    "<object>",
    "</object>",
    "<noscript>",
    "</noscript>",
    "<link>",
    "<meta>",
    "\n",
    " ",
    "x",
    "a &lt; b",
    "<!-- c -->",
    "&copy",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn random_pages_have_one_tree(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..14)) {
        agree(&pieces.concat());
    }

    #[test]
    fn random_pages_with_a_body_have_one_tree(pieces in prop::collection::vec(prop::sample::select(PIECES[12..].to_vec()), 0..20)) {
        agree(&format!("<!doctype html><body>{}", pieces.concat()));
    }

    #[test]
    fn random_letters_have_one_tree(page in "[<>/!a-c&;#x\"'= \n-]{0,60}") {
        agree(&page);
    }
}
