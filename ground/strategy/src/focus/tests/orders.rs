//! Small webs whose order is known.

use groma_model::{PageId, PageType, PartKind, Reason};

use super::made::{Web, focus};
use crate::focus::{End, FocusOrder};

/// A start page with three links, of which the last is the nearest, and a page behind each.
fn fork() -> Web {
    let mut web = Web::default();
    let home = web.add_as(PageType::List, "", "papers");
    for (at, text) in ["cooking for friends", "machine learning", "machine translation"].iter().enumerate() {
        let page = web.add(&format!("p/{at}"), text);
        web.link(home, page, text, PartKind::List);
    }
    for from in 1..4 {
        let page = web.add(&format!("q/{from}"), "something else");
        web.link(from, page, "more", PartKind::Related);
    }
    web
}

#[test]
fn breadth_first_takes_pages_as_they_come() {
    let mut crawl = focus(FocusOrder::Bfs, 10);
    assert_eq!(fork().walk(&mut crawl, &[0]), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(crawl.ended(), Some(End::FrontierExhausted));
    assert_eq!(crawl.steps().iter().filter(|step| step.is_relevant()).count(), 1);
}

#[test]
fn the_others_take_the_nearest_first() {
    for which in [FocusOrder::BestFirst, FocusOrder::Hopfield, FocusOrder::HopfieldBlock, FocusOrder::Arms] {
        let mut crawl = focus(which, 10);
        let order = fork().walk(&mut crawl, &[0]);
        assert_eq!(order[..2], [0, 3], "{which:?}");
        let place = |page| order.iter().position(|of| *of == page);
        assert!(place(2) < place(1), "{which:?}: {order:?}");
        assert!(crawl.steps()[1].is_relevant() && crawl.steps()[1].parent == Some(PageId(0)));
    }
}

#[test]
fn a_budget_is_kept_and_named() {
    for which in FocusOrder::ALL {
        let mut crawl = focus(which, 3);
        assert_eq!(fork().walk(&mut crawl, &[0]).len(), 3, "{which:?}");
        assert_eq!((crawl.ended(), crawl.fetched()), (Some(End::Budget), 3));
        assert!(focus(which, 0).ended().is_none());
        assert_eq!(fork().walk(&mut focus(which, 0), &[0]).len(), 0);
    }
}

#[test]
fn noise_is_dropped_and_other_pages_are_not_expanded_by_parts() {
    let mut web = Web::default();
    let home = web.add_as(PageType::List, "", "papers");
    let other = web.add_as(PageType::Other, "other", "machine translation");
    let advert = web.add("advert", "machine translation");
    let behind = web.add("behind", "machine translation");
    let paper = web.add("paper", "machine translation");
    let menu = web.add("menu", "machine translation");
    web.link(home, other, "machine translation", PartKind::List);
    web.link(home, advert, "machine translation", PartKind::Noise);
    web.link(home, paper, "machine translation", PartKind::List);
    web.link(other, behind, "machine translation", PartKind::List);
    web.link(paper, menu, "machine translation", PartKind::Menu);
    let mut order = web.walk(&mut focus(FocusOrder::HopfieldBlock, 10), &[home]);
    order.sort_unstable();
    assert_eq!(order, [home, other, paper]);
    assert_eq!(web.walk(&mut focus(FocusOrder::Hopfield, 10), &[home]).len(), 6);
}

#[test]
fn arms_learn_which_addresses_pay_and_that_lists_lead_on() {
    let mut web = Web::default();
    let home = web.add_as(PageType::List, "", "volumes and people");
    // Links without a word on the topic: people lead nowhere, volumes to papers.
    for at in 0..30 {
        let person = web.add_as(PageType::Other, &format!("people/p{at}"), "a person");
        web.link(home, person, "a person", PartKind::List);
        let volume = web.add_as(PageType::List, &format!("volumes/v{at}"), "a volume");
        web.link(home, volume, "a volume", PartKind::List);
        for n in 0..3 {
            let text = if n == 0 { "cooking" } else { "machine translation" };
            let paper = web.add(&format!("papers/{at}-{n}"), text);
            web.link(volume, paper, text, PartKind::List);
        }
    }
    let harvest = |which| {
        let mut crawl = focus(which, 90);
        web.walk(&mut crawl, &[home]);
        crawl.steps().iter().filter(|step| step.is_relevant()).count()
    };
    let (arms, best) = (harvest(FocusOrder::Arms), harvest(FocusOrder::BestFirst));
    assert!(arms >= 50 && arms > best, "{arms} {best}");
}

#[test]
fn when_everything_is_refused_or_gone_it_ends() {
    for (reason, fetched) in [(Reason::Robots, 1), (Reason::NotFound, 4), (Reason::Forbidden, 4)] {
        let mut web = fork();
        web.0[1..].iter_mut().for_each(|made| made.reason = reason);
        for which in FocusOrder::ALL {
            let mut crawl = focus(which, 10);
            let order = web.walk(&mut crawl, &[0]);
            let expected = if which == FocusOrder::HopfieldBlock || order.len() < 4 { order.len() } else { 4 };
            assert_eq!(order.len(), expected, "{which:?}");
            assert!(crawl.fetched() <= fetched, "{which:?} {reason:?}");
            assert!(matches!(crawl.ended(), Some(End::FrontierExhausted | End::WeightTooLow { .. })));
        }
    }
    let mut web = fork();
    web.0[0].reason = Reason::TimeOut;
    for which in FocusOrder::ALL {
        let mut crawl = focus(which, 10);
        assert_eq!(web.walk(&mut crawl, &[0]), [0]);
        assert_eq!(crawl.ended(), Some(End::FrontierExhausted));
        assert!(crawl.steps()[0].relevance.is_none());
    }
}

#[test]
fn a_redirect_hands_its_weight_on() {
    let mut web = fork();
    let target = web.add("target", "machine translation");
    (web.0[0].reason, web.0[0].same_as) = (Reason::Redirected, Some(target));
    web.link(target, 3, "machine translation", PartKind::List);
    for which in FocusOrder::ALL {
        let order = web.walk(&mut focus(which, 10), &[0]);
        assert_eq!(order[..3], [0, target, 3], "{which:?}");
    }
}

#[test]
fn a_page_is_explained() {
    let mut crawl = focus(FocusOrder::Arms, 10);
    fork().walk(&mut crawl, &[0]);
    let found = crawl.explain(PageId(3)).unwrap();
    assert_eq!(found.parents, [PageId(0)]);
    assert_eq!(found.address, "http://a.example/p/2");
    let step = found.step.unwrap();
    assert!(step.is_relevant() && step.arm.as_deref() == Some("a.example/p/# in list"));
    assert!(step.relevance.unwrap().cosines.iter().any(|(kind, cosine)| *kind == PartKind::Abstract && *cosine > 0.5));
    assert!(crawl.explain(PageId(99)).is_none());
}

#[test]
fn pages_without_parts_are_read_as_a_whole() {
    let mut web = fork();
    web.0.iter_mut().for_each(|made| made.page.parts = None);
    for which in FocusOrder::ALL {
        let mut crawl = focus(which, 10);
        web.walk(&mut crawl, &[0]);
        assert!(crawl.steps().iter().any(|step| step.page == PageId(3) && step.is_relevant()), "{which:?}");
    }
}

#[test]
fn the_text_behind_a_link_speaks_for_it() {
    let mut web = Web::default();
    let home = web.add_as(PageType::List, "", "papers");
    for at in 0..4 {
        let page = web.add(&format!("p/{at}"), if at == 2 { "machine translation" } else { "cooking" });
        web.link(home, page, &format!("paper number {at}"), PartKind::List);
        let text = if at == 2 { "We translate by machine." } else { "We cook by hand." };
        let kind = groma_model::BlockKind::Paragraph;
        web.0[home as usize].page.blocks.push(groma_model::Block { kind, text: text.into() });
    }
    assert_eq!(web.walk(&mut focus(FocusOrder::Arms, 2), &[home]), [home, 3]);
    assert_eq!(web.walk(&mut focus(FocusOrder::BestFirst, 2), &[home]), [home, 1]);
}
