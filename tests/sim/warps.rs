//! Threads of a warp that part and meet: groups, barriers, calls, and whose turn it is. What is expected follows from the PTX ISA.

use girih::gpu::ptx::Module;
use girih::gpu::sim::{Buffer, Checks, FaultKind, Grid, Report, SimError, Simulation};

/// A module with functions and a kernel that has its thread in %r0, the memory `out` in %rd0, and its own word of it in %rd1.
fn module(functions: &str, body: &str) -> Module {
    let text = format!(
        ".version 8.0 .target sm_80 .address_size 64
         {functions}
         .visible .entry f(.param .u64 out) {{
             .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<6>;
             .shared .align 16 .u32 word[32];
             ld.param.u64 %rd0, [out];
             mov.u32 %r0, %tid.x;
             mad.wide.u32 %rd1, %r0, 4, %rd0;
             {body}
             ret;
         }}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Runs one block: what was counted, and the words of its threads, zeros at first.
fn run(functions: &str, body: &str, threads: usize, checks: Checks) -> Result<(Report, Vec<u32>), SimError> {
    let mut out = Buffer::from_slice(&vec![0u32; threads]);
    let module = module(functions, body);
    let simulation = Simulation::new(&module).unwrap().checks(checks).budget(1 << 16);
    let report = simulation.run(Grid::new(1, threads as u32), &[out.arg_mut()])?;
    Ok((report, out.to_vec().unwrap()))
}

fn words(functions: &str, body: &str, threads: usize) -> Vec<u32> {
    run(functions, body, threads, Checks::default()).unwrap_or_else(|e| panic!("{e}")).1
}

/// The fault that is found, and at which instruction.
fn fault(functions: &str, body: &str, threads: usize) -> (FaultKind, String) {
    match run(functions, body, threads, Checks::default()) {
        Err(SimError::Faults(report)) => (report.faults[0].kind, report.faults[0].site.instruction.clone()),
        other => panic!("{:?}", other.map(|(_, words)| words)),
    }
}

fn kind(functions: &str, body: &str, threads: usize) -> FaultKind {
    fault(functions, body, threads).0
}

const TWO: &str = ".func (.reg .b32 %out) one() { mov.u32 %out, 1; ret; }
    .func (.reg .b32 %out) two() { mov.u32 %out, 2; ret; }";

#[test]
fn threads_whose_guard_is_false_go_past_a_call_of_several_functions() {
    let body = "
        proto: .callprototype (.reg .b32 _) _ ();
        mov.u32 %r1, 7;
        mov.u64 %rd2, one;
        mov.u64 %rd3, two;
        setp.lt.u32 %p1, %r0, 8;
        selp.b64 %rd2, %rd2, %rd3, %p1;
        setp.lt.u32 %p2, %r0, 16;
        @%p2 call (%r1), %rd2, (), proto;
        st.global.u32 [%rd1], %r1;";
    let (report, words) = run(TWO, body, 32, Checks::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(words, [[1; 8], [2; 8], [7; 8], [7; 8]].concat());
    // each function is called once, by its threads
    let call = report.lines.iter().find(|line| line.mnemonic == "call").unwrap();
    assert_eq!((call.executions, call.threads), (2, 16));
}

#[test]
fn a_result_that_a_function_did_not_write_is_unwritten() {
    let none = ".func (.reg .b32 %out) none() { ret; }";
    let body = "call (%r1), none, (); st.global.u32 [%rd1], %r1;";
    assert_eq!(fault(none, body, 32), (FaultKind::UnwrittenRegister, "st.global.u32 [%rd1], %r1;".into()));
    // nor is one that only some threads wrote
    let some = ".func (.reg .b32 %out) none(.reg .b32 %in) {
        .reg .pred %p; setp.lt.u32 %p, %in, 31; @%p mov.u32 %out, 1; ret; }";
    let body = "call (%r1), none, (%r0); st.global.u32 [%rd1], %r1;";
    assert_eq!(kind(some, body, 32), FaultKind::UnwrittenRegister);
    assert_eq!(words(some, body, 31), [1; 31]);
}

#[test]
fn a_function_does_not_find_what_an_earlier_call_left() {
    let keeps = ".func (.reg .b32 %out) keeps(.reg .b32 %in) {
        .reg .pred %p; .local .u32 own;
        setp.ne.u32 %p, %in, 0;
        @%p st.local.u32 [own], %in;
        ld.local.u32 %out, [own];
        ret; }";
    let call = "call (%r1), keeps, (%r2); st.global.u32 [%rd1], %r1;";
    assert_eq!(words(keeps, &format!("mov.u32 %r2, 5; {call}"), 32), [5; 32]);
    let twice = format!("mov.u32 %r2, 5; {call} mov.u32 %r2, 0; {call}");
    assert_eq!(kind(keeps, &twice, 32), FaultKind::UnwrittenMemory);
}

#[test]
fn the_end_of_a_callers_array_is_not_the_local_memory_of_a_function() {
    let reads = |at| {
        format!(
            ".func (.reg .b32 %out) reads(.reg .b64 %p) {{
                .local .u32 own;
                st.local.u32 [own], 9;
                ld.local.u32 %out, [%p+{at}];
                ret; }}"
        )
    };
    let body = ".local .align 16 .b32 a[4];
        st.local.u32 [a+12], 3;
        mov.u64 %rd2, a;
        call (%r1), reads, (%rd2);
        st.global.u32 [%rd1], %r1;";
    assert_eq!(words(&reads(12), body, 32), [3; 32]);
    // wherever its own word is
    for at in (16..64).step_by(4) {
        assert_eq!(kind(&reads(at), body, 32), FaultKind::UnwrittenMemory, "{at}");
    }
}

/// Lane of the thread in %r1, whether it is in the first half of its warp in %p1.
const HALVES: &str = "and.b32 %r1, %r0, 31; setp.lt.u32 %p1, %r1, 16;";

#[test]
fn half_a_warp_does_not_arrive_at_a_barrier() {
    // 64 threads of halves of 4 warps
    let body = format!("{HALVES} @%p1 bra A; barrier.sync 2, 64; bra.uni B; A: barrier.sync 1, 64; B:");
    assert_eq!(kind("", &body, 128), FaultKind::DivergentBarrier);
}

#[test]
fn halves_of_a_warp_arrive_together_from_two_places() {
    let body = format!(
        "{HALVES}
         setp.ge.u32 %p2, %r0, 40;
         @%p1 bra A;
         barrier.red.popc.u32 %r2, 1, 64, %p2;
         bra.uni B;
         A:
         barrier.red.popc.u32 %r3, 1, 64, %p2;
         add.u32 %r2, %r3, 100;
         B:
         st.global.u32 [%rd1], %r2;"
    );
    assert_eq!(words("", &body, 64), [[124; 16], [24; 16], [124; 16], [24; 16]].concat());
}

#[test]
fn threads_of_a_warp_that_name_several_barriers_wait_forever() {
    for body in ["barrier.sync %r2, 32;", "bar.sync %r2, 32;", "barrier.sync 0, %r3;", "bar.sync 0, %r3;"] {
        let body = format!("{HALVES} selp.b32 %r2, 1, 2, %p1; selp.b32 %r3, 32, 64, %p1; {body}");
        assert_eq!(kind("", &body, 64), FaultKind::DivergentBarrier, "{body}");
        // each warp its own is fine
        let whole = body.replace("and.b32 %r1, %r0, 31", "shr.u32 %r1, %r0, 1");
        if body.contains("%r2, 32") {
            assert_eq!(words("", &whole, 64), [0; 64]);
        }
    }
}

#[test]
fn a_warp_counts_as_32_threads_when_some_have_exited() {
    let lenient = Checks { exited: false, ..Checks::default() };
    for barrier in ["bar.sync 1, 64;", "barrier.sync 1, 64;"] {
        let body = format!(
            "setp.eq.u32 %p1, %r0, 40; @%p1 exit; setp.ge.u32 %p2, %r0, 64; @%p2 bra END;
             {barrier}
             st.global.u32 [%rd1], 1;
             END:"
        );
        let (_, words) = run("", &body, 96, lenient).unwrap_or_else(|e| panic!("{e}"));
        assert!((0..96).all(|i| words[i] == u32::from(i < 64 && i != 40)), "{words:?}");
        assert_eq!(kind("", &body, 96), FaultKind::ExitedAtBarrier);
    }
}

#[test]
fn a_barrier_of_all_threads_is_the_same_with_their_number() {
    let body =
        "setp.lt.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 0, 128; bra.uni B; A: bar.sync 0; B: st.global.u32 [%rd1], 1;";
    assert_eq!(words("", body, 128), [1; 128]);
    // a block of 100 has warps of 128
    assert_eq!(words("", body, 100), [1; 100]);
}

#[test]
fn a_warp_that_arrives_and_exits_is_no_other_warp() {
    let body = "setp.lt.u32 %p1, %r0, 32;
        @%p1 st.shared.u32 [word], 5;
        @%p1 bar.arrive 0, 96;
        @%p1 bra END;
        bar.sync 0, 96;
        ld.shared.u32 %r2, [word];
        st.global.u32 [%rd1], %r2;
        END:";
    // lanes of the first warp store the same, at once
    assert_eq!(words("", body, 96), [[0; 32], [5; 32], [5; 32]].concat());
}

#[test]
fn instructions_of_a_warp_meet_by_the_threads_that_they_name() {
    let shuffle = format!(
        "{HALVES}
         @%p1 bra A;
         add.u32 %r2, %r0, 100;
         shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;
         bra.uni B;
         A:
         add.u32 %r4, %r0, 200;
         shfl.sync.bfly.b32 %r3, %r4, 16, 31, -1;
         B:
         st.global.u32 [%rd1], %r3;"
    );
    let expected: Vec<u32> = (0..32).map(|l| if l < 16 { 100 + l + 16 } else { 200 + l - 16 }).collect();
    assert_eq!(words("", &shuffle, 32), expected);
    let barrier = format!(
        "{HALVES}
         mov.u64 %rd2, word;
         mad.wide.u32 %rd3, %r0, 4, %rd2;
         st.shared.u32 [%rd3], %r0;
         @%p1 bra A;
         bar.warp.sync -1;
         bra.uni B;
         A:
         bar.warp.sync -1;
         B:
         xor.b32 %r2, %r0, 31;
         mad.wide.u32 %rd3, %r2, 4, %rd2;
         ld.shared.u32 %r3, [%rd3];
         st.global.u32 [%rd1], %r3;"
    );
    assert_eq!(words("", &barrier, 32), (0..32).rev().collect::<Vec<_>>());
    // instructions of two kinds do not
    let votes = format!(
        "{HALVES} @%p1 bra A; vote.sync.any.pred %p2, %p1, -1; bra.uni B; A: vote.sync.all.pred %p2, %p1, -1; B:"
    );
    assert_eq!(kind("", &votes, 32), FaultKind::InactiveLane);
}

#[test]
fn threads_that_name_others_do_not_meet() {
    // lanes 0 to 15 want lane 31, which wants all
    let body = format!("{HALVES} selp.b32 %r2, 0x8000ffff, -1, %p1; bar.warp.sync %r2;");
    assert_eq!(kind("", &body, 32), FaultKind::InactiveLane);
}

#[test]
fn instructions_of_a_whole_warp_need_one() {
    for instruction in [
        "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [word];",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r0}, {%r0}, {%r0, %r0};",
    ] {
        let body =
            format!("mov.u32 %r1, 0; st.shared.v4.u32 [word], {{%r1, %r1, %r1, %r1}}; bar.sync 0; {instruction}");
        assert_eq!(words("", &body, 32), [0; 32]);
        assert_eq!(fault("", &body, 16), (FaultKind::InactiveLane, instruction.into()));
    }
}

#[test]
fn a_group_ahead_has_its_turn_while_others_look_for_it() {
    let body = "setp.lt.u32 %p1, %r0, 16;
        setp.eq.u32 %p2, %r0, 0;
        @%p2 st.shared.u32 [word], 0;
        bar.sync 0;
        @!%p1 bra SET;
        WAIT:
        atom.shared.or.b32 %r2, [word], 0;
        bar.warp.sync 0xffff;
        setp.eq.u32 %p2, %r2, 0;
        @%p2 bra WAIT;
        bra.uni END;
        SET:
        atom.shared.exch.b32 %r2, [word], 1;
        END:
        st.global.u32 [%rd1], 1;";
    assert_eq!(words("", body, 32), [1; 32]);
}

#[test]
fn the_budget_may_end_at_a_barrier() {
    let body = "mov.u32 %r2, 0;
        LOOP:
        add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, 1400;
        @%p1 bra LOOP;
        bar.sync 0;
        st.global.u32 [%rd1], 1;";
    let mut out = Buffer::from_slice(&[0u32; 32]);
    let module = module("", body);
    let e = Simulation::new(&module).unwrap().budget(4100).run(Grid::new(1, 32), &[out.arg_mut()]).unwrap_err();
    let SimError::Faults(report) = e else { panic!("{e}") };
    assert_eq!(report.faults[0].kind, FaultKind::Budget);
}

#[test]
fn more_blocks_than_are_begun_at_first_may_wait_for_each_other() {
    let body = "setp.ne.u32 %p1, %r0, 0;
        @%p1 bra END;
        atom.global.add.u32 %r2, [%rd0], 1;
        WAIT:
        ld.relaxed.gpu.global.u32 %r3, [%rd0];
        setp.lt.u32 %p2, %r3, 300;
        @%p2 bra WAIT;
        END:";
    for threads in [1, 4] {
        let mut out = Buffer::from_slice(&[0u32; 32]);
        let module = module("", body);
        let simulation = Simulation::new(&module).unwrap().budget(1 << 20).threads(threads);
        simulation.run(Grid::new(300, 32), &[out.arg_mut()]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(out.to_vec().unwrap()[0], 300);
    }
}

#[test]
fn the_clock_of_a_block_begins_with_it() {
    let body = "mov.u32 %r1, %ctaid.x; mad.wide.u32 %rd1, %r1, 4, %rd0;
        setp.eq.u32 %p1, %r0, 0;
        mov.u32 %r2, %clock;
        @%p1 st.global.u32 [%rd1], %r2;";
    let mut out = Buffer::from_slice(&[0u32; 8]);
    let module = module("", body);
    Simulation::new(&module)
        .unwrap()
        .threads(1)
        .run(Grid::new(8, 32), &[out.arg_mut()])
        .unwrap_or_else(|e| panic!("{e}"));
    let clocks = out.to_vec().unwrap();
    assert!(clocks[0] > 0 && clocks.iter().all(|c| *c == clocks[0]), "{clocks:?}");
}

#[test]
fn a_result_that_nothing_wrote_is_unwritten_where_it_is_used() {
    let functions = ".func (.param .b32 out) nothing() { ret; }";
    let body = "{ .param .b32 got; call (got), nothing; ld.param.b32 %r1, [got]; }
        add.u32 %r1, %r1, 1;
        st.global.u32 [%rd1], %r1;";
    assert_eq!(fault(functions, body, 32), (FaultKind::UnwrittenRegister, "add.u32 %r1, %r1, 1;".into()));
}

#[test]
fn threads_that_call_from_many_places_meet_deep_down() {
    let functions = ".func down(.param .b32 left) {
            .reg .b32 %r<1>; .reg .pred %p;
            ld.param.b32 %r0, [left];
            setp.eq.u32 %p, %r0, 0;
            @%p bra bottom;
            sub.u32 %r0, %r0, 1;
            { .param .b32 less; st.param.b32 [less], %r0; call down, (less); }
            ret;
        bottom:
            bar.warp.sync 0xffffffff;
            ret;
        }";
    let labels: Vec<_> = (0..32).map(|i| format!("from{i}")).collect();
    let calls = labels
        .iter()
        .map(|l| format!("{l}: {{ .param .b32 left; st.param.b32 [left], %r1; call down, (left); }} bra done;\n"));
    let body = format!(
        "places: .branchtargets {};
        mov.u32 %r1, 60;
        brx.idx %r0, places;
        {}
        done: st.global.u32 [%rd1], %r0;",
        labels.join(", "),
        calls.collect::<String>()
    );
    assert_eq!(words(functions, &body, 32), (0..32).collect::<Vec<u32>>());
}

#[test]
fn registers_that_are_only_declared_take_no_room() {
    let body = ".reg .b32 %many<1000000>; st.global.u32 [%rd1], %r0;";
    assert_eq!(words("", body, 1024), (0..1024).collect::<Vec<u32>>());
}

#[test]
fn an_mbarrier_is_not_made_where_one_is() {
    let twice =
        "mov.u32 %r1, word; @%p1 bra made; mbarrier.init.shared.b64 [%r1], 1; INVAL mbarrier.init.shared.b64 [%r1], 1;
        made: st.global.u32 [%rd1], %r0;";
    let body = |inval| format!("setp.ne.u32 %p1, %r0, 0; {}", twice.replace("INVAL", inval));
    assert_eq!(kind("", &body(""), 32), FaultKind::Mbarrier);
    assert_eq!(words("", &body("mbarrier.inval.shared.b64 [%r1];"), 32), (0..32).collect::<Vec<u32>>());
}

#[test]
fn the_table_of_lop3_is_its_last_operand_whatever_the_sources_are() {
    let body = "lop3.b32 %r1, 0xf0f0, 0xff00, 0x3333, 0x96;
        mov.u32 %r2, 0xf0f0;
        lop3.b32 %r2, %r2, 0xff00, 0x3333, 0x96;
        setp.eq.u32 %p1, %r1, %r2;
        selp.b32 %r1, %r1, 0, %p1;
        st.global.u32 [%rd1], %r1;";
    assert_eq!(words("", body, 1), [0xf0f0 ^ 0xff00 ^ 0x3333]);
}
