//! A site as a file: for programs, for spreadsheets, for archives.

use std::io::{self, Write};

use groma_model::wording::{plain, write_row};
use serde::Serialize;

use super::{Bounds, Form, Header, Nearby, Prefix, adapt};

/// The first line of JSON: prefixes are few, and tell the site at a glance.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(flatten)]
    header: &'a Header,
    prefixes: &'a [Prefix],
    nearby: Option<&'a Nearby>,
}

/// A line of JSON.
#[derive(Serialize)]
struct PageRow<'a> {
    url: &'a str,
    verdict: &'static str,
    confidence: f64,
    step: Option<u32>,
    reason: String,
}

const COLUMNS: [&str; 5] = ["url", "verdict", "confidence", "step", "reason"];

/// Writes a site. Gives back the URLs that the form could not tell apart from others, if any.
pub fn write(bounds: &Bounds, form: Form, out: &mut dyn Write) -> io::Result<Vec<String>> {
    match form {
        Form::Surt => {
            let pages: Vec<_> = bounds.pages().map(|page| page.address).collect();
            let (text, untold) = adapt::as_surt(&bounds.prefixes, pages);
            out.write_all(text.as_bytes())?;
            return Ok(untold);
        }
        Form::Json => {
            let head = Head { header: &bounds.header, prefixes: &bounds.prefixes, nearby: bounds.nearby.as_ref() };
            serde_json::to_writer(&mut *out, &head).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
            for page in bounds.pages() {
                let row = PageRow {
                    url: page.address,
                    verdict: page.verdict.name(),
                    confidence: rounded(page.confidence),
                    step: page.step,
                    reason: page.reason,
                };
                serde_json::to_writer(&mut *out, &row).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Form::Csv => {
            write_row(&mut *out, &COLUMNS)?;
            for page in bounds.pages() {
                let (sure, step) = (rounded(page.confidence).to_string(), step(page.step));
                write_row(&mut *out, &[page.address, page.verdict.name(), &sure, &step, &page.reason])?;
            }
        }
        Form::Tsv => {
            writeln!(out, "{}", COLUMNS.join("\t"))?;
            for page in bounds.pages() {
                let cells = [
                    page.address,
                    page.verdict.name(),
                    &rounded(page.confidence).to_string(),
                    &step(page.step),
                    &page.reason,
                ];
                writeln!(out, "{}", cells.map(plain).join("\t"))?;
            }
        }
    }
    Ok(Vec::new())
}

/// More digits would say nothing.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1000.0).round() / 1000.0
}

fn step(step: Option<u32>) -> String {
    step.map_or_else(String::new, |step| step.to_string())
}
