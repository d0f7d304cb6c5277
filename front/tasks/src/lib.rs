//! What can be asked for, and how it is carried out.
//!
//! A folder for each task: `task.rs` declares it (fields, defaults, bounds, help), `job.rs` does it for a job, the rest is how it is done,
//! whoever asks. [`task`] has what all tasks share: the doors by which they come in, and the rows of jobs and schedules.
//! [`worker`] takes jobs from the queue and [`jobs`] runs them. Knows no terminal and no web page.
//!
//! ```
//! use groma_tasks::task::{Task, read_package};
//!
//! // What is typed, sent as JSON, filled into a form or kept in a row is the same task.
//! let package = read_package(&["map --depth 3".to_owned(), "check --only orphan".to_owned()]).expect("two tasks");
//! assert!(matches!(&package.0[0].task, Task::Map(map) if map.deepest() == Some(3)));
//! ```

pub mod archive;
pub mod bounds;
pub mod changes;
pub mod check;
pub mod crawl;
pub mod explain;
pub mod export;
pub mod extract;
pub mod focus;
pub mod gather;
pub mod glance;
pub mod graph_engine;
mod index;
pub mod jobs;
pub mod lookup;
pub mod map;
pub mod notify;
pub mod period;
mod rank;
pub mod rules;
pub mod search;
pub mod soif;
pub mod standing;
mod sums;
pub mod task;
pub mod verify;
pub mod worker;
