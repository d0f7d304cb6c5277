//! IN, UNDECIDED or OUT, how sure, and why: what a page's place in the family and its links say.
//!
//! ```text
//! e        the price at which the plateau of the chosen member ends;  e(p)  the price at which page p joins;  L  as the plateau stands
//! inside   sure = 1 - exp(-ln(e(p) / e)) / 2
//! outside  sure = 1 - exp(-(ln(e / e(p)) + L / 2)) / 2
//! ```
//!
//! So a page that joined at the last moment is a toss-up, and one that would join only at a tenth of the price is out at .95 or more.
//! An outside page below [`DECIDED`] is undecided. What people said is sure. Our own measure: it orders pages by how firmly the
//! cut places them, and is no probability.
//! Cost: O(pages + links) once, then constant for each page.

use std::fmt;

use crate::choice::plateaus;
use crate::process::{FoundSite, Start, turned};
use crate::{Method, Web};

/// Where a page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It belongs to the site.
    In,
    /// It may belong to the site.
    Undecided,
    /// It does not belong to the site.
    Out,
}

impl Verdict {
    pub const ALL: [Verdict; 3] = [Verdict::In, Verdict::Undecided, Verdict::Out];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::In => "in",
            Verdict::Undecided => "undecided",
            Verdict::Out => "out",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What speaks for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// It is a start page.
    Start,
    /// A person accepted it.
    Accepted,
    /// A person rejected it.
    Rejected,
    /// It is in the cluster of a start page.
    Clustered(Links),
    /// The cut leaves it on this side.
    Cut(Links),
    /// No links join it to any page.
    Unlinked,
}

/// How a page is linked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Links from it to the site.
    pub to_site: u32,
    /// Links from the site to it.
    pub from_site: u32,
    /// Links from and to other pages.
    pub elsewhere: u32,
}

impl fmt::Display for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Links { to_site, from_site, elsewhere } = self;
        write!(f, "links: {to_site} to the site, {from_site} from it, {elsewhere} elsewhere")
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Start => f.write_str("start page"),
            Because::Accepted => f.write_str("accepted by hand"),
            Because::Rejected => f.write_str("rejected by hand"),
            Because::Clustered(links) => write!(f, "in the cluster of a start page; {links}"),
            Because::Cut(links) => links.fmt(f),
            Because::Unlinked => f.write_str("no links join it to other pages"),
        }
    }
}

/// Sure enough to be said.
pub const DECIDED: f32 = 0.65;

/// A verdict on one page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// How sure, from 0.5 to 1.
    pub confidence: f32,
    /// What speaks for it.
    pub because: Because,
}

/// Judges the pages of a web by a site that was found in it.
#[derive(Debug)]
pub struct Judge<'a> {
    web: &'a Web<'a>,
    found: &'a FoundSite,
    start: &'a Start,
    turned: groma_graph::Csr,
    /// The price at which the plateau ends, and over how many e-folds it stands.
    ends: f64,
    stands: f64,
}

impl<'a> Judge<'a> {
    /// A judge. The lists of the start are expected in order.
    pub fn new(web: &'a Web<'a>, found: &'a FoundSite, start: &'a Start) -> Judge<'a> {
        let plateau = plateaus(&found.family).into_iter().find(|p| (p.first..=p.last).contains(&found.chosen));
        let price = |member: usize| found.family.get(member).map_or(0.0, |step| step.epsilon);
        let (ends, stands) = match plateau {
            Some(plateau) if price(found.chosen) > 0.0 => {
                (price(found.chosen), (price(plateau.first) / price(plateau.last)).ln().max(0.0))
            }
            _ => (0.0, 0.0),
        };
        Judge { web, found, start, turned: turned(web.graph), ends, stands }
    }

    /// The verdict on a node.
    pub fn judge(&self, node: u32) -> Judgement {
        let inside = self.found.is_inside(node);
        let named = |list: &[u32]| list.binary_search(&node).is_ok();
        if named(&self.start.rejected) {
            return Judgement { verdict: Verdict::Out, confidence: 1.0, because: Because::Rejected };
        }
        if inside && named(&self.start.accepted) {
            return Judgement { verdict: Verdict::In, confidence: 1.0, because: Because::Accepted };
        }
        if inside && named(&self.start.seeds) {
            return Judgement { verdict: Verdict::In, confidence: 1.0, because: Because::Start };
        }
        let links = self.links(node);
        let confidence = self.confidence(node, inside);
        let verdict = match inside {
            true => Verdict::In,
            false if confidence < DECIDED => Verdict::Undecided,
            false => Verdict::Out,
        };
        let because = if links == Links::default() {
            Because::Unlinked
        } else if inside && self.found.core.binary_search(&node).is_ok() {
            Because::Clustered(links)
        } else {
            Because::Cut(links)
        };
        Judgement { verdict, confidence, because }
    }

    fn confidence(&self, node: u32, inside: bool) -> f32 {
        if self.found.method == Method::Mcl || self.ends <= 0.0 {
            return self.share(node, inside);
        }
        let since = self.found.since.get(node as usize).copied().unwrap_or(u32::MAX) as usize;
        // What never joined would at a tenth of the lowest price at best.
        let lowest = || self.found.family.last().map_or(self.ends, |step| step.epsilon / 10.0);
        let joins = self.found.family.get(since).map_or_else(lowest, |step| step.epsilon);
        let folds = (joins / self.ends).ln().abs() + if inside { 0.0 } else { self.stands / 2.0 };
        (1.0 - (-folds).exp() / 2.0) as f32
    }

    /// Where there was no sweep: the share of its links that speak for the verdict.
    fn share(&self, node: u32, inside: bool) -> f32 {
        let Links { to_site, from_site, elsewhere } = self.links(node);
        let (with, all) = (to_site + from_site, to_site + from_site + elsewhere);
        let share = if all == 0 { 0.0 } else { with as f32 / all as f32 };
        (if inside { share } else { 1.0 - share }).max(0.5)
    }

    fn links(&self, node: u32) -> Links {
        let mut links = Links::default();
        if node >= self.web.node_count() {
            return links;
        }
        for &to in self.web.graph.successors(node).iter().filter(|&&to| self.web.is_page(to)) {
            *if self.found.is_inside(to) { &mut links.to_site } else { &mut links.elsewhere } += 1;
        }
        for &from in self.turned.successors(node).iter().filter(|&&from| self.web.is_page(from)) {
            *if self.found.is_inside(from) { &mut links.from_site } else { &mut links.elsewhere } += 1;
        }
        links
    }
}
