//! Hotels of a coast that is on no map: regions, places, houses, made from the seed.

use crate::dice::Dice;

/// A hotel of the guide: one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hotel {
    pub(crate) name: String,
    pub(crate) place: &'static str,
    pub(crate) region: &'static str,
    pub(crate) street: String,
    /// For a night, in marks.
    pub(crate) price: usize,
}

/// Regions and their places.
pub(crate) const REGIONS: [(&str, [&str; 5]); 8] = [
    ("Boddenküste", ["Altwiek", "Dünenhagen", "Kliffdorf", "Prielow", "Wustermünde"]),
    ("Fährland-Öhe", ["Birkenort", "Fährhaven", "Hohenöhe", "Lüttenhof", "Vogelwerder"]),
    ("Granitzer Höhen", ["Buchenstein", "Granitz", "Kreidesitz", "Süderkap", "Waldmühl"]),
    ("Innensee", ["Erlenbrück", "Mühlenrode", "Rohrbeck", "Seeburg", "Stille Wiek"]),
    ("Kranichmoor", ["Auenthal", "Kranichdorf", "Moorkaten", "Torfhaus", "Weidenau"]),
    ("Ostseeheide", ["Bernsteinow", "Heidesand", "Kieferndorf", "Neu Hafen", "Strandwalde"]),
    ("Schlösserwinkel", ["Grünschloß", "Herrenried", "Königsweiler", "Parkow", "Schönlinden"]),
    ("Wiekinsel", ["Außendeich", "Heringsort", "Leuchtfeuer", "Möwenhörn", "Süßwiek"]),
];

const HOUSES: [&str; 12] = [
    "Haus",
    "Hotel",
    "Pension",
    "Gasthof",
    "Villa",
    "Landhaus",
    "Ferienhof",
    "Strandhotel",
    "Waldhotel",
    "Kurhaus",
    "Fährhaus",
    "Gutshaus",
];

const SIGNS: [&str; 20] = [
    "Abendrot",
    "Ährenfeld",
    "Anker",
    "Bernstein",
    "Fischreiher",
    "Goldener Hecht",
    "Hagebutte",
    "Kapitän",
    "Lachmöwe",
    "Meeresblick",
    "Mühlenblick",
    "Nordlicht",
    "Sanddorn",
    "Seepferd",
    "Silbermöwe",
    "Störtebeker",
    "Süderwind",
    "Weißdorn",
    "Zur Brücke",
    "Zum Störfang",
];

/// So many houses; every place has one as long as there are enough. No two have the same name.
pub(crate) fn hotels(seed: u64, count: usize) -> Vec<Hotel> {
    let mut dice = Dice::new(seed, "hotels");
    let places: Vec<(&str, &str)> =
        REGIONS.iter().flat_map(|(region, places)| places.iter().map(|place| (*region, *place))).collect();
    let mut names: Vec<String> =
        HOUSES.iter().flat_map(|house| SIGNS.iter().map(move |sign| format!("{house} {sign}"))).collect();
    dice.shuffle(&mut names);
    let mut hotels: Vec<Hotel> = (0..count)
        .map(|nth| {
            let at = if nth < places.len() { nth } else { dice.early(places.len()) };
            let (region, place) = places[at];
            let turn = nth / names.len();
            let name =
                if turn == 0 { names[nth].clone() } else { format!("{} {}", names[nth % names.len()], turn + 1) };
            let street = format!("{} {}", dice.one(&STREETS, STREETS[0]), dice.between(1, 60));
            Hotel { name, place, region, street, price: 5 * dice.between(8, 60) }
        })
        .collect();
    // The guide is sorted by place, as its pages are.
    hotels.sort_by(|a, b| (a.region, a.place, &a.name).cmp(&(b.region, b.place, &b.name)));
    hotels
}

const STREETS: [&str; 6] = ["Dorfstr.", "Strandweg", "Am Hafen", "Waldstr.", "Seestr.", "Mühlenweg"];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_place_has_a_house_and_every_house_a_name() {
        let hotels = hotels(1, 200);
        assert_eq!(hotels, super::hotels(1, 200));
        assert_eq!(hotels.iter().map(|hotel| hotel.place).collect::<BTreeSet<_>>().len(), 40);
        assert_eq!(hotels.iter().map(|hotel| &hotel.name).collect::<BTreeSet<_>>().len(), 200);
        assert_eq!(super::hotels(1, 500).iter().map(|hotel| &hotel.name).collect::<BTreeSet<_>>().len(), 500);
    }
}
