//! Which of many 64-bit similarity hashes differ in few bits?
//!
//! Rule: hashes that differ in at most d bits are joined, and groups are what is joined directly or through others (being near
//! is not transitive, so the ends of a group may be farther apart).
//! Method (Manku, Jain, Das Sarma 2007, "Detecting near-duplicates for web crawling", with sorting instead of tables): the bits are
//! divided into d + 1 bands. Two hashes that differ in at most d bits agree in one band at least, so only hashes that agree in a
//! band are compared. Where too many do ([`CROWD`]), the same is done again with the bits that are left.
//! Cost: for n different random hashes d + 1 sorts and about (d + 1) * n^2 / 2^(64 / (d + 1)) / 2 comparisons. Hashes that crowd
//! together are the hard case, and mostly of one group: neighbors in each order are joined first, and what is in one group already is
//! not looked at again. What is left of a crowd is divided until it is none; every division leaves fewer bits, and hashes that are
//! all different cannot be a crowd in eleven bits, so the work is at most a constant times n, though a large one.
//! Exact: every pair within the distance is found, as the test against all pairs shows.

/// So many hashes that agree in a band are compared each with each.
const CROWD: usize = 2_048;

/// Hashes in groups, by the places of the hashes.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The first hash of the group.
    pub(crate) first: Vec<u32>,
    /// A hash within the distance; the hash itself if it is alone.
    pub(crate) neighbour: Vec<u32>,
}

/// Joins sorted, different hashes that are near.
pub(crate) fn groups(hashes: &[u64], distance: u32) -> Groups {
    let mut forest = Forest::with_len(hashes.len());
    let mut order: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
    if distance > 0 {
        divide(&mut order, u64::MAX, distance, CROWD, &mut forest);
    }
    let first = (0..forest.parent.len() as u32).map(|at| forest.root(at)).collect();
    Groups { first, neighbour: forest.neighbour }
}

/// Joins the near ones among hashes that agree in all bits outside of `left`.
fn divide(hashes: &mut [(u64, u32)], left: u64, distance: u32, crowd: usize, forest: &mut Forest) {
    if hashes.len() <= crowd || left.count_ones() <= distance + 1 {
        return compare(hashes, distance, forest);
    }
    for band in bands(left, distance + 1) {
        hashes.sort_unstable_by_key(|(hash, _)| (hash & band, *hash));
        for pair in hashes.windows(2) {
            if (pair[0].0 ^ pair[1].0).count_ones() <= distance {
                forest.join(pair[0].1, pair[1].1);
            }
        }
        for run in hashes.chunk_by_mut(|(a, _), (b, _)| a & band == b & band) {
            if !forest.is_one_group(run) {
                divide(run, left & !band, distance, crowd, forest);
            }
        }
    }
}

fn compare(hashes: &[(u64, u32)], distance: u32, forest: &mut Forest) {
    for (at, (hash, one)) in hashes.iter().enumerate() {
        for (other, two) in &hashes[at + 1..] {
            if (hash ^ other).count_ones() <= distance {
                forest.join(*one, *two);
            }
        }
    }
}

/// The set bits of a mask, divided into so many masks of about the same size.
fn bands(mask: u64, count: u32) -> Vec<u64> {
    let mut bands = vec![0; count as usize];
    let set = (0..64).filter(|bit| mask >> bit & 1 == 1);
    let size = mask.count_ones();
    for (nth, bit) in (0..).zip(set) {
        bands[(nth * count / size.max(1)) as usize] |= 1 << bit;
    }
    bands
}

/// Union-find; the root of a tree is its smallest member.
struct Forest {
    parent: Vec<u32>,
    /// What each was joined with first. Nobody comes into a group but by being joined with one of its members, so that everybody who
    /// is in one has a neighbor.
    neighbour: Vec<u32>,
}

impl Forest {
    fn with_len(count: usize) -> Forest {
        let parent: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
        Forest { neighbour: parent.clone(), parent }
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let up = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = up;
            at = up;
        }
        at
    }

    fn is_one_group(&mut self, hashes: &[(u64, u32)]) -> bool {
        let mut roots = hashes.iter().map(|(_, at)| *at);
        let Some(first) = roots.next().map(|at| self.root(at)) else { return true };
        roots.all(|at| self.root(at) == first)
    }

    /// Joins two that are within the distance.
    fn join(&mut self, one: u32, two: u32) {
        for (at, other) in [(one, two), (two, one)] {
            let neighbour = &mut self.neighbour[at as usize];
            if *neighbour == at {
                *neighbour = other;
            }
        }
        let (one, two) = (self.root(one), self.root(two));
        self.parent[one.max(two) as usize] = one.min(two);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_all_pairs(hashes: &[u64], distance: u32) -> Vec<u32> {
        let mut forest = Forest::with_len(hashes.len());
        let all: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        compare(&all, distance, &mut forest);
        (0..hashes.len() as u32).map(|at| forest.root(at)).collect()
    }

    fn divided(hashes: &[u64], distance: u32) -> Groups {
        let mut forest = Forest::with_len(hashes.len());
        let mut order: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        // Small crowds are divided as well.
        divide(&mut order, u64::MAX, distance, 12, &mut forest);
        let first = (0..hashes.len() as u32).map(|at| forest.root(at)).collect();
        Groups { first, neighbour: forest.neighbour }
    }

    /// Whether the neighbor of every hash is another one within the distance, and of those that are alone the hash itself.
    fn has_true_neighbours(hashes: &[u64], distance: u32, groups: &Groups) -> bool {
        groups.neighbour.iter().enumerate().all(|(at, neighbour)| {
            let alone = groups.first.iter().filter(|first| **first == groups.first[at]).count() == 1;
            let apart = (hashes[at] ^ hashes[*neighbour as usize]).count_ones();
            (*neighbour as usize == at) == alone && apart <= distance
        })
    }

    /// Hashes in clumps: some bases with a few bits changed.
    fn clumps() -> impl Strategy<Value = Vec<u64>> {
        let one = (0usize..3, proptest::collection::vec(0u32..64, 0..7));
        (proptest::collection::vec(any::<u64>(), 3), proptest::collection::vec(one, 0..80)).prop_map(
            |(bases, picks)| {
                let changed =
                    |(base, bits): (usize, Vec<u32>)| bits.iter().fold(bases[base], |hash, bit| hash ^ 1 << bit);
                let mut hashes: Vec<u64> = picks.into_iter().map(changed).collect();
                hashes.sort_unstable();
                hashes.dedup();
                hashes
            },
        )
    }

    proptest! {
        #[test]
        fn bands_find_what_all_pairs_find(hashes in clumps(), distance in 0u32..5) {
            let expected = by_all_pairs(&hashes, distance);
            let found = groups(&hashes, distance);
            prop_assert_eq!(&found.first, &expected);
            prop_assert!(has_true_neighbours(&hashes, distance, &found));
            if distance > 0 {
                let found = divided(&hashes, distance);
                prop_assert_eq!(&found.first, &expected);
                prop_assert!(has_true_neighbours(&hashes, distance, &found));
            }
        }

        #[test]
        fn bands_share_out_every_bit_once(mask in any::<u64>(), count in 1u32..9) {
            let bands = bands(mask, count);
            prop_assert_eq!(bands.iter().fold(0, |all, band| all | band), mask);
            prop_assert_eq!(bands.iter().map(|band| band.count_ones()).sum::<u32>(), mask.count_ones());
        }
    }

    #[test]
    fn crowds_are_divided_and_nothing_is_lost() {
        // All agree in three of four bands, the worst that can be; neighbors differ in one bit or more.
        let hashes: Vec<u64> = (0..3_000u64).map(|n| 0xabcd_ef01_2345_0000 | n).collect();
        assert_eq!(groups(&hashes, 3).first, vec![0; 3_000]);
        let apart: Vec<u64> = (0..3_000u64).map(|n| n << 40 | n << 20 | n).collect();
        assert_eq!(groups(&apart, 2).first, (0..3_000).collect::<Vec<u32>>());
    }
}
