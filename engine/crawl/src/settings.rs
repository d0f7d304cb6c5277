//! What a crawl is told to do.

use std::path::PathBuf;

use groma_url::Url;

use groma_model::Limits;
use groma_model::url::{Canonizer, Logout, Scope};
use groma_strategy::Strategy;

use crate::kernel::Manners;

/// Settings of one crawl. What URLs mean (rules, scope) and how politely to go.
pub struct CrawlSettings {
    pub seeds: Vec<Url>,
    /// More start pages, which the store has in so many pieces ([`listed_key`]).
    pub listed: u32,
    /// URL rules that were written by hand.
    pub canonizer: Canonizer,
    /// What belongs to the survey.
    pub scope: Scope,
    /// Most pages to index; `None`: all.
    pub max_pages: Option<u64>,
    /// How servers are treated.
    pub manners: Manners,
    /// What is fetched beside the pages that links lead to.
    pub follow: Follow,
    /// What is kept of a page.
    pub keep: Keep,
    /// Learn rules about parameters.
    pub learn: bool,
    /// Pages that scripts build.
    pub rendered: Rendered,
    /// Something personal is sent (a login, cookies, header fields): links that would end it are left alone, told by this.
    pub logout: Option<Logout>,
    /// All settings that decide which URLs are taken, as text: when it differs from that of the crawl before, URLs
    /// that were left out are judged again.
    pub decisions: String,
}

/// What is fetched beside the pages that links lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Follow {
    /// Links marked nofollow, and those of pages that ask not to be followed.
    pub nofollow: bool,
    /// Images, styles and scripts (their header only).
    pub assets: bool,
    /// Pages that sitemaps name, once the links are exhausted.
    pub sitemaps: bool,
}

/// What is kept of a page, beside its facts and links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    pub bodies: bool,
    /// Its parts; they are told in any case for a strategy that reads.
    pub parts: bool,
}

/// The key of the store's value that holds a piece of a long list of start pages, one a line.
pub fn listed_key(piece: u32) -> String {
    format!("seeds.{piece}")
}

/// Which pages are shown to a browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Js {
    #[default]
    Never,
    /// Those that came as empty shells, and others of patterns that gain by it.
    Auto,
    Always,
}

/// How pages that scripts build are dealt with.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// Which pages are rendered.
    pub js: Js,
    /// So many at once.
    pub pages: usize,
    /// Where pictures of them are kept, if they are wanted.
    pub pictures: Option<PathBuf>,
}

/// What the loop of a crawl and its parts keep of the settings, beside the manners of its kernel.
pub(crate) struct EngineSettings {
    pub(crate) max_pages: Option<u64>,
    pub(crate) follow: Follow,
    pub(crate) learn: bool,
    pub(crate) logout: Option<Logout>,
    /// Everything known is being asked again.
    pub(crate) updating: bool,
    /// The strategy has a memory.
    pub(crate) remembers: bool,
    /// It reads the pages.
    pub(crate) reads: bool,
    pub(crate) limits: Limits,
}

impl EngineSettings {
    pub(crate) fn new(settings: &CrawlSettings, strategy: &mut dyn Strategy, updating: bool) -> EngineSettings {
        let memory = strategy.memory();
        EngineSettings {
            max_pages: settings.max_pages,
            follow: settings.follow,
            learn: settings.learn,
            logout: settings.logout.clone(),
            updating,
            remembers: memory.is_some(),
            reads: memory.is_some_and(|memory| memory.reads()),
            limits: settings.manners.limits.clone(),
        }
    }

    /// The word for such a run in the store.
    pub(crate) fn kind(&self) -> &'static str {
        if self.updating { "update" } else { "crawl" }
    }
}
