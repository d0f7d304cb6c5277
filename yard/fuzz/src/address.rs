//! Does every URL have one canonical form, whatever the rules?
//!
//! Input: a byte that chooses rules and limits, then a base and a reference on a line each. If only one line is there,
//! it is the URL.

use std::sync::LazyLock;

use groma_model::url::{Canonizer, DEFAULT_NOISE, Rule, RuleBook, learn, malformed, registrable_domain, shape};
use groma_model::{Fp, Limits};
use groma_url::Url;

/// Every kind of rule, on hosts and paths that a fuzzer finds easily.
const RULES: [&str; 5] = [
    "",
    "[[rule]]\npath = '/tisk.php'\nrequired = ['clanek']\ndefault = { jazyk = 'cz' }\n[[rule]]\npath = '/a*'\ndrop = ['b*']",
    "[[rule]]\nhost = 'h'\none_of = { a = ['1', 'x y', ''] }\noptional = ['b', 'utm_source']\ndefault = { 'c&d' = '=#%' }",
    "[[rule]]\npath = '/x/*'\nignore = true\n[[rule]]\nhost = '*.h'\n[[rule]]\ndrop = ['a', '*z']",
    "[[rule]]\ndefault = { a = '', \"\u{e9}\" = \"\u{10d} +\" }\noptional = ['b']",
];

static CANONIZERS: LazyLock<Vec<Canonizer>> = LazyLock::new(|| {
    let noise: Vec<String> = DEFAULT_NOISE.iter().map(|&name| name.to_owned()).collect();
    let narrow = Limits { url_bytes: 40, path_segments: 3, path_repeats: 1, query_params: 2, ..Limits::default() };
    let books = RULES.iter().map(|text| {
        let mut file: toml::Table = text.parse().expect("these rules are TOML");
        let rules: Vec<Rule> =
            file.remove("rule").map(|rules| rules.try_into().expect("these are rules")).unwrap_or_default();
        RuleBook::new(rules, &noise).expect("these rules hold together")
    });
    let books = books.chain(RuleBook::new(Vec::new(), &[]));
    books.flat_map(|book| [Canonizer::new(book.clone(), &Limits::default()), Canonizer::new(book, &narrow)]).collect()
});

pub fn address(data: &[u8]) {
    let (chosen, text) = crate::choice(data);
    let (base, reference) = crate::first_line(text);
    let (base, reference) = (String::from_utf8_lossy(base), String::from_utf8_lossy(reference));
    let url = match (Url::parse(&base), reference.is_empty()) {
        (Ok(base), false) => base.join(&reference),
        (read, _) => read,
    };
    match url {
        Ok(url) => laws(&CANONIZERS[chosen % CANONIZERS.len()], &url),
        Err(_) => {
            let (kept, fp) = malformed(&base);
            assert!(kept.len() <= 4096 && base.contains(&kept), "what is kept is a piece of what was written");
            assert_ne!(fp, Fp::hash_bytes(kept.as_bytes()), "no URL has the fingerprint of something that is none");
        }
    }
}

/// What holds for every URL under every rule book. Also asked of books that the configuration target makes up.
pub(crate) fn laws(canonizer: &Canonizer, url: &Url) {
    let canon = canonizer.canon(url);
    let form = &canon.address.url;
    let again = canonizer.canon(form);
    assert_eq!((&again.address, &again.verdict), (&canon.address, &canon.verdict), "canon of canon of {url}");
    assert_eq!(again.linked, None, "canon of canon of {url} is linked as itself");
    if canon.verdict.is_ok() {
        let fetched = canonizer.canon(&canonizer.as_fetched(canon.as_linked()));
        assert_eq!(fetched.address, canon.address, "what is fetched for {url} is the same page");
    }
    assert_eq!(Url::parse(form.as_str()).as_ref(), Ok(form), "{url} gives a form that parses as itself");
    assert_eq!(canon.address.fp, Fp::hash_bytes(form.as_str().as_bytes()));
    let steps = canonizer.steps(url);
    assert_eq!(steps.last().map(|step| step.url_after.as_str()), Some(form.as_str()), "the steps lead there: {url}");
    assert_eq!(form.fragment(), None);
    if !matches!(form.scheme(), "http" | "https") {
        return;
    }
    assert!(form.username().is_empty() && form.password().is_none(), "no secret is kept of {url}");
    assert_eq!((form.scheme(), form.host(), form.port()), (url.scheme(), url.host(), url.port()), "same server");
    if let Some(query) = url.query() {
        let mut turned = url.clone();
        let pieces: Vec<&str> = query.split('&').rev().collect();
        turned.set_query(Some(&pieces.join("&")));
        let turned = canonizer.canon(&turned);
        let same = (&turned.address, &turned.verdict) == (&canon.address, &canon.verdict);
        assert!(same, "the order of parameters says nothing: {url}");
    }
    learned(form);
}

/// What the learner and the trap watch take from a canonical URL.
fn learned(url: &Url) {
    for name in learn::parameters(url) {
        let fp = learn::without(url, &name);
        assert!(fp.is_some(), "a parameter that is there can be left out: {name} of {url}");
    }
    let text = shape::shape_text(url);
    assert_eq!(shape::text_shape(&text), shape::shape(url), "a shape is what its text says: {url}");
    // A host of nothing but a dot is a URL for the standard and has no name for anybody.
    let named = url.host_str().is_some_and(|host| host.bytes().any(|byte| byte != b'.'));
    assert!(!named || !registrable_domain(url).is_empty(), "every named host has a domain: {url}");
}
