//! A form site: inns and mills behind a search form whose answers are cut, and beside it a summarizer. Some names are hostile. It can
//! be slowed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use groma_testweb::{Answer, Ask, Manner, Server, Web};
use serde_json::{Value, json};

use crate::House;

/// Records of the database.
pub(crate) const INNS: usize = 60;
/// Records of an answer at most, and of a page of it.
const CUT: usize = 20;
const PAGE: usize = 5;
const PLACES: [&str; 6] = ["Bonn", "Celle", "Dessau", "Erfurt", "Fulda", "Gera"];
const KINDS: [&str; 2] = ["inn", "mill"];

/// A name that would do harm wherever it is not escaped, and one that is too long for any line.
pub(crate) const SPELL: &str =
    "<script>window.harmed=1;alert(1)</script><img src=x class=harm onerror=alert(2)>\u{202e}\"'&";

/// A site with a search form, and inns and mills behind it.
#[derive(Clone, Default)]
pub(crate) struct Inns {
    /// Milliseconds before each answer of the form.
    pub(crate) pace: Arc<AtomicU64>,
}

/// Name, place and kind of a record.
fn inn(n: usize) -> (String, &'static str, &'static str) {
    let name = match n {
        7 => format!("Inn 7 {SPELL}"),
        11 => format!("Inn 11 {}", "Donaudampfschiff".repeat(40)),
        n => format!("Inn {n}"),
    };
    (name, PLACES[n % PLACES.len()], KINDS[(n / PLACES.len()) % 2])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn page(title: &str, body: &str) -> Answer {
    Answer::html(format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{body}"
    ))
}

fn select(name: &str, label: &str, values: &[&str]) -> String {
    let options: String = values.iter().map(|value| format!("<option value=\"{value}\">{value}</option>")).collect();
    format!(
        "<p><label for={name}>{label}</label> <select id={name} name={name}><option value=\"\">any</option>{options}</select></p>"
    )
}

fn found(ask: &Ask) -> Answer {
    let wanted = |name: &str| ask.param(name).unwrap_or_default().to_owned();
    let (place, kind) = (wanted("place"), wanted("kind"));
    let part: usize = wanted("page").parse().unwrap_or(1).max(1);
    let fits = |n: &usize| (place.is_empty() || inn(*n).1 == place) && (kind.is_empty() || inn(*n).2 == kind);
    let all: Vec<usize> = (0..INNS).filter(fits).collect();
    let shown: Vec<usize> = all.iter().copied().take(CUT).skip((part - 1) * PAGE).take(PAGE).collect();
    let row = |n: &usize| {
        let (name, place, kind) = inn(*n);
        format!("<tr><td><a href=\"/inn/{n}\">{}</a></td><td>{place}</td><td>{kind}</td></tr>", escaped(&name))
    };
    let rows: String = shown.iter().map(row).collect();
    let cut = if all.len() > CUT { format!("<p>Only the first {CUT} results are shown.</p>") } else { String::new() };
    let next = if part * PAGE < all.len().min(CUT) {
        format!("<p><a rel=next href=\"/find?place={place}&amp;kind={kind}&amp;page={}\">next</a></p>", part + 1)
    } else {
        String::new()
    };
    page(
        "Inns found",
        &format!(
            "<p>{} results</p>{cut}<table><thead><tr><th>Name</th><th>Place</th><th>Kind</th></tr></thead><tbody>{rows}</tbody></table>{next}<p><a href=/search>again</a></p>",
            all.len()
        ),
    )
}

impl Web for Inns {
    fn answer(&self, ask: &Ask) -> Answer {
        match ask.bare_path() {
            "/" => page(
                "Guide to inns",
                "<ul><li><a href=/search>Search</a><li><a href=/inns.txt>For programs</a><li><a href=/login>Log in</a></ul>",
            ),
            "/search" => page(
                "Search for inns",
                &format!(
                    "<form action=/find>{}{}<p><button>Search</button></p></form><p><a href=/>home</a></p>",
                    select("place", "Place", &PLACES),
                    select("kind", "Kind of house", &KINDS)
                ),
            ),
            "/login" => page(
                "Log in",
                "<form action=/in method=post><input name=user><input type=password name=pass><button>Log in</button></form>",
            ),
            "/find" => {
                let answer = found(ask);
                match self.pace.load(Ordering::Relaxed) {
                    0 => answer,
                    pace => answer.with_manner(Manner::Delay(Duration::from_millis(pace))),
                }
            }
            "/inns.txt" => Answer::text(format!(
                "Summarizer: http://{0}/sum\nURL: http://{0}/search\nTitle: Inns of the land\nDatabase: inns\nTable: inn\nAttribute: name\nAttribute: place\n",
                ask.host
            )),
            "/sum" => Answer::typed(
                "application/x-soif",
                format!(
                    "@DATABASE {{ http://{}/search\nTitle{{16}}:\tInns of the land\nplace{{{}}}:\t{}\n}}\n",
                    ask.host,
                    PLACES.join("\n").len(),
                    PLACES.join("\n")
                ),
            ),
            path => match path.strip_prefix("/inn/").and_then(|n| n.parse::<usize>().ok()).filter(|n| *n < INNS) {
                Some(n) => page(&escaped(&inn(n).0), "<p>A house.</p>"),
                None => Answer::status(404),
            },
        }
    }
}

/// Gathers the database behind the form; its number.
pub(crate) fn gathered(house: &House, name: &str, new: &Value) -> u64 {
    let known = || house.get(&format!("/api/v1/sites/{name}/databases")).json()["items"].as_array().unwrap().len();
    let before = known();
    let reply = house.post(&format!("/api/v1/sites/{name}/databases"), new);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.header("location"), format!("/api/v1/sites/{name}/jobs/{}", reply.json()["job"]));
    let jobs = house.until_idle(name, None);
    assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
    let all = house.get(&format!("/api/v1/sites/{name}/databases")).json();
    assert_eq!(known(), before + 1, "{all}");
    all["items"][before]["id"].as_u64().unwrap()
}

/// A server that has surveyed the site and gathered its database, the site's name, and the number of the gathering.
pub(crate) fn with_database(inns: &Inns) -> (House, Server, String, u64) {
    let web = Server::start(inns.clone());
    let (house, name) = crate::surveys::surveyed(&web);
    let id = gathered(&house, &name, &json!({ "address": format!("{}/search", web.base()) }));
    (house, web, name, id)
}

/// The pages about databases.
pub(crate) fn database_pages(name: &str, id: u64, web: &Server) -> Vec<(&'static str, String)> {
    let form = groma_url::form_urlencoded::escape(&format!("{}/search", web.base()));
    vec![
        ("databases", format!("/sites/{name}/databases")),
        ("databases-one", format!("/sites/{name}/databases/{id}")),
        ("databases-records", format!("/sites/{name}/databases/{id}?page=2&answers=2")),
        ("databases-describe", format!("/sites/{name}/databases/{id}/describe")),
        ("databases-page", format!("/sites/{name}/page?url={form}")),
        ("hel", "/hel".to_owned()),
        ("hel-tried", format!("/hel?rule=html.body-%3Eform-%3Eoption%5B*%5D.txt&site={name}&url={form}")),
        ("hel-fault", format!("/hel?rule=html.body%5B&site={name}&url={form}")),
    ]
}
