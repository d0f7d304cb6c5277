//! What went on behind a page? Errors, refused loads, requests to strangers and answers that failed, since they were last asked for.

use serde_json::{Value, json};

use super::Chromium;

impl Chromium {
    /// Opens a URL and waits until it is there; what was told before is kept.
    pub fn go(&mut self, address: &str) {
        self.value("window.groma_stays = true");
        let answer = self.ask("Page.navigate", &json!({ "url": address }));
        assert!(answer["errorText"].is_null(), "{address}: {}", answer["errorText"]);
        self.wait_for("typeof window.groma_stays === 'undefined' && document.readyState === 'complete'");
    }

    /// The value a promise in the page comes to.
    pub fn promised(&mut self, expression: &str) -> Value {
        let question = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", &question);
        assert!(answer["exceptionDetails"].is_null(), "{expression:.200}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Everything a page of a server should not cause, since the last time this was asked: errors and warnings in the console (a
    /// breach of the content policy is one), requests to anybody but the server, answers of 400 and above, loads that failed.
    pub fn troubles(&mut self, base: &str) -> Vec<String> {
        // What is under way is told before the next answer.
        self.value("0");
        let events = std::mem::take(&mut self.events);
        events.iter().filter_map(|event| trouble(event, base)).collect()
    }

    /// What the page shows and what happened last, for whoever wants to know why something did not.
    pub fn story(&mut self) -> String {
        let shown = "`${location.href} ${document.readyState}\n${document.body?.innerText.slice(0, 600)}`";
        let question = json!({ "expression": shown, "returnByValue": true });
        let shown = self.try_ask("Runtime.evaluate", &question);
        let mut story = match &shown {
            Ok(answer) => answer["result"]["value"].as_str().unwrap_or("no page").to_owned(),
            Err(error) => error.to_string(),
        };
        let last = self.events.len().saturating_sub(25);
        for event in &self.events[last..] {
            let told: String = event["params"].to_string().chars().take(300).collect();
            story += &format!("\n{} {told}", event["method"].as_str().unwrap_or_default());
        }
        story
    }
}

fn trouble(event: &Value, base: &str) -> Option<String> {
    let about = &event["params"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" => Some(event.to_string()),
        "Log.entryAdded" => {
            let entry = &about["entry"];
            let bad = matches!(entry["level"].as_str(), Some("error" | "warning"));
            bad.then(|| format!("{} ({})", text(&entry["text"]), text(&entry["url"])))
        }
        "Network.requestWillBeSent" => {
            let url = text(&about["request"]["url"]);
            let inside = url.starts_with(base) || ["data:", "about:", "blob:"].iter().any(|kind| url.starts_with(kind));
            (!inside).then(|| format!("a request to {url}"))
        }
        "Network.responseReceived" => {
            let status = about["response"]["status"].as_i64().unwrap_or(0);
            (status >= 400).then(|| format!("{status} for {}", text(&about["response"]["url"])))
        }
        // A page that is left takes its loads along.
        "Network.loadingFailed" => {
            let why = text(&about["errorText"]);
            (about["canceled"] != json!(true) && why != "net::ERR_ABORTED")
                .then(|| format!("{} of {}", why, about["type"]))
        }
        _ => None,
    }
}
