//! Conversions against `cvt`: kernels on the simulator and, where there is one, on a device of compute capability 9.0 or later. What
//! sm_90 does not have is assembled for sm_100a by `ptxas`, if there is one, and runs on the simulator.

use crate::inputs::{all, some};
use crate::types::converted;
use girih::gpu::launch::{DataType, Launch, Param, Usage};
use girih::gpu::ptx::{Module, Target};
use girih::gpu::sim::{Buffer, Simulation};
use girih::tile::element::ElementType::{self, *};
use girih::tile::element::{Conversion, Rounding};

#[path = "../common/machine.rs"]
mod machine;
#[path = "../common/ptxas.rs"]
mod ptxas;
use machine::{Machine, number};

/// A conversion, and the instructions that make `%d` of `%s`, registers of so many bits; with registers of their own if need be.
struct Case {
    how: Conversion,
    bits: [u32; 2],
    body: String,
}

/// PTX's name of a type.
fn name(ty: ElementType) -> &'static str {
    match ty {
        I8 => "s8",
        I16 => "s16",
        I32 => "s32",
        I64 => "s64",
        F8E4M3 => "e4m3x2",
        F8E5M2 => "e5m2x2",
        F8E8M0 => "ue8m0x2",
        F4E2M1 => "e2m1x2",
        _ => ty.name(),
    }
}

/// PTX's name of a mode.
fn mode(r: Rounding) -> &'static str {
    match r {
        Rounding::TiesToEven => "rn",
        Rounding::TowardZero => "rz",
        Rounding::TowardNegative => "rm",
        Rounding::TowardPositive => "rp",
        Rounding::TiesAway => "rna",
    }
}

/// One instruction from type to type, with these modifiers.
fn scalar(how: Conversion, modifiers: &str) -> Case {
    let bits = [how.from(), how.to()].map(|t| 8 * t.bytes());
    Case { how, bits, body: format!("cvt{modifiers}.{}.{} %d, %s;", name(how.to()), name(how.from())) }
}

fn rounded(from: ElementType, to: ElementType, rounding: Rounding) -> Case {
    let how = Conversion::new(from, to).rounded(rounding).unwrap();
    scalar(how, &format!(".{}", mode(rounding)))
}

/// Between a single, in the lower place, and packed numbers; or between two packed ones.
fn packed(from: ElementType, to: ElementType, rounding: Rounding, bits: [u32; 2], body: &str) -> Case {
    Case { how: Conversion::new(from, to).rounded(rounding).unwrap(), bits, body: body.into() }
}

const INTEGERS: [ElementType; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];
const BASIC: [ElementType; 4] = [F16, Bf16, F32, F64];

/// Those that sm_90 has.
fn hopper() -> Vec<Case> {
    use Rounding::*;
    let mut cases = vec![];
    for a in INTEGERS {
        cases.extend(INTEGERS.map(|b| scalar(Conversion::new(a, b), "")));
        cases.extend(BASIC.map(|b| scalar(Conversion::new(a, b), ".rn")));
        cases.extend(BASIC.map(|b| scalar(Conversion::new(b, a), ".rzi")));
    }
    for (a, b) in [(F16, F32), (F16, F64), (Bf16, F32), (Bf16, F64), (F32, F64)] {
        cases.push(scalar(Conversion::new(a, b), ""));
    }
    for (a, b) in [(F64, F32), (F64, F16), (F64, Bf16), (F32, F16), (F32, Bf16), (F16, Bf16), (Bf16, F16)] {
        cases.extend([TiesToEven, TowardZero].map(|r| rounded(a, b, r)));
    }
    cases.extend([TowardNegative, TowardPositive].map(|r| rounded(F64, F32, r)));
    // a tf32 is the upper bits of its register
    for r in [TiesToEven, TowardZero, TiesAway] {
        let body = format!("cvt.{}.tf32.f32 %d, %s; shr.u32 %d, %d, 13;", mode(r));
        cases.push(packed(F32, Tf32, r, [32, 32], &body));
    }
    for small in [F8E4M3, F8E5M2] {
        let to = name(small);
        cases.push(packed(F32, small, TiesToEven, [32, 16], &format!("cvt.rn.satfinite.{to}.f32 %d, 0f00000000, %s;")));
        let wide = format!("{{.reg .b32 %w; mov.b32 %w, {{%s, 0}}; cvt.rn.satfinite.{to}.f16x2 %d, %w;}}");
        cases.push(packed(F16, small, TiesToEven, [16, 16], &wide));
        let back = format!("{{.reg .b32 %w; .reg .b16 %u; cvt.rn.f16x2.{to} %w, %s; mov.b32 {{%d, %u}}, %w;}}");
        cases.push(packed(small, F16, TiesToEven, [16, 16], &back));
    }
    cases
}

/// Those that sm_100a has and sm_90 has not.
fn blackwell() -> Vec<Case> {
    use Rounding::*;
    let mut cases = vec![];
    for r in [TowardZero, TowardPositive] {
        let m = mode(r);
        let body = format!("cvt.{m}.satfinite.ue8m0x2.f32 %d, 0f00000000, %s;");
        cases.push(packed(F32, F8E8M0, r, [32, 16], &body));
        let body = format!("{{.reg .b32 %w; mov.b32 %w, {{%s, 0}}; cvt.{m}.satfinite.ue8m0x2.bf16x2 %d, %w;}}");
        cases.push(packed(Bf16, F8E8M0, r, [16, 16], &body));
    }
    let body = "{.reg .b32 %w; .reg .b16 %u; cvt.rn.bf16x2.ue8m0x2 %w, %s; mov.b32 {%d, %u}, %w;}";
    cases.push(packed(F8E8M0, Bf16, TiesToEven, [16, 16], body));
    let body = "{.reg .b8 %b; cvt.rn.satfinite.e2m1x2.f32 %b, 0f00000000, %s; cvt.u16.u8 %d, %b;}";
    cases.push(packed(F32, F4E2M1, TiesToEven, [32, 16], body));
    let body = "{.reg .b8 %b, %c; .reg .b32 %w; .reg .b16 %u; mov.b16 {%b, %c}, %s; cvt.rn.f16x2.e2m1x2 %w, %b; mov.b32 {%d, %u}, %w;}";
    cases.push(packed(F4E2M1, F16, TiesToEven, [16, 16], body));
    cases
}

/// A kernel whose thread i makes word i of `out` of word i of `in`.
fn module(case: &Case, target: &str) -> Module {
    let [from, to] = case.bits;
    let text = format!(
        ".version 8.6
.target {target}
.address_size 64
.visible .entry convert(.param .u64 in, .param .u64 out, .param .u32 n) {{
    .reg .b{from} %s; .reg .b{to} %d; .reg .b32 %r<4>; .reg .b64 %a<4>; .reg .pred %p;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r1, %r1, 256, %r2;
    ld.param.u32 %r3, [n]; setp.ge.u32 %p, %r1, %r3; @%p ret;
    ld.param.u64 %a1, [in]; ld.param.u64 %a2, [out];
    mul.wide.u32 %a3, %r1, 8; add.u64 %a1, %a1, %a3; add.u64 %a2, %a2, %a3;
    ld.global.b{from} %s, [%a1];
    {}
    st.global.b{to} [%a2], %d;
    ret;
}}
",
        case.body
    );
    text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn launch(n: usize) -> Launch {
    Launch {
        entry: "convert".into(),
        params: vec![
            Param::pointer("in", DataType::U64, Usage::Read),
            Param::pointer("out", DataType::U64, Usage::ReadWrite),
            Param::number("n", DataType::U32),
        ],
        block: [256, 1, 1],
        grid: [(n.div_ceil(256) as u64).into(), 1.into(), 1.into()],
        ..Launch::default()
    }
}

fn inputs(how: Conversion) -> Vec<u64> {
    match how.from().bits() <= 16 {
        true => all(how.from()),
        false => some(how.from(), how.to(), 1 << 10),
    }
}

/// Compares what a kernel left with what is computed here; the number of inputs.
fn compare(case: &Case, codes: &[u64], results: &[u64]) -> usize {
    let mask = u64::MAX >> (64 - case.how.to().bits());
    for ((code, got), want) in codes.iter().zip(results).zip(converted(case.how, codes)) {
        // of some NaNs it makes infinity
        let excepted = case.body.contains(".rna.") && f32::from_bits(*code as u32).is_nan();
        assert!(excepted || got & mask == want, "{}: {code:#x} gives {:#x}, here {want:#x}", case.body, got & mask);
    }
    codes.len()
}

#[test]
fn what_sm_90_converts_is_what_is_computed_here() {
    let cases = hopper();
    let machine = Machine::new(90);
    let mut checked = 0;
    for case in &cases {
        let codes = inputs(case.how);
        let input = machine.buffer(&codes);
        let mut output = machine.buffer(&vec![0u64; codes.len()]);
        let kernel = machine.kernel(&module(case, "sm_90a"), &launch(codes.len()));
        kernel.launch(vec![input.all(), output.all_mut(), number(codes.len() as u32)]).unwrap();
        checked += compare(case, &codes, &output.download());
    }
    println!("{} instructions, {checked} inputs", cases.len());
}

#[test]
fn what_sm_100a_converts_is_what_is_computed_here() {
    for case in blackwell() {
        let module = module(&case, "sm_100a");
        ptxas::assemble(&module, Target::SM_100A);
        let codes = inputs(case.how);
        let (input, mut output) = (Buffer::from_slice(&codes), Buffer::from_slice(&vec![0u64; codes.len()]));
        let args = [input.arg(), output.arg_mut(), (codes.len() as u32).into()];
        Simulation::new(&module).unwrap().launch(&launch(codes.len()), &args).unwrap();
        compare(&case, &codes, &output.to_vec().unwrap());
    }
}
