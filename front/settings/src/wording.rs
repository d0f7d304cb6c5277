//! Sentences that more than one place says.

pub const SEE_HELP: &str = "see `groma --help` or `groma COMMAND --help`";
pub const CHECK_PATH: &str = "check the path and its permissions";
pub const ONLY_WEB: &str = "only http and https are visited";
pub const CONFIG_HINT: &str = "`groma config` shows every setting; see `groma config --help`";
pub const NOT_UTF8: &str = "the file is not UTF-8";
pub const NOT_UTF8_HINT: &str = "open it in an editor and save it as UTF-8";
pub const NO_SURVEY_HINT: &str = "start one with `groma crawl URL`, or name its folder with --store";
pub const NO_LOGIN_HINT: &str = "nothing is lost: fix [login] in groma.toml (page, fields, form, done, lost; see docs/login.md) and run the same command again";
pub const OTHER_ROOT_HINT: &str = "name another page of the survey with --root; `groma rank` lists good ones";

pub fn bad_address(typed: &str, why: &str) -> String {
    format!("`{typed}` is no URL that can be visited: {why}")
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
