//! `gather --js auto`: a search box without a form, which only scripts read, by a real Chromium. Without one only its absence is tried.

use groma_testweb::{Answer, Ask, Server};
use serde_json::{Value, json};

use crate::Desk;
use crate::browser::is_missing;

const KINDS: [&str; 4] = ["inn", "mill", "bridge", "tower"];
const PLACES: usize = 137;
/// Places that an answer has at most, and those of a page.
const MOST: usize = 60;
const PAGE: usize = 10;

const PAGE_HTML: &str = "<!DOCTYPE html><html lang=en><head><title>Old places</title></head><body><div id=app></div>\
    <script src=/app.js></script></body></html>";

const APP: &str = r#"
const app = document.getElementById('app');
app.innerHTML = `<h1>Old places</h1><p>Places, places and more places.</p>
  <div role=search><label>Name of a place <input id=term></label>
  <label>Kind <select id=kind><option value="">any<option value=1>inn<option value=2>mill<option value=3>bridge<option value=4>tower</select></label>
  <button id=go>Search</button></div><ul id=hits></ul><button id=more hidden>More</button>`;
const at = (id) => document.getElementById(id);
let offset = 0;
async function ask(begin) {
  offset = begin;
  let url = `/api/v2/places?term=${encodeURIComponent(at('term').value)}&limit=10&_=${Date.now()}`;
  if (at('kind').value) url += `&kind=${at('kind').value}`;
  if (offset) url += `&offset=${offset}`;
  const found = await (await fetch(url)).json();
  at('hits').replaceChildren(...found.items.map((one) => { const li = document.createElement('li'); li.textContent = one.name; return li; }));
  at('more').hidden = offset + 10 >= found.total;
}
at('go').addEventListener('click', () => ask(0));
at('more').addEventListener('click', () => ask(offset + 10));
"#;

fn name(nth: usize) -> String {
    format!("Place {} of {}", ["Alder", "Birch", "Cedar", "Elm", "Fir"][nth % 5], 1000 + nth * 7)
}

fn answer(ask: &Ask) -> Answer {
    let url = groma_url::Url::parse("http://x.test").and_then(|base| base.join(&ask.path)).expect("a URL");
    let get = |name: &str| url.query_pairs().find(|(own, _)| own == name).map(|(_, value)| value.into_owned());
    match url.path() {
        "/" => Answer::html(PAGE_HTML),
        "/app.js" => Answer::typed("text/javascript", APP),
        "/api/v2/places" => {
            let term = get("term").unwrap_or_default().to_lowercase();
            let kind = get("kind").and_then(|kind| kind.parse::<usize>().ok());
            let number = |name: &str, usual| get(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
            let (offset, limit): (usize, usize) = (number("offset", 0), number("limit", PAGE).min(50));
            let fits = |nth: &usize| {
                name(*nth).to_lowercase().contains(&term) && kind.is_none_or(|kind| nth % KINDS.len() + 1 == kind)
            };
            let all: Vec<usize> = (0..PLACES).filter(fits).collect();
            let shown = all.iter().take(MOST).skip(offset).take(limit);
            let item = |nth: &usize| json!({ "id": nth, "name": name(*nth), "kind": KINDS[nth % KINDS.len()] });
            let items: Vec<Value> = shown.map(item).collect();
            Answer::typed("application/json", json!({ "total": all.len(), "items": items }).to_string())
        }
        _ => Answer::status(404),
    }
}

#[test]
fn what_a_search_box_asks_for_is_asked() {
    if is_missing() {
        return;
    }
    let (desk, server) = (Desk::new(), Server::start(answer));
    let home = format!("{}/", server.base());
    let words = |more: &[&'static str]| {
        let all =
            ["gather", &home, "--store", "d.groma", "-s", "delay=0", "-s", "limits.js_quiet_ms=200", "-f", "json"];
        [&all, more].concat().into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let run = |more: &[&'static str]| {
        let words = words(more);
        desk.run(&words.iter().map(String::as_str).collect::<Vec<&str>>())
    };
    let plain = run(&[]);
    assert_ne!(plain.code, 0, "there is no form: {}", plain.out);
    assert!(plain.err.contains("--js"), "the way out is named: {}", plain.err);
    let done = run(&["--js", "auto"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("the search box \"Name of a place\" asks"), "{}", done.err);
    let object = done.json().remove(0);
    let statement = &object["statement"];
    assert_eq!((&statement["rows"], &statement["certified"]), (&PLACES.into(), &true.into()), "{statement:#}");
    let names: std::collections::BTreeSet<&str> =
        object["values"]["name"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names.len(), PLACES);
}
