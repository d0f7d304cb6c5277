//! Servers whose cookies do not say whether other sites may send them.

use crate::catalogue::cookies;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "cookie-cross-site",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers whose cookies do not say whether other sites may send them",
    next_step: "write SameSite=Lax or Strict into Set-Cookie",
    help: "A cookie without `SameSite`: browsers differ in whether a form or image of another site sends it.",
    example: Example {
        fault: "> Set-Cookie: sid=1; Secure; HttpOnly
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Set-Cookie: sid=1; Secure; HttpOnly; SameSite=Lax
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    cookies::without(page, "samesite").map(quoted)
}
