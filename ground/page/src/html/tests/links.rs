//! Which links a page has, and where they lead.

use super::*;

#[test]
fn every_element_gives_its_kind_of_link() {
    for (html, links) in [
        ("<a href=x>t</a>", vec!["anchor /dir/x t"]),
        ("<area href=x alt=t>", vec!["anchor /dir/x t"]),
        ("<img src=x alt=t>", vec!["image /dir/x t"]),
        ("<img src=x srcset='y 1x, z 2x'>", vec!["image /dir/x", "image /dir/y", "image /dir/z"]),
        ("<picture><source srcset='y'><img src=x></picture>", vec!["image /dir/y", "image /dir/x"]),
        ("<input type=image src=x>", vec!["image /dir/x"]),
        ("<input type=text src=x>", vec![]),
        ("<video src=x poster=y><source src=z></video>", vec!["image /dir/x", "image /dir/y", "image /dir/z"]),
        ("<audio src=x></audio>", vec!["image /dir/x"]),
        ("<iframe src=x title=t></iframe>", vec!["frame /dir/x t"]),
        ("<frameset><frame src=x></frameset>", vec!["frame /dir/x"]),
        ("<object data=x></object>", vec!["frame /dir/x"]),
        ("<embed src=x>", vec!["frame /dir/x"]),
        ("<script src=x></script>", vec!["script /dir/x"]),
        ("<link rel=stylesheet href=x>", vec!["style /dir/x"]),
        ("<link rel='shortcut icon' href=x>", vec!["style /dir/x"]),
        ("<link rel=canonical href=x>", vec!["canonical /dir/x"]),
        ("<link rel=next href=x title='a  b'>", vec!["related /dir/x a b"]),
        ("<link rel=preconnect href=x>", vec![]),
        ("<link href=x>", vec![]),
        ("<form action=x></form>", vec!["form /dir/x"]),
        ("<form></form>", vec![]),
        ("<form action=x><button formaction=y>b</button></form>", vec!["form /dir/x", "form /dir/y"]),
        ("<input type=submit formaction=y>", vec!["form /dir/y"]),
        ("<button formaction=' '></button><input formaction='javascript:x'>", vec![]),
        ("<blockquote cite=x></blockquote><q cite=x></q><ins cite=x></ins>", vec![]),
        (
            "<frameset><frame src=x><noframes><a href=y>t</a></noframes></frameset>",
            vec!["frame /dir/x", "anchor /dir/y t"],
        ),
        ("<meta http-equiv=Refresh content='5; url=x'>", vec!["refresh /dir/x"]),
        ("<noscript><meta http-equiv=refresh content='0;x'></noscript>", vec!["related /dir/x"]),
        ("<svg><a xlink:href=x>t</a><image href=y /></svg>", vec!["anchor /dir/x t", "image /dir/y"]),
        ("<img src=''>", vec![]),
    ] {
        assert_eq!(linked(html), links, "{html}");
    }
}

#[test]
fn references_are_resolved_as_browsers_do() {
    for (href, target) in [
        ("' /x '", "/x"),
        ("../x#f", "/x#f"),
        ("''", "/dir/page.html?q=1"),
        ("#f", "/dir/page.html?q=1#f"),
        ("?r", "/dir/page.html?r"),
        ("//b.test", "http://b.test/"),
        ("HTTP:/y", "/y"),
        ("'a\nb'", "/dir/ab"),
        ("http://[x", "!http://[x"),
        ("//b.test:99999/", "!//b.test:99999/"),
        ("https://", "!https://"),
    ] {
        assert_eq!(linked(&format!("<a href={href}>")), [format!("anchor {target}")], "{href}");
    }
    for href in [
        "mailto:a@b.test",
        "javascript:x()",
        "' JavaScript:x'",
        "data:text/html,x",
        "tel:1",
        "'java\nscript:x'",
        "ftp://b.test/",
    ] {
        assert_eq!(linked(&format!("<a href={href}>t</a>")), [""; 0], "{href}");
    }
    let long = "x".repeat(1000);
    assert!(matches!(only_link(&format!("<a href='//[{long}'>")).target, Target::Malformed(text) if text.len() == 500));
}

#[test]
fn the_first_base_counts_for_all_links() {
    assert_eq!(
        linked("<a href=x></a><base><base href=/b/><base href=/c/><a href=y></a>"),
        ["anchor /b/x", "anchor /b/y"]
    );
    assert_eq!(linked("<base href='http://b.test/c/d'><form action=e></form>"), ["form http://b.test/c/e"]);
    assert_eq!(linked("<base href='data:x'><a href=y>"), ["anchor /dir/y"]);
    assert_eq!(linked("<base href='http://[bad'><a href=y>"), ["anchor /dir/y"]);
    let page = read(&format!("<base href='/{}/'><a href=y>", "x".repeat(5000)));
    assert_eq!(page.links[0].target, Target::Web(Url::parse("http://a.test/dir/y").unwrap()));
    assert_eq!(page.cuts, ["url_bytes"]);
}

#[test]
fn queries_are_written_in_the_encoding_of_the_page() {
    let page = read_with(b"<meta charset=windows-1250><a href='/\xe8?q=\xe8#\xe8'>", &Limits::default());
    assert_eq!(page.charset, "windows-1250");
    let Target::Web(url) = &page.links[0].target else { panic!("no URL") };
    assert_eq!(url.as_str(), "http://a.test/%C4%8D?q=%E8#%C4%8D");
    assert_eq!(linked("<meta charset=utf-8><a href='?q=č'>"), ["anchor /dir/page.html?q=%C4%8D"]);
}

#[test]
fn the_text_of_a_link_is_what_a_reader_sees_of_it() {
    for (html, text) in [
        ("a <a href=x> b <i>c</i>\n</a> d", "b c"),
        ("<a href=x><p>a</p><p>b</p></a>", "a b"),
        ("<a href=x>a<br>b</a>", "a b"),
        ("<a href=x title=t>a</a>", "a"),
        ("<a href=x title=t> </a>", "t"),
        ("<a href=x title=t aria-label=l></a>", "l"),
        ("<pre><a href=x>a\n  b</a>", "a b"),
        ("<a href=x>a", "a"),
        ("<a href=x><svg><title>s</title></svg></a>", "s"),
        ("<a href=x>&lt;é&gt;</a>", "<é>"),
        ("<table><td><a href=x>a<td>b</table>", "a"),
        ("<a href=x><table><td>a<td>b</table></a>c", "a b"),
    ] {
        assert_eq!(only_link(html).text, text, "{html}");
    }
    assert_eq!(linked("<a href=x><img src=i alt='a cat'></a>"), ["anchor /dir/x a cat", "image /dir/i a cat"]);
    assert_eq!(linked("<a href=x>1<a href=y>2</a>3"), ["anchor /dir/x 1", "anchor /dir/y 2"]);
    assert_eq!(linked("<a name=n>1</a><a href=y>2</a>"), ["anchor /dir/y 2"]);
}

#[test]
fn the_text_of_a_link_is_cut_at_its_limit() {
    let limits = Limits { anchor_bytes: 9, ..Limits::default() };
    for (html, text) in [
        ("<a href=x>one two three</a>", "one two"),
        ("<a href=x>123456789</a>", "123456789"),
        ("<a href=x>12345678é</a>", "12345678"),
        ("<a href=x title='12345678é'></a>", "12345678"),
        ("<a href=x><p>123 45 <p>67 8</a>", "123 45 67"),
    ] {
        assert_eq!(read_with(html.as_bytes(), &limits).links[0].text, text, "{html}");
    }
}

#[test]
fn a_link_knows_the_block_it_stands_in() {
    for (html, block) in [
        ("<a href=x>", BlockKind::Paragraph),
        ("<h2><a href=x>", BlockKind::Heading2),
        ("<ul><li><a href=x>", BlockKind::ListItem),
        ("<table><td><a href=x>", BlockKind::TableCell),
        ("<pre><a href=x>", BlockKind::Preformatted),
        ("<nav><ul><li><a href=x>", BlockKind::Navigation),
        ("<footer><a href=x>", BlockKind::Navigation),
    ] {
        assert_eq!(only_link(html).block, block, "{html}");
    }
}

#[test]
fn the_first_of_two_attributes_counts_and_only_so_many_are_looked_at() {
    assert_eq!(linked("<a href=x href=y HREF=z>"), ["anchor /dir/x"]);
    let limits = Limits { html_attributes: 2, ..Limits::default() };
    let page = read_with(b"<a a b href=x><a a href=y>", &limits);
    assert_eq!((page.links.len(), page.cuts.as_slice()), (1, &["html_attributes"][..]));
}

#[test]
fn links_beyond_the_limit_are_left_out() {
    let limits = Limits { html_links: 2, ..Limits::default() };
    let page = read_with(b"<a href=x><a href=y>b</a><a href=z>c</a>", &limits);
    assert_eq!((page.links.len(), page.cuts.as_slice()), (2, &["html_links"][..]));
    assert_eq!(page.links[1].text, "b");
}

#[test]
fn ids_and_names_can_be_pointed_at() {
    let page =
        read("<p id=a><span id='b c'><a name=d id=d><a name=e><input name=f><p id=''><template><p id=g></template>");
    assert_eq!(page.anchors, ["a", "b c", "d", "e"]);
}
