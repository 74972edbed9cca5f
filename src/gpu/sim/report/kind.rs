//! Instructions by what they keep busy.

use crate::gpu::ptx::{Instruction, Type};
use crate::gpu::sim::program::{Act, Space};
use core::fmt;

/// What an instruction keeps busy.
/// ```
/// use girih::gpu::ptx::Module;
/// use girih::gpu::sim::{Grid, Kind};
/// let module = Module::parse(
///     ".version 7.0 .target sm_80 .address_size 64
///      .visible .entry f() {
///          .reg .f32 %f<2>;
///          mov.f32 %f0, 0f3F800000;
///          sqrt.approx.f32 %f1, %f0;
///          ret;
///      }",
/// )?;
/// let report = module.simulate(Grid::new(1, 32), &[])?;
/// let kinds: Vec<Kind> = report.lines.iter().map(|line| line.kind).collect();
/// assert_eq!(kinds, [Kind::Move, Kind::Approximate, Kind::Control]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// integer arithmetic, comparison, logic, shifts
    Integer,
    /// arithmetic and comparison of f32
    Float,
    /// of f64
    Double,
    /// of f16 and bf16, packed ones too
    Half,
    /// `.approx`, `.full`: functions of bounded error
    Approximate,
    /// `cvt`
    Conversion,
    /// `mov`, `selp`, addresses, special registers
    Move,
    /// `mma`
    Tensor,
    /// loads and stores of global memory
    Global,
    /// of shared memory, `ldmatrix` and `stmatrix` too
    Shared,
    /// of local memory
    Local,
    /// of constants and parameters
    Constant,
    /// at generic addresses
    Generic,
    /// `cp.async`
    Copy,
    /// `atom`, `red`
    Atomic,
    /// barriers, fences, mbarriers, waits for copies
    Synchronization,
    /// shuffles, votes, and what else threads of a warp exchange
    Exchange,
    /// branches, calls, ends
    Control,
    /// hints
    Other,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Integer => "integer",
            Kind::Float => "f32",
            Kind::Double => "f64",
            Kind::Half => "f16, bf16",
            Kind::Approximate => "approximate functions",
            Kind::Conversion => "conversion",
            Kind::Move => "move, select",
            Kind::Tensor => "tensor",
            Kind::Global => "global memory",
            Kind::Shared => "shared memory",
            Kind::Local => "local memory",
            Kind::Constant => "constants, parameters",
            Kind::Generic => "generic memory",
            Kind::Copy => "asynchronous copy",
            Kind::Atomic => "atomic",
            Kind::Synchronization => "synchronization",
            Kind::Exchange => "warp exchange",
            Kind::Control => "control",
            Kind::Other => "hints",
        })
    }
}

impl Kind {
    /// None is the end of a function, which returns.
    pub(in crate::gpu::sim) fn of(instruction: Option<&Instruction>, act: &Act) -> Kind {
        let Some(op) = instruction.map(Instruction::opcode) else { return Kind::Control };
        let has = |name| op.qualifiers().any(|q| q == name);
        match act {
            Act::Load { access, .. } | Act::Store { access, .. } => match access.address.space {
                Space::Global => Kind::Global,
                Space::Shared => Kind::Shared,
                Space::Local => Kind::Local,
                Space::Const | Space::Param => Kind::Constant,
                Space::Generic => Kind::Generic,
            },
            Act::LoadMatrix { .. } | Act::StoreMatrix { .. } => Kind::Shared,
            Act::Copy { .. } => Kind::Copy,
            Act::Atomic { .. } => Kind::Atomic,
            Act::Branch(_) | Act::Table { .. } | Act::Call { .. } | Act::Return | Act::Exit | Act::Trap => {
                Kind::Control
            }
            Act::Fence(_) | Act::Barrier(_) | Act::WarpBarrier { .. } | Act::Mbarrier { .. } => Kind::Synchronization,
            Act::Commit | Act::Wait(_) => Kind::Synchronization,
            Act::Collective { .. } => Kind::Exchange,
            Act::Special { .. } | Act::FrameAddress { .. } => Kind::Move,
            Act::Discard(_) => Kind::Other,
            Act::Nop | Act::Pure { .. } => match op.mnemonic() {
                "mma" => Kind::Tensor,
                "movmatrix" => Kind::Exchange,
                "cvt" => Kind::Conversion,
                "mov" | "selp" | "cvta" | "isspacep" | "createpolicy" => Kind::Move,
                "fence" | "membar" => Kind::Synchronization,
                _ if matches!(act, Act::Nop) => Kind::Other,
                _ if has("approx") || has("full") => Kind::Approximate,
                // of several types the last is that of the sources
                _ => match op.qualifiers().filter_map(|q| q.parse::<Type>().ok()).last() {
                    Some(Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2) => Kind::Half,
                    Some(Type::F64) => Kind::Double,
                    Some(Type::F32 | Type::F32x2) => Kind::Float,
                    _ => Kind::Integer,
                },
            },
        }
    }
}
