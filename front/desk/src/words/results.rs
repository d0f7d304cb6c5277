//! What people read about ranks, maps, checks, reports and imported graphs.

use std::path::Path;

use groma_model::wording::size;

use super::counted;

pub const NOT_IN_SURVEY_HINT: &str = "`groma pages` lists every address of the survey";
pub const DAMPING_HINT: &str = "a number from 0 to below 1; 0.85 is usual";
pub const WEIGHT_HINT: &str = "a number from 0 to 1000; 1 makes no difference between links";
pub const NO_LAYER_HINT: &str = "wait a moment: the start page is still being fetched; `groma status` shows it";
pub const NO_ROOT_HINT: &str = "crawl a site first, or name a page of the survey with --root";
pub const OTHER_ROOT_HINT: &str = "name another page of the survey with --root; `groma rank` lists good ones";
pub const IMPORT_INTO_FULL_HINT: &str = "choose another folder with --store, or start over with --fresh";
pub const HALF_IMPORTED_HINT: &str = "run the same `groma import` again: it starts over";
pub const NO_KINDS: &str = "--only names no kind of finding";
pub const IMPORT_HINT: &str = "an arc is a line with two numbers or two addresses, or a pair of little-endian 32-bit \
                                      numbers (--as pairs)";
pub const ADDRESSES_TWICE: &str = "--urls gives addresses, and so do the arcs themselves";
pub const ADDRESSES_TWICE_HINT: &str = "leave out --urls, or give arcs of numbers";

pub fn not_in_survey(typed: &str) -> String {
    format!("{typed} is not in the survey")
}

pub fn bad_damping(value: f64) -> String {
    format!("--damping {value}: not a damping factor")
}

pub fn bad_weight(value: f64) -> String {
    format!("--navigation {value}: not a weight")
}

pub fn not_converged(rounds: u32, change: f64) -> String {
    format!("after {rounds} rounds ranks still change by {change:.1e}")
}

pub fn up_to_layer(layer: u32) -> String {
    format!("pages still wait to be fetched: this is the survey up to layer {layer}")
}

pub fn import_into_full(store: &Path) -> String {
    format!("{} already holds a survey", store.display())
}

pub fn empty_graph(edges: &Path) -> String {
    format!("{}: no arcs", edges.display())
}

pub fn imported(nodes: u64, arcs: u64, given: u64, merged: u64, store: &Path) -> String {
    let mut text = format!("{} and {}", counted(nodes, "node", "nodes"), counted(arcs, "arc", "arcs"));
    let dropped = given.saturating_sub(arcs);
    if dropped > 0 {
        text.push_str(&format!(" ({} or to the node itself left out)", counted(dropped, "arc twice", "arcs twice")));
    }
    if merged > 0 {
        text.push_str(&format!(", {} merged", counted(merged, "address twice", "addresses twice")));
    }
    format!("{text} in {}", store.display())
}

/// A line for each table of an export.
pub fn exported_table(name: &str, rows: u64, bytes: u64, files: u64) -> String {
    let (rows, files) = (counted(rows, "row", "rows"), counted(files, "file", "files"));
    format!("{name:<6} {rows:>22} {:>10} in {files}", size(bytes))
}

pub fn exported_tables(bytes: u64, seconds: f64, to: &str) -> String {
    format!("{} in {seconds:.1} s to {to}", size(bytes))
}

pub const PDF_ON_TERMINAL: &str = "a PDF is nothing for a terminal";
pub const PDF_ON_TERMINAL_HINT: &str = "write it to a file with -o map.pdf";
pub const WHY_FORMAT: &str = "--why answers as text or JSON";
pub const WHY_FORMAT_HINT: &str = "use -f text or -f json";
pub const CANDIDATES: &str = "pages of the layer before that link to it";
pub const NOT_ON_MAP_YET: &str = "not on the map yet: it lies beyond the last finished layer";
pub const NOT_ON_MAP_PART: &str =
    "not on the map: it is a part of pages (an image, a style, a script); --links all takes it";
pub const NOT_ON_MAP_SCOPE: &str = "not on the map: it is outside the scope of the survey";
pub const NOT_ON_MAP_UNREACHED: &str = "not on the map: no way of links leads to it from the root";

pub fn not_on_map_state(state: &str, says: &str) -> String {
    format!("not on the map: it is {state} ({says})")
}

pub fn stands_because(layer: u32, candidates: usize) -> String {
    match (layer, candidates) {
        (0, _) => "the root of the map".to_owned(),
        (_, 1) => format!("in layer {layer}; one page of layer {} links to it, so that is its parent", layer - 1),
        (_, n) => format!(
            "in layer {layer}; of {n} pages of layer {} that link to it, its parent is the one with the highest rank",
            layer - 1
        ),
    }
}

pub fn no_such_field(name: &str) -> String {
    format!("--fields {name}: there is no such value of a page")
}

pub fn field_names() -> String {
    let names: Vec<&str> = groma_chart::Field::ALL.iter().map(|field| field.name()).collect();
    format!("one of: all, {}", names.join(", "))
}

pub const BASELINE_HINT: &str = "a baseline is the output of `groma check -f json` or of --write-baseline";
pub const NO_PREFIX: &str = "--border prefix: which?";
pub const NO_PREFIX_HINT: &str = "say what is the site with --prefix https://www.example.org/docs/";
pub const NO_EXTERNAL_LINKS: &str = "no links lead to other sites";

pub fn no_such_kind(name: &str) -> String {
    format!("--only {name}: there is no such kind of finding")
}

pub fn kind_names() -> String {
    let names: Vec<&str> = groma_check::Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("one of: {}", names.join(", "))
}

pub fn links_to_sites(links: u64, sites: u64) -> String {
    format!("{} to {}", counted(links, "link", "links"), counted(sites, "other site", "other sites"))
}

pub const SITEMAP_PARTS: &str = "the sitemap is larger than one file";
pub const SITEMAP_PARTS_HINT: &str = "write it to a folder with -o DIR: parts and an index";
pub const NO_PAGE_TO_LIST: &str = "no page can be listed in a sitemap";
pub const NO_PAGE_TO_LIST_HINT: &str = "only fetched pages that do not ask to be left out are; see `groma pages`";

pub fn sitemap_written(listed: u64, names: &[String]) -> String {
    format!("{} in {}", counted(listed, "address", "addresses"), names.join(", "))
}

pub fn sitemap_left_out(too_long: u64, elsewhere: u64) -> String {
    format!(
        "left out: {} too long, {} on other hosts (a sitemap is for one host)",
        counted(too_long, "address", "addresses"),
        counted(elsewhere, "page", "pages")
    )
}

pub const FIRST_BY_RANK: &str = "first by rank";

pub fn map_of(pages: u32, read: u32, layers: u32, unreached: u64) -> String {
    let mut text =
        format!("map: {} in {}", counted(pages.into(), "page", "pages"), counted(layers.into(), "layer", "layers"));
    if read < pages {
        text.push_str(&format!(", {} of them known but not read", super::grouped((pages - read).into())));
    }
    if unreached > 0 {
        text.push_str(&format!(", {} not reached by links", super::grouped(unreached)));
    }
    text + "; largest branches"
}

pub fn checked(pages: u64, links: u64, findings: u64) -> String {
    format!(
        "check: {}, {}: {}",
        counted(pages, "page", "pages"),
        counted(links, "link", "links"),
        counted(findings, "finding", "findings")
    )
}

pub const NO_DIFFERENCE: &str = "no difference";
pub const ONE_SURVEY: &str = "one survey or run alone cannot be compared";
pub const ONE_SURVEY_HINT: &str = "groma diff OLD.groma NEW.groma, groma diff 2 5 (runs), or groma diff (the last run)";

pub fn other_host(a: &str, b: &str) -> String {
    format!("the surveys are of different hosts: addresses are compared without {a} and {b}")
}

pub fn before(url: &str) -> String {
    format!(", before: {url}")
}

pub fn shown_of(shown: u64) -> String {
    format!("  (the first {shown} above; all with -f csv)")
}

pub fn runs_pages_only() -> &'static str {
    "the log of runs knows pages only; `groma update --keep` keeps what is needed to compare links, findings and structure"
}

pub const REPORT_FOLDER_HINT: &str = "name a new or empty folder, or FILE.html for a report in one file";
pub const REPORT_FILE_HINT: &str = "a name that ends in .html makes one file, any other name a folder";

pub fn report_folder_taken(folder: &Path) -> String {
    format!("{} holds other files than a report of ours", folder.display())
}

pub fn report_is_file(path: &Path) -> String {
    format!("{} is a file, and a report goes there as a folder", path.display())
}

pub fn report_is_folder(path: &Path) -> String {
    format!("{} is a folder, and a report goes there as a file", path.display())
}

pub fn report_written(path: &Path) -> String {
    format!("report: {}", path.display())
}

pub fn not_ended(run: u32) -> String {
    format!("run {run} was interrupted: there is no finished survey that could be kept")
}

pub const FIRST_NODE: &str =
    "an imported graph has no start page: this map starts from its first node; --root chooses another";
pub const BASELINE_INCOMPLETE: &str =
    "some pages of the site were not read this time: what was found there before counts as fixed";

pub fn known_only(pages: u64) -> String {
    let (pages, were) = (counted(pages, "page", "pages"), if pages == 1 { "is" } else { "are" });
    format!(
        "{pages} of it {were} known, but not read (waiting, limits, robots.txt, log-in); what lies behind is not on the map"
    )
}

pub fn incomplete_side(which: &str, unread: u64) -> String {
    let pages = counted(unread, "page", "pages");
    format!("the {which} survey is not complete ({pages} known but not read): what is missing there may only be unread")
}

pub fn gate_looks_elsewhere(gate: &str, only: &str) -> String {
    format!("--fail-on {gate} looks at findings that --only {only} leaves out")
}

pub const GATE_HINT: &str = "leave out one of the two, or name the same kinds";
