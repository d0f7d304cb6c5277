//! The pipe to a browser: messages of JSON, each ended by a zero byte. Two threads carry them; commands are numbered and wait for
//! their answers, events go to the tab whose session they name.
//!
//! Everything here ends when the pipe does: whoever waits is told at once.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc as std_mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::Blind;
use crate::news::{Event, News};

/// A longer message is no message: the browser is given up.
const MESSAGE_AT_MOST: u64 = 256 << 20;

/// Our end of the pipe to the browser.
pub(crate) struct Wire {
    out: Mutex<Option<std_mpsc::Sender<Vec<u8>>>>,
    state: Mutex<State>,
    sent: AtomicU64,
}

#[derive(Default)]
struct State {
    asked: HashMap<u64, oneshot::Sender<Result<Value, String>>>,
    sessions: HashMap<String, mpsc::Sender<News>>,
    over: bool,
}

impl Wire {
    /// Speaks over `to`, listens to `from`. `ended` is called by the listening thread when it is over.
    pub(crate) fn new(
        to: impl Write + Send + 'static,
        from: impl Read + Send + 'static,
        ended: impl FnOnce() + Send + 'static,
    ) -> Arc<Wire> {
        let (out, lines) = std_mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || speak(to, &lines));
        let wire = Arc::new(Wire { out: Mutex::new(Some(out)), state: Mutex::default(), sent: AtomicU64::new(0) });
        let listener = Arc::clone(&wire);
        std::thread::spawn(move || {
            listener.listen(BufReader::new(from));
            listener.hang_up();
            ended();
        });
        wire
    }

    /// Says something and waits for the answer.
    pub(crate) async fn ask(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        patience: Duration,
    ) -> Result<Value, Blind> {
        let (answer, waiting) = oneshot::channel();
        let number = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        {
            let mut state = self.state();
            if state.over {
                return Err(Blind::Died);
            }
            state.asked.insert(number, answer);
        }
        self.send(number, session, method, params);
        match timeout(patience, waiting).await {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(why))) => Err(Blind::Refused(format!("{method}: {why}"))),
            Ok(Err(_)) => Err(Blind::Died),
            Err(_) => {
                self.state().asked.remove(&number);
                Err(Blind::Stuck)
            }
        }
    }

    /// Says something whose answer does not matter.
    pub(crate) fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        let number = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        self.send(number, session, method, params);
    }

    /// Events of this session go to this tab.
    pub(crate) fn attend(&self, session: &str, tab: &mpsc::Sender<News>) {
        let mut state = self.state();
        if !state.over {
            state.sessions.insert(session.to_owned(), tab.clone());
        }
    }

    /// The session is no more.
    pub(crate) fn forget(&self, session: &str) {
        self.state().sessions.remove(session);
    }

    /// Is there still somebody at the other end?
    pub(crate) fn is_open(&self) -> bool {
        !self.state().over
    }

    /// Closes our end; the browser takes that as a reason to go.
    pub(crate) fn hang_up(&self) {
        let mut state = self.state();
        state.over = true;
        state.asked.clear();
        state.sessions.clear();
        drop(state);
        self.out.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn send(&self, number: u64, session: Option<&str>, method: &str, params: Value) {
        let mut message = json!({ "id": number, "method": method });
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut line = message.to_string().into_bytes();
        line.push(0);
        if let Some(out) = &*self.out.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = out.send(line);
        }
    }

    fn listen(&self, mut from: impl BufRead) {
        let mut message = Vec::new();
        loop {
            message.clear();
            let read = (&mut from).take(MESSAGE_AT_MOST).read_until(0, &mut message);
            if !read.is_ok_and(|bytes| bytes > 0) || message.pop() != Some(0) {
                return;
            }
            if let Some(value) = understood(&message) {
                self.hear(value);
            }
        }
    }

    fn hear(&self, mut message: Value) {
        let mut state = self.state();
        if let Some(number) = message["id"].as_u64() {
            let Some(waiting) = state.asked.remove(&number) else { return };
            let error = message["error"]["message"].as_str().map(str::to_owned);
            let _ = waiting.send(error.map_or_else(|| Ok(message["result"].take()), Err));
            return;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (session, method) = (text(&message["sessionId"]), text(&message["method"]));
        let Some(tab) = state.sessions.get(&session) else { return };
        let event = Event { session: session.clone(), method, params: message["params"].take() };
        // A page that says more than can be listened to is not listened to any more; its tab ends.
        if tab.try_send(News::Event(event)).is_err() {
            state.sessions.remove(&session);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn speak(mut to: impl Write, lines: &std_mpsc::Receiver<Vec<u8>>) {
    for line in lines {
        if to.write_all(&line).is_err() || to.flush().is_err() {
            return;
        }
    }
}

/// Half a character of UTF-16 has no place in JSON, but pages can make the browser say it.
fn understood(message: &[u8]) -> Option<Value> {
    serde_json::from_slice(message).ok().or_else(|| {
        let text = String::from_utf8_lossy(message);
        let mut fixed = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = rest.find("\\u") {
            let escaped = rest[..at].bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1;
            let digits = rest.get(at + 2..at + 6).and_then(|digits| u16::from_str_radix(digits, 16).ok());
            let half = !escaped && digits.is_some_and(|unit| (0xd800..0xe000).contains(&unit));
            fixed.push_str(&rest[..at]);
            fixed.push_str(if half { "\\ufffd" } else { &rest[at..at + 2] });
            rest = &rest[at + if half { 6 } else { 2 }..];
        }
        fixed.push_str(rest);
        serde_json::from_str(&fixed).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_do_not_make_a_message_unreadable() {
        let said = understood(br#"{"a":"x\ud83dy \\ud83d \u00e9"}"#).unwrap();
        assert_eq!(said["a"], "x\u{fffd}y \\ud83d \u{e9}");
        assert_eq!(understood(br#"{"a":"\ud83d\ude00"}"#).unwrap()["a"], "\u{1f600}");
        assert!(understood(b"{").is_none());
        assert!(understood(b"\"\\u").is_none());
    }

    #[test]
    fn whoever_waits_is_told_when_the_pipe_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let wire = Wire::new(std::io::sink(), std::io::empty(), || {});
        let patience = Duration::from_secs(5);
        let answer = runtime.block_on(wire.ask(None, "Browser.getVersion", json!({}), patience));
        assert_eq!(answer, Err(Blind::Died));
        assert!(!wire.is_open());
    }

    #[test]
    fn answers_find_whoever_asked() {
        let said = b"{\"id\":7,\"result\":{}}\0nonsense\0{\"id\":1,\"result\":{\"a\":1}}\0".to_vec();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let wire = Wire::new(std::io::sink(), reader, || {});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let answer = runtime.block_on(async {
            let asked = wire.ask(None, "x", json!({}), Duration::from_secs(5));
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(50));
                writer.write_all(&said).unwrap();
            });
            asked.await
        });
        assert_eq!(answer, Ok(json!({ "a": 1 })));
    }
}
