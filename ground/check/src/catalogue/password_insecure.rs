//! Pages that ask for a password without encryption.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "password-insecure",
    severity: Severity::Warning,
    family: Family::Security,
    headline: "pages that ask for a password without encryption",
    next_step: "serve the page by https",
    help: "A page of http has a field for a password. Browsers warn their users.",
    example: Example {
        fault: "@ http://a.example/
<!doctype html><html lang=en><title>Opening hours</title><form method=post><label>Password <input type=password name=p></label></form>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><form method=post><label>Password <input type=password name=p></label></form>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::PasswordField).filter(|_| page.has(Mark::Insecure))
}
