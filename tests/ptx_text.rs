//! PTX text: what is read, printed and read again; what is refused; and, where there is a `ptxas`, whether it makes the same
//! machine code of what we print.

use girih::gpu::ptx::{
    Base, CheckFault, Directive, Function, Init, Item, Module, Operand, Otherwise, ParseFault, Reg, Register, Space,
    Statement, Target, Type, Variable, Version, strategy,
};
use proptest::prelude::*;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "common/ptxas.rs"]
mod ptxas;

/// `.ptx` files that nvcc and Triton made, and their texts.
fn fixtures() -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ptx")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ptx") {
                let text = std::fs::read_to_string(&path).unwrap();
                all.push((path, text));
            }
        }
    }
    all.sort();
    all
}

/// The machine code that `ptxas` makes, or what it says.
fn assemble(ptxas: &Path, name: &str, module: &Module, text: &str) -> Result<Vec<u8>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx_text");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, cubin) = (folder.join(format!("{name}.ptx")), folder.join(format!("{name}.cubin")));
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new(ptxas);
    if module.debug {
        command.arg("-g");
    }
    let output = command.arg(format!("-arch={}", module.target)).arg(&source).arg("-o").arg(&cubin).output().unwrap();
    match output.status.success() {
        true => Ok(code(&std::fs::read(&cubin).unwrap())),
        false => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
    }
}

/// Sections `.text.*`, `.nv.global.init` and `.nv.constant*` of a 64-bit ELF file: code and data, no debug information.
fn code(elf: &[u8]) -> Vec<u8> {
    let word = |at: usize, n: usize| elf[at..at + n].iter().rev().fold(0usize, |all, b| all << 8 | *b as usize);
    let (table, size, count, names) = (word(40, 8), word(58, 2), word(60, 2), word(62, 2));
    let section =
        |i: usize| (word(table + i * size, 4), word(table + i * size + 24, 8), word(table + i * size + 32, 8));
    let (_, strings, _) = section(names);
    let mut all = Vec::new();
    for i in 1..count {
        let (name, offset, length) = section(i);
        let name: Vec<u8> = elf[strings + name..].iter().copied().take_while(|b| *b != 0).collect();
        let of = |prefix: &str| name.starts_with(prefix.as_bytes());
        if of(".text.") || of(".nv.global.init") || of(".nv.constant") {
            all.extend_from_slice(&name);
            all.extend_from_slice(&elf[offset..offset + length]);
        }
    }
    assert!(!all.is_empty());
    all
}

#[test]
fn what_nvcc_and_triton_print_is_read_printed_and_read_again() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 30);
    for (path, text) in &fixtures {
        let module = Module::parse(text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(module.functions().any(|f| f.instructions().count() > 0), "{}", path.display());
        let printed = module.to_string();
        assert_eq!(Module::parse(&printed).as_ref(), Ok(&module), "{}", path.display());
        assert_eq!(module.check(), Ok(()), "{}", path.display());
        assert!(module.lowest_version().unwrap() <= module.version, "{}", path.display());
    }
    println!("{} files", fixtures.len());
}

#[test]
fn ptxas_makes_the_same_code_of_what_is_printed_at_the_lowest_version() {
    let Some(ptxas) = ptxas::find() else { return };
    let fixtures = fixtures();
    fixtures.par_iter().for_each(|(path, text)| {
        let mut module = Module::parse(text).unwrap();
        // Triton's own version may be newer than the assembler
        let written = module.version;
        module.version = module.lowest_version().unwrap();
        let given = text.replacen(&format!(".version {written}"), &format!(".version {}", module.version), 1);
        let folder = path.parent().and_then(Path::file_stem).unwrap().to_string_lossy();
        let name = format!("{folder}_{}", path.file_stem().unwrap().to_string_lossy());
        let theirs = assemble(&ptxas, &format!("{name}_theirs"), &module, &given);
        let ours = assemble(&ptxas, &format!("{name}_ours"), &module, &module.to_string());
        assert!(theirs.is_ok(), "{}: {theirs:?}", path.display());
        assert!(ours == theirs, "{}: {}", path.display(), ours.err().unwrap_or("other code".into()));
    });
    println!("{} files", fixtures.len());
}

#[test]
fn no_lower_version_would_do() {
    let Some(ptxas) = ptxas::find() else { return };
    let versions: Vec<Version> = [(6, 3..=5), (7, 0..=8), (8, 0..=8), (9, 0..=0)]
        .into_iter()
        .flat_map(|(major, minors)| minors.map(move |minor| Version(major, minor)))
        .collect();
    let counts: Vec<usize> = fixtures()
        .par_iter()
        .map(|(path, text)| {
            let mut module = Module::parse(text).unwrap();
            let lowest = module.lowest_version().unwrap();
            let Some(below) = versions.iter().rev().find(|v| **v < lowest && **v >= module.target.version()) else {
                return 0;
            };
            module.version = *below;
            let name = format!("below_{}", path.file_stem().unwrap().to_string_lossy());
            assert!(assemble(&ptxas, &name, &module, &module.to_string()).is_err(), "{}: {below}", path.display());
            assert!(module.check().is_err());
            1
        })
        .collect();
    println!("{} files", counts.iter().sum::<usize>());
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn a_random_module_is_read_back_from_its_text(module in strategy::module()) {
        let read = Module::parse(&module.to_string());
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
        prop_assert!(read.unwrap() == module);
    }

    #[test]
    fn text_with_mistakes_is_read_or_refused_and_never_panics(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8usize, any::<prop::sample::Index>(), 0..40usize), 1..6),
    ) {
        let fixtures = texts();
        let mut text: Vec<char> = file.get(fixtures).clone();
        for (at, kind, from, length) in edits {
            if text.is_empty() {
                break;
            }
            let (at, from) = (at.index(text.len()), from.index(text.len()));
            let piece: Vec<char> = text[from..(from + length).min(text.len())].to_vec();
            let end = (at + length).min(text.len());
            match kind {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..at, piece)),
                2 => drop(text.splice(at..end, piece)),
                3 => text[at] = ['é', '\0', '"', '\\', '\n', '%'][length % 6],
                4 => drop(text.splice(at..at, "{[(".repeat(length * 9).chars())),
                5 => drop(text.splice(at..at, ["0x", "/*", "//", ".", "<999999999>", "-", "::", "1e999"][length % 8].chars())),
                6 => text.truncate(at.max(text.len() / 2)),
                _ => text.swap(at, from),
            }
        }
        let text: String = text.into_iter().collect();
        match Module::parse(&text) {
            Ok(module) => {
                let _ = (module.check(), module.lowest_version());
                prop_assert_eq!(Module::parse(&module.to_string()), Ok(module));
            }
            Err(e) => {
                let line = text.split('\n').nth(e.line - 1).unwrap_or("");
                prop_assert!(line.starts_with(&e.text), "{e}");
                prop_assert!(e.column <= e.text.chars().count() + 1);
            }
        }
    }
}

/// The shorter fixtures, as characters.
fn texts() -> &'static [Vec<char>] {
    static TEXTS: std::sync::OnceLock<Vec<Vec<char>>> = std::sync::OnceLock::new();
    TEXTS.get_or_init(|| {
        let all = fixtures().into_iter().map(|(_, text)| text).filter(|text| text.len() < 30_000);
        all.chain([module(EVERYTHING)]).map(|text| text.chars().collect()).collect()
    })
}

/// With the lines that every module has.
fn module(items: &str) -> String {
    format!(".version 9.0\n.target sm_90a\n.address_size 64\n{items}")
}

fn kernel(body: &str) -> String {
    module(&format!(".shared .b8 tile[64];\n.entry k(.param .u64 a) {{\n.reg .b32 %r<4>;\n.reg .pred %p;\n{body}\n}}"))
}

const EVERYTHING: &str = r#"
/* a comment */ .file 1 "a\b c.cu", 123, 456 // and another
.pragma "nounroll", "nounroll";
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .shared .align 16 .b8 dynamic[];
.visible .global .attribute(.managed) .align 4 .u32 managed = 5, plain;
.global .v4 .f32 quad = {1.5, -0f3F800000, 0d3FF0000000000000, 1e3};
.const .align 8 .u64 table[2][2] = {{generic(plain)+4, plain}, {0xFFFFFFFFFFFFFFFF, 0b101}};
.global .u8 packed[3] = {0xFF(plain), 0xFF00(generic(plain)), 017};
.common .global .u32 shared_by_all;
.weak .func helper (.reg .b32 x) .noreturn { trap; }
.visible .func doubled(.reg .b32 x) { add.u32 x, x, x; ret; }
.visible .func alias(.reg .b32 x);
.alias alias, doubled;
.visible .entry k (.param .u64 .ptr .global .align 16 pointer, .param .align 64 .b8 map[128])
.maxntid 128 .minnctapersm 2 .reqnctapercluster 2, 1, 1 .maxnreg 64 .pragma "nounroll";
{ .reg .b32 a, %b, %r<5>; .reg .b64 %rd<3>; .reg .pred p, q; .reg .f32 f;
  .local .align 16 .b8 __local_depot0[64];
  // a comment on a line of its own
  .loc 1 20 3
  .loc 1 10 5, function_name $L__info0, inlined_at 1 20 3 // here
  mov .u32 a, %tid.x;
  mov.u32 a, (1 + 2 * 3) << 2 | ~0 & 0x10U; add.s32 %b, a, -5; add.s32 %b, a, WARP_SZ-1;
  add.f32 f, f, 1.5; add.f32 f, f, -.25;
  setp.lt.and.u32 p|q, a, 7 > 3 ? 4 : 5, !p;
  @!p add.s32 a, a, %b; // else undefined
  @p add.s32 a, a, %b; // dropped
  ld.param.u64 %rd0, [pointer]; ld.shared.b32 %r1, [dynamic+-4]; ld.global.v2.u32 {%r0, %r1}, [ %rd0 - 8 ];
  { .reg .b32 a; mov.b32 a, %r0; bra L; }
L: // a loop
  table_: .branchtargets L, M;
  brx.idx %r0, table_;
M: proto : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _); never: .callprototype _ () .noreturn;
  { .param .b64 p0; .param .b32 r0; st.param.b64 [p0+0], %rd0; call.uni (r0), vprintf, (p0, p0); call (r0), %rd1, (p0, p0), proto; }
  call.uni helper, (a);
  ret;
}
.section .debug_str
{
$L__info0:
.b8 65 // text
}
"#;

#[test]
fn every_way_to_write_it_is_read() {
    let text = module(EVERYTHING);
    let read = Module::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(Module::parse(&read.to_string()), Ok(read.clone()));
    assert_eq!(read.check(), Ok(()));
    assert_eq!(read.items[0], Item::File { number: 1, name: "a\\b c.cu".into(), stamp: Some((123, 456)) });
    let quad = read.variables().find(|v| &*v.name == "quad").unwrap();
    let one = 1f64.to_bits();
    assert_eq!(
        quad.init,
        [Init::F64(1.5f64.to_bits()), Init::F32(0xBF80_0000), Init::F64(one), Init::F64(1e3f64.to_bits())]
    );
    let packed = read.variables().find(|v| &*v.name == "packed").unwrap();
    assert_eq!(packed.init[2], Init::Int(15));
    let k = read.functions().last().unwrap();
    assert_eq!(k.directives[0], Directive::Maxntid([128, 1, 1]));
    let printed: Vec<String> = k.instructions().map(|i| i.to_string()).collect();
    let operand = |n: usize, at: usize| k.instructions().nth(n).unwrap().operands()[at].clone();
    assert_eq!(operand(1, 1), Operand::Int(28));
    assert_eq!(operand(3, 2), Operand::Int(31));
    assert_eq!(operand(5, 2), Operand::F64((-0.25f64).to_bits()));
    assert_eq!(operand(6, 2), Operand::Int(4));
    let otherwise: Vec<_> = k.instructions().filter_map(|i| i.guard.map(|g| (g.negated, g.otherwise))).collect();
    assert_eq!(otherwise, [(true, Otherwise::Undefined), (false, Otherwise::Kept)], "{printed:?}");
    let Operand::Address(a) = operand(10, 1) else { panic!("{printed:?}") };
    assert_eq!((a.base, a.offset), (Base::Symbol("dynamic".into()), -4));
    let comments = k.body.iter().flatten().filter(|s| matches!(s, Statement::Comment(_))).count();
    assert_eq!(comments, 1);
    if let Some(ptxas) = ptxas::find() {
        let ours = assemble(&ptxas, "everything", &read, &read.to_string());
        let theirs = assemble(
            &ptxas,
            "everything_theirs",
            &read,
            &text.replace(" - 8 ]", "+-8]").replace("-0f3F800000", "0fBF800000").replace("-.25", "0dBFD0000000000000"),
        );
        assert!(ours == theirs && ours.is_ok(), "{:?} {:?}", ours.err(), theirs.err());
    }
}

#[test]
fn mistakes_are_found_where_they_are() {
    use ParseFault::*;
    type Is = fn(&ParseFault) -> bool;
    let cases: [(String, usize, usize, Is); 26] = [
        ("".into(), 1, 1, |f| matches!(f, Expected { expected: "`.version`", .. })),
        (".version nine".into(), 1, 10, |f| matches!(f, Expected { .. })),
        (".version 9.0\n.target sm_90, texmode_independent".into(), 2, 16, |f| matches!(f, Unsupported(_))),
        (".version 9.0\n.target sm_90\n.address_size 32".into(), 3, 15, |f| matches!(f, Unsupported(_))),
        (module(".texref t;"), 4, 1, |f| matches!(f, Unsupported(_))),
        (module("§"), 4, 1, |f| *f == Character('§')),
        (module("/* no end"), 4, 1, |f| *f == Unfinished("comment")),
        (module(".pragma \"no end"), 4, 9, |f| *f == Unfinished("string")),
        (module(".section .debug_str {\n.b8 1"), 4, 22, |f| *f == Unfinished("section")),
        (module(".global .u32 x = 0x1FFFFFFFFFFFFFFFF;"), 4, 18, |f| matches!(f, Number(_))),
        (module(".global .u32 x = 0f12;"), 4, 18, |f| matches!(f, Number(_))),
        (module(".global .u32 x[1/0];"), 4, 17, |f| *f == Constant),
        (module(".global .u32 x = y;"), 4, 18, |f| *f == Undeclared("y".into())),
        (module(".global .u32 x;\n.global .u64 x;"), 5, 14, |f| *f == Duplicate("x".into())),
        (module(&format!(".global .u32 x[1] = {};", "{".repeat(99))), 4, 21 + 64, |f| *f == Deep),
        (module(".global .u32 x = {1};"), 4, 18, |f| matches!(f, Expected { expected: "one value", .. })),
        (module(".global .u32 x[(-9223372036854775807 - 1) / -1];"), 4, 43, |f| *f == Constant),
        (kernel("{".repeat(99).as_str()), 8, 65, |f| *f == Deep),
        (kernel(&format!("mov.b32 %r0, {}1;", "(".repeat(999))), 8, 78, |f| *f == Deep),
        (kernel("mov.b32 %r0, %r4;"), 8, 14, |f| *f == Undeclared("%r4".into())),
        (kernel("bra nowhere;"), 8, 5, |f| *f == Undeclared("nowhere".into())),
        (kernel("bra L; { L: ret; }"), 8, 5, |f| *f == Undeclared("L".into())),
        (kernel("ad.s32 %r0, %r1, %r2;"), 8, 1, |f| matches!(f, Opcode(e) if e.nearest.as_deref() == Some("add.s32"))),
        (kernel("add.s32 %r0, %p, %r2;"), 8, 1, |f| matches!(f, Operands(_))),
        (kernel("@%r0 ret;"), 8, 6, |f| matches!(f, Operands(_))),
        (kernel(".reg .b32 x<2000000>;"), 8, 11, |f| *f == Registers(2_000_005)),
    ];
    let e = Module::parse(&kernel("ld.shared.b32 %r1, [%p];")).unwrap_err();
    assert!(
        e.to_string().contains("ld.shared.b32 %r1, [%p]: operand 2 is [%p], where an address in shared is wanted"),
        "{e}"
    );
    for (text, line, column, is) in cases {
        let e = Module::parse(&text).unwrap_err();
        assert_eq!((e.line, e.column, is(&e.fault)), (line, column, true), "{e}");
        assert!(
            e.to_string().contains(&format!("line {line}, column {column}: "))
                && e.to_string().ends_with(e.text.trim())
        );
    }
}

fn faults(m: &Module) -> Vec<CheckFault> {
    m.check().err().unwrap_or_default().into_iter().map(|e| e.fault).collect()
}

fn read(text: &str) -> Module {
    Module::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn modules_that_ptxas_refuses_are_refused() {
    use CheckFault::*;
    let of = |text: &str| faults(&read(text));
    assert_eq!(of(&kernel("ret;")), []);
    assert_eq!(of(&kernel(".reg .b32 %tid; mov.b32 %tid, 1;")), []);
    assert_eq!(of(&module(".global .b32 %tid;")), [Reserved("%tid".into())]);
    assert_eq!(of(&kernel("WARP_SZ: ret;")), [Reserved("WARP_SZ".into())]);
    let space = Space { name: "tile".into(), space: girih::gpu::ptx::Space::Shared, expected: "global" };
    assert_eq!(of(&kernel("ld.global.b32 %r0, [tile];")), [space]);
    assert_eq!(of(&kernel("ld.shared.b32 %r0, [tile]; ld.b32 %r0, [tile];")), []);
    let older = kernel("ret;").replace("9.0", "7.8");
    assert_eq!(of(&older), [Version { what: "the target sm_90a".into(), needs: girih::gpu::ptx::Version(8, 0) }]);
    let big = |n: u32| module(&format!(".entry k(.param .b8 a[{n}]) {{ ret; }}"));
    assert_eq!((of(&big(32764)), of(&big(32765))), (vec![], vec![Parameters { bytes: 32765, limit: 32764 }]));
    let what = "more than 4352 bytes of parameters".into();
    assert_eq!(of(&big(4353).replace("9.0", "8.0")), [Version { what, needs: girih::gpu::ptx::Version(8, 1) }]);
    for (target, limit) in [("sm_80", 48 << 10), ("sm_90", 48 << 10), ("sm_90a", 227 << 10), ("sm_100f", 48 << 10)]
        .into_iter()
        .chain([("sm_100a", 227 << 10), ("sm_110a", 227 << 10), ("sm_120", 48 << 10), ("sm_121a", 99 << 10)])
    {
        let tiles = |n: u64| module(&format!(".entry k() {{ .shared .b8 a[{n}]; ret; }}")).replace("sm_90a", target);
        let over = vec![Shared { bytes: limit + 1, limit }];
        assert_eq!((of(&tiles(limit)), of(&tiles(limit + 1))), (vec![], over), "{target}");
        if let Some(ptxas) = ptxas::find() {
            let taken = |n: u64| {
                let text = tiles(n);
                assemble(&ptxas, &format!("shared_{target}_{n}"), &read(&text), &text).is_ok()
            };
            assert!(taken(limit) && !taken(limit + 1), "{target}");
        }
    }
    let cluster = module(".entry k() .reqnctapercluster 2 { ret; }").replace("sm_90a", "sm_80");
    assert_eq!(of(&cluster), [Target { what: "`.reqnctapercluster`".into(), needs: "sm_90".into() }]);
    assert!(read(&cluster).lowest_version().is_err());
    let e = read(&kernel("add.bf16x2 %r0, %r1, %r2;").replace("sm_90a", "sm_80")).check().unwrap_err();
    assert!(e[0].to_string().starts_with("k: add.bf16x2"), "{}", e[0]);
}

#[test]
fn modules_that_no_text_gives_are_refused() {
    let with = |body: Vec<Statement>, registers: Vec<Register>| {
        let mut m = Module::new(Target::SM_80);
        m.items.push(Item::Function(Box::new(Function { body: Some(body), registers, ..Function::entry("k") })));
        faults(&m)
    };
    let label = |name: &str| Statement::Label(name.into());
    assert_eq!(with(vec![label("1a")], vec![]), [CheckFault::Identifier("1a".into())]);
    assert_eq!(with(vec![label("_")], vec![]), [CheckFault::Identifier("_".into())]);
    assert_eq!(with(vec![label("a"), label("a")], vec![]), [CheckFault::Duplicate("a".into())]);
    let table = Statement::BranchTargets { name: "t".into(), labels: vec!["l".into()] };
    assert_eq!(with(vec![table], vec![]), [CheckFault::Undeclared("l".into())]);
    let r = Reg { id: 0, ty: Type::B32 };
    let i = girih::gpu::ptx::Instruction::spelled("add.u32", vec![r.into(), r.into(), r.into()]).unwrap();
    let i = Statement::Instruction(i);
    let fault = CheckFault::Register(r);
    assert_eq!(with(vec![i.clone()], vec![]), [fault.clone(), fault.clone(), fault.clone()]);
    let declared = |ty| Statement::Registers { ty, name: "r".into(), count: None, first: 0 };
    let register = |ty| vec![Register { name: "r".into(), ty }];
    assert_eq!(with(vec![declared(Type::B32), i.clone()], register(Type::B32)), []);
    assert_eq!(with(vec![declared(Type::U32), i.clone()], register(Type::U32)).len(), 3);
    assert_eq!(with(vec![Statement::Block(vec![declared(Type::B32)]), i], register(Type::B32)).len(), 3);
    let text = |faults: Vec<CheckFault>| matches!(faults[..], [CheckFault::Text(_)]);
    assert!(text(with(vec![], register(Type::B32))));
    assert!(text(with(vec![declared(Type::B32)], vec![])));
    assert!(text(with(vec![Statement::Comment("two\nlines".into())], vec![])));
    let deep = (0..100).fold(vec![], |inner, _| vec![Statement::Block(inner)]);
    assert_eq!(with(deep, vec![]), [CheckFault::Deep]);
    let mut m = Module::new(Target::SM_80);
    m.items.push(Item::Variable(Variable { vector: Some(3), ..Variable::new(Space::Global, Type::B32, "v") }));
    assert!(text(faults(&m)));
    assert_eq!(Module::new(Target::SM_80).lowest_version(), Ok(Version(7, 0)));
}

/// Does `ptxas` take it? Its code does not matter.
fn assembles(ptxas: &Path, name: &str, text: &str) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx_text");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join(format!("{name}.ptx"));
    std::fs::write(&source, text).unwrap();
    let target = text.split_once(".target ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap();
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch={target}")).arg(&source).arg("-o").arg(source.with_extension("cubin"));
    command.output().unwrap().status.success()
}

/// Between a kernel's braces, with something of each kind around.
fn scene(body: &str) -> String {
    module(&format!(
        ".global .b32 g;\n.shared .b8 sh[64];\n.const .b32 cc;\n.func fn(.reg .b32 x) {{ ret; }}\n.visible .entry k(.param .u64 a) {{\n\
         .local .b8 lo[16]; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<9>;\n{body}\nret;\n}}"
    ))
}

/// What is refused, by the parser or the check, must be by `ptxas` and the other way round.
fn agrees(name: &str, text: &str, taken: bool) {
    let ours = Module::parse(text).map_err(|e| e.to_string()).and_then(|m| m.check().map_err(|e| format!("{e:?}")));
    assert_eq!(ours.is_ok(), taken, "{text}\n{ours:?}");
    if let Some(ptxas) = ptxas::find() {
        assert_eq!(assembles(&ptxas, name, text), taken, "ptxas: {text}");
    }
}

#[test]
fn names_are_of_the_kind_that_their_place_wants() {
    const REFUSED: &[&str] = &[
        "bra g;",
        "bra a;",
        "bra k;",
        "bra fn;",
        "bra lo;",
        "T: .branchtargets L; bra T; L:",
        "mov.u64 %rd1, L; L:",
        "mov.u64 %rd1, fn+4;",
        "ld.u32 %r1, [k];",
        "ld.u32 %r1, [fn];",
        "ld.u32 %r1, [L]; L:",
        "ld.u32 %r1, [a];",
        "ld.u32 %r1, [cc];",
        "st.u32 [cc], 1;",
        "red.add.u32 [cc], 1;",
        "ld.const.u32 %r1, [g];",
        "call g;",
        "call k;",
        "call L; L:",
        "call sh;",
        "call fn;",
        "call fn, (%r1, %r2);",
        "call fn, (g);",
        "call (%r2), fn, (%r1);",
        "call %rd1, (%r1), L; L:",
        "call %rd1, (%r1), P; P: .callprototype _ (.reg .b32 _);",
        "T: .calltargets g;",
        "T: .calltargets L; L:",
        "T: .branchtargets g;",
        "T: .branchtargets fn;",
        "brx.idx %r1, L; L:",
        "brx.idx %r1, g;",
        "brx.idx %r1, T; L: T: .branchtargets L;",
        "T: .calltargets fn; brx.idx %r1, T;",
        "P: .callprototype _ (); bra P;",
        "mov.b32 %r1, g;",
        "mapa.u64 %rd1, g, %r1;",
        "cvta.global.u64 %rd1, sh;",
        "cvta.global.u64 %rd1, fn;",
        "P: .callprototype (.param .b32 r) _ () .noreturn;",
    ];
    const TAKEN: &[&str] = &[
        "mov.u64 %rd1, g+4;",
        "mov.u64 %rd1, fn;",
        "mov.u64 %rd1, k;",
        "mov.u64 %rd1, a;",
        "ld.u32 %r1, [sh];",
        "ld.u32 %r1, [lo];",
        "call fn, (%r1);",
        "P: .callprototype _ (.reg .b32 _); call %rd1, (%r1), P;",
        "T: .calltargets fn; call %rd1, (%r1), T;",
        "T: .branchtargets L; brx.idx %r1, T; L:",
        "cvta.global.u64 %rd1, g;",
        "mov.b32 %r1, sh;",
        "mapa.u64 %rd1, sh, %r1;",
        "{ .param .b32 q; call fn, (q); }",
        "ld.shared::cluster.u32 %r1, [sh];",
    ];
    for (i, body) in REFUSED.iter().enumerate() {
        agrees(&format!("kind_{i}"), &scene(body), false);
    }
    for (i, body) in TAKEN.iter().enumerate() {
        agrees(&format!("kind_taken_{i}"), &scene(body), true);
    }
    assert_eq!(
        faults(&read(&scene("bra g;"))),
        [CheckFault::Kind { name: "g".into(), found: "a variable", expected: "a label" }]
    );
}

#[test]
fn declarations_and_directives_are_those_that_ptxas_takes() {
    const REFUSED: &[&str] = &[
        ".global .align 3 .b8 s[8];",
        ".global .align 0 .b8 s[8];",
        ".global .b8 s[];",
        ".shared .b8 s[];",
        ".shared .b8 s[0];",
        ".global .b8 s[4][0];",
        ".global .b8 s[4][];",
        ".global .pred s;",
        ".global .v4 .f64 s;",
        ".local .b8 s[16];",
        ".reg .b32 s;",
        ".param .b32 s;",
        ".extern .local .b8 s[16];",
        ".shared .b32 s = 1;",
        ".extern .global .b32 s = 3;",
        ".common .const .b32 s;",
        ".common .shared .b32 s;",
        ".common .func f() { ret; }",
        ".common .entry f() { ret; }",
        ".const .attribute(.managed) .b32 s;",
        ".global .u64 .ptr s;",
        ".global .f32 s = 1;",
        ".global .b32 a; .global .b32 s = a;",
        ".global .u32 s = 1.5;",
        ".global .b32 s = {1};",
        ".global .b32 s[2] = 1;",
        ".global .b32 s[2] = {1, 2, 3};",
        ".global .b32 s[2][2] = {1, 2};",
        ".global .b32 s[2] = {1, {2}};",
        ".global .v2 .b32 s = {1};",
        ".global .f16 s = 1.5;",
        ".global .u64 s = s;",
        ".shared .b32 v; .global .u64 s = v;",
        ".global .b32 v; .global .u8 s = 0x7F(v);",
        ".func f() { ret; } .global .u64 s = f+4;",
        ".func f() { ret; } .global .u64 s = generic(f);",
        ".const .b8 s[65537];",
        ".const .b8 s[65536]; .const .b8 h;",
        ".extern .global .b32 s; .global .b32 s;",
        ".extern .global .b32 s; .visible .global .b64 s;",
        ".extern .global .b8 s[8]; .visible .global .b8 s[4];",
        ".visible .entry k(.reg .b32 p) { ret; }",
        ".visible .entry k(.shared .b32 p) { ret; }",
        ".visible .entry k(.global .b32 p) { ret; }",
        ".visible .entry k(.param .b8 p[]) { ret; }",
        ".visible .entry k(.param .b8 p[0]) { ret; }",
        ".visible .entry k(.param .b8 p[4][2]) { ret; }",
        ".visible .entry k(.param .pred p) { ret; }",
        ".visible .entry k(.param .v2 .b32 p) { ret; }",
        ".visible .entry k(.param .align 3 .b8 p[4]) { ret; }",
        ".visible .entry k(.param .u64 .ptr .align 3 p) { ret; }",
        ".visible .entry k(.param .attribute(.managed) .b32 p) { ret; }",
        ".visible .entry (.param .b32 r) k() { ret; }",
        ".visible .func k(.param .u64 .ptr p) { ret; }",
        ".visible .func (.param .b32 p, .param .b32 q) k() { ret; }",
        ".visible .func k(.param .align 256 .b8 p[4]) { ret; }",
        ".visible .entry k();",
        ".func f();",
        ".extern .func f() { ret; }",
        ".visible .func f(.param .b32 a); .visible .func f(.param .b64 a) { ret; }",
        ".visible .func f(.param .b32 a); .visible .func f(.param .u32 a) { ret; }",
        ".func f(); .visible .func f() { ret; }",
        ".visible .func f(); .visible .entry f() { ret; }",
        ".visible .func f() { ret; } .visible .func f();",
        ".visible .func f() { ret; } .alias h, f;",
        ".visible .entry f() { ret; } .alias h, f;",
        ".visible .entry f() { ret; } .visible .func h(); .alias h, f;",
        ".weak .func f() { ret; } .visible .func h(); .alias h, f;",
        ".visible .func f() { ret; } .visible .func h(.param .b32 a); .alias h, f;",
        ".visible .entry k() .reqntid 0, 1, 1 { ret; }",
        ".visible .entry k() .maxntid 1, 1, 0 { ret; }",
        ".visible .entry k() .maxnreg 0 { ret; }",
        ".visible .entry k() .minnctapersm 0 { ret; }",
        ".visible .entry k() .maxnctapersm 2 { ret; }",
        ".visible .entry k() .maxntid 64 .reqntid 32 { ret; }",
        ".visible .entry k() .reqnctapercluster 2 .maxclusterrank 4 { ret; }",
        ".visible .entry k() .blocksareclusters { ret; }",
        ".visible .func k() .reqntid 1 { ret; }",
        ".visible .func k() .pragma \"nounroll\"; { ret; }",
        ".visible .entry k() .noreturn { exit; }",
        ".visible .entry k() .abi_preserve 8 { ret; }",
        ".visible .func (.reg .b32 r) k() .noreturn { exit; }",
        ".extern .entry k() .maxnreg 32;",
        ".file 1 \"a\"\n.file 1 \"b\"",
        ".pragma \"zzz\";",
        ".pragma \"frequency 3\";",
    ];
    const TAKEN: &[&str] = &[
        ".global .align 1048576 .b8 s[8];",
        ".global .v2 .b32 s[2] = {{1, 2}};",
        ".global .b32 s[][2] = {{1}, {2}};",
        ".global .b32 s = 1.5;",
        ".const .b8 s[65536];",
        ".extern .global .b8 s[]; .visible .global .b8 s[4];",
        ".global .b32 s; .extern .global .b32 s;",
        ".const .b32 v; .global .u64 s = generic(v);",
        ".extern .shared .b8 s[];",
        ".visible .entry k(.param .v2 .b32 p[2]) { ret; }",
        ".visible .entry k(.param .align 256 .b8 p[4]) { ret; }",
        ".visible .func k(.param .b8 p[]) { ret; }",
        ".extern .entry k();",
        ".weak .entry k() { ret; }",
        ".visible .func f(); .func f() { ret; }",
        ".visible .func f(.param .b32 a); .visible .func f(.param .b32 b) { ret; }",
        ".visible .func f() { ret; } .visible .func h(); .alias h, f;",
        ".visible .entry k() .reqntid 32 .reqntid 64 { ret; }",
        ".visible .entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }",
        ".visible .entry k() .pragma \"zzz\"; { ret; }",
    ];
    for (i, items) in REFUSED.iter().enumerate() {
        agrees(&format!("item_{i}"), &module(items), false);
    }
    for (i, items) in TAKEN.iter().enumerate() {
        agrees(&format!("item_taken_{i}"), &module(items), true);
    }
    for word in ["visible", "extern", "weak", "common"] {
        for what in [".shared .b32 s;", ".reg .b32 z;", "add.u32 %r1, %r2, %r3;", "L: ret;", ".pragma \"nounroll\";"] {
            agrees("linkage", &scene(&format!(".{word} {what}")), false);
        }
    }
}

#[test]
fn versions_and_targets_are_those_of_ptx() {
    for target in ["sm_80a", "sm_90f", "sm_777", "sm_0", "sm_+80", "sm_", "sm_90aa", "80", "sm_89f"] {
        assert_eq!(target.parse::<Target>(), Err(()), "{target}");
    }
    for target in ["sm_75", "sm_90a", "sm_100f", "sm_121a"] {
        assert_eq!(target.parse::<Target>().map(|t| t.to_string()), Ok(target.into()));
    }
    for version in ["7.9", "99.0", "0.1", "6.6"] {
        let m = read(&module("").replace("9.0", version).replace("sm_90a", "sm_75"));
        assert!(faults(&m).contains(&CheckFault::Unknown(format!("the version {version}"))), "{version}");
    }
    assert!(Module::parse(&module("").replace("9.0", "+9.0")).is_err());
    // a device that PTX does not know is no panic
    let far = Module::new(Target::of_device(7000, 9));
    assert!(matches!(&faults(&far)[..], [CheckFault::Unknown(_), ..]));
}

#[test]
fn qualifiers_whose_place_has_a_meaning_are_not_moved() {
    let d = "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}";
    let refused = [
        format!("mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 {d};"),
        "createpolicy.fractional.L2::evict_unchanged.L2::evict_last.b64 %rd1, 1.0;".into(),
        "mul.u32.lo %r3, %r1, %r2;".into(),
        "mul.u32.wide %rd1, %r1, %r2;".into(),
        "mad.u32.lo %r3, %r1, %r2, %r3;".into(),
        "mad.cc.lo.u32 %r3, %r1, %r2, %r3;".into(),
        "shf.wrap.l.b32 %r1, %r2, %r3, 4;".into(),
        "cvta.global.to.u64 %rd1, %rd2;".into(),
        "cp.async.ca.global.shared [%r1], [%rd1], 16;".into(),
    ];
    for (i, line) in refused.iter().enumerate() {
        agrees(&format!("order_{i}"), &scene(line), false);
    }
    let moved = [
        ("mma.aligned.sync.row.col.f32.f16.f16.f32.m16n8k16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d),
        ("ld.v2.global.f32", "ld.global.v2.f32", "{%f1, %f2}, [%rd1]"),
        ("atom.add.global.gpu.relaxed.u32", "atom.relaxed.gpu.global.add.u32", "%r1, [%rd1], %r2"),
        ("cvt.f32.rn.s32", "cvt.rn.f32.s32", "%f1, %r2"),
        ("setp.u32.lt", "setp.lt.u32", "%p1, %r1, %r2"),
    ];
    for (i, (given, legal, operands)) in moved.iter().enumerate() {
        let text = scene(&format!("{given} {operands};"));
        agrees(&format!("moved_{i}"), &text, true);
        let m = read(&text);
        let printed = m.functions().last().unwrap().instructions().next().unwrap().opcode().to_string();
        assert_eq!(printed, *legal);
    }
}

#[test]
fn constant_expressions_have_the_values_that_ptxas_gives_them() {
    let cases = [
        ("1 << 64", 1),
        ("1 << 65", 2),
        ("1 << -1", i64::MIN),
        ("-8 >> 64", -8),
        ("-8 >> 70", -1),
        ("8U >> 65", 4),
        ("-8U >> 1", i64::MAX - 3),
        ("(0 ? -1 : 3U) >> 1", 1),
        ("(1 ? -1 : 3U) >> 1", -1),
        ("(1 ? -2 : 3U) / 2", -1),
        ("-1 / 2U", i64::MAX),
        ("-1 > 0U", 1),
        ("(1 == 1U) - 2 > 0", 0),
        ("(-1 << 1U) >> 1", -1),
        ("((-1) * 2U) >> 1", i64::MAX),
        ("(.s64)(-8U) >> 1", -4),
        ("-9223372036854775808 / -1", 0),
        ("(-1 & 0xFFU) - 1 >> 1", 127),
    ];
    for (i, (expression, value)) in cases.into_iter().enumerate() {
        let text = |value: &str| module(&format!(".visible .global .u64 s = {value};\n.visible .entry k() {{ ret; }}"));
        let given = text(expression);
        let m = read(&given);
        let of = &m.variables().next().unwrap().init;
        assert_eq!(of[..], [Init::Int(value)], "{expression}");
        if let Some(ptxas) = ptxas::find() {
            let theirs = assemble(&ptxas, &format!("constant_{i}"), &m, &given);
            let ours = assemble(&ptxas, &format!("constant_ours_{i}"), &m, &text(&format!("0x{value:X}")));
            assert!(theirs.is_ok() && theirs == ours, "{expression}");
        }
    }
}

#[test]
fn long_nonsense_has_no_nearest_spelling() {
    let e = girih::gpu::ptx::Opcode::parse(&format!("add{}", ".rn".repeat(80_000))).unwrap_err();
    assert_eq!(e.nearest, None);
    let e = girih::gpu::ptx::Opcode::parse(&"add".repeat(80_000)).unwrap_err();
    assert_eq!(e.nearest, None);
}

#[test]
fn many_kernels_and_variables_are_checked() {
    let one =
        |i| format!(".global .b32 g{i};\n.visible .entry k{i}() {{ .reg .b32 %r; ld.global.u32 %r, [g{i}]; ret; }}\n");
    let text: String = (0..4000).map(one).collect();
    let m = read(&module(&text));
    let begin = std::time::Instant::now();
    assert_eq!(m.check(), Ok(()));
    println!("{:?}", begin.elapsed());
}
