//! Agreement with CuTe.

use crate::brute::{table, values};
use girih::layout::Unit;
use girih::prelude::*;
use serde_json::Value;

struct Case {
    args: Vec<String>,
    result: Option<String>,
    table: Vec<i64>,
}

fn cases(op: &str) -> Vec<Case> {
    let file = include_str!("../data/cute_cpp.jsonl");
    let all = file.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
    let strings = |v: &Value| v.as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_string()).collect();
    let cases: Vec<Case> = all
        .filter(|v| v["op"] == op)
        .map(|v| Case {
            args: strings(&v["args"]),
            result: v["result"].as_str().map(String::from),
            table: v["table"].as_array().map_or(vec![], |t| t.iter().map(|x| x.as_i64().unwrap()).collect()),
        })
        .collect();
    assert!(!cases.is_empty(), "{op}");
    cases
}

fn swizzle(t: &str) -> Swizzle {
    t.parse().unwrap()
}
fn layout(t: &str) -> Layout {
    t.parse().unwrap()
}
fn composed(t: &str) -> Composed {
    t.parse().unwrap()
}

#[test]
fn swizzle_eval() {
    for c in cases("swizzle_eval") {
        let s = swizzle(&c.args[0]);
        for (x, &v) in c.table.iter().enumerate() {
            assert_eq!(s.at(x as i64), Ok(v), "{s} at {x}");
        }
        assert_eq!(s, swizzle(&c.result.unwrap()));
    }
}

#[test]
fn swizzle_layout() {
    for c in cases("swizzle_layout") {
        let r = layout(&c.args[1]).swizzled(&swizzle(&c.args[0])).unwrap();
        assert_eq!(table(&r), c.table, "{r}");
        assert_eq!(r, composed(&c.result.unwrap()));
    }
}

/// CuTe composes past the end of the left layout.
#[test]
fn swizzle_compose_rhs() {
    let mut strict = 0;
    for c in cases("swizzle_compose_rhs") {
        let (a, b) = (layout(&c.args[1]).swizzled(&swizzle(&c.args[0])).unwrap(), layout(&c.args[2]));
        let r = a.compose_extended(&b).unwrap();
        let law: Vec<i64> = values(&b).into_iter().map(|x| a.at_extended(x).unwrap()).collect();
        assert_eq!(table(&r), law, "{r}");
        // CuTe refuses one that exists
        let Some(result) = c.result else { continue };
        assert_eq!(law, c.table, "{r}");
        assert_eq!(r.shape().product(), composed(&result).shape().product());
        if let Ok(s) = a.compose(&b) {
            strict += 1;
            assert_eq!(table(&s), c.table, "{s}");
        }
    }
    assert!(strict > 15, "{strict}");
}

/// Where `2^M` is no multiple of the factor CuTe drops bits; we refuse that.
#[test]
fn swizzle_upcast() {
    for c in cases("swizzle_upcast") {
        let (n, s) = (c.args[0].parse::<i64>().unwrap(), swizzle(&c.args[1]));
        let result = swizzle(&c.result.unwrap());
        match s.upcast(n) {
            Ok(u) => assert_eq!(u, result, "{s} by {n}"),
            Err(_) => assert!(result.bits() < s.bits(), "{s} by {n}"),
        }
    }
}

#[test]
fn swizzle_downcast() {
    for c in cases("swizzle_downcast") {
        let (n, s) = (c.args[0].parse().unwrap(), swizzle(&c.args[1]));
        assert_eq!(s.downcast(n), Ok(swizzle(&c.result.unwrap())), "{s} by {n}");
    }
}

fn bits(cpp: &str) -> u16 {
    match cpp {
        "int8_t" => 8,
        "half_t" => 16,
        "float" => 32,
        t => panic!("{t}"),
    }
}

#[test]
fn gmma_atoms() {
    for c in cases("gmma_atom") {
        let (major, span) = c.args[0].split_once('_').unwrap();
        let major = if major == "K" { Major::K } else { Major::MN };
        let span = match span {
            "INTER" => SmemSwizzle::Interleave,
            "SW32" => SmemSwizzle::B32,
            "SW64" => SmemSwizzle::B64,
            _ => SmemSwizzle::B128,
        };
        let atom = smem_atom(major, span, bits(&c.args[1])).unwrap();
        let result = c.result.unwrap();
        assert_eq!(atom, composed(&result));
        // byte addresses go through the swizzle of bytes; CuTe's table takes elements for bytes (its mark `smem_ptr`
        // counts only together with a pointer)
        let bytes = swizzle(result.split_once(" o ").unwrap().0);
        let width = bits(&c.args[1]) as i64 / 8;
        for ((ours, x), cute) in table(&atom).into_iter().zip(values(atom.inner())).zip(c.table) {
            assert_eq!(Ok(ours * width), bytes.at(x * width), "{atom} at {x}");
            assert_eq!(Ok(cute), bytes.at(x), "{atom} at {x}");
        }
        assert_eq!(atom.unit(), Unit::elements(bits(&c.args[1])).unwrap());
    }
}

#[test]
fn gmma_tile_to_shape() {
    let mut atoms = std::collections::HashMap::new();
    for c in cases("gmma_atom") {
        atoms.insert(c.args.clone(), composed(&c.result.unwrap()));
    }
    for c in cases("gmma_tile_to_shape") {
        let atom = atoms[&c.args[..2]];
        let shape: IntTuple = c.args[2].parse().unwrap();
        let r = match c.args.get(3) {
            None => atom.tile_to_shape(&shape),
            Some(order) => atom.tile_to_shape_ordered(&shape, &order.parse().unwrap()),
        };
        let (r, result) = (r.unwrap(), composed(&c.result.unwrap()));
        assert!(shape.compatible(&r.shape()), "{r}");
        assert_eq!(table(&r), table(&result), "{r}, {result}");
    }
}
