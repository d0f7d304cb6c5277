//! Which pieces of a page are set apart by nothing but lines and headings? A tree in which these are elements called `part`.
//!
//! ```text
//! in dl         a part begins at a dt that no dt stands before
//! elsewhere     a part ends at hr; at br br with no text between; it begins at a heading h2 .. h6 of which there are several
//! ```
//!
//! Of hr, headings and br br the first that makes two parts with text is taken; content without such borders is as it was. `hr` and
//! the `br` between stand beside the parts. Cost: linear in the tree, which is copied.

use super::Tree;
use super::entry::{Entry, NONE, Node};

/// The name of what stands between two borders.
pub const PART: &str = "part";

/// Children in a row, from the first node to the one after the last.
type Range = (Node, Node);

/// The same tree with an element `part` around what lines, headings and terms set apart.
pub fn with_parts(page: &Tree) -> Tree {
    let mut parts: Vec<Range> = Vec::new();
    for parent in 1..page.len() as Node {
        if !matches!(
            page.name(parent),
            "" | "select" | "table" | "tbody" | "thead" | "tfoot" | "tr" | "head" | "script" | "svg"
        ) {
            parts.extend(parts_of(page, parent));
        }
    }
    parts.sort_unstable();
    let mut tree = page.clone();
    if parts.is_empty() {
        return tree;
    }
    // Nodes before which so many parts begin.
    let mut begun = vec![0u32; page.len() + 2];
    for (from, _) in &parts {
        begun[*from as usize + 1] += 1;
    }
    for at in 1..begun.len() {
        begun[at] += begun[at - 1];
    }
    let new = |node: Node| node + begun[node as usize + 1];
    let end = |end: Node| end + begun[end as usize];
    let label = label_number(PART, &mut tree);
    tree.nodes.clear();
    let mut next = parts.iter().peekable();
    // Parts that are open: their end, their parent, their number.
    let mut open: Vec<(Node, Node, Node)> = Vec::new();
    for (at, entry) in page.nodes.iter().enumerate() {
        let at = at as Node;
        while open.last().is_some_and(|(end, ..)| *end <= at) {
            open.pop();
        }
        if let Some((_, to)) = next.next_if(|(from, _)| *from == at) {
            let number = tree.nodes.len() as Node;
            let parent = if entry.parent == NONE { NONE } else { new(entry.parent) };
            tree.nodes.push(Entry { parent, end: end(*to), label, content: 0..0 });
            open.push((*to, entry.parent, number));
        }
        let parent = match open.last() {
            Some((_, of, number)) if *of == entry.parent => *number,
            _ if entry.parent == NONE => NONE,
            _ => new(entry.parent),
        };
        tree.nodes.push(Entry { parent, end: end(entry.end), label: entry.label, content: entry.content.clone() });
    }
    tree.owners = page.owners.iter().map(|(field, form)| (new(*field), new(*form))).collect();
    tree.places = vec![Vec::new(); tree.labels.len()];
    for (number, entry) in tree.nodes.iter().enumerate().skip(1) {
        tree.places[entry.label as usize].push(number as u32);
    }
    tree
}

/// The number of a name in the copy.
fn label_number(name: &str, copy: &mut Tree) -> u32 {
    if let Some(known) = copy.names.get(name) {
        return *known;
    }
    let number = copy.labels.len() as u32;
    copy.labels.push(name.into());
    copy.names.insert(name.into(), number);
    number
}

fn parts_of(tree: &Tree, parent: Node) -> Vec<Range> {
    let children: Vec<Node> = tree.children(parent).collect();
    let name = |at: usize| children.get(at).map_or("", |child| tree.name(*child));
    let begins = |is_begin: &dyn Fn(usize) -> bool, is_border: &dyn Fn(usize) -> bool| {
        let mut found: Vec<Range> = Vec::new();
        let mut from: Option<usize> = None;
        for at in 0..=children.len() {
            let ends = at == children.len() || is_begin(at) || is_border(at);
            if let Some(start) = from.filter(|_| ends) {
                found.push((children[start], tree.end(children[at - 1])));
                from = None;
            }
            if at < children.len() && !is_border(at) && from.is_none() {
                from = Some(at);
            }
        }
        found.retain(|(from, to)| {
            tree.flow(from.saturating_sub(1), tree.label_of_text()).first().is_some_and(|text| text < to)
        });
        if found.len() < 2 { Vec::new() } else { found }
    };
    let never = |_: usize| false;
    if tree.name(parent) == "dl" {
        return begins(&|at| name(at) == "dt" && (at == 0 || name(at - 1) != "dt"), &never);
    }
    let has = |wanted: &str| (0..children.len()).filter(|at| name(*at) == wanted).count();
    if has("hr") > 0 {
        return begins(&never, &|at| name(at) == "hr");
    }
    if let Some(heading) = ["h2", "h3", "h4", "h5", "h6"].into_iter().find(|heading| has(heading) > 1) {
        return begins(&|at| name(at) == heading, &never);
    }
    let is_double = |at: usize| name(at) == "br" && (name(at + 1) == "br" || at > 0 && name(at - 1) == "br");
    if has("br") > 1 { begins(&never, &is_double) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::with_parts;
    use crate::{Bounds, Rule, Tree};

    fn parts(page: &str, rule: &str) -> Vec<String> {
        let bounds = Bounds::default();
        let tree = with_parts(&Tree::parse(page, &bounds));
        let value = Rule::parse(rule).unwrap().extract(&tree, &bounds).unwrap();
        value.values().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn lines_headings_and_terms_set_parts_apart() {
        let rule = "html.body.part[*].txt";
        assert_eq!(parts("<b>A</b> x<br>y<hr><b>B</b> z<hr>", rule), ["A x y", "B z"]);
        assert_eq!(parts("<b>A</b> x<br>y<br><br><b>B</b> z<br> <br>C", rule), ["A x y", "B z", "C"]);
        assert_eq!(parts("<h3>A</h3><p>x<p>y<h3>B</h3><p>z", rule), ["A x y", "B z"]);
        assert_eq!(parts("<h3>A</h3><p>x", rule), Vec::<String>::new());
        let page = "<dl><dt>A<dd>1<dd>2<dt>B<dt>C<dd>3</dl>";
        assert_eq!(parts(page, "html.body.dl.part[*].txt"), ["A 1 2", "B C 3"]);
        assert_eq!(parts(page, "html.body.dl.part[*].dd[0].txt"), ["1", "3"]);
        // Parts within parts, and what is within keeps its place.
        let page = "<div>1<hr><p>2<br><br>3</div><hr>4";
        assert_eq!(parts(page, "html.body.part[*].txt"), ["1 2 3", "4"]);
        assert_eq!(parts(page, "html.body.part[0].div.part[1].p.part[*].txt"), ["2", "3"]);
    }

    #[test]
    fn nodes_stay_in_order() {
        let page = "<form><i>x</i><hr><input name=a><hr><b>y</b><dl><dt>1<dd>2<dt>3<dd>4</dl></form><p>z";
        let tree = Tree::parse(page, &Bounds::default());
        let parted = with_parts(&tree);
        let texts = |tree: &Tree| {
            tree.nodes(tree.label_of_text()).iter().map(|at| tree.text(*at).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&tree), texts(&parted));
        for node in 1..parted.len() as u32 {
            let parent = parted.parent(node).unwrap();
            assert!(parent < node && parted.end(node) <= parted.end(parent) && parted.end(node) > node);
        }
        let input = parted.nodes(parted.label_of("input").unwrap())[0];
        assert_eq!(parted.open_form(input).map(|form| parted.name(form)), Some("form"));
        assert_eq!(with_parts(&Tree::parse("<p>x", &Bounds::default())).len(), 6);
    }
}
