//! Servers that do not say how long pages keep.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "no-caching",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "servers that do not say how long pages keep",
    next_step: "send Cache-Control, and ETag or Last-Modified",
    help: "A page came with none of Cache-Control, Expires, ETag and Last-Modified: it is loaded whole again at every visit.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: r#"> ETag: "1"
<!doctype html><html lang=en><title>Opening hours</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let fields = [HeaderField::CacheControl, HeaderField::Expires, HeaderField::Etag, HeaderField::LastModified];
    (page.has_header() && fields.iter().all(|field| page.field(*field).is_none())).then(String::new)
}
