//! What the settings mean: typed, checked, ready for the engine.

use std::path::PathBuf;
use std::time::Duration;

use groma_archive::Compression;
use groma_check::{CheckName, Kinds, Options, Thresholds};
use groma_crawl::{Follow, Js, Keep, Manners, Rendered};
use groma_fetch::{FetchConfig, OwnHosts, ProxyChoice, ResolveOverride};
use groma_model::url::{Canonizer, Pattern, Rule, RuleBook, RuleError, Scope, ScopeKind};
use groma_model::{Limits, limits};
use groma_page::robots::product_token;
use groma_search::Weights;
use groma_url::Url;

use crate::address::is_loopback;
use crate::personal::Personal;
use crate::value::Value;
use crate::wording::{CHECK_PATH, CONFIG_HINT, help_of};
use crate::{Book, Entry, Fault, Origin};

/// The product token robots.txt files are searched for, unless the user gave us another name.
const AGENT: &str = "groma";
/// More would only make sockets scarce.
const CONCURRENCY_AT_MOST: u64 = 4096;
/// Faster than this is only polite on one's own machine.
const POLITE_DELAY: Duration = Duration::from_millis(100);
/// The pause at servers nobody said anything about.
const STRANGER_DELAY: Duration = Duration::from_millis(500);
/// More connections to one server than this are not polite.
const POLITE_PER_HOST: usize = 4;

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The sites are the user's own.
    pub owned: bool,
    /// They may not reach into private networks, nor further than anybody could.
    pub guarded: bool,
}

/// A folder of WARC files.
#[derive(Clone, Debug)]
pub struct WarcFolder {
    pub path: PathBuf,
    /// How records are compressed.
    pub compression: Compression,
}

/// The settings, typed.
pub struct Settings {
    /// Greatest depth.
    pub depth: Option<u32>,
    /// Most pages.
    pub limit: Option<u64>,
    /// What belongs to the survey.
    pub scope: ScopeKind,
    /// Only these.
    pub include: Vec<Pattern>,
    /// Not these.
    pub exclude: Vec<Pattern>,
    /// How servers are treated.
    pub manners: Manners,
    /// What is fetched beside the pages that links lead to.
    pub follow: Follow,
    /// How many links that lead out are asked when a crawl is done, at most.
    pub outside: u64,
    /// What is kept of a page.
    pub keep: Keep,
    /// Pages that scripts build; where their pictures are kept is for the survey to say.
    pub rendered: Rendered,
    /// Keep pictures of them.
    pub screenshots: bool,
    /// Learn rules about parameters.
    pub learn: bool,
    /// Where every exchange is kept as WARC.
    pub warc: Option<WarcFolder>,
    /// Where somebody can be reached.
    pub contact: Option<String>,
    /// The written rules.
    pub rules: Vec<Rule>,
    /// Parameters that never matter.
    pub noise: Vec<String>,
    /// How much a word counts in a search.
    pub weights: Weights,
    /// What checks look for unless somebody says.
    pub checks: Options,
    /// Somebody can be reached.
    pub contact_given: bool,
    /// URLs that would end a login, besides those that are known anyway.
    pub logout: Vec<Pattern>,
    cookie_file: Option<PathBuf>,
    personal: Personal,
    fetch: FetchConfig,
    book: RuleBook,
}

impl Settings {
    /// Types and checks a book; fills in what follows from other settings.
    pub fn from_book(book: &mut Book) -> Result<Settings, Fault> {
        let contact_given = name_ourselves(book);
        let compression = warc_compression(book)?;
        let warc = warc_folder(book)?.map(|path| WarcFolder { path, compression });
        let mut limits = Limits::default();
        for row in limits::TABLE {
            limits.set(row.key, number(book.entry(&format!("limits.{}", row.key))));
        }
        let mut noise = list(book.entry("noise"));
        noise.extend(list(book.entry("extra_noise")));
        let rules: Vec<Rule> = book.rules.iter().map(|(rule, _)| rule.clone()).collect();
        let rule_book = RuleBook::new(rules.clone(), &noise).map_err(|error| wrong_rule(book, &error))?;
        let (fetch, cookie_file) = fetch_settings(book, &limits)?;
        let word = |key: &str| text(book.entry(key)).unwrap_or_default();
        let depth = maybe(book.entry("depth"));
        Ok(Settings {
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX - 1)),
            limit: maybe(book.entry("limit")),
            scope: word("scope").parse().unwrap_or(ScopeKind::Host),
            include: patterns(book.entry("include"))?,
            exclude: patterns(book.entry("exclude"))?,
            manners: Manners {
                concurrency: within(book.entry("concurrency"))?,
                per_host: within(book.entry("per_host"))?,
                delay: Duration::from_millis(number(book.entry("delay"))),
                stranger_delay: Duration::ZERO,
                agent: agent(&fetch).to_owned(),
                robots: flag(book.entry("robots")),
                limits,
            },
            follow: Follow {
                nofollow: word("nofollow") == "follow",
                assets: flag(book.entry("assets")),
                sitemaps: flag(book.entry("sitemaps")),
            },
            outside: number(book.entry("outside")),
            checks: checks(book)?,
            keep: Keep { bodies: word("bodies") == "keep", parts: word("parts") == "keep" },
            rendered: Rendered {
                js: match word("js").as_str() {
                    "auto" => Js::Auto,
                    "always" => Js::Always,
                    _ => Js::Never,
                },
                pages: within(book.entry("js_pages"))?,
                pictures: None,
            },
            screenshots: flag(book.entry("screenshots")),
            learn: flag(book.entry("learn")),
            warc,
            contact: text(book.entry("contact")),
            rules,
            noise,
            weights: weights(book),
            contact_given,
            logout: patterns(book.entry("logout"))?,
            cookie_file,
            personal: book.personal.clone(),
            fetch,
            book: rule_book,
        })
    }

    /// How URLs get their canonical form.
    pub fn canonizer(&self) -> Canonizer {
        Canonizer::new(self.book.clone(), self.limits())
    }

    /// The bounds of a survey with these start pages.
    pub fn scope(&self, seeds: &[Url]) -> Scope {
        let canonizer = self.canonizer();
        let seeds: Vec<Url> = seeds.iter().map(|seed| canonizer.canon(seed).address.url).collect();
        Scope::new(self.scope, &seeds, self.include.clone(), self.exclude.clone())
    }

    /// The table of limits.
    pub fn limits(&self) -> &Limits {
        &self.manners.limits
    }

    /// How servers are treated, by whoever owns the sites or by a stranger.
    pub fn manners(&self, owned: bool) -> Manners {
        Manners { stranger_delay: self.stranger_delay(owned), ..self.manners.clone() }
    }

    /// What a fetcher has to know for these start pages.
    pub fn fetch_config(&self, seeds: &[Url], login: Option<(String, String)>) -> FetchConfig {
        let basic_auth = self.fetch.basic_auth.clone().or(login);
        let mut own_hosts = self.fetch.own_hosts.clone();
        seeds.iter().for_each(|seed| own_hosts.add(seed));
        FetchConfig { own_hosts, login_at: seeds.to_vec(), basic_auth, ..self.fetch.clone() }
    }

    /// The same with all that tells the user from others, unless whoever asks may not reach further than anybody could. With what
    /// the user should know about it.
    pub fn personal_config(
        &self,
        seeds: &[Url],
        login: Option<(String, String)>,
        access: Access,
    ) -> Result<(FetchConfig, Vec<String>), Fault> {
        let mut config = self.fetch_config(seeds, login);
        let pause = self.manners.delay.max(self.stranger_delay(access.owned || self.at_home(seeds)));
        let given = self.is_personal();
        if access.guarded {
            config.reach_no_further();
            let notes = if given {
                vec!["this survey was begun over the web: the login, cookies and header fields of the settings are not used for it".to_owned()]
            } else {
                Vec::new()
            };
            return Ok((config, notes));
        }
        let notes = self.personal.fill(&mut config, self.cookie_file.as_deref(), pause, seeds)?;
        config.check()?;
        Ok((config, notes))
    }

    /// Is anything sent to sites that tells the user from others?
    pub fn is_personal(&self) -> bool {
        self.personal.login.is_some() || !self.personal.headers.is_empty() || self.cookie_file.is_some()
    }

    /// Do all start pages lie on this machine?
    pub fn at_home(&self, seeds: &[Url]) -> bool {
        seeds.iter().all(|url| is_loopback(url, &self.fetch.resolve))
    }

    /// The least pause at servers that are not on this machine. A pace that is only fit for home does not follow a redirect or a
    /// link out of it.
    pub fn stranger_delay(&self, owned: bool) -> Duration {
        if owned || self.manners.delay >= POLITE_DELAY { Duration::ZERO } else { STRANGER_DELAY }
    }

    /// Refuses to be impolite to strangers.
    pub fn check_manners(&self, seeds: &[Url], owned: bool) -> Result<(), Fault> {
        let rude = if self.manners.delay < POLITE_DELAY {
            rude_delay(self.manners.delay)
        } else if self.manners.per_host > POLITE_PER_HOST {
            rude_per_host(self.manners.per_host)
        } else if !self.manners.robots {
            "robots.txt would not be obeyed".to_owned()
        } else {
            return Ok(());
        };
        // Pace is kept at strangers wherever the scope leads (`stranger_delay`); robots.txt would not be.
        let stays_home = self.manners.robots || !self.scope.is_boundless();
        if owned || (self.at_home(seeds) && stays_home) {
            return Ok(());
        }
        let stranger = seeds.iter().find(|url| !is_loopback(url, &self.fetch.resolve));
        Err(Fault::new(
            not_polite(&rude, stranger.and_then(Url::host_str)),
            "omit the setting; if the site is yours, say so with --i-own-this-site",
        ))
    }

    /// All that decides which URLs are taken, as one text.
    pub fn decisions(&self, seeds: &[Url]) -> String {
        let follow = self.follow;
        let mut text = format!(
            "scope {} depth {:?} limit {:?} nofollow {} assets {} sitemaps {} robots {}\n",
            self.scope, self.depth, self.limit, follow.nofollow, follow.assets, follow.sitemaps, self.manners.robots
        );
        let mut line = |what: &str, items: Vec<String>| text.push_str(&format!("{what} {items:?}\n"));
        let mut seeds: Vec<String> = seeds.iter().map(Url::to_string).collect();
        seeds.sort();
        line("seeds", seeds);
        line("include", self.include.iter().map(|p| p.text().to_owned()).collect());
        line("exclude", self.exclude.iter().map(|p| p.text().to_owned()).collect());
        line("rules", self.rules.iter().map(|rule| serde_json::to_string(rule).unwrap_or_default()).collect());
        line("noise", self.noise.clone());
        if !self.manners.agent.eq_ignore_ascii_case(AGENT) {
            line("agent", vec![self.manners.agent.clone()]);
        }
        let decides = |key: &str| key.starts_with("trap_") || DECIDING.contains(&key);
        let limits = limits::TABLE.iter().filter(|row| decides(row.key));
        line("limits", limits.map(|row| format!("{}={:?}", row.key, self.limits().get(row.key))).collect());
        text
    }
}

const DECIDING: [&str; 5] = ["pattern_fetches", "url_bytes", "path_segments", "path_repeats", "query_params"];

/// The product token robots.txt files are searched for: that of the name we go by.
fn agent(fetch: &FetchConfig) -> &str {
    let own = fetch.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("user-agent"));
    let name = own.map_or(fetch.user_agent.as_str(), |(_, value)| value);
    Some(product_token(name)).filter(|token| !token.is_empty()).unwrap_or(AGENT)
}

/// How requests are made, and the file of cookies.
/// What checks look for.
fn checks(book: &Book) -> Result<Options, Fault> {
    let mut thresholds = Thresholds::default();
    for (name, _, _) in Thresholds::TABLE {
        thresholds.set(name, number(book.entry(&format!("check.{name}"))));
    }
    let entry = book.entry("check.skip");
    let mut skipped = Kinds::NONE;
    for word in list(entry) {
        let named = CheckName::named(&word).ok_or_else(|| {
            Fault::new(
                format!("{}: there is no check or profile `{}`", entry.origin, groma_model::wording::plain(&word)),
                "`groma check --list` names them",
            )
        })?;
        skipped = skipped.and(named.kinds());
    }
    Ok(Options { kinds: Kinds::ALL.except(skipped), thresholds, ..Options::default() })
}

fn fetch_settings(book: &Book, limits: &Limits) -> Result<(FetchConfig, Option<PathBuf>), Fault> {
    let entry = book.entry("resolve");
    let resolve: Vec<ResolveOverride> = list(entry)
        .iter()
        .map(|text| text.parse::<ResolveOverride>().map_err(|e| blamed(entry, &e.to_string(), e.hint())))
        .collect::<Result<_, _>>()?;
    let entry = book.entry("own");
    let own_hosts =
        OwnHosts::from_names(list(entry)).map_err(|error| blamed(entry, &error.to_string(), error.hint()))?;
    let cookie_file = text(book.entry("cookie_file")).map(PathBuf::from);
    // Who gives cookies wants to keep what servers make of them, unless told otherwise.
    let keeps = book.entry("cookies").origin == Origin::Default;
    let fetch = FetchConfig {
        user_agent: text(book.entry("user_agent")).unwrap_or_default(),
        headers: list(book.entry("headers")).iter().filter_map(|h| pair(h)).collect(),
        basic_auth: text(book.entry("user")).and_then(|login| pair(&login)),
        own_hosts,
        login_at: Vec::new(),
        resolve,
        proxy: match text(book.entry("proxy")).as_deref() {
            None => ProxyChoice::FromEnv,
            Some("none") => ProxyChoice::None,
            Some(url) => ProxyChoice::Url(url.to_owned()),
        },
        insecure: flag(book.entry("insecure")),
        cookies: flag(book.entry("cookies")) || (keeps && cookie_file.is_some()),
        limits: limits.clone(),
        ..FetchConfig::default()
    };
    Ok((fetch, cookie_file))
}

/// Without another name we are groma, and say where we can be reached.
fn name_ourselves(book: &mut Book) -> bool {
    let contact = text(book.entry("contact"));
    let own_name = text(book.entry("user_agent")).is_some();
    if !own_name {
        book.fill_in("user_agent", Value::Text(user_agent(contact.as_deref())));
    }
    contact.is_some() || own_name
}

/// The folder of the archive as a whole path: the survey remembers it, and may be asked from elsewhere.
fn warc_folder(book: &mut Book) -> Result<Option<PathBuf>, Fault> {
    let entry = book.entry("warc");
    let Some(typed) = text(entry) else { return Ok(None) };
    let whole = std::path::absolute(&typed).map_err(|error| blamed(entry, &error.to_string(), CHECK_PATH))?;
    book.fill_in("warc", Value::Text(whole.display().to_string()));
    Ok(Some(whole))
}

fn warc_compression(book: &Book) -> Result<Compression, Fault> {
    let entry = book.entry("warc_level");
    let level = number(entry);
    let between = |least, most| blamed(entry, &number_between(least, most), CONFIG_HINT);
    match text(book.entry("warc_compression")).as_deref() {
        Some("zstd") if (1..=19).contains(&level) => Ok(Compression::Zstd(level as i32)),
        Some("zstd") => Err(between(1, 19)),
        _ if level <= 9 => Ok(Compression::Gzip(level as u32)),
        _ => Err(between(0, 9)),
    }
}

fn wrong_rule(book: &Book, error: &RuleError) -> Fault {
    let number = match error {
        RuleError::Twice { rule, .. }
        | RuleError::Dropped { rule, .. }
        | RuleError::NoName { rule }
        | RuleError::NoValues { rule, .. }
        | RuleError::Path { rule, .. }
        | RuleError::Host { rule, .. }
        | RuleError::Ignored { rule } => Some(*rule),
        RuleError::Noise => None,
    };
    let origin = number.and_then(|number| book.rules.get(number.wrapping_sub(1))).map(|(_, origin)| origin);
    let origin = origin.unwrap_or(&book.entry("noise").origin);
    let says = error.to_string();
    // These errors say after the semicolon what to do about them.
    let (says, hint) = says.split_once("; ").unwrap_or((&says, CONFIG_HINT));
    Fault::new(format!("{origin}: {says}"), hint)
}

/// A mistake in a setting, with where it stands.
pub(crate) fn blamed(entry: &Entry, says: &str, hint: &str) -> Fault {
    Fault::new(format!("{}: {}: {says}", entry.origin, entry.row.key), hint)
}

fn patterns(entry: &Entry) -> Result<Vec<Pattern>, Fault> {
    let read = |text: &String| {
        Pattern::parse(text).map_err(|error| {
            let says = error.to_string();
            let (says, hint) = says.rsplit_once("; ").unwrap_or((&says, CONFIG_HINT));
            blamed(entry, says, hint)
        })
    };
    list(entry).iter().map(read).collect()
}

fn within(entry: &Entry) -> Result<usize, Fault> {
    match number(entry) {
        number @ 1..=CONCURRENCY_AT_MOST => Ok(number as usize),
        _ => Err(blamed(entry, &number_between(1, CONCURRENCY_AT_MOST), &help_of(&entry.row.key, entry.row.help))),
    }
}

fn pair(text: &str) -> Option<(String, String)> {
    text.split_once(':').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

fn number(entry: &Entry) -> u64 {
    match entry.value {
        Value::Count(number) | Value::Millis(number) => number,
        _ => 0,
    }
}

fn weights(book: &Book) -> Weights {
    let weight = |part: &str| text(book.entry(&format!("search.{part}"))).and_then(|w| w.parse().ok()).unwrap_or(0.0);
    Weights {
        title: weight("title"),
        heading: weight("heading"),
        anchor: weight("anchor"),
        summary: weight("summary"),
        body: weight("body"),
        address: weight("address"),
        rank: weight("rank"),
    }
}

fn maybe(entry: &Entry) -> Option<u64> {
    if let Value::Count(number) = entry.value { Some(number) } else { None }
}

fn flag(entry: &Entry) -> bool {
    entry.value == Value::Flag(true)
}

fn text(entry: &Entry) -> Option<String> {
    if let Value::Text(text) = &entry.value { Some(text.clone()) } else { None }
}

fn list(entry: &Entry) -> Vec<String> {
    if let Value::List(items) = &entry.value { items.clone() } else { Vec::new() }
}

fn number_between(least: u64, most: u64) -> String {
    format!("a number between {least} and {most} is expected")
}

fn rude_delay(delay: Duration) -> String {
    format!("a delay of {} s is below 0.1 s", delay.as_secs_f64())
}

fn rude_per_host(per_host: usize) -> String {
    format!("{per_host} fetches at once at one server are more than 4")
}

fn user_agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact {
        None => format!("groma/{version} (site survey; contact: not given)"),
        Some(contact) if contact.contains('@') && !contact.contains(':') => {
            format!("groma/{version} (+mailto:{contact})")
        }
        Some(contact) => format!("groma/{version} (+{contact})"),
    }
}

fn not_polite(what: &str, stranger: Option<&str>) -> String {
    match stranger {
        Some(host) => format!("{what}, and {host} is not this machine"),
        None => format!("{what}, and with this --scope other sites are met"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Given;

    fn settings(typed: &[(&str, &str)]) -> Result<Settings, Fault> {
        let typed: Vec<Given> = typed.iter().map(|(key, value)| Given::flag(key, "-s", *value)).collect();
        Settings::from_book(&mut Book::gather(&typed, Some(std::path::Path::new("/dev/null")), None)?)
    }

    fn seeds(text: &str) -> Vec<Url> {
        vec![Url::parse(text).unwrap()]
    }

    #[test]
    fn strangers_are_treated_politely() {
        let (home, stranger) = (seeds("http://127.0.0.1:81/"), seeds("https://example.org/"));
        for rude in [("delay", "0"), ("delay", "0.09"), ("per_host", "5"), ("robots", "false")] {
            let settings = settings(&[rude]).unwrap();
            assert!(settings.check_manners(&home, false).is_ok(), "{rude:?}");
            assert!(settings.check_manners(&stranger, false).is_err(), "{rude:?}");
            assert!(settings.check_manners(&stranger, true).is_ok(), "{rude:?}");
            assert!(settings.check_manners(&[home.clone(), stranger.clone()].concat(), false).is_err(), "{rude:?}");
        }
        let polite = settings(&[("delay", "0.1"), ("per_host", "4")]).unwrap();
        assert!(polite.check_manners(&stranger, false).is_ok());
        let anywhere = settings(&[("delay", "0"), ("scope", "any")]).unwrap();
        assert!(anywhere.check_manners(&home, false).is_ok());
        assert_eq!(anywhere.stranger_delay(false), STRANGER_DELAY);
        let lawless = settings(&[("robots", "false"), ("scope", "any")]).unwrap();
        assert!(lawless.check_manners(&home, false).is_err());
        let mapped = settings(&[("delay", "0"), ("resolve", "example.org:443:127.0.0.1")]).unwrap();
        assert!(mapped.check_manners(&stranger, false).is_ok());
    }

    #[test]
    fn decisions_change_with_what_decides_and_with_nothing_else() {
        let of = |typed: &[(&str, &str)]| settings(typed).unwrap().decisions(&seeds("http://a.example/"));
        let plain = of(&[]);
        for same in [("delay", "3"), ("concurrency", "2"), ("bodies", "keep"), ("limits.page_bytes", "9")] {
            assert_eq!(of(&[same]), plain, "{same:?}");
        }
        for other in
            [("depth", "3"), ("exclude", "/x"), ("noise", "a"), ("limits.trap_dry", "9"), ("limits.url_bytes", "9")]
        {
            assert_ne!(of(&[other]), plain, "{other:?}");
        }
    }

    #[test]
    fn what_cannot_work_is_refused_with_its_origin() {
        for bad in [
            ("concurrency", "0"),
            ("per_host", "5000"),
            ("include", "re:("),
            ("resolve", "x"),
            ("own", "http://x/"),
            ("noise", "a,,b"),
        ] {
            let says = settings(&[bad]).err().unwrap().says;
            assert!(says.starts_with("command line -s:"), "{says}");
        }
    }

    #[test]
    fn we_say_who_we_are() {
        let agent = |typed: &[(&str, &str)]| settings(typed).unwrap().fetch_config(&[], None).user_agent;
        assert!(agent(&[]).starts_with("groma/") && agent(&[]).contains("contact: not given"));
        assert!(agent(&[("contact", "me@example.org")]).ends_with("(+mailto:me@example.org)"));
        assert_eq!(agent(&[("user_agent", "x/1")]), "x/1");
        let token = |typed: &[(&str, &str)]| settings(typed).unwrap().manners.agent.clone();
        assert_eq!(token(&[]), "groma");
        assert_eq!(token(&[("contact", "me@example.org")]), "groma");
        assert_eq!(token(&[("user_agent", "MyBot/1.0 (+http://my.example/)")]), "MyBot");
        assert_eq!(token(&[("user_agent", "/1.0")]), "groma", "there is no name in it");
        let decisions = |typed: &[(&str, &str)]| settings(typed).unwrap().decisions(&[]);
        assert_eq!(decisions(&[]), decisions(&[("user_agent", "Groma/9")]));
        assert_ne!(decisions(&[]), decisions(&[("user_agent", "MyBot")]), "pages are judged again");
    }
}
