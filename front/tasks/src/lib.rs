//! What can be asked for, and how it is carried out.
//!
//! A folder for each task: `task.rs` declares it (fields, defaults, bounds, help), `run.rs` does it, whoever asks, `job.rs` keeps what came of it
//! as a file. An [`Observer`](observer::Observer) looks on, and an [`Outcome`](outcome::Outcome) is what it came to. [`task`] has what all tasks share: the doors by which they come in, and the rows of jobs and schedules.
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
pub mod hel;
pub mod index;
pub mod jobs;
pub mod lookup;
pub mod map;
pub mod notify;
pub mod observer;
pub mod outcome;
pub mod outside;
pub mod period;
pub mod rank;
pub mod report;
pub mod rules;
pub mod search;
pub mod soif;
pub mod standing;
mod sums;
pub mod task;
pub mod verify;
pub mod worker;
