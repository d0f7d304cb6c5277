//! `groma-bench NAME`: benchmarks that state their input, their answer and their figure, and check the answer.
//!
//! ```text
//! cargo build --profile dist
//! cargo run --profile dist -p groma-bench -- crawl [--rounds N] [--site boost|postgres|openjdk|all] [--peer NAMES]
//! cargo run --profile dist -p groma-bench -- kills [--times N] [--pages N] [--seed N] [--postgres no]
//! cargo run --profile dist -p groma-bench -- flips [--flips N] [--pages N] [--threads N] [--repair N] [--seed N]
//! cargo run --profile dist -p groma-bench -- memory | variants | kill [--times N] | disk | parse | graph [--pages N] | rank [--python PATH]
//! cargo run --profile dist -p groma-bench -- bounds [--urls FILE --edges FILE --truth FILE] [--method NAME] [--verbose true]
//! cargo run --profile dist -p groma-bench -- flow [--python PATH] [--graph NAME] | distance
//! cargo run --profile dist -p groma-bench -- cluster [--edges FILES] [--survey FOLDERS] [--folder FOLDERS] [--inflation NUMBERS] [--large no]
//! cargo run --profile dist -p groma-bench -- focus [--works FILE] [--pages N] [--budget N] [--topics N] [--seed N] [--only NAMES]
//! cargo run --profile dist -p groma-bench -- workers [--only pace,kills,stops] [--sites N] [--pages N] [--kills N] [--stops N] [--seed N]
//! cargo run --profile dist -p groma-bench -- warc [--rounds N] [--times N] [--site NAMES] [--warcio PATH]
//! cargo run --profile dist -p groma-bench -- browser [--pages N] [--texts N] [--tabs N] [--kills N] [--seed N]
//! cargo run --profile dist -p groma-bench -- robots [--sites N] [--pages N] | outside [--hosts N --links N --pause MS --kills N --seed N --lychee PATH]
//! cargo run --profile dist -p groma-bench -- gather [--random N] [--sites N --words N --seed N --hold 0..4 --site SEED] | columns [--kills N] [--seed N]
//! cargo run --profile dist -p groma-bench --features peers -- parts --folder FOLDER [--rounds N]
//! cargo run --profile dist -p groma-bench -- serve [--seconds N] [--pages N] [--minutes N] | ordeal [--kills N] [--seed N]
//! ```
//!
//! Each prints a Markdown table. Exit codes: 0 the answer is right and the figure is reached, 1 it is not, 2 the benchmark
//! could not be run (what is missing is said). Figures depend on the machine; ratios are of one run.

mod bounds;
mod browser;
mod cluster;
mod crawl;
mod disk;
mod distance;
mod flips;
mod flow;
mod focus;
mod gather;
mod graph;
mod groma;
mod hostile;
mod kill;
mod kills;
mod measure;
mod memory;
mod nginx;
mod options;
mod ordeal;
mod outside;
mod parquet;
mod parse;
mod parts;
mod peers;
mod rank;
mod report;
mod robots;
mod scratch;
mod serve;
mod sites;
mod variants;
mod warc;
mod workers;
mod wrk;

use std::process::ExitCode;

use options::Options;
use report::Report;

type Benchmark = fn(&mut Options, &mut Report) -> anyhow::Result<()>;

/// Names, what they measure, and how.
const BENCHMARKS: [(&str, &str, Benchmark); 25] = [
    ("bounds", "how well the bounds of known sites are found", bounds::run),
    ("browser", "pages that scripts build: all found, no others built, no browser left by a kill", browser::run),
    ("crawl", "CPU, wall time and memory on real documentation, beside wget2", crawl::run),
    ("workers", "several processes crawl one survey on a server: pace, kills, and a server that stops", workers::run),
    ("memory", "peak memory at 100,000 and at 1,000,000 known URLs", memory::run),
    ("variants", "fetches on a site whose links carry a meaningless parameter, beside wget2", variants::run),
    ("kill", "what is lost and fetched again after kill -9 at random moments", kill::run),
    ("kills", "what is lost or doubled by kill -9, with and without an archive, in files and on a server", kills::run),
    ("disk", "a full disk, and going on when there is space again", disk::run),
    ("flips", "is a flipped bit in any file of a survey noticed", flips::run),
    ("graph", "ranks and maps of webs of up to a million pages, and every form of a large map", graph::run),
    ("rank", "PageRank alone, beside igraph", rank::run),
    ("flow", "bounds of sites by minimum cut, beside OR-Tools", flow::run),
    ("distance", "how alike the URLs of a million links are", distance::run),
    ("cluster", "clusters by MCL, beside mcl", cluster::run),
    ("parquet", "a survey as Parquet: links per second, memory, and the same links read back", parquet::run),
    ("focus", "harvest of focused crawls by every strategy, on a made journal library", focus::run),
    ("gather", "databases behind forms: rows, price, and whether the statement is true", gather::run),
    ("parse", "CPU time of hostile pages, robots.txt and sitemaps; throughput on real pages", parse::run),
    ("parts", "blocks, links, parts and main text of pages, beside dom_smoothie", parts::run),
    ("outside", "links that lead out: each asked once, in the pace of its host, none lost by kills", outside::run),
    ("robots", "robots.txt on spellings of links, the log judged by another reader of robots.txt", robots::run),
    ("serve", "searches per second and memory of the server while it crawls, by wrk", serve::run),
    ("warc", "CPU of a crawl that keeps every exchange, and its archive after kills", warc::run),
    ("ordeal", "what is lost when the server is killed again and again under load", ordeal::run),
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some((_, what, benchmark)) = BENCHMARKS.iter().find(|(known, ..)| *known == name) else {
        eprintln!("groma-bench NAME [OPTIONS]; names:");
        for (name, what, _) in BENCHMARKS {
            eprintln!("  {name:<9} {what}");
        }
        return ExitCode::from(2);
    };
    println!("## {name}: {what}\n");
    let mut report = Report::default();
    let done = Options::read(words).and_then(|mut options| {
        benchmark(&mut options, &mut report)?;
        options.all_taken()
    });
    match done {
        Ok(()) => report.finish(),
        Err(error) => {
            eprintln!("groma-bench {name}: {error:#}");
            ExitCode::from(2)
        }
    }
}
