//! What columns are good for, and cells that several vocabularies draw alike.

use groma_testweb::prose::word;

use crate::dice::Dice;
use crate::drawn::tongue::Label;
use crate::table::Cell;

/// What a column is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Tells one record from all others.
    Key,
    /// The name: never empty.
    Name,
    /// Running text.
    Words,
    /// One value out of a few.
    Category,
    /// The language of the record.
    Language,
    /// Some values out of a few.
    Set,
    Number,
    Year,
    /// Year, month, day with hyphens.
    Date,
    /// 1 or 0; seen by the form alone.
    Flag,
}

/// A name, a label, a role.
pub(super) type Column = (&'static str, Label, Role);

/// The cells of the record with a number.
pub(super) type Record = fn(usize, &mut Dice) -> Vec<Cell>;

/// One of some words, the first ones much more often.
pub(super) fn frequent<'w>(words: &[&'w str], dice: &mut Dice) -> &'w str {
    let place = (dice.share().powi(2) * words.len() as f64) as usize;
    words.get(place).copied().unwrap_or_default()
}

/// A word out of a list, or now and then a rare one that stands in no list.
pub(super) fn some_word(words: &[&str], dice: &mut Dice) -> String {
    if dice.chance(12) { word(dice.roll() % 6000) } else { frequent(words, dice).to_owned() }
}

pub(super) fn category(domain: &[&str], dice: &mut Dice) -> Cell {
    Cell::Text(frequent(domain, dice).to_owned())
}

/// One to three of some.
pub(super) fn several(domain: &[&str], dice: &mut Dice) -> Cell {
    let mut some: Vec<String> = (0..dice.between(0, 3)).map(|_| frequent(domain, dice).to_owned()).collect();
    some.sort_unstable();
    some.dedup();
    Cell::Set(some)
}

/// A number that is small more often than not.
pub(super) fn skewed(most: f64, dice: &mut Dice) -> Cell {
    Cell::Number((dice.share().powi(3) * most).floor())
}

pub(super) fn date(dice: &mut Dice) -> Cell {
    let (year, month, day) = (2009 + dice.below(17), dice.between(1, 12), dice.between(1, 28));
    Cell::Text(format!("{year:04}-{month:02}-{day:02}"))
}

pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
