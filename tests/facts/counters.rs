//! Every request whose counters were read on an H200.

use girih::gpu::facts::{Access, Request};
use girih::prelude::*;
use serde_json::Value;
use std::collections::HashSet;

struct Measured {
    name: String,
    set: String,
    global: bool,
    access: Access,
    addresses: Vec<Option<i64>>,
    /// wavefronts and conflicts, or requests, sectors and lines
    counters: Vec<u64>,
    line: Value,
}

fn measured() -> Vec<Measured> {
    let file = include_str!("../data/h200_access.jsonl");
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().unwrap().to_string();
        let n = line["n"].as_u64().unwrap() as usize;
        let op = text("op");
        let access = match op.as_str() {
            "ld.shared" | "ld.global" => Access::Load(n),
            "st.shared" | "st.global" => Access::Store(n),
            "ldmatrix" | "ldmatrix.trans" => Access::Ldmatrix(n),
            "stmatrix" | "stmatrix.trans" => Access::Stmatrix(n),
            _ => panic!("{op}"),
        };
        let mask = u32::from_str_radix(&text("mask"), 16).unwrap();
        let lanes = line["address"].as_array().unwrap().iter().enumerate();
        let addresses: Vec<_> = lanes.map(|(i, a)| (mask >> i & 1 == 1).then(|| a.as_i64().unwrap())).collect();
        let global = op.ends_with("global");
        let keys: &[&str] = if global { &["requests", "sectors", "lines"] } else { &["wavefronts", "conflicts"] };
        let counters = keys.iter().map(|k| line[k].as_u64().unwrap()).collect();
        Measured { name: text("name"), set: text("set"), global, access, addresses, counters, line }
    };
    file.lines().map(read).collect()
}

#[test]
fn predictions_equal_the_counters() {
    let mut sets = std::collections::BTreeMap::new();
    for m in measured() {
        let request = Request::new(m.access, &m.addresses).unwrap();
        let predicted = if m.global {
            let s = request.sectors().unwrap();
            vec![1, s.sectors as u64, s.lines as u64]
        } else {
            let b = request.banks();
            vec![b.wavefronts() as u64, b.conflicts() as u64]
        };
        assert_eq!(predicted, m.counters, "{}: {}", m.name, m.line);
        *sets.entry(m.set).or_insert(0) += 1;
    }
    let counts: Vec<_> = sets.into_iter().collect();
    assert_eq!(counts, [("fit".into(), 1266), ("held out".into(), 482), ("named".into(), 152)]);
}

#[test]
fn named_patterns_are_the_requests_of_their_layouts() {
    let mut names = HashSet::new();
    for m in measured().into_iter().filter(|m| m.set == "named") {
        let text = m.line["layout"].as_str().unwrap();
        let (bits, base) = (m.line["bits"].as_u64().unwrap() as usize, m.line["base"].as_i64().unwrap());
        let requests = match text.parse::<Composed>() {
            Ok(swizzled) => Request::all(&swizzled, bits, m.access),
            Err(_) => Request::all(&text.parse::<Layout>().unwrap(), bits, m.access),
        };
        let request = requests.unwrap()[m.line["request"].as_u64().unwrap() as usize].moved(base).unwrap();
        assert_eq!(request, Request::new(m.access, &m.addresses).unwrap(), "{}", m.name);
        names.insert(m.name);
    }
    assert_eq!(names.len(), 137);
}

/// Otherwise the file would not tell whether phases join.
#[test]
fn the_counters_include_loads_whose_phases_join_and_loads_whose_do_not() {
    let mut joined = [0, 0];
    for m in measured().iter().filter(|m| matches!(m.access, Access::Load(8 | 16)) && !m.global) {
        let (Access::Load(bytes) | Access::Store(bytes)) = m.access else { continue };
        let store = Request::new(Access::Store(bytes), &m.addresses).unwrap().banks();
        joined[(store.wavefronts() as u64 > m.counters[0]) as usize] += 1;
    }
    assert!(joined[0] > 300 && joined[1] > 100, "{joined:?}");
}
