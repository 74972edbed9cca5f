//! The kernel builder: what it emits is executed for single threads by a small interpreter (`machine`), for all threads of blocks by the
//! simulator and a device, if there is one, and must equal exact evaluation, in every block structure; it is taken by `Module::check`
//! and, where `GIRIH_PTXAS` names it, by `ptxas`.

#[path = "../common/machine.rs"]
mod launch;
#[path = "../common/ptxas.rs"]
mod ptxas;
#[path = "../common/random.rs"]
mod random;

mod build;
mod clean;
mod control;
mod layouts;
mod machine;
mod program;
mod refuse;
mod value;
