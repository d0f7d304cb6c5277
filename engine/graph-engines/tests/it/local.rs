//! The engine of one machine.

use std::collections::{BTreeMap, BTreeSet};

use groma_graph::pagerank::Settings;
use groma_graph_engines::files::{each, whole};
use groma_graph_engines::{Engine, Going, GraphEngineError, Input, Local, PartSettings, mcl_parts, open, rank};

use crate::graphs::{Web, quiet, ranks, webs, wholes, write_links};
use crate::scratch::Scratch;

fn opened(scratch: &Scratch, web: &Web) -> Local {
    write_links(&scratch.join("links"), &web.links);
    Local::open(&Input::Links(scratch.join("links")), &scratch.join("work")).unwrap()
}

/// Every link once, loops not at all, and every number that occurs.
fn plain(web: &Web) -> (BTreeSet<(i64, i64)>, BTreeSet<i64>) {
    let arcs = web.links.iter().filter(|link| link.0 != link.1).map(|link| (link.0, link.1)).collect();
    (arcs, web.links.iter().flat_map(|link| [link.0, link.1]).collect())
}

#[test]
fn ranks_are_what_the_formula_says() {
    for web in webs() {
        let scratch = Scratch::new("ranks");
        let outcome = opened(&scratch, &web).ranks(&Settings::default(), &mut quiet).unwrap();
        let (arcs, nodes) = plain(&web);
        let found: BTreeMap<i64, f64> = ranks(&outcome).into_iter().collect();
        assert_eq!(found.keys().copied().collect::<BTreeSet<_>>(), nodes, "{}", web.name);
        let mut degree: BTreeMap<i64, f64> = BTreeMap::new();
        for arc in &arcs {
            *degree.entry(arc.0).or_default() += 1.0;
        }
        for &node in &nodes {
            let given: f64 = arcs.iter().filter(|arc| arc.1 == node).map(|arc| found[&arc.0] / degree[&arc.0]).sum();
            assert!((found[&node] - 0.15 - 0.85 * given).abs() < 1e-8, "{}: {node}", web.name);
        }
        assert!(outcome.converged);
    }
}

#[test]
fn degrees_components_and_levels_are_counted_by_hand() {
    for web in webs() {
        let scratch = Scratch::new("counts");
        let mut engine = opened(&scratch, &web);
        let (arcs, nodes) = plain(&web);
        let degrees = wholes(&engine.degrees().unwrap(), &["id", "links", "linked"]);
        assert_eq!(degrees.len(), nodes.len());
        for row in &degrees {
            let counts = |end: fn(&(i64, i64)) -> i64| arcs.iter().filter(|arc| end(arc) == row[0]).count() as i64;
            assert_eq!(row[1..], [counts(|arc| arc.0), counts(|arc| arc.1)], "{}: {}", web.name, row[0]);
        }
        let mut names: BTreeMap<i64, i64> = nodes.iter().map(|&node| (node, node)).collect();
        let mut levels: BTreeMap<i64, i64> = nodes.first().map(|&node| (node, 0)).into_iter().collect();
        // As many rounds as there are nodes are enough for any path.
        for _ in 0..nodes.len() {
            for &(from, to) in &arcs {
                let least = names[&from].min(names[&to]);
                names.insert(from, least);
                names.insert(to, least);
                if let Some(level) = levels.get(&from).map(|level| level + 1) {
                    let known = levels.entry(to).or_insert(level);
                    *known = level.min(*known);
                }
            }
        }
        let components = wholes(&engine.components(&mut quiet).unwrap(), &["id", "component"]);
        assert_eq!(components, names.iter().map(|(&id, &name)| vec![id, name]).collect::<Vec<_>>(), "{}", web.name);
        let roots: Vec<i64> = nodes.first().copied().into_iter().chain([123_456_789]).collect();
        let found = wholes(&engine.levels(&roots, &mut quiet).unwrap(), &["id", "level"]);
        assert_eq!(found, levels.iter().map(|(&id, &level)| vec![id, level]).collect::<Vec<_>>(), "{}", web.name);
    }
}

#[test]
fn the_map_keeps_its_four_promises() {
    for web in webs().into_iter().filter(|web| !web.links.is_empty()) {
        let scratch = Scratch::new("map");
        let mut engine = opened(&scratch, &web);
        let root = web.links[0].0;
        assert!(matches!(engine.map(root, &mut quiet), Err(GraphEngineError::NoRanks(_))), "{}", web.name);
        let ranks: BTreeMap<i64, f64> =
            ranks(&engine.ranks(&Settings::default(), &mut quiet).unwrap()).into_iter().collect();
        let map = wholes(&engine.map(root, &mut quiet).unwrap(), &["id", "layer", "parent", "position"]);
        let levels = wholes(&engine.levels(&[root], &mut quiet).unwrap(), &["id", "level"]);
        assert_eq!(map.iter().map(|row| row[..2].to_vec()).collect::<Vec<_>>(), levels, "{}", web.name);
        let (arcs, _) = plain(&web);
        let layer: BTreeMap<i64, i64> = map.iter().map(|row| (row[0], row[1])).collect();
        for row in &map {
            if row[0] == root {
                assert_eq!(row[1..3], [0, root]);
                continue;
            }
            let candidates: Vec<i64> = arcs
                .iter()
                .filter(|arc| arc.1 == row[0] && layer.get(&arc.0) == Some(&(row[1] - 1)))
                .map(|arc| arc.0)
                .collect();
            assert!(candidates.contains(&row[2]));
            let best = candidates.iter().map(|id| ranks[id]).fold(0.0, f64::max);
            assert!(ranks[&row[2]] >= best - 1e-9, "{}: {}", web.name, row[0]);
        }
        assert!(matches!(engine.map(123_456_789, &mut quiet), Err(GraphEngineError::NoRoot(_))));
    }
}

#[test]
fn parts_are_never_too_large_and_their_clusters_stay_inside() {
    let web = &webs()[0];
    let scratch = Scratch::new("parts");
    let mut engine = opened(&scratch, web);
    for largest in [1, 7, 60, 1000] {
        let outcome = engine.parts(&PartSettings { largest, rounds: 40 }, &mut quiet).unwrap();
        let parts: BTreeMap<i64, i64> = wholes(&outcome, &["id", "part"]).iter().map(|row| (row[0], row[1])).collect();
        let mut sizes: BTreeMap<i64, u32> = BTreeMap::new();
        for part in parts.values() {
            *sizes.entry(*part).or_default() += 1;
        }
        assert!(sizes.values().all(|&size| size <= largest), "{largest}: {sizes:?}");
        if largest == 60 {
            // Together is what belongs together: far more links stay inside than chance would leave there.
            let (arcs, nodes) = plain(web);
            let inside = arcs.iter().filter(|arc| parts[&arc.0] == parts[&arc.1]).count() as f64 / arcs.len() as f64;
            let chance = sizes.values().map(|&size| (f64::from(size) / nodes.len() as f64).powi(2)).sum::<f64>();
            assert!(
                inside > 2.0 * chance && sizes.len() < nodes.len() / 2,
                "{inside} of {chance}, {} parts",
                sizes.len()
            );
            for batch in [1, 100, u64::MAX] {
                let mut clusters = BTreeMap::new();
                let settings = groma_graph::mcl::Settings::fast(2.0);
                let manner = mcl_parts::Manner { settings, largest: 0, batch };
                let path = scratch.join("work/results/part-links");
                let mut links = |visit: &mut dyn FnMut(i64, i64, i64)| {
                    each(&path, &[whole("part"), whole("source"), whole("target")], u64::MAX, &mut |columns| {
                        for ((part, from), to) in columns[0].wholes().zip(columns[1].wholes()).zip(columns[2].wholes())
                        {
                            visit(part, from, to);
                        }
                    })
                };
                let done = mcl_parts::cluster_parts(&mut links, &manner, &mut quiet, &mut |id, cluster| {
                    assert!(clusters.insert(id, cluster).is_none());
                });
                let stopped = mcl_parts::cluster_parts(&mut links, &manner, &mut |_| Going::Stop, &mut |_, _| {});
                assert!(matches!(stopped, Err(GraphEngineError::Stopped { step: "clusters", round: 1 })));
                let done = done.unwrap();
                assert!(done.parts > 1 && done.rounds > 1 && done.converged);
                assert!(clusters.iter().all(|(id, cluster)| parts[id] == parts[cluster] && cluster <= id));
            }
        }
    }
}

#[test]
fn one_call_ranks_and_whoever_watches_can_stop_it() {
    let scratch = Scratch::new("call");
    write_links(&scratch.join("links"), &[(1, 2, false), (2, 1, false), (3, 1, false)]);
    let input = Input::Links(scratch.join("links"));
    let ranked = rank("local", &input, &scratch.join("work"), &Settings::default(), &mut quiet).unwrap();
    let values = ranked.values(3).unwrap();
    assert_eq!(values.iter().map(|value| value.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert!((values[2].1 - 0.15).abs() < 1e-12 && values[0].1 > values[1].1);
    assert!(ranked.values(2).is_err(), "more rows than there can be");
    let stopped = rank("local", &input, &scratch.join("work"), &Settings::default(), &mut |_| Going::Stop);
    assert!(matches!(stopped, Err(GraphEngineError::Stopped { step: "ranks", .. })));
    for address in ["", "spark://", "hadoop://x", "local://", "spark"] {
        assert!(matches!(open(address, &input, &scratch.join("work")), Err(GraphEngineError::Address(_))), "{address}");
    }
}
