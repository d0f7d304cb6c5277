//! The one table of settings: key, kind, default, help. The limits of the house are part of it.

use std::sync::OnceLock;

use groma_check::Thresholds;
use groma_model::limits;
use groma_model::url::DEFAULT_NOISE;
use groma_search::Weights;

use crate::value::Kind;

/// One setting.
#[derive(Debug)]
pub struct SettingRow {
    /// As it is written in groma.toml and after `-s`.
    pub key: String,
    /// What it takes.
    pub kind: Kind,
    /// The value it has unless told otherwise, as text; empty for none.
    pub default: String,
    /// What it does.
    pub help: &'static str,
    /// Who may set it.
    pub door: Door,
}

/// Who may set a setting for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Everybody, over the web too: it chooses what is surveyed.
    Any,
    /// Only whoever runs the program: it reaches further (logins, proxies, URLs of hosts, robots.txt, files, limits).
    Local,
}

impl SettingRow {
    /// The variable that sets it: `GROMA_LIMITS__PAGE_BYTES` for `limits.page_bytes`.
    pub fn variable(&self) -> String {
        format!("GROMA_{}", self.key.replace('.', "__").to_uppercase())
    }
}

const SCOPES: &[&str] = &["page", "prefix", "host", "domain", "auto", "any"];

#[rustfmt::skip]
const ROWS: &[(&str, Kind, &str, &str, Door)] = &[
    ("depth", Kind::MaybeCount, "", "greatest link distance from the start pages", Door::Any),
    ("limit", Kind::MaybeCount, "", "most pages to index", Door::Any),
    ("scope", Kind::Word(SCOPES), "host", "how far the survey reaches beyond the start pages", Door::Any),
    ("include", Kind::List { commas: false }, "", "take only URLs that match one of these (globs, or re:REGEX)", Door::Any),
    ("exclude", Kind::List { commas: false }, "", "ignore URLs that match one of these (globs, or re:REGEX)", Door::Any),
    ("concurrency", Kind::Count, "16", "fetches under way at once, over all servers", Door::Local),
    ("per_host", Kind::Count, "2", "fetches under way at once at one server", Door::Local),
    ("delay", Kind::Seconds, "0.5", "least time between two fetches at one server", Door::Any),
    ("timeout", Kind::Seconds, "60", "longest time for one fetch altogether (the same as limits.total_ms)", Door::Local),
    ("retries", Kind::Count, "5", "a fetch that failed for a passing reason is tried again so often (the same as limits.retries)", Door::Local),
    ("user_agent", Kind::MaybeText, "", "the name we go by", Door::Local),
    ("contact", Kind::MaybeText, "", "where a webmaster reaches you: a mail or web address, part of the user agent", Door::Local),
    ("headers", Kind::Secrets, "", "more header fields, sent to the hosts you named only", Door::Local),
    ("user", Kind::Login, "", "user name and password, sent to the hosts you named only", Door::Local),
    ("proxy", Kind::Proxy, "", "http or https proxy; `none` for no proxy whatever the environment says", Door::Local),
    ("insecure", Kind::Flag, "false", "take any certificate", Door::Local),
    ("cookies", Kind::Flag, "false", "keep cookies that servers set while the crawl lasts; usual with a file of cookies, always with a login", Door::Local),
    ("cookie_file", Kind::MaybeText, "", "cookies to send, each to its own domain: a file as browsers, curl and wget write it", Door::Local),
    ("logout", Kind::List { commas: false }, "", "more URLs that would end a login (globs, or re:REGEX): not asked for while one is in use", Door::Local),
    ("robots", Kind::Flag, "true", "obey robots.txt", Door::Local),
    ("sitemaps", Kind::Flag, "true", "read sitemaps once the links are exhausted", Door::Any),
    ("nofollow", Kind::Word(&["respect", "follow"]), "respect", "what to do about links marked nofollow", Door::Local),
    ("assets", Kind::Flag, "false", "ask for images, styles and scripts too", Door::Any),
    ("outside", Kind::HowMany, "yes", "whether links that lead out of the survey, and images, styles and scripts that were not fetched, are asked if they are there when it is done: no, yes, or how many at most", Door::Any),
    ("bodies", Kind::Word(&["keep", "drop"]), "drop", "whether pages are kept as they came, compressed", Door::Any),
    ("parts", Kind::Word(&["keep", "drop"]), "drop", "whether the parts of pages (abstract, authors, menu, related) are told and kept", Door::Local),
    ("warc", Kind::MaybeText, "", "a folder in which every exchange with a server is kept as WARC", Door::Local),
    ("warc_compression", Kind::Word(&["gzip", "zstd"]), "gzip", "how the records of WARC files are compressed", Door::Local),
    ("warc_level", Kind::Count, "1", "how hard they are compressed: 0 to 9 for gzip, 1 to 19 for zstd", Door::Local),
    ("js", Kind::Word(&["never", "auto", "always"]), "never", "which pages a browser builds before they are read: none, those that come as empty shells, or all; of a gathering, whether the search box is operated: never, where the page has no form to ask, or always", Door::Local),
    ("js_pages", Kind::Count, "4", "pages in the browser at once", Door::Local),
    ("screenshots", Kind::Flag, "false", "keep a picture of every page that the browser builds", Door::Local),
    ("learn", Kind::Flag, "true", "learn which parameters do not change the page", Door::Any),
    ("resolve", Kind::List { commas: true }, "", "addresses of hosts, HOST:PORT:ADDRESS, instead of asking the resolver", Door::Local),
    ("gather", Kind::List { commas: false }, "", "pages of forms that `groma gather --all` asks though nobody described them", Door::Local),
    ("own", Kind::List { commas: true }, "", "hosts (HOST, or HOST:PORT for one port) that may have private addresses though no start page is there", Door::Local),
    ("noise", Kind::List { commas: true }, "", "parameters that never choose a page (replaces the list)", Door::Any),
    ("extra_noise", Kind::List { commas: true }, "", "more parameters that never choose a page", Door::Any),
    ("check.skip", Kind::List { commas: true }, "", "checks and profiles of checks that are left out unless somebody asks for them", Door::Local),
];

/// How much a word counts in a search, by where it stands.
fn weights() -> impl Iterator<Item = SettingRow> {
    let Weights { title, heading, anchor, summary, body, address, rank } = Weights::default();
    let rows = [
        ("title", title, "how much a word in the title counts in a search"),
        ("heading", heading, "how much a word in a heading counts"),
        ("anchor", anchor, "how much a word in the texts of links to the page counts"),
        ("summary", summary, "how much a word in the description or the keywords counts"),
        ("body", body, "how much a word in the text counts"),
        ("address", address, "how much a word in the URL counts"),
        ("rank", rank, "how much the PageRank of the page counts; 0: not at all"),
    ];
    let row = |(key, weight, help): (&str, f32, &'static str)| SettingRow {
        key: format!("search.{key}"),
        kind: Kind::Weight,
        default: weight.to_string(),
        help,
        door: Door::Local,
    };
    rows.into_iter().map(row)
}

/// Settings that choose pages and say what is kept of them: they mean nothing to who asks single questions.
const ABOUT_PAGES: [&str; 16] = [
    "depth",
    "limit",
    "scope",
    "include",
    "exclude",
    "sitemaps",
    "nofollow",
    "assets",
    "outside",
    "bodies",
    "parts",
    "js_pages",
    "screenshots",
    "learn",
    "noise",
    "extra_noise",
];

/// Does a setting choose pages, or say what is kept of them?
pub fn is_about_pages(key: &str) -> bool {
    ABOUT_PAGES.contains(&key)
}

/// Settings that a survey does not keep, though they are no secrets themselves: they name what holds some.
pub(super) const NOT_KEPT: [&str; 1] = ["cookie_file"];

/// Variables that are no settings: what they hold is shown nowhere and kept nowhere.
/// The variable with the password of the mail server.
pub const SMTP_PASSWORD: &str = "GROMA_SMTP_PASSWORD";
/// The variable with the secret that webhooks are signed with.
pub const WEBHOOK_SECRET: &str = "GROMA_WEBHOOK_SECRET";
pub(super) const SECRETS: [&str; 2] = [SMTP_PASSWORD, WEBHOOK_SECRET];

/// Who is told of new findings, and how. Secrets do not stand here: they are read by the task `notify`.
#[rustfmt::skip]
const NOTICE: &[(&str, Kind, &str, &str)] = &[
    ("notice.mail", Kind::List { commas: true }, "", "who gets mail about new findings"),
    ("notice.mail_from", Kind::MaybeText, "", "the sender of that mail"),
    ("notice.smtp", Kind::Proxy, "", "the mail server: smtp://user@host (STARTTLS), smtps://user@host (TLS); its password is in GROMA_SMTP_PASSWORD"),
    ("notice.smtp_password_file", Kind::MaybeText, "", "a file that holds the mail server's password, in place of the variable"),
    ("notice.smtp_roots", Kind::MaybeText, "", "a file with the certificate (PEM) of an authority that the mail server's is signed by"),
    ("notice.webhook", Kind::Hidden, "", "a URL that new findings are posted to, signed with GROMA_WEBHOOK_SECRET"),
    ("notice.webhook_secret_file", Kind::MaybeText, "", "a file that holds the secret, in place of the variable"),
    ("notice.webhook_private", Kind::Flag, "false", "the webhook may have a private address"),
    ("notice.least", Kind::Word(&["error", "warning", "note"]), "warning", "notices are sent for new findings of at least this severity"),
    ("notice.public_url", Kind::MaybeText, "", "where people reach `groma serve`: for links in notices"),
];

pub fn table() -> &'static [SettingRow] {
    static TABLE: OnceLock<Vec<SettingRow>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let row = |&(key, kind, default, help, door): &(&str, Kind, &str, &'static str, Door)| SettingRow {
            key: key.to_owned(),
            kind,
            default: if key == "noise" { DEFAULT_NOISE.join(",") } else { default.to_owned() },
            help,
            door,
        };
        let named = ROWS.iter().map(row);
        let notice = NOTICE.iter().map(|&(key, kind, default, help)| row(&(key, kind, default, help, Door::Local)));
        let limits = limits::TABLE.iter().map(|limit| SettingRow {
            key: format!("limits.{}", limit.key),
            kind: Kind::Limit(limit.unit),
            default: limit.default.to_string(),
            help: limit.what,
            door: Door::Local,
        });
        let checks = Thresholds::TABLE.iter().map(|(name, value, help)| SettingRow {
            key: format!("check.{name}"),
            kind: Kind::Count,
            default: value.to_string(),
            help,
            door: Door::Local,
        });
        named.chain(notice).chain(weights()).chain(checks).chain(limits).collect()
    })
}

/// A row by its key.
pub fn row(key: &str) -> Option<&'static SettingRow> {
    table().iter().find(|row| row.key == key)
}

/// The key somebody may have meant.
pub fn nearest(key: &str) -> Option<&'static str> {
    let bare = |text: &str| text.replace('-', "_").to_lowercase();
    let wanted = bare(key);
    let scored = table().iter().map(|row| {
        let short = row.key.split_once('.').map_or(row.key.as_str(), |(_, short)| short);
        let (whole, last) = (distance(&wanted, &row.key), distance(&wanted, short));
        // Of two that are as near, the one that is meant whole.
        (whole.min(last), last < whole, row.key.as_str())
    });
    scored.min().filter(|(far, _, key)| *far * 3 <= key.len()).map(|(.., key)| key)
}

/// How many letters must be put in, taken out or exchanged (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let exchanged = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn every_default_is_a_value_of_its_kind() {
        for row in table() {
            assert!(row.kind.read(&row.default).is_ok(), "{}", row.key);
        }
        let Ok(Value::List(noise)) = row("noise").map(|r| r.kind.read(&r.default)).unwrap() else { panic!("a list") };
        assert_eq!(noise, DEFAULT_NOISE);
    }

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        assert_eq!(nearest("dept"), Some("depth"));
        assert_eq!(nearest("per-host"), Some("per_host"));
        assert_eq!(nearest("limits.page_byte"), Some("limits.page_bytes"));
        assert_eq!(nearest("page_bytes"), Some("limits.page_bytes"));
        assert_eq!(nearest("zzzzzzzzzzzz"), None);
    }
}
