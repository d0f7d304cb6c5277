//! Camp sites nobody has put up: dense around some lakes and coasts, thin elsewhere, as real ones are.

use groma_testweb::prose::word;

use super::Camp;
use crate::dice::Dice;

/// As many as the extract has.
pub(crate) const COUNT: usize = 4101;

/// Half of the sites lie around one of so many centres.
const CENTRES: usize = 60;

/// South, north, west, east in degrees.
const SPAN: [f64; 4] = [47.3, 55.0, 5.9, 15.0];

const KINDS: [&str; 8] = [
    "Campingplatz",
    "Camping",
    "Campingpark",
    "Zeltplatz",
    "Jugendzeltplatz",
    "Naturcamping",
    "Wohnmobilpark",
    "Biwakplatz",
];

/// So many sites, made from the seed.
pub(crate) fn camps(seed: u64, count: usize) -> Vec<Camp> {
    let mut dice = Dice::new(seed, "camps");
    let centres: Vec<(f64, f64)> = (0..CENTRES).map(|_| anywhere(&mut dice)).collect();
    (0..count).map(|_| camp(&mut dice, &centres)).collect()
}

fn anywhere(dice: &mut Dice) -> (f64, f64) {
    let [south, north, west, east] = SPAN;
    (south + dice.share() * (north - south), west + dice.share() * (east - west))
}

fn camp(dice: &mut Dice, centres: &[(f64, f64)]) -> Camp {
    let [south, north, west, east] = SPAN;
    let (mut latitude, mut longitude) = anywhere(dice);
    if let Some(centre) = centres.get(dice.early(centres.len())).filter(|_| dice.chance(55)) {
        // The product of two shares is small more often than not: the middle is the densest.
        let mut off = || (dice.share() - 0.5) * dice.share();
        latitude = (centre.0 + off()).clamp(south, north);
        longitude = (centre.1 + off()).clamp(west, east);
    }
    // Seven places behind the point, as maps have them.
    let short = |degrees: f64| (degrees * 1e7).round() / 1e7;
    // Areas of postcodes are strips from north-east to south-west, roughly.
    let strip = ((north - latitude) / (north - south) * 9.99) as u32;
    Camp {
        name: name(dice),
        latitude: short(latitude),
        longitude: short(longitude),
        area: char::from_digit(strip.min(9), 10).filter(|_| dice.chance(47)),
        tents: dice.chance(68).then(|| dice.chance(80)),
    }
}

fn name(dice: &mut Dice) -> String {
    let kind = KINDS.get(dice.early(KINDS.len())).copied().unwrap_or_default();
    let place = capital(&word(dice.roll() % 16_384));
    match dice.below(10) {
        0 => format!("{kind} am {place}see"),
        1 => format!("{place}hof"),
        2 => format!("{} {kind}", capital(&word(dice.roll() % 128))),
        3 => kind.to_owned(),
        _ => format!("{kind} {place}"),
    }
}

/// A word with a capital at its beginning.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_lie_within_germany_and_are_the_same_each_time() {
        let all = camps(3, 500);
        assert_eq!(all, camps(3, 500));
        assert_ne!(all, camps(4, 500));
        assert!(all.iter().all(|camp| (47.3..=55.0).contains(&camp.latitude) && !camp.name.is_empty()));
        let distinct: std::collections::HashSet<&str> = all.iter().map(|camp| camp.name.as_str()).collect();
        assert!(distinct.len() > 300 && distinct.len() < 500, "{}", distinct.len());
    }
}
