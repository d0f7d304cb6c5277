//! Does a title or a heading say that a page is not there?
//!
//! Rule: the text is divided where site names are set off (`|`, `·`, `•`, `»`, a dash with spaces around it). A part says it if it
//! is, as a whole, one of the phrases below, or a number 404 or 410 by itself, once case, punctuation and words of regret
//! ("oops", "sorry", "error") at either end are taken away. A part that goes on ("Error 404 T-shirt", "How to handle page not
//! found errors") says nothing.
//! An *explicit* phrase is a sentence that hardly any other page has for a title; a *bare* one ("404", "not found") may be a name.
//!
//! Source: the wording of common servers, content systems and frameworks in these languages, collected by hand.
//! Cost: linear in the text; texts beyond [`LONGEST`] bytes are no such phrase.
//! Not guaranteed: other languages, own wordings ("Well, this is awkward"), and "Nothing found", which searches say.

/// What a title or heading says about its page not being there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said {
    /// Nothing of the kind.
    Nothing,
    /// Nothing at all, or regret only.
    Silence,
    /// A short form that could also be a name.
    Bare,
    /// A whole sentence.
    Explicit,
}

/// Longer texts are not looked at.
const LONGEST: usize = 300;

/// What may stand at either end without changing what is said.
const REGRET: [&str; 30] = [
    "oops",
    "ooops",
    "whoops",
    "sorry",
    "uh",
    "oh",
    "error",
    "http",
    "status",
    "code",
    "hoppla",
    "ups",
    "fehler",
    "erreur",
    "desole",
    "désolé",
    "fout",
    "chyba",
    "błąd",
    "errore",
    "erro",
    "fel",
    "fejl",
    "ошибка",
    "错误",
    "錯誤",
    "抱歉",
    "很抱歉",
    "エラー",
    "오류",
];

const BARE: [&str; 26] = [
    "not found",
    "file not found",
    "document not found",
    "article not found",
    "product not found",
    "content not found",
    "nicht gefunden",
    "introuvable",
    "non trouvé",
    "non trouvée",
    "no encontrado",
    "no encontrada",
    "non trovato",
    "non trovata",
    "nenalezeno",
    "nenájdené",
    "nie znaleziono",
    "niet gevonden",
    "não encontrado",
    "não encontrada",
    "не найдено",
    "не найден",
    "未找到",
    "見つかりません",
    "ikke funnet",
    "hittades inte",
];

const EXPLICIT: [&str; 111] = [
    // English
    "page not found",
    "page cannot be found",
    "page can not be found",
    "the page cannot be found",
    "page could not be found",
    "the page could not be found",
    "this page could not be found",
    "the page you requested could not be found",
    "the page you requested cannot be found",
    "the page you requested was not found",
    "the requested page could not be found",
    "the requested page was not found",
    "requested page not found",
    "the page you are looking for could not be found",
    "the page you are looking for cannot be found",
    "the page you are looking for was not found",
    "the page you are looking for does not exist",
    "the page you are looking for doesnt exist",
    "the page youre looking for cant be found",
    "this page does not exist",
    "this page doesnt exist",
    "page does not exist",
    "page doesnt exist",
    "the page does not exist",
    "that page cant be found",
    "this page cant be found",
    "page no longer exists",
    "this page no longer exists",
    "this page isnt available",
    "the requested url was not found on this server",
    "url not found",
    "we cant find that page",
    "we couldnt find that page",
    "we cant find the page youre looking for",
    "we couldnt find the page you were looking for",
    // German
    "seite nicht gefunden",
    "seite wurde nicht gefunden",
    "die seite wurde nicht gefunden",
    "diese seite existiert nicht",
    "die seite existiert nicht",
    "seite existiert nicht",
    "die angeforderte seite wurde nicht gefunden",
    "die gewünschte seite wurde nicht gefunden",
    "die seite konnte nicht gefunden werden",
    // French
    "page introuvable",
    "page non trouvée",
    "cette page nexiste pas",
    "la page nexiste pas",
    "la page demandée est introuvable",
    "la page demandée nexiste pas",
    "la page que vous recherchez nexiste pas",
    "la page que vous cherchez est introuvable",
    // Spanish, Portuguese, Italian
    "página no encontrada",
    "la página no existe",
    "esta página no existe",
    "no se encontró la página",
    "no se ha encontrado la página",
    "la página que buscas no existe",
    "página não encontrada",
    "página não existe",
    "esta página não existe",
    "a página não foi encontrada",
    "a página que procura não existe",
    "pagina non trovata",
    "la pagina non esiste",
    "questa pagina non esiste",
    "la pagina richiesta non è stata trovata",
    "la pagina richiesta non esiste",
    "la pagina che cerchi non esiste",
    // Czech, Slovak, Polish
    "stránka nenalezena",
    "stránka nebyla nalezena",
    "stránka neexistuje",
    "tato stránka neexistuje",
    "požadovaná stránka nebyla nalezena",
    "požadovaná stránka neexistuje",
    "stránka sa nenašla",
    "stránka nebola nájdená",
    "nie znaleziono strony",
    "strona nie została znaleziona",
    "strona nie istnieje",
    "strona nie znaleziona",
    // Dutch, Scandinavian, Finnish
    "pagina niet gevonden",
    "deze pagina bestaat niet",
    "de pagina kon niet worden gevonden",
    "de pagina is niet gevonden",
    "de pagina die u zoekt bestaat niet",
    "sidan kunde inte hittas",
    "sidan hittades inte",
    "sidan finns inte",
    "siden blev ikke fundet",
    "siden findes ikke",
    "siden ble ikke funnet",
    "siden finnes ikke",
    "sivua ei löydy",
    "sivua ei löytynyt",
    // Russian, Ukrainian, Turkish
    "страница не найдена",
    "страница не существует",
    "запрашиваемая страница не найдена",
    "такой страницы не существует",
    "сторінку не знайдено",
    "sayfa bulunamadı",
    // Chinese, Japanese, Korean
    "页面不存在",
    "页面未找到",
    "找不到页面",
    "您访问的页面不存在",
    "頁面不存在",
    "找不到網頁",
    "ページが見つかりません",
    "ページが見つかりませんでした",
    "お探しのページは見つかりませんでした",
    "페이지를 찾을 수 없습니다",
];

/// What a text says, taken as a title or heading.
pub(crate) fn says(text: &str) -> Said {
    if text.len() > LONGEST {
        return Said::Nothing;
    }
    let parts = text.replace(" - ", "|").replace(" – ", "|").replace(" — ", "|").replace("::", "|");
    let parts = parts.split(['|', '·', '•', '»', '«']);
    let heard = parts.map(|part| part_says(&normal(part)));
    // A silent part among others says nothing; a text that is silent as a whole is silence.
    let best = heard.clone().max().unwrap_or(Said::Silence);
    if best == Said::Silence && heard.clone().any(|said| said == Said::Nothing) { Said::Nothing } else { best }
}

fn part_says(words: &str) -> Said {
    let mut words = words;
    let mut number = false;
    loop {
        if phrase(words) > Said::Nothing {
            return phrase(words);
        }
        let first = words.split(' ').next().unwrap_or_default();
        let last = words.rsplit(' ').next().unwrap_or_default();
        let given_up = |word: &str| REGRET.contains(&word) || is_number(word);
        if words.is_empty() {
            return if number { Said::Bare } else { Said::Silence };
        } else if given_up(first) {
            number |= is_number(first);
            words = words[first.len()..].trim_start();
        } else if given_up(last) {
            number |= is_number(last);
            words = words[..words.len() - last.len()].trim_end();
        } else {
            return Said::Nothing;
        }
    }
}

fn phrase(words: &str) -> Said {
    if EXPLICIT.contains(&words) {
        Said::Explicit
    } else if BARE.contains(&words) {
        Said::Bare
    } else {
        Said::Nothing
    }
}

fn is_number(word: &str) -> bool {
    matches!(word, "404" | "410")
}

/// Lower case, apostrophes left out, anything else but letters and digits a space, no two in a row and none at the ends. Digits
/// that stand next to characters written without spaces are words of their own.
fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars().flat_map(char::to_lowercase) {
        if matches!(c, '\'' | '\u{2019}' | '\u{2bc}') {
            continue;
        }
        let c = if c.is_alphanumeric() || is_joining(c) { c } else { ' ' };
        let seam = (before.is_ascii_digit() && c >= '\u{3000}') || (before >= '\u{3000}' && c.is_ascii_digit());
        if (c == ' ' || seam) && before != ' ' {
            out.push(' ');
        }
        if c != ' ' {
            out.push(c);
        }
        before = c;
    }
    out.truncate(out.trim_end().len());
    out
}

/// Marks that belong to the letter before them, once upper case letters have been taken apart.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_phrases_are_understood_in_many_languages_and_dresses() {
        for text in [
            "Page not found",
            "404 - Page Not Found | Example",
            "Error 404: Page not found!",
            "Oops! That page can\u{2019}t be found.",
            "Example \u{2013} Seite nicht gefunden",
            "Erreur 404 : page introuvable",
            "Désolé, cette page n'existe pas",
            "P\u{c1}GINA NO ENCONTRADA",
            "Pagina non trovata · Esempio",
            "Stránka nenalezena",
            "Nie znaleziono strony",
            "Pagina niet gevonden",
            "Página não encontrada",
            "Страница не найдена",
            "抱歉，您访问的页面不存在",
            "404错误 - 页面不存在",
            "ページが見つかりませんでした",
        ] {
            assert_eq!(says(text), Said::Explicit, "{text}");
        }
        for text in ["404", "Error 404", "404 Not Found", "HTTP 410", "Not found | Shop", "404错误", "Fehler 404"] {
            assert_eq!(says(text), Said::Bare, "{text}");
        }
    }

    #[test]
    fn pages_about_it_and_searches_say_nothing_of_the_kind() {
        for text in [
            "How to handle 404 errors",
            "Error 404 T-shirt",
            "What does page not found mean?",
            "Nothing found",
            "No results found for \u{201c}groma\u{201d}",
            "Lost and found",
            "Room 404",
            "404 ways to say sorry",
            "Peugeot 404",
            "Error handling in Rust | Example",
            "Sorry | Example",
        ] {
            assert_eq!(says(text), Said::Nothing, "{text}");
        }
        for text in ["", " ", "Oops!", "Sorry...", "|"] {
            assert_eq!(says(text), Said::Silence, "{text}");
        }
        assert_eq!(says(&"404 ".repeat(30_000)), Said::Nothing);
    }
}
