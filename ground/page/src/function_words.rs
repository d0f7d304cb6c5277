//! Which language are the little words of a text from: articles, prepositions, conjunctions?
//!
//! Every language has some that make up a tenth to a third of any running text, and some of these its neighbors do not
//! share. Let `h(l)` be how many words of a text are function words of language l, `d(l)` how many different ones, `h(l, m)`
//! how many are of l and not of m, and n the number of words. The text is in the language l with the largest `h(l)`, if
//! `d(l) >= 3`, `h(l) >= n / 20`, and for every other language m `h(l, m) >= 3` and `h(m, l) <= h(l, m) / 4`. Anything less
//! clear is left to others. Words are runs of letters, `_` and bytes beyond ASCII; a capital counts only as the first
//! letter, so that neither names in code nor keywords in capitals are taken for words.
//!
//! Source: the idea is old (Ingle 1976; Grefenstette 1995, "Comparing two language identification schemes"); the lists are
//! ours. Some languages stand here only so that their neighbors do not claim them; one that has no name is never the answer.
//!
//! Cost: one look into a table of 16 KB per word of at most eight bytes; text that is clear early is not read to its end.
//!
//! Not guaranteed: an answer; anything about languages that are not written in Latin letters.

/// Languages and their words, each of at most eight bytes.
#[rustfmt::skip]
const LANGUAGES: [(&str, &[&str]); 25] = [
    ("en", &["the", "of", "and", "to", "is", "that", "for", "with", "this", "are", "be", "from", "which", "has", "it", "you", "not", "have",
        "was", "will", "its", "these", "been", "their", "when", "but", "into", "used", "also", "must", "should", "there", "only", "by",
        "under", "see", "or", "at", "in", "as", "an", "if", "on", "all", "any", "can", "may", "than", "then", "such", "each", "where", "your", "no"]),
    ("de", &["der", "die", "das", "und", "ist", "nicht", "ein", "eine", "zu", "von", "mit", "auf", "sich", "dem", "werden", "den", "für",
        "wird", "auch", "sind", "oder", "bei", "aus", "nach", "einen", "zum", "zur", "wie", "im", "sie", "was", "hat",
        "kann", "wer", "mehr", "seit", "in", "an"]),
    ("fr", &["les", "des", "est", "dans", "pour", "une", "qui", "sur", "pas", "avec", "sont", "et", "du", "au", "cette", "aux", "ces", "par",
        "nous", "vous", "le", "ne", "il", "être", "mais", "comme", "leur", "plus", "où", "on", "en", "la", "de", "se",
        "que", "un", "ce", "y"]),
    ("es", &["el", "los", "las", "y", "con", "para", "por", "una", "del", "es", "más", "como", "pero", "al", "está", "son", "que", "se", "sus",
        "también", "hay", "entre", "cuando", "muy", "sin", "sobre", "este", "esta", "no", "lo", "en", "la", "de", "un", "ha"]),
    ("pt", &["não", "uma", "são", "com", "os", "do", "da", "para", "em", "mais", "pelo", "também", "ao", "é", "na", "no", "dos", "das", "que",
        "por", "como", "mas", "foi", "pela", "seu", "sua", "isso", "ou", "entre", "um", "está", "as", "se", "de", "o"]),
    ("it", &["che", "di", "il", "della", "è", "non", "per", "sono", "con", "gli", "nel", "una", "anche", "più", "dei", "alla", "del", "da",
        "si", "un", "questo", "come", "ma", "nella", "delle", "essere", "dal", "lo", "ed", "in", "la", "no"]),
    ("nl", &["de", "het", "van", "een", "en", "zijn", "niet", "met", "voor", "dat", "op", "te", "aan", "ook", "wordt", "worden", "bij", "naar",
        "uit", "maar", "deze", "heeft", "als", "om", "dan", "door", "over", "geen", "is", "in", "of", "was", "al", "wat", "kan",
        "wie", "er", "dit", "daar", "die"]),
    ("sv", &["och", "är", "att", "inte", "för", "till", "från", "ett", "som", "den", "med", "på", "av", "har", "de", "kan", "om", "vid", "men",
        "eller", "jag", "finns", "också", "detta", "sig", "hur", "vilka"]),
    ("da", &["og", "er", "af", "ikke", "til", "det", "på", "med", "som", "der", "et", "har", "fra", "kan", "den", "for", "blev", "efter",
        "også", "eller", "hvor", "hvordan", "hvilke", "være", "om", "men", "nogle", "mellem"]),
    ("nb", &["og", "er", "av", "ikke", "til", "det", "på", "med", "som", "et", "har", "fra", "kan", "den", "for", "ble", "etter", "også",
        "eller", "hvor", "hvordan", "hvilke", "være", "om", "men", "noen", "mellom"]),
    ("cs", &["se", "na", "je", "že", "který", "která", "které", "jsou", "není", "pro", "nebo", "jako", "také", "podle", "při", "být", "ve",
        "jak", "si", "ale", "až", "už", "jen", "jeho", "ze", "od", "po", "to", "by", "do", "co"]),
    ("sk", &["sa", "na", "je", "že", "ktorý", "ktorá", "ktoré", "sú", "nie", "pre", "alebo", "ako", "aj", "čo", "tiež", "byť", "podľa", "pri",
        "vo", "ale", "len", "ich", "už", "až", "od", "po", "to", "by", "do", "si"]),
    ("pl", &["się", "na", "jest", "że", "nie", "do", "który", "która", "które", "są", "dla", "lub", "jak", "oraz", "przez", "po", "od", "ale",
        "za", "ze", "przy", "tego", "być", "może", "tym", "co", "to", "by", "czy"]),
    ("ro", &["și", "şi", "este", "care", "din", "pentru", "mai", "sunt", "nu", "cu", "la", "pe", "un", "de", "în", "ce", "sau", "fi", "prin",
        "cum", "unei", "unui", "al", "ale", "o", "se", "că"]),
    ("ca", &["els", "amb", "per", "una", "del", "les", "que", "és", "no", "més", "com", "són", "dels", "al", "aquest", "aquesta", "també", "i",
        "el", "de", "la", "o", "cap", "on"]),
    ("eo", &["kaj", "estas", "la", "por", "al", "ne", "oni", "kiu", "kiuj", "tio", "estis", "de", "en", "ĉi", "el", "pri", "sed", "ili", "kiel",
        "kun", "aŭ", "ke", "ĝi", "povas"]),
    ("la", &["et", "in", "est", "non", "ad", "cum", "quod", "qui", "ut", "sed", "per", "ex", "quae", "de", "aut", "esse", "hoc", "atque", "sunt",
        "ab", "si", "nec", "eius", "it"]),
    ("af", &["die", "nie", "het", "van", "en", "is", "in", "wat", "om", "te", "vir", "met", "hulle", "ook", "op", "aan", "deur", "maar", "sy",
        "hierdie", "word", "kan", "dit", "daar"]),
    ("et", &["ja", "on", "ei", "mis", "kes", "et", "ka", "see", "oma", "kui", "või", "nende", "selle", "kuid", "ning", "aga", "siis", "neid", "ole"]),
    ("fi", &["ja", "on", "ei", "että", "se", "ovat", "oli", "kun", "myös", "tai", "mutta", "joka", "voi", "ole", "niin", "sen", "mitä", "miten",
        "mitkä", "tämä", "jotka", "kuin", "olla", "et"]),
    ("hu", &["a", "az", "és", "hogy", "nem", "is", "egy", "ez", "de", "meg", "van", "csak", "már", "mint", "vagy", "mit", "el", "ki", "fel", "be"]),
    ("sl", &["je", "na", "se", "od", "do", "po", "za", "in", "da", "so", "ki", "kot", "ali", "tudi", "pri", "bi", "ne", "pa", "še", "lahko", "kako",
        "ni", "si", "o", "to", "ko"]),
    ("tr", &["ve", "bir", "bu", "için", "ile", "de", "da", "olarak", "ne", "en", "çok", "daha", "gibi", "olan", "o", "var", "her", "kadar", "sonra", "ki"]),
    ("tl", &["ang", "ng", "sa", "mga", "na", "at", "ay", "ito", "si", "ni", "kung", "may", "hindi", "isang", "para", "nang", "ano", "o", "in"]),
    // Croatian, Bosnian, Serbian: which of them, others must say.
    ("", &["je", "na", "se", "od", "do", "po", "za", "su", "i", "da", "ne", "koji", "koje", "kako", "što", "nije", "ili", "kao", "u", "s", "o", "bi",
        "to", "ali", "si"]),
];

/// How many slots the table has, as a power of two.
const BITS: u32 = 10;
const SLOTS: usize = 1 << BITS;

/// A word as a number (0: none), and whose it is, a bit for each language.
type Slot = (u64, u32);

/// All words, each at the first free slot from its place on.
static TABLE: [Slot; SLOTS] = {
    let mut table = [(0, 0); SLOTS];
    let mut language = 0;
    while language < LANGUAGES.len() {
        let words = LANGUAGES[language].1;
        let mut word = 0;
        while word < words.len() {
            let key = key(words[word].as_bytes());
            let mut slot = place(key);
            while table[slot].0 != 0 && table[slot].0 != key {
                slot = (slot + 1) % SLOTS;
            }
            table[slot] = (key, table[slot].1 | 1 << language);
            word += 1;
        }
        language += 1;
    }
    table
};

/// A word of at most eight bytes as a number.
const fn key(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut at = word.len();
    while at > 0 {
        at -= 1;
        key = key << 8 | word[at] as u64;
    }
    key
}

const fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// Whose word this is, a bit for each language; 0 if it is in no list.
fn whose(key: u64) -> u32 {
    let mut slot = place(key);
    // There are always free slots, so this ends.
    while TABLE[slot].0 != key {
        if TABLE[slot].0 == 0 {
            return 0;
        }
        slot = (slot + 1) % SLOTS;
    }
    TABLE[slot].1
}

/// Is a word, in lower case, one of the little words of this language? Of a language without a list, no word is.
pub fn is_function_word(word: &str, language: &str) -> bool {
    if word.is_empty() || word.len() > 8 {
        return false;
    }
    let of = LANGUAGES.iter().position(|(name, _)| *name == language && !name.is_empty());
    of.is_some_and(|of| whose(key(word.as_bytes())) >> of & 1 == 1)
}

/// How often each word of the table was met, and how many words there were in all.
struct Counts {
    met: [u16; SLOTS],
    words: u32,
}

impl Counts {
    /// Counts a word; true if it is one of ours.
    fn add(&mut self, word: &[u8]) -> bool {
        self.words += 1;
        if word.len() > 8 {
            return false;
        }
        let mut key = key(word);
        if word[0].is_ascii_uppercase() {
            key |= 0x20;
        }
        let mut slot = place(key);
        // There are always free slots, so this ends.
        while TABLE[slot].0 != key {
            if TABLE[slot].0 == 0 {
                return false;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.met[slot] = self.met[slot].saturating_add(1);
        true
    }

    /// Words of the table that were met: whose they are, and how often.
    fn found(&self) -> impl Iterator<Item = (u32, u32)> {
        let met = self.met.iter().zip(&TABLE).filter(|(times, _)| **times > 0);
        met.map(|(times, (_, whose))| (*whose, u32::from(*times)))
    }

    /// The answer, if at least so many words speak for it and not for another one.
    fn answer(&self, least: u32) -> Option<&'static str> {
        const COUNT: usize = LANGUAGES.len();
        let has = |whose: u32, language: usize| whose >> language & 1 == 1;
        let mut hits = [0; COUNT];
        for (whose, times) in self.found() {
            (0..COUNT).filter(|language| has(whose, *language)).for_each(|language| hits[language] += times);
        }
        let best = (0..COUNT).max_by_key(|language| hits[*language])?;
        // For it and not for the other one, and the other way round.
        let (mut pro, mut con, mut different) = ([0; COUNT], [0; COUNT], 0);
        for (whose, times) in self.found() {
            different += u32::from(has(whose, best));
            let side = if has(whose, best) { &mut pro } else { &mut con };
            let other = |language: &usize| has(whose, *language) != has(whose, best);
            (0..COUNT).filter(other).for_each(|language| side[language] += times);
        }
        let is_clear = |other: usize| other == best || (pro[other] >= least && con[other] * 4 <= pro[other]);
        let is_enough = different >= 3 && hits[best] * 20 >= self.words;
        let answer = (is_enough && (0..COUNT).all(is_clear)).then_some(LANGUAGES[best].0);
        answer.filter(|name| !name.is_empty())
    }
}

/// The language of a text, if its function words show it.
pub(crate) fn language_of(text: &str) -> Option<&'static str> {
    let mut counts = Counts { met: [0; SLOTS], words: 0 };
    let mut found = 0;
    for word in text.as_bytes().split(|b| !is_letter(*b)).filter(|word| !word.is_empty()) {
        if counts.add(word) {
            found += 1;
            // A look now and then, whether it is clear already.
            if found % 48 == 0
                && let Some(language) = counts.answer(16)
            {
                return Some(language);
            }
        }
    }
    counts.answer(3)
}

fn is_letter(b: u8) -> bool {
    b.is_ascii_alphabetic() || b >= 0x80 || b == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_words_belong_to_languages() {
        assert!(is_function_word("the", "en") && is_function_word("für", "de") && is_function_word("in", "de"));
        assert!(
            !is_function_word("the", "de") && !is_function_word("translation", "en") && !is_function_word("the", "zh")
        );
        assert!(!is_function_word("", "en") && !is_function_word("je", "") && !is_function_word("je", "en"));
    }

    #[test]
    fn the_lists_fit_the_table() {
        let words: usize = LANGUAGES.iter().map(|(_, words)| words.len()).sum();
        assert!(words < SLOTS * 3 / 4, "{words} words");
        for (language, words) in LANGUAGES {
            for word in words {
                assert!((1..=8).contains(&word.len()), "{language}: {word}");
                assert!(word.bytes().all(is_letter) && !word.starts_with(|c: char| c.is_uppercase()), "{word}");
            }
            let mut once = words.to_vec();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), words.len(), "{language} has a word twice");
        }
    }

    #[test]
    fn function_words_decide_only_where_they_are_clear() {
        assert_eq!(language_of(&"the map of the site is for people ".repeat(5)), Some("en"));
        assert_eq!(language_of(&"die Karte der Seiten ist nicht leer ".repeat(5)), Some("de"));
        assert_eq!(language_of(&"the map of der Karte und die Seiten ".repeat(5)), None);
        assert_eq!(language_of(&"int foo bar baz the ".repeat(3)), None);
        assert_eq!(language_of(&"mapa stránek ukazuje jak jsou stránky ".repeat(9)), None);
    }

    #[test]
    fn code_is_no_running_text() {
        assert_eq!(language_of("SELECT THE FROM OF WHERE AND TO IN THAT WITH"), None);
        assert_eq!(language_of("is_of the_and to_be that_is with_the"), None);
        assert_eq!(language_of(&format!("the of and to {}", "name ".repeat(200))), None);
        assert_eq!(language_of(""), None);
        assert_eq!(language_of(&"a".repeat(100_000)), None);
    }

    #[test]
    fn capitals_at_the_start_do_not_matter() {
        assert_eq!(language_of("The dog and the cat. They are of this house. Which is it?"), Some("en"));
    }
}
