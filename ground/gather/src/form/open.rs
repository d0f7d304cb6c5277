//! Which choice is no condition at all? "Any region", "alle", "--": the open value of a list.
//!
//! Language-neutral first: an empty value, or a label of nothing but marks. Then words for "all", "any", "choose" in
//! several languages, as the first word of a label; a value like `all` or `*` counts, too. Not guaranteed: a list may have an
//! open value that looks like another one; then the slices of the other values still add up.

/// First words of labels that mean "no condition"; folded to lower case.
const ANY: [&str; 51] = [
    "all",
    "alle",
    "alla",
    "alles",
    "any",
    "anywhere",
    "beliebig",
    "bitte",
    "choose",
    "chaque",
    "cualquier",
    "cualquiera",
    "egal",
    "elige",
    "everything",
    "everywhere",
    "iedere",
    "indifferente",
    "indifférent",
    "indistinto",
    "jakýkoli",
    "jeder",
    "kaikki",
    "kein",
    "keine",
    "libovolný",
    "minden",
    "none",
    "partout",
    "please",
    "qualquer",
    "qualsiasi",
    "select",
    "selecciona",
    "seleccione",
    "selecione",
    "seleziona",
    "sélectionnez",
    "choisir",
    "choisissez",
    "todas",
    "todos",
    "tous",
    "toutes",
    "tutte",
    "tutti",
    "vše",
    "všechny",
    "whatever",
    "wszystkie",
    "überall",
];

/// The same in scripts without blanks or with another alphabet: beginnings of labels.
const ANY_BEGINNINGS: [&str; 12] =
    ["все", "всі", "любой", "любая", "выберите", "すべて", "全て", "全部", "所有", "不限", "모든", "전체"];

/// Values that mean it.
const ANY_VALUES: [&str; 9] = ["*", "%", "all", "any", "alle", "tous", "todos", "-", "--"];

/// Is it an open choice? `count` is how many choices there are: one alone is always a condition.
pub(super) fn is_open(value: &str, label: &str, count: usize) -> bool {
    if count < 2 {
        return false;
    }
    let (value, label) = (value.trim(), label.trim());
    if value.is_empty() || !label.is_empty() && label.chars().all(|c| !c.is_alphanumeric()) {
        return true;
    }
    let lower: String = label.chars().take(40).flat_map(char::to_lowercase).collect();
    if ANY_VALUES.contains(&value.to_ascii_lowercase().as_str()) {
        return true;
    }
    // "All Saints Bay" is a place: what is chosen sends something telling then, not the zero of an empty choice.
    let alone = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).nth(1).is_none();
    let telling = !matches!(value, "0" | "-1") && value != label && value.to_lowercase() != lower;
    begins_with_any(&lower) && (alone || !telling || lower.starts_with(['-', '<', '(', '[']))
}

/// Does a label (in lower case) begin with a word for "any"?
fn begins_with_any(lower: &str) -> bool {
    let first = lower.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    ANY.contains(&first) || ANY_BEGINNINGS.iter().any(|start| lower.starts_with(start))
}

impl super::Choice {
    /// Do its words say that it is no condition? An empty value alone does not: *current* may be sent as nothing, too.
    pub fn says_any(&self) -> bool {
        let lower: String = self.label.trim().chars().take(40).flat_map(char::to_lowercase).collect();
        !lower.chars().any(char::is_alphanumeric) || begins_with_any(&lower)
    }
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn empty_values_marks_and_words_are_open() {
        for (value, label) in [
            ("", "Region"),
            ("0", "alle Regionen"),
            ("x", "---"),
            ("0", "Any price"),
            ("*", "Everywhere"),
            ("-1", "(bitte wählen)"),
            ("alle Orte", "alle Orte"),
            ("9", "Tous"),
            ("0", "すべての地域"),
            ("k", "[select a town]"),
            ("0", "Indifférent"),
            ("x", "überall"),
        ] {
            assert!(is_open(value, label, 3), "{value} {label}");
        }
    }

    #[test]
    fn conditions_are_not() {
        for (value, label) in [
            ("1", "Rügen"),
            ("allen", "Allen"),
            ("17", "All Saints Bay"),
            ("0", "0"),
            ("0", "no pets"),
            ("a", "Allgäu"),
            ("1", "1"),
        ] {
            assert!(!is_open(value, label, 3), "{value} {label}");
        }
        assert!(!is_open("", "", 1));
    }
}
