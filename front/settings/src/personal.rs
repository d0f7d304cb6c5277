//! What tells the user from others: a login by a form (`[login]`), header fields for single hosts (`[[header]]`), a file of cookies.
//!
//! They stand in groma.toml and in files of the user's, never in a survey. Secrets come from a variable or a file that nobody else can
//! read; they are looked up when a fetcher is made, so that `groma config` can say whether they are there without them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use groma_fetch::{Cookies, FetchConfig, HostHeader, Login, LoginField, Secret, Sign};
use groma_model::wording::counted;
use groma_url::Url;
use serde::Deserialize;

use crate::{Fault, Origin};

/// A secret longer than this was not meant.
const SECRET_BYTES: u64 = 64 * 1024;

/// Looks a variable up.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Source {
    /// It stands there.
    Plain(String),
    /// In a variable.
    Variable {
        /// Its name.
        env: String,
    },
    /// In a file that only its owner can read.
    File {
        /// Its path.
        file: PathBuf,
    },
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown(&|_| None))
    }
}

impl Source {
    /// What may be shown of it: where it comes from, and whether it is there.
    pub fn shown(&self, variables: Variables<'_>) -> String {
        let there = |is: bool| if is { "set" } else { "not set" };
        match self {
            Source::Plain(_) => "***".to_owned(),
            Source::Variable { env } => format!("variable {env}, {}", there(variables(env).is_some())),
            Source::File { file } => format!("file {}, {}", file.display(), there(file.exists())),
        }
    }

    fn value(&self, origin: &Origin, variables: Variables<'_>) -> Result<Secret, Fault> {
        match self {
            Source::Plain(text) => Ok(Secret(text.clone())),
            Source::Variable { env } => variables(env).map(Secret).ok_or_else(|| {
                Fault::new(
                    format!("{origin}: {}", no_variable(env)),
                    "set it before the command, or name a file: { file = \"PATH\" } (chmod 600)",
                )
            }),
            Source::File { file } => read_secret(file).map(Secret),
        }
    }
}

/// The secret in a file, without the end of its line.
fn read_secret(path: &Path) -> Result<String, Fault> {
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| Fault::of_input(&shown, &error);
    let file = File::open(path).map_err(failed)?;
    let facts = file.metadata().map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What is handed over by a descriptor is nobody else's anyway.
        if facts.is_file() && facts.permissions().mode() & 0o077 != 0 {
            return Err(Fault::new(open_secret(&shown), open_secret_hint(&shown)));
        }
    }
    if facts.is_dir() {
        return Err(Fault::new(no_secret(&shown), NO_SECRET_HINT));
    }
    let mut text = String::new();
    file.take(SECRET_BYTES).read_to_string(&mut text).map_err(failed)?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        return Err(Fault::new(no_secret(&shown), NO_SECRET_HINT));
    }
    Ok(text.to_owned())
}

/// One text, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoginTable {
    page: String,
    fields: BTreeMap<String, Source>,
    form: Option<usize>,
    done: Option<String>,
    lost: Option<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderTable {
    host: String,
    name: String,
    value: Option<String>,
    value_from: Option<String>,
}

/// A login as groma.toml describes it.
#[derive(Clone, Debug)]
pub struct LoginPlan {
    page: Url,
    form: Option<usize>,
    fields: Vec<(String, Source)>,
    done: Option<Sign>,
    lost: Vec<Sign>,
    said: Vec<(String, String)>,
    /// Where it stands.
    pub origin: Origin,
}

impl LoginPlan {
    /// Reads the table `[login]`.
    pub(super) fn read(table: toml::Value, origin: Origin) -> Result<LoginPlan, Fault> {
        let read: LoginTable = table.try_into().map_err(|error| of_table(&origin, "[login]", &error))?;
        let wrong = |what: &str| Fault::new(format!("{origin}: [login]: {what}"), LOGIN_HINT);
        let page = web(&read.page).ok_or_else(|| wrong("page is no http or https URL"))?;
        if read.fields.is_empty() {
            return Err(wrong("there are no fields"));
        }
        if read.form == Some(0) {
            return Err(wrong("forms are counted from 1"));
        }
        let sign = |text: &String| text.parse::<Sign>().map_err(|error| wrong(&error.to_string()));
        let lost = match read.lost {
            None => Vec::new(),
            Some(Texts::One(text)) => vec![text],
            Some(Texts::Many(texts)) => texts,
        };
        let mut said = vec![("login.page".to_owned(), page.to_string())];
        said.extend(read.form.map(|form| ("login.form".to_owned(), form.to_string())));
        said.extend(read.done.iter().map(|done| ("login.done".to_owned(), done.clone())));
        said.extend(lost.iter().map(|lost| ("login.lost".to_owned(), lost.clone())));
        Ok(LoginPlan {
            page,
            form: read.form,
            fields: read.fields.into_iter().collect(),
            done: read.done.as_ref().map(sign).transpose()?,
            lost: lost.iter().map(sign).collect::<Result<_, _>>()?,
            said,
            origin,
        })
    }

    /// What may be shown of it.
    pub fn shown(&self, variables: Variables<'_>) -> Vec<(String, String)> {
        let field = |(name, source): &(String, Source)| (format!("login.fields.{name}"), source.shown(variables));
        self.said.iter().cloned().chain(self.fields.iter().map(field)).collect()
    }

    fn login(&self, pause: Duration, variables: Variables<'_>) -> Result<Login, Fault> {
        let field = |(name, source): &(String, Source)| {
            Ok(LoginField {
                name: name.clone(),
                value: source.value(&self.origin, variables)?,
                in_sight: matches!(source, Source::Plain(_)),
            })
        };
        Ok(Login {
            page: self.page.clone(),
            form: self.form,
            fields: self.fields.iter().map(field).collect::<Result<_, Fault>>()?,
            done: self.done.clone(),
            lost: self.lost.clone(),
            pause,
        })
    }
}

/// A header field for one host as groma.toml describes it.
#[derive(Clone, Debug)]
pub struct HeaderPlan {
    at: Url,
    /// The scheme was written.
    spelled_out: bool,
    name: String,
    value: Source,
    /// Where it stands.
    pub origin: Origin,
}

impl HeaderPlan {
    /// Reads a table `[[header]]`.
    pub(super) fn read(table: toml::Value, origin: Origin) -> Result<HeaderPlan, Fault> {
        let read: HeaderTable = table.try_into().map_err(|error| of_table(&origin, "[[header]]", &error))?;
        let wrong = |what: &str| Fault::new(format!("{origin}: [[header]]: {what}"), HEADER_HINT);
        let spelled_out = read.host.contains("://");
        // A secret goes out in the clear only where somebody wrote so.
        let text = if spelled_out { read.host.clone() } else { format!("https://{}", read.host) };
        let at = web(&text).filter(|url| url.path() == "/" && url.query().is_none() && url.username().is_empty());
        let at = at.ok_or_else(|| wrong("host is no host, such as www.example.org or http://localhost:8080"))?;
        let value = match (read.value, read.value_from) {
            (Some(value), None) => Source::Plain(value),
            (None, Some(env)) => Source::Variable { env },
            _ => return Err(wrong("either value or value_from is expected")),
        };
        Ok(HeaderPlan { at, spelled_out, name: read.name, value, origin })
    }

    /// What may be shown of it.
    pub fn shown(&self, variables: Variables<'_>) -> String {
        let origin = self.at.origin().ascii_serialization();
        format!("{} at {origin}: {}", self.name, self.value.shown(variables))
    }

    fn header(&self, variables: Variables<'_>) -> Result<HostHeader, Fault> {
        let value = self.value.value(&self.origin, variables)?;
        Ok(HostHeader { at: self.at.clone(), name: self.name.clone(), value })
    }
}

/// All that tells the user from others.
#[derive(Clone, Debug, Default)]
pub struct Personal {
    /// A login by a form.
    pub login: Option<LoginPlan>,
    /// Header fields for single hosts.
    pub headers: Vec<HeaderPlan>,
}

impl Personal {
    /// Names of variables that hold secrets.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        let fields = self.login.iter().flat_map(|login| login.fields.iter().map(|(_, source)| source));
        fields.chain(self.headers.iter().map(|header| &header.value)).filter_map(|source| match source {
            Source::Variable { env } => Some(env.as_str()),
            _ => None,
        })
    }

    /// Puts it into what a fetcher is told. Gives what the user should know about it.
    pub(super) fn fill(
        &self,
        config: &mut FetchConfig,
        cookie_file: Option<&Path>,
        pause: Duration,
        seeds: &[Url],
    ) -> Result<Vec<String>, Fault> {
        let variables = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let mut notes = Vec::new();
        config.login = self.login.as_ref().map(|plan| plan.login(pause, &variables)).transpose()?;
        config.host_headers = self.headers.iter().map(|plan| plan.header(&variables)).collect::<Result<_, _>>()?;
        for plan in self.headers.iter().filter(|plan| !plan.spelled_out) {
            if seeds.iter().any(|seed| seed.host() == plan.at.host() && seed.scheme() == "http") {
                notes.push(only_over_https(&plan.name, plan.at.host_str().unwrap_or_default()));
            }
        }
        if let Some(path) = cookie_file {
            config.own_cookies = read_cookies(path, config.limits.cookie_file_bytes, &mut notes)?;
        }
        Ok(notes)
    }
}

/// Reads a file of cookies; lines that cannot be used become notes.
fn read_cookies(path: &Path, most: u64, notes: &mut Vec<String>) -> Result<Cookies, Fault> {
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| Fault::of_input(&shown, &error);
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(Fault::new(too_many_cookies(&shown, most), COOKIES_HINT));
    }
    let text = String::from_utf8_lossy(&bytes);
    let (cookies, bad) = Cookies::parse(&text, SystemTime::now());
    notes.extend(bad.iter().map(|bad| bad_cookie(&shown, bad.line, bad.why)));
    if cookies.is_empty() {
        return Err(Fault::new(no_cookies(&shown), COOKIES_HINT));
    }
    notes.push(cookies_for(cookies.len() as u64, &cookies.domains()));
    Ok(cookies)
}

fn web(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// What is wrong with a table; never with what stands in it, which may be a secret.
fn of_table(origin: &Origin, what: &str, error: &toml::de::Error) -> Fault {
    let message = error.message().lines().next().unwrap_or_default();
    let harmless = ["missing field", "unknown field"].iter().any(|start| message.starts_with(start));
    let says = if harmless { message } else { "a value is not of the kind that is expected" };
    let hint = if what == "[login]" { LOGIN_HINT } else { HEADER_HINT };
    Fault::new(format!("{origin}: {what}: {says}"), hint)
}

fn no_variable(name: &str) -> String {
    format!("the variable {name} is not set")
}

fn open_secret(path: &str) -> String {
    format!("{path} can be read by others")
}

fn open_secret_hint(path: &str) -> String {
    format!("chmod 600 {path}")
}

fn no_secret(path: &str) -> String {
    format!("{path} holds no secret")
}

fn only_over_https(name: &str, host: &str) -> String {
    format!(
        "the header field {name} is sent to {host} over https only; write host = \"http://{host}\" to send it in the clear"
    )
}

fn too_many_cookies(path: &str, most: u64) -> String {
    format!("{path} is larger than {most} bytes (limits.cookie_file_bytes)")
}

fn bad_cookie(path: &str, line: usize, why: &str) -> String {
    format!("{path}:{line}: not used: {why}")
}

fn no_cookies(path: &str) -> String {
    format!("{path} holds no cookie that can be sent")
}

fn cookies_for(count: u64, domains: &[&str]) -> String {
    let some: Vec<&str> = domains.iter().take(5).copied().collect();
    let more = if domains.len() > some.len() { ", ..." } else { "" };
    format!("{} for {}{more}, sent there only", counted(count, "cookie", "cookies"), some.join(", "))
}

const LOGIN_HINT: &str = "for example: [login] page = \"https://a.example/login\", fields = { user = \"me\", password = { env = \"A_PASSWORD\" } }";

const HEADER_HINT: &str =
    "for example: [[header]] host = \"a.example\", name = \"Authorization\", value_from = \"A_TOKEN\"";

const NO_SECRET_HINT: &str = "put the secret into it, in one line";

const COOKIES_HINT: &str = "a cookies.txt as browsers export it, or `curl -c FILE` writes it, is expected: seven fields a line, tabs between them";

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> Origin {
        Origin::File { path: "groma.toml".into(), line: 1 }
    }

    fn login(text: &str) -> Result<LoginPlan, Fault> {
        LoginPlan::read(toml::from_str::<toml::Value>(text).unwrap(), here())
    }

    fn header(text: &str) -> Result<HeaderPlan, Fault> {
        HeaderPlan::read(toml::from_str::<toml::Value>(text).unwrap(), here())
    }

    const WHOLE: &str = "page = 'https://a.example/login'\nform = 2\ndone = '#menu'\nlost = ['403', 'expired']\n\
        fields = { user = 'jan', password = { env = 'SECRET_OF_A' } }";

    #[test]
    fn a_login_is_read_and_shown_without_its_secrets() {
        let plan = login(WHOLE).unwrap();
        let set = |name: &str| (name == "SECRET_OF_A").then(|| "hush".to_owned());
        let shown = format!("{:?} {:?}", plan.shown(&set), plan);
        assert!(
            shown.contains("variable SECRET_OF_A, set") && !shown.contains("hush") && !shown.contains("jan"),
            "{shown}"
        );
        assert!(format!("{:?}", plan.shown(&|_| None)).contains("not set"));
        let made = plan.login(Duration::ZERO, &set).unwrap();
        assert_eq!(made.fields[0].value, Secret("hush".into()));
        assert!(!made.fields[0].in_sight && made.fields[1].in_sight);
        assert!(!format!("{made:?}").contains("hush"));
        let fault = plan.login(Duration::ZERO, &|_| None).unwrap_err();
        assert!(fault.says.contains("SECRET_OF_A") && !fault.hint.is_empty(), "{}", fault.says);
    }

    #[test]
    fn mistakes_are_told_with_their_place_and_without_values() {
        for (text, says) in [
            ("fields = { a = 'b' }", "missing field `page`"),
            ("page = 'x'\nfields = { a = 'b' }", "page is no http"),
            ("page = 'http://a.example/'\nfields = {}", "no fields"),
            ("page = 'http://a.example/'\nfields = { a = 'b' }\nform = 0", "from 1"),
            ("page = 'http://a.example/'\nfields = { a = 12345 }", "not of the kind"),
            ("page = 'http://a.example/'\nfields = { a = 'b' }\nlost = ''", "a status"),
            ("page = 'http://a.example/'\nfields = { a = 'b' }\npasswort = 1", "unknown field"),
        ] {
            let fault = login(text).unwrap_err();
            assert!(fault.says.starts_with("groma.toml:1: [login]: ") && fault.says.contains(says), "{}", fault.says);
            assert!(!fault.says.contains("12345"), "{}", fault.says);
        }
        for (text, says) in [
            ("host = 'a.example'\nname = 'X'", "either value or value_from"),
            ("host = 'a.example/x'\nname = 'X'\nvalue = 'y'", "host is no host"),
            ("host = 'ftp://a.example'\nname = 'X'\nvalue = 'y'", "host is no host"),
            ("host = 'a.example'\nname = 'X'\nvalue = 67890", "not of the kind"),
        ] {
            let fault = header(text).unwrap_err();
            assert!(fault.says.contains(says) && !fault.says.contains("67890"), "{}", fault.says);
        }
    }

    #[test]
    fn a_bare_host_is_one_with_https() {
        let at = |host: &str| header(&format!("host = '{host}'\nname = 'X'\nvalue = 'y'")).unwrap().at.to_string();
        assert_eq!(at("a.example"), "https://a.example/");
        assert_eq!(at("a.example:8443"), "https://a.example:8443/");
        assert_eq!(at("http://localhost:8080"), "http://localhost:8080/");
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_lies_in_a_file_that_nobody_else_can_read() {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("groma-secret-{}", std::process::id()));
        std::fs::write(&path, "hush\r\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let fault = read_secret(&path).unwrap_err();
        assert!(fault.hint.contains("chmod 600") && !fault.says.contains("hush"), "{}", fault.hint);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(read_secret(&path).unwrap(), "hush");
        std::fs::write(&path, "\n").unwrap();
        assert!(read_secret(&path).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(read_secret(&path).is_err());
    }
}
