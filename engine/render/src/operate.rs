//! What does the search box of a page ask for? A visitor's hand: it types a word, presses Enter, wants the next page, and sets the
//! lists and boxes beside it, each alone; after each step the page is given the time to come to rest.
//!
//! ```text
//! word     the words that the page itself has most often, then letters: the first that has a next page, else the first that is asked for
//! send     Enter; if nothing was asked for then, the nearest button; where the word was asked for while it was typed, one that says that it
//!          sends
//! next     the last link or button that says so, in words before arrows; without one the page is scrolled to its end
//! ```
//!
//! The hand looks from a world of its own beside the page's scripts and types as the browser does; nothing of the page is believed
//! but what stands where people see it. Cost: as many rests as steps, [`CONTROLS`] + 4 [`WORDS`] at most, and what the page asks for. Not guaranteed: a
//! box that opens only after a click is not found.

use std::sync::Arc;
use std::time::Duration;

use groma_model::Limits;
use groma_url::Url;
use serde_json::{Value, json};

use crate::Blind;
use crate::door::{Sort, Supply};
use crate::tab::{Shown, Tab, View};

/// Lists and boxes that are set.
const CONTROLS: usize = 8;
/// Words that are typed.
const WORDS: usize = 4;
/// The longest that the hand may take for a step, without what the page does then.
const STEP: Duration = Duration::from_secs(20);

/// What became of a page and its search box.
#[derive(Clone, Debug)]
pub struct Operated {
    /// The page before anybody touched it.
    pub view: View,
    /// What people read beside the box; nothing if there is none.
    pub label: Option<String>,
    /// What was typed.
    pub word: String,
    /// What the page asked for then.
    pub asked: Vec<Url>,
    /// What it asked for when the next page was wanted.
    pub more: Vec<Url>,
    pub controls: Vec<OperatedControl>,
    /// Where it would have posted something.
    pub posted: Vec<Url>,
}

/// A list or a box that was set otherwise.
#[derive(Clone, Debug)]
pub struct OperatedControl {
    /// What people read beside it.
    pub label: String,
    /// Its values, and what people read of each; a box has one.
    pub values: Vec<(String, String)>,
    /// Which of them was chosen.
    pub tried: usize,
    /// It is a box to tick.
    pub is_box: bool,
    /// What the page asked for then.
    pub asked: Vec<Url>,
}

/// The hand, once in the page.
const HAND: &str = include_str!("hand.js");

/// Shows a page, and operates its search box.
pub(crate) async fn operate<S: Supply>(
    tab: &mut Tab,
    page: &Shown,
    supply: &Arc<S>,
    limits: &Limits,
) -> Result<Operated, Blind> {
    let view = tab.see(page, supply, limits, false).await?;
    let mut seen = Operated {
        label: None,
        word: String::new(),
        asked: Vec::new(),
        more: Vec::new(),
        controls: Vec::new(),
        posted: Vec::new(),
        view,
    };
    // A page that did not come to rest was stopped: nothing answers there any more.
    if seen.view.cuts.contains(&"js_ms") {
        return Ok(seen);
    }
    tab.converse("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }), STEP).await?;
    let world = tab.world(STEP).await?;
    let mut hand = Hand { tab, world, page, supply, limits, posted: Vec::new() };
    let found = hand.does(HAND).await?;
    let Some(label) = found["label"].as_str() else { return Ok(seen) };
    seen.label = Some(label.to_owned());
    for word in found["words"].as_array().into_iter().flatten().filter_map(Value::as_str).take(WORDS) {
        let asked = hand.searches(word).await?;
        hand.does("gromaHand.more()").await?;
        let more = hand.rests().await?;
        let goes_on = has_word(&more, word);
        if goes_on || !has_word(&seen.asked, &seen.word) {
            word.clone_into(&mut seen.word);
            (seen.asked, seen.more) = (asked, more);
        }
        if goes_on {
            break;
        }
    }
    for (nth, control) in found["controls"].as_array().into_iter().flatten().take(CONTROLS).enumerate() {
        seen.controls.extend(hand.sets(nth, control, &seen.word).await?);
    }
    seen.posted = hand.posted;
    seen.posted.dedup();
    Ok(seen)
}

/// The hand, in its world.
struct Hand<'t, S> {
    tab: &'t mut Tab,
    world: Value,
    page: &'t Shown,
    supply: &'t Arc<S>,
    limits: &'t Limits,
    posted: Vec<Url>,
}

impl<S: Supply> Hand<'_, S> {
    /// Sets a control otherwise, searches, and sets it back.
    async fn sets(&mut self, nth: usize, control: &Value, word: &str) -> Result<Option<OperatedControl>, Blind> {
        let tried = self.does(&format!("gromaHand.set({nth})")).await?;
        let Some(tried) = tried.as_u64() else { return Ok(None) };
        let mut asked = self.rests().await?;
        if !has_word(&asked, word) {
            asked = self.searches(word).await?;
        }
        self.does(&format!("gromaHand.set_back({nth})")).await?;
        self.rests().await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let values = control["values"].as_array().into_iter().flatten();
        Ok(Some(OperatedControl {
            label: text(&control["label"]),
            values: values.map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
            tried: tried as usize,
            is_box: control["box"] == json!(true),
            asked,
        }))
    }

    /// Types a word, and sends it.
    async fn searches(&mut self, word: &str) -> Result<Vec<Url>, Blind> {
        self.does("gromaHand.point()").await?;
        self.tab.converse("Input.insertText", json!({ "text": word }), STEP).await?;
        // Some ask while a word is typed, after a moment.
        let mut asked = self.rests().await?;
        for (kind, text) in [("keyDown", "\r"), ("keyUp", "")] {
            let mut key = json!({ "type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13 });
            if !text.is_empty() {
                key["text"] = json!(text);
            }
            self.tab.converse("Input.dispatchKeyEvent", key, STEP).await?;
        }
        let sent = self.rests().await?;
        let (is_asked, is_sent) = (has_word(&asked, word), has_word(&sent, word));
        asked.extend(sent);
        if !is_sent && self.does(&format!("gromaHand.press({is_asked})")).await? == json!(true) {
            asked.extend(self.rests().await?);
        }
        Ok(asked)
    }

    /// Lets the page come to rest; the data it asked for meanwhile.
    async fn rests(&mut self) -> Result<Vec<Url>, Blind> {
        self.tab.rest(self.page, self.supply, self.limits, false).await?;
        let mut data = Vec::new();
        for asked in std::mem::take(&mut self.tab.asked) {
            match asked.sort {
                Sort::Data => data.push(asked.url),
                Sort::Posted => self.posted.push(asked.url),
                _ => {}
            }
        }
        Ok(data)
    }

    async fn does(&mut self, what: &str) -> Result<Value, Blind> {
        let question = json!({
            "expression": what,
            "contextId": self.world,
            "returnByValue": true,
            "timeout": STEP.as_millis() as u64,
        });
        let mut answer = self.tab.converse("Runtime.evaluate", question, STEP).await?;
        Ok(answer["result"]["value"].take())
    }
}

fn has_word(asked: &[Url], word: &str) -> bool {
    asked.iter().any(|url| url.query_pairs().any(|(_, value)| value.eq_ignore_ascii_case(word)))
}
