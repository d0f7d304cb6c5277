//! Servers of https whose cookies go without encryption, too.

use crate::catalogue::cookies;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "cookie-not-secure",
    severity: Severity::Warning,
    family: Family::Security,
    headline: "servers of https whose cookies go without encryption, too",
    next_step: "write Secure into Set-Cookie",
    help: "A page of https sets a cookie without `Secure`: it is sent by http as well, where anybody can read it.",
    example: Example {
        fault: "> Set-Cookie: sid=1; HttpOnly; SameSite=Lax
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Set-Cookie: sid=1; Secure; HttpOnly; SameSite=Lax
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    if !page.is_secure() {
        return None;
    }
    cookies::without(page, "secure").map(quoted)
}
