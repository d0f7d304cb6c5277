//! Rows of jobs and schedules as version 0.1.0 wrote them: one object for all kinds, with maps of strings in it.

use groma_settings::{Fault, Overrides};
use groma_store::jobs::JobKind;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::task::{Crawl, Index, Job, PageList, Task, Update};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Order {
    seeds: Vec<String>,
    settings: Overrides,
    exclude: Vec<String>,
    owned: bool,
    guarded: bool,
    fresh: bool,
    keep: bool,
    rebuild: bool,
    format: String,
    bounds: Map<String, Value>,
    focus: Map<String, Value>,
    gather: Map<String, Value>,
}

/// Reads a row of version 1.
pub(super) fn job(kind: JobKind, fields: Map<String, Value>) -> Result<Job, String> {
    let order: Order = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    let Order { seeds, settings, exclude, owned, guarded, fresh, keep, rebuild, format, bounds, focus, gather } = order;
    let says = |fault: Fault| fault.says;
    let task = match kind {
        JobKind::Crawl => Task::Crawl(Crawl { seeds, fresh, also_exclude: exclude, settings }),
        JobKind::Update => Task::Update(Update { keep, also_exclude: exclude, settings }),
        JobKind::Index => Task::Index(Index { rebuild }),
        JobKind::Bound => bounds_task(&bounds, seeds).map_err(says)?,
        JobKind::Focus => {
            let mut task = task(kind, &focus).map_err(says)?;
            if let Task::Focus(focus) = &mut task {
                focus.settings = settings;
                if focus.seeds.is_empty() {
                    focus.seeds = seeds;
                }
            }
            task
        }
        JobKind::Gather => {
            let mut task = task(kind, &gather).map_err(says)?;
            if let Task::Gather(gather) = &mut task {
                gather.settings = settings.into();
            }
            task
        }
        JobKind::Rank | JobKind::Map | JobKind::Check | JobKind::Notify => Task::usual(kind),
        // Younger than version 1: no such row was ever written.
        JobKind::Cluster | JobKind::Report | JobKind::Export | JobKind::Extract => Task::usual(kind),
    };
    Ok(Job { task, format, owned, guarded })
}

/// A task as its own file kept it: names and texts in version 1, the fields of the task since.
pub(crate) fn task(kind: JobKind, said: &Map<String, Value>) -> Result<Task, Fault> {
    let text = |(name, value): (&String, &Value)| value.as_str().map(|text| (name.clone(), text.to_owned()));
    if let Some(pairs) = said.iter().map(text).collect::<Option<Vec<_>>>() {
        return Task::from_form(kind, &pairs);
    }
    Task::from_fields(kind, said)
}

/// A list of pages was two texts.
pub(crate) fn bounds_task(said: &Map<String, Value>, seeds: Vec<String>) -> Result<Task, Fault> {
    let mut said = said.clone();
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let (name, pages) = (text(said.remove("list")), text(said.remove("pages")));
    let pages: Vec<String> = pages.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    let mut read = task(JobKind::Bound, &said)?;
    if let Task::Bounds(bounds) = &mut read {
        let begins = bounds.start.is_some() || bounds.keyword.is_some();
        match (pages.is_empty(), seeds.as_slice()) {
            (false, _) => bounds.seeds = Some(PageList { name: name.unwrap_or_else(|| "pages".to_owned()), pages }),
            (true, [one]) if !begins => bounds.start = one.parse().ok(),
            (true, [_, _, ..]) if !begins => bounds.seeds = Some(PageList { name: "pages".to_owned(), pages: seeds }),
            _ => {}
        }
    }
    Ok(read)
}
