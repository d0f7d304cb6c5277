//! Flags of the command line that set a setting: one table. What a flag says in `--help` is what the table of settings says of it.

use clap::{Arg, ArgAction};

use crate::table::row;

/// What a flag does to its setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A value of this name.
    Value(&'static str),
    /// Values of this name, one with every use of the flag.
    Values(&'static str),
    /// None: it sets the setting to this.
    Nothing(&'static str),
    /// A number per second: the setting is the time between two.
    PerSecond,
}

#[derive(Debug)]
pub(super) struct Flag {
    pub(super) key: &'static str,
    short: Option<char>,
    pub(super) long: &'static str,
    pub(super) takes: Takes,
    heading: &'static str,
    /// What it does, where that is not what the setting does.
    help: &'static str,
}

use Takes::{Nothing, PerSecond, Value, Values};

const REACH: &str = "Reach";
const PACE: &str = "Pace";
const REQUESTS: &str = "Requests";
const SETTINGS: &str = "Settings";

const fn flag(
    key: &'static str,
    short: Option<char>,
    long: &'static str,
    takes: Takes,
    heading: &'static str,
    help: &'static str,
) -> Flag {
    Flag { key, short, long, takes, heading, help }
}

/// All of them, in the order of `--help`.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag] = &[
    flag("depth", Some('d'), "depth", Value("N"), REACH, ""),
    flag("limit", Some('n'), "limit", Value("N"), REACH, ""),
    flag("scope", None, "scope", Value("SCOPE"), REACH, "How far to go: page, prefix, host, domain, auto (the site, by its bounds) or any [default: host]"),
    flag("include", None, "include", Values("PATTERN"), REACH, ""),
    flag("exclude", None, "exclude", Values("PATTERN"), REACH, ""),
    flag("assets", None, "assets", Nothing("true"), REACH, ""),
    flag("outside", None, "outside", Value("no|yes|N"), REACH, "Whether links that lead out, and images, styles and scripts, are asked if they are there when the crawl is done: no, yes, or how many at most [default: yes]"),
    flag("sitemaps", None, "no-sitemaps", Nothing("false"), REACH, "Do not read sitemaps"),
    flag("nofollow", None, "follow-nofollow", Nothing("follow"), REACH, "Follow links marked nofollow"),
    flag("js", None, "js", Value("WHICH"), REACH, "Which pages a browser builds before they are read: never, auto (empty shells) or always [default: never]"),
    flag("screenshots", None, "screenshots", Nothing("true"), REACH, ""),
    flag("learn", None, "no-learn", Nothing("false"), REACH, "Do not learn which parameters do not change the page"),
    flag("concurrency", Some('c'), "concurrency", Value("N"), PACE, ""),
    flag("per_host", None, "per-host", Value("N"), PACE, ""),
    flag("delay", None, "delay", Value("SECONDS"), PACE, ""),
    flag("delay", None, "rate", PerSecond, PACE, "Most fetches per second at one server (another way to say --delay)"),
    flag("timeout", Some('t'), "timeout", Value("SECONDS"), PACE, "Longest time for one fetch [default: 60]"),
    flag("retries", None, "retries", Value("N"), PACE, "How often to try again after a passing failure [default: 5]"),
    flag("headers", Some('H'), "header", Values("NAME: VALUE"), REQUESTS, "Send a header field to the hosts you named"),
    flag("user", Some('u'), "user", Value("USER:PASSWORD"), REQUESTS, "Log in to the hosts you named"),
    flag("user_agent", Some('A'), "user-agent", Value("NAME"), REQUESTS, ""),
    flag("contact", None, "contact", Value("MAIL|URL"), REQUESTS, ""),
    flag("proxy", Some('x'), "proxy", Value("URL"), REQUESTS, "Go through a proxy [default: as http_proxy, https_proxy and no_proxy say]"),
    flag("insecure", Some('k'), "insecure", Nothing("true"), REQUESTS, ""),
    flag("cookie_file", None, "cookies", Value("FILE"), REQUESTS, "Send the cookies of a file (cookies.txt, as browsers, curl and wget write it), each to its own domain"),
    flag("cookies", None, "keep-cookies", Nothing("true"), REQUESTS, "Keep cookies that servers set, while the crawl lasts"),
    flag("resolve", None, "resolve", Values("HOST:PORT:ADDR"), REQUESTS, "Use this address for a host"),
    flag("own", None, "own", Values("HOST[:PORT]"), REQUESTS, "A host that may have a private address though no start page is there; without a port, at any port"),
    flag("bodies", None, "bodies", Value("keep|drop"), SETTINGS, ""),
    flag("warc", None, "warc", Value("DIR"), SETTINGS, "Keep every exchange with a server in this folder, as WARC files; the survey remembers it"),
    flag("warc", None, "no-warc", Nothing(""), SETTINGS, "Stop archiving a survey that was crawled with --warc"),
];

impl Flag {
    /// As clap takes it.
    pub(super) fn arg(&self) -> Arg {
        let arg = Arg::new(self.long).long(self.long).help_heading(self.heading).help(self.help());
        let arg = match self.short {
            Some(short) => arg.short(short),
            None => arg,
        };
        // Two flags of one setting cannot both be meant.
        let others = FLAGS.iter().filter(|other| other.key == self.key && other.long != self.long);
        let arg = arg.conflicts_with_all(others.map(|other| other.long));
        match self.takes {
            Value(name) => arg.value_name(name),
            PerSecond => arg.value_name("N"),
            Values(name) => arg.value_name(name).action(ArgAction::Append),
            Nothing(_) => arg.action(ArgAction::SetTrue),
        }
    }

    fn help(&self) -> String {
        let (Some(row), true) = (row(self.key), self.help.is_empty()) else { return self.help.to_owned() };
        let mut letters = row.help.chars();
        let help: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        match row.default.as_str() {
            "" | "false" => help,
            default => format!("{help} [default: {default}]"),
        }
    }
}
