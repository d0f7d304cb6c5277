//! Pages that wait for many scripts.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "blocking-scripts",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "pages that wait for many scripts",
    next_step: "write defer or async into the script elements of the head",
    help: "The head has more scripts than `check.blocking_scripts` (3) without `async`, `defer` or `type=module`: nothing is shown until \
        all of them have come and run.",
    example: Example {
        fault: "<title>Hours</title><script src=/a.js></script><script src=/a.js></script><script src=/a.js></script><script src=/a.js></script>",
        fine: "<title>Hours</title><script src=/a.js defer></script><script src=/a.js defer></script><script src=/a.js defer></script><script src=/a.js defer></script>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let count = u64::from(page.count(Symptom::BlockingScript));
    (count > page.thresholds.blocking_scripts).then(|| format!("{count} scripts"))
}
