//! How many are there in all, and which of them are shown?
//!
//! Lines are read as words and numbers, and tried against a few sentences in many languages, the surest first:
//!
//! ```text
//! a SEP b OF [TOTAL, ABOUT]* n      1-10 of 243, Treffer 1 bis 10 von insgesamt 1.234      8 points
//! n [COUNTER] IN b..: a SEP b       243件中 1-10件                                           8
//! a OF n RESULTS                    10 of 243 results                                       6
//! n [at most two words] RESULTS     243 results, 243 matching records                       5
//! RESULTS [words] : n               Treffer: 243, Total (243)                               4
//! FOUND [two words] n, n .. FOUND   Found 243 hotels; 243 Hotels wurden gefunden            4
//! PAGE a OF n                       page 2 of 7: pages, never records
//! ```
//!
//! A number behind *about*, *over*, *more than* or before `+` is not exact. Numbers of a page ("10 results per page"), first ones
//! ("the first 50 results": that is a cut), prices, dates and codes are no totals, nor are numbers within records, or one that was asked for. Two different numbers of
//! equal points: the larger, and not exact. Cost: linear in the lines. Not guaranteed: a page may lie or speak another language;
//! nothing is better than a wrong number here, so doubtful ones are left.

use serde::Serialize;

use super::lines::Line;
use super::number::{Token, tokens};

/// How many there are in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Total {
    /// The number.
    pub number: u64,
    /// False for "more than 500", "about 500" and "500+".
    pub exact: bool,
}

/// What the lines of a page say about numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) total: Option<Total>,
    pub(super) shown: Option<(u64, u64)>,
    pub(super) page_of: Option<(u64, u64)>,
}

/// Lists are by meaning; words in lower case; those that end in `-` are beginnings.
const BETWEEN: &[&str] =
    &["to", "bis", "through", "thru", "à", "a", "au", "al", "tot", "až", "do", "до", "til", "till", "und"];
const OF: &[&str] = &[
    "of", "von", "aus", "de", "sur", "di", "su", "van", "av", "af", "z", "ze", "из", "out", "from", "med", "des",
    "del", "dari", "em", "parmi", "fra", "в", "den", "the",
];
const WHOLE: &[&str] = &[
    "total",
    "totaal",
    "totale",
    "insgesamt",
    "gesamt",
    "all",
    "in",
    "the",
    "a",
    "of",
    "un",
    "en",
    "tot",
    "zusammen",
    "celkem",
    "łącznie",
    "всего",
    "totalt",
    "den",
    "der",
    "found",
    "gefundenen",
    "matching",
    "available",
];
const ABOUT: &[&str] = &[
    "about",
    "over",
    "ungefähr",
    "über",
    "ca",
    "circa",
    "etwa",
    "approximately",
    "approx",
    "around",
    "roughly",
    "mehr",
    "more",
    "plus",
    "más",
    "mais",
    "più",
    "meer",
    "than",
    "als",
    "least",
    "mindestens",
    "env",
    "environ",
    "cerca",
    "rund",
    "ponad",
    "více",
    "než",
    "dan",
    "de",
    "que",
    "di",
    "at",
    "more",
    "свыше",
    "более",
    "über",
    "almost",
    "fast",
    "up",
    "bis",
];
const SURELY_ABOUT: &[&str] = &[
    "about",
    "over",
    "ungefähr",
    "über",
    "ca",
    "circa",
    "etwa",
    "approximately",
    "approx",
    "around",
    "roughly",
    "mehr",
    "more",
    "plus",
    "más",
    "mais",
    "più",
    "meer",
    "least",
    "mindestens",
    "env",
    "environ",
    "rund",
    "ponad",
    "více",
    "свыше",
    "более",
    "almost",
    "fast",
    "up",
];
const RESULTS: &[&str] = &[
    "result",
    "results",
    "treffer",
    "treffern",
    "ergebnis",
    "ergebnisse",
    "ergebnissen",
    "suchergebnisse",
    "suchergebnissen",
    "hits",
    "hit",
    "matches",
    "match",
    "records",
    "record",
    "entries",
    "entry",
    "einträge",
    "einträgen",
    "eintrag",
    "datensätze",
    "datensätzen",
    "datensatz",
    "résultat",
    "résultats",
    "resultats",
    "resultado",
    "resultados",
    "risultati",
    "risultato",
    "resultaten",
    "resultaat",
    "resultat",
    "resultater",
    "výsledků",
    "výsledky",
    "výsledek",
    "wyników",
    "wyniki",
    "tulosta",
    "rows",
    "items",
    "documents",
    "dokumente",
    "fundstellen",
    "fundstelle",
    "registros",
    "enregistrements",
    "objekte",
    "objekten",
    "listings",
    "результатов",
    "результата",
    "результат",
    "найдено-",
    "件",
    "件中",
    "条-",
    "條-",
    "个结果",
    "筆-",
    "건",
    "건의",
    "結果",
    "结果",
];
const FOUND: &[&str] = &[
    "found",
    "gefunden",
    "trouvé-",
    "trouve",
    "encontrad-",
    "se",
    "trovat-",
    "gevonden",
    "nalezen-",
    "znalezion-",
    "найден-",
    "fundet",
    "hittad-",
    "matched",
    "match",
    "找到",
    "共",
    "löytyi",
];
const PAGES: &[&str] = &[
    "page",
    "pages",
    "seite",
    "seiten",
    "página",
    "páginas",
    "pagina",
    "pagine",
    "pagina's",
    "strana",
    "strony",
    "strona",
    "sida",
    "side",
    "stránka",
    "страница",
    "страниц",
    "頁",
    "页",
    "ページ",
];
const PER: &[&str] = &["per", "pro", "par", "por", "na", "je", "/"];
const FIRST: &[&str] = &[
    "first",
    "ersten",
    "erste",
    "top",
    "premiers",
    "premières",
    "primeros",
    "primi",
    "eerste",
    "max",
    "maximal",
    "maximum",
    "nur",
    "only",
    "last",
    "letzten",
    "show",
    "showing",
    "zeige",
    "display",
    "displaying",
    "anzeigen",
    "afficher",
    "mostrar",
    "prvních",
    "next",
    "previous",
    "nächsten",
    "vorherigen",
    "limit",
    "höchstens",
];

fn is(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| match known.strip_suffix('-') {
        Some(start) if !start.is_empty() => word.starts_with(start),
        _ => *known == word,
    })
}

/// A line as tokens, with questions about them.
struct Sentence<'l> {
    tokens: &'l [Token],
}

impl Sentence<'_> {
    fn word(&self, at: usize, list: &[&str]) -> bool {
        match self.tokens.get(at) {
            Some(Token::Word(word)) => is(word, list),
            Some(Token::Mark(mark)) => list.iter().any(|known| known.chars().eq([*mark])),
            _ => false,
        }
    }

    fn number(&self, at: usize) -> Option<u64> {
        match self.tokens.get(at) {
            Some(Token::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn is_between(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Mark('-' | '–' | '—' | '−' | '…' | '~' | '〜' | '～')))
            || self.word(at, BETWEEN)
    }

    /// The number after at most four words of totals and abouts, and whether it is exact.
    fn total(&self, mut at: usize) -> Option<(u64, bool, usize)> {
        let mut exact = true;
        for _ in 0..5 {
            if let Some(number) = self.number(at) {
                exact &= !matches!(self.tokens.get(at + 1), Some(Token::Mark('+')));
                return Some((number, exact, at));
            }
            if self.word(at, ABOUT) {
                exact &= !self.word(at, SURELY_ABOUT);
            } else if matches!(self.tokens.get(at), Some(Token::Mark('>' | '~' | '≈' | '≥'))) {
                exact = false;
            } else if !self.word(at, WHOLE) && !matches!(self.tokens.get(at), Some(Token::Mark('.' | ':' | '('))) {
                return None;
            }
            at += 1;
        }
        None
    }

    /// Is a number at this place only about?
    fn is_about(&self, at: usize) -> bool {
        let before = (at.saturating_sub(3)..at).rev();
        let mut words = before
            .take_while(|before| self.word(*before, ABOUT) || self.tokens.get(*before) == Some(&Token::Mark('.')));
        words.any(|before| self.word(before, SURELY_ABOUT))
            || at > 0 && matches!(self.tokens.get(at - 1), Some(Token::Mark('>' | '~' | '≈' | '≥')))
            || matches!(self.tokens.get(at + 1), Some(Token::Mark('+')))
    }

    /// Does the number say how much a page shows, or which first ones?
    fn is_partial(&self, at: usize) -> bool {
        let first = (at.saturating_sub(2)..at).any(|before| self.word(before, FIRST));
        let per = (at + 1..at + 4).any(|after| self.word(after, PER) && self.word(after + 1, PAGES));
        let pages = self.word(at + 1, PAGES) || at > 0 && self.word(at - 1, PAGES);
        // "Results per page: 10".
        let head = (at.saturating_sub(4)..at).any(|before| self.word(before, PER) && self.word(before + 1, PAGES));
        first || per || pages || head
    }
}

/// What a page says, from its lines.
pub(super) fn read(lines: &[Line], asked: &[(&str, &str)]) -> Count {
    let mut count = Count::default();
    let mut best: Option<(u32, Total)> = None;
    for line in lines {
        if !line.text.contains(char::is_numeric) {
            continue;
        }
        let tokens = tokens(&line.text);
        let sentence = Sentence { tokens: &tokens };
        let mut offer = |points: u32, number: u64, exact: bool| {
            let is_asked =
                points < 5 && number > 0 && asked.iter().any(|(_, value)| value.trim().parse() == Ok(number));
            // A record may say that it has 12 entries; only a span of the list is believed there.
            if is_asked || (line.is_record && points < 8) {
                return;
            }
            let new = Total { number, exact };
            best = match best {
                Some((known, total)) if known > points || (known == points && total == new) => Some((known, total)),
                Some((known, total)) if known == points => {
                    Some((known, Total { number: total.number.max(number), exact: false }))
                }
                _ => Some((points, new)),
            };
        };
        for at in 0..tokens.len().min(200) {
            look(&sentence, at, &mut count, &mut offer);
        }
    }
    count.total = best.map(|(_, total)| total);
    count
}

/// Tries the sentences at one number of a line.
fn look(sentence: &Sentence<'_>, at: usize, count: &mut Count, offer: &mut impl FnMut(u32, u64, bool)) {
    let Some(number) = sentence.number(at) else { return };
    let page_before = (at.saturating_sub(2)..at).any(|before| sentence.word(before, PAGES));
    // a SEP b OF n
    if sentence.is_between(at + 1)
        && let Some(to) = sentence.number(at + 2)
        && number <= to
        && !page_before
    {
        // "1-10/2024" is a date, unless the line speaks of results.
        let marked = sentence.word(at + 3, &["/", "|", "("]);
        let speaks = || (0..sentence.tokens.len().min(60)).any(|any| sentence.word(any, RESULTS));
        if (sentence.word(at + 3, OF) || (marked && speaks()))
            && let Some((total, exact, end)) = sentence.total(at + 4)
            && to <= total
            && !sentence.word(end + 1, PAGES)
        {
            offer(8, total, exact);
            count.shown = count.shown.or(Some((number, to)));
            return;
        }
        // "243 hits, showing 1 to 10": the total stands elsewhere.
        let near =
            (at.saturating_sub(3)..at).any(|before| sentence.word(before, RESULTS) || sentence.word(before, FIRST));
        if (near || sentence.word(at + 3, RESULTS)) && number > 0 && to - number < 10_000 {
            count.shown = count.shown.or(Some((number, to)));
            // 243件中 1-10件
            let before =
                (at.saturating_sub(3)..at).find(|before| sentence.number(*before).is_some_and(|total| total >= to));
            if let Some(total) = before.filter(|before| sentence.word(before + 1, &["件中", "件", "条-", "건"]))
                && let Some(total) = sentence.number(total)
            {
                offer(8, total, true);
            }
        }
        return;
    }
    // The end of such a span is not looked at again.
    if at >= 2 && sentence.is_between(at - 1) && sentence.number(at - 2).is_some_and(|from| from <= number) {
        return;
    }
    if (sentence.word(at + 1, OF) || sentence.word(at + 1, &["/"]))
        && let Some((total, exact, end)) = sentence.total(at + 2)
        && number <= total
    {
        if page_before || sentence.word(end + 1, PAGES) {
            count.page_of = count.page_of.or(Some((number, total)));
        } else if !sentence.word(at + 1, &["/"]) && (sentence.word(end + 1, RESULTS) || sentence.word(end + 2, RESULTS))
        {
            offer(6, total, exact);
        }
        return;
    }
    // The total of a span before it was taken there.
    if sentence.is_partial(at) {
        return;
    }
    let exact = !sentence.is_about(at);
    let after = (at + 1..=at + 3).find(|after| sentence.word(*after, RESULTS));
    let clear = |to: usize| {
        (at + 1..to)
            .all(|between| matches!(sentence.tokens.get(between), Some(Token::Word(_) | Token::Mark('+' | '(' | '-'))))
    };
    if after.is_some_and(clear) {
        // "hotel 2000 with results" would be one too many; a year alone before such a word is rare enough.
        offer(5, number, exact);
        return;
    }
    let labelled = at > 0
        && matches!(sentence.tokens.get(at - 1), Some(Token::Mark(':' | '(' | '=' | '：')))
        && (at.saturating_sub(5)..at - 1).any(|before| sentence.word(before, RESULTS))
        && !(at.saturating_sub(5)..at).any(|before| sentence.word(before, PER));
    let whole = at > 0
        && matches!(sentence.tokens.get(at - 1), Some(Token::Mark(':' | '=' | '：')))
        && at > 1
        && sentence
            .word(at - 2, &["total", "gesamt", "insgesamt", "anzahl", "totaal", "totale", "celkem", "gesamtzahl"])
        && at <= 4;
    if labelled || whole {
        offer(4, number, exact);
        return;
    }
    let before = (at.saturating_sub(3)..at).any(|before| sentence.word(before, FOUND));
    let later = (at + 1..at + 6).find(|later| sentence.word(*later, FOUND));
    let clear = later.is_some_and(|later| {
        (at + 1..later).all(|between| matches!(sentence.tokens.get(between), Some(Token::Word(_))))
    });
    let named = matches!(sentence.tokens.get(at + 1), Some(Token::Word(_)));
    if (before && named) || clear {
        offer(4, number, exact);
    }
}
