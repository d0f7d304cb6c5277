//! What does the similarity of URLs cost, link by link?
//!
//! Input: the URLs and links of debdocs, where they lie beside the project, and a made-up set of 20,000 URLs with 1,000,000
//! links among them, of any two; URLs are taken apart into tokens, and then the similarity of both ends of 1,000,000 links is
//! computed as a search for bounds does it.
//! Answer: distances are those of the plain table of edits, on a sample of 50,000 links; the similarity follows from the distance
//! by its formula. Figure: both steps together at most one second of CPU.

use std::path::Path;

use groma_bounds::{Similarity, Tokens, settings};

use crate::flow::url_similarity::Addresses;
use crate::measure::timed;
use crate::options::Options;
use crate::report::{Report, Table};

const GRAPHS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs");
const LINKS: usize = 1_000_000;
const SAMPLE: usize = 50_000;
const SECONDS: f64 = 1.0;

/// URLs, and pairs of them that are linked.
struct Set {
    name: &'static str,
    addresses: String,
    links: Vec<(u32, u32)>,
}

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let sigma: f64 = options.take("sigma", settings::SIGMA)?;
    let mut sets = vec![made_up(20_000)];
    match real()? {
        Some(set) => sets.push(set),
        None => println!("- not measured, debdocs: it is not beside the project\n"),
    }
    let table = Table::new(&[
        "addresses",
        "how many",
        "tokens each",
        "links",
        "taken apart, CPU s",
        "similarity of the links, CPU s",
        "links a second",
        "mean distance",
    ]);
    for set in &sets {
        measure(set, sigma, &table, report);
    }
    Ok(())
}

fn measure(set: &Set, sigma: f64, table: &Table, report: &mut Report) {
    let (apart, tokens) = timed(|| {
        let mut tokens = Tokens::new();
        for address in set.addresses.lines() {
            tokens.push(address);
        }
        tokens
    });
    let similarity = Similarity::new(sigma);
    let (seconds, sum) =
        timed(|| set.links.iter().map(|&(one, other)| similarity.between(&tokens, one, other)).sum::<f64>());
    let plain = Addresses::read(&set.addresses);
    let (every, mut distances, mut wrong) = ((set.links.len() / SAMPLE).max(1), 0.0, 0u64);
    let sample = set.links.iter().step_by(every);
    for &(one, other) in sample.clone() {
        let wanted = plain.edits(one, other);
        distances += f64::from(wanted);
        let formula = (-f64::from(wanted).powi(2) / (2.0 * sigma * sigma)).exp();
        // What is next to nothing counts as nothing.
        let alike = (similarity.between(&tokens, one, other) - formula).abs() < 1e-12;
        wrong += u64::from(tokens.distance(one, other, u32::MAX - 1) != wanted || !alike);
    }
    let count = sample.count();
    report.equal(&format!("{}: links", set.name), set.links.len() as u64, LINKS as u64);
    report.equal(&format!("{}: of {count} links, wrong ones", set.name), wrong, 0);
    report.check(sum > 0.0 && sum <= set.links.len() as f64, || format!("{}: similarity sums up to {sum}", set.name));
    report.at_most(&format!("{}: CPU s", set.name), apart + seconds, SECONDS);
    let each = (0..tokens.len() as u32).map(|address| tokens.url_tokens(address).len()).sum::<usize>() as f64;
    table.row(&[
        set.name.to_owned(),
        tokens.len().to_string(),
        format!("{:.1}", each / tokens.len().max(1) as f64),
        set.links.len().to_string(),
        format!("{apart:.3}"),
        format!("{seconds:.3}"),
        format!("{:.0}", set.links.len() as f64 / seconds.max(1e-9)),
        format!("{:.2}", distances / count.max(1) as f64),
    ]);
}

/// A million links of debdocs, taken from all over it.
fn real() -> anyhow::Result<Option<Set>> {
    let (urls, edges) = (Path::new(GRAPHS).join("debdocs.urls.zst"), Path::new(GRAPHS).join("debdocs.edges.bin.zst"));
    if !urls.exists() || !edges.exists() {
        return Ok(None);
    }
    let addresses = String::from_utf8(zstd::decode_all(std::fs::File::open(urls)?)?)?;
    let bytes = zstd::decode_all(std::fs::File::open(edges)?)?;
    let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let all: Vec<(u32, u32)> = bytes.chunks_exact(8).map(|pair| (number(pair), number(&pair[4..]))).collect();
    // The step is prime to their number, so each is taken once.
    let links = (0..LINKS.min(all.len())).map(|at| all[at * 7_919 % all.len()]).collect();
    Ok(Some(Set { name: "debdocs", addresses, links }))
}

/// URLs with folders of several depths and some with questions; links between any two.
fn made_up(count: u32) -> Set {
    let mut state = 1u64;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    };
    let mut addresses = String::new();
    for page in 0..count {
        addresses.push_str(&format!("https://h{}.example", draw(50)));
        for _ in 0..draw(9) {
            addresses.push_str(&format!("/folder-{}", draw(30)));
        }
        addresses.push_str(&format!("/{page}.html"));
        for at in 0..draw(4) {
            addresses.push_str(&format!("{}k{at}={}", if at == 0 { '?' } else { '&' }, draw(5)));
        }
        addresses.push('\n');
    }
    let links = (0..LINKS).map(|_| (draw(count), draw(count))).collect();
    Set { name: "made up", addresses, links }
}
