//! Which survey do the browsers look at? That of a town of some eighty pages with what sites have: sections, redirects, dead links,
//! doubles, a form, pictures, a page only the sitemap knows, titles in several languages. It can be slowed, and changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use groma_testweb::{Answer, Ask, Manner, Server, Web};
use serde_json::{Value, json};

use crate::House;

#[derive(Clone, Default)]
pub(crate) struct Town {
    /// Milliseconds before each page is answered.
    pub(crate) pace: Arc<AtomicU64>,
    /// The first edition, or one in which pages were changed, added and removed.
    pub(crate) edition: Arc<AtomicU64>,
}

/// A picture of one dot.
const DOT: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x56\xc7\x2f\x0d\0\0\0\0IEND\xaeB`\x82";

/// Title, language and text of the people's pages.
const PEOPLE: [(&str, &str, &str); 6] = [
    (
        "de",
        "Die Vermesser und ihre Übungen",
        "Mit der Groma steckten die Vermesser gerade Linien im Feld ab und setzten Grenzsteine.",
    ),
    (
        "fr",
        "Les arpenteurs de la ville",
        "Les arpenteurs mesuraient les champs avec des cordes, des perches et des jalons.",
    ),
    ("cs", "Zeměměřiči a jejich přístroje", "Zeměměřiči vytyčovali přímé linie pomocí gromy a olovnic na každém poli."),
    ("ja", "測量の歴史", "古代ローマの測量士はグローマという道具を使って直線と直角を測りました。"),
    ("zh", "测量员的工具", "罗马测量员使用格罗马测量土地的边界和道路的方向。"),
    ("ar", "المساحون وأدواتهم", "كان المساحون الرومان يقيسون الحقول بالحبال والأعمدة."),
];

impl Town {
    fn is_new(&self) -> bool {
        self.edition.load(Ordering::Relaxed) > 0
    }

    fn page(&self, path: &str) -> Option<String> {
        let number = |prefix: &str| path.strip_prefix(prefix).and_then(|rest| rest.parse::<u32>().ok());
        if let Some(n) = number("/news/").filter(|n| (1..=30).contains(n)) {
            return Some(self.news(n));
        }
        if let Some(n) = number("/fields/").filter(|n| (1..=12).contains(n) || (*n == 13 && self.is_new())) {
            return Some(field(n));
        }
        if let Some((lang, title, text)) =
            path.strip_prefix("/people/").and_then(|lang| PEOPLE.iter().find(|one| one.0 == lang))
        {
            return Some(page(lang, title, &format!("<p>{text}</p>")));
        }
        Some(match path {
            "/" => self.home(),
            "/fields/" => {
                let fields: String = (1..=12).map(|n| link(&format!("/fields/{n}"), &format!("Field {n}"))).collect();
                page("en", "Fields of the town", &format!("<ul>{fields}</ul>"))
            }
            "/fields/1/stones" => page("en", "Border stones", "<p>Where a field ends, a border stone stands.</p>"),
            "/fields/1/ditch" => page("en", "The ditch", "<p>Water runs in the ditch.</p>"),
            "/tools/" => page(
                "en",
                "Instruments",
                &["plumb", "rod", "chain", "level", "twin-a", "twin-b", "untitled"]
                    .map(|one| link(&format!("/tools/{one}"), one))
                    .concat(),
            ),
            "/tools/level" if self.is_new() => return None,
            "/tools/plumb" | "/tools/rod" | "/tools/chain" | "/tools/level" => page(
                "en",
                &format!("The {}", &path[7..]),
                &format!("<p>Every surveyor has a {} and uses it for straight lines.</p>", &path[7..]),
            ),
            "/tools/twin-a" | "/tools/twin-b" => page(
                "en",
                "A pair of compasses",
                "<p>Two pages say the very same about a pair of compasses, word by word, and nobody knows why there are two.</p>",
            ),
            "/tools/untitled" => "<html lang=en><body><p>Nobody gave this page a title.</p><a href=/>home</a>".into(),
            "/people/" => {
                page("en", "People", &PEOPLE.map(|(lang, title, _)| link(&format!("/people/{lang}"), title)).concat())
            }
            "/orphan" => page("en", "A lonely page", "<p>No page leads here.</p>"),
            "/find" => page("en", "Find", "<p>Nothing was found.</p>"),
            _ => return None,
        })
    }

    fn home(&self) -> String {
        let mut links: String = [
            ("/fields/", "Fields"),
            ("/tools/", "Instruments"),
            ("/people/", "People"),
            ("/news/1", "News"),
            ("/old", "An old URL"),
            ("/nowhere", "A dead link"),
            ("/fault", "A fault"),
            ("/loop", "A circle"),
            ("/tools/?utm_source=home", "Instruments again"),
            ("/private/plans", "Plans"),
            ("https://www.example.org/", "Elsewhere"),
            ("mailto:town@example.org", "Write"),
        ]
        .map(|(to, text)| link(to, text))
        .concat();
        if self.is_new() {
            links += &(link("/fields/13", "A new field") + &link("/also-nowhere", "Another dead link"));
        }
        page(
            "en",
            "The town of the groma",
            &format!(
                "<p>A groma is an instrument of Roman surveyors.</p><img src=/img/groma.png alt='A groma'><img src=/img/lost.png>\
                 <form action=/find><input name=what><button>Find</button></form><ul>{links}</ul>"
            ),
        )
    }

    fn news(&self, n: u32) -> String {
        let next = if n < 30 { link(&format!("/news/{}", n + 1), "older news") } else { String::new() };
        let more = if n == 3 && self.is_new() {
            "A second border stone was found in the ditch, with letters on it that nobody can read."
        } else {
            ""
        };
        let body = format!("<p>On day {n} the survey of the town went on. {more}</p><ul>{next}</ul>");
        page("en", &format!("News of day {n}"), &body)
    }
}

fn link(to: &str, text: &str) -> String {
    format!("<li><a href=\"{to}\">{text}</a></li>")
}

fn field(n: u32) -> String {
    let below = if n == 1 {
        link("/fields/1/stones", "its stones") + &link("/fields/1/ditch", "its ditch")
    } else {
        String::new()
    };
    let beside = n + 1;
    page(
        "en",
        &format!("Field {n}"),
        &format!(
            "<p>Field {n} lies beside field {beside}. Its survey was made with a groma and rods.</p><ul>{below}</ul>"
        ),
    )
}

fn page(lang: &str, title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang={lang}><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{body}<p><a href=/>home</a></p>"
    )
}

impl Web for Town {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = match ask.bare_path() {
            "/robots.txt" => {
                return Answer::text(format!(
                    "User-agent: *\nDisallow: /private/\nSitemap: http://{}/sitemap.xml\n",
                    ask.host
                ));
            }
            "/sitemap.xml" => {
                return Answer::typed(
                    "application/xml",
                    format!(
                        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://{}/orphan</loc></url></urlset>",
                        ask.host
                    ),
                );
            }
            "/img/groma.png" => Answer::typed("image/png", DOT),
            "/old" => Answer::redirect(301, "/tools/"),
            "/loop" => Answer::redirect(302, "/loop"),
            "/fault" => Answer::status(500),
            path => self.page(path).map_or_else(|| Answer::status(404), Answer::html),
        };
        match self.pace.load(Ordering::Relaxed) {
            0 => answer,
            pace => answer.with_manner(Manner::Delay(Duration::from_millis(pace))),
        }
    }
}

/// A server that may survey a web without pauses, and keeps what it fetches.
pub(crate) fn house_for(web: &Server) -> House {
    let own = web.base().trim_start_matches("http://").to_owned();
    let home = crate::new_home();
    let config = home.join("groma.toml");
    std::fs::write(&config, "bodies = \"keep\"\ndelay = 0\nretries = 0\n").unwrap();
    House::open_in(home, |options| {
        options.own = vec![own];
        options.config = Some(config);
    })
}

/// A server that has surveyed a web, and the name of the site.
pub(crate) fn surveyed(web: &Server) -> (House, String) {
    let house = house_for(web);
    let reply = house.post("/api/v1/sites", &json!({ "url": web.base(), "settings": { "delay": "0" } }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    let jobs = house.until_idle(&name, None);
    let done = |job: &Value| job["state"] == "done";
    assert!(jobs.as_array().unwrap().iter().all(done), "{jobs}");
    (house, name)
}

/// Lets the site of the start page be found, and something be decided about it: the pages about bounds have all they can have.
pub(crate) fn bounded(house: &House, name: &str, decide: &str) {
    let done = |job: &Value| job["state"] == "done";
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/bounds"), &json!({})).status, 201);
    assert!(house.until_idle(name, None).as_array().unwrap().iter().all(done));
    let decision = json!({ "kind": "reject", "subject": decide, "single": true });
    let reply = house.post(&format!("/api/v1/sites/{name}/bounds/decisions"), &decision);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert!(house.until_idle(name, None).as_array().unwrap().iter().all(done));
}

/// Follows a topic from the start page by two strategies: the pages about focused crawls have all they can have.
pub(crate) fn focused(house: &House, name: &str, topic: &str) {
    for strategy in ["arms", "bfs"] {
        let new = json!({ "topic": topic, "strategy": strategy, "any_type": true, "pages": 30 });
        let reply = house.post(&format!("/api/v1/sites/{name}/focus"), &new);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let jobs = house.until_idle(name, None);
        assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
    }
}

/// The pages about focused crawls that [`focused`] made.
pub(crate) fn focus_pages(name: &str, web: &Server) -> Vec<(&'static str, String)> {
    let start = groma_url::form_urlencoded::escape(&format!("{}/", web.base()));
    vec![
        ("focus-compared", format!("/sites/{name}/focus?c1=1&c2=1")),
        ("focus-one", format!("/sites/{name}/focus/1")),
        ("focus-all", format!("/sites/{name}/focus/2?list=all&page=2")),
        ("focus-why", format!("/sites/{name}/focus/1/page?url={start}")),
        ("page-parts", format!("/sites/{name}/page?url={start}")),
    ]
}

/// Every page of a surveyed site, and those of the whole server.
pub(crate) fn pages(name: &str, web: &Server) -> Vec<(&'static str, String)> {
    let about = |path: &str| groma_url::form_urlencoded::escape(&format!("{}{path}", web.base()));
    vec![
        ("home", "/".to_owned()),
        ("overview", format!("/sites/{name}/")),
        ("map", format!("/sites/{name}/map")),
        ("map-branch", format!("/sites/{name}/map?root={}&color=type", about("/fields/"))),
        ("map-find", format!("/sites/{name}/map?find=field")),
        ("findings", format!("/sites/{name}/findings")),
        ("findings-list", format!("/sites/{name}/findings?list=1")),
        ("changes", format!("/sites/{name}/changes")),
        ("page", format!("/sites/{name}/page?url={}", about("/"))),
        ("page-dead", format!("/sites/{name}/page?url={}", about("/nowhere"))),
        ("bounds", format!("/sites/{name}/bounds")),
        ("bounds-step", format!("/sites/{name}/bounds?step=0&all=1")),
        ("focus", format!("/sites/{name}/focus")),
        ("databases-none", format!("/sites/{name}/databases")),
        ("map-site", format!("/sites/{name}/map?scope=site")),
        ("search-site", format!("/sites/{name}/search?q=survey&scope=site")),
        ("rules", format!("/sites/{name}/rules")),
        ("rules-tried", format!("/sites/{name}/rules?url={}", about("/tools/?utm_source=mail#top"))),
        ("search", format!("/sites/{name}/search")),
        ("search-found", format!("/sites/{name}/search?q=survey")),
        ("search-nothing", format!("/sites/{name}/search?q=zzzzqqq")),
        ("search-all", "/search?q=groma".to_owned()),
        ("search-embedded", "/search?q=groma&embed=1".to_owned()),
        ("jobs", format!("/sites/{name}/jobs")),
        ("jobs-all", "/jobs".to_owned()),
        ("job", format!("/sites/{name}/jobs/1")),
        ("schedules", format!("/sites/{name}/schedules")),
        ("notices", format!("/sites/{name}/notices")),
        ("settings", "/settings".to_owned()),
        ("login", "/login".to_owned()),
    ]
}

/// The moments in which a worker makes the files of a new survey are short: several surveys, looked at without a pause.
#[test]
fn a_survey_that_is_just_being_begun_can_be_looked_at() {
    let webs: Vec<Server> = (0..5).map(|_| Server::start(|_: &Ask| Answer::html("<title>One page</title>"))).collect();
    let own = |web: &Server| web.base().trim_start_matches("http://").to_owned();
    let house = House::open(|options| options.own = webs.iter().map(own).collect());
    for web in &webs {
        let reply = house.post("/api/v1/sites", &json!({ "url": web.base() }));
        let name = reply.json()["name"].as_str().unwrap().to_owned();
        let since = Instant::now();
        while since.elapsed() < Duration::from_millis(800) {
            for path in [format!("/sites/{name}/"), format!("/api/v1/sites/{name}"), "/".to_owned()] {
                let reply = house.get(&path);
                assert_eq!(reply.status, 200, "{path}: {}", reply.text());
                assert!(!reply.text().contains("is not a survey"), "{path}: {}", reply.text());
            }
        }
        house.until_idle(&name, None);
    }
}
