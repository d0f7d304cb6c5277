//! How far do two clusterings agree?
//!
//! Formula: NMI(A, B) = 2 I(A; B) / (H(A) + H(B)), with I the mutual information and H the entropy of the clusters that a node
//! picked at random falls into. 1 if they are the same up to names, 0 if one says nothing about the other; 1 if both
//! are one cluster.
//! Source: Danon et al., Comparing community structure identification, 2005.
//! Split and join, as `clm dist` of mcl prints it: how many nodes have to move to make A finer until it is the greatest common
//! refinement of both, n - sum over clusters a of A of max over b of |a and b|, and the same for B. 0 and 0 if they are the same.
//! Source of that: van Dongen, Performance criteria for graph clustering, 2000.
//! Cost: O(n log n). Not guaranteed: fairness to clusterings of very many clusters, whose NMI by chance is not 0.

/// Normalised mutual information of two partitions, given as the cluster of each node. Of lists of different lengths the
/// common beginning counts.
pub fn nmi(a: &[u32], b: &[u32]) -> f64 {
    let mut pairs: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    if pairs.is_empty() {
        return 1.0;
    }
    let count = pairs.len() as f64;
    pairs.sort_unstable();
    let joint = entropy(pairs.chunk_by(|a, b| a == b).map(<[_]>::len), count);
    let first = entropy(pairs.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len), count);
    pairs.sort_unstable_by_key(|pair| pair.1);
    let second = entropy(pairs.chunk_by(|a, b| a.1 == b.1).map(<[_]>::len), count);
    if first + second <= 0.0 { 1.0 } else { (2.0 * (first + second - joint) / (first + second)).clamp(0.0, 1.0) }
}

/// The two parts of the distance between two partitions: nodes that have to move to split the clusters of `a`, and those of `b`,
/// so that both become the same. Of lists of different lengths the common beginning counts.
pub fn split_join(a: &[u32], b: &[u32]) -> (u64, u64) {
    let mut pairs: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    let mut moved = || {
        pairs.sort_unstable();
        let stay = pairs
            .chunk_by(|a, b| a.0 == b.0)
            .map(|cluster| cluster.chunk_by(|a, b| a.1 == b.1).map(<[_]>::len).max().unwrap_or(0));
        let moved = pairs.len() - stay.sum::<usize>();
        pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
        moved as u64
    };
    (moved(), moved())
}

/// How many clusters are in both partitions, member for member. Of lists of different lengths the common beginning counts.
pub fn in_both(a: &[u32], b: &[u32]) -> usize {
    let count = a.len().min(b.len());
    let mut pairs: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    pairs.sort_unstable();
    let mut sizes: Vec<u32> = b[..count].to_vec();
    sizes.sort_unstable();
    let size_in_b = |cluster: u32| {
        sizes.partition_point(|&other| other <= cluster) - sizes.partition_point(|&other| other < cluster)
    };
    let same = |cluster: &&[(u32, u32)]| {
        let other = cluster[0].1;
        cluster.iter().all(|pair| pair.1 == other) && size_in_b(other) == cluster.len()
    };
    pairs.chunk_by(|a, b| a.0 == b.0).filter(same).count()
}

fn entropy(sizes: impl Iterator<Item = usize>, count: f64) -> f64 {
    sizes.map(|size| size as f64 / count).map(|share| -share * share.ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::{in_both, nmi, split_join};

    #[test]
    fn names_do_not_matter_and_chance_is_nothing() {
        assert!((nmi(&[0, 0, 1, 1, 2], &[7, 7, 3, 3, 9]) - 1.0).abs() < 1e-12);
        assert!(nmi(&[0, 0, 1, 1], &[0, 1, 0, 1]).abs() < 1e-12);
        assert_eq!((nmi(&[], &[]), nmi(&[4, 4], &[1, 1]), nmi(&[0, 0, 0, 0], &[0, 1, 2, 3])), (1.0, 1.0, 0.0));
        // I = ln 2, H = ln 2 and ln 4.
        assert!((nmi(&[0, 0, 1, 1], &[0, 1, 2, 3]) - 2.0 / 3.0).abs() < 1e-12);
    }
    #[test]
    fn distances_are_counted_in_nodes() {
        let (a, b) = ([0, 0, 0, 1, 1, 2], [5, 5, 6, 6, 6, 7]);
        assert_eq!(split_join(&a, &b), (1, 1));
        assert_eq!(split_join(&[0, 0, 0, 0], &[0, 1, 2, 2]), (2, 0));
        assert_eq!((in_both(&a, &b), in_both(&a, &a), in_both(&[], &[])), (1, 3, 0));
        assert_eq!((split_join(&a, &a), split_join(&[], &[])), ((0, 0), (0, 0)));
    }
}
