//! The form that queues a job: for each task the fields its declaration has.

use groma_store::jobs::JobKind;
use groma_tasks::task::{Task, TaskInput, task_inputs};

use crate::door::TaskForm;

/// The fields of a task.
pub(crate) struct TaskView {
    pub(crate) kind: &'static str,
    /// It is the one that was chosen, or something was typed into one of its fields.
    pub(crate) open: bool,
    pub(crate) fields: Vec<FieldView>,
}

/// A field, and what was typed into it.
pub(crate) struct FieldView {
    /// Such as `map.depth`: the form has the fields of several tasks.
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) help: String,
    pub(crate) is_flag: bool,
    /// A text of several lines.
    pub(crate) is_long: bool,
    pub(crate) value: String,
}

/// The tasks that a job can be queued for, as far as they have fields.
pub(crate) fn task_views(typed: &TaskForm) -> Vec<TaskView> {
    let view = |kind: &JobKind| {
        // Start pages are not added over the web to a survey that is there.
        let is_shown = |input: &TaskInput| *kind != JobKind::Crawl || input.name != "seeds";
        let inputs = task_inputs(*kind).into_iter().filter(is_shown);
        let kind = kind.name();
        let field = |input: TaskInput| {
            let name = format!("{kind}.{}", input.name);
            let value = typed.get(&name).to_owned();
            FieldView {
                name,
                label: input.label,
                help: input.help,
                is_flag: input.is_flag,
                is_long: input.is_long,
                value,
            }
        };
        let fields: Vec<FieldView> = inputs.map(field).collect();
        let open = typed.get("kind") == kind || fields.iter().any(|field| !field.value.is_empty());
        (!fields.is_empty()).then_some(TaskView { kind, open, fields })
    };
    JobKind::ALL.iter().filter_map(view).collect()
}

/// The kinds of jobs, with what each does.
pub(crate) fn kind_options() -> Vec<(&'static str, &'static str)> {
    JobKind::ALL.iter().map(|kind| (kind.name(), Task::says(*kind))).collect()
}

/// The kinds of jobs that leave a file, and the forms in which they do: `map: html, text, ...; check: ...`.
pub(crate) fn formats_hint() -> String {
    let names = |kind: &JobKind| Task::formats(*kind).iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
    let with_files = JobKind::ALL.iter().filter(|kind| !Task::formats(**kind).is_empty());
    with_files.map(|kind| format!("{}: {}", kind.name(), names(kind))).collect::<Vec<_>>().join("; ")
}
