//! The map and all links between its pages as GraphML, for graph tools and libraries.
//!
//! A node is a page with the values of `VALUES`; an edge is a link, and its `tree` says whether it is a branch of the map.
//! Source: the GraphML primer, with its attribute extension. Cost: O(pages + links), one label in memory. Not guaranteed: that
//! a reader copes with the size; a layer limit helps.

use std::io::{self, Write};

use groma_graph::ArcScan;
use groma_model::escape::Xml;

use crate::value::Value;
use crate::{Field, Labels, SiteMap, View, links};

/// The values of a node, with their types.
const VALUES: [(Field, &str); 8] = [
    (Field::Title, "string"),
    (Field::Url, "string"),
    (Field::Rank, "double"),
    (Field::Depth, "int"),
    (Field::Pages, "long"),
    (Field::Type, "string"),
    (Field::State, "string"),
    (Field::Cluster, "long"),
];

/// Writes the map and its links as GraphML.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, arcs: &dyn ArcScan, out: &mut dyn Write) -> io::Result<()> {
    let view = View::select(map.tree, &map.sizes, map.depth, None);
    heading(map, out)?;
    for place in (0..map.tree.len()).filter(|&place| view.is_shown(place)) {
        let node = map.tree.node(place);
        let label = labels.label(node)?;
        write!(out, "<node id=\"n{node}\">")?;
        for (field, _) in VALUES {
            let value = Value::from_field(field, map, place, &label);
            if value != Value::Unknown {
                write!(out, "<data key=\"{}\">", field.name())?;
                value.write_xml(out)?;
                out.write_all(b"</data>")?;
            }
        }
        out.write_all(b"</node>\n")?;
    }
    links::each(map, &view, arcs, &mut |edge| {
        write!(out, "<edge source=\"n{}\" target=\"n{}\">", edge.from, edge.to)?;
        writeln!(out, "<data key=\"tree\">{}</data></edge>", edge.branch)
    })?;
    out.write_all(b"</graph>\n</graphml>\n")
}

fn heading(map: &SiteMap<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<desc>")?;
    writeln!(out, "{}</desc>", Xml(&map.heading.site))?;
    for (field, kind) in VALUES {
        writeln!(out, "<key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"{kind}\"/>", field.name())?;
    }
    out.write_all(b"<key id=\"tree\" for=\"edge\" attr.name=\"tree\" attr.type=\"boolean\"/>\n")?;
    out.write_all(b"<graph id=\"map\" edgedefault=\"directed\">\n")
}
