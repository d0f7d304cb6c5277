//! What a user can ask for: one type for each task. It is declared once, and every door reads that declaration:
//!
//! ```text
//! command line   clap::Args      flags, their help, defaults and bounds
//! JSON (API)     serde           the same fields by the same names; utoipa describes them (feature `schema`)
//! web form       read_form       names and texts, read by the types of the fields
//! job, schedule  Job, Package    the JSON again, with a version
//! ```
//!
//! A field added to a task is added here and nowhere else. Bounds are in the types ([`scalar`]); what only whoever runs the program may say
//! is marked so where it is declared (`help_heading = COMMAND_LINE_ONLY` for fields, [`Door::Local`] for settings) and refused by
//! [`Task::first_local`]. A test (`doors.rs`) sends random tasks through every door.

#[cfg(test)]
mod doors;
mod fields;
pub(crate) mod file;
mod form;
pub(crate) mod forms;
mod inputs;
mod job;
mod legacy;
#[cfg(any(test, feature = "random"))]
pub mod random;
pub mod scalar;
mod stored;
mod typed;

use std::sync::LazyLock;

use groma_store::jobs::JobKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::bounds::cluster_task::{Cluster, Form as ClusterForm};
pub use crate::bounds::task::{Bounds, Clustering, Form as BoundsForm, LinksName, PageList, Sigma};
pub use crate::check::Form as CheckForm;
pub use crate::check::task::Check;
pub use crate::crawl::task::{Crawl, Update};
pub use crate::export::task::{Export, Form as ExportForm};
pub use crate::extract::task::{Extract, Form as ExtractForm};
pub use crate::focus::task::{About, Focus, Form as FocusForm, PAGES};
pub use crate::gather::task::{Form as GatherForm, Gather, Requests};
pub use crate::index::task::Index;
pub use crate::map::Form as MapForm;
pub use crate::map::task::Map;
pub use crate::notify::task::Notify;
pub use crate::rank::task::{Form as RankForm, Rank};
pub use crate::report::task::{Form as ReportForm, Report};
pub use fields::read_fields;
pub use form::read_form;
pub use forms::FileFormat;
pub use inputs::{TaskInput, task_inputs};
pub use job::{Job, Package};
pub use typed::{read_package, read_words, usage_fault};

use crate::jobs::wording::{kinds_hint, no_such_job_kind};
use groma_settings::Fault;
use groma_settings::Overrides;
#[cfg(doc)]
use groma_settings::table::Door;

/// The heading of flags that no other door than the command line takes.
pub(crate) const COMMAND_LINE_ONLY: &str = "Only on the command line";

macro_rules! tasks {
    ($( $name:ident, $kind:ident, $word:literal, $formats:expr, [$( $next:ident ),*]; )*) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        pub enum Task {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                #[serde(rename = $word)]
                $name($name),
            )*
        }

        impl Task {
            /// The kind of job that does it.
            pub fn kind(&self) -> JobKind {
                match self { $( Task::$name(_) => JobKind::$kind, )* }
            }

            /// The task of a kind with nothing said.
            pub fn usual(kind: JobKind) -> Task {
                match kind { $( JobKind::$kind => Task::$name($name::default()), )* }
            }

            /// The flags of a task of this kind.
            fn flags(kind: JobKind, command: clap::Command) -> clap::Command {
                match kind { $( JobKind::$kind => <$name as clap::Args>::augment_args(command), )* }
            }

            /// Forms in which its result is kept as a file; the first is the usual one. None: it leaves no file.
            pub fn formats(kind: JobKind) -> &'static [FileFormat] {
                match kind { $( JobKind::$kind => $formats, )* }
            }

            /// What is to be done behind it, so that what it changed is not shown as it was before.
            fn what_follows(kind: JobKind) -> &'static [JobKind] {
                match kind { $( JobKind::$kind => &[$( JobKind::$next ),*], )* }
            }

            /// Reads flags.
            fn from_flags(kind: JobKind, matches: &clap::ArgMatches) -> Result<Task, clap::Error> {
                use clap::FromArgMatches;
                match kind { $( JobKind::$kind => $name::from_arg_matches(matches).map(Task::$name), )* }
            }

            /// Reads the fields of a task of this kind.
            pub fn from_fields(kind: JobKind, fields: &serde_json::Map<String, Value>) -> Result<Task, Fault> {
                let read = match kind { $( JobKind::$kind => read_fields(fields).map(Task::$name), )* };
                read.map_err(|error| Fault::new(error, "correct the field; `groma jobs add TASK --help` and the description of the API list them"))?.checked()
            }

            /// Reads a web form.
            pub fn from_form(kind: JobKind, pairs: &[(String, String)]) -> Result<Task, Fault> {
                let task = match kind { $( JobKind::$kind => read_form(pairs).map(Task::$name)?, )* };
                task.checked()
            }
        }
    };
}

// Its type, its kind, its name, the forms of its result, and what follows it.
tasks! {
    Crawl, Crawl, "crawl", &[], [Check, Index];
    Update, Update, "update", &[], [Check, Index, Notify];
    Rank, Rank, "rank", RankForm::FORMATS, [];
    Map, Map, "map", MapForm::FORMATS, [];
    Check, Check, "check", CheckForm::FORMATS, [];
    Index, Index, "index", &[], [];
    Notify, Notify, "notify", &[], [];
    Bounds, Bound, "bound", BoundsForm::FORMATS, [];
    Focus, Focus, "focus", FocusForm::FORMATS, [Index];
    Gather, Gather, "gather", GatherForm::FORMATS, [Index];
    Cluster, Cluster, "cluster", ClusterForm::FORMATS, [];
    Report, Report, "report", ReportForm::FORMATS, [];
    Export, Export, "export", ExportForm::FORMATS, [];
    Extract, Extract, "extract", ExtractForm::FORMATS, [];
}

/// The kind of job with this name.
pub fn kind_named(word: &str) -> Result<JobKind, Fault> {
    JobKind::named(word).ok_or_else(|| no_such_kind(word))
}

fn no_such_kind(word: &str) -> Fault {
    Fault::new(no_such_job_kind(word), kinds_hint())
}

impl Task {
    /// The task as a whole makes sense: what no type of a single field can say.
    pub fn checked(mut self) -> Result<Task, Fault> {
        match &mut self {
            Task::Focus(focus) => focus.settle()?,
            Task::Gather(gather) => gather.check()?,
            Task::Bounds(bounds) => bounds.check()?,
            Task::Extract(extract) => extract.check()?,
            Task::Crawl(_) | Task::Update(_) | Task::Rank(_) | Task::Map(_) | Task::Cluster(_) => {}
            Task::Check(_) | Task::Index(_) | Task::Notify(_) | Task::Report(_) | Task::Export(_) => {}
        }
        Ok(self)
    }

    /// Its settings, if it has some.
    pub fn settings(&self) -> Option<&Overrides> {
        match self {
            Task::Crawl(Crawl { settings, .. })
            | Task::Update(Update { settings, .. })
            | Task::Focus(Focus { settings, .. }) => Some(settings),
            Task::Gather(Gather { settings, .. }) => Some(settings),
            Task::Rank(_) | Task::Map(_) | Task::Check(_) | Task::Index(_) | Task::Notify(_) => None,
            Task::Bounds(_) | Task::Cluster(_) | Task::Report(_) | Task::Export(_) | Task::Extract(_) => None,
        }
    }

    /// Everything that is not as usual, by the names of the fields.
    pub fn said(&self) -> serde_json::Map<String, Value> {
        let fields = |task: &Task| match serde_json::to_value(task) {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (mut said, usual) = (fields(self), fields(&Task::usual(self.kind())));
        said.retain(|name, value| usual.get(name) != Some(value));
        said
    }

    /// The first thing said that only whoever runs the program may say.
    pub fn first_local(&self) -> Option<String> {
        if let Some(key) = self.settings().and_then(Overrides::first_local) {
            return Some(key.to_owned());
        }
        let said = self.said();
        let command = Task::flags(self.kind(), clap::Command::new("task"));
        let mut marked = command.get_arguments().filter(|arg| arg.get_help_heading() == Some(COMMAND_LINE_ONLY));
        marked.find(|arg| said.contains_key(arg.get_id().as_str())).map(|arg| arg.get_id().to_string())
    }

    /// What it does, in the sentence its declaration begins with.
    pub fn says(kind: JobKind) -> &'static str {
        static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
            let about =
                |kind: &JobKind| Task::flags(*kind, clap::Command::new("task")).get_about().map(ToString::to_string);
            JobKind::ALL.iter().map(|kind| about(kind).unwrap_or_default()).collect()
        });
        let place = JobKind::ALL.iter().position(|one| *one == kind);
        place.and_then(|place| ALL.get(place)).map_or("", String::as_str)
    }
}
