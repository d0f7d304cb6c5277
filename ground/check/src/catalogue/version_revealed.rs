//! Servers that tell their version.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "version-revealed",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers that tell their version",
    next_step: "leave the number out (server_tokens off, ServerTokens Prod, expose_php off)",
    help: "The header names a program with its version (Server, X-Powered-By): whoever looks for servers with a known hole finds this one.",
    example: Example {
        fault: "> Server: Apache/2.4.1
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Server: Apache
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let fields = [HeaderField::Server, HeaderField::PoweredBy];
    let named = fields.into_iter().filter_map(|field| page.field(field));
    let versioned = |value: &&str| value.split('/').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    named.clone().find(versioned).map(quoted)
}
