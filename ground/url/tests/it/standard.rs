//! Do all cases of the URL standard pass? They are those of the web platform tests (urltestdata.json), read where they lie next
//! to the repository. None is excepted. `cases.rs` has some of every kind for where they do not lie there.

use std::path::Path;

use groma_url::Url;
use groma_url::form_urlencoded::Serializer;
use serde_json::Value;

use super::as_scripts_see;

/// What is wrong, if something is.
fn differs(case: &Value) -> Option<String> {
    let text = |key: &str| case.get(key).and_then(Value::as_str);
    let input = text("input").unwrap();
    let base = text("base").map(Url::parse);
    let parsed = match &base {
        Some(Err(error)) => Err(*error),
        Some(Ok(base)) => Url::parse_with_base(input, Some(base)),
        None => Url::parse(input),
    };
    let url = match (parsed, case.get("failure").is_some()) {
        (Err(_), true) => {
            // Some of what fails alone is a fine reference, to a base of its own scheme at least.
            let against = |base: &str| Url::parse_with_base(input, Some(&Url::parse(base).unwrap())).is_ok();
            let web = || against("http://example.org/") || against("https://example.org/");
            let wrong = match text("relativeTo") {
                Some("any-base") => !web() || !against("sc://h/") || !against("mailto:x"),
                Some("non-opaque-path-base") => !web() || against("mailto:x"),
                _ => false,
            };
            return wrong.then(|| "is wrong as a reference".to_owned());
        }
        (Ok(url), true) => return Some(format!("should fail, gives {url}")),
        (Err(error), false) => return Some(error.to_string()),
        (Ok(url), false) => url,
    };
    let parts = as_scripts_see(&url);
    if let Some((key, got)) = parts.iter().find(|(key, got)| text(key).is_some_and(|expected| expected != got)) {
        return Some(format!("{key} is {got}, should be {}", text(key).unwrap()));
    }
    let pairs = Serializer::default().extend_pairs(url.query_pairs()).finish();
    if text("searchParams").is_some_and(|expected| expected != pairs) {
        return Some(format!("the pairs are {pairs}"));
    }
    (Url::parse(url.as_str()) != Ok(url)).then(|| "does not parse again to the same".to_owned())
}

#[test]
fn all_cases_of_the_url_standard_pass() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/urls/urltestdata.json");
    let Ok(text) = std::fs::read_to_string(file) else { return };
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    let cases: Vec<&Value> = all.iter().filter(|case| case.is_object()).collect();
    assert!(cases.len() >= 800, "{} cases", cases.len());
    let failed = cases.iter().filter_map(|case| Some((differs(case)?, &case["input"], &case["base"])));
    let failed: Vec<_> = failed.map(|(what, input, base)| format!("{input} against {base}: {what}")).collect();
    assert!(failed.is_empty(), "{} of {} fail:\n{}", failed.len(), cases.len(), failed.join("\n"));
}
