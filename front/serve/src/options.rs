//! How is the server asked to run, and what does it say when it is up?

use std::net::SocketAddr;
use std::path::PathBuf;

use groma_url::Url;

use crate::PORT;
use crate::door::ProxyNet;

/// How the server is asked to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Where surveys begun over the web are kept, and the accounts (`desk.db`).
    pub home: PathBuf,
    /// Surveys besides those in the home folder.
    pub stores: Vec<PathBuf>,
    /// Hosts that are the user's own: they may be private, and on loopback asked without a pause.
    pub own: Vec<String>,
    /// Whether search is open to visitors who are not logged in.
    pub public_search: bool,
    /// How people reach it, if through another server: `https://survey.example.org/`.
    pub public_url: Option<Url>,
    /// Proxies whose word about clients is taken; none: with `public_url`, one on this machine.
    pub proxies: Vec<ProxyNet>,
    /// On a server without users, a page that leads to the start URL is kept beside its key.
    pub start_page: bool,
    /// Jobs done at a time; 0: jobs are left to other processes.
    pub workers: usize,
    /// The configuration file for jobs.
    pub config: Option<PathBuf>,
}

impl Options {
    /// The usual ones: loopback only, jobs done here, nothing public.
    pub fn on_loopback(home: PathBuf) -> Options {
        Options {
            listen: SocketAddr::from(([127, 0, 0, 1], PORT)),
            home,
            stores: Vec::new(),
            own: Vec::new(),
            public_search: false,
            public_url: None,
            proxies: Vec::new(),
            start_page: false,
            workers: 2,
            config: None,
        }
    }

    /// Can only this machine reach the server, as far as anybody said?
    pub(crate) fn is_private(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback() && self.public_url.is_none() && self.proxies.is_empty()
    }
}

/// What a server says when it is up.
#[derive(Clone, Debug)]
pub struct Listening {
    /// Address it listens on.
    pub at: SocketAddr,
    /// On a server without users: the URL that lets one browser in, once.
    pub start_url: Option<String>,
    /// Where the key of that URL is kept, and the next one after it was used.
    pub key_file: Option<PathBuf>,
    /// With [`Options::start_page`]: a page that leads to the start URL, readable by its owner only.
    pub start_page: Option<PathBuf>,
}
