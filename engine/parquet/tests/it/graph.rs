//! A graph alone: it is written like an export, all at once, and is read like one.

use groma_parquet::{GraphPage, Place, TableError, read_links, read_values, write_graph};

use crate::made::Desk;

#[test]
fn a_graph_is_written_as_tables_that_are_read_back() {
    let desk = Desk::new();
    let aim = desk.aim("graph");
    let links: Vec<(u32, u32)> = (0..500u32).map(|n| (n, n * 7 % 500)).collect();
    let written = write_graph(Place::begin(&aim).unwrap(), 4, &mut |tables| {
        for id in 0..500 {
            let url = &format!("http://h{}.test/'{id}", id % 5);
            tables.page(&GraphPage { id, url, is_source: id % 2 == 0, is_member: true })?;
        }
        links.iter().try_for_each(|&(source, target)| tables.link(source, target, target == 0))
    });
    let written = written.unwrap();
    assert_eq!(written.table("pages").unwrap().rows, 500);
    let mut found: Vec<(u32, u32)> =
        read_links(&aim).unwrap().map(|link| link.map(|(from, to)| (from.0, to.0)).unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, links);
    let pages = desk.aim("graph/pages");
    assert_eq!(read_values(&pages, "id", "id", 500).unwrap().filter(|row| row.is_ok()).count(), 500);
}

#[test]
fn a_graph_without_links_has_tables_and_one_that_fails_leaves_nothing() {
    let desk = Desk::new();
    let aim = desk.aim("graph");
    let failed = write_graph(Place::begin(&aim).unwrap(), 4, &mut |tables| {
        tables.link(1, 2, false).and(Err(TableError::Stopped))
    });
    assert!(matches!(failed, Err(TableError::Stopped)));
    assert_eq!(std::fs::read_dir(&desk.0).unwrap().count(), 0);
    assert!(matches!(write_graph(Place::begin(&aim).unwrap(), 0, &mut |_| Ok(())), Err(TableError::Parts(0))));
    write_graph(Place::begin(&aim).unwrap(), 4, &mut |_| Ok(())).unwrap();
    assert_eq!(read_links(&aim).unwrap().count(), 0);
}
