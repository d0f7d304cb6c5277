//! What counts as new? What a webmaster would want to be woken for, once.
//!
//! A finding is *firm* if the server spoke (404, a missing title), and *shaky* if it did not (time-out, refused, reset, 5xx, an answer
//! that broke off): a server that is restarted while we pass by has not broken anything.
//!
//! ```text
//! not known, firm                     new
//! not known, shaky                    watched; new if it is still there after the next run, firm or shaky
//! known, or told before               not new
//! gone, firm                          forgotten: if it comes back, that is news
//! gone, shaky                         remembered for GRACE more runs: what comes and goes is told once
//! gone, its page could not be seen    remembered: nobody can say that it was fixed
//! ```
//!
//! The first look makes everything known. The file is a baseline as `groma check --baseline` reads it (JSON Lines), with three
//! more fields, and a first line that says which run was looked at. Cost: about 150 bytes a finding.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use groma_check::{Finding, Kind};
use groma_model::Fp;
use groma_model::state::Fault as PageFault;
use serde::{Deserialize, Serialize};

/// Runs for which a shaky finding is remembered after it went away.
const GRACE: u32 = 10;

/// What was found in earlier looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    /// Number and beginning of the run that was looked at last; nothing before the first look.
    pub(super) run: Option<(u32, i64)>,
    known: HashMap<Fp, Known>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    kind: Kind,
    from: String,
    shaky: bool,
    /// It has been told, or was there from the start; otherwise it is watched.
    told: bool,
    /// Looks in a row that did not find it.
    away: u32,
    seen: bool,
}

/// What a look says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Reported already.
    Known,
    /// Not reported yet.
    New,
    /// Perhaps to be told next time.
    Watched,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    kind: String,
    from: String,
    #[serde(default)]
    shaky: bool,
    #[serde(default = "yes")]
    told: bool,
    #[serde(default)]
    away: u32,
}

fn yes() -> bool {
    true
}

/// What the first line begins with.
const HEAD: &str = "# groma notices, looked at run ";

fn is_shaky(finding: &Finding) -> bool {
    finding.kind == Kind::BrokenOff
        || finding.reason.is_some_and(|reason| reason.fault() == Some(PageFault::Unreachable))
}

impl Memory {
    /// Is this the first look?
    pub(super) fn is_blank(&self) -> bool {
        self.run.is_none()
    }

    /// Takes in what a look finds.
    pub(super) fn see(&mut self, finding: &Finding) -> Standing {
        let shaky = is_shaky(finding);
        let first = self.is_blank();
        match self.known.get_mut(&finding.key()) {
            Some(known) => {
                let new = !known.told;
                (known.seen, known.away, known.told, known.shaky) = (true, 0, true, shaky);
                if new { Standing::New } else { Standing::Known }
            }
            None => {
                let (kind, from, told) = (finding.kind, finding.from.clone(), first || !shaky);
                self.known.insert(finding.key(), Known { kind, from, shaky, told, away: 0, seen: true });
                match (first, shaky) {
                    (true, _) => Standing::Known,
                    (false, true) => Standing::Watched,
                    (false, false) => Standing::New,
                }
            }
        }
    }

    /// Ends a look: what it did not find is forgotten or not. `unseen` says whether a page could not be seen. Returns how many were fixed.
    pub(super) fn close<E>(
        &mut self,
        run: (u32, i64),
        unseen: &mut dyn FnMut(&str) -> Result<bool, E>,
    ) -> Result<u64, E> {
        let mut fixed = 0;
        let mut gone = Vec::new();
        for (key, known) in &mut self.known {
            if std::mem::take(&mut known.seen) || unseen(&known.from)? {
                continue;
            }
            // What comes and goes is counted when it goes for the first time.
            fixed += u64::from(known.told && known.away == 0);
            known.away += 1;
            if !(known.told && known.shaky && known.away <= GRACE) {
                gone.push(*key);
            }
        }
        gone.iter().for_each(|key| drop(self.known.remove(key)));
        self.run = Some(run);
        Ok(fixed)
    }

    /// Reads what [`Memory::write`] wrote. A bare baseline of `groma check` will do: everything in it is known.
    pub(super) fn read(from: &mut dyn BufRead) -> Result<Memory, String> {
        let mut memory = Memory::default();
        for (number, line) in from.lines().enumerate() {
            let damaged = |what: String| format!("line {}: {what}", number + 1);
            let line = line.map_err(|error| damaged(error.to_string()))?;
            if let Some(rest) = line.strip_prefix(HEAD) {
                let mut numbers = rest.split(" of ");
                let run = numbers.next().and_then(|run| run.parse().ok());
                let began = numbers.next().and_then(|began| began.parse().ok());
                memory.run = Some(run.zip(began).ok_or_else(|| damaged("no run".to_owned()))?);
                continue;
            }
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let line: Line = serde_json::from_str(&line).map_err(|error| damaged(error.to_string()))?;
            let key = u128::from_str_radix(&line.key, 16).map_err(|_| damaged("its key is not one".to_owned()))?;
            let kind = Kind::named(&line.kind).ok_or_else(|| damaged("there is no such kind".to_owned()))?;
            let Line { from, shaky, told, away, .. } = line;
            memory.known.insert(Fp(key), Known { kind, from, shaky, told, away, seen: false });
        }
        // A file that was put there by hand is a first look that somebody else took.
        memory.run = memory.run.or((!memory.known.is_empty()).then_some((0, 0)));
        Ok(memory)
    }

    /// Writes it down, in an order that is always the same.
    pub(super) fn write(&self, to: &mut dyn Write) -> std::io::Result<()> {
        let (run, began) = self.run.unwrap_or_default();
        writeln!(to, "{HEAD}{run} of {began}")?;
        let mut known: Vec<_> = self.known.iter().collect();
        known.sort_unstable_by(|(a, one), (b, other)| (one.kind, &one.from, a).cmp(&(other.kind, &other.from, b)));
        for (key, known) in known {
            let Known { kind, from, shaky, told, away, .. } = known.clone();
            let line = Line { key: key.hex(), kind: kind.name().to_owned(), from, shaky, told, away };
            serde_json::to_writer(&mut *to, &line)?;
            to.write_all(b"\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;

    fn link(to: &str, reason: Reason) -> Finding {
        let page = Finding::of_page(Kind::InvalidLink, "https://a.org/".into());
        Finding { to: Some(to.into()), reason: Some(reason), ..page }
    }

    /// One look: what is said of each finding, and how many were fixed.
    fn look(memory: &mut Memory, run: u32, findings: &[Finding], unseen: bool) -> (Vec<Standing>, u64) {
        let standings = findings.iter().map(|finding| memory.see(finding)).collect();
        let fixed = memory.close::<()>((run, 1), &mut |_| Ok(unseen)).unwrap();
        let mut written = Vec::new();
        memory.write(&mut written).unwrap();
        assert_eq!(Memory::read(&mut written.as_slice()).unwrap(), *memory, "it comes back as it was");
        groma_check::Baseline::read(&mut written.as_slice()).unwrap();
        (standings, fixed)
    }

    use Reason::{NotFound, ServerError, TimeOut};
    use Standing::{Known as Old, New, Watched};

    #[test]
    fn the_first_look_tells_nothing_and_later_ones_what_is_new() {
        let mut memory = Memory::default();
        let (a, b) = (link("x", NotFound), link("y", NotFound));
        assert_eq!(look(&mut memory, 1, std::slice::from_ref(&a), false), (vec![Old], 0));
        assert_eq!(look(&mut memory, 2, &[a.clone(), b.clone()], false), (vec![Old, New], 0));
        assert_eq!(look(&mut memory, 3, &[a.clone(), b.clone()], false), (vec![Old, Old], 0));
        assert_eq!(look(&mut memory, 4, std::slice::from_ref(&b), false), (vec![Old], 1), "one was fixed");
        assert_eq!(look(&mut memory, 5, &[a, b], false), (vec![New, Old], 0), "and is broken again");
    }

    #[test]
    fn silence_is_told_when_it_lasts() {
        let mut memory = Memory::default();
        look(&mut memory, 1, &[], false);
        let slow = link("x", TimeOut);
        assert_eq!(look(&mut memory, 2, std::slice::from_ref(&slow), false).0, [Watched]);
        assert_eq!(look(&mut memory, 3, &[], false), (vec![], 0), "it was a hiccup, and nothing was fixed");
        assert_eq!(look(&mut memory, 4, std::slice::from_ref(&slow), false).0, [Watched]);
        assert_eq!(look(&mut memory, 5, &[link("x", ServerError)], false).0, [New]);
        assert_eq!(look(&mut memory, 6, std::slice::from_ref(&slow), false).0, [Old]);
        let mut other = Memory::default();
        look(&mut other, 1, &[], false);
        look(&mut other, 2, std::slice::from_ref(&slow), false);
        assert_eq!(look(&mut other, 3, &[link("x", NotFound)], false).0, [New], "silence became a no");
    }

    #[test]
    fn what_comes_and_goes_is_told_once() {
        let mut memory = Memory::default();
        look(&mut memory, 1, &[], false);
        let slow = link("x", TimeOut);
        let mut told = 0;
        for run in 2..40 {
            // Two nights down, two nights up.
            let down = run % 4 < 2;
            let found = if down { vec![slow.clone()] } else { Vec::new() };
            told += look(&mut memory, run, &found, false).0.iter().filter(|standing| **standing == New).count();
        }
        assert_eq!(told, 1);
        for run in 40..60 {
            look(&mut memory, run, &[], false);
        }
        assert_eq!(look(&mut memory, 60, std::slice::from_ref(&slow), false).0, [Watched], "forgotten after a while");
    }

    #[test]
    fn a_page_that_cannot_be_seen_has_not_been_mended() {
        let mut memory = Memory::default();
        let broken = link("x", NotFound);
        look(&mut memory, 1, std::slice::from_ref(&broken), false);
        assert_eq!(look(&mut memory, 2, &[], true), (vec![], 0));
        assert_eq!(look(&mut memory, 3, std::slice::from_ref(&broken), false).0, [Old]);
    }

    #[test]
    fn damage_is_named_and_a_plain_baseline_will_do() {
        for bad in
            ["{", "{\"key\":\"zz\",\"kind\":\"orphan\",\"from\":\"a\"}", "# groma notices, looked at run x", "text"]
        {
            let error = Memory::read(&mut bad.as_bytes()).unwrap_err();
            assert!(error.starts_with("line 1: "), "{error}");
        }
        let mut plain = Vec::new();
        groma_check::tell::json::write_line(&mut plain, &link("x", NotFound)).unwrap();
        let mut memory = Memory::read(&mut plain.as_slice()).unwrap();
        assert!(!memory.is_blank());
        assert_eq!(memory.see(&link("x", NotFound)), Old);
        assert!(Memory::read(&mut &b""[..]).unwrap().is_blank());
    }
}
