//! What a task means for the search: from where, by which method, with which numbers.

use std::fmt;

use groma_bounds::content_similarity::Compared;
use groma_bounds::{ContentSimilarity, Settings, Sigma};
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_store::bounds::{Directions, LinksUsed, Manner};
use groma_survey_graph::{LinkSet, PageWeb};

use crate::task::scalar::{Line, Real};
use crate::task::{self, Bounds, PageList};

/// Where a search begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// At the page the survey began at.
    #[default]
    Survey,
    /// At a page, as somebody typed it.
    Page(String),
    /// In the cluster with the most URLs that hold this.
    Keyword(String),
    /// At each of several pages.
    Pages {
        /// What the list is called.
        name: String,
        /// The pages, as somebody typed them.
        pages: Vec<String>,
    },
}

/// A search for bounds, with all its settings resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The task it was made of.
    asked: Bounds,
    /// Where the search starts.
    pub start: Beginning,
    /// How it is looked for.
    pub settings: Settings,
    /// Clusters above this are clustered again; 0: none is.
    pub largest: u32,
    /// Links all weigh the same in the clustering, whatever the URLs say.
    pub unweighted: bool,
    /// What of linked pages is compared, beside their URLs.
    pub similarity: Compared,
    /// Which links are counted.
    pub links: LinkSet,
    /// By the prices that the crawl of this survey tried when it looked for the border.
    pub online: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request::from_task(&Bounds::default())
    }
}

impl Request {
    /// The task it was read from.
    pub fn asked(&self) -> &Bounds {
        &self.asked
    }

    /// What a task means.
    pub fn from_task(task: &Bounds) -> Request {
        let said = |text: &Option<Line>| text.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
        let start = match (said(&task.start), said(&task.keyword), &task.seeds) {
            (Some(page), ..) => Beginning::Page(page),
            (None, Some(word), _) => Beginning::Keyword(word),
            (None, None, Some(PageList { name, pages })) => {
                Beginning::Pages { name: name.clone(), pages: pages.clone() }
            }
            (None, None, None) => Beginning::Survey,
        };
        let mut settings = Settings {
            method: task.method.0,
            epsilon: task.epsilon.map(Real::get),
            direction: task.direction.0,
            selection: task.clustering.selection.map(|entries| entries.get() as usize),
            ..Settings::default()
        };
        if let Some(inflation) = task.clustering.inflation {
            settings.inflation = inflation.get();
        }
        match task.clustering.sigma {
            Some(task::Sigma::Given(width)) => settings.sigma = Sigma::Given(width.get()),
            Some(task::Sigma::Fitted) => settings.sigma = Sigma::Fitted,
            Some(task::Sigma::Unweighted) | None => {}
        }
        Request {
            asked: task.clone(),
            start,
            settings,
            largest: task.clustering.largest.map_or(0, |pages| pages.get() as u32),
            unweighted: task.clustering.sigma == Some(task::Sigma::Unweighted),
            similarity: task.similarity.0,
            links: task.clustering.links.0,
            online: task.online,
        }
    }

    /// How alike linked pages are, if that is to count and the survey has kept what it takes. Where all links weigh the same in clusters
    /// it does not count, and neither does it on line: that search has to weigh links before it has read the pages they lead to.
    pub(super) fn alike(&self, store: &mut dyn Snapshot, web: &PageWeb) -> Result<Option<ContentSimilarity>, Fault> {
        let compared = if self.unweighted || self.online { Compared::Nothing } else { self.similarity };
        Ok(web.content_similarity(store, compared)?)
    }

    /// How its clustering is made; `sigma` is the one that was used.
    pub(super) fn manner(&self, sigma: f64) -> Manner {
        Manner {
            inflation: self.settings.inflation,
            selection: self.settings.selection.unwrap_or(0) as u32,
            largest: self.largest,
            sigma: if self.unweighted { 0.0 } else { sigma },
            links: if self.links == LinkSet::All { LinksUsed::All } else { LinksUsed::Pages },
            directions: Directions::Both,
        }
    }
}

impl fmt::Display for Beginning {
    /// As a site is called by what it was found from; pages are expected as the survey writes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beginning::Survey => Ok(()),
            Beginning::Page(page) => f.write_str(page),
            Beginning::Keyword(word) => write!(f, "keyword:{word}"),
            Beginning::Pages { name, .. } => write!(f, "list:{name}"),
        }
    }
}
