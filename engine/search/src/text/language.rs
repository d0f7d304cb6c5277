//! Which languages we can stem, and how text without spaces is cut into words.

use std::sync::OnceLock;

use frostem::Stemmer;
use groma_topic::STEMMED;
use jieba_rs::Jieba;

use super::scan::is_han;

/// What the place of a language without a stemmer is written as.
const BARE: u8 = 0xff;

/// How the words of a text are stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Language(u8);

impl Language {
    /// No stemming.
    pub(crate) const NONE: Language = Language(BARE);
    /// Short texts whose language nobody could tell are mostly English, and are found by more words if taken as such.
    pub(crate) const UNKNOWN: Language = Language(0);

    /// `code` is what a page declares: "de", "de-at", "".
    pub(crate) fn from_code(code: &str) -> Language {
        let code = code.split(['-', '_']).next().unwrap_or_default();
        if code.is_empty() || code == "und" {
            return Language::UNKNOWN;
        }
        let place = STEMMED.iter().position(|(known, _)| known.eq_ignore_ascii_case(code));
        place.map_or(Language::NONE, |place| Language(place as u8))
    }

    /// The sign that goes before a text to say how it is stemmed.
    pub(crate) fn mark(self) -> char {
        char::from_u32(0xe000 + u32::from(self.0)).unwrap_or('\u{e000}')
    }

    /// Reads the sign back.
    pub(crate) fn of_mark(mark: char) -> Language {
        let place = (mark as u32).wrapping_sub(0xe000);
        if (place as usize) < STEMMED.len() { Language(place as u8) } else { Language::NONE }
    }

    /// Its stemmer. Two languages may share one.
    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        STEMMED.get(usize::from(self.0)).map(|(_, algorithm)| Stemmer::new(*algorithm))
    }

    /// The first language with the same stemmer.
    pub(crate) fn family(self) -> Language {
        let Some((_, algorithm)) = STEMMED.get(usize::from(self.0)) else { return self };
        STEMMED.iter().position(|(_, of)| of == algorithm).map_or(self, |place| Language(place as u8))
    }
}

/// Cuts a run of letters without spaces into words, as a reader would. `japanese`: the pages asked are.
pub(crate) fn segment(run: &str, japanese: bool) -> Vec<String> {
    let is_japanese = run.chars().any(|c| script(c) >= Script::Hiragana) || japanese;
    if !run.chars().any(is_han) && !is_japanese {
        return vec![run.to_owned()];
    }
    if is_japanese {
        return by_script(run);
    }
    // The dictionary takes a moment and some memory: only those who ask in Chinese pay for it.
    static JIEBA: OnceLock<Jieba> = OnceLock::new();
    JIEBA.get_or_init(jieba).cut(run, true).iter().map(|token| token.word.to_owned()).collect()
}

/// The words of Chinese (`assets/jieba/README.md`).
const WORDS: &[u8] = include_bytes!("../../assets/jieba/words.txt.zst");

/// The segmenter with its words. They are in the binary, and a test reads them: nobody meets a segmenter without words.
fn jieba() -> Jieba {
    let words = zstd::decode_all(WORDS).unwrap_or_default();
    Jieba::with_dict(&mut words.as_slice()).unwrap_or_else(|_| Jieba::empty())
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Script {
    Other,
    Hiragana,
    Katakana,
}

fn script(c: char) -> Script {
    match c {
        '\u{3041}'..='\u{3096}' => Script::Hiragana,
        '\u{30a1}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
        _ => Script::Other,
    }
}

/// Japanese: words change where the script does. Grammar is written in Hiragana; beside other words it says nothing, and its
/// forms are many ("する", "します", "しました"), so it is left out there.
fn by_script(run: &str) -> Vec<String> {
    let mut words: Vec<(Script, String)> = Vec::new();
    for c in run.chars() {
        match words.last_mut() {
            Some((of, word)) if *of == script(c) => word.push(c),
            _ => words.push((script(c), c.into())),
        }
    }
    if words.iter().any(|(of, _)| *of != Script::Hiragana) {
        words.retain(|(of, _)| *of != Script::Hiragana);
    }
    words.into_iter().map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_marks() {
        assert_eq!(Language::from_code("de-AT"), Language::from_code("de"));
        assert_eq!(Language::from_code(""), Language::from_code("en"));
        assert_eq!(Language::from_code("zh"), Language::NONE);
        for code in ["en", "cs", "yi", "zh"] {
            let language = Language::from_code(code);
            assert_eq!(Language::of_mark(language.mark()), language);
        }
        assert_eq!(Language::from_code("nn").family(), Language::from_code("no"));
        assert!(Language::NONE.stemmer().is_none());
    }

    #[test]
    fn all_words_of_chinese_are_there() {
        let words = zstd::decode_all(WORDS).expect("packed by zstd");
        assert_eq!(words.iter().filter(|&&byte| byte == b'\n').count(), 349_045);
        assert!(jieba().has_word("数据库"));
    }

    #[test]
    fn chinese_and_japanese_are_cut_into_words() {
        assert_eq!(segment("我们学习数据库", false), ["我们", "学习", "数据库"]);
        assert_eq!(segment("東京の天気", true), ["東京", "天気"]);
        assert_eq!(segment("データを勉強します", false), ["データ", "勉強"]);
        assert_eq!(segment("すし", false), ["すし"]);
        assert_eq!(segment("서울", false), ["서울"]);
    }
}
