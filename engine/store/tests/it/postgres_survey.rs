//! The survey on a PostgreSQL server takes the exam, and meets other writers, lost connections and newer formats.

mod crash;
mod lines;
mod place;
mod streams;
mod twins;
mod workers;
mod writers;

use std::cell::Cell;

use crate::exam;
use groma_store::PgStore;

pub(crate) use place::{Place, address};

#[test]
fn postgres_passes_the_exam() {
    let Some(place) = Place::new("exam") else { return };
    for (number, (name, case)) in exam::survey::CASES.iter().enumerate() {
        println!("{name}");
        let place = place.beside(&format!("exam-{number}"));
        let opened = Cell::new(0);
        case(&mut || {
            opened.set(opened.get() + 1);
            Box::new(PgStore::open(&place.server, &place.survey).unwrap())
        });
        assert!(opened.get() > 0);
    }
}
