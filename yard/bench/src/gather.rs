//! How much of a database behind a form comes out, at which price, and is what is said about it true?
//!
//! Input: the camp sites of Germany (4,101 rows; invented ones where the file is missing) behind a form with latitude, longitude,
//! name, postcode area and tents, lists cut after 50 rows, 10 rows a page, totals shown; served on loopback. Then forms and tables
//! made from numbers (`--random N`), with every habit forms have. Answer: what is certified is whole, by the truth of the
//! site. Figure: all rows, certified, with at most 1.6 times the fewest pages; the paper's methods beside it.
//!
//! With `--sites N` (and `--words M`) instead: sites drawn over everything that forms of strangers do ([`groma_forms::exam`]), asked by
//! the strategy alone over HTTP on loopback, in this process. Answer: no certificate is false. Figures: certified in at least 90 % of the
//! sites where a proof exists (what that means: the head of `yard/forms/src/drawn/proof.rs`), cost of certificates, intervals that
//! hold the truth, and the share that a search by words alone finds. `--seed S` is the number of the run, `--hold 0..4` keeps to a
//! fifth of its sites, `--site SEED` examines one and prints its requests. `groma-forms examine` is the same without the checks.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Context as _;
use groma_forms::exam::{Exam, Outcome, Tables, examine};
use groma_forms::{Options as Form, Running, Site, SiteKind};
use serde_json::Value;

use crate::groma::{Groma, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const PAGES: f64 = 1.6;

/// What is wanted on drawn sites: certified where a proof exists, the ninth decile of the cost, intervals that hold, found by words.
const PROVED: f64 = 0.9;
const PAGES_P90: f64 = 3.0;
const INSIDE: f64 = 0.9;
const BY_WORDS: f64 = 0.9;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let random = options.take("random", 0)?;
    let (sites, words, site) = (options.take("sites", 0)?, options.take("words", 0)?, options.take("site", 0)?);
    let exam = Exam {
        sites,
        words,
        seed: options.take("seed", 1)?,
        hold: Some(options.take("hold", u64::MAX)?).filter(|part| *part != u64::MAX),
        threads: options.take("threads", 2)?,
    };
    if site > 0 {
        let outcome = examine(site, true)?;
        print!("{}", outcome.told());
        report.equal("false certificates", u64::from(outcome.is_false()), 0);
        return Ok(());
    }
    if sites + words > 0 {
        return drawn(exam, report);
    }
    let groma = Groma::find()?;
    campsites(&groma, report)?;
    if random > 0 {
        forms(&groma, random, report)?;
    }
    Ok(())
}

/// Sites drawn over everything that forms of strangers do.
fn drawn(exam: Exam, report: &mut Report) -> anyhow::Result<()> {
    let alarm = |outcome: &Outcome| {
        if outcome.is_false() {
            eprintln!("seed {}: false certificate", outcome.seed);
        }
    };
    let outcomes = exam.run(&alarm)?;
    let tables = Tables::new(&outcomes);
    print!("{}", tables.all());
    report.equal("false certificates", tables.wrong(), 0);
    let mut at_least = |what: &str, share: Option<f64>, wanted: f64| {
        if let Some(share) = share {
            report.check(share >= wanted, || format!("{what}: {share:.3}, at least {wanted} wanted"));
        }
    };
    at_least("certified where a proof exists", tables.proved(), PROVED);
    at_least("intervals that hold the truth", tables.inside(), INSIDE);
    at_least("found by words alone, median", tables.words_found(), BY_WORDS);
    if let Some((median, most)) = tables.cost() {
        report.at_most("cost of certificates, median n/p", median, PAGES);
        report.at_most("cost of certificates, p90 n/p", most, PAGES_P90);
    }
    Ok(())
}

fn campsites(groma: &Groma, report: &mut Report) -> anyhow::Result<()> {
    let table = Table::new(&["method", "rows", "%", "questions", "pages", "x least", "requests", "statement", "CPU s"]);
    let names = "DB.QueryElement: name\nDB.QueryElement.name: [A-Z]%\n";
    let area = "DB.QueryElement: area\n";
    let methods = [
        ("all fields, split where cut", "whole", ""),
        ("the paper's: each postcode area", "paper", area),
        ("the paper's: names by [A-Z]%", "paper", names),
    ];
    for (name, how, description) in methods {
        let site = Site::start(&Form { k: 50, page: 10, ..Form::new(SiteKind::Campsites) })?;
        let all = site.truth().len() as u64;
        let (object, cpu) = gather(groma, &site, how, description, &[])?;
        let statement = &object["statement"];
        let number = |key: &str| statement[key].as_u64().unwrap_or(0);
        let least = all.div_ceil(10);
        let times = number("pages") as f64 / least as f64;
        table.row(&[
            name.to_owned(),
            number("rows").to_string(),
            format!("{:.1}", number("rows") as f64 * 100.0 / all as f64),
            number("queries").to_string(),
            number("pages").to_string(),
            format!("{times:.2}"),
            number("requests").to_string(),
            statement["end"].as_str().unwrap_or_default().to_owned(),
            format!("{cpu:.2}"),
        ]);
        if how == "whole" {
            report.check(statement["certified"] == true, || format!("{name}: certified"));
            report.equal(&format!("{name}: rows"), number("rows"), all);
            report.at_most(&format!("{name}: pages"), times, PAGES);
        } else {
            report.check(statement["certified"] == false, || format!("{name}: not certified"));
        }
    }
    Ok(())
}

/// Forms made from numbers: what is certified must be whole; what is estimated should be near.
fn forms(groma: &Groma, random: u64, report: &mut Report) -> anyhow::Result<()> {
    let (mut certified, mut wrong, mut failed) = (0_u64, 0_u64, 0_u64);
    let mut errors: Vec<f64> = Vec::new();
    for seed in 1..=random {
        let site = Site::start(&Form::random(seed))?;
        let more = ["--post", "--budget", "1000", "-s", "limits.retry_ms=5"];
        let Ok((object, _)) = gather(groma, &site, "whole", "", &more) else {
            failed += 1;
            continue;
        };
        let shown = site.shown();
        let looks = |row: &groma_forms::Truth| {
            shown.iter().map(|column| format!("{:?}", row.value(column))).collect::<Vec<_>>()
        };
        let distinct: BTreeSet<_> = site.truth().iter().filter(|row| row.reachable).map(looks).collect();
        let rows = object["rows"].as_array().map_or(0, Vec::len);
        let share = (rows as f64 / distinct.len().max(1) as f64).min(1.0);
        if object["statement"]["certified"] == true {
            certified += 1;
            if rows < distinct.len() {
                wrong += 1;
                println!("seed {seed}: certified {rows} of {}", distinct.len());
            }
        } else if let Some(percent) = object["statement"]["estimated"]["percent"].as_f64() {
            errors.push((percent - share * 100.0).abs());
        }
    }
    errors.sort_by(f64::total_cmp);
    let median = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    println!();
    let table =
        Table::new(&["random forms", "certified", "wrongly", "estimated", "median error, points", "no statement"]);
    table.row(&[
        random.to_string(),
        certified.to_string(),
        wrong.to_string(),
        errors.len().to_string(),
        format!("{median:.1}"),
        failed.to_string(),
    ]);
    report.equal("false certificates", wrong, 0);
    report.at_most("median error of the estimates", median, 10.0);
    Ok(())
}

fn gather(groma: &Groma, site: &Running, how: &str, description: &str, more: &[&str]) -> anyhow::Result<(Value, f64)> {
    let scratch = Scratch::new("gather")?;
    let file = scratch.join("description.txt");
    std::fs::write(&file, description)?;
    let mut command = Command::new(groma.path());
    command.args(["gather", &site.form(), "-q", "-y", "-f", "json", "-s", "delay=0", "--how", how]);
    command.arg("--store").arg(scratch.join("gather.groma")).arg("--describe").arg(&file).args(more);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    let object = serde_json::from_slice(&output.stdout).with_context(|| said(&output))?;
    Ok((object, cost.cpu))
}
