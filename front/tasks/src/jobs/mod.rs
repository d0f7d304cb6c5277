//! How a job is done: what it sees (`bench`), what it leaves behind (`result`), how it ends (`worked`), and who does it (`run`).

pub(crate) mod bench;
pub(crate) mod course;
pub(crate) mod lease;
pub(crate) mod result;
pub(crate) mod run;
pub mod wording;
pub(crate) mod worked;
