//! Which color does a page have on the map? By its state, its type, its age or its rank; the classes stand in `groma.css`.

use groma_chart::{Label, Sort};
use groma_model::State;

/// What the colors of the map stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    State,
    Type,
    Age,
    Rank,
}

/// A color and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) class: &'static str,
    pub(crate) says: &'static str,
}

/// The classes of a page in every scheme, so that a script can change between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Colors {
    pub(crate) state: &'static str,
    pub(crate) sort: &'static str,
    pub(crate) age: &'static str,
    pub(crate) rank: &'static str,
}

const UNKNOWN: &str = "k-none";
const DAY: i64 = 86_400;
/// Younger than so many days: the class, and what people read.
const AGES: [(i64, &str, &str); 5] = [
    (7, "q6", "changed within a week"),
    (30, "q5", "within a month"),
    (91, "q4", "within three months"),
    (365, "q3", "within a year"),
    (3 * 365, "q2", "within three years"),
];
const OLDEST: (&str, &str) = ("q1", "older");
const SORTS: [(&str, &str); 7] = [
    ("c0", "page"),
    ("c1", "image"),
    ("c3", "sound and film"),
    ("c2", "document"),
    ("c7", "archive"),
    ("c4", "style, script, data"),
    ("c6", "other, or not known"),
];
const RANKS: [(&str, &str); 6] =
    [("q1", "lowest rank"), ("q2", ""), ("q3", "middle"), ("q4", ""), ("q5", "high"), ("q6", "highest rank")];
/// No page has less.
const LEAST_RANK: f64 = 0.15;

impl Scheme {
    pub(crate) const ALL: [Scheme; 4] = [Scheme::State, Scheme::Type, Scheme::Age, Scheme::Rank];

    /// The word in URLs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scheme::State => "state",
            Scheme::Type => "type",
            Scheme::Age => "age",
            Scheme::Rank => "rank",
        }
    }

    /// The one with this name; by rank, which says most about a site that was read to its end, if there is none.
    pub(crate) fn named(name: &str) -> Scheme {
        Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).unwrap_or(Scheme::Rank)
    }

    /// What its colors mean.
    pub(crate) fn legend(self) -> Vec<Meaning> {
        let meaning = |(class, says): (&'static str, &'static str)| Meaning { class, says };
        match self {
            Scheme::State => {
                [("s-fetched", "read"), ("s-skipped", "known, not read"), ("s-queued", "waiting")].map(meaning).to_vec()
            }
            Scheme::Type => SORTS.map(meaning).to_vec(),
            Scheme::Age => {
                let mut all: Vec<Meaning> = AGES.iter().map(|&(_, class, says)| Meaning { class, says }).collect();
                all.push(meaning(OLDEST));
                all.push(Meaning { class: UNKNOWN, says: "not known" });
                all
            }
            Scheme::Rank => RANKS.into_iter().filter(|(_, says)| !says.is_empty()).map(meaning).collect(),
        }
    }
}

impl Colors {
    /// The colors of a page; `highest` is the highest rank of all.
    pub(crate) fn for_label(label: &Label, highest: f64, now: i64) -> Colors {
        let state = match label.reason.state() {
            State::Fetched => "s-fetched",
            State::Skipped => "s-skipped",
            State::Queued => "s-queued",
            State::Excluded => "s-excluded",
            State::Broken => "s-broken",
            State::Alias => "s-alias",
        };
        let age = match label.modified.or(label.changed) {
            None => UNKNOWN,
            Some(at) => {
                let days = (now - at) / DAY;
                AGES.iter().find(|(most, ..)| days < *most).map_or(OLDEST.0, |(_, class, _)| class)
            }
        };
        Colors {
            state,
            sort: SORTS[Sort::of_media_type(&label.media_type) as usize].0,
            age,
            rank: rank(label.rank, highest),
        }
    }

    /// All classes, in the order of [`Scheme::ALL`].
    pub(crate) fn all(&self) -> String {
        format!("{} {} {} {}", self.state, self.sort, self.age, self.rank)
    }

    /// The class in a scheme.
    pub(crate) fn class(&self, scheme: Scheme) -> &'static str {
        match scheme {
            Scheme::State => self.state,
            Scheme::Type => self.sort,
            Scheme::Age => self.age,
            Scheme::Rank => self.rank,
        }
    }
}

/// Ranks spread over many powers of ten: their logarithms make the steps.
fn rank(rank: f64, highest: f64) -> &'static str {
    let (low, high) = (LEAST_RANK.ln(), highest.max(LEAST_RANK * 1.01).ln());
    let share = if rank > LEAST_RANK { (rank.ln() - low) / (high - low) } else { 0.0 };
    let step = (share * RANKS.len() as f64) as usize;
    RANKS[step.min(RANKS.len() - 1)].0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_spread_from_the_lowest_to_the_highest() {
        assert_eq!([rank(0.15, 100.0), rank(100.0, 100.0), rank(f64::NAN, 100.0)], ["q1", "q6", "q1"]);
        assert_eq!(rank(0.15, 0.15), "q1");
        assert!(rank(4.0, 100.0) > rank(0.3, 100.0));
    }

    #[test]
    fn every_scheme_has_a_name_and_a_legend() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::named(scheme.name()), scheme);
            assert!(!scheme.legend().is_empty());
        }
        assert_eq!(Scheme::named("<script>"), Scheme::Rank);
    }
}
