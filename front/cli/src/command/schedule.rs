//! `groma schedule`: what is asked for again and again.

use std::path::Path;

use groma_model::moment::rfc3339;
use groma_model::wording::plain;
use groma_settings::clock::now;
use groma_settings::value::{Kind, Value};
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_store::jobs::{Queue, ScheduleId, ScheduleRow};
use groma_tasks::jobs::wording::{JITTER_HINT, bad_jitter, no_such_schedule};
use groma_tasks::period::Period;
use groma_tasks::task::{Package, Task, read_package};
use serde_json::json;

use super::jobs;
use crate::Exit;
use crate::args::{ScheduleArgs, ScheduleCommand};
use crate::output::{Format, Out};
use crate::wording::queued;

pub(crate) fn run(args: &ScheduleArgs) -> Result<Exit, Fault> {
    let Some(command) = &args.what else { return list(args) };
    let folder = place::find(args.store.as_deref())?;
    if !folder.exists() {
        return Err(groma_store::StoreError::Missing(folder.path().to_path_buf()).into());
    }
    let mut queue = folder.queue()?;
    match command {
        ScheduleCommand::Add { period, what, zone, jitter, name, priority, keep } => {
            let zone = zone.clone().unwrap_or_else(own_zone);
            let jitter = match Kind::Seconds.read(jitter) {
                Ok(Value::Millis(ms)) => u32::try_from(ms / 1000).unwrap_or(u32::MAX),
                _ => return Err(Fault::new(bad_jitter(jitter), JITTER_HINT)),
            };
            let mut package = read_package(what)?;
            for job in &mut package.0 {
                if let Task::Update(update) = &mut job.task {
                    update.keep |= keep;
                }
            }
            let text = period.join(" ");
            let read = Period::read(&text, &zone, jitter)?;
            let name = name.clone().unwrap_or_else(|| what.join(", "));
            let row = ScheduleRow {
                id: ScheduleId(0),
                next_at: read.first(&name, now()),
                jobs: package.text(),
                priority: *priority,
                period: text,
                enabled: true,
                last_at: 0,
                last_package: None,
                name,
                zone,
                jitter,
            };
            let id = queue.put_schedule(&row)?;
            say(&scheduled(id.0, &read.says(row.next_at)))
        }
        ScheduleCommand::Remove(which) => {
            if queue.drop_schedule(ScheduleId(which.schedule))? {
                Ok(Exit::Fine)
            } else {
                Err(missing(which.schedule))
            }
        }
        ScheduleCommand::Disable(which) => switch(&mut queue, which.schedule, false),
        ScheduleCommand::Enable(which) => switch(&mut queue, which.schedule, true),
        ScheduleCommand::Run(which) => {
            let row = find(&mut queue, which.schedule)?;
            let jobs = Package::read(&row.jobs)?.rows(row.priority, Some(row.id));
            let ids = queue.add(&jobs, jobs.len() > 1, now())?;
            say(&queued(&ids.iter().map(|id| id.0).collect::<Vec<_>>()))
        }
    }
}

/// The time zone of this machine.
fn own_zone() -> String {
    let named = |text: String| Some(text.trim().trim_start_matches(':').to_owned()).filter(|name| !name.is_empty());
    let variable = std::env::var("TZ").ok().and_then(named).filter(|name| !name.starts_with('/'));
    let linked = || {
        let target = std::fs::read_link("/etc/localtime").ok()?;
        target.to_str()?.split_once("zoneinfo/").map(|(_, name)| name.to_owned())
    };
    let known = |name: &String| Period::read("every day", name, 0).is_ok();
    variable.or_else(linked).filter(known).unwrap_or_else(|| "UTC".to_owned())
}

fn say(line: &str) -> Result<Exit, Fault> {
    let mut out = Out::open(None)?;
    out.line(line)?;
    out.finish()?;
    Ok(Exit::Fine)
}

fn missing(schedule: u64) -> Fault {
    Fault::new(no_such_schedule(schedule), "`groma schedule` lists the schedules of the survey")
}

fn find(queue: &mut Queue, schedule: u64) -> Result<ScheduleRow, Fault> {
    queue.schedules()?.into_iter().find(|row| row.id.0 == schedule).ok_or_else(|| missing(schedule))
}

/// Lets it rest or fire again; from now on, whatever it missed meanwhile.
fn switch(queue: &mut Queue, schedule: u64, enabled: bool) -> Result<Exit, Fault> {
    let mut row = find(queue, schedule)?;
    if enabled && !row.enabled {
        let period = Period::read(&row.period, &row.zone, row.jitter)?;
        row.next_at = period.next(&row.name, row.next_at, now());
    }
    row.enabled = enabled;
    queue.put_schedule(&row)?;
    Ok(Exit::Fine)
}

fn list(args: &ScheduleArgs) -> Result<Exit, Fault> {
    let mut out = Out::open(args.output.output.as_deref())?;
    let mut rows: Vec<(String, ScheduleRow)> = Vec::new();
    for folder in jobs::surveys(args.store.as_deref())? {
        rows.extend(schedules_of(&folder)?);
    }
    match args.output.format {
        Format::Json => {
            for (store, row) in &rows {
                let items = serde_json::from_str::<serde_json::Value>(&row.jobs).unwrap_or_default();
                out.json(&json!({
                    "store": store, "schedule": row.id.0, "name": row.name, "period": row.period, "zone": row.zone,
                    "jitter_s": row.jitter, "jobs": items, "priority": row.priority, "enabled": row.enabled,
                    "next": rfc3339(row.next_at), "last": (row.last_at > 0).then(|| rfc3339(row.last_at)),
                    "last_package": row.last_package.map(|package| package.0),
                }))?;
            }
        }
        Format::Csv => {
            out.csv(&["store", "schedule", "name", "period", "zone", "jitter_s", "enabled", "next", "last"])?;
            for (store, row) in &rows {
                let last = if row.last_at > 0 { rfc3339(row.last_at) } else { String::new() };
                let (id, jitter, enabled) = (row.id.0.to_string(), row.jitter.to_string(), row.enabled.to_string());
                let next = rfc3339(row.next_at);
                out.csv(&[store, &id, &row.name, &row.period, &row.zone, &jitter, &enabled, &next, &last])?;
            }
        }
        Format::Text if rows.is_empty() => out.line("no schedules; add one: groma schedule add \"every 7 days\"")?,
        Format::Text => {
            for (store, row) in &rows {
                let says = match Period::read(&row.period, &row.zone, row.jitter) {
                    Ok(period) if row.enabled => period.says(row.next_at),
                    Ok(_) => format!("{} {}", row.period, "(at rest)"),
                    Err(fault) => fault.says,
                };
                let place = out.paint.faint(&plain(store));
                out.line(&format!("{:>5}  {}: {}  {place}", row.id.0, plain(&row.name), plain(&says)))?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn schedules_of(folder: &Folder) -> Result<Vec<(String, ScheduleRow)>, Fault> {
    let Some(mut queue) = folder.queue_if_any()? else { return Ok(Vec::new()) };
    let name = Path::display(folder.path()).to_string();
    Ok(queue.schedules()?.into_iter().map(|row| (name.clone(), row)).collect())
}

fn scheduled(schedule: u64, says: &str) -> String {
    format!("schedule {schedule}: {says}")
}
