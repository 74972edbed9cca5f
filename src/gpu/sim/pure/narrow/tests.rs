//! Narrowing against a search among all values of a format, and against casts.

use crate::gpu::sim::convert::tests::{Random, pure, results};
use half::{bf16, f16};

/// A format as its definition has it: exponent bits, mantissa bits, and codes of one sign that are finite.
pub(crate) struct Small {
    name: &'static str,
    exponent: i32,
    mantissa: i32,
    finite: u64,
    /// what a NaN becomes
    nan: u64,
}

const fn small(name: &'static str, exponent: i32, mantissa: i32, finite: u64, nan: u64) -> Small {
    Small { name, exponent, mantissa, finite, nan }
}

/// PTX ISA 5.2.3: e4m3 lacks infinities and has one NaN, those of 4 and 6 bits lack both.
const SMALL: [Small; 5] = [
    small("e4m3", 4, 3, 0x7f, 0x7f),
    small("e5m2", 5, 2, 0x7c, 0x7f),
    small("e2m1", 2, 1, 8, 7),
    small("e2m3", 2, 3, 32, 31),
    small("e3m2", 3, 2, 32, 31),
];
pub(crate) const F16: Small = small("f16", 5, 10, 0x7c00, 0x7fff);
pub(crate) const BF16: Small = small("bf16", 8, 7, 0x7f80, 0x7fff);

impl Small {
    /// The value of a code without its sign, or what would follow the largest finite one.
    fn value(&self, code: u64) -> f64 {
        let (field, fraction) = (code as i32 >> self.mantissa, code as i32 & ((1 << self.mantissa) - 1));
        let bias = (1 << (self.exponent - 1)) - 1;
        let (lead, exponent) = if field == 0 { (0, 1 - bias) } else { (1, field - bias) };
        f64::from((lead << self.mantissa) + fraction) * f64::from(exponent - self.mantissa).exp2()
    }

    fn sign(&self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    /// The code of a value, by comparison with its neighbours; the code past the finite ones stands for overflow, if there is one.
    pub fn code(&self, x: f64, rnd: &str) -> u64 {
        let size = x.abs();
        // binary search for the largest code that is not above
        let (mut low, mut high) = (0, self.finite);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.value(middle) <= size { low = middle } else { high = middle }
        }
        let (below, above) = (self.value(low), self.value(low + 1));
        let middle = (below + above) / 2.0;
        let up = match rnd {
            _ if size == below => false,
            "rn" => size > middle || size == middle && low % 2 == 1,
            "rna" => size >= middle,
            "rz" => false,
            "rm" => x < 0.0,
            _ => x > 0.0,
        };
        let sign = if x.is_sign_negative() { self.sign() } else { 0 };
        sign | (low + u64::from(up)).min(self.sign() - 1)
    }

    /// Every value, every middle of two, and what lies beside them, as singles.
    fn singles(&self) -> Vec<f32> {
        let ends = (0..self.finite).flat_map(|c| [self.value(c), (self.value(c) + self.value(c + 1)) / 2.0]);
        let near = ends.map(|x| x as f32).flat_map(|x| [x, x.next_up(), x.next_down()]);
        near.chain([f32::MAX, f32::INFINITY, 1e-45]).flat_map(|x| [x, -x]).collect()
    }

    /// Overflow to the largest number.
    fn saturated(&self, code: u64) -> u64 {
        code & self.sign() | (code & (self.sign() - 1)).min(self.finite - 1)
    }
}

/// The distance of packed numbers: only e2m1 are not in bytes.
fn stride(f: &Small) -> u32 {
    if f.name == "e2m1" { 4 } else { 8 }
}

#[test]
fn singles_to_small_floats_go_to_the_nearest_and_saturate() {
    for f in &SMALL {
        let plain = pure(&format!("cvt.rn.satfinite.{}x2.f32", f.name));
        let relu = pure(&format!("cvt.rn.satfinite.relu.{}x2.f32", f.name));
        for x in f.singles() {
            let code = f.saturated(f.code(x.into(), "rn"));
            // the first goes to the top
            let one = f.code(1.0, "rn");
            let bits = x.to_bits().into();
            let one_bits = 1f32.to_bits().into();
            assert_eq!(plain.thread(&[bits, one_bits]), [code << stride(f) | one], "{} {x:e}", f.name);
            assert_eq!(plain.thread(&[one_bits, bits]), [one << stride(f) | code], "{} {x:e}", f.name);
            let positive = if x.is_sign_negative() { 0 } else { code };
            assert_eq!(relu.thread(&[bits, bits]), [positive << stride(f) | positive], "{} {x:e}", f.name);
        }
        let nan = f32::NAN.to_bits().into();
        assert_eq!(plain.thread(&[nan, nan | 1 << 31]), [f.nan << stride(f) | f.nan], "{}", f.name);
    }
}

#[test]
fn halves_to_small_floats_and_back() {
    for f in &SMALL {
        let widen = pure(&format!("cvt.rn.f16x2.{}x2", f.name));
        for code in 0..2 * f.sign() {
            let size = code & (f.sign() - 1);
            let sign = if code == size { 0 } else { 0x8000 };
            let half = match size {
                size if size < f.finite => sign | u64::from(f16::from_f32(f.value(size) as f32).to_bits()),
                size if f.name == "e5m2" && size == f.finite => sign | 0x7c00,
                _ => 0x7fff,
            };
            assert_eq!(widen.thread(&[code]), [half], "{} {code:x}", f.name);
            assert_eq!(widen.thread(&[code << stride(f)]), [half << 16], "{} {code:x}", f.name);
        }
        let Ok(narrow) = crate::gpu::ptx::Opcode::parse(&format!("cvt.rn.satfinite.{}x2.f16x2", f.name)) else {
            continue;
        };
        let narrow = pure(&narrow.to_string());
        for bits in 0..=u16::MAX {
            let x = f16::from_bits(bits);
            let code = if x.is_nan() { f.nan } else { f.saturated(f.code(x.to_f64(), "rn")) };
            assert_eq!(
                narrow.thread(&[u64::from(bits) << 16 | 0x3c00]),
                [code << stride(f) | f.code(1.0, "rn")],
                "{x:?}"
            );
        }
    }
}

#[test]
fn singles_to_halves_in_every_rounding() {
    for f in [F16, BF16] {
        for rnd in ["rn", "rz", "rm", "rp"] {
            let plain = pure(&format!("cvt.{rnd}.{}.f32", f.name));
            let singles = f.singles();
            for (x, result) in singles.iter().zip(results(&plain, singles.iter().map(|x| x.to_bits().into()))) {
                // past the finite codes is infinity: for .rn from the middle on, for the others if they round away
                let code = match f.code((*x).into(), rnd) {
                    _ if x.is_infinite() => f.finite | if *x < 0.0 { f.sign() } else { 0 },
                    code => code,
                };
                assert_eq!(result, code, "cvt.{rnd}.{}.f32 of {x:e}", f.name);
            }
        }
        let (finite, relu) =
            (pure(&format!("cvt.rz.satfinite.{}.f32", f.name)), pure(&format!("cvt.rz.relu.{}.f32", f.name)));
        let two = pure(&format!("cvt.rz.{}x2.f32", f.name));
        for x in f.singles() {
            let code = f.code(x.into(), "rz");
            let bits = u64::from(x.to_bits());
            assert_eq!(finite.thread(&[bits]), [f.saturated(code)], "{x:e}");
            if x.is_finite() {
                assert_eq!(relu.thread(&[bits]), [if code < f.sign() { code } else { 0 }], "{x:e}");
                assert_eq!(two.thread(&[bits, 0]), [code << 16], "{x:e}");
            }
        }
    }
    let (half, brain) = (pure("cvt.rn.f16.f32"), pure("cvt.rn.bf16.f32"));
    let mut random = Random(5);
    for _ in 0..200_000 {
        let x = f32::from_bits(random.next() as u32);
        if !x.is_nan() {
            assert_eq!(half.thread(&[u64::from(x.to_bits())]), [u64::from(f16::from_f32(x).to_bits())]);
            assert_eq!(brain.thread(&[u64::from(x.to_bits())]), [u64::from(bf16::from_f32(x).to_bits())]);
        }
    }
}

#[test]
fn halves_widen_exactly() {
    let spellings = ["f32.f16", "f64.f16", "f32.bf16", "f64.bf16"];
    let [single, double, brain_single, brain_double] = spellings.map(|s| pure(&format!("cvt.{s}")));
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        if !half.is_nan() {
            assert_eq!(single.thread(&[bits.into()]), [u64::from(half.to_f32().to_bits())]);
            assert_eq!(double.thread(&[bits.into()]), [half.to_f64().to_bits()]);
        }
        if !brain.is_nan() {
            assert_eq!(brain_single.thread(&[bits.into()]), [u64::from(bits) << 16]);
            assert_eq!(brain_double.thread(&[bits.into()]), [brain.to_f64().to_bits()]);
        }
    }
}

/// The two singles beside a double.
fn beside(x: f64) -> (f32, f32) {
    let near = x as f32;
    let above = if f64::from(near) < x { near.next_up() } else { near };
    let below = if f64::from(near) > x { near.next_down() } else { near };
    (below, above)
}

#[test]
fn doubles_to_singles_go_to_the_side_that_is_named() {
    let [rn, rz, rm, rp] = ["rn", "rz", "rm", "rp"].map(|rnd| pure(&format!("cvt.{rnd}.f32.f64")));
    let mut random = Random(6);
    for _ in 0..200_000 {
        let a = f32::from_bits(random.next() as u32);
        if !a.is_finite() {
            continue;
        }
        let middle = (f64::from(a) + f64::from(a.next_up())) / 2.0;
        for x in [a.into(), middle, middle.next_up(), middle.next_down(), f64::from(a).next_up(), f64::from(a) * 1e3] {
            let (below, above) = beside(x);
            let expect = |pure: &super::super::Pure, y: f32| {
                // a result of zero has the sign of the source
                let y = if y == 0.0 { 0f32.copysign(x as f32) } else { y };
                assert_eq!(pure.thread(&[x.to_bits()]), [u64::from(y.to_bits())], "{x:e}");
            };
            expect(&rn, x as f32);
            expect(&rm, below);
            expect(&rp, above);
            expect(&rz, if x > 0.0 { below } else { above });
        }
    }
}

#[test]
fn integers_to_floats_go_to_the_side_that_is_named() {
    let [rn, rm, rp] = ["rn", "rm", "rp"].map(|rnd| pure(&format!("cvt.{rnd}.f32.s64")));
    let [double, down] = ["rn", "rm"].map(|rnd| pure(&format!("cvt.{rnd}.f64.u64")));
    let halves = ["rn", "rz", "rm", "rp"].map(|rnd| (rnd, pure(&format!("cvt.{rnd}.f16.s32"))));
    let mut random = Random(7);
    for _ in 0..100_000 {
        let by = random.next() % 64;
        let keep = u64::MAX << (random.next() % 60);
        let x = (random.next() & keep) as i64 >> by;
        let near = x as f32;
        assert_eq!(rn.thread(&[x as u64]), [u64::from(near.to_bits())]);
        let below = if near as i128 > i128::from(x) { near.next_down() } else { near };
        let above = if (near as i128) < x.into() { near.next_up() } else { near };
        assert_eq!(rm.thread(&[x as u64]), [u64::from(below.to_bits())], "{x}");
        assert_eq!(rp.thread(&[x as u64]), [u64::from(above.to_bits())], "{x}");
        let near = x as u64 as f64;
        assert_eq!(double.thread(&[x as u64]), [near.to_bits()]);
        let below = if near as i128 > i128::from(x as u64) { near.next_down() } else { near };
        assert_eq!(down.thread(&[x as u64]), [below.to_bits()]);
        let small = x as i32 >> 12;
        for (rnd, pure) in &halves {
            // the first code that is not finite stands for infinity, which those that round towards zero do not reach
            let code = F16.code(small.into(), rnd);
            let away = matches!((*rnd, small < 0), ("rn", _) | ("rm", true) | ("rp", false));
            let code = match small.unsigned_abs() {
                ..=65504 => code,
                ..65520 if *rnd == "rn" => F16.saturated(code),
                _ => (if away { F16.finite } else { F16.finite - 1 }) | code & F16.sign(),
            };
            assert_eq!(pure.thread(&[small as u32 as u64]), [code], "{rnd} {small}");
        }
    }
}

#[test]
fn tf32_keeps_ten_bits() {
    let [rna, rn, rz] = ["rna", "rn", "rz"].map(|rnd| pure(&format!("cvt.{rnd}.tf32.f32")));
    let mut random = Random(8);
    for _ in 0..100_000 {
        let low = [0, 0xfff, 0x1000, 0x1001, random.next() as u32][(random.next() % 5) as usize] & 0x1fff;
        let x = random.next() as u32 & !0x1fff | low;
        if f32::from_bits(x).is_finite() {
            let odd = x >> 13 & 1;
            assert_eq!(rna.thread(&[x.into()]), [u64::from((x + 0x1000) & !0x1fff)]);
            assert_eq!(rn.thread(&[x.into()]), [u64::from((x + 0xfff + odd) & !0x1fff)]);
            assert_eq!(rz.thread(&[x.into()]), [u64::from(x & !0x1fff)]);
        }
    }
}

#[test]
fn random_bits_are_added_to_those_cut_off() {
    let truncated = |f: &Small, x: u32| f.saturated(f.code(f32::from_bits(x).into(), "rz"));
    let mut random = Random(9);
    let [half, brain] = ["f16x2", "bf16x2"].map(|to| pure(&format!("cvt.rs.satfinite.{to}.f32")));
    let four = SMALL.iter().map(|f| (f, pure(&format!("cvt.rs.satfinite.{}x4.f32", f.name))));
    let four: Vec<_> = four.collect();
    for _ in 0..20_000 {
        let r = random.next() as u32;
        // normal numbers of every format
        let x: [u32; 4] = core::array::from_fn(|_| 0x3f80_0000 | random.next() as u32 & 0x807f_ffff);
        let bits = x.map(u64::from);
        let of = |x: u32, r: u32| truncated(&F16, x + (r & 0x1fff));
        assert_eq!(half.thread(&[bits[0], bits[1], r.into()]), [of(x[0], r >> 16) << 16 | of(x[1], r)]);
        let of = |x: u32, r: u32| u64::from((x + (r & 0xffff)) >> 16);
        assert_eq!(brain.thread(&[bits[0], bits[1], r.into()]), [of(x[0], r >> 16) << 16 | of(x[1], r)]);
        for (f, pure) in &four {
            let [upper, lower] = match f.name {
                "e2m1" => [r >> 24 << 8 | r >> 8 & 0xff, (r >> 16 & 0xff) << 8 | r & 0xff],
                _ => [r >> 16, r & 0xffff],
            };
            let cut = 23 - f.mantissa as u32;
            let of = |n: usize| truncated(f, x[n] + ([upper, upper, lower, lower][n] << (cut - 16)));
            let expected = (0..4).fold(0, |all, n| all << stride(f) | of(n));
            assert_eq!(
                pure.thread(&[bits[0], bits[1], bits[2], bits[3], r.into()]),
                [expected],
                "{} {x:x?} {r:x}",
                f.name
            );
        }
    }
}

#[test]
fn powers_of_two_are_codes_of_ue8m0() {
    let [down, up] = ["rz", "rp"].map(|rnd| pure(&format!("cvt.{rnd}.satfinite.ue8m0x2.f32")));
    let open = pure("cvt.rp.ue8m0x2.f32");
    let back = pure("cvt.rn.bf16x2.ue8m0x2");
    let brains = pure("cvt.rz.ue8m0x2.bf16x2");
    let single = |x: f64| u64::from((x as f32).to_bits());
    for code in 0..255u64 {
        let x = f64::exp2(code as f64 - 127.0);
        let brain = u64::from(bf16::from_f64(x).to_bits());
        assert_eq!(back.thread(&[code << 8]), [brain << 16 | 0x40]);
        assert_eq!(brains.thread(&[brain << 16 | 0x3f80]), [code << 8 | 127]);
        for x in [x, -x] {
            assert_eq!(down.thread(&[single(x), single(1.5 * x)]), [code << 8 | code]);
            let next = (code + 1).min(254);
            assert_eq!(up.thread(&[single(x), single(1.5 * x)]), [code << 8 | next]);
            assert_eq!(open.thread(&[single(x), single(1.5 * x)]), [code << 8 | (code + 1)]);
        }
    }
    assert_eq!(back.thread(&[0xff7f]), [0x7fff_3f80]);
    assert_eq!(down.thread(&[single(0.0), single(f64::NAN)]), [0xff]);
    assert_eq!(up.thread(&[single(1e-45), single(f64::INFINITY)]), [0xfe]);
}

#[test]
fn modifiers_limit_what_is_returned() {
    let single = |x: f32| u64::from(x.to_bits());
    for (spelling, x, expected) in [
        ("cvt.sat.f32.f32", single(1.5), single(1.0)),
        ("cvt.sat.f32.f32", single(-0.0), 0),
        ("cvt.sat.f32.f32", single(f32::NAN), 0),
        ("cvt.rn.sat.f16.f32", single(f32::INFINITY), 0x3c00),
        ("cvt.rn.sat.f32.s32", 7, single(1.0)),
        ("cvt.rn.sat.f64.s32", 0xffff_ffff, 0),
        ("cvt.ftz.f64.f32", 0x8000_0001, 1 << 63),
        ("cvt.rn.ftz.f32.f64", (-1e-40f64).to_bits(), 1 << 31),
        ("cvt.rpi.ftz.s32.f32", 1, 0),
        ("cvt.rpi.s32.f32", 1, 1),
        ("cvt.rn.relu.f16.f32", single(-3.0), 0),
        ("cvt.rn.relu.bf16.f32", single(f32::NAN), 0x7fff),
        ("cvt.rn.satfinite.f16.f32", single(f32::NEG_INFINITY), 0xfbff),
        ("cvt.rn.satfinite.bf16.f32", single(f32::MAX), 0x7f7f),
        ("cvt.rn.f16.f32", single(f32::NAN) | 1 << 31, 0x7fff),
    ] {
        assert_eq!(pure(spelling).thread(&[x]), [expected], "{spelling} {x:x}");
    }
}

/// What an H200 returned.
#[test]
fn payloads_of_nans_stay_where_doubles_take_part() {
    for (spelling, x, expected) in [
        ("cvt.rn.f32.f64", 0x7ff3_271b_af25_237f, 0x7fd9_38dd),
        ("cvt.rn.f32.f64", 0xfff9_4600_0000_0001, 0xffca_3000),
        ("cvt.rz.f16.f64", 0x7ff3_271b_af25_237f, 0x7ec9),
        ("cvt.rp.bf16.f64", 0x7ff3_271b_af25_237f, 0x7fd9),
        ("cvt.f64.f32", 0xffe3_8001, 0xfffc_7000_2000_0000),
        ("cvt.f64.f32", 0x7f85_0000, 0x7ff8_a000_0000_0000),
        ("cvt.ftz.f64.f32", 0xffe3_8001, 0x7fff_ffff_e000_0000),
        ("cvt.f64.f16", 0x7c01, 0x7ff8_0400_0000_0000),
        ("cvt.f64.bf16", 0xff86, 0xfff8_c000_0000_0000),
        ("cvt.rni.f64.f64", 0x7ff3_271b_af25_237f, 0x7ffb_271b_af25_237f),
        ("cvt.f64.f64", 0x7ff3_271b_af25_237f, 0x7ff3_271b_af25_237f),
        ("cvt.f32.f32", 0xffb7_4296, 0xffb7_4296),
        ("cvt.ftz.f32.f32", 0xffb7_4296, 0x7fff_ffff),
        ("cvt.rni.f32.f32", 0xffb7_4296, 0x7fff_ffff),
        ("cvt.f32.bf16", 0x7f81, 0x7f81_0000),
        ("cvt.ftz.f32.bf16", 0x7f81, 0x7fff_ffff),
        ("cvt.f32.f16", 0x7c01, 0x7fff_ffff),
        ("cvt.rna.tf32.f32", 0x7ffb_ffff, 0x7ffb_e000),
        ("cvt.rna.satfinite.tf32.f32", 0x7f80_0001, 0x7f7f_e000),
        ("cvt.rna.satfinite.tf32.f32", 0xffe6_2a7a, 0xffe6_0000),
        ("cvt.rn.tf32.f32", 0xffe6_2a7a, 0x7fff_e000),
        ("cvt.f16.f16", 0xfc01, 0x7fff),
        ("cvt.rm.ftz.f16.f32", 0x8066_bfff, 0x8001),
        ("cvt.rm.ftz.bf16.f32", 0x8066_bfff, 0x8000),
    ] {
        assert_eq!(pure(spelling).thread(&[x]), [expected], "{spelling} {x:x}");
    }
}
