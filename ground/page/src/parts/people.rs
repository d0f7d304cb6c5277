//! Does this text look like the name of a person?
//!
//! In scripts with capitals: two to seven words that begin with capitals, initials and particles (van, de, bin) among them, no
//! digits, no word that names things on pages or institutions. In Chinese, Japanese and Korean: two to five characters. Elsewhere: two to
//! five words of letters. Cost: linear in the text, of which names have at most [`LONGEST`] bytes.
//!
//! Not guaranteed: "Machine Learning" is as good a name as "Rosa Blum". What stands around it decides.

use super::places;

/// Longest name, in bytes.
const LONGEST: usize = 90;

/// The marks that tie names to footnotes, and what else hangs on names.
const HANGERS: &[char] = &[
    '*', '†', '‡', '§', '¶', '#', '∥', '‖', '∗', '⁎', '✉', '🖂', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁰', '➀',
    '➁', ',', ';', '，', '、', ':', '：', '|', '·', '•',
];

/// A name without footnote marks, digits and titles around it.
pub(crate) fn clean(text: &str) -> String {
    let mut text = text.trim_matches(|c: char| {
        c.is_whitespace() || HANGERS.contains(&c) || c.is_ascii_digit() || matches!(c, '(' | ')' | '[' | ']')
    });
    loop {
        let before = text;
        for title in [
            "by ",
            "By ",
            "BY ",
            "von ",
            "Von ",
            "par ",
            "Par ",
            "por ",
            "Por ",
            "and ",
            "And ",
            "und ",
            "et ",
            "& ",
            "Dr. ",
            "Dr ",
            "Prof. ",
            "Prof ",
            "Professor ",
            "Mr. ",
            "Mrs. ",
            "Ms. ",
        ] {
            text = text.strip_prefix(title).unwrap_or(text).trim_start();
        }
        for end in [
            ", PhD", ", Ph.D.", " PhD", " Ph.D.", ", MD", " MD", ", M.D.", " M.D.", ", MSc", ", MPH", ", Jr.",
            " (ed.)", " (Ed.)", " et al", " et al.", " and", " und", " et", " &", " и", " och", " og", " y",
        ] {
            text = text.strip_suffix(end).unwrap_or(text).trim_end();
        }
        if text == before {
            break;
        }
    }
    // "Smith, John" is John Smith.
    if let Some((last, first)) = text.split_once(", ")
        && !first.contains(',')
        && !first.is_empty()
        && last.split(' ').count() <= 3
    {
        return format!("{} {}", first.trim(), last.trim());
    }
    text.to_owned()
}

/// Looks like a name.
pub(crate) fn is_name(text: &str) -> bool {
    if text.len() > LONGEST
        || text.is_empty()
        || text.chars().any(|c| {
            c.is_ascii_digit()
                || matches!(c, '@' | '/' | ':' | '?' | '!' | '=' | '<' | '>' | '{' | '"' | '“' | '%' | '$')
        })
    {
        return false;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (mut all, mut wide) = (0, 0);
    for c in letters {
        all += 1;
        wide += usize::from(is_wide(c));
    }
    if all == 0 {
        return false;
    }
    if wide * 2 > all {
        let count = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '・' | '·')).count();
        return wide == all
            && (2..=8).contains(&count)
            && text.split_whitespace().count() <= 2
            && !places::is_institution(text)
            && !is_wide_word(text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if !(2..=7).contains(&words.len()) {
        return false;
    }
    let mut full = 0;
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
        let Some(first) = bare.chars().next() else { return false };
        if is_page_word(bare) {
            return false;
        }
        if first.is_lowercase() {
            // d'Alembert is a whole name.
            let whole = bare.chars().nth(2).is_some_and(char::is_uppercase)
                && bare.chars().nth(1).is_some_and(|c| matches!(c, '\'' | '’'));
            if !whole && (!is_particle(bare) || at + 1 == words.len()) {
                return false;
            }
        } else if bare.trim_end_matches('.').chars().count() > 1 {
            full += 1;
        }
        // Initials may be many ("S.Z.H."), abbreviations are no names.
        let initials = bare.split(['.', '-']).all(|part| part.chars().count() <= 2);
        if bare.ends_with('.') && bare.chars().count() > 5 && !initials {
            return false;
        }
    }
    full >= 1 && !places::is_institution(text)
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
    let words = text.split_whitespace().count();
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

/// Words of pages that no person is called.
#[rustfmt::skip]
fn is_page_word(word: &str) -> bool {
    matches!(word.to_lowercase().trim_end_matches('.'),
        "the" | "and" | "of" | "for" | "with" | "from" | "to" | "on" | "at" | "an" | "or" | "is" | "are" | "this" | "our" | "your" | "all" | "new" | "more" | "view" | "read"
        | "open" | "access" | "article" | "articles" | "research" | "review" | "paper" | "papers" | "journal" | "journals" | "volume" | "issue" | "pages" | "page" | "pdf" | "html"
        | "download" | "citation" | "citations" | "cite" | "export" | "share" | "email" | "print" | "abstract" | "keywords" | "keyword" | "authors" | "author" | "references"
        | "introduction" | "supplementary" | "figures" | "tables" | "metrics" | "login" | "sign" | "register" | "search" | "home" | "about" | "contact" | "help" | "menu" | "browse"
        | "subscribe" | "published" | "received" | "accepted" | "available" | "online" | "publication" | "publications" | "publisher" | "press" | "proceedings" | "conference" | "association"
        | "copyright" | "license" | "rights" | "privacy" | "policy" | "terms" | "cookie" | "cookies" | "full" | "text" | "free" | "previous" | "next" | "back" | "top" | "chapter" | "book" | "books"
        | "edition" | "series" | "editor" | "editors" | "edited" | "related" | "similar" | "recommended" | "show" | "hide" | "details" | "information" | "info" | "department" | "number"
        | "january" | "february" | "march" | "april" | "june" | "july" | "august" | "september" | "october" | "november" | "december" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday"
        | "saturday" | "sunday" | "using" | "based" | "via" | "learning" | "analysis" | "systems" | "study" | "theory" | "models" | "model" | "methods" | "language" | "data" | "science" | "sciences"
        | "corresponding" | "affiliations" | "affiliation" | "et" | "al" | "doi" | "isbn" | "issn" | "save" | "add" | "get" | "buy" | "order" | "price" | "request" | "permissions" | "see" | "click" | "here"
        | "preview" | "content" | "contents" | "table" | "original" | "short" | "communication" | "letter" | "editorial" | "special" | "section" | "topics" | "subjects" | "subject" | "tools" | "news" | "library" | "collection"
        | "artikel" | "zeitschrift" | "ausgabe" | "startseite" | "suche" | "inhalt" | "revue" | "accueil" | "recherche" | "revues" | "livres" | "zeitschriften" | "bücher" | "revistas" | "libros" | "livros" | "periódicos" | "главная" | "журналы" | "книги" | "поиск" | "inicio" | "início" | "buscar" | "revista" | "advertisement" | "sponsored" | "follow")
}
