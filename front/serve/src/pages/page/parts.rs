//! The chart of a page: how large is what it links to, by sort of content?

use groma_chart::{Labels, Parts, Sort};
use groma_model::wording::{grouped, size};
use groma_store::Snapshot;
use groma_survey_graph::StoreLabels;

use crate::error::Problem;
use crate::sites::Drawn;

pub(super) struct PartsChart {
    pub(super) bars: Vec<Bar>,
    /// Sizes are not known: files are counted instead.
    pub(super) counted: bool,
}

/// A sort of content.
pub(super) struct Bar {
    pub(super) name: &'static str,
    pub(super) class: &'static str,
    pub(super) files: String,
    pub(super) bytes: String,
    pub(super) x: String,
    pub(super) width: String,
}

/// The classes of the sorts, as on the map.
const CLASSES: [&str; 7] = ["c0", "c1", "c3", "c2", "c7", "c4", "c6"];

impl PartsChart {
    /// Of a page; nothing if it links to nothing.
    pub(super) fn read(store: &mut dyn Snapshot, drawn: &Drawn, node: u32) -> Result<Option<PartsChart>, Problem> {
        let parts = StoreLabels::new(store, &drawn.graph, true)?.label(node)?.parts;
        Ok(PartsChart::draw(&parts))
    }

    fn draw(parts: &Parts) -> Option<PartsChart> {
        let known = parts.total() > 0;
        let weight = |sort: Sort| {
            let at = sort as usize;
            if known { parts.bytes[at] as f64 } else { f64::from(parts.files[at]) }
        };
        let all: f64 = Sort::ALL.iter().map(|sort| weight(*sort)).sum();
        if parts.is_empty() || all <= 0.0 {
            return None;
        }
        let mut x = 0.0;
        let bars = Sort::ALL.iter().filter(|sort| parts.files[**sort as usize] > 0).map(|sort| {
            let width = 1000.0 * weight(*sort) / all;
            let bar = Bar {
                name: sort.name(),
                class: CLASSES[*sort as usize],
                files: grouped(parts.files[*sort as usize].into()),
                bytes: size(parts.bytes[*sort as usize]),
                x: format!("{x:.1}"),
                width: format!("{width:.1}"),
            };
            x += width;
            bar
        });
        Some(PartsChart { bars: bars.collect(), counted: !known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_make_the_chart_and_numbers_do_where_none_is_known() {
        assert!(PartsChart::draw(&Parts::default()).is_none());
        let mut parts = Parts::default();
        parts.add(Sort::Image, None);
        parts.add(Sort::Page, None);
        let chart = PartsChart::draw(&parts).unwrap();
        assert!(chart.counted && chart.bars.iter().all(|bar| bar.width == "500.0"));
        parts.add(Sort::Page, Some(3_000));
        parts.add(Sort::Image, Some(1_000));
        let chart = PartsChart::draw(&parts).unwrap();
        let told: Vec<_> =
            chart.bars.iter().map(|bar| (bar.name, bar.files.as_str(), bar.x.as_str(), bar.width.as_str())).collect();
        assert_eq!(told, [("page", "2", "0.0", "750.0"), ("image", "2", "750.0", "250.0")]);
    }
}
