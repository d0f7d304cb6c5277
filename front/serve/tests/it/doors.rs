//! A test walks the doors of the server: random tasks are sent to the API (jobs, schedules, and where bounds, focused crawls and gatherings
//! are asked for) and filled into web forms as pages show them; the same task waits in the queue or stands in the schedule.

use std::collections::HashSet;
use std::path::Path;

use groma_store::Folder;
use groma_store::jobs::{JobId, JobKind, ScheduleId};
use groma_tasks::task::random::{RandomTask, RandomTasks};
use groma_tasks::task::{Job, Package, Task};
use serde_json::{Map, Value, json};

use crate::focus::form;
use crate::{Browser, House, Reply, new_home, own_name, site};

/// Tasks of each kind.
const ROUNDS: usize = 80;
/// Tasks of a kind at most, if not every field came through every door so soon.
const MOST_ROUNDS: usize = 400;

/// A server that has a survey and does no jobs.
struct Doors {
    house: House,
    browser: Browser,
    name: String,
    /// The start page of the survey.
    start: String,
}

/// What was sent, and what stands where it went.
struct Sent {
    reply: Reply,
    package: Option<Package>,
}

impl Doors {
    fn open() -> Doors {
        let web = site();
        let own = own_name(&web);
        let home = new_home();
        let crawling = House::open(|options| options.own = vec![own.clone()]);
        let settings = json!({ "delay": "0", "sitemaps": "false" });
        let reply = crawling.post("/api/v1/sites", &json!({ "url": web.base(), "settings": settings }));
        let name = reply.json()["name"].as_str().unwrap().to_owned();
        crawling.until_idle(&name, None);
        copy(&crawling.home.join(format!("{name}.groma")), &home.join(format!("{name}.groma")));
        let house = House::open_in(home, |options| {
            options.own = vec![own];
            options.workers = 0;
        });
        Doors { browser: house.browser(), house, name, start: format!("{}/", web.base().trim_end_matches('/')) }
    }

    fn folder(&self) -> Folder {
        Folder::new(self.house.home.join(format!("{}.groma", self.name)))
    }

    fn path(&self, below: &str) -> String {
        format!("/sites/{}/{below}", self.name)
    }

    /// The package of the job with this number, which is its first.
    fn queued(&self, reply: Reply, id: Option<u64>) -> Sent {
        let read = |id: u64| {
            let mut queue = self.folder().queue().unwrap();
            let first = queue.job(JobId(id)).unwrap().unwrap();
            let rows = (id..).map_while(|id| queue.job(JobId(id)).unwrap());
            let rows =
                rows.take_while(|row| row.id == first.id || (row.package.is_some() && row.package == first.package));
            Package(rows.map(|row| Job::read(row.kind, &row.args).unwrap()).collect())
        };
        Sent { package: id.filter(|_| reply.status < 400).map(read), reply }
    }

    /// The package of the last schedule, which is removed.
    fn scheduled(&self, reply: Reply) -> Sent {
        let package = (reply.status < 400).then(|| {
            let mut queue = self.folder().queue().unwrap();
            let row = queue.schedules().unwrap().pop().unwrap();
            assert!(queue.drop_schedule(ScheduleId(row.id.0)).unwrap());
            Package::read(&row.jobs).unwrap()
        });
        Sent { reply, package }
    }

    fn by_job(&self, task: &Map<String, Value>) -> Sent {
        let reply = self.house.post_as(&self.browser, &format!("/api/v1{}", self.path("jobs")), &json!(task));
        let id = reply.json()["jobs"][0].as_u64();
        self.queued(reply, id)
    }

    fn by_schedule(&self, task: &Map<String, Value>) -> Sent {
        let schedule = json!({ "name": "x", "period": "every 7 days", "jobs": [task] });
        self.scheduled(self.house.post_as(&self.browser, &format!("/api/v1{}", self.path("schedules")), &schedule))
    }

    /// Where bounds, focused crawls and gatherings are asked for.
    fn by_result(&self, path: &str, task: &Map<String, Value>) -> Sent {
        let fields: Map<String, Value> = task.clone().into_iter().filter(|(name, _)| name != "kind").collect();
        let reply = self.house.post_as(&self.browser, &format!("/api/v1{}", self.path(path)), &json!(fields));
        let id = reply.json()["job"].as_u64();
        self.queued(reply, id)
    }

    fn by_form(&self, path: &str, fixed: &[(&str, &str)], fields: &[(String, String)]) -> Reply {
        let fields = fields.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        form(&self.house, &self.browser, &self.path(path), &fixed.iter().copied().chain(fields).collect::<Vec<_>>())
    }

    fn by_job_form(&self, kind: JobKind, fields: &[(String, String)]) -> Sent {
        let reply = self.by_form("jobs", &[("kind", kind.name())], fields);
        let id = reply.header("location").split('?').next().and_then(|path| path.rsplit('/').next()?.parse().ok());
        self.queued(reply, id)
    }

    fn by_schedule_form(&self, kind: JobKind, fields: &[(String, String)]) -> Sent {
        self.scheduled(self.by_form("schedules", &[("period", "every 7 days"), ("what", kind.name())], fields))
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// A field of a form, as a page shows it.
struct Shown {
    name: String,
    is_box: bool,
    has_lines: bool,
}

/// The fields of the forms of a page.
fn fields_of(page: &str) -> Vec<Shown> {
    let tags =
        page.split('<').filter(|tag| ["input ", "textarea ", "select "].iter().any(|name| tag.starts_with(name)));
    let shown = |tag: &str| {
        let name = tag.split_once(" name=\"")?.1.split('"').next()?.to_owned();
        Some(Shown { name, is_box: tag.contains("type=\"checkbox\""), has_lines: tag.starts_with("textarea") })
    };
    tags.filter_map(shown).collect()
}

/// What a browser sends of a task: every field of the form, those that say nothing empty. Nothing if the form cannot say it: settings, of
/// which there are too many, lists of pages, and items of a list with white space in them.
fn filled(shown: &[Shown], kind: JobKind, said: &Map<String, Value>) -> Option<Vec<(String, String)>> {
    let of_kind = |field: &Shown| field.name.strip_prefix(kind.name())?.strip_prefix('.').map(str::to_owned);
    let fields: Vec<(&Shown, String)> = shown.iter().filter_map(|field| Some((field, of_kind(field)?))).collect();
    assert!(
        said.iter().all(|(name, value)| value.is_object() || fields.iter().any(|(_, field)| field == name)),
        "{}: the form lacks a field of {said:?}",
        kind.name()
    );
    let mut pairs = Vec::new();
    for (field, name) in &fields {
        let text = match said.get(name) {
            None if field.is_box => continue,
            None => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Bool(_)) => "yes".to_owned(),
            Some(Value::Array(items)) => {
                let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                (!items.iter().any(|item| item.contains(char::is_whitespace)))
                    .then(|| items.join(if field.has_lines { "\n" } else { " " }))?
            }
            Some(other) => other.to_string(),
        };
        assert!(field.has_lines || !text.contains('\n'), "{name} is a line");
        pairs.push((field.name.clone(), text));
    }
    said.values().all(|value| !value.is_object()).then_some(pairs)
}

/// URLs in it are written as they are understood, and each once: the server keeps them so.
fn has_plain_urls(said: &Map<String, Value>) -> bool {
    let texts = |name: &str| match said.get(name) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => vec![text.as_str()],
        _ => Vec::new(),
    };
    ["seeds", "like", "url", "start"].map(texts).iter().all(|urls| {
        let mut seen = HashSet::new();
        urls.iter().all(|url| url.starts_with("http") && seen.insert(*url))
    })
}

/// What no door over the web takes: start pages are not added to a survey that is there.
fn is_refused(kind: JobKind, field: &str) -> bool {
    kind == JobKind::Crawl && field == "seeds"
}

#[test]
fn the_same_task_comes_through_the_doors_of_the_server() {
    let doors = Doors::open();
    let pages = ["jobs", "schedules"].map(|page| fields_of(&doors.house.get(&doors.path(page)).text()));
    for kind in JobKind::ALL.iter().copied() {
        // Often enough pages of the survey: others are refused at some places.
        let pages_of_survey = [doors.start.clone(), format!("{}a", doors.start)];
        let mut random = RandomTasks::new(kind, &pages_of_survey.each_ref().map(String::as_str).repeat(12));
        let own = own_fields(kind);
        // Settings are one list of names and values: some stand for all.
        random.keep(|id| {
            own.iter().any(|field| field == id) || ["depth", "limit", "exclude", "assets", "proxy"].contains(&id)
        });
        let mut walked = [const { Vec::<String>::new() }; 4];
        let (mut local, mut refused) = (HashSet::new(), Vec::new());
        let never = |door: usize, walked: &[String], local: &HashSet<String>| -> Vec<String> {
            let is_list = |field: &str| door > 1 && kind == JobKind::Bound && field == "seeds";
            let is_walked = |field: &String| walked.contains(field) || local.contains(field);
            own.iter()
                .filter(|field| !is_walked(field) && !is_refused(kind, field) && !is_list(field))
                .cloned()
                .collect()
        };
        // What chance has left out by then is waited for.
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && walked.iter().enumerate().all(|(door, walked)| never(door, walked, &local).is_empty())
            {
                break;
            }
            let Some(RandomTask { typed, task, fields }) = random.draw() else { continue };
            if !has_plain_urls(&task.said()) || Job::from(task.clone()).checked().is_err() {
                local.extend(task.first_local());
                continue;
            }
            let mut said = task.said();
            let from_form = [0, 1].map(|page| match task.first_local() {
                None if !fields.iter().any(|field| is_refused(kind, field)) && !is_list_of_file(&said) => {
                    filled(&pages[page], kind, &said)
                }
                _ => None,
            });
            said.insert("kind".to_owned(), kind.name().into());
            let result = match kind {
                JobKind::Bound => Some("bounds"),
                JobKind::Focus => Some("focus"),
                JobKind::Gather => Some("databases"),
                _ => None,
            };
            let sent = [
                Some(doors.by_job(&said)),
                Some(doors.by_schedule(&said)),
                from_form[0].as_ref().map(|form| doors.by_job_form(kind, form)),
                from_form[1].as_ref().map(|form| doors.by_schedule_form(kind, form)),
                result.map(|path| doors.by_result(path, &said)),
            ];
            for (door, sent) in sent.into_iter().enumerate() {
                let Some(Sent { reply, package }) = sent else { continue };
                let Some(package) = package else {
                    assert!((400..500).contains(&reply.status), "{typed:?}: {}", reply.text());
                    refused.push(format!(
                        "door {door}: {typed:?}: {}",
                        reply.text().chars().take(300).collect::<String>()
                    ));
                    continue;
                };
                assert_eq!(task.first_local(), None, "{typed:?} came in by door {door}");
                let expected = Job { guarded: package.0[0].guarded, ..Job::from(task.clone()) };
                assert_eq!(package, Package(vec![expected]).with_what_follows(), "{typed:?} by door {door}");
                if let Some(walked) = walked.get_mut(door) {
                    walked.extend(fields.clone());
                }
            }
            local.extend(task.first_local());
        }
        for (door, walked) in walked.iter().enumerate() {
            let never = never(door, walked, &local);
            assert!(never.is_empty(), "{}: never through door {door}: {never:?}\n{}", kind.name(), refused.join("\n"));
        }
    }
}

/// A list of pages is an object: it is typed as a file, or sent as JSON.
fn is_list_of_file(said: &Map<String, Value>) -> bool {
    said.get("seeds").is_some_and(Value::is_object)
}

/// The flags of a kind that are fields of its task itself, not settings.
fn own_fields(kind: JobKind) -> Vec<String> {
    let usual = serde_json::to_value(Task::usual(kind)).unwrap();
    let has_settings = usual.get("settings").is_some();
    let flags = RandomTasks::flags(kind);
    let ids = flags.get_arguments().map(|arg| arg.get_id().to_string());
    ids.filter(|id| !has_settings || id == "also_exclude" || usual.get(id.as_str()).is_some() && id != "exclude")
        .collect()
}
