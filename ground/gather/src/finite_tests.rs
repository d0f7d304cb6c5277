//! Lists and expressions, spelled out; and the same by brute force.

use std::collections::BTreeSet;

use proptest::prelude::*;
use regex::Regex;

use super::*;

fn spelled(expression: &str) -> Vec<String> {
    expand(expression).unwrap_or_else(|refusal| panic!("{expression}: {refusal}"))
}

#[test]
fn the_papers_expression_is_26_values() {
    for content in ["[A-Z]%", "'[A-Z]%'", "\"[A-Z]%\"", "/[A-Z]%/", " /^[A-Z]%$/ "] {
        let values = domain(content, true).unwrap();
        assert_eq!((values.len(), values[0].as_str(), values[25].as_str()), (26, "A%", "Z%"), "{content}");
    }
    assert_eq!(domain("[A-Z]%", false).unwrap(), ["[A-Z]%"], "a choice of a select, as it stands");
    assert_eq!(domain("/[A-B]/", false).unwrap(), ["A", "B"]);
}

#[test]
fn lists_have_quotes_and_commas() {
    assert_eq!(list("a, b ,, a,c d"), ["a", "b", "c d"]);
    assert_eq!(list("'a, b', \"c\" ,d'e', 'f"), ["a, b", "c", "d'e'", "'f"]);
    assert_eq!(list("''"), Vec::<String>::new());
    assert_eq!(list("Hotel [DM], R\u{fc}gen"), ["Hotel [DM]", "R\u{fc}gen"]);
    assert_eq!(domain("[, x", true).unwrap(), ["[", "x"]);
    assert!(domain(&"x,".repeat(200_000), false).is_err());
}

#[test]
fn what_is_finite_is_spelled_out() {
    assert_eq!(spelled("a|bc?"), ["a", "b", "bc"]);
    assert_eq!(spelled("(a|a)b"), ["ab"]);
    assert_eq!(spelled("[ab]{0,2}"), ["", "a", "b", "aa", "ab", "ba", "bb"]);
    assert_eq!(spelled("x{3}"), ["xxx"]);
    assert_eq!(spelled("(?i)ab"), ["AB", "Ab", "aB", "ab"]);
    assert_eq!(spelled("(?:)*|()+"), [""]);
    assert_eq!(spelled("[a&&b]x{9999}").len(), 0);
    assert_eq!(spelled("[a&&b]?y"), ["y"]);
    assert_eq!(spelled("[a&&b]*y"), ["y"]);
    assert_eq!(spelled("\u{e4}[\u{f6}\u{fc}]\\.%"), ["\u{e4}\u{f6}.%", "\u{e4}\u{fc}.%"]);
    assert_eq!(spelled(""), [""]);
}

#[test]
fn what_is_infinite_or_too_much_is_refused_before_it_is_made() {
    for expression in ["a*", "a+", "[A-Z]{2,}", "(a|b*)c", "(a?)*"] {
        assert_eq!(expand(expression), Err(Refusal::Infinite), "{expression}");
    }
    let many = [
        "[a-z]{3}",
        ".",
        "\\w",
        "a{0,4294967295}",
        "(((a{9}|b){9}){9}){9}",
        "[ab]{4000000000}",
        "(a{1000}){1000}{1000}",
        "[a-z]{0,9999}",
        "(a|b){14}",
        "x{2000000}",
    ];
    for expression in many {
        assert_eq!(expand(expression), Err(Refusal::TooMany), "{expression}");
    }
    for expression in ["a\\bb", "a$b", "(^a|b)", "(", "(a)\\1", "(?=a)"] {
        assert!(matches!(expand(expression), Err(Refusal::Unclear(_))), "{expression}");
    }
    assert_eq!(expand("[a-z]{2}").unwrap().len(), 676);
    assert_eq!(expand("[0-9]{4}").unwrap().len(), 10_000);
    assert!(domain("[a-z]*%", true).is_err());
}

/// Expressions over a and b.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b"), Just("[ab]"), Just("(?:)"), Just("ab"), Just("[a&&b]")]
        .prop_map(str::to_owned);
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner, 0..3u32, 0..2u32).prop_map(|(part, min, more)| format!("(?:{part}){{{min},{}}}", min + more)),
        ]
    })
}

proptest! {
    #[test]
    fn spelling_out_is_trying_all_strings(expression in expression()) {
        // All strings over a and b up to this length.
        const LENGTH: u32 = 7;
        let Ok(values) = expand(&expression) else { return Ok(()) };
        let found: BTreeSet<String> = values.iter().filter(|value| value.len() <= LENGTH as usize).cloned().collect();
        let regex = Regex::new(&format!("^(?:{expression})$")).unwrap();
        let mut brute = BTreeSet::new();
        for length in 0..=LENGTH {
            for bits in 0..1u32 << length {
                let text: String = (0..length).map(|at| if bits >> at & 1 == 0 { 'a' } else { 'b' }).collect();
                if regex.is_match(&text) {
                    brute.insert(text);
                }
            }
        }
        prop_assert_eq!(found, brute);
        prop_assert!(values.iter().all(|value| regex.is_match(value)));
        prop_assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), values.len());
    }

    #[test]
    fn any_text_gives_values_or_a_refusal(text in "\\PC{0,40}", is_text in any::<bool>()) {
        if let Ok(values) = domain(&text, is_text) {
            prop_assert!(values.len() as u64 <= VALUES);
        }
    }
}

/// Found by fuzzing: one value of a megabyte took 50 GB of copying, since it grew piece by piece.
#[test]
fn a_long_value_costs_what_it_is_long() {
    let begun = groma_cpu_time::cpu_time();
    assert_eq!(expand("((abcdefghij){1}){99998}").unwrap()[0].len(), 999_980);
    let groups = "(a)(b)".repeat(40_000);
    assert_eq!(expand(&groups).unwrap()[0].len(), 80_000);
    let nothing_times_much = "[a&&b]a{1000000}|".repeat(14_000) + "x";
    assert_eq!(expand(&nothing_times_much).unwrap(), ["x"]);
    assert_eq!(expand(&"(a{1000000})".repeat(20_000)), Err(Refusal::TooMany));
    assert!((groma_cpu_time::cpu_time() - begun).as_secs() < 20);
}

#[test]
fn repetitions_keep_their_order() {
    assert_eq!(expand("[ab]{3}").unwrap(), ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"]);
    assert_eq!(expand("x(a|bc){2,3}").unwrap().len(), 12);
    assert_eq!(expand("(a|b)(c|d)(e|f)").unwrap(), ["ace", "acf", "ade", "adf", "bce", "bcf", "bde", "bdf"]);
}
