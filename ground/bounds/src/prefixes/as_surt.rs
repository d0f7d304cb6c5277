//! The list as SURT rules, for crawlers and archives.
//!
//! A folder is a rule: `+` if it is in, `-` if it is out; what is undecided goes where the caller says. A single page is a rule, too,
//! but a rule is a prefix: that of `/a` also speaks of `/ab` and `/a/b`. So with the pages that are known, a page's rule is left out if it
//! would turn the verdict of another, and the page is told as one that the rules get wrong.
//!
//! ```text
//! from the last page to the first in the order of texts: a page without a rule of its own
//!     takes away the rules of all single pages that it begins with, as far as they say otherwise
//! ```
//!
//! Why it is exact for all other pages: whatever page begins with a page's text comes behind it in the order, so a rule that
//! still stands when its own page's turn comes stays. Cost: a sort, a binary search a page, and the single pages it begins with.
//! Not guaranteed: anything where http and https, which are one to SURT, have different verdicts.

use groma_url::Url;

use super::{Prefix, Standing, apply};
use crate::starts::Starts;
use crate::surt::{Rule, Surt};

/// A list as SURT rules.
#[derive(Clone, Debug)]
pub struct SurtRules {
    /// The rules, in the order of the list.
    pub rules: Vec<Rule>,
    /// Pages listed singly that these rules cannot tell from others.
    pub untold: Vec<String>,
}

/// Turns a list into SURT rules that give the same verdicts on these pages; the undecided are taken or not, as told.
pub fn surt_rules<'a>(list: &[Prefix], take_undecided: bool, pages: impl IntoIterator<Item = &'a str>) -> SurtRules {
    let taken = |standing: Standing| standing == Standing::In || (standing == Standing::Undecided && take_undecided);
    let forms: Vec<Option<Surt>> = list.iter().map(|line| form(&line.text)).collect();
    let singles = list.iter().zip(&forms).enumerate().filter_map(|(number, (line, form))| {
        form.as_ref().filter(|_| line.single).map(|form| (form.reordered().to_owned(), number))
    });
    let singles = Starts::new(singles);
    let matcher = apply(list);
    let mut known: Vec<(Surt, &str)> = pages.into_iter().filter_map(|page| Some((form(page)?, page))).collect();
    known.sort_by(|a, b| b.0.reordered().cmp(a.0.reordered()));
    let mut dropped = vec![false; list.len()];
    for (surt, address) in known {
        let line = matcher.line(address);
        if line.is_some_and(|number| list[number].single) {
            continue;
        }
        // Shorter than the folder that decides, a rule does no harm.
        let folder = line.and_then(|number| forms[number].as_ref()).map_or(0, |form| form.reordered().len());
        let wanted = taken(matcher.standing(address));
        for (text, &number) in singles.all(surt.reordered()) {
            if text.len() < folder {
                break;
            }
            dropped[number] |= taken(list[number].verdict) != wanted;
        }
    }
    let mut told = SurtRules { rules: Vec::new(), untold: Vec::new() };
    for ((line, form), dropped) in list.iter().zip(forms).zip(dropped) {
        match form.filter(|_| !dropped) {
            Some(surt) => told.rules.push(Rule { include: taken(line.verdict), surt }),
            None => told.untold.push(line.text.clone()),
        }
    }
    told
}

fn form(address: &str) -> Option<Surt> {
    Url::parse(address).ok().and_then(|url| Surt::from_url(&url))
}
