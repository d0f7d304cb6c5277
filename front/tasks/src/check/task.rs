//! The task `check`.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use groma_check::{CheckName, Kinds, Options};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bounds::ScopeName;
use crate::rank::task::Top;
use crate::task::scalar::{Choice, Several, Whole, by_text};

/// Report what is wrong with the site
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CheckTask))]
#[serde(default, deny_unknown_fields)]
pub struct Check {
    /// These checks and profiles only, with commas between them: links, seo, accessibility, security, speed, archive, or names
    #[arg(long, value_name = "CHECKS")]
    pub only: Option<CheckNames>,
    /// Leave these checks and profiles out, with commas between them
    #[arg(long, value_name = "CHECKS")]
    pub skip: Option<CheckNames>,
    /// Bits in which the texts of near-duplicates may differ; 0 looks for none [default: 3]
    #[arg(long, value_name = "BITS")]
    pub near: Option<Bits>,
    /// Causes of a kind listed as text or Markdown; the rest is counted (0: all) [default: 10 by the command, all by a job]
    #[arg(long, value_name = "N")]
    #[serde(alias = "list")]
    pub most: Option<Top>,
    /// Ask the links that lead out of the survey whether they are there, and images, styles and scripts that were not fetched: no, yes, or
    /// how many at most [default: no]
    #[arg(long, value_name = "no|yes|N")]
    pub outside: Option<AskOutside>,
    /// Check the whole survey, or the site that was found last: survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub scope: ScopeName,
}

/// Whether links that lead out are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AskOutside {
    #[default]
    No,
    /// All that are due.
    Yes,
    /// So many of them at most, as good as chosen by chance.
    Sample(u64),
}

impl AskOutside {
    /// How many at most.
    pub(crate) fn most(self) -> u64 {
        match self {
            AskOutside::No => 0,
            AskOutside::Yes => u64::MAX,
            AskOutside::Sample(most) => most,
        }
    }
}

impl FromStr for AskOutside {
    type Err = String;

    fn from_str(text: &str) -> Result<AskOutside, String> {
        match text.trim() {
            "no" | "" => Ok(AskOutside::No),
            "yes" => Ok(AskOutside::Yes),
            text => {
                let number = text.strip_prefix("sample").map_or(text, |rest| rest.trim_start_matches([' ', ':', '=']));
                let plain = (1..=9).contains(&number.len())
                    && !number.starts_with('0')
                    && number.bytes().all(|byte| byte.is_ascii_digit());
                let most = number.parse().ok().filter(|_| plain);
                most.map(AskOutside::Sample)
                    .ok_or_else(|| "`no`, `yes` or a whole number from 1 is expected".to_owned())
            }
        }
    }
}

impl fmt::Display for AskOutside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskOutside::No => f.write_str("no"),
            AskOutside::Yes => f.write_str("yes"),
            AskOutside::Sample(most) => most.fmt(f),
        }
    }
}

impl Serialize for AskOutside {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AskOutside {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AskOutside, D::Error> {
        by_text(deserializer)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use crate::check::task::AskOutside;

    impl PartialSchema for AskOutside {
        fn schema() -> RefOr<Schema> {
            let says = "`no`, `yes`, or how many at most: a number, or `sample` and a number.";
            let text = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String));
            text.description(Some(says)).pattern(Some("^(no|yes|(sample[ :=]*)?[1-9][0-9]{0,8})?$")).into()
        }
    }

    impl ToSchema for AskOutside {
        fn name() -> Cow<'static, str> {
            "AskOutside".into()
        }
    }
}

/// Checks and profiles, by name.
type CheckNames = Several<CheckName>;
/// Bits of a similarity hash.
type Bits = Whole<0, 64>;

impl Check {
    /// What is looked for, where `usual` is what is looked for unless somebody says.
    pub fn options(&self, usual: Options) -> Options {
        let kinds_of = |names: &CheckNames| names.0.iter().fold(Kinds::NONE, |kinds, name| kinds.and(name.kinds()));
        let skipped = self.skip.as_ref().map_or(Kinds::NONE, kinds_of);
        Options {
            kinds: self.only.as_ref().map_or(usual.kinds, kinds_of).except(skipped),
            near: self.near.map_or(usual.near, |bits| bits.get() as u32),
            ..usual
        }
    }

    /// How many groups of a kind are listed, of `usual` ones unless something is said.
    pub fn listed(&self, usual: usize) -> usize {
        match self.most.map(Whole::get) {
            Some(0) => usize::MAX,
            Some(most) => usize::try_from(most).unwrap_or(usize::MAX),
            None => usual,
        }
    }
}

impl Choice for CheckName {
    const SCHEMA: &'static str = "CheckName";

    fn all() -> &'static [CheckName] {
        CheckName::all()
    }

    fn name(self) -> &'static str {
        CheckName::name(self)
    }

    fn expected() -> String {
        "`all`, a profile (links, seo, accessibility, security, speed, archive) or names of checks (`groma check --list`) are expected"
            .to_owned()
    }
}
