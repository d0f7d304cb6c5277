//! How is an IPv6 address read and written? URL standard, section 3.5 "Host parsing" (IPv6 parser) and 3.6 "Host serializing"
//! (IPv6 serializer).
//!
//! The standard library reads what the standard's parser reads (the cases of the standard and a test against another
//! implementation say so), but writes some addresses in mixed notation (`::ffff:1.2.3.4`), which the standard never does.
//! Hence the writer below: the first longest run of two or more zero pieces becomes `::`. No zones.

use std::fmt::{self, Write as _};
use std::net::Ipv6Addr;

/// Reads what stands between the brackets.
pub(crate) fn parse(text: &str) -> Option<Ipv6Addr> {
    text.parse().ok()
}

/// Writes it, without brackets.
pub(crate) fn write(to: &mut impl fmt::Write, address: Ipv6Addr) -> fmt::Result {
    let pieces = address.segments();
    let (start, end) = longest_run_of_zeros(&pieces).unwrap_or((8, 8));
    let mut at = 0;
    while at < 8 {
        if at == start {
            to.write_str(if at == 0 { "::" } else { ":" })?;
            at = end;
            continue;
        }
        write!(to, "{:x}", pieces[at])?;
        at += 1;
        if at < 8 {
            to.write_char(':')?;
        }
    }
    Ok(())
}

/// Writes it with brackets, as a host.
pub(crate) fn push_host(to: &mut String, address: Ipv6Addr) {
    to.push('[');
    // Writing to a string does not fail.
    let _ = write(to, address);
    let _ = to.write_char(']');
}

/// From and to, the first if there are several.
fn longest_run_of_zeros(pieces: &[u16; 8]) -> Option<(usize, usize)> {
    let mut best = None;
    let mut longest = 1;
    let mut start = 0;
    for at in 0..=8 {
        if pieces.get(at) == Some(&0) {
            continue;
        }
        if at - start > longest {
            longest = at - start;
            best = Some((start, at));
        }
        start = at + 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_in_their_shortest_form() {
        for (text, expected) in [
            ("0:0:0:0:0:0:0:0", "::"),
            ("0:0:0:0:0:0:0:1", "::1"),
            ("1:0:0:0:0:0:0:0", "1::"),
            ("1:0:1:0:0:1:0:0", "1:0:1::1:0:0"),
            ("1:0:0:1:0:0:0:1", "1:0:0:1::1"),
            ("0:1:0:1:0:1:0:1", "0:1:0:1:0:1:0:1"),
            ("::ffff:1.2.3.4", "::ffff:102:304"),
            ("::1.2.3.4", "::102:304"),
            ("ABCD::EF01", "abcd::ef01"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ] {
            let mut written = String::new();
            write(&mut written, parse(text).unwrap()).unwrap();
            assert_eq!(written, expected);
            assert_eq!(parse(&written), parse(text));
        }
    }

    #[test]
    fn what_is_no_address() {
        for text in [
            "",
            ":",
            ":::",
            "1",
            "1:2",
            "::1%eth0",
            "12345::",
            "1:2:3:4:5:6:7:8:9",
            "::1.2.3",
            "::01.2.3.4",
            "::1.2.3.4:5",
            "::g",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
