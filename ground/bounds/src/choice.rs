//! Which member of the family is the site?
//!
//! ```text
//! family     sites X_1 within X_2 within ... at falling prices e_1 > e_2 > ... (see groma_graph::flow)
//! plateau    neighboring members, none of which has more than 1.3 times the pages of the one before it
//! stands     ln(e_first / e_next), e_next being the price at which the next plateau begins, at least the floor
//! chosen     the last member of the plateau that stands longest; of equals the smaller site
//! ```
//!
//! Source: spec 2: sites are nested in epsilon; take the last value before |X| jumps. A family can jump several times (a chapter,
//! a manual, all manuals of a host), so the plateau that holds over the widest range of prices is taken. Prices count in units of the
//! capacity of a link within one folder; at `FLOOR` of it a page joins for a link that is hardly one, and what happens below says
//! nothing about sites.
//! A member is *real* if more capacity lies on links within it than on links that leave it (paper: pages of one site are
//! linked among themselves far more than with the rest). Seeds that are a cluster are taken for real; of others, the members before
//! the first real one are only the seeds and what little hangs on them, and do not count. If no real one comes above the floor,
//! the first below it is taken, with what joins it down to `HELD` of the price it came at: all that follows says still less.
//! Cost: O(members). Not guaranteed: that what stands longest is what a person means; the whole family is shown for that.

use std::fmt;

/// One member of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FamilyStep {
    /// The price of a page.
    pub epsilon: f64,
    /// Pages of the site.
    pub size: u32,
    /// Capacity of the links that leave it.
    pub boundary: f64,
    /// Capacity of the links within it.
    pub inside: f64,
}

impl FamilyStep {
    /// More capacity within than across the border?
    pub fn is_real(&self) -> bool {
        self.inside > self.boundary
    }
}

/// How much a plateau may grow from one member to the next.
const GROWTH: f64 = 1.3;
/// The lowest price that counts, in links within a folder.
const FLOOR: f64 = 0.03;
/// A site that comes only below the floor has to hold down to this part of the price it came at.
const HELD: f64 = 0.3;

/// Why a member of the family was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// The price was given.
    Given,
    /// There is no flow in this method: the clusters are the site.
    Clusters,
    /// It hardly changes from one price to the other, longer than any other member.
    Stands {
        /// The price at which the plateau begins.
        from: f64,
        /// The price at which it ends.
        to: f64,
        /// The size after the next jump, if there is one.
        next: Option<u32>,
    },
    /// No member is a site by itself: nothing but the start pages, or everything.
    Nothing,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Given => f.write_str("the price was given"),
            Why::Clusters => f.write_str("the clusters of the start pages are the site"),
            Why::Stands { from, to, next: Some(next) } => {
                let (from, to) = (plain_price(*from), plain_price(*to));
                write!(f, "it hardly changes between the prices {from} and {to}; below, it jumps to {next} pages")
            }
            Why::Stands { from, to, next: None } => {
                let (from, to) = (plain_price(*from), plain_price(*to));
                write!(f, "it hardly changes between the prices {from} and {to}, the lowest that was tried")
            }
            Why::Nothing => f.write_str(
                "no set of pages around the start pages holds together better than it is linked to the rest",
            ),
        }
    }
}

/// A price as people write numbers: three digits that say something, no power of ten.
pub fn plain_price(price: f64) -> String {
    // A number as short as it is is printed without a power of ten.
    format!("{price:.2e}").parse::<f64>().unwrap_or(price).to_string()
}

/// A run of members of about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plateau {
    /// Index of its first member.
    pub first: usize,
    /// Index of its last member.
    pub last: usize,
}

/// The plateaus of a family, in order.
pub fn plateaus(steps: &[FamilyStep]) -> Vec<Plateau> {
    let mut found: Vec<Plateau> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match found.last_mut() {
            Some(last) if f64::from(step.size) <= f64::from(steps[last.last].size) * GROWTH => last.last = at,
            _ => found.push(Plateau { first: at, last: at }),
        }
    }
    found
}

/// Chooses a member; `unit` is the capacity of a link within a folder, `from_clusters` says that the seeds are clusters.
pub fn choose(steps: &[FamilyStep], unit: f64, from_clusters: bool) -> (usize, Why) {
    let floor = FLOOR * unit;
    let counted = steps.partition_point(|step| step.epsilon >= floor);
    // A family that was broken off above the floor says nothing about what follows.
    let end = if counted < steps.len() { floor } else { steps.last().map_or(floor, |step| step.epsilon) };
    let best = standing_longest(&steps[..counted], end, from_clusters);
    let Some(plateau) = best.or_else(|| first_real(steps)) else {
        return (steps.len().saturating_sub(1), Why::Nothing);
    };
    (plateau.last, stands(steps, plateau))
}

/// That a plateau stands, told.
pub(crate) fn stands(steps: &[FamilyStep], Plateau { first, last }: Plateau) -> Why {
    let next = steps[last + 1..].iter().find(|step| jumps(&steps[last], step)).map(|step| step.size);
    Why::Stands { from: steps[first].epsilon, to: steps[last].epsilon, next }
}

/// The plateaus above the floor, each with how long it stands.
pub(crate) fn standing(steps: &[FamilyStep], unit: f64) -> Vec<(f64, Plateau)> {
    let floor = FLOOR * unit;
    let counted = &steps[..steps.partition_point(|step| step.epsilon >= floor)];
    let ends = |plateau: &Plateau| steps.get(plateau.last + 1).map_or(floor, |next| next.epsilon.max(floor));
    let stands = |plateau: Plateau| ((counted[plateau.first].epsilon / ends(&plateau)).ln(), plateau);
    plateaus(counted).into_iter().map(stands).collect()
}

fn standing_longest(steps: &[FamilyStep], end: f64, from_clusters: bool) -> Option<Plateau> {
    let all = plateaus(steps);
    let is_real = |plateau: &Plateau| from_clusters || steps[plateau.last].is_real();
    let mut best: Option<(f64, Plateau)> = None;
    for plateau in all.into_iter().skip_while(|plateau| !is_real(plateau)) {
        let ends = steps.get(plateau.last + 1).map_or(end, |next| next.epsilon);
        let stands = (steps[plateau.first].epsilon / ends).ln();
        if best.is_none_or(|(longest, _)| stands > longest + 1e-9) {
            best = Some((stands, plateau));
        }
    }
    best.map(|(_, plateau)| plateau)
}

/// Is the choice made, whatever follows at lower prices? For a search that has to pay for every member.
pub fn is_settled(steps: &[FamilyStep], unit: f64, from_clusters: bool) -> bool {
    let (floor, all) = (FLOOR * unit, plateaus(steps));
    let (Some(last), Some(now)) = (all.last(), steps.last()) else { return false };
    if now.epsilon < floor {
        let counted = steps.partition_point(|step| step.epsilon >= floor);
        let is_over = || first_real(steps).is_some_and(|real| real.last + 1 < steps.len());
        return standing_longest(&steps[..counted], floor, from_clusters).is_some() || is_over();
    }
    let is_real = |plateau: &&Plateau| from_clusters || steps[plateau.last].is_real();
    let over = all.iter().skip_while(|plateau| !is_real(plateau)).filter(|plateau| *plateau != last);
    let longest =
        over.map(|plateau| steps[plateau.first].epsilon / steps[plateau.last + 1].epsilon).fold(0.0, f64::max);
    // The plateau that is still going on, or one that follows, can stand down to the floor.
    longest >= steps[last.first].epsilon / floor
}

/// The first plateau with a real member, from that member on and as far down as is looked below the floor.
fn first_real(steps: &[FamilyStep]) -> Option<Plateau> {
    let plateau = plateaus(steps).into_iter().find(|plateau| steps[plateau.last].is_real())?;
    let first = (plateau.first..=plateau.last).find(|&at| steps[at].is_real())?;
    let lowest = steps[first].epsilon * HELD;
    let last = (first..=plateau.last).rfind(|&at| steps[at].epsilon >= lowest)?;
    Some(Plateau { first, last })
}

fn jumps(from: &FamilyStep, to: &FamilyStep) -> bool {
    f64::from(to.size) > f64::from(from.size) * GROWTH
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members at prices that fall by half, with links within as given.
    fn family(sizes: &[(u32, f64, f64)]) -> Vec<FamilyStep> {
        let prices = (0i32..).map(|power| 10.0 * 0.5f64.powi(power));
        let step = |(epsilon, &(size, boundary, inside))| FamilyStep { epsilon, size, boundary, inside };
        prices.zip(sizes).map(step).collect()
    }

    #[test]
    fn the_member_before_the_jump_after_the_longest_rest_is_chosen() {
        let steps = family(&[(1, 9.0, 0.0), (50, 3.0, 90.0), (52, 2.0, 91.0), (52, 2.0, 91.0), (400, 0.0, 999.0)]);
        let (chosen, why) = choose(&steps, 1.0, false);
        assert_eq!(chosen, 3);
        assert_eq!(why, Why::Stands { from: 5.0, to: 1.25, next: Some(400) });
    }

    #[test]
    fn start_pages_alone_are_no_site_however_long_they_stand() {
        let mut sizes = vec![(1, 9.0, 0.0); 6];
        sizes.extend([(50, 3.0, 90.0), (50, 3.0, 90.0), (400, 0.0, 999.0)]);
        assert_eq!(choose(&family(&sizes), 1.0, false).0, 7);
        // Of clusters that is not said.
        assert_eq!(choose(&family(&sizes), 1.0, true).0, 5);
    }

    #[test]
    fn what_happens_below_the_floor_does_not_count() {
        let mut sizes = vec![(50, 3.0, 90.0); 4];
        sizes.extend([(400, 0.0, 999.0); 30]);
        assert_eq!(choose(&family(&sizes), 1.0, false).0, 8, "the larger one stands longer, down to the floor");
        sizes.splice(0..0, [(50, 3.0, 90.0); 4]);
        assert_eq!(choose(&family(&sizes), 1.0, false).0, 7);
    }

    #[test]
    fn a_site_that_comes_only_below_the_floor_is_taken_if_there_is_no_other() {
        let mut sizes = vec![(1, 9.0, 0.0); 12];
        sizes.extend([(300, 1.0, 99.0), (300, 1.0, 99.0), (9000, 0.0, 999.0)]);
        assert_eq!(choose(&family(&sizes), 1.0, false).0, 13);
        // What it grows by at a small part of that price is no longer it, however little that is at a time.
        sizes.truncate(13);
        sizes.extend((0..8).map(|step| (300 + 60 * step, 1.0, 99.0)));
        let steps = family(&sizes);
        assert_eq!(choose(&steps, 1.0, false).0, 13);
        let seen = (1..=steps.len()).find(|&seen| is_settled(&steps[..seen], 1.0, false));
        assert_eq!(seen, Some(15), "and whoever pays for every member stops there");
    }

    #[test]
    fn a_choice_is_made_once_nothing_can_stand_longer() {
        let mut sizes = vec![(50, 3.0, 90.0); 6];
        assert!(!is_settled(&family(&sizes), 1.0, false), "it may still stand longer");
        sizes.push((400, 0.0, 999.0));
        assert!(is_settled(&family(&sizes), 1.0, false));
        let early = family(&[(50, 3.0, 90.0), (400, 0.0, 999.0)]);
        assert!(!is_settled(&early, 1.0, false));
        assert!(!is_settled(&family(&[(1, 9.0, 0.0); 12]), 1.0, false), "no site yet, however low the price");
        assert!(!is_settled(&[], 1.0, true));
        assert!(!is_settled(&family(&[(50, 3.0, 90.0); 9]), 1.0, false));
        assert!(is_settled(&family(&[(50, 3.0, 90.0); 10]), 1.0, false), "below the floor nothing counts");
    }

    #[test]
    fn a_settled_choice_is_that_of_the_whole_family() {
        for first in 1..10 {
            let mut sizes = vec![(50, 3.0, 90.0); first];
            sizes.extend(vec![(400, 0.0, 999.0); 40 - first]);
            let steps = family(&sizes);
            let whole = choose(&steps, 1.0, false);
            let seen = (1..=steps.len()).find(|&seen| is_settled(&steps[..seen], 1.0, false)).unwrap();
            assert_eq!(choose(&steps[..seen], 1.0, false).0, whole.0, "{first}: after {seen}");
        }
    }

    #[test]
    fn prices_are_told_as_people_write_numbers() {
        let told = [6.0653, 0.012_345, 10.0, 9.999, 1234.5, 0.000_05, 0.0].map(plain_price);
        assert_eq!(told, ["6.07", "0.0123", "10", "10", "1230", "0.00005", "0"]);
        let why = Why::Stands { from: 6.0653, to: 0.7, next: Some(400) };
        assert_eq!(why.to_string(), "it hardly changes between the prices 6.07 and 0.7; below, it jumps to 400 pages");
    }

    #[test]
    fn a_family_without_members_or_without_a_site_is_said_to_be_nothing() {
        assert_eq!(choose(&[], 1.0, false), (0, Why::Nothing));
        assert_eq!(choose(&family(&[(1, 5.0, 0.0)]), 1.0, false), (0, Why::Nothing));
    }
}
