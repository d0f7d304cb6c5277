//! Clusters and bounds in parts: what is found there is what is found in the whole, as long as parts do not cut it. The engine of this
//! machine makes the parts here; the tests of the command line have clusters make them.

use std::collections::BTreeMap;

use groma_graph::Csr;
use groma_survey_graph::import::{Nodes, write};
use groma_tasks::bounds::{self, Bounds, Clustered, Request, run_clustering};
use groma_tasks::graph_engine::{InParts, Request as At};
use groma_tasks::task::read_form;

use crate::Place;
use crate::watching::{Watching, going_on};

/// Three sites of forty pages, each closely linked, with a link or two between them; and a page nobody links to.
fn three_sites() -> Place {
    let place = Place::new();
    let name = |page: u32| format!("http://h.test/{}/{page}.html", ["old", "new", "far"][page as usize / 40 % 3]);
    let mut names: Vec<String> = (0..120).map(name).collect();
    names.push("http://h.test/alone.html".to_owned());
    let inside = (0..120u32).flat_map(|page| [1, 2, 5, 11].map(|step| (page, page / 40 * 40 + (page + step) % 40)));
    let arcs = inside.chain([(3, 47), (50, 99), (99, 50)]);
    let graph = Csr::of_arcs(121, arcs);
    let (mut store, _lock) = place.folder.open().unwrap();
    write(&mut store, &graph, &Nodes::Addresses(names), 77, &mut |_| ()).unwrap();
    place
}

fn in_parts(place: &Place, largest: u32) -> InParts {
    let work = place.dir.join("graph").to_str().unwrap().to_owned();
    InParts { at: At { address: "local".to_owned(), work }, largest }
}

fn asked(words: &[(&str, &str)]) -> Request {
    let pairs: Vec<(String, String)> =
        words.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Request::from_task(&read_form(&pairs).unwrap())
}

fn clusters(clustered: &Clustered) -> BTreeMap<String, u32> {
    clustered.pages().map(|(page, cluster)| (page.to_owned(), cluster)).collect()
}

fn inside(bounds: &Bounds) -> Vec<u32> {
    bounds.inside().collect()
}

#[test]
fn parts_have_the_clusters_of_the_whole() {
    let place = three_sites();
    let request = asked(&[("sigma", "none"), ("inflation", "1.4")]);
    let whole = run_clustering(&place.folder, &request, None, &mut going_on()).unwrap().unwrap();
    assert_eq!((whole.count, &whole.sizes[..]), (4, &[40, 40, 40, 1][..]));
    for largest in [40, 45, 1_000_000] {
        let wanted = in_parts(&place, largest);
        let parted = run_clustering(&place.folder, &request, Some(&wanted), &mut going_on()).unwrap().unwrap();
        assert_eq!(parted.sizes, whole.sizes, "{largest}");
        assert_eq!(clusters(&parted), clusters(&whole), "{largest}");
        assert!(parted.converged && parted.rounds > 1);
        assert_eq!(parted.labels(&place.folder, 4).unwrap()[0], "http://h.test/old/");
    }
    // Smaller parts than sites give smaller clusters, never one that reaches beyond its part.
    let tight = run_clustering(&place.folder, &request, Some(&in_parts(&place, 10)), &mut going_on()).unwrap().unwrap();
    assert!(tight.sizes.iter().all(|size| *size <= 10), "{:?}", tight.sizes);
    assert_eq!(tight.sizes.iter().sum::<u32>(), 121);
    let stopped =
        run_clustering(&place.folder, &request, Some(&in_parts(&place, 45)), &mut Watching::new(|_| false)).unwrap();
    assert!(stopped.is_none());
    let weighed = asked(&[("sigma", "fitted")]);
    let refused = run_clustering(&place.folder, &weighed, Some(&in_parts(&place, 45)), &mut going_on());
    assert!(refused.is_err_and(|fault| fault.says.contains("links alone")));
}

#[test]
fn a_border_is_found_in_the_part_of_its_start() {
    let place = three_sites();
    let wanted = in_parts(&place, 45);
    let look =
        |request: &Request| bounds::run(&place.folder, request, Some(&wanted), &mut going_on()).map(Option::unwrap);
    for start in ["http://h.test/old/0.html", "http://h.test/far/85.html"] {
        let request = asked(&[("start", start)]);
        let whole = bounds::run(&place.folder, &request, None, &mut going_on()).unwrap().unwrap();
        let parted = look(&request).unwrap();
        assert_eq!(inside(&parted), inside(&whole), "{start}");
        assert_eq!(inside(&parted).len(), 40);
        assert!(parted.header.notes.iter().any(|note| note.contains("of 121 pages")), "{:?}", parted.header.notes);
    }
    // What is found is kept, and is the scope of other commands.
    let last = bounds::last(&place.folder, None).unwrap().unwrap();
    assert_eq!((last.request.start.to_string().as_str(), last.stale), ("http://h.test/far/85.html", false));
    let word = asked(&[("keyword", "old")]);
    assert!(look(&word).is_err_and(|fault| fault.says.contains("begins at pages")));
}
