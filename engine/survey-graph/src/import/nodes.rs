//! What the nodes of an imported graph are called, and which are one.

use std::collections::HashMap;
use std::io::BufRead;

use groma_model::Fp;
use groma_url::Url;

use super::{Arcs, ImportError};

/// The nodes of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// They have numbers only; those that occur, in order.
    Numbers(Vec<u32>),
    /// They have URLs, by number.
    Addresses(Vec<String>),
}

impl Nodes {
    /// How many there are.
    pub fn count(&self) -> u32 {
        match self {
            Nodes::Numbers(numbers) => numbers.len() as u32,
            Nodes::Addresses(names) => names.len() as u32,
        }
    }

    /// What a node is called.
    pub fn name(&self, node: u32) -> String {
        match self {
            Nodes::Numbers(numbers) => numbers[node as usize].to_string(),
            Nodes::Addresses(names) => names[node as usize].clone(),
        }
    }

    /// A list of URLs: the number of a line, from 0, is the node.
    pub fn read(from: &mut dyn BufRead) -> Result<Vec<String>, ImportError> {
        let mut names = Vec::new();
        let mut text = Vec::new();
        while from.read_until(b'\n', &mut text)? > 0 {
            let name = String::from_utf8_lossy(&text).trim_start_matches('\u{feff}').trim().to_owned();
            names.push(name);
            text.clear();
        }
        if names.len() >= u32::MAX as usize { Err(ImportError::TooMany) } else { Ok(names) }
    }

    /// Nodes of a graph of numbers. If the numbers are nearly dense, all up to the greatest are nodes; if not, those that
    /// occur. The arcs are numbered anew then.
    pub fn of_numbers(arcs: &mut Arcs) -> Nodes {
        let mut numbers: Vec<u32> = arcs.iter().flat_map(|(from, to)| [*from, *to]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let greatest = numbers.last().copied().unwrap_or(0);
        if u64::from(greatest) < 4 * numbers.len() as u64 + 1000 {
            let all = if numbers.is_empty() { 0 } else { greatest + 1 };
            return Nodes::Numbers((0..all).collect());
        }
        let place = |number: u32| numbers.binary_search(&number).unwrap_or_default() as u32;
        for (from, to) in arcs.iter_mut() {
            (*from, *to) = (place(*from), place(*to));
        }
        Nodes::Numbers(numbers)
    }
}

/// Brings URLs into the form of the URL standard, without fragments, and makes those that are the same then one node:
/// the first. Returns the URLs that stay and how many were merged; arcs are numbered anew.
pub fn merge(names: Vec<String>, arcs: &mut Arcs) -> Result<(Vec<String>, u32), ImportError> {
    let count = names.len() as u32;
    let mut places = Vec::with_capacity(names.len());
    let mut known: HashMap<Fp, u32> = HashMap::with_capacity(names.len());
    let mut kept: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let name = standard(name);
        let next = kept.len() as u32;
        let place = *known.entry(Fp::hash_bytes(name.as_bytes())).or_insert(next);
        if place == next {
            kept.push(name);
        }
        places.push(place);
    }
    for (at, arc) in arcs.iter_mut().enumerate() {
        for node in [&mut arc.0, &mut arc.1] {
            let place = places.get(*node as usize).copied();
            *node = place.ok_or(ImportError::NoSuchNode { arc: at as u64 + 1, node: *node, count })?;
        }
    }
    let merged = count - kept.len() as u32;
    Ok((kept, merged))
}

/// The form of the URL standard; what does not parse stays as it is.
fn standard(name: String) -> String {
    match Url::parse(&name) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_address_twice_is_one_node() {
        let mut arcs = vec![(0, 2), (1, 2), (2, 3)];
        let names = ["http://A.test", "http://a.test/#x", "http://b.test/", "no URL"].map(str::to_owned).to_vec();
        let (kept, merged) = merge(names, &mut arcs).unwrap();
        assert_eq!(kept, ["http://a.test/", "http://b.test/", "no URL"]);
        assert_eq!((merged, arcs.as_slice()), (1, &[(0, 1), (0, 1), (1, 2)][..]));
        let error = merge(vec!["x".into()], &mut vec![(0, 0), (0, 5)]).unwrap_err();
        assert!(matches!(error, ImportError::NoSuchNode { arc: 2, node: 5, count: 1 }));
    }

    #[test]
    fn far_apart_numbers_do_not_make_millions_of_nodes() {
        let mut arcs = vec![(7, 4_000_000_000), (4_000_000_000, 9)];
        let nodes = Nodes::of_numbers(&mut arcs);
        assert_eq!((nodes.count(), nodes.name(2)), (3, "4000000000".to_owned()));
        assert_eq!(arcs, [(0, 2), (2, 1)]);
        assert_eq!(Nodes::of_numbers(&mut vec![(0, 3)]).count(), 4);
        assert_eq!(Nodes::of_numbers(&mut vec![]).count(), 0);
    }
}
