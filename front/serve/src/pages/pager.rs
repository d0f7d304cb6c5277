//! Which part of a list is shown, and the parts before and after it.

use groma_model::wording::grouped;

use super::layout::short;
use crate::error::Problem;

/// Pages of a list.
#[derive(Default)]
pub(super) struct Pager {
    pub(super) says: String,
    pub(super) back: Option<String>,
    pub(super) next: Option<String>,
}

/// Which part of a list is shown, and the parts before and after.
pub(super) fn pager(page: usize, shown: usize, all: usize, href: &dyn Fn(&str) -> String) -> Pager {
    let from = (page - 1).saturating_mul(shown);
    if all <= shown && page == 1 {
        return Pager::default();
    }
    let to = from.saturating_add(shown).min(all);
    let says = if from >= all {
        format!("there are {} only", grouped(all as u64))
    } else {
        format!("{} to {} of {}", grouped(from as u64 + 1), grouped(to as u64), grouped(all as u64))
    };
    Pager {
        says,
        back: (page > 1).then(|| href(&(page - 1).to_string())),
        next: (to < all).then(|| href(&(page + 1).to_string())),
    }
}

/// A number of a query; nothing if it is left out.
pub(super) fn query_number(text: &str, name: &str) -> Result<Option<u32>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let bad = |_| {
        Problem::bad(format!("{name}={} is no number", short(text, 40)), format!("write {name}=3, or leave it out"))
    };
    text.parse().map(Some).map_err(bad)
}

/// Which part of a list is asked for, from 1; the first if it is left out.
pub(super) fn part_number(text: &str, name: &str) -> Result<usize, Problem> {
    Ok(query_number(text, name)?.unwrap_or(1).max(1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_or_refused_with_a_hint() {
        assert_eq!(query_number(" 3 ", "depth").unwrap(), Some(3));
        assert_eq!(query_number("", "depth").unwrap(), None);
        let problem = query_number("<b>", "depth").unwrap_err();
        assert!(problem.detail.contains("depth=<b> is no number") && problem.hint.contains("depth=3"));
    }
}
