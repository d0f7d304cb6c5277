//! Does a value meet a condition?
//!
//! Only values are compared, never nodes; what is not there meets none, also not `!=` and `!~`; a list does if any of it
//! does. The constant says how: a string is compared letter by letter (`<` by code points), a number with values
//! that are numbers; a value that is none is unequal to it, and neither less nor greater.

use std::cmp::Ordering;

use crate::syntax::{Comparison, Literal};
use crate::value::Value;

/// Whether the value meets the condition; of a list, whether one of its values does.
pub(crate) fn holds(value: &Value, comparison: Comparison, with: &Literal) -> bool {
    match with {
        Literal::Text(text) => value.any(|its| decide(comparison, Some(its.cmp(text.as_str())))),
        Literal::Number(number) => {
            let number = as_number(number);
            value.any(|its| decide(comparison, as_number(its).zip(number).and_then(|(a, b)| a.partial_cmp(&b))))
        }
        Literal::Pattern(pattern) => {
            let wanted = comparison != Comparison::FitsNot;
            value.any(|its| pattern.regex().is_match(its) == wanted)
        }
    }
}

fn decide(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Equal | Comparison::Fits => order == Some(Ordering::Equal),
        Comparison::Unequal | Comparison::FitsNot => order != Some(Ordering::Equal),
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// Digits with a sign and decimals; not the words `inf` and `nan`.
fn as_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_digits = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    if is_digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn strings_numbers_and_expressions_are_compared_each_in_their_way() {
        let number = |number: &str| Literal::Number(number.into());
        let string = |text: &str| Literal::Text(text.into());
        assert!(holds(&text("10"), Comparison::Greater, &number("9")));
        assert!(!holds(&text("10"), Comparison::Greater, &string("9")));
        assert!(holds(&text(" 007 "), Comparison::Equal, &number("7")));
        assert!(holds(&text("-1.5"), Comparison::Less, &number("-1")));
        assert!(
            holds(&text("5"), Comparison::AtMost, &number("5")) && holds(&text("5"), Comparison::AtLeast, &number("5"))
        );
        assert!(!holds(&text("nan"), Comparison::AtMost, &number("5")));
        assert!(holds(&text("inf"), Comparison::Unequal, &number("5")));
        let pattern = Literal::Pattern(Pattern::new("^a.c$", "i").unwrap());
        assert!(holds(&text("ABC"), Comparison::Fits, &pattern));
        assert!(!holds(&text("ABC"), Comparison::FitsNot, &pattern));
        assert!(holds(&text("x"), Comparison::FitsNot, &pattern));
    }

    #[test]
    fn nothing_is_never_true_and_any_of_a_list_is_enough() {
        let list = Value::List(vec![Value::Null, Value::List(vec![text("b"), text("a")])]);
        for comparison in [Comparison::Equal, Comparison::Unequal, Comparison::Less, Comparison::AtLeast] {
            assert!(!holds(&Value::Null, comparison, &Literal::Text("a".into())));
            assert!(!holds(&Value::List(vec![Value::Null]), comparison, &Literal::Text("a".into())));
        }
        assert!(holds(&list, Comparison::Equal, &Literal::Text("a".into())));
        assert!(holds(&list, Comparison::Unequal, &Literal::Text("a".into())));
        assert!(!holds(&list, Comparison::Equal, &Literal::Text("c".into())));
    }
}
