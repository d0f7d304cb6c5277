//! Which letter stands for which, once accents are taken away: "příliš" and "prilis" are the same word.

use std::sync::OnceLock;

use tantivy::tokenizer::{AsciiFoldingFilter, RawTokenizer, TextAnalyzer};

/// Letters up to here have a row in the table.
const LATIN: std::ops::Range<u32> = 0x00c0..0x0250;
/// Vietnamese and other letters with several marks.
const LATIN_MORE: std::ops::Range<u32> = 0x1e00..0x1f00;
/// Letters and digits as wide as Chinese ones.
const WIDE: std::ops::Range<u32> = 0xff01..0xff5f;
/// Marks that stand on the letter before them.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';
/// Greek and Cyrillic letters that people leave the accent off.
const OTHERS: [(char, &str); 12] = [
    ('ά', "α"),
    ('έ', "ε"),
    ('ή', "η"),
    ('ί', "ι"),
    ('ϊ', "ι"),
    ('ΐ', "ι"),
    ('ό', "ο"),
    ('ύ', "υ"),
    ('ϋ', "υ"),
    ('ώ', "ω"),
    ('ς', "σ"),
    ('ё', "е"),
];

struct Table {
    latin: Vec<Box<str>>,
    more: Vec<Box<str>>,
    wide: Vec<Box<str>>,
}

/// Appends a word in lower case without its accents. A letter without a plain form stays as it is.
pub(crate) fn fold(word: &str, out: &mut String) {
    if word.is_ascii() {
        return out.push_str(word);
    }
    let table = table();
    for c in word.chars() {
        match c {
            _ if c.is_ascii() => out.push(c),
            _ if MARKS.contains(&c) => {}
            _ => match table.plain(c) {
                Some(plain) => out.push_str(plain),
                None => out.push(c),
            },
        }
    }
}

impl Table {
    fn plain(&self, c: char) -> Option<&str> {
        let code = c as u32;
        let (rows, start) = match code {
            _ if LATIN.contains(&code) => (&self.latin, LATIN.start),
            _ if LATIN_MORE.contains(&code) => (&self.more, LATIN_MORE.start),
            _ if WIDE.contains(&code) => (&self.wide, WIDE.start),
            _ => return OTHERS.iter().find(|(letter, _)| *letter == c).map(|(_, plain)| *plain),
        };
        rows.get((code - start) as usize).map(|plain| &**plain)
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The engine has the list, but lends it only as a filter.
        let mut filter = TextAnalyzer::builder(RawTokenizer::default()).filter(AsciiFoldingFilter).build();
        let mut plain = |code: u32| {
            let letter: String = char::from_u32(code).into_iter().collect();
            let mut stream = filter.token_stream(&letter);
            let folded = if stream.advance() { stream.token().text.to_lowercase() } else { letter.clone() };
            folded.into_boxed_str()
        };
        let mut rows = |range: std::ops::Range<u32>| range.map(&mut plain).collect();
        Table { latin: rows(LATIN), more: rows(LATIN_MORE), wide: rows(WIDE) }
    })
}

#[cfg(test)]
mod tests {
    fn folded(word: &str) -> String {
        let mut out = String::new();
        super::fold(word, &mut out);
        out
    }

    #[test]
    fn accents_go_and_other_scripts_stay() {
        assert_eq!(folded("příliš"), "prilis");
        assert_eq!(folded("übung"), "ubung");
        assert_eq!(folded("straße"), "strasse");
        assert_eq!(folded("việt"), "viet");
        assert_eq!(folded("e\u{301}te\u{301}"), "ete");
        assert_eq!(folded("ａｂ１"), "ab1");
        assert_eq!(folded("ώρα"), "ωρα");
        assert_eq!(folded("東京"), "東京");
        assert_eq!(folded("plain_1"), "plain_1");
    }
}
