//! Strategies that read: they are shown what pages say, the same again when a crawl goes on, and nothing is fetched twice for it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use groma_crawl::End;
use groma_model::{PageId, Reason};
use groma_store::Snapshot;
use groma_store::codec::unpack_details;
use groma_strategy::{Memory, Plan, Priority, Strategy, Visit};

use crate::mock::{Ask, Survey, html, missing, redirect};

/// Goes where the text of a link says "yes", one page at a time.
struct Yes {
    known: HashSet<PageId>,
    addresses: HashMap<PageId, String>,
    wanted: Vec<PageId>,
    /// What it was shown: the URL, and the words of its blocks.
    log: Arc<Mutex<Vec<(String, String)>>>,
    stop_after: usize,
    shown: usize,
}

impl Yes {
    fn new(log: &Arc<Mutex<Vec<(String, String)>>>, stop_after: usize) -> Yes {
        let (known, addresses, wanted) = (HashSet::new(), HashMap::new(), Vec::new());
        Yes { known, addresses, wanted, log: Arc::clone(log), stop_after, shown: 0 }
    }
}

impl Strategy for Yes {
    fn name(&self) -> &'static str {
        "yes"
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        *self = Yes::new(&Arc::clone(&self.log), self.stop_after);
        self.known.extend(seeds);
        seeds.iter().for_each(|seed| plan.want(*seed, Priority { round: 0, rank: 0 }));
    }

    fn visit(&mut self, visit: &Visit<'_>, _plan: &mut Plan) {
        self.shown += 1;
        self.wanted.extend(visit.same_as.filter(|page| self.known.insert(*page)));
        let words = visit.parsed.map(|page| page.blocks.iter().map(|b| b.text.as_str()).collect::<Vec<_>>().join("|"));
        let address = self.addresses.get(&visit.page).cloned().unwrap_or_default();
        self.log.lock().unwrap().push((address, words.unwrap_or_default()));
        for lead in visit.leads {
            let link = &visit.parsed.unwrap().links[lead.link.unwrap()];
            if link.text.contains("yes") && self.known.insert(lead.page) {
                self.wanted.push(lead.page);
            }
        }
    }

    fn round(&mut self, finished: u32, plan: &mut Plan) {
        if self.shown >= self.stop_after {
            return plan.stop();
        }
        if !self.wanted.is_empty() {
            plan.want(self.wanted.remove(0), Priority { round: finished + 1, rank: 0 });
        }
    }

    fn memory(&mut self) -> Option<&mut dyn Memory> {
        Some(self)
    }
}

impl Memory for Yes {
    fn meet(&mut self, page: PageId, address: &str) {
        self.addresses.insert(page, address.to_owned());
    }

    fn reads(&self) -> bool {
        true
    }
}

fn web(ask: &Ask<'_>) -> groma_model::Outcome {
    match ask.path {
        "/" => html(
            "<p>home</p> <a href=/no>no</a> <a href=/1>yes one</a> <a href=/moved>yes moved</a> <a href=/1>again</a>",
        ),
        "/1" => html("<p>one</p> <a href=/2>yes two</a> <a href=/gone>yes gone</a> <a href=/>home</a>"),
        "/2" => html("<p>two</p> <a href=/3>not three</a>"),
        "/3" => html("<p>three</p>"),
        "/no" => html("<p>no</p> <a href=/4>yes four</a>"),
        "/4" => html("<p>four</p>"),
        "/moved" => redirect("/there"),
        "/there" => html("<p>there</p>"),
        _ => missing(),
    }
}

fn paths(log: &Arc<Mutex<Vec<(String, String)>>>) -> Vec<String> {
    let short = |address: &str| address.trim_start_matches("http://a.test").to_owned();
    log.lock().unwrap().drain(..).map(|(address, words)| format!("{} {}", short(&address), words)).collect()
}

const WHOLE: [&str; 6] = [
    "/ home|no yes one yes moved again",
    "/1 one|yes two yes gone home",
    "/moved ",
    "/2 two|not three",
    "/gone ",
    "/there there",
];

#[test]
fn it_is_shown_what_pages_say_and_goes_where_it_wants() {
    let (survey, log) = (Survey::for_web(web), Arc::default());
    assert_eq!(survey.crawl_with(Yes::new(&log, 99)), End::Finished);
    assert_eq!(paths(&log), WHOLE);
    assert_eq!(survey.address("/no").reason, Reason::NotWanted);
    let mut asked = survey.web.asked();
    asked.retain(|path| path != "/robots.txt");
    assert_eq!(asked, ["/", "/1", "/moved", "/2", "/gone", "/there"]);
}

#[test]
fn going_on_it_is_shown_the_same_and_fetches_only_what_is_new() {
    let (survey, log) = (Survey::for_web(web), Arc::default());
    assert_eq!(survey.crawl_with(Yes::new(&log, 3)), End::Stopped);
    let before = survey.web.asked().len();
    assert_eq!(paths(&log), WHOLE[..3]);
    assert_eq!(survey.crawl_with(Yes::new(&log, 99)), End::Finished);
    assert_eq!(paths(&log), WHOLE);
    let since: Vec<String> = survey.web.asked().split_off(before).into_iter().filter(|p| p != "/robots.txt").collect();
    assert_eq!(since, ["/2", "/gone", "/there"]);
}

#[test]
fn pages_stored_without_their_parts_are_fetched_once_more_and_then_have_them() {
    let (survey, log) = (Survey::for_web(web), Arc::default());
    assert_eq!(survey.crawl(), End::Finished);
    let before = survey.web.asked().len();
    assert_eq!(survey.crawl_with(Yes::new(&log, 99)), End::Finished);
    assert_eq!(paths(&log), WHOLE);
    let since: Vec<String> = survey.web.asked().split_off(before).into_iter().filter(|p| p != "/robots.txt").collect();
    assert_eq!(since, ["/", "/1", "/2", "/there"]);
    let id = survey.address("/1").id;
    let details = survey.read().details(id).unwrap().and_then(|packed| unpack_details(&packed)).unwrap();
    assert_eq!(details.parts.map(|parts| parts.links.len()), Some(3));
    let before = survey.web.asked().len();
    assert_eq!(survey.crawl_with(Yes::new(&log, 99)), End::Finished);
    let since: Vec<String> = survey.web.asked().split_off(before).into_iter().filter(|p| p != "/robots.txt").collect();
    assert_eq!(since, Vec::<String>::new(), "nothing is fetched for what is known");
}

#[test]
fn layers_go_on_with_what_it_did_not_want() {
    let (survey, log) = (Survey::for_web(web), Arc::default());
    assert_eq!(survey.crawl_with(Yes::new(&log, 99)), End::Finished);
    assert_eq!(survey.crawl(), End::Finished);
    for path in ["/no", "/3", "/4"] {
        assert_eq!(survey.address(path).reason, Reason::Fetched, "{path}");
    }
    assert_eq!(survey.address("/4").depth, groma_model::Depth(2));
}
