//! The map and all links between its pages as GEXF 1.3, the format of Gephi.
//!
//! A node is a page: its id is its number, its label its title (or else its URL), with the values of `VALUES`. An edge is a
//! link; `tree` says whether it is a branch of the map. Source: gexf.net, primer of version 1.3. Cost: O(pages + links), one label
//! in memory. Not guaranteed: that a viewer copes with the size; a layer limit helps.

use std::io::{self, Write};

use groma_graph::ArcScan;
use groma_model::escape::Xml;

use crate::value::{Value, written};
use crate::{Field, Labels, SiteMap, View, links};

/// The values of a node, with their types.
const VALUES: [(Field, &str); 8] = [
    (Field::Title, "string"),
    (Field::Url, "string"),
    (Field::Rank, "double"),
    (Field::Depth, "integer"),
    (Field::Pages, "long"),
    (Field::Type, "string"),
    (Field::State, "string"),
    (Field::Cluster, "long"),
];

/// Writes the map and its links as GEXF.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, arcs: &dyn ArcScan, out: &mut dyn Write) -> io::Result<()> {
    let view = View::select(map.tree, &map.sizes, map.depth, None);
    heading(map, out)?;
    writeln!(out, "<nodes count=\"{}\">", view.shown_count())?;
    for place in (0..map.tree.len()).filter(|&place| view.is_shown(place)) {
        let node = map.tree.node(place);
        let label = labels.label(node)?;
        write!(out, "<node id=\"{node}\" label=\"")?;
        write!(out, "{}", Xml(if label.title.is_empty() { &label.url } else { &label.title }))?;
        out.write_all(b"\"><attvalues>")?;
        for (field, _) in VALUES {
            let value = Value::from_field(field, map, place, &label);
            if value != Value::Unknown {
                write!(out, "<attvalue for=\"{}\" value=\"", field.name())?;
                value.write_xml(out)?;
                out.write_all(b"\"/>")?;
            }
        }
        out.write_all(b"</attvalues></node>\n")?;
    }
    out.write_all(b"</nodes>\n<edges>\n")?;
    let mut number = 0u64;
    links::each(map, &view, arcs, &mut |edge| {
        write!(out, "<edge id=\"{number}\" source=\"{}\" target=\"{}\">", edge.from, edge.to)?;
        number += 1;
        writeln!(out, "<attvalues><attvalue for=\"tree\" value=\"{}\"/></attvalues></edge>", edge.branch)
    })?;
    out.write_all(b"</edges>\n</graph>\n</gexf>\n")
}

fn heading(map: &SiteMap<'_>, out: &mut dyn Write) -> io::Result<()> {
    let head = &map.heading;
    out.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n<meta",
    )?;
    if let Some(date) = written(head.drawn).as_deref().and_then(|moment| moment.split('T').next()) {
        write!(out, " lastmodifieddate=\"{date}\"")?;
    }
    out.write_all(b">")?;
    for (name, text) in [("creator", &head.generator), ("description", &format!("{}, {}", head.site, head.root))] {
        write!(out, "<{name}>{}</{name}>", Xml(text))?;
    }
    out.write_all(
        b"</meta>\n<graph defaultedgetype=\"directed\" mode=\"static\">\n<attributes class=\"node\" mode=\"static\">\n",
    )?;
    for (field, kind) in VALUES {
        writeln!(out, "<attribute id=\"{0}\" title=\"{0}\" type=\"{kind}\"/>", field.name())?;
    }
    out.write_all(b"</attributes>\n<attributes class=\"edge\" mode=\"static\">\n")?;
    out.write_all(b"<attribute id=\"tree\" title=\"tree\" type=\"boolean\"/>\n</attributes>\n")
}
