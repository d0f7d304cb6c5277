//! `groma serve`: the web interface and the API; the jobs are done beside.

use url::Url;

use groma_desk::{Fault, words};
use groma_serve::{Options, serve};

use crate::Exit;
use crate::args::ServeArgs;
use crate::output::tell;
use crate::survey::on_signals;

pub(crate) fn run(args: &ServeArgs) -> Result<Exit, Fault> {
    let public_url = args.public_url.as_deref().map(|text| {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        url.ok_or_else(|| Fault::new(words::bad_address(text, words::ONLY_WEB), words::PUBLIC_URL_HINT))
    });
    let options = Options {
        listen: args.listen,
        home: args.home.home.clone(),
        stores: args.store.clone(),
        own: args.own.clone(),
        public_search: args.public_search,
        public_url: public_url.transpose()?,
        workers: args.workers,
        config: args.config.clone(),
    };
    serve(options, on_signals()?, |address| tell(&words::serving(&address.to_string())))
        .map_err(|error| Fault::new(error.to_string(), error.hint()))?;
    tell(words::STOPPED);
    Ok(Exit::Fine)
}
