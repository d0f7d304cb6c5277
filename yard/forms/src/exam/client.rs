//! A client with just enough HTTP for a site on loopback: one connection that is kept, cookies, no redirects.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, bail};
use groma_model::Request;
use groma_model::outcome::Method;

/// An answer of a drawn site.
pub(super) struct Reply {
    pub(super) status: u16,
    /// The media type without parameters, in lower case.
    pub(super) media_type: String,
    pub(super) charset: Option<String>,
    pub(super) body: Vec<u8>,
}

/// A connection and its cookies.
#[derive(Default)]
pub(super) struct Client {
    connection: Option<BufReader<TcpStream>>,
    cookies: Vec<(String, String)>,
}

impl Client {
    /// Asks; what a closed connection swallowed is asked once more on a new one.
    pub(super) fn ask(&mut self, request: &Request) -> anyhow::Result<Reply> {
        let kept = self.connection.is_some();
        match self.try_ask(request) {
            Err(_) if kept => {
                self.connection = None;
                self.try_ask(request)
            }
            other => other,
        }
    }

    fn try_ask(&mut self, request: &Request) -> anyhow::Result<Reply> {
        let url = &request.url;
        let host = format!("{}:{}", url.host_str().context("a host")?, url.port().unwrap_or(80));
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let stream = TcpStream::connect(&host)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                BufReader::new(stream)
            }
        };
        connection.get_mut().write_all(&self.written(request, &host))?;
        let reply = self.read(&mut connection)?;
        self.connection = Some(connection);
        Ok(reply)
    }

    fn written(&self, request: &Request, host: &str) -> Vec<u8> {
        let url = &request.url;
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let (method, media_type, body) = match &request.method {
            Method::Get => ("GET", "", &[][..]),
            Method::Head => ("HEAD", "", &[][..]),
            Method::Post { media_type, body } => ("POST", media_type.as_str(), body.as_slice()),
        };
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n");
        if !self.cookies.is_empty() {
            let all: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            head.push_str(&format!("Cookie: {}\r\n", all.join("; ")));
        }
        for (name, value) in &request.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !media_type.is_empty() {
            head.push_str(&format!("Content-Type: {media_type}\r\nContent-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        [head.as_bytes(), body].concat()
    }

    fn read(&mut self, connection: &mut BufReader<TcpStream>) -> anyhow::Result<Reply> {
        let mut line = String::new();
        if connection.read_line(&mut line)? == 0 {
            bail!("the connection was closed");
        }
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).context("a status line")?;
        let (mut length, mut media_type, mut charset) = (0, String::new(), None);
        loop {
            line.clear();
            connection.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse()?,
                "content-type" => {
                    let mut parts = value.split(';');
                    media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
                    charset = parts.find_map(|part| Some(part.trim().strip_prefix("charset=")?.to_owned()));
                }
                "set-cookie" => self.keep(value),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        connection.read_exact(&mut body)?;
        Ok(Reply { status, media_type, charset, body })
    }

    fn keep(&mut self, cookie: &str) {
        let Some((name, value)) = cookie.split(';').next().and_then(|pair| pair.split_once('=')) else { return };
        self.cookies.retain(|(known, _)| known != name);
        self.cookies.push((name.to_owned(), value.to_owned()));
    }
}
