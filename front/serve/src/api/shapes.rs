//! What answers look like that are made elsewhere: descriptions only, held against the answers by the test of the API.
#![allow(dead_code, reason = "only their descriptions are used")]

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::ToSchema;

/// All about one URL.
#[derive(ToSchema)]
#[schema(as = Page)]
pub(super) struct ExplanationShape {
    /// URL as it was typed.
    typed: String,
    /// URL in canonical form.
    canonical: String,
    /// The URL by which it is asked for, where that is not the canonical form: as it was linked.
    fetched_as: Option<String>,
    /// What the rules did to it, step by step.
    steps: Vec<StepShape>,
    /// Learned rules about URLs like it.
    learned: Vec<LearnedShape>,
    /// Does it belong to the survey?
    scope: VerdictShape,
    /// May robots ask for it?
    robots: VerdictShape,
    /// Is it in the survey?
    known: bool,
    /// State of the URL.
    state: Option<String>,
    /// Reason of the state.
    reason: Option<String>,
    /// Why, as a sentence.
    says: String,
    /// What to do next.
    hint: String,
    /// Since when it is in its state.
    since: Option<String>,
    /// It waits for its turn.
    queued: bool,
    /// Its link distance from the start page.
    depth: Option<u32>,
    /// By which kind of link it was found.
    via_kind: Option<String>,
    /// From the start page to the page it was found on.
    chain: Vec<String>,
    /// From this URL to the page it is another name of.
    redirects: Vec<String>,
    /// What its last fetch told.
    last_fetch: Option<LastFetchShape>,
    /// Links from and to the page.
    links: Option<LinksShape>,
    /// JSON-LD, microdata, RDFa and cards, as crawled (untrusted text); absent if there is none.
    structured: Option<StructuredShape>,
    /// Databases whose form or document it is.
    databases: Vec<NoticedShape>,
}

/// What a page says to programs, as crawled (untrusted text).
#[derive(ToSchema)]
#[schema(as = StructuredData)]
pub(super) struct StructuredShape {
    /// JSON-LD, microdata and RDFa in document order, then the cards.
    items: Vec<DataItemShape>,
    /// What could not be read as its author meant it.
    faults: Vec<DataFaultShape>,
}

/// An item of structured data that is part of no other.
#[derive(ToSchema)]
#[schema(as = DataItem)]
pub(super) struct DataItemShape {
    /// json-ld, microdata, rdfa, open-graph or twitter-card.
    syntax: String,
    /// The line of the page it begins on, where that is known.
    line: Option<u32>,
    /// What it is: terms of schema.org by their short names.
    types: Option<Vec<String>>,
    /// Its IRI.
    id: Option<String>,
    /// Values by property: texts, numbers, flags, and things with types, id and properties of their own.
    properties: Option<BTreeMap<String, Vec<Value>>>,
}

/// Structured data that cannot be read as its author meant it.
#[derive(ToSchema)]
#[schema(as = DataFault)]
pub(super) struct DataFaultShape {
    /// json-ld, microdata or rdfa.
    syntax: String,
    /// The line of the page.
    line: u32,
    /// What is wrong.
    fault: String,
}

/// A database that the crawl came by.
#[derive(ToSchema)]
#[schema(as = NoticedDatabase)]
pub(super) struct NoticedShape {
    /// document (it leads to a summarizer), described-form (by `DB.*` tags) or search-form.
    kind: String,
    /// The page of its form, or its document.
    url: String,
    /// What the page or the database is called, as crawled (untrusted text).
    title: String,
    /// Which form of the page, from 1; absent for a document.
    form: Option<u64>,
    /// Whether the form is sent by POST.
    posts: bool,
}

/// A step of the rules.
#[derive(ToSchema)]
#[schema(as = RuleStep)]
pub(super) struct StepShape {
    /// What the step did.
    what: String,
    /// The URL after the step.
    url_after: String,
}

/// What the rules make of a URL.
#[derive(ToSchema)]
#[schema(as = Tried)]
pub(super) struct TriedShape {
    /// As it was typed.
    url: String,
    /// URL in canonical form.
    canonical: String,
    /// Do the rules take it?
    taken: bool,
    /// Why the rules leave it out.
    reason: Option<String>,
    /// What was done, step by step.
    steps: Vec<StepShape>,
}

/// Yes, no, or not known.
#[derive(ToSchema)]
#[schema(as = Verdict)]
pub(super) struct VerdictShape {
    /// Yes or no, where that is known.
    allowed: Option<bool>,
    /// The reason in words.
    says: String,
}

/// What the last fetch of a page told.
#[derive(ToSchema)]
#[schema(as = LastFetch)]
pub(super) struct LastFetchShape {
    /// Time of the fetch.
    at: String,
    /// The HTTP status; nothing if there was no answer.
    status: Option<u16>,
    /// Media type.
    r#type: String,
    /// Bytes after decompression.
    size: u64,
    /// How long it took.
    elapsed_ms: u32,
    /// Page title, as crawled (untrusted text).
    title: String,
    /// Language, as a code.
    language: String,
    /// The character encoding it was read with.
    charset: String,
    /// Words of text.
    words: u32,
    /// ETag as it came.
    etag: String,
    /// Last-Modified as it came.
    last_modified: String,
    /// When the text was last seen to change.
    changed_at: Option<String>,
    /// Its author asks not to show it in searches.
    noindex: bool,
    /// Its author asks not to follow its links.
    nofollow: bool,
    /// What was cut, by limit keys.
    cuts: String,
    /// Whether a browser built it, and why; nothing if that was no question.
    rendered: Option<String>,
    /// The file of its picture.
    picture: Option<String>,
    /// What went wrong, in words.
    note: String,
}

/// Links in and out.
#[derive(ToSchema)]
#[schema(as = Links)]
pub(super) struct LinksShape {
    /// Pages that link here, under any of its names.
    pages_in: u64,
    /// Those within the window.
    r#in: Vec<LinkShape>,
    /// Links on the page.
    links_out: u64,
    /// How many of each kind.
    kinds_out: BTreeMap<String, u64>,
    /// Those within the window.
    out: Vec<LinkShape>,
}

/// A link from or to the page.
#[derive(ToSchema)]
#[schema(as = Link)]
pub(super) struct LinkShape {
    /// URL at the other end.
    url: String,
    /// The state of the other end.
    state: Option<String>,
    /// What kind of link it is.
    kind: Option<String>,
    /// Link text, as crawled (untrusted text).
    text: String,
    /// Words of its `rel` attribute.
    rel: String,
    /// The block it stands in.
    block: Option<String>,
}

/// What is known of a parameter.
#[derive(ToSchema)]
#[schema(as = LearnedRule)]
pub(super) struct LearnedShape {
    /// The shape of the URLs.
    pattern: String,
    /// Name of the parameter.
    parameter: String,
    /// `watching`, `strong` or `refuted`.
    standing: String,
    /// Witnesses for equal content.
    equal: u32,
    /// Witnesses for different content.
    differ: u32,
    /// Variants folded.
    folded: u64,
    /// Samples fetched to check it.
    samples: u32,
    /// Two URLs that spoke for or against it.
    example: String,
}

/// Where a survey stands: `discovered = fetched + skipped + excluded + broken + queued`.
#[derive(ToSchema)]
#[schema(as = Standing)]
pub(super) struct StandingShape {
    /// URLs ever found.
    discovered: u64,
    /// Fetched and analysed.
    fetched: u64,
    /// Known, not fetched.
    skipped: u64,
    /// Left out by a rule or by the user.
    excluded: u64,
    /// URLs that lead nowhere.
    broken: u64,
    /// Waiting to be fetched.
    queued: u64,
    /// The broken ones by what is wrong.
    broken_parts: BrokenShape,
    /// Skipped pages that asked us to wait, to log in or to keep out.
    unknown: u64,
    /// Other names of pages.
    aliases: u64,
    /// URLs by reason.
    reasons: BTreeMap<String, u64>,
    /// Requests made for pages.
    fetches: u64,
    /// Bytes received for them.
    bytes: u64,
    /// Pages built by a browser, each time they were.
    rendered: u64,
    /// URLs that wait for their turn: to be fetched, or asked for again.
    in_queue: u64,
    /// The last layer whose pages have all been visited.
    layers_finished: Option<u32>,
    /// How often each limit was hit.
    limits_hit: BTreeMap<String, u64>,
    /// Pages that a limit cut, or whose answer broke off.
    cut_pages: u64,
    /// Pages cut, by the limit that cut them.
    cut_parts: BTreeMap<String, u64>,
    /// What the user should know.
    findings: Vec<FoundShape>,
    /// What has been learned about parameters.
    learned_rules: Vec<LearnedShape>,
    /// Somebody is writing to it.
    running: bool,
    /// Who, if it is on a server.
    workers: Vec<WorkerShape>,
    /// Crawls and updates.
    runs: Vec<RunShape>,
}

/// A process that writes to a survey on a server.
#[derive(ToSchema)]
#[schema(as = Worker)]
pub(super) struct WorkerShape {
    /// Process and machine.
    owner: String,
    /// It leads the crawl; others lend a hand.
    leads: bool,
    /// For how many seconds it has been there.
    seconds: u64,
    /// How many seconds ago it was heard of.
    silent: u64,
    /// The hosts it has leased.
    hosts: u64,
    /// The fetches it has made.
    fetches: u64,
}

/// What is wrong with invalid URLs.
#[derive(ToSchema)]
#[schema(as = BrokenParts)]
pub(super) struct BrokenShape {
    /// The server says there is no such page.
    gone: u64,
    /// It could not be had.
    unreachable: u64,
    /// The URL itself is wrong.
    malformed: u64,
}

/// Something the crawl noticed.
#[derive(ToSchema)]
#[schema(as = Noticed)]
pub(super) struct FoundShape {
    /// Kind of finding.
    kind: String,
    /// What the finding is about.
    subject: String,
    /// The finding in words.
    detail: String,
    /// When it was first found.
    since: String,
}

/// A crawl or an update.
#[derive(ToSchema)]
#[schema(as = Run)]
pub(super) struct RunShape {
    /// Number of the run.
    run: u32,
    /// `crawl` or `update`.
    kind: String,
    /// Time of its start.
    started: String,
    /// Time of its end.
    ended: Option<String>,
    /// How it ended.
    outcome: String,
}

/// A logical site that was found.
#[derive(ToSchema)]
#[schema(as = Bounds)]
pub(super) struct BoundsShape {
    /// Always `bounds`.
    kind: String,
    /// What it was found from: a URL, `keyword:WORD` or `list:NAME`.
    start: String,
    /// When, in seconds since 1970.
    at: i64,
    /// Method by which the site was found.
    method: String,
    /// The width of the similarity of URLs.
    sigma: f64,
    /// What of linked pages was compared beside their URLs: `words` or `none`.
    similarity: String,
    /// The price of a page; 0 where there was no cut.
    epsilon: f64,
    /// Which way links count.
    direction: String,
    /// The inflation of the clustering, if there was one.
    inflation: Option<f64>,
    /// Which member of the family is the site.
    chosen: u32,
    /// Why this member of the family was chosen.
    why: String,
    /// What makes it doubtful.
    warnings: Vec<String>,
    /// What else is worth knowing.
    notes: Vec<String>,
    /// The family, the smallest first.
    family: Vec<MemberShape>,
    /// Why the search ended.
    stop: String,
    /// Pages that were fetched for it.
    fetches: u64,
    /// How many start pages it was found from.
    seeds: u32,
    /// Decisions of people that hold.
    decisions: u32,
    /// How many pages are on which side.
    counts: CountsShape,
    /// How sure the verdicts on its own pages are, on average.
    confidence: f64,
    /// Link texts from elsewhere, as crawled (untrusted text).
    keywords: Vec<KeywordShape>,
    /// The survey has changed since.
    stale: bool,
    /// The site as beginnings of URLs.
    prefixes: Vec<PrefixShape>,
    /// The clusters in and around it, if pages were clustered.
    nearby: Option<NearbyShape>,
}

/// A member of the family of a logical site.
#[derive(ToSchema)]
#[schema(as = BoundsMember)]
pub(super) struct MemberShape {
    /// The price of a page.
    epsilon: f64,
    /// How many pages it has.
    size: u32,
    /// Capacity of the links that leave it.
    boundary: f64,
    /// Capacity of the links within it.
    inside: f64,
}

/// How many pages are on which side.
#[derive(ToSchema)]
#[schema(as = BoundsCounts)]
pub(super) struct CountsShape {
    /// Pages that take part.
    pages: u32,
    /// Those that belong to the site.
    r#in: u32,
    /// Pages that may belong to the site.
    undecided: u32,
    /// Those that do not.
    out: u32,
    /// Hosts that hold pages of the site.
    hosts: u32,
}

/// A word that characterises a logical site.
#[derive(ToSchema)]
#[schema(as = BoundsKeyword)]
pub(super) struct KeywordShape {
    /// The word, or two.
    word: String,
    /// How much it says.
    score: f64,
    /// How often it occurs.
    count: u64,
}

/// A part of the URL space.
#[derive(ToSchema)]
#[schema(as = BoundsPrefix)]
pub(super) struct PrefixShape {
    /// What URLs begin with; of a single page its URL.
    prefix: String,
    /// It is one page.
    single: bool,
    /// in, undecided or out.
    verdict: String,
    /// Pages below it.
    pages: u32,
    /// Those of them that are in.
    inside: u32,
    /// Those of them that are undecided.
    undecided: u32,
    /// Pages that have their verdict from it.
    decides: u32,
    /// How sure these verdicts are, on average.
    confidence: f64,
    /// What speaks for them.
    reason: String,
    /// It lies beside the site and is told for people: without it, its pages would be out just the same.
    beside: bool,
}

/// The clusters in and around a logical site.
#[derive(ToSchema)]
#[schema(as = BoundsClusters)]
pub(super) struct NearbyShape {
    /// The clusters, those with the most pages of the site first.
    clusters: Vec<ClusterShape>,
    /// The links between them.
    links: Vec<ClusterLinkShape>,
    /// Clusters that touch the site and are not told.
    more: u32,
}

/// A cluster in or beside a logical site.
#[derive(ToSchema)]
#[schema(as = BoundsCluster)]
pub(super) struct ClusterShape {
    /// Its number in the clustering.
    cluster: u32,
    /// Its name, as crawled (untrusted text).
    label: String,
    /// One of its pages.
    page: String,
    /// How many pages it has.
    size: u32,
    /// Those in the site.
    r#in: u32,
    /// Those that may be.
    undecided: u32,
    /// Links with pages of the site.
    links: u32,
}

/// Links between two clusters.
#[derive(ToSchema)]
#[schema(as = BoundsClusterLink)]
pub(super) struct ClusterLinkShape {
    /// The place of one in the list.
    from: u32,
    /// The place of the other.
    to: u32,
    /// Links from the one to the other.
    links: u32,
}

/// A page a focused crawl went to.
#[derive(ToSchema)]
#[schema(as = FocusStep)]
pub(super) struct FocusStepShape {
    /// Its place, from 1.
    n: u32,
    /// URL of the page.
    url: String,
    /// What came of it.
    state: String,
    /// What it is: article, book, list, other; empty if there was no page to read.
    r#type: String,
    /// How sure that is, 0 to 1.
    confidence: f64,
    /// How near it is to the topic.
    r: f64,
    /// R of its content parts.
    content: f64,
    /// R of its link parts.
    links: f64,
    /// The cosines of its parts.
    cosines: BTreeMap<String, f64>,
    /// The share of the topic's words that it is about.
    cover: f64,
    /// Its weight when its turn came.
    weight: f64,
    /// The page whose link spoke for it most.
    parent: Option<String>,
    /// The kind of link it was reached by, where the strategy learns about those.
    arm: Option<String>,
    /// It meets the demand.
    relevant: bool,
    /// Why it was fetched.
    why: String,
}
