//! A Chromium without a window, driven over the pipe of its DevTools protocol: messages of JSON that end with a zero
//! byte, sent on its file descriptor 3 and received on 4. No port is opened.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Nothing on a busy machine takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Chromium {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    profile: PathBuf,
    session: Option<String>,
    sent: u64,
    /// What the browser told without being asked.
    pub(crate) events: Vec<Value>,
}

impl Chromium {
    /// Starts one; nothing if none is installed.
    pub(crate) fn start(name: &str) -> Option<Chromium> {
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|program| {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
        });
        let Some(program) = program else {
            eprintln!("skipped: chromium is not installed");
            return None;
        };
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{name}-{}", std::process::id()));
        // The shell gives the pipes the numbers the browser wants.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null", program])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Chromium { child, to, from, profile, session: None, sent: 0, events: Vec::new() };
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
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if answer["id"] == json!(self.sent) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            if answer["id"].is_null() {
                self.events.push(answer);
            }
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let answer = self.ask("Runtime.evaluate", &json!({ "expression": expression, "returnByValue": true }));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.value(&format!("Boolean({expression})")) != json!(true) {
            assert!(begun.elapsed() < PATIENCE, "never came true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a file, with a fragment.
    pub(crate) fn open(&mut self, file: &Path, fragment: &str) {
        // Another fragment alone would not load the file again.
        self.ask("Page.navigate", &json!({ "url": "about:blank" }));
        self.wait_for("location.href === 'about:blank'");
        self.events.clear();
        self.ask("Page.navigate", &json!({ "url": format!("file://{}{fragment}", file.display()) }));
        self.wait_for("location.protocol === 'file:' && document.readyState === 'complete'");
    }

    /// Presses keys, one after the other.
    pub(crate) fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let text = (key.chars().count() == 1).then_some(*key);
            let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
            let code = match *key {
                "Enter" => 13,
                "Escape" => 27,
                "End" => 35,
                "Home" => 36,
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                _ => 0,
            };
            let mut down = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if let Some(text) = text {
                down["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", &down);
            self.ask("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }));
        }
    }

    /// Errors the page caused, and addresses it asked for besides itself.
    pub(crate) fn complaints(&self) -> Vec<String> {
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
