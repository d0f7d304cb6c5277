//! The peer: OR-Tools' SimpleMaxFlow, in a Python that has it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::scratch::Scratch;

const SCRIPT: &str = include_str!("ortools.py");
/// The corner in which `./test` keeps Python packages.
const CORNER: &str = "tools/python/bin/python3";

/// A Python with OR-Tools.
pub(super) struct Python(PathBuf);

/// The arcs in whole numbers, one for each direction.
pub(super) struct Arcs {
    pub(super) nodes: u32,
    /// (tail, head, capacity)
    pub(super) arcs: Vec<(u32, u32, i64)>,
}

/// What is asked: the seeds, and the price in the same whole numbers.
pub(super) struct Question {
    pub(super) seeds: Vec<u32>,
    pub(super) price: i64,
}

/// The maximum flow as OR-Tools computes it.
pub(super) struct Answer {
    pub(super) flow: f64,
    pub(super) inside: Vec<u32>,
    pub(super) seconds: f64,
}

impl Python {
    /// The one that is named; or else one in our corner or on the path. Nothing if none has OR-Tools, and how to get it is said.
    pub(super) fn find(named: &str) -> Option<Python> {
        let has_it = |python: &Path| {
            let asked = Command::new(python).args(["-c", "import numpy, ortools.graph.python.max_flow"]).output();
            asked.is_ok_and(|output| output.status.success())
        };
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
        let known = [target.join(CORNER), PathBuf::from("python3")];
        let candidates = if named.is_empty() { known.to_vec() } else { vec![PathBuf::from(named)] };
        let found = candidates.into_iter().find(|python| has_it(python));
        if found.is_none() {
            println!(
                "No OR-Tools, so ours alone. To compare: `python3 -m venv target/tools/python && \
                 target/tools/python/bin/python3 -m pip install ortools numpy`, or `--python PATH`.\n"
            );
        }
        found.map(Python)
    }

    /// All answers, and the version that gave them; each is solved so many times, and the mean time told.
    pub(super) fn answers(
        &self,
        arcs: &Arcs,
        questions: &[Question],
        times: u32,
    ) -> anyhow::Result<(String, Vec<Answer>)> {
        let scratch = Scratch::new("flow")?;
        let (network, asked) = (scratch.join("network.bin"), scratch.join("questions.json"));
        std::fs::write(&network, arcs.bytes())?;
        let question = |question: &Question| json!({"seeds": question.seeds, "price": question.price});
        std::fs::write(&asked, Value::Array(questions.iter().map(question).collect()).to_string())?;
        let mut command = Command::new(&self.0);
        command.args(["-c", SCRIPT]).arg(&network).arg(&asked).arg(times.to_string());
        let output = command.output().with_context(|| format!("cannot run {}", self.0.display()))?;
        if !output.status.success() {
            bail!("OR-Tools failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let told: Value = serde_json::from_slice(&output.stdout)?;
        let answers = told["answers"].as_array().context("no answers")?.iter().map(read).collect::<Option<Vec<_>>>();
        let version = told["version"].as_str().unwrap_or_default().to_owned();
        Ok((version, answers.context("not an answer")?))
    }
}

fn read(answer: &Value) -> Option<Answer> {
    let inside = answer["inside"].as_array()?.iter().map(|node| node.as_u64().map(|node| node as u32));
    Some(Answer {
        flow: answer["flow"].as_f64()?,
        inside: inside.collect::<Option<Vec<u32>>>()?,
        seconds: answer["seconds"].as_f64()?,
    })
}

impl Arcs {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 16 * self.arcs.len());
        for number in [self.nodes, self.arcs.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.arcs.iter().flat_map(|arc| arc.0.to_le_bytes()));
        bytes.extend(self.arcs.iter().flat_map(|arc| arc.1.to_le_bytes()));
        bytes.extend(self.arcs.iter().flat_map(|arc| arc.2.to_le_bytes()));
        bytes
    }
}
