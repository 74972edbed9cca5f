//! The budget ends, wherever the threads are then.

use girih::gpu::ptx::Module;
use girih::gpu::sim::{FaultKind, Grid, SimError, Simulation};

#[test]
fn an_endless_loop_of_barriers_is_over_budget() {
    let text = ".version 7.0 .target sm_80 .address_size 64
        .visible .entry forever() { again: bar.sync 0; bra again; }";
    let module = Module::parse(text).unwrap();
    for threads in [32, 64] {
        let run = Simulation::new(&module).unwrap().threads(1).budget(10_000).run(Grid::new(1, threads), &[]);
        let Err(SimError::Faults(report)) = run else { panic!("{run:?}") };
        assert_eq!(report.faults[0].kind, FaultKind::Budget);
    }
}
