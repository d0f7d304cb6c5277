//! What the server says, in one place: one line that says what is wrong, one that says what to do next.

use std::net::SocketAddr;

use crate::app::PORT;

pub(crate) const PROBLEM: &str = "Problem";
pub(crate) const MISSING_HINT: &str = "see what there is in the list above it";
pub(crate) const BUSY: &str = "the server has too much to do at this moment";
pub(crate) const BUSY_HINT: &str = "try again in a few seconds";
pub(crate) const DISK_HINT: &str = "check the disk and the permissions of the survey's folder";

pub(crate) fn in_use_hint(at: SocketAddr) -> String {
    let next = SocketAddr::new(at.ip(), at.port().checked_add(1).unwrap_or(PORT));
    format!("another program listens there: choose another port, such as --listen {next}")
}

pub(crate) fn listen_hint(at: SocketAddr) -> String {
    let port = if at.port() >= 1024 { at.port() } else { PORT };
    format!("name an address of this machine with --listen, such as 127.0.0.1:{port}")
}

pub(crate) fn no_password_hint(at: SocketAddr, loopback: bool) -> String {
    if loopback {
        return "make a user with `groma user add NAME`, or omit --public-url and --trusted-proxy".to_owned();
    }
    format!("make a user with `groma user add NAME`, or listen on this machine only: --listen 127.0.0.1:{}", at.port())
}

pub(crate) const NO_SURVEY_HINT: &str = "name the folder of a survey with --store, or start one with `groma crawl URL`";
pub(crate) const START_HINT: &str = "check the limits of processes and open files (ulimit -a)";

pub(crate) const FELL: &str = "something went wrong while this was answered";
pub(crate) const FELL_HINT: &str = "the server goes on; try again, and tell us if it stays";

pub(crate) fn no_such_site(name: &str) -> String {
    format!("there is no site called {:?}", short(name))
}

pub(crate) const SITE_HINT: &str = "the sites are listed at /api/v1/sites";

/// What was typed may be as long as it likes: only its beginning is repeated.
pub(crate) fn short(text: &str) -> String {
    const LETTERS: usize = 80;
    let mut all = text.chars();
    let mut begin: String = all.by_ref().take(LETTERS).collect();
    if all.next().is_some() {
        begin.push('…');
    }
    begin
}

pub(crate) const NO_CHANCE: &str = "the system gives no random numbers";
pub(crate) const NO_CHANCE_HINT: &str = "check /dev/urandom on the server";
pub(crate) const PASSWORD_SHORT: &str = "the password is too short";
pub(crate) const PASSWORD_LONG: &str = "the password is too long";
pub(crate) const PASSWORD_FAILED: &str = "the password could not be hashed";
pub(crate) const PASSWORD_HINT: &str = "take 10 to 200 letters, best a few words that nobody would put together";
pub(crate) const NAME_HINT: &str = "take 1 to 64 letters, digits or any of . _ - @";
pub(crate) const USER_MISSING_HINT: &str = "`groma user` lists users and tokens";
pub(crate) const USER_TAKEN_HINT: &str = "choose another name, or change the one there is";
pub(crate) const LOG_IN: &str = "this is for those who have logged in";
pub(crate) const LOG_IN_HINT: &str = "log in at /login, or send a token as `Authorization: Bearer TOKEN`";
pub(crate) const BAD_TOKEN: &str = "the token is not known, was revoked or has expired";
pub(crate) const BAD_TOKEN_HINT: &str =
    "make a new one in the settings or with `groma user token NAME`, and send it as `Authorization: Bearer TOKEN`";
pub(crate) const DAYS_HINT: &str = "give a number of days from 1 to 3650, or `never`";
pub(crate) const NO_KEY: &str = "this server has no users: it opens with its start URL or a token";
pub(crate) const KEY_USED: &str = "this start URL was used already, or is of another run of the server";
pub(crate) const NOT_PRIVATE: &str = "its file system lets everybody read it";
pub(crate) const KEY_HINT: &str = "name a folder that only you can read with --home, or make a user with `groma user add NAME`: then no key is needed";
pub(crate) const BAD_PROXY: &str = "expected an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8";

pub(crate) fn no_key_hint(listen: SocketAddr) -> String {
    format!(
        "open the URL that `groma serve` printed when it started; it works once, and `groma serve --listen {listen} \
         --print-url` prints the next one. Programs send a token (`groma user token NAME`) as `Authorization: Bearer TOKEN`"
    )
}

pub(crate) fn unnamed_proxy(header: &str) -> String {
    format!("the request came through a proxy that was not named (it has the header {header:?})")
}

pub(crate) fn proxy_hint(peer: &str) -> String {
    format!(
        "if the proxy is yours, start the server with --trusted-proxy {peer} (and --public-url URL, if people use another one)"
    )
}
pub(crate) const READERS_CHANGE_NOTHING: &str = "a reader sees everything and changes nothing";
pub(crate) const ASK_ADMIN: &str = "ask an admin to do it, or to make you one";
pub(crate) const FOREIGN_ORIGIN: &str = "this was sent by a page of another site";
pub(crate) const FOREIGN_ORIGIN_HINT: &str = "open the page here and send it again; programs use a token instead";
pub(crate) const NO_CSRF: &str = "the form is too old, or was not shown to this browser";
pub(crate) const NO_CSRF_HINT: &str =
    "load the page again; programs send a bearer token, or the `csrf` of /api/v1/me as X-Csrf-Token";
pub(crate) const LONG_ADDRESS: &str = "the address is too long";
pub(crate) const LONG_ADDRESS_HINT: &str = "keep it below 8,000 letters";
pub(crate) const LONG_BODY: &str = "what was sent is too long";
pub(crate) const LONG_BODY_HINT: &str = "keep it below 256 KiB";
pub(crate) const SLOW_BODY: &str = "what was sent took too long to arrive";
pub(crate) const SLOW_BODY_HINT: &str = "send it within 15 seconds";
pub(crate) const QUERY_HINT: &str = "/api/v1/openapi.json says what can be asked for";
pub(crate) const BODY_HINT: &str = "send JSON with `Content-Type: application/json`, as /api/v1/openapi.json says";
pub(crate) const FORM_HINT: &str = "load the page again and fill in the form";
pub(crate) const TOO_MANY_TRIES: &str = "there were too many wrong passwords";
pub(crate) const WRONG_PASSWORD: &str = "name and password do not fit";
pub(crate) const WRONG_PASSWORD_HINT: &str = "type them again; an admin can set another password with `groma user`";
pub(crate) const NOT_OUR_HOST_HINT: &str =
    "use the address the server listens on, or start it with --public-url and the address people use";

pub(crate) fn not_our_host(host: &str) -> String {
    format!("this server does not answer for the host {:?}", short(host))
}

pub(crate) fn wait(seconds: u64) -> String {
    format!("wait {seconds} seconds and try again")
}

pub(crate) fn bad_query(why: &str) -> String {
    format!("the query of the address cannot be read: {}", short_line(why))
}

pub(crate) fn bad_path(why: &str) -> String {
    format!("the path of the address cannot be read: {}", short_line(why))
}

pub(crate) fn bad_body(why: &str) -> String {
    format!("what was sent cannot be read: {}", short_line(why))
}

fn short_line(text: &str) -> String {
    let mut line: String = text.chars().filter(|c| !c.is_control()).take(300).collect();
    if text.chars().count() > 300 {
        line.push('…');
    }
    line
}

pub(crate) const NO_SUCH_PAGE: &str = "there is nothing at this address";
pub(crate) const NO_SUCH_METHOD: &str = "this cannot be done here";

pub(crate) const NO_LOGIN_OVER_WEB: &str = "an address with a user name or password cannot be surveyed over the web";
pub(crate) const NO_LOGIN_HINT: &str = "give it without, or use `groma crawl` on the server";
pub(crate) const PRIVATE_HINT: &str =
    "whoever runs the server can allow it: `groma serve --own HOST` or `--own HOST:PORT`";
pub(crate) const NOT_BEGUN: &str = "this site has not been surveyed yet";
pub(crate) const NOT_BEGUN_HINT: &str = "wait until its first crawl has begun, or ask for one with its address";
pub(crate) const PATTERN_HINT: &str = "write a glob such as */calendar/*, or re: and a regular expression";
pub(crate) const RUDE_DELAY: &str = "a pause below half a second is not polite to a server that is not this machine";
pub(crate) const RUDE_DELAY_HINT: &str = "give a delay of 0.5 or more";
pub(crate) const ANY_NEEDS_LIMIT: &str = "a survey of any site needs a limit of pages";
pub(crate) const ANY_NEEDS_LIMIT_HINT: &str = "give a limit, or another scope: page, prefix, host or domain";
pub(crate) const LONG_SETTINGS: &str = "the settings are too long";
pub(crate) const BAD_PRIORITY: &str = "a priority lies between -100 and 100";
pub(crate) const PRIORITY_HINT: &str = "0 is usual, and the higher the sooner";

pub(crate) fn private_host(host: &str) -> String {
    format!("{} is inside a private network or on this machine", short(host))
}

pub(crate) fn not_over_web(key: &str) -> String {
    format!("{:?} cannot be set over the web", short(key))
}

pub(crate) const NO_OBJECT: &str = "what was sent is no JSON object";
pub(crate) const NO_MORE_STARTS: &str = "start pages of a survey that is there cannot be added over the web";
pub(crate) const NO_MORE_STARTS_HINT: &str = "omit them, or survey the other site on its own";

pub(crate) fn not_over_web_hint() -> String {
    let open =
        groma_desk::settings::table::table().iter().filter(|row| row.door == groma_desk::settings::table::Door::Any);
    let keys: Vec<&str> = open.map(|row| row.key.as_str()).collect();
    format!("these settings can: {}; the others stand in the configuration of the server", keys.join(", "))
}

pub(crate) const BAD_LIMIT: &str = "the limit is out of range";
pub(crate) const BAD_CURSOR: &str = "the cursor does not belong to this list";
pub(crate) const CURSOR_HINT: &str = "give `next` of an answer of the same list as `cursor`, or none to begin anew";
pub(crate) const THERE_ALREADY_HINT: &str = "ask for an update of it instead";
pub(crate) const NO_MAP: &str = "there is no map: the start page could not be read";
pub(crate) const NO_MAP_HINT: &str = "see what became of the start page, and crawl again";
pub(crate) const NOT_ON_MAP: &str = "this page is not on the map: no links lead to it from the root";

pub(crate) fn no_such(what: &str) -> String {
    format!("there is no such {what}")
}

pub(crate) fn one_of(names: &[&str]) -> String {
    format!("one of: {}", names.join(", "))
}

pub(crate) fn there_already(name: &str) -> String {
    format!("{name} has been surveyed, or is about to be")
}

pub(crate) fn empty(name: &str) -> String {
    format!("{name} is empty")
}

pub(crate) fn too_long(name: &str, most: usize) -> String {
    format!("{name} is longer than {most} letters")
}

pub(crate) fn too_great(name: &str, most: u32) -> String {
    format!("{name} is greater than {most}")
}

pub(crate) const NO_INDEX: &str = "there is no full-text index to search";
pub(crate) const NO_INDEX_HINT: &str = "ask for a job of kind `index`, or run `groma index`";
pub(crate) const STATE_HINT: &str = "see its state: only some changes are possible in each";
pub(crate) const NO_PATTERN: &str = "a pattern of 1 to 1,000 letters is expected";
pub(crate) const NO_CRAWL: &str = "no crawl or update is under way, and none waits";
pub(crate) const NO_CRAWL_HINT: &str = "give `exclude` when you ask for the next crawl or update";
pub(crate) const MOVED_ON: &str = "the job came to its end, or could not be paused in time";
pub(crate) const MOVED_ON_HINT: &str = "look at the job and try again";
pub(crate) const FOR_ADMINS: &str = "this is for admins";
pub(crate) const BAD_DAYS: &str = "`days` is not between 1 and 3650";
/// Two wishes that exclude one another.
pub(crate) const DAYS_AND_NEVER: &str = "`days` and `never_expires` are given together";
pub(crate) const BAD_SCHEDULE: &str = "the schedule is too long, or its priority is out of range";
pub(crate) const MANY_SCHEDULES: &str = "a site has at most 100 schedules";
pub(crate) const MANY_SCHEDULES_HINT: &str = "remove one that is not needed";

pub(crate) fn not_in_that_state(state: &str) -> String {
    format!("a job that is {state} cannot be changed so")
}

pub(crate) fn bad_name(name: &str) -> String {
    format!("{:?} cannot be a name", short(name))
}

pub(crate) fn taken(name: &str) -> String {
    format!("there is one called {:?} already", short(name))
}
pub(crate) const NOTHING_READABLE: &str = "no survey can be read";
pub(crate) const HOME_HINT: &str = "name a folder that can be written with --home";

/// What a status means, for people. (Programs get the phrase of HTTP.)
pub(crate) fn problem_heading(status: u16) -> &'static str {
    match status {
        401 => "Please log in",
        403 => "This is not allowed",
        404 | 410 => "There is no such page",
        409 => "Not just now",
        413 | 414 | 431 => "This is too long",
        421 => "Another address is meant",
        429 => "Too many tries",
        400..=499 => "This cannot be done as it stands",
        503 => "Too busy just now",
        _ => "Something went wrong",
    }
}

pub(crate) const NO_BORDERS: &str = "no site was found in this survey yet, or not from this start";
pub(crate) const NO_BORDERS_HINT: &str = "look for one first: the page Borders, or POST /api/v1/sites/{site}/bounds";

pub(crate) const OWN_AND_OTHERS: &str = "pages inside the house and pages of others cannot be fetched by one crawl";
pub(crate) const OWN_AND_OTHERS_HINT: &str =
    "ask for two crawls, or say what to look for by words instead of example pages";
pub(crate) const NO_SUCH_FOCUS_HINT: &str = "those of the survey are listed on the page Focus";
pub(crate) const FOCUS_AT_WORK: &str = "this focused crawl is under way";
pub(crate) const FOCUS_AT_WORK_HINT: &str = "cancel its job first, or wait for its end";
pub(crate) const NO_MORE_PAGES_HINT: &str = "give a greater number to go on with it";
pub(crate) const NOT_VISITED: &str = "the focused crawl did not go to this page";
pub(crate) const NOT_VISITED_HINT: &str = "choose one from its list of pages";

pub(crate) fn no_more_pages(fetched: u32) -> String {
    format!("it has fetched {fetched} pages already")
}

pub(crate) fn too_many_addresses(key: &str, most: usize) -> String {
    format!("{key} holds more than {most} addresses")
}

pub(crate) const NO_SUCH_GATHERING_HINT: &str = "those of the survey are listed on the page Databases";
pub(crate) const GATHERING_AT_WORK: &str = "this database is being gathered";
pub(crate) const GATHERING_AT_WORK_HINT: &str = "cancel its job first, or wait for its end";
pub(crate) const NO_MORE_REQUESTS_HINT: &str = "give a greater number to go on with it";
pub(crate) const NO_PAGE_TO_TRY: &str = "no page is given to try the rule on";
pub(crate) const NO_PAGE_TO_TRY_HINT: &str = "give HTML, or the name of a site and the address of a page of its survey";
pub(crate) const TWO_PAGES_TO_TRY: &str = "two pages are given at once";
pub(crate) const TWO_PAGES_TO_TRY_HINT: &str = "give HTML, or the address of a page, and not both";
pub(crate) const NO_COPY: &str = "no copy of this page is kept";
pub(crate) const NO_COPY_HINT: &str = "copies are kept where the survey is made with bodies = keep";
pub(crate) const NO_RULE: &str = "no rule is given";
pub(crate) const RULE_HINT: &str = "write a path through the page, such as html.body->table[0].tr[*].td[0].txt";

pub(crate) fn no_more_requests(made: u32) -> String {
    format!("it has made {made} requests already")
}
