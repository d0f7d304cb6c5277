//! Noise: parameters that say who is looking or where they came from, and nothing about the page.
//!
//! Only names that practically always mean that are in the list. `sid`, `ref` or `source` choose a page on some sites, so
//! they are left to written and to learned rules. Cost: one table look-up for a name that begins like no noise.

use super::glob::Glob;

/// The noise that is dropped unless the configuration gives another list. Globs; case does not matter.
pub const DEFAULT_NOISE: &[&str] = &[
    // campaigns
    "utm_*",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "_ga",
    "_gl",
    "srsltid",
    // click ids
    "gclid",
    "gclsrc",
    "gbraid",
    "wbraid",
    "dclid",
    "fbclid",
    "igshid",
    "msclkid",
    "ttclid",
    "twclid",
    "yclid",
    // session ids
    "phpsessid",
    "jsessionid",
    "aspsessionid*",
    "cfid",
    "cftoken",
];

/// Session ids that servers write into the path, behind a `;` (case does not matter).
const IN_PATH: [&str; 3] = ["jsessionid", "phpsessid", "sid"];

/// Globs of parameter names that mean nothing, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Noise {
    names: Vec<Glob>,
    /// Which bytes a noisy name can begin with.
    begins: [bool; 256],
}

impl Noise {
    /// Of a list of globs; empty ones are refused by whoever reads them.
    pub(crate) fn new<'a>(globs: impl Iterator<Item = &'a str>) -> Noise {
        let names: Vec<Glob> = globs.map(Glob::caseless).collect();
        let mut begins = [false; 256];
        for glob in &names {
            match glob.first_byte() {
                Some(byte) => {
                    begins[usize::from(byte.to_ascii_lowercase())] = true;
                    begins[usize::from(byte.to_ascii_uppercase())] = true;
                }
                None => begins = [true; 256],
            }
        }
        Noise { names, begins }
    }

    /// Whether a parameter of this (decoded) name is noise.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        let first = name.first().copied().unwrap_or_default();
        let begins = |glob: &Glob| glob.first_byte().is_none_or(|byte| byte.eq_ignore_ascii_case(&first));
        self.begins[usize::from(first)] && self.names.iter().any(|glob| begins(glob) && glob.matches(name))
    }

    /// The path without the session ids written into it, if there are any. Somebody who empties the list of noise wants
    /// URLs left alone, paths included.
    pub(crate) fn clean_path(&self, path: &str) -> Option<String> {
        if self.names.is_empty() || !path.contains(';') {
            return None;
        }
        let mut clean = String::with_capacity(path.len());
        for (nth, segment) in path.split('/').enumerate() {
            if nth > 0 {
                clean.push('/');
            }
            let mut pieces = segment.split(';');
            clean.push_str(pieces.next().unwrap_or_default());
            for piece in pieces.filter(|piece| !is_session(piece)) {
                clean.push(';');
                clean.push_str(piece);
            }
        }
        (clean.len() < path.len()).then_some(clean)
    }
}

fn is_session(piece: &str) -> bool {
    piece.split_once('=').is_some_and(|(name, _)| IN_PATH.iter().any(|session| session.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_known_by_its_name_whatever_its_case() {
        let noise = Noise::new(DEFAULT_NOISE.iter().copied());
        for name in ["utm_source", "UTM_CAMPAIGN", "gclid", "PHPSESSID", "ASPSESSIONIDQQGGQKNG", "CFID", "_ga"] {
            assert!(noise.has(name.as_bytes()), "{name}");
        }
        for name in ["", "utm", "xutm_source", "sid", "id", "ref", "source", "gclid2", "_"] {
            assert!(!noise.has(name.as_bytes()), "{name}");
        }
        assert!(Noise::new(["*id"].into_iter()).has(b"anything_ID"));
    }

    #[test]
    fn session_ids_leave_the_path_and_other_path_parameters_stay() {
        let noise = Noise::new(DEFAULT_NOISE.iter().copied());
        let cases = [
            ("/a;jsessionid=1F/b", "/a/b"),
            ("/a;JSESSIONID=1", "/a"),
            ("/a;v=2;sid=9;w=3/", "/a;v=2;w=3/"),
            ("/;PHPSESSID=x;jsessionid=y", "/"),
        ];
        for (path, clean) in cases {
            assert_eq!(noise.clean_path(path).as_deref(), Some(clean));
        }
        for path in ["/a", "/a;v=2", "/a;jsessionid", "/a;inside=2", "/jsessionid=1"] {
            assert_eq!(noise.clean_path(path), None, "{path}");
        }
        assert_eq!(Noise::new(std::iter::empty()).clean_path("/a;jsessionid=1"), None);
    }
}
