//! The same as a program that a web server starts per request: the Common Gateway Interface (RFC 3875).
//!
//! Read are `REQUEST_METHOD`, `PATH_INFO`, `QUERY_STRING` and `HTTP_IF_NONE_MATCH`, nothing else. With a cache folder that lasts,
//! an unchanged database costs no reading here either.

use std::io::{self, Write};
use std::sync::Arc;

use crate::answer::Asked;
use crate::summarizer::Summarizer;

/// Octets of a variable that are looked at.
const LONGEST: usize = 8192;

/// Answers the request that the variables tell of; `variable` reads one.
pub fn answer(
    summarizer: &Arc<Summarizer>,
    variable: impl Fn(&str) -> Option<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let read = |name| variable(name).filter(|value| value.len() <= LONGEST);
    let (method, path) = (read("REQUEST_METHOD"), read("PATH_INFO"));
    let (query, known) = (read("QUERY_STRING"), read("HTTP_IF_NONE_MATCH"));
    let asked = Asked {
        method: method.as_deref().unwrap_or("GET"),
        path: path.as_deref().unwrap_or("/"),
        query: query.as_deref(),
        if_none_match: known.as_deref(),
    };
    // The web server has a limit of its own to its patience.
    let answer = summarizer.answer_within(&asked, summarizer.patience());
    write!(out, "Status: {}\r\n", answer.status)?;
    for (name, value) in &answer.headers {
        write!(out, "{name}: {value}\r\n")?;
    }
    out.write_all(b"\r\n")?;
    answer.body.write(out)?;
    out.flush()
}
