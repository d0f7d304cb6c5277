//! The clock of the survey: what is stored has its time in seconds since 1970.

pub(crate) use groma_fetch::clock::now as epoch;
