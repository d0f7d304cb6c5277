//! `groma soif`: files of SOIF looked through.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use groma_model::wording::{counted, plain};
use groma_settings::{Fault, place};
use groma_tasks::soif::{self, Met};
use serde_json::json;

use crate::Exit;
use crate::args::{SoifArgs, SoifCheckArgs, SoifCommand, StoreArg};
use crate::output::{Format, Out, tell};

pub(crate) fn run(args: &SoifArgs) -> Result<Exit, Fault> {
    match &args.what {
        SoifCommand::Check(args) => check(args),
        SoifCommand::Import { file, store } => import(file, store),
    }
}

fn import(file: &Path, store: &StoreArg) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let done = groma_tasks::gather::import(&folder, opened(file)?)?;
    tell(&format!(
        "{}, {}, {}",
        counted(done.objects, "object", "objects"),
        counted(done.values, "value", "values"),
        counted(done.lost, "error", "errors")
    ));
    Ok(if done.lost > 0 { Exit::Findings } else { Exit::Fine })
}

fn opened(file: &Path) -> Result<Box<dyn BufRead>, Fault> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, std::io::stdin())));
    }
    let input = File::open(file).map_err(|error| Fault::of_input(&file.display().to_string(), &error))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, input)))
}

fn check(args: &SoifCheckArgs) -> Result<Exit, Fault> {
    let stream = opened(&args.file)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    let format = args.output.format;
    if format == Format::Csv {
        out.csv(&["octet", "type", "url", "attribute", "octets", "values", "error"])?;
    }
    let (mut objects, mut complaints) = (0u64, 0u64);
    for met in soif::look(stream) {
        match &met {
            Met::Object(..) => objects += 1,
            Met::Lost(..) => complaints += 1,
        }
        match format {
            Format::Text => text(&met, &mut out)?,
            Format::Json => json(&met, &mut out)?,
            Format::Csv => csv(&met, &mut out)?,
        }
    }
    if format == Format::Text {
        out.line(&format!("{}, {}", counted(objects, "object", "objects"), counted(complaints, "error", "errors")))?;
    }
    out.finish()?;
    Ok(if complaints > 0 { Exit::Findings } else { Exit::Fine })
}

fn shown(octets: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(octets)
}

/// Name, octets and number of values of each attribute.
fn attributes(object: &groma_soif::Object) -> impl Iterator<Item = (Cow<'_, str>, u64, u64)> {
    object.attributes.iter().map(|(name, value)| {
        let lines = value.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        (shown(name), value.len() as u64, lines.count() as u64)
    })
}

fn text(met: &Met, out: &mut Out) -> std::io::Result<()> {
    match met {
        Met::Object(_, object) => {
            let head = out.paint.heading(&format!("@{}", plain(&shown(&object.kind))));
            let count = counted(object.attributes.len() as u64, "attribute", "attributes");
            out.line(&format!("{head} {} ({count})", plain(&shown(&object.url))))?;
            for (name, octets, values) in attributes(object) {
                let (octets, values) = (counted(octets, "octet", "octets"), counted(values, "value", "values"));
                out.line(&format!("  {:24} {octets}, {values}", plain(&name)))?;
            }
            for name in soif::repeated(object) {
                out.line(&format!("  note: {} stands there more than once", plain(&name)))?;
            }
            Ok(())
        }
        Met::Lost(complaint, skipped) => {
            let skipped = counted(*skipped, "octet", "octets");
            out.line(&format!("error {}; {skipped} skipped up to the next object", plain(&complaint.to_string())))
        }
    }
}

fn json(met: &Met, out: &mut Out) -> std::io::Result<()> {
    match met {
        Met::Object(at, object) => {
            let attributes: Vec<_> = attributes(object)
                .map(|(name, octets, values)| json!({"name": name, "octets": octets, "values": values}))
                .collect();
            let (kind, url) = (shown(&object.kind), shown(&object.url));
            out.json(
                &json!({"at": at, "type": kind, "url": url, "attributes": attributes, "repeated": soif::repeated(object)}),
            )
        }
        Met::Lost(complaint, skipped) => {
            out.json(&json!({"at": complaint.at, "error": complaint.what, "skipped": skipped}))
        }
    }
}

fn csv(met: &Met, out: &mut Out) -> std::io::Result<()> {
    match met {
        Met::Object(at, object) => {
            let (at, kind, url) = (at.to_string(), shown(&object.kind), shown(&object.url));
            if object.attributes.is_empty() {
                return out.csv(&[&*at, &*kind, &*url, "", "", "", ""]);
            }
            for (name, octets, values) in attributes(object) {
                out.csv(&[&*at, &*kind, &*url, &*name, &*octets.to_string(), &*values.to_string(), ""])?;
            }
            Ok(())
        }
        Met::Lost(complaint, _) => out.csv(&[&*complaint.at.to_string(), "", "", "", "", "", &*complaint.what]),
    }
}
