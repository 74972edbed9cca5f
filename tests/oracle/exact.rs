//! Labelled compositions, half of them ones that a leaf-by-leaf algorithm or a divisibility rule gets wrong.

use crate::line::{batch, json_lines};
use serde_json::json;

#[test]
fn every_labelled_composition_is_answered_or_refused_with_its_least_witness() {
    let lines = json_lines("exact_composition.jsonl");
    let requests: Vec<_> = lines.iter().map(|l| json!({"op": "composition", "args": [l["a"], l["b"]]})).collect();
    let mut wrong = Vec::new();
    for (line, reply) in lines.iter().zip(batch(&requests)) {
        let right = match (&reply, line["result"].as_str()) {
            (Ok(answer), Some(result)) => answer.text == result,
            (Err(e), None) => {
                let at = line["witness"]["index"].as_i64();
                at.is_some_and(|at| e.kind == "no_layout" && e.message.contains(&format!(": at {at} it is ")))
            }
            _ => false,
        };
        if !right {
            wrong.push(format!("{line}\n    {reply:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}
