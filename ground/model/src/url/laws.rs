//! The laws of canonical URLs, as tests: the paper's example, every role of a parameter, the limits, and idempotence
//! on random rules and URLs.

use std::time::{Duration, Instant};

use groma_url::Url;
use proptest::prelude::*;

use super::*;
use crate::{Fp, Limits, Reason};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn canonizer(rules: &str) -> Canonizer {
    #[derive(serde::Deserialize)]
    struct File {
        rule: Vec<Rule>,
    }
    let noise: Vec<String> = DEFAULT_NOISE.iter().map(|name| (*name).to_owned()).collect();
    let rules = if rules.is_empty() { Vec::new() } else { toml::from_str::<File>(rules).unwrap().rule };
    Canonizer::new(RuleBook::new(rules, &noise).unwrap(), &Limits::default())
}

/// Canonizes, and checks what must hold for every URL.
#[track_caller]
fn canon(canonizer: &Canonizer, text: &str) -> (String, Result<(), Reason>) {
    let canon = canonizer.canon(&url(text));
    let again = canonizer.canon(&canon.address.url);
    assert_eq!((&again.address, &again.verdict), (&canon.address, &canon.verdict), "canon of canon of {text}");
    assert_eq!(again.linked, None, "canon of canon of {text}");
    if canon.verdict.is_ok() {
        let fetched = canonizer.canon(&canonizer.as_fetched(canon.as_linked()));
        assert_eq!(fetched.address, canon.address, "what is fetched for {text} is the same page");
    }
    assert_eq!(canon.address.fp, Fp::hash_bytes(canon.address.url.as_str().as_bytes()));
    assert_eq!(Url::parse(canon.address.url.as_str()).as_ref(), Ok(&canon.address.url), "{text} parses as itself");
    let steps = canonizer.steps(&url(text));
    assert_eq!(
        steps.last().map(|step| step.url_after.as_str()),
        Some(canon.address.url.as_str()),
        "{text}: {steps:#?}"
    );
    (canon.address.url.into(), canon.verdict)
}

#[track_caller]
fn taken(canonizer: &Canonizer, text: &str, expected: &str) {
    assert_eq!(canon(canonizer, text), (expected.to_owned(), Ok(())), "{text}");
}

#[track_caller]
fn ignored(canonizer: &Canonizer, text: &str, reason: Reason, expected: &str) {
    assert_eq!(canon(canonizer, text), (expected.to_owned(), Err(reason)), "{text}");
}

const TISK: &str = "[[rule]]\npath = '/tisk.php'\nrequired = ['clanek']\ndefault = { jazyk = 'cz' }";

#[test]
fn the_example_of_the_paper() {
    let tisk = canonizer(TISK);
    taken(&tisk, "http://h/tisk.php?jazyk=cz&clanek=123&uzivatel=987", "http://h/tisk.php?clanek=123&jazyk=cz");
    taken(&tisk, "http://h/tisk.php?clanek=123", "http://h/tisk.php?clanek=123&jazyk=cz");
    taken(&tisk, "http://h/tisk.php?clanek=123&jazyk=en", "http://h/tisk.php?clanek=123&jazyk=en");
    ignored(&tisk, "http://h/tisk.php?jazyk=en", Reason::RuleRequired, "http://h/tisk.php?jazyk=en");
    ignored(&tisk, "http://h/tisk.php", Reason::RuleRequired, "http://h/tisk.php");
    taken(&tisk, "http://h/jiny.php?z=1&a=2", "http://h/jiny.php?a=2&z=1");
}

#[test]
fn the_steps_tell_the_whole_way() {
    let steps = canonizer(TISK).steps(&url("http://u:p@h/tisk.php;jsessionid=4?&uzivatel=987&clanek=12#top"));
    let told: Vec<(&str, &str)> = steps.iter().map(|step| (step.what.as_str(), step.url_after.as_str())).collect();
    let expected = [
        ("read by the URL standard", "http://u:p@h/tisk.php;jsessionid=4?&uzivatel=987&clanek=12#top"),
        ("dropped the fragment", "http://u:p@h/tisk.php;jsessionid=4?&uzivatel=987&clanek=12"),
        ("dropped the user name and password", "http://h/tisk.php;jsessionid=4?&uzivatel=987&clanek=12"),
        ("dropped the session id in the path", "http://h/tisk.php?&uzivatel=987&clanek=12"),
        ("rule 1 (/tisk.php) decides", "http://h/tisk.php?&uzivatel=987&clanek=12"),
        ("dropped empty parameters", "http://h/tisk.php?uzivatel=987&clanek=12"),
        ("dropped `uzivatel` (not named by the rule)", "http://h/tisk.php?clanek=12"),
        ("filled in the default `jazyk=cz`", "http://h/tisk.php?clanek=12&jazyk=cz"),
        ("taken under this URL", "http://h/tisk.php?clanek=12&jazyk=cz"),
    ];
    assert_eq!(told, expected);
    let refused = canonizer(TISK).steps(&url("http://h/tisk.php?jazyk=en"));
    assert_eq!(refused[2].what, "the rule requires `clanek`");
    assert!(refused[3].what.starts_with("excluded (rule-required): "));
    let sorted = canonizer("").steps(&url("http://h/?b&utm_id=1&a"));
    assert_eq!(sorted[1].what, "dropped `utm_id` (noise)");
    assert_eq!(sorted[2].what, "sorted the parameters by name, then value");
}

#[test]
fn the_url_as_linked_is_kept_where_it_is_not_the_canonical_form() {
    let plain = canonizer("");
    let linked = |text: &str| plain.canon(&url(text)).linked.map(|linked| linked.to_string());
    assert_eq!(linked("http://h/?a=1&b=2"), None);
    assert_eq!(linked("http://u:p@h/x#top"), None, "neither is sent");
    assert_eq!(linked("http://u:p@h/?s=foo&cat=1#top").as_deref(), Some("http://h/?s=foo&cat=1"));
    assert_eq!(linked("http://h/x;jsessionid=4").as_deref(), Some("http://h/x;jsessionid=4"));
    assert_eq!(linked("http://h/x?utm_source=a").as_deref(), Some("http://h/x?utm_source=a"));
    assert_eq!(linked("http://h/x?").as_deref(), Some("http://h/x?"));
    assert_eq!(plain.canon(&url("http://h/?b&a")).as_linked().as_str(), "http://h/?b&a");
    assert_eq!(plain.canon(&url("http://h/?a&b")).as_linked().as_str(), "http://h/?a&b");
}

#[test]
fn what_was_linked_is_fetched_unless_a_written_rule_wants_another_form() {
    let fetched = |rules: &str, text: &str| canonizer(rules).as_fetched(&url(text)).to_string();
    for text in ["http://h/?s=foo&cat=1", "http://h/x;jsessionid=4?sid=1", "http://h/tisk.php?jazyk=cz&clanek=1"] {
        assert_eq!(fetched("", text), text);
        assert_eq!(fetched(TISK, text), text, "the rule changes nothing but the order");
    }
    assert_eq!(fetched(TISK, "http://h/tisk.php?clanek=1"), "http://h/tisk.php?clanek=1&jazyk=cz", "filled in");
    let dropped = fetched(TISK, "http://h/tisk.php;jsessionid=4?jazyk=cz&x=2&clanek=1");
    assert_eq!(dropped, "http://h/tisk.php?clanek=1&jazyk=cz");
}

#[test]
fn without_a_rule_all_but_noise_is_kept_and_sorted() {
    let plain = canonizer("");
    for (given, expected) in [
        ("HTTP://H:80/a/../b?", "http://h/b"),
        ("http://h", "http://h/"),
        ("http://user:pass@h/#x", "http://h/"),
        ("http://h/?b=2&a=2&a=1", "http://h/?a=1&a=2&b=2"),
        ("http://h/?a&a=&a", "http://h/?a&a&a="),
        ("http://h/?&&b&&a&", "http://h/?a&b"),
        ("http://h/?=2&=1", "http://h/?=1&=2"),
        ("http://h/?%62=1&a=1", "http://h/?a=1&%62=1"),
        ("http://h/?a=%32&a=10&a=3", "http://h/?a=10&a=%32&a=3"),
        ("http://h/?b+c=1&b%20a=1", "http://h/?b%20a=1&b+c=1"),
        ("http://h/?UTM_Source=x&id=1&fbclid=2", "http://h/?id=1"),
        ("http://h/?utm%5Fsource=x", "http://h/"),
        ("http://h/?x=%ff&a=%zz", "http://h/?a=%zz&x=%ff"),
        ("http://h/a;jsessionid=1;v=2/b?PHPSESSID=3", "http://h/a;v=2/b"),
        ("http://h/a/..;jsessionid=1/b", "http://h/b"),
        ("http://h/a/%2e;sid=1", "http://h/a/"),
        ("http://h./x", "http://h./x"),
        ("http://h/a^b?c^d", "http://h/a%5Eb?c^d"),
    ] {
        taken(&plain, given, expected);
    }
}

#[test]
fn one_of_wants_every_value_listed_and_reads_values_decoded() {
    let rule = canonizer("[[rule]]\none_of = { typ = ['a b', 'c'] }\noptional = ['x']");
    taken(&rule, "http://h/?x=1&typ=a+b&y=2", "http://h/?typ=a+b&x=1");
    taken(&rule, "http://h/?typ=a%20b", "http://h/?typ=a%20b");
    taken(&rule, "http://h/?typ=c&typ=a%20b", "http://h/?typ=a%20b&typ=c");
    ignored(&rule, "http://h/?typ=d&gclid=1&z=1", Reason::RuleOneOf, "http://h/?typ=d&z=1");
    ignored(&rule, "http://h/?typ=c&typ=d", Reason::RuleOneOf, "http://h/?typ=c&typ=d");
    ignored(&rule, "http://h/?x=1", Reason::RuleRequired, "http://h/?x=1");
}

#[test]
fn a_rule_that_only_drops_keeps_the_rest_but_noise_and_any_other_keeps_only_what_it_names() {
    let drops = canonizer("[[rule]]\ndrop = ['sort', 'view_*']");
    taken(&drops, "http://h/?view_a=1&sort=2&q=3&utm_id=4&b", "http://h/?b&q=3");
    let mixed = canonizer("[[rule]]\ndrop = ['sort']\noptional = ['q']");
    taken(&mixed, "http://h/?sort=2&q=3&b", "http://h/?q=3");
    taken(&canonizer("[[rule]]\npath = '/x'"), "http://h/x?a=1", "http://h/x");
    taken(&canonizer("[[rule]]\noptional = ['utm_id']"), "http://h/?utm_id=1&utm_term=2", "http://h/?utm_id=1");
}

#[test]
fn defaults_are_spelled_so_that_they_meet_the_links_of_the_site() {
    let rule = canonizer("[[rule]]\ndefault = { 'p=q' = 'a,b c&d', 'ř' = \"1'\" }");
    taken(&rule, "http://h/", "http://h/?p%3Dq=a,b+c%26d&%C5%99=1%27");
    taken(&rule, "http://h/?p%3Dq=&%C5%99=2", "http://h/?p%3Dq=&%C5%99=2");
}

#[test]
fn ignored_scripts_and_addresses_stay_themselves() {
    let rule =
        canonizer("[[rule]]\npath = '*/print'\nignore = true\n[[rule]]\nrequired = ['utm_id']\none_of = { a = ['1'] }");
    ignored(&rule, "http://h/x/print?b&a&_ga=1", Reason::RuleIgnored, "http://h/x/print?a&b");
    ignored(&rule, "http://h/?utm_id=1&a=2&gclid=3", Reason::RuleOneOf, "http://h/?a=2&utm_id=1");
    taken(&rule, "http://h/?utm_id=1&a=1&z=3", "http://h/?a=1&utm_id=1");
}

#[test]
fn a_path_is_endless_only_beyond_the_limits() {
    let plain = canonizer("");
    for fine in
        ["/1/1/1/", "/1/1/1", "/a/b/a/b/a/b/", "/x///", "/1/1/1/2/1/1/1", "/a/b/c/a/b/c/a/b/c/a/b/", "/11/1/1/1"]
    {
        taken(&plain, &format!("http://h{fine}"), &format!("http://h{fine}"));
    }
    for endless in ["/1/1/1/1", "/x/1/1/1/1/y", "/a/b/a/b/a/b/a/b", "/x////", "/z/a/b/c/a/b/c/a/b/c/a/b/c/"] {
        ignored(&plain, &format!("http://h{endless}"), Reason::EndlessPath, &format!("http://h{endless}"));
    }
    let run = |length: usize, times: usize| -> String {
        let run: String = (0..length).map(|n| format!("/{n}")).collect();
        format!("http://h{}", run.repeat(times))
    };
    for length in 1..=8 {
        taken(&plain, &run(length, 3), &run(length, 3));
        ignored(&plain, &run(length, 4), Reason::EndlessPath, &run(length, 4));
    }
    taken(&plain, &run(40, 1), &run(40, 1));
    taken(&plain, &format!("{}/", run(40, 1)), &format!("{}/", run(40, 1)));
    ignored(&plain, &run(41, 1), Reason::EndlessPath, &run(41, 1));
    let long = |bytes: usize| format!("http://h/{}", "x".repeat(bytes - 9));
    taken(&plain, &long(4096), &long(4096));
    ignored(&plain, &long(4097), Reason::EndlessPath, &long(4097));
}

#[test]
fn limits_count_what_is_left_of_an_address() {
    let query = |name: &str, count: usize| (10..10 + count).map(|n| format!("{name}{n}")).collect::<Vec<_>>().join("&");
    let plain = canonizer("");
    taken(&plain, &format!("http://h/?{}", query("a", 64)), &format!("http://h/?{}", query("a", 64)));
    let many = format!("http://h/?{}", query("a", 65));
    ignored(&plain, &many, Reason::EndlessPath, &many);
    taken(&plain, &format!("http://h/?{}&x", query("utm_", 5000)), "http://h/?x");
    taken(&canonizer("[[rule]]\noptional=['x']"), &format!("{many}&x"), "http://h/?x");
    let fills = canonizer(&format!("[[rule]]\ndefault = {{ x = '{}' }}", "y".repeat(5000)));
    ignored(&fills, "http://h/?a=1&x2", Reason::EndlessPath, "http://h/?a=1&x2");
    let none = Limits { path_repeats: 0, path_segments: u64::MAX, ..Limits::default() };
    let strict = Canonizer::new(RuleBook::default(), &none);
    taken(&strict, "http://h/a/b", "http://h/a/b");
    ignored(&strict, "http://h/a/a", Reason::EndlessPath, "http://h/a/a");
}

#[test]
fn other_schemes_only_lose_their_fragment() {
    let plain = canonizer("");
    taken(&plain, "mailto:a@b.org?subject=b&body=a#x", "mailto:a@b.org?subject=b&body=a");
    taken(&plain, "data:,x/x/x/x/x/x", "data:,x/x/x/x/x/x");
}

#[test]
fn hostile_addresses_cost_linear_time() {
    let canonizer = canonizer(TISK);
    for text in [
        format!("http://h/tisk.php?{}", "a=1&clanek=2&".repeat(100_000)),
        format!("http://h/{}", "a/".repeat(500_000)),
        format!("http://h/{}", ";sid=1".repeat(200_000)),
        format!("http://h/?{}", "%".repeat(1_000_000)),
    ] {
        let given = url(&text);
        let start = Instant::now();
        canonizer.canon(&given);
        assert!(start.elapsed() < Duration::from_secs(20), "{} took {:?}", &text[..30], start.elapsed());
    }
}

#[test]
fn a_malformed_address_is_kept_under_a_fingerprint_of_its_own() {
    let (text, fp) = malformed(" http://[\n");
    assert_eq!(text, "http://[");
    assert_eq!(malformed("http://[").1, fp);
    assert_ne!(malformed("http://]").1, fp);
    assert_ne!(fp, Fp::hash_bytes(text.as_bytes()));
    let long = "ř".repeat(5000);
    assert_eq!(malformed(&long).0.len(), 4096);
    assert!(malformed(&format!("x{long}")).0.len() < 4096, "cut between letters");
    assert_ne!(malformed(&long).1, malformed(&format!("{long}x")).1, "all of it is told apart");
    assert_eq!(malformed("").0, "");
}

const NAMES: &[&str] = &["a", "b", "c d", "utm_id", "utm_x", "sid", "č", "a=", "phpsessid"];

fn rule() -> impl Strategy<Value = Rule> {
    let text = |all: &'static [&'static str]| prop::sample::select(all).prop_map(str::to_owned);
    let roles = prop::collection::btree_map(prop::sample::select(NAMES), 0..7_u8, 0..6);
    let path = text(&["*", "/x*", "/x", "*/y", "/", "/x;v"]);
    let value = text(&["", "1", "2", "a b", "%", "+", "č&"]);
    (roles, path, prop::bool::weighted(0.1), value, prop::option::of(text(&["h", "*.org"]))).prop_map(
        |(roles, path, ignore, value, host)| {
            let mut rule = Rule { path, host, ignore, ..Rule::default() };
            for (name, role) in roles.into_iter().filter(|_| !ignore) {
                let name = name.to_owned();
                match role {
                    0 => rule.required.push(name),
                    1 => rule.one_of.entry(name).or_default().extend([value.clone(), "1".to_owned()]),
                    2 => rule.optional.push(name),
                    3 => drop(rule.default.insert(name, value.clone())),
                    4 => rule.drop.push(name),
                    5 => rule.drop.push(format!("{name}?*")),
                    _ => {}
                }
            }
            rule
        },
    )
}

fn address() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        &[
            "a",
            "a=",
            "a=1",
            "a=2",
            "b=a+b",
            "b=a%20b",
            "%62=1",
            "c+d=1",
            "c%20d",
            "utm_id=1",
            "UTM_X=2",
            "utm%5fx",
            "",
            "=",
            "=1",
            "sid=3",
            "%C4%8D=%25",
            "č=č%26",
            "a%3D=+",
            "PHPSESSID=1",
            "%",
            "%f",
            "%ff=%FF",
            "z='\"<>",
            "a==",
            "?",
        ][..],
    );
    let query = prop::option::of(prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.join("&")));
    let path = prop::sample::select(
        &[
            "",
            "/",
            "/x",
            "/x/y",
            "/x;jsessionid=1",
            "/x;v;sid=2/y",
            "/..;sid=1/x",
            "/x/.;sid=1",
            "//",
            "/;sid=1/",
            "/x/x/x/x",
            "/x/x/x/x;sid=1",
            "/x/%2e;sid=;sid=/y",
            "/x;;sid=1;",
            "/^;sid=1/x",
            "/\\;sid=1\\x",
        ][..],
    );
    let head = prop::sample::select(&["http://h", "https://u:p@a.org:443", "http://u@A.org.:81", "http://[::1]"][..]);
    let tail = prop::sample::select(&["", "#", "#f?a=1"][..]);
    (head, path, query, tail).prop_map(|(head, path, query, tail)| match query {
        Some(query) => format!("{head}{path}?{query}{tail}"),
        None => format!("{head}{path}{tail}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn canon_is_idempotent_and_ends_where_its_steps_end(rules in prop::collection::vec(rule(), 0..3), text in address(),
        noise in prop::sample::subsequence(&["utm_*", "sid", "*", "phpsessid"][..], 0..=2), tight: bool) {
        let noise: Vec<String> = noise.into_iter().map(str::to_owned).collect();
        let limits = if tight { Limits { query_params: 2, url_bytes: 40, ..Limits::default() } } else { Limits::default() };
        let canonizer = Canonizer::new(RuleBook::new(rules, &noise).unwrap(), &limits);
        let _ = canon(&canonizer, &text);
    }

    #[test]
    fn the_order_of_parameters_never_matters(mut pieces in prop::collection::vec("[ab%=+2]{0,4}", 0..6), rule in rule()) {
        let canonizer = Canonizer::new(RuleBook::new(vec![rule], &["utm_*".to_owned()]).unwrap(), &Limits::default());
        let one = canon(&canonizer, &format!("http://h/x?{}", pieces.join("&")));
        pieces.reverse();
        prop_assert_eq!(one, canon(&canonizer, &format!("http://h/x?{}", pieces.join("&"))));
    }

    #[test]
    fn canon_is_total_on_anything_that_parses(text in "(http://h/|https:|data:|//)?.{0,40}") {
        if let Ok(url) = Url::parse(&text) {
            let _ = canon(&canonizer(TISK), url.as_str());
        }
        malformed(&text);
    }
}
