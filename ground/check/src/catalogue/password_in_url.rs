//! Forms that send a password in the URL.

use groma_model::page::Form;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "password-in-url",
    severity: Severity::Warning,
    family: Family::Security,
    headline: "forms that send a password in the URL",
    next_step: "write method=post into the form",
    help: "A form with a field for a password sends by GET: the password stands in the URL, in the history of the browser and in the logs \
        of the server.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><form><label>Password <input type=password name=p></label></form>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><form method=post><label>Password <input type=password name=p></label></form>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let open = |form: &&Form| form.method == "get" && form.fields.iter().any(|field| field.kind == "password");
    page.forms().iter().find(open).map(|form| quoted(&form.action))
}
