//! Sentences that more than one place says. What is said once stands where it is said; help texts stand with flags and fields,
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

pub const SEE_HELP: &str = "see `groma --help` or `groma COMMAND --help`";
pub const CHECK_PATH: &str = "check the path and its permissions";
pub const ONLY_WEB: &str = "only http and https are visited";
pub const CONFIG_HINT: &str = "`groma config` shows every setting; see `groma config --help`";
pub const NOT_UTF8: &str = "the file is not UTF-8";
pub const NOT_UTF8_HINT: &str = "open it in an editor and save it as UTF-8";
pub const NO_URL: &str = "no address to start at";
pub const NO_URL_HINT: &str = "say where: groma crawl https://www.example.org/ (or try `groma demo`)";
pub const NO_SURVEY: &str = "there is no survey in this folder";
pub const NO_SURVEY_HINT: &str = "start one with `groma crawl URL`, or name its folder with --store";
pub const FINISHING: &str = "finishing what is in flight; again to stop now";
pub const NOTHING_LEFT: &str = "nothing left to do; `groma update` asks again";
pub const NOTHING_LEFT_LIMIT: &str = "nothing left to do within the page limit; raise it with -n";
pub const UNKNOWN: &str = "not known to this survey: no page seen so far links to it";

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

pub fn bad_address(typed: &str, why: &str) -> String {
    format!("`{typed}` is no address that can be visited: {why}")
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

pub fn rude(what: &str, stranger: Option<&str>) -> String {
    match stranger {
        Some(host) => format!("{what}, and {host} is not this machine"),
        None => format!("{what}, and with this --scope other sites are met"),
    }
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

pub fn learned(param: &str, pattern: &str, folded: u64, checked: u32) -> String {
    format!(
        "learned: parameter `{param}` of {pattern} does not change the page; {} folded ({} checked)",
        counted(folded, "variant", "variants"),
        grouped(checked.into())
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

/// `1 page`, `2,000 pages`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

pub const LOST: &str = "lost:";

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
