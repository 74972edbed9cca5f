//! Kernels that only move: a vector copied, `y = a x + y`.
//!
//! Memory bounds them, and on an H200 the flat form is the fastest: one vector of each operand for each thread, as wide as the promised
//! alignment allows, and the last thread's elements one by one where the length is no multiple.
//! ```
//! use girih::gpu::atom::NumericType::F32;
//! use girih::gpu::copy::Stream;
//! use girih::gpu::ptx::Target;
//! let (module, launch) = Stream::axpy(F32).aligned(16).build(Target::SM_90A)?;
//! assert!(module.to_string().contains("ld.global.nc.v4.f32"));
//! assert_eq!(launch.grid[0].to_string(), "ceil(n / 1024)");
//! assert_eq!(launch.conditions[0].rule.to_string(), "x % 16 == 0");
//! # Ok::<(), girih::gpu::copy::StreamError>(())
//! ```

mod error;

pub use error::StreamError;

use crate::algebra::prove::{self, Certificate, Verdict};
use crate::gpu::atom::NumericType;
use crate::gpu::kernel::{Index, Kernel, Pointer};
use crate::gpu::launch::{Condition, DataType, Expr, Launch, Param, Usage};
use crate::gpu::ptx::{Module, Operand, Reg, Target, Type};
use crate::layout::Layout;

/// Threads of a block.
const THREADS: i64 = 256;

/// Elements at most, so that 32 bits number them.
const MOST: i64 = 1 << 31;

/// What happens to the elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Copy,
    Axpy,
}

/// A kernel along two vectors, to be built. See the [module](self).
/// ```
/// use girih::gpu::atom::NumericType::F64;
/// use girih::gpu::copy::Stream;
/// use girih::gpu::ptx::Target;
/// let (module, launch) = Stream::copy(F64).build(Target::SM_80)?;
/// assert!(module.to_string().contains("st.global.b64"));
/// assert_eq!(launch.params.iter().map(|p| p.name()).collect::<Vec<_>>(), ["x", "y", "n"]);
/// # Ok::<(), girih::gpu::copy::StreamError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream {
    op: Op,
    ty: NumericType,
    align: u32,
}

impl Stream {
    /// `y = x`, of elements of 8 to 64 bits. Parameters: x, y, n.
    /// ```
    /// # use girih::gpu::{atom::NumericType::S8, copy::Stream, ptx::Target};
    /// let (module, _) = Stream::copy(S8).aligned(16).build(Target::SM_80)?;
    /// assert!(module.to_string().contains("st.global.v4.b32"));
    /// # Ok::<(), girih::gpu::copy::StreamError>(())
    /// ```
    pub const fn copy(ty: NumericType) -> Stream {
        Stream { op: Op::Copy, ty, align: ty.bits().div_ceil(8) as u32 }
    }

    /// `y = a x + y`, rounded once, of f16, bf16, f32 or f64. Parameters: a, x, y, n.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F16, copy::Stream, ptx::Target};
    /// let (module, _) = Stream::axpy(F16).aligned(16).build(Target::SM_80)?;
    /// assert!(module.to_string().contains("fma.rn.f16x2"));
    /// # Ok::<(), girih::gpu::copy::StreamError>(())
    /// ```
    pub const fn axpy(ty: NumericType) -> Stream {
        Stream { op: Op::Axpy, ..Stream::copy(ty) }
    }

    /// With a promise that the launch checks: the vectors begin at multiples of so many bytes.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, copy::Stream, ptx::Target};
    /// let (module, _) = Stream::copy(F32).aligned(8).build(Target::SM_80)?;
    /// assert!(module.to_string().contains("st.global.v2.b32"));
    /// # Ok::<(), girih::gpu::copy::StreamError>(())
    /// ```
    pub const fn aligned(self, bytes: u32) -> Stream {
        Stream { align: bytes, ..self }
    }

    /// Bytes of an element, and elements of a vector.
    fn vector(&self) -> Result<(i64, i64), StreamError> {
        use NumericType::*;
        let computes = matches!(self.ty, F16 | BF16 | F32 | F64);
        if !matches!(self.ty.bits(), 8 | 16 | 32 | 64) || self.op == Op::Axpy && !computes {
            return Err(StreamError::Type { ty: self.ty });
        }
        let bytes = self.ty.bits() as i64 / 8;
        if !self.align.is_power_of_two() || i64::from(self.align) < bytes || self.align > 1024 {
            return Err(StreamError::Alignment { align: self.align, ty: self.ty });
        }
        Ok((bytes, i64::from(self.align).min(16) / bytes))
    }

    /// (element of a vector, thread, block) to the element, of all that there can be.
    fn layout(vector: i64) -> Result<Layout, StreamError> {
        let block = vector * THREADS;
        Ok(Layout::flat(&[vector, THREADS, MOST / block], &[1, vector, block])?)
    }

    /// The proofs of what the kernel relies on: every element belongs to one thread, vectors are aligned.
    ///
    /// # Errors
    /// As [`Stream::build`], but for the target.
    /// ```
    /// # use girih::gpu::{atom::NumericType::F32, copy::Stream};
    /// let proofs = Stream::copy(F32).aligned(16).certificate()?;
    /// assert_eq!(proofs[0].claim.to_string(), "(4,256,2097152):(1,4,1024) takes each value of 0..2147483648 once and no other");
    /// # Ok::<(), girih::gpu::copy::StreamError>(())
    /// ```
    pub fn certificate(&self) -> Result<Vec<Certificate>, StreamError> {
        let (_, vector) = self.vector()?;
        let layout = Stream::layout(vector)?;
        let first = Layout::tuple(&[layout.mode(1)?, layout.mode(2)?])?;
        [prove::bijective(&layout, MOST), prove::aligned(first, vector)]
            .into_iter()
            .map(|verdict| match verdict {
                Verdict::Proved(c) => Ok(c),
                other => Err(StreamError::Claim { verdict: other.to_string() }),
            })
            .collect()
    }

    /// Proves what it relies on, and writes the kernel with its launch.
    ///
    /// # Errors
    /// A type that cannot be computed with, an alignment that is none, a target that lacks an instruction.
    /// ```
    /// # use girih::gpu::{atom::NumericType::{BF16, S8}, copy::Stream, ptx::Target};
    /// assert_eq!(Stream::axpy(S8).build(Target::SM_80).unwrap_err().to_string(), "nothing computes with s8 here");
    /// assert!(Stream::axpy(BF16).build(Target::SM_75).unwrap_err().to_string().contains("needs"));
    /// ```
    pub fn build(&self, target: Target) -> Result<(Module, Launch), StreamError> {
        self.certificate()?;
        let (bytes, vector) = self.vector()?;
        let name = format!("{}_{}", if self.op == Op::Copy { "copy" } else { "axpy" }, self.ty);
        let mut kernel = Kernel::new(&name, target, [THREADS as u32, 1, 1]);
        let k = &mut kernel;
        let element = self.element(bytes);
        let a = (self.op == Op::Axpy).then(|| k.scalar("a", element));
        let (x, y, n) = (k.pointer("x", element), k.pointer("y", element), k.size("n"));
        // the grid has as many blocks as n needs
        let block = k.ctaid();
        let block = k.promised(&block, 0, MOST / (vector * THREADS) - 1);
        let coordinate = [0.into(), k.tid(), block];
        let first = k.offset(&Stream::layout(vector)?, &coordinate);
        let whole = k.lt(&(&first + (vector - 1)), &n);
        k.branch_or(
            &whole,
            |k| self.step(k, a, [&x, &y], &first, vector),
            |k| {
                for i in 0..vector {
                    let at = &first + i;
                    let inside = k.lt(&at, &n);
                    k.branch(&inside, |k| self.step(k, a, [&x, &y], &at, 1));
                }
            },
        );
        Ok((kernel.finish()?, self.describe(&name, vector)?))
    }

    fn element(&self, bytes: i64) -> Type {
        match (self.op, self.ty) {
            (Op::Axpy, NumericType::F32) => Type::F32,
            (Op::Axpy, NumericType::F64) => Type::F64,
            _ => [Type::U8, Type::B16, Type::B32, Type::B64][bytes.ilog2() as usize],
        }
    }

    /// So many elements from here on.
    fn step(&self, k: &mut Kernel, a: Option<Reg>, [x, y]: [&Pointer; 2], at: &Index, elements: i64) {
        let bytes = self.ty.bits() as i64 / 8;
        // small elements go by words
        let word = if bytes < 4 && elements * bytes >= 4 { Type::B32 } else { self.element(bytes) };
        let words = (elements * bytes / i64::from(word.bits() / 8)) as usize;
        let (from, to) = (x.at(at).of(word), y.at(at).of(word));
        let register = if word == Type::U8 { Type::U16 } else { word };
        let xs = k.regs(register, words);
        let wide = ["", ".v2", "", ".v4"][(words - 1).min(3)];
        let address = k.address(&from).into();
        let operand = if words == 1 { Operand::from(xs[0]) } else { xs[..].into() };
        k.emit(&format!("ld.global.nc{wide}.{}", word.name()), vec![operand, address]);
        let Some(a) = a else { return k.store(&to, &xs) };
        let (of, a) = match (self.ty, word) {
            (NumericType::F16 | NumericType::BF16, Type::B32) => {
                let both = k.reg(Type::B32);
                k.emit("mov.b32", vec![both.into(), Operand::from([a, a])]);
                (format!("{}x2", self.ty), both)
            }
            _ => (self.ty.to_string(), a),
        };
        let ys = k.load(&to, words);
        for (x, y) in xs.iter().zip(&ys) {
            k.emit(&format!("fma.rn.{of}"), vec![y.into(), a.into(), x.into(), y.into()]);
        }
        k.store(&to, &ys);
    }

    fn describe(&self, name: &str, vector: i64) -> Result<Launch, StreamError> {
        let (bytes, ty) = (self.ty.bits() as u64 / 8, data_type(self.ty));
        let size = || Expr::from(bytes) * Expr::param("n");
        let written = if self.op == Op::Axpy { Usage::ReadWrite } else { Usage::Write };
        let mut params = vec![
            Param::pointer("x", ty, Usage::Read).holding(size()),
            Param::pointer("y", ty, written).holding(size()),
            Param::number("n", DataType::U32),
        ];
        if self.op == Op::Axpy {
            params.insert(0, Param::number("a", ty));
        }
        let promise = |name| Condition::new(&format!("{name} % {} == 0", self.align), "or promise less");
        let conditions = vec![promise("x")?, promise("y")?, Condition::new("n <= 2147483647", "cut the vectors")?];
        let grid = [Expr::param("n").ceil_div((vector * THREADS) as u64), 1.into(), 1.into()];
        let block = [THREADS as u32, 1, 1];
        Ok(Launch { entry: name.into(), params, block, grid, conditions, ..Launch::default() })
    }
}

/// The type of such elements in buffers.
pub(super) const fn data_type(ty: NumericType) -> DataType {
    match ty {
        NumericType::S8 => DataType::S8,
        NumericType::S16 => DataType::S16,
        NumericType::F16 => DataType::F16,
        NumericType::BF16 => DataType::BF16,
        NumericType::S32 => DataType::S32,
        NumericType::F64 => DataType::F64,
        ty if ty.bits() == 8 => DataType::U8,
        _ => DataType::F32,
    }
}
