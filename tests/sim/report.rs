//! What a run counts, against what the facts about the hardware predict for the layouts that the addresses come from.

use girih::gpu::facts::{Access, banks, sectors};
use girih::gpu::ptx::Module;
use girih::gpu::sim::{Buffer, Checks, Grid, Kind, Line, Report, Simulation};
use girih::prelude::*;

/// One warp; each thread accesses the places that a table names for it, one after the other.
fn kernel(instruction: &str, accesses: usize) -> Module {
    let body: String = (0..accesses)
        .map(|v| {
            format!("ld.global.u32 %o, [%t+{}]; cvt.u64.u32 %p, %o; add.u64 %p, %p, %b; {instruction};\n", 128 * v)
        })
        .collect();
    let shared = instruction.contains("shared");
    let base = if shared { "mov.u64 %b, tile;" } else { "ld.param.u64 %b, [x];" };
    let text = format!(
        ".version 7.0 .target sm_80 .address_size 64
         .visible .entry f(.param .u64 x, .param .u64 table) {{
             .reg .b32 %o, %i, %r<4>; .reg .b64 %b, %p, %t, %q, %d<2>;
             .shared .align 1024 .b8 tile[32768];
             mov.u32 %i, %tid.x;
             ld.param.u64 %q, [table];
             mad.wide.u32 %t, %i, 4, %q;
             mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u64 %d0, 0; mov.u64 %d1, 0;
             {base}
             {body}
         }}"
    );
    Module::parse(&text).unwrap()
}

/// The lines of the accesses to memory that is not the table.
fn run(instruction: &str, offsets: &[u32]) -> Vec<Line> {
    let module = kernel(instruction, offsets.len() / 32);
    let (mut x, table) = (Buffer::<u8>::new(1 << 15), Buffer::from_slice(offsets));
    // what is loaded does not matter, nor who stores where
    let checks = Checks { memory: false, races: false, ..Checks::default() };
    let simulation = Simulation::new(&module).unwrap().checks(checks);
    let report = simulation.run(Grid::new(1, 32), &[x.arg_mut(), table.arg()]).unwrap();
    let wanted = |l: &Line| l.site.instruction.starts_with(instruction.split(' ').next().unwrap());
    report.lines.into_iter().filter(wanted).collect()
}

/// Bytes from the start, access by access, of a thread-value layout whose accesses are `step` values wide.
fn offsets(size: i64, at: impl Fn(i64) -> i64, step: usize, bytes: i64) -> Vec<u32> {
    let starts = (0..size / 32).step_by(step);
    starts.flat_map(|v| (0..32).map(move |t| t + 32 * v)).map(|i| (at(i) * bytes) as u32).collect()
}

fn wavefronts(lines: &[Line]) -> (u64, u64) {
    (lines.iter().map(|l| l.wavefronts).sum(), lines.iter().map(|l| l.ideal).sum())
}

#[test]
fn wavefronts_of_shared_memory_are_those_of_the_layout() {
    // f32 or f16 tiles: rows, columns, padded, swizzled, broadcast; accesses of 4, 8 and 16 bytes
    let cases = [
        ("32:1", "", 1),
        ("32:32", "", 1),
        ("32:33", "", 1),
        ("32:32", "S<5,0,5>", 1),
        ("((4,8),1):((1,36),0)", "", 1),
        ("32:0", "", 1),
        ("(32,4):(4,1)", "", 4),
        ("((8,4),4):((64,4),1)", "", 4),
        ("((8,4),4):((64,4),1)", "S<3,2,4>", 4),
        ("(32,2):(2,1)", "", 2),
        ("((16,2),2):((0,2),1)", "", 2),
        ("((2,16),2):((0,2),1)", "", 2),
    ];
    for (layout, swizzle, wide) in cases {
        let l: Layout = layout.parse().unwrap();
        let bytes = 4 * wide;
        let (of, load, store) = match swizzle {
            "" => {
                let facts = |access| banks(&l, 32, access).unwrap();
                let of = offsets(l.size().unwrap(), |i| l.at(i).unwrap(), wide, 4);
                (of, facts(Access::Load(bytes)), facts(Access::Store(bytes)))
            }
            _ => {
                let c = l.swizzled(&swizzle.parse().unwrap()).unwrap();
                let facts = |access| banks(&c, 32, access).unwrap();
                let of = offsets(c.size().unwrap(), |i| c.at(i).unwrap(), wide, 4);
                (of, facts(Access::Load(bytes)), facts(Access::Store(bytes)))
            }
        };
        let vector = ["", "%r0", "{%r0, %r1}", "", "{%r0, %r1, %r2, %r3}"][wide];
        let suffix = ["", "u32", "v2.u32", "", "v4.u32"][wide];
        let loads = run(&format!("ld.shared.{suffix} {vector}, [%p]"), &of);
        assert_eq!(wavefronts(&loads), (load.wavefronts() as u64, load.ideal() as u64), "{swizzle} {layout}, load");
        let stores = run(&format!("st.shared.{suffix} [%p], {vector}"), &of);
        assert_eq!(wavefronts(&stores), (store.wavefronts() as u64, store.ideal() as u64), "{swizzle} {layout}, store");
        assert!(loads.iter().all(|l| (l.kind, l.bytes) == (Kind::Shared, 32 * bytes as u64)));
    }
}

#[test]
fn wavefronts_of_ldmatrix_are_those_of_the_layout() {
    let rows: Layout = "((16,2),8):((64,8),1)".parse().unwrap();
    let swizzled = rows.swizzled(&"S<3,3,3>".parse().unwrap()).unwrap();
    let facts = [banks(&rows, 16, Access::Ldmatrix(4)), banks(&swizzled, 16, Access::Ldmatrix(4))];
    let starts = [offsets(32, |i| rows.at(i).unwrap(), 1, 2), offsets(32, |i| swizzled.at(i).unwrap(), 1, 2)];
    for (facts, starts) in facts.into_iter().zip(starts) {
        let facts = facts.unwrap();
        let lines = run("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%p]", &starts);
        assert_eq!(wavefronts(&lines), (facts.wavefronts() as u64, facts.ideal() as u64));
    }
}

#[test]
fn sectors_of_global_memory_are_those_of_the_layout() {
    for (layout, wide) in [
        ("32:1", 1),
        ("32:8", 1),
        ("32:3", 1),
        ("32:0", 1),
        ("(32,4):(4,1)", 4),
        ("(32,4):(8,1)", 4),
        ("(32,8):(8,1)", 4),
    ] {
        let l: Layout = layout.parse().unwrap();
        let of = offsets(l.size().unwrap(), |i| l.at(i).unwrap(), wide, 4);
        let instruction =
            if wide == 1 { "st.global.u32 [%p], %r0" } else { "st.global.v4.u32 [%p], {%r0, %r1, %r2, %r3}" };
        let lines = run(instruction, &of);
        let facts = sectors(&l, 32, 4 * wide).unwrap();
        let sums = (lines.iter().map(|l| l.sectors).sum::<u64>(), lines.iter().map(|l| l.used).sum::<u64>());
        assert_eq!(sums, (facts.sectors() as u64, facts.bytes() as u64), "{layout}");
    }
}

#[test]
fn a_copy_counts_in_both_memories() {
    let module = Module::parse(
        ".version 7.0 .target sm_80 .address_size 64
         .visible .entry f(.param .u64 x) {
             .reg .b32 %i, %s; .reg .b64 %x, %g;
             .shared .align 16 .b8 tile[512];
             mov.u32 %i, %tid.x;
             mov.u32 %s, tile;
             mad.lo.u32 %s, %i, 16, %s;
             ld.param.u64 %x, [x];
             mad.wide.u32 %g, %i, 16, %x;
             cp.async.cg.shared.global [%s], [%g], 16;
             cp.async.wait_all;
         }",
    )
    .unwrap();
    let x = Buffer::from_slice(&[0u8; 512]);
    let report = module.simulate(Grid::new(1, 32), &[x.arg()]).unwrap();
    let copy = &report.lines[5];
    assert_eq!((copy.kind, copy.mnemonic, copy.space), (Kind::Copy, "cp", Some("shared")));
    assert_eq!((copy.executions, copy.bytes, copy.sectors, copy.used), (1, 512, 16, 512));
    assert_eq!((copy.wavefronts, copy.ideal), (4, 4));
}

#[test]
fn instructions_are_of_the_kind_that_they_keep_busy() {
    let all = [
        ("add.u32 %r, %r, 1", Kind::Integer),
        ("setp.lt.s32 %p, %r, 1", Kind::Integer),
        ("lop3.b32 %r, %r, %r, %r, 1", Kind::Integer),
        ("fma.rn.f32 %f, %f, %f, %f", Kind::Float),
        ("setp.lt.f32 %p, %f, %f", Kind::Float),
        ("div.rn.f32 %f, %f, %f", Kind::Float),
        ("add.f64 %d, %d, %d", Kind::Double),
        ("add.f16x2 %r, %r, %r", Kind::Half),
        ("fma.rn.bf16 %h, %h, %h, %h", Kind::Half),
        ("ex2.approx.f32 %f, %f", Kind::Approximate),
        ("div.full.f32 %f, %f, %f", Kind::Approximate),
        ("cvt.rn.f16.f32 %h, %f", Kind::Conversion),
        ("mov.b32 %r, %f", Kind::Move),
        ("mov.u32 %r, %laneid", Kind::Move),
        ("selp.b32 %r, %r, %r, %p", Kind::Move),
        ("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r, %r1}, {%r}, {%r}, {%r, %r}", Kind::Tensor),
        ("st.shared.u32 [tile], %r", Kind::Shared),
        ("ld.const.u32 %r, [table]", Kind::Constant),
        ("st.local.u32 [own], %r", Kind::Local),
        ("st.u32 [%q], %r", Kind::Generic),
        ("atom.shared.add.u32 %r, [tile], 1", Kind::Atomic),
        ("bar.sync 0", Kind::Synchronization),
        ("membar.gl", Kind::Synchronization),
        ("cp.async.commit_group", Kind::Synchronization),
        ("shfl.sync.idx.b32 %r, %r, 0, 31, -1", Kind::Exchange),
        ("vote.sync.any.pred %p, %p, -1", Kind::Exchange),
        ("ret", Kind::Control),
    ];
    let text: String = all.iter().map(|(i, _)| format!("{i};\n")).collect();
    let module = Module::parse(&format!(
        ".version 7.8 .target sm_90 .address_size 64
         .const .u32 table = 1;
         .visible .entry f() {{
             .reg .b32 %r, %r1; .reg .f32 %f; .reg .f64 %d; .reg .b16 %h; .reg .pred %p; .reg .b64 %q;
             .shared .u32 tile; .local .u32 own;
             cvta.shared.u64 %q, tile;
             {text}
         }}"
    ))
    .unwrap();
    let checks = Checks { races: false, registers: false, memory: false, exited: false };
    let report = Simulation::new(&module).unwrap().checks(checks).run(Grid::new(1, 32), &[]).unwrap();
    for (line, (instruction, kind)) in report.lines[1..].iter().zip(all) {
        assert_eq!(line.kind, kind, "{instruction}");
    }
    assert_eq!(report.lines.len(), 1 + all.len());
    assert_eq!(report.by_kind().values().sum::<u64>(), report.instructions());
}

fn columns() -> Report {
    let (module, lines) = Module::parse_with_lines(
        ".version 7.0
.target sm_80
.address_size 64
.visible .entry columns(.param .u64 x)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    .shared .b32 tile[1024];
    ld.param.u64 %rd0, [x];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, tile;
    mad.lo.u32 %r2, %r0, 128, %r1;
    // a column of the tile
    st.shared.u32 [%r2], %r0;
    bar.sync 0;
    ld.shared.u32 %r3, [%r2];
    mad.wide.u32 %rd2, %r0, 8, %rd0;
    // every other word
    st.global.u32 [%rd2], %r3;
    ret;
}",
    )
    .unwrap();
    let mut x = Buffer::<u32>::new(64);
    Simulation::with_lines(&module, lines).unwrap().run(Grid::new(1, 32), &[x.arg_mut()]).unwrap()
}

#[test]
fn a_report_says_where_it_hurts() {
    let text = columns().to_string();
    let expected = "\
1 block, 10 instructions of warps, 320 of threads
global memory: 8 sectors, 256 B, 50.0 % used
shared memory: 64 wavefronts, 62 of them conflicts

instructions             warps   share  threads
  integer                    2  20.0 %     32.0
  move, select               2  20.0 %     32.0
  shared memory              2  20.0 %     32.0
  global memory              1  10.0 %     32.0
  constants, parameters      1  10.0 %     32.0
  synchronization            1  10.0 %     32.0
  control                    1  10.0 %     32.0

memory           requests  bytes  sectors    used  wavefronts  conflicts
  global stores         1  128 B        8  50.0 %
  shared loads          1  128 B                           32         31
  shared stores         1  128 B                           32         31

costliest lines    cost  warps  threads  sectors    used  wavefronts  conflicts
";
    assert_eq!(&text[..expected.len()], expected);
    let lines: Vec<&str> = text[expected.len()..].lines().collect();
    let first = "  line 14        40.2 %      1     32.0                           32         31  \
                 st.shared.u32 [%r2], %r0 // a column of the tile";
    assert_eq!(lines[0], first);
    assert!(lines[2].starts_with("  line 19        11.0 %      1     32.0        8  50.0 %"), "{}", lines[2]);
    assert!(lines[3].starts_with("  line 10 ") && lines[3].ends_with("  mov.u32 %r0, %tid.x, 1 alike"), "{}", lines[3]);
    assert_eq!(lines.len(), 9);
}

#[test]
fn a_report_names_the_source_that_the_kernel_was_compiled_from() {
    let text = std::fs::read_to_string("tests/data/ptx/cuda/softmax.ptx").unwrap();
    let module = Module::parse(&text).unwrap();
    let (x, mut y) = (Buffer::from_slice(&[1f32; 847]), Buffer::<f32>::new(847));
    let args = [x.arg(), y.arg_mut(), 11u32.into(), 77u32.into()];
    let report = module.simulate(Grid::new(3, [32, 4]), &args).unwrap().to_string();
    assert!(report.contains("\n  softmax.cu:12 ") && !report.contains("\n  line "), "{report}");
}
