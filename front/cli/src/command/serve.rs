//! `groma serve`: the web interface and the API; the jobs are done beside.

use std::process::{Command, Stdio};

use groma_model::wording::counted;
use groma_serve::{Listening, Options, is_up, key_file, people, serve, start_url};
use groma_settings::Fault;
use groma_settings::wording::{ONLY_WEB, bad_address};
use groma_url::Url;

use crate::Exit;
use crate::args::ServeArgs;
use crate::output::{Out, tell};
use crate::signals::on_signals;
use crate::wording::{STOPPED, serving};

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, Fault> {
    if args.print_url {
        return print_url(args);
    }
    let public_url = args.public_url.as_deref().map(|text| {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        url.ok_or_else(|| Fault::new(bad_address(text, ONLY_WEB), "write it as https://survey.example.org/"))
    });
    let options = Options {
        listen: args.listen,
        home: args.home.home.clone(),
        stores: args.store.clone(),
        own: args.own.clone(),
        public_search: args.public_search,
        public_url: public_url.transpose()?,
        proxies: args.trusted_proxy.clone(),
        start_page: args.open,
        workers: args.workers,
        config: args.config.clone(),
    };
    serve(options, on_signals()?, |listening| greet(&listening, args))
        .map_err(|error| Fault::new(error.to_string(), error.hint()))?;
    tell(STOPPED);
    Ok(Exit::Fine)
}

fn greet(listening: &Listening, args: &ServeArgs) {
    tell(&serving(&listening.at.to_string()));
    if let (Some(url), Some(file)) = (&listening.start_url, &listening.key_file) {
        tell(&format!("open {url}"));
        tell(&format!("note: {}", start_url_once(&listening.at.to_string(), &file.display().to_string())));
    }
    let tokens = people::tokens(&args.home.home).unwrap_or_default();
    let never = tokens.iter().filter(|token| token.expires_at.is_none()).count();
    if never > 0 {
        tell(&format!("note: {}", tokens_never_expire(never as u64)));
    }
    if args.open {
        let page = listening.start_page.as_ref().map(|page| page.canonicalize().unwrap_or_else(|_| page.clone()));
        let target = page.map_or_else(|| format!("http://{}/", listening.at), |page| page.display().to_string());
        browse(&target);
    }
}

/// Opens a file or URL in the browser. The start URL itself is never given along: other accounts can read command lines.
fn browse(target: &str) {
    let named = std::env::var("BROWSER").ok();
    let named = named.as_deref().and_then(|list| list.split(':').find(|one| !one.trim().is_empty()));
    let usual = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let program = named.unwrap_or(usual).split_whitespace().next().unwrap_or(usual);
    let mut command = Command::new(program);
    command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // It may stay open for as long as the server runs: nobody waits for it but a thread of its own.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tell(&format!("note: {}", no_browser(program, &error.to_string()))),
    }
}

/// The URL for the next browser of a server that runs already.
fn print_url(args: &ServeArgs) -> Result<Exit, Fault> {
    let file = key_file(&args.home.home, args.listen.port());
    let key = std::fs::read_to_string(&file).map_err(|error| {
        let (file, error) = (file.display().to_string(), error.to_string());
        Fault::new(no_start_key(&file, &error), no_start_key_hint(&args.listen.to_string()))
    })?;
    if !is_up(args.listen) {
        let listen = args.listen.to_string();
        return Err(Fault::new(no_server_at(&listen), no_start_key_hint(&listen)));
    }
    let mut out = Out::open(None)?;
    out.line(&start_url(args.listen, key.trim()))?;
    out.finish()?;
    Ok(Exit::Fine)
}

fn start_url_once(listen: &str, file: &str) -> String {
    format!(
        "there are no users: this URL lets one browser in, once; `groma serve --listen {listen} --print-url` prints the \
         next one, from {file}, which only you can read"
    )
}

fn no_browser(program: &str, why: &str) -> String {
    format!("no browser was opened ({program}: {why}): open the URL yourself")
}

fn no_start_key(file: &str, why: &str) -> String {
    format!("no start key can be read from {file}: {why}")
}

fn no_server_at(listen: &str) -> String {
    format!("no server is at {listen}; the key there was left by one that was killed")
}

fn no_start_key_hint(listen: &str) -> String {
    format!(
        "start a server there with `groma serve --listen {listen}`, or name its --home and --listen; where there are users, \
         log in at http://{listen}/login"
    )
}

fn tokens_never_expire(count: u64) -> String {
    let some = counted(count, "token never expires", "tokens never expire");
    format!("{some}: `groma user` lists them, `groma user revoke NAME` ends one")
}
