//! Bounds as the command line and the server see them: found, kept, decided about, and what becomes of them when the survey changes.

use std::collections::BTreeSet;

use groma_store::bounds::{DecisionKind, Side};
use groma_store::jobs::JobState;
use groma_tasks::bounds::{self, LookAt, Progress, Request};
use groma_tasks::observer::Step;
use groma_tasks::task::Bounds;
use groma_testweb::{Answer, Ask, Server};

use crate::watching::{Watching, going_on};
use crate::{Place, ask, crawl_of};

/// Pages of each of three sites on one host.
const PAGES: usize = 20;

/// Pages of a site link to the next four and home; every site's page 3 links to the next site's home.
fn served(ask: &Ask) -> Answer {
    let parts: Vec<&str> = ask.path.trim_matches('/').split('/').collect();
    let [name, rest @ ..] = &parts[..] else { return Answer::status(404) };
    let Some(site) = ["one", "two", "three"].iter().position(|known| known == name) else { return Answer::status(404) };
    let page = rest.first().map_or(Some(0), |file| file.strip_suffix(".html")?.parse().ok()).filter(|n| *n < PAGES);
    let Some(page) = page else { return Answer::status(404) };
    let mut body = format!("<title>Site {name}, page {page}</title>");
    for to in (1..5).map(|step| (page + step) % PAGES).chain([0]) {
        let path = if to == 0 { format!("/{name}/") } else { format!("/{name}/{to}.html") };
        body.push_str(&format!("<a href='{path}'>next</a>"));
    }
    if page == 3 {
        body.push_str(&format!("<a href='/{}/'>neighbour</a>", ["two", "three", "one"][site]));
    }
    Answer::html(&body)
}

fn surveyed() -> (Server, Place, String) {
    let server = Server::start(served);
    let place = Place::new();
    let start = format!("{}/one/", server.base());
    ask(&place.folder, &crawl_of(start.trim_end_matches('/'), "0"));
    place.workshop(1).run_until_idle().unwrap();
    assert_eq!(place.indexed(), 3 * PAGES as u64);
    (server, place, start)
}

fn find(place: &Place, start: &str) -> bounds::Bounds {
    let request = Request::from_task(&Bounds { start: start.parse().ok(), ..Bounds::default() });
    bounds::run(&place.folder, &request, None, &mut going_on()).unwrap().unwrap()
}

fn inside(bounds: &bounds::Bounds) -> BTreeSet<String> {
    let pages = bounds.pages().filter(|page| page.verdict.name() == "in");
    pages.map(|page| page.address.to_owned()).collect()
}

#[test]
fn a_site_is_found_with_its_family_its_prefixes_and_what_lies_around_it() {
    let (_server, place, start) = surveyed();
    let found = find(&place, &start);
    let site = inside(&found);
    assert!(site.len() == PAGES && site.iter().all(|address| address.starts_with(&start)), "{site:?}");
    assert_eq!(found.pages().count(), 3 * PAGES);
    assert_eq!(found.header.counts.r#in as usize, PAGES);
    // The family is nested, and the chosen member is the site.
    let members: Vec<BTreeSet<&str>> = (0..found.header.family.len()).map(|step| found.at(step).collect()).collect();
    assert!(members.windows(2).all(|pair| pair[0].is_subset(&pair[1])));
    for (members, step) in members.iter().zip(&found.header.family) {
        assert_eq!(members.len(), step.size as usize);
    }
    assert_eq!(members[found.header.chosen], site.iter().map(String::as_str).collect());
    assert_eq!(found.at(usize::MAX).count(), 3 * PAGES, "beyond the last member nothing is left out");
    let prefix = found.prefixes.iter().find(|prefix| prefix.verdict == "in").unwrap();
    assert_eq!((prefix.prefix.as_str(), prefix.inside as usize, prefix.single), (start.as_str(), PAGES, false));
    assert!(found.prefixes.iter().any(|prefix| prefix.verdict == "out" && prefix.prefix.ends_with("/two/")));
    let nearby = found.nearby.as_ref().unwrap();
    assert!(nearby.clusters.len() <= 40 && nearby.clusters[0].r#in > 0, "{nearby:?}");
    assert_eq!(nearby.clusters.iter().map(|cluster| cluster.r#in as usize).sum::<usize>(), PAGES);
    assert!(nearby.clusters.iter().any(|cluster| cluster.label == start), "{nearby:?}");
    assert!(nearby.links.iter().all(|link| link.from != link.to && link.links > 0));
    assert!(nearby.clusters.iter().all(|cluster| cluster.r#in + cluster.undecided <= cluster.size));
}

#[test]
fn what_was_found_is_kept_until_the_survey_is_another() {
    let (_server, place, start) = surveyed();
    assert!(bounds::last(&place.folder, None).unwrap().is_none(), "nothing is made by looking");
    let found = find(&place, &start);
    let kept = bounds::last(&place.folder, None).unwrap().unwrap();
    assert_eq!((&kept.prefixes, &kept.nearby), (&found.prefixes, &found.nearby));
    let told = |header: &bounds::Header| {
        let sizes: Vec<u32> = header.family.iter().map(|step| step.size).collect();
        (header.start.clone(), header.counts, header.chosen, header.why.clone(), sizes)
    };
    assert_eq!(told(&kept.header), told(&found.header));
    assert!(!kept.stale);
    assert_eq!(kept.members.iter().filter(|member| member.side == Side::In).count(), PAGES);
    assert_eq!(Request::from_task(kept.request.asked()), kept.request);
    // The clustering was made once.
    let heads = place.folder.bounds_store().unwrap().clusterings().unwrap();
    assert_eq!((heads.len(), heads[0].pages as usize), (1, 3 * PAGES));
    let mut rounds = 0;
    let request = Request::from_task(&Bounds { keyword: "two".parse().ok(), ..Bounds::default() });
    let mut counting = Watching::new(|step| {
        rounds += u32::from(matches!(step, Step::Bounds(Progress::Clustering { .. })));
        true
    });
    let again = bounds::run(&place.folder, &request, None, &mut counting);
    assert_eq!((again.unwrap().unwrap().header.counts.r#in as usize, rounds), (PAGES, 0), "the kept clustering served");
    assert_eq!(bounds::kept(&place.folder).unwrap().len(), 2);
    assert_eq!(bounds::last(&place.folder, None).unwrap().unwrap().header.start, "keyword:two");
    // An update that finds everything as it was changes nothing; starting over makes it another survey.
    ask(&place.folder, "update");
    place.workshop(1).run_until_idle().unwrap();
    assert!(!bounds::last(&place.folder, Some(&start)).unwrap().unwrap().stale);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    ask(&place.folder, "crawl --fresh");
    place.workshop(1).run_until_idle().unwrap();
    assert!(bounds::last(&place.folder, Some(&start)).unwrap().is_none(), "its pages have other numbers now");
    let scope = LookAt::Auto.site(&place.folder, &mut going_on()).unwrap().unwrap();
    assert_eq!(scope.name, start, "found anew from where the survey began");
    assert!(scope.notes.iter().any(|note| note.contains("was found now")), "{:?}", scope.notes);
}

#[test]
fn a_search_that_is_stopped_leaves_nothing() {
    let (_server, place, start) = surveyed();
    let request = Request::from_task(&Bounds { start: start.parse().ok(), ..Bounds::default() });
    let stopped = |at: fn(Progress) -> bool| {
        let mut watching = Watching::new(|step| !matches!(step, Step::Bounds(progress) if at(progress)));
        bounds::run(&place.folder, &request, None, &mut watching).unwrap().is_none()
    };
    assert!(stopped(|progress| matches!(progress, Progress::Clustering { .. })));
    assert!(stopped(|_| true));
    assert!(stopped(|progress| progress == Progress::Telling));
    let mut bounds_store = place.folder.bounds_store().unwrap();
    assert_eq!(bounds_store.sites().unwrap().len(), 0);
    let kept = bounds_store.clusterings().unwrap().len();
    assert_eq!(kept, 1, "a clustering that came to its end is kept, one that was stopped is not");
}

#[test]
fn decisions_hold_for_the_site_they_are_about() {
    let (server, place, start) = surveyed();
    find(&place, &start);
    let two = format!("{}/two/", server.base());
    let decide = |kind, subject: &str| bounds::decide(&place.folder, &start, kind, subject, false, "me").unwrap();
    let accepted = decide(DecisionKind::Accept, &two);
    assert_eq!((accepted.subject, accepted.pages as usize), (format!("{two}*"), PAGES));
    let rejected = decide(DecisionKind::Reject, &format!("{two}5.html"));
    assert_eq!(rejected.pages, 1);
    let found = find(&place, &start);
    let site = inside(&found);
    assert_eq!((site.len(), found.header.decisions), (2 * PAGES - 1, 2));
    let page = found.pages().find(|page| page.address.ends_with("/two/5.html")).unwrap();
    assert_eq!((page.verdict.name(), page.reason.as_str()), ("out", "rejected by hand"));
    assert!(found.pages().any(|page| page.reason == "accepted by hand"));
    assert_eq!(inside(&find(&place, &two)).len(), PAGES, "another site is another matter");
    // Merged both ways, each is the other.
    let three = format!("{}/three/", server.base());
    bounds::decide(&place.folder, &two, DecisionKind::Merge, &three, false, "").unwrap();
    bounds::decide(&place.folder, &three, DecisionKind::Merge, &two, false, "").unwrap();
    assert_eq!(inside(&find(&place, &two)).len(), 2 * PAGES);
    assert_eq!(inside(&find(&place, &three)), inside(&find(&place, &two)));
    let log = bounds::decisions(&place.folder, Some(&start)).unwrap();
    assert!(log.len() == 2 && log.iter().all(|row| row.holds && row.who == "me"), "{log:?}");
    // A page whose URL ends in a slash can be meant alone.
    let alone = bounds::decide(&place.folder, &start, DecisionKind::Reject, &three, true, "").unwrap();
    assert_eq!((alone.subject, alone.pages), (three, 1));
    assert_eq!(bounds::undo(&place.folder, &start, None, "").unwrap().kind, "undo");
}

#[test]
fn a_job_finds_the_site_and_says_how_it_went() {
    let (_server, place, start) = surveyed();
    let asked = [
        ("bound --format csv".to_owned(), JobState::Done, "20 pages, 0 undecided, 40 out"),
        (format!("bound {start}"), JobState::Done, "20 pages"),
        (format!("bound {start} --method flow"), JobState::Done, "pages"),
        ("bound http://no.test/".to_owned(), JobState::Failed, "not in the survey"),
    ];
    let ids: Vec<_> = asked.iter().map(|(typed, ..)| ask(&place.folder, typed)[0]).collect();
    place.workshop(2).run_until_idle().unwrap();
    for (id, (typed, state, says)) in ids.iter().zip(&asked) {
        let row = place.job(*id);
        assert_eq!(row.state, *state, "{typed}: {row:?}");
        assert!(row.outcome.contains(says), "{typed}: {}", row.outcome);
    }
    let csv = std::fs::read_to_string(place.folder.results().join(format!("{}.csv", ids[0].0))).unwrap();
    assert_eq!(csv.lines().count(), 3 * PAGES + 1);
    let lines = std::fs::read_to_string(place.folder.results().join(format!("{}.jsonl", ids[1].0))).unwrap();
    assert!(lines.starts_with("{\"kind\":\"bounds\",\"start\":\"http://"), "{}", &lines[..100]);
}
