//! Do rules made from two examples hold? `cargo run --release -p groma-extract --example induce -- [--hide WORD] COLUMN FILE...`
//! (`-`: the names of the files stand on stdin)
//!
//! COLUMN is a column (`title=css:h1`) that gives the true values; a rule is made from its values on the first two files that have one, chosen
//! on 40 others, and compared with the truth on all the rest: says the rule, on how many pages it gives a value, and on how many the true one.
//! Rules with WORD in them are left out: those that read what COLUMN itself reads.

use groma_extract::induce::{Example, Wanted, choose, induce};
use groma_extract::{Column, Columns, Page, ValueLimits, ValueType};

fn first_value(columns: &Columns, page: &Page<'_>) -> Option<String> {
    columns.read(page, ValueLimits::default())[0].cell.values().first().map(ToString::to_string)
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let hides = arguments.len() > 2 && arguments[0] == "--hide";
    let hidden = if hides { arguments.drain(..2).nth(1) } else { None };
    if arguments.len() < 2 {
        return eprintln!("usage: induce [--hide WORD] COLUMN FILE FILE FILE...");
    }
    let truth: Column = arguments.remove(0).parse().expect("a column");
    if arguments == ["-"] {
        arguments = std::io::stdin().lines().map_while(Result::ok).collect();
    }
    let columns = Columns::new(vec![truth.clone()]).expect("a column");
    let read = arguments.iter().filter_map(|file| std::fs::read(file).ok());
    let sources: Vec<String> = read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    let mut known: Vec<(Page<'_>, String)> = Vec::new();
    for source in &sources {
        let page = Page::read(source, None);
        if let Some(value) = first_value(&columns, &page) {
            known.push((page, value));
        }
    }
    let shown: Vec<Vec<String>> = known.iter().take(2).map(|(_, value)| vec![value.clone()]).collect();
    let examples: Vec<Example<'_>> =
        known.iter().zip(&shown).map(|((page, _), values)| Example { page, values }).collect();
    let mut induced = match induce(Wanted { name: &truth.name, r#type: ValueType::default() }, &examples) {
        Ok(induced) => induced,
        Err(error) => return println!("{error}"),
    };
    induced.retain(|rule| hidden.as_ref().is_none_or(|word| !rule.column.to_string().contains(word.as_str())));
    let sample = sources.iter().skip(2).step_by((sources.len() / 40).max(1));
    let sample: Vec<Page<'_>> = sample.map(|source| Page::read(source, None)).collect();
    let Some((best, _)) = choose(induced, &sample).into_iter().next() else { return println!("no rule is left") };
    let rule = Columns::new(vec![best.column.clone()]).expect("a column");
    let (mut given, mut right, mut wrong) = (0, 0, None);
    for (page, value) in known.iter().skip(2) {
        let Some(found) = first_value(&rule, page) else { continue };
        given += 1;
        if found == *value { right += 1 } else { wrong = wrong.or(Some((found, value.clone()))) }
    }
    let of = known.len().saturating_sub(2);
    println!("{}", best.column);
    println!(
        "{of} pages: a value on {given}, the true one on {right} ({:.1} %)",
        100.0 * right as f64 / of.max(1) as f64
    );
    if let Some((found, value)) = wrong {
        println!("for example `{found}` in place of `{value}`");
    }
}
