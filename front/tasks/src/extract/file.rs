//! Columns in a file: a column a line, or tables `[[extract]]` of TOML with a key for each part.
//!
//! ```toml
//! [[extract]]
//! name = "price"
//! type = "number"
//! urls = "/product/*"
//! css = ".price"
//! match = '([\\d.,]+) EUR'
//! ```

use groma_extract::{Column, ColumnError, Language, WrittenColumn};
use groma_settings::Fault;
use serde::Deserialize;

use super::task::{ColumnLine, column_fault};
use super::wording::COLUMN_HINT;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    extract: Vec<Table>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Table {
    name: String,
    r#type: String,
    urls: String,
    css: Option<String>,
    xpath: Option<String>,
    regex: Option<String>,
    json: Option<String>,
    hel: Option<String>,
    r#match: String,
}

/// The columns of a file.
pub fn read_columns(text: &str) -> Result<Vec<ColumnLine>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.lines().any(|line| line.trim_start().starts_with("[[extract]]")) {
        let file: File = toml::from_str(text).map_err(|error| Fault::new(error.message(), COLUMN_HINT))?;
        return file.extract.iter().map(column).collect();
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| line.parse::<Column>().map(|column| ColumnLine::of_column(&column));
    lines.map(|line| read(line).map_err(|error| column_fault(&error))).collect()
}

fn column(table: &Table) -> Result<ColumnLine, Fault> {
    let selectors = [&table.css, &table.xpath, &table.regex, &table.json, &table.hel];
    let languages = [Language::Css, Language::XPath, Language::Regex, Language::Json, Language::Hel];
    let mut written =
        languages.into_iter().zip(selectors).filter_map(|(language, text)| Some((language, text.as_ref()?)));
    let (Some((language, selector)), None) = (written.next(), written.next()) else {
        return Err(column_fault(&ColumnError::NoSelector(table.name.clone())));
    };
    let parts = WrittenColumn { name: &table.name, r#type: &table.r#type, urls: &table.urls, part: &table.r#match };
    let column = Column::read(&parts, language, selector).map_err(|error| column_fault(&error))?;
    Ok(ColumnLine::of_column(&column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_from_lines_and_from_tables() {
        let lines = read_columns("# columns\n\ntitle=css:h1\nprice:number=css:.price\n").unwrap();
        assert_eq!(
            lines.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["title=css:h1", "price:number=css:.price"]
        );
        let table = "delay = 1\n[[extract]]\nname = \"price\"\ntype = \"number\"\nurls = \"/p/*\"\ncss = \".price\"\nmatch = '([\\d.]+) EUR'\n";
        let tables = read_columns(table).unwrap();
        assert_eq!(tables[0].to_string(), r"price:number@/p/*=css:.price match /([\d.]+) EUR/");
        for bad in [
            "title",
            "[[extract]]\nname = 1",
            "[[extract]]\nname = \"a\"",
            "[[extract]]\nname=\"a\"\ncss=\"a\"\nxpath=\"//a\"",
            "[[extract]]\nname=\"a\"\ncss=\"a[\"",
        ] {
            let fault = read_columns(bad).unwrap_err();
            assert!(!fault.says.is_empty() && !fault.hint.is_empty(), "{bad}");
        }
    }
}
