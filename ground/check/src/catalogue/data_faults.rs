//! What is at fault in the structured data of a page, in words.

use groma_model::DataSyntax;

use crate::catalogue::view::{PageView, cut};
use crate::structured::{Flaw, card_faults, item_faults};

/// The faults of this sort in the items of a page: the first, and how many more.
pub(crate) fn of_page(page: &PageView<'_>, flaw: Flaw) -> Option<String> {
    let faults = item_faults(page.content.structured?);
    some_of(faults.iter().filter(|fault| fault.flaw == flaw).map(|fault| fault.says()))
}

/// The faults of a card of the page.
pub(crate) fn of_card(page: &PageView<'_>, card: DataSyntax) -> Option<String> {
    some_of(card_faults(page.content.metas).iter().filter(|fault| fault.syntax == card).map(|fault| fault.says()))
}

fn some_of(mut faults: impl Iterator<Item = String>) -> Option<String> {
    let first = cut(&faults.next()?);
    let more = faults.count();
    Some(if more > 0 { format!("{first} (and {more} more)") } else { first })
}
