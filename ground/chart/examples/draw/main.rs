//! Draws the map of a made-up site: `draw FORM PAGES [chain] [FIELD ...] > FILE`. For looking at the forms, and for measuring them:
//! labels are made on the fly, so `/usr/bin/time -v` shows the memory of the tree and of the form.

mod made_up;

use std::io::{self, BufWriter, Write};

use groma_chart::{Field, SiteMap, sitemap, text};
use made_up::MadeUp;

fn main() -> io::Result<()> {
    let mut words = std::env::args().skip(1);
    let form = words.next().unwrap_or_default();
    let Some(pages) = words.next().and_then(|word| word.parse().ok()) else {
        eprintln!("draw FORM PAGES [chain] [FIELD ...]");
        std::process::exit(2);
    };
    let words: Vec<String> = words.collect();
    let fields: Vec<Field> = words.iter().filter_map(|word| Field::named(word)).collect();
    let chain = words.iter().any(|word| word == "chain");
    let site = if chain { MadeUp::chain(pages) } else { MadeUp::site(pages) };
    let mut map = SiteMap::new(site.heading(), site.tree());
    if !fields.is_empty() {
        map.fields = fields;
    }
    let mut labels = site.labels();
    let mut out = BufWriter::new(io::stdout().lock());
    match form.as_str() {
        "text" => text::render(&map, &mut labels, &mut out, text::Options::default())?,
        "xml" => groma_chart::xml::render(&map, &mut labels, &mut out)?,
        "gexf" => groma_chart::gexf::render(&map, &mut labels, &site, &mut out)?,
        "graphml" => groma_chart::graphml::render(&map, &mut labels, &site, &mut out)?,
        "json" => groma_chart::json::render(&map, &mut labels, &mut out)?,
        "sitemap" => {
            let options = sitemap::Options { drawn: map.heading.drawn, ..sitemap::Options::default() };
            let mut nodes = (0..map.tree.len()).map(|place| map.tree.node(place));
            let mut files = |_: &str| Ok(Box::new(BufWriter::new(io::stdout())) as Box<dyn Write>);
            eprintln!("{:?}", sitemap::render(&mut nodes, &mut labels, &mut files, &options)?);
        }
        "html" => groma_chart::html::render(&map, &mut labels, &mut out)?,
        "svg" => groma_chart::svg::render(&map, &mut labels, &mut out)?,
        "pdf" => groma_chart::pdf::render(&map, &mut labels, &mut out)?,
        other => {
            eprintln!("there is no form {other:?}");
            std::process::exit(2);
        }
    }
    out.flush()
}
