//! Breadth-first levels on a cluster, and the walk that the map shares with them.
//!
//! Rule: level 0 holds the roots; level i the nodes that level i - 1 links to and no earlier level holds. Beside its level a node keeps the smallest
//! position among those of level i - 1 that link to it: in the map that is its parent (P4), here positions are the ids.
//! State: (id, level, parent, position), all that were met.
//! Source: breadth-first search, a level a round; the map's rules P1 to P4, in the words of `ground/graph/src/grow.rs`.
//! Cost: a round for every level, and one that finds nothing. A round reads m arcs, moves those (16 bytes) and the last level by source, what was found by
//! target, and all that were met (32 bytes) once. So O(levels * (n + m)) in all: sites have tens of levels; a chain of a million pages is no
//! task for a cluster.
//! Exact: whole numbers only.

use super::Spark;
use super::rounds::{Mark, Rounds};
use crate::{GraphEngineError, Outcome, Watch};

pub(super) fn levels(engine: &Spark, roots: &[i64], watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
    let mut roots = roots.to_vec();
    roots.sort_unstable();
    roots.dedup();
    let list: Vec<String> = roots.iter().map(ToString::to_string).collect();
    engine.cluster.define("places", "SELECT id, id AS position, CAST(1 AS BIGINT) AS member FROM nodes")?;
    let chosen = if list.is_empty() { "1 = 0".to_owned() } else { format!("id IN ({})", list.join(", ")) };
    let mark = walk(engine, "levels", &chosen, &list.join("."), watch)?;
    let outcome = engine.put("levels", "SELECT id, level FROM state", Some(mark.rows))?;
    Ok(Outcome { rounds: mark.round, ..outcome })
}

/// Walks from the nodes that are chosen over those of `places` (id, position, member) that are members; what was met is called `state` then.
pub(super) fn walk(
    engine: &Spark,
    step: &'static str,
    chosen: &str,
    of: &str,
    watch: Watch<'_>,
) -> Result<Mark, GraphEngineError> {
    let rounds = Rounds {
        cluster: &engine.cluster,
        step,
        folder: engine.states(step),
        columns: "id BIGINT, level BIGINT, parent BIGINT, position BIGINT",
        of: format!("{}-{of}", engine.prepared.of),
        summary: String::new(),
        rows: None,
    };
    let count = |round: u32| Rounds {
        summary: format!(
            "SELECT coalesce(sum(CASE WHEN level = {round} THEN 1 ELSE 0 END), 0) AS change, count(*) AS size FROM state"
        ),
        folder: rounds.folder.clone(),
        of: rounds.of.clone(),
        ..rounds
    };
    let first = format!(
        "SELECT id, CAST(0 AS BIGINT) AS level, position AS parent, position FROM places WHERE member = 1 AND ({chosen})"
    );
    let mut mark = count(0).begin(&first)?;
    while mark.change > 0.0 {
        let round = mark.round + 1;
        mark = count(round).next(&mark, &round_sql(round), watch)?;
    }
    Ok(mark)
}

fn round_sql(round: u32) -> String {
    format!(
        "SELECT coalesce(s.id, f.id) AS id, coalesce(s.level, CAST({round} AS BIGINT)) AS level,
           coalesce(s.parent, f.parent) AS parent, coalesce(s.position, f.position) AS position
         FROM state s FULL OUTER JOIN (
           SELECT g.id, g.parent, p.position FROM (
             SELECT a.target AS id, min(l.position) AS parent FROM arcs a JOIN (
               SELECT id, position FROM state WHERE level = {}
             ) l ON a.source = l.id GROUP BY a.target
           ) g JOIN places p ON g.id = p.id WHERE p.member = 1
         ) f ON s.id = f.id",
        round - 1
    )
}
