//! Layers: breadth first by link distance (paper 000, sections 2.1 and 2.3).
//!
//! ```text
//! layer(0) = start pages;  layer(i + 1) = pages linked from layer(i) that are in no earlier layer
//! ```
//!
//! A round is a layer, and a layer is begun only when the one before is finished, so every distance is the shortest one and
//! whoever reads the store sees whole layers. Pages beyond the greatest depth are registered, not fetched. A redirect costs no
//! distance: its target belongs to the layer of the page that redirects. Loose pages (no link leads to them) come last, as one
//! layer of their own, and only when no depth limit is set: they have no distance that could be within it.
//!
//! State: none. The queue in the store, ordered by layer, is all there is to know; O(1) per lead.

use groma_model::{Depth, LinkKind, PageId, Reason};

use crate::{Plan, Priority, Strategy, Visit};

/// Breadth first up to a greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    max_depth: Option<u32>,
}

impl Layers {
    /// Up to this link distance from the start pages; `None`: as far as links lead.
    pub fn new(max_depth: Option<u32>) -> Layers {
        Layers { max_depth }
    }

    /// The command for a page at this distance.
    fn place(&self, page: PageId, depth: Depth, plan: &mut Plan) {
        match (depth.known(), self.max_depth) {
            (Some(d), Some(max)) if d > max => plan.drop(page, Reason::DepthLimit),
            (None, Some(_)) => plan.drop(page, Reason::Loose),
            _ => plan.want(page, Priority { round: depth.0, rank: 0 }),
        }
    }
}

impl Strategy for Layers {
    fn name(&self) -> &'static str {
        "layers"
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        for &seed in seeds {
            self.place(seed, Depth(0), plan);
        }
    }

    fn visit(&mut self, visit: &Visit<'_>, plan: &mut Plan) {
        for lead in visit.leads {
            let depth = match lead.kind {
                LinkKind::Redirect => visit.depth,
                LinkKind::Sitemap => Depth::LOOSE,
                _ => visit.depth.next(),
            };
            self.place(lead.page, depth, plan);
        }
    }

    fn round(&mut self, _finished: u32, _plan: &mut Plan) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Lead};

    fn visit(strategy: &mut Layers, depth: Depth, kind: LinkKind) -> Command {
        let leads = [Lead { page: PageId(9), kind, link: None }];
        let mut plan = Plan::default();
        let visit = Visit { depth, leads: &leads, ..Visit::without_content(PageId(1), Reason::Fetched) };
        strategy.visit(&visit, &mut plan);
        plan.commands.remove(0)
    }

    fn want(round: u32) -> Command {
        Command::Want(PageId(9), Priority { round, rank: 0 })
    }

    #[test]
    fn a_link_leads_one_layer_on_and_a_redirect_none() {
        let mut layers = Layers::new(None);
        assert_eq!(visit(&mut layers, Depth(3), LinkKind::Anchor), want(4));
        assert_eq!(visit(&mut layers, Depth(3), LinkKind::Redirect), want(3));
    }

    #[test]
    fn beyond_the_greatest_depth_pages_are_registered() {
        let mut layers = Layers::new(Some(2));
        assert_eq!(visit(&mut layers, Depth(1), LinkKind::Anchor), want(2));
        assert_eq!(visit(&mut layers, Depth(2), LinkKind::Anchor), Command::Drop(PageId(9), Reason::DepthLimit));
        assert_eq!(visit(&mut layers, Depth(2), LinkKind::Redirect), want(2));
    }

    #[test]
    fn loose_pages_come_last_and_stay_out_when_depth_is_limited() {
        assert_eq!(visit(&mut Layers::new(None), Depth(0), LinkKind::Sitemap), want(u32::MAX));
        assert_eq!(visit(&mut Layers::new(None), Depth::LOOSE, LinkKind::Anchor), want(u32::MAX));
        let dropped = Command::Drop(PageId(9), Reason::Loose);
        assert_eq!(visit(&mut Layers::new(Some(5)), Depth(0), LinkKind::Sitemap), dropped);
    }
}
