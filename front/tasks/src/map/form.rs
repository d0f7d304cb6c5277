//! The forms in which a map can be had, and how each is put down.

use std::io::{self, Write};

use groma_chart::{Labels, SiteMap, gexf, graphml, html, json, pdf, svg, text, xml};
use groma_survey_graph::SurveyGraph;

use crate::task::forms::forms;

/// Pages shown in a terminal and in a picture, unless more are asked for.
const TEXT_ROWS: u32 = 60;
const SVG_ROWS: u32 = 2000;
/// Cells in a line where no terminal says how many.
const WIDTH: usize = 100;

forms! {
    /// A form of the map.
    Html, "html", "html", "text/html; charset=utf-8", "one file for any browser: tree, treemap, search";
    Text, "text", "txt", "text/plain; charset=utf-8", "a tree for the terminal";
    Xml, "xml", "xml", "application/xml", "the reference form";
    Svg, "svg", "svg", "image/svg+xml", "a picture";
    Pdf, "pdf", "pdf", "application/pdf", "to print";
    Json, "json", "json", "application/json", "for programs";
    Sitemap, "sitemap", "sitemap.xml", "application/xml", "for search engines";
    Gexf, "gexf", "gexf", "application/gexf+xml", "for Gephi";
    Graphml, "graphml", "graphml", "application/graphml+xml", "for Gephi, yEd, networkx";
}

/// How a form is put down, where there is a choice.
pub struct Style<'a> {
    /// Most pages shown as text, SVG or HTML; 0: all; nothing: as many as are usual for the form.
    pub rows: Option<u32>,
    /// Cells in a line of text; nothing: the usual ones.
    pub width: Option<usize>,
    /// Text with plain characters only.
    pub ascii: bool,
    /// Colors of a terminal.
    pub paint: &'a dyn Fn(text::Tone, &str) -> String,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style { rows: None, width: None, ascii: false, paint: &unpainted }
    }
}

/// Text without colors.
pub fn unpainted(_: text::Tone, piece: &str) -> String {
    piece.to_owned()
}

/// Writes a map in any form that is one file. A sitemap may be several: see [`groma_chart::sitemap`].
pub fn draw(
    form: Form,
    style: &Style<'_>,
    survey_graph: &SurveyGraph,
    map: &SiteMap<'_>,
    labels: &mut dyn Labels,
    to: &mut dyn Write,
) -> io::Result<()> {
    let rows = |usual: u32| match style.rows {
        Some(0) => None,
        Some(rows) => Some(rows),
        // Whoever asks for a depth wants to see all of it.
        None if map.depth.is_some() => None,
        None => Some(usual),
    };
    match form {
        Form::Text => {
            let width = style.width.unwrap_or(WIDTH);
            let options = text::Options { width, rows: rows(TEXT_ROWS), ascii: style.ascii, paint: style.paint };
            text::render(map, labels, to, options)
        }
        Form::Xml => xml::render(map, labels, to),
        Form::Html => {
            let usual = html::Options::default();
            let rows = style.rows.map_or(usual.rows, |rows| if rows == 0 { u32::MAX } else { rows });
            html::render_with(&html::Options { rows, ..usual }, map, labels, to)
        }
        Form::Svg => {
            let options = svg::Options { rows: rows(SVG_ROWS).unwrap_or(u32::MAX) };
            svg::render_with(&options, map, labels, to)
        }
        Form::Pdf => pdf::render(map, labels, to),
        Form::Json => json::render(map, labels, to),
        Form::Gexf => gexf::render(map, labels, &survey_graph.graph, to),
        Form::Graphml => graphml::render(map, labels, &survey_graph.graph, to),
        Form::Sitemap => Err(io::ErrorKind::Unsupported.into()),
    }
}
