//! A database of its own for each test, a folder of documents beside it, and a summarizer over both.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use groma_soif::Object;
use groma_summary::{Address, Answer, Asked, Limits, Options, Summarizer, SummaryError};
use mysql::prelude::Queryable;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
    Mariadb,
}

/// A database with a role that can only read it.
pub(crate) struct Base {
    pub(crate) which: DatabaseKind,
    pub(crate) folder: PathBuf,
    /// The name of the database and of the role.
    pub(crate) name: String,
    /// As the role that reads.
    pub(crate) reader: String,
    /// Whether it is read through a driver of ODBC.
    pub(crate) by_odbc: bool,
    admin: Option<String>,
}

const KINDS: [DatabaseKind; 3] = [DatabaseKind::Sqlite, DatabaseKind::Postgres, DatabaseKind::Mariadb];

/// The databases that there are, each through every way that leads to it.
pub(crate) fn everywhere() -> Vec<Base> {
    let bases = KINDS.into_iter().filter_map(Base::new);
    #[cfg(feature = "odbc")]
    let bases = bases.chain(KINDS.into_iter().filter_map(crate::odbc::base));
    bases.collect()
}

fn server(which: DatabaseKind) -> Option<String> {
    let variable = match which {
        DatabaseKind::Sqlite => return None,
        DatabaseKind::Postgres => "GROMA_TEST_POSTGRES",
        DatabaseKind::Mariadb => "GROMA_TEST_MARIADB",
    };
    let address = std::env::var(variable).ok().filter(|address| !address.is_empty());
    if address.is_none() {
        eprintln!("skipped for {which:?}: {variable} names no server");
    }
    address
}

/// The same address with another role and database.
fn other(address: &str, role: &str, database: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap();
    let (_, host) = rest.rsplit_once('@').unwrap();
    let (host, _) = host.split_once('/').unwrap();
    format!("{scheme}://{role}@{host}/{database}")
}

impl Base {
    pub(crate) fn new(which: DatabaseKind) -> Option<Base> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let server = server(which);
        if server.is_none() && which != DatabaseKind::Sqlite {
            return None;
        }
        let name = format!("groma_it_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(&name);
        std::fs::create_dir_all(folder.join("documents")).unwrap();
        let (admin, reader) = match (which, server) {
            (_, None) | (DatabaseKind::Sqlite, _) => (None, format!("sqlite:{}", folder.join("data.db").display())),
            (DatabaseKind::Postgres, Some(server)) => {
                let mut client = postgres::Client::connect(&server, postgres::NoTls).unwrap();
                client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
                client.batch_execute(&format!("CREATE ROLE {name} LOGIN PASSWORD 's3cret'")).unwrap();
                let role = server.split_once("://").unwrap().1.rsplit_once('@').unwrap().0.to_owned();
                (Some(other(&server, &role, &name)), other(&server, &format!("{name}:s3cret"), &name))
            }
            (DatabaseKind::Mariadb, Some(server)) => {
                let mut conn = mysql::Conn::new(mysql::Opts::from_url(&server).unwrap()).unwrap();
                conn.query_drop(format!("CREATE DATABASE {name}")).unwrap();
                conn.query_drop(format!("CREATE USER {name}@'%' IDENTIFIED BY 's3cret'")).unwrap();
                conn.query_drop(format!("GRANT SELECT ON {name}.* TO {name}@'%'")).unwrap();
                (Some(other(&server, "root", &name)), other(&server, &format!("{name}:s3cret"), &name))
            }
        };
        Some(Base { which, folder, name, reader, admin, by_odbc: false })
    }

    /// Does something as the owner; afterwards the role can read all there is.
    pub(crate) fn run(&self, statements: &[&str]) {
        match self.which {
            DatabaseKind::Sqlite => {
                let conn = rusqlite::Connection::open(self.folder.join("data.db")).unwrap();
                statements.iter().for_each(|sql| conn.execute_batch(sql).unwrap_or_else(|e| panic!("{e}: {sql}")));
            }
            DatabaseKind::Postgres => {
                let mut client = postgres::Client::connect(self.admin(), postgres::NoTls).unwrap();
                statements.iter().for_each(|sql| client.batch_execute(sql).unwrap_or_else(|e| panic!("{e:?}: {sql}")));
                let grant = format!("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}", self.name);
                client.batch_execute(&grant).unwrap();
            }
            DatabaseKind::Mariadb => {
                let mut conn = mysql::Conn::new(mysql::Opts::from_url(self.admin()).unwrap()).unwrap();
                statements.iter().for_each(|sql| conn.query_drop(sql).unwrap_or_else(|e| panic!("{e}: {sql}")));
            }
        }
    }

    /// What the role that reads has asked and the server has not ended.
    pub(crate) fn questions_under_way(&self) -> u64 {
        let name = &self.name;
        match self.which {
            DatabaseKind::Sqlite => 0,
            DatabaseKind::Postgres => {
                let mut client = postgres::Client::connect(self.admin(), postgres::NoTls).unwrap();
                let sql =
                    format!("SELECT count(*) FROM pg_stat_activity WHERE usename = '{name}' AND state = 'active'");
                client.query_one(&sql, &[]).unwrap().get::<_, i64>(0).unsigned_abs()
            }
            DatabaseKind::Mariadb => {
                let mut conn = mysql::Conn::new(mysql::Opts::from_url(self.admin()).unwrap()).unwrap();
                let sql = format!(
                    "SELECT count(*) FROM information_schema.processlist WHERE user = '{name}' AND command <> 'Sleep'"
                );
                conn.query_first(sql).unwrap().unwrap()
            }
        }
    }

    pub(crate) fn admin(&self) -> &str {
        self.admin.as_deref().unwrap()
    }

    /// A name between the quotes of this database.
    pub(crate) fn quoted(&self, name: &str) -> String {
        let quote = if self.which == DatabaseKind::Mariadb { "`" } else { "\"" };
        format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
    }

    pub(crate) fn documents(&self) -> PathBuf {
        self.folder.join("documents")
    }

    pub(crate) fn document(&self, id: &str, lines: &str) {
        let text = format!("URL: http://www.example.org/{id}\nTitle: The {id}\n{lines}\n");
        std::fs::write(self.documents().join(format!("{id}.txt")), text).unwrap();
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            documents: self.documents(),
            database: Address::parse(&self.reader, None).unwrap(),
            cache: None,
            limits: Limits { wait: Duration::from_secs(60), ..Limits::default() },
            allow_writable_role: self.by_odbc,
            allow_far: false,
        }
    }

    pub(crate) fn open(&self) -> Desk {
        Desk::open(self.options()).unwrap()
    }

    /// The object of a document whose lines are these.
    pub(crate) fn object(&self, lines: &str) -> Object {
        self.document("it", lines);
        self.open().object("it")
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
        let name = &self.name;
        match self.which {
            DatabaseKind::Sqlite => {}
            DatabaseKind::Postgres => {
                let Some(server) = server(self.which) else { return };
                let Ok(mut client) = postgres::Client::connect(&server, postgres::NoTls) else { return };
                let _ = client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
                let _ = client.batch_execute(&format!("DROP ROLE {name}"));
            }
            DatabaseKind::Mariadb => {
                let Some(server) = server(self.which) else { return };
                let Ok(mut conn) = mysql::Conn::new(mysql::Opts::from_url(&server).unwrap()) else { return };
                // A question that was never ended must not hold up the other tests.
                let _ = conn.query_drop("SET SESSION lock_wait_timeout = 30");
                let _ = conn.query_drop(format!("DROP DATABASE {name}"));
                let _ = conn.query_drop(format!("DROP USER {name}@'%'"));
            }
        }
    }
}

/// A summarizer and what it said to its keeper.
pub(crate) struct Desk {
    pub(crate) summarizer: Arc<Summarizer>,
    pub(crate) told: Arc<Mutex<Vec<String>>>,
}

impl Desk {
    pub(crate) fn open(options: Options) -> Result<Desk, SummaryError> {
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&told);
        let summarizer = Summarizer::open(options, Box::new(move |line| log.lock().unwrap().push(line.to_owned())))?;
        Ok(Desk { summarizer, told })
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        self.ask(&Asked { method: "GET", path, query, ..Asked::default() })
    }

    pub(crate) fn ask(&self, asked: &Asked<'_>) -> Answer {
        self.summarizer.answer(asked)
    }

    pub(crate) fn object(&self, id: &str) -> Object {
        let answer = self.get(&format!("/{id}"));
        assert_eq!(answer.status, 200, "{:?}", self.told.lock().unwrap());
        let mut objects = objects(answer);
        assert_eq!(objects.len(), 1);
        objects.remove(0)
    }

    /// How often the database was read.
    pub(crate) fn readings(&self) -> usize {
        self.told.lock().unwrap().iter().filter(|line| line.contains(": read ")).count()
    }
}

pub(crate) fn octets(answer: Answer) -> Vec<u8> {
    let mut octets = Vec::new();
    answer.body.write(&mut octets).unwrap();
    octets
}

pub(crate) fn objects(answer: Answer) -> Vec<Object> {
    groma_soif::read(&octets(answer)[..], groma_soif::Limits::default()).collect::<Result<_, _>>().unwrap()
}

pub(crate) fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(its, _)| *its == name).map(|(_, value)| value.as_str())
}

pub(crate) fn values(object: &Object, name: &str) -> Vec<String> {
    object.values(name).into_iter().map(|value| String::from_utf8(value.to_vec()).unwrap()).collect()
}

pub(crate) fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}
