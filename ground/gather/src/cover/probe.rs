//! Does a field that takes several values join them with AND or with OR?
//!
//! ```text
//! ask A, B, and A with B; a, b, ab the rows seen
//! AND    ab is exactly what a and b have in common
//! OR     ab has rows that only a has, rows that only b has, and no others
//! first, last    ab is a, or b
//! ```
//!
//! Answers that were cut tell nothing, except OR, for which a and b must be whole. Nor do values of which one lies within the other.
//! Cost: three questions, O(rows). Not guaranteed: that other pairs behave alike.

use std::collections::HashSet;

/// How several values of one field are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// A record must have all of them.
    And,
    /// A record must have one of them.
    Or,
    /// Only the first counts.
    First,
    /// Only the last counts.
    Last,
    /// These answers do not tell.
    Unknown,
}

/// The rows of one answer, and whether they are all.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The keys of the rows.
    pub keys: &'a [u128],
    /// The answer was whole.
    pub whole: bool,
}

/// What the answers to A, to B, and to both at once say together.
pub fn joined(a: Seen<'_>, b: Seen<'_>, both: Seen<'_>) -> Joined {
    let set = |seen: Seen<'_>| seen.keys.iter().copied().collect::<HashSet<u128>>();
    let (in_a, in_b, in_both) = (set(a), set(b), set(both));
    let only_a = in_a.difference(&in_b).count();
    let only_b = in_b.difference(&in_a).count();
    // Two values that cannot be told apart tell nothing.
    if (only_a == 0 && only_b == 0) || in_a.is_empty() || in_b.is_empty() {
        return Joined::Unknown;
    }
    // Whole answers to A and to B, and a row that is in neither: the form did something else.
    let strange = in_both.iter().any(|key| !in_a.contains(key) && !in_b.contains(key));
    if strange && a.whole && b.whole {
        return Joined::Unknown;
    }
    let from_a = in_both.iter().filter(|key| in_a.contains(*key) && !in_b.contains(*key)).count();
    let from_b = in_both.iter().filter(|key| in_b.contains(*key) && !in_a.contains(*key)).count();
    if from_a > 0 && from_b > 0 && a.whole && b.whole {
        return Joined::Or;
    }
    if !(a.whole && b.whole && both.whole) {
        return Joined::Unknown;
    }
    let common = in_a.intersection(&in_b).count();
    // One within the other: "A and B" is the smaller one, and so is "only the first" or "only the last".
    if only_a == 0 || only_b == 0 {
        return Joined::Unknown;
    }
    if in_both == in_a {
        return Joined::First;
    }
    if in_both == in_b {
        return Joined::Last;
    }
    if from_a == 0 && from_b == 0 && in_both.len() == common { Joined::And } else { Joined::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(a: &[u128], b: &[u128], both: &[u128]) -> Joined {
        let whole = |keys| Seen { keys, whole: true };
        joined(whole(a), whole(b), whole(both))
    }

    #[test]
    fn each_way_of_joining_is_told_apart() {
        assert_eq!(told(&[1, 2, 3], &[3, 4], &[3]), Joined::And);
        assert_eq!(told(&[1, 2], &[3, 4], &[]), Joined::And);
        assert_eq!(told(&[1, 2, 3], &[3, 4], &[1, 2, 3, 4]), Joined::Or);
        assert_eq!(told(&[1, 2, 3], &[3, 4], &[1, 2, 3]), Joined::First);
        assert_eq!(told(&[1, 2, 3], &[3, 4], &[3, 4]), Joined::Last);
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        assert_eq!(told(&[1, 2], &[1, 2], &[1, 2]), Joined::Unknown);
        assert_eq!(told(&[], &[1, 2], &[]), Joined::Unknown);
        assert_eq!(told(&[1, 2], &[3], &[9]), Joined::Unknown);
        let cut = Seen { keys: &[1, 2], whole: false };
        assert_eq!(joined(cut, Seen { keys: &[3], whole: true }, Seen { keys: &[1, 2], whole: true }), Joined::Unknown);
    }

    #[test]
    fn a_value_within_another_tells_nothing() {
        assert_eq!(told(&[1, 2, 3], &[3], &[3]), Joined::Unknown);
        assert_eq!(told(&[1, 2, 3], &[3], &[1, 2, 3]), Joined::Unknown);
    }
}
