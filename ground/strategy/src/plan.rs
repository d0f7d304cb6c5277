//! What a strategy is shown and what it may answer.

use groma_model::{Depth, LinkKind, PageId, ParsedPage, Reason, Request};

/// When a page's turn comes: all pages of a round before any of the next; within a round, small ranks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority {
    pub round: u32,
    /// The place within the round.
    pub rank: u32,
}

/// One answer of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Fetch this page when its turn comes.
    Want(PageId, Priority),
    /// Do not fetch it, for this reason.
    Drop(PageId, Reason),
    Stop,
}

/// The answers of one call, in order.
#[derive(Debug, Default)]
pub struct Plan {
    /// The commands so far.
    pub commands: Vec<Command>,
}

impl Plan {
    /// Fetch this page when its turn comes.
    pub fn want(&mut self, page: PageId, priority: Priority) {
        self.commands.push(Command::Want(page, priority));
    }

    /// Do not fetch it.
    pub fn drop(&mut self, page: PageId, reason: Reason) {
        self.commands.push(Command::Drop(page, reason));
    }

    pub fn stop(&mut self) {
        self.commands.push(Command::Stop);
    }
}

/// What is to be asked after one answer.
#[derive(Debug, Default)]
pub struct AskPlan {
    /// The questions, in order.
    pub asks: Vec<Ask>,
    /// The gathering is over.
    pub stop: bool,
}

impl AskPlan {
    /// Ask this, after all that has been asked for.
    pub fn ask(&mut self, ask: Ask) {
        self.asks.push(ask);
    }

    pub fn stop(&mut self) {
        self.stop = true;
    }
}

/// Something to ask of a server that is no page of the survey: a filled-in form is linked from nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What makes it this question and no other: what has an answer under this key is not asked again. Of a request, all but
    /// what is different each time without meaning anything (tokens).
    pub key: String,
    /// To be sent to the server.
    pub request: Request,
    /// What it is, for people who watch.
    pub about: String,
    /// Its answer is a page whose search box is to be operated in a browser; what that asks comes with it, as a form.
    pub operate: bool,
}

/// What came of a question.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The [`Ask::key`] of the question.
    pub key: &'a str,
    /// What came of it; `Fetched` if there is something to read.
    pub reason: Reason,
    /// The status; 0 for no answer.
    pub status: u16,
    /// Where it came from in the end, after redirects.
    pub address: &'a str,
    /// The media type without parameters, in lower case.
    pub media_type: &'a str,
    /// The charset of the header, if it names one.
    pub charset: Option<&'a str>,
    /// Body of the answer, decompressed.
    pub body: &'a [u8],
    /// It was not read to its end.
    pub cut: bool,
    /// It is what was known already: the server said that nothing has changed.
    pub unchanged: bool,
}

/// A page that a visited page leads to, that may be fetched and has not been asked for yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The page it leads to.
    pub page: PageId,
    /// By which kind of link.
    pub kind: LinkKind,
    /// The place of the link in `ParsedPage::links`, where there is a parsed page.
    pub link: Option<usize>,
}

/// What a visit found.
#[derive(Debug)]
pub struct Visit<'a> {
    /// The page that was visited.
    pub page: PageId,
    /// Clicks from the start page.
    pub depth: Depth,
    /// What came of it.
    pub reason: Reason,
    /// The page as read, if there was one to read. A strategy that remembers is shown it as the store has it: only
    /// links that lead on have their targets then.
    pub parsed: Option<&'a ParsedPage>,
    /// Where it leads: each page once, in document order. For strategies that read: every link that leads on, so a page may be
    /// there more than once.
    pub leads: &'a [Lead],
    /// All pages it links to, in document order, some of them perhaps more than once. Only for strategies that remember.
    pub links: &'a [PageId],
    /// The page it is another name of. Only for strategies that remember.
    pub same_as: Option<PageId>,
}

impl Visit<'_> {
    /// A visit that found nothing to read.
    pub fn without_content(page: PageId, reason: Reason) -> Visit<'static> {
        Visit { page, depth: Depth::LOOSE, reason, parsed: None, leads: &[], links: &[], same_as: None }
    }
}
