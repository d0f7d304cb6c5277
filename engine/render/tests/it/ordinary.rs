//! Pages as they are: built, supplied, come to rest, read.

use groma_render::Sort;

use crate::{Stage, nothing};

fn shop(path: &str) -> Option<(&'static str, &'static str)> {
    match path {
        "/app.js" => Some((
            "text/javascript",
            "fetch('/data.json').then(r => r.json()).then(d => setTimeout(() => { document.body.append(d.text); \
             const a = document.createElement('a'); a.href = 'next'; document.body.append(a); }, 100));",
        )),
        "/data.json" => Some(("application/json", "{\"text\":\"built by a script \u{10d}\"}")),
        "/style.css" => Some(("text/css", "p { background: url(/background.png) }")),
        "/worker.js" => {
            Some(("text/javascript", "fetch('/data.json').then(r => r.text()).then(t => postMessage(t.length))"))
        }
        _ => None,
    }
}

#[test]
fn a_page_is_built_by_its_scripts_and_says_what_it_asked_for() {
    let Some(stage) = Stage::new(shop) else { return };
    let view = stage.seen(
        "<!DOCTYPE html><link rel=stylesheet href=/style.css><p>x<img src=/i.png><noscript>no scripts</noscript>\
         <iframe src=//other.example/frame></iframe><script src=/app.js></script>",
    );
    assert!(view.html.starts_with("<!DOCTYPE html><html>"), "{}", view.html);
    assert!(
        view.html.contains("built by a script \u{10d}") && view.html.contains("<a href=\"next\">"),
        "{}",
        view.html
    );
    assert!(!view.html.contains("no scripts"));
    assert_eq!(view.url.as_str(), "http://site.example/folder/page?x=1");
    assert!(view.cuts.is_empty(), "{:?}", view.cuts);
    let mut asked: Vec<(Sort, String)> = view.asked.iter().map(|a| (a.sort, a.url.to_string())).collect();
    asked.sort();
    let of = |sort, text: &str| (sort, text.to_owned());
    assert_eq!(
        asked,
        [
            of(Sort::Script, "http://site.example/app.js"),
            of(Sort::Style, "http://site.example/style.css"),
            of(Sort::Data, "http://site.example/data.json"),
            of(Sort::Image, "http://site.example/background.png"),
            of(Sort::Image, "http://site.example/i.png"),
            of(Sort::Frame, "http://other.example/frame"),
        ]
    );
    let mut fetched = stage.asked();
    fetched.sort();
    assert_eq!(
        fetched,
        ["http://site.example/app.js", "http://site.example/data.json", "http://site.example/style.css"]
    );
}

#[test]
fn shadow_trees_are_where_they_are_seen_and_workers_are_supplied() {
    let Some(stage) = Stage::new(shop) else { return };
    let view = stage.seen(
        "<div id=a><i>light</i></div><script>
         const tree = document.getElementById('a').attachShadow({ mode: 'open' });
         tree.innerHTML = '<b>dark <a href=/deep>x</a></b><div id=b></div><slot></slot>';
         tree.getElementById('b').attachShadow({ mode: 'open' }).innerHTML = '<u>deeper</u>';
         new Worker('/worker.js').onmessage = (m) => document.body.append('worker said ' + m.data);</script>",
    );
    for piece in ["<b>dark <a href=\"/deep\">x</a></b>", "<u>deeper</u>", "<i>light</i>", "worker said "] {
        assert!(view.html.contains(piece), "{piece}: {}", view.html);
    }
    assert!(!view.html.contains("<!--groma"), "{}", view.html);
}

#[test]
fn a_picture_shows_the_whole_page_up_to_a_height() {
    let Some(stage) = Stage::with(nothing, |limits| limits.picture_px = 3_000, true) else { return };
    let high = |html: &str| {
        let picture = stage.seen(html).picture.expect("a picture");
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"));
        u32::from_be_bytes(picture[20..24].try_into().unwrap())
    };
    assert_eq!(high("<!DOCTYPE html><body style='margin:0'><div style='height:2000px'>x</div>"), 2_000);
    assert_eq!(high("<!DOCTYPE html><body style='margin:0'><div style='height:200000px'>x</div>"), 3_000);
}
