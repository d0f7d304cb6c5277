//! What was typed for the commands about bounds: clusters, sites, decisions about them, and the scope that a found site is.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use groma_tasks::bounds::ScopeName;
use groma_tasks::task;

use super::{OutputArgs, PartArgs, SettingArgs, StoreArg, TalkArgs};

/// How much of the survey is looked at.
#[derive(Debug, Clone, Args)]
pub(crate) struct ScopeArg {
    /// Look at the whole survey, or at the site that was found last (`groma bounds`): survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub(crate) scope: ScopeName,
}

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) task: task::Cluster,
    #[command(flatten)]
    pub(crate) engine: PartArgs,
    /// Output format
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) format: task::ClusterForm,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No progress, no notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct BoundsArgs {
    #[command(subcommand)]
    pub(crate) what: Option<BoundsCommand>,
    #[command(flatten)]
    pub(crate) find: FindArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) task: task::Bounds,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) engine: PartArgs,
    /// Compare what each method finds with the true pages or prefixes in this file, instead of showing the site
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "online"])]
    pub(crate) truth: Option<PathBuf>,
    /// With --truth: start pages for each site
    #[arg(long, value_name = "N", default_value_t = 1, requires = "truth")]
    pub(crate) seeds_per_site: usize,
    /// With --truth: which start pages
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, requires = "truth")]
    pub(crate) seed_choice: SeedChoice,
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) format: BoundsFormat,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Prefixes of a verdict listed as text; the rest is counted (0: all)
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub(crate) list: usize,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// Start pages of true sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeedChoice {
    /// The page with the shortest URL, and so on
    #[default]
    Home,
    /// Drawn, always in the same way
    Random,
}

/// Forms of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundsFormat {
    /// For people
    #[default]
    Text,
    /// JSON Lines: a header, then an object a page
    Json,
    /// For spreadsheets: a row a page
    Csv,
    /// SURT prefixes, for crawlers of archives
    Surt,
    /// The same as csv, with tabs
    Tsv,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BoundsCommand {
    /// Say that a page, or all below a folder (it ends in /), belongs to the site
    Accept(DecideArgs),
    /// Say that a page, or all below a folder (it ends in /), does not belong to the site
    Reject(DecideArgs),
    /// Say that another site is a part of this one
    Merge {
        /// A page of the other site, or what it was found from
        #[arg(value_name = "OTHER")]
        other: String,
        #[command(flatten)]
        site: SiteArg,
    },
    /// Take a decision back
    Undo {
        /// Its number [default: the last one that holds]
        #[arg(value_name = "N")]
        number: Option<u64>,
        #[command(flatten)]
        site: SiteArg,
    },
    /// List what was decided
    Decisions {
        #[command(flatten)]
        site: SiteArg,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// List the sites that were found
    Sites {
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Write the site that was found last as prefixes
    Export {
        /// As SURT prefixes, for crawlers of archives (the only form so far)
        #[arg(long, default_value_t = true)]
        surt: bool,
        #[command(flatten)]
        site: SiteArg,
        /// Write to a file instead of stdout
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take a list of SURT prefixes or URLs as decisions: + accepts, - rejects
    Import {
        /// The list; - for stdin
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        site: SiteArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    /// URL of a page, or the beginning of URLs
    #[arg(value_name = "URL|PREFIX")]
    pub(crate) subject: String,
    /// This page alone, even if its URL ends in /
    #[arg(long)]
    pub(crate) page: bool,
    #[command(flatten)]
    pub(crate) site: SiteArg,
}

/// Which site.
#[derive(Debug, Clone, Args)]
pub(crate) struct SiteArg {
    /// The site, by what it was found from [default: the one found last]
    #[arg(long, value_name = "START")]
    pub(crate) site: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// No progress, no notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
