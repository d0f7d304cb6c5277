//! A site of one of the four kinds, and a server around it.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context as _;
use groma_testweb::{Answer, Ask, Faults, Server, Web};

use crate::cityworld::CityWorld;
use crate::drawn::design::Design;
use crate::drawn::{self, DrawnSite};
use crate::gate::{Asked, Gate};
use crate::options::{Options, SiteKind};
use crate::search::Search;
use crate::table::Truth;
use crate::{campsites, cityworld, page, random};

enum Content {
    CityWorld(CityWorld),
    Search(Search),
    Drawn(DrawnSite),
}

/// A site that can be asked.
pub struct Site {
    content: Content,
    gate: Gate,
}

impl Site {
    /// Makes a site.
    ///
    /// # Errors
    /// If a named file cannot be read, or the database cannot be made.
    pub fn build(options: &Options) -> anyhow::Result<Site> {
        let content = match options.site {
            SiteKind::CityWorld => Content::CityWorld(CityWorld::build(options)?),
            SiteKind::Campsites => Content::Search(campsites::build(options)?),
            SiteKind::Random => Content::Search(random::build(options)?),
            SiteKind::Drawn => Content::Drawn(DrawnSite::new(Design::from_seed(options.seed))),
        };
        Ok(Site { content, gate: Gate::new(options) })
    }

    /// Makes a site and serves it on a free port of loopback.
    ///
    /// # Errors
    /// As [`Site::build`], or if there is no port.
    pub fn start(options: &Options) -> anyhow::Result<Running> {
        Site::start_on((Ipv4Addr::LOCALHOST, 0).into(), options)
    }

    /// Makes a site and serves it on a URL.
    ///
    /// # Errors
    /// As [`Site::build`], or if the address cannot be listened on.
    pub fn start_on(address: SocketAddr, options: &Options) -> anyhow::Result<Running> {
        let site = Arc::new(Site::build(options)?);
        let server =
            Server::start_on(address, Arc::clone(&site)).with_context(|| format!("cannot listen on {address}"))?;
        server.set_faults(Faults { reset_percent: options.resets, seed: options.seed, ..Faults::default() });
        Ok(Running { server, site })
    }

    /// What is true of the rows.
    pub fn truth(&self) -> Vec<Truth> {
        match &self.content {
            Content::CityWorld(site) => site.truth(),
            Content::Search(site) => site.truth(),
            Content::Drawn(site) => site.truth(),
        }
    }

    /// The columns that lists show, in their order.
    pub fn shown(&self) -> Vec<String> {
        match &self.content {
            Content::CityWorld(_) => cityworld::SHOWN.map(str::to_owned).to_vec(),
            Content::Search(site) => site.shown(),
            Content::Drawn(site) => site.shown(),
        }
    }

    /// The path of the page with the form.
    pub fn form_path(&self) -> &'static str {
        match &self.content {
            Content::CityWorld(_) => cityworld::FORM,
            Content::Search(_) => page::FORM,
            Content::Drawn(_) => drawn::paths::FORM,
        }
    }

    pub(crate) fn drawn(&self) -> Option<&DrawnSite> {
        match &self.content {
            Content::Drawn(site) => Some(site),
            _ => None,
        }
    }
}

impl Web for Site {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.path == "/robots.txt" {
            return Answer::text("User-agent: *\nDisallow:\n");
        }
        if let Some(later) = self.gate.later(ask) {
            return later;
        }
        match &self.content {
            Content::CityWorld(site) => site.answer(ask, &self.gate),
            Content::Search(site) => site.answer(ask, &self.gate),
            Content::Drawn(site) => site.answer(ask),
        }
    }
}

/// A site that is being served; dropping it ends that.
pub struct Running {
    server: Server,
    site: Arc<Site>,
}

impl Running {
    /// The URL to begin at, without a slash at its end.
    pub fn base(&self) -> String {
        self.server.base()
    }

    /// The URL of the page with the form.
    pub fn form(&self) -> String {
        self.server.base() + self.site.form_path()
    }

    /// How often each path (with its query) was asked for, whatever became of the request.
    pub fn asked(&self) -> BTreeMap<String, u64> {
        self.server.asked()
    }

    pub(crate) fn drawn(&self) -> Option<&DrawnSite> {
        self.site.drawn()
    }

    /// How many requests came.
    pub fn total(&self) -> u64 {
        self.server.total()
    }

    /// The questions that were answered, in order, a row for each page of their lists.
    pub fn questions(&self) -> Vec<Asked> {
        self.site.gate.log()
    }

    /// What is true of the rows.
    pub fn truth(&self) -> Vec<Truth> {
        self.site.truth()
    }

    /// The columns that lists show, in their order.
    pub fn shown(&self) -> Vec<String> {
        self.site.shown()
    }

    /// From now on fails otherwise, or not at all.
    pub fn set_faults(&self, faults: Faults) {
        self.server.set_faults(faults);
    }
}
