//! Pages that are linked from navigation only.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "navigation-only",
    severity: Severity::Note,
    family: Family::Structure,
    headline: "pages that are linked from navigation only",
    next_step: "link to them from the text of a page that has to do with them",
    help: "All links to a page stand in menus, headers or footers: no text of the site recommends it.",
    example: Example {
        fault: r#"<title>Home</title><nav><a href="/x">Imprint</a></nav>
@ https://a.example/x
<title>Imprint</title>"#,
        fine: r#"<title>Home</title><p>See the <a href="/x">imprint</a>.
@ https://a.example/x
<title>Imprint</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
