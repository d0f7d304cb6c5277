//! Do setters change what they say and nothing else, and leave an address that parses to itself?

use groma_url::{ParseError, SetError, Url};
use proptest::prelude::*;

use super::as_scripts_see;

/// What an address is after it has been changed.
fn after<R>(text: &str, change: impl FnOnce(&mut Url) -> R) -> String {
    let mut url = Url::parse(text).unwrap();
    change(&mut url);
    assert_eq!(as_scripts_see(&url), as_scripts_see(&Url::parse(url.as_str()).unwrap()));
    url.into()
}

/// Why an address cannot be changed; it stays as it is.
fn refused(text: &str, change: impl FnOnce(&mut Url) -> Result<(), SetError>) -> SetError {
    let mut url = Url::parse(text).unwrap();
    let error = change(&mut url).unwrap_err();
    assert_eq!(url, Url::parse(text).unwrap());
    error
}

#[test]
fn fragment_and_query() {
    assert_eq!(after("http://h/?q#f", |u| u.set_fragment(None)), "http://h/?q");
    assert_eq!(after("http://h/?q", |u| u.set_fragment(Some("a b`é#\t"))), "http://h/?q#a%20b%60%C3%A9#");
    assert_eq!(after("http://h/?q#f", |u| u.set_query(None)), "http://h/#f");
    assert_eq!(after("http://h/#f", |u| u.set_query(Some("a'b c#\n"))), "http://h/?a%27b%20c%23#f");
    assert_eq!(after("sc://h#f", |u| u.set_query(Some("'"))), "sc://h?'#f");
    assert_eq!(after("http://h/?q#f", |u| u.set_query(Some(""))), "http://h/?#f");
    assert_eq!(after("data:a ?q#f", |u| (u.set_query(None), u.set_fragment(None))), "data:a%20");
}

#[test]
fn path() {
    assert_eq!(after("http://u@h:81/a?q#f", |u| u.set_path("b/../c d?#^")), "http://u@h:81/c%20d%3F%23%5E?q#f");
    assert_eq!(after("http://h/a", |u| u.set_path("")), "http://h/");
    assert_eq!(after("http://h/a", |u| u.set_path("\\b\\\t.")), "http://h/b/");
    assert_eq!(after("sc://h/a", |u| u.set_path("")), "sc://h");
    assert_eq!(after("sc:/a", |u| u.set_path("")), "sc:/");
    assert_eq!(after("sc:/a?q", |u| u.set_path("//b")), "sc:/.//b?q");
    assert_eq!(after("sc:/.//a?q", |u| u.set_path("b")), "sc:/b?q");
    assert_eq!(after("file:///a", |u| u.set_path("c|/x")), "file:///c:/x");
    assert_eq!(after("mailto:a", |u| u.set_path("b")), "mailto:a");
}

#[test]
fn host() {
    assert_eq!(
        after("http://u:p@h:81/a?q#f", |u| u.set_host(Some("BÜ.example"))),
        "http://u:p@xn--b-eha.example:81/a?q#f"
    );
    assert_eq!(after("http://h/", |u| u.set_host(Some("0x7f.1"))), "http://127.0.0.1/");
    assert_eq!(after("http://h/", |u| u.set_host(Some("[0::1]"))), "http://[::1]/");
    assert_eq!(after("file://h/a", |u| u.set_host(None)), "file:///a");
    assert_eq!(after("file://h/a", |u| u.set_host(Some("localhost"))), "file:///a");
    assert_eq!(after("sc:/.//a", |u| u.set_host(Some("H"))), "sc://H//a");
    assert_eq!(after("sc://u:p@h:1//a", |u| u.set_host(None)), "sc:/.//a");
    assert_eq!(after("sc://h", |u| u.set_host(None)), "sc:/");
    assert_eq!(after("sc://h", |u| u.set_host(Some(""))), "sc://");
    let no = |text: &str, host: Option<&str>| refused(text, |u| u.set_host(host));
    assert_eq!(no("mailto:a", Some("h")), SetError::OpaquePath);
    assert_eq!(no("http://h/", None), SetError::Host(ParseError::EmptyHost));
    assert_eq!(no("http://h/", Some("")), SetError::Host(ParseError::EmptyHost));
    assert_eq!(no("sc://h:1/", Some("")), SetError::Host(ParseError::EmptyHost));
    assert_eq!(no("http://h/", Some("g:80")), SetError::Host(ParseError::InvalidDomainCharacter));
    assert_eq!(no("http://h/", Some("[1")), SetError::Host(ParseError::InvalidIpv6Address));
}

#[test]
fn port_user_and_password() {
    assert_eq!(after("http://h/a?q", |u| u.set_port(Some(8080))), "http://h:8080/a?q");
    assert_eq!(after("http://h:81/", |u| u.set_port(Some(80))), "http://h/");
    assert_eq!(after("http://h:81/", |u| u.set_port(None)), "http://h/");
    assert_eq!(after("http://h/", |u| u.set_username("a b@:")), "http://a%20b%40%3A@h/");
    assert_eq!(after("http://u:p@h/", |u| u.set_username("")), "http://:p@h/");
    assert_eq!(after("http://u@h/", |u| u.set_password(Some("p:"))), "http://u:p%3A@h/");
    assert_eq!(after("http://u:p@h/", |u| u.set_password(None)), "http://u@h/");
    assert_eq!(after("http://:p@h/", |u| u.set_password(Some(""))), "http://h/");
    for text in ["file://h/", "mailto:a", "sc:///a", "sc:/a"] {
        assert_eq!(refused(text, |u| u.set_port(Some(1))), SetError::NoHost);
        assert_eq!(refused(text, |u| u.set_username("")), SetError::NoHost);
        assert_eq!(refused(text, |u| u.set_password(None)), SetError::NoHost);
    }
}

#[test]
fn scheme() {
    assert_eq!(after("http://h:443/a?q#f", |u| u.set_scheme("HTTPS")), "https://h/a?q#f");
    assert_eq!(after("sc:a", |u| u.set_scheme("x+y")), "x+y:a");
    assert_eq!(after("http://localhost/c|/", |u| u.set_scheme("file")), "file:///c:/");
    assert_eq!(after("file://h/a", |u| u.set_scheme("http")), "http://h/a");
    for (text, scheme) in [
        ("http://h/", "sc"),
        ("sc://h/", "http"),
        ("http://h/", ""),
        ("http://h/", "https:"),
        ("http://h/", "1"),
        ("http://h:1/", "file"),
        ("http://u@h/", "file"),
        ("file:///a", "http"),
    ] {
        assert_eq!(refused(text, |u| u.set_scheme(scheme)), SetError::Scheme, "{text} {scheme}");
    }
}

fn value() -> impl Strategy<Value = String> {
    let pieces = &[
        "",
        "/",
        "..",
        "C|",
        "\\",
        "?",
        "#",
        ":",
        "@",
        "é",
        " ",
        "\t",
        "a",
        "h.example",
        "localhost",
        "1",
        "[::1]",
        "file",
        "http",
        "sc",
    ];
    proptest::collection::vec(proptest::sample::select(&pieces[..]), 0..4).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn whatever_is_set_the_address_parses_to_itself(
        text in proptest::sample::select(&["http://u:p@h:81/a?q#f", "sc:/.//a", "sc://h", "file:///C:/a", "file://h//x", "data:a %20?b", "ws://1.2.3.4"][..]),
        changes in proptest::collection::vec((0..8, value(), any::<bool>()), 1..6),
    ) {
        let mut url = Url::parse(text).unwrap();
        for (what, value, given) in changes {
            let option = given.then_some(value.as_str());
            // Whether it can be set does not matter here.
            let _ = match what {
                0 => url.set_host(option),
                1 => url.set_port(option.map(|text| text.len() as u16)),
                2 => url.set_scheme(&value),
                3 => url.set_username(&value),
                4 => url.set_password(option),
                _ => Ok(()),
            };
            match what {
                5 => url.set_fragment(option),
                6 => url.set_query(option),
                7 => url.set_path(&value),
                _ => {}
            }
            let again = Url::parse(url.as_str()).unwrap();
            prop_assert_eq!(as_scripts_see(&url), as_scripts_see(&again));
            prop_assert_eq!((url.query(), url.fragment()), (again.query(), again.fragment()));
        }
    }
}
