//! MCL as a textbook has it: full matrices of 64-bit numbers, nothing pruned, nothing clever.

use groma_graph::Weighted;

/// A node, and everything it belongs to: the smallest attractor of each system it can reach. Nothing if it does not converge.
pub(crate) fn clusters(graph: &Weighted, inflation: f64, disturbance: f64) -> Option<Vec<Vec<usize>>> {
    let count = graph.node_count() as usize;
    // matrix[j] is column j.
    let mut matrix = vec![vec![0.0f64; count]; count];
    for (node, column) in matrix.iter_mut().enumerate() {
        let (targets, weights) = graph.neighbours(node as u32);
        for (&to, &weight) in targets.iter().zip(weights) {
            // The same for both directions.
            let (low, high) = (node.min(to as usize), node.max(to as usize));
            column[to as usize] = f64::from(weight) * (1.0 + disturbance * ((low * 7 + high * 13) % 11) as f64);
        }
        column[node] = column.iter().copied().fold(0.0, f64::max);
        if column[node] == 0.0 {
            column[node] = 1.0;
        }
        scale(column);
    }
    for _ in 0..1000 {
        let square: Vec<Vec<f64>> = matrix
            .iter()
            .map(|column| (0..count).map(|row| (0..count).map(|step| matrix[step][row] * column[step]).sum()).collect())
            .collect();
        let chaos = square.iter().map(|column: &Vec<f64>| {
            let greatest = column.iter().copied().fold(0.0, f64::max);
            let squares: f64 = column.iter().map(|value| value * value).sum();
            (greatest - squares) * column.iter().filter(|value| **value > 0.0).count() as f64
        });
        let chaos = chaos.fold(0.0, f64::max);
        matrix = square;
        for column in &mut matrix {
            column.iter_mut().for_each(|value| *value = value.powf(inflation));
            scale(column);
        }
        if chaos < 1e-6 {
            return Some(interpreted(&matrix));
        }
    }
    None
}

fn scale(column: &mut [f64]) {
    let sum: f64 = column.iter().sum();
    column.iter_mut().for_each(|value| *value /= sum);
}

/// In the limit an entry is there or it is not.
fn interpreted(matrix: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let count = matrix.len();
    let there = |row: usize, column: usize| matrix[column][row] > 0.001;
    let attracts = |node: usize| there(node, node);
    let mut system: Vec<usize> = (0..count).collect();
    for _ in 0..count {
        for one in (0..count).filter(|&node| attracts(node)) {
            for other in (0..count).filter(|&node| attracts(node) && (there(one, node) || there(node, one))) {
                let least = system[one].min(system[other]);
                (system[one], system[other]) = (least, least);
            }
        }
    }
    let of = |node: usize| {
        let mut reached: Vec<usize> =
            (0..count).filter(|&to| attracts(to) && there(to, node)).map(|to| system[to]).collect();
        reached.sort_unstable();
        reached.dedup();
        reached
    };
    (0..count).map(of).collect()
}
