//! Can somebody be written to, or called, by this link?
//!
//! `mailto:` (RFC 6068): addresses with commas between them, percent-encoded, before the question mark; none at all is allowed where a
//! question mark follows. An address has one `@`, something before it, and a domain of letters, digits, dots and hyphens after it.
//! `tel:` (RFC 3966): digits with separators, a plus sign in front at most, and what follows a semicolon is its own affair.
//! Not guaranteed: that anybody answers.

use std::borrow::Cow;

/// Bytes that are looked at.
const LONGEST: usize = 2048;

/// Is this, which follows `mailto:`, somebody?
pub(crate) fn is_mail(rest: &str) -> bool {
    if rest.len() > LONGEST {
        return false;
    }
    let (addresses, query) = rest.split_once('?').map_or((rest, None), |(addresses, query)| (addresses, Some(query)));
    if addresses.trim_ascii().is_empty() {
        return query.is_some_and(|query| !query.is_empty());
    }
    decoded(addresses).split(',').all(is_address)
}

fn is_address(address: &str) -> bool {
    let address = address.trim();
    // `Name <address>` is not what the standard wants, but programs take it.
    let address = match address.rsplit_once('<') {
        Some((_, inner)) => inner.trim_end_matches('>'),
        None => address,
    };
    let Some((local, domain)) = address.rsplit_once('@') else { return false };
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let quoted = local.starts_with('"') && local.ends_with('"');
    let plain = !local.contains(|c: char| c.is_whitespace() || c == '@');
    !local.is_empty() && (quoted || plain) && domain.split('.').all(label)
}

/// Is this, which follows `tel:`, a number?
pub(crate) fn is_phone(rest: &str) -> bool {
    let number = decoded(rest.get(..LONGEST).unwrap_or(rest));
    let number = number.split(';').next().unwrap_or_default().trim();
    let digits = number.strip_prefix('+').unwrap_or(number);
    let fits = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '(' | ')' | ' ' | '\u{a0}' | '*' | '#' | '/');
    digits.chars().all(fits) && digits.chars().filter(char::is_ascii_digit).count() >= 2
}

/// Percent-encoded bytes decoded; as it stands if that is no text.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex =
            bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|pair| std::str::from_utf8(pair).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_goes_to_addresses() {
        for good in [
            "a@b.org",
            "a@b.org?subject=x",
            "a@b.org,c@d.org",
            "?subject=x",
            "a%40b.org",
            "%22a%20b%22@c.org",
            "A <a@b.org>",
            "a@localhost",
            "j\u{f6}rg@b\u{fc}ro.de",
        ] {
            assert!(is_mail(good), "{good}");
        }
        for bad in ["", "a", "a@", "@b.org", "a(at)b.org", "a b@c.org", "a@b..org", "a@b.org,", "//a@b c", "?", "%zz"] {
            assert!(!is_mail(bad), "{bad}");
        }
    }

    #[test]
    fn numbers_have_digits() {
        for good in ["+49-30-1234", "112", "+1 (555) 010-9999", "+49%2030%20123", "+49;ext=5", "*100#"] {
            assert!(is_phone(good), "{good}");
        }
        for bad in ["", "+", "call us", "+49-ABC", "n/a", "++49"] {
            assert!(!is_phone(bad), "{bad}");
        }
    }
}
