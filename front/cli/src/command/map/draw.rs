//! Puts a map down in the form that was asked for.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use groma_atlas::Atlas;
use groma_chart::{Labels, SiteMap, gexf, graphml, html, json, pdf, sitemap, svg, text, xml};

use crate::args::{MapArgs, MapFormat};
use crate::output::{Out, tell};
use groma_desk::Fault;
use groma_desk::words;

/// Pages shown in a terminal and in a picture, unless more are asked for.
const TEXT_ROWS: u32 = 60;
const SVG_ROWS: u32 = 2000;
/// Cells in a line where no terminal says how many.
const WIDTH: usize = 100;

pub(super) fn draw(args: &MapArgs, atlas: &Atlas, map: &SiteMap<'_>, labels: &mut dyn Labels) -> Result<(), Fault> {
    if args.format == MapFormat::Sitemap {
        return draw_sitemap(args, atlas, map, labels);
    }
    let mut out = Out::open(args.output.as_deref())?;
    let rows = |usual: u32| match args.rows {
        Some(0) => None,
        Some(rows) => Some(rows),
        // Whoever asks for a depth wants to see all of it.
        None if args.depth.is_some() => None,
        None => Some(usual),
    };
    let paint = out.paint;
    let tone = |tone: text::Tone, piece: &str| match tone {
        text::Tone::Bold => paint.heading(piece),
        text::Tone::Faint => paint.faint(piece),
    };
    let width = if args.output.is_none() { terminal_width() } else { None }.unwrap_or(WIDTH);
    let to = out.writer();
    match args.format {
        MapFormat::Text => {
            let options = text::Options { width, rows: rows(TEXT_ROWS), ascii: args.ascii, paint: &tone };
            text::render(map, labels, to, options)?;
        }
        MapFormat::Xml => xml::render(map, labels, to)?,
        MapFormat::Html => {
            let usual = html::Options::default();
            let rows = args.rows.map_or(usual.rows, |rows| if rows == 0 { u32::MAX } else { rows });
            html::render_with(&html::Options { rows, ..usual }, map, labels, to)?;
        }
        MapFormat::Svg => {
            let options = svg::Options { rows: rows(SVG_ROWS).unwrap_or(u32::MAX) };
            svg::render_with(&options, map, labels, to)?;
        }
        MapFormat::Pdf => pdf::render(map, labels, to)?,
        MapFormat::Json => json::render(map, labels, to)?,
        MapFormat::Gexf => gexf::render(map, labels, &atlas.graph, to)?,
        MapFormat::Graphml => graphml::render(map, labels, &atlas.graph, to)?,
        MapFormat::Sitemap => {}
    }
    Ok(out.flush()?)
}

fn terminal_width() -> Option<usize> {
    let columns = || std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    if io::stdout().is_terminal() { columns().or_else(seen) } else { None }
}

/// The nodes of a sitemap: those on the map first, then all other pages of the site if the `whole` of it is wanted.
pub(crate) fn listed<'a>(atlas: &'a Atlas, map: &'a SiteMap<'a>, whole: bool) -> impl Iterator<Item = u32> + 'a {
    let on_map: HashSet<u32> = (0..map.tree.len()).map(|place| map.tree.node(place)).collect();
    let others = atlas.by_rank().filter(move |node| whole && atlas.is_in_scope(*node) && !on_map.contains(node));
    let near = |place: &u32| map.depth.is_none_or(|last| map.tree.depth(*place) <= last);
    (0..map.tree.len()).filter(near).map(|place| map.tree.node(place)).chain(others)
}

/// All pages of the site; with a root or a depth, those on the map only.
fn draw_sitemap(args: &MapArgs, atlas: &Atlas, map: &SiteMap<'_>, labels: &mut dyn Labels) -> Result<(), Fault> {
    let mut nodes = listed(atlas, map, args.root.is_none() && args.depth.is_none());
    let mut place = Place::of(args.output.as_deref());
    let options = sitemap::Options {
        drawn: map.heading.drawn,
        gzip: args.gzip,
        stem: place.stem(),
        ..sitemap::Options::default()
    };
    let summary = sitemap::render(&mut nodes, labels, &mut |name| place.open(name), &options);
    let summary = summary.map_err(|error| match place.refused {
        true => Fault::new(words::SITEMAP_PARTS, words::SITEMAP_PARTS_HINT),
        false => error.into(),
    })?;
    if summary.files.is_empty() {
        return Err(Fault::new(words::NO_PAGE_TO_LIST, words::NO_PAGE_TO_LIST_HINT));
    }
    if args.output.is_some() {
        tell(&words::sitemap_written(summary.listed, &place.names));
    }
    let left_out = summary.too_long + summary.elsewhere;
    if left_out > 0 {
        tell(&format!("note: {}", words::sitemap_left_out(summary.too_long, summary.elsewhere)));
    }
    Ok(())
}

/// Where the files of a sitemap go: into the folder that was given, or beside the name that was given and named after it.
struct Place<'a> {
    output: Option<&'a Path>,
    opened: u32,
    refused: bool,
    names: Vec<String>,
}

impl Place<'_> {
    fn of(output: Option<&Path>) -> Place<'_> {
        Place { output, opened: 0, refused: false, names: Vec::new() }
    }

    /// What the files are called, if a file was named that says so: `my` of `my.xml` and `my.xml.gz`.
    fn stem(&self) -> Option<String> {
        let output = self.output.filter(|path| !path.is_dir())?;
        let name = output.file_name()?.to_str()?;
        let name = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".xml")?;
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn Write>> {
        self.opened += 1;
        let Some(output) = self.output.filter(|path| path.as_os_str() != "-") else {
            self.refused = self.opened > 1;
            return if self.refused { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(Box::new(io::stdout())) };
        };
        let path = match (self.stem(), self.opened) {
            (None, _) if output.is_dir() => output.join(name),
            (None, 1) => PathBuf::from(output),
            _ => output.with_file_name(name),
        };
        self.names.push(path.display().to_string());
        Ok(Box::new(BufWriter::new(File::create(path)?)))
    }
}
