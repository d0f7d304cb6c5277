//! Colour where somebody looks: never in a pipe or a file, never against NO_COLOR or CLICOLOR=0.

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For an output that is a terminal, or is not.
    pub(crate) fn on(terminal: bool) -> Paint {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let unwanted = set("CLICOLOR").is_some_and(|value| value == "0") || set("TERM").is_some_and(|t| t == "dumb");
        Paint(set("NO_COLOR").is_none() && (forced || (terminal && !unwanted)))
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A heading.
    pub(crate) fn heading(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Something that is broken.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What was looked for.
    pub(crate) fn good(self, text: &str) -> String {
        self.with("1;32", text)
    }

    /// Something of less weight.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with("2", text)
    }
}
