//! What checks look at, noted while the page is read: names that are missing, headings out of order, and so on.
//!
//! Each [`Symptom`] is counted, with the first example. Cost: a few comparisons an element, and a hash an id; memory is bounded by the ids
//! and fields of a page, which `html_links` bounds.
//!
//! Not seen: what scripts and style sheets change later; whether an element is hidden by something around it. Ids are compared by
//! 64-bit hashes.

use std::collections::HashSet;

use groma_model::Symptom;
use groma_model::language_tag::fault_of_tag;
use groma_model::markup::{Alternate, Markup, Observation};
use groma_url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::attributes::{Attr, Attributes};
use super::contact;
use super::names_of_roles::is_role;
use super::tables::Tables;
use super::tag::Tag;
use crate::fold;

/// Bytes kept of an example.
const EXAMPLE: usize = 200;
/// Scripts of other hosts that are looked at.
const SCRIPTS: usize = 50;
/// Beyond so many bytes browsers do not look for a character set.
const CHARSET_WITHIN: usize = 1024;

/// A name that is looked for among the ids of the page when it is known whole.
#[derive(Debug)]
struct Reference {
    id: u64,
    text: String,
}

/// An element that needs a name, and has none so far.
#[derive(Clone, Debug)]
struct Nameless {
    symptom: Symptom,
    /// Text and pictures that had been seen when it began.
    ink: u64,
    example: String,
}

/// Elements that name others by their ids.
#[derive(Debug, Default)]
struct NamesById {
    ids: HashSet<u64>,
    labelled: HashSet<u64>,
    /// Fields that a label may still name, with what they are called.
    fields: Vec<Reference>,
    /// What labels and ARIA refer to.
    label_targets: Vec<Reference>,
    named_by: Vec<Reference>,
}

/// Collects the symptoms of a page.
#[derive(Debug, Default)]
pub(crate) struct Symptoms {
    found: Vec<Observation>,
    elements: u32,
    /// How many pieces of text, and pictures with a text, have been seen.
    pub(crate) ink: u64,
    names: NamesById,
    /// Labels that are open.
    labels: u32,
    scripts: Vec<String>,
    button: Option<Nameless>,
    heading: Option<Nameless>,
    last_level: u8,
    video: Option<(String, bool)>,
    tables: Tables,
    /// The body has begun, by its tag or by something that stands only there.
    in_body: bool,
    lang: Option<String>,
    alternates: Vec<(usize, String)>,
    most: usize,
}

impl Symptoms {
    pub(crate) fn new(most: u64) -> Symptoms {
        Symptoms { most: usize::try_from(most).unwrap_or(usize::MAX), ..Symptoms::default() }
    }

    /// Sees something once more.
    fn note(&mut self, symptom: Symptom, example: impl FnOnce() -> String) {
        match self.found.iter_mut().find(|seen| seen.symptom == symptom) {
            Some(seen) => seen.count = seen.count.saturating_add(1),
            None => {
                let example = example();
                let example = fold::cut(&example, EXAMPLE).to_owned();
                self.found.push(Observation { symptom, count: 1, example });
            }
        }
    }

    /// An element begins. `parent` is the innermost open one that was entered; `noscript`: inside of that, in the head.
    #[inline]
    pub(crate) fn element(&mut self, tag: Tag, attributes: &Attributes<'_>, parent: Option<Tag>, noscript: bool) {
        self.elements = self.elements.saturating_add(1);
        if matches!(parent, Some(Tag::Ul | Tag::Ol))
            && !matches!(tag, Tag::Li | Tag::Script | Tag::Template | Tag::Other)
        {
            self.note(Symptom::BrokenList, || String::from_utf8_lossy(attributes.name()).to_ascii_lowercase());
        }
        if matches!(
            tag,
            Tag::Other | Tag::Inline | Tag::Applet | Tag::Center | Tag::Dir | Tag::Frame | Tag::Marquee | Tag::Noframes
        ) && is_obsolete(attributes.name())
        {
            self.note(Symptom::ObsoleteElement, || String::from_utf8_lossy(attributes.name()).to_ascii_lowercase());
        }
        if !self.in_body && !noscript {
            self.in_body = !matches!(
                tag,
                Tag::Html
                    | Tag::Head
                    | Tag::Title
                    | Tag::Meta
                    | Tag::Link
                    | Tag::Base
                    | Tag::Script
                    | Tag::Style
                    | Tag::Noscript
                    | Tag::Template
                    | Tag::Other
            );
        }
        if !attributes.is_empty() {
            self.attributes(tag, attributes);
        }
        if !matches!(tag, Tag::Other | Tag::Inline) {
            self.known(tag, attributes, noscript);
        }
    }

    /// Attributes that any element may have.
    fn attributes(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if let Some(id) = attributes.get(Attr::Id).filter(|id| !id.is_empty())
            && self.names.ids.len() < self.most
            && !self.names.ids.insert(xxh3_64(id.as_bytes()))
        {
            self.note(Symptom::RepeatedId, || id.to_owned());
        }
        if let Some(role) = attributes.get(Attr::Role) {
            let mut words = role.split_ascii_whitespace().peekable();
            if words.clone().any(|word| word.eq_ignore_ascii_case("main")) {
                self.note(Symptom::MainLandmark, String::new);
            }
            if words.peek().is_some() && !words.any(is_role) {
                self.note(Symptom::UnknownRole, || role.to_owned());
            }
        }
        let positive = |value: &str| value.trim_ascii().parse::<i32>().is_ok_and(|place| place > 0);
        if let Some(place) = attributes.get(Attr::Tabindex).filter(|value| positive(value)) {
            self.note(Symptom::PositiveTabindex, || place.trim_ascii().to_owned());
        }
        if let Some(lang) = attributes.get(Attr::Lang).filter(|_| tag != Tag::Html)
            && !lang.trim_ascii().is_empty()
            && fault_of_tag(lang).is_some()
        {
            self.note(Symptom::UnknownLanguage, || lang.to_owned());
        }
        if let Some(ids) = attributes.get(Attr::AriaLabelledby)
            && self.names.named_by.len() < self.most
        {
            self.names.named_by.extend(ids.split_ascii_whitespace().take(8).map(Reference::to_id));
        }
    }

    fn known(&mut self, tag: Tag, attributes: &Attributes<'_>, noscript: bool) {
        match tag {
            Tag::Html if self.lang.is_none() => {
                self.lang = attributes.get(Attr::Lang).map(|lang| fold::cut(lang, EXAMPLE).to_owned())
            }
            Tag::Main => self.note(Symptom::MainLandmark, String::new),
            Tag::Title => {
                self.note(Symptom::TitleElement, String::new);
                self.in_head_only("title", noscript);
            }
            Tag::Meta => self.meta(attributes, noscript),
            Tag::Link if has_word(attributes.text(Attr::Rel), "canonical") => {
                self.in_head_only("rel=canonical", noscript)
            }
            Tag::Script => self.script(attributes),
            Tag::Img | Tag::Image => self.image(attributes),
            Tag::Area if attributes.has(Attr::Href) && !attributes.has(Attr::Alt) && !has_name(attributes) => {
                self.note(Symptom::AreaWithoutAlt, || attributes.text(Attr::Href).to_owned());
            }
            Tag::Iframe if !is_hidden(attributes) && !has_name(attributes) => {
                self.note(Symptom::FrameWithoutTitle, || attributes.text(Attr::Src).to_owned());
            }
            Tag::Video | Tag::Audio => self.media(tag, attributes),
            Tag::Source => {
                if let Some((url, _)) = self.video.as_mut().filter(|(url, _)| url.is_empty()) {
                    *url = fold::cut(attributes.text(Attr::Src), EXAMPLE).to_owned();
                }
            }
            Tag::Track => {
                let kind = attributes.text(Attr::Kind);
                let captions =
                    kind.is_empty() || ["captions", "subtitles"].iter().any(|name| name.eq_ignore_ascii_case(kind));
                if let Some((_, captioned)) = &mut self.video {
                    *captioned |= captions;
                }
            }
            Tag::Input => self.input(attributes),
            Tag::Select | Tag::Textarea => self.field(attributes),
            Tag::Label => {
                self.labels += 1;
                if let Some(id) = attributes.get(Attr::For).filter(|_| self.names.label_targets.len() < self.most) {
                    self.names.labelled.insert(xxh3_64(id.as_bytes()));
                    self.names.label_targets.push(Reference::to_id(id));
                }
            }
            Tag::Button => {
                self.button =
                    self.nameless(Symptom::ButtonWithoutName, attributes, &[Attr::Id, Attr::Name, Attr::Value])
            }
            tag if tag.is_heading() => self.begin_heading(tag, attributes),
            _ => self.tables.begin(tag, attributes),
        }
    }

    /// An element ends.
    #[inline]
    pub(crate) fn end(&mut self, tag: Tag) {
        match tag {
            Tag::Other | Tag::Inline => {}
            Tag::Label => self.labels = self.labels.saturating_sub(1),
            Tag::Button => {
                let button = self.button.take();
                self.settle(button);
            }
            Tag::Video => {
                if let Some((url, false)) = self.video.take().filter(|(url, _)| !url.is_empty()) {
                    self.note(Symptom::VideoWithoutCaptions, || url);
                }
            }
            tag if tag.is_heading() => {
                let heading = self.heading.take();
                self.settle(heading);
            }
            Tag::Table => {
                if let Some(size) = self.tables.end() {
                    self.note(Symptom::TableWithoutHeaders, || size);
                }
            }
            _ => {}
        }
    }

    /// An element that needs a name; nothing if it has one, or nobody meets it.
    fn nameless(&self, symptom: Symptom, attributes: &Attributes<'_>, called: &[Attr]) -> Option<Nameless> {
        if has_name(attributes) || is_hidden(attributes) {
            return None;
        }
        let called = called.iter().map(|attr| attributes.text(*attr)).find(|text| !text.is_empty());
        Some(Nameless { symptom, ink: self.ink, example: called.unwrap_or_default().to_owned() })
    }

    /// What needed a name has ended: did text or a picture give it one?
    fn settle(&mut self, nameless: Option<Nameless>) {
        if let Some(nameless) = nameless.filter(|nameless| nameless.ink == self.ink) {
            self.note(nameless.symptom, || nameless.example);
        }
    }

    fn begin_heading(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        let level = tag as u8 - Tag::H1 as u8 + 1;
        self.heading = self.nameless(Symptom::EmptyHeading, attributes, &[]);
        if let Some(heading) = &mut self.heading {
            heading.example = format!("h{level}");
        }
        self.tables.lays_out();
        if is_hidden(attributes) {
            return;
        }
        if level == 1 {
            self.note(Symptom::FirstHeading, String::new);
        }
        if self.last_level > 0 && level > self.last_level + 1 {
            let last = self.last_level;
            self.note(Symptom::SkippedHeading, || format!("h{last}, then h{level}"));
        }
        self.last_level = level;
    }

    fn meta(&mut self, attributes: &Attributes<'_>, noscript: bool) {
        if let Some(charset) = attributes.get(Attr::Charset) {
            self.charset(charset, attributes.name_end());
        }
        let (name, pragma, content) =
            (attributes.text(Attr::Name), attributes.text(Attr::HttpEquiv), attributes.text(Attr::Content));
        if pragma.eq_ignore_ascii_case("content-type")
            && let Some(at) = content.to_ascii_lowercase().find("charset=")
        {
            self.charset(&content[at + "charset=".len()..], attributes.name_end());
        }
        let pause = content.trim_ascii().split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        if pragma.eq_ignore_ascii_case("refresh") && !noscript && pause.parse::<u32>().is_ok_and(|seconds| seconds > 0)
        {
            self.note(Symptom::TimedRefresh, || content.to_owned());
        }
        if name.eq_ignore_ascii_case("robots") {
            self.in_head_only("meta robots", noscript);
        }
    }

    fn charset(&mut self, name: &str, at: usize) {
        self.note(Symptom::MetaCharset, || name.trim_matches(['"', '\'', ' ']).to_ascii_lowercase());
        if at > CHARSET_WITHIN {
            self.note(Symptom::LateCharset, || format!("byte {at}"));
        }
    }

    fn in_head_only(&mut self, what: &str, noscript: bool) {
        if self.in_body && !noscript {
            self.note(Symptom::HeadElementInBody, || what.to_owned());
        }
    }

    fn script(&mut self, attributes: &Attributes<'_>) {
        let Some(src) = attributes.get(Attr::Src) else { return };
        let kind = attributes.text(Attr::Type).trim_ascii();
        let waits = !attributes.has(Attr::Async) && !attributes.has(Attr::Defer);
        if !self.in_body && waits && (kind.is_empty() || kind.to_ascii_lowercase().ends_with("javascript")) {
            self.note(Symptom::BlockingScript, || src.to_owned());
        }
        if !attributes.has(Attr::Integrity)
            && self.scripts.len() < SCRIPTS
            && (src.contains("://") || src.starts_with("//"))
        {
            self.scripts.push(fold::cut(src.trim_ascii(), EXAMPLE).to_owned());
        }
    }

    fn image(&mut self, attributes: &Attributes<'_>) {
        self.note(Symptom::Image, String::new);
        if !attributes.text(Attr::Alt).trim_ascii().is_empty() || has_name(attributes) {
            self.ink += 1;
        } else if !attributes.has(Attr::Alt) && !is_hidden(attributes) && !is_decoration(attributes) {
            self.note(Symptom::ImageWithoutAlt, || attributes.text(Attr::Src).to_owned());
        }
        let style = attributes.text(Attr::Style);
        let sized = |attr, name| attributes.has(attr) || style.contains(name) || style.contains("aspect-ratio");
        if !sized(Attr::Width, "width") && !sized(Attr::Height, "height") {
            self.note(Symptom::ImageWithoutSize, || attributes.text(Attr::Src).to_owned());
        }
    }

    fn media(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        let (src, muted) = (attributes.text(Attr::Src), attributes.has(Attr::Muted));
        if attributes.has(Attr::Autoplay) && !muted {
            self.note(Symptom::Autoplay, || src.to_owned());
        }
        if tag == Tag::Video && !muted {
            self.video = Some((fold::cut(src, EXAMPLE).to_owned(), false));
        }
    }

    fn input(&mut self, attributes: &Attributes<'_>) {
        match attributes.text(Attr::Type).trim_ascii().to_ascii_lowercase().as_str() {
            "hidden" | "submit" | "button" | "reset" => {}
            "image" => {
                if attributes.text(Attr::Alt).trim_ascii().is_empty() && !has_name(attributes) {
                    self.note(Symptom::ImageWithoutAlt, || attributes.text(Attr::Src).to_owned());
                }
            }
            kind => {
                if kind == "password" {
                    self.note(Symptom::PasswordField, String::new);
                }
                self.field(attributes);
            }
        }
    }

    fn field(&mut self, attributes: &Attributes<'_>) {
        let placeholder = !attributes.text(Attr::Placeholder).trim_ascii().is_empty();
        if self.labels > 0 || placeholder || has_name(attributes) || is_hidden(attributes) {
            return;
        }
        let called = [Attr::Name, Attr::Id, Attr::Type].map(|attr| attributes.text(attr));
        let called = called.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        match attributes.get(Attr::Id).filter(|_| self.names.fields.len() < self.most) {
            Some(id) => self
                .names
                .fields
                .push(Reference { id: xxh3_64(id.as_bytes()), text: fold::cut(called, EXAMPLE).to_owned() }),
            None => self.note(Symptom::FieldWithoutLabel, || called.to_owned()),
        }
    }

    /// A link begins: what stands in it that is no URL of the web is looked at.
    pub(crate) fn link(&mut self, href: &str) {
        let href = href.trim_ascii();
        let has_scheme =
            |scheme: &str| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        match href.as_bytes().first().map(u8::to_ascii_lowercase) {
            Some(b'm') if has_scheme("mailto:") && !contact::is_mail(&href[7..]) => {
                self.note(Symptom::MalformedMail, || href.to_owned());
            }
            Some(b't') if has_scheme("tel:") && !contact::is_phone(&href[4..]) => {
                self.note(Symptom::MalformedPhone, || href.to_owned());
            }
            Some(b'f') if has_scheme("file:") => self.note(Symptom::FileLink, || href.to_owned()),
            Some(b'j') if has_scheme("javascript:") => self.note(Symptom::ScriptLink, || href.to_owned()),
            _ => {}
        }
    }

    /// A link of the web has ended without a text of its own; `ink` is what had been seen when it began.
    pub(crate) fn link_without_text(&mut self, ink: u64, named: bool, href: &str) {
        if ink == self.ink && !named {
            self.note(Symptom::LinkWithoutName, || href.to_owned());
        }
    }

    /// The page names itself in another language, by this link.
    pub(crate) fn alternate(&mut self, link: usize, hreflang: &str) {
        if self.alternates.len() < self.most {
            self.alternates.push((link, fold::cut(hreflang.trim_ascii(), EXAMPLE).to_owned()));
        }
    }

    /// Will the caller have to say which links were kept?
    pub(crate) fn names_links(&self) -> bool {
        !self.alternates.is_empty()
    }

    /// What was seen, now that the page is known whole. `kept` are the numbers of the links that lead somewhere, in order.
    pub(crate) fn finish(mut self, page: &Url, kept: &[usize]) -> Markup {
        for field in std::mem::take(&mut self.names.fields) {
            if !self.names.labelled.contains(&field.id) {
                self.note(Symptom::FieldWithoutLabel, || field.text);
            }
        }
        let looked_up = [
            (Symptom::LabelForNothing, std::mem::take(&mut self.names.label_targets)),
            (Symptom::DanglingReference, std::mem::take(&mut self.names.named_by)),
        ];
        for (symptom, references) in looked_up {
            for reference in references {
                if !self.names.ids.contains(&reference.id) && self.names.ids.len() < self.most {
                    self.note(symptom, || reference.text);
                }
            }
        }
        for script in std::mem::take(&mut self.scripts) {
            if page.join(&script).is_ok_and(|url| url.host_str() != page.host_str()) {
                self.note(Symptom::ScriptWithoutIntegrity, || script);
            }
        }
        self.found.push(Observation { symptom: Symptom::Element, count: self.elements, example: String::new() });
        self.found.sort_unstable_by_key(|seen| seen.symptom);
        let place = |link: &usize| kept.binary_search(link).ok().and_then(|at| u32::try_from(at).ok());
        let alternates = self.alternates.into_iter();
        let alternates =
            alternates.filter_map(|(link, hreflang)| Some(Alternate { link: place(&link)?, hreflang })).collect();
        Markup { lang: self.lang, alternates, observations: self.found, header: Vec::new() }
    }

    /// The text is of this language, and the page declares another.
    pub(crate) fn other_language(&mut self, spoken: &str) {
        self.note(Symptom::OtherLanguage, || spoken.to_owned());
    }

    /// The page does not say what kind of document it is.
    pub(crate) fn no_doctype(&mut self) {
        self.note(Symptom::NoDoctype, String::new);
    }
}

impl Reference {
    fn to_id(id: &str) -> Reference {
        Reference { id: xxh3_64(id.as_bytes()), text: fold::cut(id, EXAMPLE).to_owned() }
    }
}

/// Does a page begin with a document type, white space and comments aside?
pub(crate) fn has_doctype(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        rest = match rest {
            _ if rest.starts_with("<!--") => rest.split_once("-->").map_or("", |(_, rest)| rest),
            _ if rest.starts_with("<?") => rest.split_once('>').map_or("", |(_, rest)| rest),
            _ => return rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")),
        }
        .trim_start();
    }
}

/// Has the element a name that does not depend on its content?
pub(crate) fn has_name(attributes: &Attributes<'_>) -> bool {
    let names = [Attr::AriaLabel, Attr::AriaLabelledby, Attr::Title];
    names.into_iter().any(|attr| !attributes.text(attr).trim_ascii().is_empty())
}

/// Nobody meets it: it is hidden, from all or from those who listen.
pub(crate) fn is_hidden(attributes: &Attributes<'_>) -> bool {
    let style = attributes.text(Attr::Style);
    attributes.has(Attr::Hidden)
        || attributes.text(Attr::AriaHidden).eq_ignore_ascii_case("true")
        || (!style.is_empty() && style.split_ascii_whitespace().collect::<String>().contains("display:none"))
}

/// A picture that says that it is decoration.
fn is_decoration(attributes: &Attributes<'_>) -> bool {
    matches!(attributes.text(Attr::Role), "presentation" | "none")
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word))
}

fn is_obsolete(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 16] = [
        b"acronym",
        b"applet",
        b"basefont",
        b"bgsound",
        b"big",
        b"blink",
        b"center",
        b"dir",
        b"font",
        b"frame",
        b"frameset",
        b"marquee",
        b"nobr",
        b"noframes",
        b"strike",
        b"tt",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}
