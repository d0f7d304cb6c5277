//! One page in one tab: shown, supplied, waited for, read.
//!
//! ```text
//! done = loaded, nothing under way and nothing asked for during `js_quiet_ms`, then idle;  at the latest when it has had `js_ms`
//! ```
//!
//! The clock of `js_ms` stands still while something the page asked for is under way: a polite pause at a server is not the page's
//! fault. A page that asks for more than `js_requests` things gets no more, so it cannot stretch its time for ever.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use groma_model::Limits;
use groma_url::Url;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::Blind;
use crate::capture::BEFORE;
use crate::door::{POINT, Sort, SubresourceRequest, Supplied, Supply, Verdict, judge, told};
use crate::news::{Event, News, Paused};
use crate::pipe::Wire;

/// Making a tab takes no longer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a tab is attended to while it is asked something.
const ATTENTION: Duration = Duration::from_millis(20);
/// News that wait for a tab; a page that makes more is given up.
const NEWS_AT_MOST: usize = 20_000;
/// URLs noted of one page beyond those that were supplied.
const NOTED_AT_MOST: usize = 2_000;

/// A page to be shown: as it was fetched.
#[derive(Clone, Debug)]
pub struct Shown {
    /// URL it was fetched from.
    pub url: Url,
    /// The status it came with.
    pub status: u16,
    /// The header fields it came with.
    pub headers: Vec<(String, String)>,
    /// Decompressed.
    pub body: Vec<u8>,
}

/// Something a page asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub url: Url,
    pub sort: Sort,
}

/// A page as the browser rendered it.
#[derive(Clone, Debug)]
pub struct View {
    /// The page as markup, when it had come to rest.
    pub html: String,
    /// The URL it went by then.
    pub url: Url,
    /// What it asked for, each once, in order.
    pub asked: Vec<Asked>,
    /// Limits it met, by key.
    pub cuts: Vec<&'static str>,
    /// A picture, if one was wanted.
    pub picture: Option<Vec<u8>>,
}

/// One tab, for one page.
pub(crate) struct Tab {
    wire: Arc<Wire>,
    context: String,
    session: String,
    pub(crate) frame: String,
    heard: mpsc::Receiver<News>,
    teller: mpsc::Sender<News>,
    sessions: Vec<String>,
    fetches: JoinSet<()>,
    /// News that came while something else was waited for.
    later: VecDeque<News>,
    /// Requests the page is not done with, by the number the browser gives them.
    open: HashSet<String>,
    under_way: u64,
    requests: u64,
    pub(crate) asked: Vec<Asked>,
    cuts: Vec<&'static str>,
    load: Load,
}

/// How far a page has come.
#[derive(Default)]
struct Load {
    shown: bool,
    /// The page has taken the place of the empty one: its clock runs.
    begun: bool,
    loaded: bool,
}

impl Tab {
    /// A tab with a profile of its own.
    pub(crate) async fn open(wire: &Arc<Wire>) -> Result<Tab, Blind> {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let context =
            wire.ask(None, "Target.createBrowserContext", json!({ "disposeOnDetach": true }), PATIENCE).await?;
        let context = text(&context, "browserContextId");
        let (teller, heard) = mpsc::channel(NEWS_AT_MOST);
        let mut tab = Tab {
            wire: Arc::clone(wire),
            context,
            session: String::new(),
            frame: String::new(),
            heard,
            teller,
            sessions: Vec::new(),
            fetches: JoinSet::new(),
            later: VecDeque::new(),
            open: HashSet::new(),
            under_way: 0,
            requests: 0,
            asked: Vec::new(),
            cuts: Vec::new(),
            load: Load::default(),
        };
        let deny = json!({ "behavior": "deny", "browserContextId": tab.context });
        wire.ask(None, "Browser.setDownloadBehavior", deny, PATIENCE).await?;
        let blank = json!({ "url": "about:blank", "browserContextId": tab.context, "width": 1280, "height": 1024 });
        let target = wire.ask(None, "Target.createTarget", blank, PATIENCE).await?;
        // The number of a page's first frame is that of its target.
        tab.frame = text(&target, "targetId");
        let attach = json!({ "targetId": tab.frame, "flatten": true });
        tab.session = text(&wire.ask(None, "Target.attachToTarget", attach, PATIENCE).await?, "sessionId");
        let session = tab.session.clone();
        tab.attend(&session);
        for (method, params) in [
            ("Inspector.enable", json!({})),
            ("Page.enable", json!({})),
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Network.enable", json!({})),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            ("Target.setAutoAttach", attach_all()),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": BEFORE })),
        ] {
            tab.ask(method, params, PATIENCE).await?;
        }
        Ok(tab)
    }

    /// Shows a page and waits until it has come to rest.
    pub(crate) async fn see<S: Supply>(
        &mut self,
        page: &Shown,
        supply: &Arc<S>,
        limits: &Limits,
        picture: bool,
    ) -> Result<View, Blind> {
        let go = json!({ "url": page.url.as_str() });
        self.wire.tell(Some(&self.session), "Page.navigate", go);
        let late = !self.rest(page, supply, limits, picture).await?;
        if !self.load.begun {
            // That is not the page's fault.
            return Err(Blind::Crashed);
        }
        if late {
            self.cut("js_ms");
            self.stop().await?;
        }
        let captured = self.capture(limits.page_bytes).await?;
        if captured.cut {
            self.cut("page_bytes");
        }
        // A script may have put something else in the place of the page (about:blank, a blob).
        let Some(url) = Url::parse(&captured.url).ok().filter(|url| url.origin() == page.url.origin()) else {
            return Err(Blind::Refused("the page gave way to another".into()));
        };
        let picture = if picture { self.picture(limits.picture_px).await.ok() } else { None };
        Ok(View {
            html: captured.html,
            url,
            asked: std::mem::take(&mut self.asked),
            cuts: std::mem::take(&mut self.cuts),
            picture,
        })
    }

    /// Attends to the page until it has come to rest; says whether it has.
    pub(crate) async fn rest<S: Supply>(
        &mut self,
        page: &Shown,
        supply: &Arc<S>,
        limits: &Limits,
        picture: bool,
    ) -> Result<bool, Blind> {
        let quiet = Duration::from_millis(limits.js_quiet_ms);
        let mut left = Duration::from_millis(limits.js_ms);
        while !left.is_zero() || self.under_way > 0 {
            let begun = Instant::now();
            let waits = if self.under_way > 0 || !self.load.begun {
                // Whoever supplies keeps time; this is for suppliers that do not.
                Duration::from_millis(limits.total_ms.saturating_mul(2)).min(Duration::from_secs(3600))
            } else if self.load.loaded && self.open.is_empty() {
                quiet.min(left)
            } else {
                left
            };
            // Nor does it run before there is a page: on a busy machine that may take a while.
            let stands_still = self.under_way > 0 || !self.load.begun;
            let news = match self.later.pop_front() {
                Some(news) => Ok(Some(news)),
                None => timeout(waits, self.heard.recv()).await,
            };
            let mut at_rest = false;
            match news {
                Ok(Some(News::Event(event))) => self.event(event, page, supply, limits, picture)?,
                Ok(Some(News::Supplied(paused, answer))) => self.deliver(&paused, answer),
                Ok(None) => return Err(self.end()),
                Err(_) if stands_still => return Ok(false),
                Err(_) => {
                    // Quiet, or out of time. A quiet page may only be slow on a busy machine.
                    let left = left.saturating_sub(begun.elapsed());
                    at_rest = match self.idle(left.max(Duration::from_millis(100))).await {
                        Ok(()) => self.load.loaded && self.open.is_empty() && !self.is_astir()?,
                        Err(Blind::Stuck | Blind::Refused(_)) => false,
                        Err(blind) => return Err(blind),
                    };
                }
            }
            if at_rest {
                return Ok(true);
            }
            if !stands_still {
                left = left.saturating_sub(begun.elapsed());
            }
        }
        Ok(false)
    }

    /// Do news wait that mean that the page is at work?
    fn is_astir(&mut self) -> Result<bool, Blind> {
        self.listen()?;
        Ok(self.later.iter().any(|news| matches!(news, News::Event(event) if is_work(event))))
    }

    /// Takes in what is there to be heard, for later.
    fn listen(&mut self) -> Result<(), Blind> {
        while let Ok(news) = self.heard.try_recv() {
            self.hear_aside(news)?;
        }
        Ok(())
    }

    /// Asks something of the page; dialogs, which would keep it from answering, are dismissed meanwhile, other news kept for later.
    pub(crate) async fn converse(&mut self, method: &str, params: Value, patience: Duration) -> Result<Value, Blind> {
        let (wire, session) = (Arc::clone(&self.wire), self.session.clone());
        let mut answer = Box::pin(wire.ask(Some(&session), method, params, patience));
        loop {
            if let Ok(answer) = timeout(ATTENTION, &mut answer).await {
                return answer;
            }
            self.listen()?;
        }
    }

    fn hear_aside(&mut self, news: News) -> Result<(), Blind> {
        if self.later.len() >= NEWS_AT_MOST {
            return Err(Blind::Stuck);
        }
        match news {
            News::Event(event) if event.method == "Page.javascriptDialogOpening" => self.dismiss(&event.session),
            News::Event(event) if self.is_gone(&event) => return Err(self.end()),
            // A page that is about to be another one answers nothing.
            News::Event(event) if self.goes_elsewhere(&event) => self.stays(&event.session, &event.params),
            news => self.later.push_back(news),
        }
        Ok(())
    }

    fn goes_elsewhere(&self, event: &Event) -> bool {
        event.method == "Fetch.requestPaused" && self.load.shown && self.is_of_main_frame(&event.params)
    }

    fn is_of_main_frame(&self, params: &Value) -> bool {
        params["resourceType"] == "Document" && params["frameId"] == self.frame.as_str()
    }

    /// The page wants to be another one. That is a link; this page stays what it is.
    fn stays(&mut self, session: &str, params: &Value) {
        let onward = params["request"]["url"].as_str().and_then(|url| Url::parse(url).ok());
        if let Some(url) = onward.filter(|url| matches!(url.scheme(), "http" | "https")) {
            self.note(Sort::Onward, url);
        }
        self.refuse(session, params["requestId"].as_str().unwrap_or_default(), "Aborted");
    }

    fn is_gone(&self, event: &Event) -> bool {
        let ends = matches!(event.method.as_str(), "Inspector.targetCrashed" | "Inspector.detached");
        ends && event.session == self.session
    }

    fn dismiss(&self, session: &str) {
        self.wire.tell(Some(session), "Page.handleJavaScriptDialog", json!({ "accept": false }));
    }

    pub(crate) async fn ask(&self, method: &str, params: Value, patience: Duration) -> Result<Value, Blind> {
        self.wire.ask(Some(&self.session), method, params, patience).await
    }

    fn event<S: Supply>(
        &mut self,
        event: Event,
        page: &Shown,
        supply: &Arc<S>,
        limits: &Limits,
        picture: bool,
    ) -> Result<(), Blind> {
        let Event { session, method, params } = event;
        match method.as_str() {
            "Fetch.requestPaused" => self.paused(&session, &params, page, supply, limits, picture),
            "Page.frameNavigated" => self.load.begun |= self.load.shown && params["frame"]["id"] == self.frame.as_str(),
            "Page.loadEventFired" => self.load.loaded |= self.load.begun,
            "Network.loadingFinished" | "Network.loadingFailed" => {
                self.open.remove(params["requestId"].as_str().unwrap_or_default());
            }
            "Page.javascriptDialogOpening" => self.dismiss(&session),
            "Target.attachedToTarget" => self.attached(&params),
            "Inspector.targetCrashed" | "Inspector.detached" if session == self.session => return Err(self.end()),
            _ => {}
        }
        Ok(())
    }

    /// A worker, or a frame that is a process of its own: the same door for it. It stands still until that is there.
    fn attached(&mut self, params: &Value) {
        let Some(session) = params["sessionId"].as_str() else { return };
        if params["targetInfo"]["type"] == "page" {
            // A window that got past the script that forbids them.
            let target = json!({ "targetId": params["targetInfo"]["targetId"] });
            return self.wire.tell(None, "Target.closeTarget", target);
        }
        self.attend(session);
        for (method, about) in [
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Target.setAutoAttach", attach_all()),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ] {
            self.wire.tell(Some(session), method, about);
        }
    }

    fn paused<S: Supply>(
        &mut self,
        session: &str,
        params: &Value,
        page: &Shown,
        supply: &Arc<S>,
        limits: &Limits,
        picture: bool,
    ) {
        let id = params["requestId"].as_str().unwrap_or_default().to_owned();
        let of_main_frame = self.is_of_main_frame(params);
        if of_main_frame && !self.load.shown {
            self.load.shown = true;
            let answer = Supplied { status: page.status, headers: page.headers.clone(), body: page.body.clone() };
            return self.fulfil(session, &id, &answer, false);
        }
        if of_main_frame {
            return self.stays(session, params);
        }
        match judge(params, &page.url, picture) {
            Verdict::Local => {
                self.wire.tell(Some(session), "Fetch.continueRequest", json!({ "requestId": id }));
            }
            Verdict::Refuse => {
                let request = &params["request"];
                let posted = request["url"].as_str().filter(|_| request["method"] == "POST");
                if let Some(url) = posted.and_then(|url| Url::parse(url).ok()) {
                    self.note(Sort::Posted, url);
                }
                self.refuse(session, &id, "BlockedByClient");
            }
            Verdict::Note(sort, url) => {
                self.note(sort, url);
                self.refuse(session, &id, "BlockedByClient");
            }
            Verdict::Spare(sort, url) => {
                self.note(sort, url);
                let kind = vec![("content-type".to_owned(), "image/gif".to_owned())];
                self.fulfil(session, &id, &Supplied { status: 200, headers: kind, body: POINT.to_vec() }, false);
            }
            Verdict::Supply(_) if self.requests >= limits.js_requests => {
                self.cut("js_requests");
                self.refuse(session, &id, "BlockedByClient");
            }
            Verdict::Supply(wanted) => {
                self.requests += 1;
                // Of workers the browser does not tell when they are done with something.
                if let Some(number) = params["networkId"].as_str().filter(|_| session == self.session) {
                    self.open.insert(number.to_owned());
                }
                self.note(wanted.sort, wanted.url.clone());
                self.send_for(Paused { session: session.to_owned(), id, wanted }, supply);
            }
        }
    }

    fn send_for<S: Supply>(&mut self, paused: Paused, supply: &Arc<S>) {
        self.under_way += 1;
        let (supply, teller) = (Arc::clone(supply), self.teller.clone());
        self.fetches.spawn(async move {
            let wanted: SubresourceRequest = paused.wanted.clone();
            // Also if whoever supplies breaks inside, the page is told.
            let answer = tokio::spawn(async move { supply.supply(wanted).await }).await;
            let _ = teller.send(News::Supplied(paused, answer.ok().flatten())).await;
        });
    }

    fn deliver(&mut self, paused: &Paused, answer: Option<Supplied>) {
        self.under_way = self.under_way.saturating_sub(1);
        while self.fetches.try_join_next().is_some() {}
        match answer {
            Some(answer) => self.fulfil(&paused.session, &paused.id, &answer, paused.wanted.bare),
            None => self.refuse(&paused.session, &paused.id, "BlockedByClient"),
        }
    }

    fn fulfil(&self, session: &str, id: &str, answer: &Supplied, bare: bool) {
        let body = if bare { String::new() } else { BASE64.encode(&answer.body) };
        let params = json!({
            "requestId": id,
            "responseCode": answer.status,
            "responseHeaders": told(&answer.headers),
            "body": body,
        });
        self.wire.tell(Some(session), "Fetch.fulfillRequest", params);
    }

    fn refuse(&self, session: &str, id: &str, why: &str) {
        self.wire.tell(Some(session), "Fetch.failRequest", json!({ "requestId": id, "errorReason": why }));
    }

    fn note(&mut self, sort: Sort, url: Url) {
        let asked = Asked { url, sort };
        if self.asked.len() < NOTED_AT_MOST && !self.asked.contains(&asked) {
            self.asked.push(asked);
        }
    }

    fn cut(&mut self, key: &'static str) {
        if !self.cuts.contains(&key) {
            self.cuts.push(key);
        }
    }

    fn attend(&mut self, session: &str) {
        self.wire.attend(session, &self.teller);
        self.sessions.push(session.to_owned());
    }

    /// Why there is no more news.
    fn end(&self) -> Blind {
        if self.wire.is_open() { Blind::Crashed } else { Blind::Died }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.sessions.iter().for_each(|session| self.wire.forget(session));
        self.wire.tell(None, "Target.disposeBrowserContext", json!({ "browserContextId": self.context }));
    }
}

/// Does this mean that a page is at work? What it asks for is told by the page itself before it can say that it is idle; on a busy
/// machine the request reaches the door long after that.
fn is_work(event: &Event) -> bool {
    match event.method.as_str() {
        "Fetch.requestPaused" | "Target.attachedToTarget" | "Page.javascriptDialogOpening" => true,
        "Network.requestWillBeSent" => {
            event.params["request"]["url"].as_str().is_some_and(|url| url.starts_with("http"))
        }
        _ => false,
    }
}

fn attach_all() -> Value {
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })
}
