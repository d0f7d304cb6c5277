//! The exam of the bounds, held on files and on a server.
//!
//! `open` gives one more connection to the bounds of the case each time it is called, as another process would have it.

use groma_model::PageId;

use groma_store::bounds::{
    BoundsStore, CLUSTERINGS, Clusters, Decided, DecisionId, DecisionKind, Directions, LinksUsed, Manner, Member,
    NewDecision, SITES, Side, SiteRow, TEXT_BYTES, Watermark,
};

/// Opens the bounds of a case; called again, it opens the same ones.
pub(crate) type Open<'a> = dyn Fn() -> BoundsStore + Sync + 'a;

/// A case: its name and what is done.
pub(crate) type Case = (&'static str, fn(&Open<'_>));

pub(crate) const CASES: &[Case] = &[
    ("nothing was found out and nothing decided", empty),
    ("a clustering comes back as it was kept", clusterings),
    ("a clustering is of one graph and one manner, and the latest replaces the last", latest_clusterings),
    ("clusterings are bounded and the oldest go", bounded_clusterings),
    ("decisions are a log that only grows", log),
    ("what holds is the fold of the log", folded),
    ("a decision is taken back once, and only one that is there", undone),
    ("a site comes back as it was kept", sites),
    ("the last found site is the last found, whatever the clocks say", last_sites),
    ("sites are bounded and the longest ago go", bounded_sites),
    ("eight threads decide and find at once, and nothing is lost", crowd),
];

fn mark(graph: u64) -> Watermark {
    Watermark { survey: u64::MAX - 3, change: 77, graph }
}

fn manner(inflation: f64) -> Manner {
    Manner { inflation, selection: 400, largest: 0, sigma: 1.0, links: LinksUsed::Pages, directions: Directions::Both }
}

fn clusters(inflation: f64, graph: u64, at: i64) -> Clusters {
    Clusters {
        manner: manner(inflation),
        mark: mark(graph),
        at,
        rounds: 21,
        converged: true,
        count: 3,
        of: (1..1_000).map(|n| (PageId(n * 3), n % 3)).collect(),
        overlaps: vec![(PageId(9), 2), (PageId(9), 1)],
    }
}

fn site(start: &str, at: i64) -> SiteRow {
    let member = |page, side, step, confidence| Member { page: PageId(page), side, step, confidence };
    SiteRow {
        start: start.into(),
        at,
        settings: "{\"epsilon\":0.01}".into(),
        header: "{\"method\":\"flow\"}".into(),
        mark: mark(1),
        members: vec![
            member(1, Side::In, 0, 1.0),
            member(7, Side::Undecided, 5, 0.25),
            member(4_000_000_000, Side::Out, u32::MAX, 0.5),
        ],
    }
}

fn decision(kind: DecisionKind, subject: &str, undoes: Option<DecisionId>) -> NewDecision {
    NewDecision { site: "http://a/".into(), kind, subject: subject.into(), undoes, at: 5, who: "me".into() }
}

fn decide(bounds_store: &mut BoundsStore, kind: DecisionKind, subject: &str) -> DecisionId {
    bounds_store.decide(&[decision(kind, subject, None)]).expect("writes").expect("is taken")[0]
}

fn undo(bounds_store: &mut BoundsStore, of: DecisionId) -> Option<DecisionId> {
    bounds_store.decide(&[decision(DecisionKind::Undo, "", Some(of))]).expect("writes").map(|ids| ids[0])
}

fn well(bounds_store: &mut BoundsStore) {
    assert_eq!(bounds_store.complaints().expect("reads"), Vec::<String>::new());
}

fn empty(open: &Open<'_>) {
    let mut bounds_store = open();
    assert_eq!(bounds_store.clusters(&manner(2.0), 1).expect("reads"), None);
    assert_eq!(bounds_store.clusterings().expect("reads"), []);
    assert_eq!(bounds_store.decisions(None).expect("reads"), []);
    assert_eq!(bounds_store.site("http://a/").expect("reads"), None);
    assert_eq!(bounds_store.last_site().expect("reads"), None);
    assert_eq!(bounds_store.sites().expect("reads"), []);
    assert!(!bounds_store.drop_site("http://a/").expect("answers"));
    well(&mut bounds_store);
}

fn clusterings(open: &Open<'_>) {
    let kept = Clusters { converged: false, ..clusters(1.4, u64::MAX, 100) };
    open().keep_clusters(&kept).expect("writes");
    let mut bounds_store = open();
    assert_eq!(bounds_store.clusters(&manner(1.4), u64::MAX).expect("reads"), Some(kept.clone()));
    let heads = bounds_store.clusterings().expect("reads");
    assert_eq!((heads.len(), heads[0].pages, heads[0].count, heads[0].at), (1, 999, 3, 100));
    assert_eq!((heads[0].manner, heads[0].mark), (kept.manner, kept.mark));
    let nothing = Clusters { of: Vec::new(), overlaps: Vec::new(), count: 0, ..clusters(3.0, 1, 1) };
    bounds_store.keep_clusters(&nothing).expect("writes");
    assert_eq!(bounds_store.clusters(&manner(3.0), 1).expect("reads"), Some(nothing));
    well(&mut bounds_store);
}

fn latest_clusterings(open: &Open<'_>) {
    let mut bounds_store = open();
    bounds_store.keep_clusters(&clusters(2.0, 1, 100)).expect("writes");
    bounds_store.keep_clusters(&clusters(1.2, 1, 101)).expect("writes");
    bounds_store.keep_clusters(&clusters(2.0, 2, 99)).expect("writes");
    assert_eq!(bounds_store.clusters(&manner(2.0), 1).expect("reads"), None, "the graph is another now");
    assert_eq!(bounds_store.clusters(&manner(2.0), 2).expect("reads").map(|found| found.at), Some(99));
    assert!(bounds_store.clusters(&manner(1.2), 1).expect("reads").is_some());
    assert_eq!(bounds_store.clusters(&Manner { selection: 401, ..manner(2.0) }, 2).expect("reads"), None);
    assert_eq!(bounds_store.clusters(&Manner { largest: 9, ..manner(2.0) }, 2).expect("reads"), None);
    assert_eq!(bounds_store.clusters(&Manner { sigma: 0.0, ..manner(2.0) }, 2).expect("reads"), None);
    assert_eq!(bounds_store.clusters(&Manner { links: LinksUsed::All, ..manner(2.0) }, 2).expect("reads"), None);
    let forward = Manner { directions: Directions::Forward, ..manner(2.0) };
    assert_eq!(bounds_store.clusters(&forward, 2).expect("reads"), None);
    assert_eq!(bounds_store.clusterings().expect("reads").len(), 2);
}

fn bounded_clusterings(open: &Open<'_>) {
    let mut bounds_store = open();
    for n in 0..CLUSTERINGS + 3 {
        bounds_store.keep_clusters(&clusters(1.0 + n as f64 / 64.0, 1, 50)).expect("writes");
    }
    let heads = bounds_store.clusterings().expect("reads");
    assert_eq!(heads.len(), CLUSTERINGS);
    let newest = 1.0 + (CLUSTERINGS + 2) as f64 / 64.0;
    assert_eq!(heads[0].manner.inflation, newest, "the latest first");
    assert_eq!(bounds_store.clusters(&manner(1.0), 1).expect("reads"), None, "the oldest went");
    assert!(bounds_store.clusters(&manner(newest), 1).expect("reads").is_some());
}

fn log(open: &Open<'_>) {
    let mut bounds_store = open();
    let first = decide(&mut bounds_store, DecisionKind::Accept, "http://b/*");
    let other = NewDecision { site: "keyword".into(), ..decision(DecisionKind::Merge, "http://a/", None) };
    let second = bounds_store.decide(&[other]).expect("writes").expect("is taken")[0];
    let third = decide(&mut bounds_store, DecisionKind::Accept, "http://b/*");
    assert!(first < second && second < third, "every row is one more, also of the same words");
    let rows = open().decisions(None).expect("reads");
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [first, second, third]);
    let row = &rows[1];
    assert_eq!((row.site.as_str(), row.kind, row.subject.as_str()), ("keyword", DecisionKind::Merge, "http://a/"));
    assert_eq!((row.at, row.who.as_str(), row.undoes), (5, "me", None));
    assert_eq!(bounds_store.decisions(Some("http://a/")).expect("reads").len(), 2);
    assert_eq!(bounds_store.decisions(Some("http://")).expect("reads"), []);
    let long = "x".repeat(TEXT_BYTES + 1);
    let some = [decision(DecisionKind::Accept, "http://c/", None), decision(DecisionKind::Accept, &long, None)];
    assert_eq!(bounds_store.decide(&some).expect("answers"), None);
    assert_eq!(bounds_store.decisions(None).expect("reads").len(), 3, "all or none");
    let ids = bounds_store.decide(&[some[0].clone(), some[0].clone()]).expect("writes").expect("are taken");
    assert_eq!((ids.len(), ids[0] < ids[1]), (2, true));
    assert_eq!(bounds_store.decide(&[]).expect("answers"), Some(Vec::new()));
    well(&mut bounds_store);
}

fn folded(open: &Open<'_>) {
    let mut bounds_store = open();
    decide(&mut bounds_store, DecisionKind::Accept, "http://b/*");
    let rejected = decide(&mut bounds_store, DecisionKind::Reject, "http://b/x/*");
    decide(&mut bounds_store, DecisionKind::Merge, "http://c/");
    let decided =
        |bounds_store: &mut BoundsStore| Decided::from_log(&bounds_store.decisions(Some("http://a/")).expect("reads"));
    let accepts = |decided: &Decided, address: &str| decided.about(address).map(|said| said.accepted);
    let before = decided(&mut bounds_store);
    assert_eq!(accepts(&before, "http://b/x/1"), Some(false));
    assert_eq!((accepts(&before, "http://b/1"), accepts(&before, "http://d/")), (Some(true), None));
    assert_eq!(before.merged, ["http://c/"]);
    let back = undo(&mut bounds_store, rejected).expect("is taken");
    assert_eq!(accepts(&decided(&mut bounds_store), "http://b/x/1"), Some(true));
    undo(&mut bounds_store, back).expect("is taken");
    assert_eq!(accepts(&decided(&mut bounds_store), "http://b/x/1"), Some(false));
}

fn undone(open: &Open<'_>) {
    let mut bounds_store = open();
    assert_eq!(undo(&mut bounds_store, DecisionId(1)), None, "there is no such row");
    let row = decide(&mut bounds_store, DecisionKind::Accept, "http://b/");
    let back = undo(&mut bounds_store, row).expect("is taken");
    assert_eq!(undo(&mut bounds_store, row), None, "it is taken back already");
    assert_eq!(undo(&mut bounds_store, DecisionId(u64::MAX)), None);
    let again = undo(&mut bounds_store, back).expect("taking back is taken back");
    assert_eq!(undo(&mut bounds_store, back), None);
    assert!(undo(&mut bounds_store, row).is_some(), "it holds again, so it can be taken back again");
    assert!(again > back);
    let aimless = bounds_store.decide(&[decision(DecisionKind::Undo, "", None)]).expect("answers");
    assert_eq!(aimless, None, "an undo of nothing");
    let rows = bounds_store.decisions(None).expect("reads");
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.site == "http://a/"), "what takes back is about the site of what it takes back");
    well(&mut bounds_store);
}

fn sites(open: &Open<'_>) {
    let kept = site("http://a/", 100);
    open().keep_site(&kept).expect("writes");
    let mut bounds_store = open();
    assert_eq!(bounds_store.site("http://a/").expect("reads"), Some(kept.clone()));
    let again = SiteRow { header: "{}".into(), members: Vec::new(), ..site("http://a/", 90) };
    bounds_store.keep_site(&again).expect("writes");
    assert_eq!(bounds_store.site("http://a/").expect("reads"), Some(again), "in place of the last");
    bounds_store.keep_site(&site("words of a \u{201c}keyword\u{201d}", 95)).expect("writes");
    let heads = bounds_store.sites().expect("reads");
    assert_eq!((heads.len(), heads[0].inside, heads[1].inside, heads[0].at), (2, 1, 0, 95));
    assert_eq!((heads[0].mark, heads[0].settings.as_str()), (mark(1), "{\"epsilon\":0.01}"));
    assert!(bounds_store.drop_site("http://a/").expect("answers"));
    assert_eq!(bounds_store.site("http://a/").expect("reads"), None);
    well(&mut bounds_store);
}

fn last_sites(open: &Open<'_>) {
    let mut bounds_store = open();
    for (start, at) in [("a", 100), ("b", 50), ("a", 20), ("c", 10)] {
        bounds_store.keep_site(&site(start, at)).expect("writes");
        assert_eq!(
            bounds_store.last_site().expect("reads").map(|site| (site.start, site.at)),
            Some((start.to_owned(), at))
        );
    }
    bounds_store.keep_site(&site("b", 1)).expect("writes");
    let order: Vec<String> = bounds_store.sites().expect("reads").into_iter().map(|head| head.start).collect();
    assert_eq!(order, ["b", "c", "a"]);
}

fn bounded_sites(open: &Open<'_>) {
    let mut bounds_store = open();
    for n in 0..SITES + 5 {
        bounds_store.keep_site(&site(&format!("http://a/{n}"), 7)).expect("writes");
    }
    assert_eq!(bounds_store.sites().expect("reads").len(), SITES);
    assert_eq!(bounds_store.site("http://a/4").expect("reads"), None);
    assert!(bounds_store.site("http://a/5").expect("reads").is_some());
    let long = site(&"x".repeat(TEXT_BYTES + 1), 1);
    assert!(bounds_store.keep_site(&long).is_err(), "a start has an end");
}

fn crowd(open: &Open<'_>) {
    let rounds = 20;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let mut bounds_store = open();
                for round in 0..rounds {
                    decide(&mut bounds_store, DecisionKind::Accept, &format!("http://{thread}/{round}"));
                    bounds_store.keep_site(&site(&format!("{thread}"), round)).expect("writes");
                    bounds_store.keep_clusters(&clusters(2.0, 1, round)).expect("writes");
                }
            });
        }
    });
    let mut bounds_store = open();
    let rows = bounds_store.decisions(None).expect("reads");
    assert_eq!(rows.len(), 8 * rounds as usize);
    let mut subjects: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    assert_eq!(subjects.len(), 8 * rounds as usize);
    assert_eq!((bounds_store.sites().expect("reads").len(), bounds_store.clusterings().expect("reads").len()), (8, 1));
    well(&mut bounds_store);
}
