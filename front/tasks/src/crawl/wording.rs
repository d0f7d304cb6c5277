//! Sentences that more than one place says.

use groma_model::wording::counted;

pub const NO_URL: &str = "no URL to start at";
pub const NO_URL_HINT: &str = "say where: groma crawl https://www.example.org/ (or try `groma demo`)";
pub const NOTHING_LEFT: &str = "nothing left to do; `groma update` asks again";
pub const NOTHING_LEFT_LIMIT: &str = "nothing left to do within the page limit; raise it with -n";

pub fn nothing_fetched(url: &str, why: &str) -> String {
    format!("nothing could be fetched: {url}: {why}")
}

pub fn limit_hit(key: &str, times: u64) -> String {
    if key == "open_files" {
        return format!(
            "{key} ({}): fetches or readers waited for files or processes. `ulimit -n N` and `ulimit -u N` before the start give more",
            times_said(times)
        );
    }
    format!("{key} ({}). Raise it with `-s limits.{key}=N`", times_said(times))
}

fn times_said(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { counted(times, "time", "times") }
}

/// A second crawl of an archived survey is archived too.
pub fn archive_remembered(dir: &str) -> String {
    format!("this survey is archived: WARC files go to {dir}, as before (--no-warc stops it)")
}
