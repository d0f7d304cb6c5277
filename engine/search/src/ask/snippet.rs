//! What is shown of a page: the passage where most of the words stand, with the words marked. Never cut inside a character.

use std::collections::HashMap;

use groma_model::{Block, BlockKind};

use super::query::Atom;
use crate::answer::Piece;
use crate::text::{Language, Run, Scan, Terms, lower, sign};

/// Characters of a snippet, about.
const LETTERS: usize = 240;
/// Characters before the first hit of a passage, at most.
const BEFORE: usize = 60;
/// Bytes of a page that are looked through.
const READ: usize = 256 << 10;
/// Characters of a title that are shown.
const TITLE: usize = 200;
/// Languages whose stemmers may change the second letter of a word.
const SECOND_CHANGED: [&str; 5] = ["de", "eo", "et", "fi", "sr"];
/// Languages whose stemmers take away beginnings of words, or change them.
const FIRST_CHANGED: [&str; 5] = ["ar", "ga", "id", "nl", "tr"];

/// Where a word of the question stands: from, to, and which.
type Mark = (usize, usize, usize);

/// Knows the words of a question again.
#[derive(Debug, Default)]
pub(crate) struct Marker {
    /// The number of the atom each term belongs to.
    terms: HashMap<String, usize>,
    /// The first letters of the terms: by them most words of a text are passed over.
    first: Vec<[u8; 2]>,
    /// Some term begins with a letter that has no such byte.
    other: bool,
}

impl Marker {
    pub(crate) fn new(atoms: &[Atom]) -> Marker {
        let mut marker = Marker::default();
        for (number, atom) in atoms.iter().enumerate() {
            for (_, term) in atom.ways.iter().flatten() {
                marker.terms.entry(term.clone()).or_insert(number);
                match start(term) {
                    Some(letters) => marker.first.push(letters),
                    None => marker.other = true,
                }
            }
        }
        marker.first.sort_unstable();
        marker.first.dedup();
        marker
    }

    fn may_be(&self, word: &str, kept: Kept) -> bool {
        // An accent may hide a plain letter.
        let Some(letters) = start(word) else { return true };
        match kept {
            Kept::Nothing => true,
            Kept::First => self.other || self.first.iter().any(|of| of[0] == letters[0]),
            // Of a term that is a single letter nothing else is known.
            Kept::Both => self.first.iter().any(|of| *of == letters || *of == [letters[0], 0]),
        }
    }

    /// Where the words of the question stand in a text of this language.
    fn marks(&self, text: &str, language: Language, marks: &mut Vec<Mark>) {
        marks.clear();
        let kept = Kept::by(language);
        let word = |from: usize, to: usize, marks: &mut Vec<Mark>| {
            if self.may_be(&text[from..to], kept) {
                self.mark_word(text, from, to, language, marks);
            }
        };
        for run in Scan::new(text) {
            match run {
                Run::Word(from, to) => word(from, to, marks),
                Run::Signed(from, end, to) => match self.terms.get(&sign(&text[from..to])) {
                    Some(&number) => marks.push((from, to, number)),
                    None => word(from, end, marks),
                },
                Run::Solid(from, to) if self.other => self.mark_solid(text, from, to, marks),
                Run::Solid(..) | Run::Break => {}
            }
        }
    }

    fn mark_word(&self, text: &str, from: usize, to: usize, language: Language, marks: &mut Vec<Mark>) {
        let terms = Terms::from_word(&lower(&text[from..to]), language);
        let second = terms.second.as_ref().and_then(|term| self.terms.get(term));
        if let Some(&number) = self.terms.get(&terms.first).or(second) {
            marks.push((from, to, number));
        }
    }

    fn mark_solid(&self, text: &str, from: usize, to: usize, marks: &mut Vec<Mark>) {
        let run = &text[from..to];
        let mut letters = run.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let end = at + letter.len_utf8();
            let pair = letters.peek().map(|(next, second)| next + second.len_utf8());
            let found = |to: usize| self.terms.get(&run[at..to]).map(|&number| (from + at, from + to, number));
            if let Some(mark) = pair.and_then(found).or_else(|| found(end)) {
                marks.push(mark);
            }
        }
    }

    /// Is a word of the question in this text?
    pub(crate) fn finds(&self, text: &str, language: Language) -> bool {
        let mut marks = Vec::new();
        self.marks(text, language, &mut marks);
        !marks.is_empty()
    }

    /// A title in pieces.
    pub(crate) fn title(&self, title: &str, language: Language) -> Vec<Piece> {
        let end = title.char_indices().nth(TITLE).map_or(title.len(), |(at, _)| at);
        let title = &title[..end];
        let mut marks = Vec::new();
        self.marks(title, language, &mut marks);
        let mut pieces = Vec::new();
        push(&mut pieces, title, 0, title.len(), &marks);
        pieces
    }
}

/// Which of its first two letters a word has after stemming, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Both,
    First,
    Nothing,
}

impl Kept {
    fn by(language: Language) -> Kept {
        let one_of = |codes: &[&str]| codes.iter().any(|code| Language::from_code(code) == language);
        match () {
            () if one_of(&FIRST_CHANGED) => Kept::Nothing,
            () if one_of(&SECOND_CHANGED) => Kept::First,
            () => Kept::Both,
        }
    }
}

/// The first two letters, if they are plain. A y may be an i after stemming.
fn start(word: &str) -> Option<[u8; 2]> {
    let letter = |byte: u8| match byte.to_ascii_lowercase() {
        b'y' => b'i',
        other => other,
    };
    match word.as_bytes() {
        [first, second, ..] if first.is_ascii() && second.is_ascii() => Some([letter(*first), letter(*second)]),
        [only] if only.is_ascii() => Some([letter(*only), 0]),
        _ => None,
    }
}

/// A passage that may be shown.
struct Passage<'a> {
    text: &'a str,
    from: usize,
    marks: Vec<Mark>,
    /// Which atoms it has, as bits.
    has: u64,
    worth: u32,
}

/// The snippet of a page: its best passage, and a second one if that has words the first lacks.
pub(crate) fn passages(marker: &Marker, blocks: &[Block], language: Language) -> Vec<Piece> {
    let mut best: Vec<Passage<'_>> = Vec::new();
    let mut marks = Vec::new();
    let mut read = 0;
    for block in blocks.iter().filter(|block| is_shown(block.kind)) {
        if read > READ {
            break;
        }
        read += block.text.len();
        marker.marks(&block.text, language, &mut marks);
        if let Some(passage) = window(&block.text, &marks, block.kind) {
            best.push(passage);
        }
    }
    // Of equal ones the first stays the first.
    best.sort_by_key(|passage| std::cmp::Reverse(passage.worth));
    let mut pieces = Vec::new();
    let Some(first) = best.first() else { return opening(blocks) };
    let more = best.iter().skip(1).find(|passage| passage.has & !first.has != 0);
    let short = first.text.chars().take(LETTERS / 2).count() < LETTERS / 2;
    let second = more.or_else(|| best.get(1).filter(|_| short));
    let letters = if second.is_some() && !short { LETTERS / 2 } else { LETTERS };
    show(&mut pieces, first, letters);
    if let Some(second) = second {
        let cut_off = pieces.last().is_some_and(|piece| piece.text.ends_with('…'));
        push_plain(&mut pieces, if cut_off || second.from > 0 { " " } else { " … " });
        show(&mut pieces, second, LETTERS / 2);
    }
    pieces
}

fn is_shown(kind: BlockKind) -> bool {
    crate::write::is_body(kind)
        || matches!(kind, BlockKind::Description)
        || (BlockKind::Heading2..=BlockKind::Heading6).contains(&kind)
}

/// Where in a block most of the words stand close together.
fn window<'a>(text: &'a str, marks: &[Mark], kind: BlockKind) -> Option<Passage<'a>> {
    let (mut best, mut best_at, mut best_has) = (0, 0, 0);
    let mut start = 0;
    // A span of bytes stands for a span of letters here: near enough to choose by.
    for end in 0..marks.len() {
        // A single word may be longer than a snippet.
        while start < end && marks[end].1 - marks[start].0 > LETTERS {
            start += 1;
        }
        let has = marks[start..=end].iter().fold(0u64, |bits, mark| bits | 1 << (mark.2 % 64));
        let worth = has.count_ones() * 8 + (end - start).min(4) as u32;
        if worth > best {
            (best, best_at, best_has) = (worth, start, has);
        }
    }
    let first = marks.get(best_at)?;
    let whole_sentence = u32::from(matches!(kind, BlockKind::Paragraph | BlockKind::ListItem)) * 2;
    let from = beginning(text, first.0);
    let marks = marks[best_at..].iter().take_while(|mark| mark.0 - from <= 4 * LETTERS).copied().collect();
    Some(Passage { text, from, marks, has: best_has, worth: best + whole_sentence })
}

/// Where to begin so that the hit is seen with some words before it.
fn beginning(text: &str, hit: usize) -> usize {
    let before = &text[..hit];
    if before.chars().count() <= BEFORE {
        return 0;
    }
    let at = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    // At the end of a sentence, or else of a word.
    let rest = &before[at..];
    let sentence = rest.rfind(['.', '!', '?', '。', '\n']).map(|end| at + end);
    let after = |end: usize| end + text[end..].chars().next().map_or(0, char::len_utf8);
    match sentence.map(after).filter(|begin| text[*begin..].starts_with(char::is_whitespace)) {
        Some(begin) => begin + text[begin..].len() - text[begin..].trim_start().len(),
        None => rest.find(char::is_whitespace).map_or(at, |space| after(at + space)),
    }
}

fn show(pieces: &mut Vec<Piece>, passage: &Passage<'_>, letters: usize) {
    let rest = &passage.text[passage.from..];
    let mut end = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
    if end < rest.len() {
        // Not in the middle of a word, unless it is all one word.
        let word = rest[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2);
        end = word.unwrap_or(end);
    }
    if passage.from > 0 {
        push_plain(pieces, "… ");
    }
    push(pieces, passage.text, passage.from, passage.from + end, &passage.marks);
    if end < rest.len() {
        push_plain(pieces, " …");
    }
}

/// Appends a part of a text in pieces.
fn push(pieces: &mut Vec<Piece>, text: &str, from: usize, to: usize, marks: &[Mark]) {
    let mut at = from;
    let mut marks = marks.iter().filter(|mark| mark.1 > from && mark.0 < to).peekable();
    while let Some(&(start, mut end, _)) = marks.next() {
        // Pairs of letters that overlap are one hit.
        while let Some(next) = marks.next_if(|next| next.0 <= end) {
            end = end.max(next.1);
        }
        let (start, end) = (start.max(at), end.min(to));
        push_plain(pieces, &text[at..start]);
        if start < end {
            pieces.push(Piece { text: clean(&text[start..end]), hit: true });
        }
        at = end.max(at);
    }
    push_plain(pieces, &text[at..to]);
}

/// Appends a text that was not asked for.
pub(crate) fn push_plain(pieces: &mut Vec<Piece>, text: &str) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(last) if !last.hit => last.text.push_str(&clean(text)),
        _ => pieces.push(Piece { text: clean(text), hit: false }),
    }
}

/// Line ends and other controls are spaces in a snippet.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Where no word stands in the text: how the page begins, or what it says of itself.
fn opening(blocks: &[Block]) -> Vec<Piece> {
    let of = |wanted: fn(BlockKind) -> bool| {
        blocks.iter().find(|block| wanted(block.kind) && block.text.chars().take(20).count() == 20)
    };
    let block = of(|kind| kind == BlockKind::Description)
        .or_else(|| of(|kind| kind == BlockKind::Paragraph))
        .or_else(|| of(is_shown));
    let mut pieces = Vec::new();
    if let Some(block) = block {
        let passage = Passage { text: &block.text, from: 0, marks: Vec::new(), has: 0, worth: 0 };
        show(&mut pieces, &passage, LETTERS);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Part, Scope};
    use super::super::query::Phrasing;
    use super::*;
    use proptest::prelude::*;

    fn marker(question: &str, language: &str) -> Marker {
        let phrasing = Phrasing { languages: vec![Language::from_code(language)], japanese: language == "ja" };
        let part = |word: &str| Part { text: word.into(), phrase: false, scope: Scope::Any };
        let atoms: Vec<Atom> = question.split(' ').flat_map(|word| phrasing.atoms(&part(word))).collect();
        Marker::new(&atoms)
    }

    #[test]
    fn stemming_keeps_the_letters_by_which_words_are_passed_over() {
        let endings = ["", "e", "en", "end", "ende", "ing", "es", "s", "ed", "er", "ion", "a", "ak", "ok", "ul", "isk"];
        for (code, _) in groma_topic::STEMMED {
            let (stemmer, kept) = (Language::from_code(code).stemmer(), Kept::by(Language::from_code(code)));
            if kept == Kept::Nothing {
                continue;
            }
            for number in 0..26 * 26 * 26u32 {
                let letter = |place: u32| char::from(b'a' + (number / place % 26) as u8);
                for ending in endings {
                    let word: String = [letter(676), letter(26), letter(1)].into_iter().chain(ending.chars()).collect();
                    let term = Terms::by(&word, stemmer.as_ref()).first;
                    let mut marker = Marker::default();
                    match start(&term) {
                        Some(letters) => marker.first.push(letters),
                        None => marker.other = true,
                    }
                    assert!(marker.may_be(&word, kept), "{code}: {word}, {term}");
                }
            }
        }
        assert_eq!(snippet("Ärzte", "de", &["Die Aerzte"]), "Die [Aerzte]");
        assert_eq!(snippet("aap", "nl", &["Twee apen"]), "Twee [apen]");
    }

    fn shown(pieces: &[Piece]) -> String {
        pieces.iter().map(|p| if p.hit { format!("[{}]", p.text) } else { p.text.clone() }).collect()
    }

    fn page(texts: &[&str]) -> Vec<Block> {
        let block = |text: &&str| Block { kind: BlockKind::Paragraph, text: (*text).to_owned() };
        texts.iter().map(block).collect()
    }

    fn snippet(question: &str, language: &str, texts: &[&str]) -> String {
        shown(&passages(&marker(question, language), &page(texts), Language::from_code(language)))
    }

    #[test]
    fn words_are_marked_by_their_stems_and_accents() {
        assert_eq!(snippet("connect", "en", &["All Connections count."]), "All [Connections] count.");
        assert_eq!(snippet("prilis", "cs", &["Příliš žluťoučký"]), "[Příliš] žluťoučký");
        assert_eq!(snippet("数据库", "zh", &["学习数据库设计"]), "学习[数据库]设计");
        assert_eq!(snippet("c++", "en", &["in C++, not C"]), "in [C++], not C");
        assert_eq!(shown(&marker("map", "en").title("Maps & more", Language::from_code("en"))), "[Maps] & more");
    }

    #[test]
    fn a_word_longer_than_a_snippet_is_cut() {
        let word = "y".repeat(1_000);
        let text = snippet(&word, "en", &[&format!("{word} and more"), &word]);
        assert!(text.starts_with("[yyy") && text.chars().count() < 2 * LETTERS, "{text}");
    }

    #[test]
    fn the_passage_with_most_words_is_shown() {
        let long = format!("{} alpha and beta stand here. {}", "filler word. ".repeat(50), "tail words ".repeat(50));
        let text = snippet("alpha beta", "en", &["only alpha is in this one, and it goes on a little", &long]);
        assert!(text.starts_with("… [alpha] and [beta] stand"), "{text}");
        assert!(text.chars().count() < 300, "{text}");
        let none = snippet("zebra", "en", &["short", "The page begins with this sentence."]);
        assert_eq!(none, "The page begins with this sentence.");
        assert_eq!(snippet("x", "en", &[]), "");
    }

    proptest! {
        #[test]
        fn any_text_can_be_shown(text in "\\PC{0,600}", question in "\\PC{1,20}") {
            let marker = marker(&question, "en");
            let pieces = passages(&marker, &page(&[&text, &text]), Language::from_code("en"));
            prop_assert!(shown(&pieces).chars().count() < 2_000);
            marker.title(&text, Language::from_code("de"));
        }
    }
}
