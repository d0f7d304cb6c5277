//! Words, numbers and pages for sites: all made from a seed, so that every site says the same each time.
//!
//! Numbers: SplitMix64 (Steele, Lea, Flood 2014). It is a bijection of its state, so equal results for one seed mean
//! equal inputs. No randomness beyond that is promised.

use std::fmt::Write as _;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number made of a seed and a count: different counts give different numbers for the same seed.
pub fn mix(seed: u64, count: u64) -> u64 {
    scramble(scramble(seed).wrapping_add(count.wrapping_mul(GOLDEN)))
}

fn scramble(state: u64) -> u64 {
    let mut z = state.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number made of a text (FNV-1a, then scrambled).
pub fn hash(text: &str) -> u64 {
    scramble(text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
}

const ONSETS: [&str; 16] = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "br"];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ou", "ea"];

/// A word of its own for each number below 2^35; no two are the same. At least two syllables.
pub fn word(number: u64) -> String {
    let mut out = String::with_capacity(16);
    push_word(number, &mut out);
    out
}

fn push_word(mut number: u64, out: &mut String) {
    // The number of syllables and the `n` between them keep the reading unique: every syllable is onset, vowel, "n".
    for syllable in 0..5 {
        if syllable >= 2 && number == 0 {
            break;
        }
        out.push_str(ONSETS[(number & 15) as usize]);
        out.push_str(VOWELS[((number >> 4) & 7) as usize]);
        out.push('n');
        number >>= 7;
    }
}

/// Running text of so many words out of a vocabulary of 1,024, by a seed.
pub fn words(seed: u64, count: usize) -> String {
    let mut out = String::with_capacity(count * 7);
    for n in 0..count {
        if n > 0 {
            out.push(' ');
        }
        push_word(mix(seed, n as u64) & 1023, &mut out);
    }
    out
}

/// A page under construction: a title, paragraphs, links.
pub struct Page(String);

impl Page {
    /// A page with a title, which is its heading too. Nothing is escaped: sites write what they mean.
    pub fn new(title: &str) -> Page {
        let mut out = String::with_capacity(1024);
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><title>{title}</title></head>\n<body><h1>{title}</h1>\n"
        );
        Page(out)
    }

    /// Adds a paragraph.
    pub fn says(mut self, text: &str) -> Page {
        let _ = writeln!(self.0, "<p>{text}</p>");
        self
    }

    /// One more heading, below that of the page.
    pub fn heading(mut self, text: &str) -> Page {
        let _ = writeln!(self.0, "<h2>{text}</h2>");
        self
    }

    /// Adds a link.
    pub fn link(mut self, href: &str, text: &str) -> Page {
        self.add_link(href, text);
        self
    }

    /// One more link, in place.
    pub fn add_link(&mut self, href: &str, text: &str) {
        let _ = writeln!(self.0, "<a href=\"{href}\">{text}</a>");
    }

    /// One more link each.
    pub fn links(mut self, hrefs: impl IntoIterator<Item = String>) -> Page {
        for href in hrefs {
            self.add_link(&href, "on");
        }
        self
    }

    /// The page as an answer.
    pub fn answer(mut self) -> crate::Answer {
        self.0.push_str("</body></html>\n");
        crate::Answer::html(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_are_unique_by_number() {
        let coined: HashSet<String> = (0..100_000).chain((1 << 30)..(1 << 30) + 1000).map(word).collect();
        assert_eq!(coined.len(), 101_000);
    }

    #[test]
    fn text_is_a_function_of_its_seed() {
        assert_eq!(words(5, 40), words(5, 40));
        assert_ne!(words(5, 40), words(6, 40));
        assert_eq!(words(5, 40).split(' ').count(), 40);
        assert_eq!(words(5, 0), "");
    }

    #[test]
    fn numbers_do_not_repeat_for_one_seed() {
        assert_eq!((0..10_000).map(|n| mix(3, n)).collect::<HashSet<_>>().len(), 10_000);
        assert_ne!(hash("a"), hash("b"));
    }
}
