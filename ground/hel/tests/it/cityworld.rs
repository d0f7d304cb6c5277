//! The paper's own example: its page, rebuilt as it is described, and its three rules, word for word.

use groma_hel::{Bounds, Prefix, Rule, join};

use super::tree;

const PAGE: &str = r##"<HTML><HEAD><TITLE>CityWorld - Hotels und Pensionen</TITLE></HEAD>
<BODY BGCOLOR="#FFFFFF">
<TABLE BORDER=0><TR><TD><A HREF="/">Start</A></TD><TD><A HREF="/cgi-bin/auswahl.pl">Auswahl</A></TD></TR></TABLE>
<A HREF="#Liste">zur Liste</A>
<A NAME="Seitenanfang"></A>
<H2>Suchergebnis f&uuml;r die Region <FONT COLOR="#0000FF">Fischland-Dar&szlig;-Zingst</FONT></H2>
<FORM ACTION="/cgi-bin/anfrage.pl" METHOD=POST>
<TABLE BORDER=1>
<TR><TH>Auswahl<TH>Hotel / Pension<TH>Preis</TR>
<TR><TD>&nbsp;<TD><FONT COLOR="#FF8000">Ahrenshoop</FONT><TD>&nbsp;
<TR><TD><INPUT TYPE=checkbox NAME="hotel_id" VALUE=17><TD><B>Haus am Meer</B><BR>Dorfstr. 5, 18347 Ahrenshoop<TD>90 DM
<TR><TD><INPUT TYPE=checkbox NAME="hotel_id" VALUE=18><TD><B>Pension
  M&ouml;we</B><BR>Strandweg 1, 18347 Ahrenshoop<TD>60 DM
<TR><TD>&nbsp;<TD><FONT COLOR="#FF8000">Prerow</FONT><TD>&nbsp;
<TR><TD><INPUT TYPE=checkbox NAME="hotel_id" VALUE=23><TD><B>Waldschl&ouml;&szlig;chen</B><BR>Waldstr. 9, 18375 Prerow<TD>75 DM
<TR><TD><INPUT TYPE=submit NAME="senden"><TD><B>Anfrage</B> an die markierten H&auml;user<TD>&nbsp;
</TABLE></FORM>
<A HREF="#Seitenanfang">nach oben</A></BODY></HTML>"##;

/// The values of an attribute by the prefix and the rule in the paper's META tags.
fn values(prefix: &str, rule: &str) -> Vec<String> {
    let rule = join(&Prefix::parse(prefix).unwrap(), &Rule::parse(rule).unwrap()).unwrap();
    let value = rule.extract(&tree(PAGE), &Bounds::default()).unwrap();
    value.values().into_iter().map(str::to_owned).collect()
}

const RESULT: &str = "html.body->table[1].";

#[test]
fn the_region_is_found_behind_the_anchor() {
    let rule = "html.body->A[i]->pdata[1].txt\n  where html.body->A[i].getAttr(name) = 'Seitenanfang'";
    assert_eq!(values(RESULT, rule), ["Fischland-Darß-Zingst"]);
}

#[test]
fn exactly_the_places_are_found() {
    let rule = "tr[j:*].td[1].txt\n  where tr[j].td[1].font.getAttr(color) = '#FF8000'";
    assert_eq!(values(RESULT, rule), ["Ahrenshoop", "Prerow"]);
}

#[test]
fn exactly_the_names_of_hotels_are_found() {
    let rule = "tr[k:*].td[1].b.txt\n  where tr[k].td[0].input.getAttr(name) = 'hotel_id'";
    assert_eq!(values(RESULT, rule), ["Haus am Meer", "Pension Möwe", "Waldschlößchen"]);
}

#[test]
fn without_the_rows_that_carry_what_is_sought_nothing_is_found() {
    let rule = "tr[j:*].td[1].txt where tr[j].td[1].font.getAttr(color) = '#FF9000'";
    assert!(values(RESULT, rule).is_empty());
}
