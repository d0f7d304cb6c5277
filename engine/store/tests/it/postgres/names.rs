//! Names and URLs that mean no good, schemas of others, and formats of other days.

use std::time::Duration;

use groma_store::bounds::BoundsStore;
use groma_store::jobs::{Filter, JobKind, NewJob, Queue};
use groma_store::{Server, SideStore, StoreError, SurveyName, drop_survey, survey_exists, surveys};

use super::place::{Base, Place, address};

#[test]
fn each_survey_has_its_own_and_all_are_listed() {
    let Some(base) = Base::new() else { return };
    let names = ["Select", "table", "a.b", "a-b", "A-b", "_", "1", "user", &"x".repeat(63)].map(|name| {
        let name = SurveyName::new(name).unwrap();
        assert!(!survey_exists(&base.server, &name).unwrap());
        assert!(Queue::read_on(&base.server, &name).unwrap().is_none(), "nothing is made by looking");
        let new = NewJob { kind: JobKind::Map, args: name.to_string(), priority: 0, not_before: 0, schedule: None };
        Queue::open_on(&base.server, &name).unwrap().add(&[new], false, 1).unwrap();
        name
    });
    let mut sorted = names.to_vec();
    sorted.sort();
    assert_eq!(surveys(&base.server).unwrap(), sorted);
    for name in &names {
        let jobs = Queue::open_on(&base.server, name).unwrap().jobs(&Filter::default(), None, 9).unwrap();
        assert_eq!(jobs.iter().map(|job| job.args.as_str()).collect::<Vec<_>>(), [name.as_str()]);
    }
    assert!(drop_survey(&base.server, &names[0]).unwrap() && !drop_survey(&base.server, &names[0]).unwrap());
    assert_eq!(surveys(&base.server).unwrap().len(), names.len() - 1);
}

#[test]
fn a_schema_of_somebody_else_is_left_alone() {
    let Some(base) = Base::new() else { return };
    let mut client = postgres::Client::connect(&base.address, postgres::NoTls).unwrap();
    client
        .batch_execute("CREATE SCHEMA payroll; CREATE TABLE payroll.job (id int); CREATE TABLE payroll.room (x int)")
        .unwrap();
    let name = SurveyName::new("payroll").unwrap();
    let error = Queue::open_on(&base.server, &name).err().unwrap();
    assert!(matches!(error, StoreError::NotASurvey(_)), "{error}");
    assert!(Queue::read_on(&base.server, &name).unwrap().is_none());
    assert!(!drop_survey(&base.server, &name).unwrap() && surveys(&base.server).unwrap().is_empty());
    client.batch_execute("SELECT * FROM payroll.job").unwrap();
}

#[test]
fn a_room_of_a_newer_format_is_refused_and_others_are_not() {
    let Some(base) = Base::new() else { return };
    let name = SurveyName::new("new").unwrap();
    drop(Queue::open_on(&base.server, &name).unwrap());
    let mut client = postgres::Client::connect(&base.address, postgres::NoTls).unwrap();
    client.batch_execute("UPDATE new.room SET format = 99 WHERE name = 'jobs'").unwrap();
    for error in [Queue::open_on(&base.server, &name).err(), Queue::read_on(&base.server, &name).err()] {
        assert!(matches!(error, Some(StoreError::Version { found: 99, .. })), "{error:?}");
    }
    BoundsStore::open_on(&base.server, &name).unwrap();
}

#[test]
fn who_is_not_let_in_is_told_why_and_no_password_is_repeated() {
    let Some(address) = address() else { return };
    let (_, host) = address.rsplit_once('@').unwrap();
    let server = Server::parse(&format!("postgres://groma:s3cret@{host}")).unwrap();
    let error = surveys(&server).unwrap_err();
    assert!(matches!(error, StoreError::Denied { .. }), "{error:?}");
    assert!(!format!("{error} {error:?} {server:?}").contains("s3cret"), "{error:?}");
    let nowhere = Server::parse("postgres://groma:s3cret@127.0.0.1:1/x").unwrap().with_patience(Duration::ZERO);
    let error = surveys(&nowhere).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("s3cret") && error.to_string().contains("127.0.0.1:1/x"), "{error}");
}

#[test]
fn a_role_without_rights_is_told_so() {
    let Some(base) = Base::new() else { return };
    let Some(place) = Place::new() else { return };
    let mut client = postgres::Client::connect(&base.address, postgres::NoTls).unwrap();
    let role = format!("reader_{}", std::process::id());
    client.batch_execute(&format!("CREATE ROLE {role} LOGIN PASSWORD 'x'")).unwrap();
    let (_, host) = base.address.rsplit_once('@').unwrap();
    let server = Server::parse(&format!("postgres://{role}:x@{host}")).unwrap();
    let error = Queue::open_on(&server, &place.survey).err().unwrap();
    client.batch_execute(&format!("DROP ROLE {role}")).unwrap();
    assert!(matches!(error, StoreError::Denied { .. }), "{error:?}");
}
