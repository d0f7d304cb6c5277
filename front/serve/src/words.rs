//! What more than one part of the server says: one line that says what is wrong, one that says what to do next.

use std::net::SocketAddr;

pub(crate) const BUSY: &str = "the server has too much to do at this moment";
pub(crate) const DISK_HINT: &str = "check the disk and the permissions of the survey's folder";

pub(crate) const NO_SURVEY_HINT: &str = "name the folder of a survey with --store, or start one with `groma crawl URL`";

pub(crate) const FELL: &str = "something went wrong while this was answered";
pub(crate) const FELL_HINT: &str = "the server goes on; try again, and tell us if it stays";

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
pub(crate) const PASSWORD_SHORT: &str = "the password is too short";
pub(crate) const PASSWORD_LONG: &str = "the password is too long";
pub(crate) const NAME_HINT: &str = "take 1 to 64 letters, digits or any of . _ - @";
pub(crate) const USER_TAKEN_HINT: &str = "choose another name, or change the one there is";
pub(crate) const LOG_IN: &str = "this is for those who have logged in";
pub(crate) const KEY_USED: &str = "this start URL was used already, or is of another run of the server";
pub(crate) const BAD_PROXY: &str = "expected an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8";

pub(crate) fn no_key_hint(listen: SocketAddr) -> String {
    format!(
        "open the URL that `groma serve` printed when it started; it works once, and `groma serve --listen {listen} \
         --print-url` prints the next one. Programs send a token (`groma user token NAME`) as `Authorization: Bearer TOKEN`"
    )
}

pub(crate) const ASK_ADMIN: &str = "ask an admin to do it, or to make you one";
pub(crate) const LONG_BODY_HINT: &str = "keep it below 256 KiB";
pub(crate) const QUERY_HINT: &str = "/api/v1/openapi.json says what can be asked for";
pub(crate) const BODY_HINT: &str = "send JSON with `Content-Type: application/json`, as /api/v1/openapi.json says";
pub(crate) const FORM_HINT: &str = "load the page again and fill in the form";

pub(crate) fn wait(seconds: u64) -> String {
    format!("wait {seconds} seconds and try again")
}

pub(crate) fn bad_query(why: &str) -> String {
    format!("the query of the URL cannot be read: {}", short_line(why))
}

pub(crate) fn bad_path(why: &str) -> String {
    format!("the path of the URL cannot be read: {}", short_line(why))
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

pub(crate) const NO_SUCH_PAGE: &str = "there is nothing at this URL";

pub(crate) const NO_LOGIN_HINT: &str = "give it without, or use `groma crawl` on the server";
pub(crate) const NOT_BEGUN: &str = "this site has not been surveyed yet";
pub(crate) const NOT_BEGUN_HINT: &str = "wait until its first crawl has begun, or ask for one with its URL";
pub(crate) const PATTERN_HINT: &str = "write a glob such as */calendar/*, or re: and a regular expression";
pub(crate) const BAD_PRIORITY: &str = "a priority lies between -100 and 100";
pub(crate) const PRIORITY_HINT: &str = "0 is usual, and the higher the sooner";

pub(crate) const BAD_LIMIT: &str = "the limit is out of range";
pub(crate) const BAD_CURSOR: &str = "the cursor does not belong to this list";
pub(crate) const CURSOR_HINT: &str = "give `next` of an answer of the same list as `cursor`, or none to begin anew";

pub(crate) fn no_such(what: &str) -> String {
    format!("there is no such {what}")
}

pub(crate) fn one_of(names: &[&str]) -> String {
    format!("one of: {}", names.join(", "))
}

pub(crate) fn too_long(name: &str, most: usize) -> String {
    format!("{name} is longer than {most} letters")
}

pub(crate) const NO_INDEX: &str = "there is no full-text index to search";
pub(crate) const NO_INDEX_HINT: &str = "ask for a job of kind `index`, or run `groma index`";
pub(crate) const MOVED_ON: &str = "the job came to its end, or could not be paused in time";
pub(crate) const MOVED_ON_HINT: &str = "look at the job and try again";

pub(crate) const NO_MORE_HINT: &str = "give a greater number to go on with it";
pub(crate) const NOT_VISITED_HINT: &str = "choose one from its list of pages";

pub(crate) const RULE_HINT: &str = "write a path through the page, such as html.body->table[0].tr[*].td[0].txt";

/// Signs that turn text around or hide it. Those that join letters stay: Persian, Hindi and families of emoji are written with them.
pub(crate) fn is_trick(c: char) -> bool {
    (c.is_control() && c != ' ')
        || matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
