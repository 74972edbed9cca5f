//! Layouts evaluated by kernels.

use crate::build::{assemble, finish, kernel, show, shown, thread};
use crate::random::{Rng, cases};
use girih::algebra::strategy;
use girih::gpu::ptx::Type;
use girih::prelude::*;
use proptest::prelude::*;

/// Known leaves, strides 0, large and negative.
pub fn random(rng: &mut Rng) -> Layout {
    let leaves = 1 + rng.below(4);
    let shape: Vec<i64> = (0..leaves).map(|_| rng.of(&[1, 2, 3, 4, 5, 8, 16, 32, 100])).collect();
    let strides = [0, 1, 2, 3, 8, 64, 100, -1, -8, 4096, 1 << 24, 1 << 31, (1 << 33) + 1, -(1 << 35)];
    let stride: Vec<i64> = (0..leaves).map(|_| rng.of(&strides)).collect();
    let layout = Layout::flat(&shape, &stride).unwrap();
    if leaves > 1 && rng.below(2) == 0 { layout.group(0, 2).unwrap() } else { layout }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(512) as u32))]
    #[test]
    fn any_layout_has_its_values_at_thread_numbers(layout in strategy::any_layout(1024)) {
        let size = layout.size()?;
        let mut k = kernel(size as u32);
        let (out, tid) = (k.pointer("out", Type::B64), k.tid());
        let i = k.offset_at(&layout, &tid);
        show(&mut k, &out, 0, &i);
        let module = finish(k);
        for tid in 0..size {
            prop_assert_eq!(shown(&module, &thread(tid as u64, 0, &[])), [(0, layout.at(tid)?)]);
        }
    }
}

#[test]
fn layouts_with_symbols_have_the_values_of_bound_ones() {
    let texts = [
        "(?n,?m):(1,?n)",
        "(?n,?m):(?m,1)",
        "(?n{8},4):(?m,?n{8})",
        "((?n,4),?m):((?m,1),4*?n*?m)",
        "((128,\u{2308}?n/128\u{2309}),?m):((1,128),?n)",
        "(4,?n):(0,-3)",
        "((2,?n),(?m,3)):((?m,7),(5*?n,?n*?m))",
    ];
    let mut rng = Rng::new(7);
    let mut modules = Vec::new();
    for text in texts {
        let layout: Layout = text.parse().unwrap();
        let mut k = kernel(1024);
        let (out, n, m) = (k.pointer("out", Type::B64), k.size_at_most("n", 4000), k.size_at_most("m", 4000));
        k.bind("n", &n);
        k.bind("m", &m);
        let coordinate: Vec<_> = (0..layout.rank()).map(|i| k.size(&format!("c{i}"))).collect();
        let i = k.offset(&layout, &coordinate);
        show(&mut k, &out, 0, &i);
        let module = finish(k);
        for _ in 0..cases(200) {
            let (n, m) = (8 * (1 + rng.below(400)), 1 + rng.below(3000));
            let bound = layout.bind(&[("n", n), ("m", m)]).unwrap();
            let mut params = vec![("n".to_string(), n as u64), ("m".into(), m as u64)];
            let mut value = 0;
            for i in 0..layout.rank() {
                let mode = bound.mode(i).unwrap();
                let c = rng.below(mode.size().unwrap());
                value += mode.at(c).unwrap();
                params.push((format!("c{i}"), c as u64));
            }
            let params: Vec<_> = params.iter().map(|(n, v)| (&**n, *v)).collect();
            assert_eq!(shown(&module, &thread(0, 0, &params)), [(0, value)], "{text} {params:?}");
        }
        modules.push(module);
    }
    assemble(&modules);
}

#[test]
fn quotients_of_what_is_never_negative_are_divided_again() {
    let mut k = kernel(128);
    let (out, tid) = (k.pointer("out", Type::B64), k.tid());
    // 65 tid, as a sum whose first part may be -64 by itself
    let (whole, rest) = (k.promised(&(&tid - 1), -1, 126), k.promised(&(tid + 64), 64, 191));
    let quotient = k.div(&(whole * 64 + rest), 64);
    let remainder = k.rem(&quotient, 5);
    show(&mut k, &out, 0, &quotient);
    show(&mut k, &out, 1, &remainder);
    let module = finish(k);
    for t in [0, 1, 63, 64, 127] {
        let quotient = 65 * t / 64;
        assert_eq!(shown(&module, &thread(t as u64, 0, &[])), [(0, quotient), (1, quotient % 5)]);
    }
}
