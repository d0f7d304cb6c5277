//! How good is a set of pages, held against the true one?
//!
//! ```text
//! precision = both / size      recall = both / truth      F1 = 2 both / (size + truth)
//! macro mean of each: the mean over sites, however large they are
//! ```
//!
//! Source: paper 2, section 4.1.1 and table 1. Where nothing was found, or there is nothing to find, a share of nothing is 0; if
//! both, 1.

use std::fmt::Write;

/// How good a set of pages is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Pages found.
    pub size: u32,
    /// Pages there truly are.
    pub truth: u32,
    /// Pages found that truly are.
    pub both: u32,
    /// The share of the found that truly are.
    pub precision: f64,
    /// The share of the true that were found.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
}

impl Score {
    /// From counts; pages found that truly are cannot be more than either.
    pub fn new(size: u32, truth: u32, both: u32) -> Score {
        let both = both.min(size).min(truth);
        let share = |part: f64, whole: f64| match (size, truth) {
            (0, 0) => 1.0,
            _ if whole == 0.0 => 0.0,
            _ => part / whole,
        };
        let (found, all, good) = (f64::from(size), f64::from(truth), f64::from(both));
        let (precision, recall) = (share(good, found), share(good, all));
        Score { size, truth, both, precision, recall, f1: share(2.0 * good, found + all) }
    }
}

/// A line of the table: a method on one site, or the means over several.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    /// What found the pages.
    pub method: String,
    /// Over how many sites this is the mean.
    pub sites: u32,
    /// Pages found.
    pub size: f64,
    /// See [`Score`].
    pub precision: f64,
    /// See [`Score`].
    pub recall: f64,
    /// See [`Score`].
    pub f1: f64,
}

impl ScoreRow {
    /// The means of these scores, each site counting the same; of one score the score itself.
    pub fn mean(method: impl Into<String>, scores: &[Score]) -> ScoreRow {
        // Summed from a plain 0: the sum of no numbers is -0, which would be seen.
        let sum = |of: fn(&Score) -> f64| scores.iter().map(of).fold(0.0, |sum, x| sum + x);
        let mean = |of| sum(of) / scores.len().max(1) as f64;
        ScoreRow {
            method: method.into(),
            sites: scores.len() as u32,
            size: mean(|score| f64::from(score.size)),
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            f1: mean(|score| score.f1),
        }
    }
}

/// The table of paper 2 in plain text: a method a line, columns of one width. The number of sites is told where it is not one.
pub fn table(rows: &[ScoreRow]) -> String {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let several = rows.iter().any(|row| row.sites != 1);
    let mut cells = vec![["method", "sites", "size", "precision", "recall", "F1"].map(str::to_owned)];
    for row in rows {
        let size = if row.size.fract() == 0.0 { format!("{:.0}", row.size) } else { format!("{:.1}", row.size) };
        let [precision, recall, f1] = [row.precision, row.recall, row.f1].map(percent);
        // A method's name has no say over where lines end.
        let method = row.method.replace(char::is_control, " ");
        cells.push([method, row.sites.to_string(), size, precision, recall, f1]);
    }
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &cells {
        text.push_str(&row[0]);
        // Every number is pushed to the right end of its column.
        let mut missing = widths[0] - row[0].chars().count();
        for column in (1..6).filter(|&column| column != 1 || several) {
            missing += 2 + widths[column] - row[column].chars().count();
            let _ = write!(text, "{:missing$}{}", "", row[column]);
            missing = 0;
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_paper_s_figures_come_out() {
        // Table 1: 8 pages with 87.5 % and 1.3 %; 788 with 90.4 % and 86.4 %. The true pages are counted back from these shares.
        let flow = Score::new(8, 538, 7);
        let both = Score::new(788, 824, 712);
        let rows = [ScoreRow::mean("Flow Simulation", &[flow]), ScoreRow::mean("MCL 1.2 + Flow Simulation", &[both])];
        let expected = "\
method                     size  precision  recall     F1
Flow Simulation               8      87.5%    1.3%   2.6%
MCL 1.2 + Flow Simulation   788      90.4%   86.4%  88.3%
";
        assert_eq!(table(&rows), expected);
    }

    #[test]
    fn means_count_every_site_the_same() {
        let row = ScoreRow::mean("x", &[Score::new(10, 10, 10), Score::new(1000, 3, 1)]);
        assert_eq!((row.sites, row.size, row.precision), (2, 505.0, 0.5005));
        assert_eq!(row.recall, (1.0 + 1.0 / 3.0) / 2.0);
        let text = table(&[row, ScoreRow::mean("\u{e4}\nlonger", &[])]);
        assert_eq!(
            text,
            "method    sites  size  precision  recall     F1\n\
             x             2   505      50.0%   66.7%  50.1%\n\
             \u{e4} longer      0     0       0.0%    0.0%   0.0%\n"
        );
        assert_eq!(table(&[]), "method  size  precision  recall  F1\n");
    }

    #[test]
    fn shares_of_nothing() {
        let of = |size, truth, both| {
            let score = Score::new(size, truth, both);
            (score.precision, score.recall, score.f1)
        };
        assert_eq!(of(0, 0, 0), (1.0, 1.0, 1.0));
        assert_eq!(of(0, 5, 0), (0.0, 0.0, 0.0));
        assert_eq!(of(5, 0, 0), (0.0, 0.0, 0.0));
        assert_eq!(of(5, 5, 9), (1.0, 1.0, 1.0));
    }

    proptest! {
        #[test]
        fn f1_is_the_harmonic_mean(size in 1u32..1000, truth in 1u32..1000, both in 1u32..1000) {
            let score = Score::new(size, truth, both);
            let harmonic = 2.0 / (1.0 / score.precision + 1.0 / score.recall);
            prop_assert!((score.f1 - harmonic).abs() < 1e-12);
            prop_assert!(score.precision <= 1.0 && score.recall <= 1.0);
        }
    }
}
