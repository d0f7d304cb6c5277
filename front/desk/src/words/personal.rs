//! Sentences about logins, cookies and header fields for single hosts. None of them ever holds a secret.

pub const LOGIN_HINT: &str = "for example: [login] page = \"https://a.example/login\", fields = { user = \"me\", password = { env = \"A_PASSWORD\" } }";
pub const HEADER_HINT: &str =
    "for example: [[header]] host = \"a.example\", name = \"Authorization\", value_from = \"A_TOKEN\"";
pub const NO_SECRET_HINT: &str = "put the secret into it, in one line";
pub const NO_LOGIN_HINT: &str = "nothing is lost: mend [login] in groma.toml (page, fields, form, done, lost; see docs/login.md) and run the same command again";
pub const COOKIES_HINT: &str = "a cookies.txt as browsers export it, or `curl -c FILE` writes it, is expected: seven fields a line, tabs between them";
