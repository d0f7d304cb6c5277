//! What random columns and elements are called.

use crate::dice::Dice;
use crate::field::Asks;
use crate::options::Language;

const LABELS: [[&str; 10]; 3] = [
    ["Region", "Category", "Colour", "Price", "Year", "Weight", "Country", "Type", "Size", "Subject"],
    ["Region", "Kategorie", "Farbe", "Preis", "Jahr", "Gewicht", "Land", "Art", "Größe", "Fach"],
    ["Région", "Catégorie", "Couleur", "Prix", "Année", "Poids", "Pays", "Type", "Taille", "Matière"],
];

/// What the site is called, and its first column.
pub(crate) fn title(language: Language, dice: &mut Dice) -> (&'static str, &'static str) {
    let all = match language {
        Language::En => [("Catalogue", "Title"), ("Directory", "Name"), ("Collection", "Item")],
        Language::De => [("Katalog", "Titel"), ("Verzeichnis", "Name"), ("Sammlung", "Stück")],
        Language::Fr => [("Catalogue", "Titre"), ("Annuaire", "Nom"), ("Collection", "Objet")],
    };
    dice.one(&all, all[0])
}

/// A label nobody has yet; with a number if there are not enough.
pub(crate) fn fresh(language: Language, taken: &mut Vec<String>, dice: &mut Dice) -> String {
    let all = &LABELS[language as usize];
    let mut label = dice.one(all, all[0]).to_owned();
    while taken.contains(&label) {
        label = format!("{} {}", dice.one(all, all[0]), taken.len() + 1);
    }
    taken.push(label.clone());
    label
}

/// The internal name of the element for a column; ranges have two.
pub(crate) fn element(column: &str, asks: Asks, dice: &mut Dice) -> (String, Asks) {
    match asks {
        Asks::Range { date, .. } => {
            let (from, to) = match dice.below(5) {
                0 => (format!("{column}_from"), format!("{column}_to")),
                1 => (format!("min_{column}"), format!("max_{column}")),
                2 => (format!("{column}1"), format!("{column}2")),
                3 => (format!("{column}[min]"), format!("{column}[max]")),
                _ => (format!("{column}Von"), format!("{column}Bis")),
            };
            (from, Asks::Range { to, date })
        }
        Asks::Checks { .. } if dice.chance(50) => (format!("{column}[]"), asks),
        _ if dice.chance(30) => (format!("f_{column}"), asks),
        _ => (column.to_owned(), asks),
    }
}
