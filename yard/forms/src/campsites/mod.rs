//! Camp sites of Germany: by position, name, area of the postcode, and whether tents may stand there.
//!
//! The rows are the named sites of an OpenStreetMap extract (ODbL) where there is one, else as many invented ones that
//! lie as unevenly. One question shows at most K of them, so only small enough questions are answered whole.

mod gpx;
mod invented;

pub(crate) use invented::capital;

use std::path::PathBuf;

use anyhow::Context as _;

use crate::dice::Dice;
use crate::field::{Asks, Choice, Field};
use crate::options::{Language, Options};
use crate::search::Search;
use crate::table::{Cell, Column, Kind, Table};
use crate::wording::words;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Camp {
    pub(crate) name: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    /// The first digit of its postcode.
    pub(crate) area: Option<char>,
    pub(crate) tents: Option<bool>,
}

/// Where the extract lies beside the house, if it does.
const EXTRACT: &str = "shared/data/germany-campsites.gpx.gz";

/// Builds the site from an extract of OpenStreetMap, or from invented rows.
pub(crate) fn build(options: &Options) -> anyhow::Result<Search> {
    let mut camps = match options.data.clone().or_else(found) {
        Some(file) => gpx::read(&file).with_context(|| format!("cannot read {}", file.display()))?,
        None => invented::camps(options.seed, options.rows.unwrap_or(invented::COUNT)),
    };
    camps.truncate(options.rows.unwrap_or(usize::MAX));
    let [title, name, latitude, longitude, area, tents, yes, no] = match options.language {
        Language::En => ["Camp sites", "Name", "Latitude", "Longitude", "Postcode area", "Tents", "yes", "no"],
        Language::De => ["Campingplätze", "Name", "Breite", "Länge", "Postleitzone", "Zelte", "ja", "nein"],
        Language::Fr => ["Campings", "Nom", "Latitude", "Longitude", "Zone postale", "Tentes", "oui", "non"],
    };
    let mut hidden = Column::new("tents", tents, Kind::Text);
    hidden.shown = false;
    let mut table = Table {
        name: "campsite".to_owned(),
        columns: vec![
            Column::new("name", name, Kind::Text),
            Column::new("latitude", latitude, Kind::Number),
            Column::new("longitude", longitude, Kind::Number),
            Column::new("area", area, Kind::Text),
            hidden,
        ],
        rows: camps
            .into_iter()
            .map(|camp| {
                vec![
                    Cell::Text(camp.name),
                    Cell::Number(camp.latitude),
                    Cell::Number(camp.longitude),
                    camp.area.map_or(Cell::Null, |area| Cell::Text(area.to_string())),
                    camp.tents.map_or(Cell::Null, |may| Cell::Text(if may { yes } else { no }.to_owned())),
                ]
            })
            .collect(),
    };
    let mut dice = Dice::new(options.seed, "campsites");
    table.sprinkle(options.nulls, &mut dice);
    table.repeat(options.duplicates, &mut dice);
    let any = || Some(words(options.language).any.to_owned());
    let choice = |value: &str, shown: &str| Choice { value: value.to_owned(), shown: shown.to_owned() };
    let range = |to: &str| Asks::Range { to: to.to_owned(), date: false };
    let areas = ('0'..='9').map(|digit| choice(&digit.to_string(), &digit.to_string())).collect();
    let may = vec![choice("1", yes), choice("0", no)];
    let field = |name: &str, label: &str, column: usize, asks: Asks| Field {
        name: name.to_owned(),
        label: label.to_owned(),
        column,
        labels: options.labels,
        asks,
    };
    let fields = vec![
        field("lat_from", latitude, 1, range("lat_to")),
        field("lon_from", longitude, 2, range("lon_to")),
        field("name", name, 0, Asks::Prefix),
        field("area", area, 3, Asks::Select { choices: areas, any: any() }),
        field("tents", tents, 4, Asks::Select { choices: may, any: any() }),
    ];
    Search::build(options, title, table, fields, true)
}

/// The extract beside the house or the working directory.
fn found() -> Option<PathBuf> {
    let house = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    [house, PathBuf::from("..")].into_iter().map(|folder| folder.join(EXTRACT)).find(|file| file.is_file())
}
