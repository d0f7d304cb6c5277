//! What is said of single pages.

use groma_bounds::{Because, DECIDED, Judge, Settings, Start, Verdict, clusters, find};

use crate::made_up::MadeUp;

#[test]
fn pages_are_in_or_out_with_their_reasons_and_those_between_are_less_sure() {
    let mut made = MadeUp::default();
    let one = made.manual(|_| "http://h/one/".into(), 4, 12);
    let two = made.manual(|_| "http://h/two/".into(), 4, 12);
    made.join(&one, &two, 6);
    // A page that hangs on the first manual by one link, from far away.
    let lone = made.manual(|_| "http://elsewhere/x/y/".into(), 0, 0)[0];
    made.links.push((one[5], lone));
    let looked = made.look();
    let web = looked.web();
    let settings = Settings::default();
    let clustering = clusters(&web, &settings, &mut |_, _| true);
    let start = Start { seeds: vec![one[0]], accepted: vec![one[3]], rejected: vec![two[3]] };
    let found = find(&web, &start, &settings, Some(&clustering));
    let judge = Judge::new(&web, &found, &start);
    assert_eq!(judge.judge(one[0]).because, Because::Start);
    assert_eq!(judge.judge(one[3]).because, Because::Accepted);
    assert_eq!(judge.judge(two[3]).because, Because::Rejected);
    for &page in &one {
        let said = judge.judge(page);
        assert_eq!(said.verdict, Verdict::In);
        assert!((0.5..=1.0).contains(&said.confidence));
    }
    for &page in &two {
        let said = judge.judge(page);
        assert_eq!(said.verdict, Verdict::Out, "{said:?}");
        assert!(said.confidence >= DECIDED);
    }
    assert!(judge.judge(one[20]).confidence > 0.9 && judge.judge(two[20]).confidence > 0.9);
    // Nothing but the site links to it, so it is in its cluster.
    let said = judge.judge(lone).because.to_string();
    assert_eq!(said, "in the cluster of a start page; links: 0 to the site, 1 from it, 0 elsewhere");
    assert_eq!(judge.judge(9_999_999).because, Because::Unlinked);
}
