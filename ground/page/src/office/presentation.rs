//! pptx: the slides in order of their numbers. The first paragraph of a title's shape is a heading.

use groma_model::{BlockKind, LinkKind};

use super::metadata;
use super::package::Package;
use crate::sheet::Sheet;
use crate::xml::{XmlEvent, local_attribute, walk};

pub(super) fn read(package: &mut Package<'_>, sheet: &mut Sheet<'_>) {
    metadata(&package.text("docProps/core.xml"), sheet);
    for name in package.numbered("ppt/slides/slide", ".xml") {
        let relations =
            package.relations(&name.replace("ppt/slides/", "ppt/slides/_rels/").replace(".xml", ".xml.rels"));
        let text = package.text(&name);
        let (mut paragraph, mut in_text, mut titled) = (String::new(), false, false);
        let mut links: Vec<(String, usize)> = Vec::new();
        walk(&text, |step| {
            match step {
                XmlEvent::Start { tag, has_content } => {
                    in_text = has_content && tag.local_name().as_ref() == "t";
                    match tag.local_name().as_ref() {
                        "sp" => titled = false,
                        "ph" => {
                            let kind = local_attribute(tag, "type").unwrap_or_default();
                            titled = matches!(kind.as_str(), "title" | "ctrTitle");
                        }
                        "br" | "tab" => paragraph.push(' '),
                        "hlinkClick" => {
                            let target = local_attribute(tag, "id").and_then(|id| relations.get(&id));
                            links.extend(target.map(|target| (target.clone(), paragraph.len())));
                        }
                        _ => {}
                    }
                }
                XmlEvent::Text(part) if in_text => paragraph.push_str(part),
                XmlEvent::Text(_) => {}
                XmlEvent::End(name) => {
                    in_text = false;
                    if name == "p" {
                        let kind = if titled { BlockKind::Heading2 } else { BlockKind::Paragraph };
                        let text = std::mem::take(&mut paragraph);
                        if titled {
                            sheet.title(&text);
                        }
                        sheet.block(kind, &text);
                        for (target, from) in links.drain(..) {
                            let shown = text.get(from..).unwrap_or_default();
                            sheet.link(&target, LinkKind::Anchor, "", shown, kind);
                        }
                    }
                }
            }
            true
        });
    }
}
