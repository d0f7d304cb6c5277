//! Webs drawn by lot: what holds for every web.

use groma_model::{PageType, PartKind, Reason};
use proptest::prelude::*;

use super::made::Web;
use crate::focus::{Focus, FocusOrder, Settings, Squash};
use groma_topic::Topic;

const TEXTS: [&str; 8] = [
    "machine translation",
    "machine",
    "",
    "cooking at home",
    "翻译 机器",
    "\u{0}\u{202e}",
    "translation of machines by translators",
    "123 456",
];

fn web() -> impl Strategy<Value = Web> {
    let page = (0..TEXTS.len(), 0..6u8, 0..4usize, any::<bool>());
    let link = (0..30usize, 0..30usize, 0..TEXTS.len(), 0..PartKind::ALL.len());
    (prop::collection::vec(page, 30), prop::collection::vec(link, 0..120)).prop_map(|(pages, links)| {
        let mut web = Web::default();
        for (at, (text, reason, kind, no_parts)) in pages.into_iter().enumerate() {
            web.add_as(PageType::ALL[kind], &format!("{}/{at}", ["a", "b-c", "d1"][at % 3]), TEXTS[text]);
            let made = &mut web.0[at];
            (made.reason, made.same_as) = match reason {
                0 => (Reason::NotFound, None),
                1 => (Reason::Robots, None),
                2 => (Reason::Redirected, Some((at as u32 * 7 + 1) % 30)),
                _ => (Reason::Fetched, None),
            };
            if no_parts {
                made.page.parts = None;
            }
        }
        for (from, to, text, part) in links {
            web.link(from as u32, to as u32, TEXTS[text], PartKind::ALL[part]);
        }
        web
    })
}

use proptest::strategy::Strategy;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_page_twice_never_over_budget_and_the_same_again(web in web(), budget in 0..40u32, batch in 0..9usize, odd in any::<f64>()) {
        for which in FocusOrder::ALL {
            for topic in [Topic::words("machine translation"), Topic::text("translation of texts"), Topic::words("")] {
                let mut settings = Settings::new(topic, which, budget);
                settings.batch = batch;
                settings.net.layer = batch;
                settings.net.squash = if batch % 2 == 0 { Squash::Shifted { k: odd } } else { Squash::Logistic { theta_j: odd, theta_0: odd } };
                settings.net.theta = odd;
                let walk = || {
                    let mut focus = Focus::new(settings.clone());
                    let order = web.walk(&mut focus, &[0, 1, 1]);
                    (order, focus.fetched(), focus.steps().to_vec())
                };
                let (order, fetched, steps) = walk();
                let mut once = order.clone();
                once.sort_unstable();
                once.dedup();
                prop_assert_eq!(once.len(), order.len());
                prop_assert!(fetched <= budget);
                prop_assert!(steps.iter().all(|step| step.weight.is_finite()));
                prop_assert_eq!(walk(), (order, fetched, steps));
            }
        }
    }
}
