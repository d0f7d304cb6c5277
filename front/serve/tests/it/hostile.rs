//! Can a site that is surveyed do harm to whoever looks at it? Titles, links, URLs, languages, headers and robots.txt of a
//! hostile site, surveyed for real and shown on every page: nothing of it ever becomes markup, runs, or breaks the layout.

use groma_testweb::{Answer, Ask, Server};
use serde_json::json;

use crate::browser::Walk;
use crate::surveys::{bounded, focus_pages, focused, pages, surveyed};

/// Each would leave a mark: a variable, an element, a dialog.
const SPELLS: [&str; 10] = [
    "<script>window.harmed=1;alert(1)</script>",
    "\"><img src=x class=harm onerror=\"window.harmed=2;alert(2)\">",
    "'><svg class=harm onload='window.harmed=3'>",
    "</title></script></textarea><b class=harm>bold</b><script>window.harmed=4</script>",
    "javascript:window.harmed=5",
    "{{7*7}} ${7*7} <%= 7*7 %> {% include \"base.html\" %} #{7*7}",
    "\u{202e}desrever\u{202c} \u{2066}isolated\u{2069} \u{200f}\u{feff}",
    "&lt;b class=harm&gt;twice&lt;/b&gt; &amp;amp; --><b class=harm>",
    "👩‍👩‍👧‍👦🏳️‍🌈 z\u{0351}\u{036b}\u{0343}\u{036a}\u{0342}\u{036b}a\u{0347}\u{034e}l\u{0321}g\u{0321}o",
    "nul \0 and \u{1}\u{7f} controls",
];

/// What does not belong on a page of ours, if anything there does not. A box gives back what was typed into it as it was typed.
const HARM: &str = "(() => { const wrong = []; \
    if (typeof window.harmed !== 'undefined') wrong.push(`harmed ${window.harmed}`); \
    for (const one of document.querySelectorAll('.harm, [onerror], [onload], [onclick], [style], [src=x], base, object, embed, script:not([src])')) wrong.push(one.outerHTML.slice(0, 200)); \
    for (const one of document.querySelectorAll('a[href], form[action], iframe[src]')) { \
      const to = new URL(one.href?.baseVal ?? one.getAttribute('href') ?? one.getAttribute('action') ?? one.getAttribute('src'), location.href); \
      if (!['http:', 'https:'].includes(to.protocol)) wrong.push(one.outerHTML.slice(0, 200)); } \
    const whole = document.documentElement.cloneNode(true); whole.querySelectorAll('input').forEach((one) => one.removeAttribute('value')); \
    const turned = /[\\u202a-\\u202e\\u2066-\\u2069\\u0000\\ufeff]/.exec(whole.outerHTML); \
    if (turned) wrong.push('a sign that turns or hides text: ' + whole.outerHTML.slice(Math.max(0, turned.index - 100), turned.index + 50)); \
    if (/(^|[^0-9])49([^0-9]|$)/.test(document.querySelector('title').textContent)) wrong.push('a template was filled in'); \
    return wrong; })()";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

fn long() -> String {
    "Donaudampfschiff".repeat(625)
}

/// Every text of the site is a spell.
fn web() -> Server {
    Server::start(|ask: &Ask| {
        let number = ask
            .bare_path()
            .strip_prefix("/s/")
            .and_then(|rest| rest.split('/').next())
            .and_then(|n| n.parse::<usize>().ok());
        match (ask.bare_path(), number) {
            ("/robots.txt", _) => Answer::text(format!(
                "User-agent: *\nDisallow: /<script>window.harmed=6</script>\nDisallow: /closed\nCrawl-delay: <b class=harm>\n\
                 Sitemap: javascript:window.harmed=7\nSitemap: http://{}/sitemap.xml\n",
                ask.host
            )),
            ("/sitemap.xml", _) => Answer::typed(
                "application/xml",
                format!(
                    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://{}/lonely?a=&lt;script&gt;window.harmed=8&lt;/script&gt;</loc></url></urlset>",
                    ask.host
                ),
            ),
            ("/", _) => front(),
            ("/lonely", _) => Answer::html(page(SPELLS[0], "en")),
            ("/typed", _) => Answer::typed("text/<b class=harm>; charset=\"><script>window.harmed=9</script>", "plain"),
            ("/away", _) => Answer::redirect(302, "javascript:window.harmed=10"),
            ("/far", _) => Answer::redirect(301, "http://\"><script>window.harmed=11</script>/"),
            ("/fault", _) => Answer { status: 500, ..Answer::html(page(SPELLS[1], "en")) },
            ("/long", _) => Answer::html(page(&long(), "en")),
            (_, Some(n)) if n < SPELLS.len() => {
                let spell = SPELLS[n];
                Answer::html(page(spell, &escaped(spell)))
                    .with_header("Server", "<script>window.harmed=12</script>")
                    .with_header("Content-Language", "\"><b class=harm>")
                    .with_header("Last-Modified", "<img src=x class=harm onerror=alert(3)>")
                    .with_header("ETag", "\"<script>window.harmed=13</script>\"")
                    .with_header("X-Robots-Tag", "<b class=harm>")
            }
            _ => Answer::status(404),
        }
    })
}

fn front() -> Answer {
    let mut body = String::new();
    for (n, spell) in SPELLS.iter().enumerate() {
        let text = escaped(spell);
        // In a link's text, its title, its relation, its URL and a picture's name.
        body += &format!(
            "<p>{text} <a href=\"/s/{n}\" title=\"{text}\" rel=\"{text}\">{text}</a> \
            <a href=\"/dead/{n}/{text}?{text}#{text}\">{text}</a> <a href=\"{text}\">{text}</a><img src=\"/pictures/{n}?{text}\" alt=\"{text}\">"
        );
    }
    for path in [
        "/typed",
        "/away",
        "/far",
        "/fault",
        "/long",
        "/closed",
        "data:text/html,<script>alert(4)</script>",
        "//\"><b class=harm>/",
    ] {
        body += &format!("<a href=\"{}\">{}</a> ", escaped(path), long());
    }
    Answer::html(format!("{}{body}", page(SPELLS[3], "en")))
}

fn page(title: &str, lang: &str) -> String {
    let title = escaped(title);
    // Besides texts that are only texts, the page holds the same as markup that works, for whoever shows the stored copy.
    format!(
        "<!doctype html><html lang=\"{lang}\"><meta charset=utf-8><title>{title}</title><meta name=description content=\"{title}\">\
         <h1>{title}</h1><h2>{title}</h2><p>harmless words beside {title}</p><script>window.harmed=20;alert(20)</script>\
         <img src=x onerror=\"window.harmed=21\"><form action=/steal><button>Send</button></form>"
    )
}

#[test]
fn a_hostile_site_does_nothing_to_whoever_looks_at_it() {
    let web = web();
    let (house, name) = surveyed(&web);
    bounded(&house, &name, &format!("{}/s/3", web.base()));
    focused(&house, &name, &format!("harmless words {}", SPELLS[0]));
    let Some(mut walk) = Walk::begin("hostile", &house) else { return };
    let about = |path: &str| groma_url::form_urlencoded::escape(&format!("{}{path}", web.base()));
    let known = pages(&name, &web).into_iter().chain(focus_pages(&name, &web));
    let mut all: Vec<String> = known.map(|(_, path)| path).collect();
    for path in
        ["/s/0", "/s/3", "/s/5", "/s/6", "/s/7", "/s/9", "/long", "/typed", "/away", "/far", "/fault", "/closed"]
    {
        all.push(format!("/sites/{name}/page?url={}", about(path)));
    }
    // What is typed is as hostile as what is read.
    for spell in SPELLS {
        let typed: String = groma_url::form_urlencoded::escape(spell);
        for place in [
            "search?q=",
            "map?find=",
            "map?root=",
            "findings?q=",
            "findings?kind=",
            "changes?q=",
            "bounds?start=",
            "bounds?step=",
            "focus?c1=",
            "focus/1?page=",
            "focus/1/page?url=",
            "databases?url=",
            "databases?page=",
            "rules?url=",
            "page?url=",
            "jobs?state=",
        ] {
            all.push(format!("/sites/{name}/{place}{typed}"));
        }
    }
    for q in ["harmless", "words", "script", "harm"] {
        all.push(format!("/sites/{name}/search?q={q}"));
        all.push(format!("/search?q={q}&embed=1"));
    }
    let schedule = json!({ "name": SPELLS[1], "period": "every 7 days" });
    let made = house.post(&format!("/api/v1/sites/{name}/schedules"), &schedule);
    assert!([201, 400, 422].contains(&made.status), "{}", made.text());
    walk.browser.look(360, 900, false);
    let mut seen = String::new();
    let mut wrong = Vec::new();
    for path in &all {
        walk.browser.go(&format!("{}{path}", walk.base));
        walk.browser.value("document.querySelectorAll('details').forEach((one) => (one.open = true))");
        let harm = walk.browser.value(HARM);
        if harm != json!([]) {
            wrong.push(format!("{path}: {harm:#}"));
        }
        wrong.extend(walk.too_wide().map(|what| format!("{path} is wider than its window: {what}")));
        seen += &walk.text("body");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(walk.browser.dialogs.is_empty(), "{:?}", walk.browser.dialogs);
    // It was there to be seen, as text.
    for spell in [
        "<script>window.harmed=1;alert(1)</script>",
        "onerror=\"window.harmed=2",
        "{{7*7}}",
        "<b class=harm>bold</b>",
        "👩‍👩‍👧‍👦",
    ] {
        assert!(seen.contains(spell), "{spell} was shown nowhere");
    }
    copies(&mut walk, &name, &web);
    files(&house, &mut walk, &name);
}

/// The stored copy is the hostile page itself: it stays in its box.
fn copies(walk: &mut Walk, name: &str, web: &Server) {
    let asked = web.total();
    for path in ["/", "/s/0", "/s/3", "/typed", "/fault", "/long"] {
        let about: String = groma_url::form_urlencoded::escape(&format!("{}{path}", web.base()));
        walk.browser.go(&format!("{}/sites/{name}/page?url={about}", walk.base));
        let Some(copy) = walk.hrefs("#copy-head ~ details a[target=_blank]").pop() else { continue };
        walk.browser.click("#copy-head ~ details summary");
        walk.browser.wait_for("document.querySelector('iframe.copy')");
        if walk.fetch(&copy).1.starts_with("application/octet-stream") {
            continue;
        }
        for parts in ["", "&parts=1"] {
            walk.browser.go(&format!("{}{copy}{parts}", walk.base));
            assert_eq!(walk.browser.value("typeof window.harmed"), json!("undefined"), "{path}{parts}");
            assert_eq!(walk.browser.value("window.origin"), json!("null"), "{path}{parts}");
        }
    }
    assert!(walk.browser.dialogs.is_empty(), "{:?}", walk.browser.dialogs);
    assert_eq!(web.total(), asked, "a copy reached the site");
}

/// Files are saved, never shown as pages of ours.
fn files(house: &crate::House, walk: &mut Walk, name: &str) {
    for page in ["map", "findings", "changes"] {
        walk.browser.go(&format!("{}/sites/{name}/{page}", walk.base));
        for href in
            walk.hrefs("main a[href*='.']").iter().filter(|href| href.starts_with(&format!("/sites/{name}/{page}.")))
        {
            let reply = house.get(href);
            assert_eq!(reply.status, 200, "{href}");
            assert!(reply.header("content-disposition").starts_with("attachment"), "{href}");
        }
    }
    for ending in ["csv", "jsonl", "warc.gz"] {
        let reply = house.get(&format!("/sites/{name}/focus/1/pages.{ending}?all=1"));
        assert!(reply.status == 200 && reply.header("content-disposition").starts_with("attachment"), "{ending}");
    }
}
