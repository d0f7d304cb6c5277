//! The fields of a task as a web form shows them. They are read from its declaration: a field that is added to a task is on the web
//! without a word there.

use std::any::TypeId;

use clap::{ArgAction, Command};
use groma_settings::Overrides;
use groma_store::jobs::JobKind;

use crate::extract::task::{ColumnLine, ValueLine};
use crate::task::scalar::LongText;
use crate::task::{COMMAND_LINE_ONLY, Task};

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskInput {
    /// What it is called in the form, and everywhere else.
    pub name: String,
    /// What people read: a name with a blank instead of each underscore.
    pub label: String,
    /// What it is for.
    pub help: String,
    /// It is a box to tick.
    pub is_flag: bool,
    /// It is a text of several lines; the command line reads it from a file.
    pub is_long: bool,
}

/// What a form for a task of this kind asks for: its own fields. Settings of crawls, of which there are too many for a form, and
/// what only the command line takes (lists in files among it) are left out.
pub fn task_inputs(kind: JobKind) -> Vec<TaskInput> {
    let own = match serde_json::to_value(Task::usual(kind)) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => return Vec::new(),
    };
    let command = Task::flags(kind, Command::new("task"));
    let is_file = |arg: &clap::Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "FILE"));
    let is_long = |arg: &clap::Arg| {
        let id = arg.get_value_parser().type_id();
        id == TypeId::of::<LongText>() || id == TypeId::of::<ColumnLine>() || id == TypeId::of::<ValueLine>()
    };
    let settings = <Overrides as clap::Args>::augment_args(Command::new("settings"));
    let has_settings = own.contains_key("settings");
    let is_setting = |arg: &clap::Arg| has_settings && settings.get_arguments().any(|one| one.get_id() == arg.get_id());
    let shown = command.get_arguments().filter(|arg| {
        own.contains_key(field_of(arg))
            && !is_setting(arg)
            && arg.get_help_heading() != Some(COMMAND_LINE_ONLY)
            && (is_long(arg) || !is_file(arg))
    });
    shown
        .map(|arg| {
            let name = field_of(arg);
            let mut label = name.replace('_', " ");
            match label.get_mut(..1) {
                _ if name == "url" => label = "URL".to_owned(),
                Some(first) => first.make_ascii_uppercase(),
                None => {}
            }
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
            TaskInput { name: name.to_owned(), label, help, is_flag, is_long: is_long(arg) }
        })
        .collect()
}

/// The field that a flag fills in. `--also-exclude` is the field `exclude`, whose flag is that of the setting.
fn field_of(arg: &clap::Arg) -> &str {
    match arg.get_id().as_str() {
        "also_exclude" => "exclude",
        id => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_ask_for_the_fields_of_a_task() {
        let names = |kind| task_inputs(kind).into_iter().map(|input| input.name).collect::<Vec<_>>();
        assert_eq!(names(JobKind::Rank), ["links", "navigation", "damping", "top"]);
        assert_eq!(names(JobKind::Update), ["keep", "exclude"]);
        let update = task_inputs(JobKind::Update);
        assert!(update[1].help.contains("besides what the survey excludes"), "{:?}", update[1]);
        let bound = names(JobKind::Bound);
        let only_typed = ["online", "seeds"].map(str::to_owned);
        assert!(
            bound.contains(&"keyword".to_owned()) && !bound.iter().any(|name| only_typed.contains(name)),
            "{bound:?}"
        );
        let inputs = task_inputs(JobKind::Map);
        let gzip = inputs.iter().find(|input| input.name == "gzip").unwrap();
        assert_eq!(task_inputs(JobKind::Gather)[0].label, "URL");
        assert!(gzip.is_flag && gzip.label == "Gzip" && gzip.help.contains("sitemap"), "{gzip:?}");
    }
}
