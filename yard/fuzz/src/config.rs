//! Does any text in groma.toml give rules that hold, or one sentence that says why not?
//!
//! Input: a line with a URL, then the file: `[[rule]]` tables, a list `noise`, lists `include` and `exclude`.

use groma_model::Limits;
use groma_model::url::{Canonizer, Pattern, Rule, RuleBook, Scope, ScopeKind};
use groma_url::Url;

pub fn config(data: &[u8]) {
    let (address, file) = crate::first_line(data);
    let Ok(mut file) = String::from_utf8_lossy(file).parse::<toml::Table>() else { return };
    let url = Url::parse(&String::from_utf8_lossy(address)).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let mut words =
        |key: &str| file.remove(key).and_then(|list| list.try_into::<Vec<String>>().ok()).unwrap_or_default();
    let (noise, include, exclude) = (words("noise"), words("include"), words("exclude"));
    if let Some(url) = &url {
        patterns(&include, &exclude, url);
    }
    let Some(Ok(rules)) = file.remove("rule").map(toml::Value::try_into::<Vec<Rule>>) else { return };
    written_again(&rules);
    match RuleBook::new(rules, &noise) {
        Err(error) => {
            let said = error.to_string();
            assert!(said.contains("rule") || said.contains("noise"), "an error names what is wrong: {said}");
        }
        Ok(book) => {
            let Some(url) = url else { return };
            crate::address::laws(&Canonizer::new(book, &Limits::default()), &url);
        }
    }
}

/// A rule that is written out reads as itself.
fn written_again(rules: &[Rule]) {
    for rule in rules {
        let text = toml::to_string(rule).expect("a rule can be written");
        assert_eq!(toml::from_str::<Rule>(&text).as_ref(), Ok(rule), "{text}");
    }
}

/// Patterns that compile match without panicking, and excluding outranks including.
fn patterns(include: &[String], exclude: &[String], url: &Url) {
    let read = |texts: &[String]| texts.iter().filter_map(|text| Pattern::parse(text).ok()).collect::<Vec<_>>();
    let (include, exclude) = (read(include), read(exclude));
    let shut = exclude.iter().any(|pattern| pattern.matches(url));
    let scope = Scope::new(ScopeKind::Host, std::slice::from_ref(url), include, exclude);
    assert!(!(shut && scope.judge(url).is_ok()), "an excluded URL is not taken: {url}");
    assert!(!scope.explain(url).is_empty());
}
