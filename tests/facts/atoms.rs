//! Atoms against the tables of CuTe 4.7.

use girih::gpu::atom::{MmaAtom, NumericType, RegisterType, Registers, Source};
use girih::prelude::*;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

fn lines(file: &str) -> Vec<Value> {
    file.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn mma_lines() -> Vec<Value> {
    lines(include_str!("../data/mma_atoms.jsonl"))
}

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_default()
}

/// The C++ type of a value.
/// Sorted: the assembler takes them in any order, CuTe in others than the PTX ISA, which is ours.
fn qualifiers(ptx: &str) -> Vec<&str> {
    let mut all: Vec<&str> = ptx.split('.').collect();
    all.sort_unstable();
    all
}

fn numeric(cpp: &str) -> NumericType {
    use NumericType::*;
    match cpp {
        "half_t" => F16,
        "bfloat16_t" => BF16,
        "float" => F32,
        "tfloat32_t" => TF32,
        "double" => F64,
        "float_e4m3_t" => E4M3,
        "float_e5m2_t" => E5M2,
        "int" => S32,
        "short" => S16,
        "signed char" => S8,
        "unsigned char" => U8,
        "integer_subbyte<4, true>" => S4,
        "integer_subbyte<4, false>" => U4,
        "integer_subbyte<1, false>" => U1,
        "complex<double>" => C64,
        t if t.ends_with("GaussComplex") => GC64,
        t => panic!("{t}"),
    }
}

/// `unsigned int[4]`; complex numbers are several registers.
fn registers(cpp: &str) -> Registers {
    let (of, count) = cpp.strip_suffix(']').unwrap().rsplit_once('[').unwrap();
    let count: usize = count.parse().unwrap();
    let (register, each) = match of {
        "unsigned char" => (RegisterType::B8, 1),
        "unsigned short" => (RegisterType::B16, 1),
        "int" | "unsigned int" => (RegisterType::B32, 1),
        "unsigned long" => (RegisterType::B64, 1),
        "uint128_t" => (RegisterType::B128, 1),
        "float" => (RegisterType::F32, 1),
        "double" => (RegisterType::F64, 1),
        "complex<double>" => (RegisterType::F64, 2),
        t if t.ends_with("GaussComplex") => (RegisterType::F64, 3),
        t => panic!("{t}"),
    };
    Registers { register, count: count * each }
}

/// A few lines have `(8)` for `8`, or strides nested by one parenthesis more.
fn spelled_alike(ours: &Layout, theirs: &str) -> bool {
    let plain = |s: &str| s.replace("(8):(8)", "8:8").replace("((16,8))", "(16,8)");
    let tuples = |s: &str| s.replace(",(8))", ",8)");
    ours.to_string() == tuples(&plain(theirs))
}

#[test]
fn every_line_is_an_atom() {
    for line in mma_lines() {
        let name = text(&line, "name");
        let atom = MmaAtom::named(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(atom.to_string(), name);
        assert_eq!(atom.shape().to_string(), text(&line, "shape_mnk"), "{name}");
        assert_eq!(atom.thr().to_string(), text(&line, "thr"), "{name}");
        for (ours, key) in [(atom.a(), "A"), (atom.b(), "B"), (atom.c(), "C")] {
            assert!(spelled_alike(&ours, text(&line, key)), "{name} {key}: {ours} {}", text(&line, key));
        }
        let (t, r) = (atom.types(), atom.registers());
        for (of, held, operand) in [(t.d, r.d, 'd'), (t.a, r.a, 'a'), (t.b, r.b, 'b'), (t.c, r.c, 'c')] {
            assert_eq!(of, numeric(text(&line, &format!("val_{operand}"))), "{name} {operand}");
            match text(&line, &format!("reg_{operand}")) {
                "void[0]" => assert_eq!(held.count, 0, "{name} {operand}"),
                cpp => assert_eq!(held, registers(cpp), "{name} {operand}"),
            }
        }
        assert_eq!(qualifiers(&atom.ptx().unwrap_or_default()), qualifiers(text(&line, "ptx")), "{name}");
        for (source, key) in [(atom.source_a(), "frg_a"), (atom.source_b(), "frg_b")] {
            let expected = match text(&line, key) {
                "" => Source::Registers,
                d if d.ends_with("Major)0>") => Source::Shared(Major::K),
                _ => Source::Shared(Major::MN),
            };
            assert_eq!(source, expected, "{name} {key}");
        }
    }
    assert_eq!(mma_lines().len(), 353);
}

#[test]
fn every_atom_is_a_line_or_another_n_of_a_line() {
    // N out of the name of a warpgroup's instruction
    let family = |name: &str| match name.strip_prefix("SM90_64x") {
        Some(rest) => format!("SM90_64xNx{}", rest.split_once('x').unwrap().1),
        None => name.to_string(),
    };
    let names: HashSet<String> = mma_lines().iter().map(|l| text(l, "name").to_string()).collect();
    let families: HashSet<String> = names.iter().map(|n| family(n)).collect();
    let mut ours = HashMap::new();
    for atom in MmaAtom::all() {
        let name = atom.to_string();
        assert!(families.contains(&family(&name)), "{name}");
        *ours.entry(family(&name)).or_insert(0) += 1;
        assert_eq!(MmaAtom::named(&name), Some(atom), "two of one name");
    }
    assert_eq!(ours.len(), families.len());
    // every N that PTX has: 8 to 256 in steps of 8, for integers 24 and multiples of 16
    let expected = |f: &str| {
        if !f.contains("xNx") {
            1
        } else if f.contains("S32") {
            18
        } else {
            32
        }
    };
    assert!(ours.iter().all(|(f, &n)| n == expected(f)), "{ours:?}");
    assert_eq!(MmaAtom::named("SM80_16x8x16_F32F16F16F32_NN"), None);
}

/// Each element of an operand is held once; in shared memory by all threads.
#[test]
fn operands_cover_their_matrices() {
    for atom in MmaAtom::all() {
        let shape = atom.shape();
        let [m, n, k] = [0, 1, 2].map(|i| shape.get(i).unwrap().value().unwrap());
        let operands = [(atom.a(), m * k, atom.source_a()), (atom.b(), n * k, atom.source_b())];
        for (l, size, source) in operands.into_iter().chain([(atom.c(), m * n, Source::Registers)]) {
            let mine = match source {
                Source::Registers => l,
                // the threads share it
                Source::Shared(_) => {
                    assert_eq!(l.mode(0), Ok(layout!(128:0)), "{atom}");
                    l.mode(1).unwrap()
                }
            };
            let mut held = vec![0; size as usize];
            (0..mine.size().unwrap()).for_each(|i| held[mine.at(i).unwrap() as usize] += 1);
            assert!(held.iter().all(|&h| h == 1), "{atom} {l}");
            assert_eq!(l.mode(0).unwrap().size(), atom.thr().size(), "{atom}");
        }
        // registers hold what the layouts say
        let values = |l: Layout| l.mode(1).unwrap().size().unwrap() as usize;
        let (t, r) = (atom.types(), atom.registers());
        assert_eq!(r.c.count * r.c.register.bits(), values(atom.c()) * t.c.bits(), "{atom}");
        if atom.source_a() == Source::Registers {
            assert_eq!(r.a.count * r.a.register.bits(), values(atom.a()) * t.a.bits(), "{atom}");
        }
    }
}

#[test]
fn every_copy_is_a_line_and_every_line_a_copy() {
    let all = lines(include_str!("../data/copy_atoms.jsonl"));
    let names: HashSet<&str> = all.iter().map(|l| text(l, "name")).collect();
    assert!(CopyAtom::all().all(|c| names.contains(c.to_string().as_str())));
    assert_eq!((all.len(), CopyAtom::all().count()), (28, 28));
    for line in &all {
        let name = text(line, "name");
        let copy = CopyAtom::named(name).unwrap_or_else(|| panic!("{name} is missing"));
        let layouts = [(copy.thr(), "thr"), (copy.src(), "src"), (copy.dst(), "dst"), (copy.reference(), "ref")];
        for (ours, key) in layouts {
            assert_eq!(ours.to_string(), text(line, key), "{name} {key}");
        }
        let expected = (registers(text(line, "reg_src")), registers(text(line, "reg_dst")));
        assert_eq!(copy.registers(), expected, "{name}");
        assert_eq!(qualifiers(&copy.ptx().unwrap_or_default()), qualifiers(text(line, "ptx")), "{name}");
    }
}
