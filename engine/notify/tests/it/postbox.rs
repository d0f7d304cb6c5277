//! A mail server that keeps what it is given, and goes wrong where a test says so.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What it does, by the first word of what it hears (`CONNECT` before a word was said, `.` for the end of a letter).
#[derive(Clone, Debug)]
pub(crate) enum Odd {
    /// Gives this answer instead of the usual one.
    Says(&'static str),
    /// Says nothing for a long time.
    Silent,
    HangsUp,
}

#[derive(Clone, Default)]
pub(crate) struct Manners {
    /// Encrypted from the first byte.
    pub(crate) wrapped: bool,
    pub(crate) starttls: bool,
    /// Offers to log in.
    pub(crate) login: bool,
    /// Misbehaves at this word.
    pub(crate) odd: Option<(&'static str, Odd)>,
}

/// What a client sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) commands: Vec<String>,
    pub(crate) data: String,
    pub(crate) encrypted: bool,
}

pub(crate) struct Postbox {
    pub(crate) port: u16,
    /// The certificate it shows.
    pub(crate) pem: String,
    received: Arc<Mutex<Vec<Received>>>,
}

enum Wire {
    Plain(TcpStream),
    Secure(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Postbox {
    pub(crate) fn open(manners: Manners) -> Postbox {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let tls = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let tls = Arc::new(tls);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (manners, tls, kept) = (manners.clone(), Arc::clone(&tls), Arc::clone(&kept));
                thread::spawn(move || {
                    let mut visit = Received::default();
                    // How a conversation ends is up to the test.
                    let _ = converse(stream, &manners, &tls, &mut visit);
                    kept.lock().unwrap().push(visit);
                });
            }
        });
        Postbox { port, pem: made.cert.pem(), received }
    }

    /// Waits until so many conversations are over.
    pub(crate) fn received(&self, count: usize) -> Vec<Received> {
        for _ in 0..500 {
            let received = self.received.lock().unwrap().clone();
            if received.len() >= count {
                return received;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("fewer than {count} conversations");
    }
}

fn converse(
    stream: TcpStream,
    manners: &Manners,
    tls: &Arc<ServerConfig>,
    visit: &mut Received,
) -> std::io::Result<()> {
    let mut wire = Wire::Plain(stream);
    if manners.wrapped {
        wire = wire.secured(tls);
        visit.encrypted = true;
    }
    if !answer(&mut wire, manners, "CONNECT", "220 postbox.test ESMTP")? {
        return Ok(());
    }
    while let Some(line) = wire.line()? {
        visit.commands.push(line.clone());
        let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let usual = match word.as_str() {
            "EHLO" => {
                let mut offer = String::from("250-postbox.test\r\n");
                if manners.starttls && !visit.encrypted {
                    offer.push_str("250-STARTTLS\r\n");
                }
                if manners.login {
                    offer.push_str("250-AUTH PLAIN LOGIN\r\n");
                }
                offer + "250 SIZE 1000000"
            }
            "STARTTLS" => "220 go ahead".to_owned(),
            "AUTH" => "235 welcome".to_owned(),
            "DATA" => "354 end with a dot".to_owned(),
            "QUIT" => "221 bye".to_owned(),
            _ => "250 fine".to_owned(),
        };
        if !answer(&mut wire, manners, &word, &usual)? || word == "QUIT" {
            return Ok(());
        }
        if word == "STARTTLS" {
            wire = wire.secured(tls);
            visit.encrypted = true;
        }
        let refused = matches!(&manners.odd, Some((at, Odd::Says(_))) if *at == "DATA");
        if word == "DATA" && !refused {
            while let Some(line) = wire.line()?.filter(|line| line != ".") {
                visit.data.push_str(line.strip_prefix('.').unwrap_or(&line));
                visit.data.push_str("\r\n");
            }
            if !answer(&mut wire, manners, ".", "250 kept")? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// False if the conversation is over.
fn answer(wire: &mut Wire, manners: &Manners, word: &str, usual: &str) -> std::io::Result<bool> {
    match manners.odd.as_ref().filter(|(at, _)| *at == word) {
        Some((_, Odd::HangsUp)) => return Ok(false),
        Some((_, Odd::Silent)) => {
            thread::sleep(Duration::from_secs(3));
            return Ok(false);
        }
        Some((_, Odd::Says(line))) => wire.say(line)?,
        None => wire.say(usual)?,
    }
    Ok(true)
}

impl Wire {
    fn secured(self, tls: &Arc<ServerConfig>) -> Wire {
        let Wire::Plain(stream) = self else { panic!("it is secured already") };
        Wire::Secure(Box::new(StreamOwned::new(ServerConnection::new(Arc::clone(tls)).unwrap(), stream)))
    }

    fn line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut byte = [0];
        loop {
            let read = match self {
                Wire::Plain(stream) => stream.read(&mut byte)?,
                Wire::Secure(stream) => stream.read(&mut byte)?,
            };
            if read == 0 {
                return Ok(None);
            }
            if byte[0] == b'\n' {
                return Ok(Some(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned()));
            }
            line.push(byte[0]);
        }
    }

    fn say(&mut self, line: &str) -> std::io::Result<()> {
        let line = format!("{line}\r\n");
        match self {
            Wire::Plain(stream) => stream.write_all(line.as_bytes()),
            Wire::Secure(stream) => stream.write_all(line.as_bytes()).and_then(|()| stream.flush()),
        }
    }
}
