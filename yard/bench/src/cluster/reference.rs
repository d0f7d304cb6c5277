//! The reference program mcl: its format of graphs, a run, and its format of clusters.

use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use groma_graph::Weighted;

use crate::groma::said;
use crate::measure::{self, Cost};
use crate::scratch::Scratch;

/// Its version; nothing if it is not installed.
pub(super) fn version() -> Option<String> {
    let output = Command::new("mcl").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Writes a graph as mcl reads it fastest: a matrix of which every column is a line. Weights are not told: all are 1.
pub(super) fn write(graph: &Weighted, file: &Path) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    let count = graph.node_count();
    write!(out, "(mclheader\nmcltype matrix\ndimensions {count}x{count}\n)\n(mclmatrix\nbegin\n")?;
    for node in 0..count {
        write!(out, "{node}")?;
        for to in graph.neighbours(node).0 {
            write!(out, " {to}")?;
        }
        out.write_all(b" $\n")?;
    }
    out.write_all(b")\n")?;
    Ok(out.flush()?)
}

/// Its clusters with the settings it has unless told otherwise, and what they cost.
pub(super) fn run(matrix: &Path, inflation: f64, pages: u32, scratch: &Scratch) -> anyhow::Result<(Vec<u32>, Cost)> {
    let answer = scratch.join("mcl");
    let mut command = Command::new("mcl");
    command.arg(matrix).args(["-I", &inflation.to_string(), "-q", "x", "-V", "all", "-o"]).arg(&answer);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !output.status.success() {
        bail!("mcl failed: {}", said(&output));
    }
    Ok((read(&std::fs::read_to_string(&answer).context("no answer of mcl")?, pages)?, cost))
}

/// The cluster of each page. A cluster is its number and those of its pages, up to a dollar; pages in none are alone.
fn read(text: &str, pages: u32) -> anyhow::Result<Vec<u32>> {
    let (_, body) = text.split_once("begin").context("mcl wrote no matrix")?;
    let mut of = vec![u32::MAX; pages as usize];
    let (mut cluster, mut clusters) = (None, 0u32);
    for word in body.split_whitespace().take_while(|word| *word != ")") {
        if word == "$" {
            cluster = None;
            continue;
        }
        let number: u32 = word.parse().with_context(|| format!("{word}: not what mcl writes"))?;
        match cluster {
            None => {
                cluster = Some(number);
                clusters = clusters.max(number + 1);
            }
            Some(cluster) => *of.get_mut(number as usize).context("mcl names a page that is none")? = cluster,
        }
    }
    for alone in of.iter_mut().filter(|of| **of == u32::MAX) {
        *alone = clusters;
        clusters += 1;
    }
    Ok(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_of_mcl_are_read() {
        let text = "(mclheader\nmcltype matrix\ndimensions 6x2\n)\n(mclmatrix\nbegin\n0      0    2\n     3 $\n1      4 $\n)\n";
        assert_eq!(read(text, 6).unwrap(), [0, 2, 0, 0, 1, 3]);
        assert!(read(text, 4).is_err());
        assert!(read("nothing", 4).is_err());
    }

    #[test]
    fn graphs_are_written_as_mcl_reads_them() {
        let scratch = Scratch::new("mci").unwrap();
        write(&Weighted::of_edges(3, [(0, 2, 1.0)]), &scratch.join("g")).unwrap();
        let text = std::fs::read_to_string(scratch.join("g")).unwrap();
        assert!(text.ends_with("dimensions 3x3\n)\n(mclmatrix\nbegin\n0 2 $\n1 $\n2 0 $\n)\n"), "{text}");
    }
}
