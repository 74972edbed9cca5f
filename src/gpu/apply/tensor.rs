//! Operands of `apply`.

use super::error::ApplyError;
use crate::algebra::prove::{BUDGET, Claim, Verdict};
use crate::gpu::kernel::{Kernel, Spot};
use crate::gpu::ptx::{Operand, Reg};
use crate::layout::{IntTuple, Layout};

/// Registers as a tensor: the axes are group x repeat x registers, the layout's values places in the list.
/// ```
/// use girih::gpu::apply::RegisterTensor;
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// use girih::prelude::*;
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// // two fragments of four registers; every fourth register belongs to the second
/// let t = RegisterTensor::new(&k.regs(Type::F32, 8), &layout!((2,4):(1,2)));
/// assert_eq!(t.layout(), layout!((2,4):(1,2)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RegisterTensor {
    registers: Vec<Reg>,
    slots: Layout,
    first: i64,
    threads: Option<Layout>,
}

/// Memory as a tensor: the layout's values are elements beyond a place in memory.
/// ```
/// use girih::gpu::apply::MemoryTensor;
/// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
/// use girih::prelude::*;
/// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
/// let x = k.pointer("x", Type::F32);
/// // 4 vectors of 4 words; 16 elements there are, the first at a multiple of 16 bytes
/// let t = MemoryTensor::new(&x.at(&0.into()), &layout!((4,4):(4,1)), 16, 16);
/// assert_eq!(t.layout(), layout!((4,4):(4,1)));
/// ```
#[derive(Clone, Debug)]
pub struct MemoryTensor {
    pub(super) spot: Spot,
    pub(super) layout: Layout,
    /// elements that may be touched
    pub(super) size: i64,
    /// bytes that the first element's address is a multiple of
    pub(super) align: i64,
}

/// An operand of [`Kernel::apply`](crate::gpu::kernel::Kernel::apply).
/// ```
/// # use girih::gpu::apply::ApplyOperand;
/// assert!(matches!(ApplyOperand::from(1.0f32), ApplyOperand::Scalar(_)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ApplyOperand<'a> {
    /// registers
    Registers(&'a RegisterTensor),
    /// memory
    Memory(&'a MemoryTensor),
    /// a register or an immediate, the same for all
    Scalar(Scalar),
}

/// A scalar of `apply`.
/// ```
/// # use girih::gpu::apply::ApplyOperand;
/// assert!(format!("{:?}", ApplyOperand::from(3)).contains("Int"));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// a register
    Reg(Reg),
    /// an integer
    Int(i64),
    /// bits of a single
    F32(u32),
    /// bits of a double
    F64(u64),
}

impl From<Scalar> for Operand {
    fn from(s: Scalar) -> Operand {
        match s {
            Scalar::Reg(r) => Operand::Reg(r),
            Scalar::Int(i) => Operand::Int(i),
            Scalar::F32(bits) => Operand::F32(bits),
            Scalar::F64(bits) => Operand::F64(bits),
        }
    }
}

impl<'a> From<&'a RegisterTensor> for ApplyOperand<'a> {
    fn from(t: &'a RegisterTensor) -> ApplyOperand<'a> {
        ApplyOperand::Registers(t)
    }
}

impl<'a> From<&'a MemoryTensor> for ApplyOperand<'a> {
    fn from(t: &'a MemoryTensor) -> ApplyOperand<'a> {
        ApplyOperand::Memory(t)
    }
}

impl From<Reg> for ApplyOperand<'_> {
    fn from(r: Reg) -> Self {
        ApplyOperand::Scalar(Scalar::Reg(r))
    }
}

impl From<i64> for ApplyOperand<'_> {
    fn from(i: i64) -> Self {
        ApplyOperand::Scalar(Scalar::Int(i))
    }
}

impl From<f32> for ApplyOperand<'_> {
    fn from(x: f32) -> Self {
        ApplyOperand::Scalar(Scalar::F32(x.to_bits()))
    }
}

impl From<f64> for ApplyOperand<'_> {
    fn from(x: f64) -> Self {
        ApplyOperand::Scalar(Scalar::F64(x.to_bits()))
    }
}

impl RegisterTensor {
    /// Registers in the order of the layout's values; every thread of a group has its own, under the same numbers.
    /// ```
    /// # use girih::gpu::{apply::RegisterTensor, kernel::Kernel, ptx::{Target, Type}};
    /// # use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let t = RegisterTensor::new(&k.regs(Type::F32, 4), &layout!((32,4,1):(0,1,1))); // of a warp
    /// assert_eq!(t.registers().len(), 4);
    /// ```
    pub fn new(registers: &[Reg], layout: &Layout) -> RegisterTensor {
        RegisterTensor { registers: registers.to_vec(), slots: *layout, first: 0, threads: None }
    }

    /// A view of the same registers, from the one of number `first` on, with another layout.
    /// ```
    /// # use girih::gpu::{apply::RegisterTensor, kernel::Kernel, ptx::{Target, Type}};
    /// # use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let t = RegisterTensor::new(&k.regs(Type::F32, 4), &layout!((4,1):(1,1)));
    /// let second_for_all = t.view(1, &layout!((4,1):(0,1))); // broadcast
    /// assert_eq!(second_for_all.layout(), layout!((4,1):(0,1)));
    /// ```
    pub fn view(&self, first: i64, layout: &Layout) -> RegisterTensor {
        RegisterTensor { slots: *layout, first, ..self.clone() }
    }

    /// The thread of the group that holds each element, by a layout of the same shape. Without it every thread holds its own.
    /// ```
    /// # use girih::gpu::{apply::RegisterTensor, kernel::Kernel, ptx::{Target, Type}};
    /// # use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let t = RegisterTensor::new(&k.regs(Type::F32, 4), &layout!((32,4,1):(0,1,1))).held_by(&layout!((32,4,1):(1,0,0)));
    /// assert_eq!(t.registers().len(), 4);
    /// ```
    pub fn held_by(mut self, threads: &Layout) -> RegisterTensor {
        self.threads = Some(*threads);
        self
    }

    /// The list.
    /// ```
    /// # use girih::gpu::apply::RegisterTensor;
    /// # use girih::prelude::*;
    /// assert!(RegisterTensor::new(&[], &layout!((4,1):(1,1))).registers().is_empty());
    /// ```
    pub fn registers(&self) -> &[Reg] {
        &self.registers
    }

    /// From coordinates to places in the list.
    /// ```
    /// # use girih::gpu::apply::RegisterTensor;
    /// # use girih::prelude::*;
    /// assert_eq!(RegisterTensor::new(&[], &layout!((4,1):(1,1))).layout(), layout!((4,1):(1,1)));
    /// ```
    pub fn layout(&self) -> Layout {
        self.slots
    }

    /// The register at a coordinate: of the group's threads any, which all have it under the same number.
    pub(super) fn at(&self, group: usize, repeat: &[i64], register: i64) -> Option<Reg> {
        let coordinate: Vec<IntTuple> =
            core::iter::repeat_n(&0, group).chain(repeat).chain([&register]).map(|i| IntTuple::int(*i)).collect();
        let slot = self.slots.at_crd(&IntTuple::tuple(&coordinate).ok()?).ok()?.checked_add(self.first)?;
        self.registers.get(usize::try_from(slot).ok()?).copied()
    }

    /// Group and repeat extents, registers; that each element is a register of the list, held by the thread that executes.
    pub(super) fn check(&self, operand: usize, group: &[i64]) -> Result<(Vec<i64>, i64), ApplyError> {
        let (repeat, last) = axes(operand, &self.slots, group)?;
        let (lo, hi) = self.slots.image_range()?;
        let have = self.registers.len() as i64;
        if lo.saturating_add(self.first) < 0 || hi.saturating_add(self.first) >= have {
            return Err(ApplyError::Registers {
                operand,
                lo: lo.saturating_add(self.first),
                hi: hi.saturating_add(self.first),
                have,
            });
        }
        // places that differ between threads are registers of other threads
        let foreign = || ApplyError::Owner { operand, layout: Box::new(self.threads.unwrap_or(self.slots)) };
        for (i, extent) in group.iter().enumerate() {
            let mode = self.slots.mode(i)?;
            if *extent > 1 && mode.filter().size()? > 1 {
                return Err(foreign());
            }
        }
        let Some(threads) = self.threads else { return Ok((repeat, last)) };
        // the thread's number counts its last coordinate first, as lanes do
        let (mut strides, mut stride) = (vec![0; self.slots.rank()], 1);
        for (i, extent) in group.iter().enumerate().rev() {
            strides[i] = stride;
            stride *= extent;
        }
        let modes = (0..self.slots.rank()).map(|i| {
            let extent = self.slots.mode(i)?.size()?;
            Layout::new(&IntTuple::int(extent), &IntTuple::int(strides[i]))
        });
        let issuing = Layout::tuple(&modes.collect::<Result<Vec<_>, _>>()?)?;
        match Claim::Equal(threads, issuing).decide(BUDGET) {
            Verdict::Proved(_) => Ok((repeat, last)),
            _ => Err(foreign()),
        }
    }
}

impl MemoryTensor {
    /// A layout in memory from a place on: of `size` elements, the first at a multiple of `align` bytes.
    /// ```
    /// # use girih::gpu::{apply::MemoryTensor, kernel::Kernel, ptx::{Target, Type}};
    /// # use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let s = k.shared(Type::F16, 8 * 64, 128);
    /// let rows = MemoryTensor::new(&s.at(&0.into()), &layout!((1,8,8):(512,64,1)), 512, 128);
    /// assert_eq!(rows.layout().rank(), 3);
    /// ```
    pub fn new(spot: &Spot, layout: &Layout, size: i64, align: i64) -> MemoryTensor {
        MemoryTensor { spot: spot.clone(), layout: *layout, size, align }
    }

    /// From coordinates to elements.
    /// ```
    /// # use girih::gpu::{apply::MemoryTensor, kernel::Kernel, ptx::{Target, Type}};
    /// # use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::F32);
    /// assert_eq!(MemoryTensor::new(&x.at(&0.into()), &layout!((4,1):(1,1)), 4, 4).layout(), layout!((4,1):(1,1)));
    /// ```
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// That the promises do not contradict what is known, and that the words of the last axis are neighbours, begin at multiples of
    /// their bytes, and lie within the size.
    pub(super) fn check(&self, k: &Kernel, operand: usize, words: i64) -> Result<(), ApplyError> {
        if let Some(register) = self.spot.registers().find(|r| !k.has(*r)) {
            return Err(ApplyError::Register { register });
        }
        let (bytes, promised) = (self.spot.bytes(), self.align);
        let known = if promised > 0 { k.alignment(&self.spot, promised) } else { 1 };
        if !u64::try_from(promised).is_ok_and(u64::is_power_of_two) || promised > known {
            return Err(ApplyError::Promise { operand, promised, known });
        }
        match k.bytes_from(&self.spot) {
            Some(there) if i128::from(self.size) * i128::from(bytes) > there => {
                return Err(ApplyError::Size { operand, promised: self.size, bytes: there });
            }
            _ => {}
        }
        let rank = self.layout.rank();
        let last = self.layout.mode(rank - 1)?.coalesce();
        let neighbours = words == 1
            || Claim::Equal(last, Layout::flat(&[words], &[1])?.coalesce()).decide(BUDGET).proved().is_some();
        if !neighbours {
            return Err(ApplyError::Words { operand, layout: Box::new(self.layout), words });
        }
        let firsts: Vec<Layout> = (0..rank - 1).map(|i| self.layout.mode(i)).collect::<Result<_, _>>()?;
        let firsts = if firsts.is_empty() { Layout::flat(&[1], &[0])? } else { Layout::tuple(&firsts)? };
        let aligned = Claim::Aligned { image: firsts.into(), to: words }.decide(BUDGET).proved().is_some();
        if !aligned || self.align % (words * bytes) != 0 {
            return Err(ApplyError::Alignment {
                operand,
                layout: Box::new(self.layout),
                align: self.align,
                bytes: words * bytes,
            });
        }
        let (lo, hi) = self.layout.image_range()?;
        if lo < 0 || hi >= self.size {
            return Err(ApplyError::Bounds { operand, lo, hi, size: self.size });
        }
        Ok(())
    }

    /// That no two elements share a place.
    pub(super) fn check_distinct(&self, operand: usize) -> Result<(), ApplyError> {
        match Claim::Injective(self.layout).decide(BUDGET) {
            Verdict::Proved(_) => Ok(()),
            verdict => Err(ApplyError::Stores { operand, layout: Box::new(self.layout), why: verdict.to_string() }),
        }
    }
}

/// Repeat extents and the last one; that the group's come first, and that all are known and above 0.
pub(super) fn axes(operand: usize, layout: &Layout, group: &[i64]) -> Result<(Vec<i64>, i64), ApplyError> {
    let extents: Vec<i64> =
        (0..layout.rank()).map(|i| layout.mode(i).and_then(|m| m.size())).collect::<Result<_, _>>()?;
    if extents.len() <= group.len() || extents[..group.len()] != *group {
        return Err(ApplyError::Group { operand, expected: group.to_vec(), found: Box::new(*layout) });
    }
    let (last, repeat) = extents[group.len()..].split_last().map_or((1, &[][..]), |(last, repeat)| (*last, repeat));
    Ok((repeat.to_vec(), last))
}
