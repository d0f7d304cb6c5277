//! Sentences about logins, cookies and header fields for single hosts. None of them ever holds a secret.

use super::counted;

pub const LOGIN_TABLE: &str = "a login is written as a table, [login]";
pub const HEADER_TABLE: &str = "header fields for single hosts are written as tables, [[header]]";
pub const LOGIN_HINT: &str = "for example: [login] page = \"https://a.example/login\", fields = { user = \"me\", password = { env = \"A_PASSWORD\" } }";
pub const HEADER_HINT: &str =
    "for example: [[header]] host = \"a.example\", name = \"Authorization\", value_from = \"A_TOKEN\"";
pub const NO_VARIABLE_HINT: &str = "set it before the command, or name a file: { file = \"PATH\" } (chmod 600)";
pub const NO_SECRET_HINT: &str = "put the secret into it, in one line";
pub const NO_LOGIN_HINT: &str = "nothing is lost: mend [login] in groma.toml (page, fields, form, done, lost; see docs/login.md) and run the same command again";
pub const COOKIES_HINT: &str = "a cookies.txt as browsers export it, or `curl -c FILE` writes it, is expected: seven fields a line, tabs between them";
pub const NOT_OVER_THE_WEB: &str =
    "this survey was begun over the web: the login, cookies and header fields of the settings are not used for it";

pub fn no_variable(name: &str) -> String {
    format!("the variable {name} is not set")
}

pub fn open_secret(path: &str) -> String {
    format!("{path} can be read by others")
}

pub fn open_secret_hint(path: &str) -> String {
    format!("chmod 600 {path}")
}

pub fn no_secret(path: &str) -> String {
    format!("{path} holds no secret")
}

pub fn only_over_https(name: &str, host: &str) -> String {
    format!(
        "the header field {name} is sent to {host} over https only; write host = \"http://{host}\" to send it in the clear"
    )
}

pub fn too_many_cookies(path: &str, most: u64) -> String {
    format!("{path} is larger than {most} bytes (limits.cookie_file_bytes)")
}

pub fn bad_cookie(path: &str, line: usize, why: &str) -> String {
    format!("{path}:{line}: not used: {why}")
}

pub fn no_cookies(path: &str) -> String {
    format!("{path} holds no cookie that can be sent")
}

pub fn cookies_for(count: u64, domains: &[&str]) -> String {
    let some: Vec<&str> = domains.iter().take(5).copied().collect();
    let more = if domains.len() > some.len() { ", ..." } else { "" };
    format!("{} for {}{more}, sent there only", counted(count, "cookie", "cookies"), some.join(", "))
}
