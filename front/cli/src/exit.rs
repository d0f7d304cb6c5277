//! What did a command come to? Exit codes, and mistakes in what was typed.

use groma_settings::Fault;
use groma_tasks::crawl::wording::NO_URL_HINT;

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Fine = 0,
    /// Something was found that somebody should look at.
    Findings = 1,
    /// No page was ever had.
    Nothing = 3,
    /// A limit ended it; it can go on.
    Limit = 4,
    /// Somebody ended it; it can go on.
    Interrupted = 130,
}

/// Help and version go to stdout; a mistake becomes one line and a hint, like all our mistakes.
pub(crate) fn report_usage_error(error: &clap::Error) -> Result<Exit, Fault> {
    if !error.use_stderr() {
        return match error.print() {
            Err(fault) => Err(Fault::of_output(&fault)),
            Ok(()) => Ok(Exit::Fine),
        };
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return Err(Fault::new("no command", NO_URL_HINT));
    }
    Err(groma_tasks::task::usage_fault(error))
}
