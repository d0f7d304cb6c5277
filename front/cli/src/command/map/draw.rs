//! Puts a map down in the form that was asked for.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use groma_model::wording::counted;
use groma_settings::Fault;
use groma_tasks::export::wording::{NO_PAGE_TO_LIST, NO_PAGE_TO_LIST_HINT};
use groma_tasks::map::{Form, GrownMap, Style};

use crate::args::MapArgs;
use crate::output::{Out, tell};

pub(super) fn draw(args: &MapArgs, map: &mut GrownMap) -> Result<(), Fault> {
    if args.format == Form::Sitemap {
        return draw_sitemap(args, map);
    }
    let mut out = Out::open(args.output.as_deref())?;
    let paint = out.paint;
    let tone = |tone, piece: &str| paint.tone(tone, piece);
    let width = if args.output.is_none() { terminal_width() } else { None };
    let style = Style { rows: args.task.most_rows(), width, ascii: args.task.ascii, paint: &tone };
    map.draw(&args.task, args.format, &style, out.writer())?;
    Ok(out.finish()?)
}

fn terminal_width() -> Option<usize> {
    let columns = || std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    if io::stdout().is_terminal() { columns().or_else(seen) } else { None }
}

/// All pages of the site; with a root or a depth, those on the map only.
fn draw_sitemap(args: &MapArgs, map: &mut GrownMap) -> Result<(), Fault> {
    let mut place = Place::from_output(args.output.as_deref());
    let written = map.sitemap(&args.task, place.stem().as_deref(), &mut |name| place.open(name));
    let summary = written.map_err(|fault| match place.refused {
        true => {
            Fault::new("the sitemap is larger than one file", "write it to a folder with -o DIR: parts and an index")
        }
        false => fault,
    })?;
    if summary.files.is_empty() {
        return Err(Fault::new(NO_PAGE_TO_LIST, NO_PAGE_TO_LIST_HINT));
    }
    if args.output.is_some() {
        tell(&sitemap_written(summary.listed, &place.names));
    }
    let left_out = summary.too_long + summary.elsewhere;
    if left_out > 0 {
        tell(&format!("note: {}", sitemap_left_out(summary.too_long, summary.elsewhere)));
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
    fn from_output(output: Option<&Path>) -> Place<'_> {
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

fn sitemap_written(listed: u64, names: &[String]) -> String {
    format!("{} in {}", counted(listed, "URL", "URLs"), names.join(", "))
}

fn sitemap_left_out(too_long: u64, elsewhere: u64) -> String {
    format!(
        "left out: {} too long, {} on other hosts (a sitemap is for one host)",
        counted(too_long, "URL", "URLs"),
        counted(elsewhere, "page", "pages")
    )
}
