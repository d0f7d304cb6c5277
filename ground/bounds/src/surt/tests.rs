//! Known forms, and what holds for all of them.

use proptest::prelude::*;

use super::*;

fn surt_text(address: &str) -> String {
    Surt::from_url(&Url::parse(address).unwrap()).unwrap().as_str().to_owned()
}

#[test]
fn hosts_are_turned_round_and_the_rest_is_kept() {
    assert_eq!(surt_text("http://www.archive.org/goo/"), "http://(org,archive,www,)/goo/");
    assert_eq!(surt_text("https://Example.ORG:8080/A?b=c#d"), "https://(org,example,:8080)/A?b=c");
    assert_eq!(surt_text("http://example.org:80"), "http://(org,example,)/");
    assert_eq!(surt_text("ftp://me:secret@example.org:2121/x"), "ftp://(org,example,:2121@me:secret)/x");
    assert_eq!(surt_text("http://localhost/"), "http://(localhost,)/");
    assert_eq!(surt_text("http://ex\u{e4}mple.org/"), "http://(org,xn--exmple-cua,)/");
}

#[test]
fn numbers_stay_whole() {
    assert_eq!(surt_text("http://127.0.0.1/"), "http://(127.0.0.1)/");
    assert_eq!(surt_text("http://0x7f.1:81/a"), "http://(127.0.0.1:81)/a");
    assert_eq!(surt_text("http://[::1]:8080/"), "http://([::1]:8080)/");
    assert_eq!(Surt::parse("http://([0:0::1],)/").unwrap().as_str(), "http://([::1])/");
}

#[test]
fn schemes_without_hosts_have_none() {
    for address in ["mailto:a@b.example", "data:,x", "file:///a", "foo://bar/"] {
        assert_eq!(Surt::from_url(&Url::parse(address).unwrap()), None, "{address}");
    }
}

#[test]
fn plain_addresses_imply_what_heritrix_takes_them_for() {
    let implied = |text: &str| Surt::implied(text).unwrap().as_str().to_owned();
    assert_eq!(implied("http://example.org/a/b"), "http://(org,example,)/a/");
    assert_eq!(implied("http://example.org/a/b/"), "http://(org,example,)/a/b/");
    assert_eq!(implied("http://example.org/a?b=/c"), "http://(org,example,)/");
    assert_eq!(implied("http://example.org/"), "http://(org,example,)/");
    assert_eq!(implied("http://example.org"), "http://(org,example,");
    assert_eq!(implied("www.example.org"), "http://(org,example,www,");
    assert_eq!(implied("http://example.org?a"), "http://(org,example,");
    assert_eq!(implied("127.0.0.1"), "http://(127.0.0.1)");
    assert_eq!(implied("http://example.org:8080"), "http://(org,example,:8080)");
    assert_eq!(implied("example.org:81/a?u=http://b/"), "http://(org,example,:81)/");
    for bad in ["", "mailto:a@b.example", "http://", "data:,", "file:///a/"] {
        assert!(Surt::implied(bad).is_err(), "{bad}");
    }
}

#[test]
fn prefixes_of_all_kinds_are_read() {
    let parsed = |text: &str| Surt::parse(text).unwrap().as_str().to_owned();
    for text in [
        "http://(org,example,",
        "http://(org,exam",
        "http://(",
        "(org,example,)/a/.",
        "http://(org,example,)",
        "http://(127.0.0.",
        "http://(127.0.0.1)",
        "http://(org,example,:80",
        "https://(org,example,@Me",
        "http://(org,example,)/a/..b/%2",
        "http://(org,a%2Cb,",
        "http://(org,a%2Cb,)/",
    ] {
        assert_eq!(parsed(text), text);
    }
    assert_eq!(parsed("org,example)/a"), "(org,example,)/a");
    assert_eq!(parsed("org,example,"), "(org,example,");
    assert_eq!(parsed("HTTP://(ORG,Example,)/A/../B#c"), "http://(org,example,)/B");
    assert_eq!(parsed("http://(org,ex\u{e4}mple,"), "http://(org,xn--exmple-cua,");
    assert_eq!(parsed("http://(org,example,)/\u{e4} b"), "http://(org,example,)/%C3%A4%20b");
}

#[test]
fn what_is_none_is_refused() {
    for text in [
        "",
        "http://example.org/",
        "http://(org,example/",
        "http://(org,a.b,)/",
        "http://(example.org)/",
        "http://(org,example,:80x)/",
        "http://()/",
        "mailto:(a,",
        "foo://(a,)/",
        "http://(org,ex ample,",
        "http://(org,ex)ample,",
        "http://(org,example,)?a",
        "http://([::1/",
        "http://([::g])/",
    ] {
        assert!(Surt::parse(text).is_err(), "{text}");
    }
    assert!(Surt::parse(&format!("http://(org,)/{}", "a".repeat(LONGEST))).is_err());
    // Not too long as given, but as escaped.
    assert_eq!(Surt::parse(&format!("http://(org,)/{}", "\u{e4}".repeat(LONGEST / 3))), Err(TOO_LONG));
}

#[test]
fn what_matches() {
    let matches = |surt: &str, address: &str| Surt::parse(surt).unwrap().matches(&Url::parse(address).unwrap());
    assert!(matches("http://(org,example,", "http://a.b.example.org/x"));
    assert!(matches("http://(org,example,", "https://example.org/"));
    assert!(!matches("http://(org,example,)", "http://www.example.org/"));
    assert!(!matches("http://(org,example,", "http://notexample.org/"));
    assert!(!matches("http://(org,example,)/a/", "http://example.org/a"));
    assert!(!matches("http://(org,example,)/a/", "http://example.org/A/"));
    assert!(!matches("http://(org,example,", "ftp://example.org/"));
    assert!(matches("(org,example,", "ftp://example.org/"));
    assert!(!matches("(org,example,)/", "http://example.org:8080/"));
    assert!(!matches("(", "mailto:a@b.example"));
}

#[test]
fn a_prefix_has_an_address_once_its_host_is_closed() {
    let address = |surt: &str| Surt::parse(surt).unwrap().address().map(Url::into_string);
    assert_eq!(address("https://(org,example,)/a/").as_deref(), Some("https://example.org/a/"));
    assert_eq!(address("(org,example,)").as_deref(), Some("http://example.org/"));
    assert_eq!(address("http://(org,example,"), None);
    assert_eq!(address("http://(org,example,)/a/.."), None);
}

/// URLs of every shape: odd labels, users, ports, numbers, dots and marks in paths.
fn addresses() -> impl Strategy<Value = String> {
    let host = "([a-cA-C,()_-]{1,3}\\.){0,3}[a-c,()]{1,3}\\.?|[0-9]{1,3}(\\.[0-9]{1,3}){0,3}|\\[::[0-9a-f]{1,4}\\]";
    let user = "|[a-b),:%@]{1,4}@";
    ("https?|ftp|wss?", user, host, "|:[0-9]{1,5}", "(/[a-b.%2(),?+:x#-]{0,4}){0,4}")
        .prop_map(|(scheme, user, host, port, path)| format!("{scheme}://{user}{host}{port}{path}"))
}

proptest! {
    #[test]
    fn an_address_comes_back(address in addresses()) {
        let Ok(mut url) = Url::parse(&address) else { return Ok(()) };
        url.set_fragment(None);
        let surt = Surt::from_url(&url).unwrap();
        prop_assert_eq!(surt.address(), Some(url.clone()), "{}", surt);
        prop_assert_eq!(Surt::parse(surt.as_str()), Ok(surt.clone()));
        prop_assert!(surt.matches(&url));
        prop_assert!(surt.clone().of_any_scheme().matches(&url));
        prop_assert_eq!(Surt::parse(surt.clone().of_any_scheme().as_str()), Ok(surt.of_any_scheme()));
    }

    #[test]
    fn what_an_address_implies_matches_it(address in addresses()) {
        let Ok(url) = Url::parse(&address) else { return Ok(()) };
        let implied = Surt::implied(&address).unwrap();
        prop_assert!(implied.matches(&url), "{}", implied);
        prop_assert_eq!(Surt::parse(implied.as_str()), Ok(implied));
    }

    #[test]
    fn a_piece_of_a_form_is_a_prefix_that_matches_or_is_refused(address in addresses(), cut in 0.0..1.0f64) {
        // A parenthesis in a name of a user can be taken for the one that closes.
        let Some(surt) = Url::parse(&address).ok().and_then(|url| Surt::from_url(&url)).filter(|_| !address.contains("@")) else {
            return Ok(());
        };
        let at = surt.open as usize + 1 + (cut * (surt.as_str().len() - surt.open as usize - 1) as f64) as usize;
        let Some(Ok(prefix)) = surt.as_str().get(..at).map(Surt::parse) else { return Ok(()) };
        prop_assert!(prefix.covers(&surt), "{} {}", prefix, surt);
        prop_assert_eq!(prefix.as_str(), &surt.as_str()[..at]);
    }

    #[test]
    fn any_text_is_a_prefix_in_one_form_or_none(text in "(https?://)?[(]?[a-cA-C0-1,.:@%)/?#\\[\\]]{0,14}") {
        if let Ok(surt) = Surt::parse(&text) {
            prop_assert_eq!(Surt::parse(surt.as_str()), Ok(surt));
        }
    }
}
