//! How far do two clusterings agree?
//!
//! Formula: NMI(A, B) = 2 I(A; B) / (H(A) + H(B)), with I the mutual information and H the entropy of the clusters that a node
//! picked at random falls into. 1 if they are the same up to names, 0 if one says nothing about the other; 1 if both
//! are one cluster.
//! Source: Danon et al., Comparing community structure identification, 2005.
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

fn entropy(sizes: impl Iterator<Item = usize>, count: f64) -> f64 {
    sizes.map(|size| size as f64 / count).map(|share| -share * share.ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::nmi;

    #[test]
    fn names_do_not_matter_and_chance_is_nothing() {
        assert!((nmi(&[0, 0, 1, 1, 2], &[7, 7, 3, 3, 9]) - 1.0).abs() < 1e-12);
        assert!(nmi(&[0, 0, 1, 1], &[0, 1, 0, 1]).abs() < 1e-12);
        assert_eq!((nmi(&[], &[]), nmi(&[4, 4], &[1, 1]), nmi(&[0, 0, 0, 0], &[0, 1, 2, 3])), (1.0, 1.0, 0.0));
        // I = ln 2, H = ln 2 and ln 4.
        assert!((nmi(&[0, 0, 1, 1], &[0, 1, 2, 3]) - 2.0 / 3.0).abs() < 1e-12);
    }
}
