//! Connected components on a cluster.
//!
//! Rule: edges (u, v) with u > v, rewritten until every edge leads from a page straight to the smallest of its component. A round is a *large star*
//! (each node gives its larger neighbors the smallest of itself and its neighbors) and a *small star* (each node gives its smaller neighbors and
//! itself the smallest of them). A component keeps hanging together, and its smallest node never moves; when no v is a u, and no u has two v, all
//! edges are such: that is tested, so the result is exact.
//! Source: Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, Connected Components in MapReduce and Beyond, 2014 (alternating algorithm).
//! Cost: O(log^2 n) rounds proven, a handful in practice, whatever the diameter. A round moves 2 m rows of 16 bytes for the large star, at most
//! m for the small one, twice again to make rows distinct, and 2 m for the test; edges only become fewer.
//! Not guaranteed: an even load while a hub has most of the edges: its neighbors are one window on one machine.

use super::Spark;
use super::rounds::Rounds;
use crate::{GraphEngineError, Outcome, Watch};

const FIRST: &str = "SELECT DISTINCT greatest(source, target) AS u, least(source, target) AS v FROM arcs";

const ROUND: &str = "SELECT DISTINCT CASE WHEN v = m THEN u ELSE v END AS u, m AS v FROM (
  SELECT u, v, min(v) OVER (PARTITION BY u) AS m FROM (
    SELECT DISTINCT b AS u, least(a, m) AS v FROM (
      SELECT a, b, min(b) OVER (PARTITION BY a) AS m FROM (SELECT u AS a, v AS b FROM state UNION ALL SELECT v AS a, u AS b FROM state) ends
    ) large WHERE b > a
  ) star
) small";

pub(super) fn components(engine: &Spark, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
    let rounds = Rounds {
        cluster: &engine.cluster,
        step: "components",
        folder: engine.states("components"),
        columns: "u BIGINT, v BIGINT",
        of: engine.prepared.of.clone(),
        summary: "SELECT count(b.u) + count(*) - count(DISTINCT a.u) AS change, count(*) AS size
                  FROM state a LEFT JOIN (SELECT DISTINCT u FROM state) b ON a.v = b.u"
            .to_owned(),
        rows: None,
    };
    let mut mark = rounds.begin(FIRST)?;
    while mark.change > 0.0 {
        mark = rounds.next(&mark, ROUND, watch)?;
    }
    let named = "SELECT n.id, coalesce(s.v, n.id) AS component FROM nodes n LEFT JOIN state s ON n.id = s.u";
    Ok(Outcome { rounds: mark.round, ..engine.put("components", named, Some(engine.prepared.nodes))? })
}
