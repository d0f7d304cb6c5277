//! `groma-testweb SITE [--port N] [--forever] [key=value...]`: a site of the test web, served to other processes.
//!
//! Prints the base URL and serves until its input closes (so that it ends with whoever started it) or, with
//! `--forever`, until it is killed. `GET /__counts` answers what it was asked so far as JSON.

use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;
use std::process::ExitCode;

use groma_testweb::{Server, catalogue};

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("groma-testweb: {error}\n\n{}", usage());
            ExitCode::from(2)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut port, mut forever, mut words) = (0, false, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--port" => {
                let value = args.next().unwrap_or_default();
                port = value.parse().map_err(|_| format!("--port {value}: a number below 65536 is wanted"))?;
            }
            "--forever" => forever = true,
            "--help" | "-h" => {
                println!("{}", usage());
                return Ok(());
            }
            _ => words.push(arg),
        }
    }
    let Some((name, settings)) = words.split_first() else { return Err("which site?".into()) };
    let choice = catalogue::choose(name, settings)?;
    let server = Server::start_on((Ipv4Addr::LOCALHOST, port).into(), choice.web)
        .map_err(|error| format!("cannot listen on port {port}: {error}"))?;
    server.set_faults(choice.faults);
    println!("{}", server.base());
    // Whoever reads the URL through a pipe must not wait for a full buffer; if nobody reads it, serving goes on.
    let _ = std::io::stdout().flush();
    if forever {
        loop {
            std::thread::park();
        }
    }
    let mut ignored = [0; 256];
    let mut input = std::io::stdin().lock();
    while input.read(&mut ignored).is_ok_and(|n| n > 0) {}
    Ok(())
}

fn usage() -> String {
    let mut text = "groma-testweb SITE [--port N] [--forever] [key=value...]\n\nsites and their keys:\n".to_owned();
    for (name, keys) in catalogue::NAMES {
        text += &format!("  {name:<13} {keys}\n");
    }
    text + &format!("  {:<13} {}", "(every site)", catalogue::KEYS_OF_ALL)
}
