//! Jobs asked for over the web: what may be asked, and what may not.
//!
//! Whoever reaches the web interface must not reach further than it does: only settings that choose what is surveyed are taken
//! (an allow-list), never those that open doors (proxy, headers, logins, addresses of hosts, robots.txt, certificates). Start
//! pages inside the house are refused unless whoever runs the server named the host, and what is begun here stays guarded: the
//! fetcher refuses private addresses also where DNS leads to them later.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use url::{Host, Url};

use groma_desk::address;
use groma_desk::order::Order;
use groma_desk::place;
use groma_desk::settings::meaning::Settings;
use groma_desk::settings::saved::Saved;
use groma_desk::settings::{Book, Given, Origin, Raw, usable};
use groma_fetch::guard;
use groma_model::url::Pattern;
use groma_store::jobs::{Filter, JobId, JobKind, NewJob};

use crate::app::{App, Options, now};
use crate::error::Problem;
use crate::sites::Site;
use crate::words;

/// The settings that may be given over the web.
pub(crate) const ALLOWED: [&str; 12] = [
    "depth",
    "limit",
    "scope",
    "include",
    "exclude",
    "delay",
    "sitemaps",
    "assets",
    "bodies",
    "learn",
    "noise",
    "extra_noise",
];
/// The least pause at a server that is not this machine.
const LEAST_DELAY: Duration = Duration::from_millis(500);
/// Letters of all settings and patterns together.
const MOST_LETTERS: usize = 16 * 1024;
/// Priorities go from minus this to this.
pub(crate) const MOST_PRIORITY: i32 = 100;

/// What is asked of a site, as it was typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Settings by their keys.
    pub(crate) settings: BTreeMap<String, String>,
    /// Exclusions to add to those the survey has.
    pub(crate) exclude: Vec<String>,
    /// Keep a copy of the survey as it stood before (`update`).
    pub(crate) keep: bool,
    /// From nothing (`index`).
    pub(crate) rebuild: bool,
    /// In which form the result is kept (`map`, `check`, `rank`).
    pub(crate) format: String,
    /// How the border is looked for, as words (`bound`).
    pub(crate) bounds: BTreeMap<String, String>,
    /// Which topic is followed and how, as words (`focus`; [`crate::focuses`] says what may be said).
    pub(crate) focus: BTreeMap<String, String>,
    /// Which database is gathered and how, as words (`gather`; [`crate::gatherings`] says what may be said).
    pub(crate) gather: BTreeMap<String, String>,
    /// Addresses were named that are not the house's own.
    pub(crate) guarded: bool,
    /// The higher the sooner.
    pub(crate) priority: i32,
}

/// A survey that was begun, or that was there before.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The site.
    pub(crate) site: Arc<Site>,
    /// Its jobs; none if the site was there before.
    pub(crate) jobs: Vec<JobId>,
}

/// Begins a survey: crawl, check and index, one after the other. Nothing happens if there is one of this address already.
pub(crate) fn begin(app: &App, typed: &str, wanted: &Wanted) -> Result<Begun, Problem> {
    let url = outside(app, typed, |_| false)?;
    let own = is_own(&url, &app.options);
    let mut order = order(wanted)?;
    order.seeds = vec![url.to_string()];
    order.guarded = !own;
    let folder = place::usual(&url);
    // Before anything is made: what cannot be taken leaves nothing behind.
    check(app, &order, &[url], None)?;
    let site = app.sites.begin(&folder);
    if site.exists() || !site.queue()?.jobs(&Filter::default(), None, 1)?.is_empty() {
        return Ok(Begun { site, jobs: Vec::new() });
    }
    let jobs = add(&site, &[JobKind::Crawl, JobKind::Check, JobKind::Index], &order, wanted.priority)?;
    Ok(Begun { site, jobs })
}

/// Asks for jobs on a survey that is there, one after the other. Its start pages are those it was begun with.
pub(crate) fn again(app: &App, site: &Site, kinds: &[JobKind], wanted: &Wanted) -> Result<Vec<JobId>, Problem> {
    let order = order(wanted)?;
    let saved = if site.exists() { Saved::load(&mut *site.read()?)? } else { None };
    if kinds.iter().any(|kind| matches!(kind, JobKind::Crawl | JobKind::Update)) {
        let seeds: Vec<Url> = saved.iter().flat_map(|saved| &saved.seeds).filter_map(|url| url.parse().ok()).collect();
        if seeds.is_empty() {
            return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
        }
        check(app, &order, &seeds, saved.as_ref())?;
    } else if saved.is_none() && !site.exists() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    if kinds.contains(&JobKind::Focus) && order.focus.is_empty() {
        return Err(Problem::refused(words::NO_TOPIC, words::FOCUS_HAS_ITS_PAGE));
    }
    if kinds.contains(&JobKind::Gather) && order.gather.is_empty() {
        return Err(Problem::refused(words::NO_DATABASE, words::GATHER_HAS_ITS_PAGE));
    }
    check_format(kinds, &order.format)?;
    add(site, kinds, &order, wanted.priority)
}

/// Can these settings be given over the web for a site with these start pages?
pub(crate) fn check(app: &App, order: &Order, seeds: &[Url], saved: Option<&Saved>) -> Result<(), Problem> {
    let mut given: Vec<Given> = Vec::new();
    for (key, value) in &order.settings {
        let raw = Raw::One(value.clone());
        given.push(Given { key: key.clone(), raw, origin: Origin::CommandLine(key.clone()) });
    }
    let mut book = Book::gather(&given, app.options.config.as_deref(), saved)?;
    let settings = Settings::of(&mut book)?;
    usable::check(&settings, &book)?;
    for pattern in &order.exclude {
        Pattern::parse(pattern).map_err(|e| Problem::refused(e.to_string(), words::PATTERN_HINT))?;
    }
    let at_home = seeds.iter().all(|url| address::is_loopback(url, &[]) && is_own(url, &app.options));
    if order.settings.contains_key("delay") && settings.delay < LEAST_DELAY && !at_home {
        return Err(Problem::forbidden(words::RUDE_DELAY, words::RUDE_DELAY_HINT));
    }
    if order.settings.contains_key("scope") && settings.scope.is_boundless() && settings.limit.is_none() {
        return Err(Problem::refused(words::ANY_NEEDS_LIMIT, words::ANY_NEEDS_LIMIT_HINT));
    }
    let owned = saved.is_some_and(|saved| saved.owned);
    Ok(settings.check_manners(seeds, owned)?)
}

/// What is asked, as a job keeps it; refused if it cannot be asked over the web.
pub(crate) fn order(wanted: &Wanted) -> Result<Order, Problem> {
    if let Some(key) = wanted.settings.keys().find(|key| !ALLOWED.contains(&key.as_str())) {
        return Err(Problem::forbidden(words::not_over_web(key), words::not_over_web_hint()));
    }
    let texts = wanted.settings.values().chain(&wanted.exclude).chain(wanted.bounds.values());
    if texts.map(String::len).sum::<usize>() > MOST_LETTERS {
        return Err(Problem::refused(words::LONG_SETTINGS, words::LONG_BODY_HINT));
    }
    if wanted.priority.abs() > MOST_PRIORITY {
        return Err(Problem::refused(words::BAD_PRIORITY, words::PRIORITY_HINT));
    }
    Ok(Order {
        settings: wanted.settings.clone(),
        exclude: wanted.exclude.clone(),
        keep: wanted.keep,
        rebuild: wanted.rebuild,
        format: wanted.format.clone(),
        bounds: wanted.bounds.clone(),
        focus: wanted.focus.clone(),
        gather: wanted.gather.clone(),
        guarded: wanted.guarded,
        ..Order::default()
    })
}

/// Forms in which a result can be kept, by kind of job; the first is the usual one.
pub(crate) fn formats(kind: JobKind) -> &'static [&'static str] {
    match kind {
        JobKind::Map => &["html", "text", "xml", "svg", "pdf", "json", "sitemap", "gexf", "graphml"],
        JobKind::Check => &["json", "text", "csv", "markdown", "junit"],
        JobKind::Rank => &["csv", "json", "text"],
        JobKind::Bound => &["json", "csv", "tsv", "surt"],
        JobKind::Focus => &["csv", "json", "warc"],
        JobKind::Gather => &["json", "jsonl", "csv", "soif"],
        _ => &[],
    }
}

fn check_format(kinds: &[JobKind], format: &str) -> Result<(), Problem> {
    if format.is_empty() || kinds.iter().any(|kind| formats(*kind).contains(&format)) {
        return Ok(());
    }
    Err(Problem::refused(words::no_such_format(format), words::FORMAT_HINT))
}

fn add(site: &Site, kinds: &[JobKind], order: &Order, priority: i32) -> Result<Vec<JobId>, Problem> {
    let job = |kind: &JobKind| NewJob {
        kind: *kind,
        args: order.only_for(*kind).to_text(),
        priority,
        not_before: 0,
        schedule: None,
    };
    let jobs: Vec<NewJob> = kinds.iter().map(job).collect();
    Ok(site.queue()?.add(&jobs, jobs.len() > 1, now())?)
}

/// An address as somebody typed it. Without a name and a password, and not inside the house, unless whoever runs the server named
/// the host or it is known already.
pub(crate) fn outside(app: &App, typed: &str, is_known: impl Fn(&Url) -> bool) -> Result<Url, Problem> {
    let read = address::read(typed)?;
    if read.login.is_some() {
        return Err(Problem::refused(words::NO_LOGIN_OVER_WEB, words::NO_LOGIN_HINT));
    }
    let url = read.url;
    if !is_known(&url) && !is_own(&url, &app.options) && is_inside(&url) {
        return Err(Problem::forbidden(words::private_host(url.host_str().unwrap_or_default()), words::PRIVATE_HINT));
    }
    Ok(url)
}

/// Did whoever runs the server name this host (`HOST` or `HOST:PORT`) as their own?
pub(crate) fn is_own(url: &Url, options: &Options) -> bool {
    let Some(host) = url.host_str() else { return false };
    let port = url.port_or_known_default().map(|port| format!("{host}:{port}"));
    options
        .own
        .iter()
        .any(|own| own.eq_ignore_ascii_case(host) || port.as_ref().is_some_and(|p| own.eq_ignore_ascii_case(p)))
}

/// Does the address itself say that it leads into a private network? Where DNS leads is looked at when it is asked.
pub(crate) fn is_inside(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => !guard(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => !guard(IpAddr::V6(ip)),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let last = name.rsplit('.').next().unwrap_or_default();
            !name.contains('.') || ["localhost", "local", "internal", "lan", "home", "corp"].contains(&last)
        }
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn addresses_inside_the_house_are_seen_in_any_spelling() {
        for inside in [
            "http://localhost/",
            "http://LOCALHOST.:80/",
            "http://a.localhost/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://[::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://192.168.1.1/",
            "http://0.0.0.0/",
            "http://intranet/",
            "http://printer.local/",
            "http://metadata.google.internal/",
        ] {
            assert!(is_inside(&url(inside)), "{inside}");
        }
        for outside in ["https://example.org/", "http://93.184.216.34/", "http://local.example.org/"] {
            assert!(!is_inside(&url(outside)), "{outside}");
        }
    }

    #[test]
    fn own_hosts_are_those_that_were_named() {
        let options =
            Options { own: vec!["Intranet".into(), "127.0.0.1:8000".into()], ..Options::on_loopback("x".into()) };
        assert!(is_own(&url("http://intranet/"), &options) && is_own(&url("http://127.0.0.1:8000/a"), &options));
        assert!(!is_own(&url("http://127.0.0.1:8001/"), &options) && !is_own(&url("http://intranet.evil/"), &options));
    }

    #[test]
    fn settings_that_open_doors_are_refused() {
        for key in [
            "proxy",
            "headers",
            "user",
            "resolve",
            "own",
            "robots",
            "insecure",
            "cookies",
            "cookie_file",
            "login",
            "login.page",
            "header",
            "logout",
            "user_agent",
            "limits.page_bytes",
        ] {
            let wanted = Wanted { settings: [(key.to_owned(), "1".to_owned())].into(), ..Wanted::default() };
            let problem = order(&wanted).unwrap_err();
            assert_eq!(problem.status, axum::http::StatusCode::FORBIDDEN, "{key}");
            assert!(problem.detail.contains(key), "{problem:?}");
        }
        let fine = ALLOWED.iter().map(|key| ((*key).to_owned(), String::new())).collect();
        assert!(order(&Wanted { settings: fine, ..Wanted::default() }).is_ok());
    }
}
