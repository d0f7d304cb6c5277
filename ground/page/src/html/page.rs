//! What each tag and each piece of text does to the page.

use groma_model::{BlockKind, Limits, LinkKind};

use super::attributes::{Attr, Attributes};
use super::blocks::Blocks;
use super::forms::Forms;
use super::head::Head;
use super::links::Links;
use super::scan::{Content, Sink};
use super::stack::Stack;
use super::symptoms::{Symptoms, has_name, is_hidden};
use super::tag::Tag;
use crate::css;
use crate::fold::{self, Folded};
use crate::parts::outline::{Outline, Runs};
use crate::structured::StructuredReader;

/// Inside an element whose content is text to the tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    /// None of them: markup.
    No,
    /// Nobody sees it: script, iframe, ...
    Unseen,
    Style,
    /// JSON-LD.
    Data,
    Title,
    Textarea,
    /// Text that is shown as it is: xmp, plaintext.
    Shown,
}

/// How what comes next is taken.
#[derive(Debug)]
struct ReadMode {
    /// It calls itself XML: tags that close themselves mean it.
    xml: bool,
    raw: Raw,
    /// Templates that are open.
    templates: u32,
}

/// What links point at, and the link that is open.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    /// The names of places in the page.
    pub(crate) names: Vec<String>,
    /// There were more names than the limit allows.
    pub(crate) cut: bool,
    open: Option<OpenAnchor>,
}

#[derive(Debug)]
struct OpenAnchor {
    /// The number of its link.
    link: usize,
    /// Its words, in case it shows none.
    words: String,
    /// The scope it stands in.
    scope: u16,
    /// What had been seen when it began.
    ink: u64,
    /// It needs no text.
    named: bool,
}

/// The page so far.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) blocks: Blocks,
    pub(crate) links: Links,
    pub(crate) forms: Forms,
    pub(crate) head: Head,
    pub(crate) stack: Stack,
    pub(crate) anchors: Anchors,
    pub(crate) structured: StructuredReader<'a>,
    pub(crate) cut_attributes: bool,
    mode: ReadMode,
    heading: Folded,
    /// The text of the style sheet or of the data that is open.
    unshown: String,
    /// The elements, if the parts of the page are wanted.
    pub(crate) outline: Option<Box<Outline>>,
    pub(crate) symptoms: Symptoms,
}

impl<'a> Page<'a> {
    pub(crate) fn new(limits: &'a Limits, xml: bool) -> Page<'a> {
        Page {
            limits,
            blocks: Blocks::new(limits),
            links: Links::new(limits.html_links),
            forms: Forms::new(limits.html_forms, limits.html_links),
            head: Head::default(),
            stack: Stack::new(limits.html_depth),
            anchors: Anchors::default(),
            structured: StructuredReader::new(limits),
            cut_attributes: false,
            mode: ReadMode { xml, raw: Raw::No, templates: 0 },
            heading: Folded::default(),
            unshown: String::new(),
            outline: None,
            symptoms: Symptoms::new(limits.html_links),
        }
    }

    /// The parts of the page are wanted too.
    pub(crate) fn with_outline(mut self) -> Page<'a> {
        self.outline = Some(Box::new(Outline::new(self.limits)));
        self.blocks.runs = Some(Runs::default());
        self
    }

    /// The outline has moved on: what comes now comes from its innermost element.
    fn moved(&mut self) {
        if let (Some(outline), Some(runs)) = (&mut self.outline, &mut self.blocks.runs) {
            outline.note_links(self.links.len());
            runs.at(outline.here(), self.anchors.open.as_ref().map(|open| open.link));
        }
    }

    /// Adds text to wherever it belongs here.
    fn put(&mut self, text: &str) {
        if self.mode.templates > 0 {
            return;
        }
        let place = self.stack.place();
        if !matches!(self.mode.raw, Raw::Unseen | Raw::Style | Raw::Data) {
            self.structured.text(text);
        }
        match self.mode.raw {
            Raw::Unseen => {}
            Raw::Style => self.unshown.push_str(text),
            Raw::Data => self.data_text(text),
            Raw::Title => {
                self.heading.push(text, self.blocks.room());
            }
            Raw::Textarea => self.forms.textarea_text(text, self.blocks.room()),
            Raw::No if place.hidden => {}
            Raw::No if self.forms.in_select() => self.forms.option_text(text, self.blocks.room()),
            Raw::No if place.alt => {
                self.heading.push(text, self.blocks.room());
            }
            Raw::No | Raw::Shown => {
                self.symptoms.ink += u64::from(!text.trim_ascii_start().is_empty());
                self.blocks.text(text, place);
            }
        }
    }

    /// A start tag. Says how its content is read.
    fn begin(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) -> Content {
        if self.mode.templates > 0 {
            self.mode.templates += u32::from(tag == Tag::Template);
            self.mode.raw = Raw::Unseen;
            return self.content(tag);
        }
        if let (Some(outline), Some(runs)) = (&mut self.outline, &self.blocks.runs) {
            outline.start(tag, attributes, closes_itself, runs.len());
        }
        if !self.stack.place().foreign {
            self.symptoms.element(tag, attributes, self.stack.parent(), self.head.noscript);
        }
        let is_closed = closes_itself && (self.mode.xml || self.is_foreign() || matches!(tag, Tag::Svg | Tag::Math));
        self.structured.start(tag, attributes, is_closed);
        if let Some(id) = attributes.get(Attr::Id) {
            self.anchor_at(id);
        }
        if let Some(style) = attributes.get(Attr::Style) {
            self.style(style);
        }
        if matches!(tag, Tag::Other | Tag::Inline) && !self.is_foreign() {
            return Content::Markup;
        }
        if self.is_foreign() {
            if !tag.ends_foreign() {
                self.start_foreign(tag, attributes, closes_itself);
                return Content::Markup;
            }
            self.stack.leave_foreign();
        }
        let content = self.start_html(tag, attributes, closes_itself);
        if closes_itself && self.mode.xml && !tag.is_void() && !matches!(tag, Tag::Svg | Tag::Math) {
            self.close(tag, attributes.name());
            return Content::Markup;
        }
        content
    }

    fn start_html(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) -> Content {
        match tag {
            Tag::A => self.start_anchor(attributes),
            Tag::P | Tag::Hr | Tag::Legend | Tag::Body => self.blocks.end(self.stack.place()),
            Tag::Br => self.blocks.line(self.stack.place()),
            tag if tag.is_flow() => self.enter(tag, attributes),
            Tag::Table | Tag::Object | Tag::Applet | Tag::Marquee => self.enter(tag, attributes),
            // Outside of a table its parts are nothing.
            Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption
                if self.stack.has(Tag::Table) =>
            {
                self.enter(tag, attributes);
            }
            Tag::Form => {
                let began = !self.forms.is_open();
                self.blocks.end(self.stack.place());
                self.forms.begin(attributes);
                if began && !attributes.text(Attr::Action).trim_ascii().is_empty() {
                    self.refer(attributes, Attr::Action, LinkKind::Form);
                }
            }
            Tag::Button => {
                self.forms.button(attributes);
                self.refer(attributes, Attr::FormAction, LinkKind::Form);
                self.blocks.line(self.stack.place());
            }
            Tag::Select => self.forms.begin_select(attributes),
            Tag::Option => self.forms.begin_option(attributes),
            Tag::Optgroup => self.forms.end_option(),
            Tag::Template => self.mode.templates = 1,
            Tag::Noscript => self.head.noscript = true,
            Tag::Svg | Tag::Math if !closes_itself => self.stack.enter(tag, ""),
            Tag::Html => self.head.html(attributes),
            Tag::Base => self.head.base(attributes),
            Tag::Meta => self.head.meta(attributes, &mut self.blocks, &mut self.links),
            Tag::Link => {
                let link = Head::link(attributes, &mut self.links);
                if let (Some(link), Some(hreflang)) = (link, attributes.get(Attr::Hreflang)) {
                    self.symptoms.alternate(link, hreflang);
                }
            }
            Tag::Textarea => self.forms.begin_textarea(attributes),
            _ => {}
        }
        self.start_embedded(tag, attributes);
        let content = self.content(tag);
        if tag == Tag::Script && self.structured.start_script(attributes) {
            self.mode.raw = Raw::Data;
        }
        content
    }

    /// Elements that bring something else in.
    fn start_embedded(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        match tag {
            Tag::Img | Tag::Image => self.image(attributes, Attr::Src),
            Tag::Input => {
                self.forms.input(attributes);
                self.refer(attributes, Attr::FormAction, LinkKind::Form);
                if attributes.text(Attr::Type).trim_ascii().eq_ignore_ascii_case("image") {
                    self.image(attributes, Attr::Src);
                }
            }
            Tag::Area => {
                let text = [Attr::Alt, Attr::AriaLabel, Attr::Title].map(|attr| attributes.text(attr));
                let text = text.into_iter().find(|text| !text.trim_ascii().is_empty()).unwrap_or_default();
                if let Some(link) = self.refer(attributes, Attr::Href, LinkKind::Anchor) {
                    self.links.set_text(link, self.short(text));
                }
            }
            Tag::Video | Tag::Audio | Tag::Source => {
                self.refer(attributes, Attr::Src, LinkKind::Image);
                self.refer(attributes, Attr::Poster, LinkKind::Image);
                self.links.push_srcset(attributes.text(Attr::Srcset), self.stack.place().block());
            }
            Tag::Iframe | Tag::Frame | Tag::Embed | Tag::Object => {
                let attr = if tag == Tag::Object { Attr::Data } else { Attr::Src };
                if let Some(link) = self.refer(attributes, attr, LinkKind::Frame) {
                    self.links.set_text(link, self.short(attributes.text(Attr::Title)));
                }
            }
            Tag::Script => {
                self.refer(attributes, Attr::Src, LinkKind::Script);
            }
            _ => {}
        }
    }

    /// How the content of an element is read, and what becomes of its text. That of `noframes` is markup: we show no frames.
    fn content(&mut self, tag: Tag) -> Content {
        let (raw, content) = match tag {
            Tag::Script => (Raw::Unseen, Content::Script),
            Tag::Style => (Raw::Style, Content::Rawtext),
            Tag::Iframe | Tag::Noembed => (Raw::Unseen, Content::Rawtext),
            Tag::Title => (Raw::Title, Content::Rcdata),
            Tag::Textarea => (Raw::Textarea, Content::Rcdata),
            Tag::Xmp => (Raw::Shown, Content::Rawtext),
            Tag::Plaintext => (Raw::Shown, Content::Plaintext),
            _ => (Raw::No, Content::Markup),
        };
        self.mode.raw = raw;
        content
    }

    fn start_foreign(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) {
        match tag {
            Tag::A => {
                self.start_anchor(attributes);
                if closes_itself {
                    self.end_anchor();
                }
            }
            Tag::Image => self.image(attributes, Attr::Href),
            Tag::Text => self.blocks.line(self.stack.place()),
            Tag::Svg | Tag::Math | Tag::ForeignObject | Tag::Desc | Tag::Title | Tag::Style | Tag::Script => {
                if tag == Tag::Script {
                    self.refer(attributes, Attr::Href, LinkKind::Script);
                }
                if !closes_itself {
                    self.stack.enter(tag, "");
                }
            }
            _ => {}
        }
    }

    /// Handles an end tag.
    fn close(&mut self, tag: Tag, name: &[u8]) {
        let raw = std::mem::replace(&mut self.mode.raw, Raw::No);
        if self.mode.templates > 0 {
            self.mode.templates -= u32::from(tag == Tag::Template);
            return;
        }
        if let (Some(outline), Some(runs)) = (&mut self.outline, &self.blocks.runs) {
            outline.end(tag, name, runs.len());
        }
        self.structured.end(tag, name);
        match (raw, tag) {
            (Raw::Data, _) => return self.end_data(),
            (Raw::Title, _) => return self.end_title(),
            (Raw::Textarea, _) => return self.forms.end_textarea(),
            (Raw::Style, _) => return self.end_style(),
            (Raw::Unseen, _) => return,
            (Raw::No, Tag::Other | Tag::Inline) => return,
            (Raw::No | Raw::Shown, _) => {}
        }
        let place = self.stack.place();
        if !place.foreign {
            self.symptoms.end(tag);
        }
        match tag {
            Tag::A => self.end_anchor(),
            Tag::P | Tag::Body | Tag::Html => self.blocks.end(place),
            Tag::Br => self.blocks.line(place),
            Tag::Form => {
                self.blocks.end(place);
                self.forms.end();
            }
            Tag::Button => self.blocks.line(place),
            Tag::Select => self.forms.end_select(),
            Tag::Option | Tag::Optgroup => self.forms.end_option(),
            Tag::Noscript => self.head.noscript = false,
            Tag::Title => {
                if self.stack.leave(tag) {
                    let alt = self.heading.take();
                    self.symptoms.ink += u64::from(!alt.is_empty());
                    self.blocks.image(&alt);
                }
            }
            Tag::Svg | Tag::Math | Tag::Desc | Tag::Style | Tag::Script => {
                self.stack.leave(tag);
            }
            _ => {
                if self.stack.leave(tag) {
                    self.blocks.end(place);
                    self.settle_anchor();
                }
            }
        }
    }

    /// A block element begins.
    fn enter(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        self.blocks.end(self.stack.place());
        if matches!(tag, Tag::Table | Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption)
        {
            self.forms.end_select();
        }
        if self.stack.imply(tag) {
            self.settle_anchor();
        }
        if !matches!(tag, Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot) {
            self.stack.enter(tag, attributes.text(Attr::Role));
        }
    }

    fn end_title(&mut self) {
        let title = self.heading.take();
        if self.head.title.is_none() {
            self.blocks.push(BlockKind::Title, title.clone());
            self.head.title = Some(title);
        }
    }

    fn start_anchor(&mut self, attributes: &Attributes<'_>) {
        self.end_anchor();
        if let Some(name) = attributes.get(Attr::Name).filter(|name| attributes.get(Attr::Id) != Some(name)) {
            self.anchor_at(name);
        }
        let attr = if attributes.has(Attr::Href) { Attr::Href } else { Attr::XlinkHref };
        self.symptoms.link(attributes.text(attr));
        let Some(link) = self.refer(attributes, attr, LinkKind::Anchor) else { return };
        let words = [Attr::AriaLabel, Attr::Title].map(|attr| attributes.text(attr).trim_ascii());
        let words = words.into_iter().find(|words| !words.is_empty()).unwrap_or_default();
        self.anchors.open = Some(OpenAnchor {
            link,
            words: self.short(words),
            scope: self.stack.place().scope,
            ink: self.symptoms.ink,
            named: has_name(attributes) || is_hidden(attributes) || self.stack.place().foreign,
        });
        self.blocks.begin_link();
    }

    fn end_anchor(&mut self) {
        if let Some(OpenAnchor { link, words, ink, named, .. }) = self.anchors.open.take() {
            let text = self.blocks.end_link();
            if text.is_empty() && !self.blocks.cut {
                self.symptoms.link_without_text(ink, named, self.links.reference(link));
            }
            self.links.set_text(link, if text.is_empty() { words } else { text });
        }
    }

    /// An anchor does not outlive the cell it began in.
    fn settle_anchor(&mut self) {
        if self.anchors.open.as_ref().is_some_and(|open| open.scope > self.stack.place().scope) {
            self.end_anchor();
        }
    }

    fn anchor_at(&mut self, name: &str) {
        if name.is_empty() {
            return;
        }
        if self.anchors.names.len() as u64 >= self.limits.html_links {
            self.anchors.cut = true;
        } else {
            self.anchors.names.push(name.to_owned());
        }
    }

    fn image(&mut self, attributes: &Attributes<'_>, attr: Attr) {
        let attr = if attributes.has(attr) { attr } else { Attr::XlinkHref };
        let alt = attributes.text(Attr::Alt);
        if let Some(link) = self.refer(attributes, attr, LinkKind::Image) {
            self.links.set_text(link, self.short(alt));
        }
        self.links.push_srcset(attributes.text(Attr::Srcset), self.stack.place().block());
        if !alt.is_empty() {
            self.blocks.image(alt);
        }
    }

    fn refer(&mut self, attributes: &Attributes<'_>, attr: Attr, kind: LinkKind) -> Option<usize> {
        let reference = attributes.get(attr)?;
        // An empty src is no image, an empty href is the page itself.
        if reference.trim_ascii().is_empty() && kind != LinkKind::Anchor {
            return None;
        }
        self.links.push(reference, kind, attributes.text(Attr::Rel), self.stack.place().block())
    }

    /// A style sheet inside the page ends.
    fn end_style(&mut self) {
        let css = std::mem::take(&mut self.unshown);
        self.style(&css);
    }

    /// Text of a script that is data.
    fn data_text(&mut self, text: &str) {
        if let Some(outline) = &mut self.outline {
            outline.script(text);
        }
        let room = self.structured.script_room().saturating_sub(self.unshown.len());
        self.unshown.push_str(fold::cut(text, room.saturating_add(3)));
    }

    fn end_data(&mut self) {
        let data = std::mem::take(&mut self.unshown);
        self.structured.end_script(&data);
    }

    /// What a style brings in.
    fn style(&mut self, css: &str) {
        // Most styles bring in nothing: a URL has a bracket or an at-rule in front of it.
        if memchr::memchr2(b'(', b'@', css.as_bytes()).is_some() {
            let (links, block) = (&mut self.links, self.stack.place().block());
            css::references(css, |reference, kind| {
                links.push(reference, kind, "", block);
            });
        }
    }

    /// A text for a link.
    fn short(&self, text: &str) -> String {
        let room = usize::try_from(self.limits.anchor_bytes).unwrap_or(usize::MAX);
        fold::cut(&fold::folded(text, room.saturating_mul(2)), room).trim_end().to_owned()
    }

    pub(crate) fn finish(&mut self) {
        match self.mode.raw {
            Raw::Title => self.end_title(),
            Raw::Textarea => self.forms.end_textarea(),
            Raw::Style => self.end_style(),
            Raw::Data => self.end_data(),
            _ => {}
        }
        self.end_anchor();
    }
}

impl Sink for Page<'_> {
    #[inline]
    fn text(&mut self, text: &str) {
        self.put(text);
    }

    #[inline]
    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, closes_itself: bool) -> Content {
        let content = self.begin(tag, attributes, closes_itself);
        self.moved();
        content
    }

    #[inline]
    fn end(&mut self, tag: Tag, name: &[u8]) {
        self.close(tag, name);
        self.moved();
    }

    fn is_foreign(&self) -> bool {
        self.stack.place().foreign
    }

    #[inline]
    fn is_data(&self) -> bool {
        self.structured.is_awake()
    }
}
