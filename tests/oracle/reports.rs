//! Public bug reports and questions about other implementations: the right answers are ours.

use crate::line::{batch, json_lines};
use serde_json::{Value as Json, json};

/// What the command line must say.
enum Right {
    Is(&'static str),
    /// refused: kind, and a part of the message
    Refused(&'static str, &'static str),
}
use Right::{Is, Refused};

/// The reports about layouts, each as questions to the command line.
const REPORTS: &[(&str, &str, &[&str], Right)] = &[
    ("comp-1353", "composition", &["(2,3):(1,2)", "(2,3):(3,1)"], Is("(2,3):(3,1)")),
    ("comp-doc-72", "composition", &["(3,6,2,8):(1,100,10000,1000000)", "4:72"], Is("4:2000000")),
    ("comp-doc-72b", "composition", &["(3,6,2,8):(96,16,8,2)", "4:72"], Is("4:4")),
    ("comp-doc-div", "shape_div", &["(3,6,2,8)", "3"], Is("(1,6,2,8)")),
    ("comp-doc-div", "shape_div", &["(3,6,2,8)", "6"], Is("(1,3,2,8)")),
    ("comp-multi-3.9", "composition", &["(10,2):(16,4)", "(3,4):(1,5)"], Is("(3,(2,2)):(16,(80,4))")),
    (
        "comp-rhs-dyn",
        "composition",
        &["(4096,8192):(1,4096)", "(32,8,128):(1@0,1@1,32@0)"],
        Is("(32,8,128):(1,4096,32)"),
    ),
    ("comp-size1-tail", "composition", &["(4,1):(1,42)", "12:1"], Refused("domain", "_extended")),
    ("comp-size1-tail", "composition_extended", &["(4,1):(1,42)", "12:1"], Is("(4,3):(1,42)")),
    ("comp-static-nondiv", "composition", &["(32,128):(128,1)", "(30,128):(1,32)"], Is("(30,128):(128,1)")),
    ("complement-doc", "complement", &["4:2", "24"], Is("(2,3):(1,8)")),
    ("complement-dyn", "complement", &["4:2", "8"], Is("2:1")),
    ("complement-zero-mode", "complement", &["(6,3):(3,2)", "48"], Refused("interleaved", "stride 3")),
    (
        "divide-hd",
        "zipped_divide",
        &["(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"],
        Is("((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"),
    ),
    (
        "divide-overhang",
        "zipped_divide",
        &["(10,64):(64,1)", "<16,64>"],
        Refused("not_divisible", "16 does not divide 10"),
    ),
    ("divide-overhang", "zipped_divide_ceil", &["(10,64):(64,1)", "<16,64>"], Is("((16,64),(1,1)):((64,1),(0,0))")),
    ("divide-viz", "zipped_divide", &["(2,6):(6,1)", "(1,2)"], Is("((1,2),(2,3)):((0,1),(6,2))")),
    ("i32-dsl", "cosize", &["(65384,65384):(65384,1)"], Is("4275067456")),
    ("idx2crd", "idx2crd", &["11", "(5,4)"], Is("(1,2)")),
    ("linv-bigstride", "left_inverse", &["(128,160):(65536,1)"], Is("(65536,128):(128,1)")),
    ("linv-canonical", "left_inverse", &["4:2"], Is("(2,4):(0,1)")),
    ("linv-canonical", "left_inverse", &["(4,2):(1,16)"], Is("(16,2):(1,4)")),
    ("recast-dyn", "recast_layout", &["uint16_t", "uint32_t", "16:1"], Is("8:1")),
    ("recast-neg", "recast_layout", &["int8_t", "int32_t", "(8):(-1)"], Is("(2):(-1)")),
    ("rinv-blocked-dyn", "right_inverse", &["((2,512),(3,341)):((1,6),(2,3072))"], Is("(2,3,512,341):(1,1024,2,3072)")),
    ("rinv-doc", "right_inverse", &["(2,4,6):(4,1,8)"], Is("(4,2,6):(2,1,8)")),
    ("rs-dyn-partition", "logical_divide_ceil", &["?N:1", "4"], Is("(4,⌈?N/4⌉):(1,4)")),
    ("swz-recast", "swizzle_upcast", &["16", "S<3,7,3>"], Is("S<3,3,3>")),
    ("swz-recast", "swizzle_upcast", &["32", "S<3,7,3>"], Is("S<3,2,3>")),
    (
        "tile-to-shape-div",
        "tile_to_shape",
        &["(96,64):(64,1)", "(128,128)"],
        Refused("not_divisible", "96 does not divide 128"),
    ),
    ("upcast-dyn", "upcast", &["4", "16:1"], Is("4:1")),
    ("vec-6", "max_common_vector", &["(2,3):(1,2)", "(2,3):(1,2)"], Is("6")),
];

/// Reports about what layouts alone do not decide.
const ELSEWHERE: &[(&str, &str)] = &[
    ("idx2crd-stride", "a hazard of an interface that does not exist here"),
    ("ll-inv-indep", "linear layouts over F2"),
    ("ll-inv-tie", "linear layouts over F2"),
    ("ll-nonpow2", "linear layouts over F2"),
    ("ll-warps8", "linear layouts over F2"),
    ("swz-bank", "bank conflicts"),
    ("swz-bank-table", "bank conflicts"),
    ("swz-print", "the swizzled values are a test of swizzles"),
    ("swz-units", "the swizzled values are a test of swizzles"),
    ("swz-slice-flag", "pointers"),
    ("tilers-raked", "tiled copies"),
    ("tl-int4", "alignment of pointers"),
    ("tl-swz-scan", "loops over tensors"),
    ("tl-view", "the same as swz-recast"),
    ("tv-rank", "atoms"),
    ("u32-grid", "launch grids"),
];

#[test]
fn every_public_report_on_layouts_is_answered_right() {
    let requests: Vec<Json> = REPORTS.iter().map(|(_, op, args, _)| json!({"op": op, "args": args})).collect();
    let mut wrong = Vec::new();
    for ((id, op, args, right), reply) in REPORTS.iter().zip(batch(&requests)) {
        let agrees = match (&reply, right) {
            (Ok(answer), Is(text)) => answer.text == *text,
            (Err(e), Refused(kind, part)) => e.kind == *kind && e.message.contains(part),
            _ => false,
        };
        if !agrees {
            wrong.push(format!("{id}: {op}({})\n    {reply:?}", args.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_public_report_is_a_question_here_or_belongs_elsewhere() {
    for report in json_lines("public_reports.jsonl") {
        let id = report["id"].as_str().unwrap();
        let here = REPORTS.iter().any(|r| r.0 == id);
        let elsewhere = ELSEWHERE.iter().any(|r| r.0 == id);
        assert!(here != elsewhere, "{id}");
    }
}
