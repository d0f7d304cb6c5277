//! Where is the next byte that matters? For the short ways between tags, where calling a searcher costs more than searching.
//!
//! [`either`] looks at eight bytes at a time: a byte is the one sought where the exclusive or with it is zero, and the lowest
//! zero byte of a number x is the lowest high bit of `(x - 0x01..) & !x & 0x80..`. Long ways are left to memchr. Cost: linear
//! in the way.

/// White space.
pub(crate) const SPACE: u8 = 1;
/// Ends the name of a tag.
pub(crate) const NAME: u8 = 2;
/// Ends the name of an attribute.
pub(crate) const ATTRIBUTE_NAME: u8 = 4;
/// Ends a value without quotes.
pub(crate) const VALUE: u8 = 8;

static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    table[b' ' as usize] = SPACE | NAME | ATTRIBUTE_NAME | VALUE;
    table[b'\n' as usize] = SPACE | NAME | ATTRIBUTE_NAME | VALUE;
    table[b'\t' as usize] = SPACE | NAME | ATTRIBUTE_NAME | VALUE;
    table[0x0c] = SPACE | NAME | ATTRIBUTE_NAME | VALUE;
    table[b'/' as usize] = NAME | ATTRIBUTE_NAME;
    table[b'>' as usize] = NAME | ATTRIBUTE_NAME | VALUE;
    table[b'=' as usize] = ATTRIBUTE_NAME;
    table
};

/// Is the byte of a class?
#[inline]
pub(crate) fn is(class: u8, byte: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// The first byte of a class, from a place on.
#[inline]
pub(crate) fn class(bytes: &[u8], from: usize, class: u8) -> Option<usize> {
    bytes.get(from..)?.iter().position(|b| is(class, *b)).map(|offset| from + offset)
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;
/// So many eights are looked at before memchr is called.
const SHORT: usize = 6;

/// The first of two bytes, from a place on.
#[inline]
pub(crate) fn either(bytes: &[u8], mut from: usize, one: u8, other: u8) -> Option<usize> {
    let (one_each, other_each) = (ONES * u64::from(one), ONES * u64::from(other));
    for _ in 0..SHORT {
        let Some(eight) = bytes.get(from..).and_then(<[u8]>::first_chunk) else { break };
        let eight = u64::from_le_bytes(*eight);
        let found = zeros(eight ^ one_each) | zeros(eight ^ other_each);
        if found != 0 {
            return Some(from + (found.trailing_zeros() / 8) as usize);
        }
        from += 8;
    }
    memchr::memchr2(one, other, bytes.get(from..)?).map(|offset| from + offset)
}

/// The first byte like this one, from a place on.
#[inline]
pub(crate) fn one(bytes: &[u8], mut from: usize, one: u8) -> Option<usize> {
    for _ in 0..SHORT {
        let Some(eight) = bytes.get(from..).and_then(<[u8]>::first_chunk) else { break };
        let found = zeros(u64::from_le_bytes(*eight) ^ (ONES * u64::from(one)));
        if found != 0 {
            return Some(from + (found.trailing_zeros() / 8) as usize);
        }
        from += 8;
    }
    memchr::memchr(one, bytes.get(from..)?).map(|offset| from + offset)
}

/// The high bit of the lowest byte that is zero; of higher bytes, nothing is said.
#[inline]
fn zeros(number: u64) -> u64 {
    number.wrapping_sub(ONES) & !number & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_is_found(bytes in proptest::collection::vec(prop_oneof![8 => Just(b'x'), 1 => any::<u8>(), 1 => 0x3bu8..0x3f], 0..120), from in 0usize..130) {
            let plain = |one: u8, other: u8| {
                let found = bytes.get(from..)?.iter().position(|b| *b == one || *b == other)?;
                Some(from + found)
            };
            prop_assert_eq!(either(&bytes, from, b'<', b'&'), plain(b'<', b'&'));
            prop_assert_eq!(one(&bytes, from, b'='), plain(b'=', b'='));
            prop_assert_eq!(either(&bytes, from, 0, 0xff), plain(0, 0xff));
            prop_assert_eq!(class(&bytes, from, NAME).is_some(), bytes.get(from..).is_some_and(|rest| rest.iter().any(|b| b" \n\t\x0c/>".contains(b))));
        }
    }
}
