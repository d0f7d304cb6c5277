//! How is a body read whose reader may take any time and memory?
//!
//! By another process: the program itself, started again with a hidden command, which answers one task after another on
//! its stdin. A few of them are kept and used again. One that does not answer in `document_ms`, that dies (at its memory
//! limit, for instance) or that answers nonsense is ended, and the next task starts another. A child ends by itself when
//! its stdin does, so nothing is left behind by a parent that was killed; it also keeps the time itself.
//!
//! The limit on memory is the system's own, set by the shell's `ulimit -d` before the program starts: an allocation beyond it
//! fails, and with it the child and nothing else. (To set it ourselves would need unsafe code or another crate, and would
//! come too late: the allocator takes a large piece of URLs as a program starts.)
//!
//! A task: length of its head and of the body (4 bytes each, the highest first), the head, the body. An answer: its length,
//! the page; length 0 if the reader broke.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use groma_model::{Limits, ParsedPage};
use groma_page::wire::{self, ReadTask};
use groma_page::{Filter, Input, filter_for};

/// Subcommand that only Groma itself calls; it is not in the help.
pub const COMMAND: &str = "read-apart";
/// Sets the limit on memory, in KB, then becomes the program.
const LIMITED: &str = "ulimit -c 0; ulimit -d \"$1\" && exec \"$0\" \"$2\"";

/// Children that wait for tasks at most, and tasks one of them does before it is replaced.
const IDLE: usize = 8;
const TASKS: u32 = 500;
/// A child has so much longer than it should before it is ended from outside.
const GRACE: Duration = Duration::from_secs(1);
/// A child that the system has no room for is tried so often, with this pause.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);
/// No answer is longer.
const ANSWER: u32 = 1 << 30;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
static WAITING: Mutex<Vec<Reader>> = Mutex::new(Vec::new());

/// Says which program to start for reading apart. Until somebody does, nothing is read apart.
pub fn read_apart_by(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no program to read it apart, or it cannot be started.
    NoReader,
    /// The system has no more processes, files or memory for a reader, and had none for a while.
    Scarce,
    /// It took longer than `document_ms`.
    TooLong,
    /// The reader broke, and said so.
    Broke,
    /// The reader died, most likely at its memory limit.
    Died,
}

impl Unread {
    /// The limit that was hit, if one was.
    pub fn limit(self) -> Option<&'static str> {
        match self {
            Unread::NoReader | Unread::Broke => None,
            Unread::Scarce => Some("open_files"),
            Unread::TooLong => Some("document_ms"),
            Unread::Died => Some("document_memory"),
        }
    }

    /// The reason as a message for people.
    pub fn says(self) -> &'static str {
        match self {
            Unread::NoReader => "not read: its reader could not be started",
            Unread::Scarce => {
                "not read: the system gives no more processes or files for its reader (ulimit -u, -n); the next update reads it"
            }
            Unread::TooLong => "not read: it took its reader too long",
            Unread::Broke => "not read: it broke its reader",
            Unread::Died => "not read: it took its reader too much memory",
        }
    }
}

/// Reads a body, apart if its reader asks for it.
pub fn read_body(filter: &dyn Filter, media_type: &str, input: &Input<'_>) -> Result<ParsedPage, Unread> {
    if !filter.apart() {
        return Ok(filter.read(input));
    }
    let program = PROGRAM.get().ok_or(Unread::NoReader)?;
    let memory = input.limits.document_memory;
    let task = ReadTask { media_type: media_type.to_owned(), url: input.url.clone(), limits: input.limits.clone() };
    let start = || start_patiently(program, memory);
    let kept = waiting().pop_if(|reader| reader.memory == memory);
    let is_kept = kept.is_some();
    let mut reader = kept.map_or_else(start, Ok)?;
    let mut answer = reader.ask(&task, input.bytes, input.limits);
    if is_kept && answer == Err(Unread::Died) {
        // It may have died of what it read before, or while it waited.
        reader = start()?;
        answer = reader.ask(&task, input.bytes, input.limits);
    }
    let page = wire::unpack(&answer?, input.parts).ok_or(Unread::Broke)?;
    let mut idle = waiting();
    if reader.tasks < TASKS && idle.len() < IDLE {
        idle.push(reader);
    }
    Ok(page)
}

/// Starts a child. Where the system has nothing to start it with, children that wait for tasks are ended and it is tried again:
/// that is no fault of the document.
fn start_patiently(program: &PathBuf, memory: u64) -> Result<Reader, Unread> {
    for _ in 0..TRIES {
        match Reader::start(program, memory) {
            Ok(reader) => return Ok(reader),
            Err(error) if is_scarce(&error) => {
                waiting().clear();
                thread::sleep(BETWEEN_TRIES);
            }
            Err(_) => return Err(Unread::NoReader),
        }
    }
    Err(Unread::Scarce)
}

/// Does the system lack what a process needs? EAGAIN, ENOMEM, ENFILE, EMFILE.
fn is_scarce(error: &io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(11 | 12 | 23 | 24 | 35))
}

fn waiting() -> MutexGuard<'static, Vec<Reader>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that reads.
struct Reader {
    child: Child,
    tasks_in: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    memory: u64,
    tasks: u32,
}

impl Reader {
    fn start(program: &PathBuf, memory: u64) -> io::Result<Reader> {
        let mut command = if cfg!(unix) { Command::new("/bin/sh") } else { Command::new(program) };
        if cfg!(unix) {
            command.args(["-c", LIMITED]).arg(program).arg((memory / 1024).to_string());
        }
        command.arg(COMMAND);
        // What is typed at the terminal to interrupt the crawl is not meant for it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let tasks_in = child.stdin.take();
        let mut output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (sender, answers) = bounded(1);
        let reader = Reader { child, tasks_in, answers, memory, tasks: 0 };
        // If there is no thread for it, the child is ended with what was made of it.
        thread::Builder::new().name("answers".into()).spawn(move || {
            while let Ok(answer) = frame(&mut output) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        })?;
        Ok(reader)
    }

    fn ask(&mut self, task: &ReadTask, body: &[u8], limits: &Limits) -> Result<Vec<u8>, Unread> {
        self.tasks += 1;
        let head = task.pack();
        let input = self.tasks_in.as_mut().ok_or(Unread::Died)?;
        send(input, &head, body).map_err(|_| Unread::Died)?;
        match self.answers.recv_timeout(Duration::from_millis(limits.document_ms).saturating_add(GRACE)) {
            Ok(answer) if answer.is_empty() => Err(Unread::Broke),
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => Err(Unread::TooLong),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }

    /// The child has ended by itself: why?
    fn end(&mut self) -> Unread {
        let status = self.child.wait().ok().and_then(|status| status.code());
        if status == Some(i32::from(LATE)) { Unread::TooLong } else { Unread::Died }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.tasks_in = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send(input: &mut impl Write, head: &[u8], body: &[u8]) -> io::Result<()> {
    for part in [head, body] {
        let length = u32::try_from(part.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        input.write_all(&length.to_be_bytes())?;
    }
    input.write_all(head)?;
    input.write_all(body)?;
    input.flush()
}

fn number(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_be_bytes(bytes))
}

fn exactly(input: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == u64::from(length) { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn frame(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = number(input)?;
    if length > ANSWER { Err(io::ErrorKind::InvalidData.into()) } else { exactly(input, length) }
}

/// How a child ends that was too slow.
pub const LATE: u8 = 75;

/// The other side: answers tasks until there are no more. `late` is called when one takes longer than it may.
pub fn serve_read_tasks(mut input: impl Read, mut output: impl Write, late: fn()) -> io::Result<()> {
    while let Ok(head) = number(&mut input) {
        let body = number(&mut input)?;
        let (head, body) = (exactly(&mut input, head)?, exactly(&mut input, body)?);
        let Some(task) = ReadTask::unpack(&head) else { return Err(io::ErrorKind::InvalidData.into()) };
        let (done, waits) = bounded::<()>(0);
        let time = Duration::from_millis(task.limits.document_ms);
        // Without a thread to watch the time, the parent does it.
        let watch = thread::Builder::new().spawn(move || {
            if waits.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                late();
            }
        });
        let answer = catch_unwind(AssertUnwindSafe(|| answer(&task, &body))).unwrap_or_default();
        drop(done);
        let _ = watch.map(|watch| watch.join());
        let length = u32::try_from(answer.len()).map_err(|_| io::ErrorKind::InvalidData)?;
        output.write_all(&length.to_be_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
    Ok(())
}

fn answer(task: &ReadTask, body: &[u8]) -> Vec<u8> {
    let Some(filter) = filter_for(&task.media_type) else { return Vec::new() };
    let input = Input { bytes: body, url: &task.url, charset: None, limits: &task.limits, parts: false };
    wire::pack(&filter.read(&input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_url::Url;

    #[test]
    fn tasks_are_answered_one_after_another() {
        let url = Url::parse("http://a.test/").unwrap();
        let task = ReadTask { media_type: "text/plain".into(), url, limits: Limits::default() };
        let mut input = Vec::new();
        for text in ["one", "two"] {
            send(&mut input, &task.pack(), text.as_bytes()).unwrap();
        }
        let mut output = Vec::new();
        serve_read_tasks(input.as_slice(), &mut output, || panic!("late")).unwrap();
        let mut output = output.as_slice();
        for text in ["one", "two"] {
            let page = wire::unpack(&frame(&mut output).unwrap(), false).unwrap();
            assert_eq!(page.blocks[0].text, text);
        }
        assert!(output.is_empty());
        assert!(serve_read_tasks(&b"\0\0\0\x02\0\0\0\0{}"[..], Vec::new(), || {}).is_err());
    }
}
