//! A connection that comes back, and transactions that are applied once.
//!
//! `write` sends BEGIN, what is to be done, COMMIT. If the connection is lost before COMMIT was sent, the server has undone everything
//! and it is done again. If it is lost after that, nobody here knows. For [`Repeat::Once`] every attempt therefore begins by entering
//! the same random number into the table `commits`, whose key it is: if it is there, an earlier attempt was applied, and its result
//! is given back; if an earlier attempt is still under way on the server, the entry waits for its end. Cost: one row a write, in the
//! same round trip as BEGIN; rows go after a day, which is longer than anybody's patience.

use std::time::{Duration, Instant};

use super::live::Live;
use super::{Fault, Server};
use crate::StoreError;

/// The first pause before another attempt to connect; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause between attempts: the server is found again soon after its return.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Who opens a connection for the first time waits no longer than this: the address may be wrong.
const OPENING: Duration = Duration::from_secs(5);
/// Attempts when other transactions are in the way.
const CONFLICTS: u32 = 100;
/// After so many writes old numbers are removed.
const SWEEP: u32 = 512;

/// What a write may do when nobody knows whether it was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Doing it twice comes to the same as doing it once.
    Harmless,
    /// It must be applied once. Needs the table `commits` in the schema.
    Once,
}

/// How a transaction begins.
pub(crate) struct Begin<'a> {
    /// `BEGIN` with the isolation that is wanted.
    pub(crate) begin: &'a str,
    /// Statements that go with it in the same round trip (locks), or nothing.
    pub(crate) first: &'a str,
    /// What if its answer is lost?
    pub(crate) repeat: Repeat,
}

/// A connection that comes back.
pub(crate) struct Link {
    server: Server,
    schema: String,
    live: Option<Live>,
    writes: u32,
    /// Settings of every connection.
    session: &'static str,
}

impl Link {
    /// Connects. Names without a schema are looked for in this one.
    pub(crate) fn open(server: &Server, schema: &str) -> Result<Link, StoreError> {
        let mut link = Link { server: server.clone(), schema: schema.to_owned(), live: None, writes: 0, session: "" };
        let until = Instant::now() + OPENING.min(server.patience);
        link.live_until(until).map(|_| ()).map_err(|fault| fault.into_store(server))?;
        Ok(link)
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    /// The connection as it stands, if it does: no other takes its place.
    pub(crate) fn standing(&mut self) -> Option<&mut Live> {
        self.live.as_mut().filter(|live| !live.inside && !live.client().is_closed())
    }

    /// Settings (`SET ...`) for this connection and for every one that takes its place.
    pub(crate) fn with_session(mut self, session: &'static str) -> Result<Link, StoreError> {
        self.session = session;
        self.let_go();
        self.read(|_| Ok(()))?;
        Ok(self)
    }

    /// Lets go of a connection that is lost or in an unknown state.
    pub(crate) fn let_go(&mut self) {
        self.live = None;
    }

    /// Looks; looks again if the connection is lost meanwhile.
    pub(crate) fn read<T>(&mut self, mut act: impl FnMut(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        let mut found = None;
        self.look(&mut |live| {
            found = Some(act(live)?);
            Ok(())
        })?;
        found.ok_or_else(|| StoreError::Damaged("nothing was read".into()))
    }

    /// [`Link::read`] for every type of answer: compiled once.
    pub(crate) fn look(&mut self, act: &mut dyn FnMut(&mut Live) -> Result<(), Fault>) -> Result<(), StoreError> {
        let until = Instant::now() + self.server.patience;
        let mut pause = FIRST_PAUSE;
        loop {
            let done = self.live_until(until).and_then(&mut *act);
            match done {
                Ok(()) => return Ok(()),
                Err(Fault::Lost(_)) if Instant::now() < until => self.let_go(),
                Err(Fault::Conflict(_)) if Instant::now() < until => {}
                Err(fault) => return Err(fault.into_store(&self.server)),
            }
            wait_a_little(&mut pause);
        }
    }

    /// One transaction, all or nothing, and nothing if nothing comes of it. `act` may be called several times; it must give back
    /// every fault it meets.
    pub(crate) fn write<T>(
        &mut self,
        begin: &Begin<'_>,
        mut act: impl FnMut(&mut Live) -> Result<Option<T>, Fault>,
    ) -> Result<Option<T>, StoreError> {
        let mut done = None;
        let holds = self.transact(begin, &mut |live| {
            done = act(live)?;
            Ok(done.is_some())
        })?;
        Ok(done.filter(|_| holds))
    }

    /// [`Link::write`] for every type of result: compiled once. Whether anything came of it; if so, what `act` did when it was called
    /// last is what holds.
    pub(crate) fn transact(
        &mut self,
        begin: &Begin<'_>,
        act: &mut dyn FnMut(&mut Live) -> Result<bool, Fault>,
    ) -> Result<bool, StoreError> {
        let until = Instant::now() + self.server.patience;
        let opening = self.opening(begin)?;
        let (mut pause, mut conflicts) = (FIRST_PAUSE, 0);
        let mut unanswered = false;
        loop {
            let fault = match self.attempt(begin, &opening, until, &mut unanswered, act) {
                Ok(done) => return Ok(done),
                Err(fault) => fault,
            };
            match fault {
                Fault::Lost(_) if Instant::now() < until => self.let_go(),
                Fault::Conflict(_) if Instant::now() < until && conflicts < CONFLICTS => {
                    conflicts += 1;
                    self.roll_back();
                }
                fault => {
                    self.roll_back();
                    return Err(fault.into_store(&self.server));
                }
            }
            wait_a_little(&mut pause);
        }
    }

    /// One attempt. `unanswered`: the COMMIT of one before was sent, and nobody knows what became of it.
    fn attempt(
        &mut self,
        begin: &Begin<'_>,
        opening: &str,
        until: Instant,
        unanswered: &mut bool,
        act: &mut dyn FnMut(&mut Live) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let live = self.live_until(until)?;
        live.inside = true;
        let entered = live.batch_count(opening)?;
        if begin.repeat == Repeat::Once && entered == 0 {
            self.roll_back();
            let lost = || Fault::Store(StoreError::Damaged("a number of `commits` was there before".into()));
            return unanswered.then_some(true).ok_or_else(lost);
        }
        // It is not there: what was sent before was not applied.
        *unanswered = false;
        if !act(live)? {
            self.roll_back();
            return Ok(false);
        }
        *unanswered = true;
        live.batch("COMMIT")?;
        live.inside = false;
        Ok(true)
    }

    /// What is sent first, the same for every attempt.
    fn opening(&mut self, begin: &Begin<'_>) -> Result<String, StoreError> {
        let mut opening = format!("{}; {}", begin.begin, begin.first);
        if begin.repeat == Repeat::Harmless {
            return Ok(opening);
        }
        let mut number = [0u8; 16];
        getrandom::fill(&mut number).map_err(|error| StoreError::Server(format!("no random numbers: {error}")))?;
        self.writes = self.writes.wrapping_add(1);
        if !begin.first.is_empty() {
            opening.push_str("; ");
        }
        if self.writes % SWEEP == 1 {
            opening.push_str("DELETE FROM commits WHERE at < now() - interval '1 day'; ");
        }
        let token = u128::from_be_bytes(number);
        opening.push_str(&format!("INSERT INTO commits (token) VALUES ('\\x{token:032x}') ON CONFLICT DO NOTHING"));
        Ok(opening)
    }

    fn roll_back(&mut self) {
        let Some(live) = &mut self.live else { return };
        if live.inside {
            match live.batch("ROLLBACK") {
                Ok(()) => live.inside = false,
                Err(_) => self.live = None,
            }
        }
    }

    fn live_until(&mut self, until: Instant) -> Result<&mut Live, Fault> {
        // Somebody broke off in the middle: what the connection is in, nobody knows.
        if self.live.as_ref().is_some_and(|live| live.inside || live.client().is_closed()) {
            self.live = None;
        }
        let mut pause = FIRST_PAUSE;
        while self.live.is_none() {
            match Live::connect(&self.server, &self.schema) {
                Ok(live) => {
                    if !self.session.is_empty() {
                        live.batch(self.session)?;
                    }
                    self.live = Some(live);
                }
                Err(refusal) if refusal.transient && Instant::now() < until => wait_a_little(&mut pause),
                Err(refusal) if refusal.transient => return Err(Fault::Lost(refusal.why)),
                Err(refusal) => {
                    let server = self.server.shown().to_owned();
                    return Err(Fault::Store(StoreError::Denied { server, why: refusal.why }));
                }
            }
        }
        self.live.as_mut().ok_or_else(|| Fault::Lost("there is no connection".into()))
    }
}

/// Somewhat less than the pause, by chance, so that many who lost the same server do not come back at the same moment.
fn wait_a_little(pause: &mut Duration) {
    let mut chance = [0u8; 1];
    let _ = getrandom::fill(&mut chance);
    std::thread::sleep(pause.mul_f64(0.5 + f64::from(chance[0]) / 512.0));
    *pause = (*pause * 2).min(LONGEST_PAUSE);
}
