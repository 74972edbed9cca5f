//! What older targets lack, in a few instructions with the same results: conversions to pairs of halves, arithmetic of bf16.
//!
//! Where nothing equals the instruction, it is emitted as it is, and [`Kernel::finish`] says what it needs.

use super::Kernel;
use crate::gpu::ptx::{Operand, Reg, Type};

/// An operation of bf16.
/// ```
/// use girih::gpu::kernel::{Bf16Op, Kernel};
/// use girih::gpu::ptx::{Target, Type};
/// let build = |target| {
///     let mut k = Kernel::new("k", target, [32, 1, 1]);
///     let (x, out) = (k.pointer("x", Type::B32), k.pointer("out", Type::B32));
///     let v = k.load(&x.at(&0.into()), 2);
///     let sum = k.bf16x2(Bf16Op::Add, v[0], v[1]);
///     k.store(&out.at(&0.into()), &[sum]);
///     k.finish().map(|module| module.to_string())
/// };
/// assert!(build(Target::SM_90)?.contains("add.bf16x2"));
/// assert!(build(Target::SM_80)?.contains("fma.rn.bf16x2")); // x * 1 + y
/// # Ok::<(), girih::gpu::kernel::KernelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bf16Op {
    /// the sum
    Add,
    /// the difference
    Sub,
    /// the product
    Mul,
}

const ONE: u32 = 0x3F80_3F80;
const MINUS_ONE: u32 = 0xBF80_BF80;
const MINUS_ZERO: u32 = 0x8000_8000;

impl Kernel {
    /// Pairs of bf16, rounded to nearest even. Without the instruction (PTX ISA, half precision `add`, `sub`, `mul`: sm_90) it is one `fma`: `a * 1 + b`,
    /// `b * -1 + a`, `a * b + -0`, whose exact part is the operation's, down to the signs of zeros.
    /// ```
    /// # use girih::gpu::{kernel::{Bf16Op, Kernel}, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (a, b) = (k.scalar("a", Type::B32), k.scalar("b", Type::B32));
    /// assert_eq!(k.bf16x2(Bf16Op::Mul, a, b).ty, Type::B32);
    /// ```
    pub fn bf16x2(&mut self, op: Bf16Op, a: Reg, b: Reg) -> Reg {
        let r = self.reg(Type::B32);
        if self.target().number() >= 90 {
            let name = ["add.bf16x2", "sub.bf16x2", "mul.bf16x2"][op as usize];
            self.emit(name, vec![r.into(), a.into(), b.into()]);
            return r;
        }
        let constant = self.op("mov.b32", vec![[ONE, MINUS_ONE, MINUS_ZERO][op as usize].into()]);
        let [x, y, z] = match op {
            Bf16Op::Add => [a, constant, b],
            Bf16Op::Sub => [b, constant, a],
            Bf16Op::Mul => [a, b, constant],
        };
        self.emit("fma.rn.bf16x2", vec![r.into(), x.into(), y.into(), z.into()]);
        r
    }

    /// Two f32 as bf16, rounded to nearest even, the first in the lower half. Below sm_80 in integers: half a unit of the last place is
    /// added, less one bit where the place is even, and the upper halves are taken.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_75, [32, 1, 1]);
    /// let (a, out) = (k.scalar("a", Type::F32), k.pointer("out", Type::B32));
    /// let pair = k.bf16x2_of(a, a);
    /// k.store(&out.at(&0.into()), &[pair]);
    /// assert!(k.finish()?.to_string().contains("prmt.b32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn bf16x2_of(&mut self, low: Reg, high: Reg) -> Reg {
        let r = self.reg(Type::B32);
        if self.target().number() >= 80 {
            self.emit("cvt.rn.bf16x2.f32", vec![r.into(), high.into(), low.into()]);
            return r;
        }
        let [low, high] = [low, high].map(|x| {
            let [bits, even, rounded, result] = [(); 4].map(|()| self.reg(Type::B32));
            let nan = self.reg(Type::Pred);
            self.emit("mov.b32", vec![bits.into(), x.into()]);
            self.emit("bfe.u32", vec![even.into(), bits.into(), 16.into(), 1.into()]);
            self.emit("add.s32", vec![rounded.into(), bits.into(), even.into()]);
            self.emit("add.s32", vec![rounded.into(), rounded.into(), 0x7FFF.into()]);
            self.emit("setp.nan.f32", vec![nan.into(), x.into(), x.into()]);
            self.emit("selp.b32", vec![result.into(), 0x7FFF_0000.into(), rounded.into(), nan.into()]);
            result
        });
        self.emit("prmt.b32", vec![r.into(), low.into(), high.into(), 0x7632.into()]);
        r
    }

    /// Two f32 as f16, rounded to nearest even, the first in the lower half. Below sm_80 one after the other.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_75, [32, 1, 1]);
    /// let (a, out) = (k.scalar("a", Type::F32), k.pointer("out", Type::B32));
    /// let pair = k.f16x2_of(a, a);
    /// k.store(&out.at(&0.into()), &[pair]);
    /// assert!(k.finish()?.to_string().contains("cvt.rn.f16.f32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn f16x2_of(&mut self, low: Reg, high: Reg) -> Reg {
        let r = self.reg(Type::B32);
        if self.target().number() >= 80 {
            self.emit("cvt.rn.f16x2.f32", vec![r.into(), high.into(), low.into()]);
            return r;
        }
        let halves = [low, high].map(|x| {
            let half = self.reg(Type::B16);
            self.emit("cvt.rn.f16.f32", vec![half.into(), x.into()]);
            half
        });
        self.emit("mov.b32", vec![r.into(), Operand::from(halves)]);
        r
    }

    /// Two f32 as e4m3, rounded to nearest even and saturated, the first in the lower byte. There is no sequence for targets
    /// below sm_89: [`Kernel::finish`] refuses it there.
    /// ```
    /// # use girih::gpu::{kernel::{Kernel, KernelError}, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let a = k.scalar("a", Type::F32);
    /// k.e4m3x2_of(a, a);
    /// assert!(matches!(k.finish(), Err(KernelError::Target { .. })));
    /// ```
    pub fn e4m3x2_of(&mut self, low: Reg, high: Reg) -> Reg {
        let r = self.reg(Type::B16);
        self.emit("cvt.rn.satfinite.e4m3x2.f32", vec![r.into(), high.into(), low.into()]);
        r
    }
}
