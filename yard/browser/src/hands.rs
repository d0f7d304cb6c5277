//! What do a person's hands do? Keys and clicks that go the way real ones go: a covered button cannot be clicked.

use serde_json::{Value, json};

use super::Chromium;

impl Chromium {
    /// Presses keys, one after the other; `Shift+Tab` is Tab with Shift held.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let (modifiers, key) = match key.strip_prefix("Shift+") {
                Some(key) => (8, key),
                None => (0, *key),
            };
            let single = key.chars().count() == 1;
            // Enter is a letter too: without it no form is sent and no link followed.
            let text = if single { Some(key) } else { (key == "Enter").then_some("\r") };
            let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
            let code = match key {
                "Tab" => 9,
                "Enter" => 13,
                "Escape" => 27,
                " " => 32,
                "End" => 35,
                "Home" => 36,
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                _ => 0,
            };
            let mut down = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
            if let Some(text) = text {
                down["text"] = json!(text);
            }
            let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
            self.ask("Input.dispatchKeyEvent", &down);
            // The page may be on its way to another one already.
            let _ = self.try_ask("Input.dispatchKeyEvent", &up);
        }
    }

    /// Clicks in the middle of the first element a selector names, as far as it is seen there and not covered.
    pub fn click(&mut self, selector: &str) {
        let at = self.press_on(selector);
        self.let_go(at);
    }

    /// Presses the button of the mouse on an element and keeps it down; where that was.
    pub fn press_on(&mut self, selector: &str) -> (f64, f64) {
        let quoted = json!(selector);
        let point = self.value(&format!(
            "(() => {{ const all = [...document.querySelectorAll({quoted})]; \
             const one = all.find((each) => each.getClientRects().length > 0); if (!one) return null; \
             one.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const box = one.getClientRects()[0]; const x = box.x + box.width / 2, y = box.y + box.height / 2; \
             const top = document.elementFromPoint(x, y); \
             const works = (each) => each.closest('a, button, summary, label, input, select') ?? each; \
             return {{ x, y, hit: top !== null && (one.contains(top) || works(one) === works(top)), top: top && top.outerHTML.slice(0, 200) }}; }})()"
        ));
        assert!(!point.is_null(), "nothing to click at: {selector}");
        assert_eq!(point["hit"], Value::Bool(true), "{selector} is covered by {}", point["top"]);
        let number = |key: &str| point[key].as_f64().expect("a place");
        let at = (number("x"), number("y"));
        self.mouse("mouseMoved", at);
        self.mouse("mousePressed", at);
        at
    }

    /// Lets the button of the mouse go.
    pub fn let_go(&mut self, at: (f64, f64)) {
        self.mouse("mouseReleased", at);
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let moves = kind == "mouseMoved";
        let button = if moves { "none" } else { "left" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": u8::from(!moves) });
        // The page may be on its way to another one already.
        let _ = self.try_ask("Input.dispatchMouseEvent", &event);
    }

    /// Clicks at what leads to another page, and waits until that is there.
    pub fn click_through(&mut self, selector: &str) {
        self.value("window.groma_stays = true");
        self.click(selector);
        self.arrive();
    }

    /// The same with a hand that keeps the button down until an expression is true.
    pub fn click_slowly(&mut self, selector: &str, until: &str) {
        self.value("window.groma_stays = true");
        let at = self.press_on(selector);
        self.wait_for(until);
        self.let_go(at);
        self.arrive();
    }

    /// Presses a key that leads to another page, and waits until that is there.
    pub fn press_through(&mut self, keys: &[&str]) {
        self.value("window.groma_stays = true");
        self.press(keys);
        self.arrive();
    }

    fn arrive(&mut self) {
        self.wait_for("typeof window.groma_stays === 'undefined' && document.readyState === 'complete'");
    }

    /// Puts a text into a box in place of what it holds, letter by letter as far as the page can tell.
    pub fn write_into(&mut self, selector: &str, text: &str) {
        let quoted = json!(selector);
        self.value(&format!(
            "(() => {{ const box = document.querySelector({quoted}); box.focus(); box.select(); }})()"
        ));
        if text.is_empty() {
            self.ask(
                "Input.dispatchKeyEvent",
                &json!({ "type": "rawKeyDown", "key": "Delete", "windowsVirtualKeyCode": 46 }),
            );
        } else {
            self.ask("Input.insertText", &json!({ "text": text }));
        }
    }

    /// Chooses an entry of a list by its value.
    pub fn choose(&mut self, selector: &str, value: &str) {
        let (selector, value) = (json!(selector), json!(value));
        self.value(&format!(
            "(() => {{ const list = document.querySelector({selector}); list.value = {value}; \
             list.dispatchEvent(new Event('input', {{ bubbles: true }})); list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
        assert_eq!(
            self.value(&format!("document.querySelector({selector})?.value ?? {value}")),
            value,
            "no such entry"
        );
    }
}
