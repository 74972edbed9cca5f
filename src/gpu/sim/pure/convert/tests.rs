//! Conversions against definitions of their own: neighbours in a list of all values, casts, integer arithmetic.

use crate::gpu::ptx::{Data, Instruction, Opcode, Operand, Place, Reg, Type};
use crate::gpu::sim::pure::Pure;
use half::{bf16, f16};

/// SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Of any size.
    fn integer(&mut self) -> u64 {
        let by = self.next() % 64;
        (self.next() as i64 >> by) as u64
    }
}

/// An instruction with registers for its operands, integers in ones of 64 bits where that is allowed.
pub(crate) fn instruction(op: Opcode) -> Instruction {
    let register = |data: &Data, id| {
        let ty = if data.ty.is_integer() && data.wider { Type::B64 } else { data.ty.register() };
        Operand::from(Reg { id, ty })
    };
    let operand = |place: &Place| match place {
        Place::Scalar(data) => register(data, 0),
        Place::Vector(data, n) => Operand::Vector((0..*n).map(|id| register(data, id)).collect()),
        other => panic!("{op}: {other}"),
    };
    let places = op.places().next().unwrap();
    Instruction::new(op, places.iter().map(operand).collect()).unwrap()
}

pub(crate) fn pure(spelling: &str) -> Pure {
    super::pure(&instruction(Opcode::parse(spelling).unwrap())).unwrap()
}

/// The results for many sources, a warp at a time.
pub(crate) fn results(pure: &Pure, sources: impl Iterator<Item = u64>) -> Vec<u64> {
    let sources: Vec<u64> = sources.collect();
    let warp = |from: &[u64]| {
        let (mut lanes, mut results) = ([0; 32], [[0; 32]]);
        lanes[..from.len()].copy_from_slice(from);
        pure.run(&[&lanes], &mut results);
        results[0][..from.len()].to_vec()
    };
    sources.chunks(32).flat_map(warp).collect()
}

/// What is worth trying in sources of any type, and anything else.
pub(crate) fn bits(random: &mut Random) -> Vec<u64> {
    let singles = [0f32, 1.0, 0.5, 1.5, f32::MAX, f32::MIN_POSITIVE, 1e-45, f32::INFINITY, f32::NAN];
    let doubles = [1f64, 0.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, f64::NAN];
    let singles = singles.into_iter().flat_map(|x| [x, -x]).map(|x| x.to_bits().into());
    let doubles = doubles.into_iter().flat_map(|x| [x, -x]).map(f64::to_bits);
    let halves = [0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x0001, 0x8000, 0xfc00, 0x7f80, 0xff, 0x7f, u64::MAX];
    singles.chain(doubles).chain(halves).chain((0..200).map(|_| random.next())).collect()
}

#[test]
fn every_conversion_is_defined_for_all_bits() {
    let (mut spellings, mut random) = (0, Random(1));
    let bits = bits(&mut random);
    for op in Opcode::all().filter(|op| op.mnemonic() == "cvt" && !op.has("pack")) {
        let i = instruction(op);
        let pure = super::pure(&i).unwrap_or_else(|| panic!("{op}"));
        let Operand::Reg(d) = i.operands()[0] else { panic!("{op}") };
        let fits = |result: u64| d.ty.bits() == 64 || result >> d.ty.bits() == 0;
        for (n, _) in bits.iter().enumerate() {
            let sources: Vec<u64> = (0..8).map(|k| bits[(n + 7 * k) % bits.len()]).collect();
            let read = match &i.operands()[1..] {
                [Operand::Vector(of), _] => of.len() + 1,
                rest => rest.len(),
            };
            let results = pure.thread(&sources[..read]);
            assert!(results.len() == 1 && fits(results[0]), "{op}: {results:x?}");
        }
        spellings += 1;
    }
    assert!(spellings > 900, "{spellings}");
}

/// A cast to a type and on to 64 bits.
fn cast(x: u64, ty: Type) -> i128 {
    match ty {
        Type::U8 => (x as u8).into(),
        Type::U16 => (x as u16).into(),
        Type::U32 => (x as u32).into(),
        Type::U64 => x.into(),
        Type::S8 => (x as i8).into(),
        Type::S16 => (x as i16).into(),
        Type::S32 => (x as i32).into(),
        _ => (x as i64).into(),
    }
}

fn range(ty: Type) -> (i128, i128) {
    match ty {
        Type::U8 => (0, u8::MAX.into()),
        Type::U16 => (0, u16::MAX.into()),
        Type::U32 => (0, u32::MAX.into()),
        Type::U64 => (0, u64::MAX.into()),
        Type::S8 => (i8::MIN.into(), i8::MAX.into()),
        Type::S16 => (i16::MIN.into(), i16::MAX.into()),
        Type::S32 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}

const INTEGERS: [Type; 8] = [Type::U8, Type::U16, Type::U32, Type::U64, Type::S8, Type::S16, Type::S32, Type::S64];

#[test]
fn integers_wrap_or_saturate_and_extend() {
    let mut random = Random(2);
    for (to, from) in INTEGERS.into_iter().flat_map(|to| INTEGERS.map(|from| (to, from))) {
        let wrap = pure(&format!("cvt.{to}.{from}"));
        let saturate =
            Opcode::parse(&format!("cvt.sat.{to}.{from}")).ok().map(|op| super::pure(&instruction(op)).unwrap());
        let (least, largest) = range(to);
        // there is .sat exactly where something can be out of range
        let (low, high) = range(from);
        assert_eq!(saturate.is_some(), low < least || high > largest, "{to} {from}");
        for x in (0..2000).map(|_| random.integer()).chain([0, 127, 128, 255, 256, 32767, 32768, 1 << 31, 1 << 63]) {
            let value = cast(x, from);
            assert_eq!(wrap.thread(&[x]), [cast(value as u64, to) as u64], "cvt.{to}.{from} of {x:x}");
            if let Some(saturate) = &saturate {
                assert_eq!(saturate.thread(&[x]), [value.clamp(least, largest) as u64], "cvt.sat.{to}.{from} of {x:x}");
            }
        }
    }
}

#[test]
fn a_destination_is_extended_to_its_own_width() {
    let of = |spelling: &str, width: Type| {
        let r = |ty| Operand::from(Reg { id: 0, ty });
        let i = Instruction::spelled(spelling, vec![r(width), r(Type::B32)]).unwrap();
        super::pure(&i).unwrap().thread(&[0x1234_fff0])[0]
    };
    assert_eq!(of("cvt.s8.s32", Type::B16), 0xfff0);
    assert_eq!(of("cvt.s8.s32", Type::B32), 0xffff_fff0);
    assert_eq!(of("cvt.s8.s32", Type::B64), 0xffff_ffff_ffff_fff0);
    assert_eq!(of("cvt.u8.s32", Type::B64), 0xf0);
    assert_eq!(of("cvt.u16.s32", Type::B16), 0xfff0);
}

/// `numerator / 2^shift` to an integer.
fn divided(numerator: i128, shift: u32, rnd: &str) -> i128 {
    let floor = numerator >> shift;
    let rest = numerator - (floor << shift);
    let up = match rnd {
        "rmi" => false,
        "rpi" => rest > 0,
        "rzi" => numerator < 0 && rest > 0,
        _ => 2 * rest > 1 << shift || 2 * rest == 1 << shift && floor & 1 == 1,
    };
    floor + i128::from(up)
}

/// A float of less than 2^64 to an integer; its bits below 2^-60 only say on which side of an integer it lies.
fn rounded(x: f64, rnd: &str) -> i128 {
    let scaled = x * 60f64.exp2();
    let sticky = if scaled.fract() == 0.0 { 0 } else { x.signum() as i128 };
    divided(2 * (scaled as i128) + sticky, 61, rnd)
}

const ROUNDINGS: [&str; 4] = ["rni", "rzi", "rmi", "rpi"];

#[test]
fn floats_to_integers_round_and_saturate() {
    let mut random = Random(3);
    let halves = |to: fn(u16) -> f64| (0..=u16::MAX).map(move |x| (u64::from(x), to(x))).collect::<Vec<_>>();
    let near = |random: &mut Random| {
        let x = random.integer() as i64 as f64 / [1.0, 2.0, 1024.0][(random.next() % 3) as usize];
        [x, x.next_up(), x.next_down(), f64::from_bits(random.next())][(random.next() % 4) as usize]
    };
    let limits = INTEGERS.map(|ty| range(ty).1 as f64).into_iter().flat_map(|x| [x, x + 1.0, x - 0.5, x + 0.5, -x]);
    let doubles: Vec<f64> =
        (0..5000).map(|_| near(&mut random)).chain(limits).chain([f64::NAN, f64::INFINITY]).collect();
    let sources = [
        ("f16", halves(|x| f16::from_bits(x).to_f64())),
        ("bf16", halves(|x| bf16::from_bits(x).to_f64())),
        ("f32", doubles.iter().map(|x| *x as f32).map(|x| (x.to_bits().into(), x.into())).collect()),
        ("f64", doubles.iter().map(|x| (x.to_bits(), *x)).collect()),
    ];
    for (from, values) in &sources {
        for (to, rnd) in INTEGERS.into_iter().flat_map(|to| ROUNDINGS.map(|rnd| (to, rnd))) {
            let pure = pure(&format!("cvt.{rnd}.{to}.{from}"));
            let (least, largest) = range(to);
            for ((_, x), result) in values.iter().zip(results(&pure, values.iter().map(|v| v.0))) {
                let expected = match x {
                    x if x.is_nan() && (*from == "f64" || to.bits() == 64) => cast(1 << (to.bits() - 1), to),
                    x if x.is_nan() => 0,
                    x if x.abs() > 2e19 => {
                        if *x > 0.0 {
                            largest
                        } else {
                            least
                        }
                    }
                    x => rounded(*x, rnd).clamp(least, largest),
                };
                // registers of what comes from a bf16 are no wider than their type
                let all = if *from == "bf16" { u64::MAX >> (64 - to.bits()) } else { u64::MAX };
                assert_eq!(result, expected as u64 & all, "cvt.{rnd}.{to}.{from} of {x:e}");
            }
        }
    }
}

#[test]
fn floats_to_integral_floats_keep_their_sign() {
    let mut random = Random(4);
    for rnd in ROUNDINGS {
        let integral = |x: f64| if x.abs() < 1e16 { (rounded(x, rnd) as f64).copysign(x) } else { x };
        let single = pure(&format!("cvt.{rnd}.f32.f32"));
        let double = pure(&format!("cvt.{rnd}.f64.f64"));
        for _ in 0..20_000 {
            let x = (random.integer() as i64 as f64 / 65536.0) as f32;
            assert_eq!(
                single.thread(&[u64::from(x.to_bits())]),
                [u64::from((integral(x.into()) as f32).to_bits())],
                "{rnd} {x:e}"
            );
            let x = f64::from_bits(random.next());
            if !x.is_nan() {
                assert_eq!(double.thread(&[x.to_bits()]), [integral(x).to_bits()], "{rnd} {x:e}");
            }
        }
        let (half, brain) = (pure(&format!("cvt.{rnd}.f16.f16")), pure(&format!("cvt.{rnd}.bf16.bf16")));
        for bits in 0..=u16::MAX {
            let x = f16::from_bits(bits);
            if !x.is_nan() {
                assert_eq!(
                    half.thread(&[bits.into()]),
                    [u64::from(f16::from_f32(integral(x.to_f64()) as f32).to_bits())]
                );
            }
            let x = bf16::from_bits(bits);
            if !x.is_nan() {
                assert_eq!(
                    brain.thread(&[bits.into()]),
                    [u64::from(bf16::from_f32(integral(x.to_f64()) as f32).to_bits())]
                );
            }
        }
    }
}
