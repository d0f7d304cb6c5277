//! A pool of tabs in one program, which is started when it is first needed and again when it has died.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use groma_model::Limits;
use serde_json::json;
use tokio::sync::{Mutex, Semaphore};

use crate::door::Supply;
use crate::operate::{Operated, operate};
use crate::program::Running;
use crate::tab::{Shown, Tab, View};
use crate::{Blind, find};

/// A browser that has not answered by then will not.
const STARTING: Duration = Duration::from_secs(60);
/// After so many that did not start, in a row, there is none.
const STARTS: u64 = 3;
/// One program shows so many pages before another takes its place: what leaks does not add up.
const PAGES_PER_PROGRAM: u64 = 2_000;

/// How pages are looked at.
#[derive(Clone, Debug)]
pub struct Look {
    /// Pages rendered at a time.
    pub pages: usize,
    /// Whether screenshots are made.
    pub pictures: bool,
    /// The table of limits.
    pub limits: Limits,
}

/// A pool of tabs.
pub struct Browser {
    program: Option<PathBuf>,
    look: Look,
    tabs: Semaphore,
    running: Mutex<Option<(Arc<Running>, u64)>>,
    failures: AtomicU64,
    starts: AtomicU64,
}

impl Browser {
    /// A pool. Nothing is started yet.
    pub fn new(look: Look) -> Browser {
        Browser {
            program: find(),
            tabs: Semaphore::new(look.pages.max(1)),
            look,
            running: Mutex::new(None),
            failures: AtomicU64::new(0),
            starts: AtomicU64::new(0),
        }
    }

    /// Shows a page and says what came of it. A page whose tab or browser dies is shown once more, in a new one.
    pub async fn see<S: Supply>(&self, page: &Shown, supply: &Arc<S>) -> Result<View, Blind> {
        let _tab = self.tabs.acquire().await.map_err(|_| Blind::Died)?;
        match self.see_once(page, supply).await {
            Err(Blind::Crashed | Blind::Died) => self.see_once(page, supply).await,
            other => other,
        }
    }

    /// Shows a page, types into its search box, sets what stands beside it, and says what the page asked for each time.
    pub async fn operate<S: Supply>(&self, page: &Shown, supply: &Arc<S>) -> Result<Operated, Blind> {
        let _tab = self.tabs.acquire().await.map_err(|_| Blind::Died)?;
        let running = self.running().await?;
        let operated = match Tab::open(&running.wire).await {
            Ok(mut tab) => operate(&mut tab, page, supply, &self.look.limits).await,
            Err(blind) => Err(blind),
        };
        if Arc::strong_count(&running) == 1 {
            aside(running);
        }
        operated
    }

    /// How often the program was started.
    pub fn starts(&self) -> u64 {
        self.starts.load(Ordering::Relaxed)
    }

    async fn see_once<S: Supply>(&self, page: &Shown, supply: &Arc<S>) -> Result<View, Blind> {
        let running = self.running().await?;
        let seen = match Tab::open(&running.wire).await {
            Ok(mut tab) => tab.see(page, supply, &self.look.limits, self.look.pictures).await,
            // A tab that does not come is worth another try; a page that does not come to rest is not.
            Err(Blind::Stuck) => Err(Blind::Crashed),
            Err(blind) => Err(blind),
        };
        if Arc::strong_count(&running) == 1 {
            aside(running);
        }
        seen
    }

    /// The program at work; started if there is none, or if the one there has died or has done enough.
    async fn running(&self) -> Result<Arc<Running>, Blind> {
        let mut running = self.running.lock().await;
        if let Some((one, shown)) = running.as_mut()
            && one.wire.is_open()
            && *shown < PAGES_PER_PROGRAM
        {
            *shown += 1;
            return Ok(Arc::clone(one));
        }
        // The old one goes when its last page is done.
        if let Some((old, _)) = running.take() {
            aside(old);
        }
        let program = self.program.as_ref().ok_or(Blind::NotInstalled)?;
        let mut blind = Blind::NoBrowser("it failed several times".into());
        // A start may fail for a passing reason, such as a machine out of breath.
        while self.failures.load(Ordering::Relaxed) < STARTS {
            self.starts.fetch_add(1, Ordering::Relaxed);
            match start(program, &self.look.limits).await {
                Ok(new) => {
                    self.failures.store(0, Ordering::Relaxed);
                    let new = Arc::new(new);
                    *running = Some((Arc::clone(&new), 1));
                    return Ok(new);
                }
                Err(why) => blind = why,
            }
            let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
            tokio::time::sleep(Duration::from_millis(200 * failures)).await;
        }
        Err(blind)
    }
}

async fn start(program: &Path, limits: &Limits) -> Result<Running, Blind> {
    let new = Running::start(program, limits).map_err(|error| Blind::NoBrowser(error.to_string()))?;
    match new.wire.ask(None, "Browser.getVersion", json!({}), STARTING).await {
        Ok(_) => Ok(new),
        Err(_) => {
            let said = new.last_words();
            aside(Arc::new(new));
            Err(Blind::NoBrowser(said))
        }
    }
}

/// Waiting for the end of a program blocks: it is done aside.
fn aside(old: Arc<Running>) {
    std::thread::spawn(move || drop(old));
}
