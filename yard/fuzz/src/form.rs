//! Is any form asked by the standard, and any answer read within its bounds?
//!
//! Input: a byte that chooses how it is read, then a page.

use groma_gather::answer::{propose, read};
use groma_gather::description::Description;
use groma_gather::form::{data_set, forms, key, request, tokens};
use groma_hel::{Bounds, Rule, Tree};
use groma_url::Url;

pub fn form(data: &[u8]) {
    let (chosen, bytes) = crate::choice(data);
    let text = String::from_utf8_lossy(bytes);
    let tree = Tree::parse(&text, &Bounds::default());
    let Ok(page) = Url::parse("http://h.test/dir/page?a=1") else { return };
    let charset = ["utf-8", "windows-1252", "shift_jis", "utf-16"][chosen % 4];
    if chosen & 4 == 0 {
        let found = forms(&tree, &page, charset);
        for form in &found {
            form.looks();
            for range in form.ranges() {
                assert_ne!(range.low, range.high);
            }
            let button = form.default_button();
            let set = data_set(form, &[("a", "1"), ("b", "2")], button);
            let secret = |name: &str| {
                let mut named = form.fields.iter().filter(|field| field.name == name).peekable();
                named.peek().is_some() && named.all(|field| field.kind.is_secret())
            };
            assert!(!set.iter().any(|(name, _)| secret(name)), "secrets are never sent");
            if let Some(request) = request(form, &set, button) {
                let names = tokens(form, form);
                assert_eq!(key(&request, &names), key(&request, &names));
                assert!(matches!(request.url.scheme(), "http" | "https"));
            }
        }
        let description = Description::of_page(&tree).unwrap_or_default();
        assert_eq!(Description::parse(&description.to_string()), description, "what is written is read back");
        if let Some(asking) = description.resolve(&found, &|url| url.host_str() == Some("h.test")) {
            assert!(asking.script.is_none_or(|script| script.host_str() == Some("h.test")));
        }
    } else {
        let rules = propose(&tree, None).unwrap_or_default();
        for (_, rule) in &rules {
            assert!(Rule::parse(rule).is_ok(), "{rule}");
        }
        let lines: String = rules.iter().map(|(name, rule)| format!("Result.{name}: {rule}\n")).collect();
        let answer = read(&tree, &page, charset, &Description::parse(&lines), &[("a", "1")]);
        assert!(rules.is_empty() || answer.records.len() >= 2, "{lines}");
        assert!(answer.shown.is_none_or(|(from, to)| from <= to));
        assert!(answer.next.iter().all(|request| request.url.origin() == page.origin()));
    }
}
