//! How a job is done: what it sees (`bench`), what it leaves behind (`result`), how it ends (`outcome`), and who does it (`run`).

pub(crate) mod bench;
pub(crate) mod course;
pub(crate) mod lease;
pub(crate) mod outcome;
pub(crate) mod result;
pub(crate) mod run;
pub mod wording;
