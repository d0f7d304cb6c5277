//! How well are the bounds of sites found, and with what?
//!
//! Input: `debdocs` (16,135 pages of 28 documentation sites at their real URLs, 1,618,104 links), where it lies beside the
//! project, plain and with hosts mixed: every site is spread over two of four hosts, page by page, and every host carries 14
//! sites; or any graph given by `--urls FILE --edges FILE --truth FILE` (URLs, pairs of u32, prefixes of sites; zstd or
//! not). Answer: the pages of each site, by its prefix. Figure: macro means of precision, recall and F1, by method, from the home page
//! alone, from any page, and from 10 pages, both drawn at random; epsilon is chosen by the program. `--method NAME` measures one method only.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, bail};
use groma_bounds::{Direction, Method, Settings, Sigma, Start, Tokens, Web, clusters, find};
use groma_graph::Csr;
use groma_graph::mcl::Clustering;

use crate::options::Options;
use crate::report::{Report, Table};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs/");
/// Start pages where they are drawn at random.
const DRAWN: usize = 10;
/// Names of pages that are the home of their folder.
const HOMES: [&str; 5] = ["", "index.html", "index.htm", "index.en.html", "index.php"];

/// A graph whose sites are known.
struct Known {
    name: String,
    addresses: Vec<String>,
    graph: Csr,
    /// For each page the number of its site, if it has one.
    site: Vec<Option<u32>>,
    sites: Vec<String>,
    /// The home page of each site.
    homes: Vec<u32>,
}

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let urls: String = options.take("urls", String::new())?;
    let edges: String = options.take("edges", String::new())?;
    let truth: String = options.take("truth", String::new())?;
    let sigma: f64 = options.take("sigma", groma_bounds::settings::SIGMA)?;
    let fitted: bool = options.take("fitted", false)?;
    let inflation: f64 = options.take("inflation", groma_bounds::settings::INFLATION)?;
    let forward: bool = options.take("forward", false)?;
    let only: String = options.take("method", String::new())?;
    let methods: Vec<Method> = Method::ALL.into_iter().filter(|m| only.is_empty() || m.name() == only).collect();
    if methods.is_empty() {
        bail!("--method {only}: one of flow, mcl, mcl+flow");
    }
    let verbose: bool = options.take("verbose", false)?;
    let settings = Settings {
        sigma: if fitted { Sigma::Fitted } else { Sigma::Given(sigma) },
        inflation,
        direction: if forward { Direction::Forward } else { Direction::Both },
        ..Settings::default()
    };
    let is_debdocs = urls.is_empty();
    let graphs = if is_debdocs {
        debdocs()?
    } else {
        vec![Known::read(&urls, Path::new(&urls), Path::new(&edges), Path::new(&truth))?]
    };
    let table = Table::new(&["graph", "sites", "start", "method", "precision", "recall", "F1", "least F1", "seconds"]);
    for known in &graphs {
        let mut tokens = Tokens::new();
        for address in &known.addresses {
            tokens.push(address);
        }
        let pages = vec![true; known.addresses.len()];
        let web = Web { graph: &known.graph, tokens: &tokens, pages: &pages, content_similarity: None };
        let clustering = methods.iter().any(|method| method.clusters()).then(|| {
            let begun = Instant::now();
            let found = clusters(&web, &settings, &mut |_, _| true);
            let (count, rounds) = (found.sizes.len(), found.rounds);
            eprintln!("{}: {count} clusters in {:.1} s, {rounds} rounds", known.name, begun.elapsed().as_secs_f64());
            found
        });
        for (start, drawn) in [("home page", None), ("any page", Some(1)), ("10 pages", Some(DRAWN))] {
            for &method in &methods {
                let settings = Settings { method, ..settings.clone() };
                let begun = Instant::now();
                let scores = known.score(&web, &settings, clustering.as_ref(), drawn, verbose);
                let mean = |of: fn(&[f64; 3]) -> f64| scores.iter().map(of).sum::<f64>() / scores.len().max(1) as f64;
                let (precision, recall, f1) = (mean(|s| s[0]), mean(|s| s[1]), mean(|s| s[2]));
                let least = scores.iter().map(|s| s[2]).fold(1.0, f64::min);
                table.row(&[
                    known.name.clone(),
                    scores.len().to_string(),
                    start.to_owned(),
                    method.name().to_owned(),
                    format!("{precision:.3}"),
                    format!("{recall:.3}"),
                    format!("{f1:.3}"),
                    format!("{least:.2}"),
                    format!("{:.1}", begun.elapsed().as_secs_f64()),
                ]);
                if is_debdocs && method == Method::MclFlow && drawn != Some(1) {
                    let wanted = match (drawn, known.name.as_str()) {
                        (None, _) => 0.90,
                        (_, "debdocs") => 0.98,
                        _ => 0.97,
                    };
                    report.check(f1 >= wanted, || {
                        format!("{}, {start}, {method}: F1 {f1:.3}, at least {wanted} wanted", known.name)
                    });
                }
            }
        }
    }
    Ok(())
}

/// The documentation of Debian packages: as it is, and with every site spread over two hosts.
fn debdocs() -> anyhow::Result<Vec<Known>> {
    let file = |name: &str| Path::new(DATA).join(name);
    let (urls, edges, sites) = (file("debdocs.urls.zst"), file("debdocs.edges.bin.zst"), file("debdocs.sites.tsv"));
    let plain = Known::read("debdocs", &urls, &edges, &sites)
        .context("debdocs is not beside the project; name a graph by --urls, --edges and --truth")?;
    let mixed = plain.mixed();
    Ok(vec![plain, mixed])
}

impl Known {
    fn read(name: &str, urls: &Path, edges: &Path, truth: &Path) -> anyhow::Result<Known> {
        let addresses: Vec<String> = String::from_utf8(unpacked(urls)?)?.lines().map(str::to_owned).collect();
        let bytes = unpacked(edges)?;
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let arcs = bytes.chunks_exact(8).map(|pair| (number(pair), number(&pair[4..])));
        let graph = Csr::of_arcs(addresses.len() as u32, arcs);
        let text = String::from_utf8(unpacked(truth)?)?;
        let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        let sites: Vec<String> = text.lines().map(first).filter(|prefix| prefix.contains("://")).collect();
        let longest = |address: &String| {
            let of = (0u32..).zip(&sites).filter(|(_, prefix)| address.starts_with(prefix.as_str()));
            of.max_by_key(|(_, prefix)| prefix.len()).map(|(site, _)| site)
        };
        let site: Vec<Option<u32>> = addresses.iter().map(longest).collect();
        let homes =
            (0u32..).zip(&sites).map(|(number, prefix)| home(&addresses, &site, number, prefix, &graph)).collect();
        Ok(Known { name: name.to_owned(), addresses, graph, site, sites, homes })
    }

    /// The same graph with every site spread over two of four hosts; its path keeps what followed its host.
    fn mixed(&self) -> Known {
        const PAIRS: [[u32; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let mut draw = Draw(17);
        let moved = |(address, site): (&String, &Option<u32>)| {
            let rest = address.split_once("://").map_or("", |(_, rest)| rest);
            let path = rest.split_once('/').map_or("", |(_, path)| path);
            let pair = PAIRS[site.unwrap_or(0) as usize % PAIRS.len()];
            format!("http://h{}.example/{path}", pair[draw.below(2)])
        };
        let mut addresses: Vec<String> = self.addresses.iter().zip(&self.site).map(moved).collect();
        // Pages of different sites may now be at one URL: such a page keeps the name of its old host in its path.
        let mut seen: HashMap<String, u32> = HashMap::new();
        for (at, address) in addresses.iter_mut().enumerate() {
            let times = seen.entry(address.clone()).or_default();
            if *times > 0 {
                *address = format!("{address}?{at}");
            }
            *times += 1;
        }
        Known {
            name: "debdocs, hosts mixed".to_owned(),
            addresses,
            graph: self.graph.clone(),
            site: self.site.clone(),
            sites: self.sites.clone(),
            homes: self.homes.clone(),
        }
    }

    /// Precision, recall and F1 of every site.
    fn score(
        &self,
        web: &Web<'_>,
        settings: &Settings,
        clustering: Option<&Clustering>,
        drawn: Option<usize>,
        verbose: bool,
    ) -> Vec<[f64; 3]> {
        let mut scores = Vec::new();
        let mut draw = Draw(5);
        for (number, prefix) in (0u32..).zip(&self.sites) {
            let pages: Vec<u32> =
                (0u32..).zip(&self.site).filter(|(_, of)| **of == Some(number)).map(|(at, _)| at).collect();
            if pages.is_empty() {
                continue;
            }
            let seeds = drawn.map_or_else(|| vec![self.homes[number as usize]], |count| draw.some(&pages, count));
            let found = find(web, &Start { seeds, ..Start::default() }, settings, clustering);
            let (mut size, mut both) = (0u32, 0u32);
            for node in found.inside() {
                size += 1;
                both += u32::from(self.site[node as usize] == Some(number));
            }
            let (precision, recall) = (f64::from(both) / f64::from(size.max(1)), f64::from(both) / pages.len() as f64);
            let f1 = if both == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
            if verbose {
                let family: Vec<u32> = found.family.iter().map(|step| step.size).collect();
                eprintln!(
                    "{} {prefix}: {} pages, core {}, found {size}, F1 {f1:.2}, epsilon {:.1e}; {family:?}",
                    settings.method,
                    pages.len(),
                    found.core.len(),
                    found.epsilon
                );
            }
            scores.push([precision, recall, f1]);
        }
        scores
    }
}

/// The page that is the home of a site: by its name, else the one most linked to.
fn home(addresses: &[String], site: &[Option<u32>], number: u32, prefix: &str, graph: &Csr) -> u32 {
    let pages = || (0u32..).zip(site).filter(|(_, of)| **of == Some(number)).map(|(at, _)| at);
    let named = HOMES.iter().find_map(|name| pages().find(|&at| addresses[at as usize] == format!("{prefix}{name}")));
    let degrees = graph.in_degrees();
    named.or_else(|| pages().max_by_key(|&at| degrees[at as usize])).unwrap_or(0)
}

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound.max(1) as u64) as usize
    }

    /// Some of them, each once.
    fn some(&mut self, of: &[u32], count: usize) -> Vec<u32> {
        let mut left = of.to_vec();
        (0..count.min(of.len())).map(|_| left.swap_remove(self.below(left.len()))).collect()
    }
}

fn unpacked(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|ending| ending == "zst") {
        zstd::Decoder::new(file)?.read_to_end(&mut bytes)?;
    } else {
        std::io::BufReader::new(file).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
