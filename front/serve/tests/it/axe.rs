//! Can everybody use it? axe-core looks at every page, light and dark, wide and as narrow as a telephone.
//!
//! The file of axe-core is named by GROMA_AXE, or lies where `target/tools/axe` has it; without it nothing is looked at, and that
//! is said. GROMA_SHOTS names a folder for pictures of what was looked at.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use groma_testweb::Server;
use serde_json::{Value, json};

use crate::browser::Walk;
use crate::inns::{Inns, database_pages, with_database};
use crate::surveys::{Town, bounded, focus_pages, focused, pages, surveyed};

/// Width, and whether it is dark.
const LOOKS: [(u32, bool); 4] = [(1280, false), (1280, true), (360, false), (360, true)];

#[test]
fn no_page_has_a_serious_fault_of_accessibility() {
    let Some(axe) = axe() else { return };
    let town = Town::default();
    let web = Server::start(town.clone());
    let (house, name) = surveyed(&web);
    let Some(mut walk) = Walk::begin("axe", &house) else { return };
    // Lists with something in them.
    let schedule = json!({ "name": "weekly look", "period": "every 7 days", "zone": "Europe/Prague" });
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/schedules"), &schedule).status, 201);
    assert_eq!(house.post("/api/v1/tokens", &json!({ "name": "dashboard", "role": "reader" })).status, 201);
    for kind in ["notify", "update", "check", "index", "notify"] {
        town.edition.store(u64::from(kind != "notify"), Ordering::Relaxed);
        assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": kind })).status, 201, "{kind}");
        house.until_idle(&name, None);
    }
    bounded(&house, &name, &format!("{}/news/30", web.base()));
    focused(&house, &name, "survey of the town");
    let mut faults = Vec::new();
    for (page, path) in pages(&name, &web).into_iter().chain(focus_pages(&name, &web)) {
        walk.go(&path);
        faults.extend(look(&mut walk, &axe, page));
    }
    let (inns_house, inns, inns_name, id) = with_database(&Inns::default());
    walk.enter(&inns_house);
    for (page, path) in database_pages(&inns_name, id, &inns).into_iter().filter(|page| page.0 != "hel-fault") {
        walk.go(&path);
        faults.extend(look(&mut walk, &axe, page));
    }
    walk.enter(&house);
    walk.go(&format!("/sites/{name}/"));
    walk.browser.value("document.querySelector('[data-help]').click()");
    faults.extend(look(&mut walk, &axe, "help"));
    // A survey at work.
    town.pace.store(1500, Ordering::Relaxed);
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "update" })).status, 201);
    walk.go(&format!("/sites/{name}/"));
    walk.browser.wait_for("document.querySelectorAll('.stream li').length > 0");
    faults.extend(look(&mut walk, &axe, "live"));
    town.pace.store(0, Ordering::Relaxed);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn axe() -> Option<String> {
    let usual = || {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/axe/node_modules/axe-core/axe.min.js"))
    };
    let file = std::env::var_os("GROMA_AXE").map_or_else(usual, PathBuf::from);
    match std::fs::read_to_string(&file) {
        Ok(source) => Some(source),
        Err(error) => {
            eprintln!("skipped: {} ({error})", file.display());
            None
        }
    }
}

/// The serious faults of the page that is open, in all looks.
fn look(walk: &mut Walk, axe: &str, page: &str) -> Vec<String> {
    walk.browser.value("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    walk.browser.value(&format!("{axe}; 0"));
    let mut faults = Vec::new();
    for (width, dark) in LOOKS {
        walk.browser.look(width, 900, dark);
        let at = format!("{page}-{width}-{}", if dark { "dark" } else { "light" });
        faults.extend(walk.too_wide().map(|what| format!("{at} is wider than its window: {what}")));
        let found = walk.browser.promised(
            "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'], iframes: false }) \
             .then((result) => result.violations.filter((one) => ['serious', 'critical'].includes(one.impact)) \
             .map((one) => ({ id: one.id, says: one.help, nodes: one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`) })))",
        );
        for fault in found.as_array().unwrap() {
            let nodes: Vec<&str> = fault["nodes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            faults.push(format!("{at}: {} ({})\n    {}", fault["id"], fault["says"], nodes.join("\n    ")));
        }
        if let Some(folder) = std::env::var_os("GROMA_SHOTS") {
            let picture = bytes_of(&walk.browser.picture());
            std::fs::write(PathBuf::from(folder).join(format!("{at}.png")), picture).unwrap();
        }
    }
    walk.browser.look(1280, 1400, false);
    // Opened by us, the stored copy is refused its pictures.
    let troubles = walk.browser.troubles(&walk.base);
    faults.extend(troubles.iter().filter(|one| !one.contains("/copy?")).map(|one| format!("{page}: {one}")));
    faults
}

/// The bytes of a text in base64.
fn bytes_of(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values: Vec<u32> =
        text.bytes().filter_map(|one| LETTERS.iter().position(|letter| *letter == one)).map(|at| at as u32).collect();
    let mut bytes = Vec::with_capacity(values.len() * 3 / 4);
    for four in values.chunks(4) {
        let whole = four.iter().fold(0, |sum, value| sum << 6 | value) << (6 * (4 - four.len()));
        bytes.extend_from_slice(&whole.to_be_bytes()[1..four.len()]);
    }
    bytes
}
