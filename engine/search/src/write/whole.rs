//! The document of a database as a whole: what its provider says of it, and the values that stand in no record.
//!
//! ```text
//! whole(gathering) = description, keywords (unless an older one of the same form has them)
//!                  + { value : no record of the gathering says it under its attribute,
//!                                              no older gathering of the same form has it }
//! ```
//!
//! Where only values are known (a summarizer told them) that is all of them. Where a rule gives the places and another one the
//! hotels, and nothing says which belongs to which, the places are found here. Work: linear in the values of the gathering, each
//! read once; memory a number for each value of its records.

use std::collections::HashSet;

use groma_store::gathers::{Gathers, RecordRow};
use xxhash_rust::xxh3::Xxh3;

use super::gathered::{DatabaseToIndex, Twins, add_value, digest_of_whole};
use crate::SearchError;
use crate::key;
use crate::record::{Said, values_where};

/// Values that stand in records of one gathering.
#[derive(Debug, Default)]
pub(super) struct Recorded(HashSet<u64>);

/// What the document says.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) values: Vec<(String, String)>,
    /// What its provider says of it is in it: no older gathering of the same form has the same.
    pub(super) has_about: bool,
    /// A digest of everything the document is made of.
    pub(super) digest: u64,
    /// Values there was no room for.
    pub(super) left_out: u64,
}

impl Recorded {
    /// The document of this record says its values.
    pub(super) fn add(&mut self, row: &RecordRow) {
        self.0.extend(Said::read(&row.values).pairs.iter().map(|(attribute, value)| digest(attribute, value)));
    }
}

fn digest(attribute: &str, value: &str) -> u64 {
    let mut sum = Xxh3::new();
    add_value(&mut sum, attribute, value);
    sum.digest()
}

impl Whole {
    /// What it says; nothing if the records and the older gatherings say it all.
    pub(super) fn read(
        gathers: &mut Gathers,
        wanted: &DatabaseToIndex,
        recorded: &Recorded,
        twins: &mut Twins,
    ) -> Result<Option<Whole>, SearchError> {
        let database = &wanted.database;
        let (values, left_out) = values_where(gathers, key::long(database.gather), &mut |attribute, value| {
            let known = twins.is_known_value(&database.form, attribute, value);
            !known && !recorded.0.contains(&digest(attribute, value))
        })?;
        let said = !database.about.is_empty() && !twins.is_known_digest(&database.form, digest("", &database.about));
        if values.is_empty() && !said {
            return Ok(None);
        }
        let mut sum = digest_of_whole(database, said);
        values.iter().for_each(|(attribute, value)| add_value(&mut sum, attribute, value));
        Ok(Some(Whole { values, has_about: said, digest: sum.digest(), left_out }))
    }
}
