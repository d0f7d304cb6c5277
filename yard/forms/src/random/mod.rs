//! A table and a form made from a number, as odd as those of strangers: empty cells, values that half of the rows share, values
//! that the form does not offer, columns that lists do not show, codes for names.

mod columns;
mod labels;

use crate::dice::Dice;
use crate::field::{Asks, Field};
use crate::options::{Labels, Options};
use crate::search::Search;
use crate::table::{Column, Kind, Table};

use columns::{Made, Making};

/// Draws a table and a form from the seed.
pub(crate) fn build(options: &Options) -> anyhow::Result<Search> {
    let mut dice = Dice::new(options.seed, "table");
    let count = options.rows.unwrap_or(300);
    let (title, first) = labels::title(options.language, &mut dice);
    let name = columns::names(count, &mut dice);
    let mut made = vec![Made { column: Column::new("name", first, Kind::Text), cells: name, asks: None }];
    let fields = dice.between(1, 5);
    let mut taken = Vec::new();
    for nth in 0..fields {
        let label = labels::fresh(options.language, &mut taken, &mut dice);
        let making = Making { nth, label, rows: count, language: options.language };
        made.push(making.column(&mut dice));
    }
    let asks = if dice.chance(50) { Asks::Prefix } else { Asks::Keyword };
    // A text nobody can ask for is as common as one that can be asked for.
    let by_name = dice.chance(50);
    let mixed = dice.chance(30);
    let styles = |dice: &mut Dice| if mixed { dice.one(&Labels::ALL, options.labels) } else { options.labels };
    let mut form = Vec::new();
    for (nth, column) in made.iter_mut().enumerate() {
        let asks = if nth == 0 { by_name.then(|| asks.clone()) } else { column.asks.take() };
        if let Some(asks) = asks {
            let (name, asks) = labels::element(&column.column.name, asks, &mut dice);
            let label = column.column.label.clone();
            form.push(Field { name, label, column: nth, labels: styles(&mut dice), asks });
        }
    }
    dice.shuffle(&mut form);
    let rows = (0..count).map(|row| made.iter().map(|column| column.cells[row].clone()).collect()).collect();
    let columns = made.into_iter().map(|made| made.column).collect();
    let mut table = Table { name: "records".to_owned(), columns, rows };
    table.sprinkle(options.nulls, &mut dice);
    table.repeat(options.duplicates, &mut dice);
    let links = dice.chance(70);
    Search::build(options, title, table, form, links)
}
