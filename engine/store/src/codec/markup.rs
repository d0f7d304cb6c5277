//! How what the markup of a page showed is kept, as a section of its details.
//!
//! ```text
//! markup = lang, alternates, observations, header       (lists: a count followed by the items)
//!   lang        = 0, or 1 and the text
//!   alternate   = number of the link, hreflang
//!   observation = symptom (a byte), count, example
//!   field       = name (a byte), value
//! ```
//! Codes that this version does not know are passed over.

use groma_model::markup::{Alternate, HeaderField, Markup, Observation, Symptom};

use super::{list, take_byte};
use crate::varint::{put, put_text, take, take_text};

/// Puts the markup at the end of `out`.
pub(super) fn put_markup(out: &mut Vec<u8>, markup: &Markup) {
    out.push(u8::from(markup.lang.is_some()));
    if let Some(lang) = &markup.lang {
        put_text(out, lang);
    }
    put(out, markup.alternates.len() as u64);
    for Alternate { link, hreflang } in &markup.alternates {
        put(out, u64::from(*link));
        put_text(out, hreflang);
    }
    put(out, markup.observations.len() as u64);
    for Observation { symptom, count, example } in &markup.observations {
        out.push(*symptom as u8);
        put(out, u64::from(*count));
        put_text(out, example);
    }
    put(out, markup.header.len() as u64);
    for (field, value) in &markup.header {
        out.push(*field as u8);
        put_text(out, value);
    }
}

/// Takes the markup; `None` if the bytes are damaged.
pub(super) fn take_markup(input: &mut &[u8]) -> Option<Markup> {
    let lang = match take_byte(input)? {
        0 => None,
        _ => Some(take_text(input)?.to_owned()),
    };
    let alternates =
        list(input, |i| Some(Alternate { link: u32::try_from(take(i)?).ok()?, hreflang: take_text(i)?.to_owned() }))?;
    let observations = list(input, |i| {
        let (symptom, count) = (Symptom::from_code(take_byte(i)?), u32::try_from(take(i)?).ok()?);
        let example = take_text(i)?.to_owned();
        Some(symptom.map(|symptom| Observation { symptom, count, example }))
    })?;
    let header = list(input, |i| {
        let field = HeaderField::from_code(take_byte(i)?);
        let value = take_text(i)?.to_owned();
        Some(field.map(|field| (field, value)))
    })?;
    Some(Markup {
        lang,
        alternates,
        observations: observations.into_iter().flatten().collect(),
        header: header.into_iter().flatten().collect(),
    })
}
