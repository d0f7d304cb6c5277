//! What lies beside a survey takes its exams on a PostgreSQL server too, and meets crowds, lost answers, crashes and bad names.

mod crash;
mod crowd;
mod cutter;
mod lost;
mod names;
mod place;
mod secret;

use groma_store::{PgAccounts, PgBorders, PgFocuses, PgGathers, PgQueue};
use groma_store::{accounts, borders, focuses, gathers, jobs};

use place::{Base, Place};

#[test]
fn the_queue_passes_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in jobs::exam::CASES {
        println!("{name}");
        let place = place.another();
        case(&|| Box::new(PgQueue::open(&place.server, &place.survey).unwrap()));
    }
}

#[test]
fn the_borders_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in borders::exam::CASES {
        println!("{name}");
        let place = place.another();
        case(&|| Box::new(PgBorders::open(&place.server, &place.survey).unwrap()));
    }
}

#[test]
fn the_focuses_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in focuses::exam::CASES {
        println!("{name}");
        let place = place.another();
        case(&mut PgFocuses::open(&place.server, &place.survey).unwrap()).unwrap();
    }
}

#[test]
fn the_gatherings_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in gathers::exam::CASES {
        println!("{name}");
        let place = place.another();
        case(&mut PgGathers::open(&place.server, &place.survey).unwrap()).unwrap();
    }
}

#[test]
fn the_accounts_pass_the_exam() {
    for (name, case) in accounts::exam::CASES {
        println!("{name}");
        // There is one set of accounts a database.
        let Some(base) = Base::new() else { return };
        case(&|| Box::new(PgAccounts::open(&base.server).unwrap()));
    }
}
