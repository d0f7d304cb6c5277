//! Which of many texts does a URL begin with? The longest of them.
//!
//! ```text
//! parent(t)  = the longest other text that t begins with
//! longest(a) = the first of p, parent(p), parent(parent(p)), ... that a begins with; p = the greatest text <= a
//! ```
//!
//! Why: let q be the answer. Whatever lies between q and a in the order of texts begins with q, as a does; so p begins with q,
//! and q is p or above it. Cost: sorting once, then a binary search and the steps upward, each a comparison of two lengths. Not
//! guaranteed: anything about texts that are given twice but that the later value is kept.

/// Texts, each with a value, that can be asked for the longest a URL begins with.
#[derive(Clone, Debug)]
pub(crate) struct Starts<T> {
    sorted: Vec<Start<T>>,
}

#[derive(Clone, Debug)]
struct Start<T> {
    text: Box<str>,
    /// Its parent's place; its own if it has none.
    parent: u32,
    value: T,
}

impl<T> Starts<T> {
    /// Of a text that is given twice the later value is kept.
    pub(crate) fn new(texts: impl IntoIterator<Item = (String, T)>) -> Starts<T> {
        let mut given: Vec<(String, T)> = texts.into_iter().collect();
        given.sort_by(|a, b| a.0.cmp(&b.0));
        let mut sorted: Vec<Start<T>> = Vec::with_capacity(given.len());
        let mut open: Vec<u32> = Vec::new();
        for (text, value) in given {
            match sorted.last_mut() {
                Some(last) if *last.text == *text => last.value = value,
                _ => {
                    while open.last().is_some_and(|&above| !text.starts_with(&*sorted[above as usize].text)) {
                        open.pop();
                    }
                    let place = sorted.len() as u32;
                    let parent = open.last().copied().unwrap_or(place);
                    sorted.push(Start { text: text.into(), parent, value });
                    open.push(place);
                }
            }
        }
        Starts { sorted }
    }

    /// The longest text this one begins with, and its value.
    pub(crate) fn longest(&self, text: &str) -> Option<(&str, &T)> {
        self.all(text).next()
    }

    /// All texts this one begins with, the longest first.
    pub(crate) fn all(&self, text: &str) -> impl Iterator<Item = (&str, &T)> {
        let nearest = self.sorted.partition_point(|start| *start.text <= *text).checked_sub(1);
        let shared = nearest.map_or(0, |nearest| {
            let bytes = self.sorted[nearest].text.bytes().zip(text.bytes());
            bytes.take_while(|(a, b)| a == b).count()
        });
        let above = |&place: &usize| Some(self.sorted[place].parent as usize).filter(|&parent| parent != place);
        let starts = std::iter::successors(nearest, above).map(|place| &self.sorted[place]);
        starts.skip_while(move |start| start.text.len() > shared).map(|start| (&*start.text, &start.value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_wins_and_of_a_text_given_twice_the_later_value() {
        let starts = Starts::new([("a/", 1), ("a/b/", 2), ("a/b/c", 3), ("a/", 4)].map(|(t, v)| (t.to_owned(), v)));
        assert_eq!(starts.longest("a/b/d"), Some(("a/b/", &2)));
        assert_eq!(starts.longest("a/b/cc"), Some(("a/b/c", &3)));
        assert_eq!(starts.longest("a/x"), Some(("a/", &4)));
        assert_eq!(starts.longest("a"), None);
        assert_eq!(starts.longest("b"), None);
        assert_eq!(Starts::<u8>::new([]).longest("a"), None);
    }

    proptest! {
        #[test]
        fn it_is_what_looking_at_all_of_them_gives(
            texts in proptest::collection::vec("[ab]{0,5}", 0..12),
            asked in "[ab]{0,7}",
        ) {
            let starts = Starts::new(texts.iter().cloned().enumerate().map(|(n, text)| (text, n)));
            let all = texts.iter().enumerate().filter(|(_, text)| asked.starts_with(*text));
            let best = all.max_by_key(|(n, text)| (text.len(), *n)).map(|(n, text)| (text.as_str(), n));
            prop_assert_eq!(starts.longest(&asked).map(|(text, n)| (text, *n)), best);
            let mut each: Vec<&str> = texts.iter().map(String::as_str).filter(|text| asked.starts_with(text)).collect();
            each.sort_by_key(|text| std::cmp::Reverse(text.len()));
            each.dedup();
            prop_assert_eq!(starts.all(&asked).map(|(text, _)| text).collect::<Vec<_>>(), each);
        }
    }
}
