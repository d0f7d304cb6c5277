//! A survey of its own for each test, on the server that `GROMA_TEST_POSTGRES` names or on one that the test may kill.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groma_store::{Server, SurveyName, drop_survey};

/// A survey that goes when the test ends.
pub(crate) struct Place {
    pub(crate) server: Server,
    pub(crate) survey: SurveyName,
}

fn named(name: &str) -> SurveyName {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    SurveyName::new(&format!("it-{}-{number}-{name}", std::process::id())).unwrap()
}

/// The address of a server that was started for tests.
pub(crate) fn address() -> Option<String> {
    let address = std::env::var("GROMA_TEST_POSTGRES").ok().filter(|address| !address.is_empty());
    if address.is_none() {
        eprintln!("skipped for PostgreSQL: GROMA_TEST_POSTGRES names no server");
    }
    address
}

impl Place {
    pub(crate) fn new(name: &str) -> Option<Place> {
        let server = Server::parse(&address()?).unwrap();
        Some(Place { server, survey: named(name) })
    }

    /// Another survey on the same server.
    pub(crate) fn beside(&self, name: &str) -> Place {
        Place { server: self.server.clone(), survey: named(name) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = drop_survey(&self.server.with_patience(Duration::from_secs(2)), &self.survey);
    }
}

/// A server of the test's own, that it may kill.
pub(crate) struct Cluster {
    folder: PathBuf,
    pub(crate) address: String,
}

impl Cluster {
    /// Starts one; nothing, loudly, where that cannot be done.
    pub(crate) fn start(name: &str) -> Option<Cluster> {
        // Without a server for tests there need not be any PostgreSQL here.
        address()?;
        let folder = std::env::temp_dir().join(format!("groma-cluster-{}-{name}", std::process::id()));
        let done = Command::new(script()).arg("start").arg(&folder).output().unwrap();
        if !done.status.success() {
            eprintln!("skipped for PostgreSQL: no server of its own: {}", String::from_utf8_lossy(&done.stderr));
            return None;
        }
        let address = String::from_utf8(done.stdout).unwrap().trim().to_owned();
        Some(Cluster { folder, address })
    }

    fn data(&self) -> PathBuf {
        PathBuf::from(std::fs::read_to_string(self.folder.join("place")).unwrap().trim())
    }

    /// Kills the server as a crash would, and starts it again on the same port after a while.
    pub(crate) fn crash(&self, down: Duration) {
        let data = self.data();
        self.control(&["-D", &data.to_string_lossy(), "-m", "immediate", "-w", "stop"]);
        std::thread::sleep(down);
        // Its options are in the file that the first start left.
        self.control(&[
            "-D",
            &data.to_string_lossy(),
            "-w",
            "-t",
            "60",
            "-l",
            &format!("{}/log", data.display()),
            "restart",
        ]);
    }

    fn control(&self, args: &[&str]) {
        let find = "find /usr/lib/postgresql -maxdepth 3 -name pg_ctl | sort -V | tail -n 1";
        let found = Command::new("sh").args(["-c", find]).output().unwrap();
        let program = String::from_utf8(found.stdout).unwrap().trim().to_owned();
        let program = if program.is_empty() { "pg_ctl".to_owned() } else { program };
        // As in the script: PostgreSQL refuses to run as root.
        let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        let mut command = if root {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", &program]);
            command
        } else {
            Command::new(program)
        };
        let done = command.args(args).current_dir("/").output().unwrap();
        assert!(
            done.status.success(),
            "{}{}",
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(script()).arg("stop").arg(&self.folder).output();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../yard/services/postgres")
}
