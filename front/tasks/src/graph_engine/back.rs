//! Numbers come back from a cluster. Its files are of somebody else: whatever does not fit the survey is refused, not taken over.

use groma_graph::{Stand, Tree};
use groma_model::PageId;
use groma_parquet::{Aim, TableError, read_ranks, read_values};

/// Stands for: no number yet.
const NONE: u32 = u32::MAX;

/// Ranks by number into `values`: one for each of the `pages` pages, for each once.
pub(super) fn ranks(
    path: &str,
    is_page: &dyn Fn(u32) -> bool,
    pages: u64,
    values: &mut [f64],
) -> Result<(), TableError> {
    let mut given = vec![false; values.len()];
    let mut found = 0u64;
    for row in read_ranks(&Aim::parse(path)?, pages)? {
        let (page, rank) = row?;
        let place = page.0 as usize;
        if place >= values.len() || !is_page(page.0) || std::mem::replace(&mut given[place], true) {
            return Err(unfit(path, page));
        }
        values[place] = rank;
        found += 1;
    }
    if found == pages { Ok(()) } else { Err(few(path, found, pages)) }
}

/// The tree of a map: layer, parent and position of each page.
pub(super) fn tree(path: &str, count: u32) -> Result<Tree, TableError> {
    let column = |name: &str| -> Result<Vec<u32>, TableError> {
        let mut column = vec![NONE; count as usize];
        for row in read_values(&Aim::parse(path)?, "id", name, u64::from(count))? {
            let (page, value) = row?;
            let whole = value.fract() == 0.0 && (0.0..f64::from(NONE)).contains(&value);
            let place = column.get_mut(page.0 as usize).filter(|place| whole && **place == NONE);
            *place.ok_or_else(|| unfit(path, page))? = value as u32;
        }
        Ok(column)
    };
    let (layers, parents, positions) = (column("layer")?, column("parent")?, column("position")?);
    let on_map = (0..count).filter(|&node| layers[node as usize] != NONE);
    let stand = |node: u32| {
        let at = node as usize;
        Stand { node, layer: layers[at], parent: parents[at], position: positions[at] }
    };
    Tree::of_stands(on_map.map(stand).collect(), count)
        .ok_or_else(|| TableError::File { file: path.to_owned(), says: "these pages are no map".to_owned() })
}

fn unfit(path: &str, page: PageId) -> TableError {
    let says = format!("page {} is none of those that were asked about, or is there twice", page.0);
    TableError::File { file: path.to_owned(), says }
}

fn few(path: &str, found: u64, pages: u64) -> TableError {
    TableError::File { file: path.to_owned(), says: format!("{found} pages where there must be {pages}") }
}
