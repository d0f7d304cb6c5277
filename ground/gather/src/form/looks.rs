//! Is it a search form? Points for and against, each with its reason.
//!
//! ```text
//! score = sum of points;   search form  <=>  score >= 3 and nothing forbids it
//! ```
//!
//! Forbidden: a secret or a file to send, nothing to vary, nowhere to go, words of a login, a newsletter, a comment, a cart.
//! For it: GET, words of searching in names, buttons and the URL, lists to choose from, ranges. A POST speaks against it, unless its button
//! says that it searches. The points are [ours], chosen by hand; words are those of several languages. Not guaranteed: it is an opinion, which is why it has reasons.

use serde::Serialize;

use super::range::words;
use super::{Field, Form, Kind};
use crate::meta::Method;

/// What is thought of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Looks {
    /// Is it a search form?
    pub search: bool,
    /// Sum of the points.
    pub score: i32,
    pub reasons: Vec<Reason>,
}

/// A reason for or against taking it for a search form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Its points; nothing if it forbids.
    pub points: Option<i32>,
    /// The reason, for people.
    pub text: String,
}

/// Words that speak of searching; as whole words, or as beginnings if long.
const SEARCH: [&str; 46] = [
    "search",
    "suche",
    "suchen",
    "such",
    "suchbegriff",
    "suchwort",
    "find",
    "finden",
    "finder",
    "query",
    "q",
    "keyword",
    "keywords",
    "stichwort",
    "filter",
    "browse",
    "lookup",
    "recherche",
    "rechercher",
    "chercher",
    "trouver",
    "buscar",
    "busqueda",
    "búsqueda",
    "cerca",
    "ricerca",
    "zoek",
    "zoeken",
    "hledat",
    "hledej",
    "szukaj",
    "sök",
    "søg",
    "поиск",
    "найти",
    "искать",
    "vyhledat",
    "wyszukaj",
    "pesquisar",
    "procurar",
    "検索",
    "絞り込",
    "探す",
    "搜索",
    "查询",
    "검색",
];

/// What other forms are for: what it is, words in names, buttons and URLs.
const OTHERS: [(&str, &[&str]); 6] = [
    (
        "a login",
        &["login", "signin", "anmelden", "einloggen", "logon", "connexion", "inloggen", "přihlásit", "username"],
    ),
    ("a newsletter", &["newsletter", "subscribe", "abonnieren", "abonner", "suscribir", "iscriviti", "unsubscribe"]),
    (
        "a comment or message",
        &["comment", "kommentar", "commentaire", "comentario", "contact", "kontakt", "feedback", "guestbook"],
    ),
    (
        "a cart",
        &["cart", "basket", "warenkorb", "checkout", "panier", "carrito", "winkelwagen", "koszyk", "addtocart", "buy"],
    ),
    ("a registration", &["register", "registrieren", "signup", "registration", "inscription", "registrarse"]),
    ("an account", &["logout", "abmelden", "delete", "löschen", "passwort", "vote", "abstimmen"]),
];

/// Names of lists that change how a page is shown, not what.
const SETTINGS: [&str; 10] =
    ["lang", "language", "sprache", "locale", "currency", "sort", "order", "theme", "country", "perpage"];

impl Form {
    /// Is it a search form?
    pub fn looks(&self) -> Looks {
        let mut looks = Looks { search: false, score: 0, reasons: Vec::new() };
        let fields = || self.fields.iter().take(1000);
        let variable: Vec<&Field> = fields().filter(|field| field.is_variable()).collect();
        for (is_so, text) in [
            (fields().any(|field| field.kind == Kind::Password), "it asks for a secret"),
            (fields().any(|field| field.kind == Kind::File), "it sends a file"),
            (variable.is_empty(), "there is nothing to vary"),
            (self.action.is_none(), "it leads to no page"),
            (self.dialog, "it closes a dialog"),
        ] {
            if is_so {
                looks.forbid(text);
            }
        }
        let searches = self.address_and_words(&mut looks);
        match self.method {
            Method::Get => looks.add(2, "it is sent by GET"),
            Method::Post if searches => {}
            Method::Post => looks.add(-2, "it is sent by POST"),
        }
        if variable.iter().any(|field| field.kind == Kind::Search) {
            looks.add(3, "a field is made for searching");
        }
        if variable.iter().any(|field| is_any(&field.name, &SEARCH) || is_any(&field.label, &SEARCH)) {
            looks.add(2, "a field is called like one to search with");
        }
        let lists = variable.iter().filter(|field| field.kind.is_chosen() && field.domain().nth(1).is_some()).count();
        let settings = variable.iter().all(|field| is_any(&field.name, &SETTINGS));
        if lists > 0 && !settings {
            looks.add(2, "there are values to choose from");
        }
        if settings && !variable.is_empty() && !searches {
            looks.add(-4, "it only changes how pages are shown");
        }
        if !self.ranges().is_empty() {
            looks.add(2, "there is a range");
        }
        if variable.iter().any(|field| field.kind == Kind::Email) {
            looks.add(-4, "it asks for a mail address");
        }
        if variable.iter().any(|field| field.kind == Kind::TextArea) {
            looks.add(-3, "it asks for a longer text");
        }
        looks.search = looks.score >= 3 && looks.reasons.iter().all(|reason| reason.points.is_some());
        looks
    }

    /// True if its button speaks of searching.
    fn address_and_words(&self, looks: &mut Looks) -> bool {
        let path = self.action.as_ref().map_or("", |url| url.path());
        let buttons = self.fields.iter().take(1000).filter(|field| field.kind.is_submit());
        let buttons: Vec<&str> = buttons.flat_map(|field| [field.label.as_str(), field.default.as_str()]).collect();
        let searches = buttons.iter().any(|label| is_any(label, &SEARCH));
        if searches {
            looks.add(3, "the button speaks of searching");
        }
        if is_any(path, &SEARCH) {
            looks.add(2, "the URL speaks of searching");
        }
        let own = [self.id.as_deref(), self.name.as_deref(), Some(&self.title)];
        if own.iter().flatten().any(|text| is_any(text, &SEARCH)) {
            looks.add(2, "the form is called a search");
        }
        // What a field is called weighs only where the form is not about searching: hotels are contacts, too.
        let names = self.fields.iter().take(1000).filter(|field| field.kind == Kind::Hidden || field.kind.is_submit());
        let names: Vec<&str> = names.map(|field| field.name.as_str()).collect();
        for (what, known) in OTHERS {
            let said = |texts: &[&str]| texts.iter().any(|text| is_any(text, known));
            if said(&buttons) || said(&names) || said(&[path]) || own.iter().flatten().any(|text| is_any(text, known)) {
                if looks.score >= 3 {
                    looks.add(-2, &format!("it has words of {what}"));
                } else {
                    looks.forbid(&format!("it looks like {what}"));
                }
            }
        }
        searches
    }
}

impl Looks {
    fn add(&mut self, points: i32, text: &str) {
        self.score += points;
        self.reasons.push(Reason { points: Some(points), text: text.to_owned() });
    }

    fn forbid(&mut self, text: &str) {
        self.reasons.push(Reason { points: None, text: text.to_owned() });
    }
}

/// Is a word of the text one of these, or does it begin with one that has five letters or more? Where nothing stands between words, one
/// that is written with other letters than an alphabet's may stand anywhere.
fn is_any(text: &str, known: &[&str]) -> bool {
    let words = words(text);
    let joined = words.concat();
    let is_sign = |one: &&&str| one.chars().all(|c| c >= '\u{2e80}');
    let is = |word: &String| {
        let begins = known.iter().any(|one| word == one || (one.chars().count() >= 5 && word.starts_with(one)));
        begins || known.iter().filter(is_sign).any(|one| word.contains(*one))
    };
    words.iter().any(is) || known.contains(&joined.as_str())
}
