//! Is any rule read or refused, printed as itself, and evaluated within its bounds on any page?
//!
//! Input: a first line that is a prefix, a second that is a rule, then the page.

use groma_hel::{Bounds, DOCUMENT, Prefix, Rule, Tree, join};

pub fn hel(data: &[u8]) {
    let (prefix, rest) = crate::first_line(data);
    let (rule, page) = crate::first_line(rest);
    let bounds =
        Bounds { nodes: 5000, attributes: 5000, depth: 64, work: 100_000, result_bytes: 100_000, ..Bounds::default() };
    let tree = Tree::parse(&String::from_utf8_lossy(page), &bounds);
    assert!(tree.len() <= bounds.nodes + 4 * bounds.depth, "{} nodes", tree.len());
    for node in 1..tree.len() as u32 {
        let parent = tree.parent(node).expect("all but the document stand in something");
        assert!(
            parent < node && node < tree.end(node) && tree.end(node) <= tree.end(parent),
            "nodes are in document order"
        );
        assert!(tree.is_text(node) == tree.name(node).is_empty(), "an element has a name, a text has none");
    }
    assert_eq!(tree.end(DOCUMENT) as usize, tree.len());
    let prefix = Prefix::parse(&String::from_utf8_lossy(prefix));
    match Rule::parse(&String::from_utf8_lossy(rule)) {
        Ok(rule) => {
            let printed = rule.to_string();
            // What is printed may be longer than what was read, and then too long.
            if printed.len() <= groma_hel::bounds::RULE_BYTES {
                assert_eq!(Rule::parse(&printed).as_ref(), Ok(&rule), "{printed}");
            }
            let rules = [Some(rule.clone()), prefix.ok().and_then(|prefix| join(&prefix, &rule).ok())];
            for rule in rules.into_iter().flatten() {
                if let Ok(value) = rule.extract(&tree, &bounds) {
                    assert!(value.values().iter().map(|value| value.len()).sum::<usize>() <= bounds.result_bytes);
                }
            }
        }
        Err(fault) => assert!(fault.at <= rule.len() * 3 && !fault.what.is_empty(), "{fault}"),
    }
}
