//! Texts that fit every link, in eleven languages.

/// In lower case, without signs at their ends.
#[rustfmt::skip]
const TEXTS: [&str; 80] = [
    "click", "click here", "click this", "click this link", "details", "download", "here", "learn more", "more",
    "more details", "more info", "more information", "more...", "next page", "read more", "read on", "see here", "see more",
    "show more", "tap here", "this link", "this page", "view", "view more", "website", "hier", "hier klicken", "klick hier",
    "klicken sie hier", "mehr", "mehr dazu", "mehr erfahren", "mehr infos", "mehr lesen", "weiter", "weiterlesen", "zum artikel", "cliquez ici",
    "en savoir plus", "ici", "lire la suite", "lire plus", "plus d'infos", "aqu\u{ed}", "haga clic aqu\u{ed}", "leer m\u{e1}s", "m\u{e1}s",
    "m\u{e1}s informaci\u{f3}n", "ver m\u{e1}s", "clicca qui", "leggi", "leggi di pi\u{f9}", "leggi tutto", "qui", "scopri di pi\u{f9}", "aqui", "clique aqui",
    "leia mais", "mais", "saiba mais", "hier klikken", "klik hier", "lees meer", "lees verder", "meer", "meer info", "zde", "klikn\u{11b}te zde",
    "v\u{ed}ce", "\u{10d}\u{ed}st d\u{e1}l", "tu", "kliknij tutaj", "tutaj", "wi\u{119}cej", "czytaj wi\u{119}cej", "h\u{e4}r", "klicka h\u{e4}r", "l\u{e4}s mer",
    "\u{66f4}\u{591a}", "\u{70b9}\u{51fb}\u{8fd9}\u{91cc}",
];

/// What may stand around them. (Not dashes and brackets: `--details` and `info()` are names.)
const SIGNS: &str = ".:!\u{2026}\u{bb}\u{ab}\u{203a}\u{2039}<>\u{2192}\u{2190}\u{25b8}\u{25ba}";

/// Is this one of them?
pub(crate) fn says_nothing(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || SIGNS.contains(c));
    // The longest is far shorter.
    if text.is_empty() || text.len() > 40 {
        return false;
    }
    let folded: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let folded = folded.join(" ");
    TEXTS.contains(&folded.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_capitals_make_no_difference() {
        for text in ["Click here", "\u{bb} more \u{ab}", "Read  More...", "hier", "V\u{ed}ce", "\u{66f4}\u{591a}\u{bb}"]
        {
            assert!(says_nothing(text), "{text}");
        }
        for text in [
            "",
            ">",
            "info()",
            "--details",
            "+ (plus)",
            "Prices",
            "more prices",
            "Click here for the prices of all rooms in the house",
        ] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}
