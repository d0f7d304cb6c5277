//! From a survey that changes to a letter in somebody's box, with everything that can go wrong on the way.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use groma_crawl::Unwatched;
use groma_settings::table::WEBHOOK_SECRET;
use groma_settings::{Book, Given, file};
use groma_store::jobs::{NoticeRow, Queue};
use groma_testweb::{Answer, Ask, Server};

use super::delivery::{Records, State, records};
use super::*;
use crate::crawl::survey::{Survey, Task};

type Statuses = Arc<Mutex<BTreeMap<String, u16>>>;

/// A site whose pages a test can break and fix, its survey, and what was told about it.
struct Scene {
    dir: PathBuf,
    folder: Folder,
    server: Server,
    statuses: Statuses,
    queue: Queue,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

impl Scene {
    /// A home page that links to /a, /b and /c, crawled, and looked at for the first time.
    fn new() -> Scene {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("groma-notify-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        let statuses: Statuses = Arc::default();
        let known = Arc::clone(&statuses);
        let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
            path @ "/" if known.lock().unwrap().contains_key(path) => Answer::status(known.lock().unwrap()[path]),
            "/" => Answer::html(
                "<title>Home</title><p>Start here. <a href='/a'>one</a> <a href='/b'>two &lt;b&gt;</a> <a href='/c'>three</a>",
            ),
            path @ ("/a" | "/b" | "/c") => match known.lock().unwrap().get(path) {
                Some(status) => Answer::status(*status),
                None => Answer::html(format!(
                    "<title>Page {path}</title><p>Words of {path} and no others. <a href='/'>home</a>"
                )),
            },
            _ => Answer::status(404),
        });
        let folder = Folder::new(dir.join("shop.groma"));
        fs::create_dir_all(folder.path()).unwrap();
        let mut scene = Scene { dir, queue: folder.queue().unwrap(), folder, server, statuses };
        scene.run(Task::Crawl);
        assert_eq!(scene.notify(&Ways::none(), 100).unwrap(), words::FIRST_LOOK);
        assert!(scene.notices().is_empty(), "what was there from the start is no news");
        scene
    }

    fn run(&self, task: Task) {
        let typed = [("delay", "0"), ("retries", "0"), ("proxy", "none"), ("limits.retry_ms", "1")];
        let typed: Vec<Given> = typed.iter().map(|(key, value)| Given::flag(key, "-s", *value)).collect();
        let seeds = vec![self.server.base().parse().unwrap()];
        let survey = Survey::new(task, self.folder.clone(), seeds, Book::of_flags(&typed).unwrap());
        let survey = Survey { owned: true, ..survey };
        let opened = survey.ready().unwrap().open().unwrap();
        drop(opened.crawl(&mut Unwatched, Arc::new(AtomicBool::new(false))).unwrap());
    }

    /// The pages answer so from now on, and an update sees it.
    fn update(&self, broken: &[(&str, u16)]) {
        *self.statuses.lock().unwrap() = broken.iter().map(|(path, status)| ((*path).to_owned(), *status)).collect();
        self.run(Task::Update);
    }

    fn notify(&mut self, ways: &Ways, now: i64) -> Result<String, Fault> {
        notify_with(ways, &self.folder, &mut self.queue, &mut |_| {}, now)
    }

    fn notices(&mut self) -> Vec<NoticeRow> {
        self.queue.notices(None, 100).unwrap()
    }

    fn records(&mut self) -> Records {
        records(&self.notices()[0])
    }
}

/// A receiver of webhooks that answers with a status of the test's choice.
fn webhook(status: &Arc<AtomicU16>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/hook", listener.local_addr().unwrap().port());
    let (bodies, status) = (Arc::new(Mutex::new(Vec::new())), Arc::clone(status));
    let kept = Arc::clone(&bodies);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap_or(0) > 2 {
                if let Some(number) = line.to_lowercase().strip_prefix("content-length: ") {
                    length = number.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            kept.lock().unwrap().push(String::from_utf8(body).unwrap());
            let status = status.load(Ordering::SeqCst);
            let _ = write!(reader.get_mut(), "HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
        }
    });
    (url, bodies)
}

/// A mail server that takes everything.
fn postbox() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let letters = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&letters);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            let _ = reader.get_mut().write_all(b"220 hello\r\n");
            let (mut letter, mut inside, mut line) = (String::new(), false, String::new());
            while reader.read_line(&mut line).unwrap_or(0) > 0 {
                let answer = match (inside, line.as_str()) {
                    (true, ".\r\n") => {
                        kept.lock().unwrap().push(std::mem::take(&mut letter));
                        inside = false;
                        "250 kept\r\n"
                    }
                    (true, _) => {
                        letter.push_str(&line);
                        ""
                    }
                    (false, "DATA\r\n") => {
                        inside = true;
                        "354 go on\r\n"
                    }
                    _ => "250 fine\r\n",
                };
                let _ = reader.get_mut().write_all(answer.as_bytes());
                line.clear();
            }
        }
    });
    (port, letters)
}

fn ways(mail: Option<u16>, hook: Option<&str>) -> Ways {
    let mut toml = String::from("[notice]\npublic_url = 'https://groma.example.org'\n");
    if let Some(port) = mail {
        toml.push_str(&format!(
            "mail = ['webmaster@example.org', 'boss@example.org']\nmail_from = 'groma@example.org'\nsmtp = 'smtp://127.0.0.1:{port}'\n"
        ));
    }
    if let Some(url) = hook {
        toml.push_str(&format!("webhook = '{url}'\nwebhook_private = true\n"));
    }
    let book = Book::from_file(file::parse(&toml, "groma.toml").unwrap()).unwrap();
    Ways::from_book(&book, &|name| (name == WEBHOOK_SECRET).then(|| "a secret of some length".to_owned()))
        .unwrap()
        .direct()
}

#[test]
fn a_broken_link_is_told_once_by_every_way() {
    let mut scene = Scene::new();
    let (port, letters) = postbox();
    let (url, bodies) = webhook(&Arc::new(AtomicU16::new(204)));
    let ways = ways(Some(port), Some(&url));
    scene.update(&[("/b", 404)]);
    assert_eq!(scene.notify(&ways, 200).unwrap(), "1 new finding; 3 messages delivered");
    assert_eq!(scene.notify(&ways, 201).unwrap(), "this run was looked at before");
    scene.run(Task::Update);
    assert_eq!(scene.notify(&ways, 300).unwrap(), "nothing new");

    let [row] = scene.notices().try_into().unwrap();
    let site = scene.server.base().replace("http://", "");
    assert_eq!(row.title, format!("1 new broken link on {}", site.trim_end_matches('/')));
    let body = Body::from_row(&row);
    assert_eq!((body.total, body.run, body.counts["invalid-link"], body.changes["gone"]), (1, 2, 1, 1));
    assert_eq!(body.findings[0].reason.as_deref(), Some("not-found"));
    assert!(scene.records().values().all(|record| record.state == State::Delivered && record.tries == 1));

    let letters = letters.lock().unwrap().clone();
    assert_eq!(letters.len(), 2);
    assert!(letters[0].contains("To: boss@example.org") ^ letters[1].contains("To: boss@example.org"), "{letters:?}");
    for letter in &letters {
        assert!(letter.contains(&format!("Subject: {}", row.title)), "{letter}");
        assert!(letter.contains("/b (not-found)") && letter.contains("/sites/shop/findings"), "{letter}");
    }
    let bodies = bodies.lock().unwrap().clone();
    assert_eq!(bodies.len(), 1);
    let message: serde_json::Value = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!((&message["event"], &message["id"]), (&"findings".into(), &body.id.clone().into()));
    assert_eq!(message["findings"][0]["anchor"], "two <b>");
}

#[test]
fn a_server_that_stumbles_for_a_night_is_not_told() {
    let mut scene = Scene::new();
    for (run, broken, expected) in [
        (2, &[("/b", 503)][..], 0),
        (3, &[], 0),
        (4, &[("/b", 503)], 0),
        (5, &[("/b", 503)], 1),
        (6, &[], 1),
        (7, &[("/b", 503)], 1),
        (8, &[("/b", 503), ("/c", 410)], 2),
    ] {
        scene.update(broken);
        scene.notify(&Ways::none(), 100 * run).unwrap();
        assert_eq!(scene.notices().len(), expected, "run {run}");
    }
    let row = scene.notices().remove(0);
    let told: Vec<_> = Body::from_row(&row).findings.into_iter().filter_map(|finding| finding.to).collect();
    assert!(told.len() == 1 && told[0].ends_with("/c"), "{told:?}");
}

#[test]
fn one_way_that_fails_does_not_make_another_go_twice() {
    let mut scene = Scene::new();
    let status = Arc::new(AtomicU16::new(500));
    let ((port, letters), (url, bodies)) = (postbox(), webhook(&status));
    let ways = ways(Some(port), Some(&url));
    scene.update(&[("/b", 404)]);
    let fault = scene.notify(&ways, 200).unwrap_err();
    assert!(fault.says.contains("webhook") && fault.says.contains("(500)"), "{fault:?}");
    let waiting = scene.records().remove("webhook").unwrap();
    assert_eq!((waiting.state, waiting.tries, waiting.at), (State::Waiting, 1, 200));
    assert!(waiting.error.contains("(500)"), "{waiting:?}");
    scene.notify(&ways, 260).unwrap_err();
    status.store(200, Ordering::SeqCst);
    assert_eq!(scene.notify(&ways, 300).unwrap(), "this run was looked at before; 1 message delivered");
    assert_eq!(scene.records()["webhook"].tries, 3);
    assert_eq!((letters.lock().unwrap().len(), bodies.lock().unwrap().len()), (2, 3));
    let bodies = bodies.lock().unwrap().clone();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "the same message every time");
}

#[test]
fn who_wants_no_more_or_is_no_longer_named_is_left_alone() {
    let mut scene = Scene::new();
    let (url, bodies) = webhook(&Arc::new(AtomicU16::new(410)));
    let hook = ways(None, Some(&url));
    scene.update(&[("/b", 404)]);
    scene.notify(&hook, 200).unwrap();
    assert_eq!(scene.records()["webhook"].state, State::Gone);
    scene.notify(&hook, 300).unwrap();
    assert_eq!(bodies.lock().unwrap().len(), 1);

    let (dead, _) = webhook(&Arc::new(AtomicU16::new(503)));
    scene.update(&[("/b", 404), ("/c", 404)]);
    scene.notify(&ways(None, Some(&dead)), 400).unwrap_err();
    let (port, letters) = postbox();
    scene.notify(&ways(Some(port), None), 500).unwrap();
    assert_eq!(scene.records()["webhook"].state, State::Withdrawn);
    assert!(letters.lock().unwrap().is_empty(), "who is added later does not get the old ones");
}

#[test]
fn what_cannot_be_delivered_is_given_up_some_day() {
    let mut scene = Scene::new();
    let (url, bodies) = webhook(&Arc::new(AtomicU16::new(500)));
    let hook = ways(None, Some(&url));
    scene.update(&[("/b", 404)]);
    scene.notify(&hook, 200).unwrap_err();
    scene.notify(&hook, 200 + delivery::DAYS * 86_400 + 1).unwrap();
    assert_eq!(scene.records()["webhook"].state, State::GivenUp);
    scene.update(&[("/b", 404), ("/c", 404)]);
    for _ in 1..delivery::TRIES {
        scene.notify(&hook, 300).unwrap_err();
    }
    scene.notify(&hook, 300).unwrap();
    assert_eq!((scene.records()["webhook"].state, bodies.lock().unwrap().len()), (State::GivenUp, 21));
}

#[test]
fn a_site_that_stays_down_is_told_once() {
    let mut scene = Scene::new();
    let down = [("/", 503), ("/a", 503), ("/b", 503), ("/c", 503)];
    scene.update(&down);
    scene.notify(&Ways::none(), 200).unwrap();
    assert!(scene.notices().is_empty(), "perhaps it is only restarted");
    for now in [300, 400] {
        scene.update(&down);
        scene.notify(&Ways::none(), now).unwrap();
        assert_eq!(scene.notices().len(), 1);
    }
    assert!(scene.notices()[0].body.contains("start-broken"), "{}", scene.notices()[0].body);
}

#[test]
fn a_kill_between_notice_and_memory_tells_nothing_twice() {
    let mut scene = Scene::new();
    let baseline = place(&scene.folder).join("baseline.json");
    let before = fs::read(&baseline).unwrap();
    scene.update(&[("/b", 404)]);
    scene.notify(&Ways::none(), 200).unwrap();
    fs::write(&baseline, before).unwrap();
    scene.notify(&Ways::none(), 300).unwrap();
    assert_eq!(scene.notices().len(), 1);
}

#[test]
fn hindrances_are_told() {
    let mut scene = Scene::new();
    let held = alone(&scene.folder).unwrap();
    assert_eq!(scene.notify(&Ways::none(), 1).unwrap_err().says, words::NOT_ALONE);
    drop(held);
    fs::write(place(&scene.folder).join("baseline.json"), "nonsense\n").unwrap();
    let fault = scene.notify(&Ways::none(), 1).unwrap_err();
    assert!(fault.says.contains("baseline.json is damaged: line 1"), "{fault:?}");
    let nothing = Folder::new(scene.dir.join("none.groma"));
    let fault = notify_with(&Ways::none(), &nothing, &mut scene.queue, &mut |_| {}, 1).unwrap_err();
    assert!(fault.says.contains("no survey"), "{fault:?}");
    let begun = Folder::new(scene.dir.join("begun.groma"));
    drop(begun.open().unwrap());
    let outcome = notify_with(&Ways::none(), &begun, &mut scene.queue, &mut |_| {}, 1).unwrap();
    assert!(outcome.contains("not complete"), "{outcome}");
}

#[test]
fn the_feed_is_well_formed_whatever_strangers_write() {
    let mut scene = Scene::new();
    let hostile = "</content><script>alert(1)</script>&\"']]>\u{0}\u{1b}\u{202e}\u{ffff}";
    let told = Told { kind: "invalid-link".into(), from: hostile.into(), to: Some(hostile.into()), ..Told::default() };
    for at in 1..=60 {
        let counts = BTreeMap::from([("invalid-link".to_owned(), 300)]);
        let body = Body {
            id: format!("{at:032x}"),
            site: hostile.into(),
            counts,
            findings: vec![told.clone(); 30],
            ..Body::default()
        };
        let body = serde_json::to_string(&body).unwrap();
        let row = NoticeRow { id: 0, at: at * 1000, run: 1, title: hostile.into(), body, delivery: "{}".into() };
        scene.queue.add_notice(&row).unwrap();
    }
    let feed = feed(&scene.folder, &mut scene.queue, "https://groma.example.org/").unwrap();
    let mut reader = quick_xml::Reader::from_str(&feed);
    reader.config_mut().check_end_names = true;
    let (mut entries, mut names) = (0, Vec::new());
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(start) => {
                entries += u32::from(start.name().as_ref() == "entry");
                names.push(start.name().as_ref().to_owned());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(entries, 50);
    names.sort();
    names.dedup();
    let allowed =
        ["author", "content", "entry", "feed", "generator", "id", "name", "published", "subtitle", "title", "updated"];
    assert_eq!(names, allowed);
    assert!(feed.contains("<updated>1970-01-01T16:40:00Z</updated>"), "the latest first: {}", &feed[..800]);
    assert!(feed.contains("<id>urn:uuid:00000000-0000-8000-8000-00000000003c</id>"), "{}", &feed[..2000]);
    assert!(feed.contains("href=\"https://groma.example.org/sites/shop/feed.atom\"") && feed.contains("and 275 more"));
    let empty = super::feed(&Folder::new("x y.groma"), &mut Scene::new().queue, "http://127.0.0.1:1").unwrap();
    assert!(empty.contains("/sites/x%20y/notices") && empty.contains("1970-01-01T00:00:00Z"), "{empty}");
}
