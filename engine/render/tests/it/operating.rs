//! Search boxes that only scripts read, operated by a real Chromium.

use crate::Stage;

fn hits(path: &str) -> Option<(&'static str, &'static str)> {
    path.starts_with("/api/").then_some(("application/json", "{\"hits\": [1, 2, 3]}"))
}

fn paths(urls: &[groma_url::Url]) -> Vec<String> {
    urls.iter().map(|url| url.as_str().replace("http://site.example", "")).collect()
}

/// Frameworks keep the value of a box themselves, and learn of a new one by events only.
const BOX: &str = "<p>harbour harbour harbour</p><label>Find ships <input id=q></label>
    <label>Flag <select id=flag><option value=''>any<option value=no>Norway<option value=se>Sweden</select></label>
    <label><input type=checkbox id=sail value=1> under sail</label>
    <button id=go>Go</button> <button id=next hidden>Next page</button>
    <script>
    let q = '', page = 1;
    const at = (id) => document.getElementById(id);
    const ask = async () => {
        let url = '/api/ships?q=' + q + '&flag=' + at('flag').value + (page > 1 ? '&page=' + page : '');
        if (at('sail').checked) url += '&sail=1';
        await (await fetch(url)).json();
        at('next').hidden = false;
    };
    at('q').addEventListener('input', (event) => { q = event.target.value; });
    at('go').onclick = () => { page = 1; ask(); };
    at('next').onclick = () => { page += 1; ask(); };
    at('flag').onchange = () => { page = 1; ask(); };
    </script>";

#[test]
fn a_search_box_is_typed_into_and_all_beside_it_is_tried() {
    let Some(stage) = Stage::new(hits) else { return };
    let seen = stage.operated(BOX);
    assert_eq!((seen.label.as_deref(), seen.word.as_str()), (Some("Find ships"), "harbour"));
    assert_eq!(paths(&seen.asked), ["/api/ships?q=harbour&flag="]);
    assert_eq!(paths(&seen.more), ["/api/ships?q=harbour&flag=&page=2"]);
    let [flag, sail] = &seen.controls[..] else { panic!("{:?}", seen.controls) };
    assert_eq!((flag.label.as_str(), flag.tried, flag.values.len()), ("Flag", 2, 3));
    assert_eq!(paths(&flag.asked), ["/api/ships?q=harbour&flag=se"]);
    assert!(sail.is_box && paths(&sail.asked) == ["/api/ships?q=harbour&flag=&sail=1"], "{sail:?}");
    assert!(seen.view.html.contains("Find ships") && !seen.view.html.contains("value=\"harbour\""));
}

#[test]
fn what_is_sent_by_enter_and_what_is_asked_while_somebody_types_is_seen() {
    let Some(stage) = Stage::new(hits) else { return };
    let enter = "<form role=search onsubmit=\"event.preventDefault(); fetch('/api/by-enter?s=' + this.s.value)\"><input name=s></form>";
    assert_eq!(paths(&stage.operated(enter).asked), ["/api/by-enter?s=a"]);
    let typing = "<input type=search oninput=\"fetch('/api/while?s=' + this.value)\">";
    assert!(paths(&stage.operated(typing).asked).contains(&"/api/while?s=a".to_owned()));
}

/// A table whose heads put it in order, with a pager of arrows, as a library of wide use has it: each request has a number of its own.
const TABLE: &str = "<label>Search: <input type=search id=q></label>
    <div><table><thead><tr><th><span role=button onclick=\"sort()\">Name</span></th></tr></thead></table></div>
    <nav aria-label=pagination><button aria-label=First aria-disabled=true>«</button><button>1</button><button onclick=\"to(1)\">2</button>
    <button aria-label=Next onclick=\"to(at + 1)\">›</button><button aria-label=Last onclick=\"to(9)\">»</button></nav>
    <script>
    let draw = 0, at = 0, order = 'asc', q = '';
    const ask = () => fetch(`/api/table?draw=${++draw}&order=${order}&start=${at * 10}&length=10&search=${q}`);
    const to = (page) => { at = page; ask(); };
    const sort = () => { order = order === 'asc' ? 'desc' : 'asc'; ask(); };
    document.getElementById('q').addEventListener('input', (event) => { q = event.target.value; at = 0; ask(); });
    ask();
    </script>";

#[test]
fn a_table_is_not_put_in_another_order_and_its_next_page_is_not_the_last() {
    let Some(stage) = Stage::new(hits) else { return };
    let seen = stage.operated(TABLE);
    assert_eq!(paths(&seen.asked), ["/api/table?draw=2&order=asc&start=0&length=10&search=name"]);
    assert_eq!(paths(&seen.more), ["/api/table?draw=3&order=asc&start=10&length=10&search=name"]);
}

#[test]
fn nothing_is_posted_and_nobody_signs_in() {
    let Some(stage) = Stage::new(hits) else { return };
    let posts = "<input type=search onchange=\"fetch('/api/post', { method: 'POST', body: this.value })\">";
    let seen = stage.operated(posts);
    assert!(seen.asked.is_empty() && paths(&seen.posted).contains(&"/api/post".to_owned()), "{:?}", seen.posted);
    assert!(stage.asked().is_empty());
    let login = "<form onsubmit=\"event.preventDefault(); fetch('/api/login?u=' + this.u.value)\">\
        <input name=u placeholder='User name or e-mail'><input type=password name=p><button>Sign in</button></form>";
    assert!(stage.operated(login).label.is_none());
    assert!(stage.operated("<p>No box.</p><script>for (;;) {}</script>").label.is_none());
}
