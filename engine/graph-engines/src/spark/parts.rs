//! Parts of bounded size on a cluster: label propagation that respects a size, as `local/parts.rs` has it, rule by rule.
//!
//! State: (id, label, moved). A round: neighbors' labels are counted for the half of the nodes whose turn it is; labels without room fall out; the best is a
//! wish if it beats the own; a label grants as many wishes as it had room, in one order.
//! Source: as there. Clusters and cuts then run part by part on one machine (`mcl_parts.rs`).
//! Cost: at most the rounds allowed (24). A round moves m rows of 16 bytes (half of all directed edges) by neighbor, their counts by node and label,
//! n rows for sizes, and the wishes by label.
//! Exact: whole numbers only, all ties decided. Not guaranteed: what is not guaranteed there; an even load where most wishes name one label.

use super::Spark;
use super::rounds::{Rounds, sweep};
use crate::input::below;
use crate::local::turn;
use crate::{GraphEngineError, Outcome, PartSettings, Watch};

const EDGES: &str = "SELECT source AS a, target AS b FROM arcs UNION SELECT target AS a, source AS b FROM arcs";

pub(super) fn parts(engine: &Spark, settings: &PartSettings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
    let folder = engine.states("parts");
    sweep(&folder, "edges-", &[]);
    let place = below(&folder, &format!("edges-{}", engine.cluster.token));
    engine.cluster.write("take links without direction", EDGES, &place)?;
    engine.cluster.name("edges", &place, "a BIGINT, b BIGINT")?;
    let rounds = Rounds {
        cluster: &engine.cluster,
        step: "parts",
        folder,
        columns: "id BIGINT, label BIGINT, moved BIGINT",
        of: format!("{}-{}", engine.prepared.of, settings.largest),
        summary: "SELECT coalesce(sum(moved), 0) AS change, count(*) AS size FROM state".to_owned(),
        rows: Some(engine.prepared.nodes),
    };
    let mut mark = rounds.begin(&first_sql(engine.prepared.has_pages, settings.largest))?;
    let (mut before, mut converged) = (f64::INFINITY, false);
    while mark.round < settings.rounds && !converged {
        mark = rounds.next(&mark, &round_sql(mark.round + 1, settings.largest), watch)?;
        converged = mark.round.is_multiple_of(2) && mark.change == 0.0 && before == 0.0;
        before = mark.change;
    }
    let inner = "SELECT s.label AS part, a.source, a.target FROM arcs a JOIN state s ON a.source = s.id JOIN state t ON a.target = t.id
                 WHERE s.label = t.label";
    engine.put("part-links", inner, None)?;
    let outcome = engine.put("parts", "SELECT id, label AS part FROM state", Some(mark.rows))?;
    Ok(Outcome { rounds: mark.round, change: mark.change, converged, ..outcome })
}

fn first_sql(has_pages: bool, largest: u32) -> String {
    if !has_pages {
        return "SELECT id, id AS label, CAST(0 AS BIGINT) AS moved FROM nodes".to_owned();
    }
    format!(
        "SELECT p.id, CASE WHEN h.size <= {largest} THEN h.first ELSE p.id END AS label, CAST(0 AS BIGINT) AS moved
         FROM pages p JOIN (SELECT host, min(id) AS first, count(*) AS size FROM pages GROUP BY host) h ON p.host = h.host"
    )
}

fn round_sql(round: u32, largest: u32) -> String {
    let (bit, value) = turn(round);
    format!(
        "SELECT s.id, coalesce(w.label, s.label) AS label, CASE WHEN w.id IS NULL THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END AS moved
         FROM state s LEFT JOIN (
           SELECT id, label FROM (
             SELECT id, label, size, row_number() OVER (PARTITION BY label ORDER BY votes DESC, id) AS turn FROM (
               SELECT id, label, size, votes, mine, row_number() OVER (PARTITION BY id ORDER BY votes DESC, label) AS best FROM (
                 SELECT v.id, v.label, v.votes, z.size, o.label AS own,
                   max(CASE WHEN v.label = o.label THEN v.votes ELSE 0 END) OVER (PARTITION BY v.id) AS mine
                 FROM (
                   SELECT e.a AS id, n.label, count(*) AS votes FROM edges e JOIN state n ON e.b = n.id
                   WHERE (shiftright(e.a, {bit}) & 1) = {value} GROUP BY e.a, n.label
                 ) v JOIN state o ON v.id = o.id JOIN (SELECT label, count(*) AS size FROM state GROUP BY label) z ON v.label = z.label
               ) c WHERE label <> own AND size < {largest}
             ) b WHERE best = 1 AND votes > mine
           ) t WHERE turn <= {largest} - size
         ) w ON s.id = w.id"
    )
}
