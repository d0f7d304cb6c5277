//! What do all pages have in common? The frame around them: who is here, which site, which tabs, what has just been done.

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::door::Visitor;
use crate::error::Problem;
use crate::sites::Site;
use crate::words::is_trick;

pub(crate) use super::flash::{Flash, done, forget_flash};

/// The version in the foot.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The frame of a page. Handlers take it as an argument, and say with [`Frame::on`] which site the page is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The site the page is about.
    pub(crate) site: Option<SiteNav>,
    /// Who is logged in.
    pub(crate) user: Option<String>,
    /// Whether the user may change things.
    pub(crate) admin: bool,
    /// There is nobody: only what is open to all can be seen.
    pub(crate) stranger: bool,
    /// What every form that changes something sends back, as the field `csrf`.
    pub(crate) csrf: String,
    /// What has just been done.
    pub(crate) flash: Option<Flash>,
    /// Without scripts, the page is loaded again after so many seconds.
    pub(crate) refresh: Option<u32>,
    /// What is being searched for.
    pub(crate) query: String,
    /// The path that was asked for.
    pub(crate) path: String,
    /// The box at the top is shown.
    pub(crate) may_search: bool,
}

/// The tabs of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    Overview,
    Map,
    Findings,
    /// What changed from run to run.
    Changes,
    /// Where the logical site ends.
    Bounds,
    /// Where a topic leads.
    Focus,
    /// What stands behind forms.
    Databases,
    /// Full-text search.
    Search,
    /// Rules for URLs.
    Rules,
    Jobs,
    Schedules,
    /// What people were told.
    Notices,
}

/// The site a page is about.
#[derive(Clone, Debug)]
pub(crate) struct SiteNav {
    pub(crate) name: String,
    /// The tab that is open.
    pub(crate) tab: Tab,
}

/// A link of a menu.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: &'static str,
    /// The page is open.
    pub(crate) here: bool,
    /// The key that opens it after `g`.
    pub(crate) key: &'static str,
}

impl Tab {
    const ALL: [(Tab, &'static str, &'static str, &'static str); 12] = [
        (Tab::Overview, "", "Overview", "o"),
        (Tab::Map, "map", "Map", "m"),
        (Tab::Findings, "findings", "Findings", "p"),
        (Tab::Changes, "changes", "Changes", "c"),
        (Tab::Bounds, "bounds", "Bounds", "b"),
        (Tab::Focus, "focus", "Focus", "f"),
        (Tab::Databases, "databases", "Databases", "d"),
        (Tab::Search, "search", "Search", "s"),
        (Tab::Rules, "rules", "Rules", "r"),
        (Tab::Jobs, "jobs", "Jobs", "j"),
        (Tab::Schedules, "schedules", "Schedules", "e"),
        (Tab::Notices, "notices", "Notices", "n"),
    ];
}

impl SiteNav {
    /// The URL of a page of the site. Names of sites hold nothing that a URL would have to escape.
    pub(crate) fn href(&self, page: &str) -> String {
        format!("/sites/{}/{page}", self.name)
    }

    pub(crate) fn tabs(&self) -> Vec<Link> {
        let link = |&(tab, page, text, key): &(Tab, &str, &'static str, &'static str)| Link {
            href: self.href(page),
            text,
            here: tab == self.tab,
            key,
        };
        Tab::ALL.iter().map(link).collect()
    }
}

impl Frame {
    /// A page of a site.
    pub(crate) fn on(mut self, site: &Site, tab: Tab) -> Frame {
        self.site = Some(SiteNav { name: site.name.clone(), tab });
        self
    }

    /// The menu at the top.
    pub(crate) fn links(&self) -> Vec<Link> {
        if self.stranger {
            return vec![Link { href: "/login".into(), text: "Log in", here: self.path == "/login", key: "" }];
        }
        let link = |href: &str, text, key| Link { href: href.to_owned(), text, here: self.path == href, key };
        vec![link("/", "Sites", "h"), link("/jobs", "Jobs", "q"), link("/settings", "Settings", "x")]
    }

    /// Where the box at the top leads.
    pub(crate) fn search_action(&self) -> String {
        self.site.as_ref().map_or_else(|| "/search".to_owned(), |site| site.href("search"))
    }

    /// What the box at the top searches.
    pub(crate) fn search_scope(&self) -> &str {
        self.site.as_ref().map_or("all sites", |site| &site.name)
    }

    /// Where suggestions come from.
    pub(crate) fn suggest_action(&self) -> String {
        match &self.site {
            Some(site) => format!("/api/v1/suggest?site={}", site.name),
            None => "/api/v1/suggest".to_owned(),
        }
    }
}

impl FromRequestParts<Arc<App>> for Frame {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Frame, Infallible> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        Ok(Frame {
            admin: visitor.may_change(),
            stranger: !visitor.may_see(),
            user: visitor.has_session().then(|| visitor.name.clone()).flatten(),
            csrf: visitor.csrf,
            flash: Flash::read(&parts.headers),
            path: parts.uri.path().to_owned(),
            may_search: visitor.role.is_some(),
            ..Frame::default()
        })
    }
}

/// A page as an answer.
pub(crate) fn show(page: &impl Template) -> Response {
    show_as(StatusCode::OK, page)
}

/// A page as an answer with another status.
pub(crate) fn show_as(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => {
            let kind = HeaderValue::from_static("text/html; charset=utf-8");
            (status, [(header::CONTENT_TYPE, kind)], html).into_response()
        }
        Err(error) => Problem::ours(error.to_string(), crate::words::FELL_HINT).into_response(),
    }
}

/// A page that is read aside from the sockets, with the status of what is wrong on it.
pub(crate) async fn show_read<T: Template + Send + 'static>(
    app: &Arc<App>,
    problem: Option<&Problem>,
    read: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let status = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(show_as(status, &app.work(move |_| read()).await?))
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: &'a Frame,
    heading: &'static str,
    problem: &'a Problem,
}

/// What went wrong, for people.
pub(crate) fn problem_page(frame: &Frame, problem: &Problem) -> Response {
    let heading = problem_heading(problem.status.as_u16());
    show_as(problem.status, &ProblemPage { frame, heading, problem })
}

/// The URL of a crawled page, if a browser may be led there: web URLs only, never scripts or files.
pub(crate) fn outward(address: &str) -> Option<&str> {
    let lower = |prefix: &str| address.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    (lower("http://") || lower("https://")).then_some(address)
}

/// A sentence in pieces: what stands between backticks is something to be typed, and shown as such.
pub(crate) fn ticked(text: &str) -> Vec<(bool, String)> {
    let pieces = text.split('`').enumerate().map(|(nth, piece)| (nth % 2 == 1, piece.to_owned()));
    pieces.filter(|(_, piece)| !piece.is_empty()).collect()
}

/// The class of a table's cell with this text: only one that holds an endless word (a URL, say) may be broken within words.
pub(crate) fn wrap(text: &str) -> &'static str {
    /// Longer words are rare in any language.
    const WORD: usize = 28;
    let is_long = |word: &str| word.chars().nth(WORD).is_some();
    if text.split_whitespace().any(is_long) { "any" } else { "" }
}

/// A text that somebody else wrote, fit for one line: no control or direction signs, cut to so many letters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let mut seen = text.split_whitespace().flat_map(|word| word.chars().chain([' '])).filter(|c| !is_trick(*c));
    let mut cut: String = seen.by_ref().take(most).collect();
    if seen.next().is_some_and(|c| c != ' ') || seen.next().is_some() {
        cut.truncate(cut.trim_end().len());
        cut.push('…');
    }
    cut.truncate(cut.trim_end().len());
    cut
}

/// `?name=value` put together, values escaped.
pub(crate) fn query(pairs: &[(&str, &str)]) -> String {
    let mut text = groma_url::form_urlencoded::Serializer::new(String::new());
    pairs.iter().filter(|(_, value)| !value.is_empty()).for_each(|(name, value)| {
        text.append_pair(name, value);
    });
    let text = text.finish();
    if text.is_empty() { text } else { format!("?{text}") }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|pair| pair.0 == name)
        .map(|pair| pair.1)
}

/// What a status means, for people. (Programs get the phrase of HTTP.)
fn problem_heading(status: u16) -> &'static str {
    match status {
        401 => "Please log in",
        403 => "This is not allowed",
        404 | 410 => "There is no such page",
        409 => "Not just now",
        413 | 414 | 431 => "This is too long",
        421 => "Another host is meant",
        429 => "Too many tries",
        400..=499 => "This cannot be done as it stands",
        503 => "Too busy just now",
        _ => "Something went wrong",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_lead_out() {
        assert_eq!(outward("https://a.example/"), Some("https://a.example/"));
        assert_eq!(outward("HTTP://a.example/"), Some("HTTP://a.example/"));
        for bad in ["javascript:alert(1)", " https://a/", "data:text/html,x", "//a", "", "file:///etc/passwd", "hé"] {
            assert_eq!(outward(bad), None, "{bad}");
        }
    }

    #[test]
    fn texts_of_others_fit_one_line() {
        assert_eq!(short("  a\n\tb  c ", 10), "a b c");
        assert_eq!(short("abcdef", 3), "abc…");
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(short("a\u{202e}b\u{200b}c", 9), "abc");
        assert_eq!(short("می\u{200c}خواهم 👩\u{200d}🌾", 20), "می\u{200c}خواهم 👩\u{200d}🌾");
        assert_eq!(short(&"žluťoučký ".repeat(9_999), 12), "žluťoučký žl…");
    }

    #[test]
    fn queries_are_escaped() {
        assert_eq!(query(&[("q", "a b&c"), ("none", ""), ("x", "ž")]), "?q=a+b%26c&x=%C5%BE");
        assert_eq!(query(&[("q", "")]), "");
    }
}
