//! Does this text look like the name of a person?
//!
//! In scripts with capitals: two to seven words that begin with capitals, initials and particles (van, de, bin) among them, no
//! digits, no word that names things on pages or institutions. In Chinese, Japanese and Korean: two to five characters. Elsewhere: two to
//! five words of letters. Cost: linear in the text, of which names have at most [`LONGEST`] bytes.
//!
//! Not guaranteed: "Machine Learning" is as good a name as "Rosa Blum". What stands around it decides.

use std::borrow::Cow;

use super::lexicon::{self, Lexicon};
use super::places;

/// Longest name, in bytes.
const LONGEST: usize = 90;

/// The marks that tie names to footnotes, and what else hangs on names.
const HANGERS: &[char] = &[
    '*', '†', '‡', '§', '¶', '#', '∥', '‖', '∗', '⁎', '✉', '🖂', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁰', '➀',
    '➁', ',', ';', '，', '、', ':', '：', '|', '·', '•',
];

/// What stands before names.
#[rustfmt::skip]
const TITLES: [&str; 22] = [
    "by ", "By ", "BY ", "von ", "Von ", "par ", "Par ", "por ", "Por ", "and ", "And ", "und ", "et ", "& ", "Dr. ", "Dr ", "Prof. ", "Prof ", "Professor ", "Mr. ", "Mrs. ", "Ms. ",
];

/// What stands after names.
#[rustfmt::skip]
const ENDS: [&str; 23] = [
    ", PhD", ", Ph.D.", " PhD", " Ph.D.", ", MD", " MD", ", M.D.", " M.D.", ", MSc", ", MPH", ", Jr.", " (ed.)", " (Ed.)", " et al", " et al.", " and", " und", " et", " &", " и", " och", " og", " y",
];

/// The only word of one of [`TITLES`].
fn is_title(word: &str) -> bool {
    TITLES.iter().any(|title| title.strip_suffix(' ') == Some(word))
}

/// The last word of one of [`ENDS`].
fn is_end(word: &str) -> bool {
    ENDS.iter().any(|end| end.strip_suffix(word).is_some_and(|rest| rest.ends_with(' ')))
}

/// A name without footnote marks, digits and titles around it.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let mut text = text.trim_matches(|c: char| {
        !c.is_ascii_alphabetic()
            && (c.is_whitespace() || HANGERS.contains(&c) || c.is_ascii_digit() || matches!(c, '(' | ')' | '[' | ']'))
    });
    loop {
        let before = text;
        // Most names have neither: one look at their first word and at their last.
        if is_title(text.split(' ').next().unwrap_or_default()) {
            for title in TITLES {
                text = text.strip_prefix(title).unwrap_or(text).trim_start();
            }
        }
        if is_end(text.rsplit(' ').next().unwrap_or_default()) {
            for end in ENDS {
                text = text.strip_suffix(end).unwrap_or(text).trim_end();
            }
        }
        if text == before {
            break;
        }
    }
    // "Smith, John" is John Smith.
    if text.contains(',')
        && let Some((last, first)) = text.split_once(", ")
        && !first.contains(',')
        && !first.is_empty()
        && last.split(' ').count() <= 3
    {
        return Cow::Owned(format!("{} {}", first.trim(), last.trim()));
    }
    Cow::Borrowed(text)
}

/// Looks like a name.
pub(crate) fn is_name(text: &str) -> bool {
    if text.len() > LONGEST || text.is_empty() {
        return false;
    }
    if !text.is_ascii() {
        let (mut all, mut wide) = (0, 0);
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            all += 1;
            wide += usize::from(is_wide(c));
        }
        if wide * 2 > all {
            let count = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '・' | '·')).count();
            return wide == all
                && (2..=8).contains(&count)
                && text.split_whitespace().count() <= 2
                && !text.contains(is_no_letter)
                && !places::is_institution(text)
                && !is_wide_word(text);
        }
    }
    // Most texts that are asked about are none: what tells that soonest comes first.
    has_words_of_names(text)
        && !text.contains(is_no_letter)
        && text.contains(char::is_alphabetic)
        && !places::is_institution(text)
}

/// What stands in no name.
fn is_no_letter(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '@' | '/' | ':' | '?' | '!' | '=' | '<' | '>' | '{' | '"' | '“' | '%' | '$')
}

/// Two to seven words that begin with capitals, with particles and initials among them.
fn has_words_of_names(text: &str) -> bool {
    let (mut count, mut full) = (0, 0);
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        count += 1;
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
        let Some(first) = bare.chars().next() else { return false };
        if first.is_lowercase() {
            // d'Alembert is a whole name.
            let whole = bare.chars().nth(2).is_some_and(char::is_uppercase)
                && bare.chars().nth(1).is_some_and(|c| matches!(c, '\'' | '’'));
            if !whole && (!is_particle(bare) || words.peek().is_none()) {
                return false;
            }
        } else if bare.trim_end_matches('.').chars().nth(1).is_some() {
            full += 1;
        }
        // Initials may be many ("S.Z.H."), abbreviations are no names.
        if bare.ends_with('.')
            && bare.chars().count() > 5
            && !bare.split(['.', '-']).all(|part| part.chars().count() <= 2)
        {
            return false;
        }
        if count > 7 || is_page_word(bare) {
            return false;
        }
    }
    count >= 2 && full >= 1
}

/// Could be a name by its form: for those that stand among surer ones.
pub(crate) fn may_be_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (1..=6).contains(&words)
        && letters >= 2
        && text.len() <= LONGEST
        && !text.chars().any(|c| c.is_ascii_digit() || matches!(c, '@' | '/' | ':' | '+'))
        && text.chars().next().is_some_and(|c| !c.is_lowercase())
        && text.split_whitespace().filter(|word| is_page_word(word)).count() < words.min(2)
        && !is_wide_word(text)
        && !places::is_institution(text)
}

/// One word that may be a name where names are expected (a byline, a list of names).
pub(crate) fn is_single_name(text: &str) -> bool {
    let count = text.chars().count();
    text.split_whitespace().count() == 1
        && (2..=20).contains(&count)
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
        && text.chars().next().is_some_and(|c| !c.is_lowercase())
        // "USA", "NC".
        && !(count <= 4 && text.is_ascii() && text.chars().all(|c| c.is_ascii_uppercase()))
        && !is_page_word(text)
        && !places::is_country(text)
        && !places::is_institution(text)
}

/// Words of pages and nothing else, two or more: "All Authors", "Show more".
pub(crate) fn is_page_words(text: &str) -> bool {
    let words = text.split_whitespace().take(6).count();
    (2..6).contains(&words) && text.split_whitespace().all(is_page_word)
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

fn is_wide_word(text: &str) -> bool {
    const WORDS: [&str; 36] = [
        "图书",
        "链接",
        "位置",
        "学科",
        "广告",
        "ジャーナル",
        "書籍",
        "トップ",
        "下载",
        "首页",
        "登录",
        "注册",
        "论文",
        "文章",
        "期刊",
        "目录",
        "摘要",
        "全文",
        "关键词",
        "相关",
        "引用",
        "检索",
        "搜索",
        "收藏",
        "分享",
        "ホーム",
        "論文",
        "記事",
        "検索",
        "本文",
        "抄録",
        "초록",
        "논문",
        "로그인",
        "검색",
        "作者",
    ];
    WORDS.iter().any(|word| text.contains(word))
}

#[rustfmt::skip]
fn is_particle(word: &str) -> bool {
    matches!(word, "van" | "von" | "der" | "den" | "de" | "di" | "da" | "do" | "dos" | "das" | "del" | "della" | "du" | "la" | "le" | "el" | "al" | "bin"
        | "ben" | "ibn" | "ter" | "ten" | "zu" | "zur" | "zum" | "af" | "av" | "y" | "e" | "i" | "san" | "abu" | "d" | "ud" | "ul" | "vom" | "op" | "het" | "in" | "im" | "am" | "auf" | "'t" | "t")
        || word.starts_with("d'") || word.starts_with("d’") || word.starts_with("al-") || word.starts_with("el-")
}

/// Whether web pages use the word and no person is called so.
fn is_page_word(word: &str) -> bool {
    PAGE_WORDS.has(lexicon::lower(word, &mut [0; lexicon::WORD]).trim_end_matches('.'))
}

/// Words of pages that no person is called.
#[rustfmt::skip]
static PAGE_WORDS: Lexicon<1024> = Lexicon::new(&[
    "the", "and", "of", "for", "with", "from", "to", "on", "at", "an", "or", "is", "are", "this", "our", "your", "all", "new", "more", "view", "read", "open",
    "access", "article", "articles", "research", "review", "paper", "papers", "journal", "journals", "volume", "issue", "pages", "page", "pdf", "html", "download", "citation", "citations", "cite", "export", "share", "email",
    "print", "abstract", "keywords", "keyword", "authors", "author", "references", "introduction", "supplementary", "figures", "tables", "metrics", "login", "sign", "register", "search", "home", "about", "contact", "help", "menu", "browse",
    "subscribe", "published", "received", "accepted", "available", "online", "publication", "publications", "publisher", "press", "proceedings", "conference", "association", "copyright", "license", "rights", "privacy", "policy", "terms", "cookie", "cookies", "full",
    "text", "free", "previous", "next", "back", "top", "chapter", "book", "books", "edition", "series", "editor", "editors", "edited", "related", "similar", "recommended", "show", "hide", "details", "information", "info",
    "department", "number", "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "using", "based",
    "via", "learning", "analysis", "systems", "study", "theory", "models", "model", "methods", "language", "data", "science", "sciences", "corresponding", "affiliations", "affiliation", "et", "al", "doi", "isbn", "issn", "save",
    "add", "get", "buy", "order", "price", "request", "permissions", "see", "click", "here", "preview", "content", "contents", "table", "original", "short", "communication", "letter", "editorial", "special", "section", "topics",
    "subjects", "subject", "tools", "news", "library", "collection", "artikel", "zeitschrift", "ausgabe", "startseite", "suche", "inhalt", "revue", "accueil", "recherche", "revues", "livres", "zeitschriften", "bücher", "revistas", "libros", "livros",
    "periódicos", "главная", "журналы", "книги", "поиск", "inicio", "início", "buscar", "revista", "advertisement", "sponsored", "follow",
]);
