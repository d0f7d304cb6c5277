//! The program: where it is, how it is started, how it ends.
//!
//! A shell gives the pipes the numbers the browser wants (3 and 4) and bounds the memory of each of its processes
//! (`ulimit -d`, which counts what a process can write to and shares with nobody). The browser is its own process group, so that
//! Ctrl-C at our terminal is ours to deal with. It is told nothing of our environment but the path to programs.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_model::Limits;

use crate::pipe::Wire;
use crate::profile::Profile;

/// What Chromium is called, the likeliest first.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How long a browser may take to go when its pipe is closed.
const FAREWELL: Duration = Duration::from_secs(5);

/// No port is listened to here: what the door does not see must not get out.
const NOWHERE: &str = "127.0.0.1:9";

const SCRIPT: &str = r#"ulimit -d "$1" 2>/dev/null; shift; exec "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

#[rustfmt::skip]
const FLAGS: [&str; 21] = [
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--deny-permission-prompts",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    // The page decides about http and https, not the browser; and what is private is said by our own guard. The
    // suggestions of a URL line that nobody sees would be two pages of their own, in a process dearer than that of the page shown.
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LocalNetworkAccessChecks,Translate,OptimizationHints,MediaRouter,\
     WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/// The browser on the path to programs, if there is one.
pub fn find() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

/// A browser at work.
pub(crate) struct Running {
    pub(crate) wire: Arc<Wire>,
    child: Arc<Mutex<Child>>,
    profile: Profile,
}

impl Running {
    pub(crate) fn start(program: &Path, limits: &Limits) -> io::Result<Running> {
        let profile = Profile::new()?;
        let memory = limits.js_memory_bytes;
        let mut command = Command::new("sh");
        command
            .args(["-c", SCRIPT, "sh", &(memory / 1024).max(1).to_string()])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--proxy-server={NOWHERE}"))
            .arg(format!("--js-flags=--max-old-space-size={}", ((memory / 2) >> 20).max(16)))
            .arg(format!("--user-data-dir={}", profile.folder.join("profile").display()))
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", &profile.folder)
            .env("TMPDIR", &profile.folder)
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(profile.folder.join("said"))?);
        if is_root() {
            // Its sandbox does not work for root.
            command.arg("--no-sandbox");
        }
        command.arg("about:blank");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipe to the browser"));
        };
        let child = Arc::new(Mutex::new(child));
        let corpse = Arc::clone(&child);
        let wire = Wire::new(to, from, move || {
            let _ = corpse.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
        });
        Ok(Running { wire, child, profile })
    }

    /// What it complained of, the last line of it.
    pub(crate) fn last_words(&self) -> String {
        let said = std::fs::read(self.profile.folder.join("said")).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").chars().take(300).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.wire.hang_up();
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}
