//! What does a scheme decide? URL standard, sections 3.1 "URL representation" (special schemes, default ports) and 4.4 "URL
//! parsing" (scheme start state, scheme state).

/// How the parser treats addresses of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `file`: a special scheme with drive letters and hosts that may be empty.
    File,
    /// The other special schemes: always with a host that is a domain or a number.
    Web,
    Other,
}

impl Kind {
    /// `scheme` is in lower case.
    pub(crate) fn from_scheme(scheme: &str) -> Kind {
        match scheme {
            "http" | "https" | "ws" | "wss" | "ftp" => Kind::Web,
            "file" => Kind::File,
            _ => Kind::Other,
        }
    }

    pub(crate) fn is_special(self) -> bool {
        self != Kind::Other
    }

    /// A backslash is a slash for special schemes.
    pub(crate) fn is_slash(self, byte: u8) -> bool {
        byte == b'/' || (byte == b'\\' && self.is_special())
    }
}

/// The port an address has if it names none.
pub(crate) fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

/// Length of the scheme at the front, if there is one and a colon behind it.
pub(crate) fn length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = bytes.iter().position(|&byte| !may_hold(byte))?;
    (bytes[end] == b':').then_some(end)
}

/// Is this a scheme, whole?
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(may_hold)
}

fn may_hold(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_starts_with_a_letter_and_ends_at_a_colon() {
        for (text, expected) in [
            ("http://h", Some(4)),
            ("Ab+.-9:", Some(6)),
            ("http", None),
            ("9a:", None),
            (":", None),
            ("", None),
            ("a b:", None),
            ("a/b:c", None),
        ] {
            assert_eq!(length(text), expected, "{text}");
        }
        assert!(is_scheme("a1") && !is_scheme("") && !is_scheme("1a") && !is_scheme("a:") && !is_scheme("aé"));
    }
}
