//! A database of which only the values are known, as one text: attribute by attribute, each with its fair share of the room.
//!
//! An attribute may use `room left / attributes left`: what a short one leaves goes to those after it, and a long one takes nothing
//! from the others. What does not fit is counted and not searched.

use groma_store::StoreError;
use groma_store::gathers::{GatherId, Gathers};

/// Bytes of all values together.
const BYTES: usize = 4 << 20;
/// Values read at a time.
const ROWS: usize = 1_000;

/// Calls back with attributes and values until that says no; gives back how many values there was no room for.
pub(crate) fn each_value(
    gathers: &mut Gathers,
    id: GatherId,
    call: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<u64, StoreError> {
    let attributes = gathers.attributes(id)?;
    let (mut room, mut left_out) = (BYTES, 0);
    for (at, (attribute, count)) in attributes.iter().enumerate() {
        let mut share = room / (attributes.len() - at);
        room -= share;
        let mut from = 0;
        'attribute: loop {
            let values = gathers.values(id, attribute, from, ROWS)?;
            if values.is_empty() {
                break;
            }
            for value in values {
                if value.len() > share {
                    left_out += u64::from(count.saturating_sub(from));
                    break 'attribute;
                }
                share -= value.len();
                from += 1;
                if !call(attribute, &value) {
                    return Ok(left_out);
                }
            }
        }
        room += share;
    }
    Ok(left_out)
}
