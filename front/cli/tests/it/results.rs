//! Ranks, maps, checks and links of a survey, from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Desk, Done};

/// The demonstration site, kept.
fn museum() -> Desk {
    let desk = Desk::new();
    let done = desk.run(&["demo", "--keep", "-q"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk
}

fn ranks(desk: &Desk, store: &str) -> BTreeMap<String, f64> {
    let rows = desk.json(&["rank", "-f", "json", "--store", store]);
    let row = |row: &serde_json::Value| Some((row["url"].as_str()?.to_owned(), row["rank"].as_f64()?));
    rows.iter().map(|line| row(line).expect("a URL and a rank")).collect()
}

#[test]
fn ranks_are_the_fixed_point_of_the_formula_over_the_links_that_are_listed() {
    let desk = museum();
    let ranks = ranks(&desk, "demo.groma");
    let pages = desk.json(&["pages", "-f", "json", "--store", "demo.groma"]);
    let canonical: BTreeMap<&str, &str> =
        pages.iter().map(|page| (page["url"].as_str().unwrap(), page["canonical"].as_str().unwrap())).collect();
    let mut links: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for link in desk.json(&["links", "-f", "json", "--store", "demo.groma"]) {
        let kind = link["kind"].as_str().unwrap();
        let (from, to) = (link["from"].as_str().unwrap(), canonical[link["to"].as_str().unwrap()]);
        if !["image", "style", "script", "form"].contains(&kind) && ranks.contains_key(to) && from != to {
            links.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
    }
    for (page, rank) in &ranks {
        let given = |(from, to): (&String, &BTreeSet<String>)| {
            if to.contains(page) { ranks[from] / to.len() as f64 } else { 0.0 }
        };
        let expected = 0.15 + 0.85 * links.iter().map(given).sum::<f64>();
        assert!((rank - expected).abs() < 1e-7, "{page}: {rank}, by the formula {expected}");
    }
    let csv = desk.run(&["rank", "-f", "csv"]).out;
    assert!(csv.starts_with("url,rank\r\n") && csv.lines().count() == ranks.len() + 1, "{csv}");
}

#[test]
fn every_form_of_the_map_names_every_page() {
    let desk = museum();
    for form in ["xml", "html", "svg", "json", "gexf", "graphml", "sitemap"] {
        let done = desk.run(&["map", "-f", form, "--fields", "title,url"]);
        assert_eq!(done.code, 0, "{form}: {}", done.err);
        for name in ["/tools/groma.html", "/cs/vodovaha.html", "/news/item?id=3"] {
            assert!(done.out.contains(name), "{form} lacks {name}");
        }
    }
    let sitemap = desk.run(&["map", "-f", "sitemap", "--gzip", "-o", "my.xml"]);
    assert!(sitemap.code == 0 && crate::exists(&desk.path, "my.xml.gz"), "{}", sitemap.err);
    assert!(!desk.run(&["map", "-f", "sitemap"]).out.contains("lastmod"), "nobody said when a page changed");
    let pdf = desk.command(&["map", "-f", "pdf"]).output().unwrap();
    assert!(pdf.status.success() && pdf.stdout.starts_with(b"%PDF-"));
    let text = desk.run(&["map"]).out;
    assert!(text.contains("Muzeum měření") && text.contains("1 page cannot be reached"), "{text}");
    let addresses = desk.run(&["map", "--fields", "url"]).out;
    assert!(addresses.contains("/cs/vodovaha.html") && !addresses.contains("Vodováha"), "{addresses}");
    for which in ["xsd", "xhtml", "fo"] {
        assert!(desk.run(&["map", "--schema", which]).out.starts_with("<?xml"), "{which}");
    }
}

#[test]
fn the_map_is_the_same_every_time_and_can_have_another_root() {
    let desk = museum();
    let draw = |root: &str| desk.run(&["map", "-f", "json", "--fields", "url", "--root", root]).out;
    let without_time = |text: String| text.split("\"drawn\"").last().unwrap().split_once(',').unwrap().1.to_owned();
    assert_eq!(without_time(draw("/")), without_time(draw("/")));
    let tools = draw("/tools/");
    assert!(tools.contains("/tools/chain.html") && tools.contains("\"root\""), "{tools}");
    desk.run(&["map", "--root", "/nowhere"]).is_mistake("not in the survey");
    desk.run(&["map", "--root", "/tools/astrolabe.html"]).is_mistake("was not fetched");
    desk.run(&["map", "--fields", "color"]).is_mistake("color");
}

#[test]
fn why_a_page_stands_where_it_stands() {
    let desk = museum();
    let why = |url: &str| desk.json(&["map", "--why", url, "-f", "json"]).remove(0);
    let page = why("/tools/groma.html");
    assert_eq!((page["on_map"].as_bool(), page["layer"].as_u64()), (Some(true), Some(2)), "{page}");
    assert!(page["candidates"][0]["url"].as_str().unwrap().ends_with("/tools/"), "{page}");
    assert_eq!(why("/visit.html")["on_map"], false);
    assert!(why("/tools/astrolabe.html")["says"].as_str().unwrap().contains("broken"));
    assert!(desk.run(&["map", "--why", "/"]).out.contains("root of the map"));
}

#[test]
fn a_check_is_a_gate_and_a_baseline_lets_old_findings_pass() {
    let desk = museum();
    let check = |words: &[&str]| desk.run(&[&["check"], words].concat());
    let found = check(&["-f", "json"]);
    assert_eq!(found.code, 1, "an invalid link is an error");
    let rows = found.json();
    let invalid: Vec<_> = rows.iter().filter(|row| row["kind"] == "invalid-link").collect();
    assert_eq!(invalid.len(), 1, "{}", found.out);
    let (link, keys) = (invalid[0], ["from", "to", "anchor", "block", "reason", "since"]);
    assert!(keys.iter().all(|key| !link[*key].as_str().unwrap_or_default().is_empty()), "{link}");
    assert!(link["to"].as_str().unwrap().ends_with("/tools/astrolabe.html"));
    assert_eq!(link["reason"], "not-found");
    assert!(rows.iter().any(|row| row["kind"] == "orphan" && row["from"].as_str().unwrap().ends_with("/visit.html")));
    assert_eq!(check(&["--fail-on", "none"]).code, 0);
    assert_eq!(check(&["--fail-on", "invalid-link>1"]).code, 0);
    assert_eq!(check(&["--fail-on", "orphan"]).code, 1);
    check(&["--fail-on", "everything"]).is_mistake("everything");
    check(&["--only", ""]).is_mistake("are expected");
    check(&["--only", "dust"]).is_mistake("dust");
    check(&["--only", "orphan", "--fail-on", "invalid-link"]).is_mistake("leaves out");
    assert_eq!(check(&["--only", "orphan"]).code, 1, "what is asked for alone is what matters");
    assert_eq!(check(&["--write-baseline", "old.jsonl"]).code, 1);
    let again = check(&["--baseline", "old.jsonl", "--only-new", "-f", "json"]);
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{}", again.err);
    desk.write("bad.jsonl", "{\"kind\": 7}\n");
    check(&["--baseline", "bad.jsonl"]).is_mistake("line 1");
    check(&["--baseline", "missing.jsonl"]).is_mistake("missing.jsonl");
    for form in ["text", "json", "csv", "markdown", "junit", "sarif"] {
        let news = check(&["--baseline", "old.jsonl", "--only-new", "-f", form]);
        assert!(news.code == 0 && !news.out.contains("astrolabe"), "{form}: {}", news.out);
        let all = check(&["--baseline", "old.jsonl", "-f", form]);
        assert!(all.code == 0 && all.out.contains("astrolabe"), "{form}: {}", all.out);
        assert_eq!(check(&["-f", form]).code, 1, "{form}");
    }
    let junit = check(&["-f", "junit"]).out;
    assert!(junit.contains("<testsuite") && junit.contains("astrolabe"), "{junit}");
    assert!(check(&["-f", "markdown"]).out.contains("astrolabe"));
}

#[test]
fn links_are_listed_by_either_end() {
    let desk = museum();
    let to = desk.json(&["links", "--to", "/tools/astrolabe.html", "-f", "json"]);
    assert_eq!(to.len(), 1);
    assert_eq!((to[0]["state"].as_str(), to[0]["anchor"].as_str()), (Some("broken"), Some("The astrolabe")));
    let from = desk.json(&["links", "--from", "/gallery.html", "-f", "json"]);
    assert_eq!(from.iter().filter(|link| link["kind"] == "image").count(), 6);
    assert!(desk.run(&["links", "--external"]).out.contains("no links"));
    desk.run(&["links", "--external", "--bounds", "prefix"]).is_mistake("needs --prefix");
    desk.run(&["links", "--border", "host"]).is_mistake("--external");
}

#[test]
fn a_bare_graph_can_be_imported_ranked_and_mapped() {
    let desk = Desk::new();
    // A cycle of three and a page that all of them name.
    desk.write("edges.txt", "# made up\n0 1\n1 2\n2 0\n0 3\n1 3\n2 3\n2 2\n");
    let import = |words: &[&str]| desk.run(&[&["import", "graph", "--store", "g.groma"], words].concat());
    let done = import(&["--edges", "edges.txt"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let ranks = ranks(&desk, "g.groma");
    // x = 0.15 + 0.425 x on the cycle; 3 has 0.15 + 3 * 0.425 x.
    let x = 0.15 / 0.575;
    for (node, rank) in [("0", x), ("1", x), ("2", x), ("3", 0.15 + 1.275 * x)] {
        assert!((ranks[node] - rank).abs() < 1e-8, "{node}: {ranks:?}");
    }
    assert_eq!(desk.run(&["verify", "--store", "g.groma"]).code, 0);
    let map = desk.run(&["map", "--store", "g.groma", "--root", "2", "-f", "json", "--fields", "url"]).out;
    assert!(map.contains("\"0\"") && map.contains("\"3\""), "{map}");
    assert_eq!(desk.json(&["explain", "3", "--store", "g.groma", "-f", "json"])[0]["reason"], "imported");
    import(&["--edges", "edges.txt"]).is_mistake("already holds");
    desk.write("urls.txt", "http://a.test/\nhttp://a.test/b\nhttp://c.test/\n");
    import(&["--fresh", "--edges", "edges.txt", "--urls", "urls.txt"]).is_mistake("node 3");
    desk.write("broken.txt", "0 1\n0\n");
    import(&["--fresh", "--edges", "broken.txt"]).is_mistake("line 2");
    assert_eq!(desk.run(&["rank", "--store", "g.groma"]).code, 0, "a failed import leaves what was there");
}

#[test]
fn two_surveys_are_compared() {
    let desk = museum();
    let done = desk.run(&["demo", "-q", "--store", "later.groma"]);
    assert_eq!(done.code, 0, "{}", done.err);
    // The same site on another port.
    let same = desk.run(&["diff", "demo.groma", "later.groma"]);
    assert_eq!(same.code, 0, "{}", same.err);
    assert!(same.out.contains("no difference") && same.err.contains("different hosts"), "{} {}", same.out, same.err);
    desk.write("a.txt", "http://a.test/ http://a.test/x\nhttp://a.test/x http://a.test/y\n");
    desk.write("b.txt", "http://a.test/ http://a.test/x\nhttp://a.test/ http://a.test/y\n");
    for name in ["a", "b"] {
        let words = ["import", "graph", "-q", "--edges", &format!("{name}.txt"), "--store", &format!("{name}.groma")];
        assert_eq!(desk.run(&words).code, 0);
    }
    let rows = desk.json(&["diff", "a.groma", "b.groma", "-f", "json"]);
    let has = |change: &str, url: &str, to: &str| {
        rows.iter().any(|row| row["change"] == change && row["url"] == url && row["to"] == to)
    };
    assert!(has("link-added", "http://a.test/", "http://a.test/y"), "{rows:?}");
    assert!(has("link-removed", "http://a.test/x", "http://a.test/y"), "{rows:?}");
    assert!(has("place-moved", "http://a.test/y", "http://a.test/"), "{rows:?}");
    desk.run(&["diff", "a.groma"]).is_mistake("cannot be compared");
}

#[test]
fn what_was_not_read_is_said() {
    let desk = Desk::new();
    let site = groma_testweb::Server::start(groma_testweb::sites::Wide { pages: 20, links_each: 3 });
    let base = format!("{}/", site.base());
    let some = desk.run(&["crawl", &base, "--delay", "0", "-n", "5", "--store", "some.groma"]);
    assert_eq!(some.code, 4, "{}", some.err);
    assert!(desk.run(&["map", "--store", "some.groma"]).out.contains("known, but not read"));
    assert_eq!(desk.run(&["crawl", &base, "--delay", "0", "-q", "--store", "all.groma"]).code, 0);
    let diff = desk.run(&["diff", "all.groma", "some.groma", "-f", "json"]);
    assert!(diff.err.contains("newer survey is not complete") && !diff.out.contains("finding-fixed"), "{}", diff.err);
}

#[test]
fn an_address_alone_is_surveyed_whole() {
    let desk = Desk::new();
    let site = groma_testweb::Server::start(groma_testweb::sites::Wide { pages: 5, links_each: 3 });
    let base = format!("{}/", site.base());
    let done: Done = desk.run(&[&base, "--delay", "0", "--store", "s.groma", "-f", "json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let summary = done.json().pop().unwrap()["summary"].clone();
    assert_eq!(summary["results"]["map"]["pages"], summary["fetched"], "{summary}");
    assert_eq!(summary["results"]["top"][0]["url"].as_str(), Some(base.as_str()), "{summary}");
    assert!(summary["results"]["check"]["pages"].as_u64() > Some(0), "{summary}");
    let text = desk.run(&[&base, "--delay", "0", "--store", "s.groma"]).out;
    assert!(text.contains("first by rank") && text.contains("groma report"), "{text}");
}

#[test]
fn what_only_reads_a_survey_ends_at_the_first_interrupt() {
    let desk = museum();
    desk.run(&["bounds", "-q", "--store", "demo.groma"]);
    for words in
        [&["rank"][..], &["map", "-f", "json"], &["pages"], &["links"], &["check"], &["pages", "--scope", "auto"]]
    {
        // The pipe is full and nobody reads: it waits in the middle of its output for ever.
        let (_reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(&[b' '; 65_536]).unwrap();
        let mut command = desk.command(words);
        command.args(["--store", "demo.groma"]).stdout(writer).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{words:?} ended before it could be interrupted");
        assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(20) {
                child.kill().unwrap();
                panic!("{words:?} is still there");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
