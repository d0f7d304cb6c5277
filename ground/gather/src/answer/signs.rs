//! Does the page say that the list was cut, or that there is nothing? Signs in words.
//!
//! A cut is said by a word of limits beside a word of results ("only the first 50 results", "nur die ersten 100 Treffer"), by
//! too many ("zu viele Treffer"), or by a plea to ask more narrowly ("please refine your search"; without a plea it is a
//! heading of filters). Nothing is said by a word of none beside a word of results. Both within one line of at most 60 words.
//! Not guaranteed: a sign may stand on every page of a site; whoever sees it on an answer that is surely whole knows better.

use super::lines::Line;

/// Words are in lower case; those that end in `-` are beginnings.
const RESULTS: &[&str] = &[
    "result-",
    "treffer-",
    "ergebnis-",
    "suchergebnis-",
    "hits",
    "matches",
    "records",
    "entries",
    "einträge-",
    "datensätze-",
    "résultat-",
    "risultat-",
    "výsled-",
    "wynik-",
    "rows",
    "items",
    "objekte-",
    "hotels",
    "documents",
    "listings",
    "результат-",
    "registros",
];
const ONLY: &[&str] = &[
    "only",
    "nur",
    "first",
    "ersten",
    "premiers",
    "premières",
    "primeros",
    "primi",
    "eerste",
    "top",
    "seulement",
    "solo",
    "slechts",
    "alleen",
    "prvních",
    "первые",
    "максимум",
];
const LIMITED: &[&str] = &[
    "limited",
    "begrenzt",
    "beschränkt",
    "limité-",
    "limitad-",
    "limitat-",
    "beperkt",
    "truncated",
    "abgeschnitten",
    "omezen-",
    "maximum",
    "maximal",
    "max",
    "gekürzt",
];
const HARD: &[&str] = &["limited", "begrenzt", "beschränkt", "truncated", "limité-", "limitad-", "limitat-", "beperkt"];
const SHOWN: &[&str] = &[
    "shown",
    "displayed",
    "show",
    "showing",
    "display",
    "displaying",
    "angezeigt",
    "anzeigen",
    "zeige",
    "zeigen",
    "ausgegeben",
    "affichés",
    "affichées",
    "affiche",
    "muestran",
    "mostrati",
    "getoond",
    "zobrazen-",
    "listed",
    "gezeigt",
    "returned",
    "retrieved",
];
const MANY: &[&[&str]] = &[
    &["too", "many"],
    &["zu", "viele"],
    &["trop", "de"],
    &["demasiad-"],
    &["troppi"],
    &["te", "veel"],
    &["příliš", "mnoho"],
    &["zbyt", "wiele"],
    &["слишком", "много"],
];
const NARROW: &[&str] = &[
    "refine",
    "narrow",
    "restrict",
    "einschränken",
    "verfeinern",
    "eingrenzen",
    "präzisieren",
    "affiner",
    "affinez",
    "préciser",
    "précisez",
    "refinar",
    "refine",
    "limite",
    "acote",
    "verfijn",
    "raffinare",
    "schränken",
    "grenzen",
    "verfeinere",
    "upřesněte",
    "specific",
];
const PLEA: &[&str] = &[
    "please",
    "bitte",
    "veuillez",
    "merci",
    "favor",
    "favore",
    "aub",
    "alstublieft",
    "prosím",
    "try",
    "must",
    "müssen",
    "should",
];
const ASKING: &[&str] = &[
    "search",
    "query",
    "suche",
    "suchanfrage",
    "anfrage",
    "suchkriterien",
    "criteria",
    "recherche",
    "búsqueda",
    "ricerca",
    "zoekopdracht",
    "hledání",
    "request",
    "suchbegriff",
];
const NONE: &[&str] = &[
    "no", "keine", "kein", "keinen", "aucun", "aucune", "nessun", "nessuna", "ningún", "ninguno", "geen", "žádn-",
    "brak", "ingen", "inga", "0", "zero", "without", "nenhum", "nothing", "nichts", "nic",
];
const FOUND: &[&str] = &[
    "found",
    "gefunden",
    "trouvé-",
    "trovato",
    "encontr-",
    "gevonden",
    "nalezen-",
    "znalezion-",
    "найден-",
    "matched",
    "match",
    "nenalezen-",
    "nenašl-",
];
const NOTHING: &[&[&str]] = &[
    &["nothing", "found"],
    &["nothing", "matched"],
    &["nichts", "gefunden"],
    &["did", "not", "match", "any"],
    &["no", "se", "encontr-"],
    &["ничего", "не", "найдено"],
    &["не", "найдено"],
    &["niet", "gevonden"],
    &["rien", "trouvé"],
    &["leider", "nichts"],
    &["no", "longer", "any"],
];
/// The same where nothing stands between words.
const NOTHING_AT_ALL: [&[&str]; 6] = [
    &["該当", "ありません"],
    &["見つかりません"],
    &["没有找到"],
    &["未找到"],
    &["결과", "없습니다"],
    &["찾을", "없습니다"],
];
/// Letters of a line that says so.
const LETTERS: usize = 60;

/// Words of a line that signs are looked for in.
const WORDS: usize = 60;

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(WORDS).map(str::to_lowercase).collect()
}

fn is(word: &str, known: &str) -> bool {
    known.strip_suffix('-').map_or(word == known, |start| word.starts_with(start))
}

fn any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.iter().any(|known| is(word, known)))
}

fn phrase(words: &[String], phrases: &[&[&str]]) -> bool {
    phrases.iter().any(|phrase| {
        words.windows(phrase.len()).any(|window| window.iter().zip(*phrase).all(|(word, known)| is(word, known)))
    })
}

fn near(words: &[String], first: &[&str], second: &[&str], most: usize) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let from = at.saturating_sub(most);
        let to = (at + most + 1).min(words.len());
        first.iter().any(|known| is(word, known)) && any(&words[from..to], second)
    })
}

/// The line that says that not all are shown.
pub(super) fn cut(lines: &[Line]) -> Option<String> {
    lines.iter().find(|line| says_cut(&words(&line.text))).map(|line| line.text.clone())
}

fn says_cut(words: &[String]) -> bool {
    let is_number = |word: &&String| word.chars().all(|c| c.is_ascii_digit());
    let numbers = words.iter().filter(is_number).count();
    // How many a page shows is no cut.
    let is_page = near(words, &["per", "pro", "par", "por", "je"], &["page", "seite", "página", "pagina", "strán-"], 1);
    let results = any(words, RESULTS);
    let is_only = any(words, &["only", "nur", "seulement", "seuls", "seules", "solo", "slechts", "alleen"]);
    // "The first 10 of 243 are shown" is the first page of a list.
    let is_counted = numbers > 0 && !is_page && (numbers == 1 || is_only);
    let first = words.iter().enumerate().any(|(at, word)| {
        ONLY.iter().any(|known| is(word, known)) && words.iter().skip(at + 1).take(3).any(|word| is_number(&word))
    });
    let is_first = is_counted
        && ((near(words, ONLY, RESULTS, 4) && (any(words, SHOWN) || is_only)) || (first && any(words, SHOWN)));
    let is_limit = any(words, SHOWN) || any(words, HARD);
    let is_limited = is_counted && results && near(words, LIMITED, RESULTS, 5) && is_limit;
    let is_many = phrase(words, MANY) && (results || any(words, NARROW) || any(words, ASKING));
    let is_plea = any(words, NARROW) && any(words, PLEA) && (any(words, ASKING) || results) && !any(words, NONE);
    is_first || is_limited || is_many || is_plea
}

/// Does a line say that there is nothing?
pub(super) fn none(lines: &[Line]) -> bool {
    lines.iter().filter(|line| !line.is_record).any(|line| {
        let words = words(&line.text);
        let is_short = line.text.chars().count() <= LETTERS;
        let is_nothing = |all: &&[&str]| all.iter().all(|one| line.text.contains(one));
        // Long lines speak of other things, too.
        (is_short && NOTHING_AT_ALL.iter().any(is_nothing))
            || words.len() <= 30
                && (phrase(&words, NOTHING) || near(&words, NONE, RESULTS, 2) || near(&words, NONE, FOUND, 4))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> [Line; 1] {
        [Line { text: text.to_owned(), is_record: false }]
    }

    #[test]
    fn cuts_are_told_in_many_ways() {
        for text in [
            "Only the first 50 are shown.",
            "only the first 50 are shown of all results",
            "only the first 50 of 243 results are shown",
            "Only the first 50 results are shown.",
            "Es werden nur die ersten 100 Treffer angezeigt",
            "Please refine your search",
            "Too many results. Narrow your query.",
            "Zu viele Treffer, bitte schränken Sie Ihre Suche ein.",
            "Die Anzeige ist auf 200 Ergebnisse begrenzt",
            "Seuls les 100 premiers résultats sont affichés",
            "Results are limited to 50 records",
            "Trop de résultats, veuillez affiner votre recherche",
            "maximal 100 Treffer werden angezeigt",
        ] {
            assert!(cut(&line(text)).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_no_cut() {
        for text in [
            "Refine your search",
            "10 results per page",
            "Showing the first 10 of 243 results",
            "Top hotels on the coast",
            "The first hotel was built in 1900",
            "243 results",
            "Maximum price 50",
            "nur 5 km zum Strand",
            "Only 3 rooms left",
            "No results. Please refine your search.",
        ] {
            assert_eq!(cut(&line(text)), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_told_in_many_ways() {
        for text in [
            "No results found",
            "Keine Treffer",
            "Leider wurde nichts gefunden.",
            "Aucun résultat",
            "0 results",
            "Your search did not match any documents.",
            "Es wurden keine Hotels gefunden",
            "Geen resultaten gevonden",
            "По вашему запросу ничего не найдено",
            "Nic nenalezeno.",
            "該当するデータはありません。",
        ] {
            assert!(none(&line(text)), "{text}");
        }
        for text in
            ["10 results", "Keine Haustiere", "found 100 hotels", "no smoking", "nothing compares to our results 2024"]
        {
            assert!(!none(&line(text)), "{text}");
        }
    }
}
