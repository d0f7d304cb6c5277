//! What people ask of a [`Library`]: mostly one to three words, some phrases, some filters, some misspelt.

use std::collections::HashSet;

use groma_testweb::prose::{mix, word};
use groma_testweb::sites::Library;

use super::caller::encoded;

/// So many different questions about a library of so many pages, the same each time.
pub(crate) fn questions(pages: usize, count: usize, seed: u64) -> Vec<String> {
    let (mut known, mut all) = (HashSet::new(), Vec::with_capacity(count));
    // The words are enough for far more than anybody asks for; the bound is for whoever asks for too many all the same.
    for n in 0..count as u64 * 20 {
        if all.len() == count {
            break;
        }
        let question = question(pages, mix(seed, n));
        if known.insert(question.clone()) {
            all.push(question);
        }
    }
    all
}

/// The path at which the API answers a question.
pub(crate) fn path(question: &str) -> String {
    format!("/api/v1/search?q={}", encoded(question))
}

fn question(pages: usize, dice: u64) -> String {
    // Nobody asks for the very words that every page has.
    let asked = |n: u64| {
        let mut throw = n * 100;
        loop {
            let word = Library::zipf(dice, throw);
            if is_telling(&word) {
                return word;
            }
            throw += 1;
        }
    };
    let page = (mix(dice, 1) % pages as u64) as usize;
    match mix(dice, 2) % 100 {
        0..=29 => asked(1),
        30..=64 => format!("{} {}", asked(1), asked(2)),
        65..=79 => format!("{} {} {}", asked(1), asked(2), asked(3)),
        80..=84 => Library::title(page),
        85..=89 => {
            let at = mix(dice, 3) % 8;
            format!("\"{} {}\"", Library::zipf(page as u64, at + 1), Library::zipf(page as u64, at + 2))
        }
        90 | 91 => format!("{} type:html", asked(1)),
        92 | 93 => format!("{} lang:en", asked(1)),
        94 => format!("{} -{}", asked(1), asked(2)),
        95 => format!("title:{}", asked(1)),
        _ => misspelt(&asked(1), mix(dice, 4)),
    }
}

/// The twenty most frequent words tell nothing.
fn is_telling(text: &str) -> bool {
    (0..20).all(|rank| word(rank) != text)
}

/// Two neighbours have changed places.
fn misspelt(word: &str, dice: u64) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + (dice % (letters.len() as u64 - 2)) as usize;
    letters.swap(at, at + 1);
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_many_and_different() {
        let all = questions(1000, 5000, 1);
        assert_eq!(all.len(), 5000);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 5000);
        assert_eq!(all, questions(1000, 5000, 1));
        let share = |test: fn(&String) -> bool| all.iter().filter(|text| test(text)).count();
        assert!((100..500).contains(&share(|text| text.starts_with('"'))));
        assert!((100..500).contains(&share(|text| text.contains(':'))));
        assert!(share(|text| text.split(' ').count() > 1) > 2500);
    }

    #[test]
    fn misspelt_words_have_the_same_letters() {
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        for dice in 0..20 {
            let wrong = misspelt("bandenfon", dice);
            assert_eq!(sorted(&wrong), sorted("bandenfon"));
        }
    }
}
