//! `--key value` pairs of the command line; each must be taken by the benchmark.

use std::str::FromStr;

use anyhow::{Context as _, bail};

/// What was given and not yet taken.
#[derive(Debug, Default)]
pub(crate) struct Options(Vec<(String, String)>);

impl Options {
    /// Reads the words behind the name of the benchmark.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> anyhow::Result<Options> {
        let mut pairs = Vec::new();
        while let Some(word) = words.next() {
            let Some(key) = word.strip_prefix("--") else { bail!("{word}: an option begins with --") };
            let value = words.next().with_context(|| format!("{word}: a value is wanted"))?;
            pairs.push((key.to_owned(), value));
        }
        Ok(Options(pairs))
    }

    /// Takes an option, or what it is unless told otherwise.
    pub(crate) fn take<T: FromStr>(&mut self, key: &str, default: T) -> anyhow::Result<T> {
        let Some(at) = self.0.iter().position(|(known, _)| known == key) else { return Ok(default) };
        let (_, value) = self.0.remove(at);
        value.parse().ok().with_context(|| format!("--{key} {value}: not a value of this option"))
    }

    /// Nothing is left over.
    pub(crate) fn all_taken(&self) -> anyhow::Result<()> {
        match self.0.first() {
            Some((key, _)) => bail!("--{key}: this benchmark has no such option"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> anyhow::Result<Options> {
        Options::read(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_taken_once_and_strangers_are_named() {
        let mut options = given("--rounds 5 --nonsense 1").unwrap();
        assert_eq!(options.take("rounds", 3).unwrap(), 5);
        assert_eq!(options.take("times", 100).unwrap(), 100);
        assert!(options.all_taken().unwrap_err().to_string().starts_with("--nonsense:"));
        assert!(given("--rounds").is_err());
        assert!(given("rounds").is_err());
        assert!(given("--rounds many").unwrap().take("rounds", 3).is_err());
    }
}
