//! One seam for three databases: where it is, what the role may, what is there, and the values of a column as they come.
//!
//! Nothing but names of the catalogue and numbers of ours is ever put into the text of a question.

mod copy;
#[cfg(feature = "mysql")]
mod mysql;
mod postgres;
mod sqlite;

use std::fmt;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::catalogue::{Column, Relation};
use crate::error::SummaryError;

/// How long a database may take to let us in.
const CONNECT: Duration = Duration::from_secs(10);

/// Where a database is, and as whom it is read. Showing it shows no password.
#[derive(Clone)]
pub enum Address {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// PostgreSQL.
    Postgres(Box<::postgres::Config>),
    /// MySQL or MariaDB.
    #[cfg(feature = "mysql")]
    Mysql(Box<::mysql::Opts>),
}

impl Address {
    /// Reads `sqlite:FILE`, `postgres://ROLE@HOST/DATABASE`, `mysql://ROLE@HOST/DATABASE`. A password that does not stand in
    /// it may be given apart. What cannot be read is not repeated: there may be a password in it.
    pub fn parse(text: &str, password: Option<&str>) -> Result<Address, SummaryError> {
        let refuse = |what: &str| SummaryError::Address(what.to_owned());
        let text = text.trim();
        let (scheme, rest) = text.split_once(':').ok_or_else(|| refuse("there is no `:` in it"))?;
        match scheme.to_ascii_lowercase().as_str() {
            "sqlite" => {
                let path = rest.strip_prefix("//").unwrap_or(rest);
                if path.is_empty() || path.contains('\0') {
                    return Err(refuse("there is no file in it"));
                }
                Ok(Address::Sqlite(PathBuf::from(path)))
            }
            "postgres" | "postgresql" => {
                let mut config: ::postgres::Config =
                    text.parse().map_err(|_| refuse("it is no address of PostgreSQL"))?;
                if let (None, Some(password)) = (config.get_password(), password) {
                    config.password(password);
                }
                config.application_name("groma summarize").connect_timeout(CONNECT);
                Ok(Address::Postgres(Box::new(config)))
            }
            #[cfg(not(feature = "mysql"))]
            "mysql" | "mariadb" => Err(SummaryError::NotBuilt("mysql")),
            #[cfg(feature = "mysql")]
            "mysql" | "mariadb" => {
                let opts = ::mysql::Opts::from_url(&format!("mysql:{rest}"));
                let opts = opts.map_err(|_| refuse("it is no address of MySQL or MariaDB"))?;
                if opts.get_db_name().is_none() {
                    return Err(refuse("there is no database in it"));
                }
                let given = opts.get_pass().map(str::to_owned).or_else(|| password.map(str::to_owned));
                let opts = ::mysql::OptsBuilder::from_opts(opts).pass(given).prefer_socket(false);
                Ok(Address::Mysql(Box::new(opts.tcp_connect_timeout(Some(CONNECT)).into())))
            }
            _ => Err(refuse("it begins with none of sqlite:, postgres:, mysql:")),
        }
    }

    /// Whether it is on another machine. Sockets of the file system and loopback are this one.
    pub fn is_far(&self) -> bool {
        let near = |host: &str| {
            let bare = host.trim_matches(['[', ']']);
            host.eq_ignore_ascii_case("localhost")
                || bare.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
        };
        match self {
            Address::Sqlite(_) => false,
            Address::Postgres(config) => {
                let hosts = config.get_hosts().iter();
                let far = |host: &::postgres::config::Host| match host {
                    ::postgres::config::Host::Tcp(name) => !near(name),
                    #[cfg(unix)]
                    ::postgres::config::Host::Unix(_) => false,
                };
                let addresses = config.get_hostaddrs();
                if addresses.is_empty() {
                    hosts.into_iter().any(far)
                } else {
                    addresses.iter().any(|ip| !ip.to_canonical().is_loopback())
                }
            }
            #[cfg(feature = "mysql")]
            Address::Mysql(opts) => opts.get_socket().is_none() && !near(&opts.get_ip_or_hostname()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Address::Postgres(config) => {
                let hosts: Vec<String> = config.get_hosts().iter().map(shown).collect();
                let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
                let (user, name) = (config.get_user().unwrap_or_default(), config.get_dbname().unwrap_or_default());
                write!(f, "postgres://{user}@{}:{}/{name}", hosts.join(","), ports.join(","))
            }
            #[cfg(feature = "mysql")]
            Address::Mysql(opts) => {
                let host = opts.get_socket().map_or_else(|| opts.get_ip_or_hostname(), Into::into);
                let (user, name) = (opts.get_user().unwrap_or_default(), opts.get_db_name().unwrap_or_default());
                write!(f, "mysql://{user}@{host}:{}/{name}", opts.get_tcp_port())
            }
        }
    }
}

fn shown(host: &::postgres::config::Host) -> String {
    match host {
        ::postgres::config::Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        ::postgres::config::Host::Unix(path) => path.display().to_string(),
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A database that can be read.
#[derive(Clone, Debug)]
pub struct Database {
    address: Address,
}

impl Database {
    /// The database at this address; nothing is opened yet.
    pub fn new(address: Address) -> Database {
        Database { address }
    }

    /// Where it is, without the password.
    pub fn shown(&self) -> String {
        self.address.to_string()
    }

    /// Connects and says what the role may do beyond reading; nothing if all is well.
    ///
    /// The rights are read from the catalogue. A setting of the session that makes it read only is no boundary: whoever can set
    /// it can unset it. Not seen: functions that run with the rights of somebody else, and large objects of PostgreSQL, which
    /// every role can make; no question of ours calls a function of the database's owner.
    pub fn judge_role(&self) -> Result<Vec<String>, SummaryError> {
        self.connect()?.excess()
    }

    pub(crate) fn connect(&self) -> Result<Box<dyn Reader>, SummaryError> {
        Ok(match &self.address {
            Address::Sqlite(path) => Box::new(sqlite::File::open(path)?),
            Address::Postgres(config) => Box::new(postgres::Server::connect(config)?),
            #[cfg(feature = "mysql")]
            Address::Mysql(opts) => Box::new(mysql::Server::connect(opts)?),
        })
    }
}

/// What takes values as they come, and says when it has had enough.
pub(crate) type Take<'t> = dyn FnMut(&[u8]) -> Result<ControlFlow<()>, SummaryError> + 't;

/// How much is wanted of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Most rows that are asked for.
    pub(crate) rows: u64,
    /// Most characters of each.
    pub(crate) letters: u64,
}

/// A connection for one reading.
pub(crate) trait Reader: Send {
    /// What the role may do beyond reading.
    fn excess(&mut self) -> Result<Vec<String>, SummaryError>;

    /// Begins: everything that follows is read from one state of the database where the database can do that without
    /// keeping others from writing, and ends at this moment.
    fn begin(&mut self, until: Instant) -> Result<(), SummaryError>;

    /// The sign of the state that is read: equal signs mean equal rows in all tables. None where the database has no such thing.
    fn sign(&mut self) -> Result<Option<String>, SummaryError>;

    /// The tables and views that can be read, without those of the system.
    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError>;

    /// The columns of a table that can be read.
    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError>;

    /// The distinct values of a column as texts, in the order of their octets, without NULL.
    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: Wanted,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError>;
}

/// A name that came from the catalogue and yet cannot be quoted.
fn unquotable() -> SummaryError {
    SummaryError::Database("a name in the catalogue cannot be quoted".into())
}

/// What is left until then, never nothing: zero means "no limit" to databases.
fn left(until: Instant) -> Result<Duration, SummaryError> {
    let left = until.saturating_duration_since(Instant::now());
    if left < Duration::from_millis(1) { Err(SummaryError::Time(0)) } else { Ok(left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_without_their_passwords() {
        for text in [
            "postgres://reader:s3cret@localhost:5433/city",
            #[cfg(feature = "mysql")]
            "mysql://reader:s3cret@127.0.0.1:3307/city",
            #[cfg(feature = "mysql")]
            "mariadb://reader:s3cret@[::1]/city",
        ] {
            let address = Address::parse(text, None).unwrap();
            let told = format!("{address} {address:?} {:?}", Database::new(address.clone()));
            assert!(!told.contains("s3cret") && told.contains("reader") && told.contains("city"), "{told}");
            assert!(!address.is_far());
        }
        for text in ["postgres://a:s3cret@h:x/y", "mysql://a:s3cret@h", "nothing://s3cret", "s3cret", "sqlite:"] {
            let error = Address::parse(text, None).unwrap_err();
            assert!(!format!("{error} {error:?} {}", error.hint()).contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn other_machines_are_told_from_this_one() {
        for text in [
            "postgres://a@db.example.org/x",
            "postgres://a@localhost,10.0.0.1/x",
            #[cfg(feature = "mysql")]
            "mysql://a@192.168.1.1/x",
        ] {
            assert!(Address::parse(text, None).unwrap().is_far(), "{text}");
        }
        for text in ["postgres:///x?host=/run/postgresql", "postgres://a@127.0.0.1/x", "sqlite:/a/b.db", "sqlite:b.db"]
        {
            assert!(!Address::parse(text, None).unwrap().is_far(), "{text}");
        }
    }

    #[test]
    fn a_password_given_apart_does_not_replace_one_in_the_address() {
        let password = |text: &str| match Address::parse(text, Some("apart")).unwrap() {
            Address::Postgres(config) => config.get_password().map(|p| String::from_utf8_lossy(p).into_owned()),
            #[cfg(feature = "mysql")]
            Address::Mysql(opts) => opts.get_pass().map(str::to_owned),
            Address::Sqlite(_) => None,
        };
        assert_eq!(password("postgres://a@localhost/x").as_deref(), Some("apart"));
        assert_eq!(password("postgres://a:b@localhost/x").as_deref(), Some("b"));
        #[cfg(feature = "mysql")]
        {
            assert_eq!(password("mysql://a@localhost/x").as_deref(), Some("apart"));
            assert_eq!(password("mysql://a:b@localhost/x").as_deref(), Some("b"));
        }
    }

    #[cfg(not(feature = "mysql"))]
    #[test]
    fn a_build_without_mysql_says_so_and_repeats_no_password() {
        for text in ["mysql://reader:s3cret@127.0.0.1/city", "MariaDB://reader:s3cret@h/city"] {
            let error = Address::parse(text, None).unwrap_err();
            let said = format!("{error} {error:?} {}", error.hint());
            assert!(said.contains("--features mysql") && !said.contains("s3cret"), "{said}");
        }
    }
}
