//! `groma bounds`: where does a site end? Finds it, takes decisions about it, scores what is found against what is true.

mod decide;
mod exchange;
mod find;
mod online;
mod show;
mod truth;

use groma_settings::Fault;
use groma_store::bounds::DecisionKind;

use crate::Exit;
use crate::args::{BoundsArgs, BoundsCommand};

pub(crate) fn run(args: &BoundsArgs) -> Result<Exit, Fault> {
    match &args.what {
        None if args.find.truth.is_some() => truth::run(&args.find),
        None => find::run(&args.find),
        Some(BoundsCommand::Accept(args)) => decide::run(DecisionKind::Accept, &args.subject, args.page, &args.site),
        Some(BoundsCommand::Reject(args)) => decide::run(DecisionKind::Reject, &args.subject, args.page, &args.site),
        Some(BoundsCommand::Merge { other, site }) => decide::run(DecisionKind::Merge, other, false, site),
        Some(BoundsCommand::Undo { number, site }) => decide::undo(*number, site),
        Some(BoundsCommand::Decisions { site, output }) => decide::list(site, output),
        Some(BoundsCommand::Sites { store, output }) => exchange::sites(store, output),
        Some(BoundsCommand::Export { site, output, .. }) => exchange::export(site, output.as_deref()),
        Some(BoundsCommand::Import { file, site }) => exchange::import(file, site),
    }
}
