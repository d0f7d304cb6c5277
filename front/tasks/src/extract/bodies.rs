//! The bodies of pages: kept in the survey or in its archive, else asked for again if the user allows it.

use groma_crawl::{Looked, Looking, Manners};
use groma_fetch::HttpFetcher;
use groma_model::{PageId, Reason, State};
use groma_page::charset::decode;
use groma_settings::meaning::{Access, Settings};
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Overrides};
use groma_store::{PageRow, Snapshot};
use groma_url::Url;

use crate::archive::Copies;
use crate::crawl::prepare::Requester;
use crate::crawl::saved_seeds;

/// Media types that columns are read from.
const MARKUP: [&str; 4] = ["text/html", "application/xhtml+xml", "application/xml", "text/xml"];

/// Where pages are asked for again.
pub(super) struct Asker {
    fetcher: HttpFetcher,
    manners: Manners,
}

impl Asker {
    /// With the settings that the survey was begun with.
    pub(super) fn new(store: &mut dyn Snapshot, requester: Requester<'_>) -> Result<Asker, Fault> {
        let saved = Saved::load(store)?.unwrap_or_default();
        let mut book = Book::of_task(&Overrides::default(), &[], requester.config, Some(&saved))?;
        let settings = Settings::from_book(&mut book)?;
        let seeds = saved_seeds(&saved)?;
        let access = Access { owned: requester.owned || saved.owned, guarded: requester.guarded || saved.guarded };
        settings.check_manners(&seeds, access.owned)?;
        let (config, _) = settings.personal_config(&seeds, None, access)?;
        Ok(Asker { fetcher: HttpFetcher::new(config)?, manners: settings.manners(access.owned) })
    }
}

/// The bodies of a survey, one after the other.
pub(super) struct Bodies<'a> {
    copies: Copies,
    looking: Option<Looking<'a>>,
}

/// A page as text.
pub(super) struct PageText {
    pub(super) url: Url,
    pub(super) text: String,
}

impl<'a> Bodies<'a> {
    pub(super) fn open(store: &mut dyn Snapshot, asker: Option<&'a Asker>) -> Result<Bodies<'a>, Fault> {
        let looking = asker.map(|asker| Looking::new(&asker.fetcher, &asker.manners)).transpose()?;
        Ok(Bodies { copies: Copies::open(store)?, looking })
    }

    /// A page that was fetched; nothing if its body was not kept and is not to be asked for, or cannot be had.
    pub(super) fn text(
        &mut self,
        store: &mut dyn Snapshot,
        url: Url,
        page: &PageRow,
    ) -> Result<Option<PageText>, Fault> {
        let charset = Some(page.facts.charset.as_str()).filter(|charset| !charset.is_empty());
        if let Some(body) = self.copies.copy(store, page.id)? {
            return Ok(Some(PageText { url, text: decode(&body, charset).0.into_owned() }));
        }
        let Some(looking) = &mut self.looking else { return Ok(None) };
        let Looked { url, reason, facts, body, .. } = looking.look(&url)?;
        let charset = Some(facts.charset.as_str()).filter(|charset| !charset.is_empty());
        let is_there = reason.state() == State::Fetched && !body.is_empty();
        Ok(is_there.then(|| PageText { url, text: decode(&body, charset).0.into_owned() }))
    }
}

/// The URL of a page that was fetched and can be read, with what is known of it.
pub(super) fn readable(store: &mut dyn Snapshot, id: PageId) -> Result<Option<(Url, PageRow)>, Fault> {
    let Some(address) = store.address(id)?.filter(|address| address.reason == Reason::Fetched) else { return Ok(None) };
    let Some(page) = store.page(id)?.filter(is_markup) else { return Ok(None) };
    Ok(Url::parse(&address.url).ok().map(|url| (url, page)))
}

fn is_markup(page: &PageRow) -> bool {
    let media_type = page.facts.media_type.as_str();
    media_type.is_empty() || MARKUP.contains(&media_type)
}
