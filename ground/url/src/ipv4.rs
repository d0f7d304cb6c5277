//! Which number is meant by a host that ends in a number? URL standard, section 3.5 "Host parsing": ends-in-a-number checker,
//! IPv4 number parser, IPv4 parser.
//!
//! Takes the notations browsers take: one to four parts, decimal, octal (`0…`) or hexadecimal (`0x…`), the last part filling
//! what the others leave. Cost: linear, numbers too large for 64 bits stay at the largest. Not guaranteed: that somebody who
//! writes `010.0.0.1` meant 8.

use std::net::Ipv4Addr;

/// Is the last label a number, so that the host is an IPv4 address or none at all?
pub(crate) fn ends_in_a_number(host: &str) -> bool {
    let rest = host.strip_suffix('.').unwrap_or(host);
    let last = rest.rsplit('.').next().unwrap_or_default();
    // Octal digits do not matter here: `09` is digits only.
    last.starts_with(|c: char| c.is_ascii_digit())
        && (last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some())
}

/// The address, if it is one.
pub(crate) fn parse(host: &str) -> Option<Ipv4Addr> {
    let rest = host.strip_suffix('.').unwrap_or(host);
    let mut parts = [0; 4];
    let mut count = 0;
    for part in rest.split('.') {
        *parts.get_mut(count)? = number(part)?;
        count += 1;
    }
    let (last, front) = parts[..count].split_last()?;
    let room = 1u64 << (8 * (5 - count));
    if *last >= room || front.iter().any(|&part| part > 255) {
        return None;
    }
    let mut address = *last;
    for (place, part) in front.iter().enumerate() {
        address += part << (8 * (3 - place));
    }
    u32::try_from(address).ok().map(Ipv4Addr::from)
}

/// A number in one of the three notations.
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', ..] => (&part[2..], 16),
        [b'0', _, ..] => (&part[1..], 8),
        _ => (part, 10),
    };
    digits.chars().try_fold(0u64, |sum, c| {
        let digit = c.to_digit(radix)?;
        Some(sum.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_notations_of_a_number() {
        for text in
            ["192.168.0.1", "192.168.1", "192.11010049", "3232235521", "0xc0.0250.01", "0XC0A80001", "192.168.0.1."]
        {
            assert!(ends_in_a_number(text), "{text}");
            assert_eq!(parse(text), Some(Ipv4Addr::new(192, 168, 0, 1)), "{text}");
        }
        assert_eq!(parse("0x"), Some(Ipv4Addr::UNSPECIFIED));
        assert_eq!(parse("0"), Some(Ipv4Addr::UNSPECIFIED));
        assert_eq!(parse("255.255.255.255"), Some(Ipv4Addr::BROADCAST));
        assert_eq!(parse("4294967295"), Some(Ipv4Addr::BROADCAST));
    }

    #[test]
    fn what_ends_in_a_number_and_is_none() {
        for text in [
            "256.1.1.1",
            "1.2.3.4.5",
            "1.2.3.256",
            "4294967296",
            "a.1",
            "1..1",
            "09",
            "1.0x1g.1",
            "99999999999999999999999",
        ] {
            assert!(ends_in_a_number(text), "{text}");
            assert_eq!(parse(text), None, "{text}");
        }
        for text in ["", ".", "a", "1.a", "1.0xg", "1..", "0xg", "a1"] {
            assert!(!ends_in_a_number(text), "{text}");
        }
    }
}
