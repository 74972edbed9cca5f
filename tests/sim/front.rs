//! What is refused before a kernel runs, where its variables are, and what its operands come to.

use girih::gpu::launch::{Arg, DataType};
use girih::gpu::ptx::{Function, Instruction, Item, Module, Operand, Reg, Space, Statement, Target, Type, Variable};
use girih::gpu::sim::{Buffer, Fault, FaultKind, Grid, SimError, Simulation};

const REGISTERS: &str = ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;";

/// A module with a kernel `f(x)` of these statements, which has the address of its argument in `%rd0` and `%tid.x` in `%r0`.
fn module(items: &str, body: &str) -> Module {
    let text = format!(
        ".version 7.8 .target sm_90 .address_size 64 {items}
         .visible .entry f(.param .u64 x) {{ {REGISTERS} ld.param.u64 %rd0, [x]; mov.u32 %r0, %tid.x; {body} }}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Launches it with a buffer: what comes back, and what nothing has written.
fn run(module: &Module, grid: Grid, buffer: &mut Buffer<u32>) -> Result<(), SimError> {
    Simulation::new(module)?.run(grid, &[buffer.arg_mut()]).map(drop)
}

/// The words that one thread leaves in a buffer that was zero.
fn words<const N: usize>(items: &str, body: &str) -> [u32; N] {
    let mut buffer = Buffer::from_slice(&[0; N]);
    run(&module(items, body), Grid::new(1, 1), &mut buffer).unwrap_or_else(|e| panic!("{e}"));
    buffer.to_vec().unwrap().try_into().unwrap()
}

/// The first fault of a warp that gets 64 words of zeros.
fn fault(grid: Grid, items: &str, body: &str) -> Fault {
    let e = run(&module(items, body), grid, &mut Buffer::from_slice(&[0; 64])).unwrap_err();
    let SimError::Faults(report) = e else { panic!("{e}") };
    report.faults[0].clone()
}

fn nothing() -> Module {
    module("", "ret;")
}

#[test]
fn grids_and_blocks_that_no_device_takes_are_refused() {
    let launch = |module: &Module, grid: Grid| run(module, grid, &mut Buffer::new(1));
    let limit = [i32::MAX as u32, 65535, 65535];
    for blocks in [[1 << 22, 1 << 21, 1 << 21], [0, 1, 1], [1, 1, 0], [1, 65536, 1], [1 << 31, 1, 1]] {
        assert_eq!(launch(&nothing(), Grid::new(blocks, 32)), Err(SimError::Grid { blocks, limit }));
    }
    for threads in [[1, 1, 65], [0, 1, 1], [1025, 1, 1], [32, 33, 1], [u32::MAX; 3]] {
        let e = launch(&nothing(), Grid::new(1, threads));
        assert_eq!(e, Err(SimError::Block { threads, allowed: [1024, 1, 1] }));
    }
    assert_eq!(launch(&nothing(), Grid::new([2, 3, 4], [2, 2, 64])), Ok(()));
    let text = ".version 7.0 .target sm_80 .address_size 64
                .visible .entry f(.param .u64 x) .maxntid 4294967295, 4294967295, 4294967295 { ret; }";
    if let Ok(module) = Module::parse(text) {
        assert_eq!(launch(&module, Grid::new(1, 32)), Ok(()));
    }
}

#[test]
fn shared_memory_is_that_of_the_kernel_without_gaps() {
    let two = |bytes: u32| {
        let kernel = |name: &str| {
            format!(".visible .entry {name}() {{ .shared .b8 s{name}[{bytes}]; st.shared.u8 [s{name}], 1; ret; }}")
        };
        let text = format!(".version 7.0 .target sm_80 .address_size 64 {} {}", kernel("f"), kernel("g"));
        let module = Module::parse(&text).unwrap();
        Simulation::new(&module).unwrap().entry("g").run(Grid::new(1, 1).shared(7 << 10), &[]).map(drop)
    };
    assert_eq!(two(220 << 10), Ok(()));
    let (bytes, limit) = (228 << 10, 227 << 10);
    assert_eq!(two(221 << 10), Err(SimError::Shared { bytes, limit }));
    let grid = Grid::new(1, 1).shared(bytes as u32);
    assert_eq!(run(&nothing(), grid, &mut Buffer::new(1)), Err(SimError::Shared { bytes, limit }));
    let items = ".shared .b8 s[100]; .extern .shared .b8 d[];";
    let total = "mov.u32 %r1, s; st.shared.u8 [%r1], 0; mov.u32 %r1, %total_smem_size; st.global.u32 [%rd0], %r1;";
    assert_eq!(words::<1>(items, total), [128]);
}

#[test]
fn dynamic_shared_memory_begins_after_all_variables_and_as_aligned_as_it_says() {
    let text = ".version 7.0 .target sm_80 .address_size 64
        .extern .shared .align 1024 .b8 d[];
        .visible .entry f(.param .u64 x) {
            .reg .b32 %r<4>; .reg .b64 %rd<2>;
            .shared .align 8192 .b8 s[4];
            ld.param.u64 %rd0, [x];
            st.shared.u32 [s], 1;
            st.shared.u32 [d], 2;
            mov.u32 %r0, d;
            ld.shared.u32 %r1, [s];
            ld.shared.u32 %r2, [d];
            st.global.u32 [%rd0], %r0;
            st.global.u32 [%rd0+4], %r1;
            st.global.u32 [%rd0+8], %r2;
            ret;
        }
        .shared .align 16 .b8 t[16384];";
    let mut x = Buffer::<u32>::new(3);
    run(&Module::parse(text).unwrap(), Grid::new(1, 1).shared(64), &mut x).unwrap();
    let [d, one, two] = x.to_vec().unwrap().try_into().unwrap();
    assert_eq!((d % 1024, one, two), (0, 1, 2));
}

#[test]
fn braces_of_initial_values_begin_elements() {
    let copy = |from: &str, words: usize, space: &str| -> String {
        let word = |i| format!("ld.{space}.u32 %r1, [{from}+{}]; st.global.u32 [%rd0+{}], %r1;", 4 * i, 4 * i);
        (0..words).map(word).collect()
    };
    for space in ["global", "const"] {
        let of = |declared: &str| words::<6>(&format!(".{space} {declared};"), &copy("v", 6, space));
        assert_eq!(of(".u32 v[3][2] = {{1}, {2, 3}}"), [1, 0, 2, 3, 0, 0]);
        assert_eq!(of(".u32 v[3][2] = {1, 2, 3}"), [1, 2, 3, 0, 0, 0]);
        assert_eq!(of(".u32 v[1][3][2] = {{{1}, {2}, {3}}}"), [1, 0, 2, 0, 3, 0]);
        assert_eq!(of(".u32 v[][2] = {{1}, {2}, {3}}"), [1, 0, 2, 0, 3, 0]);
        assert_eq!(of(".u32 v[] = {1, 2, 3, 4, 5, 6}"), [1, 2, 3, 4, 5, 6]);
        assert_eq!(of(".v2 .u32 v[3] = {{1, 2}, {3}, {5, 6}}"), [1, 2, 3, 0, 5, 6]);
        assert_eq!(of(".u16 v[12] = {1, 2, -1}"), [0x2_0001, 0xffff, 0, 0, 0, 0]);
    }
    let beyond = "ld.global.u32 %r1, [v+12];";
    assert_eq!(fault(Grid::new(1, 1), ".global .u32 v[] = {1, 2, 3};", beyond).kind, FaultKind::OutOfBounds);
}

#[test]
fn variables_without_room_are_refused_and_large_ones_take_no_memory() {
    let variable =
        |space, dims: Vec<Option<u64>>, align| Variable { align, dims, ..Variable::new(space, Type::B8, "v") };
    let huge = [
        (vec![Some(u64::from(u32::MAX))], None),
        (vec![Some(4), Some(u64::MAX)], None),
        (vec![Some(1 << 32)], None),
        (vec![Some(4)], Some(1 << 31)),
        (vec![Some(4)], Some(u32::MAX)),
    ];
    for (dims, align) in huge {
        for space in [Space::Local, Space::Shared, Space::Const, Space::Param] {
            let [one, v] = [variable(space, vec![Some(4)], None), variable(space, dims.clone(), align)];
            let one = Variable { name: "one".into(), ..one };
            let (mut module, mut f) = (Module::new(Target::SM_80), Function::entry("f"));
            match space {
                Space::Param => f.params = vec![one, v],
                _ => f.body = Some(vec![Statement::Variable(one), Statement::Variable(v)]),
            }
            module.items.push(Item::Function(f.into()));
            let got = Simulation::new(&module).err();
            assert!(
                matches!(&got, Some(SimError::Variable { name, .. }) if name == "v"),
                "{space:?} {align:?} {got:?}"
            );
        }
    }
    let far = "st.global.u8 [v+4294967294], 7; ld.global.u8 %r1, [v+2147483648]; st.global.u32 [%rd0], %r1;";
    assert_eq!(words::<1>(".global .b8 v[4294967295];", far), [0]);
}

#[test]
fn clusters_of_several_blocks_are_refused() {
    let module = |directives: &str| {
        let text = format!(
            ".version 8.6 .target sm_90 .address_size 64
             .visible .entry rank(.param .u64 x) {directives} {{
                 .reg .b32 %r<2>; .reg .b64 %rd<2>;
                 ld.param.u64 %rd0, [x];
                 mov.u32 %r0, %cluster_ctarank;
                 st.global.u32 [%rd0], %r0;
                 ret;
             }}"
        );
        Module::parse(&text).unwrap()
    };
    let simulate = |directives: &str| module(directives).simulate(Grid::new(1, 1), &[Buffer::<u32>::new(1).arg_mut()]);
    for (directives, blocks) in [
        (".explicitcluster .reqnctapercluster 2, 1, 1", [2, 1, 1]),
        (".reqnctapercluster 1, 2, 1", [1, 2, 1]),
        (".explicitcluster", [0; 3]),
    ] {
        assert_eq!(simulate(directives).unwrap_err(), SimError::Cluster { blocks }, "{directives}");
    }
    simulate("").unwrap();
    simulate(".reqnctapercluster 1, 1, 1").unwrap();
}

#[test]
fn a_register_that_the_function_does_not_have_is_refused() {
    for (id, ty) in [(7, Type::B32), (0, Type::B64)] {
        let (mut module, mut f) = (Module::new(Target::SM_80), Function::entry("f"));
        f.registers.push(girih::gpu::ptx::Register { name: "%r0".into(), ty: Type::B32 });
        let to = Operand::Reg(Reg { id, ty });
        let opcode = if ty == Type::B32 { "mov.b32" } else { "mov.b64" };
        let mov = Instruction::spelled(opcode, vec![to, Operand::Int(1)]).unwrap();
        f.body = Some(vec![Statement::Instruction(mov)]);
        module.items.push(Item::Function(f.into()));
        let e = Simulation::new(&module).unwrap().run(Grid::new(1, 1), &[]).unwrap_err();
        assert!(matches!(e, SimError::Unsupported { .. }), "{e}");
    }
}

#[test]
fn arguments_beyond_all_memory_are_refused() {
    let mut x = Buffer::<u32>::new(4);
    let beyond = Arg::pointer(x.address(), u64::MAX, DataType::U32, true);
    let e = Simulation::new(&nothing()).unwrap().run(Grid::new(1, 1), &[beyond]).unwrap_err();
    assert_eq!(e, SimError::ForeignMemory { index: 0, address: x.address() });
    assert_eq!(Buffer::<u64>::new(usize::MAX).len(), 1 << 37);
    let many = Simulation::new(&nothing()).unwrap().threads(1_000_000).run(Grid::new(2, 32), &[x.arg_mut()]);
    assert!(many.is_ok());
}

#[test]
fn the_scope_of_a_cluster_is_one_block() {
    let store = |scope| format!("st.relaxed.{scope}.global.u32 [%rd0], 1;");
    assert_eq!(fault(Grid::new(2, 1), "", &store("cluster")).kind, FaultKind::Race);
    assert_eq!(run(&module("", &store("gpu")), Grid::new(2, 1), &mut Buffer::new(1)), Ok(()));
    assert_eq!(run(&module("", &store("cluster")), Grid::new(1, 64), &mut Buffer::new(1)), Ok(()));
}

#[test]
fn shared_addresses_are_not_cut_unless_their_register_is() {
    let items = ".shared .align 16 .b8 s[128];";
    let grid = Grid::new(1, 1);
    let generic = "mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; st.shared.u32 [%rd2], 1;";
    assert_eq!(fault(grid, items, generic).kind, FaultKind::OutOfBounds);
    let high = "mov.u64 %rd1, s; add.s64 %rd1, %rd1, 4294967296; st.shared.u32 [%rd1], 1;";
    assert_eq!(fault(grid, items, high).kind, FaultKind::OutOfBounds);
    let wraps = "mov.u32 %r1, s; sub.u32 %r1, %r1, 8; st.shared.u32 [%r1+8], 5;
                 ld.shared.u32 %r2, [s]; st.global.u32 [%rd0], %r2;";
    assert_eq!(words::<1>(items, wraps), [5]);
}

#[test]
fn a_matrix_is_at_a_generic_address_unless_it_says_shared() {
    let items = ".shared .align 16 .b8 s[128];";
    let load =
        "mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;
        st.shared.u32 [%r2], %r0; bar.sync 0; and.b32 %r1, %r0, 7; mad.wide.u32 %rd2, %r1, 16, %rd2;
        ldmatrix.sync.aligned.m8n8.x1.b16 {%r3}, [%rd2]; mad.wide.u32 %rd3, %r0, 4, %rd0; st.global.u32 [%rd3], %r3;";
    let mut x = Buffer::<u32>::new(32);
    run(&module(items, load), Grid::new(1, 32), &mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), (0..32).collect::<Vec<_>>());
    let plain = load.replace("cvta.shared.u64 %rd2, %rd1", "mov.u64 %rd2, %rd1");
    assert_eq!(fault(Grid::new(1, 32), items, &plain).kind, FaultKind::OutOfBounds);
    let global =
        "and.b32 %r1, %r0, 7; mad.wide.u32 %rd2, %r1, 16, %rd0; ldmatrix.sync.aligned.m8n8.x1.b16 {%r3}, [%rd2];";
    assert_eq!(fault(Grid::new(1, 32), "", global).kind, FaultKind::OutOfBounds);
}

#[test]
fn values_are_cut_to_what_they_are_passed_and_moved_to() {
    let wide =
        ".func (.reg .b64 %to) wide(.reg .b32 %from) { .reg .b32 %z; mov.u32 %z, 0; mov.b64 %to, {%from, %z}; ret; }";
    let call = "call (%rd1), wide, (-1); st.global.u64 [%rd0], %rd1;";
    assert_eq!(words::<2>(wide, call), [u32::MAX, 0]);
    let below = "mov.u32 %r1, s-4; mov.u32 %r2, 0; mov.b64 %rd1, {%r1, %r2}; st.global.u64 [%rd0], %rd1;";
    assert_eq!(words::<2>(".shared .b8 s[4];", below), [u32::MAX - 3, 0]);
    let local =
        ".local .b8 l[4]; mov.u32 %r1, l-4; mov.u32 %r2, 0; mov.b64 %rd1, {%r1, %r2}; st.global.u64 [%rd0], %rd1;";
    assert_eq!(words::<2>("", local), [u32::MAX - 3, 0]);
}

#[test]
fn waiting_for_all_groups_but_very_many_waits_for_none() {
    let wait = |n: &str| {
        format!(
            "mov.u32 %r1, s; cp.async.ca.shared.global [%r1], [%rd0], 4; cp.async.commit_group;
             cp.async.wait_group {n}; ld.shared.u32 %r2, [%r1];"
        )
    };
    let items = ".shared .align 16 .b8 s[16];";
    for n in ["1", "4294967295", "4294967296"] {
        assert_eq!(fault(Grid::new(1, 1), items, &wait(n)).kind, FaultKind::Race, "{n}");
    }
    assert_eq!(run(&module(items, &wait("0")), Grid::new(1, 1), &mut Buffer::from_slice(&[0])), Ok(()));
}

#[test]
fn special_registers_of_a_device_are_refused() {
    for name in ["%envreg1", "%pm0", "%reserved_smem_offset_begin"] {
        let e = run(&module("", &format!("mov.u32 %r1, {name};")), Grid::new(1, 1), &mut Buffer::new(1));
        assert!(matches!(e, Err(SimError::Unsupported { .. })), "{name}");
    }
}

#[test]
fn a_copy_reads_no_more_than_it_copies() {
    let copy = |bytes: u32| {
        format!(
            "mov.u32 %r1, s; mov.u32 %r2, {bytes}; cp.async.ca.shared.global [%r1], [%rd0], 4, %r2; cp.async.wait_all;"
        )
    };
    let items = ".shared .align 16 .b8 s[16];";
    assert_eq!(fault(Grid::new(1, 1), items, &copy(5)).kind, FaultKind::OutOfBounds);
    assert_eq!(run(&module(items, &copy(4)), Grid::new(1, 1), &mut Buffer::from_slice(&[0])), Ok(()));
}

#[test]
fn a_uniform_branch_is_taken_by_all_threads_or_none() {
    let branch = |at: u32| format!("setp.lt.u32 %p0, %r0, {at}; @%p0 bra.uni end; st.global.u32 [%rd0], 1; end: ret;");
    let found = fault(Grid::new(1, 32), "", &branch(16));
    assert_eq!((found.kind, found.site.instruction.as_str()), (FaultKind::InactiveLane, "@%p0 bra.uni end;"));
    for at in [0, 32] {
        assert_eq!(run(&module("", &branch(at)), Grid::new(1, 32), &mut Buffer::new(1)), Ok(()));
    }
}

#[test]
fn what_is_discarded_counts_as_never_written() {
    let discard = "discard.global.L2 [%rd0], 128; ld.global.u32 %r1, [%rd0+WHERE];";
    let found = |at: &str| fault(Grid::new(1, 1), "", &discard.replace("WHERE", at)).kind;
    assert_eq!([found("0"), found("124")], [FaultKind::UnwrittenMemory; 2]);
    let after = module("", &discard.replace("WHERE", "128"));
    assert_eq!(run(&after, Grid::new(1, 1), &mut Buffer::from_slice(&[0; 64])), Ok(()));
    // the threads of a warp may discard a line together, not one that another block writes
    let line = "discard.global.L2 [%rd0], 128;";
    assert_eq!(run(&module("", line), Grid::new(1, 32), &mut Buffer::new(64)), Ok(()));
    assert_eq!(fault(Grid::new(2, 1), "", line).kind, FaultKind::Race);
}

#[test]
fn the_first_block_says_how_much_the_grid_is_though_another_ends_before() {
    let body = "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p0, %r1, 0; @%p0 bra first;
        mov.u32 %r2, 0;
        more: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3000; @%p1 bra more;
        st.release.gpu.global.u32 [%rd0], 1; ret;
        first: ld.acquire.gpu.global.u32 %r3, [%rd0]; setp.eq.u32 %p2, %r3, 0; @%p2 bra first; ret;";
    let mut x = Buffer::from_slice(&[0u32]);
    let module = module("", body);
    let done = Simulation::new(&module).unwrap().threads(1).budget(16_000).run(Grid::new(2, 1), &[x.arg_mut()]);
    assert_eq!(done.map(|report| report.ctas).map_err(|e| e.to_string()), Ok(2));
}
