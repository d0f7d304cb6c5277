//! Links to somebody's own machine.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::LinkView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "local-link",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links to somebody's own machine",
    next_step: "put the public URL in its place",
    help: "A page of a public host links to `localhost`, 127.0.0.1 or [::1]: a link from the developer's machine that was published.",
    example: Example {
        fault: r#"<a href="http://localhost:3000/x">Prices</a>"#,
        fine: r#"<a href="https://b.example/x">Prices</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Link(judge);

fn judge(link: &LinkView<'_>) -> bool {
    link.facts.has(link.link.target, Mark::ThisMachine) && !link.facts.has(link.from, Mark::ThisMachine)
}
