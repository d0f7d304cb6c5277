//! The form that queues a job: for each task the fields its declaration has.

use groma_store::jobs::JobKind;
use groma_tasks::task::{TaskInput, task_inputs};

use crate::door::TaskForm;
use crate::pages::words;

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
    pub(crate) value: String,
}

/// The tasks that a job can be queued for, as far as they have fields.
pub(crate) fn task_views(typed: &TaskForm) -> Vec<TaskView> {
    let view = |&(kind, _): &(&'static str, &'static str)| {
        let field = |input: TaskInput| {
            let name = format!("{kind}.{}", input.name);
            let value = typed.get(&name).to_owned();
            FieldView { name, label: input.label, help: input.help, is_flag: input.is_flag, value }
        };
        let inputs = task_inputs(JobKind::named(kind)?).into_iter();
        // Start pages are not added over the web to a survey that is there.
        let fields: Vec<FieldView> = inputs.filter(|input| input.name != "seeds").map(field).collect();
        let open = typed.get("kind") == kind || fields.iter().any(|field| !field.value.is_empty());
        (!fields.is_empty()).then_some(TaskView { kind, open, fields })
    };
    words::JOB_KINDS.iter().filter_map(view).collect()
}
