//! Any database that has a driver for ODBC.
//!
//! The driver is code of somebody else that cannot be told to stop for certain: many cannot count seconds, some load a whole answer
//! into memory, and `SQLCancel` from another thread breaks some of them. So it lives in a process of its own (the program itself,
//! started again with a hidden command), which is ended when its time is over or its memory is used up. The connection string goes to it
//! on its stdin, where no list of processes shows it.
//!
//! What holds as for the other databases: names are those of the driver's catalogue between the driver's quotes; nothing but SELECT is asked;
//! limits of values, octets, letters and time; values distinct by octets, in their order. What does not: ODBC has no word for what a
//! role may do, so that cannot be judged and has to be allowed; the access mode is a request ([`groma_odbc`]); there is no
//! sign of a state, so whether anything changed is found out by reading; and how numbers and dates look is the driver's choice.

mod dialect;
mod session;
mod smallest;
mod source;
mod wire;

use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use self::wire::{REPLY, Reply, Request, VALUE, pass_greeting, receive};
use crate::catalogue::{Column, Relation};
use crate::error::SummaryError;
use crate::reader::{CONNECT, ColumnLimit, Reader, Take, left};

pub use session::serve_odbc;
pub use source::OdbcSource;

/// The hidden command of the program that holds the driver.
pub const COMMAND: &str = "read-odbc";

/// Sets the limit on memory, in KB, then becomes the program.
const LIMITED: &str = "ulimit -c 0; ulimit -d \"$1\" && shift && exec \"$0\" \"$@\"";
/// Memory for a driver, in KB: some hold a whole answer.
const MEMORY: u64 = 2 << 20;
/// Frames on their way.
const FRAMES: usize = 256;
/// How long the process may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// Why a role cannot be judged.
const UNKNOWN_RIGHTS: &str = "what it may do cannot be asked through ODBC";

static PROGRAM: OnceLock<(PathBuf, Vec<OsString>)> = OnceLock::new();

/// Says which program, with which arguments, calls [`serve_odbc`]. Until somebody does, no ODBC source can be opened.
pub fn read_odbc_by(program: PathBuf, arguments: Vec<OsString>) {
    let _ = PROGRAM.set((program, arguments));
}

/// A process with a driver and a connection.
pub(super) struct Driver {
    child: Child,
    requests: Option<ChildStdin>,
    frames: Receiver<(u8, Vec<u8>)>,
    until: Instant,
    source: OdbcSource,
}

impl Driver {
    pub(super) fn connect(source: &OdbcSource) -> Result<Driver, SummaryError> {
        let mut driver = Driver::start(source)?;
        let request = Request::Open {
            text: source.text().to_owned(),
            user: source.user().map(str::to_owned),
            seconds: u32::try_from(CONNECT.as_secs()).unwrap_or(u32::MAX),
        };
        driver.until = Instant::now() + CONNECT + CONNECT;
        match driver.ask(&request) {
            Ok(_) => {}
            Err(SummaryError::Time(_)) => {
                return Err(SummaryError::Connect(format!("no connection within {} seconds", CONNECT.as_secs() * 2)));
            }
            Err(error) => return Err(error),
        }
        driver.until = Instant::now() + Duration::from_secs(60);
        Ok(driver)
    }

    fn start(source: &OdbcSource) -> Result<Driver, SummaryError> {
        let refuse = |error: std::io::Error| SummaryError::Connect(format!("the process of the driver: {error}"));
        let (program, arguments) = PROGRAM
            .get()
            .ok_or_else(|| SummaryError::Connect("there is no program that holds drivers of ODBC".into()))?;
        let mut command = if cfg!(unix) { Command::new("/bin/sh") } else { Command::new(program) };
        if cfg!(unix) {
            command.args(["-c", LIMITED]).arg(program).arg(MEMORY.to_string());
            // What is typed at the terminal to end the summarizer is not meant for it.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(refuse)?;
        let requests = child.stdin.take();
        let output = child.stdout.take();
        let (sender, frames) = sync_channel(FRAMES);
        let driver = Driver { child, requests, frames, until: Instant::now() + CONNECT, source: source.clone() };
        let mut output = std::io::BufReader::with_capacity(
            1 << 16,
            output.ok_or_else(|| refuse(std::io::ErrorKind::BrokenPipe.into()))?,
        );
        let listen = move || {
            if pass_greeting(&mut output).is_ok() {
                while let Ok(frame) = receive(&mut output) {
                    if sender.send(frame).is_err() {
                        break;
                    }
                }
            }
        };
        thread::Builder::new().name("odbc".into()).spawn(listen).map_err(refuse)?;
        Ok(driver)
    }

    fn request(&mut self, request: &Request) -> Result<(), SummaryError> {
        let mut line = serde_json::to_vec(request).map_err(std::io::Error::from)?;
        line.push(b'\n');
        let sent = self.requests.as_mut().map(|requests| requests.write_all(&line).and_then(|()| requests.flush()));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.died()),
        }
    }

    /// The next frame, waited for until the time is over; then the process is ended.
    fn frame(&mut self) -> Result<(u8, Vec<u8>), SummaryError> {
        let error = match left(self.until) {
            Err(error) => error,
            Ok(left) => match self.frames.recv_timeout(left) {
                Ok(frame) => return Ok(frame),
                Err(RecvTimeoutError::Timeout) => SummaryError::Time(0),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
            },
        };
        self.end();
        Err(error)
    }

    fn reply(&mut self, octets: &[u8]) -> Result<Reply, SummaryError> {
        let reply = serde_json::from_slice(octets).map_err(std::io::Error::from)?;
        match reply {
            Reply::Refused(text) => Err(SummaryError::Connect(self.source.redacted(&text))),
            Reply::Failed(text) => Err(SummaryError::Database(self.source.redacted(&text))),
            Reply::Late => Err(SummaryError::Time(0)),
            reply => Ok(reply),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<Reply, SummaryError> {
        self.request(request)?;
        loop {
            let (kind, octets) = self.frame()?;
            if kind == REPLY {
                return self.reply(&octets);
            }
        }
    }

    fn died(&mut self) -> SummaryError {
        self.end();
        SummaryError::Database("the driver of ODBC broke, or used up its memory (2 GiB)".into())
    }

    /// Ends the process; what it asked a server is ended by the server's own limit of time, or when it finds nobody to answer.
    fn end(&mut self) {
        self.requests = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A driver that is idle takes leave of its server.
        self.requests = None;
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.end();
    }
}

impl Reader for Driver {
    fn excess(&mut self) -> Result<Vec<String>, SummaryError> {
        Ok(vec![UNKNOWN_RIGHTS.into()])
    }

    fn begin(&mut self, until: Instant) -> Result<(), SummaryError> {
        self.until = until;
        let millis = u64::try_from(left(until)?.as_millis()).unwrap_or(u64::MAX);
        self.ask(&Request::Begin { millis }).map(|_| ())
    }

    fn sign(&mut self) -> Result<Option<String>, SummaryError> {
        Ok(None)
    }

    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError> {
        match self.ask(&Request::Relations)? {
            Reply::Relations(relations) => Ok(relations),
            _ => Err(self.died()),
        }
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError> {
        match self.ask(&Request::Columns { relation: relation.clone() })? {
            Reply::Columns(columns) => Ok(columns),
            _ => Err(self.died()),
        }
    }

    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: ColumnLimit,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError> {
        self.request(&Request::Values { relation: relation.clone(), column: column.clone(), wanted })?;
        let mut is_enough = false;
        loop {
            match self.frame()? {
                (VALUE, octets) if !is_enough => is_enough = take(&octets)? == ControlFlow::Break(()),
                (VALUE, _) => {}
                (_, octets) => return self.reply(&octets).map(|_| ()),
            }
        }
    }
}
