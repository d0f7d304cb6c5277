//! From a record in the index to a hit: everything that is shown of it comes from the gatherings.

use std::path::{Path, PathBuf};

use groma_model::PageId;
use groma_store::Snapshot;
use groma_store::gathers::Gathers;

use super::{Leads, Said, each_value, pairs};
use crate::ask::Marker;
use crate::databases::{Database, origin};
use crate::key::{self, Key};
use crate::opened::Opened;
use crate::text::Language;
use crate::write::{digest_of_record, gathers_of};
use crate::{Hit, SearchError};

/// Values that are shown of a database as a whole.
const VALUES: usize = 8;

/// Shows records; the gatherings are opened when the first one is wanted.
pub(crate) struct Shower {
    folder: PathBuf,
    gathers: Option<Option<Gathers>>,
    leads: Leads,
}

impl Shower {
    /// For hits of the survey in this folder.
    pub(crate) fn for_survey(folder: &Path) -> Shower {
        Shower { folder: folder.to_owned(), gathers: None, leads: Leads::default() }
    }

    /// The hit; nothing for what has changed or gone since the index was brought up to date, and nothing if the gatherings cannot be
    /// read: pages answer all the same.
    pub(crate) fn hit(
        &mut self,
        opened: &Opened,
        marker: &Marker,
        score: f32,
        key: Key,
        store: &mut dyn Snapshot,
    ) -> Result<Option<Hit>, SearchError> {
        let folder = &self.folder;
        let gathers = self.gathers.get_or_insert_with(|| gathers_of(folder).ok().flatten());
        let database = key.gather().and_then(|gather| opened.databases.by_gather(gather));
        let (Some(gathers), Some(database)) = (gathers.as_mut(), database) else { return Ok(None) };
        let language = Language::from_code(&database.language);
        let shown = match key {
            Key::Page(_) => return Ok(None),
            Key::Record(gather, place) => {
                let found = gathers.records(key::long(gather), place, 1);
                let Some(row) = found.ok().and_then(|rows| rows.into_iter().find(|row| row.place == place)) else {
                    return Ok(None);
                };
                if opened.digest(key)? != Some(digest_of_record(database, &row)) {
                    return Ok(None);
                }
                let said = Said::read(&row.values);
                let title = if said.title().is_empty() { named(database, place) } else { said.title().to_owned() };
                let address = self.leads.record_url(gathers, gather, &row, &database.form);
                (title, pairs(marker, said.others(), language), address.unwrap_or_else(|_| database.form.clone()))
            }
            Key::Whole(gather) => {
                let Some(values) = of_whole(gathers, gather, database, marker) else { return Ok(None) };
                let values = values.iter().map(|(attribute, value)| (attribute.as_str(), value.as_str()));
                let title = if database.title.trim().is_empty() { &database.form } else { &database.title };
                (title.trim().to_owned(), pairs(marker, values, language), database.form.clone())
            }
        };
        let (title, snippet, address) = shown;
        let section = database.page.and_then(|page| opened.places.section(page));
        let section = section.map(|section| store.address(PageId(section))).transpose()?.flatten();
        Ok(Some(Hit {
            page: database.page.map(PageId),
            title_pieces: marker.title(&title, language),
            title,
            score,
            snippet,
            kind: "record",
            form: database.form.clone(),
            database: database.title.clone(),
            media_type: String::new(),
            language: String::new(),
            date: 0,
            site: origin(&database.form).to_owned(),
            section: section.map(|section| section.url).unwrap_or_default(),
            url: address,
        }))
    }
}

/// What stands for the name of a record that has none.
fn named(database: &Database, place: u32) -> String {
    let of = if database.title.trim().is_empty() { &database.form } else { &database.title };
    format!("{} {}", of.trim(), u64::from(place) + 1)
}

/// What is shown of a database: what is said of it and its values, those with words of the question, or else the first. Nothing if
/// another generation is shown by now.
fn of_whole(gathers: &mut Gathers, gather: u32, database: &Database, marker: &Marker) -> Option<Vec<(String, String)>> {
    let id = key::long(gather);
    gathers.gather(id).ok().flatten().filter(|row| row.shown == database.shown)?;
    let language = Language::from_code(&database.language);
    let (mut hits, mut first) = (Vec::new(), Vec::new());
    let mut see = |attribute: &str, value: &str| {
        let pair = || (attribute.to_owned(), value.to_owned());
        if first.len() < VALUES {
            first.push(pair());
        }
        if marker.finds(value, language) {
            hits.push(pair());
        }
        hits.len() < VALUES
    };
    if database.about.lines().all(|line| see("", line)) {
        each_value(gathers, id, &mut see).ok()?;
    }
    Some(if hits.is_empty() { first } else { hits })
}
