//! docs/check-catalogue.md says of every check what the program says of it. `GROMA_WRITE=1` writes it anew.

use serde_json::Value;

use crate::Desk;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check-catalogue.md");
const HEAD: &str = "# The catalogue of checks\n\
    Written by `GROMA_WRITE=1 cargo test -p groma --test it catalogue` from the definitions in [`ground/check/src/catalogue`](../ground/check/src/catalogue), \
    a file for each check. `groma check --list` prints the same; how checks are used stands in [checks.md](checks.md).\n\n\
    In the examples a line `@ URL` begins another page, lines `> Name: value` are the header of an answer; without them the page is \
    `https://a.example/`.\n";

#[test]
fn the_catalogue_is_documented_as_it_is() {
    let done = Desk::new().run(&["check", "--list", "-f", "json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let checks: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(checks.len() > 100);
    let document = document(&checks);
    if std::env::var_os("GROMA_WRITE").is_some() {
        std::fs::write(DOCUMENT, &document).unwrap();
    }
    let written = std::fs::read_to_string(DOCUMENT).unwrap_or_default();
    assert!(written == document, "docs/check-catalogue.md is not what the program says: GROMA_WRITE=1 writes it anew");
}

fn document(checks: &[Value]) -> String {
    let mut out = HEAD.to_owned();
    let mut families: Vec<&str> = checks.iter().map(|check| check["family"].as_str().unwrap_or_default()).collect();
    families.sort_unstable();
    families.dedup();
    families.sort_by_key(|family| std::cmp::Reverse(checks.iter().filter(|check| check["family"] == *family).count()));
    for family in families {
        let members = || checks.iter().filter(|check| check["family"] == family);
        out.push_str(&format!("\n## {family}\n| check | severity | finds | profiles |\n|---|---|---|---|\n"));
        for check in members() {
            let text = |key: &str| check[key].as_str().unwrap_or_default();
            let profiles: Vec<&str> =
                check["profiles"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let name = text("name");
            out.push_str(&format!(
                "| [`{name}`](#{name}) | {} | {} | {} |\n",
                text("severity"),
                text("headline"),
                profiles.join(", ")
            ));
        }
        for check in members() {
            let text = |key: &str| check[key].as_str().unwrap_or_default();
            out.push_str(&format!("\n### {}\n{}\n\n*Next:* {}.\n", text("name"), text("help"), text("next")));
            for (key, title) in [("fault", "Has it:"), ("fine", "Has not:")] {
                let example = check["example"][key].as_str().unwrap_or_default();
                // Long ones are texts again and again.
                if !example.is_empty() && example.len() < 400 {
                    out.push_str(&format!("\n{title}\n```html\n{}\n```\n", example.trim_end()));
                }
            }
        }
    }
    out
}
