//! One page, several URLs: by which of those that somebody linked is it fetched?
//!
//! ```text
//! L        a URL as it was linked; F(L): what is asked for then: L itself, or what a written rule makes of it
//! fetched  by the first L, in the order of linking, for which robots.txt allows both L and F(L)
//! ```
//!
//! The canonical form, under which a page is looked up, is only asked for if it was linked itself or a written rule wants it: it has
//! sorted and dropped parameters that robots.txt may speak of, and nobody may have seen it work. The URLs are kept with the URL
//! (`Snapshot::linked`) where the canonical form is not the only one, the one it was fetched by first. While a robots.txt is not known,
//! or forbids all that are kept, others are added, up to `limits.robots_forms`.
//!
//! Cost: nothing for a link that is written in canonical form to a page that is allowed. Not guaranteed: that all ways of linking are
//! known, where several processes enter the same URL at the same moment.

use groma_url::Url;

use groma_model::url::{Canon, Canonizer};
use groma_model::{Fp, PageId, Reason};
use groma_page::robots::Robots;
use groma_store::{KnownAddress, Queued, StoreError};

use crate::kernel::Standing;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// The URL by which a page that was linked as `linked` is fetched, if robots.txt allows both.
pub(crate) fn allowed(robots: &Robots, canonizer: &Canonizer, linked: &Url) -> Option<Url> {
    if !robots.allows(linked) {
        return None;
    }
    let fetched = canonizer.as_fetched(linked);
    (fetched == *linked || robots.allows(&fetched)).then_some(fetched)
}

/// What is known of the robots.txt of a host.
enum Known<'a> {
    Rules(&'a Robots),
    /// Nothing of the host is fetched.
    Closed,
    /// It has not been asked, or others ask it.
    Nothing,
}

fn robots_of<'a>(survey: &'a OpenSurvey<'_>, url: &Url) -> Known<'a> {
    match survey.kernel.hosts.by_url(url).map(|host| &host.standing) {
        Some(Standing::Open { robots, .. }) => Known::Rules(robots),
        Some(Standing::Closed(..)) => Known::Closed,
        _ => Known::Nothing,
    }
}

/// Does robots.txt allow this very URL, as far as it is known?
pub(crate) fn allows(survey: &OpenSurvey<'_>, url: &Url) -> bool {
    match robots_of(survey, url) {
        Known::Rules(robots) => robots.allows(url),
        Known::Closed => false,
        Known::Nothing => true,
    }
}

/// A new URL was linked by a URL that is not its canonical form.
pub(crate) fn note_linked(survey: &mut OpenSurvey<'_>, id: PageId, fp: Fp, linked: &Url) {
    let fine = match robots_of(survey, linked) {
        Known::Rules(robots) => allowed(robots, &survey.lens.canonizer, linked).is_some(),
        _ => false,
    };
    survey.ledger.set_linked(id, linked.to_string());
    survey.ledger.set_doubtful(fp, !fine);
}

/// May it matter that a known address was linked by this URL too?
pub(crate) fn may_matter(survey: &OpenSurvey<'_>, known: KnownAddress, canon: &Canon) -> bool {
    if !known.doubtful && canon.linked.is_none() {
        return false;
    }
    match robots_of(survey, &canon.address.url) {
        Known::Rules(_) if known.doubtful => true,
        Known::Rules(robots) => !robots.allows(&canon.address.url),
        Known::Closed => false,
        Known::Nothing => true,
    }
}

/// A known address was linked by another URL. True: robots.txt had forbidden it, and may allow this one.
pub(crate) fn linked_again(
    survey: &mut OpenSurvey<'_>,
    known: KnownAddress,
    canon: &Canon,
) -> Result<bool, StoreError> {
    let (url, fp, linked) = (&canon.address.url, canon.address.fp, canon.as_linked());
    let now = match robots_of(survey, url) {
        Known::Rules(robots) => Some(allowed(robots, &survey.lens.canonizer, linked).is_some()),
        Known::Closed => return Ok(false),
        Known::Nothing => None,
    };
    if now == Some(false) {
        return Ok(false);
    }
    let reason = match survey.ledger.fresh(known.id) {
        Some(fresh) => Some(fresh.reason),
        None => survey.ledger.store.address(known.id)?.map(|row| row.reason),
    };
    let Some(reason) = reason.filter(|reason| {
        let open = [Reason::Waiting, Reason::Robots, Reason::NotWanted, Reason::NoFollow, Reason::Asset];
        open.contains(reason)
    }) else {
        survey.ledger.set_doubtful(fp, false);
        return Ok(false);
    };
    let mut urls = survey.ledger.linked(known.id)?.unwrap_or_else(|| url.to_string());
    let repeated = urls.lines().any(|one| one == linked.as_str());
    let full = urls.lines().count() as u64 >= survey.settings.limits.robots_forms;
    let fine = now.is_some() && (repeated || any_allowed(survey, url, &urls));
    if repeated || fine {
        survey.ledger.set_doubtful(fp, now.is_none());
        return Ok(false);
    }
    if full && now.is_none() {
        survey.limit_hit("robots_forms", 1);
        return Ok(false);
    }
    match now {
        // The one that is allowed is the one it is fetched by.
        Some(_) => urls = first(linked.as_str(), &urls, survey.settings.limits.robots_forms),
        None => urls = format!("{urls}\n{linked}"),
    }
    survey.ledger.set_linked(known.id, urls);
    survey.ledger.set_doubtful(fp, now.is_none());
    Ok(reason == Reason::Robots)
}

fn any_allowed(survey: &OpenSurvey<'_>, url: &Url, urls: &str) -> bool {
    let Known::Rules(robots) = robots_of(survey, url) else { return false };
    let mut urls = urls.lines().filter_map(|url| Url::parse(url).ok());
    urls.any(|linked| allowed(robots, &survey.lens.canonizer, &linked).is_some())
}

/// Another of the URLs that are known is allowed than the one that comes first.
pub(crate) fn prefer(survey: &mut OpenSurvey<'_>, row: &Queued, place: usize) {
    let urls = row.linked.as_deref().unwrap_or_default();
    if let Some(linked) = urls.lines().nth(place).filter(|_| place > 0) {
        survey.ledger.set_linked(row.id, first(linked, urls, survey.settings.limits.robots_forms));
    }
}

/// A page that was there is not, by the URL by which it was linked then: what that URL has beside the canonical form (a session,
/// say) may have had its time. If robots.txt allows it, the canonical form is asked for before the page counts as gone.
pub(crate) fn has_aged(survey: &OpenSurvey<'_>, slot: &Slot, reason: Reason) -> bool {
    use Reason::{ClientError, Forbidden, Gone, NotFound, Unauthorized};
    let refused = matches!(reason, NotFound | Gone | ClientError | Forbidden | Unauthorized);
    let linked = slot.spelling.is_some() && slot.spellings == 0;
    refused && linked && slot.before == Reason::Fetched && allows(survey, &slot.url)
}

/// It was another spelling of the same page than the one linked that was there: from now on it is asked for by that one.
pub(crate) fn note_spelling(survey: &mut OpenSurvey<'_>, slot: &Slot) -> Result<(), StoreError> {
    let spelling = slot.asks();
    if slot.spellings == 0 || survey.canon(spelling).address.url != slot.url {
        return Ok(());
    }
    let urls = survey.ledger.linked(slot.id)?.unwrap_or_else(|| slot.url.to_string());
    if urls.lines().next() != Some(spelling.as_str()) {
        survey.ledger.set_linked(slot.id, first(spelling.as_str(), &urls, survey.settings.limits.robots_forms));
    }
    Ok(())
}

/// The place among the known URLs of the one by which a URL is fetched, and what is asked for; nothing if robots.txt forbids all.
pub(crate) fn choose(robots: &Robots, canonizer: &Canonizer, row: &Queued, url: &Url) -> Option<(usize, Url)> {
    let Some(urls) = &row.linked else { return Some((0, allowed(robots, canonizer, url)?)) };
    let mut known = urls.lines().enumerate().filter_map(|(place, text)| Some((place, Url::parse(text).ok()?)));
    known.find_map(|(place, linked)| Some((place, allowed(robots, canonizer, &linked)?)))
}

/// The lines of `urls` with `linked` first, up to `most` of them.
fn first(linked: &str, urls: &str, most: u64) -> String {
    let others = urls.lines().filter(|url| *url != linked);
    let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
    std::iter::once(linked).chain(others).take(most).collect::<Vec<_>>().join("\n")
}
