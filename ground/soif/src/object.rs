//! What is in a summary? A type, a URL, attributes with values: octets all of them, for nothing says a charset.

use std::borrow::Cow;

/// A SOIF object: a type, a URL, and attributes with values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Its type, such as `FILE`.
    pub kind: Vec<u8>,
    /// The URL of what it summarizes.
    pub url: Vec<u8>,
    /// Names and values, as they stand there.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Object {
    /// The whole value of an attribute, the first if there are several; names in any case.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let found = self.attributes.iter().find(|(its, _)| its.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, value)| value.as_slice())
    }

    /// The same as text.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// All values of an attribute: each line of `Name`, then `Name-1`, `Name-2` and so on by their numbers, each whole.
    pub fn values(&self, name: &str) -> Vec<&[u8]> {
        let mut found = Vec::new();
        let mut numbered = Vec::new();
        for (its, value) in &self.attributes {
            let Some(rest) = its.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name.as_bytes())) else {
                continue;
            };
            match &its[rest.len()..] {
                [] => found
                    .extend(value.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))),
                [b'-', digits @ ..] => {
                    let digits =
                        std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
                    if let Some(number) = digits.and_then(|text| text.parse::<u64>().ok()) {
                        numbered.push((number, value.as_slice()));
                    }
                }
                _ => {}
            }
        }
        numbered.sort_by_key(|(number, _)| *number);
        found.extend(numbered.into_iter().map(|(_, value)| value));
        found.retain(|value| !value.is_empty());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_lines_and_numbered_attributes() {
        let attributes =
            [("Ort", "b\r\na\n\nc"), ("ort-10", "z"), ("Ort-2", "y\nx"), ("Ort-x", "no"), ("Orte", "no"), ("Or", "no")];
        let attributes = attributes.map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        let object = Object { attributes: attributes.to_vec(), ..Object::default() };
        assert_eq!(object.values("ort"), [&b"b"[..], b"a", b"c", b"y\nx", b"z"]);
        assert_eq!(object.text("ORTE").as_deref(), Some("no"));
        assert!(object.values("name").is_empty() && object.get("name").is_none());
    }
}
