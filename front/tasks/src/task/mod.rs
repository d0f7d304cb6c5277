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
mod inputs;
mod job;
mod legacy;
pub mod scalar;
mod stored;
mod typed;

use groma_store::jobs::JobKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::bounds::task::{Bounds, InflationNumber, Largest, LinksName, PageList, Selection, Sigma};
pub use crate::check::task::Check;
pub use crate::crawl::task::{Crawl, Update};
pub use crate::focus::task::{About, Focus, PAGES};
pub use crate::gather::task::{Gather, Requests};
pub use crate::index::task::Index;
pub use crate::map::task::Map;
pub use crate::notify::task::Notify;
pub use crate::rank::task::Rank;
pub use fields::read_fields;
pub use form::read_form;
pub use inputs::{TaskInput, task_inputs};
pub use job::{Job, Package, UPDATE_PACKAGE};
pub use typed::{kinds_of, read_package, read_words, usage_fault};

use groma_settings::Fault;
use groma_settings::Overrides;
#[cfg(doc)]
use groma_settings::table::Door;

/// The heading of flags that no other door than the command line takes.
pub(crate) const COMMAND_LINE_ONLY: &str = "Only on the command line";

macro_rules! tasks {
    ($( $name:ident, $kind:ident, $word:literal; )*) => {
        /// A task.
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

tasks! {
    Crawl, Crawl, "crawl";
    Update, Update, "update";
    Rank, Rank, "rank";
    Map, Map, "map";
    Check, Check, "check";
    Index, Index, "index";
    Notify, Notify, "notify";
    Bounds, Bound, "bound";
    Focus, Focus, "focus";
    Gather, Gather, "gather";
}

impl Task {
    /// The task as a whole makes sense: what no type of a single field can say.
    pub fn checked(mut self) -> Result<Task, Fault> {
        match &mut self {
            Task::Focus(focus) => focus.settle()?,
            Task::Gather(gather) => gather.check()?,
            Task::Bounds(bounds) => bounds.check()?,
            Task::Crawl(_) | Task::Update(_) | Task::Rank(_) | Task::Map(_) => {}
            Task::Check(_) | Task::Index(_) | Task::Notify(_) => {}
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
            Task::Rank(_) | Task::Map(_) | Task::Check(_) | Task::Index(_) | Task::Notify(_) | Task::Bounds(_) => None,
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

    /// Forms in which its result is kept as a file; the first is the usual one. None: it leaves no file.
    pub fn formats(kind: JobKind) -> &'static [&'static str] {
        match kind {
            JobKind::Map => &["html", "text", "xml", "svg", "pdf", "json", "sitemap", "gexf", "graphml"],
            JobKind::Check => &["json", "text", "csv", "markdown", "junit"],
            JobKind::Rank => &["csv", "json", "text"],
            JobKind::Bound => &["json", "csv", "tsv", "surt"],
            JobKind::Focus => &["csv", "json", "warc"],
            JobKind::Gather => &["json", "jsonl", "csv", "soif"],
            JobKind::Crawl | JobKind::Update | JobKind::Index | JobKind::Notify => &[],
        }
    }
}
