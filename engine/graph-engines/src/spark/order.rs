//! The one order of all pages, on a cluster.
//!
//! Rule: that of [`groma_graph::Order`]: by rank down; neighbors in the sorted ranks whose gap is noise (1e-12 of their size) are one group, and
//! names decide within a group. To sort on many machines, ranks go into stretches that do not overlap (up to 70,000, finer where most ranks
//! are); gaps are looked at within each, and at its upper edge against the lowest rank of the stretch above; counts of groups and pages
//! in the stretches above are added to what is counted within. A group belongs to the stretch of its highest rank.
//! Source: own; range partitioning with offsets is how clusters sort.
//! Cost: three statements. Different ranks (8 bytes) are moved once for gaps, once for groups; pages (id, rank, name) twice. Equal ranks count once until
//! names are sorted.
//! Not guaranteed: an even load where a large part of all pages has one rank, as those without links to them do: their names are sorted by one
//! task (which spills). The same order as `local` where a gap of the ranks is as near to the noise as sums in another order
//! are to each other (1e-15); with the same ranks it is the same.

use super::Spark;
use super::rounds::sweep;
use crate::GraphEngineError;
use crate::input::below;

/// Which stretch a rank is in, the higher the greater. Only products with powers of two, which are exact: a greater rank is never in a lower one.
const STRETCH: &str = "CASE WHEN rank < 1 THEN CAST(floor(rank * 4096) AS BIGINT) WHEN rank < 16 THEN 10000 + CAST(floor(rank * 256) AS BIGINT)
  WHEN rank < 256 THEN 20000 + CAST(floor(rank * 16) AS BIGINT) WHEN rank < 65536 THEN 30000 + CAST(floor(rank) AS BIGINT)
  ELSE CAST(1000000 AS BIGINT) END";

/// Different ranks, their stretch, and 1 where a group begins.
const GAPS: &str = "SELECT rank, stretch, CASE WHEN above IS NULL THEN CAST(1 AS BIGINT)
    WHEN above = rank OR above - rank <= 1e-12D * greatest(abs(above), abs(rank)) THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END AS begins
  FROM (
    SELECT w.rank, w.stretch, coalesce(w.above, e.lowest_above) AS above FROM (
      SELECT rank, stretch, lag(rank) OVER (PARTITION BY stretch ORDER BY rank DESC) AS above FROM (
        SELECT rank, STRETCH AS stretch FROM (SELECT DISTINCT rank FROM ranked) d
      ) v
    ) w JOIN (
      SELECT stretch, lag(lowest) OVER (ORDER BY stretch DESC) AS lowest_above FROM (
        SELECT stretch, min(rank) AS lowest FROM (SELECT rank, STRETCH AS stretch FROM ranked) m GROUP BY stretch
      ) n
    ) e ON w.stretch = e.stretch
  ) g";

/// Different ranks with the number of their group, and the stretch of its first.
const GROUPS: &str = "SELECT rank, number, max(stretch) OVER (PARTITION BY number) AS stretch FROM (
    SELECT g.rank, g.stretch, o.before
      + sum(g.begins) OVER (PARTITION BY g.stretch ORDER BY g.rank DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS number
    FROM gaps g JOIN (
      SELECT stretch, coalesce(sum(groups) OVER (ORDER BY stretch DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (SELECT stretch, sum(begins) AS groups FROM gaps GROUP BY stretch) c
    ) o ON g.stretch = o.stretch
  ) k";

/// Makes the table `order` (id, position, member), called `places` then, from the ranks that were made.
pub(super) fn order(engine: &Spark) -> Result<(), GraphEngineError> {
    let cluster = &engine.cluster;
    let all = engine.states("order");
    sweep(&all, "tables-", &[]);
    let folder = below(&all, &format!("tables-{}", cluster.token));
    let ranks = engine.place("ranks");
    let missing = || GraphEngineError::NoRanks(ranks.clone());
    cluster.name("made_ranks", &ranks, "id BIGINT, rank DOUBLE").map_err(|_| missing())?;
    let row = cluster.row("read the ranks", "SELECT count(*) FROM made_ranks").map_err(|_| missing())?;
    let made = row.and_then(|row| row.first().and_then(super::session::Value::as_i64)).unwrap_or_default();
    if u64::try_from(made).ok() != Some(engine.prepared.nodes) {
        return Err(missing());
    }
    // Zero has two signs, which are one rank.
    let pages =
        if engine.prepared.has_pages { "p.name, p.member" } else { "r.id AS name, CAST(1 AS BIGINT) AS member" };
    let join = if engine.prepared.has_pages { "JOIN pages p ON r.id = p.id" } else { "" };
    cluster.define("ranked", &format!("SELECT r.id, r.rank + 0e0D AS rank, {pages} FROM made_ranks r {join}"))?;
    let place = |name: &str| below(&folder, name);
    cluster.write("find equal ranks", &GAPS.replace("STRETCH", STRETCH), &place("gaps"))?;
    cluster.name("gaps", &place("gaps"), "rank DOUBLE, stretch BIGINT, begins BIGINT")?;
    let groups = format!("SELECT rank, CAST(number AS BIGINT) AS number, stretch FROM ({GROUPS}) q");
    cluster.write("number equal ranks", &groups, &place("groups"))?;
    cluster.name("groups", &place("groups"), "rank DOUBLE, number BIGINT, stretch BIGINT")?;
    let positions = "SELECT x.id, CAST(o.before + x.row - 1 AS BIGINT) AS position, x.member FROM (
        SELECT r.id, r.member, g.stretch, row_number() OVER (PARTITION BY g.stretch ORDER BY g.number, r.name, r.id) AS row
        FROM ranked r JOIN groups g ON r.rank = g.rank
      ) x JOIN (
        SELECT stretch, coalesce(sum(size) OVER (ORDER BY stretch DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
        FROM (SELECT g.stretch, count(*) AS size FROM ranked r JOIN groups g ON r.rank = g.rank GROUP BY g.stretch) c
      ) o ON x.stretch = o.stretch";
    cluster.write("order the pages", positions, &place("order"))?;
    cluster.name("places", &place("order"), "id BIGINT, position BIGINT, member BIGINT")
}
