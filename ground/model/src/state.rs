//! The state of a URL: every URL ever discovered is in exactly one, with a reason.
//!
//! ```text
//! discovered = fetched + skipped + excluded + broken + queued
//! ```
//!
//! An alias (a redirect, a folded variant) is another name of a page, never a second node, so it stands outside the balance.
//! A page that asked us to wait or to log in (401, 403, 429, ...) is *skipped* with an "unknown" reason: we know the
//! URL, we could not see the page, and nothing says that it is broken.

use std::fmt;

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum State {
    /// Waiting to be fetched.
    Queued = 0,
    /// Fetched and analysed.
    Fetched = 1,
    /// Known, not fetched, or fetched without our being shown the page.
    Skipped = 2,
    /// Breaks a parameter rule, or the user excluded it.
    Excluded = 3,
    /// Does not parse, is gone, or is unreachable.
    Broken = 4,
    /// Another name of a page.
    Alias = 5,
}

impl State {
    /// All of them, in the order of their codes.
    pub const ALL: [State; 6] =
        [State::Queued, State::Fetched, State::Skipped, State::Excluded, State::Broken, State::Alias];

    /// The number the store keeps.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The state a number stands for.
    pub fn from_code(code: u8) -> Option<State> {
        State::ALL.get(usize::from(code)).copied()
    }

    /// The state of this name; the names that 0.1.0 had are understood too.
    pub fn named(name: &str) -> Option<State> {
        let name = match name {
            "pending" => "queued",
            "indexed" => "fetched",
            "registered" => "skipped",
            "ignored" => "excluded",
            "invalid" => "broken",
            name => name,
        };
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            State::Queued => "queued",
            State::Fetched => "fetched",
            State::Skipped => "skipped",
            State::Excluded => "excluded",
            State::Broken => "broken",
            State::Alias => "alias",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an invalid or unseen page is, for people who have to act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The server says there is no such page.
    Gone,
    /// The page could not be had this time.
    Unreachable,
    /// The URL itself is wrong.
    Malformed,
    /// We were asked to wait, to log in, or to keep out: nothing is known of the page.
    Unknown,
}

macro_rules! reasons {
    ($( $variant:ident = $code:literal, $state:ident, $name:literal, $says:literal; )*) => {
        /// Why a URL is in its state. The codes are kept in stores: never renumber.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Reason { $( #[doc = $says] $variant = $code, )* }

        impl Reason {
            pub const ALL: &'static [Reason] = &[ $( Reason::$variant, )* ];

            /// The reason a number stands for.
            pub fn from_code(code: u8) -> Option<Reason> {
                match code { $( $code => Some(Reason::$variant), )* _ => None }
            }

            /// The one state this reason belongs to.
            pub fn state(self) -> State {
                match self { $( Reason::$variant => State::$state, )* }
            }

            /// The word scripts see.
            pub fn name(self) -> &'static str {
                match self { $( Reason::$variant => $name, )* }
            }

            /// The sentence people see.
            pub fn says(self) -> &'static str {
                match self { $( Reason::$variant => $says, )* }
            }
        }
    };
}

reasons! {
    Waiting = 0, Queued, "waiting", "waiting to be fetched";
    Fetched = 1, Fetched, "fetched", "fetched and analysed";
    Imported = 2, Fetched, "imported", "imported with its links, not fetched";
    DepthLimit = 10, Skipped, "depth-limit", "farther from the start page than the depth limit";
    PageLimit = 11, Skipped, "page-limit", "the page limit was reached first";
    OutOfScope = 12, Skipped, "out-of-scope", "outside the scope of this survey";
    Robots = 13, Skipped, "robots", "robots.txt asks us not to fetch it";
    RobotsUnreachable = 14, Skipped, "robots-unreachable", "robots.txt could not be had, so the host is taken as closed";
    NoFollow = 15, Skipped, "nofollow", "only found behind links marked nofollow";
    Asset = 16, Skipped, "asset", "an image, style or script; those are fetched with --assets";
    Trap = 17, Skipped, "trap", "part of what looks like an endless series of pages";
    PrivateAddress = 18, Skipped, "private-address", "leads to a private address whose host and port were not named on the command line";
    Unauthorized = 19, Skipped, "unauthorized", "the server asks for a login (401, 407)";
    Forbidden = 20, Skipped, "forbidden", "the server refuses us (402, 403, 451)";
    AskedToWait = 21, Skipped, "asked-to-wait", "the server asked us to come back later (429)";
    NotWanted = 22, Skipped, "not-wanted", "the crawl strategy did not ask for it";
    Loose = 23, Skipped, "loose", "known from a sitemap only, and a depth limit is set";
    NotArchived = 24, Skipped, "not-archived", "not in the archive that the survey was made from";
    RuleRequired = 30, Excluded, "rule-required", "lacks a query parameter that its rule requires";
    RuleOneOf = 31, Excluded, "rule-one-of", "has a query parameter with a value its rule does not list";
    RuleIgnored = 32, Excluded, "rule-ignored", "its rule says to ignore this script";
    Excluded = 33, Excluded, "excluded", "matches an exclusion";
    NotIncluded = 34, Excluded, "not-included", "matches none of the inclusions";
    EndlessPath = 35, Excluded, "endless-path", "its path repeats itself or is too long to be meant";
    Logout = 36, Excluded, "logout", "would end the login that is in use";
    Malformed = 40, Broken, "malformed", "the URL does not parse";
    NotFound = 41, Broken, "not-found", "the server says there is no such page (404)";
    Gone = 42, Broken, "gone", "the server says the page is gone for good (410)";
    DnsFailure = 43, Broken, "dns", "the host name cannot be resolved";
    Refused = 44, Broken, "refused", "the server does not accept connections";
    Reset = 45, Broken, "reset", "the connection broke off";
    Tls = 46, Broken, "tls", "no secure connection could be made";
    TimeOut = 47, Broken, "time-out", "the server took too long";
    ServerError = 48, Broken, "server-error", "the server failed (5xx)";
    BadAnswer = 49, Broken, "bad-answer", "the answer is not proper HTTP";
    ClientError = 50, Broken, "client-error", "the server does not take this request (4xx)";
    RedirectLoop = 51, Broken, "redirect-loop", "its redirects lead in a circle";
    RedirectChain = 52, Broken, "redirect-chain", "more redirects in a row than the limit";
    BadRedirect = 53, Broken, "bad-redirect", "redirects to nowhere that can be visited";
    Redirected = 60, Alias, "redirected", "redirects to another URL";
    Folded = 61, Alias, "folded", "a variant of another URL, by a learned rule";
    Rewritten = 62, Alias, "rewritten", "another spelling of a URL, by a rule written since it was found";
}

impl Reason {
    /// The number the store keeps.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// What is wrong, where something is.
    pub fn fault(self) -> Option<Fault> {
        use Reason::*;
        match self {
            NotFound | Gone => Some(Fault::Gone),
            Malformed => Some(Fault::Malformed),
            Unauthorized | Forbidden | AskedToWait | Robots | RobotsUnreachable | NotArchived => Some(Fault::Unknown),
            r if r.state() == State::Broken => Some(Fault::Unreachable),
            _ => None,
        }
    }

    /// The verdict on an HTTP status that carries no page.
    pub fn of_status(status: u16) -> Reason {
        match status {
            404 => Reason::NotFound,
            410 => Reason::Gone,
            401 | 407 => Reason::Unauthorized,
            402 | 403 | 451 => Reason::Forbidden,
            429 => Reason::AskedToWait,
            408 => Reason::TimeOut,
            400..=499 => Reason::ClientError,
            500..=599 => Reason::ServerError,
            // No status of HTTP, but some sites turn robots away with 999.
            600..=999 => Reason::Forbidden,
            _ => Reason::BadAnswer,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_stable_and_round_trip() {
        for &reason in Reason::ALL {
            assert_eq!(Reason::from_code(reason.code()), Some(reason));
        }
        for state in State::ALL {
            assert_eq!(State::from_code(state.code()), Some(state));
        }
        assert_eq!(Reason::from_code(200), None);
    }

    #[test]
    fn a_page_that_asks_for_patience_is_never_broken() {
        for status in [401, 403, 407, 429, 451] {
            let reason = Reason::of_status(status);
            assert_eq!(reason.state(), State::Skipped, "{status}");
            assert_eq!(reason.fault(), Some(Fault::Unknown), "{status}");
        }
        assert_eq!(Reason::of_status(404).fault(), Some(Fault::Gone));
        assert_eq!(Reason::of_status(503).fault(), Some(Fault::Unreachable));
    }
}
