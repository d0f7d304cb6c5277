//! The family of sites as a curve of steps: at a lower price of a page a larger site; and the member that is looked at.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;
use groma_model::wording::grouped;
use groma_tasks::bounds::{Header, PriceStep};

use super::naming::{counted_pages, price};

/// The field of the chart, in its own units.
const LEFT: f64 = 56.0;
const TOP: f64 = 12.0;
const WIDTH: f64 = 570.0;
const HEIGHT: f64 = 140.0;
/// Members drawn and listed at most; a family has some dozens.
const MOST: usize = 400;

/// The family of sites as a curve: pages by price.
#[derive(Template)]
#[template(path = "picture/family.html")]
pub(super) struct FamilyPicture {
    curve: String,
    plateau: String,
    dots: Vec<Dot>,
    /// The member that is looked at.
    here: (String, String),
    most: String,
    least: String,
    highest: String,
    lowest: String,
    label: String,
}

impl HtmlSafe for FamilyPicture {}

struct Dot {
    x: String,
    y: String,
    tip: String,
    chosen: bool,
}

/// A member, as a row.
pub(super) struct FamilyRow {
    pub(super) step: usize,
    pub(super) price: String,
    pub(super) pages: String,
    pub(super) boundary: String,
    pub(super) inside: String,
    pub(super) chosen: bool,
    pub(super) here: bool,
}

/// The family, and which of its members is looked at.
pub(super) struct Family {
    pub(super) picture: FamilyPicture,
    pub(super) rows: Vec<FamilyRow>,
    pub(super) step: usize,
    pub(super) last: usize,
    pub(super) chosen: usize,
    /// The member that is looked at, in words.
    pub(super) says: String,
    /// Its price, as a search takes it.
    pub(super) epsilon: String,
    pub(super) pages: String,
}

impl Family {
    /// Of a site; nothing if there is nothing to choose from. A step that is none is the last.
    pub(super) fn read(header: &Header, asked: Option<u32>) -> Option<Family> {
        let steps = &header.family[..header.family.len().min(MOST)];
        let last = steps.len().checked_sub(1).filter(|last| *last > 0)?;
        let chosen = header.chosen.min(last);
        let step = asked.map_or(chosen, |step| (step as usize).min(last));
        let here = &steps[step];
        let (first, _) = header.plateau();
        let row = |(at, one): (usize, &PriceStep)| FamilyRow {
            step: at,
            price: price(one.epsilon),
            pages: grouped(one.size.into()),
            boundary: format!("{:.2}", one.boundary),
            inside: format!("{:.2}", one.inside),
            chosen: at == chosen,
            here: at == step,
        };
        let mine = if step == chosen { "; this one was taken" } else { "" };
        Some(Family {
            picture: picture(steps, (first.min(chosen), chosen), step),
            rows: steps.iter().enumerate().map(row).collect(),
            step,
            last,
            chosen,
            says: format!(
                "Step {} of {}: a page costs {}, the site has {}, its boundary is {:.2}{mine}.",
                step + 1,
                last + 1,
                price(here.epsilon),
                counted_pages(here.size),
                here.boundary
            ),
            epsilon: here.epsilon.to_string(),
            pages: counted_pages(here.size),
        })
    }
}

fn picture(steps: &[PriceStep], plateau: (usize, usize), here: usize) -> FamilyPicture {
    // Logarithms on both sides: prices fall by factors, and sites grow by them.
    let price_of = |step: &PriceStep| step.epsilon.max(1e-300).ln();
    let size_of = |step: &PriceStep| f64::from(step.size.max(1)).ln();
    let span = |of: &dyn Fn(&PriceStep) -> f64| {
        let (low, high) =
            steps.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        (low, (high - low).max(1e-9))
    };
    let ((low, prices), (least, sizes)) = (span(&price_of), span(&size_of));
    let x = |step: &PriceStep| LEFT + (1.0 - (price_of(step) - low) / prices) * WIDTH;
    let y = |step: &PriceStep| TOP + HEIGHT - (size_of(step) - least) / sizes * HEIGHT;
    let path = |part: &[PriceStep]| {
        let mut path = String::new();
        for (at, step) in part.iter().enumerate() {
            let _ = match at {
                0 => write!(path, "M{:.1} {:.1}", x(step), y(step)),
                _ => write!(path, "H{:.1}V{:.1}", x(step), y(step)),
            };
        }
        path
    };
    let dot = |(at, step): (usize, &PriceStep)| Dot {
        x: format!("{:.1}", x(step)),
        y: format!("{:.1}", y(step)),
        tip: format!("step {}: {} at {}", at + 1, counted_pages(step.size), price(step.epsilon)),
        chosen: at == plateau.1,
    };
    let size = |step: Option<&PriceStep>| step.map_or_else(String::new, |step| grouped(step.size.into()));
    let cost = |step: Option<&PriceStep>| step.map_or_else(String::new, |step| price(step.epsilon));
    FamilyPicture {
        curve: path(steps),
        plateau: path(&steps[plateau.0..=plateau.1]),
        dots: steps.iter().enumerate().map(dot).collect(),
        here: (format!("{:.1}", x(&steps[here])), format!("{:.1}", y(&steps[here]))),
        most: size(steps.iter().max_by_key(|step| step.size)),
        least: size(steps.iter().min_by_key(|step| step.size)),
        highest: cost(steps.first()),
        lowest: cost(steps.last()),
        label: format!(
            "Pages by price: from {} at {} to {} at {}; the table of all steps has the same",
            size(steps.first()),
            cost(steps.first()),
            size(steps.last()),
            cost(steps.last())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(epsilon: f64, size: u32) -> PriceStep {
        PriceStep { epsilon, size, boundary: 1.0, inside: 2.0 }
    }

    #[test]
    fn all_points_are_in_the_field_whatever_the_numbers() {
        let odd = [step(0.0, 0), step(f64::MIN_POSITIVE, 1), step(f64::MAX, u32::MAX), step(0.01, 1)];
        let usual = [step(0.3, 1), step(0.2, 40), step(0.1, 41), step(0.05, 9_000)];
        for steps in [&odd[..], &usual, &[step(0.1, 5), step(0.1, 5)]] {
            let picture = picture(steps, (0, 1), 1);
            for dot in &picture.dots {
                let (x, y): (f64, f64) = (dot.x.parse().unwrap(), dot.y.parse().unwrap());
                assert!((LEFT..=LEFT + WIDTH).contains(&x) && (TOP..=TOP + HEIGHT).contains(&y), "{x} {y}");
            }
        }
    }

    #[test]
    fn lower_prices_stand_to_the_right_and_larger_sites_above() {
        let picture = picture(&[step(0.3, 1), step(0.1, 50)], (0, 0), 0);
        assert_eq!(picture.curve, "M56.0 152.0H626.0V12.0");
        assert!(picture.dots[0].chosen && !picture.dots[1].chosen);
    }
}
