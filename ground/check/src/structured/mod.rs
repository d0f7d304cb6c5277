//! What is missing or malformed in the structured data of a page, by what search engines and social networks document?
//!
//! [`item_faults`] judges items of schema.org by the table of their types (`rules.rs`); [`card_faults`] the cards of Open Graph and
//! Twitter. Both look at one page alone and fetch nothing. What could not be read at all is kept with the data
//! ([`groma_model::DataFault`]).
//!
//! A thing that is only named by its `@id` counts as the one that has this id on the page. Cost: linear in the data times the rules of
//! a type.

mod cards;
mod rules;
mod values;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use groma_model::{DataItem, DataSyntax, PropertyValue, StructuredData, Thing};

pub use cards::{CardFault, card_faults};
use rules::{Place, RULES, TypeRule};

/// Faults told of one page.
const FAULTS: usize = 200;

/// How far an item is from what is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flaw {
    /// A property without which the item is passed over.
    MissingRequired,
    /// A value that is not what the property takes.
    Malformed,
    /// A property without which the item says less than it could.
    MissingRecommended,
}

/// A fault of an item of schema.org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFault {
    pub syntax: DataSyntax,
    /// The line of the page on which the item begins that is part of no other.
    pub line: u32,
    /// The type whose rule it is, such as `Product`.
    pub type_name: &'static str,
    /// From the item to what is at fault, such as `offers.price`; alternatives as `text|image`.
    pub path: String,
    pub flaw: Flaw,
    /// What the value should be, and what it is; nothing where it is missing.
    pub value: Option<String>,
}

impl ItemFault {
    /// For people, such as: `Product: "offers.price" is missing`.
    pub fn says(&self) -> String {
        let path = self.path.replace('|', "\" or \"");
        match (self.flaw, &self.value) {
            (Flaw::MissingRecommended, _) => format!("{}: \"{path}\" is recommended", self.type_name),
            (_, Some(value)) => format!("{}: \"{path}\" {value}", self.type_name),
            (_, None) => format!("{}: \"{path}\" is missing", self.type_name),
        }
    }
}

/// What is at fault in the items of a page, in their order.
pub fn item_faults(data: &StructuredData) -> Vec<ItemFault> {
    let mut judge = Judge { known: HashMap::new(), referred: HashSet::new(), faults: Vec::new() };
    for item in &data.items {
        judge.learn(&item.thing);
    }
    for item in &data.items {
        judge.walk(item, &item.thing, None, "");
    }
    judge.faults
}

struct Judge<'d> {
    /// The things with an id and something to say.
    known: HashMap<&'d str, &'d Thing>,
    /// The ids that stand for a value.
    referred: HashSet<&'d str>,
    faults: Vec<ItemFault>,
}

/// Where a thing stands: what it is a value of.
#[derive(Clone, Copy)]
struct Around<'d> {
    thing: &'d Thing,
    property: &'d str,
}

impl<'d> Judge<'d> {
    fn learn(&mut self, thing: &'d Thing) {
        if !thing.id.is_empty() && !thing.properties.is_empty() {
            self.known.entry(&thing.id).or_insert(thing);
        }
        for value in thing.properties.iter().flat_map(|property| &property.values) {
            if let PropertyValue::Thing(inner) = value {
                if !inner.id.is_empty() {
                    self.referred.insert(&inner.id);
                }
                self.learn(inner);
            }
        }
    }

    /// A thing, or the one its id names.
    fn meant(&self, thing: &'d Thing) -> &'d Thing {
        if !thing.properties.is_empty() {
            return thing;
        }
        self.known.get(thing.id.as_str()).copied().unwrap_or(thing)
    }

    fn walk(&mut self, item: &'d DataItem, thing: &'d Thing, around: Option<Around<'d>>, path: &str) {
        for rule in RULES {
            let Some(name) = rule.types.iter().find(|name| thing.is(name)) else { continue };
            // Of what is only referred to, the thing itself is judged where it stands.
            let is_here = thing.id.is_empty() || !thing.properties.is_empty();
            if is_here && self.applies(rule, thing, around) {
                self.judge(item, thing, rule, name, path);
            }
        }
        if thing.is("BreadcrumbList") {
            self.judge_breadcrumbs(item, thing, path);
        }
        for property in &thing.properties {
            let inner = join(path, &property.name);
            for value in &property.values {
                match value {
                    PropertyValue::Thing(part) => {
                        let around = Some(Around { thing, property: &property.name });
                        self.walk(item, part, around, &inner);
                    }
                    value => self.judge_value(item, thing, &property.name, value, &inner),
                }
            }
        }
    }

    fn applies(&self, rule: &TypeRule, thing: &'d Thing, around: Option<Around<'d>>) -> bool {
        let asked = rule.when.is_empty() || rule.when.iter().any(|name| self.has(thing, name));
        asked
            && match rule.place {
                Place::Anywhere => true,
                Place::Alone => around.is_none() && !self.referred.contains(thing.id.as_str()),
                Place::Inside(places) => around.is_some_and(|around| {
                    places.iter().any(|(of, property)| around.property == *property && is_a(around.thing, of))
                }),
            }
    }

    fn judge(&mut self, item: &DataItem, thing: &'d Thing, rule: &TypeRule, name: &'static str, path: &str) {
        let flaws = [(rule.required, Flaw::MissingRequired), (rule.recommended, Flaw::MissingRecommended)];
        for (wanted, flaw) in flaws {
            for property in wanted {
                if !property.split('|').any(|one| self.has(thing, one)) && !self.lacks_head(thing, property) {
                    self.add(item, name, join(path, property), flaw, None);
                }
            }
        }
    }

    /// Has it a value at this path?
    fn has(&self, thing: &'d Thing, path: &str) -> bool {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        self.meant(thing).values(name).iter().any(|value| match (value, rest) {
            (PropertyValue::Thing(inner), Some(rest)) => self.has(inner, rest) || self.is_elsewhere(inner),
            (PropertyValue::Thing(_), None) => true,
            // A text stands for a thing of which it is the name, the URL, the number.
            (value, _) => value.text().is_some_and(|text| !text.trim().is_empty()),
        })
    }

    /// Is it only named, and described on another page?
    fn is_elsewhere(&self, thing: &Thing) -> bool {
        thing.properties.is_empty() && !thing.id.is_empty() && !self.known.contains_key(thing.id.as_str())
    }

    /// Of a path, is already its first property missing? Then that is told, not this.
    fn lacks_head(&self, thing: &'d Thing, path: &str) -> bool {
        !path.contains('|') && path.split_once('.').is_some_and(|(head, _)| !self.has(thing, head))
    }

    /// Each crumb but the last leads somewhere.
    fn judge_breadcrumbs(&mut self, item: &DataItem, list: &'d Thing, path: &str) {
        let crumbs = list.values("itemListElement");
        for (number, crumb) in crumbs.iter().enumerate() {
            let PropertyValue::Thing(crumb) = crumb else { continue };
            let crumb = self.meant(crumb);
            if number + 1 < crumbs.len() && crumb.is("ListItem") && !self.has(crumb, "item") {
                self.add(item, "ListItem", join(path, "itemListElement.item"), Flaw::MissingRequired, None);
            }
        }
    }

    fn judge_value(&mut self, item: &DataItem, thing: &Thing, name: &str, value: &PropertyValue, path: &str) {
        let Some(rule) = RULES.iter().find_map(|rule| rule.types.iter().find(|name| thing.is(name))) else { return };
        let text = value.text().unwrap_or_default();
        // An empty value is a missing one.
        if !text.trim().is_empty()
            && let Some(wanted) = values::objection(name, text)
        {
            let shown: String = text.trim().chars().take(60).collect();
            self.add(item, rule, path.to_owned(), Flaw::Malformed, Some(format!("is not {wanted}: \"{shown}\"")));
        }
    }

    fn add(&mut self, item: &DataItem, type_name: &'static str, path: String, flaw: Flaw, value: Option<String>) {
        let fault = ItemFault { syntax: item.syntax, line: item.line, type_name, path, flaw, value };
        if self.faults.len() < FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }
}

/// Is it of a type, or of one that the table treats as such?
fn is_a(thing: &Thing, name: &str) -> bool {
    thing.is(name) || RULES.iter().any(|rule| rule.types[0] == name && rule.types.iter().any(|name| thing.is(name)))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
