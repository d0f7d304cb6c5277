//! The hierarchical map (P1 to P4) on a cluster.
//!
//! Rule: that of `ground/graph/src/grow.rs`: the root alone is the first layer; layer i holds the members that layer i - 1 links to and no
//! earlier layer holds; of the pages of layer i - 1 that link to a page, the first in the one order of all (`order.rs`) is its parent. The walk is
//! that of `levels.rs`, which keeps the least position.
//! Cost: the order once (three statements), a round for every layer and one more, one join of the places with themselves.
//! Exact: given the order, whole numbers only. What it rests on is said in `order.rs`. A map is resumed only with the ranks it was begun with: the
//! order is made anew each time, and a fingerprint of it is part of the mark.

use super::Spark;
use super::levels::walk;
use super::order::order;
use super::session::Value;
use crate::{GraphEngineError, Outcome, Watch};

pub(super) fn map(engine: &Spark, root: i64, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
    order(engine)?;
    let sql = format!(
        "SELECT bit_xor(xxhash64(id, position, member)), max(CASE WHEN id = {root} THEN member ELSE 0 END) FROM places"
    );
    let row = engine.cluster.row("look for the root", &sql)?.unwrap_or_default();
    let number = |place: usize| row.get(place).and_then(Value::as_i64).unwrap_or_default();
    if number(1) != 1 {
        return Err(GraphEngineError::NoRoot(root));
    }
    let of = format!("{root}-{:x}", number(0));
    let mark = walk(engine, "map", &format!("id = {root}"), &of, watch)?;
    let sql =
        "SELECT s.id, s.level AS layer, p.id AS parent, s.position FROM state s JOIN state p ON s.parent = p.position";
    Ok(Outcome { rounds: mark.round, ..engine.put("map", sql, Some(mark.rows))? })
}
