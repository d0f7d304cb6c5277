//! An open survey in memory, for tests of the parts without the loop: nothing is fetched, everything is stored.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use groma_url::Url;

use groma_fetch::{BoxFuture, Fetcher, Lane};
use groma_model::url::{Canonizer, RuleBook, Scope, ScopeKind};
use groma_model::{Depth, Failure, Limits, LinkKind, Outcome, PageId, Request};
use groma_store::SqliteStore;
use groma_strategy::{Layers, Lead, Strategy, Visit};

use crate::digest::Lens;
use crate::harvest::Place;
use crate::kernel::{Kernel, Manners};
use crate::learning::Learning;
use crate::ledger::{Discovery, Ledger};
use crate::place::place;
use crate::progress::{Progress, Unwatched};
use crate::queue::Queue;
use crate::settings::{EngineSettings, Follow, Keep};
use crate::slot::Slot;
use crate::survey::{OpenSurvey, Starts};

/// A fetcher that knows one server and has no answers.
pub(crate) struct Silent;

impl Fetcher for Silent {
    fn fetch(&self, _request: Request) -> BoxFuture<'_, Outcome> {
        Box::pin(async { Outcome::Failed(Failure::BadAnswer("nothing is fetched in this test".into())) })
    }

    fn lane<'a>(&'a self, _url: &'a Url) -> BoxFuture<'a, Lane> {
        Box::pin(async { Lane::Host("server".to_owned()) })
    }
}

pub(crate) fn manners(limits: &Limits) -> Manners {
    Manners {
        concurrency: 2,
        per_host: 1,
        delay: Duration::ZERO,
        stranger_delay: Duration::ZERO,
        agent: "groma".to_owned(),
        robots: false,
        limits: limits.clone(),
    }
}

pub(crate) fn kernel<T>(limits: &Limits) -> Kernel<T> {
    let runtime = crate::threads::runtime(1).unwrap();
    Kernel::new(manners(limits), Arc::new(Silent), runtime, Arc::new(AtomicBool::new(false)))
}

/// Lends an open survey of `http://a.test/` to a test.
pub(crate) fn with_survey(strategy: &mut dyn Strategy, test: impl FnOnce(&mut OpenSurvey<'_>)) {
    let limits = Limits { learn_equal: 2, learn_samples: 0, ..Limits::default() };
    let mut store = SqliteStore::open(std::path::Path::new(":memory:")).unwrap();
    let start = Url::parse("http://a.test/").unwrap();
    let mut scope = Scope::new(ScopeKind::Host, &[], Vec::new(), Vec::new());
    scope.add_seed(&start);
    let lens = Lens {
        canonizer: Canonizer::new(RuleBook::default(), &limits),
        limits: limits.clone(),
        keep: Keep::default(),
        agent: "groma".to_owned(),
        studio: None,
        shows: false,
        lists: AtomicBool::new(false),
    };
    let settings = EngineSettings {
        max_pages: None,
        follow: Follow::default(),
        learn: true,
        logout: None,
        updating: false,
        remembers: strategy.memory().is_some(),
        reads: false,
        limits: limits.clone(),
    };
    test(&mut OpenSurvey {
        ledger: Ledger::open(&mut store, 1).unwrap(),
        kernel: kernel(&limits),
        queue: Queue::default(),
        settings,
        strategy,
        watch: &mut Unwatched,
        progress: Progress::default(),
        scope,
        starts: Starts { given: vec![start], ..Starts::default() },
        lens: Arc::new(lens),
        stop_said: false,
        links_moved: false,
        told: 0,
        waited: 0,
    });
}

/// The same, with breadth first as the strategy.
pub(crate) fn with_layers(test: impl FnOnce(&mut OpenSurvey<'_>)) {
    with_survey(&mut Layers::new(None), test);
}

/// Finds a page as if it was linked from the start page, and asks the strategy about it.
pub(crate) fn find(survey: &mut OpenSurvey<'_>, learning: &mut Learning, path: &str) -> PageId {
    let canon = survey.canon(&url(path));
    let found = Discovery { via: None, kind: LinkKind::Anchor, depth: Depth(1) };
    let (page, lead) = place(survey, learning, Place::Address(canon), found, false).unwrap();
    if lead {
        let leads = [Lead { page, kind: LinkKind::Anchor, link: None }];
        let visit =
            Visit { depth: Depth(0), leads: &leads, ..Visit::without_content(PageId(0), groma_model::Reason::Fetched) };
        survey.consult_about(&visit, Depth(1));
    }
    page
}

pub(crate) fn url(path: &str) -> Url {
    Url::parse(&format!("http://a.test{path}")).unwrap()
}

/// The right to fetch a page of host 1 that was never fetched.
pub(crate) fn slot(page: PageId) -> Slot {
    Slot {
        id: page,
        host: groma_model::HostId(1),
        url: url(&format!("/{}", page.0)),
        depth: Depth(1),
        via: None,
        run: 0,
        before: groma_model::Reason::Waiting,
        last: None,
        tries: 0,
        spelling: None,
        spellings: 0,
    }
}
