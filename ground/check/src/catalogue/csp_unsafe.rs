//! Servers whose Content-Security-Policy lets any script run.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "csp-unsafe",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers whose Content-Security-Policy lets any script run",
    next_step: "take 'unsafe-inline', 'unsafe-eval' and * out of script-src; give your scripts a nonce or a hash",
    help: "What holds for scripts (`script-src`, else `default-src`) allows 'unsafe-inline' without a nonce or hash, 'unsafe-eval', or \
        every host: it stops nothing that is smuggled in.",
    example: Example {
        fault: "> Content-Security-Policy: script-src 'self' 'unsafe-inline'
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Content-Security-Policy: script-src 'self' 'nonce-x' 'unsafe-inline'
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let policy = page.field(HeaderField::ContentSecurityPolicy)?.to_ascii_lowercase();
    let rule = |name: &str| policy.split(';').map(str::trim).find_map(|rule| rule.strip_prefix(name)?.strip_prefix(' '));
    let scripts = rule("script-src").or_else(|| rule("default-src"))?;
    let has = |word: &str| scripts.split_ascii_whitespace().any(|one| one == word);
    let vouched = ["'nonce-", "'sha256-", "'sha384-", "'sha512-"].iter().any(|start| scripts.contains(start));
    let open = has("*") || has("'unsafe-eval'") || (has("'unsafe-inline'") && !vouched);
    open.then(|| quoted(scripts))
}
