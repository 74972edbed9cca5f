//! The device: errors without one, kernels by hand on one. Where there is no driver, the latter are skipped, or run on the simulator if
//! that has what they need.

use girih::gpu::device::*;
use girih::gpu::launch::*;
use girih::gpu::tensor_map::{Fill, TensorMap};
use girih::prelude::*;
use half::{bf16, f16};
use std::process::Command;

#[path = "common/machine.rs"]
mod machine;
use machine::{Machine, number};

/// The first device, if there is one.
fn device() -> Option<Device> {
    if Device::count() == 0 {
        println!("skipped: no CUDA driver");
        return None;
    }
    Some(Device::new(0).unwrap())
}

/// One of compute capability 9.0.
fn hopper() -> Option<Device> {
    device().filter(|d| {
        let hopper = d.compute_capability() == (9, 0);
        if !hopper {
            println!("skipped: the kernel is for sm_90");
        }
        hopper
    })
}

fn expr(text: &str) -> Expr {
    text.parse().unwrap()
}

const ADD: &str = include_str!("ptx/add.ptx");

fn add() -> Launch {
    let buffer = |name, access| Param::pointer(name, DataType::F32, access).holding(expr("4 * n"));
    Launch {
        entry: "add".into(),
        params: vec![
            buffer("x", Usage::Read),
            buffer("y", Usage::Read),
            buffer("z", Usage::Write),
            Param::number("n", DataType::U32),
        ],
        block: [128, 1, 1],
        grid: [expr("ceil(n / 128)"), 1.into(), 1.into()],
        ..Launch::default()
    }
}

#[test]
fn without_a_driver_there_are_errors_and_no_panic() {
    if Device::count() == 0 {
        assert_eq!(Device::new(0).unwrap_err(), DeviceError::NoDriver);
    } else {
        let count = Device::count();
        assert_eq!(Device::new(count).unwrap_err(), DeviceError::NoDevice { ordinal: count, count });
    }
}

#[test]
fn the_device_says_what_it_is() {
    let Some(device) = device() else { return };
    let (major, minor) = device.compute_capability();
    println!("{}, {:?}, {} multiprocessors", device.name().unwrap(), (major, minor), device.multiprocessors());
    if let Some(known) = Limits::of(major, minor) {
        assert_eq!(*device.limits(), known);
    }
}

#[test]
fn vectors_are_added_with_ragged_tails() {
    let machine = Machine::new(80);
    let kernel = machine.kernel(&ADD.parse().unwrap(), &add());
    for n in [0usize, 1, 127, 128, 129, 100_003] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let y: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
        let (dx, dy, mut z) = (machine.buffer(&x), machine.buffer(&y), machine.buffer(&vec![f32::NAN; n]));
        kernel.launch(vec![dx.all(), dy.all(), z.all_mut(), number(n as u32)]).unwrap();
        let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        assert_eq!(z.download(), want);
    }
}

#[test]
fn offsets_and_the_default_stream_do_too() {
    let Some(device) = device() else { return };
    let (stream, kernel) = (device.default_stream(), device.load(ADD).unwrap().kernel(&add()).unwrap());
    let x = Buffer::from_slice(&stream, &[1f32, 2.0, 3.0, 4.0]).unwrap();
    let mut z = Buffer::<f32>::zeros(&stream, 4).unwrap();
    let args = [x.arg(0..2).unwrap(), x.arg(2..4).unwrap(), z.arg_mut(1..3).unwrap(), 2u32.into()];
    kernel.launch(&stream, &args).unwrap();
    assert_eq!(z.download(&stream).unwrap(), [0.0, 4.0, 6.0, 0.0]);
}

#[test]
fn wrong_arguments_do_not_reach_the_device() {
    let Some(device) = device() else { return };
    let (stream, kernel) = (device.stream().unwrap(), device.load(ADD).unwrap().kernel(&add()).unwrap());
    let x = Buffer::<f32>::zeros(&stream, 10).unwrap();
    let mut z = Buffer::<f32>::zeros(&stream, 10).unwrap();
    let e = kernel.launch(&stream, &[(&x).into(), (&x).into(), (&mut z).into(), 11u32.into()]).unwrap_err();
    assert!(matches!(e, DeviceError::Launch(LaunchError::TooSmall { got: 40, expected: 44, .. })), "{e}");
    let e = kernel.launch(&stream, &[(&x).into(), (&x).into(), (&x).into(), 10u32.into()]).unwrap_err();
    assert_eq!(e, DeviceError::Launch(LaunchError::ReadOnly { name: "z".into() }));
    let e = kernel.launch(&stream, &[(&x).into(), (&x).into(), (&mut z).into(), 10u64.into()]).unwrap_err();
    assert!(matches!(e, DeviceError::Launch(LaunchError::Width { .. })), "{e}");
}

#[test]
fn memory_for_which_nobody_vouches_does_not_reach_the_device() {
    let Some(device) = device() else { return };
    let (stream, kernel) = (device.stream().unwrap(), device.load(ADD).unwrap().kernel(&add()).unwrap());
    let x = Buffer::from_slice(&stream, &[1f32, 2.0]).unwrap();
    let mut z = Buffer::<f32>::zeros(&stream, 2).unwrap();
    let foreign = || Arg::pointer(x.address(), 8, DataType::F32, false);
    let e = kernel.launch(&stream, &[(&x).into(), foreign(), (&mut z).into(), 2u32.into()]).unwrap_err();
    assert_eq!(e, DeviceError::Foreign { name: "y".into() });
    // SAFETY: x lives
    let vouched = unsafe { foreign().on(&device) };
    kernel.launch(&stream, &[(&x).into(), vouched, (&mut z).into(), 2u32.into()]).unwrap();
    assert_eq!(z.download(&stream).unwrap(), [2.0, 4.0]);
}

#[test]
fn buffers_may_be_dropped_while_kernels_use_them() {
    let Some(device) = device() else { return };
    let (stream, kernel) = (device.stream().unwrap(), device.load(ADD).unwrap().kernel(&add()).unwrap());
    let n = 1 << 22;
    let mut z = Buffer::<f32>::zeros(&stream, n).unwrap();
    for round in 0..8 {
        let x = Buffer::from_slice(&stream, &vec![round as f32; n]).unwrap();
        for _ in 0..16 {
            kernel.launch(&stream, &[(&x).into(), (&x).into(), (&mut z).into(), (n as u32).into()]).unwrap();
        }
        drop(x);
        // the memory of x, if it were free already
        let other = Buffer::from_slice(&device.stream().unwrap(), &vec![-1f32; n]).unwrap();
        assert_eq!(z.download(&stream).unwrap(), vec![2.0 * round as f32; n]);
        drop(other);
    }
}

/// What a graph holds would run later, when its buffers may be gone.
#[test]
fn nothing_is_given_to_a_stream_while_a_graph_is_captured_from_it() {
    use cudarc::driver::sys::CUgraphInstantiate_flags as Flags;
    use cudarc::driver::sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as RELAXED;
    let Some(device) = device() else { return };
    let (stream, kernel) = (device.stream().unwrap(), device.load(ADD).unwrap().kernel(&add()).unwrap());
    let mut x = Buffer::<f32>::zeros(&stream, 4).unwrap();
    let mut y = Buffer::<f32>::zeros(&stream, 4).unwrap();
    stream.cudarc().begin_capture(RELAXED).unwrap();
    let refused = [
        x.upload(&stream, 0, &[1.0]).unwrap_err(),
        x.download(&stream).unwrap_err(),
        x.fill(&stream, 1.0).unwrap_err(),
        x.copy_from(&stream, &y).unwrap_err(),
        kernel.launch(&stream, &[(&x).into(), (&x).into(), (&mut y).into(), 4u32.into()]).unwrap_err(),
    ];
    let _ = stream.cudarc().end_capture(Flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    assert_eq!(refused, [(); 5].map(|()| DeviceError::Capturing));
    kernel.launch(&stream, &[(&x).into(), (&x).into(), (&mut y).into(), 4u32.into()]).unwrap();
    assert_eq!(y.download(&stream).unwrap(), [0.0; 4]);
}

#[test]
fn the_time_to_an_earlier_event_is_an_error() {
    let Some(device) = device() else { return };
    let stream = device.stream().unwrap();
    let first = stream.record().unwrap();
    let mut x = Buffer::<f32>::new(&device, 1 << 24).unwrap();
    x.fill(&stream, 1.0).unwrap();
    let second = stream.record().unwrap();
    assert!(second.since(&first).is_ok());
    assert!(matches!(first.since(&second), Err(DeviceError::Earlier { .. })));
}

#[test]
fn a_text_is_compiled_once_for_all_threads() {
    let Some(device) = device() else { return };
    let all: Vec<Module> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..8).map(|_| s.spawn(|| device.load(ADD).unwrap())).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(all.iter().all(|m| m.kernel(&add()).is_ok()));
}

#[test]
fn tensor_maps_are_encoded_on_any_thread_and_swapped_ones_refused() {
    let Some(device) = hopper() else { return };
    let map = |extents: &[u32]| TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), extents).unwrap();
    let buffer = Buffer::<f32>::new(&device, 64 * 64).unwrap();
    let (a, b) = (map(&[16, 32]), map(&[32, 16]));
    let encoded = std::thread::scope(|s| s.spawn(|| b.encode(&buffer, 0).unwrap()).join().unwrap());
    let out = |name| Param::pointer(name, DataType::F32, Usage::Write);
    let load = Launch {
        entry: "load2".into(),
        params: [Param::tensor_map("map", &a, Usage::Read), out("out")]
            .into_iter()
            .chain(["c0", "c1"].map(|name| Param::number(name, DataType::S32)))
            .chain(["bytes", "copied"].map(|name| Param::number(name, DataType::U32)))
            .collect(),
        block: [128, 1, 1],
        dynamic_shared: 32 << 10,
        ..Launch::default()
    };
    let stream = device.stream().unwrap();
    let kernel = device.load(include_str!("ptx/tma.ptx")).unwrap().kernel(&load).unwrap();
    let mut out = Buffer::<f32>::zeros(&stream, 512).unwrap();
    let args = [(&encoded).into(), (&mut out).into(), 0i32.into(), 0i32.into(), 2048u32.into(), 2048u32.into()];
    let e = kernel.launch(&stream, &args).unwrap_err();
    assert!(matches!(e, DeviceError::Launch(LaunchError::Tensor { what: "box", .. })), "{e}");
}

#[test]
fn a_description_that_is_not_the_kernels_is_refused() {
    let Some(device) = device() else { return };
    let module = device.load(ADD).unwrap();
    let mut short = add();
    short.params.pop();
    short.grid[0] = 1.into();
    short.params.iter_mut().for_each(|p| *p = Param::pointer(p.name(), DataType::F32, Usage::Read));
    let e = module.kernel(&short).unwrap_err();
    assert_eq!(e, DeviceError::Signature { entry: "add".into(), got: vec![8, 8, 8, 4], expected: vec![8, 8, 8] });
    let e = module.kernel(&Launch { entry: "sub".into(), ..add() }).unwrap_err();
    assert_eq!(e, DeviceError::NoEntry { entry: "sub".into() });
    let e = module.kernel(&Launch { dynamic_shared: 1 << 20, ..add() }).unwrap_err();
    assert!(matches!(e, DeviceError::Launch(LaunchError::Shared { .. })), "{e}");
}

fn fills<T: Element + PartialEq + std::fmt::Debug>(stream: &Stream, value: T) {
    for n in [0, 1, 3, 1000] {
        let mut buffer = Buffer::zeros(stream, n).unwrap();
        buffer.fill(stream, value).unwrap();
        assert_eq!(buffer.download(stream).unwrap(), vec![value; n]);
    }
}

#[test]
fn buffers_are_filled_with_elements_of_every_width() {
    let Some(device) = device() else { return };
    let stream = device.stream().unwrap();
    fills(&stream, 0x81u8);
    fills(&stream, -2i8);
    fills(&stream, 0x8123u16);
    fills(&stream, -2i16);
    fills(&stream, 0x81234567u32);
    fills(&stream, -2i32);
    fills(&stream, 0x8123456789abcdefu64);
    fills(&stream, -2i64);
    fills(&stream, f16::from_f32(-1.5));
    fills(&stream, bf16::from_f32(-1.5));
    fills(&stream, 0.1f32);
    fills(&stream, 0.1f64);
}

#[test]
fn buffers_become_copies_of_others() {
    let Some(device) = device() else { return };
    let stream = device.stream().unwrap();
    let x = Buffer::from_slice(&stream, &[0.5f64, 1.5, -2.5]).unwrap();
    let mut y = Buffer::zeros(&stream, 3).unwrap();
    y.copy_from(&stream, &x).unwrap();
    assert_eq!(y.download(&stream).unwrap(), [0.5, 1.5, -2.5]);
    let long = Buffer::<f64>::zeros(&stream, 4).unwrap();
    assert_eq!(y.copy_from(&stream, &long), Err(DeviceError::Range { start: 0, end: 3, len: 4 }));
}

#[test]
fn ranges_beyond_a_buffer_are_refused() {
    let Some(device) = device() else { return };
    let stream = device.stream().unwrap();
    let mut x = Buffer::from_slice(&stream, &[1u32, 2, 3]).unwrap();
    let e = DeviceError::Range { start: 2, end: 4, len: 3 };
    assert_eq!(x.upload(&stream, 2, &[0, 0]), Err(e.clone()));
    assert_eq!(x.download_range(&stream, 2..4), Err(e.clone()));
    assert_eq!(x.arg(2..4).unwrap_err(), e);
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = x.download_range(&stream, 2..1);
    assert!(matches!(reversed, Err(DeviceError::Range { start: 2, end: 1, .. })));
    assert!(matches!(x.upload(&stream, usize::MAX, &[0]), Err(DeviceError::Range { .. })));
    x.upload(&stream, 3, &[]).unwrap();
    assert_eq!(x.download_range(&stream, 1..3).unwrap(), [2, 3]);
}

#[test]
fn too_much_memory_is_an_error() {
    let Some(device) = device() else { return };
    let (_, total) = device.memory().unwrap();
    assert!(matches!(Buffer::<u8>::new(&device, total * 2), Err(DeviceError::OutOfMemory { .. })));
    assert!(matches!(Buffer::<u64>::new(&device, usize::MAX / 4), Err(DeviceError::TooLarge { .. })));
}

#[test]
fn kernels_have_100_kib_of_dynamic_shared_memory() {
    let machine = Machine::new(80);
    let n = 25600;
    let reverse = Launch {
        entry: "reverse".into(),
        params: vec![Param::pointer("out", DataType::U32, Usage::Write).holding((4 * n).into())],
        block: [256, 1, 1],
        dynamic_shared: 100 << 10,
        ..Launch::default()
    };
    let module = include_str!("ptx/reverse.ptx").parse().unwrap();
    let kernel = machine.kernel(&module, &reverse);
    // the same function with less: the first keeps what it asked for
    machine.kernel(&module, &Launch { dynamic_shared: 60 << 10, ..reverse });
    let mut out = machine.buffer(&vec![0u32; n as usize]);
    kernel.launch(vec![out.all_mut()]).unwrap();
    assert_eq!(out.download(), (0..n as u32).rev().collect::<Vec<_>>());
}

#[test]
fn blocks_of_a_cluster_read_each_others_shared_memory() {
    let Some(device) = hopper() else { return };
    let partner = Launch {
        entry: "partner".into(),
        params: vec![Param::pointer("out", DataType::U32, Usage::Write).holding(32.into())],
        block: [32, 1, 1],
        cluster: [2, 1, 1],
        static_shared: 4,
        grid: [8.into(), 1.into(), 1.into()],
        ..Launch::default()
    };
    let stream = device.stream().unwrap();
    let module = device.load(include_str!("ptx/partner.ptx")).unwrap();
    let kernel = module.kernel(&partner).unwrap();
    let ptx = include_str!("ptx/partner.ptx").replacen("out)\n{", "out)\n.reqnctapercluster 4, 1, 1\n{", 1);
    let e = device.load(&ptx).unwrap().kernel(&partner).unwrap_err();
    assert_eq!(e, DeviceError::Cluster { entry: "partner".into(), got: [4, 1, 1], expected: [2, 1, 1] });
    let mut out = Buffer::<u32>::zeros(&stream, 8).unwrap();
    kernel.launch(&stream, &[(&mut out).into()]).unwrap();
    assert_eq!(out.download(&stream).unwrap(), [201, 200, 203, 202, 205, 204, 207, 206]);
}

/// Shared memory after the box at `at` of a tensor with this data was brought there.
fn brings<const R: usize>(
    device: &Device,
    map: &TensorMap,
    data: &[f32],
    at: [i32; R],
) -> Result<Vec<f32>, DeviceError> {
    let copied = 4 * (map.shared().unwrap().image_range().unwrap().1 as u32 + 1);
    let load = Launch {
        entry: format!("load{R}"),
        params: [
            Param::tensor_map("map", map, Usage::Read),
            Param::pointer("out", DataType::F32, Usage::Write).holding(expr("copied")),
        ]
        .into_iter()
        .chain((0..R).map(|d| Param::number(format!("c{d}"), DataType::S32)))
        .chain(["bytes", "copied"].map(|name| Param::number(name, DataType::U32)))
        .collect(),
        block: [128, 1, 1],
        dynamic_shared: 32 << 10,
        ..Launch::default()
    };
    let stream = device.stream().unwrap();
    let kernel = device.load(include_str!("ptx/tma.ptx")).unwrap().kernel(&load).unwrap();
    let global = Buffer::from_slice(&stream, data).unwrap();
    let mut out = Buffer::<f32>::zeros(&stream, copied as usize / 4).unwrap();
    let encoded = map.encode(&global, 0).unwrap();
    let mut args: Vec<Arg> = vec![(&encoded).into(), (&mut out).into()];
    args.extend(map.order().iter().map(|mode| Arg::from(at[*mode])));
    args.extend([Arg::from(map.box_bytes() as u32), copied.into()]);
    kernel.launch(&stream, &args)?;
    out.download(&stream)
}

/// Brings the box at `at` of the tensor with this layout, and compares shared memory with what the map says of it.
fn loads_box<const R: usize>(device: &Device, map: &TensorMap, tensor: &Layout, at: [i32; R]) {
    println!("{map:?} at {at:?}");
    let data: Vec<f32> = (0..tensor.cosize().unwrap()).map(|i| 1.0 + i as f32).collect();
    let shared = map.shared().unwrap();
    let got = brings(device, map, &data, at).unwrap_or_else(|e| panic!("{map:?} at {at:?}: {e}"));
    // of mode m: its extent in the tensor, its elements in the box, their distance
    let mut modes = [(0, 0, 0); R];
    for (d, m) in map.order().iter().enumerate() {
        // the engine ignores the step of the contiguous mode
        let (extent, step) = (i64::from(map.extents()[d]), if d == 0 { 1 } else { i64::from(map.steps()[d]) });
        modes[*m] = (map.dims()[d] as i64, (extent + step - 1) / step, step);
    }
    for i in 0..shared.size().unwrap() {
        let (mut rest, mut c, mut inside) = (i, [0; R], true);
        for (m, (extent, count, step)) in modes.iter().enumerate() {
            c[m] = i64::from(at[m]) + rest % count * step;
            inside &= (0..*extent).contains(&c[m]);
            rest /= count;
        }
        let want = if inside { data[tensor.at_coord(c).unwrap() as usize] } else { 0.0 };
        assert_eq!(got[shared.at(i).unwrap() as usize], want, "{map:?} at {at:?}: {c:?}");
    }
}

#[test]
fn boxes_lie_in_shared_memory_as_the_tensor_map_says() {
    let Some(device) = hopper() else { return };
    let rows = layout!((96,72):(80,1));
    for (swizzle, columns) in [("S<0,4,3>", 64), ("S<1,2,3>", 8), ("S<2,2,3>", 16), ("S<3,2,3>", 32), ("S<3,2,3>", 16)]
    {
        let map = TensorMap::new(DataType::F32, &rows, &[16, columns]).unwrap();
        let map = map.swizzled(&swizzle.parse().unwrap()).unwrap();
        // within, over both edges, before the beginning, beyond the end
        for at in [[16, 8], [88, 64], [-3, -4], [200, 400]] {
            loads_box(&device, &map, &rows, at);
        }
    }
    let columns = layout!((96,72):(1,100));
    let map =
        TensorMap::new(DataType::F32, &columns, &[32, 12]).unwrap().swizzled(&"S<3,2,3>".parse().unwrap()).unwrap();
    loads_box(&device, &map, &columns, [4, 66]);
    loads_box(&device, &map.every(&[1, 3]).unwrap(), &columns, [4, 7]);
    loads_box(&device, &map.every(&[2, 1]).unwrap(), &columns, [4, 7]);
    let cube = layout!((8,6,40):(240,40,1));
    let map = TensorMap::new(DataType::F32, &cube, &[4, 3, 16]).unwrap().filling(Fill::Zero).unwrap();
    loads_box(&device, &map, &cube, [6, 1, 12]);
}

/// The rule of [`TensorMap::coordinate_multiple`]: nothing on the host sees the coordinates, so the engine's answer is a fault.
#[test]
fn a_box_that_begins_between_16_bytes_stops_the_kernel() {
    let Some(device) = hopper() else { return };
    if !apart("a_box_that_begins_between_16_bytes_stops_the_kernel") {
        return;
    }
    let map = TensorMap::new(DataType::F32, &layout!((96,72):(80,1)), &[16, 32]).unwrap();
    assert_eq!(map.coordinate_multiple(), 4);
    let data = vec![1.0; 96 * 80];
    assert!(brings(&device, &map, &data, [1, 4]).is_ok());
    assert!(matches!(brings(&device, &map, &data, [1, 2]), Err(DeviceError::Fault { .. })));
}

#[test]
fn rows_shorter_than_the_swizzle_are_as_far_apart_as_its_span() {
    let Some(device) = hopper() else { return };
    let rows = layout!((96,72):(80,1));
    for (swizzle, columns) in [("S<1,2,3>", 4), ("S<2,2,3>", 4), ("S<3,2,3>", 16), ("S<3,2,3>", 20)] {
        let map = TensorMap::new(DataType::F32, &rows, &[16, columns]).unwrap();
        loads_box(&device, &map.swizzled(&swizzle.parse().unwrap()).unwrap(), &rows, [16, 8]);
    }
}

#[test]
fn ptx_errors_show_the_log_and_the_line() {
    let Some(device) = device() else { return };
    let e = device.load(&ADD.replace("add.rn.f32", "add.rn.f33")).unwrap_err();
    println!("{e}");
    let DeviceError::Ptx { log, lines } = &e else { panic!("{e:?}") };
    assert!(!log.is_empty());
    assert!(lines.iter().any(|(_, text)| text.contains("add.rn.f33")), "{lines:?}");
    assert!(e.to_string().contains("| add.rn.f33"));
    assert!(matches!(device.load("no PTX at all"), Err(DeviceError::Ptx { .. })));
    assert!(matches!(device.load(".version 8.0\n\0"), Err(DeviceError::Ptx { .. })));
    // the device still works
    device.load(ADD).unwrap();
}

/// Whether this process is the test's own. If not, the test has run in one: after a fault the device is lost to all of a process.
fn apart(test: &str) -> bool {
    const APART: &str = "GIRIH_TEST_APART";
    if std::env::var_os(APART).is_some() {
        return true;
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(APART, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success(), "{text}");
    println!("{text}");
    false
}

#[test]
fn a_kernel_that_traps_is_a_typed_error() {
    let Some(device) = device() else { return };
    if !apart("a_kernel_that_traps_is_a_typed_error") {
        return;
    }
    let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f() { trap; }";
    let kernel = device.load(ptx).unwrap().kernel(&Launch { entry: "f".into(), ..Launch::default() }).unwrap();
    let stream = device.stream().unwrap();
    let buffer = Buffer::<u8>::zeros(&stream, 100).unwrap();
    kernel.launch(&stream, &[]).unwrap();
    let e = stream.synchronize().unwrap_err();
    println!("{e}");
    assert!(matches!(e, DeviceError::Fault { .. }), "{e:?}");
    assert!(matches!(buffer.download(&stream), Err(DeviceError::Fault { .. })));
    drop(buffer);
    assert!(kernel.launch(&stream, &[]).is_err());
}
