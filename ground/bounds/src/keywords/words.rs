//! The words of a link's text.
//!
//! A word is a run of letters and digits, and of marks that belong to a letter; in lower case. Left out are words of one letter or
//! of digits alone, words of the web itself, and words so long that a machine made them. Cost: linear in the text, of which only the
//! beginning counts: [`LONGEST_TEXT`] letters.

/// Letters of a text that count.
const LONGEST_TEXT: usize = 400;

/// Letters of a word.
const LONGEST_WORD: usize = 40;

/// What links say about links, in the languages that most pages are in, and what URLs are made of.
#[rustfmt::skip]
const OF_THE_WEB: &[&str] = &[
    "about", "back", "click", "com", "contact", "contents", "continue", "download", "en", "faq", "ftp", "go", "here", "home", "homepage",
    "htm", "html", "http", "https", "index", "info", "jpg", "link", "links", "login", "menu", "more", "net", "next", "online", "org", "page",
    "pages", "pdf", "php", "png", "prev", "previous", "read", "search", "see", "site", "sitemap", "sites", "source", "this", "top", "up",
    "url", "view", "visit", "web", "webpage", "website", "websites", "www",
    "aqui", "aqu\u{ed}", "hier", "ici", "klik", "klick", "klicken", "mehr", "qui", "seite", "startseite", "tady", "tutaj", "vers", "voir",
    "weiter", "zde", "\u{437}\u{434}\u{435}\u{441}\u{44c}", "\u{3053}\u{3061}\u{3089}",
];

/// The words of a text, one after the other; nothing where one is left out, so that its neighbors are no phrase.
pub(super) fn words(text: &str) -> impl Iterator<Item = Option<String>> {
    let end = text.char_indices().nth(LONGEST_TEXT).map_or(text.len(), |(at, _)| at);
    let runs = text[..end].split(|c| !is_of_a_word(c)).filter(|run| !run.is_empty());
    runs.map(|run| {
        let word = run.trim_matches(is_mark).to_lowercase();
        let letters = word.chars().filter(|&c| !is_mark(c)).count();
        let tells = letters > 1 && letters <= LONGEST_WORD && word.chars().any(char::is_alphabetic);
        (tells && !OF_THE_WEB.contains(&word.as_str())).then_some(word)
    })
}

fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// Accents that stand alone, signs within words of Indic and Thai scripts, and joiners, none of which are letters.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{652}' | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}' | '\u{a3c}'
        | '\u{a4d}' | '\u{abc}' | '\u{acd}' | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}' | '\u{cbc}' | '\u{ccd}' | '\u{d4d}' | '\u{dca}'
        | '\u{e38}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb9}'..='\u{eba}' | '\u{ec8}'..='\u{ecd}' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        words(text).map(|word| word.unwrap_or_else(|| "-".to_owned())).collect()
    }

    #[test]
    fn numbers_letters_and_words_of_the_web_are_left_out() {
        assert_eq!(
            told("Click HERE: The Debian-Policy 4.6, x (v2)"),
            ["-", "-", "the", "debian", "policy", "-", "-", "-", "v2"]
        );
        assert_eq!(told("https://www.Example.org/a_b"), ["-", "-", "example", "-", "-", "-"]);
        assert_eq!(told(" \n-- "), [""; 0]);
    }

    #[test]
    fn words_of_all_scripts_hold_together() {
        assert_eq!(
            told("P\u{159}\u{ed}ru\u{10d}ka \u{416}\u{443}\u{440}\u{43d}\u{430}\u{43b}"),
            ["p\u{159}\u{ed}ru\u{10d}ka", "\u{436}\u{443}\u{440}\u{43d}\u{430}\u{43b}"]
        );
        // A sign that silences a vowel, and an accent of its own.
        assert_eq!(told("\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940} Caf\u{65}\u{301}").len(), 2);
        assert_eq!(told("\u{301}\u{301}"), ["-"]);
    }

    #[test]
    fn what_no_person_wrote_is_cut() {
        assert_eq!(told(&"a".repeat(41)), ["-"]);
        assert_eq!(told(&"\u{e4}b ".repeat(1000)).len(), LONGEST_TEXT.div_ceil(3));
    }
}
