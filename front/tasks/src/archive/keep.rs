//! Where a survey keeps its archive: opened for a crawl, and asked for copies of pages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_model::{Limits, PageId, Reason};
use groma_settings::Fault;
use groma_settings::meaning::{Settings, WarcFolder};
use groma_settings::saved::Saved;
use groma_store::{AddressRow, Snapshot, StoreError};
use groma_url::Url;
use groma_warc_store::{Library, Plan, WarcStore};

/// The archive a crawl writes, if it is to write one.
pub(crate) fn warc_store(settings: &Settings, seeds: &[Url]) -> Result<Option<Arc<WarcStore>>, Fault> {
    let Some(WarcFolder { path: dir, compression }) = settings.warc.clone() else { return Ok(None) };
    let agent = settings.fetch_config(&[], None).user_agent;
    let robots = if settings.manners.robots { "obey" } else { "ignore" };
    let mut fields: Vec<(String, String)> = [
        ("software", concat!("groma/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("robots", robots),
        ("http-header-user-agent", agent.as_str()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    fields.extend(settings.contact.iter().map(|contact| ("operator".to_owned(), contact.clone())));
    fields.extend(seeds.iter().map(|seed| ("seed".to_owned(), seed.to_string())));
    let limits = settings.limits();
    let plan = Plan {
        dir,
        compression,
        bytes: limits.warc_bytes.max(1),
        records: limits.warc_records.max(1),
        known: limits.warc_known,
        fields,
    };
    Ok(Some(Arc::new(WarcStore::open(plan)?)))
}

/// Where a survey keeps its archive, if it does.
pub fn place(store: &mut dyn Snapshot) -> Result<Option<PathBuf>, Fault> {
    let saved = Saved::load(store)?.unwrap_or_default();
    Ok(saved.text("warc").map(PathBuf::from).filter(|dir| dir.is_dir()))
}

/// A page as it came: out of the survey, if that keeps bodies, else out of its archive.
pub fn copy(store: &mut dyn Snapshot, id: PageId) -> Result<Option<Vec<u8>>, Fault> {
    Copies::open(store)?.copy(store, id)
}

/// The pages of a survey as they came, one after the other: its archive is opened once.
pub(crate) struct Copies {
    archive: Option<(PathBuf, Library)>,
}

impl Copies {
    pub(crate) fn open(store: &mut dyn Snapshot) -> Result<Copies, Fault> {
        let Some(dir) = place(store)? else { return Ok(Copies { archive: None }) };
        let library = Library::open(&dir).map_err(|error| Fault::of_input(&shown(&dir), &error))?;
        Ok(Copies { archive: Some((dir, library)) })
    }

    /// A page as it came; nothing if it was not kept.
    pub(crate) fn copy(&self, store: &mut dyn Snapshot, id: PageId) -> Result<Option<Vec<u8>>, Fault> {
        if let Some(body) = store.body(id)? {
            return Ok(Some(body));
        }
        let Some((dir, library)) = &self.archive else { return Ok(None) };
        let Some(row) = store.address(id)?.filter(|row| row.reason == Reason::Fetched) else { return Ok(None) };
        for url in fetched_as(store, &row)? {
            let copy = library.copy(&url, &Limits::default());
            if let Some(copy) = copy.map_err(|error| Fault::of_input(&shown(dir), &error))? {
                return Ok(Some(copy.body));
            }
        }
        Ok(None)
    }
}

/// The URLs under which an archive may have a page, the likeliest first: as it was linked, or, where a written rule wants that, in its
/// canonical form.
pub(super) fn fetched_as(store: &mut dyn Snapshot, row: &AddressRow) -> Result<Vec<String>, StoreError> {
    let linked = store.linked(row.id)?.unwrap_or_default();
    let first = linked.lines().next().filter(|url| *url != row.url).map(str::to_owned);
    Ok(first.into_iter().chain([row.url.clone()]).collect())
}

fn shown(dir: &Path) -> String {
    dir.display().to_string()
}
