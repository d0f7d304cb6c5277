//! Works of a small grammar, for when there is no file of works: topics with their words, names, places, sentences.
//!
//! What is said is made up; what it is about is not: a work's title, abstract and keywords use the words of its topic and
//! hardly any of another, as those of real works do.

use crate::dice::Dice;
use crate::work::{Author, Subject, Work, WorkKind};

/// Field, subfield, topic, and words of the topic.
const TOPICS: [(&str, &str, &str, &[&str]); 16] = [
    (
        "Earth Science",
        "Hydrology",
        "River Floods and Sediment",
        &[
            "flood wave",
            "sediment load",
            "river bed",
            "discharge",
            "levee",
            "rainfall runoff",
            "flood plain",
            "gauging station",
            "bank erosion",
            "catchment",
        ],
    ),
    (
        "Earth Science",
        "Hydrology",
        "Groundwater Resources",
        &[
            "aquifer",
            "groundwater recharge",
            "well yield",
            "hydraulic head",
            "salt intrusion",
            "spring flow",
            "water table",
            "karst conduit",
            "tracer test",
            "porosity",
        ],
    ),
    (
        "Earth Science",
        "Glaciology",
        "Mountain Glaciers",
        &[
            "glacier retreat",
            "mass balance",
            "snow line",
            "moraine",
            "ice thickness",
            "meltwater",
            "crevasse",
            "firn density",
            "basal sliding",
            "debris cover",
        ],
    ),
    (
        "Earth Science",
        "Seismology",
        "Earthquake Hazard",
        &[
            "fault rupture",
            "ground motion",
            "aftershock",
            "seismic network",
            "epicentre",
            "shear wave",
            "tsunami height",
            "stress drop",
            "slip rate",
            "building damage",
        ],
    ),
    (
        "Life Science",
        "Botany",
        "Pollination of Orchids",
        &[
            "orchid",
            "pollinator",
            "nectar spur",
            "floral scent",
            "fruit set",
            "bee visit",
            "hawkmoth",
            "self pollination",
            "flower colour",
            "mimicry",
        ],
    ),
    (
        "Life Science",
        "Botany",
        "Forest Fungi",
        &[
            "mycorrhiza",
            "fungal hypha",
            "fruiting body",
            "beech stand",
            "wood decay",
            "spore dispersal",
            "soil carbon",
            "root tip",
            "truffle",
            "host tree",
        ],
    ),
    (
        "Life Science",
        "Ornithology",
        "Bird Migration",
        &[
            "stopover site",
            "wing length",
            "night flight",
            "ringing recovery",
            "breeding ground",
            "fat reserve",
            "magnetic compass",
            "warbler",
            "arrival date",
            "geolocator",
        ],
    ),
    (
        "Life Science",
        "Immunology",
        "Vaccine Response",
        &[
            "antibody titre",
            "booster dose",
            "T cell memory",
            "adjuvant",
            "seroconversion",
            "placebo group",
            "cytokine",
            "influenza strain",
            "immune escape",
            "cohort",
        ],
    ),
    (
        "Computing",
        "Information Retrieval",
        "Web Crawling",
        &[
            "web crawler",
            "link graph",
            "anchor text",
            "page rank",
            "politeness delay",
            "duplicate page",
            "focused crawl",
            "robots file",
            "frontier queue",
            "site map",
        ],
    ),
    (
        "Computing",
        "Information Retrieval",
        "Query Understanding",
        &[
            "query log",
            "user intent",
            "term weighting",
            "relevance feedback",
            "click model",
            "spelling error",
            "ranked list",
            "search session",
            "word sense",
            "test collection",
        ],
    ),
    (
        "Computing",
        "Compilers",
        "Register Allocation",
        &[
            "register pressure",
            "spill code",
            "graph colouring",
            "live range",
            "interference graph",
            "basic block",
            "instruction schedule",
            "loop nest",
            "calling convention",
            "code size",
        ],
    ),
    (
        "Computing",
        "Robotics",
        "Legged Locomotion",
        &[
            "gait",
            "foot placement",
            "joint torque",
            "balance controller",
            "terrain map",
            "quadruped",
            "slip detection",
            "centre of mass",
            "contact force",
            "stair climbing",
        ],
    ),
    (
        "Humanities",
        "Musicology",
        "Renaissance Polyphony",
        &[
            "motet",
            "cantus firmus",
            "part book",
            "modal theory",
            "imitative counterpoint",
            "choir book",
            "mensural notation",
            "madrigal",
            "chapel singer",
            "cadence",
        ],
    ),
    (
        "Humanities",
        "Archaeology",
        "Bronze Age Burials",
        &[
            "burial mound",
            "grave good",
            "bronze dagger",
            "cremation urn",
            "radiocarbon date",
            "isotope ratio",
            "settlement layer",
            "amber bead",
            "excavation trench",
            "pottery style",
        ],
    ),
    (
        "Humanities",
        "Linguistics",
        "Vowel Harmony",
        &[
            "vowel harmony",
            "suffix alternation",
            "stem vowel",
            "neutral vowel",
            "loan word",
            "front rounding",
            "morpheme boundary",
            "native speaker",
            "acoustic measurement",
            "disharmony",
        ],
    ),
    (
        "Humanities",
        "Linguistics",
        "Sign Languages",
        &[
            "signing space",
            "hand shape",
            "deaf community",
            "classifier construction",
            "mouthing",
            "sign order",
            "corpus annotation",
            "village sign language",
            "role shift",
            "non-manual marker",
        ],
    ),
];

const GIVEN: [&str; 24] = [
    "Anna", "Bela", "Carlos", "Dagmar", "Elif", "Farid", "Grace", "Hiro", "Ines", "Jan", "Katja", "Lars", "Mei",
    "Noor", "Olga", "Pavel", "Quentin", "Rosa", "Sven", "Tomas", "Ulla", "Vera", "Wei", "Yusuf",
];
const FAMILY: [&str; 32] = [
    "Albrecht",
    "Bianchi",
    "Castro",
    "Dvořák",
    "Eriksen",
    "Fischer",
    "García",
    "Hansen",
    "Ivanova",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quist",
    "Rossi",
    "Schneider",
    "Tanaka",
    "Ueda",
    "Varga",
    "Weber",
    "Xu",
    "Yılmaz",
    "Zhang",
    "O'Brien",
    "Müller",
    "Novák",
    "Silva",
    "Haddad",
    "Larsen",
];
const PARTS: [&str; 8] = [
    "Department of",
    "Institute of",
    "Faculty of",
    "School of",
    "Laboratory of",
    "Centre for",
    "Chair of",
    "Division of",
];
const HOUSES: [&str; 16] = [
    "University of Graz, Graz, Austria",
    "Charles University, Prague, Czech Republic",
    "University of Porto, Porto, Portugal",
    "Kyoto University, Kyoto, Japan",
    "University of Oslo, 0316 Oslo, Norway",
    "Technical University of Denmark, Lyngby, Denmark",
    "University of Lagos, Lagos, Nigeria",
    "McGill University, Montreal, Canada",
    "Universidad de Chile, Santiago, Chile",
    "Nanjing University, Nanjing 210023, China",
    "National Research Council, Rome, Italy",
    "Boğaziçi University, Istanbul, Turkey",
    "Max Planck Society, Jena, Germany",
    "University of Otago, Dunedin, New Zealand",
    "State Museum, Vilnius, Lithuania",
    "Regional Hospital, Lyon, France",
];

const TITLES: [&str; 10] = [
    "{A} and {b}: a study of {c}",
    "The role of {a} in {b}",
    "A new look at {a} after {b}",
    "{A} under changing {b}",
    "Measuring {a} with {b}",
    "How {a} depends on {b}",
    "{A}, {b} and {c}",
    "On the origin of {a}",
    "{A} without {b}? Evidence from {c}",
    "Towards a model of {a} and {b}",
];
const SENTENCES: [&str; 12] = [
    "We study how {a} is related to {b}.",
    "Little is known about {a}, although {b} has been described many times.",
    "Data on {a} were collected over several years and compared with {b}.",
    "Our results show that {a} grows with {b}, while {c} stays nearly the same.",
    "In contrast to earlier work we find no effect of {a} on {b}.",
    "A simple model with {a} and {b} as inputs explains most of the variation.",
    "The method needs {a} only and can be used where {b} is not at hand.",
    "We conclude that {a} should be considered whenever {b} is discussed.",
    "Differences in {a} could be traced back to {b} and to {c}.",
    "A sample of forty cases with known {a} was examined for {b}.",
    "This has consequences for {a}, and perhaps for {b} as well.",
    "The first part reviews {a}; the second turns to {b} and {c}.",
];

/// Works out of nothing but a number: two thirds of them articles, the others chapters.
pub fn works(seed: u64, count: usize) -> Vec<Work> {
    let mut dice = Dice::new(seed, "invented works");
    (0..count).map(|n| one(n, &mut dice)).collect()
}

fn one(number: usize, dice: &mut Dice) -> Work {
    let (field, subfield, topic, words) = TOPICS[dice.below(TOPICS.len())];
    let kind = if number % 3 == 2 { WorkKind::Chapter } else { WorkKind::Article };
    let mut affiliations: Vec<String> = Vec::new();
    for _ in 0..dice.between(1, 3) {
        let place = format!("{} {subfield}, {}", dice.word(&PARTS), dice.word(&HOUSES));
        if !affiliations.contains(&place) {
            affiliations.push(place);
        }
    }
    let mut authors: Vec<Author> = Vec::new();
    for _ in 0..dice.between(1, 5) {
        let name = format!("{} {}", dice.word(&GIVEN), dice.word(&FAMILY));
        if authors.iter().all(|a| a.name != name) {
            authors.push(Author { name, affiliation: Some(dice.below(affiliations.len())) });
        }
    }
    let title = dice.word(&TITLES);
    let title = fill(title, words, dice);
    let (mut summary, mut keywords) = (Vec::new(), Vec::new());
    if kind == WorkKind::Article {
        for _ in 0..dice.between(5, 9) {
            let sentence = dice.word(&SENTENCES);
            summary.push(fill(sentence, words, dice));
        }
        for _ in 0..dice.between(4, 6) {
            let word = dice.word(words).to_owned();
            if !keywords.contains(&word) {
                keywords.push(word);
            }
        }
    }
    Work {
        id: format!("invented:{number}"),
        derived: false,
        kind,
        title,
        authors,
        affiliations,
        summary: summary.join(" "),
        keywords,
        subject: Subject { field: field.into(), subfield: subfield.into(), topic: topic.into() },
        language: "en".into(),
    }
}

/// A pattern with words of a topic, no word twice.
fn fill(pattern: &str, words: &[&'static str], dice: &mut Dice) -> String {
    let mut order: Vec<&str> = words.to_vec();
    dice.shuffle(&mut order);
    let of = |n: usize| order.get(n).copied().unwrap_or_default();
    let text = pattern.replace("{A}", of(0)).replace("{a}", of(0)).replace("{b}", of(1)).replace("{c}", of(2));
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}
