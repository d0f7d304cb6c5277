//! Held-out templates: not to be read by whoever works on what reads pages.

mod circuits;
mod computing;
mod kenkyu;
mod leaflet;
mod medical;
mod openpress;
mod repositorio;
mod saber;

use super::Template;

/// All of them, in the order of their numbers.
pub(super) fn all() -> Vec<&'static dyn Template> {
    vec![
        &circuits::Circuits,
        &computing::Computing,
        &kenkyu::Kenkyu,
        &repositorio::Repositorio,
        &saber::Saber,
        &medical::Medical,
        &openpress::OpenPress,
        &leaflet::Leaflet,
    ]
}
