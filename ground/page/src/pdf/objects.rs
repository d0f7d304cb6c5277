//! Objects of a PDF, found without errors: what is missing or of another kind is nothing.

use lopdf::{Dictionary, Document, Object, Stream};

/// Bytes a stream may unpack to: far more than any page or font needs.
const UNPACKED: usize = 64 << 20;
/// References followed from one object to the next.
const HOPS: usize = 8;

/// What an object refers to in the end.
pub(super) fn resolved<'a>(document: &'a Document, object: &'a Object) -> &'a Object {
    let mut found = object;
    for _ in 0..HOPS {
        let Object::Reference(id) = found else { return found };
        found = document.objects.get(id).unwrap_or(&Object::Null);
    }
    &Object::Null
}

pub(super) fn get<'a>(document: &'a Document, from: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    from.get(key).ok().map(|object| resolved(document, object))
}

pub(super) fn dictionary<'a>(document: &'a Document, from: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
    match get(document, from, key)? {
        Object::Dictionary(found) => Some(found),
        Object::Stream(found) => Some(&found.dict),
        _ => None,
    }
}

pub(super) fn array<'a>(document: &'a Document, from: &'a Dictionary, key: &[u8]) -> Option<&'a [Object]> {
    match get(document, from, key)? {
        Object::Array(found) => Some(found),
        _ => None,
    }
}

pub(super) fn name<'a>(document: &'a Document, from: &'a Dictionary, key: &[u8]) -> Option<&'a [u8]> {
    match get(document, from, key)? {
        Object::Name(found) => Some(found),
        _ => None,
    }
}

pub(super) fn value(object: &Object) -> Option<f64> {
    match object {
        Object::Integer(number) => Some(*number as f64),
        Object::Real(number) => Some(f64::from(*number)),
        _ => None,
    }
}

pub(super) fn number(document: &Document, from: &Dictionary, key: &[u8]) -> Option<f64> {
    value(get(document, from, key)?)
}

pub(super) fn numbers(document: &Document, from: &Dictionary, key: &[u8]) -> Vec<f64> {
    let array = array(document, from, key).unwrap_or_default();
    array.iter().map(|object| value(resolved(document, object)).unwrap_or(0.0)).collect()
}

pub(super) fn content(stream: &Stream) -> Option<Vec<u8>> {
    stream.get_plain_content_with_limit(UNPACKED).ok()
}

/// What a stream paints, if it unpacks to so many bytes at most; an error if it holds more, which is then lost.
pub(super) fn painted(stream: &Stream, most: usize) -> Result<Vec<u8>, TooLarge> {
    match stream.get_plain_content_with_limit(most) {
        Err(lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. })) => Err(TooLarge),
        other => Ok(other.unwrap_or_default()),
    }
}

/// A stream unpacks to more than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

pub(super) fn stream(document: &Document, from: &Dictionary, key: &[u8]) -> Option<Vec<u8>> {
    match get(document, from, key)? {
        Object::Stream(found) => content(found),
        _ => None,
    }
}

/// A text string: UTF-16, UTF-8, or PDFDocEncoding.
pub(super) fn text(document: &Document, from: &Dictionary, key: &[u8]) -> String {
    match get(document, from, key) {
        Some(found @ Object::String(..)) => lopdf::decode_text_string(found).unwrap_or_default(),
        _ => String::new(),
    }
}
