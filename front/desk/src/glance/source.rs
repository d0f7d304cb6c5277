//! Where a page that is looked at comes from.

use url::Url;

use groma_crawl::{Looked, Looking, look};
use groma_fetch::HttpFetcher;
use groma_model::{Limits, Link, PageId, ParsedPage, State, Target};
use groma_page::{Input, filter_for, sniff};
use groma_store::Snapshot;
use groma_store::codec::{KeptLink, unpack_details};

use super::{Seen, Source};
use crate::settings::meaning::{AGENT, Settings};
use crate::{Fault, words};

/// A page asked for just now, as politely as in a crawl; with its bytes.
pub fn fetched(
    url: &Url,
    login: Option<(String, String)>,
    settings: &Settings,
    owned: bool,
) -> Result<(Seen, Vec<u8>), Fault> {
    settings.check_manners(std::slice::from_ref(url), owned)?;
    let fetcher = HttpFetcher::new(settings.fetch_config(std::slice::from_ref(url), login))?;
    let how = Looking { limits: settings.limits.clone(), agent: AGENT.to_owned(), robots: settings.robots };
    let Looked { url, through, reason, facts, parsed, body } = look(fetcher, url, &how)?;
    let Some(page) = parsed else {
        let why = if reason.state() == State::Indexed { words::NOTHING_TO_READ } else { reason.says() };
        return Err(Fault::new(words::nothing_fetched(url.as_str(), why), words::next_step(reason)));
    };
    let seen = Seen {
        address: url.to_string(),
        through: through.iter().map(Url::to_string).collect(),
        status: facts.status,
        ..Seen::of(&page, &targets(&page.links), Source::Fetched)
    };
    Ok((seen, body))
}

/// A page out of bytes; `url` is what its links hang on.
pub fn of_bytes(bytes: &[u8], url: &Url, limits: &Limits) -> Result<Seen, Fault> {
    let filter = filter_for(sniff("", bytes)).ok_or_else(|| Fault::new(words::NOTHING_TO_READ, words::CHECK_PATH))?;
    let page = filter.read(&Input { bytes, url, charset: None, limits, parts: true });
    Ok(Seen { address: url.to_string(), ..Seen::of(&page, &targets(&page.links), Source::File) })
}

/// A page out of a survey, and its bytes if they were kept. A page that was kept without its parts is read anew from its bytes.
pub fn stored(store: &mut dyn Snapshot, id: PageId, limits: &Limits) -> Result<(Seen, Option<Vec<u8>>), Fault> {
    let row = store.address(id)?.ok_or_else(|| Fault::new(words::NOTHING_TO_READ, words::NOT_IN_SURVEY_HINT))?;
    let not_there = || Fault::new(words::nothing_fetched(&row.url, row.reason.says()), words::next_step(row.reason));
    let facts = store.page(id)?.ok_or_else(not_there)?.facts;
    let body = store.body(id)?;
    let details = store.details(id)?.and_then(|packed| unpack_details(&packed)).ok_or_else(not_there)?;
    let url = Url::parse(&row.url).ok();
    let page = match (&body, &url) {
        (Some(bytes), Some(url)) if details.parts.is_none() => {
            return Ok((Seen { from: Source::Stored, status: facts.status, ..of_bytes(bytes, url, limits)? }, body));
        }
        _ if details.parts.is_none() => return Err(Fault::new(words::NO_PARTS, words::NO_PARTS_HINT)),
        _ => ParsedPage {
            title: facts.title.clone(),
            language: Some(facts.language.clone()).filter(|language| !language.is_empty()),
            links: details.links.into_iter().map(KeptLink::into_link).collect(),
            blocks: details.blocks,
            parts: details.parts.map(Box::new),
            ..ParsedPage::default()
        },
    };
    let mut addresses = Vec::new();
    for target in store.targets(id)? {
        addresses.push(store.address(target)?.map(|row| row.url).unwrap_or_default());
    }
    let seen = Seen { address: row.url, status: facts.status, ..Seen::of(&page, &addresses, Source::Stored) };
    Ok((seen, body))
}

fn targets(links: &[Link]) -> Vec<String> {
    let text = |link: &Link| match &link.target {
        Target::Web(url) => url.to_string(),
        Target::Malformed(text) => text.clone(),
    };
    links.iter().map(text).collect()
}
