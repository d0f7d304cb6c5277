//! What lies beside a survey takes its exams on a PostgreSQL server too, and meets crowds, lost answers, crashes and bad names.

mod crash;
mod crowd;
mod cutter;
mod lost;
mod names;
mod place;
mod secret;

use crate::exam;
use groma_store::SideStore;
use groma_store::accounts::Accounts;
use groma_store::bounds::BoundsStore;
use groma_store::focuses::Focuses;
use groma_store::gathers::Gathers;
use groma_store::jobs::Queue;
use groma_store::outside::Outside;

use place::{Base, Place};

#[test]
fn the_queue_passes_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in exam::jobs::CASES {
        println!("{name}");
        let place = place.another();
        case(&|| Queue::open_on(&place.server, &place.survey).unwrap());
    }
}

#[test]
fn the_bounds_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in exam::bounds::CASES {
        println!("{name}");
        let place = place.another();
        case(&|| BoundsStore::open_on(&place.server, &place.survey).unwrap());
    }
}

#[test]
fn the_focuses_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in exam::focuses::CASES {
        println!("{name}");
        let place = place.another();
        case(&mut Focuses::open_on(&place.server, &place.survey).unwrap()).unwrap();
    }
}

#[test]
fn the_gatherings_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in exam::gathers::CASES {
        println!("{name}");
        let place = place.another();
        case(&mut Gathers::open_on(&place.server, &place.survey).unwrap()).unwrap();
    }
}

#[test]
fn the_outside_links_pass_the_exam() {
    let Some(place) = Place::new() else { return };
    for (name, case) in exam::outside::CASES {
        println!("{name}");
        let place = place.another();
        case(&mut Outside::open_on(&place.server, &place.survey).unwrap()).unwrap();
    }
}

#[test]
fn the_accounts_pass_the_exam() {
    for (name, case) in exam::accounts::CASES {
        println!("{name}");
        // There is one set of accounts a database.
        let Some(base) = Base::new() else { return };
        case(&|| Accounts::open_on(&base.server).unwrap());
    }
}
