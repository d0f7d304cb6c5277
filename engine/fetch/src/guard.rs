//! Is this address a public one? A page on the open web must not make us knock at doors inside the user's house.
//!
//! Rule: the IANA special-purpose registries (RFC 6890 and its updates). An IPv6 address that carries an IPv4 address
//! (mapped, compatible, translated, 6to4, NAT64, Teredo) is judged by the IPv4 address inside. Constant cost.
//!
//! NOT guaranteed: that a public address leads to a public machine; a router may send it anywhere.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Is this address public? Loopback, private, link-local, shared, reserved and multicast addresses are not.
pub fn guard(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => public_v4(ip),
        IpAddr::V6(ip) => public_v6(ip),
    }
}

fn public_v4(ip: Ipv4Addr) -> bool {
    !matches!(
        ip.octets(),
        [0, ..]                         // this network
            | [10, ..]                  // private
            | [100, 64..=127, ..]       // shared by a carrier's customers
            | [127, ..]                 // loopback
            | [169, 254, ..]            // link-local; where clouds keep their secrets
            | [172, 16..=31, ..]        // private
            | [192, 0, 0, _]            // protocol assignments
            | [192, 0, 2, _]            // documentation
            | [192, 88, 99, _]          // 6to4 relays, withdrawn
            | [192, 168, ..]            // private
            | [198, 18..=19, ..]        // benchmarking
            | [198, 51, 100, _]         // documentation
            | [203, 0, 113, _]          // documentation
            | [224..=255, ..] // multicast, reserved, broadcast
    )
}

fn public_v6(ip: Ipv6Addr) -> bool {
    let s = ip.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match s {
        // ::, ::1 and the IPv4-compatible addresses; the IPv4-mapped; the IPv4-translated.
        [0, 0, 0, 0, 0, 0, ..] | [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => public_v4(v4(s[6], s[7])),
        // NAT64: the well-known prefix, then the one for use inside a network.
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => public_v4(v4(s[6], s[7])),
        [0x64, 0xff9b, 1, ..] => false,
        // Discard-only.
        [0x100, 0, 0, 0, ..] => false,
        // Teredo: its server in the clear, its client with every bit turned.
        [0x2001, 0, ..] => public_v4(v4(s[2], s[3])) && public_v4(v4(!s[6], !s[7])),
        // Benchmarking, documentation.
        [0x2001, 2, 0, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // 6to4.
        [0x2002, ..] => public_v4(v4(s[1], s[2])),
        // Segment routing; unique local; link-local and the old site-local; multicast.
        [0x5f00 | 0xfc00..=0xfdff | 0xfe80..=0xfeff | 0xff00..=0xffff, ..] => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_house_are_not_public() {
        let private = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001:0:0a00:1::1",
            "2001:db8::1",
            "2001:2::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        for text in private {
            assert!(!guard(text.parse().unwrap()), "{text} must be refused");
        }
        // A Teredo client at 192.168.1.1 behind a public server.
        assert!(!guard("2001:0:808:808:0:0:3f57:fefe".parse().unwrap()));
    }

    #[test]
    fn addresses_of_the_open_web_are_public() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.0.0.1",
            "128.0.0.1",
            "169.253.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.0.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
            "2001:0:808:808:0:0:f7f7:f7f7",
        ];
        for text in public {
            assert!(guard(text.parse().unwrap()), "{text} is public");
        }
    }
}
