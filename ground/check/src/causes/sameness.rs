//! What do details have in common? "title of 92 characters" and "title of 75 characters" say the same: "title of * characters".
//!
//! Words with digits, URLs and what stands in quotation marks become stars; code between backticks stays, since names of fields and
//! limits say what is wrong. Cost: linear in the detail, of which a bounded part is read.

use crate::finding::Finding;

/// Words of a detail that are looked at.
const READ: usize = 100;
/// Bytes after which nothing more of it is kept.
const KEPT: usize = 160;
/// Characters of a word that are kept.
const WORD: usize = 60;

/// Why and what of a finding about a page, without what differs from page to page.
pub(super) fn sameness(finding: &Finding) -> String {
    let mut same = finding.reason.map_or_else(String::new, |reason| format!("{} ", reason.name()));
    let mut quoted = false;
    for (read, word) in finding.detail.split_whitespace().enumerate() {
        if read >= READ || same.len() > KEPT {
            break;
        }
        let opens = word.contains('\u{201c}');
        let closes = word.contains('\u{201d}');
        let in_quotes = quoted || opens;
        quoted = in_quotes && !closes;
        let varies = in_quotes || word.contains("://") || word.chars().any(|c| c.is_ascii_digit());
        // What follows what varies (a comma, a colon) is of our own making.
        let tail = word.chars().next_back().filter(|c| matches!(c, ',' | ';' | ':') && !quoted);
        if !varies {
            same.extend(word.chars().take(WORD));
        } else if same.ends_with("* ") {
            same.truncate(same.len() - 1);
            same.extend(tail);
        } else {
            same.push('*');
            same.extend(tail);
        }
        same.push(' ');
    }
    same.truncate(same.trim_end().len());
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Kind;

    fn same(detail: &str) -> String {
        sameness(&Finding { detail: detail.to_owned(), ..Finding::of_page(Kind::Cut, String::new()) })
    }

    #[test]
    fn what_differs_from_page_to_page_becomes_a_star() {
        for (detail, says) in [
            ("title of 92 characters", "title of * characters"),
            ("named by a sitemap", "named by a sitemap"),
            ("\u{201c}Not found, sorry\u{201d}, linked from https://a.org/x", "*, linked from *"),
            ("\u{201c}never closed and so on", "*"),
            ("Product has no `offers`", "Product has no `offers`"),
            ("1 2 3", "*"),
            ("", ""),
        ] {
            assert_eq!(same(detail), says, "{detail}");
        }
        assert!(same(&"w ".repeat(100_000)).len() < KEPT + 10);
        assert_eq!(same(&"\u{fc}".repeat(100_000)).chars().count(), WORD);
    }
}
