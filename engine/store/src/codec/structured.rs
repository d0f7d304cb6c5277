//! How the structured data of a page is kept.
//!
//! ```text
//! structured = items, faults                                   (lists: a count followed by the items)
//!   item     = syntax (a byte), line, thing
//!   thing    = types, id, properties
//!   property = name, values
//!   value    = 0 text | 1 digits | 2 for false | 3 for true | 4 thing
//!   fault    = syntax (a byte), line, what
//! ```

use groma_model::structured::DEEPEST;
use groma_model::{DataFault, DataItem, DataSyntax, Property, PropertyValue, StructuredData, Thing};

use crate::varint::{list, put, put_text, take, take_byte, take_text};

const TEXT: u8 = 0;
const NUMBER: u8 = 1;
const FALSE: u8 = 2;
const TRUE: u8 = 3;
const THING: u8 = 4;

/// Puts structured data at the end of `out`.
pub(super) fn put_structured(out: &mut Vec<u8>, data: &StructuredData) {
    put(out, data.items.len() as u64);
    for item in &data.items {
        out.push(item.syntax as u8);
        put(out, item.line.into());
        put_thing(out, &item.thing);
    }
    put(out, data.faults.len() as u64);
    for fault in &data.faults {
        out.push(fault.syntax as u8);
        put(out, fault.line.into());
        put_text(out, &fault.what);
    }
}

fn put_thing(out: &mut Vec<u8>, thing: &Thing) {
    put(out, thing.types.len() as u64);
    thing.types.iter().for_each(|name| put_text(out, name));
    put_text(out, &thing.id);
    put(out, thing.properties.len() as u64);
    for Property { name, values } in &thing.properties {
        put_text(out, name);
        put(out, values.len() as u64);
        values.iter().for_each(|value| put_value(out, value));
    }
}

fn put_value(out: &mut Vec<u8>, value: &PropertyValue) {
    match value {
        PropertyValue::Text(text) => {
            out.push(TEXT);
            put_text(out, text);
        }
        PropertyValue::Number(digits) => {
            out.push(NUMBER);
            put_text(out, digits);
        }
        PropertyValue::Flag(flag) => out.push(if *flag { TRUE } else { FALSE }),
        PropertyValue::Thing(thing) => {
            out.push(THING);
            put_thing(out, thing);
        }
    }
}

/// Takes structured data; `None` if the bytes are damaged.
pub(super) fn take_structured(input: &mut &[u8]) -> Option<StructuredData> {
    let items = list(input, |i| {
        Some(DataItem { syntax: take_syntax(i)?, line: take_line(i)?, thing: take_thing(i, DEEPEST)? })
    })?;
    let faults =
        list(input, |i| Some(DataFault { syntax: take_syntax(i)?, line: take_line(i)?, what: take_string(i)? }))?;
    Some(StructuredData { items, faults })
}

fn take_syntax(input: &mut &[u8]) -> Option<DataSyntax> {
    DataSyntax::from_code(take_byte(input)?)
}

fn take_line(input: &mut &[u8]) -> Option<u32> {
    u32::try_from(take(input)?).ok()
}

fn take_string(input: &mut &[u8]) -> Option<String> {
    take_text(input).map(str::to_owned)
}

/// A thing in which others are nested so deep at most.
fn take_thing(input: &mut &[u8], depth: usize) -> Option<Thing> {
    let depth = depth.checked_sub(1)?;
    Some(Thing {
        types: list(input, take_string)?,
        id: take_string(input)?,
        properties: list(input, |i| {
            Some(Property { name: take_string(i)?, values: list(i, |i| take_value(i, depth))? })
        })?,
    })
}

fn take_value(input: &mut &[u8], depth: usize) -> Option<PropertyValue> {
    Some(match take_byte(input)? {
        TEXT => PropertyValue::Text(take_string(input)?),
        NUMBER => PropertyValue::Number(take_string(input)?),
        FALSE => PropertyValue::Flag(false),
        TRUE => PropertyValue::Flag(true),
        THING => PropertyValue::Thing(take_thing(input, depth)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_value() -> impl Strategy<Value = PropertyValue> {
        let plain = prop_oneof![
            ".{0,9}".prop_map(PropertyValue::Text),
            "[0-9]{1,9}".prop_map(PropertyValue::Number),
            any::<bool>().prop_map(PropertyValue::Flag),
        ];
        plain.prop_recursive(4, 32, 4, |inner| any_thing(inner).prop_map(PropertyValue::Thing))
    }

    fn any_thing(value: impl Strategy<Value = PropertyValue>) -> impl Strategy<Value = Thing> {
        let properties = proptest::collection::vec((".{0,5}", proptest::collection::vec(value, 1..4)), 0..4);
        (proptest::collection::vec(".{0,9}", 0..3), ".{0,9}", properties).prop_map(|(types, id, properties)| Thing {
            types,
            id,
            properties: properties.into_iter().map(|(name, values)| Property { name, values }).collect(),
        })
    }

    fn any_data() -> impl Strategy<Value = StructuredData> {
        let syntax = || (0u8..5).prop_map(|code| DataSyntax::from_code(code).expect("a code"));
        let item = (syntax(), any::<u32>(), any_thing(any_value())).prop_map(|(syntax, line, thing)| DataItem {
            syntax,
            line,
            thing,
        });
        let fault =
            (syntax(), any::<u32>(), ".{0,20}").prop_map(|(syntax, line, what)| DataFault { syntax, line, what });
        (proptest::collection::vec(item, 0..4), proptest::collection::vec(fault, 0..3))
            .prop_map(|(items, faults)| StructuredData { items, faults })
    }

    proptest! {
        #[test]
        fn structured_data_comes_back_and_damage_gives_nothing(data in any_data()) {
            let mut bytes = Vec::new();
            put_structured(&mut bytes, &data);
            let mut input = bytes.as_slice();
            prop_assert_eq!(take_structured(&mut input), Some(data));
            prop_assert!(input.is_empty());
            for end in 0..bytes.len() {
                prop_assert_eq!(take_structured(&mut &bytes[..end]), None);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0u8..6, 0..300)) {
            take_structured(&mut bytes.as_slice());
        }
    }

    #[test]
    fn things_are_nested_so_deep_and_no_deeper() {
        let nested = |depth: usize| {
            let mut thing = Thing::default();
            for _ in 1..depth {
                thing = Thing::from_values(Vec::new(), String::new(), [("in".to_owned(), PropertyValue::Thing(thing))]);
            }
            let mut bytes = Vec::new();
            put_thing(&mut bytes, &thing);
            take_thing(&mut bytes.as_slice(), DEEPEST) == Some(thing)
        };
        assert!(nested(DEEPEST) && !nested(DEEPEST + 1));
    }
}
