//! The pages of the guide, in the markup of their time.

use super::rows::REGIONS;
use super::{CONFIG, CityWorld, DOCUMENT, FORM, PRICES, Page, RESULTS};
use crate::gate::TOKEN;
use crate::options::{Meta, Method, Options};
use crate::page::escaped;

const TITLE: &str = "CityWorld - Hotels und Pensionen";

fn framed(head: &str, body: &str) -> String {
    format!(
        "<HTML><HEAD><META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=ISO-8859-1\">\n\
         <TITLE>{TITLE}</TITLE>{head}</HEAD>\n<BODY BGCOLOR=\"#FFFFFF\">\n{body}</BODY></HTML>\n"
    )
}

/// The table at the head of every page.
fn menu() -> String {
    format!(
        "<TABLE BORDER=0><TR><TD><A HREF=\"/\">Start</A></TD><TD><A HREF=\"{FORM}\">Auswahl</A></TD></TR></TABLE>\n"
    )
}

/// The start page.
pub(super) fn home() -> String {
    let body = format!(
        "{}<H1>{TITLE}</H1>\n<P>Der Hotelf&uuml;hrer einer K&uuml;ste, die auf keiner Karte steht.\n\
         <UL><LI><A HREF=\"{FORM}\">Zur Auswahl</A><LI><A HREF=\"{DOCUMENT}\">Inhalt der Datenbank</A></UL>\n",
        menu()
    );
    framed("", &body)
}

/// A page that says one thing.
pub(super) fn remark(text: &str) -> String {
    framed("", &format!("{}<P>{}\n", menu(), escaped(text)))
}

/// The tags of the paper. Where lists have several pages, the tag that says so stands for the paper's `NO`.
pub(super) fn tags(options: &Options) -> Vec<(&'static str, String)> {
    let mut tags = vec![
        ("DB.QueryElement", "region".to_owned()),
        (
            "DB.Result.region",
            "html.body->A[i]->pdata[1].txt where html.body->A[i].getAttr(name) = 'Seitenanfang'".to_owned(),
        ),
        ("DB.Result", "html.body->table[1].".to_owned()),
        ("DB.Result.ort", "tr[j:*].td[1].txt where tr[j].td[1].font.getAttr(color) = '#FF8000'".to_owned()),
        ("DB.Result.name", "tr[k:*].td[1].b.txt where tr[k].td[0].input.getAttr(name) = 'hotel_id'".to_owned()),
    ];
    tags.push(if CityWorld::is_paged(options) {
        ("DB.NavigationURL", format!("{RESULTS}?*seite=*"))
    } else {
        ("DB.Navigation", "NO".to_owned())
    });
    tags
}

/// The page of the form: region, place, price.
pub(super) fn form(options: &Options, token: Option<&str>) -> String {
    let tag = |name: &str, content: &str| format!("\n<META NAME=\"{name}\" CONTENT=\"{}\">", escaped(content));
    let head: String = match options.meta {
        Meta::Yes => tags(options).iter().map(|(name, content)| tag(name, content)).collect(),
        Meta::Config => tag("DB.ConfigFile", CONFIG),
        Meta::No => String::new(),
    };
    let regions: String = if options.radios {
        let one = |(region, _): &(&str, [&str; 5])| {
            format!("<INPUT TYPE=radio NAME=\"region\" VALUE=\"{0}\">{0}<BR>\n", escaped(region))
        };
        REGIONS.iter().map(one).collect()
    } else {
        // There is no choice for all: the region is what the paper varies.
        let one = |(region, _): &(&str, [&str; 5])| format!("<OPTION>{}", escaped(region));
        format!("<SELECT NAME=\"region\">{}</SELECT>", REGIONS.iter().map(one).collect::<String>())
    };
    let prices: String = PRICES.iter().map(|(value, shown, ..)| format!("<OPTION VALUE={value}>{shown}")).collect();
    let method = if options.method == Method::Post { "POST" } else { "GET" };
    let hidden = token.map(|token| format!("<INPUT TYPE=hidden NAME=\"{TOKEN}\" VALUE=\"{token}\">\n"));
    let body = format!(
        "{}<H1>{TITLE}</H1>\n<FORM ACTION=\"{RESULTS}\" METHOD={method}>\n{}<TABLE>\n\
         <TR><TD>Region:<TD>{regions}\n<TR><TD>Ort:<TD><INPUT NAME=\"ort\" SIZE=30>\n\
         <TR><TD>Zimmerpreis:<TD><SELECT NAME=\"preis\"><OPTION VALUE=\"\">egal{prices}</SELECT>\n\
         </TABLE><INPUT TYPE=submit VALUE=\"Suchen\"></FORM>\n",
        menu(),
        hidden.unwrap_or_default()
    );
    framed(&head, &body)
}

/// A page of a list, as in the paper's figure 4.
pub(super) fn results(options: &Options, page: &Page<'_>) -> String {
    let mut body = menu();
    body.push_str("<A HREF=\"#Liste\">zur Liste</A>\n<A NAME=\"Seitenanfang\"></A>\n");
    body.push_str(&format!(
        "<H2>Suchergebnis f&uuml;r die Region <FONT COLOR=\"#0000FF\">{}</FONT></H2>\n",
        escaped(&page.region)
    ));
    if page.total > options.most() {
        body.push_str(&format!("<P>Es werden nur die ersten {} von {} Treffern gezeigt.\n", options.k, page.total));
    }
    if page.hotels.is_empty() {
        body.push_str("<P>Leider wurde nichts gefunden.\n");
        return framed("", &body);
    }
    body.push_str("<A NAME=\"Liste\"></A><FORM ACTION=\"/cgi-bin/anfrage.pl\" METHOD=POST>\n<TABLE BORDER=1>\n");
    body.push_str("<TR><TH>Auswahl<TH>Hotel / Pension<TH>Preis</TR>\n");
    let mut place = "";
    for (id, hotel) in &page.hotels {
        if hotel.place != place {
            place = hotel.place;
            body.push_str(&format!("<TR><TD>&nbsp;<TD><FONT COLOR=\"#FF8000\">{}</FONT><TD>&nbsp;\n", escaped(place)));
        }
        body.push_str(&format!(
            "<TR><TD><INPUT TYPE=checkbox NAME=\"hotel_id\" VALUE={id}><TD><B>{}</B><BR>{}, {}<TD>{} DM\n",
            escaped(&hotel.name),
            escaped(&hotel.street),
            escaped(hotel.place),
            hotel.price
        ));
    }
    body.push_str(
        "<TR><TD><INPUT TYPE=submit NAME=\"senden\"><TD><B>Anfrage</B> an die markierten H&auml;user<TD>&nbsp;\n</TABLE></FORM>\n",
    );
    if CityWorld::is_paged(options) && page.last > 1 {
        let one = |number: usize| {
            let separator = if page.query.is_empty() { "" } else { "&amp;" };
            let address = format!("{RESULTS}?{}{separator}seite={number}", escaped(&page.query));
            if number == page.number {
                format!("<B>{number}</B>")
            } else {
                format!("<A HREF=\"{address}\">{number}</A>")
            }
        };
        let links: Vec<String> = (1..=page.last).map(one).collect();
        body.push_str(&format!("<P>Seite: {}\n", links.join(" ")));
    }
    body.push_str("<P><A HREF=\"#Seitenanfang\">nach oben</A>");
    framed("", &body)
}

/// The description for the cooperative way.
pub(super) fn document(options: &Options, host: &str) -> String {
    let own = format!("http://{host}/cgi-bin/Ora-DB.pl");
    let summarizer = options.summarizer.as_deref().unwrap_or(&own);
    format!(
        "Summarizer: {summarizer}\nURL: http://{host}{FORM}\nTitle: {TITLE}\nDescription: Hotelführer einer Küste\n\
         Keywords: Hotel, Zimmer, Unterkunft, Pension, Preis\nDatabase: Cityworld\nTable: hotel\nAttribute: name\n\
         Attribute: ort\nTable: region\nAttribute: region\n"
    )
}
