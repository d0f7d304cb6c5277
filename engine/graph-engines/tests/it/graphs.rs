//! Webs to try engines on, and results read back.

use groma_graph_engines::files::{self, Column, real, whole};
use groma_graph_engines::{Going, Outcome, Progress};

/// A web: links as they are found, with a mark for navigation.
pub(crate) struct Web {
    pub(crate) name: &'static str,
    pub(crate) links: Vec<(i64, i64, bool)>,
}

/// Numbers from a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % below as u64) as i64
    }
}

/// Webs with everything that has gone wrong somewhere: dead ends, loops, doubled links, parts that do not hang together, stars, chains, nothing.
pub(crate) fn webs() -> Vec<Web> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut random = |nodes: i64, links: usize| -> Vec<(i64, i64, bool)> {
        let mut found = Vec::new();
        for _ in 0..links {
            // Squares make hubs; a third of the numbers never links anywhere.
            let to = dice.roll(nodes) * dice.roll(nodes) / nodes;
            let from = dice.roll(nodes * 2 / 3 + 1);
            found.push((from, to, dice.roll(3) == 0));
            if dice.roll(5) == 0 {
                found.push((from, to, dice.roll(2) == 0));
            }
            if dice.roll(11) == 0 {
                found.push((from, from, false));
            }
        }
        found
    };
    let tangle = random(400, 1500);
    // Islands: the same web three times, with gaps in the numbers, negative ones among them; and one page that links only to itself.
    let small = random(40, 90);
    let mut islands: Vec<(i64, i64, bool)> = Vec::new();
    for shift in [-1_000_000_007, 5, 9_000_000_000] {
        islands.extend(small.iter().map(|&(from, to, mark)| (from * 3 + shift, to * 3 + shift, mark)));
    }
    islands.push((77_777, 77_777, true));
    let chain = (0..12).map(|n| (n, n + 1, false)).chain([(12, 3, true)]).collect();
    vec![
        Web { name: "tangle", links: tangle },
        Web { name: "islands", links: islands },
        Web { name: "chain", links: chain },
        Web { name: "one loop", links: vec![(4, 4, false)] },
        Web { name: "nothing", links: Vec::new() },
    ]
}

/// Writes links as Parquet.
pub(crate) fn write_links(folder: &str, links: &[(i64, i64, bool)]) {
    let columns = [
        ("source", links.iter().map(|link| link.0).collect::<Column>()),
        ("target", links.iter().map(|link| link.1).collect()),
        ("navigation", links.iter().map(|link| link.2).collect()),
    ];
    files::write(folder, &columns).unwrap();
}

/// Whoever does not interfere.
pub(crate) fn quiet(_: &Progress) -> Going {
    Going::On
}

/// Whole numbers of a result, sorted. A cluster may write no file where there is no row.
pub(crate) fn wholes(outcome: &Outcome, columns: &[&str]) -> Vec<Vec<i64>> {
    let wanted: Vec<_> = columns.iter().map(|name| whole(name)).collect();
    if outcome.rows == 0 && !std::path::Path::new(&outcome.path).exists() {
        return Vec::new();
    }
    let table = files::read(&outcome.path, &wanted, 1 << 24).unwrap();
    let columns: Vec<Vec<i64>> = table.iter().map(|column| column.wholes().collect()).collect();
    let mut rows: Vec<Vec<i64>> =
        (0..table[0].len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
    rows.sort();
    assert_eq!(rows.len() as u64, outcome.rows);
    rows
}

/// Ranks of a result, by id.
pub(crate) fn ranks(outcome: &Outcome) -> Vec<(i64, f64)> {
    if outcome.rows == 0 && !std::path::Path::new(&outcome.path).exists() {
        return Vec::new();
    }
    let table = files::read(&outcome.path, &[whole("id"), real("rank")], 1 << 24).unwrap();
    let mut rows: Vec<(i64, f64)> = table[0].wholes().zip(table[1].reals()).collect();
    rows.sort_by_key(|row| row.0);
    assert_eq!(rows.len() as u64, outcome.rows);
    rows
}

/// Are they the same to 1e-9?
#[cfg(feature = "spark")]
pub(crate) fn assert_same_ranks(ours: &[(i64, f64)], theirs: &[(i64, f64)], what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (a, b) in ours.iter().zip(theirs) {
        assert_eq!(a.0, b.0, "{what}");
        assert!((a.1 - b.1).abs() <= 1e-9, "{what}: page {}: {} and {}", a.0, a.1, b.1);
    }
}
