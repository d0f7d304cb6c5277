//! Sentences that more than one command says.

pub(crate) const FINISHING: &str = "finishing what is in flight; again to stop now";
pub(crate) const NO_FOCUS: &str = "no focused crawl in this survey yet";
pub(crate) const NO_GATHER: &str = "nothing has been gathered into this survey yet";
pub(crate) const NO_GATHER_HINT: &str = "groma gather URL begins";
pub(crate) const JOBS_HINT: &str = "`groma jobs` lists the jobs of the survey";
pub(crate) const STOPPED: &str = "stopped";

pub(crate) fn queued(jobs: &[u64]) -> String {
    let list: Vec<String> = jobs.iter().map(u64::to_string).collect();
    format!("queued: {} {}", if jobs.len() == 1 { "job" } else { "jobs" }, list.join(", "))
}

pub(crate) fn serving(address: &str) -> String {
    format!("serving at http://{address}/ (Ctrl-C stops)")
}
