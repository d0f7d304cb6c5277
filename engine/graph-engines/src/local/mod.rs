//! The engine of one machine: the graph in memory as compressed rows, everything made in one go.
//!
//! Cost: 16 bytes a link while they are read, then 4 an arc and 8 a node, and 8 a node for the numbers of the input. Nothing is
//! kept between rounds: whoever is killed begins anew, which takes seconds where a cluster takes minutes.

mod components;
mod load;
mod parts;

use groma_graph::pagerank::{self, Settings};
use groma_graph::{Order, Tree};

use crate::files::{self, Column};
use crate::input::{below, plain};
use crate::{Engine, Going, GraphEngineError, Input, Outcome, PartSettings, Progress, Watch};
use load::Loaded;
#[cfg(feature = "spark")]
pub(crate) use parts::turn;

/// The most links that are read: 64 GB while they are sorted out. Whoever has more has a cluster.
pub(crate) const MOST_LINKS: u64 = 1 << 32;

/// A graph in memory.
#[derive(Debug)]
pub struct Local {
    loaded: Loaded,
    work: String,
}

impl Local {
    /// Reads links; results will go to `work`.
    pub fn open(input: &Input, work: &str) -> Result<Local, GraphEngineError> {
        plain(work)?;
        Ok(Local { loaded: load::load(input, MOST_LINKS)?, work: work.to_owned() })
    }

    /// Where a result goes.
    fn place(&self, name: &str) -> String {
        below(&below(&self.work, "results"), name)
    }

    /// Writes a result: the numbers of all nodes beside their values.
    fn put(&self, name: &str, nodes: &[u32], columns: Vec<(&str, Column)>) -> Result<Outcome, GraphEngineError> {
        let ids = nodes.iter().map(|&node| self.loaded.ids[node as usize]).collect();
        let mut table = vec![("id", ids)];
        table.extend(columns);
        let path = self.place(name);
        let rows = files::write(&path, &table)?;
        Ok(Outcome { path, rows, rounds: 0, change: 0.0, converged: true })
    }

    fn all(&self) -> Vec<u32> {
        (0..self.loaded.graph.node_count()).collect()
    }

    /// The ranks that were made, by node.
    fn made_ranks(&self) -> Result<Vec<f64>, GraphEngineError> {
        let path = self.place("ranks");
        let wanted = [files::whole("id"), files::real("rank")];
        let Ok(table) = files::read(&path, &wanted, self.loaded.ids.len() as u64) else {
            return Err(GraphEngineError::NoRanks(path));
        };
        let mut ranks = vec![f64::NEG_INFINITY; self.loaded.ids.len()];
        for (id, rank) in table[0].wholes().zip(table[1].reals()) {
            if let Some(node) = self.loaded.node(id) {
                ranks[node as usize] = rank;
            }
        }
        Ok(ranks)
    }
}

/// Tells of a round, and gives up if whoever watches does.
pub(crate) fn tell(watch: Watch<'_>, progress: Progress) -> Result<(), GraphEngineError> {
    match watch(&progress) {
        Going::On => Ok(()),
        Going::Stop => Err(GraphEngineError::Stopped { step: progress.step, round: progress.round }),
    }
}

impl Engine for Local {
    fn ranks(&mut self, settings: &Settings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        let ranks = pagerank::rank(&self.loaded.graph, settings);
        let values = ranks.values.iter().copied().collect();
        let outcome = self.put("ranks", &self.all(), vec![("rank", values)])?;
        tell(watch, Progress { step: "ranks", round: ranks.rounds, change: ranks.change })?;
        Ok(Outcome { rounds: ranks.rounds, change: ranks.change, converged: ranks.converged(), ..outcome })
    }

    fn degrees(&mut self) -> Result<Outcome, GraphEngineError> {
        let graph = &self.loaded.graph;
        let all = self.all();
        let links: Column = all.iter().map(|&node| graph.successors(node).len() as i64).collect();
        let linked: Column = graph.in_degrees().into_iter().map(i64::from).collect();
        self.put("degrees", &all, vec![("links", links), ("linked", linked)])
    }

    fn components(&mut self, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        let smallest = components::components(&self.loaded.graph);
        let column = smallest.iter().map(|&node| self.loaded.ids[node as usize]).collect();
        let outcome = self.put("components", &self.all(), vec![("component", column)])?;
        tell(watch, Progress { step: "components", round: 1, change: 0.0 })?;
        Ok(Outcome { rounds: 1, ..outcome })
    }

    fn levels(&mut self, roots: &[i64], watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        let graph = &self.loaded.graph;
        let mut levels: Vec<Option<i64>> = vec![None; self.loaded.ids.len()];
        let mut layer: Vec<u32> = roots.iter().filter_map(|&root| self.loaded.node(root)).collect();
        let mut level = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &node in &layer {
                if levels[node as usize].is_none() {
                    levels[node as usize] = Some(level);
                    next.extend(graph.successors(node).iter().filter(|&&to| levels[to as usize].is_none()));
                }
            }
            layer = next;
            level += 1;
        }
        let reached: Vec<u32> = self.all().into_iter().filter(|&node| levels[node as usize].is_some()).collect();
        let column = Column::Whole(reached.iter().map(|&node| levels[node as usize]).collect());
        let outcome = self.put("levels", &reached, vec![("level", column)])?;
        let rounds = u32::try_from(level).unwrap_or(u32::MAX);
        tell(watch, Progress { step: "levels", round: rounds, change: 0.0 })?;
        Ok(Outcome { rounds, ..outcome })
    }

    fn map(&mut self, root: i64, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        let node = self.loaded.node(root).filter(|&node| self.loaded.is_member(node));
        let node = node.ok_or(GraphEngineError::NoRoot(root))?;
        let order = Order::new(&self.made_ranks()?, &|a, b| self.loaded.by_name(a, b));
        let tree = Tree::grow_by(&self.loaded.graph, &order, node, &|node| self.loaded.is_member(node));
        let places: Vec<u32> = (0..tree.len()).collect();
        let nodes: Vec<u32> = places.iter().map(|&place| tree.node(place)).collect();
        let layers = places.iter().map(|&place| i64::from(tree.depth(place))).collect();
        let parent = |place: u32| tree.node(tree.parent(place).unwrap_or(place));
        let parents = places.iter().map(|&place| self.loaded.ids[parent(place) as usize]).collect();
        let positions = nodes.iter().map(|&node| order.position(node).map(i64::from)).collect();
        let columns = vec![("layer", layers), ("parent", parents), ("position", Column::Whole(positions))];
        let outcome = self.put("map", &nodes, columns)?;
        tell(watch, Progress { step: "map", round: tree.layer_count(), change: 0.0 })?;
        Ok(Outcome { rounds: tree.layer_count(), ..outcome })
    }

    fn parts(&mut self, settings: &PartSettings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        let found = parts::parts(&self.loaded, settings, watch)?;
        let id = |node: u32| self.loaded.ids[node as usize];
        let graph = &self.loaded.graph;
        let all = self.all();
        let inner = || {
            let rows = all.iter().flat_map(|&from| graph.successors(from).iter().map(move |&to| (from, to)));
            rows.filter(|&(from, to)| found.of[from as usize] == found.of[to as usize])
        };
        let part = |node: u32| id(found.of[node as usize]);
        let links = [
            ("part", inner().map(|(from, _)| part(from)).collect()),
            ("source", inner().map(|(from, _)| id(from)).collect()),
            ("target", inner().map(|(_, to)| id(to)).collect()),
        ];
        files::write(&self.place("part-links"), &links)?;
        let outcome = self.put("parts", &all, vec![("part", all.iter().map(|&node| part(node)).collect())])?;
        Ok(Outcome { rounds: found.rounds, change: found.moved as f64, converged: found.converged, ..outcome })
    }
}
