//! Is the description of the API true? Schemathesis reads it, asks what it allows and what it forbids, and compares.
//!
//! It is looked for in `target/tools/schemathesis` (`python3 -m venv target/tools/schemathesis`, then
//! `target/tools/schemathesis/bin/pip install schemathesis`) and among the commands; without it the test says so and passes.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::surveyed_by_people;

/// What it may answer to well-formed requests, beyond the usual: 422 is for what is well formed and cannot be taken (a URL
/// inside the house, a cursor of another list), 414 for URLs whose letters are few and whose bytes are many.
const CONFIG: &str = r#"
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "414", "422", "429", "431"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "414", "415", "422", "429", "431"]
"#;

fn tool() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = root.join("target/tools/schemathesis/bin/st");
    let known = own.is_file().then_some(own);
    known.or_else(|| Command::new("st").arg("--version").output().ok().map(|_| PathBuf::from("st")))
}

#[test]
fn the_description_is_true() {
    let Some(tool) = tool() else {
        println!("skipped: schemathesis is not there");
        return;
    };
    let (house, web, token) = surveyed_by_people();
    // A focused crawl to be listed, told step by step, and perhaps forgotten.
    let sites = house.with_token(&token, "GET", "/api/v1/sites", None).json();
    let name = sites["items"][0]["name"].as_str().unwrap().to_owned();
    let new = json!({ "topic": "borders of fields", "any_type": true });
    assert_eq!(house.with_token(&token, "POST", &format!("/api/v1/sites/{name}/focus"), Some(&new)).status, 201);
    house.until_idle(&name, Some(&token));
    // A gathering, likewise: of a form whose answers are pages of a town without one.
    let new = json!({ "address": format!("{}/ask", web.base()), "settings": { "delay": "0" } });
    assert_eq!(house.with_token(&token, "POST", &format!("/api/v1/sites/{name}/databases"), Some(&new)).status, 201);
    house.until_idle(&name, Some(&token));
    let known = house.with_token(&token, "GET", &format!("/api/v1/sites/{name}/databases/1"), None);
    assert!(known.status == 200 && known.json()["records"].as_u64() > Some(2), "{}", known.text());
    let config = house.home.join("schemathesis.toml");
    std::fs::write(&config, CONFIG).unwrap();
    let output = Command::new(tool)
        .current_dir(&house.home)
        .env("NO_COLOR", "1")
        .arg("--config-file")
        .arg(&config)
        .args(["run", &format!("http://{}/api/v1/openapi.json", house.at)])
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .args(["--checks", "all", "--max-examples", "12", "--seed", "7", "--workers", "1"])
        .args(["--phases", "examples,coverage,fuzzing,stateful", "--continue-on-failure", "--no-shrink"])
        .args(["--suppress-health-check", "all", "--warnings", "off", "--request-timeout", "30"])
        .args(["--exclude-path-regex", "/events$|^/metrics$"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}
