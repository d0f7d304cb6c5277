//! For which patterns of URLs is it worth building the pages?
//!
//! A pattern is the shape of a URL; where a shape has too few samples, the quarter (host and first folder) speaks, if it
//! has many and all say the same. Of each pattern shells and pages with text are counted apart:
//!
//! ```text
//! shell:  build, unless  built >= 3 and gained = 0          (shape)
//!                   or   built >= 12 and gained = 0         (quarter, while the shape has built < 3)
//! text:   nothing, until 3 shells of the shape gained; then 3 samples are built;
//!         build on if one of them gained, else nothing
//! ```
//!
//! Source: ours. Cost: O(1) per page; memory grows with the patterns of which a page was built, up to [`PATTERNS`]; beyond, no new ones
//! are learned, and shells are built. Not guaranteed: a pattern whose first pages gain nothing and whose later ones would.
//! It is a function of the pages that were built, up to their order: whoever is shown stored pages again comes to the same judgement.

use std::collections::HashMap;

use groma_model::rendering::Why;
use groma_model::url::shape::{Shape, quarter, shape};
use groma_url::Url;

/// Samples that decide about a shape.
const SAMPLES: u32 = 3;
/// Samples that decide about a quarter.
const QUARTER_SAMPLES: u32 = 12;
/// Patterns remembered at most.
pub const PATTERNS: usize = 200_000;

#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    built: u32,
    gained: u32,
}

impl Evidence {
    fn add(&mut self, gained: bool) {
        self.built = self.built.saturating_add(1);
        self.gained = self.gained.saturating_add(u32::from(gained));
    }

    fn is_barren(self, samples: u32) -> bool {
        self.built >= samples && self.gained == 0
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    shells: Evidence,
    texts: Evidence,
    /// Samples of pages with text that are being built.
    sent: u32,
}

/// What was learned about patterns.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    patterns: HashMap<Shape, Pattern>,
}

/// What to do about a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Whether the page should be rendered.
    pub build: bool,
    /// Why, or why not.
    pub why: Why,
}

impl Habits {
    /// What to do about a page that has scripts. `shell`: it came as one.
    pub fn advise(&mut self, url: &Url, is_shell: bool) -> Advice {
        let shape = shape(url);
        let known = self.patterns.get(&shape).copied().unwrap_or_default();
        if is_shell {
            let around = self.patterns.get(&quarter(url)).copied().unwrap_or_default();
            let barren = known.shells.is_barren(SAMPLES)
                || (known.shells.built < SAMPLES
                    && known.shells.gained == 0
                    && around.shells.is_barren(QUARTER_SAMPLES));
            return if barren {
                Advice { build: false, why: Why::Barren }
            } else {
                Advice { build: true, why: Why::Shell }
            };
        }
        let text = Advice { build: false, why: Why::Text };
        if known.shells.gained < SAMPLES {
            return text;
        }
        if known.texts.gained > 0 {
            return Advice { build: true, why: Why::Pattern };
        }
        match self.patterns.get_mut(&shape) {
            Some(pattern) if pattern.sent.max(pattern.texts.built) < SAMPLES => {
                pattern.sent += 1;
                Advice { build: true, why: Why::Sample }
            }
            _ => text,
        }
    }

    /// A page was built for this reason, and gained by it or not.
    pub fn learn(&mut self, url: &Url, why: Why, gained: bool) {
        for key in [shape(url), quarter(url)] {
            if self.patterns.len() >= PATTERNS && !self.patterns.contains_key(&key) {
                continue;
            }
            let pattern = self.patterns.entry(key).or_default();
            match why {
                Why::Shell => pattern.shells.add(gained),
                Why::Sample | Why::Pattern => pattern.texts.add(gained),
                // Where every page is built nothing was chosen.
                Why::Always | Why::Text | Why::Barren | Why::Plain => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.example{path}")).unwrap()
    }

    fn why(habits: &mut Habits, path: &str, is_shell: bool) -> Why {
        habits.advise(&url(path), is_shell).why
    }

    #[test]
    fn a_pattern_that_gains_nothing_is_left_alone() {
        let mut habits = Habits::default();
        for n in 0..3 {
            assert_eq!(why(&mut habits, &format!("/s/{n}"), true), Why::Shell);
            habits.learn(&url(&format!("/s/{n}")), Why::Shell, false);
        }
        assert_eq!(why(&mut habits, "/s/99", true), Why::Barren);
        assert_eq!(why(&mut habits, "/other", true), Why::Shell);
    }

    #[test]
    fn one_gain_keeps_a_pattern() {
        let mut habits = Habits::default();
        (0..50).for_each(|n| habits.learn(&url(&format!("/s/{n}")), Why::Shell, n == 1));
        assert_eq!(why(&mut habits, "/s/99", true), Why::Shell);
    }

    #[test]
    fn names_made_of_words_are_judged_by_their_quarter() {
        let mut habits = Habits::default();
        for n in 0..12u8 {
            let word = char::from(b'a' + n);
            assert_eq!(why(&mut habits, &format!("/blog/{word}"), true), Why::Shell);
            habits.learn(&url(&format!("/blog/{word}")), Why::Shell, false);
        }
        assert_eq!(why(&mut habits, "/blog/zebra", true), Why::Barren);
    }

    #[test]
    fn pages_with_text_are_sampled_where_shells_gain() {
        let mut habits = Habits::default();
        assert_eq!(why(&mut habits, "/p/1", false), Why::Text);
        (0..3).for_each(|n| habits.learn(&url(&format!("/p/{n}")), Why::Shell, true));
        for n in 10..13 {
            assert_eq!(why(&mut habits, &format!("/p/{n}"), false), Why::Sample);
        }
        assert_eq!(why(&mut habits, "/p/13", false), Why::Text, "the samples are still being built");
        let mut poor = habits.clone();
        (10..13).for_each(|n| habits.learn(&url(&format!("/p/{n}")), Why::Sample, n == 12));
        assert_eq!(why(&mut habits, "/p/14", false), Why::Pattern);
        (10..13).for_each(|n| poor.learn(&url(&format!("/p/{n}")), Why::Sample, false));
        assert_eq!(why(&mut poor, "/p/14", false), Why::Text);
    }
}
