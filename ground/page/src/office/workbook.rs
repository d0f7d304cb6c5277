//! xlsx: the strings its cells share, the names of its sheets, and its hyperlinks. Numbers are left.

use groma_model::{BlockKind, LinkKind};

use super::metadata;
use super::package::Package;
use crate::sheet::Sheet;
use crate::xml::{XmlEvent, attribute, walk};

pub(super) fn read(package: &mut Package<'_>, sheet: &mut Sheet<'_>) {
    metadata(&package.text("docProps/core.xml"), sheet);
    walk(&package.text("xl/workbook.xml"), |step| {
        if let XmlEvent::Start { tag, .. } = step
            && tag.local_name().as_ref() == "sheet"
        {
            sheet.block(BlockKind::Heading1, &attribute(tag, "name").unwrap_or_default());
        }
        true
    });
    cells(&package.text("xl/sharedStrings.xml"), "si", sheet);
    for name in package.numbered("xl/worksheets/sheet", ".xml") {
        for target in
            package.relations(&name.replace("worksheets/", "worksheets/_rels/").replace(".xml", ".xml.rels")).values()
        {
            sheet.link(target, LinkKind::Anchor, "", "", BlockKind::TableCell);
        }
        cells(&package.text(&name), "is", sheet);
    }
}

/// Every text of an element of this name as a cell.
fn cells(text: &str, name: &str, sheet: &mut Sheet<'_>) {
    let (mut cell, mut inside, mut in_text) = (String::new(), false, false);
    walk(text, |step| {
        match step {
            XmlEvent::Start { tag, has_content } => {
                let local = tag.local_name();
                inside |= has_content && local.as_ref() == name;
                in_text = inside && has_content && local.as_ref() == "t";
            }
            XmlEvent::Text(part) if in_text => cell.push_str(part),
            XmlEvent::Text(_) => {}
            XmlEvent::End(ended) => {
                in_text = false;
                if ended == name {
                    sheet.block(BlockKind::TableCell, &std::mem::take(&mut cell));
                    inside = false;
                }
            }
        }
        true
    });
}
