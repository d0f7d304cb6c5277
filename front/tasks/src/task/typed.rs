//! Tasks as they are typed behind `groma jobs add` and `groma schedule add --what`: the name of a task and its own flags, or several
//! names with commas between them.

use clap::{Args, Command, FromArgMatches};
use groma_settings::Fault;
use groma_settings::wording::SEE_HELP;
use groma_store::jobs::JobKind;

use crate::task::{Job, Package, Task, no_such_kind};

/// What may be said about a job beside its task.
#[derive(Debug, Default, Args)]
struct JobFlags {
    /// In which form the result is kept
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The site is yours: allow --delay below 0.1, --per-host above 4, robots=false
    #[arg(long, help_heading = "Pace")]
    i_own_this_site: bool,
    /// This alone: what belongs to it does not follow by itself (behind a crawl check and index, behind an update notices too, behind a
    /// focused crawl or a gathering the index)
    #[arg(long)]
    alone: bool,
}

/// Nothing more than what every job takes.
#[derive(Debug, Args)]
struct NoMore {}

/// Kinds of jobs with commas between them; nothing if one of them is none.
fn kinds_of(text: &str) -> Option<Vec<JobKind>> {
    text.split(',').map(|word| JobKind::named(word.trim())).collect()
}

/// Reads a task with its flags and `More` of them, or names of tasks. Flags behind several names belong to the first. What belongs to them
/// follows, unless they are to stay alone.
pub fn read_words<More: Args>(typed: &[String]) -> Result<(Package, More), clap::Error> {
    let (package, alone, more) = read_typed(typed)?;
    Ok((if alone { package } else { package.with_what_follows() }, more))
}

fn read_typed<More: Args>(typed: &[String]) -> Result<(Package, bool, More), clap::Error> {
    let (mut count, mut kinds) = (0, Vec::new());
    // Names may stand apart, too; but behind `focus` there is its topic, which may be the name of a task.
    while let Some(further) = typed.get(count).and_then(|word| kinds_of(word))
        && kinds.last() != Some(&JobKind::Focus)
    {
        kinds.extend(further);
        count += 1;
    }
    let Some((first, behind)) = kinds.split_first() else {
        let word = typed.first().map(String::as_str).unwrap_or_default();
        return Err(as_typed(&no_such_kind(word)));
    };
    let task = Task::flags(*first, Command::new(first.name()).no_binary_name(true));
    let about = task.get_about().cloned().unwrap_or_default();
    let flags = More::augment_args(JobFlags::augment_args(task)).about(about);
    let flags = flags.bin_name(format!("groma jobs add {}", first.name()));
    let matches = flags.try_get_matches_from(&typed[count..])?;
    let JobFlags { format, i_own_this_site, alone } = JobFlags::from_arg_matches(&matches)?;
    let task = Task::from_flags(*first, &matches)?.checked().map_err(|fault| as_typed(&fault))?;
    let job = Job { format: format.unwrap_or_default(), owned: i_own_this_site, ..Job::from(task) };
    let mut package = Package::usual(behind);
    package.0.insert(0, job.checked().map_err(|fault| as_typed(&fault))?);
    for job in &package.0 {
        job.task.clone().checked().map_err(|fault| as_typed(&fault))?;
    }
    Ok((package, alone, More::from_arg_matches(&matches)?))
}

fn as_typed(fault: &Fault) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{}\n\nhint: {}\n", fault.says, fault.hint))
}

/// What is wrong with what was typed: a sentence and a hint.
pub fn usage_fault(error: &clap::Error) -> Fault {
    let text = error.render().to_string();
    let lines = || text.lines().map(str::trim);
    let says: Vec<&str> = lines().take_while(|line| !line.is_empty()).collect();
    let says = says.join(" ");
    let hint = lines().find_map(|line| line.strip_prefix("tip: ").or_else(|| line.strip_prefix("hint: ")));
    Fault::new(says.strip_prefix("error: ").unwrap_or(&says), hint.unwrap_or(SEE_HELP))
}

/// Reads a package from texts: each is a task with its flags, or names of tasks with commas between them. What belongs to them follows, unless
/// one of them is to stay alone.
pub fn read_package(texts: &[String]) -> Result<Package, Fault> {
    let (mut all, mut stays_alone) = (Package(Vec::new()), false);
    for text in texts {
        let unread = || Fault::new(unread_words(text), "close every quote: --what 'focus \"a topic\" --pages 50'");
        let typed: Vec<String> = shlex::split(text).filter(|typed| !typed.is_empty()).ok_or_else(unread)?;
        let (package, alone, NoMore {}) = read_typed(&typed).map_err(|error| usage_fault(&error))?;
        all.0.extend(package.0);
        stays_alone |= alone;
    }
    Ok(if stays_alone { all } else { all.with_what_follows() })
}

fn unread_words(text: &str) -> String {
    format!("{text:?} cannot be read")
}
