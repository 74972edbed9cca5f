//! Streams: every variant is legal and proved; executed, equal to the host, at ragged lengths and between poison.

use girih::gpu::atom::NumericType::{self, *};
use girih::gpu::copy::Stream;
use girih::gpu::launch::{Arg, Element};
use girih::gpu::ptx::{Module, Target};
use half::{bf16, f16};

#[path = "common/machine.rs"]
mod machine;
#[path = "common/ptxas.rs"]
mod ptxas;
use machine::{Both, Machine, number};

#[test]
fn every_variant_is_legal_ptx_and_proved() {
    let copies = [S8, F16, BF16, S32, F32, F64].map(Stream::copy);
    let sums = [F16, BF16, F32, F64].map(Stream::axpy);
    for stream in copies.into_iter().chain(sums) {
        for align in [8, 16] {
            let stream = stream.aligned(align);
            let (module, launch) = stream.build(Target::SM_80).unwrap();
            assert_eq!(module.check(), Ok(()), "{stream:?}");
            assert_eq!(module.to_string().parse::<Module>().as_ref(), Ok(&module));
            assert_eq!(launch.validate(), Ok(()));
            for target in [Target::SM_80, Target::SM_90A, Target::SM_100A, Target::SM_120A] {
                ptxas::assemble(&module, target);
            }
            assert!(stream.certificate().unwrap().iter().all(|proof| proof.check().is_ok()));
        }
    }
}

fn length(n: usize) -> Both<'static> {
    number(n as u32)
}

/// Small integers, whose sums and products no type rounds.
fn equal_to_the_host<T: Element>(ty: NumericType, of: fn(i32) -> T, poison: T)
where
    Arg<'static>: From<T>,
{
    let machine = Machine::new(80);
    let bytes = T::TYPE.bits() / 8;
    for align in [bytes, 8, 16] {
        for axpy in [false, true] {
            let build = if axpy { Stream::axpy(ty) } else { Stream::copy(ty) };
            let (module, launch) = build.aligned(align).build(machine.target()).unwrap();
            let kernel = machine.kernel(&module, &launch);
            // the vectors begin after as little as is promised
            let first = (align / bytes) as usize;
            for n in [0usize, 1, 2, 3, 5, 7, 8, 1023, 1024, 1025, 2048, 100_003] {
                let (x, y) = (|i: usize| (i % 7) as i32 - 3, |i: usize| (i % 11) as i32 - 5);
                let vector = |value: &dyn Fn(usize) -> i32| -> Vec<T> {
                    let padding = vec![poison; first];
                    [&padding[..], &(0..n).map(|i| of(value(i))).collect::<Vec<_>>(), &padding].concat()
                };
                let (dx, mut dy) = (machine.buffer(&vector(&x)), machine.buffer(&vector(&y)));
                let range = first..first + n;
                let mut args = vec![dx.arg(range.clone()), dy.arg_mut(range), length(n)];
                if axpy {
                    args.insert(0, number(of(3)));
                }
                kernel.launch(args).unwrap();
                let want = vector(&|i| if axpy { 3 * x(i) + y(i) } else { x(i) });
                let bits = |v: &[T]| -> Vec<u64> { v.iter().map(|x| x.bits()).collect() };
                assert_eq!(bits(&dy.download()), bits(&want), "{build:?} {align} {n}");
            }
        }
    }
}

#[test]
fn f32_streams_equal_the_host() {
    equal_to_the_host(F32, |x| x as f32, f32::NAN);
}

#[test]
fn f64_streams_equal_the_host() {
    equal_to_the_host(F64, f64::from, f64::NAN);
}

#[test]
fn f16_streams_equal_the_host() {
    equal_to_the_host(F16, |x| f16::from_f32(x as f32), f16::NAN);
}

#[test]
fn bf16_streams_equal_the_host() {
    equal_to_the_host(BF16, |x| bf16::from_f32(x as f32), bf16::NAN);
}
