//! How do a body and the page made of it travel between two processes?
//!
//! JSON: what a reader that is run apart fills in, and no more. What can be worked out from that (similarity, parts) is worked
//! out by whoever unpacks it. Total: what is missing or of another kind is left out.

use encoding_rs::UTF_8;
use groma_model::page::Meta;
use groma_model::{Block, BlockKind, Limits, Link, LinkKind, ParsedPage, Rel, Target, limits};
use groma_url::Url;
use serde_json::{Value, json};

use crate::{sheet, text_fingerprint};

/// What is asked of a reader beside the body.
#[derive(Clone, Debug)]
pub struct ReadTask {
    /// The type of the body.
    pub media_type: String,
    /// Where it came from.
    pub url: Url,
    /// How much of it is looked at and kept.
    pub limits: Limits,
}

impl ReadTask {
    /// Encodes the task, without the body.
    pub fn pack(&self) -> Vec<u8> {
        let rows = limits::TABLE.iter().map(|row| (row.key.to_owned(), json!(self.limits.get(row.key))));
        let limits: serde_json::Map<String, Value> = rows.collect();
        json!({ "type": self.media_type, "url": self.url.as_str(), "limits": limits }).to_string().into_bytes()
    }

    /// Decodes a task; `None` if it is damaged.
    pub fn unpack(bytes: &[u8]) -> Option<ReadTask> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let mut limits = Limits::default();
        for (key, value) in value.get("limits")?.as_object()? {
            limits.set(key, value.as_u64()?);
        }
        let url = Url::parse(value.get("url")?.as_str()?).ok()?;
        Some(ReadTask { media_type: value.get("type")?.as_str()?.to_owned(), url, limits })
    }
}

/// A page as bytes.
pub fn pack(page: &ParsedPage) -> Vec<u8> {
    let blocks: Vec<Value> = page.blocks.iter().map(|block| json!([block.kind as u8, block.text])).collect();
    let link = |link: &Link| {
        let (address, is_web) = match &link.target {
            Target::Web(url) => (url.as_str(), true),
            Target::Malformed(text) => (text.as_str(), false),
        };
        json!([address, is_web, link.kind as u8, link.rel.0, link.block as u8, link.text])
    };
    let links: Vec<Value> = page.links.iter().map(link).collect();
    let metas: Vec<Value> = page.metas.iter().map(|meta| json!([meta.name, meta.content])).collect();
    let page = json!({
        "title": page.title, "language": page.language, "blocks": blocks, "links": links, "metas": metas, "cuts": page.cuts,
    });
    page.to_string().into_bytes()
}

/// A page from bytes, with its parts if they are wanted.
pub fn unpack(bytes: &[u8], parts: bool) -> Option<ParsedPage> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let list = |name: &str| value.get(name).and_then(Value::as_array).into_iter().flatten();
    let word = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let code = |value: Option<&Value>| value.and_then(Value::as_u64).and_then(|code| u8::try_from(code).ok());
    let block = |row: &Value| Some(Block { kind: BlockKind::from_code(code(row.get(0))?)?, text: word(row.get(1))? });
    let link = |row: &Value| {
        let address = word(row.get(0))?;
        let target = match row.get(1)?.as_bool()? {
            true => Target::Web(Url::parse(&address).ok()?),
            false => Target::Malformed(address),
        };
        Some(Link {
            target,
            kind: LinkKind::from_code(code(row.get(2))?)?,
            rel: Rel(code(row.get(3))?),
            block: BlockKind::from_code(code(row.get(4))?)?,
            text: word(row.get(5))?,
        })
    };
    let known = |key: &Value| limits::TABLE.iter().map(|row| row.key).find(|known| key.as_str() == Some(known));
    let mut page = ParsedPage {
        title: word(value.get("title"))?,
        language: word(value.get("language")),
        blocks: list("blocks").filter_map(block).collect(),
        links: list("links").filter_map(link).collect(),
        metas: list("metas")
            .filter_map(|row| Some(Meta { name: word(row.get(0))?, content: word(row.get(1))? }))
            .collect(),
        cuts: list("cuts").filter_map(known).collect(),
        charset: UTF_8.name(),
        ..ParsedPage::default()
    };
    let like = text_fingerprint::fingerprint_blocks(&page.blocks);
    (page.text_fp, page.near_fp, page.words) = (like.text_fp, like.near_fp, like.words);
    page.parts = parts.then(|| Box::new(sheet::all_main(&page)));
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Feed, Filter, Input};

    #[test]
    fn what_is_packed_comes_out_again() {
        let url = Url::parse("http://a.test/").unwrap();
        let limits = Limits { html_text: 40, ..Limits::default() };
        let bytes = b"<rss><channel><title>T</title><language>cs</language><item><title>One</title><link>/1</link>\
            <description>words and words and words beyond the room there is</description></item></channel></rss>";
        let page = Feed.read(&Input { bytes, url: &url, charset: None, limits: &limits, parts: true });
        assert!(!page.cuts.is_empty() && !page.links.is_empty());
        assert_eq!(unpack(&pack(&page), true), Some(page));
        let task = ReadTask { media_type: "application/pdf".into(), url, limits };
        let again = ReadTask::unpack(&task.pack()).unwrap();
        assert_eq!((again.media_type, again.url, again.limits), (task.media_type, task.url, task.limits));
        for broken in [&b""[..], b"{}", b"[]", b"{\"title\":7}"] {
            assert!(unpack(broken, false).is_none() && ReadTask::unpack(broken).is_none());
        }
    }
}
