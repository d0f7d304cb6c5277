//! How pages of clusterings and sites are kept: no row per page.
//!
//! ```text
//! pairs    = zstd( count, then for each the difference of its page's number to the one before, and of its cluster )
//! members  = zstd( count, then for each the difference of its page's number, its side (a byte), its step (0: none, else one
//!            more), its confidence in thousandths )
//! ```
//!
//! Reading is total: damaged bytes give `None`, never a panic.

use groma_model::PageId;

use super::{Member, Side};
use crate::varint::{put, take, unzigzag, zigzag};

/// Pages are numbered by 32 bits: a hundred million of them with all that is kept of each.
const AT_MOST: usize = 2 << 30;
/// Any level is fast enough for what is written once a clustering.
const LEVEL: i32 = 3;

/// Packs pages with a number each.
pub(crate) fn pack_pairs(pairs: &[(PageId, u32)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pairs.len() * 3 + 16);
    put(&mut out, pairs.len() as u64);
    let mut before = (0i64, 0i64);
    for (page, number) in pairs {
        let now = (i64::from(page.0), i64::from(*number));
        put(&mut out, zigzag(now.0 - before.0));
        put(&mut out, zigzag(now.1 - before.1));
        before = now;
    }
    compress(&out)
}

/// Undoes [`pack_pairs`].
pub(crate) fn unpack_pairs(packed: &[u8]) -> Option<Vec<(PageId, u32)>> {
    let bytes = decompress(packed)?;
    let input = &mut bytes.as_slice();
    let count = counted(input, 2)?;
    let mut pairs = Vec::with_capacity(count);
    let mut before = (0i64, 0i64);
    for _ in 0..count {
        before.0 = before.0.checked_add(unzigzag(take(input)?))?;
        before.1 = before.1.checked_add(unzigzag(take(input)?))?;
        pairs.push((PageId(u32::try_from(before.0).ok()?), u32::try_from(before.1).ok()?));
    }
    input.is_empty().then_some(pairs)
}

/// Packs the pages of a site.
pub(crate) fn pack_members(members: &[Member]) -> Vec<u8> {
    let mut out = Vec::with_capacity(members.len() * 5 + 16);
    put(&mut out, members.len() as u64);
    let mut before = 0i64;
    for member in members {
        let now = i64::from(member.page.0);
        put(&mut out, zigzag(now - before));
        out.push(member.side.code());
        put(&mut out, u64::from(member.step.wrapping_add(1)));
        // What is no number is no confidence.
        put(&mut out, (member.confidence.clamp(0.0, 1.0) * 1000.0).round() as u64);
        before = now;
    }
    compress(&out)
}

/// Undoes [`pack_members`].
pub(crate) fn unpack_members(packed: &[u8]) -> Option<Vec<Member>> {
    let bytes = decompress(packed)?;
    let input = &mut bytes.as_slice();
    let count = counted(input, 4)?;
    let mut members = Vec::with_capacity(count);
    let mut number = 0i64;
    for _ in 0..count {
        number = number.checked_add(unzigzag(take(input)?))?;
        let (&side, rest) = input.split_first()?;
        *input = rest;
        let step = u32::try_from(take(input)?).ok()?.wrapping_sub(1);
        let thousandths = take(input)?;
        members.push(Member {
            page: PageId(u32::try_from(number).ok()?),
            side: Side::from_code(side)?,
            step,
            confidence: (thousandths <= 1000).then_some(thousandths as f32 / 1000.0)?,
        });
    }
    input.is_empty().then_some(members)
}

/// A count that the bytes left can hold, `least` each.
fn counted(input: &mut &[u8], least: usize) -> Option<usize> {
    let count = usize::try_from(take(input)?).ok()?;
    (count <= input.len() / least).then_some(count)
}

fn compress(bytes: &[u8]) -> Vec<u8> {
    // Into memory it cannot fail; nothing is what no reader takes for a list.
    zstd::bulk::compress(bytes, LEVEL).unwrap_or_default()
}

fn decompress(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = zstd::stream::read::Decoder::new(packed).ok()?;
    let mut limited = std::io::Read::take(&mut reader, AT_MOST as u64 + 1);
    std::io::Read::read_to_end(&mut limited, &mut bytes).ok()?;
    (bytes.len() <= AT_MOST).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            pairs in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..50),
            members in proptest::collection::vec((any::<u32>(), 0u8..3, any::<u32>(), 0u32..=1000), 0..50),
        ) {
            let pairs: Vec<(PageId, u32)> = pairs.into_iter().map(|(page, of)| (PageId(page), of)).collect();
            prop_assert_eq!(unpack_pairs(&pack_pairs(&pairs)), Some(pairs));
            let members: Vec<Member> = members
                .into_iter()
                .map(|(page, side, step, thousandths)| Member {
                    page: PageId(page),
                    side: Side::from_code(side).unwrap(),
                    step,
                    confidence: thousandths as f32 / 1000.0,
                })
                .collect();
            prop_assert_eq!(unpack_members(&pack_members(&members)), Some(members));
        }

        #[test]
        fn damaged_bytes_give_nothing_or_something_but_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = (unpack_pairs(&bytes), unpack_members(&bytes));
            let packed = compress(&bytes);
            let _ = (unpack_pairs(&packed), unpack_members(&packed));
        }
    }

    #[test]
    fn what_is_no_number_is_no_confidence() {
        let odd = |confidence| Member { page: PageId(1), side: Side::In, step: u32::MAX, confidence };
        let back = unpack_members(&pack_members(&[odd(f32::NAN), odd(7.0), odd(-1.0)])).unwrap();
        assert_eq!(back.iter().map(|m| m.confidence).collect::<Vec<_>>(), [0.0, 1.0, 0.0]);
        assert_eq!(back[0].step, u32::MAX);
    }
}
