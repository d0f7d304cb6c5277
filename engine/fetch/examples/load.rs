//! What does a fetch cost? Asks one URL many times and prints the processor time of this side.
//!
//! `cargo run --release -p groma-fetch --example load -- URL [COUNT] [IN-FLIGHT] [THREADS]`

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use groma_fetch::{FetchConfig, Fetcher, HttpFetcher, OwnHosts, ProxyChoice};
use groma_model::{Outcome, Request};
use groma_url::Url;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let url: Option<Url> = args.next().and_then(|a| a.parse().ok());
    let mut number = |default: usize| args.next().and_then(|a| a.parse().ok()).unwrap_or(default);
    let (count, in_flight, threads) = (number(5000), number(16), number(2));
    let Some(url) = url else {
        eprintln!("usage: load URL [COUNT] [IN-FLIGHT] [THREADS]");
        return ExitCode::FAILURE;
    };
    let runtime = match threads {
        1 => tokio::runtime::Builder::new_current_thread().enable_all().build(),
        n => tokio::runtime::Builder::new_multi_thread().worker_threads(n).enable_all().build(),
    };
    let config = FetchConfig {
        own_hosts: OwnHosts::of_urls([&url]),
        proxy: ProxyChoice::None,
        insecure: true,
        ..FetchConfig::default()
    };
    match (runtime, HttpFetcher::new(config)) {
        (Ok(runtime), Ok(fetcher)) => {
            let (ok, bytes, wall) = runtime.block_on(run(Arc::new(fetcher), &url, count, in_flight));
            println!("{ok} of {count} answers, {bytes} bytes, {wall:.3} s, {:?} CPU s", cpu_seconds());
            if ok == count { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        (Err(error), _) => failure(&error),
        (_, Err(error)) => failure(&error),
    }
}

fn failure(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}

async fn run(fetcher: Arc<HttpFetcher>, url: &Url, count: usize, in_flight: usize) -> (usize, usize, f64) {
    let begun = Instant::now();
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..in_flight)
        .map(|_| {
            let (fetcher, next, url) = (fetcher.clone(), next.clone(), url.clone());
            tokio::spawn(async move {
                let (mut ok, mut bytes) = (0, 0);
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    match fetcher.fetch(Request::get(url.clone())).await {
                        Outcome::Answer(answer) if answer.status == 200 => {
                            ok += 1;
                            bytes += answer.body.len();
                        }
                        other => eprintln!("{other:?}"),
                    }
                }
                (ok, bytes)
            })
        })
        .collect();
    let (mut ok, mut bytes) = (0, 0);
    for worker in workers {
        let (o, b) = worker.await.unwrap_or_default();
        ok += o;
        bytes += b;
    }
    (ok, bytes, begun.elapsed().as_secs_f64())
}

/// User and system time of this process; nothing where there is no /proc.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}
