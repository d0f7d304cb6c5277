//! `groma demo`: the built-in site, served on this machine, crawled and reported.

use std::path::{Path, PathBuf};

use groma_settings::wording::SEE_HELP;
use groma_settings::{Book, Fault, Given};
use groma_store::Folder;
use groma_tasks::crawl::{Survey, Task};
use groma_url::Url;

use crate::Exit;
use crate::args::DemoArgs;
use crate::demo::Server;
use crate::output::{Out, tell};
use crate::survey::Show;

/// The demonstration is the same everywhere: no groma.toml has a say in it.
const SETTINGS: [(&str, &str); 5] =
    [("delay", "0"), ("per_host", "8"), ("concurrency", "8"), ("proxy", "none"), ("assets", "true")];

pub(crate) fn run(args: &DemoArgs) -> Result<Exit, Fault> {
    let server = Server::start(args.port).map_err(|error| {
        let address = format!("127.0.0.1:{}", args.port);
        Fault::new(format!("{address}: {error}"), "choose another port with --port")
    })?;
    if args.serve {
        let mut out = Out::open(None)?;
        out.line(&server.base())?;
        out.finish()?;
        server.wait();
        return Ok(Exit::Fine);
    }
    let (path, passing) = match (&args.store, args.keep) {
        (Some(path), _) => (path.clone(), false),
        (None, true) => (PathBuf::from("demo.groma"), false),
        (None, false) => (passing_folder(), true),
    };
    let _cleared = Cleared(passing.then_some(path.clone()));
    let seeds = vec![Url::parse(&server.base()).map_err(|error| Fault::new(error.to_string(), SEE_HELP))?];
    let typed: Vec<Given> = SETTINGS.iter().map(|(key, value)| Given::flag(key, "groma demo", *value)).collect();
    let survey = Survey::new(Task::Crawl, Folder::new(path), seeds, Book::of_flags(&typed)?);
    // A kept one is of a site that had another port.
    let survey = Survey { fresh: true, ..survey };
    let show =
        Show { whole: true, passing, talk: &args.talk, format: args.output.format, output: args.output.output.clone() };
    let exit = show.run(survey)?;
    if passing && !args.talk.quiet {
        tell("this survey is gone again; `groma demo --keep` keeps it, `groma crawl URL` begins your own");
    }
    Ok(exit)
}

fn passing_folder() -> PathBuf {
    std::env::temp_dir().join(format!("groma-demo-{}.groma", std::process::id()))
}

/// A folder that goes when this goes, however the command ends.
struct Cleared(Option<PathBuf>);

impl Drop for Cleared {
    fn drop(&mut self) {
        if let Some(path) = self.0.as_deref().filter(|path| path.starts_with(std::env::temp_dir())) {
            remove(path);
        }
    }
}

fn remove(path: &Path) {
    // It is ours alone: its name holds the number of this process.
    let _ = std::fs::remove_dir_all(path);
}
