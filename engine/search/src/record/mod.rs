//! Records of databases behind forms: what they say, what they are called, where they lead, what is shown of them.

mod hit;
mod lead;
mod said;
mod show;
mod whole;

pub(crate) use hit::Shower;
pub(crate) use lead::Leads;
pub(crate) use said::Said;
pub(crate) use show::pairs;
pub(crate) use whole::{each_value, values_where};
