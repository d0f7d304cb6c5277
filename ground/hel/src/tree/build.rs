//! From text to tree: html5gum's tokens, through a guard, to html5ever's tree construction.
//!
//! html5ever's own tokenizer compares each attribute of a tag with all before it, and its tree construction goes through
//! the stack of open elements and the list of formatting elements for nearly every tag: both quadratic in a hostile page.
//! So the tokens are made by html5gum, whose attributes come as events (repeated ones are found by a set here), and the
//! guard counts
//!
//! ```text
//! building = sum over tags of (open + formatting elements) * (1 + attributes to be compared)
//! ```
//!
//! and stops at [`Bounds::building`]. Elements beyond [`Bounds::depth`] are read as if they stood at that depth: their start
//! tags are left out, and as many of their end tags. Void and raw elements pass, for nothing opens in them.
//!
//! Cost: tokens linear in the bytes, construction at most `building`. Not guaranteed: that a page which reaches a
//! bound has the tree a browser would show; [`Tree::cut`] says that it has not.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use html5ever::interface::Tracer;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName};
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer};

use super::Tree;
use super::arena::{Arena, Handle};
use crate::bounds::Bounds;

/// Elements that hold nothing, or text only: they cannot make a page deeper.
const SHALLOW: [&str; 21] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "script",
    "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
];

/// Elements that the tree construction opens again wherever they were not closed.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// See [`Tree::parse`].
pub(super) fn build(page: &str, bounds: &Bounds) -> Tree {
    // Numbers are of 32 bits, whatever was asked for.
    let bounds = &Bounds {
        page_bytes: bounds.page_bytes.min(1 << 29),
        nodes: bounds.nodes.min(1 << 30),
        attributes: bounds.attributes.min(1 << 30),
        ..*bounds
    };
    let mut end = page.len().min(bounds.page_bytes);
    while !page.is_char_boundary(end) {
        end -= 1;
    }
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let guard = Guard {
        builder: TreeBuilder::new(Arena::new(bounds), options),
        bounds: *bounds,
        tag: None,
        seen: HashSet::new(),
        left_out: HashMap::new(),
        most_attributes: 0,
        building: 0,
        next: None,
    };
    let mut emitter = Feed { inner: CallbackEmitter::new(guard) };
    // A reader of a string does not fail.
    let Ok(()) = Tokenizer::new_with_emitter(&page[..end], &mut emitter).finish();
    let arena = emitter.inner.callback_mut().take(bounds);
    if end < page.len() {
        arena.fill("page_bytes");
    }
    arena.into_tree()
}

/// Takes the tokenizer's events, and gives the builder what it can bear.
struct Guard {
    builder: TreeBuilder<Handle, Arena>,
    bounds: Bounds,
    tag: Option<Tag>,
    /// Attribute names of the tag.
    seen: HashSet<LocalName>,
    /// Start tags left out, by name: so many end tags are, too.
    left_out: HashMap<LocalName, u32>,
    /// The most attributes a formatting element had so far.
    most_attributes: usize,
    building: u64,
    next: Option<State>,
}

/// Counts what the builder holds open.
struct Count(Cell<u64>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl Guard {
    fn take(&mut self, bounds: &Bounds) -> Arena {
        let empty = TreeBuilder::new(Arena::new(bounds), TreeBuilderOpts::default());
        std::mem::replace(&mut self.builder, empty).sink
    }

    fn is_full(&self) -> bool {
        self.builder.sink.full().is_some()
    }

    fn token(&mut self, token: Token) {
        self.next = match self.builder.process_token(token, 1) {
            TokenSinkResult::Continue | TokenSinkResult::EncodingIndicator(_) => None,
            TokenSinkResult::Script(_) => Some(State::Data),
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => Some(State::ScriptData),
        };
    }

    /// A tag, unless it is too deep or there has been too much.
    fn offer(&mut self, tag: Tag) {
        if self.is_full() {
            return;
        }
        let count = Count(Cell::new(0));
        self.builder.trace_handles(&count);
        let open = count.0.get();
        let mut each = 1;
        if tag.kind == TagKind::StartTag && FORMATTING.contains(&&*tag.name) {
            self.most_attributes = self.most_attributes.max(tag.attrs.len());
            each += (tag.attrs.len() + self.most_attributes) as u64;
        }
        self.building = self.building.saturating_add(open.saturating_mul(each));
        if self.building > self.bounds.building {
            self.builder.sink.fill("building");
            return;
        }
        match tag.kind {
            TagKind::StartTag if open >= self.bounds.depth as u64 && !SHALLOW.contains(&&*tag.name) => {
                *self.left_out.entry(tag.name).or_default() += 1;
                self.builder.sink.note("depth");
            }
            TagKind::EndTag if self.left_out.get(&tag.name).is_some_and(|count| *count > 0) => {
                self.left_out.entry(tag.name).and_modify(|count| *count -= 1);
            }
            _ => self.token(Token::TagToken(tag)),
        }
    }
}

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&String::from_utf8_lossy(bytes))
}

fn name(bytes: &[u8]) -> LocalName {
    LocalName::from(&*String::from_utf8_lossy(bytes))
}

fn tag(kind: TagKind, bytes: &[u8]) -> Tag {
    Tag { kind, name: name(bytes), self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false }
}

impl Callback<Infallible, ()> for Guard {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.seen.clear();
                self.tag = Some(tag(TagKind::StartTag, name));
            }
            CallbackEvent::AttributeName { name: bytes } => {
                if let Some(tag) = &mut self.tag {
                    let name = name(bytes);
                    // A repeated one, or one too many, has the empty name until its value has come, and is dropped.
                    let many = self.seen.len() >= self.bounds.element_attributes;
                    let known = many || !self.seen.insert(name.clone());
                    if many {
                        self.builder.sink.note("element_attributes");
                    }
                    drop_nameless(tag);
                    let name = if known { LocalName::default() } else { name };
                    let name = QualName::new(None, Default::default(), name);
                    tag.attrs.push(Attribute { name, value: StrTendril::new() });
                }
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(attribute) = self.tag.as_mut().and_then(|tag| tag.attrs.last_mut())
                    && !attribute.name.local.is_empty()
                {
                    attribute.value.push_slice(&String::from_utf8_lossy(value));
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(mut tag) = self.tag.take() {
                    drop_nameless(&mut tag);
                    tag.self_closing = self_closing;
                    self.offer(tag);
                }
            }
            CallbackEvent::EndTag { name } => self.offer(tag(TagKind::EndTag, name)),
            CallbackEvent::String { value } => {
                for (nth, part) in value.split(|byte| *byte == 0).enumerate() {
                    if self.is_full() {
                        break;
                    }
                    if nth > 0 {
                        self.token(Token::NullCharacterToken);
                    }
                    if !part.is_empty() {
                        self.token(Token::CharacterTokens(tendril(part)));
                    }
                }
            }
            CallbackEvent::Doctype { name, public_identifier, system_identifier, force_quirks } => {
                // Quirks decide whether a table ends a paragraph.
                self.token(Token::DoctypeToken(Doctype {
                    name: Some(name).filter(|name| !name.is_empty()).map(tendril),
                    public_id: public_identifier.map(tendril),
                    system_id: system_identifier.map(tendril),
                    force_quirks,
                }));
            }
            // Comments are no nodes, and change nothing in the tree but where text is joined.
            CallbackEvent::Comment { .. } if !self.is_full() => self.token(Token::CommentToken(StrTendril::new())),
            CallbackEvent::Comment { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

fn drop_nameless(tag: &mut Tag) {
    if tag.attrs.last().is_some_and(|last| last.name.local.is_empty()) {
        tag.attrs.pop();
    }
}

/// Hands the builder's wishes about the next state back to the tokenizer.
struct Feed {
    inner: CallbackEmitter<Guard>,
}

impl ForwardingEmitter for &mut Feed {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.inner
    }

    fn emit_eof(&mut self) {
        self.inner.emit_eof();
        let guard = self.inner.callback_mut();
        guard.token(Token::EOFToken);
        guard.builder.end();
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let naive = self.inner.emit_current_tag();
        self.inner.callback_mut().next.take().or(naive)
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.inner.callback_mut().builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
