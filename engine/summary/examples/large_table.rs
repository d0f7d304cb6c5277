//! A table of ten million rows: how long does a summary take beside the plain question, and how much memory?
//!
//! ```text
//! cargo run --release -p groma-summary --example large_table -- sqlite [ROWS]
//! GROMA_TEST_POSTGRES=postgres://... cargo run --release -p groma-summary --example large_table -- postgres [ROWS]
//! ```
//!
//! Input: a table with four attributes of 5, 1,000, 10,000 and ROWS / 10 distinct values, made once and used again. The peer is
//! the database's own client (`sqlite3`, `psql \copy`), which asks `SELECT DISTINCT x ... ORDER BY x` by octets for each
//! attribute and throws the answer away; the summary is read, written as an object, digested and read back. Both are done
//! twice in turns and the faster time of each counts. The answer is checked: the numbers of values must be those above.
//! Memory is the peak of this process, which only summarizes: the table is made in another one.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_summary::{Address, Limits, Options, Summarizer};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Attributes; those that are texts; how each is made from the number of its row.
const ATTRIBUTES: [(&str, bool); 4] = [("stars", false), ("place", true), ("opened", false), ("name", true)];

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let which = args.first().map_or("sqlite", String::as_str);
    let rows: u64 = args.get(1).map_or(Ok(10_000_000), |text| text.parse())?;
    let place = Place { folder: std::env::temp_dir().join("groma-large-table"), rows };
    std::fs::create_dir_all(&place.folder)?;
    match (which, args.get(2).map(String::as_str)) {
        ("sqlite", Some("make")) => place.make_sqlite(),
        ("postgres", Some("make")) => place.make_postgres(),
        ("sqlite" | "postgres", None) => place.measure(which),
        _ => Err("sqlite or postgres, and the number of rows".into()),
    }
}

struct Place {
    folder: PathBuf,
    rows: u64,
}

impl Place {
    fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.db", self.rows))
    }

    fn table(&self) -> String {
        format!("large_{}", self.rows)
    }

    fn make_sqlite(&self) -> Outcome<()> {
        if self.file().exists() {
            return Ok(());
        }
        let part = self.folder.join("part.db");
        let _ = std::fs::remove_file(&part);
        let conn = rusqlite::Connection::open(&part)?;
        // A multiplication by an odd number scatters the values over the rows.
        conn.execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
             CREATE TABLE {table} (stars INTEGER, place TEXT, opened TEXT, name TEXT);
             WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows})
             INSERT INTO {table} SELECT i % 5 + 1, 'Place ' || (i * 7919 % 1000), date('1990-01-01', (i * 104729 % 10000) || ' days'),
                 'Hotel ' || (i * 15485863 % ({rows} / 10)) || ' at the sea' FROM n;",
            table = self.table(),
            rows = self.rows
        ))?;
        drop(conn);
        std::fs::rename(part, self.file())?;
        Ok(())
    }

    fn make_postgres(&self) -> Outcome<()> {
        let mut admin = postgres::Client::connect(&std::env::var("GROMA_TEST_POSTGRES")?, postgres::NoTls)?;
        let table = self.table();
        if admin.query_opt("SELECT 1 FROM pg_class WHERE relname = $1", &[&table])?.is_none() {
            admin.batch_execute(&format!(
                "CREATE TABLE {table} AS SELECT (i % 5 + 1)::int AS stars, 'Place ' || (i * 7919 % 1000) AS place,
                 date '1990-01-01' + (i * 104729 % 10000)::int AS opened,
                 'Hotel ' || (i * 15485863 % ({rows} / 10)) || ' at the sea' AS name FROM generate_series(0, {rows}::bigint - 1) AS i;
                 ANALYZE {table}",
                rows = self.rows
            ))?;
        }
        admin.batch_execute(&format!(
            "DO $$ BEGIN CREATE ROLE large_reader LOGIN PASSWORD 'reader'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
             GRANT SELECT ON {table} TO large_reader"
        ))?;
        Ok(())
    }

    fn measure(&self, which: &str) -> Outcome<()> {
        let rows = self.rows.to_string();
        let made = Command::new(std::env::current_exe()?).args([which, &rows, "make"]).status()?;
        if !made.success() {
            return Err("the table could not be made".into());
        }
        let address = match which {
            "sqlite" => format!("sqlite:{}", self.file().display()),
            _ => {
                let admin = std::env::var("GROMA_TEST_POSTGRES")?;
                let host = admin.rsplit_once('@').ok_or("an address with a role")?.1;
                format!("postgres://large_reader:reader@{host}")
            }
        };
        let (mut ours, mut plain) = (Duration::MAX, Duration::MAX);
        let mut octets = 0;
        for _ in 0..2 {
            let began = Instant::now();
            octets = self.summary(&address)?;
            ours = ours.min(began.elapsed());
            let began = Instant::now();
            self.plain(&address)?;
            plain = plain.min(began.elapsed());
        }
        let ratio = ours.as_secs_f64() / plain.as_secs_f64();
        println!("| database | rows | octets | summary | plain question | ratio | peak memory |");
        println!("|---|---|---|---|---|---|---|");
        println!(
            "| {which} | {rows} | {octets} | {:.2} s | {:.2} s | {ratio:.2} | {} |",
            ours.as_secs_f64(),
            plain.as_secs_f64(),
            peak()
        );
        if ratio <= 1.5 { Ok(()) } else { Err("slower than one and a half times the plain question".into()) }
    }

    /// The summary, from nothing; its octets.
    fn summary(&self, address: &str) -> Outcome<usize> {
        let documents = self.folder.join("documents");
        std::fs::create_dir_all(&documents)?;
        let names: String = ATTRIBUTES.iter().map(|(name, _)| format!("Attribute: {name}\n")).collect();
        std::fs::write(
            documents.join("large.txt"),
            format!("URL: http://localhost/\nTable: {}\n{names}", self.table()),
        )?;
        let limits = Limits {
            values: 100_000_000,
            octets: 1 << 40,
            object: 1 << 40,
            time: Duration::from_secs(3600),
            ..Limits::default()
        };
        let options = Options {
            documents,
            database: Address::parse(address, None)?,
            cache: None,
            limits,
            allow_writable_role: false,
            allow_far: false,
        };
        let summarizer = Summarizer::open(options, Box::new(|line| eprintln!("{line}")))?;
        let mut count = Count::default();
        Arc::clone(&summarizer).once("large", &mut count).map_err(|error| error.to_string())?;
        // And five lines around them: the head, Type, MD5, Update-Time, the end.
        let values = 5 + 1_000 + 10_000 + self.rows / 10;
        if count.lines != values + 5 {
            return Err(format!("{} lines instead of {}", count.lines, values + 5).into());
        }
        Ok(count.octets)
    }

    /// The same questions by the database's own client.
    fn plain(&self, address: &str) -> Outcome<()> {
        for (name, is_text) in ATTRIBUTES {
            let table = self.table();
            let mut command = match address.strip_prefix("sqlite:") {
                Some(path) => sqlite(Path::new(path), &format!("SELECT DISTINCT {name} FROM {table} ORDER BY {name}")),
                None => {
                    let order = if is_text { format!("{name} COLLATE \"C\"") } else { name.to_owned() };
                    let question =
                        format!("\\copy (SELECT DISTINCT {order} AS v FROM {table} ORDER BY v) TO /dev/null");
                    let mut psql = Command::new("psql");
                    psql.args([address, "-q", "-c", &question]);
                    psql
                }
            };
            if !command.stdout(Stdio::null()).status()?.success() {
                return Err("the database's own client failed".into());
            }
        }
        Ok(())
    }
}

fn sqlite(path: &Path, question: &str) -> Command {
    let mut command = Command::new("sqlite3");
    command.arg("-readonly").arg(path).arg(question);
    command
}

/// Counts what is written.
#[derive(Default)]
struct Count {
    octets: usize,
    lines: u64,
}

impl std::io::Write for Count {
    fn write(&mut self, octets: &[u8]) -> std::io::Result<usize> {
        self.octets += octets.len();
        self.lines += octets.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(octets.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The most memory this process ever had, as the system tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}
