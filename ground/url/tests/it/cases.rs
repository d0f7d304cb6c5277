//! Do cases of every kind come out as the URL standard says? For where the standard's own cases do not lie at hand.

use groma_url::{Host, Origin, ParseError, Position, Url};

use super::as_scripts_see;

/// Text, base (empty for none), address.
const ADDRESSES: &[[&str; 3]] = &[
    // What is not seen, and what is encoded where.
    ["  http://h/a\t\n b \r", "", "http://h/a%20b"],
    ["\0http://h\u{1f}", "", "http://h/"],
    ["http://h/ \"#<>?`{}^|'", "", "http://h/%20%22#%3C%3E?%60{}^|'"],
    ["http://h/?a b\"<>'`{}^|é", "", "http://h/?a%20b%22%3C%3E%27`{}^|%C3%A9"],
    ["sc://h/?'", "", "sc://h/?'"],
    ["http://h/%zz%2", "", "http://h/%zz%2"],
    ["http://u :;=@[]^|'@h/", "", "http://u%20:%3B%3D%40%5B%5D%5E%7C'@h/"],
    // Schemes and slashes.
    ["HTTPS://H", "", "https://h/"],
    ["http:h", "", "http://h/"],
    ["http:////\\\\h/a", "", "http://h/a"],
    ["http:\\\\h\\a\\..\\b", "", "http://h/b"],
    ["sc:\\\\h", "", "sc:\\\\h"],
    ["sc:/a/../b", "", "sc:/b"],
    ["sc:///a", "", "sc:///a"],
    ["sc://", "", "sc://"],
    ["sc:/..//a", "", "sc:/.//a"],
    ["mailto:A@B c", "", "mailto:A@B c"],
    ["data:a  ?b", "", "data:a %20?b"],
    ["javascript:a\u{7f}", "", "javascript:a%7F"],
    // Users and ports.
    ["http://@h", "", "http://h/"],
    ["http://:@h", "", "http://h/"],
    ["http://u:@h", "", "http://u@h/"],
    ["http://:p@h", "", "http://:p@h/"],
    ["http://a@b:c:d@h", "", "http://a%40b:c%3Ad@h/"],
    ["http://h:80", "", "http://h/"],
    ["https://h:80/", "", "https://h:80/"],
    ["http://h:00000000081", "", "http://h:81/"],
    ["http://h:", "", "http://h/"],
    ["sc://h:80", "", "sc://h:80"],
    // Hosts.
    ["http://xn--a.xn--8i7caa.famitei.net", "", "http://xn--a.xn--8i7caa.famitei.net/"],
    ["http://XN--/", "", "http://xn--/"],
    ["http://BÜCHER.example", "", "http://xn--bcher-kva.example/"],
    ["http://faß.example", "", "http://xn--fa-hia.example/"],
    ["http://%65xample", "", "http://example/"],
    ["http://a..b._c", "", "http://a..b._c/"],
    ["http://0x7f.1", "", "http://127.0.0.1/"],
    ["http://4294967295.", "", "http://255.255.255.255/"],
    ["http://[1:0:0:2::0:3]", "", "http://[1:0:0:2::3]/"],
    ["http://[::127.0.0.1]:81", "", "http://[::7f00:1]:81/"],
    ["sc://A%zz.É", "", "sc://A%zz.%C3%89"],
    ["sc://[::A]", "", "sc://[::a]"],
    // References.
    ["", "http://h/a/b?c#d", "http://h/a/b?c"],
    ["#", "http://h/a?b", "http://h/a?b#"],
    ["?", "http://h/a?b#c", "http://h/a?"],
    ["x", "http://h/a/b?c", "http://h/a/x"],
    ["./../x/.", "http://h/a/b/c", "http://h/a/x/"],
    ["../../../x", "http://u:p@h:81/a/b", "http://u:p@h:81/x"],
    ["/x/%2E%2e/y", "http://h/a", "http://h/y"],
    ["///g/x", "http://h/a", "http://g/x"],
    ["\\\\g\\x", "http://h/a", "http://g/x"],
    ["http:x", "http://h/a/b", "http://h/a/x"],
    ["http:/x", "https://h/a", "http://x/"],
    ["//g", "sc://h/a", "sc://g"],
    ["///g", "sc://h/a", "sc:///g"],
    ["\\g", "sc://h/a", "sc://h/\\g"],
    ["..", "sc://h/C:/", "sc://h/"],
    ["x", "sc://h", "sc://h/x"],
    ["..//x", "sc:/a/b", "sc:/.//x"],
    ["y", "sc:/.//x", "sc:/.//y"],
    ["#f", "mailto:a", "mailto:a#f"],
    ["a:b", "http://h/", "a:b"],
    // Files.
    ["file:", "", "file:///"],
    ["file:a", "", "file:///a"],
    ["file:\\\\h\\c|\\x", "", "file://h/c:/x"],
    ["file:C|/../..", "", "file:///C:/"],
    ["file://C|", "", "file:///C:"],
    ["file://LocalHost//x", "", "file:////x"],
    ["x", "file://h/C:/a/b", "file://h/C:/a/x"],
    ["/x", "file://h/C:/a/b", "file://h/C:/x"],
    ["/d:/x", "file://h/C:/a", "file://h/d:/x"],
    ["d|?x", "file://h/C:/a?y", "file://h/d:?x"],
    ["//g/x", "file://h/C:/a", "file://g/x"],
    ["?q", "file:///a?b", "file:///a?q"],
    ["", "file:///a?b#c", "file:///a?b"],
    ["../../..", "file:///C:/a/b", "file:///C:/"],
];

#[test]
fn addresses_are_written_as_the_standard_says() {
    for [text, base, expected] in ADDRESSES {
        let base = (!base.is_empty()).then(|| Url::parse(base).unwrap());
        let url = Url::parse_with_base(text, base.as_ref());
        assert_eq!(url.as_ref().map(Url::as_str), Ok(*expected), "{text:?} {base:?}");
        let url = url.unwrap();
        assert_eq!(as_scripts_see(&url), as_scripts_see(&Url::parse(expected).unwrap()), "{text:?} {base:?}");
    }
}

#[test]
fn what_is_no_address_is_refused_with_its_reason() {
    use ParseError::*;
    for (text, expected) in [
        ("", RelativeUrlWithoutBase),
        ("//h", RelativeUrlWithoutBase),
        ("1http://h", RelativeUrlWithoutBase),
        ("http:", EmptyHost),
        ("http:///", EmptyHost),
        ("http://u@", EmptyHost),
        ("http://u@/x", EmptyHost),
        ("http://:80", EmptyHost),
        ("sc://:80", EmptyHost),
        ("sc://u@/x", EmptyHost),
        ("http://\u{ad}", EmptyHost),
        ("http://a b", InvalidDomainCharacter),
        ("http://a%20b", InvalidDomainCharacter),
        ("http://a%", InvalidDomainCharacter),
        ("sc://a b", InvalidDomainCharacter),
        ("file://h:80/", InvalidDomainCharacter),
        ("http://h:65536", InvalidPort),
        ("http://h:-1", InvalidPort),
        ("http://h:8a", InvalidPort),
        ("sc://h:x", InvalidPort),
        ("http://1.2.3.4.5", InvalidIpv4Address),
        ("http://256.0.0.1", InvalidIpv4Address),
        ("http://a.0x1", InvalidIpv4Address),
        ("http://[::1", InvalidIpv6Address),
        ("http://[::1]a", InvalidIpv6Address),
        ("sc://[:1]", InvalidIpv6Address),
        ("http://\u{fffd}", IdnaError),
        ("http://%FF", IdnaError),
    ] {
        assert_eq!(Url::parse(text), Err(expected), "{text:?}");
    }
    let mail = Url::parse("mailto:a").unwrap();
    assert_eq!(mail.join("b"), Err(RelativeUrlWithCannotBeABaseBase));
    assert_eq!(mail.join(""), Err(RelativeUrlWithCannotBeABaseBase));
    assert_eq!(InvalidPort.to_string(), "invalid port number");
}

#[test]
fn parts_are_found() {
    let url = Url::parse("https://us%20er:pa%3Ass@www.example.org:8080/a/b;c?d=e+f&g#h?i").unwrap();
    assert_eq!(url.scheme(), "https");
    assert_eq!((url.username(), url.password()), ("us%20er", Some("pa%3Ass")));
    assert_eq!((url.host_str(), url.domain()), (Some("www.example.org"), Some("www.example.org")));
    assert_eq!(url.host(), Some(Host::Domain("www.example.org")));
    assert_eq!((url.port(), url.port_or_known_default()), (Some(8080), Some(8080)));
    assert_eq!(url.authority(), "us%20er:pa%3Ass@www.example.org:8080");
    assert_eq!((url.path(), url.query(), url.fragment()), ("/a/b;c", Some("d=e+f&g"), Some("h?i")));
    assert_eq!(url.path_segments().unwrap().collect::<Vec<_>>(), ["a", "b;c"]);
    let pairs: Vec<_> = url.query_pairs().into_owned().collect();
    assert_eq!(pairs, [("d".to_owned(), "e f".to_owned()), ("g".to_owned(), String::new())]);
    assert_eq!(&url[Position::BeforeUsername..Position::AfterUsername], "us%20er");
    assert_eq!(&url[Position::BeforePassword..Position::AfterPassword], "pa%3Ass");
    assert_eq!(&url[Position::BeforePort..Position::AfterPort], "8080");
    assert_eq!(&url[Position::BeforePath..Position::AfterQuery], "/a/b;c?d=e+f&g");
    assert_eq!(&url[Position::BeforeQuery..Position::BeforeFragment], "d=e+f&g#");
    assert_eq!(&url[Position::AfterQuery..], "#h?i");
    assert_eq!(&url[..Position::AfterScheme], "https");
    assert_eq!(&url[..], url.as_str());
    assert_eq!(format!("{url}|{url:?}"), format!("{0}|Url(\"{0}\")", url.as_str()));
}

#[test]
fn parts_that_are_missing_are_nothing() {
    let url = Url::parse("mailto:a").unwrap();
    assert!(url.cannot_be_a_base() && !url.has_authority() && !url.has_host());
    assert_eq!((url.username(), url.password(), url.host(), url.port_or_known_default()), ("", None, None, None));
    assert_eq!((url.path(), url.query(), url.fragment(), url.path_segments().is_none()), ("a", None, None, true));
    let url = Url::parse("file:///a?#").unwrap();
    assert!(url.has_authority() && !url.has_host() && !url.cannot_be_a_base());
    assert_eq!((url.host(), url.host_str(), url.domain()), (None, None, None));
    assert_eq!((url.query(), url.fragment()), (Some(""), Some("")));
    let url = Url::parse("sc:/.//a").unwrap();
    assert_eq!((url.path(), &url[..Position::AfterPort], url.has_authority()), ("//a", "sc:", false));
    assert_eq!(url.path_segments().unwrap().collect::<Vec<_>>(), ["", "a"]);
    assert!(Url::parse("sc://h").unwrap().path_segments().is_none());
}

#[test]
fn hosts_that_are_numbers() {
    let host = |text: &str| Url::parse(text).unwrap().host().map(|host| host.to_owned());
    assert_eq!(host("http://0x7F.1/"), Some(Host::Ipv4([127, 0, 0, 1].into())));
    assert_eq!(host("http://[::FFFF:1.2.3.4]/"), Some(Host::Ipv6("::ffff:1.2.3.4".parse().unwrap())));
    assert_eq!(host("sc://127.0.0.1/"), Some(Host::Domain("127.0.0.1".to_owned())));
    assert_eq!(Url::parse("http://1.2.3.4").unwrap().domain(), None);
    assert_eq!(Url::parse("http://[::ffff:1.2.3.4]").unwrap().host_str(), Some("[::ffff:102:304]"));
}

#[test]
fn origins_are_those_of_who_answers() {
    let origin = |text: &str| Url::parse(text).unwrap().origin();
    for (text, expected) in [
        ("http://u@h:80/a", "http://h"),
        ("wss://[::1]:81", "wss://[::1]:81"),
        ("ftp://h", "ftp://h"),
        ("blob:https://h:444/uuid", "https://h:444"),
        ("blob:ftp://h/", "null"),
        ("blob:blob:http://h/", "null"),
        ("blob:d3958f5c", "null"),
        ("file://h/a", "null"),
        ("sc://h", "null"),
        ("data:a", "null"),
    ] {
        assert_eq!(origin(text).ascii_serialization(), expected, "{text}");
        assert_eq!(origin(text).is_tuple(), expected != "null");
    }
    assert_eq!(origin("http://H/a"), origin("http://h:80/b"));
    assert_ne!(origin("http://h"), origin("https://h"));
    assert_ne!(origin("data:a"), origin("data:a"));
    assert_ne!(origin("http://h"), Origin::Opaque);
}

#[test]
fn addresses_are_compared_and_found_by_their_text() {
    let parse = |text: &str| Url::parse(text).unwrap();
    assert_eq!(parse("HTTP://H:80"), parse("http://h/"));
    assert!(parse("http://a/") < parse("http://b/"));
    let set = std::collections::HashSet::from([parse("http://h/")]);
    assert!(set.contains("http://h/") && !set.contains("http://h"));
    assert_eq!("http://h".parse::<Url>(), Url::try_from("http://h/"));
    assert_eq!(String::from(parse("http://h")), parse("http://h").into_string());
    assert_eq!(format!("{:>10}|", parse("a:b")), "       a:b|");
}
