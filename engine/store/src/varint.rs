//! Numbers in as few bytes as they need: seven bits a byte, least significant first, the top bit says that more follow. And texts and
//! lists, which begin with such a number.

pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number off the front; `None` if there is none.
pub(crate) fn take(input: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Appends some text with its length.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Takes some text off the front.
pub(crate) fn take_text<'a>(input: &mut &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(pass_text(input)?).ok()
}

/// Passes over some text, whatever its bytes are.
pub(crate) fn pass_text<'a>(input: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(input)?).ok()?;
    let (text, rest) = input.split_at_checked(length)?;
    *input = rest;
    Some(text)
}

pub(crate) fn take_byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

/// Takes a count and so many items off the front.
pub(crate) fn list<T>(input: &mut &[u8], mut item: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = usize::try_from(take(input)?).ok()?;
    if count > input.len() {
        return None;
    }
    (0..count).map(|_| item(input)).collect()
}

/// Folds the sign into the lowest bit, so that small numbers of either sign stay small.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Undoes [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}
