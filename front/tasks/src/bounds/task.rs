//! Find where a site ends.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use groma_bounds::content_similarity::Compared;
use groma_bounds::{Direction, Method};
use groma_settings::Fault;
use groma_survey_graph::LinkSet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bounds::wording::NO_SEED_PAGES;
use crate::task::forms::forms;
use crate::task::scalar::{Choice, Interval, Line, OneOf, Real, Whole, by_text, listed, object, ticked};
use crate::task::{COMMAND_LINE_ONLY, file};

/// Find where a site ends: which pages belong to it, and why
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BoundTask))]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// A page of the site [default: the page the survey began at]
    #[arg(value_name = "URL")]
    pub start: Option<Line>,
    /// Begin in the cluster with the most URLs that hold this
    #[arg(long, value_name = "WORD", conflicts_with_all = ["start", "seeds"])]
    pub keyword: Option<Line>,
    /// Begin at these pages, one a line; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "start", value_parser = pages_of_file)]
    #[serde(deserialize_with = "object")]
    pub seeds: Option<PageList>,
    /// A cut around the start pages, their clusters, or a cut around those: flow, mcl, mcl+flow
    #[arg(long, value_name = "METHOD", default_value_t)]
    pub method: MethodName,
    /// The price of a page: a lower one gives a larger site [default: chosen where the site holds together longest]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub epsilon: Option<Epsilon>,
    /// How pages are clustered, and which links count.
    #[command(flatten)]
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(inline))]
    pub clustering: Clustering,
    /// Let links count less, too, as the pages they join speak of other things: words, or none to go by URLs alone; on
    /// line and where a survey holds no texts it is none
    #[arg(long, value_name = "BY", default_value_t, alias = "likeness")]
    #[serde(alias = "likeness")]
    pub similarity: SimilarityName,
    /// Which way links count: both, forward
    #[arg(long, value_name = "WAY", default_value_t)]
    pub direction: DirectionName,
    /// Fetch pages as the search needs them, polite and resumable as any crawl; the survey is made if there is none
    #[arg(long, conflicts_with = "keyword", help_heading = COMMAND_LINE_ONLY)]
    #[serde(deserialize_with = "ticked")]
    pub online: bool,
}

forms! {
    /// The forms of a site that are for programs.
    Json, "json", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: a header, then a page a line";
    Csv, "csv", "csv", "text/csv; charset=utf-8", "a table of the pages";
    Tsv, "tsv", "tsv", "text/tab-separated-values; charset=utf-8", "the same with tabs";
    Surt, "surt", "surt", "text/plain; charset=utf-8", "prefixes as archives write them: taken, not taken";
}

// How pages are clustered: by a search, and by `groma cluster`.
// Not a doc comment: clap would take it for the help of what has these flags.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Clustering {
    /// How fast links count less as URLs differ: a number, `fitted` to take it from the survey, or `none`: they all weigh the same
    /// [default: 1; of `groma cluster`: none]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub sigma: Option<Sigma>,
    /// Inflation of the clusters: the greater, the smaller they are [default: 1.4; of `groma cluster`: 2]
    #[arg(long, value_name = "I", allow_negative_numbers = true)]
    pub inflation: Option<InflationNumber>,
    /// Entries kept of a column of the clustering: more is slower and a little more exact [default: a fast choice; of `groma cluster`: 1100]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub selection: Option<Selection>,
    /// Cluster again what has more pages than this, with a greater inflation [default: none is]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub largest: Option<Largest>,
    /// Which links count: pages, all
    #[arg(long, value_name = "WHICH", default_value_t)]
    pub links: LinksName,
}

impl Clustering {
    /// The search of `groma cluster`, which looks for more and smaller clusters, and at links alone, unless told otherwise.
    pub fn alone(&self) -> Bounds {
        let inflation = self.inflation.or_else(|| "2".parse().ok());
        let sigma = self.sigma.or(Some(Sigma::Unweighted));
        Bounds { clustering: Clustering { inflation, sigma, ..self.clone() }, ..Bounds::default() }
    }
}

/// A method, by name.
type MethodName = OneOf<Method>;
/// What of linked pages is compared, by name.
type SimilarityName = OneOf<Compared>;
/// Which way links count, by name.
type DirectionName = OneOf<Direction>;
/// Which links count, by name.
pub type LinksName = OneOf<LinkSet>;
/// The price of a page.
type Epsilon = Real<Price>;
/// The inflation of a clustering.
type InflationNumber = Real<Inflation>;
/// Entries kept of a column of a clustering.
type Selection = Whole<2, 1_000_000>;
/// Pages of a cluster above which it is clustered again; 0: none is.
type Largest = Whole<0, 4_000_000_000>;

/// Pages to begin at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PageList {
    /// What the list is called.
    pub name: String,
    /// The pages, as somebody typed them.
    #[serde(deserialize_with = "listed")]
    pub pages: Vec<String>,
}

/// Prices of a page.
#[derive(Clone, Copy, Debug)]
pub enum Price {}

impl Interval for Price {
    const MIN: f64 = f64::MIN_POSITIVE;
    const MAX: f64 = 1e9;
    const EXPECTED: &'static str = "a number above 0 (0.01 is usual, a lower one gives a larger site)";
}

/// Inflations of a clustering.
#[derive(Clone, Copy, Debug)]
pub enum Inflation {}

impl Interval for Inflation {
    const MIN: f64 = 1.01;
    const MAX: f64 = 30.0;
    const EXPECTED: &'static str = "a number from 1.01 to 30 (the greater, the smaller the clusters)";
}

/// Widths of the similarity of URLs.
#[derive(Clone, Copy, Debug)]
pub enum Width {}

impl Interval for Width {
    const MIN: f64 = 0.05;
    const MAX: f64 = 100.0;
    const EXPECTED: &'static str = "a number from 0.05 to 100";
}

/// How fast links count less as URLs differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sigma {
    /// A number that was given.
    Given(Real<Width>),
    /// As the survey has it.
    Fitted,
    /// They do not: all links weigh the same.
    Unweighted,
}

impl FromStr for Sigma {
    type Err = String;

    fn from_str(text: &str) -> Result<Sigma, String> {
        match text.trim() {
            "fitted" => Ok(Sigma::Fitted),
            "none" => Ok(Sigma::Unweighted),
            number => number.parse().map(Sigma::Given).map_err(|why: String| format!("{why}, or `fitted`, or `none`")),
        }
    }
}

impl fmt::Display for Sigma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sigma::Given(width) => width.fmt(f),
            Sigma::Fitted => f.write_str("fitted"),
            Sigma::Unweighted => f.write_str("none"),
        }
    }
}

impl Serialize for Sigma {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Sigma::Given(width) => width.serialize(serializer),
            word => serializer.collect_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for Sigma {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sigma, D::Error> {
        by_text(deserializer)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Sigma {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
        let words = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["fitted", "none"]));
        OneOfBuilder::new().item(Real::<Width>::schema()).item(words).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Sigma {}

impl Choice for Method {
    const SCHEMA: &'static str = "BoundsMethod";

    fn all() -> &'static [Method] {
        &Method::ALL
    }

    fn name(self) -> &'static str {
        Method::name(self)
    }
}

impl Choice for Compared {
    const SCHEMA: &'static str = "ComparedBy";

    fn all() -> &'static [Compared] {
        &Compared::ALL
    }

    fn name(self) -> &'static str {
        Compared::name(self)
    }
}

impl Choice for Direction {
    const SCHEMA: &'static str = "LinkDirection";

    fn all() -> &'static [Direction] {
        &[Direction::Both, Direction::Forward]
    }

    fn name(self) -> &'static str {
        if self == Direction::Both { "both" } else { "forward" }
    }
}

impl Choice for LinkSet {
    const SCHEMA: &'static str = "LinkSet";

    fn all() -> &'static [LinkSet] {
        &[LinkSet::Pages, LinkSet::All]
    }

    fn name(self) -> &'static str {
        if self == LinkSet::Pages { "pages" } else { "all" }
    }
}

impl Bounds {
    /// A search begins at one place.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let begins = [
            self.start.as_deref().is_some_and(is_said),
            self.keyword.as_deref().is_some_and(is_said),
            self.seeds.is_some(),
        ];
        if begins.into_iter().filter(|said| *said).count() > 1 {
            return Err(Fault::new("more than one start is given", "give a URL, or --keyword, or --seeds"));
        }
        Ok(())
    }
}

fn is_said(text: &str) -> bool {
    !text.is_empty()
}

/// A list of pages is not longer than this.
const LIST_BYTES: u64 = 64 << 20;

/// Pages, one a line; lines that begin with # do not count.
fn pages_of_file(path: &str) -> Result<PageList, String> {
    let text = file::read(path, LIST_BYTES)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pages: Vec<String> = lines.map(str::to_owned).collect();
    if pages.is_empty() {
        return Err(NO_SEED_PAGES.to_owned());
    }
    Ok(PageList { name: path.to_owned(), pages })
}
