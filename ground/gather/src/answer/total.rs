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
//! n WORD [WORD], a line of its own  3,412 commits                                           if the records bear it out
//! ```
//!
//! Words around a number say what it is ([`TotalKind`]): *about*; *more than*, *at least*, `+`; *up to*. Numbers of a page ("10
//! results per page"), first ones ("the first 50 results": that is a cut), further ones ("20 more results"), prices, dates, years and codes
//! are no totals, nor are numbers within records, or one that was asked for. Two different numbers of equal points are none.
//! A number of things with an unknown name counts only if the records bear it out ([`Count::borne_out`]): as many as
//! there are on a list that ends here, or more on one that goes on, in a line beside the list, or by the number of pages.
//!
//! Cost: linear in the lines. Not guaranteed: a page may lie or speak another language; nothing is better than a wrong number here,
//! so doubtful ones are left.

use serde::Serialize;

use super::lines::Line;
use super::number::{Token, tokens};
use super::total_nouns::{NO_RECORDS, PAGES, RESULTS, TOTALS};
use super::total_words::{
    ABOUT, AT_LEAST, AT_MOST, BETWEEN, EVERY, FIRST, FIRST_BEHIND, FOUND, FURTHER, LESS, LINKS, OF, OR, OR_MORE, PER,
    WHOLE,
};

/// How many there are in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Total {
    pub number: u64,
    /// What the number says about how many there are.
    pub kind: TotalKind,
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.kind {
            TotalKind::Exact => "",
            TotalKind::About => "about ",
            TotalKind::AtLeast => "at least ",
            TotalKind::AtMost => "at most ",
        })?;
        write!(f, "{}", self.number)
    }
}

/// What a stated number says about how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TotalKind {
    /// So many: "243 results".
    Exact,
    /// More or fewer: "about 500", and every wording that is not understood better.
    About,
    /// So many or more: "more than 500", "500+".
    AtLeast,
    /// So many or fewer: "up to 500".
    AtMost,
}

impl Total {
    /// Is the number stated as exactly so many? Whether that is true is another question.
    pub fn is_exact(&self) -> bool {
        self.kind == TotalKind::Exact
    }
}

/// What the lines of a page say about numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) total: Option<Total>,
    /// Numbers of what nobody knows the name of, and whether their line is beside the records.
    unnamed: Vec<(Total, bool)>,
    pub(super) shown: Option<(u64, u64)>,
    pub(super) page_of: Option<(u64, u64)>,
}

/// Points of a number that counts only if the records bear it out.
const UNNAMED: u32 = 3;

/// Lines between the records and a number of unnamed things beside them, at most.
const BESIDE: usize = 3;

fn is_in_signs(known: &str) -> bool {
    known.chars().next().is_some_and(|c| matches!(c as u32, 0x2e80..=0x9fff | 0xac00..=0xd7af))
}

fn is(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| match known.strip_suffix('-') {
        Some(start) if !start.is_empty() => word.starts_with(start),
        _ if is_in_signs(known) => word.contains(known),
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

    /// A word of results; `件` and the like only as the beginning of what follows.
    fn result(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            Some(Token::Word(word)) => {
                let is_label = ["結果", "结果", "검색결과"].iter().any(|known| word.contains(known));
                is_label || RESULTS.iter().any(|known| *known == word || is_in_signs(known) && word.starts_with(known))
            }
            _ => false,
        }
    }

    fn mark(&self, at: usize, marks: &[char]) -> bool {
        matches!(self.tokens.get(at), Some(Token::Mark(mark)) if marks.contains(mark))
    }

    fn is_word(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(_)))
    }

    fn number(&self, at: usize) -> Option<u64> {
        match self.tokens.get(at) {
            Some(Token::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn is_between(&self, at: usize) -> bool {
        self.mark(at, &['-', '–', '—', '−', '…', '~', '〜', '～']) || self.word(at, BETWEEN)
    }

    /// What the word or sign at a place makes of a number after it.
    fn before(&self, at: usize) -> Option<TotalKind> {
        let after = |list: &[&str]| at > 0 && self.word(at - 1, list);
        if self.word(at, LESS) {
            // "au moins", "al menos", "не менее" are not "moins de".
            let least = after(&["au", "du", "al", "lo", "pelo", "не", "nie", "ne", "ikke", "inte"]);
            Some(if least { TotalKind::AtLeast } else { TotalKind::AtMost })
        } else if self.mark(at, &['>', '≥']) || self.word(at, AT_LEAST) {
            let denied = after(&["no", "not", "nicht", "pas", "non", "nie", "ne", "не", "niet", "ikke", "inte"]);
            Some(if denied { TotalKind::AtMost } else { TotalKind::AtLeast })
        } else if self.mark(at, &['~', '≈', '±']) || self.word(at, ABOUT) {
            Some(TotalKind::About)
        } else if self.mark(at, &['<', '≤']) || self.word(at, AT_MOST) {
            Some(TotalKind::AtMost)
        } else {
            None
        }
    }

    /// What the words after a number make of it: `500+`, "500 or more", `500件以上`.
    fn after(&self, at: usize) -> Option<TotalKind> {
        let more = |at: usize| self.word(at, OR) && self.word(at + 1, OR_MORE);
        let above = |at: usize| self.word(at, &["以上", "이상", "余"]);
        let is_more = self.mark(at + 1, &['+']) || more(at + 1) || more(at + 2) || above(at + 1) || above(at + 2);
        is_more.then_some(TotalKind::AtLeast)
    }

    /// What the words around a number make of it.
    fn kind(&self, at: usize) -> TotalKind {
        let mut place = at;
        let mut links = 0;
        while place > 0 && links < 3 {
            place -= 1;
            if let Some(kind) = self.before(place) {
                // "1 bis 10" is a span, "bis zu 10" is not; "plus que 3".
                let is_span = place > 0 && self.number(place - 1).is_some() && self.is_between(place);
                return if is_span { self.after(at).unwrap_or(TotalKind::Exact) } else { kind };
            }
            if !self.word(place, LINKS) && !self.mark(place, &['.', '\'', '’']) {
                break;
            }
            links += 1;
        }
        self.after(at).unwrap_or(TotalKind::Exact)
    }

    /// The number after at most four words of totals, and its place.
    fn total(&self, mut at: usize) -> Option<(Total, usize)> {
        for _ in 0..5 {
            if let Some(number) = self.number(at) {
                return Some((Total { number, kind: self.kind(at) }, at));
            }
            let passes = self.before(at).is_some()
                || self.word(at, WHOLE)
                || self.word(at, LINKS)
                || self.mark(at, &['.', ':', '(', '\'', '’']);
            if !passes {
                return None;
            }
            at += 1;
        }
        None
    }

    /// Does the number say how much a page shows, or which first or further ones?
    fn is_partial(&self, at: usize) -> bool {
        let every = at > 0 && self.word(at - 1, EVERY);
        let first = !every && (at.saturating_sub(2)..at).any(|before| self.word(before, FIRST))
            || self.word(at + 1, FIRST_BEHIND);
        let per = (at + 1..at + 4).any(|after| self.word(after, PER) && self.word(after + 1, PAGES))
            || self.word(at + 1, &["ずつ", "表示"])
            || at > 0 && self.word(at - 1, &["每", "毎", "あたり", "당"]);
        let pages = self.word(at + 1, PAGES) || at > 0 && self.word(at - 1, PAGES);
        // "Results per page: 10".
        let head = (at.saturating_sub(4)..at).any(|before| self.word(before, PER) && self.word(before + 1, PAGES));
        let further =
            self.word(at + 1, FURTHER) || at > 0 && self.word(at - 1, FURTHER) && !self.word(at - 1, AT_LEAST);
        first || per || pages || head || further || self.is_choice(at)
    }

    /// One of several numbers in a row to choose from: `10 | 25 | 50 results`.
    fn is_choice(&self, at: usize) -> bool {
        let mut before = 0;
        for place in (at.saturating_sub(5)..at).rev() {
            match self.tokens.get(place) {
                Some(Token::Number(_)) => before += 1,
                Some(Token::Mark('|' | '/' | ',' | '·' | '[' | ']')) => {}
                _ => break,
            }
        }
        before >= 2
    }

    /// May a number be a year? Then what stands behind it is not counted by it.
    fn is_year(&self, at: usize, number: u64) -> bool {
        (1900..2100).contains(&number)
            && at > 0
            && self.is_word(at - 1)
            && self.before(at - 1).is_none()
            && ![WHOLE, FOUND, OF, EVERY, TOTALS].iter().any(|list| self.word(at - 1, list))
    }

    /// Is the whole line a number and one or two words, with what makes it inexact?
    fn is_unnamed(&self, at: usize) -> bool {
        let bracket = |at: &usize| !self.mark(*at, &['(', ')', '[', ']', '.', ':', '+']);
        let after: Vec<usize> = (at + 1..self.tokens.len().min(at + 8)).filter(bracket).collect();
        let lead = (0..at).all(|before| {
            self.before(before).is_some()
                || [LINKS, EVERY, FIRST].iter().any(|list| self.word(before, list))
                || !bracket(&before)
        });
        let named = (1..=2).contains(&after.len()) && after.iter().all(|after| self.is_word(*after));
        lead && named && !after.iter().any(|after| self.word(*after, NO_RECORDS))
    }
}

/// The best total so far.
#[derive(Default)]
struct Best {
    points: u32,
    total: Option<Total>,
    disputed: bool,
}

impl Best {
    fn offer(&mut self, points: u32, new: Total) {
        match self.total {
            Some(_) if self.points > points => {}
            Some(known) if self.points == points && known.number == new.number => {
                // Of two kinds the less exact one.
                if known.is_exact() {
                    self.total = Some(new);
                }
            }
            Some(_) if self.points == points => self.disputed = true,
            _ => *self = Best { points, total: Some(new), disputed: false },
        }
    }
}

/// What a page says, from its lines.
pub(super) fn read(lines: &[Line], asked: &[(&str, &str)]) -> Count {
    let mut count = Count::default();
    let mut best = Best::default();
    let first = lines.iter().position(|line| line.is_record);
    let last = lines.iter().rposition(|line| line.is_record);
    for (nth, line) in lines.iter().enumerate() {
        if !line.text.contains(char::is_numeric) {
            continue;
        }
        let tokens = tokens(&line.text);
        let sentence = Sentence { tokens: &tokens };
        let near = |place: Option<usize>| place.is_some_and(|place| place.abs_diff(nth) <= BESIDE);
        // Records that stand in the JSON of the page have no lines: then a line that says nothing else.
        let is_alone = || first.is_none() && line.text.split_whitespace().take(4).count() < 4;
        let beside = near(first) || near(last) || is_alone();
        let mut unnamed: Vec<(Total, bool)> = Vec::new();
        let mut offer = |points: u32, new: Total| {
            let is_asked =
                points < 5 && new.number > 0 && asked.iter().any(|(_, value)| value.trim().parse() == Ok(new.number));
            // A record may say that it has 12 entries; only a span of the list is believed there.
            if line.is_record && points < 8 {
                return;
            }
            match points {
                // The code of a value may be as large as its total: that counts if the records bear it out.
                _ if is_asked => unnamed.push((new, false)),
                UNNAMED => unnamed.push((new, beside)),
                _ => best.offer(points, new),
            }
        };
        for at in 0..tokens.len().min(200) {
            look(&sentence, at, &mut count, &mut offer);
        }
        if count.unnamed.len() < 100 {
            count.unnamed.append(&mut unnamed);
        }
    }
    count.total = best.total.filter(|_| !best.disputed);
    count
}

/// Does a text count a list, as pagers and counters do?
pub(super) fn speaks_of_list(text: &str) -> bool {
    let line = Line { text: text.to_owned(), is_record: false };
    let count = read(&[line], &[]);
    count.shown.is_some() || count.page_of.is_some()
}

impl Count {
    /// The total, that of unnamed things among it if the records bear it out. `records` are those of the page, and whether it goes on.
    pub(super) fn borne_out(&self, records: u64, goes_on: bool) -> Option<Total> {
        if self.total.is_some() || records == 0 {
            return self.total;
        }
        let fits = |(total, beside): &&(Total, bool)| {
            // "Page 1 of 137" says which, if it is there.
            let by_pages = self.page_of.map(|(_, pages)| total.number.div_ceil(records) == pages);
            match goes_on {
                true => total.number > records && by_pages.unwrap_or(*beside),
                false => total.number == records,
            }
        };
        let mut fitting = self.unnamed.iter().filter(fits).map(|(total, _)| *total);
        let first = fitting.next()?;
        fitting.all(|other| other == first).then_some(first)
    }
}

/// Tries the sentences at one number of a line.
fn look(sentence: &Sentence<'_>, at: usize, count: &mut Count, offer: &mut impl FnMut(u32, Total)) {
    let Some(number) = sentence.number(at) else { return };
    let page_before = (at.saturating_sub(2)..at).any(|before| sentence.word(before, PAGES));
    if look_at_span(sentence, at, number, page_before, count, offer) {
        return;
    }
    // The end of such a span is not looked at again.
    if at >= 2 && sentence.is_between(at - 1) && sentence.number(at - 2).is_some_and(|from| from <= number) {
        return;
    }
    if (sentence.word(at + 1, OF) || sentence.mark(at + 1, &['/']))
        && let Some((total, end)) = sentence.total(at + 2)
        && number <= total.number
    {
        if page_before || sentence.word(end + 1, PAGES) {
            count.page_of = count.page_of.or(Some((number, total.number)));
        } else if !sentence.mark(at + 1, &['/']) && (sentence.result(end + 1) || sentence.result(end + 2)) {
            offer(6, total);
        }
        return;
    }
    let new = Total { number, kind: sentence.kind(at) };
    // "Les 50 premiers résultats sur 312".
    if at > 2
        && sentence.word(at - 1, OF)
        && sentence.result(at - 2)
        && (at.saturating_sub(6)..at - 2).any(|before| sentence.word(before, FIRST))
    {
        return offer(6, new);
    }
    if sentence.is_partial(at) {
        // "Showing 57 hotels" may be all there are.
        if at > 0 && sentence.word(at - 1, FIRST) && sentence.is_unnamed(at) {
            offer(UNNAMED, new);
        }
        return;
    }
    look_at_count(sentence, at, new, offer);
}

/// `a SEP b OF n`, and what stands around `a SEP b`. True if a span begins here.
fn look_at_span(
    sentence: &Sentence<'_>,
    at: usize,
    number: u64,
    page_before: bool,
    count: &mut Count,
    offer: &mut impl FnMut(u32, Total),
) -> bool {
    let Some(to) = sentence.number(at + 2).filter(|to| sentence.is_between(at + 1) && number <= *to && !page_before)
    else {
        return false;
    };
    // "1-10 hotels of 243", "1〜20件 / 全243件".
    let named = sentence.is_word(at + 3) && !sentence.word(at + 3, OF) && !sentence.word(at + 3, NO_RECORDS);
    let gap = usize::from(named);
    // "1-10/2024" is a date, unless the line speaks of results.
    let marked = |at: usize| sentence.mark(at, &['/', '|', '(', '（', '／']);
    let speaks = || (0..sentence.tokens.len().min(60)).any(|any| sentence.result(any));
    for gap in 0..=gap {
        if (sentence.word(at + 3 + gap, OF) || (marked(at + 3 + gap) && speaks()))
            && let Some((total, end)) = sentence.total(at + 4 + gap)
            && to <= total.number
            && !sentence.word(end + 1, PAGES)
        {
            offer(8, total);
            count.shown = count.shown.or(Some((number, to)));
            return true;
        }
    }
    // "243 hits, showing 1 to 10": the total stands elsewhere.
    let near = (at.saturating_sub(3)..at).any(|before| sentence.result(before) || sentence.word(before, FIRST));
    if (near || sentence.result(at + 3)) && number > 0 && to - number < 10_000 {
        count.shown = count.shown.or(Some((number, to)));
        // 243件中 1-10件
        let before =
            (at.saturating_sub(3)..at).find(|before| sentence.number(*before).is_some_and(|total| total >= to));
        if let Some(before) = before.filter(|before| sentence.word(before + 1, &["件", "条", "條", "건", "筆", "개"]))
            && let Some(total) = sentence.number(before)
        {
            offer(8, Total { number: total, kind: sentence.kind(before) });
        }
    }
    true
}

/// A number alone: with results behind it, a label before it, or beside a word of finding.
fn look_at_count(sentence: &Sentence<'_>, at: usize, new: Total, offer: &mut impl FnMut(u32, Total)) {
    let after = (at + 1..=at + 3).find(|after| sentence.result(*after));
    let clear =
        |to: usize| (at + 1..to).all(|between| sentence.is_word(between) || sentence.mark(between, &['+', '(', '-']));
    if after.is_some_and(clear) {
        // "Election 2024 results" counts nothing, unless the page has as many.
        return if sentence.is_year(at, new.number) { offer(UNNAMED, new) } else { offer(5, new) };
    }
    let label = at > 0 && sentence.mark(at - 1, &[':', '(', '=', '：', '（']);
    let labelled = label
        && (at.saturating_sub(5)..at - 1).any(|before| sentence.result(before))
        && !(at.saturating_sub(5)..at).any(|before| sentence.word(before, PER));
    let whole = label && at > 1 && sentence.word(at - 2, TOTALS) && at <= 4;
    if labelled || whole {
        return offer(4, new);
    }
    let before = (at.saturating_sub(3)..at).any(|before| sentence.word(before, FOUND));
    let later = (at + 1..at + 6).find(|later| sentence.word(*later, FOUND));
    let clear = later.is_some_and(|later| (at + 1..later).all(|between| sentence.is_word(between)));
    let named = sentence.is_word(at + 1) && !sentence.word(at + 1, NO_RECORDS) && !sentence.word(at + 1, LINKS);
    if (before && named) || clear {
        return offer(4, new);
    }
    if sentence.is_unnamed(at) {
        offer(UNNAMED, new);
    }
}
