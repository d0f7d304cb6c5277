//! What header fields name is treated as what elements name: found, judged, asked for.

use groma_model::{LinkKind, Reason};
use groma_store::Snapshot;
use groma_testweb::{Answer, Ask, Server};

use crate::surveying::Survey;

#[test]
fn refresh_and_link_fields_lead_on_by_the_rules_for_links() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /closed"),
        "/" => Answer::html("<title>Start</title><p>Nothing here leads on.")
            .with_header("Link", "</next>; rel=next, </closed>; rel=alternate, <http://other.example/>; rel=prev")
            .with_header("Link", "</style.css>; rel=preload; as=style, </shy>; rel=\"next nofollow\"")
            .with_header("Refresh", "0; url=/moved"),
        "/next" => Answer::html("<title>Next</title><base href='/b/'><p>The second page.")
            .with_header("Link", "</>; rel=\"canonical\"")
            .with_header("X-Robots-Tag", "nofollow")
            .with_header("Refresh", "9;url=/unfollowed"),
        "/moved" => Answer::text("Plain text has header fields too.").with_header("Link", "<deep>; rel=section"),
        "/deep" => Answer::html("<p>Deep."),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed(), ["/", "/deep", "/moved", "/next"]);
    let all = survey.addresses();
    assert_eq!(all["/moved"].via_kind, Some(LinkKind::Refresh));
    assert_eq!(all["/next"].via_kind, Some(LinkKind::Related));
    for (path, reason) in [
        ("/closed", Reason::Robots),
        ("http://other.example/", Reason::OutOfScope),
        ("/style.css", Reason::Asset),
        ("/shy", Reason::NoFollow),
        ("/unfollowed", Reason::NoFollow),
    ] {
        assert_eq!(all[path].reason, reason, "{path}");
        assert_eq!(server.count(path), 0, "{path}");
    }
    let canonical = survey.read().page(all["/next"].id).unwrap().unwrap().facts.canonical;
    assert_eq!(canonical, Some(all["/"].id));
}

#[test]
fn the_canonical_address_of_the_page_outranks_that_of_its_header() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<link rel=canonical href=/own><p>Text.").with_header("Link", "</said>; rel=canonical"),
        "/own" | "/said" => Answer::html(format!("<p>This is {}.", ask.path)),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    let all = survey.addresses();
    assert_eq!(survey.read().page(all["/"].id).unwrap().unwrap().facts.canonical, Some(all["/own"].id));
}
