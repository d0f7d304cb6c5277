//! What a record says: attributes and values as they were gathered, and which of the values it is called by.
//!
//! The telling value is, in this order: that of an attribute whose name ends in a word for "name" or "title"; the first one that
//! is made of words (has letters, is neither an address nor a mail address, and is not as long as a paragraph); the first of all.
//! It is a guess: a database that calls its records by something else is found all the same, for every value is indexed.

/// Bytes of a record that count; what is longer is cut between two characters.
const BYTES: usize = 64 << 10;
/// Letters of a value that can be a name.
const NAME: usize = 160;
/// Last words of attributes that hold names, in lower case.
const NAMES: [&str; 19] = [
    "name",
    "names",
    "title",
    "titel",
    "titre",
    "titolo",
    "titulo",
    "título",
    "titul",
    "nom",
    "nombre",
    "nome",
    "navn",
    "namn",
    "naam",
    "nazwa",
    "bezeichnung",
    "headline",
    "caption",
];

/// What a record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// Attributes and values, in their order; none is empty.
    pub(crate) pairs: Vec<(String, String)>,
    /// Where the value stands that it is called by.
    telling: Option<usize>,
    /// Something was left out.
    pub(crate) cut: bool,
}

impl Said {
    /// Reads what the store has: a list of pairs as JSON. What is no such list says nothing.
    pub(crate) fn read(values: &str) -> Said {
        let pairs: Vec<(String, String)> = serde_json::from_str(values).unwrap_or_default();
        let (mut left, mut cut) = (BYTES, false);
        let mut kept = Vec::with_capacity(pairs.len());
        for (attribute, mut value) in pairs {
            let cost = attribute.len() + value.len();
            if cost > left {
                cut = true;
                let room = left.saturating_sub(attribute.len());
                let end = (0..=room).rev().find(|end| value.is_char_boundary(*end)).unwrap_or(0);
                value.truncate(end);
            }
            left = left.saturating_sub(cost);
            if !value.trim().is_empty() {
                kept.push((attribute, value));
            }
            if left == 0 {
                break;
            }
        }
        let telling = telling(&kept);
        Said { pairs: kept, telling, cut }
    }

    /// The value it is called by; empty if it has none.
    pub(crate) fn title(&self) -> &str {
        self.telling.and_then(|at| self.pairs.get(at)).map_or("", |(_, value)| value.trim())
    }

    /// All attributes but the telling one.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.pairs.iter().enumerate().filter(|(at, _)| Some(*at) != self.telling);
        others.map(|(_, (attribute, value))| (attribute.as_str(), value.as_str()))
    }
}

fn telling(pairs: &[(String, String)]) -> Option<usize> {
    let named = |(attribute, value): &(String, String)| is_name(attribute) && is_worded(value);
    let first = |wanted: &dyn Fn(&(String, String)) -> bool| pairs.iter().position(wanted);
    first(&named).or_else(|| first(&|pair| is_worded(&pair.1))).or_else(|| first(&|_| true))
}

/// Does an attribute hold names? `name`, `hotel_name`, `hotelName`, `Name:`.
fn is_name(attribute: &str) -> bool {
    let attribute = attribute.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut begin = 0;
    let mut before = ' ';
    for (at, c) in attribute.char_indices() {
        if !c.is_alphanumeric() {
            begin = at + c.len_utf8();
        } else if c.is_uppercase() && before.is_lowercase() {
            begin = at;
        }
        before = c;
    }
    let last = attribute[begin..].to_lowercase();
    NAMES.contains(&last.as_str())
}

/// Is a value made of words, and few enough to be a name?
fn is_worded(value: &str) -> bool {
    let value = value.trim();
    let is_address =
        value.contains("://") || value.starts_with("www.") || (value.contains('@') && !value.contains(' '));
    !is_address && value.chars().nth(NAME).is_none() && value.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn title(pairs: &[(&str, &str)]) -> String {
        Said::read(&serde_json::to_string(pairs).unwrap()).title().to_owned()
    }

    #[test]
    fn a_record_is_called_by_its_telling_value() {
        assert_eq!(title(&[("id", "17"), ("ort", "Rostock"), ("hotel_name", "Am Markt")]), "Am Markt");
        assert_eq!(title(&[("id", "17"), ("hotelName", "Am Markt"), ("ort", "x")]), "Am Markt");
        assert_eq!(title(&[("filename", "a.txt"), ("Titel:", " Ein Buch ")]), "Ein Buch");
        assert_eq!(title(&[("", "17"), ("", "https://a.test/"), ("", "a@b.test"), ("", "Zur Post")]), "Zur Post");
        assert_eq!(title(&[("name", ""), ("price", "55"), ("stars", "3")]), "55");
        assert_eq!(title(&[("text", &"long ".repeat(100)), ("kind", "short")]), "short");
        assert_eq!(title(&[]), "");
    }

    #[test]
    fn the_rest_is_the_rest() {
        let said = Said::read("[[\"name\",\"a\"],[\"x\",\"b\"],[\"y\",\" \"],[\"x\",\"c\"]]");
        assert_eq!(said.others().collect::<Vec<_>>(), [("x", "b"), ("x", "c")]);
        assert_eq!(Said::read("{\"not\":\"pairs\"}"), Said::default());
        assert_eq!(Said::read("[[\"half"), Said::default());
    }

    #[test]
    fn long_records_are_cut_between_characters() {
        let said = Said::read(&serde_json::to_string(&[("a", "ž".repeat(BYTES)), ("b", "after".into())]).unwrap());
        assert!(said.cut && said.pairs.len() == 1);
        assert!(said.pairs[0].1.len() <= BYTES && said.pairs[0].1.chars().all(|c| c == 'ž'));
    }

    proptest! {
        #[test]
        fn anything_can_be_read(text in "\\PC*", pairs: Vec<(String, String)>) {
            Said::read(&text);
            let said = Said::read(&serde_json::to_string(&pairs).unwrap());
            prop_assert_eq!(said.title().is_empty(), said.pairs.is_empty());
        }
    }
}
