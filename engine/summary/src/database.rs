//! Which database is it? Where it is, as whom it is read, and what the role may.

mod copy;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "odbc")]
pub mod odbc;
mod postgres;
mod sqlite;

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use crate::error::SummaryError;
use crate::reader::{CONNECT, Reader};

/// Where a database is, and as whom it is read. Showing it shows no password.
#[derive(Clone)]
pub enum Address {
    /// A file of SQLite.
    Sqlite(PathBuf),
    Postgres(Box<::postgres::Config>),
    /// MySQL or MariaDB.
    #[cfg(feature = "mysql")]
    Mysql(Box<::mysql::Opts>),
    /// Whatever a driver of ODBC leads to.
    #[cfg(feature = "odbc")]
    Odbc(Box<odbc::OdbcSource>),
}

impl Address {
    /// Reads `sqlite:FILE`, `postgres://ROLE@HOST/DATABASE`, `mysql://ROLE@HOST/DATABASE`, `odbc:CONNECTION STRING`. A password that does not stand in
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
            #[cfg(not(feature = "odbc"))]
            "odbc" => Err(SummaryError::NotBuilt("odbc")),
            #[cfg(feature = "odbc")]
            "odbc" => match odbc::OdbcSource::parse(rest, password) {
                Some(source) => Ok(Address::Odbc(Box::new(source))),
                None => Err(refuse("it is no connection string of ODBC, such as odbc:DSN=NAME")),
            },
            _ => Err(refuse("it begins with none of sqlite:, postgres:, mysql:, odbc:")),
        }
    }

    /// Whether it is on another machine, or may be: a name of ODBC (`DSN=`) leads wherever the driver manager's files say. Sockets of
    /// the file system and loopback are this one.
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
            #[cfg(feature = "odbc")]
            Address::Odbc(source) => source.is_far(),
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
            #[cfg(feature = "odbc")]
            Address::Odbc(source) => f.write_str(&source.shown()),
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
            #[cfg(feature = "odbc")]
            Address::Odbc(source) => Box::new(odbc::Driver::connect(source)?),
        })
    }
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
            #[cfg(feature = "odbc")]
            Address::Odbc(_) => None,
        };
        assert_eq!(password("postgres://a@localhost/x").as_deref(), Some("apart"));
        assert_eq!(password("postgres://a:b@localhost/x").as_deref(), Some("b"));
        #[cfg(feature = "mysql")]
        {
            assert_eq!(password("mysql://a@localhost/x").as_deref(), Some("apart"));
            assert_eq!(password("mysql://a:b@localhost/x").as_deref(), Some("b"));
        }
    }

    #[cfg(not(feature = "odbc"))]
    #[test]
    fn a_build_without_odbc_says_so_and_repeats_no_password() {
        for text in ["odbc:DSN=city;PWD=s3cret", "ODBC:Driver={x};UID=a;PWD=s3cret"] {
            let error = Address::parse(text, None).unwrap_err();
            let said = format!("{error} {error:?} {}", error.hint());
            assert!(
                said.contains("--features odbc") && said.contains("unixODBC") && !said.contains("s3cret"),
                "{said}"
            );
        }
    }

    #[cfg(feature = "odbc")]
    #[test]
    fn connection_strings_of_odbc_are_told_without_their_passwords() {
        let address = Address::parse("odbc:Driver={City};Server=localhost;UID=reader;PWD=s3cret", None).unwrap();
        let told = format!("{address} {address:?} {:?}", Database::new(address.clone()));
        assert!(!told.contains("s3cret") && told.contains("uid=reader") && !address.is_far(), "{told}");
        assert!(Address::parse("odbc:DSN=city", None).unwrap().is_far(), "wherever that is");
        let error = Address::parse("odbc:s3cret", None).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"));
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
