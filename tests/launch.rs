//! Launch descriptions and tensor maps: what is refused, and why. No device is needed.

use girih::gpu::launch::*;
use girih::gpu::tensor_map::{Fill, TensorMap, TensorMapError};
use girih::layout::Unit;
use girih::prelude::*;
use proptest::prelude::*;

fn expr(text: &str) -> Expr {
    text.parse().unwrap()
}

/// y[0..n] += a x[0..n]
fn axpy() -> Launch {
    Launch {
        entry: "axpy".into(),
        params: vec![
            Param::number("n", DataType::S32),
            Param::number("a", DataType::F32),
            Param::pointer("x", DataType::F32, Usage::Read).holding(expr("4 * n")),
            Param::pointer("y", DataType::F32, Usage::ReadWrite).holding(expr("4 * n")),
        ],
        block: [256, 1, 1],
        grid: [expr("ceil(n / 256)"), 1.into(), 1.into()],
        conditions: vec![
            Condition::new("n % 4 == 0", "pad the vectors").unwrap(),
            Condition::new("x % 16 == 0", "align x to 16 bytes").unwrap(),
            Condition::new("n <= 1000000", "split the vectors").unwrap(),
        ],
        ..Launch::default()
    }
}

fn h200() -> Limits {
    Limits::of(9, 0).unwrap()
}

fn floats(address: u64, n: u64, write: bool) -> Arg<'static> {
    Arg::pointer(address, 4 * n, DataType::F32, write)
}

fn good() -> [Arg<'static>; 4] {
    [1000i32.into(), 2f32.into(), floats(0x100, 1000, false), floats(0x2000, 1000, true)]
}

/// The error when argument `i` is replaced.
fn with(i: usize, arg: impl Into<Arg<'static>>) -> LaunchError {
    let mut args = good();
    args[i] = arg.into();
    axpy().check(&args, &h200()).unwrap_err()
}

#[test]
fn arguments_that_fit_give_the_grid() {
    assert_eq!(axpy().check(&good(), &h200()), Ok([4, 1, 1]));
}

#[test]
fn a_grid_of_no_blocks_is_no_error() {
    let args = [0i32.into(), 2f32.into(), floats(0, 0, false), floats(0, 0, true)];
    assert_eq!(axpy().check(&args, &h200()), Ok([0, 0, 0]));
}

#[test]
fn a_wrong_number_of_arguments_is_refused() {
    let e = axpy().check(&good()[..3], &h200()).unwrap_err();
    assert_eq!(e, LaunchError::Count { got: 3, expected: 4 });
}

#[test]
fn an_argument_of_another_kind_is_refused() {
    let e = with(2, 1.0f32);
    assert_eq!(e, LaunchError::Kind { name: "x".into(), got: "a number", expected: "a pointer" });
    assert_eq!(e.to_string(), "x is a pointer, the argument is a number");
    assert!(matches!(with(0, floats(0, 1, true)), LaunchError::Kind { expected: "a number", .. }));
    let map = encoded(&tile(&[16, 32]), 0x1000, false);
    let mut args = good();
    args[3] = (&map).into();
    assert!(matches!(axpy().check(&args, &h200()), Err(LaunchError::Kind { got: "a tensor map", .. })));
}

#[test]
fn an_argument_of_another_width_is_refused() {
    let e = with(0, 1000i64);
    assert_eq!(e, LaunchError::Width { name: "n".into(), got: DataType::S64, expected: DataType::S32 });
    assert_eq!(e.to_string(), "n is s32 (32 bits), the argument s64 (64 bits)");
    let halves = Arg::pointer(0x100, 4000, DataType::F16, false);
    assert!(matches!(with(2, halves), LaunchError::Width { got: DataType::F16, .. }));
}

#[test]
fn an_argument_of_another_type_is_refused() {
    let e = with(0, 1000u32);
    assert_eq!(e, LaunchError::Type { name: "n".into(), got: DataType::U32, expected: DataType::S32 });
    let integers = Arg::pointer(0x100, 4000, DataType::S32, false);
    assert!(matches!(with(2, integers), LaunchError::Type { got: DataType::S32, .. }));
}

#[test]
fn a_buffer_that_is_written_must_be_given_for_writing() {
    assert_eq!(with(3, floats(0x2000, 1000, false)), LaunchError::ReadOnly { name: "y".into() });
}

#[test]
fn a_buffer_that_is_too_small_is_refused() {
    let e = with(2, floats(0x100, 999, false));
    let rule = "4 * n".into();
    assert_eq!(e, LaunchError::TooSmall { name: "x".into(), got: 3996, expected: 4000, rule });
}

#[test]
fn a_negative_size_is_refused() {
    assert_eq!(with(0, -4i32), LaunchError::Negative { name: "n".into(), value: -4 });
}

#[test]
fn a_side_condition_that_does_not_hold_is_refused_with_its_message() {
    let e = with(0, 998i32);
    let rule = "n % 4 == 0".into();
    assert_eq!(e, LaunchError::Condition { rule, left: 998, message: "pad the vectors".into() });
    assert_eq!(e.to_string(), "n % 4 == 0 does not hold, the left side is 998: pad the vectors");
    assert!(matches!(with(2, floats(0x108, 1000, false)), LaunchError::Condition { left: 0x108, .. }));
    let args = [2000000i32.into(), 2f32.into(), floats(0x100, 2000000, false), floats(1 << 32, 2000000, true)];
    assert!(matches!(axpy().check(&args, &h200()), Err(LaunchError::Condition { left: 2000000, .. })));
}

/// A kernel that takes the grid's dimensions as they come.
fn any_grid(x: u64, y: u64, z: u64) -> Launch {
    Launch { entry: "f".into(), grid: [x.into(), y.into(), z.into()], ..Launch::default() }
}

#[test]
fn a_grid_over_the_limits_is_refused() {
    let most = (1u64 << 31) - 1;
    assert_eq!(any_grid(most, 65535, 65535).check(&[], &h200()), Ok([most as u32, 65535, 65535]));
    for (x, y, z) in [(most + 1, 1, 1), (1, 65536, 1), (1, 1, 65536), (u64::MAX, 1, 1)] {
        let e = any_grid(x, y, z).check(&[], &h200()).unwrap_err();
        assert_eq!(e, LaunchError::Grid { grid: [x, y, z], limit: [most as u32, 65535, 65535] });
    }
}

#[test]
fn a_grid_beyond_64_bits_is_refused() {
    let mut l = axpy();
    l.params[0] = Param::number("n", DataType::U64);
    l.grid[1] = expr("n * n");
    let mut args = good();
    args[0] = (1u64 << 32).into();
    assert_eq!(l.check(&args, &h200()), Err(LaunchError::Overflow { expr: "n * n".into() }));
}

#[test]
fn a_block_over_the_limits_is_refused() {
    let block = |block| Launch { block, ..any_grid(1, 1, 1) }.check(&[], &h200());
    assert!(block([1024, 1, 1]).is_ok() && block([1, 1024, 1]).is_ok() && block([16, 1, 64]).is_ok());
    for b in [[1025, 1, 1], [32, 33, 1], [1, 1, 65], [u32::MAX; 3]] {
        let e = LaunchError::Block { block: b, limit: [1024, 1024, 64], threads: 1024 };
        assert_eq!(block(b), Err(e));
    }
    assert_eq!(block([32, 0, 1]), Err(LaunchError::Empty { what: "block", dims: [32, 0, 1] }));
}

#[test]
fn shared_memory_over_the_limit_is_refused() {
    let shared = |fixed, dynamic| {
        let l = Launch { static_shared: fixed, dynamic_shared: dynamic, ..any_grid(1, 1, 1) };
        l.check(&[], &h200())
    };
    let limit = 227 << 10;
    assert!(shared(0, limit).is_ok() && shared(1024, limit - 1024).is_ok());
    assert_eq!(shared(0, limit + 1), Err(LaunchError::Shared { fixed: 0, dynamic: limit + 1, limit }));
    assert_eq!(shared(1024, limit), Err(LaunchError::Shared { fixed: 1024, dynamic: limit, limit }));
    assert!(matches!(shared(u32::MAX, u32::MAX), Err(LaunchError::Shared { .. })));
}

#[test]
fn clusters_must_fit_the_device_and_divide_the_grid() {
    let cluster = |cluster, x| Launch { cluster, ..any_grid(x, 1, 1) };
    assert_eq!(cluster([2, 1, 1], 6).check(&[], &h200()), Ok([6, 1, 1]));
    let e = cluster([2, 1, 1], 7).check(&[], &h200()).unwrap_err();
    assert_eq!(e, LaunchError::ClusterGrid { grid: [7, 1, 1], cluster: [2, 1, 1] });
    let e = cluster([16, 1, 1], 16).check(&[], &h200()).unwrap_err();
    assert_eq!(e, LaunchError::Cluster { cluster: [16, 1, 1], limit: 8 });
    let e = cluster([2, 1, 1], 6).check(&[], &Limits::of(8, 0).unwrap()).unwrap_err();
    assert_eq!(e.to_string(), "a cluster of 2 x 1 x 1: the device has no clusters");
}

#[test]
fn descriptions_that_make_no_sense_are_refused() {
    let invalid = |change: fn(&mut Launch)| {
        let mut l = axpy();
        change(&mut l);
        l.validate().unwrap_err()
    };
    assert_eq!(invalid(|l| l.entry = "".into()), LaunchError::BadName { name: "".into() });
    // the names that PTX has
    for name in ["2f", "_", "$", "%", "a b", "a%", "é"] {
        let bad = Launch { entry: name.into(), ..axpy() }.validate();
        assert_eq!(bad, Err(LaunchError::BadName { name: name.into() }));
    }
    for name in ["f", "_1", "$f", "%f", "F_$9"] {
        assert_eq!(Launch { entry: name.into(), ..axpy() }.validate(), Ok(()), "{name}");
    }
    let twice = invalid(|l| l.params[1] = Param::number("n", DataType::F32));
    assert_eq!(twice, LaunchError::Duplicate { name: "n".into() });
    assert_eq!(invalid(|l| l.grid[2] = expr("m")), LaunchError::NoValue { name: "m".into() });
    assert_eq!(invalid(|l| l.grid[2] = expr("2 * a")), LaunchError::NoValue { name: "a".into() });
    let of_a_map = invalid(|l| {
        l.params.push(Param::tensor_map("map", &tile(&[16, 32]), Usage::Read));
        l.conditions.push(Condition::new("map % 64 == 0", "").unwrap());
    });
    assert_eq!(of_a_map, LaunchError::NoValue { name: "map".into() });
    // what its text would be refused for
    let by_zero = |expr: &str| LaunchError::DivisionByZero { expr: expr.into() };
    assert_eq!(invalid(|l| l.grid[1] = Expr::from(2) * Expr::param("n").ceil_div(0)), by_zero("ceil(n / 0)"));
    let rule = Rule::Multiple(expr("n"), 0);
    let conditions = vec![Condition { rule, message: String::new() }];
    assert_eq!(Launch { conditions, ..axpy() }.validate(), Err(by_zero("n % 0 == 0")));
    assert!(matches!(invalid(|l| l.cluster = [0; 3]), LaunchError::Empty { what: "cluster", .. }));
}

#[test]
fn text_that_is_no_expression_is_refused_where_it_stops() {
    let at = |text: &str| match text.parse::<Expr>() {
        Err(LaunchError::Syntax { at, .. }) => at,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(at(""), 0);
    assert_eq!(at("n +"), 3);
    assert_eq!(at("n - 1"), 2);
    assert_eq!(at("ceil(n / 0)"), 10);
    assert_eq!(at("(n"), 2);
    assert_eq!(at("n n"), 2);
    assert_eq!(at("99999999999999999999"), 0);
    assert_eq!(at("é"), 0);
    for bad in ["n % 0 == 0", "n % 4 == 1", "n % 4", "n < 4", "n"] {
        assert!(matches!(bad.parse::<Rule>(), Err(LaunchError::Syntax { .. })), "{bad}");
    }
    assert_eq!(at(&"(".repeat(1 << 20)), 1 << 20);
}

#[test]
fn expressions_of_any_depth_are_printed_read_and_computed() {
    const N: u64 = 10_000;
    let one = || Expr::from(1);
    let left = (0..N).fold(one(), |e, _| e + one());
    let right = (0..N).fold(one(), |e, _| one() + e);
    let mixed = (0..N).fold(one(), |e, _| (e.ceil_div(1) * one() + one()).ceil_div(2));
    assert_eq!(left.value(|_| None), Ok(N + 1));
    assert_eq!(right.value(|_| None), Ok(N + 1));
    assert_eq!(mixed.value(|_| None), Ok(1));
    for e in [left, right, mixed] {
        assert_eq!(e.to_string().parse(), Ok(e.clone()));
        let l = Launch { entry: "f".into(), grid: [e, 1.into(), 1.into()], ..Launch::default() };
        assert_eq!(Launch::from_json(&l.to_json().unwrap()), Ok(l));
    }
}

#[test]
fn an_address_is_no_number() {
    let invalid = |change: fn(&mut Launch)| {
        let mut l = axpy();
        change(&mut l);
        l.validate().unwrap_err()
    };
    let address = |expr: &str| LaunchError::Pointer { name: "x".into(), expr: expr.into() };
    assert_eq!(invalid(|l| l.grid[0] = expr("ceil(x / 256)")), address("ceil(x / 256)"));
    assert_eq!(invalid(|l| l.params[3] = l.params[3].clone().holding(expr("4 * x"))), address("4 * x"));
    assert_eq!(invalid(|l| l.conditions[0] = Condition::new("x <= n", "").unwrap()), address("x <= n"));
    assert_eq!(invalid(|l| l.conditions[0] = Condition::new("n <= x", "").unwrap()), address("n <= x"));
    assert_eq!(address("x").to_string(), "x: x is an address, and only its alignment may be asked: x % 16 == 0");
}

#[test]
fn buffers_that_cannot_be_are_refused() {
    assert_eq!(with(2, floats(0, 1000, false)), LaunchError::Null { name: "x".into(), bytes: 4000 });
    let odd = LaunchError::Misaligned { name: "x".into(), address: 0x1002, to: DataType::F32 };
    assert_eq!(with(2, floats(0x1002, 1000, false)), odd);
    let last = u64::MAX - 15;
    assert_eq!(with(2, floats(last, 1000, false)), LaunchError::Wraps { name: "x".into(), address: last, bytes: 4000 });
    let bytes = Arg::pointer(0x1001, 7, DataType::U8, false);
    let l =
        Launch { entry: "f".into(), params: vec![Param::pointer("b", DataType::U8, Usage::Read)], ..Launch::default() };
    assert_eq!(l.check(&[bytes], &h200()), Ok([1; 3]));
}

#[test]
fn what_is_written_is_nothing_elses() {
    let overlap = |x: u64, y: u64| {
        let args = [1000i32.into(), 2f32.into(), floats(x, 1000, false), floats(y, 1000, true)];
        axpy().check(&args, &h200())
    };
    let refused = Err(LaunchError::Overlap { name: "y".into(), with: "x".into() });
    assert_eq!(overlap(0x1000, 0x1000), refused);
    assert_eq!(overlap(0x1000, 0x1000 + 3984), refused);
    assert_eq!(overlap(0x1000 + 3984, 0x1000), refused);
    assert_eq!(overlap(0x1000, 0x1000 + 4000), Ok([4, 1, 1]));
    let read_twice = Launch {
        entry: "dot".into(),
        params: ["x", "y"].map(|name| Param::pointer(name, DataType::F32, Usage::Read)).into(),
        ..Launch::default()
    };
    assert_eq!(read_twice.check(&[floats(0x1000, 8, false), floats(0x1000, 8, true)], &h200()), Ok([1; 3]));
}

/// A box of this tensor of 64 rows.
fn tile(extents: &[u32]) -> TensorMap {
    map("(64,64):(64,1)", extents).unwrap()
}

fn encoded(map: &TensorMap, address: u64, write: bool) -> EncodedTensorMap<'static> {
    EncodedTensorMap::foreign(map, address, 1 << 20, write, [0; 16]).unwrap()
}

#[test]
fn a_tensor_map_that_is_not_the_kernels_is_refused() {
    let (a, c) = (tile(&[16, 32]), tile(&[32, 16]));
    let copy = Launch {
        entry: "copy".into(),
        params: vec![
            Param::tensor_map("a", &a, Usage::Read).of_extents([expr("k"), expr("m")]),
            Param::tensor_map("c", &c, Usage::Write),
            Param::number("m", DataType::U32),
            Param::number("k", DataType::U32),
        ],
        ..Launch::default()
    };
    assert_eq!(Launch::from_json(&copy.to_json().unwrap()), Ok(copy.clone()));
    let check = |x: &EncodedTensorMap, y: &EncodedTensorMap, m: u32| {
        copy.check(&[x.into(), y.into(), m.into(), 64u32.into()], &h200())
    };
    let (read, written) = (encoded(&a, 0x1000, false), encoded(&c, 0x10000, true));
    assert_eq!(check(&read, &written, 64), Ok([1; 3]));
    let differs = |what, got: &[u64], expected: &[u64]| {
        Err(LaunchError::Tensor { name: "a".into(), what, got: got.into(), expected: expected.into() })
    };
    assert_eq!(check(&written, &read, 64), differs("box", &[16, 32], &[32, 16]));
    assert_eq!(check(&read, &written, 63), differs("extents", &[64, 64], &[64, 63]));
    let stepped = encoded(&a.every(&[2, 1]).unwrap(), 0x1000, false);
    assert_eq!(check(&stepped, &written, 64), differs("steps", &[1, 2], &[1, 1]));
    let wide = Swizzle::new(3, 4, 3).unwrap().on(Unit::BYTES);
    let swizzled = encoded(&a.swizzled(&wide).unwrap(), 0x1000, false);
    assert_eq!(check(&swizzled, &written, 64), differs("swizzle span in bytes", &[128], &[0]));
    let integers = TensorMap::new(DataType::S32, &layout!((64,64):(64,1)), &[16, 32]).unwrap();
    let e = check(&encoded(&integers, 0x1000, false), &written, 64);
    assert_eq!(e, Err(LaunchError::Type { name: "a".into(), got: DataType::S32, expected: DataType::F32 }));
    let e = check(&read, &encoded(&c, 0x10000, false), 64);
    assert_eq!(e, Err(LaunchError::ReadOnly { name: "c".into() }));
    let e = check(&read, &encoded(&c, 0x1000, true), 64);
    assert_eq!(e, Err(LaunchError::Overlap { name: "c".into(), with: "a".into() }));
}

#[test]
fn json_is_read_back_and_refused_where_it_is_wrong() {
    let json = axpy().to_json().unwrap();
    assert_eq!(Launch::from_json(&json), Ok(axpy()));
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        Launch::from_json(&json.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(refused("\"f32\"", "\"f33\"").contains("unknown variant `f33`"));
    assert!(refused("\"pointer\"", "\"painter\"").contains("unknown variant `painter`"));
    assert!(refused("ceil(n / 256)", "ceil(n, 256)").contains("'ceil(n, 256)', byte 6"));
    assert!(refused("ceil(n / 256)", "ceil(k / 256)").contains("k has no integer value"));
    assert!(refused("\"block\"", "\"blocks\"").contains("unknown field `blocks`"));
    assert!(refused("n % 4 == 0", "n % 0 == 0").contains("'n % 0 == 0', byte 5"));
    assert!(Launch::from_json("{").unwrap_err().to_string().contains("line 1"));
}

fn exprs() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        any::<u64>().prop_map(Expr::from),
        "[a-z][a-z0-9_$]{0,5}|[_$%][a-z0-9_$]{1,5}".prop_map(Expr::param)
    ];
    leaf.prop_recursive(5, 40, 2, |e| {
        prop_oneof![
            (e.clone(), 1..=u64::MAX).prop_map(|(e, by)| e.ceil_div(by)),
            (e.clone(), e.clone()).prop_map(|(a, b)| a + b),
            (e.clone(), e).prop_map(|(a, b)| a * b),
        ]
    })
}

proptest! {
    #[test]
    fn expressions_and_rules_are_read_as_they_are_printed(e in exprs(), f in exprs(), n in 1..=u64::MAX) {
        prop_assert_eq!(e.to_string().parse::<Expr>(), Ok(e.clone()));
        for rule in [Rule::Multiple(e.clone(), n), Rule::AtMost(e, f)] {
            prop_assert_eq!(rule.to_string().parse::<Rule>(), Ok(rule));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[a-c0-9+*()/%$_=<é ]{0,24}|ceil.{0,12}|(ceil|[a(+*/1)]){0,12}") {
        let _ = (text.parse::<Expr>(), text.parse::<Rule>());
    }
}

fn map(layout: &str, extents: &[u32]) -> Result<TensorMap, TensorMapError> {
    TensorMap::new(DataType::F32, &layout.parse().unwrap(), extents)
}

#[test]
fn each_constraint_of_tensor_maps_has_its_error() {
    use TensorMapError as E;
    assert_eq!(map("(?M,64):(64,1)", &[1, 4]), Err(E::Unknown));
    assert_eq!(map("(4,4,4,4,4,4):(1024,256,64,16,4,1)", &[4; 6]), Err(E::Rank { rank: 6 }));
    assert_eq!(map("(64,64):(64,1)", &[4]), Err(E::BoxRank { got: 1, expected: 2 }));
    assert_eq!(map("(64,64):(64,2)", &[4, 4]), Err(E::NotContiguous));
    let long = (1i64 << 32) + 1;
    assert_eq!(map(&format!("{long}:1"), &[4]), Err(E::Extent { mode: 0, extent: long }));
    assert_eq!(map("(64,64):(66,1)", &[4, 4]), Err(E::Stride { mode: 0, bytes: 264 }));
    assert_eq!(map("(64,64):(-64,1)", &[4, 4]), Err(E::Stride { mode: 0, bytes: -256 }));
    let far = 1i64 << 38;
    assert_eq!(map(&format!("(2,64):({far},1)"), &[2, 4]), Err(E::FarStride { mode: 0, bytes: 1 << 40 }));
    assert!(map(&format!("(2,64):({},1)", far - 4), &[2, 4]).is_ok());
    assert_eq!(map("(64,64):(64,1)", &[0, 4]), Err(E::BoxExtent { mode: 0, extent: 0 }));
    assert_eq!(map("(64,64):(64,1)", &[4, 260]), Err(E::BoxExtent { mode: 1, extent: 260 }));
    assert!(map("(64,64):(64,1)", &[256, 256]).is_ok());
    assert_eq!(map("(64,64):(64,1)", &[4, 6]), Err(E::Row { bytes: 24 }));

    let tile = map("(64,64):(64,1)", &[16, 32]).unwrap();
    let bytes = |b, m, s| Swizzle::new(b, m, s).unwrap().on(Unit::BYTES);
    assert_eq!(tile.swizzled(&bytes(2, 4, 3)), Err(E::Span { bytes: 128, span: 64 }));
    assert!(tile.swizzled(&bytes(3, 4, 3)).is_ok());
    for other in [bytes(4, 4, 4), bytes(3, 3, 3), bytes(3, 4, 4), bytes(2, 4, -3)] {
        assert_eq!(tile.swizzled(&other), Err(E::OtherSwizzle { swizzle: other }));
    }
    assert_eq!(tile.every(&[0, 1]), Err(E::Step { mode: 0, step: 0 }));
    assert_eq!(tile.every(&[1, 9]), Err(E::Step { mode: 1, step: 9 }));
    let bits = TensorMap::new(DataType::U32, &layout!(64:1), &[64]).unwrap();
    assert_eq!(bits.filling(Fill::Nan), Err(E::NanFill { of: DataType::U32 }));
    assert_eq!(tile.check(8, u64::MAX), Err(E::Address { address: 8 }));
    assert_eq!(tile.check(0, u64::MAX), Err(E::Address { address: 0 }));
    assert_eq!(tile.check(0x1000, 16380), Err(E::TooSmall { got: 16380, expected: 16384 }));
    assert_eq!(tile.check(0x1000, 16384), Ok(()));
    let end = u64::MAX - 15;
    assert_eq!(tile.check(end, 16384), Err(E::TooSmall { got: 15, expected: 16384 }));
}

#[test]
fn a_box_that_no_shared_memory_holds_is_refused() {
    use TensorMapError as E;
    let size = |extents: &[u32]| map("(256,256):(256,1)", extents).unwrap().check(0x1000, 1 << 20);
    assert_eq!(size(&[227, 256]), Ok(()));
    assert_eq!(size(&[228, 256]), Err(E::LargeBox { bytes: 228 << 10 }));
    // every second row only
    assert_eq!(map("(256,256):(256,1)", &[256, 256]).unwrap().every(&[2, 1]).unwrap().check(0x1000, 1 << 20), Ok(()));
    // rows of 16 bytes, 128 apart
    let narrow = map("(256,256,8):(256,1,65536)", &[256, 4, 8]).unwrap();
    assert_eq!(narrow.check(0x1000, 1 << 30), Ok(()));
    let apart = narrow.swizzled(&Swizzle::new(3, 4, 3).unwrap().on(Unit::BYTES)).unwrap();
    assert_eq!(apart.check(0x1000, 1 << 30), Err(E::LargeBox { bytes: 2047 * 128 + 16 }));
}

#[test]
fn a_swizzle_of_elements_is_that_of_their_bytes() {
    let halves = TensorMap::new(DataType::BF16, &layout!((64,64):(64,1)), &[8, 64]).unwrap();
    let bytes = halves.swizzled(&"S<3,4,3>".parse::<Swizzle>().unwrap().on(Unit::BYTES)).unwrap();
    assert_eq!(halves.swizzled(&"S<3,3,3>".parse().unwrap()), Ok(bytes));
    assert_eq!(bytes.alignment(), 1024);
}

#[test]
fn modes_of_one_element_need_no_stride() {
    let one = map("(1,64,8):(0,1,64)", &[1, 64, 8]).unwrap();
    assert_eq!((one.order(), one.dims(), one.strides()), (&[1, 0, 2][..], &[64, 1, 8][..], &[16, 256][..]));
    assert!(map("(1,1):(0,0)", &[4, 1]).is_ok());
}
