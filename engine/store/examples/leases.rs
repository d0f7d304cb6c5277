//! How many URLs do leases hand out, and what if there are a hundred workers and a million hosts?
//!
//! ```text
//! GROMA_POSTGRES_CONNECTIONS=250 yard/services/postgres start DIR        prints the address
//! cargo run --release -p groma-store --example leases -- ADDRESS rate [WORKERS] [ADDRESSES]
//! cargo run --release -p groma-store --example leases -- ADDRESS simulate [WORKERS] [HOSTS] [SECONDS]
//! ```
//!
//! `rate`: every host has 128 URLs; workers lease hosts, 16 at a time, and load their URLs, as a crawl does, until there are none
//! left. Answer: every URL once. Figure: URLs a second.
//!
//! `simulate`: every host has one URL, fifty hosts share a server. Each worker leases 16 hosts, asks for their servers, settles what it
//! has (one batch), and gives everything back; every second one of the workers is taken for dead and begins anew. Answer: no host is
//! settled twice, no server has two owners (a table in memory is asked at every step). Figure: leases a second, time of a lease.

#![allow(clippy::unwrap_used, reason = "an example ends where it cannot go on")]

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use groma_model::{HostId, PageId, Reason};
use groma_store::batch::Content;
use groma_store::workers::{Handed, Sign, Workers};
use groma_store::{FetchFacts, PgStore, Server, Settled, Store, StoreError, SurveyName, WriteBatch, drop_survey};

/// URLs of a host, and hosts at once, as in a crawl.
const LOADED: u32 = 128;
const AT_ONCE: usize = 16;
/// Hosts behind one server.
const SHARED: u32 = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [address, what, ..] = &args[..] else { panic!("ADDRESS rate|simulate (see the head of this file)") };
    let number = |at: usize, usual: u32| args.get(at).map_or(usual, |text| text.parse().unwrap());
    let survey = SurveyName::new(&format!("leases-{}", std::process::id())).unwrap();
    let server = Server::parse(address).unwrap();
    let place = Place { address: address.clone(), server, survey };
    match what.as_str() {
        "rate" => rate(&place, number(2, 32), number(3, 400_000)),
        "simulate" => simulate(&place, number(2, 100), number(3, 1_000_000), number(4, 60)),
        other => panic!("{other}: rate or simulate"),
    }
    drop_survey(&place.server, &place.survey).unwrap();
}

struct Place {
    address: String,
    server: Server,
    survey: SurveyName,
}

impl Place {
    fn sql(&self, text: &str) {
        let text = format!("SET search_path = \"{}\"; {text}", self.survey);
        let done = Command::new("psql").arg(&self.address).args(["-qc", &text]).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    /// A survey with so many hosts of so many queued URLs, and whoever leads it. All hosts are free.
    fn fill(&self, hosts: u32, each: u32) -> PgStore {
        let mut lead = PgStore::open_leading(&self.server, &self.survey).unwrap();
        seat(&mut lead).announce("crawl").unwrap();
        self.sql(&format!(
            "INSERT INTO host (id, origin) SELECT h, 'http://h' || h FROM generate_series(1, {hosts}) h;
             INSERT INTO address (id, host, depth, fp, run, reason, via_kind, url, since)
                 SELECT (h - 1) * {each} + p, h, 0, gen_random_uuid(), 0, {waiting}, 0, 'http://h' || h || '/' || p, 0
                 FROM generate_series(1, {hosts}) h, generate_series(1, {each}) p;
             INSERT INTO queue (id, host, round, rank) SELECT id, host, 0, 0 FROM address;
             INSERT INTO lease (host, place, token) SELECT id, 0, '00000000-0000-0000-0000-000000000000' FROM host;
             UPDATE crew SET open = true; ANALYZE",
            waiting = Reason::Waiting.code()
        ));
        lead
    }

    fn hand(&self) -> PgStore {
        PgStore::open_helping(&self.server, &self.survey).unwrap().expect("a hand is wanted")
    }
}

fn seat(store: &mut PgStore) -> &mut dyn Workers {
    store.workers().expect("a member")
}

fn rate(place: &Place, workers: u32, addresses: u32) {
    let hosts = addresses / LOADED;
    let _lead = place.fill(hosts, LOADED);
    let members: Vec<PgStore> = (0..workers).map(|_| place.hand()).collect();
    let began = Instant::now();
    let work = |mut member: PgStore| {
        let mut mine = Vec::new();
        let mut idle = 0;
        while idle < 3 {
            let leased = seat(&mut member).lease(0, AT_ONCE).unwrap();
            idle = if leased.is_empty() { idle + 1 } else { 0 };
            for host in leased {
                mine.extend(member.queued(0, host.id, LOADED as usize).unwrap().iter().map(|row| row.id.0));
            }
        }
        // It stays: what it has would be free again.
        (mine, Instant::now(), member)
    };
    let threads: Vec<_> = members.into_iter().map(|member| std::thread::spawn(move || work(member))).collect();
    let done: Vec<(Vec<u32>, Instant, PgStore)> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let seconds = (done.iter().map(|(_, at, _)| *at).max().unwrap() - began).as_secs_f64();
    let mut all: Vec<u32> = done.iter().flat_map(|(mine, ..)| mine).copied().collect();
    let handed = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!((handed, all.len()), (all.len(), (hosts * LOADED) as usize), "every URL once");
    println!(
        "{workers} workers, {handed} URLs of {hosts} hosts, each once, in {seconds:.2} s: {:.0}/s",
        handed as f64 / seconds
    );
}

/// What happened to whom, as the simulation sees it.
struct Owners {
    /// How often each host was settled.
    hosts: Vec<AtomicU32>,
    /// Who has each server; 0: nobody.
    servers: Vec<AtomicU32>,
    violations: AtomicU64,
}

impl Owners {
    fn take(&self, of: &AtomicU32, who: u32) {
        let before = of.swap(who, Ordering::SeqCst);
        if before != 0 && before != who {
            self.violations.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Its only URL is settled once.
    fn settle(&self, host: HostId) {
        if self.hosts[host.0 as usize].fetch_add(1, Ordering::SeqCst) > 0 {
            self.violations.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Whoever is taken for dead has nothing any more.
    fn forget(&self, who: u32) {
        for one in &self.servers {
            let _ = one.compare_exchange(who, 0, Ordering::SeqCst, Ordering::SeqCst);
        }
    }
}

fn simulate(place: &Place, workers: u32, hosts: u32, seconds: u32) {
    let began = Instant::now();
    let mut lead = place.fill(hosts, 1);
    println!("{hosts} hosts made in {:.0} s", began.elapsed().as_secs_f64());
    let table = |count: u32| (0..=count).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
    let owners =
        Arc::new(Owners { hosts: table(hosts), servers: table(hosts / SHARED + 1), violations: AtomicU64::new(0) });
    let (stop, leased, deaths) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (times, taken) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU64::new(0)));
    let threads: Vec<_> = (1..=workers)
        .map(|number| {
            let member = place.hand();
            let sim = Sim {
                owners: Arc::clone(&owners),
                leased: Arc::clone(&leased),
                taken: Arc::clone(&taken),
                times: Arc::clone(&times),
                number,
                lives: workers,
            };
            let (stop, deaths) = (Arc::clone(&stop), Arc::clone(&deaths));
            let (server, survey) = (place.server.clone(), place.survey.clone());
            std::thread::spawn(move || {
                let (mut member, mut sim) = (member, sim);
                while !stop.load(Ordering::Relaxed) {
                    match sim.step(&mut member) {
                        Ok(()) => {}
                        Err(StoreError::TakenOver(_)) => {
                            deaths.fetch_add(1, Ordering::Relaxed);
                            sim.owners.forget(sim.number);
                            sim.number += sim.lives;
                            member = PgStore::open_helping(&server, &survey).unwrap().expect("a hand is wanted");
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    let began = Instant::now();
    let mut next = 0;
    while began.elapsed() < Duration::from_secs(u64::from(seconds)) {
        std::thread::sleep(Duration::from_secs(1));
        // One of them has not been heard of.
        next = next % workers + 1;
        place.sql(&format!("UPDATE writer SET expires = clock_timestamp() - interval '1 second' WHERE place = {next}"));
        seat(&mut lead).look(Sign::default()).unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let took = began.elapsed().as_secs_f64();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let mut times = times.lock().unwrap();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0) * 1000.0;
    let (leased, refused) = (leased.load(Ordering::Relaxed), taken.load(Ordering::Relaxed));
    println!(
        "{workers} workers, {hosts} hosts, {took:.0} s: {leased} hosts leased, settled and given back, {:.0}/s; {refused} went back because \
         their server was taken; a lease of {AT_ONCE} takes {:.1} ms in the middle, {:.1} ms at most for 99 of 100; {} taken for dead; \
         {} hosts settled twice or servers with two owners",
        leased as f64 / took,
        at(0.5),
        at(0.99),
        deaths.load(Ordering::Relaxed),
        owners.violations.load(Ordering::Relaxed)
    );
    assert_eq!(owners.violations.load(Ordering::Relaxed), 0);
}

/// One worker of the simulation.
struct Sim {
    owners: Arc<Owners>,
    leased: Arc<AtomicU64>,
    taken: Arc<AtomicU64>,
    times: Arc<Mutex<Vec<f64>>>,
    number: u32,
    lives: u32,
}

impl Sim {
    fn step(&mut self, member: &mut PgStore) -> Result<(), StoreError> {
        let began = Instant::now();
        let hosts = seat(member).lease(0, AT_ONCE)?;
        self.times.lock().unwrap().push(began.elapsed().as_secs_f64());
        let (mut mine, mut servers) = (Vec::new(), Vec::new());
        for host in &hosts {
            let server = host.id.0 / SHARED;
            match seat(member).take_server(host.id, &format!("server {server}"))? {
                Handed::Taken => {
                    self.taken.fetch_add(1, Ordering::Relaxed);
                }
                _ => {
                    mine.push(host.id);
                    servers.push(server);
                }
            }
        }
        // Somebody else may have settled it between our look at the queue and our lease.
        let mut queued: Vec<PageId> = Vec::new();
        for host in &mine {
            queued.extend(member.queued(0, *host, 1)?.iter().map(|row| row.id));
        }
        let settled = queued.iter().map(|page| Settled {
            id: *page,
            reason: Reason::Fetched,
            alias_of: None,
            facts: FetchFacts { status: 200, ..FetchFacts::default() },
            content: Content::Remove,
            changed: false,
        });
        seat(member).write(&WriteBatch { settled: settled.collect(), ..WriteBatch::default() })?;
        // The fence has let us pass: nobody had taken us for dead by then.
        servers.sort_unstable();
        servers.dedup();
        // With one URL each, hosts and URLs have the same numbers.
        queued.iter().for_each(|page| self.owners.settle(HostId(page.0)));
        servers.iter().for_each(|server| self.owners.take(&self.owners.servers[*server as usize], self.number));
        // First in the table here: from the moment it is given back, somebody else may have it.
        let free = |one: &AtomicU32| one.compare_exchange(self.number, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        for server in &servers {
            free(&self.owners.servers[*server as usize]);
        }
        let back: Vec<(String, Duration)> =
            servers.iter().map(|server| (format!("server {server}"), Duration::ZERO)).collect();
        seat(member).give_back(&mine, &back)?;
        self.leased.fetch_add(queued.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}
