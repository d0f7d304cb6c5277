//! What URLs outside a survey answered, ready to be looked up: redirects followed to their end.
//!
//! ```text
//! end(q)   = q, if it answered for itself; end(r), if it leads to r; unknown, if r was not asked
//! moved(q) = the last r that only redirects for good (301, 308) led to, if it is there in the end
//! ```
//!
//! Cost: 48 bytes a URL that was asked, and the text of where redirects lead; a look-up is a search in what is sorted.

use groma_check::Asked;
use groma_model::{Fp, Reason};
use groma_store::StoreError;
use groma_store::outside::{Outside, OutsideAnswer};

/// Longer chains are broken, as they are inside a survey.
const HOPS: usize = 20;

struct Row {
    print: Fp,
    since: i64,
    status: u16,
    reason: Reason,
    leads_to: Option<Box<str>>,
}

/// Answers of URLs outside a survey.
#[derive(Default)]
pub struct OutsideAnswers {
    rows: Vec<Row>,
}

impl OutsideAnswers {
    /// Reads what was kept; nothing was, where nobody ever asked.
    pub fn read(keeper: Option<&mut Outside>) -> Result<OutsideAnswers, StoreError> {
        let mut rows = Vec::new();
        if let Some(keeper) = keeper {
            keeper.each(&mut |answer| {
                let OutsideAnswer { url, since, reason, status, leads_to, .. } = answer;
                let leads_to = (reason == Reason::Redirected).then(|| leads_to.into_boxed_str());
                rows.push(Row { print: Fp::hash_bytes(url.as_bytes()), since, status, reason, leads_to });
            })?;
        }
        rows.sort_unstable_by_key(|row| row.print);
        Ok(OutsideAnswers { rows })
    }

    fn row(&self, url: &str) -> Option<&Row> {
        let print = Fp::hash_bytes(url.as_bytes());
        let at = self.rows.binary_search_by_key(&print, |row| row.print).ok()?;
        self.rows.get(at)
    }

    /// What a URL answered in the end; nothing if nobody knows.
    pub fn of_url(&self, url: &str) -> Option<Asked<'_>> {
        let first = self.row(url)?;
        let (mut row, mut moved_to, mut for_good) = (first, "", true);
        for hop in 0..=HOPS {
            let Some(to) = row.leads_to.as_deref() else {
                let since = if std::ptr::eq(row, first) { row.since } else { first.since.max(row.since) };
                let moved_to = if row.reason == Reason::Fetched { moved_to } else { "" };
                return Some(Asked { reason: row.reason, since, moved_to });
            };
            for_good &= matches!(row.status, 301 | 308);
            if for_good {
                moved_to = to;
            }
            match self.row(to) {
                Some(next) => row = next,
                // Nobody asked any further.
                None if hop == HOPS => break,
                None => return None,
            }
        }
        let loops = self.returns(first);
        let reason = if loops { Reason::RedirectLoop } else { Reason::RedirectChain };
        Some(Asked { reason, since: first.since, moved_to: "" })
    }

    /// Does a long chain come back to where it was?
    fn returns(&self, first: &Row) -> bool {
        let next = |row: &Row| row.leads_to.as_deref().and_then(|to| self.row(to));
        let (mut slow, mut fast) = (Some(first), Some(first));
        while let (Some(one), Some(two)) = (slow.and_then(next), fast.and_then(next).and_then(next)) {
            if one.print == two.print {
                return true;
            }
            (slow, fast) = (Some(one), Some(two));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(rows: &[(&str, Reason, u16, &str)]) -> OutsideAnswers {
        let row = |(url, reason, status, to): &(&str, Reason, u16, &str)| Row {
            print: Fp::hash_bytes(url.as_bytes()),
            since: 7,
            status: *status,
            reason: *reason,
            leads_to: (*reason == Reason::Redirected).then(|| (*to).into()),
        };
        let mut rows: Vec<Row> = rows.iter().map(row).collect();
        rows.sort_unstable_by_key(|row| row.print);
        OutsideAnswers { rows }
    }

    #[test]
    fn redirects_are_followed_and_those_for_good_named() {
        use Reason::{Fetched, NotFound, Redirected};
        let known = answers(&[
            ("a", Redirected, 301, "b"),
            ("b", Redirected, 308, "c"),
            ("c", Redirected, 302, "d"),
            ("d", Fetched, 200, ""),
            ("e", Redirected, 302, "a"),
            ("f", Redirected, 301, "gone"),
            ("gone", NotFound, 404, ""),
            ("g", Redirected, 301, "nobody asked"),
        ]);
        let told = |url: &str| known.of_url(url).map(|asked| (asked.reason, asked.moved_to.to_owned()));
        assert_eq!(told("a"), Some((Fetched, "c".to_owned())), "from c on it is for the time being");
        assert_eq!(told("d"), Some((Fetched, String::new())));
        assert_eq!(told("e"), Some((Fetched, String::new())));
        assert_eq!(told("f"), Some((NotFound, String::new())));
        assert_eq!((told("g"), told("x")), (None, None));
    }

    #[test]
    fn circles_and_endless_chains_are_told_apart() {
        let circle = answers(&[("a", Reason::Redirected, 301, "b"), ("b", Reason::Redirected, 301, "a")]);
        assert_eq!(circle.of_url("a").map(|asked| asked.reason), Some(Reason::RedirectLoop));
        let names: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        let chain: Vec<_> =
            names.windows(2).map(|pair| (pair[0].as_str(), Reason::Redirected, 301, pair[1].as_str())).collect();
        let known = answers(&[&chain[..], &[("39", Reason::Fetched, 200, "")]].concat());
        assert_eq!(known.of_url("0").map(|asked| asked.reason), Some(Reason::RedirectChain));
        let cut = answers(&chain[..21]);
        assert_eq!(cut.of_url("0").map(|asked| asked.reason), Some(Reason::RedirectChain), "as far as it was asked");
        assert_eq!(cut.of_url("1"), None);
        assert_eq!(known.of_url("25").map(|asked| asked.reason), Some(Reason::Fetched));
    }
}
