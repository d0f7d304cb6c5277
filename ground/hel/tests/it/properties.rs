//! What holds for all trees and rules: flow is brute-force preorder, printed rules read as themselves, joining is writing
//! one after the other.

use groma_hel::syntax::{Axis, Bound, Comparison, Condition, End, Label, Literal, Operation, Path, PathStep, Span};
use groma_hel::{Bounds, DOCUMENT, Node, Pattern, Prefix, Rule, Tree, join};
use proptest::prelude::*;

use super::tree;

/// A tree of elements that nest freely, and texts.
#[derive(Clone, Debug)]
enum Plant {
    Text(String),
    Element(&'static str, Vec<Plant>),
}

fn plant() -> impl Strategy<Value = Plant> {
    let leaf = prop_oneof![
        "[a-z]{1,4}".prop_map(Plant::Text),
        prop_oneof![Just("div"), Just("br"), Just("ins")].prop_map(|name| Plant::Element(name, Vec::new()))
    ];
    leaf.prop_recursive(6, 80, 5, |inner| {
        let name = prop_oneof![Just("div"), Just("ins"), Just("section"), Just("q")];
        (name, prop::collection::vec(inner, 0..5)).prop_map(|(name, children)| Plant::Element(name, children))
    })
}

/// The page, and what its nodes are called in order; texts side by side are one.
fn grow(plants: &[Plant], page: &mut String, order: &mut Vec<String>) {
    let mut after_text = false;
    for plant in plants {
        match plant {
            Plant::Text(text) => {
                page.push_str(text);
                if !after_text {
                    order.push("#text".into());
                }
            }
            Plant::Element(name, children) => {
                page.push_str(&format!("<{name}>"));
                order.push((*name).into());
                if *name != "br" {
                    grow(children, page, order);
                    page.push_str(&format!("</{name}>"));
                }
            }
        }
        after_text = matches!(plant, Plant::Text(_));
    }
}

/// All nodes in preorder, by children alone.
fn preorder(tree: &Tree, node: Node, out: &mut Vec<Node>) {
    out.push(node);
    for child in tree.children(node) {
        assert_eq!(tree.parent(child), Some(node));
        preorder(tree, child, out);
    }
}

fn name(tree: &Tree, node: Node) -> &str {
    if tree.is_text(node) { "#text" } else { tree.name(node) }
}

fn label() -> impl Strategy<Value = Label> {
    let names = prop_oneof![
        Just("html"),
        Just("body"),
        Just("div"),
        Just("ins"),
        Just("q"),
        Just("my-tag"),
        Just("tr"),
        Just("o:p")
    ];
    prop_oneof![4 => names.prop_map(|name| Label::Element(name.into())), 1 => Just(Label::Text)]
}

fn bound() -> impl Strategy<Value = Bound> {
    prop_oneof![
        (0..4u32).prop_map(Bound::Number),
        Just(Bound::All),
        prop_oneof![Just("i"), Just("k_2")].prop_map(|name| Bound::Variable(name.into()))
    ]
}

fn step() -> impl Strategy<Value = PathStep> {
    let span = (bound(), prop::option::weighted(0.3, bound())).prop_map(|(from, to)| Span { from, to });
    let axis = prop_oneof![Just(Axis::Child), Just(Axis::Flow)];
    (axis, label(), prop::collection::vec(span, 0..3)).prop_map(|(axis, label, index)| PathStep { axis, label, index })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let source = prop_oneof![Just("a/b"), Just("\\d+"), Just("(x)|[\\\\/]"), Just(""), Just("'\"#,\\)")];
    (source, prop_oneof![Just(""), Just("i"), Just("gsi")])
        .prop_map(|(source, flags)| Pattern::new(source, flags).unwrap())
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Text),
        Just(End::Source),
        prop_oneof![Just("href"), Just("data-x"), Just("it's odd"), Just("")]
            .prop_map(|name| End::Attribute(name.into())),
        prop::option::of(label()).prop_map(End::Count),
    ]
}

fn path() -> impl Strategy<Value = Path> {
    let make = |(led, mut steps, end, operations): (bool, Vec<PathStep>, End, Vec<Operation>)| {
        let led = led && !steps.is_empty();
        if let Some(first) = steps.first_mut()
            && !led
        {
            first.axis = Axis::Child;
        }
        Path { led, steps, end, operations }
    };
    let operation = || prop_oneof![pattern().prop_map(Operation::Match), pattern().prop_map(Operation::Split)];
    let operations = move || prop::collection::vec(operation(), 0..2);
    let straight = (any::<bool>(), prop::collection::vec(step(), 0..4), end(), operations()).prop_map(make);
    straight.prop_recursive(2, 6, 3, move |inner| {
        let fork = prop::collection::vec(inner, 1..3).prop_map(End::Fork);
        (any::<bool>(), prop::collection::vec(step(), 0..4), fork, operations()).prop_map(make)
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let number = prop_oneof![Just("7"), Just("-1.50"), Just("+0")].prop_map(|number| Literal::Number(number.into()));
    let compared = (
        prop_oneof![
            Just(Comparison::Equal),
            Just(Comparison::Unequal),
            Just(Comparison::Less),
            Just(Comparison::AtLeast)
        ],
        prop_oneof!["[a-z'\"# ]{0,5}".prop_map(Literal::Text), number],
    );
    let fitted = (prop_oneof![Just(Comparison::Fits), Just(Comparison::FitsNot)], pattern().prop_map(Literal::Pattern));
    (path(), prop_oneof![compared, fitted]).prop_map(|(path, (comparison, with))| Condition { path, comparison, with })
}

fn rule() -> impl Strategy<Value = Rule> {
    (path(), prop::collection::vec(condition(), 0..3)).prop_map(|(path, conditions)| Rule { path, conditions })
}

proptest! {
    #[test]
    fn flow_is_preorder_by_brute_force(plants in prop::collection::vec(plant(), 0..6)) {
        let (mut page, mut expected) = ("<!doctype html><body>".to_owned(), Vec::new());
        grow(&plants, &mut page, &mut expected);
        let tree = tree(&page);
        let mut order = Vec::new();
        preorder(&tree, DOCUMENT, &mut order);
        prop_assert_eq!(&order, &(0..tree.len() as Node).collect::<Vec<_>>(), "numbers are document order");
        // The document, html, head and body come first.
        let names: Vec<&str> = order[4..].iter().map(|node| name(&tree, *node)).collect();
        prop_assert_eq!(names, expected);
        for node in &order {
            for label in ["div", "ins", "section", "q", "br", "body", "#text"] {
                let id = if label == "#text" { Some(tree.label_of_text()) } else { tree.label_of(label) };
                let place = order.iter().position(|other| other == node).unwrap();
                let brute: Vec<Node> = order[place + 1..].iter().copied().filter(|other| name(&tree, *other) == label).collect();
                prop_assert_eq!(id.map_or(&[][..], |id| tree.flow(*node, id)), &brute[..]);
            }
        }
    }

    #[test]
    fn what_is_printed_reads_as_itself(rule in rule()) {
        let printed = rule.to_string();
        match Rule::parse(&printed) {
            Ok(read) => prop_assert_eq!(read, rule),
            // Chance makes rules whose variables are never bound; they must be refused for that alone.
            Err(fault) => prop_assert!(fault.what.contains("variable"), "{}: {}", printed, fault),
        }
    }

    #[test]
    fn joining_is_writing_one_after_the_other(
        prefix in prop::collection::vec(step(), 1..3),
        led in any::<bool>(),
        trailing in prop_oneof![Just(""), Just("."), Just("->")],
        rule in rule(),
    ) {
        let mut prefix = prefix;
        if !led {
            prefix[0].axis = Axis::Child;
        }
        let written = Path { led, steps: prefix, end: End::Node, operations: Vec::new() }.to_string();
        let prefix = Prefix::parse(&format!("{written}{trailing}")).unwrap();
        prop_assert_eq!(prefix.to_string(), format!("{written}{trailing}"));
        let whole = |path: &Path| {
            let separator = match path {
                path if path.is_absolute() => return path.to_string(),
                path if path.led || path.steps.is_empty() => "",
                _ if trailing.is_empty() => ".",
                _ => trailing,
            };
            format!("{written}{separator}{path}")
        };
        let mut text = whole(&rule.path);
        for (nth, condition) in rule.conditions.iter().enumerate() {
            text.push_str(if nth == 0 { " where " } else { " and " });
            text.push_str(&format!("{} {} {}", whole(&condition.path), condition.comparison, condition.with));
        }
        match (join(&prefix, &rule), Rule::parse(&text)) {
            (Ok(joined), Ok(read)) => prop_assert_eq!(joined, read),
            (Err(_), Err(_)) => {}
            (joined, read) => prop_assert!(false, "{}: {:?} against {:?}", text, joined, read),
        }
    }

    #[test]
    fn any_rule_on_any_tree_ends(rule in rule(), plants in prop::collection::vec(plant(), 0..6)) {
        let (mut page, mut order) = (String::new(), Vec::new());
        grow(&plants, &mut page, &mut order);
        if let Ok(rule) = Rule::parse(&rule.to_string()) {
            let bounds = Bounds { work: 20_000, ..Bounds::default() };
            let first = rule.extract(&tree(&page), &bounds);
            prop_assert_eq!(first, rule.extract(&tree(&page), &bounds));
        }
    }

    #[test]
    fn any_text_is_read_as_a_rule_or_refused(text in "\\PC{0,60}") {
        if let Ok(rule) = Rule::parse(&text) {
            prop_assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        }
        let _ = Prefix::parse(&text);
    }

    #[test]
    fn any_words_are_read_as_a_rule_or_refused(words in prop::collection::vec(
        prop_oneof![Just("html"), Just("."), Just("->"), Just("["), Just("]"), Just("i"), Just("*"), Just(":"), Just("("), Just("#"), Just(")"), Just("txt"),
            Just(","), Just("match"), Just("/x/"), Just(" where "), Just("="), Just("'s'"), Just("and "), Just("getAttr(a)"), Just("#text"), Just("1")], 0..24)) {
        let text = words.concat();
        if let Ok(rule) = Rule::parse(&text) {
            prop_assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        }
    }
}
