//! What a document of the index stands for: a page of the survey, or a record of a database behind a form.
//!
//! ```text
//! key = page                        below 2^32
//!     | gathering * 2^32 + place    from 2^32 on: numbers of gatherings begin at 1
//! ```
//!
//! So the two can never be taken for each other, and each has one number by which its document is found and replaced.

use groma_store::gathers::GatherId;

/// The place of a database as a whole, where only its values are known. No record stands there: far fewer are taken up.
const WHOLE: u32 = u32::MAX;

/// What a document stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A page, by its number.
    Page(u32),
    /// A record, by its gathering and its place there.
    Record(u32, u32),
    /// A database of which only the values are known, by its gathering.
    Whole(u32),
}

impl Key {
    /// Reads back what [`Key::number`] wrote.
    pub(crate) fn from_number(number: u64) -> Key {
        match ((number >> 32) as u32, number as u32) {
            (0, page) => Key::Page(page),
            (gather, WHOLE) => Key::Whole(gather),
            (gather, place) => Key::Record(gather, place),
        }
    }

    /// The gathering it is from; nothing for a page.
    pub(crate) fn gather(self) -> Option<u32> {
        match self {
            Key::Page(_) => None,
            Key::Record(gather, _) | Key::Whole(gather) => Some(gather),
        }
    }

    pub(crate) fn number(self) -> u64 {
        let of = |gather: u32, place: u32| u64::from(gather) << 32 | u64::from(place);
        match self {
            Key::Page(page) => u64::from(page),
            Key::Record(gather, place) => of(gather, place),
            Key::Whole(gather) => of(gather, WHOLE),
        }
    }
}

/// The number of a gathering as it stands in keys; nothing if it does not fit there, which none does that was counted up from 1.
pub(crate) fn short(id: GatherId) -> Option<u32> {
    u32::try_from(id.0).ok().filter(|short| *short > 0)
}

/// The number of a gathering as the store knows it.
pub(crate) fn long(gather: u32) -> GatherId {
    GatherId(u64::from(gather))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_never_clash(page: u32, gather in 1..=u32::MAX, place in 0..WHOLE) {
            let all = [Key::Page(page), Key::Record(gather, place), Key::Whole(gather)];
            for (at, key) in all.iter().enumerate() {
                prop_assert_eq!(Key::from_number(key.number()), *key);
                prop_assert_eq!(all.iter().position(|other| other.number() == key.number()), Some(at));
            }
        }
    }

    #[test]
    fn numbers_that_do_not_fit_have_no_key() {
        assert_eq!((short(GatherId(0)), short(GatherId(1 << 32))), (None, None));
        assert_eq!(short(GatherId(7)).map(long), Some(GatherId(7)));
    }
}
