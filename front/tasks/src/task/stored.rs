//! A task as the file of its results keeps it (`focus.db`, `gather.db`, `bounds.db`): what was asked for, to be shown, compared and gone on
//! with. No secret and nothing that reaches further than the web may is kept there.

use groma_settings::{Fault, Overrides, RequestOverrides};
use groma_store::jobs::JobKind;
use serde_json::{Map, Value};

use crate::task::{Bounds, Focus, Gather, Task, legacy};

fn text(task: &Task) -> String {
    Value::Object(task.said()).to_string()
}

fn fields(stored: &str) -> Map<String, Value> {
    serde_json::from_str(stored).unwrap_or_default()
}

impl Gather {
    /// As it is kept.
    pub fn stored(&self) -> String {
        text(&Task::Gather(Gather { settings: self.settings.for_everybody(), ..self.clone() }))
    }

    /// What makes it this gathering and no other.
    pub fn key(&self) -> String {
        text(&Task::Gather(Gather { settings: RequestOverrides::default(), budget: None, plan: false, ..self.clone() }))
    }

    /// Reads what is kept.
    pub fn read_stored(stored: &str) -> Result<Gather, Fault> {
        match legacy::task(JobKind::Gather, &fields(stored))? {
            Task::Gather(gather) => Ok(gather),
            other => Err(Fault::new(other.kind().name(), "")),
        }
    }
}

impl Focus {
    /// As it is kept.
    pub fn stored(&self) -> String {
        text(&Task::Focus(Focus { settings: self.settings.for_everybody(), ..self.clone() }))
    }

    /// What makes it this crawl and no other.
    pub fn key(&self) -> String {
        text(&Task::Focus(Focus { settings: Overrides::default(), pages: None, name: None, ..self.clone() }))
    }

    /// Reads what is kept.
    pub fn read_stored(stored: &str) -> Result<Focus, Fault> {
        match legacy::task(JobKind::Focus, &fields(stored))? {
            Task::Focus(focus) => Ok(focus),
            other => Err(Fault::new(other.kind().name(), "")),
        }
    }
}

impl Bounds {
    /// As it is kept.
    pub fn stored(&self) -> String {
        text(&Task::Bounds(self.clone()))
    }

    /// Reads what is kept.
    pub fn read_stored(stored: &str) -> Result<Bounds, Fault> {
        match legacy::bounds_task(&fields(stored), Vec::new())? {
            Task::Bounds(bounds) => Ok(bounds),
            other => Err(Fault::new(other.kind().name(), "")),
        }
    }
}
