//! Why a search stops, and odd input.

use groma_model::{PageId, Reason};

use super::web::{Kind, Web, inside, searched};
use crate::overflow::{Budget, Direction, Next, Outcome, Overflow, PriceStep, Prices, Settings, Stop};
use crate::{Command, Memory, Plan, Strategy, Visit};

/// Two sites of 100 pages side by side, each page of one linked to all of its own; a link of every tenth leads across.
fn neighbours() -> Web {
    let mut web = Web { addresses: Vec::new(), kinds: Vec::new() };
    for page in 0..200u32 {
        let site = page / 100;
        web.addresses.push(format!("http://h/s{site}/f/p{page}"));
        let own = (0..20).map(|step| site * 100 + (page * 7 + step * step) % 100);
        let across = (page % 10 == 0).then_some((page + 100) % 200);
        web.kinds.push(Kind::Page(own.chain(across).collect()));
    }
    web
}

fn settings() -> Settings {
    Settings { sigma: 1.0, budget: Budget { pages: None, share: 0.2, least: 10 }, ..Settings::default() }
}

fn outcome(settings: Settings, prices: &[f64]) -> Outcome {
    searched(&neighbours(), settings, Prices::falling(prices), &[0]).0.outcome()
}

#[test]
fn a_site_is_settled_at_each_price() {
    let found = outcome(settings(), &[0.05, 0.03]);
    assert_eq!(found.account.steps.iter().map(|step| step.size).collect::<Vec<_>>(), [100, 100]);
    assert_eq!(found.account.chosen, Some(1));
    assert!(matches!(found.account.stop, Stop::Settled | Stop::BelowThreshold));
    assert_eq!(found.inside.len(), 100);
    assert!(found.since.iter().all(|(_, since)| *since == 0));
}

#[test]
fn a_price_at_which_the_site_leaks_is_given_up() {
    let found = outcome(settings(), &[0.05, 1e-6]);
    assert_eq!(found.account.stop, Stop::Leaked { price: 1e-6 });
    assert_eq!(found.account.steps.len(), 1);
    assert_eq!(found.account.chosen, Some(0));
    assert_eq!(found.inside.len(), 100);
    let before = found.account.steps[0].fetches;
    assert!(found.account.fetches <= before + 20, "{} after {before}", found.account.fetches);
    let patient = Settings { budget: Budget { share: 2.0, ..settings().budget }, ..settings() };
    assert_eq!(outcome(patient, &[0.05, 1e-6]).inside.len(), 200);
}

#[test]
fn the_budget_of_pages_is_kept() {
    let bounded = |pages| Settings { budget: Budget { pages: Some(pages), ..settings().budget }, ..settings() };
    for pages in [0, 1, 17, 60] {
        let found = outcome(bounded(pages), &[0.05]);
        assert_eq!(found.account.stop, Stop::PageBudget);
        // Seeds are asked for before anything is known.
        assert!(found.account.fetches <= pages.max(1), "{} of {pages}", found.account.fetches);
        assert_eq!(found.account.chosen, None);
    }
    assert_ne!(outcome(bounded(150), &[0.05]).account.stop, Stop::PageBudget);
}

#[test]
fn who_chooses_sees_every_step_and_has_the_last_word() {
    let choose = |steps: &[PriceStep]| match steps.len() {
        1 => Next::Lower(0.04),
        2 => Next::Lower(0.03),
        _ => Next::Done { chosen: 1 },
    };
    let (strategy, _) = searched(&neighbours(), settings(), (0.05, choose), &[0]);
    let account = strategy.account();
    assert_eq!(account.steps.iter().map(|step| step.price).collect::<Vec<_>>(), [0.05, 0.04, 0.03]);
    assert_eq!(account.chosen, Some(1));
    // One who never gets lower, or points at nothing, ends the search all the same.
    let (strategy, _) = searched(&neighbours(), settings(), (0.05, |_: &[PriceStep]| Next::Lower(0.05)), &[0]);
    assert_eq!((strategy.account().steps.len(), strategy.account().chosen), (1, Some(0)));
    let (strategy, _) = searched(&neighbours(), settings(), (0.05, |_: &[PriceStep]| Next::Done { chosen: 9 }), &[0]);
    assert_eq!(strategy.account().chosen, Some(0));
}

#[test]
fn overflow_below_the_threshold_is_left_and_told() {
    let lax = Settings { threshold: 100.0, ..settings() };
    let found = outcome(lax, &[0.01]);
    assert_eq!(found.account.stop, Stop::BelowThreshold);
    assert!(found.account.steps[0].left > 0.0);
    assert!(found.account.fetches < 100);
}

#[test]
fn while_it_runs_it_says_so_and_the_last_step_stands() {
    let mut strategy = Overflow::new(settings(), Prices::one(0.05));
    let mut plan = Plan::default();
    strategy.begin(&[PageId(0)], &mut plan);
    assert_eq!(strategy.account().stop, Stop::Unfinished);
    assert!(strategy.outcome().inside.is_empty());
    let (key, text) = strategy.report().unwrap();
    assert_eq!((key, text.lines().next()), ("overflow", Some("stop unfinished")));
}

#[test]
fn odd_input_is_borne() {
    let mut odd = Web { addresses: vec![String::new(), "::::".into(), "http://h/".into()], kinds: Vec::new() };
    odd.kinds = vec![Kind::Page(vec![0, 0, 1, 1, 2]), Kind::Page(vec![1, 0]), Kind::Page(vec![])];
    for price in [f64::NAN, f64::INFINITY, 0.0, -1.0, 1e-300, 1e300] {
        for direction in [Direction::Both, Direction::Forward] {
            let settings = Settings { sigma: f64::NAN, direction, threshold: f64::NAN, batch: f64::NAN, ..settings() };
            let (strategy, _) = searched(&odd, settings, (price, |_: &[PriceStep]| Next::Lower(f64::NAN)), &[0, 0]);
            assert!(inside(&strategy).contains(&0), "{price}");
        }
    }
    // No start page, none that exists, none of a price.
    assert!(searched(&odd, settings(), Prices::one(0.1), &[]).0.outcome().inside.is_empty());
    odd.kinds[0] = Kind::Dead;
    assert!(searched(&odd, settings(), Prices::one(0.1), &[0]).0.outcome().inside.is_empty());
    assert_eq!(searched(&neighbours(), settings(), Prices::falling(&[f64::NAN]), &[0]).0.outcome().inside.len(), 1);
}

#[test]
fn a_seed_that_moved_is_a_seed_where_it_went() {
    let mut web = neighbours();
    web.addresses.push("http://h/old".into());
    web.kinds.push(Kind::Alias(0));
    let (strategy, _) = searched(&web, settings(), Prices::one(0.05), &[200]);
    assert_eq!(inside(&strategy), (0..100).collect());
    // Also if that page had been seen before.
    let (strategy, _) = searched(&web, settings(), Prices::one(0.05), &[0, 200]);
    assert_eq!(inside(&strategy), (0..100).collect());
}

#[test]
fn a_page_shown_twice_or_never_wanted_changes_nothing_or_is_taken() {
    let mut strategy = Overflow::new(settings(), Prices::one(0.05));
    let mut plan = Plan::default();
    strategy.begin(&[PageId(1)], &mut plan);
    for page in 0..4 {
        strategy.meet(PageId(page), &format!("http://h/{page}"));
    }
    let links = [PageId(0), PageId(2), PageId(3)];
    for page in [1, 1, 3] {
        strategy.visit(&Visit { links: &links, ..Visit::without_content(PageId(page), Reason::Fetched) }, &mut plan);
    }
    assert_eq!(strategy.account().fetches, 2);
    let mut plan = Plan::default();
    strategy.round(0, &mut plan);
    assert_eq!(plan.commands.iter().filter(|command| matches!(command, Command::Want(..))).count(), 2);
}
