//! Against definitions over unbounded integers, and bit by bit.

use crate::gpu::sim::pure::Pure;
use crate::gpu::sim::pure::tests::{Random, compute, cut, nth};

/// The value of so many bits as a type reads it.
fn read(x: u64, bits: u32, signed: bool) -> i128 {
    let x = i128::from(cut(x, bits));
    if signed && x >> (bits - 1) & 1 == 1 { x - (1 << bits) } else { x }
}

fn write(x: i128, bits: u32) -> u64 {
    cut(x as u64, bits)
}

/// The types of a row: name, bits, signed.
const TYPES: [(&str, u32, bool); 6] = [
    ("u16", 16, false),
    ("s16", 16, true),
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

/// Every type, with random and special values, against what `expected` makes of the values read: bits of the results.
fn against(template: &str, widths: &[u32], sources: usize, expected: impl Fn(&[i128], u32, bool) -> i128) {
    for (ty, bits, signed) in TYPES {
        if !widths.contains(&bits) {
            continue;
        }
        let spelling = template.replace("T", ty);
        let op = nth(&spelling, 0);
        let mut random = Random(bits.into());
        for _ in 0..3000 {
            let lanes: Vec<u64> = (0..sources).map(|_| random.value(bits)).collect();
            let values: Vec<i128> = lanes.iter().map(|x| read(*x, bits, signed)).collect();
            let expected = write(expected(&values, bits, signed), bits);
            assert_eq!(op.thread(&lanes), [expected], "{spelling} {lanes:x?}");
        }
    }
}

const ALL: [u32; 3] = [16, 32, 64];

#[test]
fn sums_products_and_order_are_of_the_integers_modulo_the_width() {
    against("add.T", &ALL, 2, |v, _, _| v[0] + v[1]);
    against("sub.T", &ALL, 2, |v, _, _| v[0] - v[1]);
    against("mul.lo.T", &ALL, 2, |v, _, _| v[0].wrapping_mul(v[1]));
    against("mad.lo.T", &ALL, 3, |v, _, _| v[0].wrapping_mul(v[1]).wrapping_add(v[2]));
    against("sad.T", &ALL, 3, |v, _, _| (v[0] - v[1]).abs() + v[2]);
    against("min.T", &ALL, 2, |v, _, _| v[0].min(v[1]));
    against("max.T", &ALL, 2, |v, _, _| v[0].max(v[1]));
    let high = |v: &[i128], bits: u32, signed: bool| match signed || bits < 64 {
        true => (v[0] * v[1]) >> bits,
        false => ((v[0] as u128 * v[1] as u128) >> bits) as i128,
    };
    against("mul.hi.T", &ALL, 2, high);
    against("mad.hi.T", &ALL, 3, move |v, bits, signed| high(v, bits, signed) + v[2]);
}

#[test]
fn quotients_round_to_zero_and_are_all_ones_by_zero() {
    against("div.T", &ALL, 2, |v, _, _| if v[1] == 0 { -1 } else { v[0] / v[1] });
    against("rem.T", &ALL, 2, |v, _, _| if v[1] == 0 { -1 } else { v[0] - v[0] / v[1] * v[1] });
    assert_eq!(compute("div.s32", &[0x8000_0000, 0xffff_ffff]), [0x8000_0000]);
    assert_eq!(compute("rem.s64", &[1 << 63, u64::MAX]), [0]);
    assert_eq!(compute("rem.s32", &[-7i32 as u32 as u64, 2]), [0xffff_ffff]);
}

#[test]
fn every_16_bit_value_is_negated_and_made_absolute() {
    let (neg, abs) = (nth("neg.s16", 0), nth("abs.s16", 0));
    for x in 0..1 << 16 {
        let value = read(x, 16, true);
        assert_eq!(neg.thread(&[x]), [write(-value, 16)]);
        assert_eq!(abs.thread(&[x]), [write(value.abs(), 16)]);
    }
    assert_eq!(compute("abs.s32", &[0x8000_0000]), [0x8000_0000]);
    assert_eq!(compute("neg.s64", &[1 << 63]), [1 << 63]);
}

#[test]
fn wide_products_are_exact() {
    for (ty, bits, signed) in TYPES.into_iter().filter(|t| t.1 < 64) {
        let (mul, mad) = (nth(&format!("mul.wide.{ty}"), 0), nth(&format!("mad.wide.{ty}"), 0));
        let mut random = Random(7);
        for _ in 0..3000 {
            let (a, b, c) = (random.value(bits), random.value(bits), random.value(2 * bits));
            let product = read(a, bits, signed) * read(b, bits, signed);
            assert_eq!(mul.thread(&[a, b]), [write(product, 2 * bits)]);
            assert_eq!(mad.thread(&[a, b, c]), [write(product + read(c, 2 * bits, signed), 2 * bits)]);
        }
    }
}

#[test]
fn products_of_24_bits_ignore_the_rest() {
    for (ty, signed) in [("u32", false), ("s32", true)] {
        let op = |name: &str| nth(&format!("{name}.{ty}"), 0);
        let (lo, hi, mad_lo, mad_hi) = (op("mul24.lo"), op("mul24.hi"), op("mad24.lo"), op("mad24.hi"));
        let mut random = Random(24);
        for _ in 0..3000 {
            let [a, b, c] = core::array::from_fn(|_| random.value(32));
            let product = read(a, 24, signed) * read(b, 24, signed);
            assert_eq!(lo.thread(&[a, b]), [write(product, 32)]);
            assert_eq!(hi.thread(&[a, b]), [write(product >> 16, 32)]);
            assert_eq!(mad_lo.thread(&[a, b, c]), [write(product + c as i128, 32)]);
            assert_eq!(mad_hi.thread(&[a, b, c]), [write((product >> 16) + c as i128, 32)]);
        }
    }
}

#[test]
fn sat_cuts_to_32_bits() {
    let cut = |x: i128| write(x.clamp(i32::MIN.into(), i32::MAX.into()), 32);
    let mut random = Random(5);
    for _ in 0..5000 {
        let v: [u64; 4] = core::array::from_fn(|k| random.value(if k < 3 { 32 } else { 1 }));
        let [a, b, c] = [v[0], v[1], v[2]].map(|x| read(x, 32, true));
        let (flag, flag3) = (v[3] as i128, &[v[0], v[1], v[3]]);
        assert_eq!(compute("add.sat.s32", &v[..2]), [cut(a + b)]);
        assert_eq!(compute("sub.sat.s32", &v[..2]), [cut(a - b)]);
        assert_eq!(compute("mad.hi.sat.s32", &v[..3]), [cut(((a * b) >> 32) + c)]);
        let product = read(v[0], 24, true) * read(v[1], 24, true);
        assert_eq!(compute("mad24.hi.sat.s32", &v[..3]), [cut((product >> 16) + c)]);
        assert_eq!(compute("addc.sat.s32", flag3), [cut(a + b + flag)]);
        assert_eq!(compute("subc.sat.s32", flag3), [cut(a - b - (1 - flag))]);
    }
}

#[test]
fn relu_is_never_negative() {
    let mut random = Random(6);
    for _ in 0..3000 {
        let v = [random.value(32), random.value(32)];
        let [a, b] = v.map(|x| read(x, 32, true));
        assert_eq!(compute("min.relu.s32", &v), [write(a.min(b).max(0), 32)]);
        assert_eq!(compute("max.relu.s32", &v), [write(a.max(b).max(0), 32)]);
    }
}

/// Halves apart, then together.
fn halves(v: [u64; 2], signed: bool, f: impl Fn(i128, i128) -> i128) -> u64 {
    let half = |at: u32| write(f(read(v[0] >> at, 16, signed), read(v[1] >> at, 16, signed)), 16) << at;
    half(0) + half(16)
}

#[test]
fn halves_do_not_touch_each_other() {
    let mut random = Random(8);
    for _ in 0..3000 {
        let v = [random.value(32), random.value(32)];
        for (ty, signed) in [("u16x2", false), ("s16x2", true)] {
            assert_eq!(compute(&format!("add.{ty}"), &v), [halves(v, signed, |a, b| a + b)]);
            assert_eq!(compute(&format!("min.{ty}"), &v), [halves(v, signed, i128::min)]);
            assert_eq!(compute(&format!("max.{ty}"), &v), [halves(v, signed, i128::max)]);
        }
        assert_eq!(compute("min.relu.s16x2", &v), [halves(v, true, |a, b| a.min(b).max(0))]);
        assert_eq!(compute("max.relu.s16x2", &v), [halves(v, true, |a, b| a.max(b).max(0))]);
    }
}

#[test]
fn dot_products_add_up() {
    let mut random = Random(9);
    for (a_ty, a_signed) in [("u32", false), ("s32", true)] {
        for (b_ty, b_signed) in [("u32", false), ("s32", true)] {
            let op = |name: &str| nth(&format!("{name}.{a_ty}.{b_ty}"), 0);
            let (dp4a, lo, hi) = (op("dp4a"), op("dp2a.lo"), op("dp2a.hi"));
            for _ in 0..2000 {
                let v: [u64; 3] = core::array::from_fn(|_| random.value(32));
                let byte = |x: u64, k: u32, signed| read(x >> (8 * k), 8, signed);
                let pair = |k: u32| read(v[0] >> (16 * k), 16, a_signed);
                let c = v[2] as i128;
                let four: i128 = (0..4).map(|k| byte(v[0], k, a_signed) * byte(v[1], k, b_signed)).sum();
                assert_eq!(dp4a.thread(&v), [write(four + c, 32)]);
                let two =
                    |first: u32| pair(0) * byte(v[1], first, b_signed) + pair(1) * byte(v[1], first + 1, b_signed);
                assert_eq!(lo.thread(&v), [write(two(0) + c, 32)]);
                assert_eq!(hi.thread(&v), [write(two(2) + c, 32)]);
            }
        }
    }
}

#[test]
fn packing_cuts_to_the_range_and_shifts_the_third_word_in() {
    let mut random = Random(10);
    for bits in [2, 4, 8, 16] {
        for signed in [false, true] {
            let ty = format!("{}{bits}", if signed { 's' } else { 'u' });
            let (least, greatest) =
                if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            let cut = |x: u64| write(read(x, 32, true).clamp(least, greatest), bits);
            for _ in 0..2000 {
                let v: [u64; 3] = core::array::from_fn(|_| random.value(32));
                let low = cut(v[0]) * (1 << bits) + cut(v[1]);
                if bits == 16 {
                    assert_eq!(compute(&format!("cvt.pack.sat.{ty}.s32"), &v[..2]), [low]);
                } else {
                    let all = u128::from(v[2]) * (1 << (2 * bits)) + u128::from(low);
                    // registers may be wider than the words
                    let wider = v.map(|x| x | random.next() << 32);
                    assert_eq!(compute(&format!("cvt.pack.sat.{ty}.s32.b32"), &wider), [cut_32(all)], "{ty} {v:x?}");
                }
            }
        }
    }
}

fn cut_32(x: u128) -> u64 {
    (x % (1 << 32)) as u64
}

/// Both values of two words, the lower half first: `low` makes the flag that `high` reads.
fn chain(low: &Pure, high: &Pure, a: u128, b: u128, bits: u32) -> u128 {
    let parts = |x: u128| [cut(x as u64, bits), cut((x >> bits) as u64, bits)];
    let (a, b) = (parts(a), parts(b));
    let [x, flag] = low.thread(&[a[0], b[0]])[..] else { panic!() };
    let y = high.thread(&[a[1], b[1], flag])[0];
    u128::from(y) << bits | u128::from(x)
}

#[test]
fn carries_and_borrows_make_sums_of_twice_the_width() {
    for (ty, bits, _) in TYPES.into_iter().filter(|t| t.1 > 16) {
        let op = |name: &str| nth(&format!("{name}.{ty}"), 0);
        let (add, addc, sub, subc) = (op("add.cc"), op("addc"), op("sub.cc"), op("subc"));
        let mut random = Random(11);
        let ones = u128::MAX >> (128 - 2 * bits);
        for _ in 0..3000 {
            let mut number = || u128::from(random.value(bits)) << bits | u128::from(random.value(bits));
            let (a, b) = (number(), number());
            assert_eq!(chain(&add, &addc, a, b, bits), a.wrapping_add(b) & ones, "{a:x} + {b:x}");
            assert_eq!(chain(&sub, &subc, a, b, bits), a.wrapping_sub(b) & ones, "{a:x} - {b:x}");
        }
    }
}

#[test]
fn the_flag_is_the_carry_out_of_every_sum() {
    for (ty, bits, signed) in TYPES.into_iter().filter(|t| t.1 > 16) {
        let op = |name: &str| nth(&format!("{name}.{ty}"), 0);
        let (addc, subc, mad, madc) = (op("addc.cc"), op("subc.cc"), op("mad.hi.cc"), op("madc.lo.cc"));
        let mut random = Random(12);
        for _ in 0..3000 {
            let [a, b, c]: [u64; 3] = core::array::from_fn(|_| random.value(bits));
            let flag = random.next() & 1;
            let split = |sum: u128| vec![cut(sum as u64, bits), (sum >> bits) as u64];
            let (x, y, z) = (u128::from(a), u128::from(b), u128::from(c));
            assert_eq!(addc.thread(&[a, b, flag]), split(x + y + u128::from(flag)));
            let complement = (1 << bits) - 1 - y;
            assert_eq!(subc.thread(&[a, b, flag]), split(x + complement + u128::from(flag)));
            let product = read(a, bits, signed).wrapping_mul(read(b, bits, signed));
            let low = u128::from(cut(product as u64, bits));
            assert_eq!(madc.thread(&[a, b, c, flag]), split(low + z + u128::from(flag)));
            let high = u128::from(cut((product as u128 >> bits) as u64, bits));
            assert_eq!(mad.thread(&[a, b, c]), split(high + z));
        }
    }
}

/// The example of the PTX ISA for `madc`: a product of 64-bit numbers from 32-bit words.
#[test]
fn a_128_bit_product_is_made_of_32_bit_words() {
    let one = |spelling: &str, v: &[u64]| compute(spelling, v)[0];
    let two = |spelling: &str, v: &[u64]| <[u64; 2]>::try_from(compute(spelling, v)).unwrap();
    let mut random = Random(13);
    for _ in 0..2000 {
        let (a, b) = (random.value(64), random.value(64));
        let ([a0, a1], [b0, b1]) = ([cut(a, 32), a >> 32], [cut(b, 32), b >> 32]);
        let r0 = one("mul.lo.u32", &[a0, b0]);
        let r1 = one("mul.hi.u32", &[a0, b0]);
        let [r1, f] = two("mad.lo.cc.u32", &[a1, b0, r1]);
        let r2 = one("madc.hi.u32", &[a1, b0, 0, f]);
        let [r1, f] = two("mad.lo.cc.u32", &[a0, b1, r1]);
        let [r2, f] = two("madc.hi.cc.u32", &[a0, b1, r2, f]);
        let r3 = one("addc.u32", &[0, 0, f]);
        let [r2, f] = two("mad.lo.cc.u32", &[a1, b1, r2]);
        let r3 = one("madc.hi.u32", &[a1, b1, r3, f]);
        let product = [r3, r2, r1, r0].iter().fold(0u128, |all, r| all << 32 | u128::from(*r));
        assert_eq!(product, u128::from(a) * u128::from(b));
    }
}

#[test]
fn words_of_16_bits_take_a_carry_as_an_h200_does() {
    for (ty, bits, signed) in TYPES.into_iter().filter(|t| t.1 == 16) {
        let mut random = Random(14);
        for _ in 0..2000 {
            let v: [u64; 4] = core::array::from_fn(|k| random.value(if k < 3 { 16 } else { 1 }));
            let [a, b, c, flag] = v.map(i128::from);
            let product = read(v[0], bits, signed) * read(v[1], bits, signed);
            assert_eq!(compute(&format!("addc.{ty}"), &[v[0], v[1], v[3]]), [write(a + b + flag, 16)]);
            assert_eq!(compute(&format!("subc.{ty}"), &[v[0], v[1], v[3]]), [write(a - b - 1 + flag, 16)]);
            assert_eq!(compute(&format!("madc.lo.{ty}"), &v), [write(product + c + flag, 16)]);
            // the product of two 32-bit words, its upper word
            assert_eq!(compute(&format!("madc.hi.{ty}"), &v), [write((product >> 32) + c + flag, 16)]);
        }
    }
}

/// Bit `i`.
fn bit(x: u64, i: u32) -> bool {
    x >> i & 1 == 1
}

#[test]
fn bits_are_counted_found_and_turned() {
    let mut random = Random(15);
    for bits in [32, 64] {
        let op = |name: &str| nth(&format!("{name}{bits}"), 0);
        let (popc, clz, brev) = (op("popc.b"), op("clz.b"), op("brev.b"));
        for _ in 0..3000 {
            let x = random.value(bits);
            assert_eq!(popc.thread(&[x]), [(0..bits).filter(|i| bit(x, *i)).count() as u64]);
            assert_eq!(clz.thread(&[x]), [(0..bits).rev().take_while(|i| !bit(x, *i)).count() as u64]);
            let turned: u64 = (0..bits).filter(|i| bit(x, bits - 1 - i)).map(|i| 1 << i).sum();
            assert_eq!(brev.thread(&[x]), [turned]);
            for (ty, signed) in [("u", false), ("s", true)] {
                let sign = signed && bit(x, bits - 1);
                let found = (0..bits).rev().find(|i| bit(x, *i) != sign);
                let place = |f: &dyn Fn(u32) -> u32| [u64::from(found.map_or(u32::MAX, f))];
                assert_eq!(compute(&format!("bfind.{ty}{bits}"), &[x]), place(&|i| i));
                assert_eq!(compute(&format!("bfind.shiftamt.{ty}{bits}"), &[x]), place(&|i| bits - 1 - i));
            }
        }
    }
}

#[test]
fn the_nth_set_bit_is_found_up_and_down() {
    let find = |mask: u64, base: u64, offset: i32| compute("fns.b32", &[mask, base, u64::from(offset as u32)])[0];
    // the examples of the PTX ISA
    assert_eq!([find(0xaaaa_aaaa, 3, 1), find(0xaaaa_aaaa, 3, -1)], [3, 3]);
    assert_eq!([find(0xaaaa_aaaa, 2, 1), find(0xaaaa_aaaa, 2, -1)], [3, 1]);
    let mut random = Random(16);
    for _ in 0..20_000 {
        let (mask, base, offset) = (random.value(32), random.next() % 32, (random.next() % 71) as i32 - 35);
        let (mut at, mut left) = (base as i32, offset.abs() - 1);
        let mut expected = u64::from(u32::MAX);
        if offset == 0 {
            expected = if bit(mask, base as u32) { base } else { expected };
        }
        while offset != 0 && (0..32).contains(&at) {
            if bit(mask, at as u32) {
                if left == 0 {
                    expected = at as u64;
                    break;
                }
                left -= 1;
            }
            at += offset.signum();
        }
        assert_eq!(find(mask, base, offset), expected, "{mask:x} {base} {offset}");
    }
    assert_eq!(find(u64::from(u32::MAX), 32, -1), u64::from(u32::MAX));
}

#[test]
fn bit_fields_are_taken_and_put_bit_by_bit() {
    let mut random = Random(17);
    for bits in [32, 64] {
        for _ in 0..5000 {
            let (a, b) = (random.value(bits), random.value(bits));
            // in 32 bits, positions and lengths are their low 8 bits
            let [pos, len] =
                core::array::from_fn(|_| if random.next() & 7 == 0 { random.value(32) } else { random.next() % 70 });
            let [at, n] = [pos, len].map(|x| if bits == 32 { x as u32 % 256 } else { x as u32 });
            for signed in [false, true] {
                let sign = signed && n > 0 && bit(a, at.saturating_add(n - 1).min(bits - 1));
                let field = |i: u32| if i < n && at < bits - i { bit(a, at + i) } else { sign };
                let expected: u64 = (0..bits).filter(|i| field(*i)).map(|i| 1 << i).sum();
                let spelling = format!("bfe.{}{bits}", if signed { 's' } else { 'u' });
                assert_eq!(compute(&spelling, &[a, pos, len]), [expected], "{spelling} {a:x} {at} {n}");
            }
            let put = |i: u32| if i >= at && i - at < n { bit(a, i - at) } else { bit(b, i) };
            let expected: u64 = (0..bits).filter(|i| put(*i)).map(|i| 1 << i).sum();
            assert_eq!(compute(&format!("bfi.b{bits}"), &[a, b, pos, len]), [expected], "{a:x} {b:x} {at} {n}");
        }
    }
}

#[test]
fn masks_and_extensions_clamp_or_wrap() {
    // the examples of the PTX ISA
    assert_eq!(compute("bmsk.wrap.b32", &[1, 2]), [6]);
    assert_eq!(compute("szext.wrap.u32", &[0xffff_ffff, 0]), [0]);
    let mut random = Random(18);
    for _ in 0..10_000 {
        let a = random.value(32);
        let [at, width] =
            core::array::from_fn(|_| if random.next() & 7 == 0 { random.value(32) } else { random.next() % 40 });
        for wrap in [false, true] {
            let mode = if wrap { "wrap" } else { "clamp" };
            let [from, n] = [at, width].map(|x| if wrap { x % 32 } else { x });
            let mask: u64 = (0..32).filter(|i| *i >= from && *i < from + n).map(|i| 1 << i).sum();
            assert_eq!(compute(&format!("bmsk.{mode}.b32"), &[at, width]), [mask], "{mode} {at} {width}");
            for signed in [false, true] {
                let expected = match n {
                    0 => 0,
                    1..32 => write(read(a, n as u32, signed), 32),
                    _ => a,
                };
                let spelling = format!("szext.{mode}.{}32", if signed { 's' } else { 'u' });
                assert_eq!(compute(&spelling, &[a, width]), [expected], "{spelling} {a:x} {width}");
            }
        }
    }
}
