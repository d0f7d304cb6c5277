//! What happens while a crawl runs, as the loop hears of it.

use groma_url::Url;

use groma_model::LinkKind;
use groma_store::Finding;

use crate::harvest::Harvest;
use crate::kernel::HostNews;
use crate::render::Question;

/// What the loop of a crawl is told.
pub(crate) enum Event {
    /// A visit has been digested.
    Harvest(Box<Harvest>),
    /// Something is known of a host.
    Host(HostNews),
    /// A sitemap names these.
    Sitemap(LinkKind, Vec<Url>),
    /// The sitemaps of one host have been read.
    SitemapsDone,
    /// A limit was hit outside a visit.
    LimitHit(&'static str),
    /// Something was found that the user should know, outside a visit.
    Found(Finding),
    /// Something is to be fetched for a page that is being built.
    ForPage(Question),
}

impl From<Question> for Event {
    fn from(question: Question) -> Event {
        Event::ForPage(question)
    }
}

impl From<HostNews> for Event {
    fn from(news: HostNews) -> Event {
        Event::Host(news)
    }
}
