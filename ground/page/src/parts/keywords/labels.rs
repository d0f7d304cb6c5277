//! Labels of keywords that are put together: "Additional index words", "Keywords (author supplied)", "Ключевые слова статьи".
//!
//! A text is such a label if it holds a word for keywords and nothing else but words that say whose, which or in what language. What
//! the single words are is in the table of [`wording`](super::super::wording). Cost: linear in the label, which is short.

use super::super::wording::Label;

/// Words for keywords, in small letters.
#[rustfmt::skip]
const STEMS: [&str; 56] = [
    "keywords", "keyword", "key words", "key word", "key-words", "key-word", "keyphrases", "key phrases", "key terms", "key-terms", "index terms", "index words", "indexing terms",
    "indexing words", "search terms", "search words", "subject terms", "author tags", "article tags", "mesh terms", "mesh headings", "medical subject headings", "subject headings",
    "palabras clave", "palabras-clave", "palavras-chave", "palavras chave", "mots-clés", "mots clés", "mots-clefs", "mots clefs", "parole chiave", "schlüsselwörter", "schlüsselbegriffe", "schlagwörter", "schlagworte",
    "stichwörter", "stichworte", "trefwoorden", "nyckelord", "słowa kluczowe", "klíčová slova", "kľúčové slová", "anahtar kelimeler", "ключевые слова", "ключові слова", "kata kunci", "từ khóa", "关键词", "关键字", "關鍵詞", "關鍵字", "キーワード", "키워드", "주제어", "descriptors",
];

/// Words that say whose keywords, which, or in what language.
#[rustfmt::skip]
const BESIDE: [&str; 93] = [
    "and", "or", "of", "the", "this", "these", "for", "in", "by", "from", "with", "s", "author", "authors", "article", "articles", "paper", "papers", "document", "work", "item", "publication", "additional", "other", "further", "more",
    "suggested", "free", "controlled", "uncontrolled", "subject", "topic", "main", "major", "minor", "general", "list", "original", "language", "english", "german", "french", "spanish", "portuguese", "italian", "russian", "chinese", "japanese", "en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja",
    "supplied", "provided", "given", "assigned", "selected", "proposed", "added", "indexed", "plus", "phrases", "terms", "index", "research", "study", "primary", "secondary", "our", "all",
    "auteur", "auteurs", "autor", "autores", "autoren", "artikels", "del", "l", "la", "las", "los", "anglais", "englisch", "inglés", "статьи", "автора", "авторские", "и",
];

/// Is it a label of keywords? The text is in small letters, without marks at its ends.
pub(crate) fn label(text: &str) -> Option<Label> {
    if text.starts_with("dc.subject") || text.starts_with("dcterms.subject") {
        return Some(Label::Keywords);
    }
    if !may_be(text) {
        return None;
    }
    let longest = |text: &str| STEMS.iter().filter(|stem| text.contains(**stem)).max_by_key(|stem| stem.len());
    let mut rest = text.replacen(longest(text)?, " ", 1);
    // It may say so in two languages.
    if let Some(other) = longest(&rest) {
        rest = rest.replacen(other, " ", 1);
    }
    let own = |word: &str| word.chars().all(|c| c.is_ascii_digit()) || BESIDE.contains(&word);
    let pieces = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    pieces.clone().all(own).then_some(Label::Keywords).filter(|_| pieces.count() <= 5)
}

/// Does it have the first piece of one of these? Asked of every short text of a page, so by one look at each of its words.
#[rustfmt::skip]
fn may_be(text: &str) -> bool {
    let first = |word: &str| matches!(word, "keywords" | "keyword" | "key" | "keyphrases" | "index" | "indexing" | "search" | "subject" | "author" | "article" | "mesh" | "medical" | "palabras" | "palavras" | "mots" | "parole"
        | "schlüsselwörter" | "schlüsselbegriffe" | "schlagwörter" | "schlagworte" | "stichwörter" | "stichworte" | "trefwoorden" | "nyckelord" | "słowa" | "klíčová" | "kľúčové" | "anahtar" | "ключевые" | "ключові" | "kata" | "từ" | "descriptors");
    text.split(|c: char| !c.is_alphanumeric()).take(8).any(first)
        || !text.is_ascii() && ["关键", "關鍵", "キーワード", "키워드", "주제어"].iter().any(|stem| text.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_for_keywords_may_be_a_label() {
        for stem in STEMS {
            assert_eq!(label(stem), Some(Label::Keywords), "{stem}");
        }
    }

    #[test]
    fn words_beside_it_say_whose_and_which() {
        for text in
            ["additional keywords", "author keywords (6)", "keywords 关键词", "mots-clés de l'auteur", "mesh terms"]
        {
            assert_eq!(label(text), Some(Label::Keywords), "{text}");
        }
        for text in ["keyword search", "index of authors", "key figures", "search", "subject to change"] {
            assert_eq!(label(text), None, "{text}");
        }
    }
}
