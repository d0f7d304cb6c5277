//! Places of a gazetteer.

use groma_testweb::prose::word;

use crate::dice::Dice;
use crate::drawn::rows::cells::{Column, Role, capital, category, frequent, several, skewed};
use crate::drawn::tongue::Label;
use crate::table::Cell;

pub(super) const COLUMNS: [Column; 9] = [
    ("code", Label::Identifier, Role::Key),
    ("place", Label::Name, Role::Name),
    ("kind", Label::Kind, Role::Category),
    ("country", Label::Country, Role::Category),
    ("spoken", Label::Language, Role::Language),
    ("people", Label::Population, Role::Number),
    ("height", Label::Elevation, Role::Number),
    ("founded", Label::Year, Role::Year),
    ("features", Label::Tags, Role::Set),
];

const FORE: [&str; 12] =
    ["Ober", "Nieder", "Neu", "Alt", "San ", "Saint-", "Nova ", "Velké ", "Great ", "Upper ", "Monte ", "Port "];
const STEMS: [&str; 40] = [
    "linden", "kirch", "stein", "wald", "berg", "mühl", "brück", "hafen", "eich", "birken", "rosen", "königs",
    "marien", "peters", "franz", "wind", "salz", "silber", "grün", "schön", "hoch", "tief", "mar", "val", "font",
    "castel", "torre", "bosc", "ponte", "riva", "clair", "beau", "roch", "ville", "jan", "mlad", "hrad", "lip",
    "bystr", "chester",
];
const ENDS: [&str; 14] =
    ["au", "feld", "dorf", "burg", "ow", "ice", "ton", "ham", "ville", "ana", "ello", "ac", "ín", "hausen"];
const KINDS: [&str; 9] = ["village", "hamlet", "town", "lake", "hill", "railway stop", "city", "island", "castle"];
const COUNTRIES: [&str; 16] = [
    "Austria", "Belgium", "Croatia", "Czechia", "Denmark", "Estonia", "Finland", "France", "Germany", "Hungary",
    "Italy", "Latvia", "Poland", "Portugal", "Slovakia", "Spain",
];
const SPOKEN: [&str; 4] = ["German", "Italian", "Czech", "Spanish"];
const FEATURES: [&str; 8] = ["harbour", "market", "spa", "museum", "airport", "ski lift", "university", "ruins"];

pub(super) fn record(nth: usize, dice: &mut Dice) -> Vec<Cell> {
    let stem = if dice.chance(20) { word(dice.roll() % 3000) } else { frequent(&STEMS, dice).to_owned() };
    let plain = format!("{stem}{}", frequent(&ENDS, dice));
    let name = match dice.below(6) {
        0 => format!("{}{plain}", frequent(&FORE, dice)),
        1 => format!("{} am {}see", capital(&plain), capital(frequent(&STEMS, dice))),
        _ => capital(&plain),
    };
    vec![
        Cell::Text(format!("GN{:07}", (nth * 7919 + 2_835_297) % 10_000_000)),
        Cell::Text(capital(&name)),
        category(&KINDS, dice),
        category(&COUNTRIES, dice),
        category(&SPOKEN, dice),
        skewed(180_000.0, dice),
        skewed(2900.0, dice),
        Cell::Number((1990 - (dice.share().powi(2) * 900.0) as i64) as f64),
        several(&FEATURES, dice),
    ]
}
