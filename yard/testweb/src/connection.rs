//! One connection: requests are read one after the other and answered in the manner their answers have.
//!
//! Nothing a client sends can stop the server: a bad or oversized head or body is answered 400, 431 or 413 and the
//! connection closed.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::arrival;
use crate::counts::Counts;
use crate::request::{end_of_head, parse};
use crate::{Answer, Ask, Manner, Web};

/// A head longer than this is refused.
const HEAD_BYTES: usize = 256 * 1024;

/// A body longer than this is refused.
const BODY_BYTES: usize = 16 << 20;

/// How long a reset in mid-body waits, so that what was sent before it has arrived: an RST overtakes nothing on
/// loopback, but it throws away what the sending side still holds.
const BEFORE_RESET: Duration = Duration::from_millis(5);

/// Answers what comes on a connection until either side ends it.
pub(crate) async fn serve(mut stream: TcpStream, web: Arc<dyn Web>, counts: Arc<Counts>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut came = SystemTime::now();
    let mut inbox = Vec::with_capacity(4096);
    let mut outbox = Vec::with_capacity(16 * 1024);
    loop {
        let mut looked_at = 0;
        let end = loop {
            if let Some(end) = end_of_head(&inbox, looked_at) {
                break end;
            }
            looked_at = inbox.len();
            if looked_at > HEAD_BYTES {
                return refuse(&mut stream, 431).await;
            }
            match arrival::read(&stream, &mut inbox).await? {
                Some(at) => came = at,
                None => return Ok(()),
            }
        };
        let Some(head) = parse(&inbox[..end]) else { return refuse(&mut stream, 400).await };
        inbox.drain(..end);
        if head.body > BODY_BYTES {
            return refuse(&mut stream, 413).await;
        }
        let mut ask = head.ask;
        ask.came = Some(came);
        ask.body = body(&mut stream, &mut inbox, head.body).await?;
        let answer = if ask.path == crate::server::COUNTS_PATH {
            Answer::typed("application/json", counts.json())
        } else {
            let (nth, serial, faults) = counts.enter(&ask.path);
            (ask.nth, ask.serial) = (nth, serial);
            faults.spoil(&ask, || web.answer(&ask))
        };
        let flight = counts.flight();
        let goes_on = deliver(&mut stream, &ask, &answer, &mut outbox).await?;
        drop(flight);
        if !goes_on || !head.keep || answer.closes() {
            return stream.shutdown().await;
        }
    }
}

/// Sends an answer in its manner; false if the connection is at its end.
async fn deliver(stream: &mut TcpStream, ask: &Ask, answer: &Answer, outbox: &mut Vec<u8>) -> io::Result<bool> {
    let body_at = answer.write(ask.method == "HEAD", outbox);
    match answer.manner {
        Manner::Plain => stream.write_all(outbox).await?,
        Manner::Delay(wait) => {
            tokio::time::sleep(wait).await;
            stream.write_all(outbox).await?;
        }
        Manner::DripEach(pause) => {
            stream.write_all(&outbox[..body_at]).await?;
            for byte in &outbox[body_at..] {
                tokio::time::sleep(pause).await;
                stream.write_all(&[*byte]).await?;
            }
        }
        Manner::ResetBeforeHeader => return reset(stream),
        Manner::ResetMidBody => {
            let half = body_at + (outbox.len() - body_at) / 2;
            stream.write_all(&outbox[..half]).await?;
            tokio::time::sleep(BEFORE_RESET).await;
            return reset(stream);
        }
        Manner::StallForever => {
            let mut ignored = [0; 1024];
            while stream.read(&mut ignored).await? > 0 {}
            return Ok(false);
        }
    }
    Ok(true)
}

/// Arranges that dropping the stream sends an RST instead of a FIN; the error keeps anybody from using it again.
fn reset(stream: &TcpStream) -> io::Result<bool> {
    stream.set_zero_linger()?;
    Err(io::ErrorKind::ConnectionReset.into())
}

async fn refuse(stream: &mut TcpStream, status: u16) -> io::Result<()> {
    let mut outbox = Vec::new();
    Answer::status(status).with_header("Connection", "close").write(false, &mut outbox);
    stream.write_all(&outbox).await?;
    stream.shutdown().await
}

/// The body of a request; what comes behind it stays for the next.
async fn body(stream: &mut TcpStream, inbox: &mut Vec<u8>, length: usize) -> io::Result<Vec<u8>> {
    while inbox.len() < length {
        if stream.read_buf(inbox).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(inbox.drain(..length).collect())
}
