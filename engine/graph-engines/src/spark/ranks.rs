//! PageRank on a cluster.
//!
//! Formula, starting value, stopping rule: those of [`groma_graph::pagerank`], word for word: PR(p) = (1 - k) + k * sum over q of PR(q) * w / C(q),
//! C(q) the links of q with navigation counted w; from 1.0 on, until no rank changes by the tolerance; pages without links give nothing.
//! State: (id, rank, share, change), share = k / C.
//! Source: as there. One Jacobi round is one statement: join arcs with ranks by source, sum by target, join with the nodes.
//! Cost: as many rounds as `local` makes; error shrinks by k a round. A round moves m rows of 24 bytes by source and at most m (after sums on each
//! machine: at most n times the number of machines) rows of 16 by target, and writes n rows of 32.
//! Not guaranteed: the same bits as `local`, since a cluster adds in whatever order rows come: ranks differ by the rounding of their sums, some
//! 1e-15 of their size a round, damped by k. A round more or less, if a change falls that near to the tolerance. Convergence
//! within the rounds allowed.

use groma_graph::pagerank::Settings;

use super::Spark;
use super::rounds::Rounds;
use super::session::real;
use crate::{GraphEngineError, Outcome, Watch};

pub(super) fn ranks(engine: &Spark, settings: &Settings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
    let settings = settings.sound();
    let (damping, navigation) = (real(settings.damping), real(settings.navigation));
    let rounds = Rounds {
        cluster: &engine.cluster,
        step: "ranks",
        folder: engine.states("ranks"),
        columns: "id BIGINT, rank DOUBLE, share DOUBLE, change DOUBLE",
        of: format!("{}-{damping}-{navigation}", engine.prepared.of),
        summary: "SELECT coalesce(max(change), 0) AS change, count(*) AS size FROM state".to_owned(),
        rows: Some(engine.prepared.nodes),
    };
    // As there, an infinite change stands for a round that was not made; no cluster minds a very large number.
    let first = format!(
        "SELECT id, CAST(1 AS DOUBLE) AS rank, CASE WHEN c > 0 THEN {damping} / c ELSE CAST(0 AS DOUBLE) END AS share, {} AS change
         FROM (SELECT id, CAST(plain AS DOUBLE) + CAST(marked AS DOUBLE) * {navigation} AS c FROM nodes) n",
        real(f64::MAX)
    );
    let mut mark = rounds.begin(&first)?;
    let round = round_sql(&settings);
    let is_done = |change: f64| change < settings.tolerance || engine.prepared.nodes == 0;
    while mark.round < settings.rounds && !is_done(mark.change) {
        mark = rounds.next(&mark, &round, watch)?;
    }
    let outcome = engine.put("ranks", "SELECT id, rank FROM state", Some(mark.rows))?;
    let change = if mark.round == 0 { f64::INFINITY } else { mark.change };
    Ok(Outcome { rounds: mark.round, change, converged: is_done(mark.change), ..outcome })
}

fn round_sql(settings: &Settings) -> String {
    let base = real(1.0 - settings.damping);
    let weight = if settings.navigation == 1.0 {
        "w.weight".to_owned()
    } else {
        format!("CASE WHEN a.navigation = 1 THEN w.weight * {} ELSE w.weight END", real(settings.navigation))
    };
    format!(
        "SELECT id, fresh AS rank, share, abs(fresh - rank) AS change FROM (
           SELECT s.id, s.rank, s.share, {base} + coalesce(i.given, CAST(0 AS DOUBLE)) AS fresh FROM state s LEFT JOIN (
             SELECT a.target AS id, sum({weight}) AS given
             FROM arcs a JOIN (SELECT id, rank * share AS weight FROM state WHERE share > 0) w ON a.source = w.id GROUP BY a.target
           ) i ON s.id = i.id
         ) r"
    )
}
