//! Forms as people write them: owners, labels, data sets, requests.

use groma_hel::{Bounds, Tree};
use groma_model::Method as Sent;
use proptest::prelude::*;

use super::*;

fn page() -> Url {
    Url::parse("http://h.test/dir/page.html?old=1").unwrap()
}

fn all(html: &str) -> Vec<Form> {
    forms(&Tree::parse(html, &Bounds::default()), &page(), "utf-8")
}

fn one(html: &str) -> Form {
    all(html).into_iter().next().unwrap()
}

fn set(form: &Form, filled: &[(&str, &str)]) -> Vec<(String, String)> {
    data_set(form, filled, form.default_button())
}

fn pairs(set: &[(String, String)]) -> String {
    set.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn asked(form: &Form, filled: &[(&str, &str)]) -> Request {
    request(form, &set(form, filled), form.default_button()).unwrap()
}

use groma_model::Request;

#[test]
fn fields_belong_to_their_form_wherever_they_stand() {
    let forms =
        all("<input name=out form=b><form id=a><input name=x><input name=y form=b><input name=z form=none></form>\
        <form id=b></form><input name=free>");
    let names = |form: &Form| form.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&forms[0]), ["x"]);
    assert_eq!(names(&forms[1]), ["out", "y"]);
    // A table throws the form out from around its fields; they are its fields all the same.
    let form = one(
        "<table><form action=/s><tr><td>Ort<td><input name=ort></tr><tr><td><input type=submit></tr></form></table>",
    );
    assert_eq!(form.fields[0].name, "ort");
    assert_eq!(form.fields[0].label, "Ort");
    assert_eq!(form.fields.len(), 2);
    // A form in a form is none.
    assert_eq!(all("<form><form><input name=a></form><input name=b></form>").len(), 1);
}

#[test]
fn disabled_fields_are_sent_only_if_filled_in() {
    let form = one("<form><input name=a value=1 disabled><fieldset disabled><legend><input name=b value=2></legend>\
        <legend><input name=c value=3></legend><input name=d value=4></fieldset><input name=e value=5>\
        <datalist id=l><input name=f value=6></datalist></form>");
    assert_eq!(pairs(&set(&form, &[])), "b=2&e=5");
    assert_eq!(pairs(&set(&form, &[("a", "9"), ("d", "9"), ("e", "9")])), "a=9&b=2&d=9&e=9");
    let twins = one("<form><select name=s disabled><option>x</select><select name=s><option>y</select></form>");
    assert_eq!(pairs(&set(&twins, &[("s", "z")])), "s=z");
}

#[test]
fn labels_are_found_in_every_style() {
    for (html, label, from) in [
        ("<span id=l>Place</span><input name=x aria-labelledby='l' aria-label=no>", "Place", LabelFrom::Labelledby),
        ("<input name=x aria-label=Place title=no>", "Place", LabelFrom::Aria),
        ("<label for=i>Place:</label> no <input name=x id=i>", "Place", LabelFrom::For),
        ("<label>Place <input name=x placeholder=no> *</label>", "Place", LabelFrom::Around),
        ("<label>Place <select name=x><option>a<option>b</select></label>", "Place", LabelFrom::Around),
        ("no <input name=x title=Place placeholder=no>", "Place", LabelFrom::Title),
        ("no <input name=x placeholder=Place>", "Place", LabelFrom::Placeholder),
        ("Other <input name=o> Place: <input name=x>", "Place", LabelFrom::Before),
        ("<b>Place</b>: <select name=x><option>1</select>", "Place", LabelFrom::Before),
        ("<table><tr><td>Place<td><input name=x></table>", "Place", LabelFrom::Left),
        ("<table><tr><td>Place<td>&nbsp;<td><input name=x></table>", "Place", LabelFrom::Left),
        ("<table><tr><th>No<th>Place<tr><td><input name=o><td><input name=x></table>", "Place", LabelFrom::Above),
        (
            "<table><tr><th colspan=2>No<th>Place<tr><td><input name=o><td><input name=p><td><input name=x></table>",
            "Place",
            LabelFrom::Above,
        ),
        ("<div>Place</div><div><input name=x></div>", "Place", LabelFrom::Above),
        ("Place<br><input name=x>", "Place", LabelFrom::Above),
        ("<dl><dt>Place<dd><input name=x></dl>", "Place", LabelFrom::Above),
        ("<p>Intro</p><p>Place <input name=x></p>", "Place", LabelFrom::Before),
        ("<input type=radio name=x value=1> Place <input type=radio name=o> no", "Place", LabelFrom::After),
        ("<input type=checkbox name=x value=1> <i>Place</i><br>no", "Place", LabelFrom::After),
        ("<table><tr><td><input type=checkbox name=x><td>Place</table>", "Place", LabelFrom::After),
        ("<label><input type=checkbox name=x> Place</label>", "Place", LabelFrom::Around),
        ("<button name=x>Place</button>", "Place", LabelFrom::Button),
        ("<input type=image name=x alt=Place>", "Place", LabelFrom::Button),
        ("<input type=hidden name=x>", "", LabelFrom::Nowhere),
        ("<input name=o> <input name=x>", "", LabelFrom::Nowhere),
    ] {
        let form = one(&format!("<form>{html}</form>"));
        let field = form.field("x").unwrap();
        assert_eq!((field.label.as_str(), field.label_from), (label, from), "{html}");
    }
}

#[test]
fn groups_have_a_label_and_values_with_theirs() {
    let form = one(
        "<form><fieldset><legend>Kind</legend><input type=radio name=k value=h id=h><label for=h>Hotel</label>\
        <input type=radio name=k value=p checked id=p><label for=p>Pension</label></fieldset>\
        <table><tr><td>With<td><input type=checkbox name=w value=1>Pool <input type=checkbox name=w value=2>Sauna</table>\
        <p>Stars: <input type=radio name=s value=''>any <input type=radio name=s value=5>five</p></form>",
    );
    let kind = form.field("k").unwrap();
    assert_eq!((kind.label.as_str(), kind.label_from, kind.kind), ("Kind", LabelFrom::Group, Kind::Radio));
    let values: Vec<_> = kind.values.iter().map(|c| (c.value.as_str(), c.label.as_str(), c.chosen)).collect();
    assert_eq!(values, [("h", "Hotel", false), ("p", "Pension", true)]);
    let with = form.field("w").unwrap();
    assert_eq!((with.label.as_str(), with.values.len()), ("With", 2));
    assert_eq!(with.values[1].label, "Sauna");
    let stars = form.field("s").unwrap();
    assert_eq!(stars.label, "Stars");
    assert!(stars.values[0].open && !stars.values[1].open);
    assert_eq!(stars.domain().map(|c| c.value.as_str()).collect::<Vec<_>>(), ["5"]);
}

#[test]
fn data_sets_follow_the_standard() {
    for (html, filled, expected) in [
        (
            "<input name=a value=1><input value=2><input type=submit name=s value=go><input type=submit name=t>",
            vec![],
            "a=1&s=go",
        ),
        ("<input type=radio name=r><input type=radio name=r checked>", vec![], "r=on"),
        ("<input type=checkbox name=c checked><input type=checkbox name=d>", vec![], "c=on"),
        ("<select name=s><option>x<option value=''>y</select>", vec![], "s=x"),
        ("<select name=s><option disabled>x<option>y</select>", vec![], "s=y"),
        ("<select name=s size=3><option>x<option>y</select>", vec![], ""),
        ("<select name=s multiple><option selected>x<option>y<option selected>z</select>", vec![], "s=x&s=z"),
        ("<select name=s><option selected>x<option selected>  y  z </select>", vec![], "s=y z"),
        ("<select name=s><optgroup disabled><option>x</optgroup><option>y</select>", vec![], "s=y"),
        ("<textarea name=t>\na\nb</textarea>", vec![], "t=a\nb"),
        ("<input type=image name=i value=v>", vec![], "i.x=0&i.y=0"),
        ("<input type=image>", vec![], "x=0&y=0"),
        ("<input type=reset name=a><button type=button name=b>x</button><input name=c>", vec![], "c="),
        ("<input type=hidden name=_charset_ value=x>", vec![], "_charset_=UTF-8"),
        ("<p dir=rtl><input name=q value=v dirname=q.dir>", vec![], "q=v&q.dir=rtl"),
        ("<input type=range name=r min=10 max=20>", vec![], "r=15"),
        (
            "<input type=password name=p value=1><input type=file name=f><input name=a>",
            vec![("p", "x"), ("f", "y")],
            "a=",
        ),
        ("<input name=a><input name=a>", vec![("a", "1"), ("a", "2")], "a=1&a=2"),
        (
            "<input type=checkbox name=c value=1><input name=m value=m><input type=checkbox name=c value=2>",
            vec![("c", "2"), ("c", "1")],
            "c=1&m=m&c=2",
        ),
        ("<input type=checkbox name=c value=1 checked>", vec![("c", "")], ""),
        ("<input type=hidden name=c value=0><input type=checkbox name=c value=1>", vec![("c", "1")], "c=0&c=1"),
        ("<select name=s><option>x<option>y</select>", vec![("s", "y")], "s=y"),
        ("<select name=s><option value=''>x<option>y</select><input name=a>", vec![("s", OMITTED)], "a="),
        ("<input type=hidden name=h value=1><input name=a value=2>", vec![("h", OMITTED), ("a", OMITTED)], ""),
        ("<select name=s><option>x</select>", vec![("s", "new"), ("more", "m")], "s=new&more=m"),
    ] {
        let form = one(&format!("<form>{html}</form>"));
        assert_eq!(pairs(&set(&form, &filled)), expected, "{html} {filled:?}");
    }
}

#[test]
fn get_replaces_the_query_and_post_has_three_ways() {
    let fields = "<input name='a b' value='1&amp;2=ü☃'><input name=n>";
    let form = one(&format!("<form action='/s?x=1#f'>{fields}</form>"));
    let got = asked(&form, &[("n", "l\nm")]);
    assert_eq!(got.url.as_str(), "http://h.test/s?a+b=1%262%3D%C3%BC%E2%98%83&n=l%0D%0Am");
    assert_eq!(got.method, Sent::Get);
    let latin = one(&format!("<form accept-charset='x-no iso-8859-1' action=s>{fields}</form>"));
    assert_eq!(asked(&latin, &[]).url.as_str(), "http://h.test/dir/s?a+b=1%262%3D%FC%26%239731%3B&n=");
    let posted = |enctype: &str| {
        let form = one(&format!("<form method=post enctype='{enctype}' action='/s?x=1'>{fields}</form>"));
        let request = asked(&form, &[]);
        assert_eq!(request.url.as_str(), "http://h.test/s?x=1");
        match request.method {
            Sent::Post { media_type, body } => (media_type, String::from_utf8(body).unwrap()),
            Sent::Get | Sent::Head => panic!("not posted"),
        }
    };
    assert_eq!(posted("").1, "a+b=1%262%3D%C3%BC%E2%98%83&n=");
    assert_eq!(posted("text/plain"), ("text/plain".into(), "a b=1&2=ü☃\r\nn=\r\n".into()));
    let (media_type, body) = posted("multipart/form-data");
    let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
    let part = |name: &str, value: &str| {
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    assert_eq!(body, format!("{}{}--{boundary}--\r\n", part("a b", "1&2=ü☃"), part("n", "")));
    // Without an action the page itself, its query replaced; a base is not meant then.
    let form = one("<base href='http://other.test/x/'><form><input name=q></form>");
    assert_eq!(asked(&form, &[]).url.as_str(), "http://h.test/dir/page.html?q=");
    let form = one("<base href='/x/'><form action=s><input name=q></form>");
    assert_eq!(asked(&form, &[]).url.as_str(), "http://h.test/x/s?q=");
    assert!(one("<form action='javascript:x()'><input name=q></form>").action.is_none());
}

#[test]
fn a_button_may_lead_elsewhere() {
    let form = one(
        "<form action=/a method=post><input name=q value=1><button name=b value=2 formaction=/b formmethod=get>go</button></form>",
    );
    assert_eq!(asked(&form, &[]).url.as_str(), "http://h.test/b?q=1&b=2");
    assert!(request(&one("<form method=dialog><input name=q></form>"), &[], None).is_none());
}

#[test]
fn tokens_are_seen_replaced_and_left_out_of_keys() {
    let form = |token: &str| {
        one(&format!(
            "<form method=post><input type=hidden name=t value={token}><input type=hidden name=k value=1>\
        <input type=hidden name=csrf_token value=same><input name=q></form>"
        ))
    };
    let (first, second) = (form("abc"), form("def"));
    let names = tokens(&first, &second);
    assert_eq!(names, ["t", "csrf_token"]);
    let old = set(&first, &[("q", "x")]);
    let fresh = refreshed(&old, &second, &names);
    assert_eq!(pairs(&fresh), "t=def&k=1&csrf_token=same&q=x");
    let request = |set: &[(String, String)]| request(&first, set, None).unwrap();
    assert_eq!(key(&request(&old), &names), key(&request(&fresh), &names));
    assert_ne!(key(&request(&old), &[]), key(&request(&fresh), &[]));
    assert_eq!(key(&request(&old), &names), "POST http://h.test/dir/page.html?old=1\nk=1&q=x");
    let multipart = |set: &[(String, String)]| sent(page(), Method::Post, Enctype::Multipart, "utf-8", set);
    assert_eq!(key(&multipart(&old), &names), key(&multipart(&fresh), &names));
}

#[test]
fn ranges_are_seen_by_names_and_labels() {
    for (html, low, high, kind) in [
        ("<input name=preis_von><input name=preis_bis>", "preis_von", "preis_bis", RangeKind::Money),
        ("<input name=minPrice><input name=maxPrice>", "minPrice", "maxPrice", RangeKind::Money),
        ("<input name=pricemin><input name=x><input name=pricemax>", "pricemin", "pricemax", RangeKind::Money),
        ("<input name='size[from]'><input name='size[to]'>", "size[from]", "size[to]", RangeKind::Number),
        ("<input type=date name=od><input type=date name=do>", "od", "do", RangeKind::Date),
        ("<input name=price1><input name=price2>", "price1", "price2", RangeKind::Money),
        (
            "<input name=lat_max type=number><input name=lat_min type=number step=0.1>",
            "lat_min",
            "lat_max",
            RangeKind::Number,
        ),
        ("Rooms from <input name=p> to <input name=q>", "p", "q", RangeKind::Number),
        (
            "Preis von <select name=a><option>10<option>20</select> bis <select name=b><option>10<option>20</select>",
            "a",
            "b",
            RangeKind::Money,
        ),
        (
            "<input type=range name=v aria-label=min><input type=range name=w aria-label=max>",
            "v",
            "w",
            RangeKind::Number,
        ),
    ] {
        let ranges = one(&format!("<form>{html}</form>")).ranges();
        assert_eq!(ranges.len(), 1, "{html}");
        assert_eq!(
            (ranges[0].names.0.as_str(), ranges[0].names.1.as_str(), ranges[0].kind),
            (low, high, kind),
            "{html}"
        );
    }
    for html in [
        "<input name=address1><input name=address2>",
        "<input name=first_name><input name=name>",
        "<input name=von>",
        "<input name=price_min><select name=price_max><option>a</select>",
        "<input name=stadt><input name=dorf>",
    ] {
        assert!(one(&format!("<form>{html}</form>")).ranges().is_empty(), "{html}");
    }
}

#[test]
fn search_forms_are_told_from_others() {
    for html in [
        "<form action=/search><input name=q><input type=submit></form>",
        "<form><input type=search name=x></form>",
        "<form action=auswahl.pl><select name=region><option>a<option>b</select><input type=submit value=Suchen></form>",
        "<form><input name=preis_von><input name=preis_bis><button>Finden</button></form>",
        "<form method=post action=/suche><input name=suchbegriff><input type=submit value=Suchen></form>",
        "<form method=post action=/list><input name=writer><button>Rechercher</button></form>",
        "<form action=/list><input name=book><button>検索する</button></form>",
        "<form><select name=lang><option value=''>any<option>de<option>en</select><button>Search</button></form>",
    ] {
        assert!(one(html).looks().search, "{html}: {:?}", one(html).looks());
    }
    for html in [
        "<form action=/login><input name=user><input type=password name=p></form>",
        "<form action=/newsletter><input type=email name=mail><button>Subscribe</button></form>",
        "<form method=post action=/comment><textarea name=text></textarea><button>Send</button></form>",
        "<form action=/cart/add><select name=size><option>S<option>M</select><button>Add to cart</button></form>",
        "<form><select name=lang><option>de<option>en</select></form>",
        "<form action=/search><input type=hidden name=q value=1></form>",
        "<form action=/upload><input type=file name=f><input name=q></form>",
        "<form method=post action=/list><input name=writer><button>Send</button></form>",
        "<form method=post action=/kontakt><input name=name><input type=email name=m><textarea name=t></textarea></form>",
    ] {
        assert!(!one(html).looks().search, "{html}: {:?}", one(html).looks());
    }
}

#[test]
fn suggestions_bounds_and_json() {
    let form = one(
        "<form><input name=x list=l min=1 max=9 step=2 maxlength=5 pattern='[a-z]' required><datalist id=l><option value=a>A<option>b</datalist></form>",
    );
    let field = &form.fields[0];
    assert_eq!(field.values.iter().map(|c| c.value.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((field.min.as_deref(), field.max_length, field.required), (Some("1"), Some(5), true));
    let json = serde_json::to_value(&form).unwrap();
    assert_eq!(json["action"], "http://h.test/dir/page.html?old=1");
    assert_eq!(json["fields"][0]["kind"], "text");
}

#[test]
fn huge_forms_are_cut_and_say_so() {
    let many = |part: &str, count: usize| format!("<form>{}</form>", part.repeat(count));
    for (html, cut) in [
        (many("<input name=a>", 100_000), "fields"),
        (many("<label>x<input type=radio name=r value=1></label>", 100_000), "fields"),
        (format!("<form><select name=s>{}</select></form>", "<option>x".repeat(100_000)), "choices"),
        (format!("<form><input type=hidden name=h value='{}'></form>", "x".repeat(5 << 20)), "bytes"),
        (format!("<form><table><tr>{}</table></form>", "<td>a<td><input name=a>".repeat(50_000)), "fields"),
    ] {
        let form = one(&html);
        assert_eq!(form.cut, Some(cut));
        set(&form, &[("a", "1")]);
        form.ranges();
        form.looks();
    }
    assert_eq!(all(&"<form></form>".repeat(300)).len(), FORMS);
}

proptest! {
    #[test]
    fn what_a_get_form_sends_is_read_back(values in proptest::collection::vec(("[a-z]{1,5}", "[^\r\n\0]{0,12}"), 0..8)) {
        let fields: String = values.iter().enumerate().map(|(nth, (name, _))| format!("<input name={name}{nth}>")).collect();
        let form = one(&format!("<form action=/s>{fields}</form>"));
        let names: Vec<String> = values.iter().enumerate().map(|(nth, (name, _))| format!("{name}{nth}")).collect();
        let filled: Vec<(&str, &str)> = names.iter().zip(&values).map(|(name, (_, value))| (name.as_str(), value.as_str())).collect();
        let request = asked(&form, &filled);
        let read: Vec<(String, String)> = groma_url::form_urlencoded::parse(request.url.query().unwrap_or_default().as_bytes()).into_owned().collect();
        let expected: Vec<(String, String)> = filled.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn no_form_panics(html in "(<(form|input|select|option|label|table|tr|td|fieldset disabled|button|textarea)( name=a| form=x| id=x| type=radio| for=x| value=min)*>|</(form|label|table|select)>|x| ){0,40}") {
        for form in all(&html) {
            form.looks();
            form.ranges();
            let set = set(&form, &[("a", "1"), ("b", "2")]);
            if let Some(request) = request(&form, &set, form.default_button()) {
                key(&request, &tokens(&form, &form));
            }
        }
    }
}
