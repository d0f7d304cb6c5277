//! Which pages are built, and what becomes of them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::Sender;
use groma_url::Url;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use groma_model::rendering::Why;
use groma_model::url::shape::shape_text;
use groma_model::{Fp, Limits, ParsedPage, Reason, Rendering};
use groma_page::script::Gain;
use groma_page::script::habit::{Advice, Habits};
use groma_page::script::shell::Looks;
use groma_page::{Filter, Html};
use groma_render::{Blind, Browser, Look};
use groma_store::{FetchFacts, Finding, Snapshot, StoreError};

use super::polite_fetcher::PoliteFetcher;
use crate::epoch::epoch;
use crate::harvest::{Built, Harvest, Order, Work};
use crate::settings::{Js, Rendered};

/// Decides about pages, and has them built.
pub(crate) struct Studio {
    mode: Js,
    pictures: Option<PathBuf>,
    habits: Mutex<Habits>,
    browser: Browser,
    orders: mpsc::UnboundedSender<Box<Harvest>>,
    /// There is no browser: nobody need try again.
    blind: AtomicBool,
}

impl Studio {
    /// Opens one, if pages are to be built at all. Its orders come out at the other end, for [`Studio::work`].
    pub(crate) fn open(
        settings: &Rendered,
        limits: &Limits,
    ) -> Option<(Arc<Studio>, mpsc::UnboundedReceiver<Box<Harvest>>)> {
        if settings.js == Js::Never {
            return None;
        }
        let look = Look { pages: settings.pages, pictures: settings.pictures.is_some(), limits: limits.clone() };
        let (orders, taken) = mpsc::unbounded_channel();
        let studio = Studio {
            mode: settings.js,
            pictures: settings.pictures.clone(),
            habits: Mutex::default(),
            browser: Browser::new(look),
            orders,
            blind: AtomicBool::new(false),
        };
        Some((Arc::new(studio), taken))
    }

    /// What the stored pages teach about patterns.
    pub(crate) fn recall(&self, store: &mut dyn Snapshot) -> Result<(), StoreError> {
        if self.mode != Js::Auto {
            return Ok(());
        }
        let mut habits = self.habits();
        store.each_page(&mut |address, page| {
            let Some(Rendering::Done { why, links, words, .. }) =
                page.and_then(|page| Rendering::read(&page.facts.note))
            else {
                return;
            };
            let before = page.map_or(0, |page| page.facts.words.saturating_sub(words));
            if let (Reason::Fetched, Ok(url)) = (address.reason, Url::parse(&address.url)) {
                habits.learn(&url, why, Gain { links, words, before }.is_worth_it());
            }
        })
    }

    /// What to do about a page as it came.
    pub(crate) fn advise(&self, url: &Url, bytes: &[u8], page: &ParsedPage) -> Advice {
        if self.mode == Js::Always {
            return Advice { build: true, why: Why::Always };
        }
        let looks = Looks::measure(bytes, page);
        if looks.scripts == 0 {
            return Advice { build: false, why: Why::Plain };
        }
        self.habits().advise(url, looks.is_shell())
    }

    /// Is the word that a page is as it was enough? Not if it was built, or should have been, or if nobody looked: a shell that is
    /// as it was may be filled with something else.
    pub(crate) fn takes_unchanged(last: &FetchFacts, studio: Option<&Studio>) -> bool {
        match Rendering::read(&last.note) {
            Some(Rendering::Not(_)) => studio.is_none_or(|studio| studio.mode != Js::Always),
            Some(Rendering::Done { .. } | Rendering::Failed(_)) => false,
            None => studio.is_none() || !Html.takes(&last.media_type),
        }
    }

    /// Has a page built. Gives it back if nobody works here any more.
    pub(crate) fn order(&self, mut harvest: Box<Harvest>) -> Result<(), Box<Harvest>> {
        if self.blind.load(Ordering::Relaxed) {
            harvest.facts.note = Rendering::Failed("there is no browser".into()).to_string();
            return Err(harvest);
        }
        self.orders.send(harvest).map_err(|unsent| unsent.0)
    }

    /// What was gained by building a page, and where its picture is; patterns learn from it.
    pub(crate) fn judge(&self, url: &Url, order: &Order, built: &ParsedPage, picture: Option<&[u8]>) -> Rendering {
        let gain = Gain::between(&order.holds, built);
        self.habits().learn(url, order.why, gain.is_worth_it());
        let picture = picture.and_then(|bytes| self.keep_picture(url, bytes));
        Rendering::Done { why: order.why, links: gain.links, words: gain.words, picture }
    }

    /// What is to be told when a page could not be built.
    pub(crate) fn failed(&self, url: &Url, blind: &Blind) -> Finding {
        let (kind, subject) = match blind {
            Blind::NotInstalled | Blind::NoBrowser(_) => ("browser", "chromium".to_owned()),
            _ => ("rendering", shape_text(url)),
        };
        let detail = match blind {
            Blind::NotInstalled => {
                format!("{blind}: pages that need scripts are kept as they came (on Debian: apt install chromium)")
            }
            Blind::NoBrowser(_) => format!("{blind}: pages that need scripts are kept as they came"),
            other => format!("{other}: {url} is kept as it came"),
        };
        Finding { kind: kind.into(), subject, detail, since: epoch() }
    }

    /// A picture is named by its page's URL, so that a new one replaces the old. A full disk costs the picture only.
    fn keep_picture(&self, url: &Url, bytes: &[u8]) -> Option<String> {
        let folder = self.pictures.as_ref()?;
        let name = format!("{}.png", Fp::hash_bytes(url.as_str().as_bytes()).hex());
        std::fs::create_dir_all(folder).ok()?;
        let new = folder.join(format!("{name}.new"));
        std::fs::write(&new, bytes).and_then(|()| std::fs::rename(&new, folder.join(&name))).ok()?;
        Some(name)
    }

    fn habits(&self) -> std::sync::MutexGuard<'_, Habits> {
        self.habits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Builds what is ordered until nobody orders any more.
    pub(crate) fn work(
        self: &Arc<Self>,
        runtime: &Runtime,
        mut orders: mpsc::UnboundedReceiver<Box<Harvest>>,
        polite_fetcher: PoliteFetcher,
        home: Sender<Work>,
    ) {
        let (studio, polite_fetcher) = (Arc::clone(self), Arc::new(polite_fetcher));
        runtime.spawn(async move {
            while let Some(mut harvest) = orders.recv().await {
                let Some(order) = harvest.order.take() else { continue };
                let seen = Err(Blind::Crashed);
                let site = Site { home: home.clone(), built: Some(Built { harvest, order: *order, seen }) };
                tokio::spawn(build(Arc::clone(&studio), Arc::clone(&polite_fetcher), site));
            }
        });
    }
}

async fn build(studio: Arc<Studio>, polite_fetcher: Arc<PoliteFetcher>, mut site: Site) {
    let Some(built) = site.built.as_mut() else { return };
    let supply = Arc::new(polite_fetcher.for_page());
    built.seen = studio.browser.see(&built.order.shown, &supply).await;
    if let Err(Blind::NotInstalled | Blind::NoBrowser(_)) = &built.seen {
        studio.blind.store(true, Ordering::Relaxed);
    }
    built.harvest.aside = supply.cost();
}

/// A page being built. However that ends, even by a panic inside, it comes home.
struct Site {
    home: Sender<Work>,
    built: Option<Built>,
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(built) = self.built.take() {
            let _ = self.home.send(Work::Built(Box::new(built)));
        }
    }
}
