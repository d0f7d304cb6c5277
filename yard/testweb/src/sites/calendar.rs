//! A calendar without end beside a small real site.
//!
//! Truth: the home page and [`Calendar::real`] pages `/page/i.html` (1 and up), each with a word of its own, all
//! reachable at depth 2 or less. The home page and every third real page also lead into the calendar: a month leads
//! to the month before, the month after and its days; a day to the day's month. Months and days say the date and that
//! nothing is planned: they differ in numbers only and do not end for a million years either way. URLs are
//! `/calendar/2024/5/` and `/calendar/2024/5/17/`, or with [`Calendar::in_query`] `/calendar?year=2024&month=5` and `...&day=17`.

use super::number_in;
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct Calendar {
    /// How many real pages there are besides the home page.
    pub real: usize,
    /// Whether the date stands in the query and not in the path.
    pub in_query: bool,
}

impl Default for Calendar {
    fn default() -> Self {
        Calendar { real: 50, in_query: false }
    }
}

impl Calendar {
    /// The paths of the real pages, the home page first.
    pub fn real_paths(&self) -> Vec<String> {
        std::iter::once("/".to_owned()).chain((1..=self.real).map(|i| format!("/page/{i}.html"))).collect()
    }

    fn path(&self, year: i64, month: i64, day: Option<i64>) -> String {
        match (self.in_query, day) {
            (false, None) => format!("/calendar/{year}/{month}/"),
            (false, Some(day)) => format!("/calendar/{year}/{month}/{day}/"),
            (true, None) => format!("/calendar?year={year}&month={month}"),
            (true, Some(day)) => format!("/calendar?year={year}&month={month}&day={day}"),
        }
    }

    fn date(&self, ask: &Ask) -> Option<(i64, i64, Option<i64>)> {
        let (year, month, day) = if self.in_query {
            (ask.param("year")?, ask.param("month")?, ask.param("day"))
        } else {
            let mut parts = ask.path.strip_prefix("/calendar/")?.strip_suffix('/')?.splitn(3, '/');
            (parts.next()?, parts.next()?, parts.next())
        };
        let (year, month) = (year.parse().ok()?, month.parse().ok()?);
        let day =
            day.map(|day| day.parse().ok().filter(|d| (1..=28).contains(d))).map_or(Some(None), |d| d.map(Some))?;
        ((-1_000_000..1_000_000).contains(&year) && (1..=12).contains(&month)).then_some((year, month, day))
    }

    fn leaf(&self, (year, month, day): (i64, i64, Option<i64>)) -> Answer {
        if let Some(day) = day {
            let page = Page::new(&format!("{year}-{month}-{day}")).says("Nothing is planned on this day.");
            return page.link(&self.path(year, month, None), "month").link("/", "home").answer();
        }
        let months = year * 12 + month - 1;
        let at = |n: i64| self.path(n.div_euclid(12), n.rem_euclid(12) + 1, None);
        Page::new(&format!("{year}-{month}"))
            .says("Nothing is planned in this month.")
            .link(&at(months - 1), "previous")
            .link(&at(months + 1), "next")
            .links((1..=28).map(|day| self.path(year, month, Some(day))))
            .answer()
    }

    fn real_page(&self, i: usize) -> Answer {
        let mut page = if i == 0 {
            // Half of the pages hang on others, so that the real site is not all in one page.
            Page::new("Home")
                .says("A small society.")
                .links((1..=self.real.div_ceil(2)).map(|i| format!("/page/{i}.html")))
        } else {
            Page::new(&format!("Page {i}")).says(&format!("{} {}", word(i as u64 + 2048), words(i as u64, 80)))
        };
        let next = i + self.real.div_ceil(2);
        if i > 0 && next <= self.real {
            page.add_link(&format!("/page/{next}.html"), "more");
        }
        if i.is_multiple_of(3) {
            page.add_link(&self.path(2024, i as i64 % 12 + 1, None), "calendar");
        }
        page.link("/", "home").answer()
    }
}

impl Web for Calendar {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.bare_path().starts_with("/calendar") {
            return self.date(ask).map_or_else(|| Answer::status(404), |date| self.leaf(date));
        }
        let page = if ask.path == "/" { Some(0) } else { number_in(&ask.path, "/page/", ".html").filter(|i| *i > 0) };
        match page {
            Some(i) if i <= self.real => self.real_page(i),
            _ => Answer::status(404),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn the_real_site_is_shallow_and_the_calendar_endless() {
        for in_query in [false, true] {
            let site = Calendar { in_query, ..Calendar::default() };
            let walk = naive(&site, 3000);
            for path in site.real_paths() {
                assert!(walk.depth[&path] <= 2, "{path}");
            }
            assert_eq!((walk.count(200), walk.contents), (3000, 3000));
            assert!(walk.left > 0, "there is always more");
            assert!(naive(&site, 6000).depth.values().max() > walk.depth.values().max());
        }
    }

    #[test]
    fn years_turn_at_both_ends() {
        let body = |path: &str| String::from_utf8(Calendar::default().answer(&Ask::get(path)).body).unwrap();
        assert!(body("/calendar/2024/12/").contains("/calendar/2025/1/"));
        assert!(body("/calendar/0/1/").contains("/calendar/-1/12/"));
        for bad in ["/calendar/2024/13/", "/calendar/2024/5/29/", "/calendar/x/5/", "/calendar/9999999999999999/5/"] {
            assert_eq!(Calendar::default().answer(&Ask::get(bad)).status, 404, "{bad}");
        }
    }
}
