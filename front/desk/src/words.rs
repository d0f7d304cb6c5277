//! The sentences of the command line, in one place, so that they can be said in other languages. Help texts stand in `args`,
//! sentences about states, limits and stores with what they are about.

mod archive;
mod bounds;
mod extract;
mod focus;
mod gather;
mod jobs;
mod personal;
mod reckoning;
mod results;
mod running;
mod stored;

use std::time::Duration;

use groma_model::moment::spoken;
use groma_model::wording::grouped;

pub use archive::*;
pub use bounds::*;
pub use extract::*;
pub use focus::*;
pub use gather::*;
pub use jobs::*;
pub use personal::*;
pub use reckoning::*;
pub use results::*;
pub use running::*;
pub use stored::*;

pub const CONFIG_FILE: &str = "groma.toml";
pub const SEE_HELP: &str = "see `groma --help` or `groma COMMAND --help`";
pub const CHECK_OUTPUT: &str = "check the disk, or write elsewhere with -o";
pub const CHECK_PATH: &str = "check the path and its permissions";
pub const MORE_FILES: &str =
    "raise the limit (ulimit -n 4096), or fetch less at once (-c 4), then run the same command again: it goes on";
pub const MORE_THREADS: &str = "close other programs, or raise the limits of this account (ulimit -u)";
pub const ONLY_WEB: &str = "only http and https are visited";
pub const ADDRESS_HINT: &str = "write it as https://www.example.org/ or 127.0.0.1:8080";
pub const CONFIG_HINT: &str = "`groma config` shows every setting; see `groma config --help`";
pub const RULE_TABLE: &str = "rules are written as tables, [[rule]]";
pub const LONG_LINE: &str = "the line is too long for a URL";
pub const LINE_NOT_UTF8: &str = "the line is not UTF-8";
pub const CHECK_TEMP: &str = "check the disk of the folder for temporary files (TMPDIR)";
pub const HALF_LISTED: &str =
    "the list of start pages was not read to its end when this survey was begun; give it again with -i";
pub const NO_CONFIG_HINT: &str = "name a plain file with --config FILE, or move this one away";
pub const NOT_UTF8: &str = "the file is not UTF-8";
pub const NOT_UTF8_HINT: &str = "open it in an editor and save it as UTF-8";
pub const RATE_HINT: &str = "--rate 2 means two fetches a second; for no pause at all say --delay 0";
pub const SET_HINT: &str = "write -s key=value, for example -s limits.page_bytes=4MB";
pub const RUDE_ROBOTS: &str = "robots.txt would not be obeyed";
pub const MANNERS_HINT: &str = "leave the setting away; if the site is yours, say so with --i-own-this-site";
pub const NO_BROWSER: &str = "no Chromium was found, and every page is to be built by one";
pub const NO_BROWSER_HINT: &str = "install it (on Debian: apt install chromium), or say --js auto or --js never";
pub const NO_BROWSER_AUTO: &str =
    "no Chromium was found: pages that need scripts are kept as they come (on Debian: apt install chromium)";
pub const NO_PICTURES: &str = "there are no pictures without a browser";
pub const NO_PICTURES_HINT: &str = "say --js auto or --js always too";
pub const NO_COMMAND: &str = "no command";
pub const NO_URL: &str = "no address to start at";
pub const NO_URL_HINT: &str = "say where: groma crawl https://www.example.org/ (or try `groma demo`)";
pub const NO_SURVEY: &str = "there is no survey in this folder";
pub const NO_SURVEY_HINT: &str = "start one with `groma crawl URL`, or name its folder with --store";
pub const WHICH_SURVEY_HINT: &str = "say which with --store";
pub const WHICH_SURVEY_THERE_HINT: &str = "say which with ?survey=NAME at the end of the address";
pub const NO_SEEDS: &str = "the survey does not say where it started";
pub const NO_SEEDS_HINT: &str = "name the address: groma update URL";
pub const FINISHING: &str = "finishing what is in flight; again to stop now";
pub const NOTHING_LEFT: &str = "nothing left to do; `groma update` asks again";
pub const NOTHING_LEFT_LIMIT: &str = "nothing left to do within the page limit; raise it with -n";
pub const SUGGEST_CONTACT: &str =
    "tell webmasters how to reach you: --contact MAIL or URL (or `contact` in groma.toml)";
pub const LOGIN_TAKEN: &str = "user name and password of the address are sent as with -u, and not kept";
pub const DEMO_OVER: &str =
    "this survey is gone again; `groma demo --keep` keeps it, `groma crawl URL` begins your own";
pub const UNKNOWN: &str = "not known to this survey: no page seen so far links to it";
pub const UNKNOWN_HINT: &str = "crawl it as a start page, or look for new links with `groma update`";
pub const WOULD_BE_FETCHED: &str = "it would be fetched when a link to it is found";
pub const WOULD_BE_FOLDED: &str = "it would be folded into the variant known first, by a learned rule";
pub const RUNS_HINT: &str = "`groma status` lists the runs";
pub const NOT_RUN: &str = "no crawl has finished yet";
pub const NOT_RUN_HINT: &str = "run the same crawl command again: it goes on; `groma status` shows where it stands";

/// What to do about a page for this reason, where its note says more.
pub fn next_step_after(reason: groma_model::Reason, note: &str) -> &'static str {
    match reason {
        groma_model::Reason::Tls if note.contains("certificate") => "-k takes any certificate",
        groma_model::Reason::Tls if note.contains("does not speak TLS") => {
            "write http:// instead of https://, or another port"
        }
        groma_model::Reason::Tls => "`groma update` asks again; see that the server and its TLS work",
        reason => next_step(reason),
    }
}

/// Lines of a list that are not named one by one.
pub fn more_bad_lines(list: &str, count: u64) -> String {
    let lines = if count == 1 { "line" } else { "lines" };
    format!("{list}: {} more {lines} without a URL", grouped(count))
}

/// A list that could not be put aside.
pub fn list_not_kept(error: &std::io::Error) -> String {
    format!("the list of start pages cannot be kept: {error}")
}

/// A file of settings that is none.
pub fn no_config(path: &str, most: u64) -> String {
    format!("{path}: settings are read from a plain file of at most {}", groma_model::wording::size(most))
}

pub fn output_failed(error: &std::io::Error) -> String {
    format!("the output cannot be written: {error}")
}

pub fn bad_address(typed: &str, why: &str) -> String {
    format!("`{typed}` is no address that can be visited: {why}")
}

pub fn assumed_scheme(scheme: &str, url: &str) -> String {
    format!("no scheme given, {scheme} assumed: {url}")
}

pub fn no_such_key(key: &str) -> String {
    format!("there is no setting `{key}`")
}

pub fn key_hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(key) => format!("did you mean `{key}`? {CONFIG_HINT}"),
        None => CONFIG_HINT.to_owned(),
    }
}

pub fn help_of(key: &str, help: &str) -> String {
    format!("{key}: {help}")
}

pub fn unknown_variable(name: &str) -> String {
    format!("the variable {name} sets nothing: there is no such setting")
}

pub fn set_without_value(text: &str) -> String {
    format!("-s {text} has no value")
}

pub fn number_between(least: u64, most: u64) -> String {
    format!("a number between {least} and {most} is expected")
}

pub fn bad_rate(rate: &str) -> String {
    format!("--rate {rate}: a number of fetches a second above 0 is expected")
}

pub const ABOVE_ZERO: &str = "a number above 0 is expected: nothing could be fetched otherwise";

/// Start pages that a survey does not know yet.
pub fn adds_start_pages(known: &[String], new: &[String]) -> String {
    let some = |urls: &[String]| match urls {
        [one] => one.clone(),
        [one, rest @ ..] => format!("{one} and {} more", grouped(rest.len() as u64)),
        [] => String::new(),
    };
    format!("this survey already holds {}; adding {}", some(known), some(new))
}

pub fn user_agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact {
        None => format!("groma/{version} (site survey; contact: not given)"),
        Some(contact) if contact.contains('@') && !contact.contains(':') => {
            format!("groma/{version} (+mailto:{contact})")
        }
        Some(contact) => format!("groma/{version} (+{contact})"),
    }
}

pub fn rude_delay(delay: Duration) -> String {
    format!("a delay of {} s is below 0.1 s", delay.as_secs_f64())
}

pub fn rude_per_host(per_host: usize) -> String {
    format!("{per_host} fetches at once at one server are more than 4")
}

pub fn rude(what: &str, stranger: Option<&str>) -> String {
    match stranger {
        Some(host) => format!("{what}, and {host} is not this machine"),
        None => format!("{what}, and with this --scope other sites are met"),
    }
}

pub fn several_surveys(names: &[String]) -> String {
    format!("there are several surveys in this folder: {}", names.join(", "))
}

pub fn settings_of_survey(keys: &[&str]) -> String {
    format!("saved with the survey and used again: {} (--fresh starts over without)", keys.join(", "))
}

pub fn not_kept(keys: &[String]) -> String {
    format!(
        "this survey was made with secrets that are not kept ({}); give them again if they are needed",
        keys.join(", ")
    )
}

pub fn nothing_fetched(url: &str, why: &str) -> String {
    format!("nothing could be fetched: {url}: {why}")
}

pub fn ended(end: &str, took: Duration) -> String {
    format!("{end} in {}", spoken(took))
}

pub fn learned(param: &str, pattern: &str, folded: u64, checked: u32) -> String {
    format!(
        "learned: parameter `{param}` of {pattern} does not change the page; {} folded ({} checked)",
        counted(folded, "variant", "variants"),
        grouped(checked.into())
    )
}

pub fn refuted(param: &str, pattern: &str) -> String {
    format!("parameter `{param}` of {pattern} changes pages: it is kept")
}

pub fn watching(param: &str, pattern: &str, equal: u32) -> String {
    format!(
        "parameter `{param}` of {pattern} is being watched: {} did not change so far",
        counted(equal.into(), "page", "pages")
    )
}

pub fn limit_hit(key: &str, times: u64) -> String {
    if key == "open_files" {
        let times = counted(times, "time", "times");
        return format!(
            "{key}  {times} (fetches or readers waited for files or processes: `ulimit -n N` and `-u N` before the start give more)"
        );
    }
    format!("{key}  {} (-s limits.{key}=N changes it)", counted(times, "time", "times"))
}

pub fn archive_file_lost(file: &str, records: u64) -> String {
    format!("archive: {file} is gone or empty, and with it {}", counted(records, "record", "records"))
}

pub fn limit_reached(key: &str, times: u64) -> String {
    format!("limit reached: {}", limit_hit(key, times))
}

/// `1 page`, `2,000 pages`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

pub fn first_crawl(pages: u64) -> String {
    format!("first crawl: {} added", counted(pages, "page", "pages"))
}

pub fn no_such_run(run: u32) -> String {
    format!("there is no run {run}")
}

pub fn verified(addresses: u64, links: u64) -> String {
    format!("{} and {} checked: all well", counted(addresses, "address", "addresses"), counted(links, "link", "links"))
}

pub fn found_wrong(wrong: u64, addresses: u64, links: u64) -> String {
    format!(
        "{} in {} and {}",
        counted(wrong, "complaint", "complaints"),
        counted(addresses, "address", "addresses"),
        counted(links, "link", "links")
    )
}

/// The checksums of a survey's tables, where those are on a server.
pub fn server_checksums(on: bool) -> &'static str {
    match on {
        true => {
            "the tables are on a PostgreSQL server, which checks the pages of its files itself (data_checksums is on)"
        }
        false => {
            "the tables are on a PostgreSQL server that does not check the pages of its files (data_checksums is off)"
        }
    }
}

pub const REPAIR_HINT: &str = "`groma verify --repair` restores what it can and names what is lost";
pub const QUEUED_AGAIN_HINT: &str = "`groma crawl` fetches what is queued";
pub const RESTORED: &str = "restored:";
pub const LOST: &str = "lost:";
pub const SERVER_REPAIRS_ITSELF: &str =
    "tables on a PostgreSQL server are not repaired here: restore them from its backups";

/// What somebody may do about an address that has this reason.
pub fn next_step(reason: groma_model::Reason) -> &'static str {
    use groma_model::Reason::*;
    match reason {
        Waiting => "run the same crawl command again: it goes on",
        Imported => "it came without a page; crawl the site to see it",
        Fetched => "`groma update` asks whether it changed",
        DepthLimit => "raise the depth with -d",
        PageLimit => "raise the limit with -n",
        OutOfScope => "widen the survey with --scope, or add the address as a start page",
        Robots => "ask the webmaster; on a site of your own: -s robots=false --i-own-this-site",
        RobotsUnreachable => "see that the server answers for /robots.txt; `groma update` asks again",
        NotArchived => "add another archive that has it, or ask the web with `groma update`",
        NoFollow => "follow such links with --follow-nofollow",
        Asset => "ask for such files with --assets",
        Trap => "raise the limit named in the finding (groma status) if the pages are real",
        PrivateAddress => "if it is meant, name it: --own HOST:PORT, or as a start page",
        Unauthorized => "log in with -u user:password or -H",
        Forbidden => "ask the webmaster, or log in with -u or -H",
        AskedToWait => "`groma update` asks again later; go slower with --delay",
        NotWanted => "it is known, and no link that counts leads to it",
        Loose => "leave out -d to take pages that only a sitemap names",
        RuleRequired | RuleOneOf | RuleIgnored => {
            "`groma rules test URL` shows the rule; change it in groma.toml if it is wrong"
        }
        Excluded => "change --exclude if it is wanted",
        NotIncluded => "change --include if it is wanted",
        EndlessPath => "raise limits.path_segments, path_repeats, url_bytes or query_params if it is real",
        Logout => "crawl without a login, cookies and header fields of your own if the page is wanted",
        Malformed => "mend the link on the page that holds it",
        NotFound | Gone => "mend or remove the links to it (below)",
        DnsFailure => "check the host name; `groma update` asks again",
        Refused | Reset | TimeOut | ServerError | BadAnswer => {
            "`groma update` asks again; raise --timeout or --retries if it is slow"
        }
        Tls => "-k takes any certificate; write http:// where the server speaks no TLS",
        ClientError => "the link asks for something the server does not do: mend it",
        RedirectLoop | RedirectChain | BadRedirect => "mend the redirects on the server",
        Redirected => "links may name the new address at once",
        Folded => "`groma rules` shows the evidence",
        Rewritten => "`groma rules test URL` shows the rule",
    }
}
