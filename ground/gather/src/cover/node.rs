//! One question in the tree of questions, and what became of it.

use super::space::{Axis, Part, Question};
use super::split::Sample;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not asked yet.
    Waiting,
    /// Asked, not answered yet.
    Asked,
    /// All its rows were shown.
    Whole,
    /// Cut, and split along this axis into the children.
    Split(usize),
    /// Cut, and a point.
    Heavy,
    /// Perhaps cut, and a point.
    Undecided,
    /// Rows moved between pages, and a point.
    Moved,
    /// No answer, in spite of retries.
    Failed,
    /// Not asked: all that matches came with this slice, which was answered whole.
    Covered(u32),
    /// Not asked: the totals of the other parts come to the total of the whole. Taken up again if rows are missing in the end.
    Spared,
    /// Asked for its total only: whether the totals of the parts come to that of a list that shows its end.
    Counted,
    /// Not needed any more.
    Dropped,
}

/// Does an answer stop before its end?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Short {
    No,
    /// The totals of its parts come to more than it has: unless its records have several values, it does.
    Perhaps,
    /// It says so, or rows moved, or there is no other reason.
    Yes,
}

/// How long an answer is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) rows: u64,
    /// Its pages, if they have different numbers of rows; else 0.
    pub(super) uneven_pages: u64,
}

/// A question and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<u32>,
    pub(super) question: Question,
    /// The axis along which it was made of its parent.
    pub(super) along: Option<usize>,
    /// One value of a choice and nothing else, asked to spare others. Not a part of its parent, never split.
    pub(super) slice: bool,
    /// Asked for its total only (see [`super::count`]).
    pub(super) counted: bool,
    pub(super) state: State,
    /// The total that was shown.
    pub(super) total: Option<u64>,
    /// The same, or what the totals of the other parts leave for it.
    pub(super) guess: Option<u64>,
    /// Records seen that count here or below. See [`super::ledger`].
    pub(super) lower: u64,
    /// How long the answer is.
    pub(super) size: Size,
    /// A row that was known before and belongs there did not come.
    pub(super) misses: bool,
    pub(super) children: Vec<u32>,
    /// Sum of the totals of children that exclude each other.
    pub(super) parts_total: u64,
    /// Rows for the sake of splits; those of the parents that belong here before the answer.
    pub(super) sample: Vec<Sample>,
    /// The rows of the first page in their order, mixed to one number.
    pub(super) print: u128,
    /// How many splits led to it.
    pub(super) depth: u32,
    /// How often in a row nearly everything went to one part.
    pub(super) lopsided: u8,
    /// Split along this axis, or counted, and asked once more, to be read to its end.
    pub(super) again: Option<usize>,
    /// Its parts along one axis came to its total.
    pub(super) summed: bool,
    /// Is the answer cut?
    pub(super) cut: Short,
    /// The answer was left before its end.
    pub(super) left: bool,
    /// Letters there were when it was split.
    pub(super) letters: usize,
    /// Axes along which it was split in vain: their parts have fewer records than it has itself.
    pub(super) tried: Vec<usize>,
    /// A part that was given up, with all that is below it.
    pub(super) abandoned: bool,
}

impl Node {
    pub(super) fn new(parent: Option<u32>, question: Question) -> Node {
        Node {
            parent,
            question,
            along: None,
            slice: false,
            counted: false,
            state: State::Waiting,
            total: None,
            guess: None,
            lower: 0,
            size: Size::default(),
            misses: false,
            children: Vec::new(),
            parts_total: 0,
            sample: Vec::new(),
            print: 0,
            depth: 0,
            lopsided: 0,
            again: None,
            summed: false,
            cut: Short::No,
            left: false,
            letters: 0,
            tried: Vec::new(),
            abandoned: false,
        }
    }

    /// A question that the form cannot take, because a field that needs a value has none: the axis.
    pub(super) fn lacks_value(&self, axes: &[Axis]) -> Option<usize> {
        axes.iter().zip(&self.question.parts).position(|(axis, part)| *part == Part::Open && axis.whole().is_none())
    }
}
