//! Where a list goes on: opaque to those who hold it, and refused if it is not one of ours for this very list.

use sha2::{Digest, Sha256};

use crate::door::secret::hex;
use crate::error::Problem;
use crate::words;

/// Rows given unless told otherwise, and at most.
pub(crate) const USUAL: u32 = 100;
pub(crate) const MOST: u32 = 1000;

/// What is asked for of a list: where it goes on, and how many rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// What the cursor said; 0 at the beginning.
    pub(crate) after: u64,
    /// Rows wanted.
    pub(crate) most: usize,
}

/// The cursor of a list. `list` says which one: its name, and all that chooses its rows.
pub(crate) fn write(list: &str, after: u64) -> String {
    let bytes = after.to_be_bytes();
    let mut text = hex(&bytes);
    text.push_str(&hex(&check(list, &bytes)));
    text
}

/// Reads what was asked for.
pub(crate) fn part(list: &str, cursor: Option<&str>, limit: Option<u32>) -> Result<Part, Problem> {
    let most = limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&most) {
        return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
    }
    let after = match cursor {
        None => 0,
        Some(text) => read(list, text)?,
    };
    Ok(Part { after, most: most as usize })
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
