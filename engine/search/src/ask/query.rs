//! From a question to what the engine is asked.

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::parse::{Part, Question, Scope};
use crate::Weights;
use crate::schema::Fields;
use crate::text::{Language, Run, Scan, Terms, lower, segment, sign};

/// Ways of writing one part that are asked for.
const WAYS: usize = 12;
/// Terms of a phrase that count.
const TERMS: usize = 48;

/// The terms of a phrase, each with its distance to the first.
pub(crate) type PhraseTerms = Vec<(usize, String)>;

/// A word or a row of words, in all ways it may be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) ways: Vec<PhraseTerms>,
    pub(crate) scope: Scope,
}

/// What is needed to turn words into terms.
#[derive(Clone, Debug)]
pub(crate) struct Phrasing {
    /// The languages of the index, one of each family.
    pub(crate) languages: Vec<Language>,
    /// There are Japanese pages and no Chinese ones.
    pub(crate) japanese: bool,
}

impl Phrasing {
    /// The atoms of a part; all of them are asked for.
    pub(crate) fn atoms(&self, part: &Part) -> Vec<Atom> {
        let words: Vec<Vec<Spoken>> = if part.phrase { vec![spoken(&part.text)] } else { self.words(&part.text) };
        let mut atoms: Vec<Atom> = Vec::new();
        for word in words {
            let atom = Atom { ways: self.ways(&word), scope: part.scope };
            if !atom.ways.is_empty() && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        atoms
    }

    /// What stands together without a space belongs together, but for scripts that have no spaces.
    fn words(&self, text: &str) -> Vec<Vec<Spoken>> {
        let mut all = Vec::new();
        let mut row = Vec::new();
        for word in spoken(text) {
            match word {
                Spoken::Solid(run) => {
                    all.extend((!row.is_empty()).then(|| std::mem::take(&mut row)));
                    all.extend(segment(&run, self.japanese).into_iter().map(|word| vec![Spoken::Solid(word)]));
                }
                other => row.push(other),
            }
        }
        all.extend((!row.is_empty()).then_some(row));
        all
    }

    fn ways(&self, words: &[Spoken]) -> Vec<PhraseTerms> {
        let mut ways: Vec<PhraseTerms> = Vec::new();
        for &language in &self.languages {
            let terms = |text: &str| Terms::from_word(&lower(text), language);
            let (mut first, mut second) = (PhraseTerms::new(), PhraseTerms::new());
            let mut at = 0;
            for word in words.iter().take(TERMS) {
                match word {
                    Spoken::Word(text) => {
                        let terms = terms(text);
                        second.push((at, terms.second.unwrap_or_else(|| terms.first.clone())));
                        first.push((at, terms.first));
                        at += 1;
                    }
                    Spoken::Signed(text) => {
                        first.push((at, sign(text)));
                        second.push((at, sign(text)));
                        at += 1;
                    }
                    Spoken::Solid(run) => {
                        let letters: Vec<char> = run.chars().take(TERMS).collect();
                        let pairs = letters.windows(2).map(|pair| pair.iter().collect::<String>());
                        let alone = (letters.len() == 1).then(|| run.clone());
                        for (place, term) in pairs.chain(alone).enumerate() {
                            first.push((at + place, term.clone()));
                            second.push((at + place, term));
                        }
                        at += letters.len();
                    }
                }
            }
            for way in [first, second] {
                if !way.is_empty() && !ways.contains(&way) && ways.len() < WAYS {
                    ways.push(way);
                }
            }
        }
        ways
    }
}

/// A word of a question.
#[derive(Clone, Debug)]
enum Spoken {
    Word(String),
    Signed(String),
    Solid(String),
}

fn spoken(text: &str) -> Vec<Spoken> {
    let word = |run| match run {
        Run::Word(from, to) => Some(Spoken::Word(text[from..to].to_owned())),
        Run::Signed(from, _, to) => Some(Spoken::Signed(text[from..to].to_owned())),
        Run::Solid(from, to) => Some(Spoken::Solid(text[from..to].to_owned())),
        Run::Break => None,
    };
    Scan::new(text).filter_map(word).collect()
}

/// What the engine is asked. `some`: pages with some of the words will do.
pub(crate) fn build(
    question: &Question,
    phrasing: &Phrasing,
    fields: &Fields,
    weights: &Weights,
    folders: &[String],
    some: bool,
) -> Box<dyn Query> {
    let of_group = |group: &Vec<Part>| -> Vec<Box<dyn Query>> {
        group.iter().flat_map(|part| alternatives(part, phrasing, fields, weights, some)).collect()
    };
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = if some {
        let all: Vec<Box<dyn Query>> = question.groups.iter().flat_map(of_group).collect();
        union(all).into_iter().map(|query| (Occur::Must, query)).collect()
    } else {
        question.groups.iter().filter_map(|group| union(of_group(group))).map(|query| (Occur::Must, query)).collect()
    };
    if clauses.is_empty() {
        let nothing = question.groups.is_empty();
        clauses.push((Occur::Must, if nothing { Box::new(AllQuery) } else { Box::new(EmptyQuery) }));
    }
    for part in &question.not {
        if let Some(query) = union(alternatives(part, phrasing, fields, &Weights::default(), false)) {
            clauses.push((Occur::MustNot, query));
        }
    }
    let under = |folder: &String| -> Box<dyn Query> {
        Box::new(TermQuery::new(Term::from_field_text(fields.under, folder), IndexRecordOption::Basic))
    };
    if let Some(query) = union(folders.iter().map(under).collect()) {
        clauses.push((Occur::Must, Box::new(ConstScoreQuery::new(query, 0.0))));
    }
    Box::new(BooleanQuery::new(clauses))
}

fn union(mut queries: Vec<Box<dyn Query>>) -> Option<Box<dyn Query>> {
    match queries.len() {
        0 => None,
        1 => queries.pop(),
        _ => Some(Box::new(BooleanQuery::union(queries))),
    }
}

/// What answers a part, any of these: a single atom in every field and way, or all its atoms together (`some`: any of them).
/// Alternatives are not nested: the engine goes through one wide union of terms faster than through a union of unions.
fn alternatives(
    part: &Part,
    phrasing: &Phrasing,
    fields: &Fields,
    weights: &Weights,
    some: bool,
) -> Vec<Box<dyn Query>> {
    let atoms = phrasing.atoms(part);
    let queries = atoms.iter().map(|atom| atom_queries(atom, fields, weights));
    if some || atoms.len() == 1 {
        return queries.flatten().collect();
    }
    let all: Vec<Box<dyn Query>> = queries.filter_map(union).collect();
    if all.is_empty() { Vec::new() } else { vec![Box::new(BooleanQuery::intersection(all))] }
}

fn atom_queries(atom: &Atom, fields: &Fields, weights: &Weights) -> Vec<Box<dyn Query>> {
    let all: [(Field, f32); 6] = [
        (fields.body, weights.body),
        (fields.title, weights.title),
        (fields.heading, weights.heading),
        (fields.anchor, weights.anchor),
        (fields.summary, weights.summary),
        (fields.address, weights.address),
    ];
    let chosen = all.into_iter().filter(|(field, weight)| match atom.scope {
        Scope::Any => *weight > 0.0,
        Scope::Title => *field == fields.title,
        Scope::Address => *field == fields.address,
    });
    let mut queries: Vec<Box<dyn Query>> = Vec::new();
    for (field, weight) in chosen {
        for way in &atom.ways {
            let query = row_query(field, way);
            let weight = if weight > 0.0 { weight } else { 1.0 };
            queries.push(if weight == 1.0 { query } else { Box::new(BoostQuery::new(query, weight)) });
        }
    }
    queries
}

fn row_query(field: Field, row: &PhraseTerms) -> Box<dyn Query> {
    let term = |text: &str| Term::from_field_text(field, text);
    match row.as_slice() {
        [(_, only)] => Box::new(TermQuery::new(term(only), IndexRecordOption::WithFreqs)),
        many => Box::new(PhraseQuery::new_with_offset(many.iter().map(|(at, text)| (*at, term(text))).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, phrase: bool, languages: &[&str]) -> Vec<Vec<Vec<String>>> {
        let languages: Vec<Language> = languages.iter().map(|code| Language::from_code(code)).collect();
        let phrasing = Phrasing { languages, japanese: false };
        let part = Part { text: text.into(), phrase, scope: Scope::Any };
        let ways = |atom: Atom| -> Vec<Vec<String>> {
            atom.ways.into_iter().map(|row| row.into_iter().map(|(at, term)| format!("{at}{term}")).collect()).collect()
        };
        phrasing.atoms(&part).into_iter().map(ways).collect()
    }

    #[test]
    fn words_become_terms_in_every_language() {
        assert_eq!(rows("connections", false, &["en"]), [[["0connect"]]]);
        assert_eq!(rows("pg_stat", false, &["en"]), [[["0pg", "1stat"]]]);
        assert_eq!(rows("C++", false, &["en"]), [[["0c++"]]]);
        assert_eq!(rows("Häuser", false, &["en", "de"])[0].len(), 2);
        assert_eq!(rows("学习数据库", false, &["zh"]), [vec![vec!["0学习"]], vec![vec!["0数据", "1据库"]]]);
        assert_eq!(rows("用Rust学习", true, &["zh"]), [[["0用", "1rust", "2学习"]]]);
        assert!(rows("!?", false, &["en"]).is_empty());
    }
}
