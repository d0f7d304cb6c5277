//! What may come next: titles that go on like what was typed, and words that complete its last one.

use crate::opened::Opened;
use crate::text::{fold, lower};

/// Letters of what was typed that count.
const LETTERS: usize = 200;

/// See [`crate::Index::suggest`].
pub(crate) fn suggest(opened: &Opened, typed: &str, most: usize) -> Vec<String> {
    let typed: String = typed.trim_start().chars().take(LETTERS).collect();
    let mut plain = String::new();
    fold(&typed.to_lowercase(), &mut plain);
    if plain.trim().is_empty() || most == 0 {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if all.len() < most && !all.iter().any(|known| known.to_lowercase() == text.to_lowercase()) {
            all.push(text);
        }
    };
    let titles = |fits: fn(&str, &str) -> bool, most: usize| {
        let found = opened.titles.iter().filter(|(_, title)| fits(title, &plain)).map(|(title, _)| title.clone());
        found.take(most).collect::<Vec<_>>()
    };
    // Titles take half of the room, so that words are seen too.
    titles(|title, typed| title.starts_with(typed), most.div_ceil(2)).into_iter().for_each(&mut add);
    let start = typed
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| at + typed[at..].chars().next().map_or(0, char::len_utf8));
    let (before, last) = typed.split_at(start);
    if last.chars().count() >= 2 {
        let words = opened.vocabulary.completions(&lower(last), most + 1);
        words.into_iter().map(|word| format!("{before}{word}")).for_each(&mut add);
    }
    let inside = |title: &str, typed: &str| {
        title.match_indices(typed).any(|(at, _)| at > 0 && title[..at].ends_with(|c: char| !c.is_alphanumeric()))
    };
    titles(inside, most).into_iter().for_each(&mut add);
    all
}
