//! The catalogue of checks: a file for each, with its definition, its example and its judge. What needs the whole survey is found by
//! the files of [`checks`](crate::checks).
//!
//! Findings are told in the order of [the list](rows). Names are written into baselines and scripts: never rename one.

#[macro_use]
mod rows;

mod charsets;
mod cookies;
mod data_faults;
mod definition;
#[cfg(test)]
mod examples;
mod generic_texts;
mod judge;
mod judging;
mod profile;
mod robots_words;
mod thresholds;
mod view;

pub use definition::{Definition, Example, Family};
#[cfg(test)]
pub(crate) use judge::Judge;
#[cfg(test)]
pub(crate) use judging::judge_of;
pub(crate) use judging::{Judging, Remarks};
pub use profile::{CheckName, Profile};
pub use thresholds::Thresholds;
pub(crate) use view::{LinkView, PageView};

macro_rules! catalogue {
    ($( $variant:ident, $file:ident; )*) => {
        $( mod $file; )*

        /// What kind of finding it is, in the order in which they are told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind { $( $variant, )* }

        impl Kind {
            /// All of them, in the order in which they are told.
            pub const ALL: &'static [Kind] = &[ $( Kind::$variant, )* ];

            /// What the check that finds it is.
            pub fn definition(self) -> &'static Definition {
                match self { $( Kind::$variant => &$file::DEFINITION, )* }
            }
        }
    };
}

each_check!(catalogue);

impl Kind {
    /// The word scripts see.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// How bad it is.
    pub fn severity(self) -> crate::finding::Severity {
        self.definition().severity
    }

    /// What such findings are, as a heading.
    pub fn says(self) -> &'static str {
        self.definition().headline
    }

    /// What to do about them.
    pub fn next_step(self) -> &'static str {
        self.definition().next_step
    }
}
