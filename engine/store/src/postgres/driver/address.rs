//! Where a server is: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?survey=NAME`.
//!
//! The address is never shown as it was typed, since a password is in it; [`Server::shown`] is what messages say.

use std::fmt;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::SurveyName;
use super::tls::Tls;
use crate::StoreError;

/// How long a lost connection is sought again, unless somebody says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long one attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(10);

/// A server, how to get to it, and the survey that was named with it.
#[derive(Clone)]
pub struct Server {
    pub(super) config: Config,
    pub(super) tls: Tls,
    shown: String,
    survey: Option<SurveyName>,
    pub(super) patience: Duration,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("shown", &self.shown).field("survey", &self.survey).finish_non_exhaustive()
    }
}

impl Server {
    /// Is this the address of a server, by its beginning?
    pub fn is_address(text: &str) -> bool {
        let scheme = |name: &str| text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        scheme("postgres://") || scheme("postgresql://")
    }

    /// Reads an address. Parameters of our own: `survey` (its name) and `patience` (seconds for which a lost connection is sought).
    /// Those of PostgreSQL: `sslmode` and `sslrootcert` (see `tls.rs`), `connect_timeout`, `application_name`, `keepalives_idle` and the
    /// like.
    pub fn parse(address: &str) -> Result<Server, StoreError> {
        let wrong = |why: &str| StoreError::Address(why.to_owned());
        if !Server::is_address(address) {
            return Err(wrong("it does not begin with postgres://"));
        }
        let (scheme_end, _) = address.split_once("://").map(|(scheme, _)| (scheme.len() + 3, ())).unwrap_or((0, ()));
        let (base, query) = address.split_once('?').unwrap_or((address, ""));
        let mut url = format!("postgres://{}", base.get(scheme_end..).ok_or_else(|| wrong("it names no host"))?);
        let (mut survey, mut patience, mut rest) = (None, PATIENCE, Vec::new());
        let (mut sslmode, mut sslrootcert) = (None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| wrong("a parameter has no value"))?;
            match key {
                "survey" => survey = Some(SurveyName::new(&unescaped(value).ok_or_else(|| wrong("survey"))?)?),
                "patience" => {
                    let seconds: u32 = value.parse().map_err(|_| wrong("patience is a number of seconds"))?;
                    patience = Duration::from_secs(seconds.into());
                }
                "sslmode" => sslmode = Some(value),
                "sslrootcert" => sslrootcert = Some(unescaped(value).ok_or_else(|| wrong("sslrootcert"))?),
                _ => rest.push(pair),
            }
        }
        if !rest.is_empty() {
            url = format!("{url}?{}", rest.join("&"));
        }
        // What the driver says of a bad address may repeat a part of the password.
        let mut config: Config = url.parse().map_err(|_| {
            wrong("write postgres://USER:PASSWORD@HOST:PORT/DATABASE?survey=NAME, with %XX for special characters")
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(wrong("it names no host"));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_application_name().is_none() {
            config.application_name("groma");
        }
        let tls = Tls::asked(sslmode, sslrootcert.as_deref()).map_err(StoreError::Address)?;
        config.ssl_mode(tls.mode);
        // A server that has gone away without a word is noticed.
        config.keepalives(true).keepalives_idle(Duration::from_secs(20)).keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(40));
        let shown = shown(&config);
        Ok(Server { config, tls, shown, survey, patience })
    }

    /// The survey that was named with it.
    pub fn survey(&self) -> Option<&SurveyName> {
        self.survey.as_ref()
    }

    /// The survey that was named with it, or an error that says how to name one.
    pub fn named_survey(&self) -> Result<&SurveyName, StoreError> {
        self.survey.as_ref().ok_or_else(|| StoreError::Address("it names no survey: add ?survey=NAME".into()))
    }

    /// The same server with another survey.
    #[must_use]
    pub fn with_survey(&self, survey: SurveyName) -> Server {
        Server { survey: Some(survey), ..self.clone() }
    }

    /// The same server, sought for so long when a connection is lost.
    #[must_use]
    pub fn with_patience(&self, patience: Duration) -> Server {
        Server { patience, ..self.clone() }
    }

    /// How long a lost connection is sought.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Host, port and database, for people.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

fn shown(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let host = hosts.collect::<Vec<_>>().join(",");
    let ports = config.get_ports().iter().map(u16::to_string).collect::<Vec<_>>().join(",");
    let port = if ports.is_empty() { String::new() } else { format!(":{ports}") };
    let database = config.get_dbname().map(|name| format!("/{name}")).unwrap_or_default();
    format!("postgres://{host}{port}{database}")
}

/// `%XX` as what it stands for.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        rest = more;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let code = std::str::from_utf8(more.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        rest = &more[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let server =
            Server::parse("PostgreSQL://me:s%40cret@db.example:5433/crawls?survey=www.example.org&connect_timeout=3");
        let server = server.unwrap();
        assert_eq!(server.shown(), "postgres://db.example:5433/crawls");
        assert_eq!(server.survey().unwrap().as_str(), "www.example.org");
        assert_eq!(server.config.get_password(), Some(&b"s@cret"[..]));
        assert_eq!(server.config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert!(!format!("{server:?}").contains("cret"));
    }

    #[test]
    fn bad_addresses_are_refused_and_their_passwords_not_repeated() {
        for address in [
            "",
            "mysql://x",
            "postgres:/x",
            "postgres://",
            "postgres://u:s3cret?x@host/db",
            "postgres://u:s3cret@host:99999/db",
            "postgres://u:s3cret@host/db?survey=public",
            "postgres://u:s3cret@host/db?survey=a%22b",
            "postgres://u:s3cret@host/db?survey=%zz",
            "postgres://u:s3cret@host/db?sslmode=allow",
            "postgres://u:s3cret@host/db?sslmode=verify-full&sslrootcert=/no/such/file.pem",
            "postgres://u:s3cret@host/db?sslmode=require&sslrootcert=%zz",
            "postgres://u:s3cret@host/db?patience=x",
            "postgres://u:s3cret@host/db?color=blue",
            "postgres://u:s3cret%ff%fe@host:x/db",
        ] {
            let error = Server::parse(address).expect_err(address);
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }
}
