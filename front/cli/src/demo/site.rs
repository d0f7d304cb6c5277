//! The built-in site: a small museum of measuring, in three languages.
//!
//! Truth: 33 pages answer 200, all but one (`/visit.html`, which only the sitemap names) reachable by links; `/start` redirects
//! to `/`; `/tools/astrolabe.html` is linked and missing; `/private/` is disallowed by robots.txt; the news pages are linked
//! with and without `utm_source`; the gallery has six images. Every page has an ETag and none ever changes.

use groma_model::escape::Html;

/// An answer of the site.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Header fields but for the length.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn typed(media: &str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: 200, headers: vec![("Content-Type", media.to_owned())], body: body.into() }
    }

    /// A status and nothing more to say.
    pub(crate) fn status(status: u16) -> Answer {
        Answer { status, ..Answer::typed("text/plain; charset=utf-8", format!("{status}\n")) }
    }

    /// The words behind the status.
    pub(crate) fn phrase(&self) -> &'static str {
        match self.status {
            200 => "OK",
            301 => "Moved Permanently",
            304 => "Not Modified",
            404 => "Not Found",
            _ => "Method Not Allowed",
        }
    }
}

struct Page {
    path: &'static str,
    language: &'static str,
    title: &'static str,
    text: &'static str,
}

const fn page(path: &'static str, language: &'static str, title: &'static str, text: &'static str) -> Page {
    Page { path, language, title, text }
}

/// A page per line; the first of a folder leads to the others of it.
#[rustfmt::skip]
const PAGES: &[Page] = &[
    page("/", "en", "Museum of Measuring", "How straight is a straight line? This house shows the tools with which people drew borders, roads and fields."),
    page("/tools/", "en", "Tools", "Instruments for lines, angles, heights and lengths, from wood and bronze to brass."),
    page("/tools/groma.html", "en", "The groma", "A cross on a pole with four plumb lines. Look along two opposite cords and you see a straight line; look along the other two and you see the one square to it."),
    page("/tools/dioptra.html", "en", "The dioptra", "A sighting tube on a disc that turns and tilts. It measures angles on the ground and between the stars."),
    page("/tools/chorobates.html", "en", "The chorobates", "A bench twenty feet long with a groove of water on top. Where the water touches both marks, the bench is level, and so is the aqueduct built by it."),
    page("/tools/rod.html", "en", "The ten-foot rod", "Two rods laid end to end in turn measure a road without a rope that stretches when it is wet."),
    page("/tools/hodometer.html", "en", "The hodometer", "A cart whose wheel lets a pebble fall into a box at every mile. Count the pebbles in the evening."),
    page("/tools/chain.html", "en", "The chain", "A hundred links, twenty-two yards. Ten square chains are an acre, which makes the sums easy."),
    page("/grid/", "en", "Drawing the grid", "Two roads cross at a right angle, and everything else follows from the crossing."),
    page("/grid/axes.html", "en", "The two axes", "One axis runs with the course of the sun, the other across it. Their crossing is where the instrument stands."),
    page("/grid/squares.html", "en", "Squares of land", "A square of 2,400 feet a side held a hundred small estates, at least by name."),
    page("/grid/stones.html", "en", "Boundary stones", "A stone at every corner says how far it is from both axes: an address, cut into rock."),
    page("/grid/map.html", "en", "The bronze map", "Every field was drawn on bronze, and one copy was kept far away in case of doubt."),
    page("/grid/today.html", "en", "What is left", "From above, field edges in many valleys still lie on the lines drawn two thousand years ago."),
    page("/news/", "en", "News", "What happens in the house."),
    page("/news/item?id=1", "en", "The level is back", "The long bench has returned from repair. Its groove holds water again."),
    page("/news/item?id=2", "en", "A walk along the line", "On the first Sunday we walk along a field edge that is older than the village beside it."),
    page("/news/item?id=3", "en", "Measure your own street", "Borrow a rod and a plumb line at the desk and measure your own street."),
    page("/news/item?id=4", "en", "Winter hours", "From November on the house closes when it gets too dark to sight a line."),
    page("/gallery.html", "en", "Gallery", "Six views of the collection."),
    page("/de/", "de", "Museum des Messens", "Wie gerade ist eine gerade Linie? Dieses Haus zeigt die Werkzeuge, mit denen Menschen Grenzen, Straßen und Felder zogen."),
    page("/de/groma.html", "de", "Die Groma", "Ein Kreuz auf einem Stab mit vier Loten. Wer an zwei gegenüberliegenden Schnüren entlangsieht, sieht eine gerade Linie; die beiden anderen zeigen den rechten Winkel."),
    page("/de/wasserwaage.html", "de", "Die Wasserwaage", "Steht das Wasser in der Rinne an beiden Marken gleich hoch, so liegt die Bank waagerecht, und die Leitung bekommt das richtige Gefälle."),
    page("/de/grenzsteine.html", "de", "Grenzsteine", "Auf jedem Stein steht, wie weit er von den beiden Achsen entfernt ist. So findet man jedes Feld wieder, auch nach einer Überschwemmung."),
    page("/de/besuch.html", "de", "Ihr Besuch", "Das Haus ist täglich außer montags geöffnet. Führungen beginnen zur vollen Stunde am Eingang."),
    page("/cs/", "cs", "Muzeum měření", "Jak rovná je rovná čára? Náš dům ukazuje nástroje, jimiž lidé vytyčovali hranice, cesty a pole."),
    page("/cs/groma.html", "cs", "Groma", "Kříž na tyči se čtyřmi olovnicemi. Kdo se dívá podél dvou protilehlých šňůr, vidí přímku; druhé dvě ukazují pravý úhel."),
    page("/cs/vodovaha.html", "cs", "Vodováha", "Když voda v drážce dosahuje k oběma značkám stejně vysoko, leží lavice vodorovně a vodovod má správný sklon."),
    page("/cs/kameny.html", "cs", "Hraniční kameny", "Na každém kameni stojí, jak daleko je od obou os. Tak se pole najde i po povodni."),
    page("/cs/navsteva.html", "cs", "Vaše návštěva", "Dům je otevřen denně kromě pondělí. Prohlídky začínají každou celou hodinu u vchodu."),
    page("/about.html", "en", "About this site", "It lives inside a program, so that a survey can be tried without a network."),
    page("/visit.html", "en", "How to find us", "Follow the straight road. No page leads here: only the sitemap knows this one."),
    page("/private/plans.html", "en", "Plans", "Robots are asked to keep out, and a polite one never reads this."),
];

/// What the site says to a request for this path.
pub(crate) fn answer(path: &str, host: &str, if_none_match: Option<&str>) -> Answer {
    // It goes into XML as it stands.
    let host: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || ".:-[]".contains(*c)).collect();
    let (bare, query) = path.split_once('?').unwrap_or((path, ""));
    match bare {
        "/robots.txt" => {
            let text = format!("User-agent: *\nDisallow: /private/\n\nSitemap: http://{host}/sitemap.xml\n");
            return Answer::typed("text/plain; charset=utf-8", text);
        }
        "/sitemap.xml" => return Answer::typed("application/xml", sitemap(&host)),
        "/start" => {
            let mut answer = Answer::status(301);
            answer.headers.push(("Location", "/".to_owned()));
            return answer;
        }
        _ => {}
    }
    if let Some(number) = bare.strip_prefix("/img/").and_then(|name| name.strip_suffix(".svg")) {
        return if GALLERY.contains(&number) {
            Answer::typed("image/svg+xml", picture(number))
        } else {
            Answer::status(404)
        };
    }
    // The campaign a visitor comes from changes nothing.
    let id = query.split('&').find(|part| part.starts_with("id="));
    let wanted = id.map_or_else(|| bare.to_owned(), |id| format!("{bare}?{id}"));
    let Some(page) = PAGES.iter().find(|page| page.path == wanted) else { return Answer::status(404) };
    let body = html(page);
    let etag = format!("\"{:x}-{}\"", body.len(), page.title.len());
    let has_it = if_none_match.is_some_and(|given| given.split(',').any(|tag| tag.trim() == etag || tag.trim() == "*"));
    let mut answer = if has_it {
        Answer { body: Vec::new(), ..Answer::status(304) }
    } else {
        Answer::typed("text/html; charset=utf-8", body)
    };
    answer.headers.push(("ETag", etag));
    answer
}

const GALLERY: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

fn html(page: &Page) -> String {
    let mut links = vec![("/".to_owned(), "Museum of Measuring".to_owned())];
    let folder = &page.path[..page.path.rfind('/').map_or(0, |at| at + 1)];
    if page.path == "/" {
        for (path, text) in [
            ("/start", "Start"),
            ("/tools/", "Tools"),
            ("/grid/", "The grid"),
            ("/news/?utm_source=home", "News"),
            ("/gallery.html", "Gallery"),
            ("/de/", "Deutsch"),
            ("/cs/", "Česky"),
            ("/about.html", "About"),
        ] {
            links.push((path.to_owned(), text.to_owned()));
        }
    } else if page.path == folder {
        let inside = PAGES.iter().filter(|other| other.path != folder && other.path.starts_with(folder));
        links.extend(inside.map(|other| (other.path.replace("?id", "?utm_source=list&id"), other.title.to_owned())));
    } else if folder != "/" {
        links.push((folder.to_owned(), "..".to_owned()));
    }
    match page.path {
        "/tools/" => links.push(("/tools/astrolabe.html".into(), "The astrolabe".into())),
        "/about.html" => links.push(("/private/plans.html".into(), "Plans".into())),
        "/grid/today.html" => links.push(("/news/item?id=2".into(), "A walk".into())),
        _ => {}
    }
    let links: Vec<String> =
        links.iter().map(|(path, text)| format!("<li><a href=\"{}\">{text}</a></li>", Html(path))).collect();
    let images = if page.path == "/gallery.html" {
        GALLERY.map(|n| format!("<img src=\"/img/{n}.svg\" alt=\"View {n} of the collection\">")).join("\n")
    } else {
        String::new()
    };
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title></head>\n<body>\n<h1>{}</h1>\n\
         <p>{}</p>\n{images}\n<ul>{}</ul>\n</body>\n</html>\n",
        page.language,
        page.title,
        page.title,
        page.text,
        links.join("")
    )
}

fn picture(number: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 {number}h9M{number} 0v9\"/></svg>"
    )
}

fn sitemap(host: &str) -> String {
    let urls = ["/", "/visit.html"].map(|path| format!("<url><loc>http://{host}{path}</loc></url>")).join("");
    format!("<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{urls}</urlset>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(path: &str, if_none_match: Option<&str>) -> Answer {
        super::answer(path, "127.0.0.1:80", if_none_match)
    }

    #[test]
    fn the_site_is_what_it_says() {
        let fine = PAGES.iter().filter(|page| answer(page.path, None).status == 200).count();
        assert_eq!(fine, 33);
        for (path, status) in
            [("/start", 301), ("/tools/astrolabe.html", 404), ("/img/6.svg", 200), ("/img/7.svg", 404)]
        {
            assert_eq!(answer(path, None).status, status, "{path}");
        }
        let same = |path: &str| answer(path, None).body;
        assert_eq!(same("/news/item?id=1"), same("/news/item?utm_source=list&id=1"));
        assert_ne!(same("/news/item?id=1"), same("/news/item?id=2"));
    }
}
