//! One file per command.

mod bounds;
mod check;
mod cluster;
mod config;
mod crawl;
mod demo;
mod diff;
mod explain;
mod export;
mod extract;
mod focus;
mod gather;
mod graph_engine;
mod hel;
mod import;
mod index;
mod jobs;
mod links;
mod map;
mod page;
mod pages;
mod rank;
mod read_apart;
#[cfg(feature = "odbc")]
mod read_odbc;
mod report;
mod rules;
mod schedule;
mod search;
mod serve;
mod soif;
mod status;
mod store;
mod summarize;
mod update;
mod user;
mod verify;
mod worker;

use clap::CommandFactory;
use groma_settings::Fault;

use crate::Exit;
use crate::args::{Cli, Command};
use crate::output::Out;

/// Does what was typed.
pub(crate) fn run(cli: &Cli) -> Result<Exit, Fault> {
    match &cli.command {
        Command::ReadApart => read_apart::run(),
        #[cfg(feature = "odbc")]
        Command::ReadOdbc => read_odbc::run(),
        Command::Survey(args) => crawl::run(args, true),
        Command::Crawl(args) => crawl::run(args, false),
        Command::Update(args) => update::run(args),
        Command::Status(args) => status::run(args),
        Command::Pages(args) => pages::run(args),
        Command::Page(args) => page::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Rank(args) => rank::run(args),
        Command::Map(args) => map::run(args),
        Command::Check(args) => check::run(args),
        Command::Links(args) => links::run(args),
        Command::Cluster(args) => cluster::run(args),
        Command::Bounds(args) => bounds::run(args),
        Command::Focus(args) => focus::run(args),
        Command::Gather(args) => gather::run(args),
        Command::Extract(args) => extract::run(args),
        Command::Hel(args) => hel::run(args),
        Command::Soif(args) => soif::run(args),
        Command::Report(args) => report::run(args),
        Command::Search(args) => search::run(args),
        Command::Index(args) => index::run(args),
        Command::Import(args) => import::run(args),
        Command::Export(args) => export::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Jobs(args) => jobs::run(args),
        Command::Schedule(args) => schedule::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Worker(args) => worker::run(args),
        Command::Summarize(args) => summarize::run(args),
        Command::User(args) => user::run(args),
        Command::Store(args) => store::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Config(args) => config::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "groma", &mut script);
            print_whole(&script)
        }
        Command::Man => {
            let (mut page, mut whole) = (Vec::new(), Cli::command());
            clap_mangen::Man::new(whole.clone()).render(&mut page)?;
            // Building gives each command its full name and its own help.
            whole.build();
            for command in whole.get_subcommands() {
                clap_mangen::Man::new(command.clone()).render(&mut page)?;
            }
            print_whole(&page)
        }
    }
}

fn print_whole(bytes: &[u8]) -> Result<Exit, Fault> {
    let mut out = Out::open(None)?;
    out.line(String::from_utf8_lossy(bytes).trim_end())?;
    out.finish()?;
    Ok(Exit::Fine)
}
