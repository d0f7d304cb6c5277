//! What comes out: cuts, and the nested sites they cut off.

/// A minimum cut: what the site costs and how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// What a page inside costs.
    pub price: f64,
    /// The capacity of the cut, which is the maximum flow: boundary + price * pages inside + pulls of soft seeds left outside.
    pub value: f64,
    /// How many pages are inside, seeds included.
    pub size: u32,
    /// The capacity of the arcs that leave the site.
    pub boundary: f64,
    /// Whether it is known to be minimum. If not, the work grew out of all proportion and was broken off: the pages inside belong
    /// to the site for certain, but others may too, and `value` is more than the maximum flow.
    pub exact: bool,
}

/// The sites of one seed at falling prices, each within the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Family {
    /// One for each price, the highest price first.
    pub cuts: Vec<Cut>,
    /// For each node the first of the cuts that it is inside of; `u32::MAX` if it is in none.
    pub since: Vec<u32>,
}

impl Family {
    /// The nodes inside one of the cuts, ascending; none if there is no such cut.
    pub fn inside(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.since).filter(move |(_, since)| self.is_in(**since, index)).map(|(node, _)| node)
    }

    /// Is the node inside this cut? Not if there is no such node or cut.
    pub fn contains(&self, index: usize, node: u32) -> bool {
        self.since.get(node as usize).is_some_and(|since| self.is_in(*since, index))
    }

    fn is_in(&self, since: u32, index: usize) -> bool {
        index < self.cuts.len() && since as usize <= index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_inside_stays_inside() {
        let cut = |price, size| Cut { price, value: 0.0, size, boundary: 0.0, exact: true };
        let family = Family { cuts: vec![cut(2.0, 1), cut(1.0, 3)], since: vec![1, 0, u32::MAX, 1] };
        assert_eq!(family.inside(0).collect::<Vec<_>>(), [1]);
        assert_eq!(family.inside(1).collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(family.inside(2).count() + family.inside(usize::MAX).count(), 0);
        assert!(family.contains(1, 3) && !family.contains(0, 3) && !family.contains(1, 2));
        assert!(!family.contains(1, 4) && !family.contains(2, 1));
    }
}
