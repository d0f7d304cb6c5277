//! A part of a survey as if it were the whole: what lies outside is known, and belongs to somebody else.
//!
//! Pages outside are told as out of scope, and links that stand on them are not told at all; links that lead to them are, so that
//! a page of the part that links to a dead page outside still does. Cost: a look-up a page.

use std::io;

use groma_model::{Fp, PageId};

use crate::evidence::{Completeness, Evidence, PageFacts, PageLinks};

/// Evidence of a part of a survey.
pub struct Within<'a> {
    of: &'a mut dyn Evidence,
    inside: &'a [bool],
}

impl<'a> Within<'a> {
    /// The part of some evidence whose pages are marked, by their numbers.
    pub fn new(of: &'a mut dyn Evidence, inside: &'a [bool]) -> Within<'a> {
        Within { of, inside }
    }
}

fn holds(inside: &[bool], id: PageId) -> bool {
    inside.get(id.0 as usize).copied().unwrap_or(false)
}

fn told<'p>(inside: &[bool], page: &PageFacts<'p>) -> PageFacts<'p> {
    PageFacts { in_scope: page.in_scope && holds(inside, page.id), ..*page }
}

impl Evidence for Within<'_> {
    fn pages(&mut self, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        let inside = self.inside;
        self.of.pages(&mut |page| call(&told(inside, page)))
    }

    fn links(&mut self, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        let inside = self.inside;
        self.of.links(&mut |page| {
            if holds(inside, page.id) {
                call(page);
            }
        })
    }

    fn url(&mut self, id: PageId) -> io::Result<String> {
        self.of.url(id)
    }

    fn page(&mut self, id: PageId, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        let inside = self.inside;
        self.of.page(id, &mut |page| call(&told(inside, page)))
    }

    fn links_of(&mut self, id: PageId, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        if holds(self.inside, id) { self.of.links_of(id, call) } else { Ok(()) }
    }

    fn completeness(&mut self) -> io::Result<Completeness> {
        self.of.completeness()
    }

    fn error_texts(&mut self) -> io::Result<Vec<Fp>> {
        self.of.error_texts()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;
    use crate::memory::Survey;
    use crate::{Kind, Options, check};

    #[test]
    fn what_is_wrong_outside_is_not_told_and_dead_ends_of_the_part_are() {
        let mut survey = Survey::default();
        let (home, other) = (survey.indexed("http://a.test/"), survey.indexed("http://b.test/"));
        let (gone, far) =
            (survey.add("http://b.test/gone", Reason::NotFound), survey.add("http://c.test/", Reason::NotFound));
        survey.link(home, gone, "x");
        survey.link(home, other, "y");
        survey.link(other, far, "z");
        let mut found = Vec::new();
        let inside = [true, false, false, false];
        let mut told = |finding: &mut crate::Finding| {
            found.push((finding.kind, finding.from.clone()));
            Ok(())
        };
        check(&mut Within::new(&mut survey, &inside), &Options::default(), &mut told).unwrap();
        let invalid: Vec<&String> =
            found.iter().filter(|(kind, _)| *kind == Kind::InvalidLink).map(|(_, from)| from).collect();
        assert_eq!(invalid, ["http://a.test/"]);
        assert!(found.iter().all(|(_, from)| from.starts_with("http://a.test/")), "{found:?}");
    }
}
