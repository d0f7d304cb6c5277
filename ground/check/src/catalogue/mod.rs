//! The catalogue of checks: a file for each, with its definition, its example and its judge. What needs the whole survey is found by
//! the files of [`checks`](crate::checks).
//!
//! Findings are told in the order of the list below. Names are written into baselines and scripts: never rename one.

mod charsets;
mod cookies;
mod data_faults;
mod definition;
#[cfg(test)]
mod examples;
mod generic_texts;
mod judging;
mod profile;
mod robots_words;
mod thresholds;
mod view;

pub(crate) use definition::Judge;
pub use definition::{Definition, Example, Family};
pub(crate) use judging::{Judging, Remarks};
pub use profile::{CheckName, Profile};
pub use thresholds::Thresholds;
pub(crate) use view::{LinkView, PageView};

macro_rules! catalogue {
    ($( $variant:ident, $file:ident; )*) => {
        $( mod $file; )*

        /// What kind of finding it is, in the order in which they are told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind { $( $variant, )* }

        impl Kind {
            /// All of them, in the order in which they are told.
            pub const ALL: &'static [Kind] = &[ $( Kind::$variant, )* ];

            /// What the check that finds it is.
            pub fn definition(self) -> &'static Definition {
                match self { $( Kind::$variant => &$file::DEFINITION, )* }
            }
        }
    };
}

catalogue! {
    InvalidLink, invalid_link;
    StartBroken, start_broken;
    OutsideBroken, outside_broken;
    MixedContent, mixed_content;
    SoftNotFound, soft_404;
    SitemapInvalid, sitemap_invalid;
    BrokenOff, broken_off;
    OutsideUnreachable, outside_unreachable;
    RedirectChain, redirect_chain;
    MissingAnchor, missing_anchor;
    MixedImage, mixed_image;
    MissingTitle, missing_title;
    DoubledTitle, doubled_title;
    Duplicate, duplicate;
    Orphan, orphan;
    LinkWithoutName, link_without_name;
    LocalLink, local_link;
    FileLink, file_link;
    MailMalformed, mail_malformed;
    PhoneMalformed, phone_malformed;
    TitleSeveral, title_several;
    DescriptionSeveral, description_several;
    DescriptionDoubled, description_doubled;
    HeadingEmpty, heading_empty;
    NoindexInSitemap, noindex_in_sitemap;
    SitemapBlocked, sitemap_blocked;
    SitemapCanonicalized, sitemap_canonicalized;
    RobotsConflict, robots_conflict;
    CanonicalSeveral, canonical_several;
    CanonicalRedirect, canonical_redirect;
    CanonicalNoindex, canonical_noindex;
    CanonicalChain, canonical_chain;
    HeadInBody, head_in_body;
    PaginationUnlisted, pagination_unlisted;
    UrlSession, url_session;
    LangMissing, lang_missing;
    LangInvalid, lang_invalid;
    LangMismatch, lang_mismatch;
    HreflangInvalid, hreflang_invalid;
    HreflangDoubled, hreflang_doubled;
    HreflangNoReturn, hreflang_no_return;
    HreflangTarget, hreflang_target;
    PlaceholderText, placeholder_text;
    ReplacementCharacters, replacement_characters;
    CharsetConflict, charset_conflict;
    CharsetLate, charset_late;
    ImageWithoutAlt, image_without_alt;
    NotHttps, not_https;
    CookieNotSecure, cookie_not_secure;
    PasswordInsecure, password_insecure;
    PasswordInUrl, password_in_url;
    FieldWithoutLabel, field_without_label;
    ButtonWithoutName, button_without_name;
    FrameWithoutTitle, frame_without_title;
    AreaWithoutAlt, area_without_alt;
    ZoomDisabled, zoom_disabled;
    Autoplay, autoplay;
    RefreshTimed, refresh_timed;
    StructuredBroken, structured_broken;
    StructuredInvalid, structured_invalid;
    StructuredIncomplete, structured_incomplete;
    Redirect, redirect;
    OutsideMoved, outside_moved;
    OutsideBlocked, outside_blocked;
    NearDuplicate, near_duplicate;
    NavigationOnly, navigation_only;
    Cut, cut;
    LinkTextGeneric, link_text_generic;
    HttpLink, http_link;
    LinkToNoindex, link_to_noindex;
    LinkToCanonicalized, link_to_canonicalized;
    NofollowInside, nofollow_inside;
    ScriptLink, script_link;
    LinksMany, links_many;
    TitleLong, title_long;
    TitleShort, title_short;
    DescriptionMissing, description_missing;
    DescriptionLong, description_long;
    DescriptionShort, description_short;
    H1Missing, h1_missing;
    H1Several, h1_several;
    H1Long, h1_long;
    H1Doubled, h1_doubled;
    HeadingSkipped, heading_skipped;
    Noindex, noindex;
    SitemapRedirect, sitemap_redirect;
    RobotsUnknown, robots_unknown;
    CanonicalMissing, canonical_missing;
    CanonicalElsewhere, canonical_elsewhere;
    Refresh, refresh;
    UrlLong, url_long;
    UrlDoubleSlash, url_double_slash;
    LangPartInvalid, lang_part_invalid;
    HreflangNoSelf, hreflang_no_self;
    HreflangNoDefault, hreflang_no_default;
    Thin, thin;
    CharsetMissing, charset_missing;
    NoDoctype, no_doctype;
    ObsoleteElements, obsolete_elements;
    ImageAltLong, image_alt_long;
    ImageWithoutSize, image_without_size;
    ImageLarge, image_large;
    SlowAnswer, slow_answer;
    HtmlLarge, html_large;
    NoCompression, no_compression;
    NoCaching, no_caching;
    HttpOld, http_old;
    ElementsMany, elements_many;
    BlockingScripts, blocking_scripts;
    HstsMissing, hsts_missing;
    HstsShort, hsts_short;
    CspMissing, csp_missing;
    CspUnsafe, csp_unsafe;
    NosniffMissing, nosniff_missing;
    FramingOpen, framing_open;
    ReferrerLeak, referrer_leak;
    CookieReadable, cookie_readable;
    CookieCrossSite, cookie_cross_site;
    VersionRevealed, version_revealed;
    ScriptWithoutIntegrity, script_without_integrity;
    TabindexPositive, tabindex_positive;
    ViewportMissing, viewport_missing;
    IdRepeated, id_repeated;
    CaptionsMissing, captions_missing;
    TableWithoutHeaders, table_without_headers;
    RoleUnknown, role_unknown;
    LabelForNothing, label_for_nothing;
    ReferenceDangling, reference_dangling;
    MainMissing, main_missing;
    ListBroken, list_broken;
    Deep, deep;
    DeadEnd, dead_end;
    StructuredSparse, structured_sparse;
    OpenGraphIncomplete, open_graph_incomplete;
    TwitterCardIncomplete, twitter_card_incomplete;
}

impl Kind {
    /// The word scripts see.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// How bad it is.
    pub fn severity(self) -> crate::finding::Severity {
        self.definition().severity
    }

    /// What such findings are, as a heading.
    pub fn says(self) -> &'static str {
        self.definition().headline
    }

    /// What to do about them.
    pub fn next_step(self) -> &'static str {
        self.definition().next_step
    }
}
