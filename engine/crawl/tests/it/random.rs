//! Random webs without sockets: what the engine finds is what the definition of layers says.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use groma_crawl::{Unwatched, crawl};
use groma_fetch::{BoxFuture, Fetcher, Lane};
use groma_model::{Depth, Failure, Outcome, Reason, Request, Response};
use groma_store::{Snapshot, SqliteStore, verify};
use groma_strategy::Layers;
use groma_url::Url;
use proptest::prelude::*;

use crate::surveying::Survey;

/// A web in memory: what each page is.
#[derive(Clone, Debug)]
enum Node {
    Page(Vec<usize>),
    Redirect(usize),
    Missing,
}

#[derive(Clone, Debug)]
struct InMemory(Vec<Node>);

impl InMemory {
    fn answer(&self, request: &Request) -> Outcome {
        let number = request.url.path().strip_prefix("/n").and_then(|n| n.parse::<usize>().ok());
        let (status, location, body) = match number.and_then(|n| self.0.get(n)) {
            None => (404, None, String::new()),
            Some(Node::Missing) => (410, None, String::new()),
            Some(Node::Redirect(to)) => (302, Some(format!("/n{to}")), String::new()),
            Some(Node::Page(links)) => {
                let links: String = links.iter().map(|to| format!("<a href=/n{to}>to {to}</a> ")).collect();
                (200, None, format!("<title>page {number:?}</title>{links}"))
            }
        };
        let mut headers = vec![("content-type".to_string(), "text/html".to_string())];
        headers.extend(location.map(|place| ("location".to_string(), place)));
        let body = body.into_bytes();
        let elapsed = Duration::ZERO;
        Outcome::Answer(Box::new(Response {
            status,
            headers,
            body,
            cut: None,
            remote: None,
            version: "HTTP/1.1",
            elapsed,
        }))
    }

    /// Layers by definition: redirects cost nothing, links one.
    fn depths(&self) -> BTreeMap<usize, u32> {
        let mut depth = BTreeMap::new();
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            if depth.contains_key(&node) {
                continue;
            }
            depth.insert(node, distance);
            match self.0.get(node) {
                Some(Node::Page(links)) => queue.extend(links.iter().map(|to| (*to, distance + 1))),
                Some(Node::Redirect(to)) => queue.push_front((*to, distance)),
                _ => {}
            }
        }
        depth
    }
}

impl Fetcher for InMemory {
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            if request.url.path() == "/robots.txt" {
                return Outcome::Failed(Failure::NoSuchHost);
            }
            self.answer(&request)
        })
    }

    fn lane<'a>(&'a self, _url: &'a Url) -> BoxFuture<'a, Lane> {
        Box::pin(async { Lane::Ip(IpAddr::V4(Ipv4Addr::LOCALHOST)) })
    }
}

fn web() -> impl Strategy<Value = InMemory> {
    let size = 25usize;
    let node = prop_oneof![
        6 => proptest::collection::vec(0..size + 3, 0..4).prop_map(Node::Page),
        2 => (0..size).prop_map(Node::Redirect),
        1 => Just(Node::Missing),
    ];
    (proptest::collection::vec(0..size, 1..4), proptest::collection::vec(node, size - 1)).prop_map(|(home, rest)| {
        let mut nodes = vec![Node::Page(home)];
        nodes.extend(rest);
        InMemory(nodes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn layers_are_shortest_distances(web in web()) {
        let mut survey = Survey::for_site("http://web.example/n0");
        survey.robots = false;
        let mut store = SqliteStore::open(std::path::Path::new(":memory:")).unwrap();
        let never = Arc::new(AtomicBool::new(false));
        crawl(&mut store, survey.settings(), Arc::new(web.clone()), &mut Layers::new(None), &mut Unwatched, never).unwrap();
        let report = verify::verify(&mut store).unwrap();
        prop_assert_eq!(report.wrong, 0, "{:?}", report.complaints);
        let expected = web.depths();
        let rows = store.addresses(None, 1_000).unwrap();
        prop_assert_eq!(rows.len(), expected.len());
        for row in rows {
            let node: usize = Url::parse(&row.url).unwrap().path()[2..].parse().unwrap();
            let right = match web.0.get(node) {
                None => row.reason == Reason::NotFound,
                Some(Node::Missing) => row.reason == Reason::Gone,
                Some(Node::Page(_)) => row.reason == Reason::Fetched,
                Some(Node::Redirect(_)) => matches!(row.reason, Reason::Redirected | Reason::RedirectLoop),
            };
            prop_assert!(right, "{} is {}", row.url, row.reason);
            prop_assert_eq!(row.depth, Depth(expected[&node]), "{}", row.url);
        }
    }
}
