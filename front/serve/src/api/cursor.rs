//! Lists, part by part. Where one goes on is said by a cursor: opaque to those who hold it, and refused if it is not one of ours for
//! this very list.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::door::secret::hex;
use crate::error::Problem;
use crate::words;

/// Rows given unless told otherwise, and at most.
pub(crate) const USUAL: u32 = 100;
pub(crate) const MOST: u32 = 1000;

/// Which part of a list.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ListQuery {
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    pub(crate) cursor: Option<String>,
    /// Rows at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 1000))]
    pub(crate) limit: Option<u32>,
}

/// A part of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct List<T> {
    /// The rows.
    pub(crate) items: Vec<T>,
    /// To be given as `cursor` for the rows after these; nothing if these are the last.
    pub(crate) next: Option<String>,
}

impl<T> List<T> {
    /// Rows of a list of which at least one more than `part.most` was read, if there is one: it says whether the list goes on; `number` says where a row stands.
    pub(crate) fn cut(mut items: Vec<T>, list: &str, part: ListPart, number: impl Fn(&T) -> u64) -> List<T> {
        let more = items.len() > part.most;
        items.truncate(part.most);
        let next = items.last().filter(|_| more).map(|last| write(list, number(last)));
        List { items, next }
    }
}

/// What is asked for of a list: where it goes on, and how many rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListPart {
    /// What the cursor said; 0 at the beginning.
    pub(crate) after: u64,
    /// Rows at most.
    pub(crate) most: usize,
}

impl ListPart {
    /// Where a list goes on whose places are told from 1 and kept from 0: the place of the last one told is the next one kept.
    pub(crate) fn place(self) -> u32 {
        u32::try_from(self.after).unwrap_or(u32::MAX)
    }
}

/// The cursor of a list. `list` says which one: its name, and all that chooses its rows.
pub(crate) fn write(list: &str, after: u64) -> String {
    let bytes = after.to_be_bytes();
    let mut text = hex(&bytes);
    text.push_str(&hex(&check(list, &bytes)));
    text
}

/// Reads what was asked for.
pub(crate) fn part(list: &str, cursor: Option<&str>, limit: Option<u32>) -> Result<ListPart, Problem> {
    let most = limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&most) {
        return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
    }
    let after = match cursor {
        None => 0,
        Some(text) => read(list, text)?,
    };
    Ok(ListPart { after, most: most as usize })
}

fn read(list: &str, text: &str) -> Result<u64, Problem> {
    if text.len() != 24 || !text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
        return Err(Problem::bad(words::BAD_CURSOR, words::CURSOR_HINT));
    }
    let after = u64::from_str_radix(&text[..16], 16).unwrap_or_default();
    if write(list, after) != text {
        return Err(Problem::refused(words::BAD_CURSOR, words::CURSOR_HINT));
    }
    Ok(after)
}

/// Not a secret: it keeps cursors of other lists and slips of the finger apart, not people.
fn check(list: &str, bytes: &[u8]) -> [u8; 4] {
    let digest = Sha256::new().chain_update(list).chain_update([0]).chain_update(bytes).finalize();
    [digest[0], digest[1], digest[2], digest[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_good_for_its_own_list_only() {
        let cursor = write("pages of a", 77);
        assert_eq!(part("pages of a", Some(&cursor), None).unwrap().after, 77);
        assert!(part("pages of b", Some(&cursor), None).is_err());
        let tampered = cursor.replacen("4d", "4e", 1);
        assert_ne!(tampered, cursor);
        for bad in
            [tampered.as_str(), "", "0", "zz", &cursor.to_uppercase(), &format!("{cursor}0"), "é".repeat(12).as_str()]
        {
            assert!(part("pages of a", Some(bad), None).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_number_of_rows_is_bounded() {
        assert_eq!(part("x", None, None).unwrap().most, 100);
        assert!(part("x", None, Some(0)).is_err() && part("x", None, Some(1001)).is_err());
    }
}
