//! The hotel guide of the third paper (its section 3.4 and figures 2 and 4), rebuilt: the same form, the same tags, result
//! pages of the same shape, written as pages were in 2000, in ISO-8859-1.
//!
//! Truth: 8 regions, 40 places, 200 houses (or as many as asked for). `/hotel.dbcontent` describes it for the cooperative
//! way; the database (table `hotel` with `name`, `ort` and more, table `region`) can be kept in a file for a summarizer.

mod pages;
mod rows;

use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use encoding_rs::WINDOWS_1252;
use groma_testweb::{Answer, Ask};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use crate::data_set;
use crate::database::open;
use crate::gate::{Asked, Gate};
use crate::options::{Meta, Method, Options, Paging};
use crate::question::Condition;
use crate::table::{Cell, Truth};

use rows::Hotel;

/// Paths of the site.
pub(crate) const FORM: &str = "/cgi-bin/auswahl.pl";
pub(crate) const RESULTS: &str = "/cgi-bin/suche.pl";
const DOCUMENT: &str = "/hotel.dbcontent";
const CONFIG: &str = "/cityworld.meta";

/// What the paper's rules find.
pub(crate) const SHOWN: [&str; 3] = ["region", "ort", "name"];

/// Price ranges of the form: the value, what it is called, least and greatest price.
const PRICES: [(&str, &str, usize, usize); 3] =
    [("1", "bis 80 DM", 0, 80), ("2", "81 bis 150 DM", 81, 150), ("3", "über 150 DM", 151, 100_000)];

/// The hotel guide of the third paper as a site.
pub(crate) struct CityWorld {
    options: Options,
    hotels: Vec<Hotel>,
    connection: Mutex<Connection>,
}

/// A page of a list.
struct Page<'a> {
    region: String,
    hotels: Vec<(usize, &'a Hotel)>,
    number: usize,
    last: usize,
    total: usize,
    /// The query that leads to other pages, without their number.
    query: String,
}

impl CityWorld {
    pub(crate) fn build(options: &Options) -> anyhow::Result<CityWorld> {
        let hotels = rows::hotels(options.seed, options.rows.unwrap_or(200));
        let connection = fill(options, &hotels).context("cannot fill the database")?;
        Ok(CityWorld { options: options.clone(), hotels, connection: Mutex::new(connection) })
    }

    pub(crate) fn truth(&self) -> Vec<Truth> {
        let one = |(id, hotel): (usize, &Hotel)| Truth {
            id,
            reachable: true,
            values: vec![
                ("region".into(), Cell::Text(hotel.region.into())),
                ("ort".into(), Cell::Text(hotel.place.into())),
                ("name".into(), Cell::Text(hotel.name.clone())),
                ("strasse".into(), Cell::Text(hotel.street.clone())),
                ("preis".into(), Cell::Number(hotel.price as f64)),
            ],
        };
        self.hotels.iter().enumerate().map(one).collect()
    }

    pub(crate) fn answer(&self, ask: &Ask, gate: &Gate) -> Answer {
        match ask.bare_path() {
            "/" => latin(&pages::home()),
            FORM => {
                let token = gate.token();
                gate.with_cookie(latin(&pages::form(&self.options, token.as_deref())))
            }
            RESULTS => self.results(ask, gate),
            DOCUMENT => {
                let document = pages::document(&self.options, &ask.host);
                let (bytes, _, _) = WINDOWS_1252.encode(&document);
                Answer::typed("text/plain; charset=ISO-8859-1", bytes.into_owned())
            }
            CONFIG if self.options.meta == Meta::Config => {
                let file = pages::tags(&self.options).into_iter().map(|(name, value)| format!("{name}: {value}\n"));
                Answer::typed("text/plain", file.collect::<String>())
            }
            _ => Answer::status(404),
        }
    }

    fn results(&self, ask: &Ask, gate: &Gate) -> Answer {
        let pairs = data_set::read(ask, WINDOWS_1252);
        let value = |name: &str| pairs.iter().rev().find(|pair| pair.0 == name).map_or("", |pair| pair.1.trim());
        let further = !value("seite").is_empty();
        let method = if self.options.method == Method::Post && !further { "POST" } else { "GET" };
        if ask.method != method && !(method == "GET" && ask.method == "HEAD") {
            return Answer::status(405).with_header("Allow", method);
        }
        let asked: Vec<(String, String)> = ["region", "ort", "preis"]
            .into_iter()
            .filter(|name| !value(name).is_empty())
            .map(|name| (name.to_owned(), value(name).to_owned()))
            .collect();
        if !gate.admits(ask, &pairs, &asked) {
            return Answer { status: 403, ..latin(&pages::remark("Das Formular ist abgelaufen, bitte neu laden.")) };
        }
        let mut condition = Condition::default();
        let heeded = asked.iter().filter(|pair| self.options.ignore.as_deref() != Some(pair.0.as_str()));
        for (name, value) in heeded {
            match name.as_str() {
                "region" => condition.and("region = ?".into(), [Value::Text(value.clone())]),
                "ort" => condition.begins("ort", value),
                _ => match PRICES.iter().find(|price| price.0 == value) {
                    Some((_, _, least, most)) => condition.and(format!("preis BETWEEN {least} AND {most}"), []),
                    None => condition.and("0".into(), []),
                },
            }
        }
        let Ok(ids) = self.find(&condition) else { return Answer::status(500) };
        let (most, per_page) = (self.options.most(), self.options.per_page());
        let listed = ids.len().min(most);
        let number = if further { value("seite").parse().unwrap_or(0) } else { 1 };
        if number == 0 {
            return Answer::status(400);
        }
        let here = ids.iter().take(listed).skip((number - 1usize).saturating_mul(per_page)).take(per_page);
        let hotels: Vec<(usize, &Hotel)> = here.filter_map(|id| Some((*id, self.hotels.get(*id)?))).collect();
        let mut data = asked.clone();
        if self.options.tokens {
            data.push((crate::gate::TOKEN.to_owned(), value(crate::gate::TOKEN).to_owned()));
        }
        let page = Page {
            region: if value("region").is_empty() { "alle".to_owned() } else { value("region").to_owned() },
            number,
            last: listed.div_ceil(per_page).max(1),
            total: ids.len(),
            query: data_set::query(&data, WINDOWS_1252),
            hotels,
        };
        let answer = latin(&pages::results(&self.options, &page));
        gate.note(Asked {
            method: ask.method.clone(),
            question: asked,
            page: number,
            total: page.total,
            shown: page.hotels.len(),
        });
        answer
    }

    fn find(&self, condition: &Condition) -> rusqlite::Result<Vec<usize>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asking =
            connection.prepare_cached(&format!("SELECT id FROM hotel WHERE {} ORDER BY id", condition.sql()))?;
        let ids = asking.query_map(params_from_iter(condition.values()), |row| row.get::<_, i64>(0))?;
        ids.map(|id| id.map(|id| usize::try_from(id).unwrap_or_default())).collect()
    }

    /// Whether further pages have links.
    fn is_paged(options: &Options) -> bool {
        options.paging != Paging::None
    }
}

fn fill(options: &Options, hotels: &[Hotel]) -> rusqlite::Result<Connection> {
    let mut connection = open(options.database.as_deref())?;
    connection.execute_batch(
        "DROP TABLE IF EXISTS hotel; DROP TABLE IF EXISTS region;
         CREATE TABLE region (region TEXT PRIMARY KEY);
         CREATE TABLE hotel (id INTEGER PRIMARY KEY, name TEXT, ort TEXT, region TEXT, strasse TEXT, preis INTEGER);",
    )?;
    let transaction = connection.transaction()?;
    for (region, _) in rows::REGIONS {
        transaction.execute("INSERT INTO region VALUES (?)", [region])?;
    }
    for (id, hotel) in hotels.iter().enumerate() {
        let row = params![id as i64, hotel.name, hotel.place, hotel.region, hotel.street, hotel.price as i64];
        transaction.execute("INSERT INTO hotel VALUES (?, ?, ?, ?, ?, ?)", row)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// A page as it was in 2000: the header says nothing of its charset, the page does.
fn latin(page: &str) -> Answer {
    let (bytes, _, _) = WINDOWS_1252.encode(page);
    Answer::typed("text/html", bytes.into_owned())
}
