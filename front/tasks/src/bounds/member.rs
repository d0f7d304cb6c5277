//! The pages of a site that is kept, one by one; any member of its family as beginnings of URLs; the site as a scope.
//!
//! Kept are the pages of all members of the family and those that may belong to it, each with its side, step and confidence. Of
//! every other page the line of the list that it begins with tells where it stands and how sure that is.
//! Cost: one pass over the pages of the survey, with a look-up in the list for each. Not guaranteed: that pages which were read
//! since are judged well; they were not there when the site was found.

use std::borrow::Cow;
use std::collections::HashMap;

use groma_bounds::prefixes::{self, Standing};
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_store::bounds::{Member, Side};
use groma_survey_graph::{LinkSet, PageWeb, Standings};

use super::site::marks;
use super::{Header, Prefix, Site, adapt};

/// The pages of a survey by their numbers: what a site that is kept is looked at on.
#[derive(Debug)]
pub struct Ground {
    standings: Standings,
    pages: Vec<bool>,
}

/// A page, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPage<'a> {
    pub number: u32,
    pub address: &'a str,
    /// On which side it is.
    pub side: Side,
    /// How sure that is.
    pub confidence: f32,
    /// The first member of the family it is in.
    pub step: Option<u32>,
    /// What speaks for it, and for all pages that have their verdict from the same line.
    pub reason: Cow<'a, str>,
}

impl Ground {
    /// Reads pages and their states from a survey.
    pub fn read(store: &mut dyn Snapshot) -> Result<Ground, Fault> {
        let PageWeb { standings, pages, .. } = PageWeb::read(store, LinkSet::Pages, None)?;
        Ok(Ground { standings, pages })
    }

    /// The numbers of the pages that take part, ascending, from one on.
    fn from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        (first..self.standings.count()).filter(|page| self.pages.get(*page as usize).copied().unwrap_or(false))
    }
}

impl Header {
    /// The members that are about as large as the chosen one and come before it, and itself: the first and the last.
    pub fn plateau(&self) -> (usize, usize) {
        let step = |step: &super::PriceStep| groma_bounds::FamilyStep {
            epsilon: step.epsilon,
            size: step.size,
            boundary: step.boundary,
            inside: step.inside,
        };
        let steps: Vec<groma_bounds::FamilyStep> = self.family.iter().map(step).collect();
        let holds = |one: &groma_bounds::Plateau| (one.first..=one.last).contains(&self.chosen);
        groma_bounds::plateaus(&steps)
            .into_iter()
            .find(holds)
            .map_or((self.chosen, self.chosen), |one| (one.first, self.chosen))
    }
}

impl Site {
    fn kept(&self, page: u32) -> Option<&Member> {
        // They are kept in order of their numbers.
        let at = self.members.binary_search_by_key(&page, |member| member.page.0).ok()?;
        self.members.get(at)
    }

    /// Every page that takes part, in order of their numbers, from one on.
    pub fn pages<'a>(&'a self, ground: &'a Ground, first: u32) -> impl Iterator<Item = KeptPage<'a>> {
        let matcher = adapt::matcher(&self.prefixes);
        let (beside, lines): (Vec<&Prefix>, Vec<&Prefix>) = self.prefixes.iter().partition(|line| line.beside);
        let beside: HashMap<&str, &Prefix> = beside.into_iter().map(|place| (place.prefix.as_str(), place)).collect();
        ground.from(first).map(move |number| {
            let address = ground.standings.names.url(number);
            let line = matcher.line(address).and_then(|line| lines.get(line).copied());
            let line = line.or_else(|| places(address).into_iter().find_map(|place| beside.get(place).copied()));
            let kept = self.kept(number);
            let side = kept.map_or_else(|| side(matcher.standing(address)), |member| member.side);
            KeptPage {
                number,
                address,
                side,
                confidence: kept.map(|m| m.confidence).or(line.map(|line| line.confidence)).unwrap_or(0.0),
                step: kept.map(|member| member.step).filter(|step| *step != u32::MAX),
                reason: self.reason(line, kept),
            }
        })
    }

    fn reason<'a>(&'a self, line: Option<&'a Prefix>, kept: Option<&Member>) -> Cow<'a, str> {
        if let Some(line) = line.filter(|line| !line.reason.is_empty()) {
            return Cow::Borrowed(&line.reason);
        }
        // No line speaks of it: it is out, as all is that the list passes over.
        match kept.and_then(|member| self.header.family.get(member.step as usize)) {
            Some(step) => Cow::Owned(joins_at(step.epsilon)),
            None => Cow::Borrowed("it joins at no price that was tried"),
        }
    }

    /// A member of the family as beginnings of URLs. Nobody has weighed its pages one by one, so there are no reasons.
    pub fn at(&self, ground: &Ground, step: usize) -> Vec<Prefix> {
        let page = |number: u32| {
            let kept = self.kept(number).filter(|member| member.step as usize <= step && member.step != u32::MAX);
            prefixes::Page {
                address: ground.standings.names.url(number),
                standing: if kept.is_some() { Standing::In } else { Standing::Out },
                confidence: kept.map_or(0.0, |member| member.confidence),
            }
        };
        let told = |line: prefixes::Prefix| Prefix {
            prefix: line.text,
            single: line.single,
            verdict: line.verdict.name().to_owned(),
            pages: line.pages,
            inside: line.inside,
            undecided: line.undecided,
            decides: line.decides,
            confidence: line.confidence,
            beside: false,
            reason: String::new(),
        };
        prefixes::list(ground.from(0).map(page)).into_iter().map(told).collect()
    }

    /// By number of a URL: does it belong to the site?
    pub fn inside(&self, ground: &Ground) -> Vec<bool> {
        let side = |page: u32| self.kept(page).map(|member| member.side == Side::In);
        marks(&ground.standings, &adapt::matcher(&self.prefixes), &side)
    }

    /// The site as SURT prefixes, and the URLs that no such prefix can tell apart.
    pub fn surt(&self, ground: &Ground) -> (String, Vec<String>) {
        adapt::as_surt(&self.prefixes, ground.from(0).map(|page| ground.standings.names.url(page)))
    }
}

/// What lies beside a site is told by folder or by host.
fn places(address: &str) -> [&str; 2] {
    let host = address.find("://").map_or(0, |at| at + 3);
    let root = address[host..].find('/').map_or(address.len(), |at| host + at + 1);
    let folder = address[root..].find(['/', '?', '#']).filter(|at| address[root + at..].starts_with('/'));
    [&address[..folder.map_or(root, |at| root + at + 1)], &address[..root]]
}

fn side(standing: Standing) -> Side {
    match standing {
        Standing::In => Side::In,
        Standing::Undecided => Side::Undecided,
        Standing::Out => Side::Out,
    }
}

fn joins_at(price: f64) -> String {
    format!("it would join at the lower price {}", groma_bounds::plain_price(price))
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn places_beside_a_site_are_folders_and_hosts() {
        assert_eq!(places("https://a.example/b/c?d=/e"), ["https://a.example/b/", "https://a.example/"]);
        assert_eq!(places("https://a.example/b?d=/e"), ["https://a.example/", "https://a.example/"]);
        assert_eq!(places("https://a.example/"), ["https://a.example/", "https://a.example/"]);
        assert_eq!(places("node 7"), ["node 7", "node 7"]);
        assert_eq!(places(""), ["", ""]);
        assert_eq!(places("ž://ž"), ["ž://ž", "ž://ž"]);
    }
}
