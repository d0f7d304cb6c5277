//! How many references are joined to a base in a second, here and by the crate url? Both in turns, the best of several rounds.
//!
//! `cargo run --release -p groma-url --example joins`

use std::hint::black_box;
use std::time::Instant;

const BASE: &str = "https://www.example.org/docs/guide/chapter-one.html?lang=en#top";

/// The kinds of links that pages have, about as often.
const LINKS: [&str; 12] = [
    "../a/b.html#c",
    "/x?y=1",
    "https://h.example/p",
    "chapter-two.html",
    "/assets/site.css?v=20240501",
    "#section-3",
    "https://www.example.org/docs/reference/functions/overview.html",
    "/",
    "?page=2&sort=name",
    "//cdn.example.net/lib/jquery-3.7.1.min.js",
    "images/figure%201.png",
    "http://user.example.com:8080/~name/index.php?id=12345&view=full#comments",
];

const ROUNDS: usize = 15;
const TIMES: usize = 20_000;

fn main() {
    let (base, theirs) = (groma_url::Url::parse(BASE).expect("a base"), url::Url::parse(BASE).expect("a base"));
    println!("{:>12}  {:>12}  {:>6}  reference", "groma-url/s", "url/s", "times");
    let mut sums = [0.0; 2];
    for link in LINKS {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(seconds(|| base.join(black_box(link)).expect("an address").as_str().len()));
            best[1] = best[1].min(seconds(|| theirs.join(black_box(link)).expect("an address").as_str().len()));
        }
        tell(best, link);
        sums = [sums[0] + best[0], sums[1] + best[1]];
    }
    tell(sums.map(|sum| sum / LINKS.len() as f64), "all of them");
}

/// How long one takes.
fn seconds(join: impl Fn() -> usize) -> f64 {
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(join());
    }
    start.elapsed().as_secs_f64() / TIMES as f64
}

fn tell(took: [f64; 2], what: &str) {
    println!("{:>12.0}  {:>12.0}  {:>6.2}  {what}", 1.0 / took[0], 1.0 / took[1], took[1] / took[0]);
}
