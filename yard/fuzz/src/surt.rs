//! Does every list of SURT prefixes get read, written and applied in one way, and does every URL come back from its form?
//!
//! Input: a line with a URL, then the list.

use groma_bounds::surt::{Decider, MOST_COMPLAINTS, Surt, read, write};
use groma_url::Url;

pub fn surt(data: &[u8]) {
    let (address, list) = crate::first_line(data);
    let (address, list) = (String::from_utf8_lossy(address), String::from_utf8_lossy(list));
    let (rules, complaints) = read(&list);
    let lines = list.split(['\n', '\r']).count();
    assert!(rules.len() + complaints.len() <= lines && complaints.len() <= MOST_COMPLAINTS);
    assert!(complaints.windows(2).all(|pair| pair[0].line < pair[1].line), "in the order of lines");
    assert!(complaints.iter().all(|complaint| (1..=lines).contains(&complaint.line) && !complaint.why.is_empty()));
    for rule in &rules {
        assert_eq!(Surt::parse(rule.surt.as_str()).as_ref(), Ok(&rule.surt), "a form reads as itself");
        if let Some(shortest) = rule.surt.address() {
            assert!(rule.surt.matches(&shortest), "{} and its own address {shortest}", rule.surt);
        }
    }
    let written = write(&rules);
    let (again, complaints) = read(&written);
    assert!(complaints.is_empty() && again.len() == rules.len(), "what was written can be read: {written}");
    assert_eq!(write(&again), written);
    let Ok(url) = Url::parse(&address) else { return };
    whole(&url);
    let deciding = Decider::new(&rules).decide(&url);
    assert_eq!(Decider::new(&again).decide(&url), deciding, "a list that was written decides as before");
    let matching = rules.iter().enumerate().filter(|(_, rule)| rule.surt.matches(&url));
    let best = matching.max_by_key(|(nth, rule)| (rule.surt.reordered().len(), rule.surt.scheme().is_some(), *nth));
    assert_eq!(deciding, best.map(|(_, rule)| rule.include), "the longest decides about {url}");
}

/// A URL and its form say the same.
fn whole(url: &Url) {
    let Some(surt) = Surt::from_url(url) else { return };
    let mut sent = url.clone();
    sent.set_fragment(None);
    assert_eq!(surt.address().as_ref(), Some(&sent), "{surt}");
    if let Ok(implied) = Surt::implied(url.as_str()) {
        assert!(implied.matches(url) && implied.covers(&surt), "{implied} is what {url} implies");
    }
}
