//! Summaries that others gathered, taken into a survey: a gathering for each object of a SOIF collection.

use std::collections::HashSet;
use std::io::BufRead;

use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::Folder;
use groma_store::gathers::{Harvest, NewGather};
use groma_strategy::forms::attributes;

use super::About;
use crate::soif::{Met, look};

/// Values put in at a time.
const VALUES: usize = 10_000;

/// What came of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Objects put in.
    pub objects: u64,
    /// Values put in.
    pub values: u64,
    /// Complaints: places where something was lost.
    pub lost: u64,
}

/// Takes in a collection. An object whose URL is known takes the place of the older one.
pub fn import(folder: &Folder, stream: impl BufRead) -> Result<Imported, Fault> {
    if !folder.exists() {
        drop(folder.open()?);
    }
    let mut gathers = folder.gathers()?;
    let mut done = Imported::default();
    for met in look(stream) {
        let object = match met {
            Met::Object(_, object) => object,
            Met::Lost(..) => {
                done.lost += 1;
                continue;
            }
        };
        let address = String::from_utf8_lossy(&object.url).into_owned();
        let asked = serde_json::json!({ "imported": address }).to_string();
        let row = gathers.begin(&NewGather { key: asked.clone(), address: address.clone(), asked, at: now() })?;
        let mut seen = HashSet::new();
        let mut values = attributes(&object);
        values.retain(|value| seen.insert(value.clone()));
        let title = object.text("title").map(|title| title.into_owned());
        gathers.add(row.id, &Harvest { form: Some(address), title, at: now(), ..Harvest::default() })?;
        for some in values.chunks(VALUES) {
            gathers.add(row.id, &Harvest { values: some.to_vec(), at: now(), ..Harvest::default() })?;
        }
        gathers.tell(row.id, &serde_json::json!({ "about": About::of_object(&object) }).to_string())?;
        done.objects += 1;
        done.values += values.len() as u64;
        gathers.end(row.id, "imported", "", now())?;
    }
    Ok(done)
}
