//! Clusterings as rows: one per manner, the pages packed.

use super::mark_of;
use crate::StoreError;
use crate::bounds::pack::{pack_pairs, unpack_pairs};
use crate::bounds::{CLUSTERINGS, Clusters, ClustersHead, Directions, LinksUsed, Manner};
use crate::sql::{Speak, SqlRow, args, bits, damaged};

const SAME: &str =
    "inflation = ?1 AND selection = ?2 AND largest = ?3 AND sigma = ?4 AND links = ?5 AND directions = ?6";
const HEAD: &str = "inflation, selection, largest, sigma, links, directions, survey, change, graph, at, count, pages, \
     rounds, converged";

pub(super) fn keep(db: &mut dyn Speak, clusters: &Clusters) -> Result<(), StoreError> {
    let (manner, mark) = (&clusters.manner, &clusters.mark);
    let (links, directions) = (manner.links.code(), manner.directions.code());
    let same = args![manner.inflation, manner.selection, manner.largest, manner.sigma, links, directions];
    db.run(&format!("DELETE FROM clustering WHERE {SAME}"), &same)?;
    let places = (1..=16).map(|at| format!("?{at}")).collect::<Vec<_>>().join(", ");
    db.run(
        &format!("INSERT INTO clustering ({HEAD}, packed, \"overlaps\") VALUES ({places})"),
        &args![
            manner.inflation,
            manner.selection,
            manner.largest,
            manner.sigma,
            links,
            directions,
            bits(mark.survey),
            bits(mark.change),
            bits(mark.graph),
            clusters.at,
            clusters.count,
            clusters.of.len(),
            clusters.rounds,
            clusters.converged,
            &pack_pairs(&clusters.of),
            &pack_pairs(&clusters.overlaps),
        ],
    )?;
    let oldest = "DELETE FROM clustering WHERE id NOT IN (SELECT id FROM clustering ORDER BY id DESC LIMIT ?1)";
    db.run(oldest, &args![CLUSTERINGS])?;
    Ok(())
}

fn head_of(row: &SqlRow<'_>) -> Result<ClustersHead, StoreError> {
    Ok(ClustersHead {
        manner: Manner {
            inflation: row.get(0)?,
            selection: row.get(1)?,
            largest: row.get(2)?,
            sigma: row.get(3)?,
            links: LinksUsed::from_code(row.get(4)?).ok_or_else(|| damaged("no such set of links"))?,
            directions: Directions::from_code(row.get(5)?).ok_or_else(|| damaged("no such direction"))?,
        },
        mark: mark_of(row, 6)?,
        at: row.get(9)?,
        count: row.get(10)?,
        pages: row.get(11)?,
    })
}

pub(super) fn find_clusters(db: &mut dyn Speak, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError> {
    let sql = format!("SELECT {HEAD}, packed, \"overlaps\" FROM clustering WHERE {SAME} AND graph = ?7");
    let (links, directions) = (manner.links.code(), manner.directions.code());
    let which = args![manner.inflation, manner.selection, manner.largest, manner.sigma, links, directions, bits(graph)];
    let row = db.first(&sql, &which, |row| {
        let (packed, overlaps): (Vec<u8>, Vec<u8>) = (row.get(14)?, row.get(15)?);
        Ok((head_of(row)?, row.get(12)?, row.get(13)?, packed, overlaps))
    })?;
    let Some((head, rounds, converged, packed, overlaps)) = row else { return Ok(None) };
    let pairs = |bytes: &[u8]| unpack_pairs(bytes).ok_or_else(|| damaged("the pages of a clustering"));
    Ok(Some(Clusters {
        manner: head.manner,
        mark: head.mark,
        at: head.at,
        rounds,
        converged,
        count: head.count,
        of: pairs(&packed)?,
        overlaps: pairs(&overlaps)?,
    }))
}

pub(super) fn heads(db: &mut dyn Speak) -> Result<Vec<ClustersHead>, StoreError> {
    db.all(&format!("SELECT {HEAD} FROM clustering ORDER BY id DESC"), &[], head_of)
}

pub(super) fn complaints(db: &mut dyn Speak) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let sql = "SELECT id, packed, \"overlaps\", count, pages FROM clustering ORDER BY id";
    db.each(sql, &[], &mut |row| {
        let id: i64 = row.get(0)?;
        let (packed, overlaps): (Vec<u8>, Vec<u8>) = (row.get(1)?, row.get(2)?);
        let (count, pages): (u32, i64) = (row.get(3)?, row.get(4)?);
        match (unpack_pairs(&packed), unpack_pairs(&overlaps)) {
            (Some(of), Some(more)) => {
                if of.len() as i64 != pages || of.iter().chain(&more).any(|(_, cluster)| *cluster >= count) {
                    found.push(format!("bounds: clustering {id} is not of the size it says"));
                }
            }
            _ => found.push(format!("bounds: the pages of clustering {id} cannot be read")),
        }
        Ok(true)
    })?;
    Ok(found)
}
