//! Clusters come to what one machine comes to: ranks to 1e-9, everything else exactly.

use std::collections::BTreeMap;

use groma_graph::pagerank::Settings;
use groma_graph_engines::files::{self, Column};
use groma_graph_engines::{Engine, GraphEngineError, Input, Local, PartSettings, Spark, open};

use crate::graphs::{assert_same_ranks, quiet, ranks, webs, wholes, write_links};
use crate::scratch::Scratch;
use crate::survey::write_survey;

/// The clusters that are given, each by the variable that names it.
pub(crate) fn clusters() -> Vec<(&'static str, String)> {
    let mut given = Vec::new();
    for variable in ["GROMA_TEST_SAIL", "GROMA_TEST_SPARK"] {
        match std::env::var(variable).ok().filter(|address| !address.is_empty()) {
            Some(address) => given.push((variable, address)),
            None => eprintln!("skipped: {variable} names no cluster"),
        }
    }
    given
}

/// Asks both engines everything.
fn compare(address: &str, what: &str, input: &Input, root: Option<i64>, settings: &Settings) {
    let scratch = Scratch::new("compare");
    let mut local = Local::open(input, &scratch.join("local")).unwrap();
    let mut spark = open(address, input, &scratch.join("spark")).unwrap();
    let (ours, theirs) = (local.ranks(settings, &mut quiet).unwrap(), spark.ranks(settings, &mut quiet).unwrap());
    assert_eq!((ours.rounds, ours.converged), (theirs.rounds, theirs.converged), "{what}");
    assert_same_ranks(&ranks(&ours), &ranks(&theirs), what);
    let same = |ours: Result<_, GraphEngineError>, theirs: Result<_, GraphEngineError>, columns: &[&str]| {
        assert_eq!(wholes(&ours.unwrap(), columns), wholes(&theirs.unwrap(), columns), "{what}: {columns:?}");
    };
    same(local.degrees(), spark.degrees(), &["id", "links", "linked"]);
    same(local.components(&mut quiet), spark.components(&mut quiet), &["id", "component"]);
    let roots: Vec<i64> = root.into_iter().chain([123_456_789]).collect();
    same(local.levels(&roots, &mut quiet), spark.levels(&roots, &mut quiet), &["id", "level"]);
    if let Some(root) = root {
        same(local.map(root, &mut quiet), spark.map(root, &mut quiet), &["id", "layer", "parent", "position"]);
    }
    let settings = PartSettings { largest: 7, rounds: 6 };
    same(local.parts(&settings, &mut quiet), spark.parts(&settings, &mut quiet), &["id", "part"]);
    let inner = |of: &str| {
        let path = scratch.join(&format!("{of}/results/part-links"));
        let Ok(table) = files::read(&path, &[files::whole("source"), files::whole("target")], 1 << 20) else {
            return Vec::new();
        };
        let mut links: Vec<(i64, i64)> = table[0].wholes().zip(table[1].wholes()).collect();
        links.sort_unstable();
        links
    };
    assert_eq!(inner("local"), inner("spark"), "{what}");
}

#[test]
fn webs_of_all_kinds_come_out_the_same() {
    for (_, address) in clusters() {
        for web in webs() {
            let scratch = Scratch::new("links");
            write_links(&scratch.join("links"), &web.links);
            let root = web.links.first().map(|link| link.0);
            let settings = match web.name {
                "tangle" => Settings { rounds: 12, navigation: 0.25, ..Settings::default() },
                _ => Settings { tolerance: 1e-2, ..Settings::default() },
            };
            compare(&address, web.name, &Input::Links(scratch.join("links")), root, &settings);
        }
    }
}

#[test]
fn an_exported_survey_comes_out_the_same() {
    for (_, address) in clusters() {
        let scratch = Scratch::new("export");
        let input = write_survey(&scratch.join("export"));
        compare(&address, "survey", &input, Some(1), &Settings { tolerance: 1e-3, ..Settings::default() });
        let mut spark = Spark::open(&address, &input, &scratch.join("scope")).unwrap();
        spark.ranks(&Settings { rounds: 3, ..Settings::default() }, &mut quiet).unwrap();
        assert!(matches!(spark.map(6, &mut quiet), Err(GraphEngineError::NoRoot(6))), "out of scope");
        assert!(matches!(spark.map(999, &mut quiet), Err(GraphEngineError::NoRoot(999))));
    }
}

/// Ranks that are equal, that differ by noise, by chains of noise and across the edges of stretches: the order is the same.
#[test]
fn ties_are_decided_alike() {
    for (_, address) in clusters() {
        let scratch = Scratch::new("ties");
        // A star with two layers: which of the equal parents wins is the order's to say.
        let mut links: Vec<(i64, i64, bool)> = (1..=60).map(|n| (0, n, false)).collect();
        links.extend((1..=60).flat_map(|n| (0..4).map(move |m| (n, 100 + (n * 7 + m * 13) % 50, false))));
        write_links(&scratch.join("links"), &links);
        let input = Input::Links(scratch.join("links"));
        let mut local = Local::open(&input, &scratch.join("local")).unwrap();
        let mut spark = open(&address, &input, &scratch.join("spark")).unwrap();
        let once = Settings { rounds: 1, ..Settings::default() };
        local.ranks(&once, &mut quiet).unwrap();
        spark.ranks(&once, &mut quiet).unwrap();
        let edges = [1.0, 0.5, 16.0, 256.0, 65_536.0, 3.0 / 4096.0 * 300.0];
        let rank = |id: i64| {
            let edge = edges[(id % 6) as usize];
            match id % 4 {
                0 => edge,
                1 => edge * (1.0 - 4e-13 * (id % 9) as f64),
                2 => edge * (1.0 + 7e-13 * (id % 5) as f64),
                _ => edge * (1.0 + 1e-9 * (id % 3) as f64),
            }
        };
        let ids: BTreeMap<i64, f64> = links.iter().flat_map(|link| [link.0, link.1]).map(|id| (id, rank(id))).collect();
        let table = [("id", ids.keys().copied().collect::<Column>()), ("rank", ids.values().copied().collect())];
        for of in ["local", "spark"] {
            files::write(&scratch.join(&format!("{of}/results/ranks")), &table).unwrap();
        }
        let columns = ["id", "layer", "parent", "position"];
        let ours = wholes(&local.map(0, &mut quiet).unwrap(), &columns);
        assert_eq!(ours, wholes(&spark.map(0, &mut quiet).unwrap(), &columns));
        assert_eq!(ours.len(), ids.len());
    }
}

#[test]
fn what_is_missing_or_damaged_is_told() {
    for (_, address) in clusters() {
        let scratch = Scratch::new("missing");
        let said = |path: String| {
            open(&address, &Input::Links(path), &scratch.join("work"))
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        assert!(said(scratch.join("nowhere")).contains("nowhere"));
        std::fs::create_dir(scratch.path().join("junk")).unwrap();
        std::fs::write(scratch.path().join("junk/a.parquet"), "no columns here, only words").unwrap();
        assert!(said(scratch.join("junk")).contains("junk"));
        files::write(&scratch.join("other"), &[("a", [1i64].into_iter().collect::<Column>())]).unwrap();
        assert!(said(scratch.join("other")).contains("no column `source`"));
        let texts =
            [("source", ["x".to_owned()].into_iter().collect::<Column>()), ("target", [1i64].into_iter().collect())];
        files::write(&scratch.join("texts"), &texts).unwrap();
        assert!(said(scratch.join("texts")).contains("column `source` does not hold"));
        assert!(matches!(open(&address, &Input::Links("a*".to_owned()), "w"), Err(GraphEngineError::Place { .. })));
        write_links(&scratch.join("odd name 'x` --"), &[(1, 2, false)]);
        let mut odd = open(&address, &Input::Links(scratch.join("odd name 'x` --")), &scratch.join("w o'r`k")).unwrap();
        assert_eq!(odd.degrees().unwrap().rows, 2);
        assert!(matches!(odd.map(1, &mut quiet), Err(GraphEngineError::NoRanks(_))));
    }
}
