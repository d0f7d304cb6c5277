//! Answers, empty answers and pages that answer nothing, in the designs of many kinds of sites.

use super::tests::{here, tree};
use super::*;
use NoAnswerWhy::{Expired, Failure, FormAgain, Maintenance, Refused, RobotCheck, SignIn, Unlike};

/// A site: its page of the form and its answers, with what is said in them.
struct Site {
    before: &'static str,
    form: &'static str,
    after: &'static str,
    rule: &'static str,
}

const SITES: [Site; 6] = [
    // A library catalog with a header, a menu, a footer.
    Site {
        before: "<header><h1>Stadtbibliothek</h1><nav><a href=/>Start</a><a href=/konto>Mein Konto</a></nav></header><main id=main>",
        form: "<form action=/suche><label>Titel <input name=ort></label><button>Suchen</button></form>",
        after: "</main><footer>Impressum</footer>",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
    // A page of the year 2000: tables for everything.
    Site {
        before: "<table width=100%><tr><td bgcolor=blue><font>Hotelführer</font></td></tr><tr><td>",
        form: "<form action=/cgi-bin/q.pl>Ort: <input name=ort><input type=submit value=go></form>",
        after: "</td></tr><tr><td><font size=1>Stand: 1. Mai</font></td></tr></table>",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
    // Divs without end.
    Site {
        before: "<div class=app><div class=top><div class=brand>pkg.example</div><div class=user><a href=/login>Log in</a></div></div><div class=body>",
        form: "<div class=search><form action=/s><input name=ort placeholder=package><button>Search</button></form></div>",
        after: "</div><div class=foot><a href=/terms>Terms</a> <a href=/privacy>Privacy</a></div></div>",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
    // Almost nothing.
    Site {
        before: "",
        form: "<form action=q><input name=ort></form>",
        after: "",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
    // A register in French whose header asks to sign in, on every page.
    Site {
        before: "<div id=bandeau>Registre du commerce</div><p class=aide>Veuillez vous connecter pour exporter.</p><section id=contenu>",
        form: "<form action=/r><p><label for=o>Ville</label><input id=o name=ort></p></form>",
        after: "</section><div id=pied>Mentions légales</div>",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
    // A phone book with a captcha in its contact form at the foot.
    Site {
        before: "<div id=wrap><h2>Teléfonos</h2>",
        form: "<form action=/b><input name=ort><input type=submit value=Buscar></form>",
        after: "<form action=/contacto><div class=g-recaptcha></div><input name=email></form></div>",
        rule: "Result.n: html->ol[0].li[*].txt",
    },
];

impl Site {
    fn page(&self, content: &str) -> String {
        format!("<html><body>{}{content}{}</body></html>", self.before, self.after)
    }

    fn read(&self, html: &str, asked: &str) -> Answer {
        read(&tree(html), &here(), "utf-8", &Description::parse(self.rule), &[("ort", asked)])
    }

    fn known(&self, answers: usize) -> KnownPages {
        let mut known = KnownPages::new(PageShape::from_tree(&tree(&self.page(self.form)), &[]));
        for nth in 0..answers {
            let html = self.list(&["Alpha", "Beta", "Gamma"][..=nth.min(2)]);
            assert_eq!(known.take(&self.read(&html, "Rostock")), AnswerKind::Records);
        }
        known
    }

    fn list(&self, rows: &[&str]) -> String {
        let rows: String = rows.iter().map(|row| format!("<li><a href=/{row}>{row}</a>")).collect();
        self.page(&format!("{}<h3 class=found>Found</h3><ol class=hits>{rows}</ol>", self.form))
    }

    fn kind(&self, known: usize, html: &str) -> AnswerKind {
        self.known(known).judge(&self.read(html, "Wismar"))
    }
}

const NOTHING: [&str; 10] = [
    "No results found.",
    "Keine Treffer",
    "Leider wurden keine Hotels gefunden.",
    "Aucun résultat",
    "No se encontraron resultados",
    "Nessun risultato trovato",
    "Geen resultaten gevonden",
    "Brak wyników",
    "Ничего не найдено",
    "Your search did not match any documents. Please try other words.",
];

#[test]
fn the_first_answer_without_records_is_an_empty_one() {
    for site in &SITES {
        for known in [0, 3] {
            for said in NOTHING {
                for html in [
                    site.page(&format!("{}<p>{said}</p>", site.form)),
                    site.page(&format!("<div class=msg>{said}</div>")),
                ] {
                    assert_eq!(site.kind(known, &html), AnswerKind::Empty, "{known} {html}");
                }
            }
        }
    }
}

#[test]
fn pages_that_answer_nothing_are_none() {
    for site in &SITES {
        for known in [0, 3] {
            for (said, why) in [
                ("Your session has expired.", Expired),
                ("Ihre Sitzung ist abgelaufen. Bitte laden Sie das Formular neu.", Expired),
                ("Votre session a expiré.", Expired),
                ("Su sesión ha caducado.", Expired),
                ("La sessione è scaduta.", Expired),
                ("Uw sessie is verlopen.", Expired),
                ("Sesja wygasła.", Expired),
                ("Сессия истекла", Expired),
                ("Please log in to see this page.", SignIn),
                ("Bitte melden Sie sich an.", SignIn),
                ("Inicie sesión para continuar", SignIn),
                ("Please confirm that you are not a robot.", RobotCheck),
                ("Bitte bestätigen Sie, dass Sie kein Roboter sind", RobotCheck),
                ("The database is temporarily unavailable.", Maintenance),
                ("Wegen Wartungsarbeiten derzeit nicht erreichbar", Maintenance),
                ("An internal error occurred.", Failure),
                ("Es ist ein Fehler aufgetreten.", Failure),
                ("Une erreur est survenue.", Failure),
                ("Please fill in at least one field.", Refused),
                ("Bitte füllen Sie mindestens ein Feld aus.", Refused),
                ("Lorem ipsum dolor sit amet", Unlike),
            ] {
                let html = site.page(&format!("<p class=msg>{said}</p>"));
                assert_eq!(site.kind(known, &html), AnswerKind::NoAnswer(why), "{known} {html}");
            }
        }
    }
}

#[test]
fn pages_of_other_machines_are_none() {
    let robot = "<html><head><title>Just a moment...</title></head><body><div class=main><div id=cf-challenge><noscript>x</noscript></div></div></body></html>";
    let captcha = "<html><body><form action=/check><div class=h-captcha></div><input type=submit></form></body></html>";
    let gate = "<html><body><form method=post><input name=user><input type=password name=p><button>OK</button></form></body></html>";
    for site in SITES.iter().take(5) {
        for known in [0, 3] {
            assert_eq!(site.kind(known, robot), AnswerKind::NoAnswer(RobotCheck));
            assert_eq!(site.kind(known, captcha), AnswerKind::NoAnswer(RobotCheck));
            assert_eq!(site.kind(known, gate), AnswerKind::NoAnswer(SignIn));
            assert_eq!(site.kind(known, ""), AnswerKind::NoAnswer(Unlike));
        }
    }
    // What stands on every page of a site says nothing.
    let empty = SITES[5].page("<p>No hay resultados</p>");
    assert_eq!(SITES[5].kind(3, &empty), AnswerKind::Empty);
}

#[test]
fn the_form_without_an_answer_is_none() {
    for site in &SITES {
        for known in [0, 3] {
            let again = site.page(site.form);
            assert_eq!(site.kind(known, &again), AnswerKind::NoAnswer(FormAgain), "{known} {again}");
        }
    }
}

#[test]
fn answers_that_are_empty_without_a_word_are_known_by_the_others() {
    for site in &SITES {
        // The heading and the container of an answer, and no rows.
        let silent = site.list(&[]);
        assert_eq!(site.kind(3, &silent), AnswerKind::Empty, "{silent}");
        // The form with what was asked in it, where answers stand below the form.
        let echo = site.page(&site.form.replace("name=ort", "name=ort value=Wismar"));
        assert_eq!(site.kind(3, &echo), AnswerKind::Empty, "{echo}");
        // In words nobody knows, once they have been seen with a known one.
        let mut known = site.known(1);
        let said = |more: &str| site.page(&format!("{}<p>Tyhjä lista.</p><p>{more}</p>", site.form));
        assert_eq!(known.take(&site.read(&said("No results"), "x")), AnswerKind::Empty);
        assert_eq!(known.take(&site.read(&said(""), "y")), AnswerKind::Empty);
        let expired = site.page(&format!("{}<p>Istunto on vanhentunut.</p><p></p>", site.form));
        assert_eq!(known.judge(&site.read(&expired, "y")), AnswerKind::NoAnswer(Unlike), "{expired}");
    }
}

#[test]
fn answers_with_records_are_answers() {
    for site in &SITES {
        for known in [0, 3] {
            assert_eq!(site.kind(known, &site.list(&["Delta"])), AnswerKind::Records);
            let helped = site.list(&["Delta"]).replace("<ol", "<p>Please log in to export.</p><ol");
            assert_eq!(site.kind(known, &helped), AnswerKind::Records);
            assert_eq!(site.kind(known, &site.page("<p>12 results</p>")), AnswerKind::Records);
        }
    }
    // A list on a page that says otherwise and is built otherwise.
    let other =
        "<html><body><section><h1>Session expired</h1><ol><li>Go back<li>Load it again</ol></section></body></html>";
    assert_eq!(SITES[0].kind(3, other), AnswerKind::NoAnswer(Expired));
}

#[test]
fn large_pages_end() {
    let deep = "<div class=a>".repeat(100_000);
    let wide: String = (0..100_000).map(|nth| format!("<p id=x{nth}>line {nth} of these")).collect();
    for html in [deep, wide] {
        SITES[0].kind(1, &html);
    }
}
