//! Links of the input as a graph in memory: its nodes are the numbers of the input in ascending order.

use std::cmp::Ordering;
use std::collections::HashMap;

use groma_graph::{Csr, Rows};

use crate::files::{self, Column};
use crate::input::{OUTSIDE, PARTS_OF_PAGES, plain};
use crate::{GraphEngineError, Input};

/// A graph and what its nodes are called.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The number of each node in the input, ascending.
    pub(super) ids: Vec<i64>,
    pub(super) graph: Csr,
    /// Name, host and whether it belongs to the map, by node; nothing for plain links.
    pages: Option<Vec<Page>>,
}

/// What the map and the parts want to know of a page.
#[derive(Clone, Debug, Default)]
struct Page {
    name: String,
    host: String,
    is_member: bool,
}

impl Loaded {
    /// The node of a number.
    pub(super) fn node(&self, id: i64) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|node| node as u32)
    }

    /// Does it belong to the map?
    pub(super) fn is_member(&self, node: u32) -> bool {
        self.pages.as_ref().is_none_or(|pages| pages[node as usize].is_member)
    }

    /// URLs if there are any, else numbers.
    pub(super) fn by_name(&self, a: u32, b: u32) -> Ordering {
        match &self.pages {
            Some(pages) => pages[a as usize].name.cmp(&pages[b as usize].name),
            None => a.cmp(&b),
        }
    }

    /// The host of a page; nothing for plain links.
    pub(super) fn host(&self, node: u32) -> Option<&str> {
        self.pages.as_ref().map(|pages| pages[node as usize].host.as_str())
    }
}

/// A link: source, target, navigation.
type Link = (i64, i64, bool);

pub(super) fn load(input: &Input, most: u64) -> Result<Loaded, GraphEngineError> {
    plain(&input.links())?;
    match input.pages() {
        None => {
            let links = links(input, most, &|_, link| Some(link))?;
            let mut ids: Vec<i64> = links.iter().flat_map(|link| [link.0, link.1]).collect();
            ids.sort_unstable();
            ids.dedup();
            Ok(Loaded { graph: graph(&ids, links)?, ids, pages: None })
        }
        Some(path) => survey(input, &path, most),
    }
}

fn survey(input: &Input, path: &str, most: u64) -> Result<Loaded, GraphEngineError> {
    let text = files::text;
    let wanted = [
        files::whole("id"),
        text("url"),
        files::maybe(text("host")),
        text("state"),
        text("reason"),
        files::whole("alias_of"),
    ];
    let (mut nodes, mut aliases): (HashMap<i64, (Page, bool)>, HashMap<i64, i64>) = Default::default();
    files::each(path, &wanted, u64::from(u32::MAX), &mut |columns| {
        for row in 0..columns[0].len() {
            let Some(id) = columns[0].whole_at(row) else { continue };
            let (state, reason) =
                (columns[3].text_at(row).unwrap_or_default(), columns[4].text_at(row).unwrap_or_default());
            if state == "alias" {
                if let Some(of) = columns[5].whole_at(row) {
                    let known = aliases.entry(id).or_insert(of);
                    *known = of.min(*known);
                }
            } else if matches!(state, "fetched" | "skipped" | "indexed" | "registered") {
                let own = |column: usize| columns[column].text_at(row).unwrap_or_default().to_owned();
                let page = Page { name: own(1), host: own(2), is_member: !OUTSIDE.contains(&reason) };
                let (known, fetched) = nodes.entry(id).or_insert_with(|| (page.clone(), false));
                // A number that comes twice is one page; which of its names it has must not hang on the order of files.
                known.name = page.name.min(std::mem::take(&mut known.name));
                known.host = page.host.min(std::mem::take(&mut known.host));
                known.is_member |= page.is_member;
                // Tables of 0.1.0 say `indexed` and `registered`.
                *fetched |= matches!(state, "fetched" | "indexed");
            }
        }
    })?;
    let ends = ends(&aliases);
    let links = links(input, most, &|kind, (source, target, navigation)| {
        let target = ends.get(&target).copied().unwrap_or(target);
        let counts = nodes.get(&source).is_some_and(|page| page.1) && nodes.contains_key(&target);
        (counts && !PARTS_OF_PAGES.contains(&kind)).then_some((source, target, navigation))
    })?;
    let mut ids: Vec<i64> = nodes.keys().copied().collect();
    ids.sort_unstable();
    let pages = ids.iter().map(|id| nodes.remove(id).unwrap_or_default().0).collect();
    Ok(Loaded { graph: graph(&ids, links)?, ids, pages: Some(pages) })
}

/// Where each other name of a page leads in the end. Those that run in circles lead nowhere; each is followed once.
fn ends(aliases: &HashMap<i64, i64>) -> HashMap<i64, i64> {
    let mut ends: HashMap<i64, i64> = HashMap::new();
    for &start in aliases.keys() {
        let (mut way, mut at) = (Vec::new(), start);
        let end = loop {
            if let Some(&end) = ends.get(&at) {
                break end;
            }
            let Some(&next) = aliases.get(&at) else { break at };
            way.push(at);
            // Marked as met, so that a circle is left after one round: it leads to itself, which is no page.
            ends.insert(at, at);
            at = next;
        };
        for name in way {
            ends.insert(name, end);
        }
    }
    ends
}

/// The links that count.
fn links(input: &Input, most: u64, count: &dyn Fn(&str, Link) -> Option<Link>) -> Result<Vec<Link>, GraphEngineError> {
    let [whole, flag, text] =
        [files::whole("source"), files::maybe(files::flag("navigation")), files::maybe(files::text("kind"))];
    let wanted = [whole, files::whole("target"), flag, text];
    // Kinds of plain links mean nothing: they are not read.
    let wanted = if input.pages().is_some() { &wanted[..] } else { &wanted[..3] };
    let mut links = Vec::new();
    let mut read = 0u64;
    files::each(&input.links(), wanted, u64::MAX, &mut |columns| {
        read += columns[0].len() as u64;
        if read > most {
            return;
        }
        for row in 0..columns[0].len() {
            let (Some(source), Some(target)) = (columns[0].whole_at(row), columns[1].whole_at(row)) else { continue };
            let kind = columns.get(3).and_then(|column: &Column| column.text_at(row)).unwrap_or_default();
            links.extend(count(kind, (source, target, columns[2].flag_at(row))));
        }
    })?;
    if read > most { Err(GraphEngineError::TooLarge { links: read, most }) } else { Ok(links) }
}

fn graph(ids: &[i64], links: Vec<Link>) -> Result<Csr, GraphEngineError> {
    let node_count = u32::try_from(ids.len())
        .map_err(|_| GraphEngineError::TooLarge { links: links.len() as u64, most: u64::from(u32::MAX) })?;
    let node = |id: i64| ids.binary_search(&id).map(|node| node as u32).unwrap_or(u32::MAX);
    let mut arcs: Vec<(u32, u32, bool)> =
        links.into_iter().map(|(from, to, mark)| (node(from), node(to), mark)).collect();
    arcs.sort_unstable();
    let mut rows = Rows::new(node_count);
    let mut row = Vec::new();
    for links in arcs.chunk_by(|a, b| a.0 == b.0) {
        row.clear();
        row.extend(links.iter().map(|&(_, to, mark)| (to, mark)));
        rows.push_marked(links[0].0, &mut row);
    }
    Ok(rows.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_names_lead_to_the_page_and_circles_nowhere() {
        let aliases = HashMap::from([(1, 2), (2, 3), (4, 5), (5, 4), (6, 4), (7, 7)]);
        let ends = ends(&aliases);
        assert_eq!((ends[&1], ends[&2]), (3, 3));
        for name in [4, 5, 6, 7] {
            assert!(aliases.contains_key(&ends[&name]), "{name} leads to {}", ends[&name]);
        }
    }
}
