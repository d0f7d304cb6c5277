//! Random columns: what stands in them, and how a form asks for it.

use groma_testweb::prose::word;

use crate::campsites::capital;
use crate::dice::Dice;
use crate::field::{Asks, Choice};
use crate::options::Language;
use crate::table::{Cell, Column, Kind};
use crate::wording::words;

/// A column with its cells, and how the form asks for it, if it does.
pub(crate) struct Made {
    pub(crate) column: Column,
    pub(crate) cells: Vec<Cell>,
    pub(crate) asks: Option<Asks>,
}

/// What is wanted of a column.
pub(crate) struct Making {
    pub(crate) nth: usize,
    pub(crate) label: String,
    pub(crate) rows: usize,
    pub(crate) language: Language,
}

/// How often values of a domain come.
#[derive(Clone, Copy)]
enum Spread {
    Even,
    Early,
    /// So many of a hundred have the first.
    Heavy(usize),
}

impl Spread {
    fn thrown(dice: &mut Dice) -> Spread {
        let heavy = dice.one(&[20, 40, 70, 95], 40);
        dice.one(&[Spread::Even, Spread::Early, Spread::Heavy(heavy)], Spread::Even)
    }

    /// A place below `n`.
    fn pick(self, n: usize, dice: &mut Dice) -> usize {
        match self {
            Spread::Even => dice.below(n),
            Spread::Early => dice.early(n),
            Spread::Heavy(percent) => {
                if dice.chance(percent) {
                    0
                } else {
                    dice.below(n)
                }
            }
        }
    }
}

/// Names for rows: most are their own, some are shared, some hold what markup is made of.
pub(crate) fn names(count: usize, dice: &mut Dice) -> Vec<Cell> {
    let vocabulary = dice.one(&[64, 1024, 16_384], 1024);
    let one = |dice: &mut Dice| {
        let mut name = capital(&word(dice.roll() % vocabulary));
        match dice.below(30) {
            0 => name.push_str(" & Söhne"),
            1 => name = format!("\"{name}\" <neu>"),
            2 => name = format!("Ö{name}"),
            3..12 => name = format!("{name} {}", capital(&word(dice.roll() % vocabulary))),
            _ => {}
        }
        Cell::Text(name)
    };
    (0..count).map(|_| one(dice)).collect()
}

impl Making {
    /// A column of a kind that is thrown.
    pub(crate) fn column(self, dice: &mut Dice) -> Made {
        let mut made = match dice.below(20) {
            0..6 => self.categories(dice),
            6..9 => self.sets(dice),
            9..14 => self.numbers(dice),
            14..17 => self.dates(dice),
            _ => self.texts(dice),
        };
        made.column.shown = dice.chance(85);
        made
    }

    fn made(&self, kind: Kind, cells: Vec<Cell>, asks: Asks) -> Made {
        let column = Column::new(&format!("c{}", self.nth + 1), &self.label, kind);
        Made { column, cells, asks: Some(asks) }
    }

    fn domain(&self, dice: &mut Dice) -> Vec<String> {
        let count = dice.one(&[2, 3, 4, 6, 9, 16, 40], 4);
        let first = dice.below(1 << 12) as u64;
        // Words next to each other in number differ in their letters.
        (0..count).map(|nth| capital(&word(first + nth))).collect()
    }

    /// The values as choices, sent as they are or as codes; now and then some are not offered.
    fn choices(&self, domain: &[String], dice: &mut Dice) -> Vec<Choice> {
        let kept = if dice.chance(15) { domain.len() - 1 } else { domain.len() };
        let codes = dice.chance(50);
        let one = |(nth, shown): (usize, &String)| Choice {
            value: if codes { (nth + 1).to_string() } else { shown.clone() },
            shown: shown.clone(),
        };
        domain.iter().take(kept).enumerate().map(one).collect()
    }

    fn categories(&self, dice: &mut Dice) -> Made {
        let (domain, spread) = (self.domain(dice), Spread::thrown(dice));
        let cells = (0..self.rows).map(|_| Cell::Text(domain[spread.pick(domain.len(), dice)].clone())).collect();
        let choices = self.choices(&domain, dice);
        let any = dice.chance(80).then(|| words(self.language).any.to_owned());
        let radio = domain.len() < 8 && dice.chance(35);
        let asks = if radio { Asks::Radio { choices, any } } else { Asks::Select { choices, any } };
        self.made(Kind::Text, cells, asks)
    }

    fn sets(&self, dice: &mut Dice) -> Made {
        let mut domain = self.domain(dice);
        domain.truncate(9);
        let often = dice.one(&[10, 30, 60], 30);
        let some = |dice: &mut Dice| domain.iter().filter(|_| dice.chance(often)).cloned().collect();
        let cells = (0..self.rows).map(|_| Cell::Set(some(dice))).collect();
        let choices = self.choices(&domain, dice);
        let all = dice.chance(50);
        self.made(Kind::Set, cells, Asks::Checks { choices, all })
    }

    fn numbers(&self, dice: &mut Dice) -> Made {
        let places = dice.one(&[0, 0, 1, 2, 5], 0);
        let width = dice.one(&[5, 100, 3000, 1_000_000], 100);
        let (spread, below) = (Spread::thrown(dice), if dice.chance(15) { width / 2 } else { 0 });
        let scale = 10f64.powi(places);
        let one = |dice: &mut Dice| {
            let whole = spread.pick(width, dice) as f64 - below as f64;
            // What is written is what is kept: the shortest writing of a number reads back as the same.
            Cell::Number(whole / scale)
        };
        let cells = (0..self.rows).map(|_| one(dice)).collect();
        self.made(Kind::Number, cells, Asks::Range { to: String::new(), date: false })
    }

    fn dates(&self, dice: &mut Dice) -> Made {
        let (width, spread) = (dice.one(&[3, 60, 800, 9000], 800), Spread::thrown(dice));
        let first = 10_000 + dice.below(5000);
        let cells = (0..self.rows).map(|_| Cell::Text(date(first + spread.pick(width, dice)))).collect();
        self.made(Kind::Date, cells, Asks::Range { to: String::new(), date: true })
    }

    fn texts(&self, dice: &mut Dice) -> Made {
        let cells = names(self.rows, dice);
        let asks = if dice.chance(70) { Asks::Prefix } else { Asks::Keyword };
        self.made(Kind::Text, cells, asks)
    }
}

/// The date so many days after the first of 1970 (H. Hinnant's `civil_from_days`, for days after the epoch).
fn date(days: usize) -> String {
    let z = days + 719_468;
    let (era, day) = (z / 146_097, z % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, said) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_772, "2026-11-15")] {
            assert_eq!(date(days), said);
        }
    }
}
