//! A web form that asks for a task: its fields as they were typed, so that a mistake can be shown beside them.

use groma_settings::Fault;
use groma_store::jobs::JobKind;
use groma_tasks::task::{Task, read_form};
use serde::de::DeserializeOwned;

/// Names that are in every form and belong to no task.
const NOT_FIELDS: [&str; 1] = ["csrf"];

/// The field, beside those of a task, that says in which form its result is kept.
pub(crate) const FORMAT: &str = "format";

/// The fields of a form.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct TaskForm(Vec<(String, String)>);

impl TaskForm {
    /// A form in which these fields are filled in.
    pub(crate) fn filled(fields: &[(&str, &str)]) -> TaskForm {
        TaskForm(fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    /// What stands in a field.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, text)| text)
    }

    /// What stands in each of the fields of a name.
    pub(crate) fn each(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(field, text)| field == name && !text.is_empty()).map(|(_, text)| text.as_str()).collect()
    }

    /// Is something in it?
    pub(crate) fn has(&self, name: &str) -> bool {
        !self.get(name).trim().is_empty()
    }

    /// A task of this kind, where a form has the fields of several (`map.depth`), and in which form its result is to be kept.
    pub(crate) fn task_of(&self, kind: JobKind) -> Result<(Task, &str), Fault> {
        let inner = |field: &str| field.strip_prefix(kind.name())?.strip_prefix('.').map(str::to_owned);
        let fields = self.0.iter().filter_map(|(field, text)| Some((inner(field)?, text)));
        let own = fields.filter(|(name, _)| name != FORMAT).map(|(name, text)| (name, text.clone()));
        let task = Task::from_form(kind, &own.collect::<Vec<_>>())?;
        Ok((task, self.get(&format!("{}.{FORMAT}", kind.name())).trim()))
    }

    /// Reads the fields of the form as a task.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        let fields = self.0.iter().filter(|(name, _)| !NOT_FIELDS.contains(&name.as_str()));
        read_form(&fields.cloned().collect::<Vec<_>>())
    }
}
