//! The values of a database, attribute by attribute, each with its fair share of the room.
//!
//! An attribute may use `room left / attributes left`: what a short one leaves goes to those after it, and a long one takes nothing
//! from the others. What does not fit is counted and not searched.

use groma_store::StoreError;
use groma_store::gathers::{GatherId, Gathers};

/// Bytes of all values together.
const BYTES: usize = 4 << 20;
/// Values read at a time.
const ROWS: usize = 1_000;

/// Calls back with attributes and values until that says no.
pub(crate) fn each_value(
    gathers: &mut Gathers,
    id: GatherId,
    call: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<(), StoreError> {
    let attributes = gathers.attributes(id)?;
    let mut room = BYTES;
    for (at, (attribute, _)) in attributes.iter().enumerate() {
        let mut share = room / (attributes.len() - at);
        room -= share;
        let mut ended = false;
        read(gathers, id, attribute, &mut |value| {
            let Some(less) = share.checked_sub(value.len()) else { return false };
            share = less;
            ended = !call(attribute, value);
            !ended
        })?;
        if ended {
            break;
        }
        room += share;
    }
    Ok(())
}

/// The values that `belongs` takes: attribute and value, in their order, and how many of them there was no room for. All values are
/// read, each once.
pub(crate) fn values_where(
    gathers: &mut Gathers,
    id: GatherId,
    belongs: &mut dyn FnMut(&str, &str) -> bool,
) -> Result<(Vec<(String, String)>, u64), StoreError> {
    let attributes = gathers.attributes(id)?;
    let (mut room, mut left_out, mut kept) = (BYTES, 0, Vec::new());
    for (at, (attribute, _)) in attributes.iter().enumerate() {
        let mut share = room / (attributes.len() - at);
        room -= share;
        read(gathers, id, attribute, &mut |value| {
            if belongs(attribute, value) {
                match share.checked_sub(value.len()) {
                    Some(less) => {
                        share = less;
                        kept.push((attribute.clone(), value.to_owned()));
                    }
                    // What comes behind a value that found no room finds none either.
                    None => (share, left_out) = (0, left_out + 1),
                }
            }
            true
        })?;
        room += share;
    }
    Ok((kept, left_out))
}

/// Reads the values of an attribute until somebody says no.
fn read(
    gathers: &mut Gathers,
    id: GatherId,
    attribute: &str,
    call: &mut dyn FnMut(&str) -> bool,
) -> Result<(), StoreError> {
    let mut from = 0;
    loop {
        let values = gathers.values(id, attribute, from, ROWS)?;
        from += values.len() as u32;
        if values.is_empty() || !values.iter().all(|value| call(value)) {
            return Ok(());
        }
    }
}
