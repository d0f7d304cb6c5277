//! A survey of its own for each test on the server that `GROMA_TEST_POSTGRES` names; a database of its own where a survey is not
//! enough; and a server of its own where it is to be killed.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groma_store::{Server, SurveyName, drop_survey};

/// A number that nobody else has in this process.
fn number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The server that was started for tests.
pub(super) fn address() -> Option<String> {
    let address = std::env::var("GROMA_TEST_POSTGRES").ok().filter(|address| !address.is_empty());
    if address.is_none() {
        eprintln!("skipped for Postgres: GROMA_TEST_POSTGRES names no server");
    }
    address
}

/// A survey that goes with the test.
pub(super) struct Place {
    pub(super) server: Server,
    pub(super) survey: SurveyName,
}

impl Place {
    pub(super) fn new() -> Option<Place> {
        let server = Server::parse(&address()?).unwrap();
        Some(Place::on(server))
    }

    pub(super) fn on(server: Server) -> Place {
        let survey = SurveyName::new(&format!("it-beside.{}_{}", std::process::id(), number())).unwrap();
        Place { server, survey }
    }

    /// Another one on the same server.
    pub(super) fn another(&self) -> Place {
        Place::on(self.server.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = drop_survey(&self.server.with_patience(Duration::from_secs(2)), &self.survey);
    }
}

/// A database that goes with the test.
pub(super) struct Base {
    pub(super) server: Server,
    pub(super) address: String,
    name: String,
}

impl Base {
    pub(super) fn new() -> Option<Base> {
        let all = address()?;
        let name = format!("groma_beside_{}_{}", std::process::id(), number());
        let mut client = postgres::Client::connect(&all, postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let (front, _) = all.rsplit_once('/').unwrap();
        let address = format!("{front}/{name}");
        Some(Base { server: Server::parse(&address).unwrap(), address, name })
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let Some(mut client) = address().and_then(|all| postgres::Client::connect(&all, postgres::NoTls).ok()) else {
            return;
        };
        let _ = client.batch_execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// A server that goes with the test, and may go before.
pub(super) struct Cluster {
    folder: PathBuf,
    pub(super) address: String,
}

impl Cluster {
    pub(super) fn start() -> Option<Cluster> {
        // Where no server was started for tests, none can be.
        address()?;
        let folder = std::env::temp_dir().join(format!("groma-beside-{}-{}", std::process::id(), number()));
        let said = Command::new(script()).arg("start").arg(&folder).output().unwrap();
        if !said.status.success() {
            eprintln!("skipped for Postgres: no server of its own: {}", String::from_utf8_lossy(&said.stderr));
            return None;
        }
        Some(Cluster { folder, address: String::from_utf8(said.stdout).unwrap().trim().to_owned() })
    }

    fn tell(&self, what: &str) {
        let done = Command::new(script()).arg(what).arg(&self.folder).status().unwrap();
        assert!(done.success(), "{what}");
    }

    /// Ends it at once, as a power cut would.
    pub(super) fn crash(&self) {
        self.tell("crash");
    }

    /// Starts it again, on what is left.
    pub(super) fn again(&self) {
        self.tell("again");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(script()).arg("stop").arg(&self.folder).status();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../yard/services/postgres")
}
