//! Faults at random: which requests a server resets or turns away. A function of the seed and the request's number, so
//! that a run can be repeated.

use crate::prose::mix;
use crate::{Answer, Ask, Manner};

/// How often a server fails, whatever it serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Of a hundred requests so many end in a reset: half before the header, half within the body.
    pub reset_percent: u8,
    /// Of a hundred requests so many are answered 503.
    pub unavailable_percent: u8,
    /// Another seed fails other requests.
    pub seed: u64,
    /// Whether `/robots.txt` fails too; it never does otherwise.
    pub robots_too: bool,
}

impl Faults {
    /// What becomes of an answer.
    pub(crate) fn spoil(&self, ask: &Ask, web: impl FnOnce() -> Answer) -> Answer {
        if ask.path == "/robots.txt" && !self.robots_too {
            return web();
        }
        let dice = mix(self.seed, ask.serial);
        let (throw, side) = ((dice >> 8) % 100, dice & 1);
        let (reset, unavailable) = (u64::from(self.reset_percent), u64::from(self.unavailable_percent));
        if throw < reset {
            let manner = if side == 0 { Manner::ResetBeforeHeader } else { Manner::ResetMidBody };
            web().with_manner(manner)
        } else if throw < reset + unavailable {
            Answer::status(503)
        } else {
            web()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(faults: Faults, path: &str) -> [usize; 4] {
        let mut seen = [0; 4];
        for serial in 0..10_000 {
            let answer = faults.spoil(&Ask { serial, ..Ask::get(path) }, || Answer::text("x"));
            seen[match (answer.status, answer.manner) {
                (503, _) => 0,
                (_, Manner::ResetBeforeHeader) => 1,
                (_, Manner::ResetMidBody) => 2,
                _ => 3,
            }] += 1;
        }
        seen
    }

    #[test]
    fn faults_come_as_often_as_asked_and_repeatably() {
        let faults = Faults { reset_percent: 10, unavailable_percent: 20, seed: 7, robots_too: false };
        let [unavailable, before, within, fine] = kinds(faults, "/a");
        assert!((1800..2200).contains(&unavailable), "{unavailable}");
        assert!((400..600).contains(&before) && (400..600).contains(&within), "{before} {within}");
        assert!((6700..7300).contains(&fine), "{fine}");
        assert_eq!(kinds(faults, "/a"), [unavailable, before, within, fine]);
        assert_ne!(kinds(Faults { seed: 8, ..faults }, "/a"), [unavailable, before, within, fine]);
    }

    #[test]
    fn robots_txt_is_spared_unless_told() {
        let faults = Faults { reset_percent: 50, unavailable_percent: 50, seed: 7, robots_too: false };
        assert_eq!(kinds(faults, "/robots.txt"), [0, 0, 0, 10_000]);
        assert_eq!(kinds(Faults { robots_too: true, ..faults }, "/robots.txt")[3], 0);
    }
}
