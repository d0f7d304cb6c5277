//! Templates for practice: how real systems for journals and repositories differ, each imitated in one file.
//!
//! They came after the comparisons of strategies and the first figures on held-out pages, so they stand apart: the splits
//! `development`, `held-out` and `all` give the same bytes as before.

mod archive_ouverte;
mod bulletin;
mod coletanea;
mod deposit;
mod eprint_house;
mod gakkai;
mod hyperjournal;
mod letters;
mod medline;
mod mosaico;
mod nauka;
mod openpages;
mod revista;
mod ronbun;
mod sciencehall;
mod showcase;
mod transactions;
mod word_lists;
mod xueshu;

use super::Template;

/// All of them, in the order of their numbers.
pub(super) fn all() -> Vec<&'static dyn Template> {
    let mut all: Vec<&'static dyn Template> = vec![
        &revista::Revista,
        &deposit::Deposit,
        &eprint_house::EprintHouse,
        &medline::Medline,
        &coletanea::Coletanea,
        &gakkai::Gakkai,
        &archive_ouverte::ArchiveOuverte,
        &nauka::Nauka,
        &letters::Letters,
        &sciencehall::ScienceHall,
        &openpages::OpenPages,
        &bulletin::Bulletin,
        &hyperjournal::Hyperjournal,
        &ronbun::Ronbun,
        &xueshu::Xueshu,
        &transactions::Transactions,
        &showcase::Showcase,
        &mosaico::Mosaico,
    ];
    all.extend(word_lists::all());
    all
}
