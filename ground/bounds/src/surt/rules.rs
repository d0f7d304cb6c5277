//! Lists of SURT prefixes that say what is taken and what is not, as crawlers and archives keep them.
//!
//! ```text
//! # a comment                     also behind an entry, after a space
//! +http://(org,example,           taken: all of example.org
//! -http://(org,example,)/drafts/  not taken
//! http://example.org/a/b          a plain URL: the prefix it implies, taken
//! ```
//!
//! The longest prefix that matches decides, of equal ones the later. Heritrix knows `+` and comments; there, what is not taken is a
//! list of its own, and the last list that matches decides. Cost: linear in the text; a decision is a binary search. Not
//! guaranteed: lines that cannot be read, which are complained about and left out; lines beyond [`MOST_RULES`] rules; complaints
//! beyond [`MOST_COMPLAINTS`].

use groma_url::Url;

use super::{LONGEST, NoSurt, Surt, TOO_LONG, for_comparison, stand_in};
use crate::starts::Starts;

/// Rules that are read; what follows is complained about once and left out.
pub const MOST_RULES: usize = 1_000_000;

/// Complaints that are kept.
pub const MOST_COMPLAINTS: usize = 1_000;

/// One line: what begins with this is taken, or is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Whether it is taken.
    pub include: bool,
    /// What URLs begin with.
    pub surt: Surt,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Its number, from 1.
    pub line: usize,
    /// Why not, in plain words.
    pub why: &'static str,
}

/// Reads a list. Whatever cannot be read is told and left out.
pub fn read(text: &str) -> (Vec<Rule>, Vec<Complaint>) {
    read_up_to(text, MOST_RULES)
}

fn read_up_to(text: &str, most: usize) -> (Vec<Rule>, Vec<Complaint>) {
    let (mut rules, mut complaints) = (Vec::new(), Vec::new());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, written) in text.split(['\n', '\r']).enumerate() {
        let why = match rule(written) {
            None => continue,
            Some(_) if rules.len() == most => {
                NoSurt("there are too many rules; this one and all behind it are left out")
            }
            Some(Ok(rule)) => {
                rules.push(rule);
                continue;
            }
            Some(Err(why)) => why,
        };
        if complaints.len() < MOST_COMPLAINTS {
            complaints.push(Complaint { line: line + 1, why: why.0 });
        }
        if rules.len() == most {
            break;
        }
    }
    (rules, complaints)
}

/// The rule of a line; nothing if it has none.
fn rule(line: &str) -> Option<Result<Rule, NoSurt>> {
    if line.len() > 2 * LONGEST {
        return Some(Err(TOO_LONG));
    }
    let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    let mut entry = words.next()?;
    let mark = entry.chars().next().filter(|mark| matches!(mark, '+' | '-'));
    if mark.is_some() {
        entry = &entry[1..];
        if entry.is_empty() {
            entry = words.next().unwrap_or_default();
        }
    }
    if entry.is_empty() {
        return Some(Err(NoSurt("nothing stands behind the sign")));
    }
    if words.next().is_some() {
        return Some(Err(NoSurt("more than one word stands there")));
    }
    let surt = if Surt::is_reordered(entry) { Surt::parse(entry) } else { Surt::implied(entry) };
    Some(surt.map(|surt| Rule { include: mark != Some('-'), surt }))
}

/// Writes a list, a rule a line. https is written as http: they mean the same here, and Heritrix, which compares https
/// addresses as http ones, would never find the other. Only where that would swallow the port, 80, https stays.
pub fn write(rules: &[Rule]) -> String {
    let mut text = String::new();
    for rule in rules {
        text.push(if rule.include { '+' } else { '-' });
        let server = rule.surt.reordered().split('/').next().and_then(|head| head.strip_prefix('(')?.strip_suffix(')'));
        if server.is_some_and(|server| stand_in(server) == "https") {
            text.push_str(rule.surt.as_str());
        } else {
            text.push_str(&for_decisions(&rule.surt));
        }
        text.push('\n');
    }
    text
}

/// With the scheme that comparisons use.
fn for_decisions(surt: &Surt) -> String {
    match surt.scheme() {
        Some(scheme) => format!("{}://{}", for_comparison(scheme), surt.reordered()),
        None => surt.reordered().to_owned(),
    }
}

/// Rules that can be asked about URLs.
#[derive(Clone, Debug)]
pub struct Decider {
    starts: Starts<bool>,
}

impl Decider {
    /// All rules at once; of two for the same prefix the later holds.
    pub fn new(rules: &[Rule]) -> Decider {
        Decider { starts: Starts::new(rules.iter().map(|rule| (for_decisions(&rule.surt), rule.include))) }
    }

    /// Is the URL taken? Nothing if no rule speaks of it.
    pub fn decide(&self, address: &Url) -> Option<bool> {
        let surt = Surt::from_url(address)?;
        let named = self.starts.longest(&for_decisions(&surt)).map(|(text, include)| (text.len(), *include));
        let any = self.starts.longest(surt.reordered()).map(|(text, include)| (text.len(), *include));
        // The scheme is no part of how far a prefix reaches.
        let scheme = surt.scheme().map_or(0, |scheme| for_comparison(scheme).len() + "://".len());
        match (named, any) {
            (Some((named, include)), Some((any, _))) if named - scheme >= any => Some(include),
            (Some((_, include)), None) => Some(include),
            (_, any) => any.map(|(_, include)| include),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decided(list: &str, address: &str) -> Option<bool> {
        Decider::new(&read(list).0).decide(&Url::parse(address).unwrap())
    }

    #[test]
    fn signs_comments_and_plain_addresses_are_read() {
        let list = "\u{feff}# all of it\r\n+http://(org,example,  # and below\n\n-http://(org,example,)/drafts/\n\
                    http://example.org/a/b\nexample.net\n+ www.example.com/\n  # end\n(org,example,)/x";
        let (rules, complaints) = read(list);
        assert_eq!(complaints, []);
        assert_eq!(
            write(&rules),
            "+http://(org,example,\n-http://(org,example,)/drafts/\n+http://(org,example,)/a/\n+http://(net,example,\n\
             +http://(com,example,www,)/\n+(org,example,)/x\n"
        );
    }

    #[test]
    fn a_line_that_cannot_be_read_is_told_by_its_number() {
        let (rules, complaints) =
            read("+\nhttp://(org,example/\nmailto:a@b.example\nhttp://a.example/ b\n-\thttp://ok.example/\n");
        assert_eq!(rules.len(), 1);
        assert!(!rules[0].include);
        assert_eq!(complaints.iter().map(|c| c.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(complaints.iter().all(|complaint| !complaint.why.is_empty()));
    }

    #[test]
    fn what_is_too_long_is_left_out_and_complaints_do_not_pile_up() {
        let long = format!("http://h.example/{}/", "a".repeat(LONGEST));
        assert_eq!(read(&long).1, [Complaint { line: 1, why: "it is too long" }]);
        let (rules, complaints) = read_up_to("http://a/\n\nhttp://b/\n# c\nhttp://d/\nhttp://e/\n", 2);
        assert_eq!((rules.len(), complaints.len(), complaints[0].line), (2, 1, 5));
        assert_eq!(read_up_to("http://a/\n\n", 1).1, []);
        assert_eq!(read(&"+\n".repeat(MOST_COMPLAINTS + 5)).1.len(), MOST_COMPLAINTS);
    }

    #[test]
    fn the_longest_prefix_decides_and_of_equal_ones_the_later() {
        let list = "+(org,example,\n-http://(org,example,)/a/\n+https://(org,example,)/a/b/\n-(org,example,)/a/b/\n";
        assert_eq!(decided(list, "ftp://www.example.org/"), Some(true));
        assert_eq!(decided(list, "https://example.org/a/c"), Some(false));
        // With and without a scheme they are equally long: the one that names it decides.
        assert_eq!(decided(list, "http://example.org/a/b/c"), Some(true));
        assert_eq!(decided(list, "http://example.com/"), None);
        assert_eq!(decided("+http://h/\n-http://h/\n", "http://h/"), Some(false));
    }

    #[test]
    fn https_is_written_as_http() {
        let (rules, _) = read("https://a.example/x/");
        assert_eq!(rules[0].surt.as_str(), "https://(example,a,)/x/");
        assert_eq!(write(&rules), "+http://(example,a,)/x/\n");
        let (rules, _) = read("https://a.example:80/");
        assert_eq!(write(&rules), "+https://(example,a,:80)/\n");
        assert_eq!(decided(&write(&rules), "https://a.example:80/x"), Some(true));
    }

    proptest! {
        #[test]
        fn deciding_is_looking_at_all_rules(
            lines in proptest::collection::vec("[+-](http://|https://|)\\(a,(b,)?(\\)/(x/?)?)?", 0..8),
            address in "https?://(b\\.)?a/(x|x/|x/y|z)?",
        ) {
            let (rules, complaints) = read(&lines.join("\n"));
            prop_assert_eq!(complaints, []);
            let url = Url::parse(&address).unwrap();
            let matching = rules.iter().enumerate().filter(|(_, rule)| rule.surt.matches(&url));
            let best = matching.max_by_key(|(n, rule)| (rule.surt.reordered().len(), rule.surt.scheme().is_some(), *n));
            prop_assert_eq!(Decider::new(&rules).decide(&url), best.map(|(_, rule)| rule.include));
            let again = read(&write(&rules));
            prop_assert_eq!(again.1, []);
            prop_assert_eq!(Decider::new(&again.0).decide(&url), best.map(|(_, rule)| rule.include));
        }

        #[test]
        fn any_text_is_read(text in "\\PC*", lines in proptest::collection::vec("[+-]?[(),:@/.?#%a-c\\[\\]0-9 -]{0,20}", 0..9)) {
            for text in [text, lines.join("\n")] {
                let (rules, _) = read(&text);
                let (again, complaints) = read(&write(&rules));
                prop_assert_eq!(complaints, []);
                prop_assert_eq!(write(&again), write(&rules));
            }
        }
    }
}
