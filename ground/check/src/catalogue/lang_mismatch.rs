//! Pages in another language than they say.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "lang-mismatch",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "pages in another language than they say",
    next_step: "write the language of the text into the html element",
    help: "The function words of the running text are clearly those of another language than `lang` declares. Only texts of 400 bytes and \
        more in languages of the Latin alphabet are judged; what is not clear is left alone, as are languages that share their words \
        (Norwegian and Danish, Czech and Slovak).",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Karte</title><p>Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. ",
        fine: "<!doctype html><html lang=de><title>Karte</title><p>Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. ",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::OtherLanguage).map(|example| format!("the text reads like {example}"))
}
