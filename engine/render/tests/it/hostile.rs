//! Pages that do not want to come to rest, that want out, or that want to stay.

use std::time::{Duration, Instant};

use groma_render::{Blind, Sort};

use crate::{Stage, nothing};

#[test]
fn loops_and_alerts_end_and_what_was_there_is_read() {
    let Some(stage) = Stage::new(nothing) else { return };
    for script in [
        "while (true) {}",
        "while (true) alert('x')",
        "setInterval(() => { while (true) {} }, 0)",
        "const f = () => Promise.resolve().then(f); f()",
        "setInterval(() => fetch('/poll').catch(() => 0), 20)",
        "onbeforeunload = () => 'stay'; confirm('x'); prompt('y'); print()",
    ] {
        let begun = Instant::now();
        let view = stage.seen(&format!("<p>was there<script>{script}</script>"));
        assert!(view.html.contains("was there"), "{script}: {}", view.html);
        assert!(begun.elapsed() < Duration::from_secs(20), "{script}: {:?}", begun.elapsed());
        // Whoever asks without end has either had its time or, on a quick machine, all that it may ask for.
        let ends: &[&str] = match script {
            _ if script.starts_with("onbefore") => continue,
            _ if script.contains("fetch") => &["js_ms", "js_requests"],
            _ => &["js_ms"],
        };
        assert!(view.cuts.iter().any(|cut| ends.contains(cut)), "{script}: {:?}", view.cuts);
    }
    assert_eq!(stage.browser.starts(), 1);
}

#[test]
fn nothing_gets_out_but_what_is_supplied() {
    let Some(stage) = Stage::new(nothing) else { return };
    let view = stage.seen(
        "<p>here<script>
         const say = (t) => document.body.append('[' + t + ']');
         fetch('/post', { method: 'POST', body: 'x' }).then(() => say('posted'), () => say('not posted'));
         fetch('/put', { method: 'PUT' }).then(() => say('put'), () => say('not put'));
         fetch('file:///etc/passwd').then(() => say('read'), () => say('not read'));
         navigator.sendBeacon('/beacon', 'x');
         new EventSource('/stream');
         try { new WebSocket('ws://127.0.0.1:9/').onopen = () => say('open'); } catch (e) {}
         say('serviceWorker' in navigator ? 'stays' : 'does not stay');
         for (let i = 0; i < 50; i++) say(window.open('/window' + i) ? 'opened' : 'shut');
         const frame = document.createElement('iframe'); document.body.append(frame);
         try { frame.contentWindow.open('/window'); } catch (e) {}
         const form = document.createElement('form'); form.method = 'post'; form.action = '/sent'; document.body.append(form);
         form.submit();
         </script>",
    );
    for piece in ["here", "[not posted]", "[not put]", "[not read]", "[does not stay]", "[shut]"] {
        assert!(view.html.contains(piece), "{piece}: {}", view.html);
    }
    for piece in ["[posted]", "[opened]", "[open]", "[read]"] {
        assert!(!view.html.contains(piece), "{piece}: {}", view.html);
    }
    assert_eq!(stage.asked(), Vec::<String>::new());
}

#[test]
fn a_page_that_goes_elsewhere_stays_and_says_where() {
    let Some(stage) = Stage::new(nothing) else { return };
    for (script, onward) in [
        ("location = '/there'", Some("http://site.example/there")),
        ("location.replace('http://other.example/')", Some("http://other.example/")),
        ("setInterval(() => location = '/r' + Math.random(), 10)", None),
        ("location = 'file:///etc/passwd'", None),
        ("location = 'data:text/html,gone'", None),
        ("location = 'about:blank'", None),
        ("history.pushState(0, '', '/pushed/page')", None),
    ] {
        let view = match stage.see(&format!("<p>stays<script>{script}</script>")) {
            // What leads nowhere on the web may leave nothing to read.
            Err(Blind::Refused(_)) if onward.is_none() => continue,
            view => view.unwrap_or_else(|blind| panic!("{script}: {blind}")),
        };
        assert!(view.url.as_str().starts_with("http://site.example/"), "{script}: {}", view.url);
        assert!(!view.html.contains("<body>gone") && !view.html.contains("root:"), "{script}: {}", view.html);
        let onwards: Vec<&str> =
            view.asked.iter().filter(|asked| asked.sort == Sort::Onward).map(|asked| asked.url.as_str()).collect();
        if let Some(onward) = onward {
            assert_eq!(onwards, [onward], "{script}");
            assert!(view.html.contains("stays"), "{script}: {}", view.html);
        }
    }
    let view = stage.seen("<script>history.pushState(0, '', '/pushed/page')</script><a href=x>x</a>");
    assert_eq!(view.url.as_str(), "http://site.example/pushed/page");
}

#[test]
fn large_pages_are_cut_and_too_large_ones_bring_down_their_tab_only() {
    let change = |limits: &mut groma_model::Limits| {
        (limits.js_ms, limits.js_memory_bytes, limits.page_bytes) = (20_000, 600 << 20, 1_000_000);
    };
    let Some(stage) = Stage::with(nothing, change, false) else { return };
    let many = "<p>many<script>document.body.insertAdjacentHTML('beforeend', '<i>x</i>'.repeat(1e6))</script>";
    match stage.see(many) {
        Ok(view) => assert!(view.cuts.contains(&"page_bytes") && view.html.len() <= 1_000_000, "{:?}", view.cuts),
        // A slow machine may not be able to set a million elements in time.
        Err(blind) => assert!(matches!(blind, Blind::Crashed | Blind::Stuck), "{blind}"),
    }
    let view = stage.seen("<p>image<script>new Image().src = 'data:image/png;base64,' + 'A'.repeat(2e7)</script>");
    assert!(view.html.contains("image"));
    let greedy = "<script>const kept = []; for (;;) kept.push({ at: kept.length, more: [kept.length] })</script>";
    match stage.see(greedy) {
        // A slow machine may not be able to take so much in time.
        Ok(view) => assert!(view.cuts.contains(&"js_ms"), "it needs more than there is: {:?}", view.cuts),
        Err(blind) => assert!(matches!(blind, Blind::Crashed | Blind::Stuck), "{blind}"),
    }
    assert!(stage.seen("<p>the next page").html.contains("the next page"));
}

#[test]
fn requests_of_one_page_are_counted() {
    let Some(stage) = Stage::with(nothing, |limits| limits.js_requests = 7, false) else { return };
    let view = stage.seen("<script>for (let i = 0; i < 100; i++) fetch('/' + i).catch(() => 0)</script>");
    assert_eq!((stage.asked().len(), view.cuts), (7, vec!["js_requests"]));
}
