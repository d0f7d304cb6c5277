//! Records of four vocabularies: packages, places, commits, books. Every record has a key of its own that every list shows, so that
//! whoever knows the truth can tell which records came out, however they were read.

mod books;
mod cells;
mod commits;
mod packages;
mod places;

use crate::dice::Dice;
use crate::drawn::tongue::Label;
use crate::table::Cell;

pub(crate) use cells::Role;
use cells::{Column, Record};

/// What the records are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Packages,
    Places,
    Commits,
    Books,
}

/// A column that a form can ask for.
#[derive(Clone, Debug)]
pub(crate) struct Facet {
    pub(crate) name: &'static str,
    pub(crate) label: Label,
    pub(crate) role: Role,
    /// Whether lists show it.
    pub(crate) shown: bool,
}

/// Records and their columns. The key is the first column, the name the second.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) topic: Topic,
    pub(crate) facets: Vec<Facet>,
    pub(crate) cells: Vec<Vec<Cell>>,
}

/// Of a hundred records a hidden flag holds so many at least and at most.
const FLAGGED: (usize, usize) = (5, 40);

impl Rows {
    /// Draws a number of records on a topic.
    pub(crate) fn draw(topic: Topic, count: usize, dice: &mut Dice) -> Rows {
        let (columns, record): (&[Column], Record) = match topic {
            Topic::Packages => (&packages::COLUMNS, packages::record),
            Topic::Places => (&places::COLUMNS, places::record),
            Topic::Commits => (&commits::COLUMNS, commits::record),
            Topic::Books => (&books::COLUMNS, books::record),
        };
        let mut cells: Vec<Vec<Cell>> = (0..count).map(|nth| record(nth, dice)).collect();
        let mut facets: Vec<Facet> = columns
            .iter()
            .map(|(name, label, role)| Facet {
                name,
                label: *label,
                role: *role,
                shown: matches!(role, Role::Key | Role::Name) || dice.chance(80),
            })
            .collect();
        for (nth, facet) in facets.iter().enumerate().skip(2) {
            let empty = if facet.role == Role::Set { 0 } else { dice.one(&[0, 0, 0, 0, 0, 3, 15], 0) };
            for row in &mut cells {
                if dice.chance(empty) {
                    row[nth] = Cell::Null;
                }
            }
        }
        for name in ["hidden", "marked"] {
            let percent = dice.between(FLAGGED.0, FLAGGED.1);
            facets.push(Facet { name, label: Label::Kind, role: Role::Flag, shown: false });
            for row in &mut cells {
                row.push(Cell::Number(if dice.chance(percent) { 1.0 } else { 0.0 }));
            }
        }
        Rows { topic, facets, cells }
    }

    pub(crate) fn role(&self, column: usize) -> Option<Role> {
        self.facets.get(column).map(|facet| facet.role)
    }

    /// Columns of a role.
    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        self.facets.iter().enumerate().filter(move |(_, facet)| facet.role == role).map(|(nth, _)| nth)
    }

    /// What stands in a column, each value once, in order.
    pub(crate) fn domain(&self, column: usize) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for cell in self.cells.iter().filter_map(|row| row.get(column)) {
            match cell {
                Cell::Null => {}
                Cell::Set(some) => all.extend(some.iter().cloned()),
                cell => all.push(cell.shown()),
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_every_record_has_a_cell_for_each_column() {
        for topic in [Topic::Packages, Topic::Places, Topic::Commits, Topic::Books] {
            let rows = Rows::draw(topic, 3000, &mut Dice::new(5, "rows"));
            let keys: HashSet<String> = rows.cells.iter().map(|row| row[0].shown()).collect();
            assert_eq!(keys.len(), 3000, "{topic:?}");
            assert!(rows.cells.iter().all(|row| row.len() == rows.facets.len() && row[1] != Cell::Null));
            for column in rows.with_role(Role::Category).chain(rows.with_role(Role::Language)) {
                assert!((2..=40).contains(&rows.domain(column).len()), "{topic:?} {column}");
            }
        }
    }
}
