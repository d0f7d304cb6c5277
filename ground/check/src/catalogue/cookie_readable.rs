//! Servers whose cookies scripts can read.

use crate::catalogue::cookies;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "cookie-readable",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers whose cookies scripts can read",
    next_step: "write HttpOnly into Set-Cookie",
    help: "A cookie without `HttpOnly`: a script that somebody smuggles into a page can send it away. Leave it if your own scripts need the \
        cookie.",
    example: Example {
        fault: "> Set-Cookie: sid=1; Secure; SameSite=Lax
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Set-Cookie: sid=1; Secure; HttpOnly; SameSite=Lax
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    cookies::without(page, "httponly").map(quoted)
}
