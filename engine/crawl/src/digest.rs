//! From an outcome to a harvest: decompress, read, canonize. The costly and pure part of a visit, done by a few threads at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use groma_url::Url;

use groma_fetch::retry_after;
use groma_model::outcome::Cut;
use groma_model::url::{Canonizer, malformed};
use groma_model::{Depth, Failure, Fp, Limits, LinkKind, Outcome, ParsedPage, Reason, Rendering, Response, Target};
use groma_page::charset;
use groma_page::inflate::{inflate, true_coding};
use groma_page::picture::measure;
use groma_page::script::Holds;
use groma_page::{
    Appeal, Filter, Html, Input, add_header_links, appeal, filter_for, filter_for_start, filter_to_show, is_senseless,
    no_text, sniff, true_type,
};
use groma_render::Shown;
use groma_store::{FetchFacts, codec};

use crate::apart::{Unread, read_body};
use crate::directives::{header_directives, meta_directives};
use crate::harvest::{Fetched, Got, Harvest, Order, Place, Reading};
use crate::kernel::Millis;
use crate::render::Studio;
use crate::settings::Keep;
use crate::slot::Slot;

/// What readers need to know of the survey.
pub(crate) struct Lens {
    pub(crate) canonizer: Canonizer,
    pub(crate) limits: Limits,
    pub(crate) keep: Keep,
    pub(crate) agent: String,
    /// Where pages that scripts build are built.
    pub(crate) studio: Option<Arc<Studio>>,
    /// Somebody looks at the page by itself.
    pub(crate) shows: bool,
    /// A start page was a sitemap: so may be what it names.
    pub(crate) lists: AtomicBool,
}

impl Lens {
    /// May this page be a list of URLs that the survey starts with?
    pub(crate) fn may_list(&self, slot: &Slot) -> bool {
        slot.depth == Depth(0) || self.lists.load(Ordering::Relaxed)
    }
}

/// A page that breaks a reader is a bad answer, not the end of the crawl.
pub(crate) fn digest_safely(fetched: Fetched, lens: &Lens) -> Harvest {
    let (slot, lane) = (fetched.slot.clone(), fetched.lane);
    let (asked, latency, at) = (fetched.asked, fetched.latency, fetched.at);
    catch_unwind(AssertUnwindSafe(|| digest(fetched, lens))).unwrap_or_else(|_| {
        let outcome = Outcome::Failed(Failure::BadAnswer("the page broke its reader".into()));
        digest(Fetched { slot, lane, outcome, asked, latency, at }, lens)
    })
}

fn digest(fetched: Fetched, lens: &Lens) -> Harvest {
    let Fetched { slot, lane, outcome, asked, latency, at } = fetched;
    let facts =
        FetchFacts { elapsed_ms: u32::try_from(latency).unwrap_or(u32::MAX), fetched_at: at, ..FetchFacts::default() };
    let nothing = Got::Fault { reason: Reason::BadAnswer, passing: false };
    let mut harvest = Harvest {
        slot,
        lane,
        facts,
        got: nothing,
        wire_bytes: 0,
        asked,
        latency,
        strained: false,
        rest: None,
        cuts: Vec::new(),
        order: None,
        aside: (0, 0),
        built: false,
        finding: None,
    };
    match outcome {
        Outcome::Failed(Failure::NoLogin) => harvest.got = Got::Withheld,
        Outcome::Failed(Failure::Scarce(what)) => harvest.got = Got::Scarce(what),
        Outcome::Failed(failure) => {
            harvest.facts.note = failure.to_string();
            harvest.strained = matches!(failure, Failure::TimeOut(_));
            harvest.got = Got::Fault { reason: failure.reason(), passing: failure.passing() };
        }
        Outcome::Answer(response) => answer(*response, lens, &mut harvest),
    }
    harvest
}

fn answer(response: Response, lens: &Lens, harvest: &mut Harvest) {
    harvest.wire_bytes = response.body.len() as u64;
    note_header(&response, harvest);
    match response.status {
        304 if harvest.slot.last.is_some() => harvest.got = Got::Unchanged,
        301 | 302 | 303 | 307 | 308 => harvest.got = redirect(&response, &harvest.slot, lens),
        200..=299 => page(response, lens, harvest),
        status => {
            harvest.strained = matches!(status, 429 | 503);
            let wait = retry_after(&response, SystemTime::now()).map(|d| d.as_millis() as Millis);
            let bearable = wait.is_none_or(|ms| ms <= lens.limits.retry_after_s * 1000);
            harvest.rest = if status == 429 { wait.or(Some(5_000)) } else { wait }.filter(|_| bearable);
            let passing = matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504) && bearable;
            harvest.got = Got::Fault { reason: Reason::of_status(status), passing };
        }
    }
}

fn note_header(response: &Response, harvest: &mut Harvest) {
    let text = |name: &str| response.header(name).unwrap_or_default().chars().take(400).collect::<String>();
    let facts = &mut harvest.facts;
    facts.status = response.status;
    facts.media_type = response.media_type().chars().take(200).collect();
    facts.last_modified = text("last-modified");
    facts.etag = text("etag");
    facts.expires = text("expires");
    facts.content_language = text("content-language");
    facts.size = response.header("content-length").and_then(|v| v.parse().ok()).unwrap_or(response.body.len() as u64);
}

fn redirect(response: &Response, slot: &Slot, lens: &Lens) -> Got {
    let asked = slot.asks();
    let target = response.location().and_then(|place| asked.join(place.trim()).ok());
    match target {
        Some(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            let canon = lens.canonizer.canon(&url);
            Got::Redirect(Box::new((url, canon)))
        }
        _ => Got::Fault { reason: Reason::BadRedirect, passing: false },
    }
}

/// Takes in an answer that has something to read, or shows that there is nothing: then the harvest is bare, or a fault.
fn page(response: Response, lens: &Lens, harvest: &mut Harvest) {
    let appeal = appeal(&harvest.facts.media_type);
    let too_large = response.cut == Some(Cut::TooLarge);
    if too_large {
        harvest.cuts.push(if appeal == Appeal::Document { "document_bytes" } else { "wire_bytes" });
    }
    let directives = header_directives(&response, &lens.agent);
    (harvest.facts.noindex, harvest.facts.nofollow) = (directives.noindex, directives.nofollow);
    harvest.got = Got::Bare;
    if response.cut == Some(Cut::HeaderOnly) && appeal != Appeal::Head {
        return;
    }
    let charset = charset::of_content_type(response.header("content-type").unwrap_or_default());
    let coding = true_coding(response.header("content-encoding").unwrap_or_default(), &response.body).to_string();
    let lists = !lens.shows && lens.may_list(&harvest.slot);
    let most = match appeal {
        Appeal::Document => lens.limits.document_bytes,
        _ if lists && is_list_name(&harvest.slot.url) => lens.limits.page_bytes.max(lens.limits.sitemap_bytes),
        _ => lens.limits.page_bytes,
    };
    let body = inflate(response.body, &coding, most);
    if appeal == Appeal::Head {
        return picture(&response.headers, response.cut, &body.bytes, harvest);
    }
    let broken = response.cut.is_some_and(Cut::is_partial) || (body.broken && response.cut.is_none());
    if broken && (u64::from(harvest.slot.tries) < lens.limits.retries || harvest.slot.before == Reason::Fetched) {
        // Half a page is no page: it is asked for again. On the last try a page never seen before is taken as it came; one
        // that is known whole stays as it is.
        harvest.got = Got::Fault { reason: Reason::Reset, passing: true };
        return;
    }
    if body.cut {
        harvest.cuts.push(if appeal == Appeal::Document { "document_bytes" } else { "page_bytes" });
    }
    if appeal == Appeal::Document && (too_large || body.cut) {
        // The end of a document says where everything in it is.
        harvest.facts.cuts = harvest.cuts.join(",");
        return;
    }
    let note = broken.then(|| why_broken(response.cut, &coding));
    let (status, version) = (response.status, response.version);
    let came = Came { bytes: body.bytes, status, version, headers: response.headers, charset, lists };
    read_page(came, note, lens, harvest);
}

/// What came of a page, unpacked.
struct Came {
    bytes: Vec<u8>,
    status: u16,
    version: &'static str,
    headers: Vec<(String, String)>,
    /// What its header says.
    charset: Option<String>,
    /// It may be a list of URLs that the survey starts with.
    lists: bool,
}

/// Reads what came; `broken` says why it is not all of it.
fn read_page(came: Came, broken: Option<String>, lens: &Lens, harvest: &mut Harvest) {
    let Came { bytes, status, version, headers, charset, lists } = came;
    harvest.facts.size = bytes.len() as u64;
    harvest.facts.body_fp = Some(Fp::hash_bytes(&bytes));
    if is_senseless(&harvest.facts.media_type) {
        harvest.facts.media_type = sniff(&harvest.facts.media_type, &bytes).to_string();
    }
    let media_type = true_type(&harvest.facts.media_type, &bytes).to_owned();
    let filter = match () {
        () if lens.shows => filter_to_show(&media_type, &bytes),
        () if lists => filter_for_start(&media_type, &bytes, harvest.slot.depth != Depth(0)),
        () => filter_for(&media_type),
    };
    let Some(filter) = filter else { return };
    if appeal(&media_type) == Appeal::Page
        && let Some(kind) = no_text(&bytes, charset.as_deref())
    {
        harvest.facts.note = format!("no text: the server calls it {media_type}, but its bytes are {kind}");
        harvest.facts.cuts = harvest.cuts.join(",");
        return;
    }
    let url = harvest.slot.asks();
    let input = Input { bytes: &bytes, url, charset: charset.as_deref(), limits: &lens.limits, parts: lens.keep.parts };
    let mut parsed = match read_body(filter, &media_type, &input) {
        Ok(parsed) => parsed,
        Err(unread) => return note_unread(unread, harvest),
    };
    add_header_links(&mut parsed, &headers, url, &lens.limits);
    if Html.takes(&media_type) {
        parsed.markup.keep_header(version, &headers);
    }
    if lists {
        follow_list(&mut parsed, lens);
    }
    harvest.cuts.extend(&parsed.cuts);
    let cuts = harvest.cuts.iter().copied().chain(broken.as_ref().map(|_| "broken"));
    harvest.facts.cuts = cuts.collect::<Vec<_>>().join(",");
    note_page(&parsed, &lens.agent, &mut harvest.facts);
    if filter.apart() {
        harvest.facts.note = note_of_document(&parsed);
    }
    if let Some(why) = broken.filter(|_| harvest.facts.note.is_empty()) {
        harvest.facts.note = why;
    }
    if let Some(studio) = lens.studio.as_ref().filter(|_| Html.takes(&harvest.facts.media_type)) {
        let advice = studio.advise(url, &bytes, &parsed);
        if advice.build {
            let shown = Shown { url: url.clone(), status, headers, body: bytes.clone() };
            harvest.order = Some(Box::new(Order { why: advice.why, shown, holds: Holds::from_page(&parsed) }));
        } else {
            harvest.facts.note = Rendering::Not(advice.why).to_string();
        }
    }
    harvest.got = Got::Page(Box::new(reading(parsed, &bytes, lens)));
}

fn why_broken(cut: Option<Cut>, coding: &str) -> String {
    match cut {
        Some(Cut::Late) => "only its beginning: the server was too slow with the rest".to_owned(),
        Some(_) => "only its beginning: the connection broke off, or the rest broke the rules of HTTP".to_owned(),
        None => format!("only its beginning: the rest cannot be unpacked ({coding})"),
    }
}

/// A document that could not be read.
fn note_unread(unread: Unread, harvest: &mut Harvest) {
    if unread == Unread::Scarce {
        // Not the document's fault: the next update asks for all of it again.
        (harvest.facts.etag, harvest.facts.last_modified, harvest.facts.body_fp) = Default::default();
    }
    harvest.facts.note = unread.says().to_owned();
    harvest.cuts.extend(unread.limit());
    harvest.facts.cuts = harvest.cuts.join(",");
}

/// What a list that the survey starts with names is found there as on any page.
fn follow_list(parsed: &mut ParsedPage, lens: &Lens) {
    for link in parsed.links.iter_mut().filter(|link| link.kind == LinkKind::Sitemap) {
        link.kind = LinkKind::Anchor;
        lens.lists.store(true, Ordering::Relaxed);
    }
}

/// Is this how sitemaps and lists are called? Such a file is asked for whole, whatever its type.
pub(crate) fn is_list_name(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    [".xml", ".gz", ".txt"].iter().any(|ending| path.ends_with(ending))
}

/// A page, ready to be taken in.
pub(crate) fn reading(parsed: ParsedPage, bytes: &[u8], lens: &Lens) -> Reading {
    let places = parsed.links.iter().map(|link| place(&link.target, lens)).collect();
    let details = codec::pack_details(&parsed);
    Reading { parsed, places, details, body: lens.keep.bodies.then(|| codec::compress(bytes)) }
}

/// A picture is not read, but measured by its first bytes.
fn picture(headers: &[(String, String)], cut: Option<Cut>, bytes: &[u8], harvest: &mut Harvest) {
    if let Some(measure) = measure(bytes) {
        harvest.facts.note = format!("{} x {} pixels", measure.width, measure.height);
    }
    if cut.is_none() {
        harvest.facts.body_fp = Some(Fp::hash_bytes(bytes));
    } else if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
        // Nobody said how long it is, and we have not seen its end.
        harvest.facts.size = 0;
    }
}

fn place(target: &Target, lens: &Lens) -> Place {
    match target {
        Target::Web(url) => Place::Address(lens.canonizer.canon(url)),
        Target::Malformed(raw) => {
            let (text, fp) = malformed(raw);
            Place::Malformed(text, fp)
        }
    }
}

/// How many pages a document has, and why it was not read, or not all of it.
fn note_of_document(parsed: &ParsedPage) -> String {
    match (parsed.meta("unread"), parsed.meta("pages")) {
        (Some(why), _) => format!("not read: {why}"),
        (None, Some(pages)) => {
            let said = |name: &str| parsed.meta(name).map(|why| format!("; {why}")).unwrap_or_default();
            let plural = if pages == "1" { "" } else { "s" };
            format!("{pages} page{plural}{}{}", said("silent"), said("lost"))
        }
        (None, None) => String::new(),
    }
}

/// What the page says of itself outranks what its header said (paper 2.3).
pub(crate) fn note_page(parsed: &ParsedPage, agent: &str, facts: &mut FetchFacts) {
    facts.title = parsed.title.clone();
    facts.charset = parsed.charset.to_string();
    facts.language = parsed.language.clone().unwrap_or_default();
    facts.text_fp = parsed.text_fp;
    facts.near_fp = parsed.near_fp;
    facts.words = parsed.words;
    let to_us = meta_directives(parsed, agent);
    facts.noindex |= parsed.directives.noindex || to_us.noindex;
    facts.nofollow |= parsed.directives.nofollow || to_us.nofollow;
    // Last-Modified stays as the server said it: it is sent back to ask whether the page changed.
    for (name, fact) in [("content-language", &mut facts.content_language), ("expires", &mut facts.expires)] {
        if let Some(content) = parsed.meta(name) {
            *fact = content.chars().take(400).collect();
        }
    }
}
