//! What IEEE 754 and the PTX ISA leave open or say in passing, as an H200 has it.

use super::pure;

#[track_caller]
fn gives(op: &str, operands: &[u64], result: u64) {
    let found = pure(op).thread(operands)[0];
    assert_eq!(found, result, "{op} of {operands:x?}: {found:x}, not {result:x}");
}

const NAN: u64 = 0x7ff8_0000_0000_0000;
const SIGN: u64 = 1 << 63;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;

#[test]
fn doubles_keep_a_nan_of_b_the_addend_or_a() {
    let signalling = INFINITY | 5;
    let (a, b, c) = (SIGN | NAN | 1, signalling, NAN | 3);
    gives("fma.rn.f64", &[a, b, c], NAN | 5);
    gives("fma.rz.f64", &[a, ONE, c], c);
    gives("fma.rn.f64", &[a, ONE, ONE], a);
    gives("add.f64", &[a, b], NAN | 5);
    gives("sub.f64", &[ONE, a], a);
    gives("mul.rm.f64", &[a, c], c);
    gives("div.rn.f64", &[a, c], a);
    gives("min.f64", &[a, b], NAN | 5);
    gives("max.f64", &[a, ONE], ONE);
    gives("neg.f64", &[signalling], NAN | 5);
    gives("abs.f64", &[a], a);
    gives("sqrt.rp.f64", &[a], a);
    gives("rcp.rn.ftz.f64", &[b], NAN | 5);
}

#[test]
fn what_is_invalid_is_one_nan() {
    gives("sub.f64", &[INFINITY, INFINITY], SIGN | NAN);
    gives("fma.rn.f64", &[0, INFINITY, ONE], SIGN | NAN);
    gives("sqrt.rn.f64", &[SIGN | ONE], SIGN | NAN);
    gives("div.rz.f64", &[0, 0], SIGN | NAN);
    gives("add.f32", &[0xff81_2345, 0], 0x7fff_ffff);
    gives("mul.rz.f32", &[0x7f80_0000, 0], 0x7fff_ffff);
    gives("neg.f32", &[0x7f80_0001], 0x7fff_ffff);
    gives("abs.ftz.f32", &[0xffc0_0000], 0x7fff_ffff);
    gives("neg.bf16x2", &[0xffff_3f80], 0x7fff_bf80);
    gives("add.f16x2", &[0x7c00_fe01, 0xfc00_0000], 0x7fff_7fff);
    gives("copysign.f32", &[0x8000_0000, 0x7f80_0001], 0xff80_0001);
}

#[test]
fn ftz_flushes_what_is_subnormal_once_rounded_without_a_least_exponent() {
    // (1 - 2^-24) 2^-126 has 24 bits
    gives("mul.ftz.f32", &[0x3f7f_ffff, 0x80_0000], 0);
    gives("mul.f32", &[0x3f7f_ffff, 0x80_0000], 0x80_0000);
    // (1 - 2^-26) 2^-126 rounds to 2^-126
    gives("mul.ftz.f32", &[0x217f_f800, 0x1e80_0400], 0x80_0000);
    gives("mul.rz.ftz.f32", &[0x217f_f800, 0x1e80_0400], 0);
    gives("mul.ftz.f16", &[0x3bff, 0x8400], 0x8000);
    gives("fma.rn.ftz.f32", &[0x3f80_0000, 0x8000_0001, 0x8000_0001], 0x8000_0000);
    gives("min.ftz.f32", &[0x8000_0001, 0x3f80_0000], 0x8000_0000);
    gives("rcp.rn.ftz.f64", &[0x7fe0_0000_0000_0000], 0x8_0000_0000_0000);
}

#[test]
fn saturation_and_relu_make_zeros_positive() {
    gives("add.sat.f32", &[0x8000_0000, 0x8000_0000], 0);
    gives("add.sat.f32", &[0x7fc0_0000, 0], 0);
    gives("fma.rz.sat.f32", &[0x3f80_0000, 0x4000_0000, 0], 0x3f80_0000);
    gives("mul.sat.f16x2", &[0x3800_c000, 0x3c00_3c00], 0x3800_0000);
    gives("fma.rn.relu.f16", &[0xbc00, 0x3c00, 0], 0);
    gives("fma.rn.relu.bf16", &[0x8000, 0x3f80, 0x8000], 0);
    gives("fma.rn.relu.f16", &[0x7e00, 0x3c00, 0], 0x7fff);
}

#[test]
fn factors_out_of_bounds_give_zero() {
    for nan in [0x7ff7, 0xfff7] {
        gives("fma.rn.oob.f16", &[nan, 0x3c00, 0x3c00], 0);
        gives("fma.rn.oob.bf16", &[0x3f80, nan, 0x3f80], 0);
        gives("fma.rn.oob.bf16", &[0x3f80, 0x3f80, nan], 0x7fff);
        gives("fma.rn.oob.relu.f16x2", &[nan << 16 | 0x3c00, 0x3c00_3c00, 0x3c00_3c00], 0x4000);
        gives("fma.rn.f16", &[nan, 0x3c00, 0x3c00], 0x7fff);
    }
    gives("fma.rn.oob.f16", &[0x7fff, 0x3c00, 0x3c00], 0x7fff);
}

#[test]
fn extrema_order_zeros_and_leave_nans_out() {
    gives("min.f32", &[0, 0x8000_0000], 0x8000_0000);
    gives("max.f32", &[0x8000_0000, 0], 0);
    gives("min.f32", &[0x7f80_0001, 0xff80_0000], 0xff80_0000);
    gives("max.NaN.f32", &[0x7f80_0001, 0xff80_0000], 0x7fff_ffff);
    gives("max.f16", &[0xfe00, 0xfe00], 0x7fff);
    gives("max.xorsign.abs.f32", &[0xbf80_0000, 0x4000_0000], 0xc000_0000);
    gives("min.xorsign.abs.f16", &[0, 0x8001], 0x8000);
    gives("max.NaN.xorsign.abs.bf16x2", &[0xbf80_ffff, 0x4000_3f80], 0xc000_7fff);
    gives("min.f64", &[SIGN | ONE, ONE], SIGN | ONE);
}

#[test]
fn zeros_are_normal() {
    for (test, holds) in [
        ("finite", [1, 1, 1, 0, 0]),
        ("infinite", [0, 0, 0, 1, 0]),
        ("number", [1, 1, 1, 1, 0]),
        ("notanumber", [0, 0, 0, 0, 1]),
        ("normal", [1, 0, 1, 0, 0]),
        ("subnormal", [0, 1, 0, 0, 0]),
    ] {
        for (x, holds) in [0x8000_0000, 0x7f_ffff, 0x80_0000, 0xff80_0000, 0x7f80_0001].into_iter().zip(holds) {
            gives(&format!("testp.{test}.f32"), &[x], holds);
        }
    }
}
