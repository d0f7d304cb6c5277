//! What is noted for checks: each symptom once where it is, and not where it is not.

use groma_model::Symptom;

use super::read;

/// How often a symptom is seen in a page, and its example.
fn seen(symptom: Symptom, html: &str) -> (u32, String) {
    let markup = read(html).markup;
    (markup.count(symptom), markup.example(symptom).to_owned())
}

/// Pieces of markup with a symptom, its count and its example.
#[rustfmt::skip]
const SEEN: [(Symptom, &str, u32, &str); 45] = [
    (Symptom::TitleElement, "<title>a</title><title>b</title><svg><title>c</title></svg>", 2, ""),
    (Symptom::Image, "<img><input type=image alt=x><svg><image href=x></svg>", 1, ""),
    (Symptom::ImageWithoutAlt, "<img src=a><img src=b alt><img src=c alt=x><img src=d><img src=e role=presentation><img src=f title=x>", 2, "a"),
    (Symptom::ImageWithoutAlt, "<input type=image src=go><input type=image alt=Go>", 1, "go"),
    (Symptom::ImageWithoutSize, "<img src=a><img src=b width=1><img src=c style='width: 3em'>", 1, "a"),
    (Symptom::LinkWithoutName, "<a href=/a></a><a href=/b>b</a><a href=/c><img alt=c></a><a href=/d title=d></a><a href=/e><svg><title>e</title></svg></a>", 1, "/a"),
    (Symptom::LinkWithoutName, "<a href=/a><img alt=''></a><a href=/b aria-hidden=true></a><a name=c></a><a href=/d><p>d</p></a>", 1, "/a"),
    (Symptom::ButtonWithoutName, "<button id=x><i></i></button><button>Go</button><button aria-label=Go></button><button hidden></button>", 1, "x"),
    (Symptom::FieldWithoutLabel, "<input name=q><input type=hidden name=h><input type=submit><label>X <input name=x></label>", 1, "q"),
    (Symptom::FieldWithoutLabel, "<label for=a>A</label><input id=a name=a><input id=b name=b><label for=c>C</label><select id=c></select>", 1, "b"),
    (Symptom::FieldWithoutLabel, "<input id=late><label for=late>Late</label><textarea placeholder=Text></textarea><select name=s></select>", 1, "s"),
    (Symptom::FrameWithoutTitle, "<iframe src=a></iframe><iframe src=b title=B></iframe>", 1, "a"),
    (Symptom::PositiveTabindex, "<div tabindex=0></div><span tabindex=3></span><i tabindex=-1></i>", 1, "3"),
    (Symptom::RepeatedId, "<p id=a></p><b id=a></b><i id=b></i><u id></u><u id></u>", 1, "a"),
    (Symptom::FirstHeading, "<h1>a</h1><h1>b</h1><h1 hidden>c</h1>", 2, ""),
    (Symptom::EmptyHeading, "<h2> </h2><h3><img alt=x></h3><h4>a</h4><h2 aria-label=x></h2>", 1, "h2"),
    (Symptom::SkippedHeading, "<h1>a</h1><h3>b</h3><h2>c</h2><h3>d</h3>", 1, "h1, then h3"),
    (Symptom::SkippedHeading, "<h3>a</h3><h4>b</h4><h1>c</h1>", 0, ""),
    (Symptom::Autoplay, "<audio autoplay src=a></audio><video autoplay muted src=b></video>", 1, "a"),
    (Symptom::VideoWithoutCaptions, "<video src=a></video><video src=b><track kind=captions></video><video muted src=c></video>", 1, "a"),
    (Symptom::VideoWithoutCaptions, "<video><source src=a><source src=b></video><video></video>", 1, "a"),
    (Symptom::TableWithoutHeaders, "<table><tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6</table>", 1, "3 rows"),
    (Symptom::TableWithoutHeaders, "<table><tr><th>1<th>2<tr><td>3<td>4<tr><td>5<td>6</table><table><tr><td>1</table>", 0, ""),
    (Symptom::TableWithoutHeaders, "<table><tr><td>1<td><table><tr><th>x</table><tr><td>3<td>4<tr><td>5<td>6</table>", 0, ""),
    (Symptom::ObsoleteElement, "<CENTER><font>a</font></CENTER><b>c</b><custom-font>", 2, "center"),
    (Symptom::MalformedMail, "<a href='mailto:x'>a</a><a href='mailto:x@y.z'>b</a>", 1, "mailto:x"),
    (Symptom::MalformedPhone, "<a href='tel:x'>a</a><a href='tel:112'>b</a>", 1, "tel:x"),
    (Symptom::FileLink, "<a href='File:///x'>a</a><a href=filet>b</a>", 1, "File:///x"),
    (Symptom::ScriptLink, "<a href='javascript:x()'>a</a>", 1, "javascript:x()"),
    (Symptom::ScriptWithoutIntegrity, "<script src=//b.test/x.js></script><script src=/x.js></script><script src=http://c.test/ integrity=sha></script>", 1, "//b.test/x.js"),
    (Symptom::BlockingScript, "<script src=a></script><script src=b defer></script><script src=c type=module></script><body><script src=d></script>", 1, "a"),
    (Symptom::NoDoctype, "<p>x", 1, ""),
    (Symptom::NoDoctype, " <!-- x --><!DocType html><p>x", 0, ""),
    (Symptom::HeadElementInBody, "<head><div></div><link rel=canonical href=/></head>", 1, "rel=canonical"),
    (Symptom::HeadElementInBody, "<head><noscript><img></noscript><title>a</title><meta name=robots content=x></head><body>", 0, ""),
    (Symptom::UnknownRole, "<div role=buton></div><div role='none presentation'></div><p role></p>", 1, "buton"),
    (Symptom::MainLandmark, "<main></main><div role=Main></div>", 2, ""),
    (Symptom::AreaWithoutAlt, "<map><area href=/a><area href=/b alt=b><area></map>", 1, "/a"),
    (Symptom::LabelForNothing, "<label for=x>X</label><label for=y>Y</label><p id=y>", 1, "x"),
    (Symptom::DanglingReference, "<input aria-labelledby='a b'><i id=b></i>", 1, "a"),
    (Symptom::UnknownLanguage, "<p lang=xx></p><span lang=de></span><i lang></i>", 1, "xx"),
    (Symptom::MetaCharset, "<meta charset='UTF-8'><meta http-equiv=content-type content='text/html; charset=latin1'>", 2, "utf-8"),
    (Symptom::PasswordField, "<form><input type=Password name=p></form>", 1, ""),
    (Symptom::TimedRefresh, "<meta http-equiv=refresh content='5; url=/'><meta http-equiv=Refresh content='0; url=/'>", 1, "5; url=/"),
    (Symptom::BrokenList, "<ul><div></div><li>a<p>b</p><li>c</ul><ol><a href=x>d</a></ol>", 2, "div"),
];

#[test]
fn symptoms_are_counted_with_an_example() {
    for (symptom, html, count, example) in SEEN {
        assert_eq!(seen(symptom, html), (count, example.to_owned()), "{symptom:?}: {html}");
    }
}

#[test]
fn nothing_in_a_template_is_seen() {
    let markup = read("<!doctype html><template><img src=a><h2></h2><p id=x><p id=x></template>").markup;
    assert_eq!(
        markup.observations.iter().map(|seen| (seen.symptom, seen.count)).collect::<Vec<_>>(),
        [(Symptom::Element, 1)]
    );
}

#[test]
fn a_charset_that_comes_late_is_told_with_its_place() {
    let page = format!("<!doctype html><!--{}--><meta charset=utf-8>", "x".repeat(2_000));
    assert_eq!(seen(Symptom::LateCharset, &page), (1, "byte 2027".to_owned()));
}

#[test]
fn another_language_than_the_declared_one_is_noticed() {
    let german = "Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. ".repeat(9);
    assert_eq!(seen(Symptom::OtherLanguage, &format!("<html lang=en><p>{german}")), (1, "de".to_owned()));
    assert_eq!(seen(Symptom::OtherLanguage, &format!("<html lang=de-AT><p>{german}")).0, 0);
    assert_eq!(seen(Symptom::OtherLanguage, &format!("<html><p>{german}")).0, 0);
}

#[test]
fn languages_of_a_page_point_at_its_links() {
    let page = read(
        "<link rel=alternate hreflang=de href=/de><a href='javascript:x'>x</a><link rel=alternate hreflang=x-default href=/>",
    );
    let of = |alternate: &groma_model::markup::Alternate| {
        let groma_model::Target::Web(url) = &page.links[alternate.link as usize].target else { panic!("no URL") };
        (alternate.hreflang.clone(), url.path().to_owned())
    };
    let named: Vec<_> = page.markup.alternates.iter().map(of).collect();
    assert_eq!(named, [("de".to_owned(), "/de".to_owned()), ("x-default".to_owned(), "/".to_owned())]);
    assert_eq!(page.markup.lang, None);
    assert_eq!(read("<html lang=>").markup.lang.as_deref(), Some(""));
}
