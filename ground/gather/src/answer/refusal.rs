//! Does a page say that it is no answer? Sentences of expired sessions, sign-in pages, robot checks, maintenance and failures.
//!
//! A sentence is a word of one list and a word of the next in one line of at most 40 words, or a phrase. Words alone prove nothing: "please
//! log in" stands in many headers. [`kind`](super::kind) therefore counts only lines that no known page has.

use super::lines::Line;

/// Why a page is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoAnswerWhy {
    /// The session or the form has expired.
    Expired,
    /// One has to sign in.
    SignIn,
    /// A check whether a person asks.
    RobotCheck,
    /// The site is being worked on, or is too busy.
    Maintenance,
    /// Something went wrong on the server.
    Failure,
    /// The question is not accepted as it is: "please fill in at least one field". A fresh form does not help.
    Refused,
    /// The page of the form, as it is before any question.
    FormAgain,
    /// Unlike every answer known, and without a word of finding nothing.
    Unlike,
}

impl std::fmt::Display for NoAnswerWhy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAnswerWhy::Expired => "the session or the form has expired",
            NoAnswerWhy::SignIn => "the site asks to sign in",
            NoAnswerWhy::RobotCheck => "the site checks for robots",
            NoAnswerWhy::Maintenance => "the site is under maintenance",
            NoAnswerWhy::Failure => "the site reports an error",
            NoAnswerWhy::Refused => "the site does not accept the question",
            NoAnswerWhy::FormAgain => "the form came back without an answer",
            NoAnswerWhy::Unlike => "the page is unlike the answers of this form",
        })
    }
}

/// Words of a line that are looked at.
const WORDS: usize = 40;

type Pair = (NoAnswerWhy, &'static [&'static str], &'static [&'static str]);

/// A word of the first list and a word of the second; those that end in `-` are beginnings.
const PAIRS: &[Pair] = &[
    (
        NoAnswerWhy::Expired,
        &[
            "session-",
            "sitzung-",
            "sesión",
            "sesion",
            "sessão",
            "sessione",
            "sessie",
            "sesj-",
            "relace",
            "сесси-",
            "сеанс-",
            "form",
            "formular",
            "formulaire",
            "formulario",
            "token",
            "csrf",
            "anfrage",
            "会话",
        ],
        &[
            "expired",
            "abgelaufen",
            "expiré-",
            "expirad-",
            "expirou",
            "caducad-",
            "scadut-",
            "verlopen",
            "wygas-",
            "vyprše-",
            "истек-",
            "timeout",
            "timed",
            "ungültig",
            "stale",
        ],
    ),
    (
        NoAnswerWhy::SignIn,
        &[
            "please",
            "must",
            "need",
            "bitte",
            "müssen",
            "veuillez",
            "debe",
            "favor",
            "devi",
            "prego",
            "moet",
            "proszę",
            "prosím",
            "пожалуйста",
        ],
        &[
            "login",
            "einloggen",
            "anmelden",
            "connecter",
            "iniciar",
            "accedere",
            "inloggen",
            "zalogować",
            "zaloguj-",
            "přihla-",
            "войдите",
            "авториз-",
            "authenticate",
            "identifier",
            "logged",
            "angemeldet",
            "connecté-",
        ],
    ),
    (
        NoAnswerWhy::Maintenance,
        &[
            "maintenance",
            "wartung-",
            "wartungsarbeiten",
            "mantenimiento",
            "manutenzione",
            "manutenção",
            "onderhoud",
            "konserwacj-",
            "przerwa",
            "údržb-",
            "технические",
            "обслуживан-",
        ],
        &[
            "temporarily",
            "currently",
            "under",
            "down",
            "unavailable",
            "scheduled",
            "derzeit",
            "momentan",
            "vorübergehend",
            "verfügbar",
            "zurzeit",
            "wegen",
            "cours",
            "raison",
            "actuellement",
            "indisponible",
            "está",
            "estamos",
            "disponible",
            "corso",
            "disponibile",
            "momenteel",
            "wegens",
            "trwa",
            "niedostępn-",
            "техническ-",
            "работы",
            "проводятся",
            "недоступ-",
            "probíhá",
        ],
    ),
    (
        NoAnswerWhy::Maintenance,
        &[
            "service",
            "server",
            "site",
            "seite",
            "dienst",
            "website",
            "database",
            "datenbank",
            "servicio",
            "servizio",
            "serwis",
            "сайт",
            "сервис",
            "base",
        ],
        &[
            "unavailable",
            "overloaded",
            "überlastet",
            "indisponible",
            "niedostępn-",
            "недоступ-",
            "nedostupn-",
            "onbereikbaar",
            "surchargé-",
        ],
    ),
    (
        NoAnswerWhy::Failure,
        &["error", "fehler", "erreur", "errore", "erro", "fout", "błąd", "chyba", "ошибка", "exception"],
        &[
            "occurred",
            "internal",
            "unexpected",
            "aufgetreten",
            "interner",
            "unerwarteter",
            "survenue",
            "interne",
            "produite",
            "ocurrido",
            "producido",
            "interno",
            "verificato",
            "ocorreu",
            "opgetreden",
            "wystąpił",
            "wewnętrzny",
            "nastala",
            "произошла",
            "внутренняя",
            "fatal",
            "database",
            "datenbank",
            "sql",
            "syntax",
            "server",
            "connection",
            "500",
            "503",
        ],
    ),
    (
        NoAnswerWhy::Refused,
        &[
            "please",
            "bitte",
            "veuillez",
            "favor",
            "introduzca",
            "inserire",
            "inserisci",
            "vul",
            "wpisz",
            "podaj",
            "zadejte",
            "введите",
            "must",
        ],
        &[
            "enter",
            "fill",
            "eingeben",
            "füllen",
            "geben",
            "ausfüllen",
            "saisir",
            "remplir",
            "introduzca",
            "introducir",
            "rellene",
            "inserire",
            "almeno",
            "minstens",
            "minimaal",
            "przynajmniej",
            "alespoň",
            "запрос",
            "specify",
            "choose",
            "wählen",
            "choisir",
        ],
    ),
];

/// Phrases, word by word.
const PHRASES: &[(NoAnswerWhy, &[&str])] = &[
    (NoAnswerWhy::Expired, &["page", "has", "expired"]),
    (NoAnswerWhy::Expired, &["no", "longer", "valid"]),
    (NoAnswerWhy::SignIn, &["please", "log", "in"]),
    (NoAnswerWhy::SignIn, &["please", "sign", "in"]),
    (NoAnswerWhy::SignIn, &["sign", "in", "to", "continue"]),
    (NoAnswerWhy::SignIn, &["log", "in", "to", "continue"]),
    (NoAnswerWhy::SignIn, &["melden", "sie", "sich"]),
    (NoAnswerWhy::SignIn, &["meld", "u", "aan"]),
    (NoAnswerWhy::SignIn, &["connectez", "vous"]),
    (NoAnswerWhy::SignIn, &["inicie", "sesión"]),
    (NoAnswerWhy::SignIn, &["effettua", "il", "login"]),
    (NoAnswerWhy::SignIn, &["zaloguj", "się"]),
    (NoAnswerWhy::RobotCheck, &["not", "a", "robot"]),
    (NoAnswerWhy::RobotCheck, &["kein", "roboter"]),
    (NoAnswerWhy::RobotCheck, &["pas", "un", "robot"]),
    (NoAnswerWhy::RobotCheck, &["no", "eres", "un", "robot"]),
    (NoAnswerWhy::RobotCheck, &["no", "soy", "un", "robot"]),
    (NoAnswerWhy::RobotCheck, &["non", "sono", "un", "robot"]),
    (NoAnswerWhy::RobotCheck, &["geen", "robot"]),
    (NoAnswerWhy::RobotCheck, &["nie", "jestem", "robotem"]),
    (NoAnswerWhy::RobotCheck, &["не", "робот"]),
    (NoAnswerWhy::RobotCheck, &["you", "are", "human"]),
    (NoAnswerWhy::RobotCheck, &["ein", "mensch", "sind"]),
    (NoAnswerWhy::RobotCheck, &["unusual", "traffic"]),
    (NoAnswerWhy::RobotCheck, &["checking", "your", "browser"]),
    (NoAnswerWhy::RobotCheck, &["just", "a", "moment"]),
    (NoAnswerWhy::Maintenance, &["too", "many", "requests"]),
    (NoAnswerWhy::Maintenance, &["zu", "viele", "anfragen"]),
    (NoAnswerWhy::Maintenance, &["try", "again", "later"]),
    (NoAnswerWhy::Maintenance, &["versuchen", "sie", "es", "später"]),
    (NoAnswerWhy::Maintenance, &["réessayer", "plus", "tard"]),
    (NoAnswerWhy::Failure, &["something", "went", "wrong"]),
    (NoAnswerWhy::Failure, &["access", "denied"]),
    (NoAnswerWhy::Failure, &["zugriff", "verweigert"]),
    (NoAnswerWhy::Failure, &["accès", "refusé"]),
    (NoAnswerWhy::Failure, &["page", "not", "found"]),
    (NoAnswerWhy::Failure, &["seite", "nicht", "gefunden"]),
    (NoAnswerWhy::Failure, &["page", "introuvable"]),
    (NoAnswerWhy::Failure, &["página", "no", "encontrada"]),
    (NoAnswerWhy::Failure, &["pagina", "non", "trovata"]),
    (NoAnswerWhy::Failure, &["pagina", "niet", "gevonden"]),
    (NoAnswerWhy::Failure, &["stack", "trace"]),
];

fn is(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| known.strip_suffix('-').map_or(word == *known, |start| word.starts_with(start)))
}

/// What a line says of why this is no answer.
pub(super) fn says(line: &Line) -> Option<NoAnswerWhy> {
    let mut all = line.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = all.by_ref().take(WORDS).map(str::to_lowercase).collect();
    if line.is_record || all.next().is_some() {
        return None;
    }
    let phrase = |phrase: &[&str]| words.windows(phrase.len()).any(|window| window.iter().eq(phrase.iter()));
    let said = PHRASES.iter().find(|(_, words)| phrase(words)).map(|(why, _)| *why);
    let pair = |(_, first, second): &&Pair| {
        let place = words.iter().position(|word| is(word, first));
        place.is_some_and(|place| words.iter().enumerate().any(|(other, word)| other != place && is(word, second)))
    };
    said.or_else(|| words.iter().any(|word| word.contains("captcha")).then_some(NoAnswerWhy::RobotCheck))
        .or_else(|| PAIRS.iter().find(pair).map(|(why, ..)| *why))
}
