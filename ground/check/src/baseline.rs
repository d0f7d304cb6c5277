//! What was known already? A baseline is what an earlier check found, so that a check can fail on what is new only.
//!
//! A line is an object as the JSON Lines form of a check writes it, of which `key` is read (or, without one, `kind`, `from` and `to`),
//! or a bare key of 32 hexadecimal digits. Empty lines and lines that begin with `#` are passed over. Keys depend neither on the
//! order of lines nor on when something was found. Cost: about 40 bytes a finding.

use std::collections::HashMap;
use std::io::{self, BufRead};

use groma_model::Fp;
use serde::Deserialize;

use crate::finding::{Finding, Kind, Kinds, key};

/// The findings of an earlier check.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: HashMap<Fp, Known>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    /// Nothing if the baseline does not say.
    kind: Option<Kind>,
    seen: bool,
}

/// A baseline that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A line is none of a baseline.
    #[error("line {line} of the baseline is damaged: {what}")]
    Damaged {
        /// Counted from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// An I/O error.
    #[error("the baseline cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}

/// What is read of a line; the rest may be anything.
#[derive(Deserialize)]
struct Line {
    key: Option<String>,
    kind: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

impl Baseline {
    /// Reads a baseline to its end.
    pub fn read(from: &mut dyn BufRead) -> Result<Baseline, BaselineError> {
        let mut baseline = Baseline::default();
        let mut bytes = Vec::new();
        let mut number = 0;
        loop {
            bytes.clear();
            if from.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(baseline);
            }
            number += 1;
            let damaged = |what: String| BaselineError::Damaged { line: number, what };
            let text = std::str::from_utf8(&bytes).map_err(|_| damaged("it is not UTF-8".to_owned()))?;
            // A byte order mark is no part of the first line.
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                let (key, kind) = parse(text).map_err(damaged)?;
                baseline.known.insert(key, Known { kind, seen: false });
            }
        }
    }

    /// How many findings it holds.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it holds no finding.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether a finding is not in the baseline. What is, is not fixed.
    pub fn is_new(&mut self, finding: &Finding) -> bool {
        match self.known.get_mut(&finding.key()) {
            Some(known) => {
                known.seen = true;
                false
            }
            None => true,
        }
    }

    /// Findings of the baseline that were not asked about, of those kinds that were looked for.
    pub fn fixed(&self, looked_for: Kinds) -> u64 {
        let gone = |known: &&Known| !known.seen && known.kind.is_none_or(|kind| looked_for.has(kind));
        self.known.values().filter(gone).count() as u64
    }
}

fn parse(text: &str) -> Result<(Fp, Option<Kind>), String> {
    if !text.starts_with('{') {
        return hexadecimal(text).map(|key| (key, None)).ok_or_else(|| "it is neither an object nor a key".to_owned());
    }
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let kind = line.kind.as_deref().and_then(Kind::named);
    match (line.key, kind, line.from) {
        (Some(text), ..) => hexadecimal(&text).map(|key| (key, kind)).ok_or_else(|| "its key is not one".to_owned()),
        (None, Some(kind), Some(from)) => Ok((key(kind, &from, line.to.as_deref()), Some(kind))),
        _ => Err("it has neither a key nor kind and from".to_owned()),
    }
}

fn hexadecimal(text: &str) -> Option<Fp> {
    let plain = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(Fp)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tell::json;

    fn finding(kind: Kind, from: &str, to: &str) -> Finding {
        Finding { to: Some(to.into()), ..Finding::of_page(kind, from.into()) }
    }

    fn written(findings: &[Finding]) -> String {
        let mut out = Vec::new();
        findings.iter().for_each(|finding| json::write_line(&mut out, finding).unwrap());
        String::from_utf8(out).unwrap()
    }

    fn read(text: &str) -> Result<Baseline, BaselineError> {
        Baseline::read(&mut text.as_bytes())
    }

    #[test]
    fn what_was_written_is_known_and_the_rest_is_new_or_fixed() {
        let (old, gone) = (finding(Kind::InvalidLink, "a", "b"), finding(Kind::Redirect, "a", "c"));
        let mut baseline = read(&written(&[old.clone(), gone])).unwrap();
        assert_eq!(baseline.len(), 2);
        assert!(!baseline.is_new(&Finding { since: 99, anchor: "other".into(), ..old }));
        assert!(baseline.is_new(&finding(Kind::InvalidLink, "a", "d")));
        assert_eq!(baseline.fixed(Kinds::ALL), 1);
        assert_eq!(baseline.fixed(Kinds::NONE.with(Kind::InvalidLink)), 0, "redirects were not looked for");
    }

    #[test]
    fn keys_alone_and_lines_without_keys_will_do() {
        let old = finding(Kind::InvalidLink, "a", "b");
        for text in [
            format!("# known\n\n{}\r\n", old.key().hex()),
            format!("\u{feff}{}", old.key().hex().to_uppercase()),
            "{\"kind\":\"invalid-link\",\"from\":\"a\",\"to\":\"b\",\"more\":[1]}".to_owned(),
        ] {
            assert!(!read(&text).unwrap().is_new(&old), "{text}");
        }
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn a_damaged_line_is_named() {
        let good = finding(Kind::Orphan, "a", "b").key().hex();
        for (bad, what) in [
            ("{\"kind\":", "line 2 of the baseline is damaged: EOF"),
            ("{}", "line 2 of the baseline is damaged: it has neither a key nor kind and from"),
            ("{\"key\":\"xyz\"}", "line 2 of the baseline is damaged: its key is not one"),
            ("kind,from,to", "line 2 of the baseline is damaged: it is neither an object nor a key"),
            ("{\"kind\":\"no-such\",\"from\":\"a\"}", "line 2 of the baseline is damaged: it has neither"),
        ] {
            let error = read(&format!("{good}\n{bad}\n")).unwrap_err().to_string();
            assert!(error.starts_with(what), "{error}");
        }
        let error = Baseline::read(&mut &b"\xff\n"[..]).unwrap_err().to_string();
        assert_eq!(error, "line 1 of the baseline is damaged: it is not UTF-8");
    }

    proptest! {
        #[test]
        fn hostile_addresses_are_known_again(from in any::<String>(), to in proptest::option::of(any::<String>())) {
            for &kind in Kind::ALL {
                let finding = Finding { to: to.clone(), ..Finding::of_page(kind, from.clone()) };
                let mut baseline = read(&written(std::slice::from_ref(&finding))).unwrap();
                prop_assert!(!baseline.is_new(&finding));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Baseline::read(&mut bytes.as_slice());
        }
    }
}
