//! A test walks what is common to all doors: random tasks go in as they are typed, as JSON, as a web form, as the row of a job and of a
//! schedule, and the same task comes out. The doors themselves are walked where they are: `doors.rs` of the command line and of the server.

use std::collections::HashSet;

use clap::Command;
use groma_store::jobs::JobKind;
use serde_json::{Value, json};

use crate::task::random::{RandomTask, RandomTasks};
use crate::task::*;

/// Tasks of each kind.
const ROUNDS: usize = 400;

fn as_form(said: &serde_json::Map<String, Value>) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) => "yes".to_owned(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    };
    let mut pairs = Vec::new();
    for (name, value) in said {
        match value {
            Value::Object(fields) => {
                pairs.extend(fields.iter().map(|(key, value)| (format!("{name}.{key}"), text(value))))
            }
            value => pairs.push((name.clone(), text(value))),
        }
    }
    pairs
}

#[test]
fn the_same_task_comes_through_every_door() {
    for kind in JobKind::ALL.iter().copied() {
        let mut random = RandomTasks::new(kind, &[]);
        let (mut walked, mut tasks) = (HashSet::new(), 0);
        for _ in 0..ROUNDS {
            let Some(RandomTask { typed, task, fields }) = random.draw() else { continue };
            walked.extend(fields);
            tasks += 1;
            let said = task.said();
            let same = |door: &str, other: Task| assert_eq!(other.said(), said, "{}: {door}: {typed:?}", kind.name());

            let mut fields = said.clone();
            fields.insert("kind".to_owned(), json!(kind.name()));
            let text = Value::Object(fields).to_string();
            same("JSON", serde_json::from_str::<Task>(&text).unwrap().checked().unwrap());
            // What only the command line may say is said in no form, and white space separates what is listed there.
            let spaced = said.values().flat_map(|value| value.as_array().into_iter().flatten());
            let spaced = spaced.filter_map(Value::as_str).any(|item| item.contains(' '));
            if task.first_local().is_none() && !spaced {
                same("web form", Task::from_form(kind, &as_form(&said)).unwrap());
            }
            let job = Job { format: "x".to_owned(), owned: true, guarded: true, task: task.clone() };
            let read = Job::read(kind, &job.text()).unwrap();
            assert!(read.owned && read.guarded && read.format == "x");
            same("row of a job", read.task);
            let package = Package(vec![job, Task::usual(JobKind::Index).into()]);
            same("row of a schedule", Package::read(&package.text()).unwrap().0.remove(0).task);

            if Job::from(task.clone()).checked().is_ok() {
                let words: Vec<String> = std::iter::once(kind.name().to_owned()).chain(typed.iter().cloned()).collect();
                let line = shlex::try_join(words.iter().map(String::as_str)).unwrap();
                same("schedule add --what", read_package(&[line]).unwrap().0.remove(0).task);
            }
        }
        assert!(tasks > 20, "{}: {tasks} tasks", kind.name());
        let forgotten: Vec<&str> = random.fields().filter(|id| !walked.contains(*id)).collect();
        assert!(forgotten.is_empty(), "{}: never walked: {forgotten:?}", kind.name());
    }
}

#[test]
fn every_field_is_a_flag_and_every_flag_a_field() {
    let envelope = ["kind", "version", "format", "owned", "guarded", "alone", "package", "priority"];
    for kind in JobKind::ALL.iter().copied() {
        let Ok(Value::Object(fields)) = serde_json::to_value(Task::usual(kind)) else { panic!("an object") };
        let settings = <Overrides as clap::Args>::augment_args(Command::new("settings"));
        let of_settings: Vec<&str> = settings.get_arguments().map(|arg| arg.get_id().as_str()).collect();
        let command = RandomTasks::flags(kind);
        let flags: HashSet<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
        let flags: HashSet<&str> =
            flags.into_iter().filter(|id| !fields.contains_key("settings") || !of_settings.contains(id)).collect();
        let fields: HashSet<&str> = fields
            .keys()
            .map(|name| if name == "exclude" { "also_exclude" } else { name })
            .filter(|name| !["kind", "settings"].contains(name))
            .collect();
        assert_eq!(flags, fields, "{}", kind.name());
        assert!(fields.iter().all(|name| !envelope.contains(name)), "{}", kind.name());
    }
}

#[test]
fn what_0_1_0_wrote_is_read() {
    let read = |kind, args: &str| Job::read(kind, args).unwrap();
    let crawl = read(
        JobKind::Crawl,
        r#"{"seeds":["http://a/"],"settings":{"depth":"2","exclude":"[\"x*\"]"},"exclude":["y*"],"guarded":true,"fresh":true}"#,
    );
    assert!(crawl.guarded && !crawl.owned);
    let Task::Crawl(Crawl { seeds, fresh, also_exclude, settings }) = crawl.task else { panic!("a crawl") };
    assert_eq!((seeds, fresh, also_exclude), (vec!["http://a/".to_owned()], true, vec!["y*".to_owned()]));
    assert!(settings.has("depth") && settings.has("exclude"));
    let focus = read(
        JobKind::Focus,
        r#"{"focus":{"topic":"machine translation","any-type":"yes","pages":"50","seeds":"http://a/\nhttp://b/","strategy":"bfs"},"format":"json"}"#,
    );
    assert_eq!(focus.format, "json");
    let Task::Focus(focus) = focus.task else { panic!("a focused crawl") };
    assert_eq!(
        (focus.pages(), focus.any_type, focus.seeds.len(), focus.strategy.to_string().as_str()),
        (50, true, 2, "bfs")
    );
    let gather =
        read(JobKind::Gather, r#"{"gather":{"address":"http://a/f","how":"paper","post":"yes","budget":"7"}}"#);
    let Task::Gather(gather) = gather.task else { panic!("a gathering") };
    assert_eq!((gather.url(), gather.post, gather.budget.map(scalar::Whole::get)), ("http://a/f", true, Some(7)));
    let bounds = read(
        JobKind::Bound,
        r#"{"seeds":["http://a/","http://b/"],"bounds":{"method":"flow","epsilon":"0.01","sigma":"fitted"}}"#,
    );
    let Task::Bounds(bounds) = bounds.task else { panic!("a search") };
    assert_eq!((bounds.seeds.map(|list| list.pages.len()), bounds.clustering.sigma), (Some(2), Some(Sigma::Fitted)));
    assert_eq!(read(JobKind::Map, r#"{"format":"svg"}"#).format, "svg");
    let package = Package::read(r#"[{"kind":"update","order":{"keep":true}},{"kind":"index"}]"#).unwrap();
    assert!(matches!(
        &package.0[..],
        [Job { task: Task::Update(Update { keep: true, .. }), .. }, Job { task: Task::Index(_), .. }]
    ));
    let usual: Vec<&str> = Package::read("").unwrap().kinds().map(JobKind::name).collect();
    assert_eq!(usual, ["update", "check", "index", "notify"]);
}

#[test]
fn what_cannot_be_read_is_said_with_a_hint() {
    for bad in ["{}", "[{\"kind\":\"dance\"}]", "[{\"kind\":\"map\",\"color\":1}]", "update"] {
        let fault = Package::read(bad).unwrap_err();
        assert!(!fault.says.is_empty() && !fault.hint.is_empty(), "{bad}");
    }
    for (kind, args) in [
        (JobKind::Map, "nonsense"),
        (JobKind::Map, r#"{"version":3}"#),
        (JobKind::Map, r#"{"version":2,"color":"red"}"#),
        (JobKind::Gather, r#"{"version":2}"#),
        (JobKind::Gather, r#"{}"#),
        (JobKind::Focus, r#"{"version":2,"topic":"a","like":["http://b/"]}"#),
        (JobKind::Focus, r#"{"version":2,"topic":"a","threshold":2}"#),
        (JobKind::Bound, r#"{"version":2,"start":"a","keyword":"b"}"#),
        (JobKind::Bound, r#"{"version":2,"epsilon":0}"#),
        (JobKind::Crawl, r#"{"version":2,"settings":{"dept":1}}"#),
    ] {
        let fault = Job::read(kind, args).unwrap_err();
        assert!(!fault.says.is_empty() && !fault.hint.is_empty(), "{args}");
    }
    for words in [
        "gather",
        "focus",
        "dance",
        "map --color red",
        "focus 'a",
        "map --format docx",
        "bound http://a/ --online",
        "crawl http://a/ --user a:b",
    ] {
        let fault = read_package(&[words.to_owned()]).unwrap_err();
        assert!(!fault.says.is_empty() && !fault.hint.is_empty(), "{words}");
    }
    let two = read_package(&["crawl,index http://a/ --depth 2".to_owned(), "focus index".to_owned()]).unwrap();
    assert_eq!(two.kinds().map(JobKind::name).collect::<Vec<_>>(), ["crawl", "index", "focus", "index"]);
}
