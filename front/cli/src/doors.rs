//! A test walks the doors of the command line: random tasks are typed behind `groma TASK`, `groma jobs add TASK` and `groma schedule add
//! --what`, and the same task comes out. What `--help` says of a field is what its task says.

use std::collections::HashSet;

use clap::{Arg, CommandFactory, Parser};
use groma_store::jobs::JobKind;
use groma_tasks::task::random::{RandomTask, RandomTasks};
use groma_tasks::task::{Job, Package, Task, read_package, read_words};

use crate::args::{Cli, Command, ExportArgs, ExportCommand, JobsCommand, QueueArgs, ScheduleCommand};

/// Tasks of each kind.
const ROUNDS: usize = 300;

/// The command that does such a task at once; nothing if only a job does it.
fn command_of(kind: JobKind) -> Option<Vec<&'static str>> {
    match kind {
        // Whoever watches a survey is told by a schedule.
        JobKind::Notify => None,
        JobKind::Bound => Some(vec!["bounds"]),
        // Each form of an export is a command.
        JobKind::Export => Some(vec!["export", "jsonl"]),
        kind => Some(vec![kind.name()]),
    }
}

/// The task of a command.
fn task_of(command: Command) -> Task {
    match command {
        Command::Crawl(args) | Command::Survey(args) => Task::Crawl(args.task),
        Command::Update(args) => Task::Update(args.task),
        Command::Rank(args) => Task::Rank(args.task),
        Command::Map(args) => Task::Map(args.task),
        Command::Check(args) => Task::Check(args.task),
        Command::Index(args) => Task::Index(args.task),
        Command::Bounds(args) => Task::Bounds(args.find.task),
        Command::Focus(args) => Task::Focus(args.go.task),
        Command::Gather(args) => Task::Gather(args.ask.task),
        Command::Cluster(args) => Task::Cluster(args.task),
        Command::Report(args) => Task::Report(args.task),
        Command::Extract(args) => Task::Extract(args.task),
        Command::Export(ExportArgs { what: ExportCommand::Jsonl(args) }) => Task::Export(args.what.task),
        other => panic!("no command of a task: {other:?}"),
    }
}

fn parsed(words: &[&str], typed: &[String]) -> Command {
    let words = words.iter().copied().chain(typed.iter().map(String::as_str));
    let line: Vec<&str> = std::iter::once("groma").chain(words).collect();
    Cli::try_parse_from(&line).unwrap_or_else(|error| panic!("{line:?}: {error}")).command
}

/// What `groma jobs add` and `groma schedule add` queue first.
fn queued(kind: JobKind, typed: &[String]) -> [Package; 2] {
    let Command::Jobs(args) = parsed(&["jobs", "add", kind.name()], typed) else { panic!("jobs") };
    let Some(JobsCommand::Add(add)) = args.what else { panic!("jobs add") };
    let (job, _) = read_words::<QueueArgs>(&add.words).unwrap();
    let words = std::iter::once(kind.name()).chain(typed.iter().map(String::as_str));
    let line = [shlex::try_join(words).unwrap()];
    let Command::Schedule(args) = parsed(&["schedule", "add", "every 7 days", "--what"], &line) else {
        panic!("schedule")
    };
    let Some(ScheduleCommand::Add { what, .. }) = args.what else { panic!("schedule add") };
    [job, read_package(&what).unwrap()]
}

#[test]
fn the_same_task_comes_through_the_command_line() {
    for kind in JobKind::ALL.iter().copied() {
        let mut random = RandomTasks::new(kind, &[]);
        let mut walked = [const { Vec::new() }; 2];
        for _ in 0..ROUNDS {
            let Some(RandomTask { typed, task, fields }) = random.draw() else { continue };
            if let Some(command) = command_of(kind) {
                let read = task_of(parsed(&command, &typed)).checked().unwrap();
                assert_eq!(read, task, "groma {command:?} {typed:?}");
                walked[0].extend(fields.clone());
            }
            if Job::from(task.clone()).checked().is_ok() {
                for package in queued(kind, &typed) {
                    assert_eq!(package.0[0].task, task, "{}: {typed:?}", kind.name());
                    assert_eq!(package, Package(vec![task.clone().into()]).with_what_follows(), "{typed:?}");
                }
                walked[1].extend(fields);
            }
        }
        let [typed, queued] = walked.map(|fields| fields.into_iter().collect::<HashSet<String>>());
        let never = |walked: &HashSet<String>| {
            random.fields().filter(|id| !walked.contains(*id)).map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(command_of(kind).is_none() || never(&typed).is_empty(), "{}: {:?}", kind.name(), never(&typed));
        // Secrets are kept in no queue, and a search on line is no job.
        let never = never(&queued);
        assert!(never.iter().all(|id| ["header", "user", "online"].contains(&&**id)), "{}: {never:?}", kind.name());
    }
}

#[test]
fn commands_say_of_a_field_what_its_task_says() {
    let cli = Cli::command();
    for kind in JobKind::ALL.iter().copied() {
        let Some(command) = command_of(kind) else { continue };
        let command = command.iter().fold(&cli, |command, word| command.find_subcommand(word).unwrap());
        for declared in RandomTasks::flags(kind).get_arguments() {
            let taken = command.get_arguments().find(|arg| arg.get_id() == declared.get_id());
            let says = |arg: &Arg| {
                let defaults = arg.get_default_values().to_vec();
                (arg.get_long().map(str::to_owned), arg.get_short(), arg.get_help().map(ToString::to_string), defaults)
            };
            assert_eq!(taken.map(says), Some(says(declared)), "groma {}: {}", command.get_name(), declared.get_id());
        }
    }
}
