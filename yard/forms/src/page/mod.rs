//! The pages of a search site: home, form, list, row.

pub(crate) mod controls;
pub(crate) mod form;
pub(crate) mod list;
pub(crate) mod meta;
pub(crate) mod records;

use crate::options::Language;
use crate::wording::words;

/// Where things lie on a search site.
pub(crate) const FORM: &str = "/search";
pub(crate) const RESULTS: &str = "/results";
pub(crate) const ROW: &str = "/row/";
pub(crate) const CONFIG: &str = "/database.cfg";

/// A text between tags or quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A whole HTML page around its main part.
pub(crate) fn framed(language: Language, title: &str, head: &str, main: &str) -> String {
    let words = words(language);
    let code = match language {
        Language::En => "en",
        Language::De => "de",
        Language::Fr => "fr",
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\n<body>\n\
         <nav><ul><li><a href=\"/\">{home}</a></li><li><a href=\"{FORM}\">{search}</a></li></ul></nav>\n\
         <main>\n<h1>{title}</h1>\n{main}</main>\n</body></html>\n",
        title = escaped(title),
        home = words.home,
        search = words.search,
    )
}
