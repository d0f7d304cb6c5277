//! A Chromium without a window, driven over the pipe of its DevTools protocol: messages of JSON that end with a zero
//! byte, sent on its file descriptor 3 and received on 4. No port is opened. Whatever goes wrong panics: this is for tests.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

mod hands;
mod watch;

/// Nothing on a busy machine takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    profile: PathBuf,
    session: Option<String>,
    sent: u64,
    /// What the browser told without being asked.
    pub events: Vec<Value>,
    /// Dialogs that opened, as `kind: message`. Each is answered with yes at once: a page stands still until then.
    pub dialogs: Vec<String>,
}

impl Chromium {
    /// Starts one; nothing if none is installed.
    pub fn start(name: &str) -> Option<Chromium> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|program| {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
        });
        let Some(program) = program else {
            eprintln!("skipped: chromium is not installed");
            return None;
        };
        let profile = std::env::temp_dir().join(format!("chromium-{name}-{}", std::process::id()));
        // The shell gives the pipes the numbers the browser wants.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null", program])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let (to, out) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser =
            Chromium { child, to, from, profile, session: None, sent: 0, events: Vec::new(), dialogs: Vec::new() };
        let begun = Instant::now();
        let target = loop {
            let targets = browser.ask("Target.getTargets", &json!({}));
            let found = targets["targetInfos"].as_array().into_iter().flatten().find(|target| target["type"] == "page");
            if let Some(target) = found {
                break target["targetId"].clone();
            }
            assert!(begun.elapsed() < PATIENCE, "the browser has no page");
            std::thread::sleep(Duration::from_millis(50));
        };
        let session = browser.ask("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        let metrics = json!({ "width": 1280, "height": 1400, "deviceScaleFactor": 1, "mobile": false });
        browser.ask("Emulation.setDeviceMetricsOverride", &metrics);
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    pub fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.try_ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its answer, or for what is wrong with it: a page that goes away takes it along.
    pub fn try_ask(&mut self, method: &str, parameters: &Value) -> Result<Value, Value> {
        let asked = self.send(method, parameters);
        loop {
            let answer = self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if answer["id"] == json!(asked) {
                return if answer["error"].is_null() {
                    Ok(answer["result"].clone())
                } else {
                    Err(answer["error"].clone())
                };
            }
            if answer["id"].is_null() {
                self.note(answer);
            }
        }
    }

    /// Sends a command; its number.
    fn send(&mut self, method: &str, parameters: &Value) -> u64 {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        self.sent
    }

    fn note(&mut self, event: Value) {
        if event["method"] == "Page.javascriptDialogOpening" {
            let text = |key: &str| event["params"][key].as_str().unwrap_or_default().to_owned();
            self.dialogs.push(format!("{}: {}", text("type"), text("message")));
            self.send("Page.handleJavaScriptDialog", &json!({ "accept": true }));
        }
        self.events.push(event);
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let answer = self.ask("Runtime.evaluate", &json!({ "expression": expression, "returnByValue": true }));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let begun = Instant::now();
        let question = json!({ "expression": format!("Boolean({expression})"), "returnByValue": true });
        // While one page gives way to another there may be nobody to ask.
        while !self.try_ask("Runtime.evaluate", &question).is_ok_and(|answer| answer["result"]["value"] == json!(true))
        {
            assert!(begun.elapsed() < PATIENCE, "never came true: {expression}\n{}", self.story());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a file, with a fragment.
    pub fn open(&mut self, file: &Path, fragment: &str) {
        self.visit(&format!("file://{}{fragment}", file.display()));
    }

    /// Opens a URL and waits until it is there.
    pub fn visit(&mut self, address: &str) {
        // Another fragment alone would not load the page again.
        self.ask("Page.navigate", &json!({ "url": "about:blank" }));
        self.wait_for("location.href === 'about:blank'");
        self.events.clear();
        self.ask("Page.navigate", &json!({ "url": address }));
        self.wait_for("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    /// Does something in the page that leads to another one, and waits until that is there.
    pub fn follow(&mut self, expression: &str) {
        self.value("window.groma_stays = true");
        self.value(&format!("void ({expression})"));
        self.wait_for("typeof window.groma_stays === 'undefined' && document.readyState === 'complete'");
    }

    /// Switches the scripts of pages on or off.
    pub fn scripts(&mut self, on: bool) {
        self.ask("Emulation.setScriptExecutionDisabled", &json!({ "value": !on }));
    }

    /// Gives the window another size, and pages the dark or the light look.
    pub fn look(&mut self, width: u32, height: u32, dark: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.ask("Emulation.setDeviceMetricsOverride", &metrics);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.ask("Emulation.setEmulatedMedia", &media);
    }

    /// A picture of the page, as PNG in base64.
    pub fn picture(&mut self) -> String {
        let answer = self.ask("Page.captureScreenshot", &json!({ "format": "png", "captureBeyondViewport": true }));
        answer["data"].as_str().unwrap_or_default().to_owned()
    }

    /// Errors the page caused, and URLs it asked for besides itself.
    pub fn complaints(&self) -> Vec<String> {
        let of = |event: &Value| match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => Some(event.to_string()),
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
                (!url.starts_with("file:") && !url.starts_with("data:") && !url.starts_with("about:"))
                    .then(|| url.to_owned())
            }
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let begun = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && begun.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
