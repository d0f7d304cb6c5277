//! Records that are known, and how they can be told when they come in another dress (another language, a shorter view).
//!
//! ```text
//! told         a value, or a link, that one known record shows alone
//! other        the same attributes, and in one of them other numbers: the same station in another year is another record
//! as before    4 of 5 records of an answer are known or told, none is another record, and none shows nothing that is known
//! ```
//!
//! Numbers are compared by their groups of digits, whatever stands between them and in whatever order: dates and amounts are written in
//! many ways. Cost: a digest per record, value and number. Not guaranteed: a record that shares a rare value with another one, and has
//! no number or other attributes, is taken for it.

use std::collections::{BTreeSet, HashMap, HashSet};

use groma_gather::answer::Record;
use xxhash_rust::xxh3::xxh3_64;

/// Different values by which records are told in another dress.
const FACES: usize = 4_000_000;
/// Numbers of a record that are compared.
const NUMBERS: usize = 16;
/// Bytes of a value by which a record may be known in another dress, at least.
const LEAST: usize = 4;
/// In place of a record: several show it.
const SEVERAL: u32 = u32::MAX;

/// What the first two bits of a face say.
const KIND: u64 = 3 << 62;
const NUMBER: u64 = 2 << 62;
const NAMES: u64 = 3 << 62;

/// What an answer shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Its records, in order, each with its faces.
    pub(super) rows: Vec<(u128, Vec<u64>)>,
    /// The total, where the answer gives it exactly.
    pub(super) said: Option<u64>,
    /// All of it was read, and nothing says that it is cut.
    pub(super) whole: bool,
}

impl Sight {
    fn keys(&self) -> Vec<u128> {
        self.rows.iter().map(|(key, _)| *key).collect()
    }

    /// Rows, and none of another answer's?
    pub(super) fn is_of_others(&self, other: &Sight) -> bool {
        let known: HashSet<u128> = other.keys().into_iter().collect();
        !self.rows.is_empty() && self.rows.iter().all(|(key, _)| !known.contains(key))
    }

    /// The same total, and the same rows in the same order?
    pub(super) fn is_row_by_row(&self, other: &Sight) -> bool {
        self.said == other.said && self.keys() == other.keys()
    }

    /// Does each begin like the other, as far as both go?
    pub(super) fn begins_like(&self, other: &Sight) -> bool {
        self.rows.iter().zip(&other.rows).all(|((one, _), (other, _))| one == other)
    }

    /// The same total and the same records, in quite another order, all on one page?
    pub(super) fn is_reordered(&self, other: &Sight) -> bool {
        let (own, others) = (self.keys(), other.keys());
        let sorted = |keys: &[u128]| keys.iter().copied().collect::<BTreeSet<u128>>();
        let moved = own.iter().zip(&others).filter(|(one, other)| one != other).count();
        self.said == Some(own.len() as u64)
            && self.said == other.said
            && own.len() == others.len()
            && sorted(&own).len() == own.len()
            && sorted(&own) == sorted(&others)
            && moved * 2 > own.len()
    }
}

/// Records that are known, and how they can be told in another dress.
#[derive(Debug, Default)]
pub(super) struct Known {
    keys: HashSet<u128>,
    /// Values and links: which record shows them.
    faces: HashMap<u64, u32>,
    /// By record: its numbers, and the names of its attributes.
    marks: Vec<Box<[u64]>>,
}

impl Known {
    /// True if it was not known.
    pub(super) fn insert(&mut self, key: u128, faces: &[u64]) -> bool {
        let is_new = self.keys.insert(key);
        if is_new && self.faces.len() < FACES {
            let record = self.marks.len() as u32;
            self.marks.push(faces.iter().filter(|face| *face & NUMBER != 0).copied().collect());
            for face in faces.iter().filter(|face| *face & NUMBER == 0) {
                self.faces.entry(*face).and_modify(|shown_by| *shown_by = SEVERAL).or_insert(record);
            }
        }
        is_new
    }

    pub(super) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    pub(super) fn has_all(&self, sight: &Sight) -> bool {
        sight.rows.iter().all(|(key, _)| self.keys.contains(key))
    }

    /// Are these known records in another dress?
    pub(super) fn are_dressed(&self, sight: &Sight) -> bool {
        let mut told = 0;
        for (key, faces) in &sight.rows {
            if self.keys.contains(key) {
                told += 1;
                continue;
            }
            let shown_by: Vec<u32> = faces.iter().filter_map(|face| self.faces.get(face)).copied().collect();
            let alone: Vec<u32> = shown_by.iter().filter(|record| **record != SEVERAL).copied().collect();
            let agrees = |record: &u32| self.marks.get(*record as usize).is_some_and(|marks| !contradict(marks, faces));
            if shown_by.is_empty() || (!alone.is_empty() && !alone.iter().any(agrees)) {
                return false;
            }
            told += usize::from(!alone.is_empty());
        }
        !sight.rows.is_empty() && told * 5 >= sight.rows.len() * 4
    }
}

/// The same attributes, and one of them with other numbers?
fn contradict(one: &[u64], other: &[u64]) -> bool {
    let names = |faces: &[u64]| faces.iter().find(|face| *face & KIND == NAMES).copied();
    if names(one) != names(other) {
        return false;
    }
    let numbers = |faces: &[u64]| -> Vec<u64> { faces.iter().filter(|face| *face & KIND == NUMBER).copied().collect() };
    let (one, other) = (numbers(one), numbers(other));
    let same = |a: &u64, b: &u64| a >> 32 == b >> 32;
    one.iter().any(|number| other.iter().any(|own| same(number, own)) && !other.contains(number))
}

/// What a record may be known by in another dress: where it leads, its longer values, its numbers, the names of its attributes.
pub(super) fn faces(record: &Record) -> Vec<u64> {
    let values = record.values.iter().map(|(_, value)| value.as_str()).filter(|value| value.len() >= LEAST);
    let texts = record.link.as_deref().into_iter().chain(values).map(|text| xxh3_64(text.as_bytes()) & !KIND);
    let mut names: Vec<&str> = record.values.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let numbers = record.values.iter().filter_map(|(name, value)| number(name, value)).take(NUMBERS);
    texts.chain(numbers).chain([xxh3_64(names.join("\0").as_bytes()) | NAMES]).collect()
}

/// The digits of a value, and whose they are: the name in the upper half, the groups in the lower one.
fn number(name: &str, value: &str) -> Option<u64> {
    let groups = value.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    let mut groups: Vec<&str> = groups.map(|group| group.trim_start_matches('0')).collect();
    if groups.is_empty() {
        return None;
    }
    groups.sort_unstable();
    let (name, groups) = (xxh3_64(name.as_bytes()), xxh3_64(groups.join(" ").as_bytes()));
    Some((name << 32 | groups >> 32) & !KIND | NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(records: &[&[(&str, &str)]]) -> Sight {
        let row = |values: &&[(&str, &str)]| {
            let values: Vec<(String, String)> =
                values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let key = values.iter().fold(7_u128, |key, (name, value)| {
                key.wrapping_mul(31) ^ u128::from(xxh3_64(format!("{name}={value}").as_bytes()))
            });
            (key, faces(&Record { values, ..Record::default() }))
        };
        Sight { rows: records.iter().map(row).collect(), said: None, whole: true }
    }

    #[test]
    fn the_same_records_in_other_words_are_told_and_others_are_not() {
        let mut known = Known::default();
        let all = sight(&[
            &[("name", "Arkona"), ("since", "2024-01-05"), ("kind", "station")],
            &[("name", "Putbus"), ("since", "1999-11-30"), ("kind", "station")],
        ]);
        all.rows.iter().for_each(|(key, faces)| assert!(known.insert(*key, faces)));
        let is = |records: &[&[(&str, &str)]]| known.are_dressed(&sight(records));
        assert!(is(&[&[("name", "Arkona"), ("since", "05.01.2024"), ("kind", "Messstelle")]]));
        assert!(is(&[&[("Name", "Putbus"), ("Art", "Messstelle")]]), "a shorter view");
        assert!(!is(&[&[("name", "Arkona"), ("since", "2023-01-05"), ("kind", "station")]]), "another year");
        assert!(!is(&[&[("name", "Sassnitz"), ("since", "2001-02-03"), ("kind", "other")]]), "nothing of it is known");
        assert!(
            !is(&[&[("name", "Sassnitz"), ("since", "2001-02-03"), ("kind", "station")]]),
            "what many show tells none"
        );
        assert!(!is(&[]));
    }

    #[test]
    fn the_same_records_in_quite_another_order_are_told_from_others_and_from_a_longer_list() {
        let of = |keys: &[u128], said| Sight {
            rows: keys.iter().map(|key| (*key, Vec::new())).collect(),
            said,
            whole: true,
        };
        let all = of(&[1, 2, 3, 4, 5], Some(5));
        assert!(all.is_reordered(&of(&[5, 4, 3, 2, 1], Some(5))));
        assert!(all.is_reordered(&of(&[1, 5, 4, 3, 2], Some(5))));
        for other in [&[2, 1, 3, 4, 5][..], &[5, 4, 3, 2, 6], &[5, 4, 3, 2], &[5, 4, 3, 2, 2]] {
            assert!(!all.is_reordered(&of(other, Some(5))), "{other:?}");
        }
        assert!(!all.is_reordered(&of(&[5, 4, 3, 2, 1], Some(9))));
        assert!(!of(&[1, 2, 3, 4, 5], Some(9)).is_reordered(&of(&[5, 4, 3, 2, 1], Some(9))));
    }
}
