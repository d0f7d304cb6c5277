//! Clusters and bounds from outside: on imported graphs, on crawled sites, with bad input.

use std::collections::{BTreeMap, BTreeSet};

use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, Done, is_on_server};

/// Pages of each of the two sites.
const PAGES: usize = 30;

fn address(site: &str, page: usize) -> String {
    if page == 0 { format!("http://h.test/{site}/") } else { format!("http://h.test/{site}/{page}.html") }
}

/// Page `n` of a site links to the home page and to the next five.
fn targets(page: usize) -> impl Iterator<Item = usize> {
    (1..=5).map(move |step| (page + step) % PAGES).chain([0]).filter(move |to| *to != page)
}

/// A graph of two sites on one host, alpha and beta, with two links between them.
fn two_sites() -> Desk {
    let desk = Desk::new();
    let mut edges = String::new();
    for site in ["alpha", "beta"] {
        for page in 0..PAGES {
            for to in targets(page) {
                edges.push_str(&format!("{} {}\n", address(site, page), address(site, to)));
            }
        }
    }
    edges.push_str(&format!("{} {}\n", address("alpha", 3), address("beta", 0)));
    edges.push_str(&format!("{} {}\n", address("beta", 7), address("alpha", 0)));
    desk.write("edges.txt", &edges);
    let done = desk.run(&["import", "graph", "--edges", "edges.txt", "--store", "g.groma", "-q"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk
}

fn fine(done: Done) -> Done {
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    done
}

/// The URLs of a verdict in a list of JSON Lines.
fn of_verdict(lines: &[Value], verdict: &str) -> BTreeSet<String> {
    let is = |line: &&Value| line["verdict"] == verdict;
    lines.iter().filter(is).map(|line| line["url"].as_str().expect("a URL").to_owned()).collect()
}

fn site(name: &str) -> BTreeSet<String> {
    (0..PAGES).map(|page| address(name, page)).collect()
}

#[test]
fn clusters_are_listed_in_every_form_and_made_once() {
    let desk = two_sites();
    let lines = desk.json(&["cluster", "--inflation", "2.0", "-f", "json"]);
    let head = &lines[0];
    assert_eq!((&head["kind"], &head["pages"], &head["reused"]), (&"clusters".into(), &60.into(), &false.into()));
    assert_eq!(lines.len(), 61);
    let mut by_cluster: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for line in &lines[1..] {
        let cluster = line["cluster"].as_u64().unwrap();
        by_cluster.entry(cluster).or_default().insert(line["url"].as_str().unwrap().to_owned());
    }
    assert_eq!(by_cluster.len() as u64, head["clusters"].as_u64().unwrap());
    for pages in by_cluster.values() {
        assert!(pages.is_subset(&site("alpha")) || pages.is_subset(&site("beta")), "no cluster mixes sites: {pages:?}");
    }
    let again = desk.json(&["cluster", "--inflation", "2.0", "-f", "json"]);
    assert_eq!((&again[0]["reused"], &again[1..]), (&true.into(), &lines[1..]));
    let other = desk.json(&["cluster", "--inflation", "1.3", "-f", "json"]);
    assert_eq!(other[0]["reused"], false, "another inflation is another clustering");
    let tsv = fine(desk.run(&["cluster", "-f", "tsv"])).out;
    assert_eq!(tsv.lines().count(), 60);
    assert!(tsv.lines().all(|line| line.split('\t').count() == 2), "{tsv}");
    let csv = fine(desk.run(&["cluster", "-f", "csv"])).out;
    assert!(csv.starts_with("url,cluster\r\n") && csv.lines().count() == 61, "{csv}");
    let text = fine(desk.run(&["cluster"])).out;
    assert!(text.contains("60 pages in") && text.contains("http://h.test/alpha/"), "{text}");
    // Links that all weigh the same and links that URLs weigh are two clusterings.
    assert_eq!(desk.json(&["cluster", "--sigma", "1", "-f", "json"])[0]["reused"], false);
}

#[test]
fn a_site_is_found_from_a_page_a_keyword_and_a_list() {
    let desk = two_sites();
    let home = address("alpha", 0);
    let lines = desk.json(&["bounds", &home, "-f", "json"]);
    let head = &lines[0];
    assert_eq!(
        (&head["kind"], &head["start"], &head["method"]),
        (&"bounds".into(), &home.as_str().into(), &"mcl+flow".into())
    );
    for key in ["epsilon", "sigma", "family", "chosen", "why", "stop", "fetches", "counts", "prefixes", "nearby"] {
        assert!(!head[key].is_null(), "{key} in {head}");
    }
    assert_eq!(head["counts"]["in"], 30, "{head}");
    assert!(head["family"].as_array().unwrap().len() > 5 && head["epsilon"].as_f64().unwrap() > 0.0);
    assert_eq!((head["stop"].as_str(), head["fetches"].as_u64()), (Some("off-line"), Some(0)));
    assert_eq!(of_verdict(&lines, "in"), site("alpha"));
    assert_eq!(of_verdict(&lines, "out"), site("beta"));
    for line in &lines[1..] {
        let sure = line["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&sure) && !line["reason"].as_str().unwrap().is_empty(), "{line}");
    }
    let keyword = desk.json(&["bounds", "--keyword", "BETA", "-f", "json"]);
    assert_eq!((&keyword[0]["start"], of_verdict(&keyword, "in")), (&"keyword:BETA".into(), site("beta")));
    desk.write(
        "seeds.txt",
        &format!("# some\n{}\n\n{}\nhttp://h.test/nowhere\n", address("alpha", 4), address("alpha", 9)),
    );
    let done = fine(desk.run(&["bounds", "--seeds", "seeds.txt", "-f", "json"]));
    assert!(done.err.contains("1 start page left out"), "{}", done.err);
    assert_eq!(of_verdict(&done.json(), "in"), site("alpha"));
    for method in ["flow", "mcl"] {
        let lines = desk.json(&["bounds", &home, "--method", method, "-f", "json"]);
        assert_eq!(lines[0]["method"], method);
        assert!(of_verdict(&lines, "in").is_subset(&site("alpha")), "{method}");
    }
    // A folder without a page of its own stands for its home page, and no start for the page the survey began at.
    assert_eq!(of_verdict(&desk.json(&["bounds", "-f", "json"]), "in"), site("alpha"));
    let dear = desk.json(&["bounds", &home, "--epsilon", "1000", "-f", "json"]);
    let cheap = desk.json(&["bounds", &home, "--epsilon", "1e-9", "-f", "json"]);
    assert!(of_verdict(&dear, "in").is_subset(&of_verdict(&cheap, "in")), "a lower price never loses a page");
    assert_eq!(of_verdict(&cheap, "in").len(), 60);
}

#[test]
fn a_site_is_told_on_a_screen_and_in_tables() {
    let desk = two_sites();
    let home = address("alpha", 0);
    let text = fine(desk.run(&["bounds", &home])).out;
    for part in [
        "30 pages, 0 undecided, 30 out",
        "IN ",
        "http://h.test/alpha/*",
        "OUT ",
        "http://h.test/beta/*",
        "links:",
        "why this price",
        "groma map --scope auto",
        "groma bounds accept",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let csv = fine(desk.run(&["bounds", &home, "-f", "csv"])).out;
    assert!(csv.starts_with("url,verdict,confidence,step,reason\r\n") && csv.lines().count() == 61, "{csv}");
    let tsv = fine(desk.run(&["bounds", &home, "-f", "tsv"])).out;
    assert!(tsv.lines().all(|line| line.split('\t').count() == 5) && tsv.lines().count() == 61, "{tsv}");
    let surt = fine(desk.run(&["bounds", &home, "-f", "surt"])).out;
    assert_eq!(surt, "+http://(test,h,)/alpha/\n");
    assert_eq!(fine(desk.run(&["bounds", "export", "--surt"])).out, surt);
    let sites = desk.json(&["bounds", "sites", "-f", "json"]);
    assert_eq!((sites.len(), &sites[0]["start"], &sites[0]["stale"]), (1, &home.as_str().into(), &false.into()));
}

#[test]
fn decisions_are_remembered_applied_and_taken_back() {
    let desk = two_sites();
    let home = address("alpha", 0);
    let inside = || of_verdict(&desk.json(&["bounds", &home, "-f", "json"]), "in");
    desk.run(&["bounds", "accept", "http://h.test/beta/"]).is_mistake("no site has been found");
    assert_eq!(inside(), site("alpha"));
    let done = fine(desk.run(&["bounds", "reject", "http://h.test/alpha/5.html"]));
    assert!(done.out.contains("rejected") && done.out.contains("1 page of the survey"), "{}", done.out);
    assert!(!inside().contains(&address("alpha", 5)), "a rejected page is out");
    let done = fine(desk.run(&["bounds", "accept", "/beta/"]));
    assert!(done.out.contains("accepted http://h.test/beta/* (30 pages"), "{}", done.out);
    assert!(inside().is_superset(&site("beta")), "what lies below an accepted folder is in");
    fine(desk.run(&["bounds", "reject", "/beta/7.html"]));
    assert!(!inside().contains(&address("beta", 7)), "the longer subject holds");
    let log = desk.json(&["bounds", "decisions", "-f", "json"]);
    assert_eq!(log.iter().map(|row| row["kind"].as_str().unwrap()).collect::<Vec<_>>(), ["reject", "accept", "reject"]);
    assert!(log.iter().all(|row| row["holds"] == true && row["site"] == home.as_str()), "{log:?}");
    fine(desk.run(&["bounds", "undo"]));
    assert!(inside().contains(&address("beta", 7)));
    fine(desk.run(&["bounds", "undo", "2"]));
    fine(desk.run(&["bounds", "undo", "1"]));
    assert_eq!(inside(), site("alpha"), "all is as it was");
    desk.run(&["bounds", "undo"]).is_mistake("nothing that holds");
    desk.run(&["bounds", "undo", "1"]).is_mistake("no decision 1");
    desk.run(&["bounds", "undo", "999"]).is_mistake("no decision 999");
    let text = fine(desk.run(&["bounds", "decisions"])).out;
    assert!(text.contains("undo 3") && text.contains("(no longer)"), "{text}");
    fine(desk.run(&["bounds", "merge", &address("beta", 0)]));
    assert_eq!(inside().len(), 60, "both are one");
    desk.run(&["bounds", "merge", &home]).is_mistake("with itself");
    fine(desk.run(&["bounds", "undo"]));
    // What was decided about one site says nothing about another.
    let done = fine(desk.run(&["bounds", "reject", "/alpha/"]));
    assert!(done.err.contains("rejected by hand"), "it is put down, and what it means is said: {}", done.err);
    desk.run(&["bounds", &home]).is_mistake("rejected by hand");
    let beta = desk.json(&["bounds", &address("beta", 0), "-f", "json"]);
    assert_eq!(of_verdict(&beta, "in"), site("beta"));
    fine(desk.run(&["bounds", "undo", "--site", &home]));
    assert_eq!(inside(), site("alpha"));
}

#[test]
fn prefixes_come_and_go_as_surt() {
    let desk = two_sites();
    let home = address("alpha", 0);
    fine(desk.run(&["bounds", &home]));
    desk.write(
        "list.surt",
        "# from an archive\n+http://(test,h,)/beta/\n-http://(test,h,)/beta/7.html\nnonsense line\n",
    );
    let done = fine(desk.run(&["bounds", "import", "list.surt"]));
    assert!(done.err.contains("line 4"), "{}", done.err);
    let lines = desk.json(&["bounds", &home, "-f", "json"]);
    let inside = of_verdict(&lines, "in");
    assert!(inside.contains(&address("beta", 3)) && !inside.contains(&address("beta", 7)));
    let surt = fine(desk.run(&["bounds", "export"])).out;
    assert!(surt.contains("-http://(test,h,)/beta/7.html"), "{surt}");
    desk.write("empty.surt", "# nothing\n");
    desk.run(&["bounds", "import", "empty.surt"]).is_mistake("no rule");
    desk.run(&["bounds", "import", "absent.surt"]).is_mistake("absent.surt");
}

#[test]
fn methods_are_scored_side_by_side() {
    let desk = two_sites();
    desk.write("sites.tsv", "prefix\tpages\nhttp://h.test/alpha/\t30\nhttp://h.test/beta/\t30\nhttp://x.test/\t9\n");
    let done = fine(desk.run(&["bounds", "--truth", "sites.tsv"]));
    for method in ["flow", "mcl", "mcl+flow"] {
        assert!(done.out.lines().any(|line| line.starts_with(method)), "{method} in {}", done.out);
    }
    assert!(done.err.contains("1 site of the file"), "{}", done.err);
    let rows = desk.json(&["bounds", "--truth", "sites.tsv", "-f", "json"]);
    let means: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "mean").collect();
    assert_eq!((rows.len(), means.len()), (9, 3));
    let best = means.iter().find(|row| row["method"] == "mcl+flow").unwrap();
    assert_eq!((best["precision"].as_f64(), best["recall"].as_f64()), (Some(1.0), Some(1.0)), "{best}");
    let ten = ["--seeds-per-site", "10", "--seed-choice", "random"];
    let drawn = desk.json(&[&["bounds", "--truth", "sites.tsv", "-f", "json"], &ten[..]].concat());
    assert_eq!(drawn, desk.json(&[&["bounds", "--truth", "sites.tsv", "-f", "json"], &ten[..]].concat()));
    assert!(drawn.iter().all(|row| row["f1"].as_f64().unwrap() > 0.8), "{drawn:?}");
    let csv = fine(desk.run(&["bounds", "--truth", "sites.tsv", "-f", "csv"])).out;
    assert!(
        csv.starts_with("kind,site,method,size,truth,precision,recall,f1\r\n") && csv.lines().count() == 10,
        "{csv}"
    );
    // Prefixes and pages, one a line: with a start they are one site.
    desk.write("both.txt", "http://h.test/alpha/*\nhttp://h.test/beta/1.html\n");
    let rows = desk.json(&["bounds", &address("alpha", 0), "--truth", "both.txt", "-f", "json"]);
    let flow = rows.iter().find(|row| row["kind"] == "score" && row["method"] == "mcl+flow").unwrap();
    assert_eq!((flow["truth"].as_f64(), flow["size"].as_f64()), (Some(31.0), Some(30.0)), "{flow}");
    // Prefixes alone without a start are a site each.
    desk.write("each.txt", "http://h.test/alpha/\nhttp://h.test/beta/\n");
    assert_eq!(desk.json(&["bounds", "--truth", "each.txt", "-f", "json"]).len(), 9);
}

#[test]
fn bad_input_is_told_in_a_line_with_a_hint() {
    if is_on_server() {
        return;
    }
    let desk = two_sites();
    for (words, says) in [
        (&["http://h.test/nowhere"][..], "not in the survey"),
        (&["https://elsewhere.test/"], "not in the survey"),
        (&["--keyword", "zebra"], "`zebra`"),
        (&["--epsilon", "-1"], "--epsilon"),
        (&["--epsilon", "0"], "--epsilon"),
        (&["--epsilon", "cheap"], "cheap"),
        (&["--sigma", "-2"], "--sigma"),
        (&["--inflation", "1"], "--inflation"),
        (&["--selection", "0"], "--selection"),
        (&["--method", "magic"], "magic"),
        (&["--direction", "up"], "up"),
        (&["--seeds", "absent.txt"], "absent.txt"),
        (&["--truth", "absent.txt"], "absent.txt"),
        (&["--keyword", "a", "http://h.test/alpha/"], "--keyword"),
        (&["accept"], "URL"),
        (&["export"], "no site has been found"),
    ] {
        desk.run(&[&["bounds"], words].concat()).is_mistake(says);
    }
    fine(desk.run(&["bounds", "-q"]));
    desk.run(&["bounds", "accept", "ftp://h.test/"]).is_mistake("only http and https");
    desk.run(&["bounds", "reject", "*"]).is_mistake("nothing is named");
    desk.run(&["bounds", "merge", "http://h.test/nowhere"]).is_mistake("not in the survey");
    desk.write("broken.txt", "no URL here\n\u{0}\u{1}\n");
    desk.run(&["bounds", "--truth", "broken.txt"]).is_mistake("nothing in the file");
    desk.write("others.txt", "https://other.test/\n");
    desk.run(&["bounds", "--truth", "others.txt"]).is_mistake("no page of the survey");
    desk.write("empty.txt", "\n# nothing\n");
    desk.run(&["bounds", "--seeds", "empty.txt"]).is_mistake("names no page");
    desk.run(&["cluster", "--inflation", "0"]).is_mistake("--inflation");
    desk.run(&["cluster", "--store", "absent.groma"]).is_mistake("absent.groma");
    desk.run(&["bounds", "--store", "absent.groma"]).is_mistake("absent.groma");
    desk.run(&["map", "--scope", "host"]).is_mistake("host");
    desk.write("g.groma/bounds.db", "this is no database, however long it may be, and it never was one");
    desk.run(&["bounds", &address("alpha", 0)]).is_mistake("bounds.db");
    let verified = desk.run(&["verify"]);
    assert!(verified.code == 1 && verified.out.contains("bounds.db"), "{} {}", verified.out, verified.err);
}

#[test]
fn a_survey_without_pages_has_no_bounds() {
    let server = Server::start(|_: &Ask| Answer::status(404));
    let desk = Desk::new();
    let done = desk.run(&[&["crawl", &server.base(), "--store", "s.groma"], &FAST[..]].concat());
    assert_eq!(done.code, 3, "{}", done.err);
    for command in ["bounds", "cluster"] {
        desk.run(&[command]).is_mistake("no page of the survey has been read");
    }
    desk.run(&["pages", "--scope", "auto"]).is_mistake("no page of the survey has been read");
}

/// Two sites on one host, as pages: beta calls alpha by its name, and the front page links to both.
fn served(ask: &Ask) -> Answer {
    let parts: Vec<&str> = ask.path.trim_matches('/').split('/').collect();
    let (name, page) = match parts[..] {
        [name] if ["alpha", "beta"].contains(&name) => (name, 0),
        [name, file] if ["alpha", "beta"].contains(&name) => match file.trim_end_matches(".html").parse() {
            Ok(page) if page < PAGES => (name, page),
            _ => return Answer::status(404),
        },
        _ => return Answer::status(404),
    };
    let mut body = format!("<title>{name} {page}</title><h1>{name} {page}</h1><p>The {name} word of page {page}.</p>");
    for to in targets(page) {
        let path = if to == 0 { format!("/{name}/") } else { format!("/{name}/{to}.html") };
        body.push_str(&format!("<a href='{path}'>next page</a> "));
    }
    match (name, page) {
        ("alpha", 3) => body.push_str("<a href='/beta/'>elsewhere</a>"),
        ("alpha", 4) => body.push_str("<a href='/alpha/gone.html'>gone</a> <a href='https://far.test/'>far</a>"),
        ("beta", 7) => body.push_str("<a href='/alpha/'>telescope handbook</a> <a href='/beta/gone.html'>gone</a>"),
        ("beta", 10..16) => body.push_str(&format!("<a href='/alpha/{page}.html'>telescope mirrors</a>")),
        _ => {}
    }
    Answer::html(&body)
}

#[test]
fn a_crawled_site_is_found_and_is_a_scope_for_everything() {
    let server = Server::start(served);
    let desk = Desk::new();
    let base = format!("{}/", server.base());
    let start = format!("{base}alpha/");
    fine(desk.run(&[&["crawl", &start, "--store", "s.groma"], &FAST[..]].concat()));
    // Nobody has looked for a site yet: it is found now, and said so.
    let pages = fine(desk.run(&["pages", "--scope", "auto", "-f", "json"]));
    assert!(pages.err.contains("was found now: 30 pages"), "{}", pages.err);
    let rows = pages.json();
    let indexed = |rows: &[Value]| rows.iter().filter(|row| row["state"] == "fetched").count();
    assert_eq!(indexed(&rows), 30);
    assert!(rows.iter().any(|row| row["url"].as_str().unwrap().ends_with("/alpha/gone.html")), "by its prefix");
    assert!(!rows.iter().any(|row| row["url"].as_str().unwrap().contains("/beta/")));
    assert_eq!(indexed(&desk.json(&["pages", "-f", "json"])), 60);
    let head = desk.json(&["bounds", &start, "-f", "json"]).remove(0);
    let words: Vec<&str> =
        head["keywords"].as_array().unwrap().iter().map(|word| word["word"].as_str().unwrap()).collect();
    assert!(words.iter().any(|word| word.contains("telescope")), "what others call it: {words:?}");
    assert!(!words.contains(&"next page") && !words.contains(&"elsewhere"), "links within and to others say nothing");
    let map = fine(desk.run(&["map", "--scope", "auto", "--fields", "url", "--rows", "0"]));
    assert!(map.out.contains("/alpha/9.html") && !map.out.contains("/beta/"), "{}", map.out);
    assert!(map.out.contains("30 pages") || map.out.contains("31 pages"), "{}", map.out);
    let found = desk.run(&["check", "--scope", "auto", "-f", "json"]).json();
    let broken: Vec<&str> =
        found.iter().filter(|row| row["kind"] == "invalid-link").map(|row| row["from"].as_str().unwrap()).collect();
    assert_eq!(broken, [format!("{base}alpha/4.html")], "that of beta is not told");
    let out = desk.json(&["links", "--external", "--bounds", "auto", "-f", "json"]);
    let to: BTreeSet<&str> = out.iter().map(|row| row["to"].as_str().unwrap()).collect();
    assert_eq!(to, BTreeSet::from(["https://far.test/", &format!("{base}beta/")]));
    let on_alpha = desk.json(&["links", "--scope", "auto", "-f", "json"]);
    assert!(on_alpha.iter().all(|row| row["from"].as_str().unwrap().contains("/alpha/")) && !on_alpha.is_empty());
    let hits = desk.json(&["search", "word", "--scope", "auto", "-n", "100", "-f", "json"]);
    assert!(
        hits.len() == 30 && hits.iter().all(|hit| hit["url"].as_str().unwrap().contains("/alpha/")),
        "{}",
        hits.len()
    );
    // The last found site is the scope; a survey that was started over forgets sites, but not what was decided.
    fine(desk.run(&["bounds", &format!("{base}beta/")]));
    fine(desk.run(&["bounds", "reject", "/beta/1.html"]));
    assert_eq!(indexed(&desk.json(&["pages", "--scope", "auto", "-f", "json"])), 29);
    fine(desk.run(&[&["crawl", &start, "--store", "s.groma", "--fresh"], &FAST[..]].concat()));
    assert_eq!(desk.json(&["bounds", "decisions", "-f", "json"]).len(), 1);
}

#[test]
fn a_site_that_was_found_can_be_asked_for_as_a_job() {
    let desk = two_sites();
    let home = address("alpha", 0);
    fine(desk.run(&["jobs", "add", "bound", &home, "--store", "g.groma", "--format", "surt"]));
    fine(desk.run(&["jobs", "work", "--once", "--store", "g.groma"]));
    let jobs = desk.json(&["jobs", "-f", "json", "--store", "g.groma"]);
    assert_eq!((&jobs[0]["kind"], &jobs[0]["state"]), (&"bound".into(), &"done".into()), "{jobs:?}");
    assert_eq!(
        std::fs::read_to_string(desk.path.join("g.groma/results/1.surt")).unwrap(),
        "+http://(test,h,)/alpha/\n"
    );
    assert!(jobs[0]["outcome"].as_str().unwrap().contains("30 pages"), "{jobs:?}");
}

/// Two handbooks, about bees and about tractors, each spread over the same two folders, with links between them on every page.
fn tangled(ask: &Ask) -> Answer {
    let Some((folder, file)) = ask.path.trim_start_matches('/').split_once('/') else { return Answer::status(404) };
    let page = file.strip_suffix(".html").and_then(|page| page.parse::<usize>().ok());
    let Some(page) = page.filter(|page| *page < 2 * PAGES && folder == folder_of(*page)) else {
        return Answer::status(404);
    };
    const BEES: [&str; 8] = ["honey", "queen", "drone", "swarm", "hive", "nectar", "comb", "brood"];
    const TRACTORS: [&str; 8] = ["diesel", "plough", "gearbox", "clutch", "harrow", "axle", "tyre", "hitch"];
    let about = if page.is_multiple_of(2) { BEES } else { TRACTORS };
    let mut body = "<title>A handbook</title>".to_owned();
    for n in 0..8 {
        body.push_str(&format!("<p>The {} and the {}.</p>", about[(page / 2 + n) % 8], about[(page / 16 + 3 * n) % 8]));
    }
    // Even pages are of one handbook, odd ones of the other.
    for to in [1, 2, 4, 6, 8, 10, 12, 14].map(|step| (page + step) % (2 * PAGES)) {
        body.push_str(&format!("<a href='/{}/{to}.html'>on</a> ", folder_of(to)));
    }
    Answer::html(&body)
}

fn folder_of(page: usize) -> &'static str {
    ["a", "b"][page / 2 % 2]
}

#[test]
fn words_of_pages_count_where_they_are_asked_for_and_kept() {
    let server = Server::start(tangled);
    let desk = Desk::new();
    let start = format!("{}/a/0.html", server.base());
    fine(desk.run(&[&["crawl", &start, "--store", "s.groma"], &FAST[..]].concat()));
    let share = |lines: &[Value]| {
        let inside = of_verdict(lines, "in");
        let number = |address: &String| address.rsplit('/').next()?.strip_suffix(".html")?.parse::<usize>().ok();
        let even = inside.iter().filter_map(number).filter(|page| page % 2 == 0).count();
        (even, inside.len() - even)
    };
    let plain = desk.json(&["bounds", &start, "-f", "json"]);
    assert_eq!(plain[0]["similarity"], "none");
    assert_ne!(share(&plain), (PAGES, 0), "URLs cannot tell the two apart");
    let words = desk.json(&["bounds", &start, "--similarity", "words", "-f", "json"]);
    assert_eq!((&words[0]["similarity"], share(&words)), (&"words".into(), (PAGES, 0)));
    let told = fine(desk.run(&["bounds", &start, "--similarity", "words"])).out;
    assert!(told.contains("links weighed by URLs and words"), "{told}");
    // Clusters are kept for either; neither is taken for the other.
    assert_eq!(desk.json(&["bounds", &start, "-f", "json"])[1..], plain[1..]);
    desk.run(&["bounds", &start, "--similarity", "menus"]).is_mistake("menus");
    // An imported graph has no texts: URLs decide, and that is said.
    let graph = two_sites();
    let lines = graph.json(&["bounds", &address("alpha", 0), "--similarity", "words", "-f", "json"]);
    assert_eq!((&lines[0]["similarity"], of_verdict(&lines, "in")), (&"none".into(), site("alpha")));
}
