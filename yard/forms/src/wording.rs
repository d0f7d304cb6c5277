//! What pages say, in three languages and two manners of speaking.

use crate::options::Language;

/// Words that stand alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) home: &'static str,
    pub(crate) search: &'static str,
    pub(crate) results: &'static str,
    pub(crate) next: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) any: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) none: &'static str,
    pub(crate) stale: &'static str,
    pub(crate) unclear: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) sort: &'static str,
}

/// The words of a language.
pub(crate) fn words(language: Language) -> Words {
    match language {
        Language::En => Words {
            home: "Home",
            search: "Search",
            results: "Results",
            next: "Next",
            pages: "Pages",
            any: "any",
            from: "from",
            to: "to",
            none: "No matches were found.",
            stale: "This form has expired. Please go back and load it again.",
            unclear: "This field was not understood:",
            empty: "Please fill in at least one field.",
            sort: "The order of the list is our own.",
        },
        Language::De => Words {
            home: "Startseite",
            search: "Suchen",
            results: "Ergebnisse",
            next: "weiter",
            pages: "Seiten",
            any: "beliebig",
            from: "von",
            to: "bis",
            none: "Keine Treffer gefunden.",
            stale: "Dieses Formular ist abgelaufen. Bitte gehen Sie zurück und laden Sie es neu.",
            unclear: "Dieses Feld wurde nicht verstanden:",
            empty: "Bitte füllen Sie mindestens ein Feld aus.",
            sort: "Die Reihenfolge der Liste ist unsere eigene.",
        },
        Language::Fr => Words {
            home: "Accueil",
            search: "Rechercher",
            results: "Résultats",
            next: "Suivant",
            pages: "Pages",
            any: "indifférent",
            from: "de",
            to: "à",
            none: "Aucun résultat.",
            stale: "Ce formulaire a expiré. Veuillez revenir en arrière et le recharger.",
            unclear: "Ce champ n'a pas été compris :",
            empty: "Veuillez remplir au moins un champ.",
            sort: "L'ordre de la liste est le nôtre.",
        },
    }
}

/// How many there are. `span` is which of them this page shows, if that is said.
pub(crate) fn matches(language: Language, total: usize, span: Option<(usize, usize)>) -> String {
    let n = grouped(language, total);
    match (language, span) {
        (Language::En, None) if total == 1 => "1 match".to_owned(),
        (Language::En, None) => format!("{n} matches"),
        (Language::En, Some((from, to))) => format!("Matches {from} to {to} of {n}"),
        (Language::De, None) => format!("{n} Treffer"),
        (Language::De, Some((from, to))) => format!("Treffer {from} bis {to} von {n}"),
        (Language::Fr, None) if total == 1 => "1 résultat".to_owned(),
        (Language::Fr, None) => format!("{n} résultats"),
        (Language::Fr, Some((from, to))) => format!("Résultats {from} à {to} sur {n}"),
    }
}

/// That a list is cut, and how many there would be if that is said.
pub(crate) fn cut(language: Language, k: usize, total: Option<usize>) -> String {
    let k = grouped(language, k);
    let total = total.map(|total| grouped(language, total));
    match (language, total) {
        (Language::En, Some(n)) => format!("Only the first {k} of {n} matches are shown."),
        (Language::En, None) => format!("Only the first {k} matches are shown."),
        (Language::De, Some(n)) => format!("Es werden nur die ersten {k} von {n} Treffern angezeigt."),
        (Language::De, None) => format!("Es werden nur die ersten {k} Treffer angezeigt."),
        (Language::Fr, Some(n)) => format!("Seuls les {k} premiers résultats sur {n} sont affichés."),
        (Language::Fr, None) => format!("Seuls les {k} premiers résultats sont affichés."),
    }
}

/// That there are more than so many.
pub(crate) fn more_than(language: Language, k: usize) -> String {
    let k = grouped(language, k);
    match language {
        Language::En => format!("More than {k} matches"),
        Language::De => format!("Mehr als {k} Treffer"),
        Language::Fr => format!("Plus de {k} résultats"),
    }
}

/// That there are too many to show any.
pub(crate) fn too_many(language: Language, k: usize) -> String {
    let k = grouped(language, k);
    match language {
        Language::En => format!("Too many matches (more than {k}). Please refine your search."),
        Language::De => format!("Zu viele Treffer (mehr als {k}). Bitte schränken Sie Ihre Suche ein."),
        Language::Fr => format!("Trop de résultats (plus de {k}). Veuillez affiner votre recherche."),
    }
}

/// A number as people of a language write it.
pub(crate) fn grouped(language: Language, number: usize) -> String {
    let sign = match language {
        Language::En => ",",
        Language::De => ".",
        Language::Fr => "\u{202f}",
    };
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push_str(sign);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_as_people_do() {
        assert_eq!(grouped(Language::En, 1_234_567), "1,234,567");
        assert_eq!(grouped(Language::De, 4101), "4.101");
        assert_eq!(grouped(Language::Fr, 999), "999");
        assert_eq!(cut(Language::En, 50, Some(312)), "Only the first 50 of 312 matches are shown.");
    }
}
