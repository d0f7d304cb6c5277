//! Scenarios: tests as data. A file of `tests/scenarios` has a site, commands, and what must come of them; this is the one runner.
//!
//! ```text
//! What it shows, in a sentence or two.
//!
//! site                            pages, one a line: path, status, and a body (HTML if it begins with `<`) or where it leads to
//! / 200 <title>Home</title><a href=/old>old</a>
//! /old 301 /new
//! /robots.txt 200 User-agent: *\nDisallow: /secret/
//!
//! file groma.toml                 a file in the working directory: the lines behind `|`
//! | delay = 0
//!
//! $ crawl SITE --delay 0          a command; SITE is where the pages are. It ends with 0, unless it is said otherwise:
//! exit 4
//! mistake TEXT                    it ends with 2, one line that has the text, and a hint
//! out has TEXT                    (also `out lacks`, `err has`, `err lacks`)
//! row url=SITE/old state=alias    a line of what it wrote is JSON with these values; `a.b` is b within a (also `no row`)
//! asked /old 1                    the page was asked for so often, all in all
//!
//! GET /api/v1/search?q=x          asks the server of the working directory; 200, unless it is said otherwise:
//! status 404
//! POST /api/v1/sites/x/jobs {"kind": "index"}
//! wait 300                        milliseconds
//! ```
//!
//! Words are split as a shell does it. Lines that begin with `#` are passed over.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::serve::Served;
use crate::{Desk, Done};

/// A line of a file, with its number.
type Line<'t> = (usize, &'t str);

/// What is done, and what must come of it.
struct ScenarioStep<'t> {
    line: Line<'t>,
    body: Vec<&'t str>,
    checks: Vec<Line<'t>>,
}

const CHECKS: [&str; 9] = ["exit ", "mistake ", "out ", "err ", "row ", "no row ", "asked ", "status ", "folder "];

fn steps(text: &str) -> Vec<ScenarioStep<'_>> {
    let mut steps: Vec<ScenarioStep<'_>> = Vec::new();
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
    for (number, line) in lines.skip_while(|(_, line)| !line.is_empty()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match steps.last_mut() {
            Some(step) if CHECKS.iter().any(|check| line.starts_with(check)) => step.checks.push((number, line)),
            Some(step) if step.line.1 == "site" && line.starts_with('/') => step.body.push(line),
            Some(step) if line.starts_with('|') => step.body.push(line[1..].strip_prefix(' ').unwrap_or(&line[1..])),
            _ => steps.push(ScenarioStep { line: (number, line), body: Vec::new(), checks: Vec::new() }),
        }
    }
    steps
}

fn site(lines: &[&str]) -> Server {
    let pages: HashMap<String, (u16, String)> = lines
        .iter()
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut next = || words.next().unwrap_or_default();
            (next().to_owned(), (next().parse().expect("a status"), next().replace("\\n", "\n")))
        })
        .collect();
    Server::start(move |ask: &Ask| match pages.get(&ask.path) {
        None => Answer::status(404),
        Some((status @ 300..=399, to)) => Answer::redirect(*status, to),
        Some((200, body)) if body.starts_with('<') => Answer::html(body.clone()),
        Some((200, body)) => Answer::text(body.clone()),
        Some((status, _)) => Answer::status(*status),
    })
}

/// A scenario under way.
struct Stage {
    desk: Desk,
    site: Option<Server>,
    server: Option<Served>,
    /// What the last step came to: a command, or an answer as if a command had written it.
    done: Done,
}

impl Stage {
    fn meant(&self, text: &str) -> String {
        self.site.as_ref().map_or_else(|| text.to_owned(), |site| text.replace("SITE", &site.base()))
    }

    fn words(&self, text: &str) -> Vec<String> {
        shlex::split(&self.meant(text)).expect("words as a shell takes them")
    }

    fn act(&mut self, step: &ScenarioStep<'_>) {
        let (verb, rest) = step.line.1.split_once(' ').unwrap_or((step.line.1, ""));
        match verb {
            "site" => self.site = Some(site(&step.body)),
            "file" => self.desk.write(rest, &(self.meant(&step.body.join("\n")) + "\n")),
            "$" => {
                let words = self.words(rest);
                self.done = self.desk.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            }
            "GET" | "POST" => {
                let desk = &self.desk;
                let server = self.server.get_or_insert_with(|| Served::start(desk, &[]));
                let (path, body) = rest.split_once(' ').map_or((rest, None), |(path, body)| (path, Some(body)));
                let body = body.map(|body| serde_json::from_str(body).expect("JSON"));
                let (status, _, out) = server.ask(verb, path, &server.key(), body.as_ref());
                self.done = Done { code: i32::from(status), out, err: String::new() };
            }
            "wait" => std::thread::sleep(Duration::from_millis(rest.parse().expect("milliseconds"))),
            _ => panic!("`{verb}` is no step"),
        }
    }

    /// What is wrong, if anything is.
    fn check(&self, check: &str) -> Result<(), String> {
        let text = self.meant(check);
        let rest = |prefix: &str| text.strip_prefix(prefix).map(str::to_owned);
        let (out, err) = (&self.done.out, &self.done.err);
        let must = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        if let Some(text) = rest("out has ") {
            return must(out.contains(&text), out);
        } else if let Some(text) = rest("out lacks ") {
            return must(!out.contains(&text), out);
        } else if let Some(text) = rest("err has ") {
            return must(err.contains(&text), err);
        } else if let Some(text) = rest("err lacks ") {
            return must(!err.contains(&text), err);
        } else if let Some(text) = rest("row ") {
            return must(self.has_row(&self.words(&text)), out);
        } else if let Some(text) = rest("no row ") {
            return must(!self.has_row(&self.words(&text)), out);
        } else if let Some(text) = rest("mistake ") {
            self.done.is_mistake(&text);
        } else if let Some(text) = rest("asked ") {
            let (path, times) = text.split_once(' ').ok_or("a path and a number")?;
            let asked = self.site.as_ref().map_or(0, |site| site.count(path));
            return must(asked.to_string() == times, &format!("{asked} times"));
        } else if text == "folder is empty" {
            let count = std::fs::read_dir(&self.desk.path).map_err(|error| error.to_string())?.count();
            return must(count == 0, &format!("{count} entries"));
        } else if !check.starts_with("exit ") && !check.starts_with("status ") {
            return Err("no such check".to_owned());
        }
        Ok(())
    }

    fn has_row(&self, wanted: &[String]) -> bool {
        let values = self.done.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        // What lists of the API list are rows too.
        let rows = values.flat_map(|value| {
            let items = value["items"].as_array().cloned().unwrap_or_default();
            std::iter::once(value).chain(items)
        });
        let has = |row: &Value, pair: &String| {
            let (key, value) = pair.split_once('=').expect("KEY=VALUE");
            let found = row.pointer(&format!("/{}", key.replace('.', "/")));
            found.is_some_and(|found| found.as_str().map_or_else(|| found.to_string(), str::to_owned) == value)
        };
        rows.into_iter().any(|row| wanted.iter().all(|pair| has(&row, pair)))
    }
}

fn play(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a scenario");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let none = Done { code: 0, out: String::new(), err: String::new() };
    let mut stage = Stage { desk: Desk::new(), site: None, server: None, done: none };
    let mut wrong = Vec::new();
    let steps = steps(&text);
    assert!(
        !text.starts_with("site") && steps.iter().any(|step| !step.checks.is_empty()),
        "{name}: what does it show?"
    );
    for step in &steps {
        let (number, line) = step.line;
        stage.act(step);
        let told = step.checks.iter().find_map(|(_, check)| {
            let code = check.strip_prefix("exit ").or_else(|| check.strip_prefix("status "));
            code.and_then(|code| code.parse().ok()).or_else(|| check.starts_with("mistake ").then_some(2))
        });
        let expected = told.unwrap_or(if line.starts_with("GET") || line.starts_with("POST") { 200 } else { 0 });
        let ends = ["$ ", "GET ", "POST "].iter().any(|verb| line.starts_with(verb));
        if ends && stage.done.code != expected {
            let Done { code, out, err } = &stage.done;
            wrong.push(format!("{name}:{number}: {line}: {code}, not {expected}\n{out}{err}"));
        }
        for (number, check) in &step.checks {
            if let Err(what) = stage.check(check) {
                wrong.push(format!("{name}:{number}: {check}: {what}"));
            }
        }
    }
    if let Some(server) = stage.server {
        server.stop();
    }
    wrong
}

#[test]
fn every_scenario_comes_out_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let files: Vec<_> =
        std::fs::read_dir(folder).expect("the scenarios").map(|entry| entry.expect("one").path()).collect();
    assert!(files.len() >= 5, "{files:?}");
    let wrong: Vec<String> = files.iter().flat_map(|file| play(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_does_not_come_out_is_told_with_its_line() {
    let desk = Desk::new();
    desk.write("s.txt", "It fails.\n\nsite\n/ 200 <p>x\n\n$ config --nonsense\n$ crawl SITE --delay 0\nasked / 7\nout has nothing of the kind\n");
    let wrong = play(&desk.path.join("s.txt"));
    let at: Vec<&str> = wrong.iter().map(|line| line.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(at, ["s.txt:6", "s.txt:8", "s.txt:9"], "{wrong:?}");
}
