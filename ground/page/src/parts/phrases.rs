//! Many phrases, looked for in a text all at once.
//!
//! Formula: phrases of one hash of their first two bytes are one chain; at each byte of the text the phrases of its chain, mostly none, are held
//! against what follows. The compiler builds the chains. Cost: linear in the text, times the phrases that begin as it goes on.

use std::ops::ControlFlow;

/// Chains: more than pairs of letters that phrases begin with.
const CHAINS: usize = 1024;

/// A set of phrases, each of a kind: a bit.
pub(crate) struct Phrases<const N: usize> {
    list: [(&'static str, u32); N],
    /// The first phrase of a chain, and the one after a phrase: numbers from one on, zero for none.
    first: [u16; CHAINS],
    next: [u16; N],
}

impl<const N: usize> Phrases<N> {
    /// These phrases, of two bytes or more, by kinds.
    pub(crate) const fn new(kinds: &[(u32, &[&'static str])]) -> Phrases<N> {
        let mut phrases = Phrases { list: [("", 0); N], first: [0; CHAINS], next: [0; N] };
        let (mut kind, mut number) = (0, 0);
        while kind < kinds.len() {
            let mut at = 0;
            while at < kinds[kind].1.len() {
                let phrase = kinds[kind].1[at];
                let chain = chain(phrase.as_bytes()[0], phrase.as_bytes()[1]);
                phrases.list[number] = (phrase, kinds[kind].0);
                phrases.next[number] = phrases.first[chain];
                number += 1;
                phrases.first[chain] = number as u16;
                at += 1;
            }
            kind += 1;
        }
        assert!(number == N, "as many phrases as are announced");
        phrases
    }

    /// The kinds of all phrases in a text.
    pub(crate) fn kinds(&self, text: &str) -> u32 {
        let mut kinds = 0;
        let _ = self.each(text, |_, _, kind| {
            kinds |= kind;
            ControlFlow::Continue(())
        });
        kinds
    }

    /// Is any of them in a text?
    pub(crate) fn any(&self, text: &str) -> bool {
        self.each(text, |_, _, _| ControlFlow::Break(())).is_break()
    }

    /// Does a text begin with any of them?
    pub(crate) fn begin(&self, text: &str) -> bool {
        self.here(text.as_bytes(), &mut |_, _| ControlFlow::Break(())).is_break()
    }

    /// Calls with where a phrase begins, the phrase and its kind, for all of them until told to stop.
    pub(crate) fn each(
        &self,
        text: &str,
        mut call: impl FnMut(usize, &'static str, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            self.here(&bytes[at..], &mut |phrase, kind| call(at, phrase, kind))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn here(&self, rest: &[u8], call: &mut impl FnMut(&'static str, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let [a, b, ..] = rest else { return ControlFlow::Continue(()) };
        let mut next = self.first[chain(*a, *b)];
        while let Some(number) = (next as usize).checked_sub(1) {
            let (phrase, kind) = self.list[number];
            if rest.starts_with(phrase.as_bytes()) {
                call(phrase, kind)?;
            }
            next = self.next[number];
        }
        ControlFlow::Continue(())
    }
}

/// Small letters differ in their last five bits.
const fn chain(a: u8, b: u8) -> usize {
    ((a as usize) << 5 ^ b as usize) & (CHAINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    static PHRASES: Phrases<5> = Phrases::new(&[(1, &["the book", "books"]), (2, &["本文", "book"]), (4, &["ok"])]);

    #[test]
    fn all_kinds_are_found_wherever_they_stand() {
        assert_eq!(PHRASES.kinds("the book"), 7);
        assert_eq!(PHRASES.kinds("of the boo"), 0);
        assert_eq!(PHRASES.kinds("日本文化"), 2);
        assert_eq!(PHRASES.kinds("no"), 0);
        assert_eq!(PHRASES.kinds(""), 0);
        assert!(PHRASES.any("look") && !PHRASES.any("looming"));
    }

    #[test]
    fn a_text_begins_with_one() {
        assert!(PHRASES.begin("bookshop") && PHRASES.begin("ok"));
        assert!(!PHRASES.begin("a book") && !PHRASES.begin("b") && !PHRASES.begin(""));
    }
}
