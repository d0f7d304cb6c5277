//! What the questions have come to: the statement, why it is no certificate, and what it rests on.

use std::collections::BTreeSet;

use groma_gather::answer::{Total, TotalKind};
use groma_gather::cover::probe::Joined;
use groma_gather::cover::{self, Statement};

use super::controls::short;
use super::outline::{LeftOut, Outline};
use super::questions::{Course, Questions};
use super::settings::How;

impl Questions {
    /// What has been reached, over all bases.
    pub(super) fn statement(&self) -> Statement {
        let all = self.statements();
        let (questions, pages) = match &self.course {
            Some(Course::Product { next, pages, .. }) => (*next, *pages),
            _ => (self.traffic.questions.len() as u64, self.traffic.pages.len() as u64),
        };
        let rows = self.known.len();
        let one = if let [(one, _)] = &all[..] { Some(one) } else { None };
        let ratio = |least: fn(&Statement) -> Option<u64>| {
            all.iter().map(|(statement, _)| least(statement)).try_fold(0_u64, |sum, least| Some(sum.max(least?)))
        };
        Statement {
            certified: !all.is_empty() && !self.is_unfinished() && all.iter().all(|(statement, _)| statement.certified),
            rows,
            // What further bases bring is not in the total of the first.
            estimate: one.and_then(|one| one.estimate).filter(|_| self.account.reasons().is_empty()),
            questions,
            pages,
            least_questions: if all.is_empty() { None } else { ratio(|one| one.least_questions) },
            least_pages: if all.is_empty() { None } else { ratio(|one| one.least_pages) },
            open: all.iter().map(|(statement, _)| statement.open).sum(),
            reasons: all.iter().flat_map(|(statement, _)| statement.reasons.clone()).collect(),
        }
    }

    /// Of the base under way.
    pub(super) fn own_statement(&self) -> Statement {
        match &self.course {
            Some(Course::Cover(cover)) => cover.statement(),
            _ => Statement {
                certified: false,
                rows: 0,
                estimate: None,
                questions: 0,
                pages: 0,
                least_questions: None,
                least_pages: None,
                open: 0,
                reasons: Vec::new(),
            },
        }
    }

    /// Why there is no certificate for the base under way, in words.
    pub(super) fn own_reasons(&self, statement: &Statement) -> Vec<String> {
        use cover::Reason::{Ignored, Lacks, MayLack, Mismatch};
        let name = |axis: usize| self.axes.name(axis);
        let says = |reason: &cover::Reason| match reason {
            MayLack(axis) => format!("records without a value in the field {} may exist", name(*axis)),
            Lacks(axis) => format!("records without a value in the field {} exist", name(*axis)),
            Ignored(axis) => format!("the form takes no notice of the field {}", name(*axis)),
            Mismatch(axis) => format!("rows came that do not match what was asked in the field {}", name(*axis)),
            other => other.to_string(),
        };
        statement.reasons.iter().map(says).collect()
    }

    /// Why there is no certificate, in words.
    pub(super) fn reasons(&self) -> Vec<String> {
        if self.how() == How::Paper {
            return vec![
                "the paper's method asks a fixed list of questions and does not look whether answers are cut"
                    .to_owned(),
            ];
        }
        let mut reasons: Vec<String> = Vec::new();
        for reason in self.statements().into_iter().flat_map(|(_, reasons)| reasons).chain(self.account.reasons()) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons.extend(self.checks.flaws.iter().map(|flaw| (*flaw).to_owned()));
        if let Some((total, rows)) = self.checks.beyond_choices {
            reasons.push(format!(
                "the form as it stands states {total} records, and the values from which one must be chosen bring {rows}"
            ));
        }
        if self.checks.untried {
            reasons.push("the budget is spent before every control was tried".to_owned());
        }
        if self.checks.changed {
            reasons.push("the database changed while it was read".to_owned());
        }
        if let Some(total) = self.stated.filter(|_| !reasons.is_empty() && self.own_estimate().is_none()) {
            reasons.push(stated(total));
        }
        reasons
    }

    fn own_estimate(&self) -> Option<cover::Estimate> {
        self.statement().estimate
    }

    /// What is odd, what was found out, and what a certificate rests on.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self.own_notes().to_vec();
        notes.extend(self.account.notes.clone());
        notes.extend(self.joined_notes());
        let fixed = self.fixed_fields();
        if !fixed.is_empty() && self.how() == How::Whole {
            const NAMED: usize = 6;
            let more = if fixed.len() > NAMED { ", ..." } else { "" };
            let named: Vec<&str> = fixed.iter().take(NAMED).map(String::as_str).collect();
            notes.push(format!("sent as the form has it: {}{more}", named.join(", ")));
        }
        let samples = self.account.samples();
        if !samples.is_empty() {
            let named: Vec<String> = samples.iter().map(|name| short(name)).collect();
            notes.push(format!("of these lists not every value was tried: {}", named.join(", ")));
        }
        notes
    }

    /// Lists and boxes whose values no question varies: somebody may want that.
    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        const NAMED: usize = 100;
        let varied: BTreeSet<&str> = self.axes.fills.iter().flat_map(|fill| fill.names()).collect();
        let mut names = BTreeSet::new();
        let fields = self.form.fields.iter().filter(|field| field.kind.is_chosen() && field.is_variable());
        let left = fields.filter(|field| !varied.contains(field.name.as_str()) && names.insert(field.name.clone()));
        left.take(NAMED).map(|field| LeftOut { name: field.name.clone(), label: short(field.title()) }).collect()
    }

    /// How fields join several values, as far as that was found out.
    pub(super) fn joined_notes(&self) -> Vec<String> {
        let Some(Course::Cover(cover)) = &self.course else { return Vec::new() };
        let says = |axis: usize| {
            let said = match cover.joined(axis)? {
                Joined::And => "records must have all of them (AND)",
                Joined::Or => "records must have one of them (OR)",
                Joined::First => "only the first counts",
                Joined::Last => "only the last counts",
                Joined::Unknown => return None,
            };
            Some(format!("several values of the field {} at once: {said}", self.axes.name(axis)))
        };
        (0..self.axes.fills.len()).filter_map(says).collect()
    }

    /// What would be asked, and what it would cost.
    pub(super) fn outline(&self) -> Outline {
        let forecast = self.forecast();
        let product = self.found.asking().map_or(1, |asking| asking.requests());
        let total = self.stated.map(|total| total.number);
        let outline =
            Outline::from_form(&self.form, &self.axes, self.how(), forecast, product, total, self.tokens.len());
        Outline { budget: self.budget(), ..outline }
    }

    /// How answers are read, as somebody would write it down: a description that can be kept and fixed.
    pub(super) fn description(&self) -> String {
        self.description.to_string()
    }
}

/// A total in words.
fn stated(total: Total) -> String {
    let how = match total.kind {
        TotalKind::Exact => "",
        TotalKind::About => "about ",
        TotalKind::AtLeast => "at least ",
        TotalKind::AtMost => "at most ",
    };
    format!("how many records there are is not known; the site states {how}{}", total.number)
}
