//! How many fetches does a meaningless parameter cost, and is a meaningful one left alone?
//!
//! Input: 2,000 items, each linked with three values of a parameter that no list of noise names: 6,001 URLs. Answer:
//! where the parameter means nothing, every item is had and none is called broken; where it means something, on all
//! items or on every seventh, every content is fetched. Figure: at most 2,150 fetches in the first case, and one line
//! that says how many variants were folded. wget2 fetches every URL.

use std::process::Command;

use anyhow::{Context as _, bail};
use groma_testweb::Server;
use groma_testweb::sites::{IdIn, Meaning, Variants};

use crate::groma::{Groma, ended_well, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const ITEMS: usize = 2000;
const VALUES: usize = 3;
const FETCHES: u64 = 2150;

pub(crate) fn run(_options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let table = Table::new(&["the parameter means", "number in", "contents", "program", "fetches", "broken", "CPU s"]);
    for id_in in [IdIn::Query, IdIn::Path] {
        for (meaning, says) in
            [(Meaning::None, "nothing"), (Meaning::All, "a page"), (Meaning::Every(7), "a page on every 7th item")]
        {
            let site = Variants::new(ITEMS, VALUES).meaning(meaning).id_in(id_in);
            let place = if id_in == IdIn::Query { "query" } else { "path" };
            let case = Case { site, meaning, name: format!("{says}, number in the {place}") };
            let head = [says.to_owned(), place.to_owned(), case.site.contents().to_string()];
            if meaning == Meaning::None {
                table.row(&[head.as_slice(), &case.wget2()?].concat());
            }
            table.row(&[head.as_slice(), &case.groma(&groma, report)?].concat());
        }
    }
    Ok(())
}

struct Case {
    site: Variants,
    meaning: Meaning,
    name: String,
}

impl Case {
    fn wget2(&self) -> anyhow::Result<[String; 4]> {
        let (server, scratch) = (Server::start(self.site.clone()), Scratch::new("variants")?);
        let mut command = Command::new("wget2");
        command.args(["-q", "-r", "--level=inf", "--max-threads=32", "-P"]).arg(scratch.join("files"));
        command.arg(format!("{}/", server.base()));
        let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
        if output.status.code() == Some(127) {
            return Ok(["wget2 (not installed)".into(), String::new(), String::new(), String::new()]);
        }
        Ok(["wget2".into(), server.total().to_string(), String::new(), format!("{:.2}", cost.cpu)])
    }

    fn groma(&self, groma: &Groma, report: &mut Report) -> anyhow::Result<[String; 4]> {
        let (server, scratch) = (Server::start(self.site.clone()), Scratch::new("variants")?);
        let store = scratch.join("variants.groma");
        let mut command = groma.crawl(&format!("{}/", server.base()), &store);
        command.arg("--fresh");
        let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
        if !ended_well(&output) {
            bail!("groma failed: {}", said(&output));
        }
        let status = groma.status(&store)?;
        report.equal(&format!("{}: broken", self.name), status.number("broken")?, 0);
        report.equal(&format!("{}: pending", self.name), status.number("queued")?, 0);
        report.check(status.balances()?, || format!("{}: the balance", self.name));
        self.nothing_lost(&server, report);
        if self.meaning == Meaning::None {
            report.at_most(&format!("{}: fetches", self.name), server.total() as f64, FETCHES as f64);
            let line = told(&output.stdout, &output.stderr).context("no line says what was folded");
            report.check(line.is_ok(), || format!("{}: one line says how many variants were folded", self.name));
            if let Ok(line) = line {
                eprintln!("groma says: {line}");
            }
        }
        let broken = status.number("broken")?.to_string();
        Ok(["groma".into(), server.total().to_string(), broken, format!("{:.2}", cost.cpu)])
    }

    /// Every item was asked for with one value at least, and with all of them where they matter.
    fn nothing_lost(&self, server: &Server, report: &mut Report) {
        let asked = server.asked();
        let values =
            |item: usize| (0..VALUES).filter(|value| asked.contains_key(&self.site.path(item, *value))).count();
        let wanted = |item: usize| match self.meaning {
            Meaning::None => 1,
            Meaning::All => VALUES,
            Meaning::Every(k) if item.is_multiple_of(k) => VALUES,
            Meaning::Every(_) => 1,
        };
        let lost = (0..ITEMS).filter(|item| values(*item) < wanted(*item)).count() as u64;
        report.equal(&format!("{}: items of which a content is missing", self.name), lost, 0);
    }
}

fn told(stdout: &[u8], stderr: &[u8]) -> Option<String> {
    let text = [stdout, stderr].concat();
    String::from_utf8_lossy(&text)
        .lines()
        .find(|line| line.contains("variants folded"))
        .map(|line| line.trim().to_owned())
}
