//! Approximate functions against the ISA's tables, and against what defines them.

use super::{Error, error};
use crate::gpu::ptx::Opcode;
use crate::gpu::sim::convert::tests::{Random, bits, instruction};
use crate::gpu::sim::narrow::tests::{BF16, F16};
use crate::gpu::sim::pure::Pure;
use core::f64::consts::PI;
use half::{bf16, f16};

fn pure(spelling: &str) -> Pure {
    super::pure(&instruction(Opcode::parse(spelling).unwrap())).unwrap()
}

fn single(spelling: &str) -> impl Fn(f32) -> f32 + use<> {
    let pure = pure(spelling);
    move |x| f32::from_bits(pure.thread(&[x.to_bits().into()])[0] as u32)
}

#[test]
fn every_approximate_function_is_defined_for_all_bits() {
    let (mut spellings, mut random) = (0, Random(11));
    let bits = bits(&mut random);
    for op in Opcode::all().filter(|op| op.qualifiers().any(|q| q == "approx" || q == "full")) {
        let i = instruction(op);
        let pure = super::pure(&i).unwrap_or_else(|| panic!("{op}"));
        for (n, x) in bits.iter().enumerate() {
            let sources = [*x, bits[(n + 5) % bits.len()]];
            let result = pure.thread(&sources[..i.operands().len() - 1])[0];
            let width = op.places().next().map(|places| match &places[0] {
                crate::gpu::ptx::Place::Scalar(data) => data.ty.bits(),
                other => panic!("{other}"),
            });
            assert!(width == Some(64) || result >> width.unwrap() == 0, "{op}");
        }
        spellings += 1;
    }
    assert_eq!(spellings, 30);
}

#[test]
fn corner_cases_are_those_of_the_tables() {
    const INF: f32 = f32::INFINITY;
    const NAN: f32 = f32::NAN;
    // what `sin` and `cos` make of 1: it is so many turns
    let one = 2.0 * PI * f64::from(0.5 * core::f32::consts::FRAC_1_PI);
    // of -inf, -1, -0, +0, +inf, NaN
    let tables = [
        ("ex2", [0.0, 0.5, 1.0, 1.0, INF, NAN]),
        ("lg2", [NAN, NAN, -INF, -INF, INF, NAN]),
        ("rcp", [-0.0, -1.0, -INF, INF, 0.0, NAN]),
        ("rsqrt", [NAN, NAN, -INF, INF, 0.0, NAN]),
        ("sqrt", [NAN, NAN, -0.0, 0.0, INF, NAN]),
        ("sin", [NAN, (-one).sin() as f32, -0.0, 0.0, NAN, NAN]),
        ("cos", [NAN, one.cos() as f32, 1.0, 1.0, NAN, NAN]),
    ];
    for (name, table) in tables {
        for (x, expected) in [-INF, -1.0, -0.0, 0.0, INF, NAN].into_iter().zip(table) {
            let expected = if expected.is_nan() { 0x7fff_ffff } else { expected.to_bits() };
            for ftz in ["", ".ftz"] {
                assert_eq!(single(&format!("{name}.approx{ftz}.f32"))(x).to_bits(), expected, "{name}{ftz} {x}");
            }
        }
    }
    let tanh = single("tanh.approx.f32");
    assert_eq!(
        [-INF, -0.0, 0.0, INF, 1e-40].map(|x| tanh(x).to_bits()),
        [-1.0, -0.0, 0.0, 1.0, 1e-40f32].map(f32::to_bits)
    );
    for (spelling, x, expected) in [
        ("rcp.approx.ftz.f32", 1e-40, INF),
        ("rcp.approx.ftz.f32", -1e-40, -INF),
        ("rcp.approx.ftz.f32", f32::MAX, 0.0),
        ("rsqrt.approx.ftz.f32", -1e-40, -INF),
        ("lg2.approx.ftz.f32", 1e-40, -INF),
        ("sqrt.approx.ftz.f32", -1e-40, -0.0),
        ("sin.approx.ftz.f32", -1e-40, -0.0),
        ("ex2.approx.f32", -149.0, 1e-45),
        ("ex2.approx.ftz.f32", -127.0, 0.0),
    ] {
        assert_eq!(single(spelling)(x).to_bits(), expected.to_bits(), "{spelling} {x:e}");
    }
}

#[test]
fn divisors_above_two_to_the_126_give_zero() {
    let [approx, full] = ["approx", "full"].map(|rnd| {
        let pure = pure(&format!("div.{rnd}.f32"));
        move |a: f32, b: f32| f32::from_bits(pure.thread(&[a.to_bits().into(), b.to_bits().into()])[0] as u32)
    });
    let large = 1.5 * 126f32.exp2();
    assert_eq!(approx(large, -large).to_bits(), (-0f32).to_bits());
    assert_eq!(approx(f32::INFINITY, large).to_bits(), 0x7fff_ffff);
    assert_eq!(approx(large, 126f32.exp2()), 1.5);
    assert_eq!(approx(-1.0, f32::INFINITY).to_bits(), (-0f32).to_bits());
    assert_eq!(full(large, -large), -1.0);
    assert_eq!(full(f32::INFINITY, large), f32::INFINITY);
    let mut random = Random(12);
    for _ in 0..100_000 {
        let [a, b] = [(); 2].map(|()| f32::from_bits(random.next() as u32));
        if !(a / b).is_nan() {
            assert_eq!(full(a, b).to_bits(), (a / b).to_bits(), "{a:e} {b:e}");
        }
    }
}

#[test]
fn roots_and_reciprocals_are_the_nearest() {
    let [rcp, sqrt, rsqrt] = ["rcp", "sqrt", "rsqrt"].map(|name| single(&format!("{name}.approx.f32")));
    let mut random = Random(13);
    for _ in 0..100_000 {
        let x = f32::from_bits(0x0080_0000 + (random.next() % 0x7e00_0000) as u32);
        assert_eq!(rcp(x), 1.0 / x, "{x:e}");
        assert_eq!(sqrt(x), x.sqrt(), "{x:e}");
        // the middles to its neighbours are on either side
        let y = rsqrt(x);
        let middle = |z: f32| (f64::from(y) + f64::from(z)) / 2.0;
        let product = |z: f64| z * z * f64::from(x);
        let slack = 1e-15;
        assert!(product(middle(y.next_down())) < 1.0 + slack && product(middle(y.next_up())) > 1.0 - slack, "{x:e}");
    }
}

#[test]
fn doubles_come_from_upper_halves() {
    let [rcp, rsqrt] = ["rcp", "rsqrt"].map(|name| pure(&format!("{name}.approx.ftz.f64")));
    let mut random = Random(14);
    for _ in 0..100_000 {
        let bits = 0x0010_0000_0000_0000 + random.next() % 0x7fb0_0000_0000_0000;
        let upper = f64::from_bits(bits >> 32 << 32);
        for (pure, exact) in [(&rcp, 1.0 / upper), (&rsqrt, 1.0 / upper.sqrt())] {
            let y = pure.thread(&[bits])[0];
            assert_eq!(y as u32, 0);
            assert!((f64::from_bits(y) / exact - 1.0).abs() <= (-21f64).exp2(), "{upper:e}");
        }
    }
    const CANONICAL: u64 = 0x7fff_ffff_0000_0000;
    for (x, reciprocal, root) in [
        (f64::NEG_INFINITY, (-0f64).to_bits(), CANONICAL),
        (-1e-310, f64::NEG_INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()),
        (-0.0, f64::NEG_INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()),
        (1e-310, f64::INFINITY.to_bits(), f64::INFINITY.to_bits()),
        (f64::INFINITY, 0, 0),
        (f64::NAN, CANONICAL, CANONICAL),
    ] {
        assert_eq!((rcp.thread(&[x.to_bits()])[0], rsqrt.thread(&[x.to_bits()])[0]), (reciprocal, root), "{x:e}");
    }
}

#[test]
fn large_angles_are_whole_turns_as_on_an_h200() {
    let [sin, cos] = ["sin", "cos"].map(|name| single(&format!("{name}.approx.f32")));
    for (x, expected) in [(0x7f7f_ffff, 0), (0xff7f_ffff, 1 << 31), (0xff75_0001, 1 << 31), (0x6e1d_5a01, 0)] {
        assert_eq!(sin(f32::from_bits(x)).to_bits(), expected, "{x:x}");
    }
    for x in [0xfec5_0d23, 0x4ef3_ffff, 0x5fab_ed00] {
        assert_eq!(cos(f32::from_bits(x)), 1.0, "{x:x}");
    }
}

#[test]
fn exponentials_and_logarithms_invert_each_other() {
    let [ex2, lg2, sin, cos] = ["ex2", "lg2", "sin", "cos"].map(|name| single(&format!("{name}.approx.f32")));
    let mut random = Random(15);
    for _ in 0..100_000 {
        let x = (random.next() % 2_000_000) as f32 / 1e4 - 100.0;
        // the error of the power, and that of the logarithm
        assert!((f64::from(lg2(ex2(x))) - f64::from(x)).abs() <= f64::from(x.abs()).max(1.0) * 1.5e-7, "{x}");
        let one = f64::from(sin(x)).powi(2) + f64::from(cos(x)).powi(2);
        assert!((one - 1.0).abs() < 1.2e-7, "{x}");
        assert!((f64::from(sin(x)) * 2.0 * f64::from(cos(x)) - f64::from(sin(2.0 * x))).abs() < 2e-7, "{x}");
    }
    for n in -149..=127 {
        let power = f64::exp2(n.into()) as f32;
        assert_eq!((ex2(n as f32), lg2(power)), (power, n as f32));
    }
}

#[test]
fn halves_are_the_nearest() {
    for (name, f) in [("tanh.approx", f64::tanh as fn(f64) -> f64), ("ex2.approx", f64::exp2)] {
        let half = pure(&format!("{name}.f16x2"));
        let flush = if name == "ex2.approx" { ".ftz" } else { "" };
        let brain = pure(&format!("{name}{flush}.bf16x2"));
        for bits in 0..=u16::MAX {
            let x = f16::from_bits(bits);
            if !x.is_nan() {
                assert_eq!(half.thread(&[u64::from(bits) << 16])[0] >> 16, F16.code(f(x.to_f64()), "rn"), "{name} {x}");
            }
            let x = bf16::from_bits(bits);
            if !x.is_nan() && (flush.is_empty() || x.is_normal()) {
                let code = BF16.code(f(x.to_f64()), "rn");
                let expected = if !flush.is_empty() && code < 0x80 { 0 } else { code };
                assert_eq!(brain.thread(&[u64::from(bits) << 16])[0] >> 16, expected, "{name} {x}");
            }
        }
        assert_eq!(half.thread(&[0x7e01_fe01]), [0x7fff_7fff]);
        assert_eq!(brain.thread(&[0x7fc1_ffc1]), [0x7fff_7fff]);
    }
}

#[test]
fn errors_are_stated_for_all_but_doubles() {
    for op in Opcode::all().filter(|op| super::approximate(op).is_some()) {
        assert_eq!(error(&op, 1.0).is_none(), op.qualifiers().last() == Some("f64"), "{op}");
    }
    let of = |spelling: &str, x: f64| error(&Opcode::parse(spelling).unwrap(), x);
    assert_eq!(of("lg2.approx.f32", 1.0), Some(Error::Absolute(2f64.powi(-22))));
    assert_eq!(of("lg2.approx.f32", 3.0), Some(Error::Relative(2f64.powi(-22))));
    assert_eq!((of("div.approx.f32", 1e38), of("div.full.f32", 1e38)), (None, Some(Error::Ulp(2.0))));
    assert_eq!((of("rcp.rn.f32", 1.0), of("add.f32", 1.0)), (None, None));
}
