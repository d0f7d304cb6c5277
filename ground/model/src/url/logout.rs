//! Would following this link end the login?
//!
//! ```text
//! URL   some piece of it (a folder, a file without its ending, a name or value of the query), cut into words, is a phrase
//!           of logging out and nothing else but words that add nothing:   /user/log-out.php   ?do=Logout   /LogoutServlet
//! link      its text has at most FOUR words and begins or ends with such a phrase:   Log out   Odhlásit se   Abmelden (jan)
//! patterns  whatever else the user wrote
//! ```
//!
//! Words are cut at everything that is no letter and no digit, and where a capital follows a small letter; case and the usual
//! accents do not count. Cost: linear in the URL and the text. Not guaranteed: that a site has no other way to say it (that is
//! what the patterns are for), nor that every page called so ends a login (`/help/logout` is taken for one that does).

use groma_url::Url;

use super::Pattern;

/// Longer texts of links are about something.
const FOUR: usize = 4;

/// Phrases, their words joined, in small letters without accents.
#[rustfmt::skip]
const PHRASES: [&str; 69] = [
    // English
    "logout", "logoff", "signout", "signoff", "loggedout", "endsession", "sessionend", "destroysession", "sessiondestroy", "closesession",
    // German, Dutch
    "abmelden", "abmeldung", "ausloggen", "uitloggen", "afmelden",
    // Czech, Slovak, Polish, Slovenian, Croatian
    "odhlasit", "odhlasitse", "odhlaseni", "odhlasenie", "odhlassa", "wyloguj", "wylogujsie", "wylogowanie", "odjava", "odjavi", "odjavise",
    // French, Romanian
    "deconnexion", "deconnecter", "sedeconnecter", "deconnectez", "mededeconnecter", "deconectare", "deconectaretise",
    // Spanish, Portuguese, Catalan, Italian
    "cerrarsesion", "cierredesesion", "desconectar", "desconectarse", "terminarsessao", "encerrarsessao", "tancarsessio", "tancalasessio",
    "disconnetti", "disconnettiti", "scollegati", "logoutesci",
    // Swedish, Danish, Norwegian, Finnish, Estonian
    "loggaut", "logud", "loggut", "kirjauduulos", "logivalja",
    // Hungarian, Turkish, Greek
    "kijelentkezes", "kilepes", "oturumukapat", "cikisyap", "guvenlicikis", "αποσυνδεση", "εξοδοσ",
    // Russian, Ukrainian, Bulgarian
    "выход", "выйти", "вийти", "вихід", "изход",
    // Chinese, Japanese, Korean
    "登出", "退出登录", "退出登錄", "注销", "ログアウト", "サインアウト", "로그아웃",
];

/// Words that stand beside such a phrase in URLs and say nothing of their own.
#[rustfmt::skip]
const FILLERS: [&str; 24] = [
    "do", "action", "servlet", "user", "users", "account", "auth", "member", "members", "session", "sessions", "my", "customer",
    "admin", "site", "index", "page", "perform", "process", "now", "confirm", "handler", "controller", "sso",
];

/// Knows links that end a login.
#[derive(Clone, Debug, Default)]
pub struct Logout {
    more: Vec<Pattern>,
}

impl Logout {
    /// With these patterns besides what is known anyway.
    pub fn new(more: Vec<Pattern>) -> Logout {
        Logout { more }
    }

    /// Does a URL look like the end of a login?
    pub fn is_address(&self, url: &Url) -> bool {
        let pieces = url.path().split('/').chain(url.query().unwrap_or_default().split(['&', ';', '=']));
        pieces.into_iter().any(says_so) || self.more.iter().any(|pattern| pattern.matches(url))
    }

    /// Does the text of a link?
    pub fn is_text(text: &str) -> bool {
        // Most texts are longer than any that could be one.
        if text.len() > 120 {
            return false;
        }
        let words = words(text);
        if words.is_empty() || words.len() > FOUR {
            return false;
        }
        let is_phrase = |part: &[String]| PHRASES.contains(&part.concat().as_str());
        (1..=words.len()).any(|n| is_phrase(&words[..n]) || is_phrase(&words[words.len() - n..]))
    }
}

/// Is a piece of a URL a phrase of logging out, and nothing else?
fn says_so(piece: &str) -> bool {
    if piece.is_empty() || piece.len() > 200 {
        return false;
    }
    let piece = decoded(piece);
    // The ending of a file says nothing, but a phrase may stand behind a point too: `user.logout`.
    let bare = match piece.rsplit_once('.') {
        Some((bare, ending)) if ending.len() <= 5 && !PHRASES.contains(&ending.to_lowercase().as_str()) => bare,
        _ => &piece,
    };
    let all = words(bare);
    let telling: Vec<&str> = all.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
    // The fillers may be part of the phrase: `end-session`.
    PHRASES.contains(&telling.concat().as_str()) || PHRASES.contains(&all.concat().as_str())
}

/// Percent-encoded bytes as letters; a plus is a space.
fn decoded(piece: &str) -> String {
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.as_bytes();
    while let [byte, ahead @ ..] = rest {
        let digit = |at: usize| ahead.get(at).and_then(|b| char::from(*b).to_digit(16));
        let (letter, after) = match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, &ahead[2..]),
            (b'+', ..) => (b' ', ahead),
            _ => (*byte, ahead),
        };
        bytes.push(letter);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The words of a text, small and plain.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for letter in text.chars() {
        let ends = !letter.is_alphanumeric() || (letter.is_uppercase() && before_small);
        before_small = letter.is_lowercase();
        if ends {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase().filter(|c| c.is_alphanumeric()).map(plain));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A letter without the accents of the languages above.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ă' | 'ą' => 'a',
        'č' | 'ç' | 'ć' => 'c',
        'ď' => 'd',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'ı' => 'i',
        'ň' | 'ñ' | 'ń' => 'n',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ő' => 'o',
        'ř' => 'r',
        'š' | 'ş' | 'ș' | 'ś' => 's',
        'ť' | 'ț' | 'ţ' => 't',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' | 'ű' => 'u',
        'ý' => 'y',
        'ž' | 'ź' | 'ż' => 'z',
        'ύ' => 'υ',
        'έ' => 'ε',
        'ς' => 'σ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(path: &str) -> bool {
        Logout::default().is_address(&Url::parse(&format!("https://a.example{path}")).unwrap())
    }

    #[test]
    fn addresses_that_end_a_login_are_known() {
        for path in [
            "/logout",
            "/Logout.php",
            "/user/log-out",
            "/log_off.aspx?x=1",
            "/auth/sign-out/",
            "/signOut.do",
            "/index.php?action=logout&sid=1",
            "/?logout",
            "/wp-login.php?a=b;do=LogOut",
            "/LogoutServlet",
            "/users/logout/now",
            "/odhl%C3%A1sit",
            "/odhlasit-se",
            "/fr/se-d%C3%A9connecter",
            "/abmelden.html",
            "/cerrar+sesion",
            "/account.logout",
            "/end-session",
            "/%E7%99%BB%E5%87%BA",
        ] {
            assert!(address(path), "{path}");
        }
    }

    #[test]
    fn pages_about_something_else_are_left_alone() {
        for path in [
            "/",
            "/login",
            "/docs/logout-handling.html",
            "/catalog/out",
            "/blog/sign-out-sheet",
            "/session/12",
            "/action.do?user=7",
            "/dialogout2",
            "/?q=how+to+log+out+of+it",
            "/outlog",
        ] {
            assert!(!address(path), "{path}");
        }
    }

    #[test]
    fn links_say_it_in_many_languages() {
        for text in [
            "Log out",
            "LOGOUT",
            "Sign out (jan)",
            "Jan Novák: odhlásit",
            "Odhlásit se",
            "Abmelden",
            "Déconnexion",
            "Se déconnecter",
            "Cerrar sesión",
            "Logga ut",
            "Kijelentkezés",
            "Выйти",
            "ログアウト",
            "로그아웃",
            "登出",
            "Αποσύνδεση",
        ] {
            assert!(Logout::is_text(text), "{text}");
        }
        for text in ["", "Log in", "How people forget to log out of it", "Outlook", "Catalog", "News", "—"] {
            assert!(!Logout::is_text(text), "{text}");
        }
    }

    #[test]
    fn patterns_add_to_it_and_any_text_is_survived() {
        let own = Logout::new(vec![Pattern::parse("*/bye*").unwrap()]);
        assert!(own.is_address(&Url::parse("https://a.example/x/bye").unwrap()));
        for odd in ["%", "%4", "%zz", "%ff%fe", "...", "a.b.c.", "%C3"] {
            address(&format!("/{odd}"));
        }
    }

    #[test]
    fn phrases_are_written_as_words_are_read() {
        for phrase in PHRASES {
            assert_eq!(words(phrase).concat(), phrase, "{phrase}");
        }
    }
}
