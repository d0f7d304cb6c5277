//! What may be asked over the web, whoever asks?
//!
//! Whoever reaches the web interface must not reach further than it does: only what chooses what is surveyed is taken (the tasks and the
//! table of settings say what that is), never what opens doors (proxy, headers, logins, addresses of hosts, robots.txt, certificates). Start
//! pages inside the house are refused unless whoever runs the server named the host, and what is begun here stays guarded: the
//! fetcher refuses private addresses also where DNS leads to them later.

use std::net::IpAddr;
use std::time::Duration;

use groma_fetch::guard;
use groma_model::url::Pattern;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Overrides, address, usable};
use groma_tasks::task::{Crawl, Task, Update};
use groma_url::{Host, Url};

use crate::app::App;
use crate::error::Problem;
use crate::options::Options;
use crate::words;

/// The least pause at a server that is not this machine.
const LEAST_DELAY: Duration = Duration::from_millis(500);
/// Letters of all settings and patterns together.
const MOST_LETTERS: usize = 16 * 1024;

/// Where a survey was begun.
pub(crate) fn start_pages(saved: &Saved) -> Vec<Url> {
    saved.seeds.iter().filter_map(|url| url.parse().ok()).collect()
}

/// Can this be asked for over the web, at these start pages?
pub(crate) fn check(app: &App, task: &Task, seeds: &[Url], saved: Option<&Saved>) -> Result<(), Problem> {
    check_door(task)?;
    let none = Overrides::default();
    let asked = task.settings().unwrap_or(&none);
    let mut book = Book::gather(&asked.given(), app.options.config.as_deref(), saved)?;
    let settings = Settings::from_book(&mut book)?;
    usable::check(&settings, &book)?;
    if let Task::Crawl(Crawl { also_exclude, .. }) | Task::Update(Update { also_exclude, .. }) = task {
        for pattern in also_exclude {
            Pattern::parse(pattern).map_err(|e| Problem::refused(e.to_string(), words::PATTERN_HINT))?;
        }
    }
    let at_home = seeds.iter().all(|url| address::is_loopback(url, &[]) && is_own(url, &app.options));
    if asked.has("delay") && settings.manners.delay < LEAST_DELAY && !at_home {
        return Err(Problem::forbidden(
            "a pause below half a second is not polite to a server that is not this machine",
            "give a delay of 0.5 or more",
        ));
    }
    if asked.has("scope") && settings.scope.is_boundless() && settings.limit.is_none() {
        return Err(Problem::refused(
            "a survey of any site needs a limit of pages",
            "give a limit, or another scope: page, prefix, host or domain",
        ));
    }
    let owned = saved.is_some_and(|saved| saved.owned);
    Ok(settings.check_manners(seeds, owned)?)
}

/// Nothing is said that only whoever runs the program may say, and nothing at endless length.
pub(crate) fn check_door(task: &Task) -> Result<(), Problem> {
    if let Some(key) = task.first_local() {
        return Err(Problem::forbidden(not_over_web(&key), not_over_web_hint()));
    }
    let said = task.said();
    let long = ["settings", "exclude"].iter().filter_map(|name| said.get(*name)).map(|value| value.to_string().len());
    if long.sum::<usize>() > MOST_LETTERS {
        return Err(Problem::refused("the settings are too long", words::LONG_BODY_HINT));
    }
    Ok(())
}

/// A URL as somebody typed it. Without a name and a password, and not inside the house, unless whoever runs the server named
/// the host or it is known already.
pub(crate) fn outside(app: &App, typed: &str, is_known: impl Fn(&Url) -> bool) -> Result<Url, Problem> {
    let read = address::read(typed)?;
    if read.login.is_some() {
        return Err(Problem::refused(
            "a URL with a user name or password cannot be surveyed over the web",
            words::NO_LOGIN_HINT,
        ));
    }
    let url = read.url;
    if !is_known(&url) && !is_own(&url, &app.options) && is_inside(&url) {
        return Err(Problem::forbidden(
            private_host(url.host_str().unwrap_or_default()),
            "whoever runs the server can allow it: `groma serve --own HOST` or `--own HOST:PORT`",
        ));
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

fn private_host(host: &str) -> String {
    format!("{} is inside a private network or on this machine", words::short(host))
}

fn not_over_web(key: &str) -> String {
    format!("{:?} cannot be set over the web", words::short(key))
}

fn not_over_web_hint() -> String {
    let open = groma_settings::table::table().iter().filter(|row| row.door == groma_settings::table::Door::Any);
    let keys: Vec<&str> = open.map(|row| row.key.as_str()).collect();
    format!("these settings can: {}; the others stand in the configuration of the server", keys.join(", "))
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
    fn what_opens_doors_is_refused() {
        for (key, value) in [
            ("proxy", "http://p/"),
            ("headers", "a: b"),
            ("user", "a:b"),
            ("resolve", "a:80:10.0.0.1"),
            ("own", "intranet"),
            ("robots", "false"),
            ("insecure", "true"),
            ("cookies", "true"),
            ("cookie_file", "/etc/passwd"),
            ("logout", "*"),
            ("user_agent", "x"),
            ("warc", "/tmp/x"),
            ("limits.page_bytes", "1"),
        ] {
            let crawl = format!(r#"{{"kind":"crawl","settings":{{"{key}":"{value}"}}}}"#);
            let problem = check_door(&serde_json::from_str(&crawl).unwrap()).unwrap_err();
            assert_eq!(problem.status, axum::http::StatusCode::FORBIDDEN, "{key}");
            assert!(problem.detail.contains(key), "{problem:?}");
        }
        for (task, key) in
            [(r#"{"kind":"crawl","fresh":true}"#, "fresh"), (r#"{"kind":"bound","online":true}"#, "online")]
        {
            let problem = check_door(&serde_json::from_str(task).unwrap()).unwrap_err();
            assert!(problem.detail.contains(key), "{problem:?}");
        }
        let fine = r#"{"kind":"crawl","settings":{"depth":2,"exclude":["*.pdf"],"assets":true}}"#;
        assert!(check_door(&serde_json::from_str(fine).unwrap()).is_ok());
    }
}
