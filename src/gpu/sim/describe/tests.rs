//! Descriptions: what is read, what it means in bytes, what is refused.

use super::*;
use proptest::prelude::*;
use std::path::Path;

fn read(text: &str) -> Description {
    text.parse().unwrap()
}

/// What is wrong with an argument, given to a parameter of this type.
fn refused(arg: &str, ty: Type) -> String {
    let described = format!("--grid 1 --block 1 {arg}").parse::<Description>();
    let e = described.and_then(|d| d.arguments(&kernel(&[ty])).map(|_| ()));
    e.unwrap_err().to_string()
}

fn kernel(params: &[Type]) -> Function {
    let mut f = Function::entry("f");
    f.params = params.iter().map(|ty| Variable::new(crate::gpu::ptx::Space::Param, *ty, "p")).collect();
    f
}

fn value(text: &str, ty: Type) -> Vec<u8> {
    let d = read(&format!("--grid 1 --block 1 {text}"));
    match &d.arguments(&kernel(&[ty])).unwrap()[..] {
        [Argument::Value(bytes)] => bytes.clone(),
        other => panic!("{other:?}"),
    }
}

fn bytes(text: &str) -> Vec<u8> {
    text.parse::<Filled>().unwrap().bytes(Path::new("")).unwrap().unwrap()
}

#[test]
fn sizes_and_arguments_come_in_any_order() {
    let d = read("1000 --block 8,4,2 f32[10]=iota --grid 3,2 --shared 48 --entry f u8[7]");
    assert_eq!((d.grid, d.block, d.shared, d.entry.as_deref()), ([3, 2, 1], [8, 4, 2], 48, Some("f")));
    let buffer = |of, count, fill| Described::Buffer(Filled { of, count, fill });
    let expected = [
        Described::Number("1000".into()),
        buffer(DataType::F32, 10, Fill::Iota),
        buffer(DataType::U8, 7, Fill::Unwritten),
    ];
    assert_eq!(d.args, expected);
}

#[test]
fn the_limits_are_those_of_hopper() {
    assert_eq!(LIMITS, Limits::of(9, 0).unwrap());
}

#[test]
fn a_kernel_describes_itself_before_it_begins() {
    let d =
        Description::of_text("\n// made by hand\n  // girih sim --grid 2 --block 3\n.version 8.0\n").unwrap().unwrap();
    assert_eq!((d.grid, d.block), ([2, 1, 1], [3, 1, 1]));
    assert!(Description::of_text("// girih sim --grid 0 --block 3\n").unwrap().is_err());
    assert!(Description::of_text(".version 8.0\n// girih sim --grid 2 --block 3\n").is_none());
}

#[test]
fn numbers_take_the_type_of_the_parameter() {
    assert_eq!(value("-3", Type::U32), (-3i32).to_le_bytes());
    assert_eq!(value("4294967295", Type::S32), [255; 4]);
    assert_eq!(value("0x10", Type::U16), [16, 0]);
    assert_eq!(value("-0x80", Type::S8), [0x80]);
    assert_eq!(value("0", Type::B64), [0; 8]);
    assert_eq!(value("2.5", Type::F64), 2.5f64.to_le_bytes());
    assert_eq!(value("1000", Type::F32), 1000f32.to_le_bytes());
    assert_eq!(value("-inf", Type::F32), f32::NEG_INFINITY.to_le_bytes());
    assert_eq!(value("0x7fffffff", Type::F32), [255, 255, 255, 127]);
    assert!(f32::from_le_bytes(value("nan", Type::F32).try_into().unwrap()).is_nan());
    assert_eq!(value("0.1", Type::F16), 0x2e66u16.to_le_bytes());
}

#[test]
fn structures_are_given_as_their_bytes() {
    let mut f = kernel(&[Type::B8]);
    f.params[0].dims = vec![Some(3)];
    let d = read("--grid 1 --block 1 bytes(00fF10)");
    assert_eq!(d.arguments(&f), Ok(vec![Argument::Value(vec![0, 255, 16])]));
    let e = |text| read(text).arguments(&f).unwrap_err().to_string();
    assert_eq!(e("--grid 1 --block 1 bytes(00)"), "p is a structure of 3 bytes, 1 bytes are given");
    assert_eq!(e("--grid 1 --block 1 7"), "p is a structure of 3 bytes, which takes bytes(...), not 7");
    assert_eq!(
        e("--grid 1 --block 1 u8[3]"),
        "p is a structure of 3 bytes, which takes no buffer: an address has 64 bits"
    );
}

#[test]
fn buffers_hold_what_they_say() {
    assert_eq!(bytes("u8[258]=iota")[254..], [254, 255, 0, 1]);
    assert_eq!(bytes("s16[2]=-2"), [254, 255, 254, 255]);
    assert_eq!(bytes("f16[3]=iota"), [0, 0, 0, 0x3c, 0, 0x40]);
    assert_eq!(bytes("bf16[2]=-1.5"), [0xc0, 0xbf, 0xc0, 0xbf]);
    assert_eq!(bytes("f64[1]=1e300"), 1e300f64.to_le_bytes());
    assert_eq!("u8[2]".parse::<Filled>().unwrap().bytes(Path::new("")), Ok(None));
}

/// Outputs of the published generator: those of seed 1234567 stand in many test suites.
#[test]
fn random_elements_are_those_of_splitmix64() {
    let known: [u64; 5] =
        [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821];
    assert_eq!(bytes("u64[5]=random(1234567)"), known.map(u64::to_le_bytes).concat());
    assert_eq!(bytes("u8[5]=random(1234567)"), known.map(|x| x as u8));
    assert_eq!(bytes("s32[5]=random(1234567,-5,6)"), known.map(|x| ((x % 11) as i32 - 5).to_le_bytes()).concat());
    let float = |x: u64| (x >> 40) as f32 / 8388608.0 - 1.0;
    assert_eq!(bytes("f32[5]=random(1234567)"), known.map(|x| float(x).to_le_bytes()).concat());
}

#[test]
fn files_are_read_from_the_folder_and_have_the_size() {
    let folder = std::env::temp_dir();
    let name = format!("girih-describe-{}.bin", std::process::id());
    std::fs::write(folder.join(&name), [1, 2, 3, 4]).unwrap();
    let of = |text: &str| format!("{text}=@{name}").parse::<Filled>().unwrap().bytes(&folder);
    assert_eq!(of("u16[2]"), Ok(Some(vec![1, 2, 3, 4])));
    let e = of("u16[3]").unwrap_err().to_string();
    assert!(e.ends_with(&format!("{name}: 4 bytes, the buffer has 6")), "{e}");
    std::fs::remove_file(folder.join(&name)).unwrap();
    assert!(matches!(of("u16[2]"), Err(DescribeError::File { .. })));
}

#[test]
fn what_is_no_description_is_refused_in_words() {
    let e = |text: &str| text.parse::<Description>().unwrap_err().to_string();
    assert_eq!(e("--block 1"), "--grid is missing: --grid X[,Y[,Z]]");
    assert_eq!(e("--grid 1"), "--block is missing: --block X[,Y[,Z]]");
    assert_eq!(e("--grid"), "--grid: its value is missing");
    assert_eq!(e("--grid 1 --grid 2"), "--grid is given twice");
    assert_eq!(e("--gird 1"), "--gird: no such option; there are --grid, --block, --entry, --shared");
    for bad in ["0", "1,0", "-1", "+1", "1,1,1,1", "1,65536", "2147483648", "x", "1,", "99999999999999999999"] {
        let words = format!("--grid {bad}: one to three numbers from 1 to 2147483647, 65535, 65535");
        assert_eq!(e(&format!("--block 1 --grid {bad}")), words);
    }
    assert_eq!(e("--grid 1 --block 1,1,65"), "--block 1,1,65: one to three numbers from 1 to 1024, 1024, 64");
    assert_eq!(e("--grid 1 --block 64,32"), "--block 64,32: 2048 threads, at most 1024");
    assert_eq!(e("--grid 1 --block 1 --shared 232449"), "--shared 232449: a number of bytes up to 232448");
}

#[test]
fn what_is_no_argument_is_refused_in_words() {
    let e = |arg: &str| refused(arg, Type::U64);
    assert_eq!(e("f31[4]"), "f31[4]: no type f31; there are u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64");
    let form = "a buffer is TYPE[COUNT] or TYPE[COUNT]=FILL, as f32[64]=iota";
    for bad in ["f32[", "f32[]", "f32[x]=0", "f32[-1]", "f32=0", "f32[4]x", "f(3)"] {
        assert_eq!(e(bad), format!("{bad}: {form}"));
    }
    for bad in ["f32[0]", "f32[1073741825]", "f64[18446744073709551615]=0"] {
        assert_eq!(e(bad), format!("{bad}: a buffer has at least one element and at most 4294967296 bytes"));
    }
    let fills = "elements are a number, iota, random(SEED), random(SEED,LO,HI) or @FILE";
    for bad in ["", "random", "random()", "random(1,2)", "random(1,2,3,4)", "random(1"] {
        let e = e(&format!("u8[4]={bad}"));
        assert!(e.ends_with(fills), "{bad}: {e}");
    }
    assert_eq!(e("u8[4]=iotta"), "iotta: not a number of type u8");
    assert_eq!(e("u8[4]=256"), "256: out of the range of u8");
    assert_eq!(e("u8[4]=random(1,0,257)"), "256: out of the range of u8");
    assert_eq!(e("u8[4]=random(1,5,5)"), "random(1,5,5): LO and HI are finite numbers of the type, LO below HI");
    assert_eq!(e("f32[4]=random(1,0,inf)"), "random(1,0,inf): LO and HI are finite numbers of the type, LO below HI");
    assert_eq!(e("f16[4]=random(1,0,1e6)"), "1e6: out of the range of f16");
    assert_eq!(e("bytes(0g)"), "bytes(0g): two hexadecimal digits for each byte");
    assert_eq!(e("bytes(é)"), "bytes(é): two hexadecimal digits for each byte");
    assert_eq!(refused("2.5", Type::U32), "2.5: not a number of type u32");
    assert_eq!(refused("4294967296", Type::U32), "4294967296: out of the range of u32");
    assert_eq!(refused("-2147483649", Type::U32), "-2147483649: out of the range of u32");
    assert_eq!(refused("1e39", Type::F32), "1e39: out of the range of f32");
    assert_eq!(refused("1e5", Type::F16), "1e5: out of the range of f16");
    assert_eq!(refused("-0x1", Type::F32), "-0x1: not a number of type f32");
    assert_eq!(refused("f32[1]", Type::U32), "p is a .u32, which takes no buffer: an address has 64 bits");
    assert_eq!(refused("1 2", Type::U32), "f has 1 parameters, 2 arguments are given");
}

#[test]
fn one_kernel_is_meant() {
    use crate::gpu::ptx::{Item, Target};
    let mut m = Module::new(Target::SM_80);
    m.items = ["f", "g"].map(|name| Item::Function(Box::new(Function::entry(name)))).into();
    let of = |text: &str| read(text).kernel(&m).map(|f| f.name.to_string()).map_err(|e| e.to_string());
    assert_eq!(of("--grid 1 --block 1 --entry g"), Ok("g".into()));
    assert_eq!(of("--grid 1 --block 1"), Err("--entry says which kernel: f, g".into()));
    assert_eq!(of("--grid 1 --block 1 --entry h"), Err("no kernel h; there are f, g".into()));
}

/// The nearest of the type, ties to an even last bit, by looking at all that are near.
fn nearest(x: f64, decode: impl Fn(u16) -> f64) -> u16 {
    let far = |bits: u16| (decode(bits) - x).abs();
    let all = (0..0x7f00u16).flat_map(|bits| [bits, bits | 0x8000]).filter(|bits| decode(*bits).is_finite());
    all.min_by(|a, b| far(*a).total_cmp(&far(*b)).then((a & 1).cmp(&(b & 1)))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn halves_are_rounded_once(bits in 1u16..0x7bff, beside in -2i64..=2, low in 0u32..30) {
        // midway between neighbours, and as near to it as f64 gets or a little farther
        let (x, y) = (half::f16::from_bits(bits).to_f64(), half::f16::from_bits(bits + 1).to_f64());
        let tie = f64::from_bits(((x + y) / 2.0).to_bits().wrapping_add_signed(beside << low));
        let got = bytes(&format!("f16[1]={tie:e}"));
        let expected = nearest(tie, |b| half::f16::from_bits(b).to_f64());
        prop_assert_eq!(u16::from_le_bytes([got[0], got[1]]), expected);
    }

    #[test]
    fn no_words_make_the_reader_panic(text in "(--(grid|block|shared) )?[uf0-9x\\[\\]=(),@.a-f -]{0,30}|u8\\[4\\]=random\\(.{0,20}\\)") {
        if let Ok(d) = format!("--grid 1 --block 1 {text}").parse::<Description>() {
            for ty in [Type::U64, Type::F32, Type::S8] {
                let _ = d.arguments(&kernel(&[ty]));
            }
        }
    }
}
