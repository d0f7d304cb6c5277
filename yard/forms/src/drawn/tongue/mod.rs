//! What a drawn site says, in eight languages: labels, totals in several wordings, sentences that are no answer.

mod phrases;

use groma_testweb::prose::mix;

pub(crate) use phrases::Phrases;

/// A language of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tongue {
    En,
    De,
    Fr,
    Es,
    It,
    Cs,
    Pl,
    Ja,
}

/// What a label speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Identifier,
    Name,
    Description,
    Section,
    Architecture,
    License,
    Size,
    Date,
    Tags,
    Author,
    Language,
    Kind,
    Country,
    Population,
    Elevation,
    Component,
    Branch,
    Lines,
    Year,
    Publisher,
    Pages,
    Format,
}

impl Tongue {
    pub(crate) const ALL: [Tongue; 8] =
        [Tongue::En, Tongue::De, Tongue::Fr, Tongue::Es, Tongue::It, Tongue::Cs, Tongue::Pl, Tongue::Ja];

    /// The wording of pages in this language.
    pub(crate) fn phrases(self) -> &'static Phrases {
        match self {
            Tongue::En => &phrases::EN,
            Tongue::De => &phrases::DE,
            Tongue::Fr => &phrases::FR,
            Tongue::Es => &phrases::ES,
            Tongue::It => &phrases::IT,
            Tongue::Cs => &phrases::CS,
            Tongue::Pl => &phrases::PL,
            Tongue::Ja => &phrases::JA,
        }
    }

    pub(crate) fn label(self, label: Label) -> &'static str {
        self.phrases().labels[label as usize]
    }

    /// A number as its people write it.
    pub(crate) fn grouped(self, number: usize) -> String {
        let digits = number.to_string();
        let mut out = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                out.push_str(self.phrases().group);
            }
            out.push(digit);
        }
        out
    }

    /// One of some wordings: a site always takes the same.
    pub(crate) fn worded(self, of: &[&'static str], seed: u64) -> &'static str {
        of.get((mix(seed, of.len() as u64) % of.len().max(1) as u64) as usize).copied().unwrap_or_default()
    }

    /// A template with its numbers.
    pub(crate) fn filled(self, template: &str, n: usize, span: (usize, usize), noun: &str) -> String {
        template
            .replace("{n}", &self.grouped(n))
            .replace("{a}", &self.grouped(span.0))
            .replace("{b}", &self.grouped(span.1))
            .replace("{noun}", noun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_number_in_each_of_its_totals() {
        for tongue in Tongue::ALL {
            let said = tongue.phrases();
            let all =
                [&said.exact[..], &said.about, &said.at_least, &said.more_than, &[said.cut_of, said.cut]].concat();
            for template in all {
                let filled = tongue.filled(template, 1234, (11, 20), "x");
                assert!(filled.contains(&tongue.grouped(1234)) && !filled.contains('{'), "{filled}");
            }
            assert!(said.labels.iter().all(|label| !label.is_empty()), "{}", said.code);
        }
        assert_eq!(Tongue::De.grouped(4101), "4.101");
        assert_eq!(Tongue::Ja.label(Label::Year), "年");
    }
}
