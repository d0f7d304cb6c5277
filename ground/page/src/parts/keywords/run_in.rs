//! Keywords after a word that announces them, in the same line.
//!
//! The word stands at the beginning, or later if it is set apart or ends in a colon. Cost: linear in the blocks; of a line the first
//! [`COLONS`] colons are looked at.

use super::super::hints::Hints;
use super::super::outline::{NONE, Run};
use super::super::sections::{self, Sections};
use super::super::spot::Spot;
use super::super::view::View;
use super::super::wording::{self, Label};
use super::words::{WORDS, split};
use super::{About, better, weak};

/// How sure we are.
const SURE: u8 = 85;
/// Colons of a line that may end a label, and bytes after them that may be keywords.
const COLONS: usize = 8;
const REST: usize = 600;

pub(super) fn run_in_keywords(view: &View<'_>, sections: &Sections, about: &About<'_>) -> Vec<Spot> {
    let mut best: Vec<Spot> = Vec::new();
    for block in 0..view.blocks.len() {
        let outside = Hints::RELATED.with(Hints::COMMENT).with(Hints::NAVIGATION).with(Hints::FORM);
        if !view.is_body(block) || view.blocks[block].within.any(outside) {
            continue;
        }
        let Some((label, from)) = announced(view, block) else { continue };
        let mut words = Vec::new();
        split(view, block, from, SURE, &mut words);
        // One to a line, the first beside the label.
        let lines = (block + 1..view.blocks.len()).take(WORDS);
        for line in lines.take_while(|line| view.page_block(*line) == view.page_block(block)) {
            if words.len() + block != line
                || wording::inline(view.block_text(line), 0).is_some()
                || !split(view, line, 0, SURE, &mut words)
            {
                break;
            }
        }
        if label == Label::Subjects {
            let aside = view.blocks[block].within.any(Hints::OUTSIDE) || sections::is_aside(sections.label(block));
            let Some(sure) = weak(&words, about, aside) else { continue };
            words.iter_mut().for_each(|word| word.confidence = sure);
        }
        if better(&words, &best) {
            best = words;
        }
    }
    best
}

/// The label of a line and where what it announces begins.
fn announced(view: &View<'_>, block: usize) -> Option<(Label, usize)> {
    let is_list = |label: Label| matches!(label, Label::Keywords | Label::Subjects);
    let first = view.announced(block).filter(|(label, _)| is_list(*label));
    first.or_else(|| buried(view, block))
}

/// Keywords at the end of a line that begins with something else: after a label that is set apart, or one with a mark.
fn buried(view: &View<'_>, block: usize) -> Option<(Label, usize)> {
    const LABELS: [&str; 2] = ["Keywords—", "Index Terms—"];
    let text = view.block_text(block);
    let set_apart = |run: &Run| {
        let told = run.from > 0 && run.link == NONE && run.len() < 60;
        let label = if told { wording::label(view.run_text(run)) } else { None };
        label.filter(|label| *label == Label::Keywords).map(|label| (label, run.to as usize))
    };
    let apart = view.runs(block).iter().find_map(set_apart);
    let (label, from) = apart.or_else(|| before_colon(text)).or_else(|| {
        let labels = if text.is_ascii() { &[] } else { &LABELS[..] };
        labels.iter().find_map(|label| text.find(label).map(|at| (Label::Keywords, at + label.len())))
    })?;
    let rest = text.get(from..)?;
    let marks = rest.len() - rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '#').len();
    (rest.len() < REST).then_some((label, from + marks))
}

/// A label within a line: from the end of a sentence to a colon.
fn before_colon(text: &str) -> Option<(Label, usize)> {
    for (at, colon) in text.match_indices([':', '：']).take(COLONS) {
        let before = &text[..at];
        let start = before.rfind(['.', '。', '|', ';', '；', '·', '•', '!', '?', ')', '"', '”']);
        let start = start.map_or(0, |start| start + before[start..].chars().next().map_or(1, char::len_utf8));
        let label = wording::label(&before[start..]);
        if let Some(label) = label.filter(|label| matches!(label, Label::Keywords | Label::Subjects)) {
            return Some((label, at + colon.len()));
        }
    }
    None
}
