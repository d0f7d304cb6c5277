//! Where a page that is looked at comes from.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use groma_crawl::apart::read_body;
use groma_crawl::{Looked, look};
use groma_fetch::HttpFetcher;
use groma_model::{Limits, Link, PageId, ParsedPage, State, Target};
use groma_page::{Input, filter_to_show, sniff, true_type};
use groma_settings::Fault;
use groma_settings::meaning::{Access, Settings};
use groma_settings::wording::CHECK_PATH;
use groma_store::Snapshot;
use groma_store::codec::{KeptLink, unpack_details};
use groma_url::Url;

use super::{Seen, Source};
use crate::crawl::wording::nothing_fetched;
use crate::explain::next_step::{next_step, next_step_after};
use crate::lookup::NOT_IN_SURVEY_HINT;

/// What a file is said to come from when nobody says it.
const NOWHERE: &str = "http://file.invalid/";

/// How a page is asked for.
pub struct Asking<'a> {
    /// The settings of the network.
    pub settings: &'a Settings,
    /// User name and password out of the URL.
    pub login: Option<(String, String)>,
    /// The site is the user's own.
    pub owned: bool,
    /// Whoever asks may not reach into private networks.
    pub guarded: bool,
}

/// Asks for a page, as politely as a crawl would.
pub(crate) fn looked_at(url: &Url, asking: Asking<'_>) -> Result<(Looked, ParsedPage), Fault> {
    let Asking { settings, login, owned, guarded } = asking;
    settings.check_manners(std::slice::from_ref(url), owned)?;
    let (config, _) = settings.personal_config(std::slice::from_ref(url), login, Access { owned, guarded })?;
    let mut looked = look(&HttpFetcher::new(config)?, url, &settings.manners)?;
    let Some(page) = looked.parsed.take() else {
        let reason = looked.reason;
        let note = &looked.facts.note;
        let why = match reason.state() {
            State::Fetched => NOTHING_TO_READ,
            _ if note.is_empty() => reason.says(),
            _ => note,
        };
        return Err(Fault::new(nothing_fetched(looked.url.as_str(), why), next_step_after(reason, note)));
    };
    Ok((looked, page))
}

/// Reads a page out of bytes; `url` is what its links hang on.
fn read(bytes: &[u8], url: &Url, limits: &Limits) -> Result<ParsedPage, Fault> {
    let media_type = true_type(sniff("", bytes), bytes);
    let filter = filter_to_show(media_type, bytes).ok_or_else(|| Fault::new(NOTHING_TO_READ, CHECK_PATH))?;
    let input = Input { bytes, url, charset: None, limits, parts: true };
    read_body(filter, media_type, &input).map_err(|unread| Fault::new(unread.says(), CHECK_PATH))
}

/// The bytes of a file, or of stdin if it is called `-`, as many as a page may have.
pub(crate) fn read_bytes(file: &Path, limits: &Limits) -> Result<Vec<u8>, Fault> {
    let shown = file.display().to_string();
    let fault = |error: std::io::Error| Fault::of_input(&shown, &error);
    let input: Box<dyn Read> =
        if shown == "-" { Box::new(std::io::stdin()) } else { Box::new(File::open(file).map_err(fault)?) };
    let mut bytes = Vec::new();
    input.take(limits.page_bytes.max(limits.document_bytes)).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}

/// Reads a page out of a file, or out of stdin if it is called `-`; with its bytes, as many as a page may have.
pub(crate) fn read_file(file: &Path, url: Option<&Url>, limits: &Limits) -> Result<(ParsedPage, Vec<u8>), Fault> {
    let bytes = read_bytes(file, limits)?;
    let page = match url {
        Some(url) => read(&bytes, url, limits)?,
        None => {
            let nowhere = Url::parse(NOWHERE).map_err(|error| Fault::new(error.to_string(), CHECK_PATH))?;
            read(&bytes, &nowhere, limits)?
        }
    };
    Ok((page, bytes))
}

/// A page asked for just now; with its bytes.
pub fn fetched(url: &Url, asking: Asking<'_>) -> Result<(Seen, Vec<u8>), Fault> {
    let (Looked { url, through, facts, body, .. }, page) = looked_at(url, asking)?;
    let seen = Seen {
        url: url.to_string(),
        through: through.iter().map(Url::to_string).collect(),
        status: facts.status,
        ..Seen::from_page(&page, &targets(&page.links), Source::Fetched)
    };
    Ok((seen, body))
}

/// A page out of a file; with its bytes. `url` is where it came from, if anybody knows.
pub fn filed(file: &Path, url: Option<&Url>, limits: &Limits) -> Result<(Seen, Vec<u8>), Fault> {
    let (page, bytes) = read_file(file, url, limits)?;
    let address = url.map_or(NOWHERE, Url::as_str).to_owned();
    Ok((Seen { url: address, ..Seen::from_page(&page, &targets(&page.links), Source::File) }, bytes))
}

/// A page out of a survey, and its bytes if they were kept. A page that was kept without its parts is read anew from its bytes.
pub fn stored(store: &mut dyn Snapshot, id: PageId, limits: &Limits) -> Result<(Seen, Option<Vec<u8>>), Fault> {
    let row = store.address(id)?.ok_or_else(|| Fault::new(NOTHING_TO_READ, NOT_IN_SURVEY_HINT))?;
    let not_there = || Fault::new(nothing_fetched(&row.url, row.reason.says()), next_step(row.reason));
    let facts = store.page(id)?.ok_or_else(not_there)?.facts;
    let body = crate::archive::copy(store, id)?;
    let details = store.details(id)?.and_then(|packed| unpack_details(&packed)).ok_or_else(not_there)?;
    let url = Url::parse(&row.url).ok();
    let page = match (&body, &url) {
        (Some(bytes), Some(url)) if details.parts.is_none() => {
            let page = read(bytes, url, limits)?;
            let seen = Seen::from_page(&page, &targets(&page.links), Source::Stored);
            return Ok((Seen { url: row.url, status: facts.status, ..seen }, body));
        }
        _ if details.parts.is_none() => {
            return Err(Fault::new(
                "the survey has this page without its parts",
                "crawl with --set parts=keep, or name the page without --store to fetch it",
            ));
        }
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
    let seen = Seen { url: row.url, status: facts.status, ..Seen::from_page(&page, &addresses, Source::Stored) };
    Ok((seen, body))
}

fn targets(links: &[Link]) -> Vec<String> {
    let text = |link: &Link| match &link.target {
        Target::Web(url) => url.to_string(),
        Target::Malformed(text) => text.clone(),
    };
    links.iter().map(text).collect()
}

const NOTHING_TO_READ: &str = "it is there, but it is no page that can be read";

/// For a page of which only facts are stored.
pub const NO_BODY: &str = "the survey has this page without its bytes";
/// How to get the bytes of a page.
pub const NO_BODY_HINT: &str = "crawl with --set bodies=keep, or name the page without --store to fetch it";
