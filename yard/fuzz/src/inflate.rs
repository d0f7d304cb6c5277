//! Does every compressed body come out within its cap, and more of the same with a larger one?
//!
//! Input: a byte that chooses the Content-Encoding (low half) and the cap (high half), then the body.

use groma_page::inflate::inflate as undo;

const CODINGS: [&str; 10] =
    ["gzip", "deflate", "br", "zstd", "gzip, br", "deflate,gzip", "identity", "", "zstd, zstd, zstd", "rot13"];
const CAPS: [u64; 6] = [1 << 20, 0, 1, 100, 4096, 65_537];

pub fn inflate(data: &[u8]) {
    let (chosen, body) = crate::choice(data);
    let coding = CODINGS[(chosen & 15) % CODINGS.len()];
    let cap = CAPS[(chosen >> 4) % CAPS.len()];
    let small = undo(body.to_vec(), coding, cap);
    assert_eq!(undo(body.to_vec(), coding, cap), small, "undone twice");
    assert!(small.bytes.len() as u64 <= cap, "{} bytes with a cap of {cap}", small.bytes.len());
    if coding.contains(',') {
        return; // What one stage cuts, the next takes for the whole.
    }
    assert!(!small.cut || small.bytes.len() as u64 == cap, "what is cut fills its cap");
    let large = undo(body.to_vec(), coding, 2 * cap + 1);
    assert!(large.bytes.starts_with(&small.bytes), "a larger cap only adds");
    assert!(small.cut || large == small, "what was whole stays as it was");
    assert!(small.broken || !large.broken || small.cut, "room breaks nothing");
    match coding {
        "identity" | "" => {
            assert!(!small.broken && body.starts_with(&small.bytes));
            assert_eq!(small.cut, body.len() as u64 > cap);
        }
        "rot13" => assert!(small.broken && body.starts_with(&small.bytes), "an unknown coding leaves all as it is"),
        _ => {}
    }
}
