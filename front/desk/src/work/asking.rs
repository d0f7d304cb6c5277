//! Asking for jobs: one, or a package of them, now or by a schedule.

use groma_store::Folder;
use groma_store::jobs::{JobId, JobKind, NewJob, Queue, ScheduleId};
use serde::{Deserialize, Serialize};

use crate::Fault;
use crate::order::Order;
use crate::words;

/// What a schedule asks for unless told otherwise.
pub const UPDATE_PACKAGE: [JobKind; 4] = [JobKind::Update, JobKind::Check, JobKind::Index, JobKind::Notify];

/// One job of a package: its kind by name, and what is asked of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The name of the kind.
    pub kind: String,
    /// What is asked.
    #[serde(default, skip_serializing_if = "is_plain")]
    pub order: Order,
}

fn is_plain(order: &Order) -> bool {
    *order == Order::default()
}

/// What belongs to a job of this kind when nobody says more: a crawl is checked and made searchable.
pub fn standard_package(kind: JobKind) -> Vec<JobKind> {
    match kind {
        JobKind::Crawl => vec![JobKind::Crawl, JobKind::Check, JobKind::Index],
        JobKind::Update => UPDATE_PACKAGE.to_vec(),
        other => vec![other],
    }
}

/// Asks for jobs, as a package if they are several; each is given its part of the order.
pub fn ask(folder: &Folder, kinds: &[JobKind], order: &Order, priority: i32) -> Result<Vec<JobId>, Fault> {
    let items: Vec<Item> =
        kinds.iter().map(|kind| Item { kind: kind.name().to_owned(), order: order.only_for(*kind) }).collect();
    ask_items(folder, &items, priority)
}

/// Asks for jobs that each have an order of their own.
pub fn ask_items(folder: &Folder, items: &[Item], priority: i32) -> Result<Vec<JobId>, Fault> {
    let jobs = new_jobs(items, priority, None)?;
    let mut queue = folder.queue()?;
    Ok(queue.add(&jobs, jobs.len() > 1, crate::worker::now())?)
}

/// What is asked for, as the queue takes it.
pub fn new_jobs(items: &[Item], priority: i32, schedule: Option<ScheduleId>) -> Result<Vec<NewJob>, Fault> {
    let new = |item: &Item| {
        let no_kind = || Fault::new(words::no_such_job_kind(&item.kind), words::KINDS_HINT);
        let kind = JobKind::named(&item.kind).ok_or_else(no_kind)?;
        Ok(NewJob { kind, args: item.order.to_text(), priority, not_before: 0, schedule })
    };
    items.iter().map(new).collect()
}

/// The package of a schedule as its row keeps it; an empty text is the usual package.
pub fn items_of(text: &str) -> Result<Vec<Item>, Fault> {
    let plain = |kind: &JobKind| Item { kind: kind.name().to_owned(), order: Order::default() };
    if text.trim().is_empty() {
        return Ok(UPDATE_PACKAGE.iter().map(plain).collect());
    }
    let items: Vec<Item> =
        serde_json::from_str(text).map_err(|error| Fault::new(words::bad_package(&error), words::PACKAGE_HINT))?;
    if items.is_empty() {
        return Ok(UPDATE_PACKAGE.iter().map(plain).collect());
    }
    new_jobs(&items, 0, None)?;
    Ok(items)
}

/// A package as the row of a schedule keeps it.
pub fn items_text(items: &[Item]) -> String {
    serde_json::to_string(items).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_comes_back_as_it_was_written() {
        let order = Order { keep: true, ..Order::default() };
        let items = vec![Item { kind: "update".into(), order }, Item { kind: "index".into(), ..Item::default() }];
        let text = items_text(&items);
        assert_eq!(text, r#"[{"kind":"update","order":{"keep":true}},{"kind":"index"}]"#);
        assert_eq!(items_of(&text).unwrap(), items);
        let usual: Vec<String> = items_of("").unwrap().into_iter().map(|item| item.kind).collect();
        assert_eq!(usual, ["update", "check", "index", "notify"]);
        for bad in ["{}", "[{\"kind\":\"dance\"}]", "[{\"kind\":\"map\",\"color\":1}]", "update"] {
            let fault = items_of(bad).unwrap_err();
            assert!(!fault.says.is_empty() && !fault.hint.is_empty(), "{bad}");
        }
    }
}
