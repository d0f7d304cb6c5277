//! Does an axis lose records: are there some that none of its parts brings?
//!
//! ```text
//! leaks(axis)   parts have come to fewer records than the whole, or a row shows no value there, and no part along the axis has
//!               brought it: a form may offer "none" among the values, which brings just those
//! ```
//!
//! Cost: O(1) a row. Not guaranteed: rows whose value is not shown anywhere say nothing.

use std::collections::HashMap;

/// What is known of it for one axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Leak {
    has_fallen_short: bool,
    /// Rows that show no value: has a part brought it?
    lacking: HashMap<u128, bool>,
    /// How many of them no part has brought.
    lost: usize,
}

impl Leak {
    pub(super) fn is_known(&self) -> bool {
        self.has_fallen_short || self.lost > 0
    }

    /// The same for some of the rows.
    pub(super) fn is_known_of(&self, is_one: impl Fn(u128) -> bool) -> bool {
        let is_lost = |(key, in_part): (&u128, &bool)| !in_part && is_one(*key);
        self.has_fallen_short || (self.lost > 0 && self.lacking.iter().any(is_lost))
    }

    /// Parts had fewer records than the whole.
    pub(super) fn fall_short(&mut self) {
        self.has_fallen_short = true;
    }

    /// A row that shows no value has come; `in_part`: by a question for one value.
    pub(super) fn lack(&mut self, key: u128, in_part: bool) {
        match self.lacking.get(&key) {
            None => {
                self.lacking.insert(key, in_part);
                self.lost += usize::from(!in_part);
            }
            Some(_) if in_part => self.bring(key),
            Some(_) => {}
        }
    }

    /// A question for one value has brought a row.
    pub(super) fn bring(&mut self, key: u128) {
        if let Some(in_part) = self.lacking.get_mut(&key)
            && !std::mem::replace(in_part, true)
        {
            self.lost -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_value_is_lost_until_a_part_brings_it() {
        let mut leak = Leak::default();
        leak.bring(1);
        assert!(!leak.is_known());
        leak.lack(1, false);
        leak.lack(2, false);
        leak.lack(1, false);
        assert!(leak.is_known());
        leak.bring(1);
        leak.bring(1);
        assert!(leak.is_known() && leak.is_known_of(|key| key == 2) && !leak.is_known_of(|key| key == 1));
        leak.lack(2, true);
        leak.lack(2, false);
        assert!(!leak.is_known());
        leak.lack(3, true);
        assert!(!leak.is_known());
        leak.fall_short();
        assert!(leak.is_known());
    }
}
