//! What came of a page: its elements as markup, and a picture if one is wanted.
//!
//! The markup is read in a world of our own beside the page's scripts, which cannot change what `outerHTML` means there. Shadow
//! trees are put in place, so that their text is where it is seen; `noscript` goes, since scripts ran.

use std::time::Duration;

use serde_json::{Value, json};

use crate::Blind;
use crate::tab::Tab;

/// The longest that reading a page may take once it has come to rest.
const READING: Duration = Duration::from_secs(30);
/// A page that does not even stop is given up sooner.
const STOPPING: Duration = Duration::from_secs(5);

/// Put into every page before its own scripts: nobody asks, nobody prints, nobody opens windows, nobody stays behind. (A loop of
/// dialogs, each dismissed, cannot be stopped from outside; one of these can.)
pub(crate) const BEFORE: &str = r"(() => {
    window.alert = () => {};
    window.confirm = () => false;
    window.prompt = () => null;
    window.print = () => {};
    window.open = () => null;
    try { delete Navigator.prototype.serviceWorker; } catch {}
})();";

const READER: &str = r"((most) => {
    const mark = 'groma-' + Math.random().toString(36).slice(2) + '-';
    const trees = [];
    const prepare = (root) => {
        for (const unseen of root.querySelectorAll('noscript')) unseen.remove();
        for (const host of root.querySelectorAll('*')) {
            const tree = host.shadowRoot;
            if (!tree || trees.length >= 20000) continue;
            const at = trees.push('') - 1;
            prepare(tree);
            trees[at] = tree.innerHTML;
            host.prepend(document.createComment(mark + at));
        }
    };
    try { prepare(document); } catch {}
    const root = document.documentElement;
    let html = root ? root.outerHTML : '';
    if (trees.length) {
        const place = new RegExp('<!--' + mark + '(\\d+)-->', 'g');
        const whole = (text) => text.replace(place, (_, at) => whole(trees[at]));
        try { html = whole(html); } catch {}
    }
    html = (document.doctype ? '<!DOCTYPE html>' : '') + html;
    return { html: html.slice(0, most).toWellFormed(), cut: html.length > most, url: location.href };
})";

/// What was begun before is done, and then there was a moment with nothing to do.
const IDLE: &str = "new Promise((done) => setTimeout(() => requestIdleCallback(() => done(0), { timeout: 2000 }), 0))";

/// A page as markup.
pub(crate) struct Captured {
    pub(crate) html: String,
    pub(crate) cut: bool,
    pub(crate) url: String,
}

impl Tab {
    /// Stops the page's scripts, which would not come to rest.
    pub(crate) async fn stop(&mut self) -> Result<(), Blind> {
        self.converse("Runtime.terminateExecution", json!({}), STOPPING).await?;
        self.converse("Emulation.setScriptExecutionDisabled", json!({ "value": true }), STOPPING).await?;
        // A loop that was begun anew between the two.
        self.converse("Runtime.terminateExecution", json!({}), STOPPING).await.map(drop)
    }

    /// Waits until the page has nothing at hand to do, however busy the machine is.
    pub(crate) async fn idle(&mut self, patience: Duration) -> Result<(), Blind> {
        let world = self.world(patience).await?;
        let question = json!({ "expression": IDLE, "contextId": world, "awaitPromise": true, "returnByValue": true });
        self.converse("Runtime.evaluate", question, patience).await.map(drop)
    }

    /// A world of our own beside the page's scripts.
    pub(crate) async fn world(&mut self, patience: Duration) -> Result<Value, Blind> {
        let world = json!({ "frameId": self.frame, "worldName": "groma" });
        Ok(self.converse("Page.createIsolatedWorld", world, patience).await?["executionContextId"].take())
    }

    /// Reads the page, up to `most` characters.
    pub(crate) async fn capture(&mut self, most: u64) -> Result<Captured, Blind> {
        let world = self.world(READING).await?;
        let question = json!({
            "expression": format!("{READER}({most})"),
            "contextId": world,
            "returnByValue": true,
            "timeout": READING.as_millis() as u64,
        });
        let mut answer = self.converse("Runtime.evaluate", question, READING).await?;
        let found = &mut answer["result"]["value"];
        let Value::String(html) = found["html"].take() else { return Err(Blind::Stuck) };
        let url = found["url"].as_str().unwrap_or_default().to_owned();
        Ok(Captured { html, cut: found["cut"] == json!(true), url })
    }

    /// A picture of the whole page, no higher than this, as PNG.
    pub(crate) async fn picture(&mut self, most_high: u64) -> Result<Vec<u8>, Blind> {
        let sizes = self.converse("Page.getLayoutMetrics", json!({}), READING).await?;
        let side = |name: &str| sizes["cssContentSize"][name].as_f64().unwrap_or(0.0).max(1.0);
        let clip = json!({
            "x": 0, "y": 0, "scale": 1,
            "width": side("width").min(4096.0), "height": side("height").min(most_high as f64),
        });
        let question = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let answer = self.converse("Page.captureScreenshot", question, READING).await?;
        let data = answer["data"].as_str().unwrap_or_default();
        data_encoding::BASE64.decode(data.as_bytes()).map_err(|_| Blind::Refused("a picture that is none".into()))
    }
}
