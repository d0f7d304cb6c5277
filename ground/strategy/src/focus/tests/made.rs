//! A made web: pages with texts, types and links.

use groma_model::{
    Block, BlockKind, Depth, Link, LinkKind, LinkPart, PageId, PageType, ParsedPage, Part, PartKind, Parts, Reason,
    Rel, Target,
};
use groma_topic::Topic;

use crate::focus::{Focus, FocusOrder, Settings};
use crate::{Command, Lead, Memory, Plan, Strategy, Visit};

/// A page of the web: what comes of fetching it, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) address: String,
    pub(crate) reason: Reason,
    pub(crate) same_as: Option<u32>,
    pub(crate) page: ParsedPage,
    pub(crate) to: Vec<u32>,
}

/// A generated web: its pages by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Web(pub(crate) Vec<Made>);

impl Web {
    /// Adds an article with this abstract; without one it is of the type `Other`.
    pub(crate) fn add(&mut self, address: &str, text: &str) -> u32 {
        let content = vec![Part { kind: PartKind::Abstract, text: text.into(), confidence: 90 }];
        let parts = Parts { page_type: PageType::Article, confidence: 90, content, ..Parts::default() };
        let blocks = vec![Block { kind: BlockKind::Paragraph, text: text.into() }];
        let page = ParsedPage { blocks, parts: Some(Box::new(parts)), ..ParsedPage::default() };
        let address = format!("http://a.example/{address}");
        self.0.push(Made { address, reason: Reason::Fetched, same_as: None, page, to: Vec::new() });
        self.0.len() as u32 - 1
    }

    /// Adds a page of another type.
    pub(crate) fn add_as(&mut self, page_type: PageType, address: &str, text: &str) -> u32 {
        let number = self.add(address, text);
        if let Some(parts) = self.0[number as usize].page.parts.as_deref_mut() {
            (parts.page_type, parts.content) = (page_type, Vec::new());
        }
        number
    }

    pub(crate) fn link(&mut self, from: u32, to: u32, text: &str, kind: PartKind) {
        let made = &mut self.0[from as usize];
        let target = Target::Malformed(format!("to {to}"));
        let block = BlockKind::ListItem;
        made.page.links.push(Link { target, kind: LinkKind::Anchor, text: text.into(), rel: Rel::default(), block });
        made.page.blocks.push(Block { kind: block, text: text.into() });
        if let Some(parts) = made.page.parts.as_deref_mut() {
            parts.links.push(LinkPart { kind, confidence: 90, path: 0 });
        }
        made.to.push(to);
    }

    /// Walks as the engine does, and gives the pages in the order in which they were wanted.
    pub(crate) fn walk(&self, focus: &mut Focus, seeds: &[u32]) -> Vec<u32> {
        let mut order = Vec::new();
        let mut plan = Plan::default();
        focus.begin(&seeds.iter().map(|seed| PageId(*seed)).collect::<Vec<_>>(), &mut plan);
        for round in 0..100_000 {
            let mut wanted = Vec::new();
            let mut stops = false;
            for command in &plan.commands {
                match command {
                    Command::Want(page, _) => wanted.push(page.0),
                    Command::Stop => stops = true,
                    Command::Drop(..) => {}
                }
            }
            if stops || wanted.is_empty() {
                assert!(focus.ended().is_some() || seeds.is_empty() || focus.settings().budget == 0);
                return order;
            }
            for page in wanted {
                order.push(page);
                self.show(focus, page);
            }
            plan = Plan::default();
            focus.round(round, &mut plan);
        }
        panic!("it does not end");
    }

    fn show(&self, focus: &mut Focus, page: u32) {
        let made = &self.0[page as usize];
        focus.meet(PageId(page), &made.address);
        let same_as = made.same_as.map(PageId);
        if made.reason != Reason::Fetched {
            return focus
                .visit(&Visit { same_as, ..Visit::without_content(PageId(page), made.reason) }, &mut Plan::default());
        }
        let mut leads: Vec<Lead> = Vec::new();
        for (at, &to) in made.to.iter().enumerate() {
            focus.meet(PageId(to), &self.0[to as usize].address);
            leads.push(Lead { page: PageId(to), kind: LinkKind::Anchor, link: Some(at) });
        }
        let visit =
            Visit { parsed: Some(&made.page), leads: &leads, ..Visit::without_content(PageId(page), made.reason) };
        focus.visit(&Visit { depth: Depth(1), ..visit }, &mut Plan::default());
    }
}

/// A crawl for "machine translation", a page at a time.
pub(crate) fn focus(which: FocusOrder, budget: u32) -> Focus {
    let mut settings = Settings::new(Topic::words("machine translation"), which, budget);
    (settings.batch, settings.net.layer) = (1, 1);
    Focus::new(settings)
}
