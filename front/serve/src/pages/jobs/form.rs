//! The form that queues a job: for each task the fields its declaration has.

use groma_store::jobs::JobKind;
use groma_tasks::task::{FileFormat, Task, TaskInput, task_inputs};

use crate::door::{FORMAT, TaskForm};

/// The fields of a task.
pub(crate) struct TaskView {
    pub(crate) kind: &'static str,
    /// It is the one that was chosen, or something was typed into one of its fields.
    pub(crate) open: bool,
    pub(crate) fields: Vec<FieldView>,
    /// The forms in which its result can be kept, if it leaves a file.
    pub(crate) formats: &'static [FileFormat],
    /// The one that was chosen.
    pub(crate) format: String,
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
        let (kind, formats) = (kind.name(), Task::formats(*kind));
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
        let format = typed.get(&format!("{kind}.{FORMAT}")).trim().to_owned();
        // A browser sends the format that is shown first, whoever looked at it or not.
        let is_chosen = !format.is_empty() && formats.first().is_none_or(|usual| usual.name != format);
        let is_filled = is_chosen || fields.iter().any(|field| !field.value.is_empty());
        let open = typed.get("kind") == kind || is_filled;
        (!fields.is_empty() || !formats.is_empty()).then_some(TaskView { kind, open, fields, formats, format })
    };
    JobKind::ALL.iter().filter_map(view).collect()
}

/// The kinds of jobs, with what each does.
pub(crate) fn kind_options() -> Vec<(&'static str, &'static str)> {
    JobKind::ALL.iter().map(|kind| (kind.name(), Task::says(*kind))).collect()
}
