//! What a page says to programs, for people: each item with its values, one under the other. All of it is text of strangers.

use groma_model::{DataItem, PropertyValue, StructuredData, Thing};

use crate::pages::layout::short;

/// Items and faults shown, values of each item, letters of each value, of a type and of a path.
const ITEMS: usize = 50;
const VALUES: usize = 100;
const LETTERS: usize = 400;
const NAME: usize = 120;

pub(super) struct DataView {
    pub(super) items: Vec<ItemView>,
    pub(super) more: usize,
    pub(super) faults: Vec<String>,
}

pub(super) struct ItemView {
    pub(super) syntax: &'static str,
    pub(super) called: String,
    /// Where it begins.
    pub(super) line: String,
    /// Path from the item (`offers.price`) and value.
    pub(super) rows: Vec<(String, String)>,
    /// Values that are not shown.
    pub(super) more: usize,
}

impl DataView {
    pub(super) fn new(data: &StructuredData) -> DataView {
        DataView {
            items: data.items.iter().take(ITEMS).map(ItemView::new).collect(),
            more: data.items.len().saturating_sub(ITEMS),
            faults: data.faults.iter().take(ITEMS).map(|fault| short(&fault.says(), LETTERS)).collect(),
        }
    }
}

impl ItemView {
    fn new(item: &DataItem) -> ItemView {
        let mut view = ItemView {
            syntax: item.syntax.label(),
            called: short(&item.thing.called(), NAME),
            line: if item.line > 0 { format!("line {}", item.line) } else { String::new() },
            rows: Vec::new(),
            more: 0,
        };
        view.list(&item.thing, "");
        view
    }

    fn list(&mut self, thing: &Thing, path: &str) {
        if !thing.id.is_empty() {
            self.row(path, "id", &thing.id);
        }
        for property in &thing.properties {
            for value in &property.values {
                match value {
                    PropertyValue::Thing(inner) => {
                        self.row(path, &property.name, &inner.called());
                        self.list(inner, &join(path, &property.name));
                    }
                    value => self.row(path, &property.name, value.text().unwrap_or_default()),
                }
            }
        }
    }

    fn row(&mut self, path: &str, name: &str, value: &str) {
        if self.rows.len() < VALUES {
            self.rows.push((short(&join(path, name), NAME), short(value, LETTERS)));
        } else {
            self.more += 1;
        }
    }
}

/// A path grows with the depth of its item: what is shown of it needs no more.
fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}").chars().take(2 * NAME).collect() }
}
