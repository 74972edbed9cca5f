//! Shared memory, loads and stores.

use super::index::Index;
use super::{Kernel, KernelError, Pred};
use crate::gpu::ptx::{Address, Base, Operand, Reg, Target, Type};

/// A parameter that points to global memory.
/// ```
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// let x = Kernel::new("k", Target::SM_80, [32, 1, 1]).pointer("x", Type::F16);
/// assert_eq!(x.ty(), Type::F16);
/// ```
#[derive(Clone, Debug)]
pub struct Pointer {
    pub(super) base: Reg,
    pub(super) ty: Type,
}

/// A tile in shared memory.
/// ```
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// let (a, b) = (k.shared(Type::F32, 100, 16), k.shared(Type::F32, 100, 16));
/// assert_eq!((b.first() - a.first()).known(), Some(400));
/// ```
#[derive(Clone, Debug)]
pub struct Shared {
    /// byte address
    at: Index,
    ty: Type,
    bytes: u64,
    align: u64,
}

/// What a [`Shared`] asked for.
pub(super) struct Buffer {
    pub offset: u64,
    pub bytes: u64,
    pub align: u64,
}

/// An element of memory: what loads and stores take.
/// ```
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// let (x, tid) = (k.pointer("x", Type::F32), k.tid());
/// let v = k.load(&x.at(&(tid * 4)), 4);
/// assert_eq!(v.len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Spot {
    /// of global memory
    base: Option<Reg>,
    /// bytes from there
    offset: Index,
    ty: Type,
    /// of shared memory, the tile that it is in
    tile: Option<Shared>,
}

impl Pointer {
    /// Of what it points to.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// assert_eq!(Kernel::new("k", Target::SM_80, [32, 1, 1]).pointer("x", Type::U8).ty(), Type::U8);
    /// ```
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The element of this number.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::U8);
    /// k.load(&x.at(&7.into()), 1);
    /// assert!(k.finish()?.to_string().contains("+7]"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn at(&self, element: &Index) -> Spot {
        Spot { base: Some(self.base), offset: element * bytes(self.ty), ty: self.ty, tile: None }
    }
}

impl Shared {
    /// Its elements' type.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// assert_eq!(Kernel::new("k", Target::SM_80, [32, 1, 1]).shared(Type::F16, 8, 16).ty(), Type::F16);
    /// ```
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The byte address of its first element.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let a = Kernel::new("k", Target::SM_80, [32, 1, 1]).shared(Type::F16, 8, 16);
    /// assert_eq!(a.first().known(), None);
    /// ```
    pub fn first(&self) -> &Index {
        &self.at
    }

    /// The element of this number.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (a, tid) = (k.shared(Type::F32, 32, 16), k.tid());
    /// let zero = k.op("mov.f32", vec![0.0f32.into()]);
    /// k.store(&a.at(&tid), &[zero]);
    /// assert!(k.finish()?.to_string().contains("st.shared.f32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn at(&self, element: &Index) -> Spot {
        let offset = &self.at + element * bytes(self.ty);
        Spot { base: None, offset, ty: self.ty, tile: Some(self.clone()) }
    }
}

impl Spot {
    /// The same place read as elements of another type.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::F16);
    /// let words = k.load(&x.at(&0.into()).of(Type::B32), 4);
    /// assert_eq!(words[0].ty, Type::B32);
    /// ```
    pub fn of(mut self, ty: Type) -> Spot {
        self.ty = ty;
        self
    }

    /// So many bytes further.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::F16);
    /// k.load(&x.at(&0.into()).plus(&64.into()), 1);
    /// assert!(k.finish()?.to_string().contains("+64]"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn plus(mut self, bytes: &Index) -> Spot {
        self.offset = self.offset + bytes;
        self
    }

    /// Bytes of an element.
    pub(crate) fn bytes(&self) -> i64 {
        bytes(self.ty)
    }

    /// Where it is.
    pub(crate) fn space(&self) -> &'static str {
        if self.base.is_some() { "global" } else { "shared" }
    }

    /// Where its pointer or all of shared memory begins.
    pub(crate) fn origin(&self) -> Address {
        let shared = self.tile.as_ref().and_then(|t| t.at.terms.first()).map(|(r, _)| *r);
        Address { base: self.base.or(shared).map_or(Base::Zero, Base::Reg), offset: 0 }
    }

    /// The registers that its address is computed from.
    pub(crate) fn registers(&self) -> impl Iterator<Item = Reg> {
        self.base.into_iter().chain(self.offset.terms.iter().map(|(r, _)| *r))
    }
}

/// Bytes of an element.
fn bytes(ty: Type) -> i64 {
    i64::from(ty.bits().div_ceil(8))
}

impl Kernel {
    /// Shared memory for so many elements, its begin a multiple of `align` bytes. What a kernel asks for lies one after the other; past
    /// 48 KB in all it is dynamic, to be given at the launch.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_90A, [32, 1, 1]);
    /// k.shared(Type::F32, 60 * 256, 128);
    /// assert_eq!(k.dynamic_shared(), Some(61440));
    /// assert!(k.finish()?.to_string().contains(".extern .shared .align 128 .b8 smem[]"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn shared(&mut self, ty: Type, elements: u64, align: u64) -> Shared {
        let end = self.shared.last().map_or(0, |b| b.offset + b.bytes);
        let limit = shared_limit(self.target);
        if align > limit {
            self.fail(KernelError::SharedMemory { bytes: align, limit });
            return Shared { at: Index::default(), ty, bytes: 0, align: 1 };
        }
        let align = align.max(1).next_power_of_two();
        let offset = end.next_multiple_of(align);
        let size = elements.saturating_mul(bytes(ty) as u64);
        if offset.saturating_add(size) > limit {
            self.fail(KernelError::SharedMemory { bytes: offset.saturating_add(size), limit });
            return Shared { at: Index::default(), ty, bytes: 0, align };
        }
        self.shared.push(Buffer { offset, bytes: size, align });
        let symbol = Operand::Symbol(SMEM.into(), 0);
        let base = self.pure("mov.u32", vec![symbol], Type::B32, (0, (1 << 24) - 1));
        Shared { at: Index::register(base) + offset as i64, ty, bytes: size, align }
    }

    /// Bytes of shared memory that the launch has to give, if it is more than a kernel can ask for itself.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// assert_eq!(Kernel::new("k", Target::SM_90A, [32, 1, 1]).dynamic_shared(), None);
    /// ```
    pub fn dynamic_shared(&self) -> Option<u64> {
        let bytes = self.shared.last().map_or(0, |b| b.offset + b.bytes);
        (bytes > 48 * 1024).then_some(bytes)
    }

    /// Bytes that there are for sure from a spot on, if it is in shared memory: 0 if it may lie before its tile.
    pub(crate) fn bytes_from(&self, spot: &Spot) -> Option<i128> {
        let tile = spot.tile.as_ref()?;
        let (lo, hi) = self.range(&(&spot.offset - &tile.at));
        Some(if lo < 0 { 0 } else { (i128::from(tile.bytes) - hi).max(0) })
    }

    /// The largest power of two up to `wanted` that divides a spot's address: in shared memory that which is known to; in global
    /// memory, where the pointer is promised, that which the known part of the offset does not exclude.
    pub(crate) fn alignment(&self, spot: &Spot, wanted: i64) -> i64 {
        let zeros = |(r, c): &(Reg, i128)| {
            let fact = self.fact(*r);
            c.trailing_zeros() + if fact.lo >= 0 { fact.bits.trailing_zeros() } else { 0 }
        };
        let power = |zeros: u32| 1i64 << zeros.min(62);
        let (within, align) = match &spot.tile {
            Some(tile) => (&spot.offset - &tile.at, tile.align as i64),
            None => (spot.offset.clone(), wanted),
        };
        let terms = within.terms.iter().map(zeros).map(power).min().unwrap_or(i64::MAX);
        let known = if within.offset == 0 { i64::MAX } else { power(within.offset.trailing_zeros()) };
        match spot.tile {
            Some(_) => wanted.min(align).min(terms).min(known),
            // an unknown part may bring the known one to a multiple
            None if known >= terms => wanted,
            None => wanted.min(known),
        }
    }

    /// The address of an element: what varies in a register, what is known in the instruction. Parts of outer blocks are added first.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (x, tid) = (k.pointer("x", Type::F32), k.tid());
    /// assert_eq!(k.address(&x.at(&(tid + 3))).offset, 12);
    /// ```
    pub fn address(&mut self, spot: &Spot) -> Address {
        if !self.exact(&spot.offset) {
            return Address { base: Base::Zero, offset: 0 };
        }
        let (varying, known) = spot.offset.split();
        // an instruction's offset has 32 bits
        let (known, rest) = match i32::try_from(known) {
            Ok(known) => (i64::from(known), 0),
            Err(_) => (0, known),
        };
        let varying = varying + Index { terms: vec![], offset: rest };
        let base = match spot.base {
            None if varying.terms.is_empty() => return Address { base: Base::Zero, offset: known },
            None => match self.narrow(&varying) {
                Operand::Reg(r) => r,
                _ => return Address { base: Base::Zero, offset: known },
            },
            Some(base) if varying == Index::default() => base,
            Some(base) => {
                let all = varying + Index::register(base);
                let sum = self.sum(&all, Type::B64);
                match all.offset {
                    0 => sum,
                    far => {
                        let any = (i64::MIN.into(), i64::MAX.into());
                        self.pure("add.s64", vec![sum.into(), (far as i64).into()], Type::B64, any)
                    }
                }
            }
        };
        Address { base: Base::Reg(base), offset: known }
    }

    /// The vector's qualifier, if there is such an access.
    fn vector(&mut self, ty: Type, n: usize) -> Option<&'static str> {
        match (n, ty.bits()) {
            (1, _) => Some(""),
            (2, ..=64) => Some(".v2"),
            (4, ..=32) => Some(".v4"),
            _ => {
                self.fail(KernelError::Vector { elements: n, bits: ty.bits() });
                None
            }
        }
    }

    /// Loads 1, 2 or 4 neighbouring elements at once.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::F32);
    /// k.load(&x.at(&0.into()), 4);
    /// assert!(k.finish()?.to_string().contains("ld.global.v4.f32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn load(&mut self, spot: &Spot, n: usize) -> Vec<Reg> {
        if self.vector(spot.ty, n).is_none() {
            return Vec::new();
        }
        let registers = self.regs(widened(spot.ty), n);
        self.load_into(spot, &registers);
        registers
    }

    /// Loads into registers that there are.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (x, r) = (k.pointer("x", Type::F32), k.regs(Type::F32, 3));
    /// k.load_into(&x.at(&0.into()), &r);
    /// assert!(k.finish().is_err()); // no vectors of 3
    /// ```
    pub fn load_into(&mut self, spot: &Spot, registers: &[Reg]) {
        let Some(vector) = self.vector(spot.ty, registers.len()) else { return };
        let op = format!("ld.{}{vector}.{}", spot.space(), moved_as(spot.ty));
        let address = self.address(spot).into();
        self.emit(&op, vec![vector_of(registers), address]);
    }

    /// Loads where the condition holds, and else takes zero.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (x, n, tid) = (k.pointer("x", Type::F32), k.size("n"), k.tid());
    /// let inside = k.lt(&tid, &n);
    /// k.load_or_zero(&inside, &x.at(&tid), 1);
    /// assert!(k.finish()?.to_string().contains("@%p0 ld.global.f32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn load_or_zero(&mut self, p: &Pred, spot: &Spot, n: usize) -> Vec<Reg> {
        if self.vector(spot.ty, n).is_none() {
            return Vec::new();
        }
        let registers = self.regs(widened(spot.ty), n);
        if *p != Pred::Always {
            for r in &registers {
                let zero = match r.ty {
                    Type::F32 => 0.0f32.into(),
                    Type::F64 => 0.0f64.into(),
                    _ => 0.into(),
                };
                self.emit(&format!("mov.{}", moved(r.ty)), vec![r.into(), zero]);
            }
        }
        self.guarded_or_kept(p, |k| k.load_into(spot, &registers));
        registers
    }

    /// Stores 1, 2 or 4 neighbouring elements at once.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let (x, y) = (k.pointer("x", Type::F16), k.pointer("y", Type::F16));
    /// let v = k.load(&x.at(&0.into()), 2);
    /// k.store(&y.at(&0.into()), &v);
    /// assert!(k.finish()?.to_string().contains("st.global.v2.b16"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn store(&mut self, spot: &Spot, values: &[Reg]) {
        let Some(vector) = self.vector(spot.ty, values.len()) else { return };
        let op = format!("st.{}{vector}.{}", spot.space(), moved_as(spot.ty));
        let address = self.address(spot).into();
        self.emit(&op, vec![address, vector_of(values)]);
    }

    /// `bar.sync 0`: waits for all threads of the block.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// k.barrier();
    /// assert!(k.finish()?.to_string().contains("bar.sync 0;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn barrier(&mut self) {
        self.emit("bar.sync", vec![0.into()]);
    }

    /// `cp.async` of 4, 8 or 16 bytes from global to shared memory; with a condition, zeros where it does not hold, and nothing read.
    /// L2 fetches the whole 128 bytes around.
    /// ```
    /// # use girih::gpu::{kernel::{Kernel, Pred}, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let (x, s, tid) = (k.pointer("x", Type::F32), k.shared(Type::F32, 256, 16), k.tid() * 4);
    /// k.copy_async(&s.at(&tid), &x.at(&tid), 16, &Pred::Always);
    /// k.copies_committed();
    /// k.copies_done(0);
    /// assert!(k.finish()?.to_string().contains("cp.async.cg.shared.global.L2::128B [%r"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn copy_async(&mut self, to: &Spot, from: &Spot, bytes: u32, p: &Pred) {
        // the operand says where the source is ignored
        let ignored = match *p {
            Pred::Always => None,
            Pred::Never => Some(0.into()),
            Pred::If(r, true) => Some(r.into()),
            Pred::If(r, false) => Some(Operand::Not(r)),
        };
        self.copy_async_as(to, from, bytes, ignored);
    }

    /// The same of the first `real` bytes, which may be 0; the rest is filled with zeros and not read.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let (x, s, tid) = (k.pointer("x", Type::F32), k.shared(Type::F32, 256, 16), k.tid() * 4);
    /// k.copy_async_of(&s.at(&tid), &x.at(&tid), 16, &12.into());
    /// assert!(k.finish()?.to_string().contains(", 16, 12;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn copy_async_of(&mut self, to: &Spot, from: &Spot, bytes: u32, real: &Index) {
        let real = (real.known() != Some(bytes.into())).then(|| self.narrow(real));
        self.copy_async_as(to, from, bytes, real);
    }

    fn copy_async_as(&mut self, to: &Spot, from: &Spot, bytes: u32, last: Option<Operand>) {
        // only whole vectors may bypass L1
        let op = if bytes == 16 { "cp.async.cg.shared.global.L2::128B" } else { "cp.async.ca.shared.global.L2::128B" };
        let mut operands = vec![self.address(to).into(), self.address(from).into(), bytes.into()];
        operands.extend(last);
        self.emit(op, operands);
    }

    /// Makes a group of the copies issued so far.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// k.copies_committed();
    /// assert!(k.finish()?.to_string().contains("cp.async.commit_group;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn copies_committed(&mut self) {
        self.emit("cp.async.commit_group", vec![]);
    }

    /// Waits until at most `pending` groups of copies of this thread are under way.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// k.copies_done(1);
    /// assert!(k.finish()?.to_string().contains("cp.async.wait_group 1;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn copies_done(&mut self, pending: u32) {
        self.emit("cp.async.wait_group", vec![pending.into()]);
    }
}

/// Is it a name, and none that PTX or the builder has?
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !["WARP_SZ", SMEM].contains(&name)
}

/// All the shared memory of a kernel.
pub(super) const SMEM: &str = "smem";

/// The shared memory that a block of the target can have, in bytes (CUDA C++ programming guide, technical specifications).
pub(crate) const fn shared_limit(target: Target) -> u64 {
    1024 * match target.number() {
        ..80 => 64,
        80 | 87 => 163,
        86 | 89 | 120 | 121 => 99,
        _ => 227,
    }
}

/// One register, or a vector of several.
fn vector_of(registers: &[Reg]) -> Operand {
    match registers {
        [r] => r.into(),
        several => several.into(),
    }
}

/// There are no registers of 8 bits to compute with: such elements are loaded into 16.
fn widened(ty: Type) -> Type {
    match ty.register() {
        Type::U8 => Type::U16,
        Type::S8 => Type::S16,
        Type::B8 => Type::B16,
        other => other,
    }
}

/// The type of `mov`, which knows neither halves nor bytes.
fn moved(ty: Type) -> Type {
    match (ty, ty.bits()) {
        (Type::F32 | Type::F64, _) => ty,
        (_, 16) => Type::B16,
        (_, 64) => Type::B64,
        _ => Type::B32,
    }
}

/// The type of a load or store: untyped for halves.
fn moved_as(ty: Type) -> Type {
    match ty.register() {
        Type::F16 => Type::B16,
        other => other,
    }
}
