//! The contract of the command line: what it reads, prints and how it ends.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

fn girih() -> Command {
    Command::new(env!("CARGO_BIN_EXE_girih"))
}

fn eval(expression: &str) -> Output {
    girih().args(["eval", expression]).output().unwrap()
}

#[track_caller]
fn prints(expression: &str, value: &str) {
    let out = eval(expression);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!((text(&out.stdout), text(&out.stderr)), (format!("{value}\n"), String::new()), "{expression}");
    assert_eq!(out.status.code(), Some(0));
}

/// Exit code 1, nothing on stdout, one line on stderr.
#[track_caller]
fn refuses(expression: &str, message: &str) {
    let out = eval(expression);
    assert_eq!((out.status.code(), out.stdout.as_slice()), (Some(1), &b""[..]), "{expression}");
    assert_eq!(String::from_utf8(out.stderr).unwrap(), format!("{message}\n"), "{expression}");
}

/// The answers to the lines, as they are.
fn batch(input: &[u8]) -> Vec<Json> {
    let mut child = girih().arg("batch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let out = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(out.status.code(), Some(0));
    String::from_utf8(out.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn ask(request: Json) -> Json {
    batch(request.to_string().as_bytes()).remove(0)
}

#[test]
fn eval_prints_the_value_of_an_operation() {
    prints("composition((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)");
    prints("logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))");
    prints("complement(4:2, 24)", "(2,3):(1,8)");
    prints("size((4,3):(1,4))", "12");
    prints("compatible(12, (4,3))", "true");
    prints("image_range((4,3):(-1,4))", "(-3,8)");
}

#[test]
fn eval_prints_a_plain_value_in_its_canonical_text() {
    prints(" ( (2 ,2),3) : ((24,2), 8 )", "((2,2),3):((24,2),8)");
    prints("(_4,_3):(_1,_4)", "(4,3):(1,4)");
    prints("4", "4");
    prints("-4", "-4");
    prints("(3,(_,8))", "(3,(_,8))");
    prints("<4,_,<2,8:2>>", "<4:1,_,<2:1,8:2>>");
    prints("(?M{8},?foo):(1,?M)", "(?M{8},?foo):(1,?M{8})");
    prints("ceil(?M/8):1", "⌈?M/8⌉:1");
}

#[test]
fn eval_nests_calls_and_composes_infix_from_the_left() {
    prints("size(zipped_divide((8,8):(8,1), <4,2>))", "64");
    prints("(6,2):(8,2) o (4,3):(3,1)", "((2,2),3):((24,2),8)");
    prints("composition(20:2 o (5,4):(4,1), 5)", "5:8");
    prints("20:2 o (5,4):(4,1) o 5:1", "5:8");
    prints("20:2 o ((5,4):(4,1) o 5:1)", "5:8");
    prints("make_layout(4:1, (2,3):(4,8))", "(4,(2,3)):(1,(4,8))");
}

#[test]
fn a_tile_is_a_layout_or_goes_by_mode_as_its_text_says() {
    prints("logical_divide((4,8):(1,4), 4)", "(4,8):(1,4)");
    prints("logical_divide((4,8):(1,4), 4:1)", "(4,8):(1,4)");
    prints("logical_divide((4,8):(1,4), <4>)", "((4,1),8):((1,0),4)");
    prints("logical_divide((4,8):(1,4), (2,4))", "((2,2),(4,2)):((1,2),(4,16))");
    prints("logical_divide((4,8):(1,4), <2:1,4:1>)", "((2,2),(4,2)):((1,2),(4,16))");
    prints("logical_divide((4,8):(1,4), (2,4):(1,4))", "((2,4),(2,2)):((1,4),(2,16))");
    prints("composition((4,8):(1,4), <_,4:2>)", "(4,4):(1,8)");
}

#[test]
fn strict_operations_refuse_what_their_ragged_partners_round_up() {
    refuses(
        "logical_divide(10:1, 4)",
        "logical_divide(10:1, 4:1): 4 does not divide 10; the _ceil form rounds up and returns the guard",
    );
    prints("logical_divide_ceil(10:1, 4)", "(4,3):(1,4)");
    prints("guard(logical_divide_ceil(10:1, 4))", "(4,3):(1,4) < 10");
    prints("zipped_divide_ceil((10,8):(1,10), <4,4>)", "((4,4),(3,2)):((1,10),(4,40))");
    prints("composition_extended((4,3):(3,1), 24:1)", "(4,6):(3,1)");
    prints("composition_extended((10,8):(8,1), <16>)", "(16,8):(8,1)");
    prints("complement((2,2):(1,3), 12)", "2:6");
    refuses(
        "complement_exact((2,2):(1,3), 12)",
        "complement_exact((2,2):(1,3), 12): stride 3 does not continue the span 2 of the modes below it",
    );
    prints("coalesce((4,1):(1,42))", "4:1");
    prints("coalesce_extended((4,1):(1,42))", "(4,1):(1,42)");
}

#[test]
fn symbols_are_bound_by_name() {
    prints("bind((?M,4):(1,?lda), M=256, lda=512)", "(256,4):(1,512)");
    prints("zipped_divide_ceil((?M,?N):(1,?lda), <128,64>)", "((128,64),(⌈?M/128⌉,⌈?N/64⌉)):((1,?lda),(128,64*?lda))");
    refuses("bind(?M{8}:1, M=12)", "bind(?M{8}:1, M=12): ?M = 12: a symbol is at least 1 and this one a multiple of 8");
    let bound = ask(json!({"op": "bind", "args": ["(?M,4):(1,?lda)", "M=256,lda=512"]}));
    assert_eq!(bound, json!({"result": "(256,4):(1,512)"}));
}

#[test]
fn swizzled_layouts_are_read_composed_and_cut() {
    prints("S<3,4,3> o 0 o (8,64):(64,1)", "S<3,4,3> o 0 o (8,64):(64,1)");
    prints("Sw<3,4,3> o (8,64):(64,1)", "S<3,4,3> o 0 o (8,64):(64,1)");
    prints("S<3,4,3>", "S<3,4,3>");
    prints("S<3,3,3> o column_major((8,8))", "S<3,3,3> o 0 o (8,8):(1,8)");
    prints("S<3,3,3> o 0 o (8,64):(64,1) o (4,8):(8,64)", "S<3,3,3> o 0 o (4,8):(1,8)");
    prints("zipped_divide(S<3,3,3> o 0 o (8,64):(64,1), <4,16>)", "S<3,3,3> o 0 o ((4,16),(2,4)):((64,1),(256,16))");
    prints("at(S<3,3,3> o 0 o (8,64):(64,1), (1,0))", "72");
    let answer = ask(json!({"op": "swizzle_layout", "args": ["Sw<1,0,1>", "4:1"], "table": true}));
    assert_eq!(answer, json!({"result": "S<1,0,1> o 0 o 4:1", "table": [0, 1, 3, 2]}));
}

#[test]
fn draw_writes_a_picture() {
    let dir = std::env::temp_dir().join(format!("girih-draw-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let draw = |name: &str, args: &[&str]| {
        let path = dir.join(name);
        let out = girih().arg("draw").args(args).arg("-o").arg(&path).output().unwrap();
        (out, std::fs::read_to_string(path).unwrap_or_default())
    };
    let (out, svg) = draw("layout.svg", &["(6,2):(8,2) o (4,3):(3,1)"]);
    assert!(out.status.success() && out.stdout.is_empty());
    assert!(svg.starts_with("<svg") && svg.contains("((2,2),3):((24,2),8)"));
    let (_, tv) = draw("tv.svg", &["((4,8),(2,2)):((32,1),(16,8))", "--tv", "--tile", "(16,8)"]);
    assert!(tv.contains("T31"));
    let (_, banks) = draw("banks.svg", &["(32,32):(32,1)", "--banks"]);
    assert!(banks.contains("at most 32-way"));
    let (_, free) = draw("free.svg", &["S<5,0,5> o 0 o (32,32):(32,1)", "--banks"]);
    assert!(free.contains("S&lt;5,0,5&gt;") && !free.contains("32-way"));
    let (_, tex) = draw("layout.tex", &["(2,3):(3,1)"]);
    assert!(tex.contains("tikzpicture"));
    let (out, nothing) = draw("refused.svg", &["(2,3"]);
    assert_eq!((out.status.code(), nothing.as_str()), (Some(1), ""));
    let (out, _) = draw("number.svg", &["size(4:1)"]);
    assert_eq!(String::from_utf8(out.stderr).unwrap(), "4 is no layout: there is nothing to draw\n");
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn facts_and_atoms_are_operations() {
    prints(
        "banks((32,32):(32,1), 32, 4)",
        "32 requests, each a load of 4 bytes: 1024 wavefronts, 32 without conflicts\n\
         request 0, lanes 0-31: 32 ways, lane 0 (byte 0) meets lane 1 (byte 128) in bank 0",
    );
    prints("banks(S<3,3,3> o 0 o ((16,2),8):((64,8),1), f16, ldmatrix_x4)", "ldmatrix.x4: 4 wavefronts, no conflict");
    prints("sectors(32:1, f32, 4)", "1 request: 4 sectors of 1 line, 128 of 128 bytes used (100.0 %)");
    prints("vector_width((32,8):(12,1), half_t)", "8");
    prints("choose_swizzle(16, ldmatrix_x4, ((16,2),8):((64,8),1))", "S<3,3,3>");
    prints("mma_atom(SM80_16x8x16_F32F16F16F32_TN, b)", "((4,8),(2,2)):((16,1),(8,64))");
    prints("copy_atom(SM75_U32x1_LDSM_N, ptx)", "ldmatrix.sync.aligned.m8n8.x1.shared.b16");
    refuses("banks(32:1, 32, load3)", "an access has 1, 2, 4, 8 or 16 bytes, not 3");
    refuses("sectors(32:-1, 32, 4)", "lane 1 accesses byte -4, below 0");
    refuses(
        "banks(32:1, 32, ldmatrix)",
        "banks(layout, bits, access): argument 3, ldmatrix, must be the bytes of a load, \
         or load16, store8, ldmatrix_x4, stmatrix_x2",
    );
}

/// The verdict on a claim; exit code 0 only if it is proved.
#[track_caller]
fn answers(claim: &str, verdict: &str) {
    let out = eval(claim);
    assert_eq!(String::from_utf8(out.stdout).unwrap(), format!("{verdict}\n"), "{claim}");
    assert_eq!((out.stderr.as_slice(), out.status.code()), (&b""[..], Some((verdict != "proved") as i32)), "{claim}");
}

#[test]
fn claims_are_answered_by_a_verdict() {
    let holds = |claim| answers(claim, "proved");
    let fails = |claim, why| answers(claim, &format!("refuted: {why}"));
    holds("injective((4,8):(8,1))");
    fails("injective((4,8):(7,1))", "(1,0) and (0,7) both have the value 7");
    holds("bijective(((4,8),(2,2)):((32,1),(16,8)), (16,8))");
    fails("bijective((4,8):(8,1), 33)", "no coordinate has the value 32");
    holds("bijective(7 + 8:-1)");
    fails("bijective(8 + 8:-1)", "0 has the value 8, which is none of those");
    holds("onto((4,9):(8,1), 0, 33)");
    fails("onto((4,9):(8,1), 0, 34)", "no coordinate has the value 33");
    holds("contiguous((4,9):(8,1))");
    fails("contiguous((4,7):(8,1))", "no coordinate has the value 7");
    holds("disjoint(8:1, 8 + 8:1, 16 + 2:1)");
    fails("disjoint(8:1, 8 + 8:1, 12+2:1)", "4 of image 1 and 0 of image 2 both have the value 12");
    holds("inside(16 + 4:2, 20:2)");
    fails("inside(16 + 8:1, 20:2)", "1 has the value 17, which is none of those");
    holds("covers(16:1, 8:1, 8 + 8:1)");
    fails("covers(16:1, 8:1, 9 + 8:1)", "8 has the value 8, which is none of those");
    holds("equal((2,4):(1,2), 8:1)");
    fails("equal((2,4):(1,2), 9:1)", "at 8 the one is outside its domain, the other 8");
    holds("monotone((4,8):(0,1))");
    fails("monotone((4,8):(0,1), strict)", "(0,0) has the value 0, (1,0) after it 0");
    holds("aligned(16 + (4,8):(4,8), 4)");
    fails("aligned(18 + (4,8):(4,8), 4)", "(0,0) has the value 18");
    holds("fits((4,8):(4,30), uint8_t)");
    fails("fits((4,8):(4,30), i8)", "(2,4) has the partial sum 128");
    holds("vectors(16:1, 16 + (4,4):(1,8), 4)");
    fails("vectors(16:1, 18 + (4,4):(1,8), 4)", "0 has the values 0 and 18, which are in no common vector");
    prints("index_bits((4,8):(4,30))", "9");
    answers("aligned((?M,8):(?lda,8), 8)", "proved if ?lda % 8 == 0");
    assert_eq!(ask(json!({"op": "injective", "args": ["(4,8):(8,1)"]})), json!({"result": "proved"}));
    let refuted = ask(json!({"op": "injective", "args": ["(4,8):(7,1)"]}));
    assert_eq!(refuted, json!({"result": "refuted: (1,0) and (0,7) both have the value 7"}));
}

#[test]
fn a_layout_may_have_an_offset() {
    prints("16 + 8:1", "16 + 8:1");
    prints("-16+(20:2 o 5:2)", "-16 + 5:4");
    prints("0 + 8:1", "8:1");
    refuses("16 + 5", "argument 2, 5, must be a layout: shape:stride");
    refuses("size(16 + 8:1)", "size(layout_or_shape): argument 1, 16 + 8:1, must be a layout: shape:stride");
    refuses("monotone(8:1, falling)", "monotone(layout, strict?): argument 2, falling, must be strict");
    refuses(
        "fits(8:1, 65)",
        "fits(image, type): argument 2, 65, must be an integer type of 1 to 64 bits: i32, uint32_t, 32",
    );
}

#[test]
fn the_only_layout_may_stand_first_or_last() {
    prints("group(0, 2, (2,3,4):(1,2,6))", "((2,3),4):((1,2),6)");
    prints("group((2,3,4):(1,2,6), 0, 2)", "((2,3),4):((1,2),6)");
    prints("at((4,8):(8,1), (1,2))", "10");
    prints("crd2idx((1,2), (4,8):(8,1))", "10");
    prints("slice((1,_), (4,8):(8,1))", "(8):(1)");
    prints("slice_offset((1,_), (4,8):(8,1))", "8");
}

#[test]
fn refusals_are_one_line_that_names_the_place() {
    refuses("(4,3", "\"(4,3\": at byte 4: expected , or )");
    refuses("", "at byte 0 of \"\": expected a value or an operation");
    refuses("size(4:1", "at byte 8 of \"size(4:1\": expected , or )");
    refuses("size(4:1) 5", "at byte 10 of \"size(4:1) 5\": expected the end of the expression");
    refuses(
        "compose(4:1, 2:1)",
        "there is no operation \"compose\"; near are composition, composition_extended, compatible",
    );
    refuses("size(4:1, 5, 6)", "size(layout_or_shape) has 3 arguments here");
    refuses(
        "complement((4,3), 24)",
        "complement(layout, cotarget?): argument 1, (4,3), must be a layout: shape:stride",
    );
    refuses("mode(3, (4,2):(1,4))", "mode(3, (4,2):(1,4)): there is no mode 3: there are 2");
    refuses(
        "(4,6,8):(2,3,5) o 6:3",
        "(4,6,8):(2,3,5) o 6:3: no layout compatible with 6 has these values: \
         at 3 it is 8, every one that agrees before gives 13",
    );
}

#[test]
fn batch_answers_line_by_line_in_order() {
    let lines = [
        r#"{"op": "size", "args": ["4:1"]}"#,
        "no JSON",
        "",
        r#"{"op": "rank", "args": ["(4,3):(1,4)"]}"#,
        "[1,2]",
        r#"{"op": "nonsense", "args": []}"#,
        r#"{"op": "size", "args": ["(4"]}"#,
        r#"{"op": "size"}"#,
        r#"{"op": "size", "args": [7]}"#,
        r#"{"op": "size", "args": [[7]]}"#,
        r#"{"op": "size", "args": ["4:1"], "table": 1}"#,
        "\u{0}",
        r#"{"op": "depth", "args": ["(4,(3,2))"]}"#,
    ];
    let answers = batch(lines.join("\n").as_bytes());
    let kinds: Vec<_> = answers.iter().map(|a| a["result"].as_str().or(a["error"]["kind"].as_str()).unwrap()).collect();
    assert_eq!(kinds, ["4", "json", "json", "2", "json", "op", "text", "json", "7", "json", "json", "json", "2"]);
    assert!(answers.iter().all(|a| a["error"].is_null() || a["error"]["message"].is_string()));
}

#[test]
fn batch_answers_bytes_that_are_no_text() {
    let answers = batch(b"\xff\xfe\n{\"op\": \"size\", \"args\": [\"\xff\"]}\n{\"op\": \"size\", \"args\": [\"4:1\"]}");
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["error"]["kind"], "json");
    assert_eq!(answers[1]["error"]["kind"], "json");
    assert_eq!(answers[2]["result"], "4");
}

#[test]
fn batch_answers_before_it_is_asked_again() {
    let mut child = girih().arg("batch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for n in 1..4 {
        writeln!(stdin, "{}", json!({"op": "size", "args": [format!("{n}:1")]})).unwrap();
        let answer: Json = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["result"], n.to_string());
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_table_holds_the_values_up_to_65536_of_them() {
    let answer = ask(json!({"op": "composition", "args": ["(6,2):(8,2)", "(4,3):(3,1)"], "table": true}));
    assert_eq!(
        answer,
        json!({"result": "((2,2),3):((24,2),8)", "table": [0, 24, 2, 26, 8, 32, 10, 34, 16, 40, 18, 42]})
    );
    let table = |text: &str| ask(json!({"op": "flatten", "args": [text], "table": true}))["table"].clone();
    assert_eq!(table("65536:3").as_array().unwrap().len(), 65536);
    assert_eq!(table("65536:3")[65535], 65535 * 3);
    assert!(table("65537:3").is_null());
    assert!(table("?M:1").is_null());
    assert_eq!(table("(2,2):(1@0,1@1)"), json!(["(0,0)", "(1,0)", "(0,1)", "(1,1)"]));
    assert!(ask(json!({"op": "flatten", "args": ["4:1"]}))["table"].is_null());
    assert!(ask(json!({"op": "flatten", "args": ["4:1"], "table": false}))["table"].is_null());
}

#[test]
fn a_rounded_result_comes_with_its_guard() {
    let answer = ask(json!({"op": "logical_divide_ceil", "args": ["10:1", "4"]}));
    assert_eq!(answer, json!({"result": "(4,3):(1,4)", "guard": "(4,3):(1,4) < 10"}));
}

#[test]
fn overflow_and_capacity_are_errors() {
    let kind = |op: &str, args: &[&str]| ask(json!({"op": op, "args": args}))["error"]["kind"].clone();
    assert_eq!(kind("size", &["(4294967296,4294967296):(0,0)"]), "overflow");
    assert_eq!(kind("flatten", &["4:9223372036854775807"]), "overflow");
    assert_eq!(kind("flatten", &["4:9223372036854775808"]), "text");
    assert_eq!(kind("complement", &["2:9223372036854775807", "1"]), "overflow");
    assert_eq!(kind("flatten", &[&format!("({0}1):({0}1)", "1,".repeat(24))]), "capacity");
    assert_eq!(kind("flatten", &["0:1"]), "extent");
    assert_eq!(kind("flatten", &["-4:1"]), "extent");
    let deep = "(".repeat(100_000);
    assert_eq!(kind("flatten", &[&deep]), "text");
    assert_eq!(kind("flatten", &[&format!("{}4:1", "flatten(".repeat(100_000))]), "text");
    assert_eq!(kind("flatten", &[&format!("{}4:1{}", "(".repeat(100_000), ")".repeat(100_000))]), "text");
}

#[test]
fn an_unknown_command_is_a_usage_error() {
    assert_eq!(girih().arg("compose").output().unwrap().status.code(), Some(2));
}
