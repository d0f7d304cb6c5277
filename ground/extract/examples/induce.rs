//! Do rules made from two examples hold? `cargo run --release -p groma-extract --example induce -- COLUMN [TRUTH] FILE...`
//!
//! COLUMN is a column (`title=css:h1`) that gives the true values; rules are made from its values on the first two files that have one, chosen
//! on 40 others, and compared with the truth on all the rest: says the rule, on how many pages it gives a value, and on how many the true one.
//! What COLUMN itself reads is hidden from the rules if `--hide` stands before it: rules whose selector is the same are left out.

use groma_extract::induce::{Example, Wanted, choose, induce};
use groma_extract::{Column, Columns, Page, ValueLimits, ValueType};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let hide = arguments.first().is_some_and(|first| first == "--hide");
    arguments.drain(..usize::from(hide));
    if arguments.len() < 4 {
        return eprintln!("usage: induce [--hide] COLUMN FILE FILE FILE...");
    }
    let truth: Column = arguments.remove(0).parse().expect("a column");
    let columns = Columns::new(vec![truth.clone()]).expect("a column");
    let files: Vec<String> = arguments;
    let sources: Vec<String> = files
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .map(|b| String::from_utf8_lossy(&b).into_owned())
        .collect();
    let pages: Vec<Page<'_>> = sources.iter().map(|source| Page::read(source, None)).collect();
    let true_value = |page: &Page<'_>| {
        columns.read(page, ValueLimits::default())[0].cell.values().first().map(|value| value.to_string())
    };
    let known: Vec<(&Page<'_>, String)> =
        pages.iter().filter_map(|page| true_value(page).map(|value| (page, value))).collect();
    let shown: Vec<Vec<String>> = known.iter().take(2).map(|(_, value)| vec![value.clone()]).collect();
    let examples: Vec<Example<'_>> =
        known.iter().zip(&shown).map(|((page, _), values)| Example { page, values }).collect();
    let mut induced = match induce(Wanted { name: &truth.name, r#type: ValueType::default() }, &examples) {
        Ok(induced) => induced,
        Err(error) => return println!("{error}"),
    };
    induced.retain(|rule| !hide || rule.column.selector != truth.selector);
    let sample: Vec<Page<'_>> =
        sources.iter().skip(2).step_by((sources.len() / 40).max(1)).map(|s| Page::read(s, None)).collect();
    let Some((best, _)) = choose(induced, &sample).into_iter().next() else { return println!("no rule is left") };
    let rule = Columns::new(vec![best.column.clone()]).expect("a column");
    let (mut given, mut right, mut wrong) = (0, 0, None);
    for (page, value) in known.iter().skip(2) {
        let read = rule.read(page, ValueLimits::default());
        let Some(found) = read[0].cell.values().first().map(|value| value.to_string()) else { continue };
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
