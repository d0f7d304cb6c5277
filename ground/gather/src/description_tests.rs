//! Descriptions: the paper's, a file's, a proposal.

use super::*;

const FORM: &str = r##"<html><head><META NAME="DB.QueryElement" CONTENT="region">
<META NAME="DB.Result.region" CONTENT="html.body->A[i]->pdata[1].txt
  where html.body->A[i].getAttr(name) = 'Seitenanfang'">
<META NAME="DB.Result" CONTENT="html.body->table[1].">
<META NAME="DB.Result.ort" CONTENT="tr[j:*].td[1].txt where tr[j].td[1].font.getAttr(color) = '#FF8000'">
<META NAME="DB.Result.name" CONTENT="tr[k:*].td[1].b.txt where tr[k].td[0].input.getAttr(name) = 'hotel_id'">
<META NAME="DB.Navigation" CONTENT="NO"></head>
<body><form action="/suche"><input name=q></form>
<FORM ACTION="/cgi-bin/auswahl.pl" METHOD=POST>Region: <SELECT NAME=region><OPTION VALUE="">alle
<OPTION VALUE=1>R&uuml;gen<OPTION VALUE=2>Usedom</SELECT> Preis bis <SELECT NAME=preis><OPTION>50<OPTION>100</SELECT>
<INPUT TYPE=submit NAME=los VALUE=Suchen></FORM>"##;

const ANSWER: &str = r##"<HTML><BODY><TABLE><TR><TD><A HREF="/">Start</A></TD></TR></TABLE><A NAME="Seitenanfang"></A>
<H2>Suchergebnis f&uuml;r die Region <FONT COLOR="#0000FF">R&uuml;gen</FONT></H2>
<FORM ACTION="/cgi-bin/anfrage.pl" METHOD=POST><TABLE BORDER=1><TR><TH>Auswahl<TH>Hotel<TH>Preis</TR>
<TR><TD>&nbsp;<TD><FONT COLOR="#FF8000">Binz</FONT><TD>&nbsp;
<TR><TD><INPUT TYPE=checkbox NAME="hotel_id" VALUE=17><TD><B>Haus am Meer</B><BR>Dorfstr. 5<TD>90 DM
<TR><TD><INPUT TYPE=checkbox NAME="hotel_id" VALUE=18><TD><B>M&ouml;we</B><BR>Weg 1<TD>60 DM
<TR><TD><INPUT TYPE=submit NAME="senden"><TD><B>Anfrage</B><TD>&nbsp;</TABLE></FORM></BODY></HTML>"##;

fn page() -> Url {
    Url::parse("http://www.cityworld.test/form.html").unwrap()
}

fn tree(html: &str) -> Tree {
    Tree::parse(html, &Bounds::default())
}

fn own(url: &Url) -> bool {
    url.host_str() == Some("www.cityworld.test")
}

#[test]
fn the_papers_form_is_asked_region_by_region() {
    let forms = form::forms(&tree(FORM), &page(), "windows-1252");
    let description = Description::of_page(&tree(FORM)).unwrap();
    let asking = description.resolve(&forms, &own).unwrap();
    assert_eq!((asking.form, asking.method, asking.requests()), (1, Method::Post, 2));
    assert_eq!(
        asking.elements,
        [Element { name: "region".into(), label: "Region".into(), values: vec!["1".into(), "2".into()] }]
    );
    assert!(asking.complaints.is_empty(), "{:?}", asking.complaints);
    let questions: Vec<_> = asking.questions(100).collect();
    assert_eq!(questions, [[("region", "1")], [("region", "2")]]);
    let request = asking.request(&forms[1], &questions[1]).unwrap();
    assert_eq!(request.url.as_str(), "http://www.cityworld.test/cgi-bin/auswahl.pl");
    assert!(
        matches!(&request.method, groma_model::Method::Post { body, .. } if body == b"region=2&preis=50&los=Suchen")
    );
    let answer = answer::read(&tree(ANSWER), &request.url, "utf-8", &description, &questions[0]);
    assert_eq!(answer.values["region"], ["Rügen"]);
    assert_eq!(answer.values["ort"], ["Binz"]);
    assert_eq!(answer.values["name"], ["Haus am Meer", "Möwe"]);
    assert_eq!(answer.records.len(), 2);
    assert!(answer.next.is_empty());
}

#[test]
fn what_is_written_is_read_back() {
    let description = Description::of_page(&tree(FORM)).unwrap();
    let again = Description::parse(&description.to_string());
    assert_eq!(again, description);
    assert_eq!(Description::parse(FORM), description);
    let file = Description::parse("Form: 0\nQueryElements: other\nResult.preis: td[2].txt\nQueryScript: /s, GET");
    let both = description.or(&file);
    assert_eq!(both.metadata().essential, ["region"]);
    assert!(both.metadata().results.contains_key("preis"));
    assert_eq!(Description::parse(&both.to_string()), both);
}

#[test]
fn names_with_colons_are_written_as_tags() {
    let html =
        "<meta name='DB.QueryElement' content='f:ort'><meta name='DB.QueryElement.f:ort' content='\"a & b\", c'>";
    let description = Description::of_page(&tree(html)).unwrap();
    assert_eq!(Description::parse(&description.to_string()), description);
    assert_eq!(description.metadata().domain("f:ort", false).unwrap().unwrap(), ["a & b", "c"]);
}

#[test]
fn scripts_of_other_sites_are_refused() {
    let forms = form::forms(&tree(FORM), &page(), "utf-8");
    let asking = |text: &str| Description::parse(text).resolve(&forms, &own).unwrap();
    let own_script = asking("QueryElement: region\nQueryScript: /s?x=1, GET");
    let request = own_script.request(&forms[own_script.form], &[("region", "1")]).unwrap();
    assert_eq!(request.url.as_str(), "http://www.cityworld.test/s?region=1&preis=50&los=Suchen");
    let foreign = asking("QueryElement: region\nQueryScript: http://evil.test/s");
    assert!(foreign.script.is_none());
    assert!(foreign.complaints[0].contains("another site"));
}

#[test]
fn domains_are_counted_before_they_are_spelled() {
    let forms = form::forms(&tree(FORM), &page(), "utf-8");
    let asking = |text: &str| Description::parse(text).resolve(&forms, &own).unwrap();
    assert_eq!(asking("QueryElements: region, preis").requests(), 4);
    let by_label = asking("QueryElement: Region\nQueryElement.Region: Usedom");
    assert_eq!(by_label.elements[0].values, ["2"]);
    let text = asking("QueryElements: region, q\nQueryElement.q: [A-Z]%");
    assert_eq!((text.form, text.elements.len()), (0, 1));
    assert!(text.complaints[0].contains("no field region"));
    let text = asking("Form: 0\nQueryElement: q\nQueryElement.q: [A-Z]%");
    assert_eq!((text.form, text.requests()), (0, 26));
    assert!(asking("Form: 0\nQueryElement: q\nQueryElement.q: /x*/").complaints[0].contains("no end"));
    assert!(asking("Form: 0\nQueryElement: q").complaints[0].contains("missing"));
    assert_eq!(asking("QueryElements: region, preis").questions(3).count(), 3);
}

#[test]
fn a_proposal_finds_fields_and_rows() {
    let forms = form::forms(&tree(FORM), &page(), "utf-8");
    let html = "<body><table><tr><th>Name<th>Ort<tr><td>A<td>x<tr><td>B<td>y<tr><td>C<td>z</table>";
    let description = Description::propose(&forms[1], &tree(html), None);
    assert_eq!(description.metadata().essential, ["region"]);
    let answer = answer::read(&tree(html), &page(), "utf-8", &description, &[]);
    assert_eq!(answer.records.len(), 3);
    assert_eq!(answer.values["Ort"], ["x", "y", "z"]);
    assert_eq!(Description::parse(&description.to_string()), description);
}

#[test]
fn what_somebody_writes_wrong_is_told_with_its_line() {
    let wrong = |text: &str| Description::check(text).expect_err(text);
    assert_eq!(Description::check(""), Ok(()));
    let fine = "# A remark: of mine\n\nDB.Form: 1\nQueryElements: region, ort\nDB.QueryElement.ort: [A-Z]%\n\
        Result: html.body->table[1].\nResult.ort: tr[j:*].td[1].txt where tr[j].td[1].font.getAttr(color) = '#FF8000'\n\
        Result.land: here, there\nNavigation: NO";
    assert_eq!(Description::check(fine), Ok(()));
    assert_eq!(wrong("Form: 1\n\nQueryElement region").0, Some(3));
    let (line, what) = wrong("QueryElement: region\nDB.Querry: x");
    assert!(line == Some(2) && what.contains("no tag DB.querry"), "{what}");
    let (line, what) = wrong("Result: html.body->table[1].\n# here\nResult.ort: tr[*].td[1.txt");
    assert!(line == Some(3) && what.contains("DB.Result.ort"), "{what}");
    let (line, what) = wrong("QueryElement: q\nQueryElement.q: /x*/");
    assert!(line == Some(2) && what.contains("no end"), "{what}");
    let (line, what) = wrong("Result: html[");
    assert!(line == Some(1) && what.contains("DB.Result"), "{what}");
    // Neither line is wrong by itself.
    let (line, what) = wrong("Navigation: NO\nNavigation: AUTO");
    assert!(line.is_none() && what.contains("more than one way"), "{what}");
    assert!(wrong("<p>no tags").1.contains("no META tag"));
    assert!(wrong("<meta name=DB.Result.x content='html.['>").1.contains("DB.Result.x"));
}
