//! Which shapes say it at a glance? Bars, curves and sparks as inline SVG, drawn on the server.
//!
//! Pictures hold numbers and words of ours; the names in them are escaped by their own templates. So they go into pages as they
//! are (`HtmlSafe`). Colors are classes of the style sheet: the policy of the pages allows no style attributes.

mod curve;
mod harvest;

use askama::Template;
use askama::filters::HtmlSafe;
use groma_model::wording::grouped;
use groma_tasks::standing::Standing;

pub(crate) use curve::{Course, Spark};
pub(crate) use harvest::{Harvest, MOST_LINES, Reaped, Richness, stretch_of};

/// The width of bars in their own units; they stretch to the room there is.
const WIDTH: f64 = 1000.0;

/// The balance as one bar: how many URLs are in which state.
#[derive(Template)]
#[template(path = "picture/balance.html")]
pub(crate) struct BalanceBar {
    parts: Vec<Part>,
    total: u64,
    /// The numbers stand below it.
    legend: bool,
}

struct Part {
    name: &'static str,
    says: &'static str,
    class: &'static str,
    count: u64,
    x: f64,
    width: f64,
}

impl HtmlSafe for BalanceBar {}

impl BalanceBar {
    pub(crate) fn draw(standing: &Standing, legend: bool) -> BalanceBar {
        let states = [
            ("fetched", "fetched and analysed", "s-fetched", standing.fetched),
            ("queued", "waiting to be fetched", "s-queued", standing.queued),
            ("skipped", "known, not fetched", "s-skipped", standing.skipped),
            ("excluded", "left out by a rule or by you", "s-excluded", standing.excluded),
            ("broken", "lead nowhere", "s-broken", standing.broken),
        ];
        let total: u64 = states.iter().map(|state| state.3).sum();
        let mut x = 0.0;
        let parts = states.into_iter().map(|(name, says, class, count)| {
            let width = share(count, total);
            let part = Part { name, says, class, count, x, width };
            x += width;
            part
        });
        BalanceBar { parts: parts.collect(), total, legend }
    }

    /// For those who hear it.
    fn label(&self) -> String {
        let parts: Vec<String> = self
            .parts
            .iter()
            .filter(|part| part.count > 0)
            .map(|part| format!("{} {}", grouped(part.count), part.name))
            .collect();
        format!("{} URLs: {}", grouped(self.total), parts.join(", "))
    }
}

/// A list of names with numbers and bars.
#[derive(Template)]
#[template(path = "picture/bars.html")]
pub(crate) struct Bars {
    rows: Vec<Bar>,
}

/// A row of [`Bars`]. The name may come from a crawled page: it is escaped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bar {
    pub(crate) name: String,
    /// Where it leads; empty: nowhere.
    pub(crate) href: String,
    pub(crate) count: u64,
    /// What the number is called when it is not a plain number.
    pub(crate) shown: String,
    /// A class of the style sheet; empty: the accent.
    pub(crate) class: &'static str,
    /// What more there is to say about it.
    pub(crate) says: String,
    /// Given by [`Bars::draw`].
    pub(crate) width: f64,
}

impl HtmlSafe for Bars {}

impl Bars {
    /// With the longest bar for the greatest number.
    pub(crate) fn draw(mut rows: Vec<Bar>) -> Bars {
        let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
        for row in &mut rows {
            row.width = share(row.count, most);
            if row.shown.is_empty() {
                row.shown = grouped(row.count);
            }
            if row.class.is_empty() {
                row.class = "fill";
            }
        }
        Bars { rows }
    }

    /// There is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// How wide a part is; what is there at all can be seen.
fn share(part: u64, whole: u64) -> f64 {
    if part == 0 || whole == 0 {
        return 0.0;
    }
    (part as f64 / whole as f64 * WIDTH).max(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_pictures_are_escaped() {
        let name = "<script>alert(1)</script>".to_owned();
        let bars = Bars::draw(vec![Bar { name, href: "/x?a=\"b".into(), count: 1, ..Bar::default() }]).to_string();
        assert!(!bars.contains("<script") && bars.contains("&#60;script"), "{bars}");
        assert!(!bars.contains("\"b\""), "{bars}");
    }

    #[test]
    fn the_longest_bar_is_the_greatest_number_and_none_is_lost() {
        let row = |count| Bar { count, ..Bar::default() };
        let bars = Bars::draw(vec![row(1_000_000), row(500_000), row(1), row(0)]);
        let widths: Vec<f64> = bars.rows.iter().map(|row| row.width).collect();
        assert_eq!(widths, [1000.0, 500.0, 2.0, 0.0]);
        assert_eq!(bars.rows[0].shown, "1,000,000");
    }
}
