//! `--engine`: what is refused, always; and on clusters that are named by GROMA_TEST_SAIL and GROMA_TEST_SPARK (`yard/services` starts
//! them), that ranks and maps are those of this machine, whatever is killed on the way.

use crate::Desk;

/// The demonstration site, kept.
fn museum() -> Desk {
    let desk = Desk::new();
    let done = desk.run(&["demo", "--keep", "-q"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk
}

#[test]
fn an_engine_that_is_none_is_told_before_anything_is_made() {
    let desk = museum();
    for engine in ["", "hadoop://x", "spark", "spark://", "sc://:15002", "spark:///x", "http://127.0.0.1:1", "LOCAL"] {
        desk.run(&["rank", "--engine", engine]).is_mistake("names no graph engine");
        for command in ["map", "cluster", "bounds"] {
            desk.run(&[command, "--engine", engine]).is_mistake("names no graph engine");
        }
    }
    let (plain, local) = (desk.run(&["rank"]), desk.run(&["rank", "--engine", "local"]));
    assert_eq!((plain.code, plain.out), (0, local.out));
    assert!(!desk.path.join("demo.groma/graph").exists());
}

#[cfg(not(feature = "spark"))]
#[test]
fn a_program_without_spark_says_how_to_build_one_with_it() {
    let desk = museum();
    for command in ["rank", "map", "cluster", "bounds"] {
        let done = desk.run(&[command, "--engine", "spark://127.0.0.1:15002"]);
        done.is_mistake("built without Spark");
        assert!(done.err.contains("cargo build --release -p groma --features spark"), "{}", done.err);
    }
}

#[cfg(feature = "spark")]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]
mod cluster {
    use std::collections::BTreeMap;
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::process::{Child, Stdio};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use serde_json::Value;

    use super::museum;
    use crate::{Desk, Done};

    /// The clusters that are given.
    fn clusters() -> Vec<String> {
        let mut given = Vec::new();
        for variable in ["GROMA_TEST_SAIL", "GROMA_TEST_SPARK"] {
            match std::env::var(variable).ok().filter(|address| !address.is_empty()) {
                Some(address) => given.push(address),
                None => eprintln!("skipped: {variable} names no cluster"),
            }
        }
        given
    }

    /// A survey of a made graph: some thousand pages of four hosts, with names that programs stumble over.
    fn made() -> Desk {
        let desk = Desk::new();
        let mut seed = 11u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        const PAGES: u64 = 3000;
        let odd = ["'", "\"; DROP TABLE links; --", "$(x)", "%00", "*?[a]{b}", "č\u{200b}ř", "\\", "${id}"];
        let name = |page: u64| format!("http://h{}.test/{page}/{}", page % 4, odd[(page % 8) as usize]);
        let mut edges = String::new();
        for page in 1..PAGES {
            // Everything hangs together, pages that are linked are linked more, and many ranks are equal.
            edges.push_str(&format!("{} {page}\n", next(page.min(40))));
            for _ in 0..next(6) {
                let reach = next(PAGES) + 1;
                edges.push_str(&format!("{page} {}\n", next(reach)));
            }
        }
        desk.write("edges.txt", &edges);
        desk.write("urls.txt", &(0..PAGES).map(|page| name(page) + "\n").collect::<String>());
        let import = ["import", "graph", "--edges", "edges.txt", "--urls", "urls.txt", "--store", "made.groma", "-q"];
        let done = desk.run(&import);
        assert_eq!(done.code, 0, "{}", done.err);
        desk
    }

    fn with<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
        [words, more].concat()
    }

    /// URLs and ranks, the best first.
    fn ranks(done: &Done) -> Vec<(String, f64)> {
        assert_eq!(done.code, 0, "{}", done.err);
        let row = |row: &Value| (row["url"].as_str().unwrap().to_owned(), row["rank"].as_f64().unwrap());
        done.json().iter().map(row).collect()
    }

    /// The same ranks to 1e-9, in the same order.
    fn assert_same(ours: &[(String, f64)], theirs: &[(String, f64)]) {
        assert!(!ours.is_empty());
        assert_eq!(ours.len(), theirs.len());
        let by_name: BTreeMap<&str, f64> = theirs.iter().map(|(name, rank)| (name.as_str(), *rank)).collect();
        for (name, rank) in ours {
            assert!((rank - by_name[name.as_str()]).abs() <= 1e-9, "{name}: {rank} and {}", by_name[name.as_str()]);
        }
        assert!(ours.iter().map(|row| &row.0).eq(theirs.iter().map(|row| &row.0)), "another order");
    }

    /// A map but for the moment it was drawn at, and with ranks as far as they are equal.
    fn drawn(desk: &Desk, words: &[&str]) -> String {
        let fields = "url,depth,pages,state,in,out,broken";
        let done = desk.run(&with(&["map", "-f", "json", "--fields", fields], words));
        assert_eq!(done.code, 0, "{}", done.err);
        let (before, after) = done.out.split_once("\"drawn\"").unwrap();
        format!("{before}{}", after.split_once(',').unwrap().1)
    }

    #[test]
    fn ranks_and_maps_are_those_of_this_machine() {
        for engine in clusters() {
            let desk = museum();
            let at = ["--engine", engine.as_str()];
            // What counts is decided here, so every way to count comes out the same; little damping makes few rounds.
            for more in [&["--damping", "0.3"][..], &["--damping", "0.3", "--links", "all", "--navigation", "0.25"]] {
                let words = with(&["rank", "-f", "json"], more);
                assert_same(&ranks(&desk.run(&words)), &ranks(&desk.run(&with(&words, &at))));
            }
            assert_eq!(drawn(&desk, &[]), drawn(&desk, &at));
            // Another root goes on with the ranks that are there.
            let root = with(&["--root", "/tools/"], &at);
            assert_eq!(drawn(&desk, &root[..2]), drawn(&desk, &root));
            for needs in [&["-f", "gexf"][..], &["-f", "graphml"], &["--why", "/tools/"]] {
                desk.run(&with(&with(&["map"], &at), needs)).is_mistake("every link in memory");
            }
            let text = desk.run(&with(&["rank", "--damping", "0.3", "--top", "3"], &at));
            assert_eq!((text.code, text.out), (0, desk.run(&["rank", "--damping", "0.3", "--top", "3"]).out));
        }
    }

    /// URL and cluster of every page.
    fn clusters_of(desk: &Desk, words: &[&str]) -> BTreeMap<String, String> {
        let done = desk.run(&with(&["cluster", "--inflation", "1.4", "-f", "tsv", "-q"], words));
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
            .lines()
            .map(|line| line.rsplit_once('\t').unwrap())
            .map(|(a, c)| (a.to_owned(), c.to_owned()))
            .collect()
    }

    /// Two sites of forty pages each with one link between them: what is linked closely is together, in parts as in one piece.
    fn two_sites() -> Desk {
        let desk = Desk::new();
        let (mut edges, mut urls) = (String::new(), String::new());
        for page in 0..80u32 {
            let site = page / 40;
            urls.push_str(&format!("http://h.test/{}/{page}.html\n", ["old", "new"][site as usize]));
            for step in [1, 2, 5, 11] {
                edges.push_str(&format!("{page} {}\n", site * 40 + (page + step) % 40));
            }
        }
        edges.push_str("3 47\n");
        desk.write("edges.txt", &edges);
        desk.write("urls.txt", &urls);
        let import = ["import", "graph", "--edges", "edges.txt", "--urls", "urls.txt", "--store", "two.groma", "-q"];
        let done = desk.run(&import);
        assert_eq!(done.code, 0, "{}", done.err);
        desk
    }

    #[test]
    fn clusters_and_bounds_are_found_in_parts() {
        for engine in clusters() {
            let desk = two_sites();
            let at = ["--engine", engine.as_str(), "--part", "50"];
            let (here, there) = (clusters_of(&desk, &[]), clusters_of(&desk, &at));
            assert_eq!(here.len(), 80);
            assert_eq!(here, there, "one cluster a site, whoever made the parts");
            let whole = clusters_of(&desk, &["--engine", engine.as_str()]);
            assert_eq!(here, whole);
            let bounds = |more: &[&str]| {
                let done = desk.run(&with(&["bounds", "http://h.test/old/0.html", "-f", "tsv", "-q"], more));
                assert_eq!(done.code, 0, "{}", done.err);
                let mut lines: Vec<String> =
                    done.out.lines().filter(|line| line.contains("/old/")).map(str::to_owned).collect();
                lines.sort();
                (lines, done.err)
            };
            let (plain, parted) = (bounds(&[]), bounds(&at));
            assert_eq!(plain.0.len(), 40);
            let split = |lines: &[String]| -> Vec<(String, String)> {
                lines.iter().filter_map(|line| line.rsplit_once('\t')).map(|(a, b)| (a.into(), b.into())).collect()
            };
            let (ours, theirs) = (split(&plain.0), split(&parted.0));
            assert!(ours.iter().map(|page| &page.0).eq(theirs.iter().map(|page| &page.0)), "the same verdicts");
            // Only what is said of the one link that leads out of the part is another thing: nobody saw it.
            let other: Vec<&str> = ours
                .iter()
                .zip(&theirs)
                .filter(|(a, b)| a.1 != b.1)
                .map(|(a, _)| a.0.split('\t').next().unwrap())
                .collect();
            assert_eq!(other, ["http://h.test/old/3.html"]);
            desk.run(&with(&["bounds", "--keyword", "old"], &at)).is_mistake("begins at pages that are stored");
            desk.run(&with(&["cluster", "--sigma", "fitted"], &at)).is_mistake("by their links alone");
        }
    }

    #[test]
    fn what_is_empty_odd_or_out_of_reach_is_told() {
        for engine in clusters() {
            let desk = Desk::new();
            desk.write("one.txt", "0 0\n");
            let done = desk.run(&["import", "graph", "--edges", "one.txt", "--store", "one.groma", "-q"]);
            if done.code == 0 {
                let words = ["rank", "-f", "json", "--store", "one.groma"];
                assert_same(&ranks(&desk.run(&words)), &ranks(&desk.run(&with(&words, &["--engine", &engine]))));
            }
            let desk = museum();
            let rank = |work: &str| desk.run(&["rank", "--damping", "0.2", "--engine", &engine, "--work", work]);
            rank("a*b").is_mistake("cannot be used as a place");
            rank("ftp://host/x").is_mistake("no place");
            rank("").is_mistake("no place");
            desk.write("file", "mine");
            rank("file").is_mistake("file");
            // What this is called here is another folder for the cluster.
            let unseen = rank("/proc/self/cwd/unseen");
            unseen.is_mistake("unseen");
            assert!(unseen.err.contains("--work DIR|URL"), "{}", unseen.err);
            assert_eq!(rank("odd 'name` --").code, 0);
            let taken = std::fs::File::create(desk.path.join("odd 'name` --/.held")).unwrap();
            taken.try_lock().unwrap();
            rank("odd 'name` --").is_mistake("another groma");
        }
    }

    #[test]
    fn nobody_there_is_told_within_a_minute() {
        if clusters().is_empty() {
            return;
        }
        let desk = museum();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let begun = Instant::now();
        let done = desk.run(&["rank", "--engine", &format!("spark://{free}")]);
        done.is_mistake("does not answer as Spark Connect");
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    }

    fn begun(desk: &Desk, words: &[&str]) -> Child {
        let mut command = desk.command(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // At work: as soon as the marks of two rounds are there.
        let both = desk.path.join("made.groma/graph/rounds/ranks/mark-1");
        let since = Instant::now();
        while !both.exists() {
            assert!(since.elapsed() < Duration::from_secs(180), "no round is made");
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    #[test]
    fn kill_minus_nine_costs_a_round_at_most() {
        for engine in clusters() {
            let desk = made();
            let words = ["rank", "-f", "json", "--engine", &engine];
            let mut child = begun(&desk, &words);
            std::thread::sleep(Duration::from_millis(150));
            desk.run(&words).is_mistake("another groma");
            child.kill().unwrap();
            child.wait().unwrap();
            let done = desk.run(&words);
            assert!(done.err.contains("going on after round"), "{}", done.err);
            assert_same(&ranks(&desk.run(&words[..3])), &ranks(&done));
            // Nothing is left to do but the map.
            assert_eq!(drawn(&desk, &[]), drawn(&desk, &words[3..]));
        }
    }

    /// Passes bytes on until it is told to end: an endpoint that can die.
    fn mortal(engine: &str, dead: &Arc<AtomicBool>) -> SocketAddr {
        let target = engine.split_once("://").unwrap().1.split(['/', ';']).next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let dead = Arc::clone(dead);
        std::thread::spawn(move || {
            let mut open = Vec::new();
            while !dead.load(Ordering::Relaxed) {
                let Ok((near, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                };
                near.set_nonblocking(false).unwrap();
                let far = TcpStream::connect(&target).unwrap();
                for (mut from, mut to) in [
                    (near.try_clone().unwrap(), far.try_clone().unwrap()),
                    (far.try_clone().unwrap(), near.try_clone().unwrap()),
                ] {
                    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
                }
                open.extend([near, far]);
            }
            for stream in open {
                let _ = stream.shutdown(std::net::Shutdown::Both);
            }
        });
        address
    }

    #[test]
    fn an_endpoint_that_dies_is_told_and_its_rounds_are_kept() {
        for engine in clusters() {
            let desk = made();
            let dead = Arc::new(AtomicBool::new(false));
            let address = format!("spark://{}", mortal(&engine, &dead));
            let child = begun(&desk, &["rank", "--engine", &address]);
            std::thread::sleep(Duration::from_millis(300));
            dead.store(true, Ordering::Relaxed);
            let since = Instant::now();
            let done = Done::from_output(&child.wait_with_output().unwrap());
            done.is_mistake(&address.replace("spark", "sc"));
            assert!(done.err.contains("are kept in"), "{}", done.err);
            assert!(since.elapsed() < Duration::from_secs(90), "{:?}", since.elapsed());
            let words = ["rank", "-f", "json", "--engine", &engine];
            let done = desk.run(&words);
            assert!(done.err.contains("going on after round"), "{}", done.err);
            assert_same(&ranks(&desk.run(&words[..3])), &ranks(&done));
        }
    }
}
