//! Matrix instructions: `D = A B + C` of one warp (or thread, quad pair, warpgroup).

use super::value::{NumericType, RegisterType, Registers};
use crate::algebra::Major;
use crate::layout;
use crate::layout::{IntTuple, Layout};
use NumericType::*;
use core::fmt;

/// Where an operand lies.
/// ```
/// # use girih::gpu::atom::Source;
/// # use girih::prelude::*;
/// let mma = MmaAtom::named("SM90_64x64x16_F32F16F16_RS<K,MN>").ok_or("no such atom")?;
/// assert_eq!((mma.source_a(), mma.source_b()), (Source::Registers, Source::Shared(Major::MN)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// In the registers of the threads.
    Registers,
    /// In shared memory, which a descriptor tells; all threads hold all of it.
    Shared(Major),
}

/// What else an instruction does.
/// ```
/// # use girih::gpu::atom::Modifier;
/// # use girih::prelude::*;
/// let mma = MmaAtom::named("SM80_8x8x16_S32S8S8S32_TN_SATURATE");
/// assert_eq!(mma.and_then(|m| m.modifier()), Some(Modifier::Saturate));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Modifier {
    /// integer sums stop at the ends of their range
    Saturate,
    /// bits are multiplied by exclusive or, and counted
    XorPopc,
    /// bits are multiplied by and, and counted
    AndPopc,
}

/// For each operand.
/// ```
/// # use girih::gpu::atom::{NumericType, SM80_16x8x16_F32F16F16F32_TN as MMA};
/// assert_eq!((MMA.types().a, MMA.types().c), (NumericType::F16, NumericType::F32));
/// assert_eq!(MMA.registers().c.count, 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operands<T> {
    /// of the result
    pub d: T,
    /// of the left factor, M x K
    pub a: T,
    /// of the right factor, N x K
    pub b: T,
    /// of the summand
    pub c: T,
}

/// A matrix instruction: its name, shape and types, and for each operand the thread-value layout, from (thread, value) to
/// the one-dimensional coordinate in M x K, N x K or M x N.
///
/// [`MmaAtom::named`] finds one by CuTe's name, [`MmaAtom::all`] lists them; the usual ones are constants.
/// ```
/// use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
/// use girih::prelude::*;
/// const C: Layout = MMA.c();
/// assert_eq!(C, layout!(((4,8),(2,2)):((32,1),(16,8))));
/// assert_eq!(MMA.to_string(), "SM80_16x8x16_F32F16F16F32_TN");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MmaAtom {
    unit: Unit,
    sm: u16,
    /// M, N, K
    shape: [usize; 3],
    types: Operands<NumericType>,
    majors: [Major; 2],
    modifier: Option<Modifier>,
}

/// Who executes it, and from where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Unit {
    /// one thread, with an instruction that any thread has
    Fma,
    /// one thread
    Dot,
    /// 8 threads, of the first generation
    QuadPair,
    Warp,
    /// 4 warps; A in registers or in shared memory
    Warpgroup {
        a_in_registers: bool,
    },
}

impl MmaAtom {
    const fn new(unit: Unit, sm: u16, shape: [usize; 3], types: [NumericType; 4]) -> MmaAtom {
        let [d, a, b, c] = types;
        let types = Operands { d, a, b, c };
        MmaAtom { unit, sm, shape, types, majors: [Major::K, Major::K], modifier: None }
    }

    const fn warp(sm: u16, shape: [usize; 3], types: [NumericType; 4]) -> MmaAtom {
        MmaAtom::new(Unit::Warp, sm, shape, types)
    }

    /// The multiplication and addition of one thread, 1 x 1 x 1: what a GEMM without matrix instructions is tiled of. None for
    /// types without such an instruction.
    ///
    /// It is not among [`MmaAtom::all`], which are CuTe's named ones: CuTe has it as a template.
    /// ```
    /// # use girih::gpu::atom::NumericType;
    /// # use girih::prelude::*;
    /// let fma = MmaAtom::fma(NumericType::F32).ok_or("no such atom")?;
    /// assert_eq!((fma.to_string().as_str(), fma.ptx().as_deref()), ("UniversalFMA<F32,F32,F32,F32>", Some("fma.rn.f32")));
    /// assert_eq!((fma.shape(), fma.thr()), (ints!((1, 1, 1)), layout!(1:0)));
    /// assert_eq!(MmaAtom::fma(NumericType::E4M3), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn fma(of: NumericType) -> Option<MmaAtom> {
        // PTX ISA, half precision fma: the first targets of .f16 and .bf16; the others are older than any that is built for
        let sm = match of {
            F16 => 53,
            BF16 => 80,
            F32 | F64 | S32 => 50,
            _ => return None,
        };
        Some(MmaAtom::new(Unit::Fma, sm, [1, 1, 1], [of; 4]))
    }

    /// `mma.sync` of any shape and types that PTX has; those of 8 threads are told by their shape.
    pub(crate) const fn of_warp(
        shape: [usize; 3],
        types: [NumericType; 4],
        majors: [Major; 2],
        modifier: Option<Modifier>,
    ) -> MmaAtom {
        let unit = match (shape, types[0]) {
            ([8, 8, 4], F16 | F32) => Unit::QuadPair,
            _ => Unit::Warp,
        };
        MmaAtom { majors, modifier, ..MmaAtom::new(unit, 80, shape, types) }
    }

    /// The same, of another type of C.
    pub(crate) const fn with_c(self, c: NumericType) -> MmaAtom {
        MmaAtom { types: Operands { c, ..self.types }, ..self }
    }

    /// Is it one of 8 threads?
    pub(crate) const fn is_of_quad_pair(&self) -> bool {
        matches!(self.unit, Unit::QuadPair)
    }

    /// M, N and K.
    pub(crate) const fn extents(&self) -> [usize; 3] {
        self.shape
    }

    /// M, N and K.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// # use girih::prelude::*;
    /// assert_eq!(MMA.shape(), ints!((16, 8, 16)));
    /// ```
    pub const fn shape(&self) -> IntTuple {
        let [m, n, k] = self.shape;
        crate::literal(IntTuple::flat(&[m as i64, n as i64, k as i64]))
    }

    /// Types of the values.
    /// ```
    /// # use girih::gpu::atom::{NumericType, SM80_16x8x16_F32F16F16F32_TN as MMA};
    /// assert_eq!(MMA.types().b, NumericType::F16);
    /// ```
    pub const fn types(&self) -> Operands<NumericType> {
        self.types
    }

    /// What else it does.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// assert_eq!(MMA.modifier(), None);
    /// ```
    pub const fn modifier(&self) -> Option<Modifier> {
        self.modifier
    }

    /// The compute capability that has it, times ten.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// assert_eq!(MMA.sm(), 80);
    /// ```
    pub const fn sm(&self) -> u16 {
        self.sm
    }

    /// Where A lies.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, Source};
    /// assert_eq!(MMA.source_a(), Source::Registers);
    /// ```
    pub const fn source_a(&self) -> Source {
        match self.unit {
            Unit::Warpgroup { a_in_registers: false } => Source::Shared(self.majors[0]),
            _ => Source::Registers,
        }
    }

    /// Where B lies.
    /// ```
    /// # use girih::gpu::atom::{SM80_16x8x16_F32F16F16F32_TN as MMA, Source};
    /// assert_eq!(MMA.source_b(), Source::Registers);
    /// ```
    pub const fn source_b(&self) -> Source {
        match self.unit {
            Unit::Warpgroup { .. } => Source::Shared(self.majors[1]),
            _ => Source::Registers,
        }
    }

    /// The threads that execute it together, as positions in the warp or warpgroup.
    /// ```
    /// # use girih::prelude::*;
    /// let quad_pair = MmaAtom::named("SM70_8x8x4_F32F16F16F32_TN").map(|m| m.thr());
    /// assert_eq!(quad_pair, Some(layout!((4,2):(1,16))));
    /// ```
    pub const fn thr(&self) -> Layout {
        match self.unit {
            Unit::Fma | Unit::Dot => layout!(1:0),
            Unit::QuadPair => layout!((4,2):(1,16)),
            Unit::Warp => layout!(32:1),
            Unit::Warpgroup { .. } => layout!(128:1),
        }
    }

    /// (thread, value) to M x K.
    /// ```
    /// # use girih::prelude::*;
    /// let mma = MmaAtom::named("SM80_16x8x8_F32TF32TF32F32_TN").map(|m| m.a());
    /// assert_eq!(mma, Some(layout!(((4,8),(2,2)):((16,1),(8,64)))));
    /// ```
    pub const fn a(&self) -> Layout {
        self.factor(self.shape[0], self.types.a, self.majors[0], self.source_a())
    }

    /// (thread, value) to N x K.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// # use girih::prelude::*;
    /// assert_eq!(MMA.b(), layout!(((4,8),(2,2)):((16,1),(8,64))));
    /// ```
    pub const fn b(&self) -> Layout {
        self.factor(self.shape[1], self.types.b, self.majors[1], self.source_b())
    }

    /// (thread, value) to M x N, of C and D alike.
    /// ```
    /// # use girih::prelude::*;
    /// let c = MmaAtom::named("SM90_64x128x16_F32F16F16_SS<K,K>").map(|m| m.c());
    /// assert_eq!(c, Some(layout!(((4,8,4),(2,2,16)):((128,1,16),(64,8,512)))));
    /// ```
    pub const fn c(&self) -> Layout {
        let [m, n, _] = self.shape;
        match (self.unit, self.types.c) {
            (Unit::Fma | Unit::Dot, _) => layout!((1,1):(0,0)),
            (Unit::QuadPair, F16) => layout!((8,8):(1,8)),
            (Unit::QuadPair, _) => layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32))),
            // pairs of neighbours in a row, whatever the type
            (Unit::Warp, _) => fragment(m, n, 2, 1),
            // N/8 stays a mode of its own, also if it is 1
            (Unit::Warpgroup { .. }, _) => {
                let values = crate::literal(Layout::flat(&[2, 2, n as i64 / 8], &[64, 8, 512]));
                crate::literal(Layout::tuple(&[layout!((4,8,4):(128,1,16)), values]))
            }
        }
    }

    const fn factor(&self, rows: usize, of: NumericType, major: Major, source: Source) -> Layout {
        let k = self.shape[2];
        match (self.unit, major, source) {
            (Unit::Fma, ..) => layout!((1,1):(0,0)),
            (Unit::Dot, ..) => crate::literal(Layout::flat(&[1, k as i64], &[0, 1])),
            (Unit::QuadPair, Major::K, _) => layout!((8,4):(1,8)),
            (Unit::QuadPair, Major::MN, _) => layout!(((4,2),4):((8,4),1)),
            (_, _, Source::Shared(_)) => {
                let tile = crate::literal(Layout::flat(&[rows as i64, k as i64], &[1, rows as i64]));
                crate::literal(Layout::tuple(&[layout!(128:0), tile]))
            }
            (Unit::Warpgroup { .. }, _, Source::Registers) => fragment(rows, k, packed(of), 4),
            (Unit::Warp, ..) => fragment(rows, k, packed(of), 1),
        }
    }

    /// Registers of each operand in one thread; operands in shared memory have a descriptor. A warpgroup's D is its C.
    /// ```
    /// # use girih::gpu::atom::*;
    /// # use girih::prelude::*;
    /// let mma = MmaAtom::named("SM90_64x128x16_F32F16F16_SS<K,K>").map(|m| m.registers());
    /// let (c, a) = mma.map(|r| (r.c, r.a)).ok_or("no such atom")?;
    /// assert_eq!(c, Registers { register: RegisterType::F32, count: 64 });
    /// assert_eq!(a, Registers { register: RegisterType::B64, count: 1 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn registers(&self) -> Operands<Registers> {
        let [m, n, k] = self.shape;
        let threads = match self.unit {
            Unit::Fma | Unit::Dot => 1,
            Unit::QuadPair => 8,
            Unit::Warp => 32,
            Unit::Warpgroup { .. } => 128,
        };
        let c = self.types.c.registers(m * n / threads);
        let d = match self.unit {
            Unit::Warpgroup { .. } => Registers { count: 0, ..c },
            _ => self.types.d.registers(m * n / threads),
        };
        let descriptor = Registers { register: RegisterType::B64, count: 1 };
        let a = match self.source_a() {
            Source::Registers => self.types.a.registers(m * k / threads),
            Source::Shared(_) => descriptor,
        };
        let b = match self.source_b() {
            Source::Registers => self.types.b.registers(n * k / threads),
            Source::Shared(_) => descriptor,
        };
        Operands { d, a, b, c }
    }

    /// The instruction's name in PTX, with its qualifiers; none for CuTe's complex products, which are several.
    /// ```
    /// # use girih::prelude::*;
    /// let ptx = MmaAtom::named("SM90_64x128x16_F32BF16BF16_SS<K,K>").and_then(|m| m.ptx());
    /// assert_eq!(ptx.as_deref(), Some("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"));
    /// ```
    pub fn ptx(&self) -> Option<String> {
        let ([m, n, k], Operands { d, a, b, c }) = (self.shape, self.types);
        let order = |is_row: bool| if is_row { "row" } else { "col" };
        // saturation goes before the types, bit operations after them
        let (saturate, bits) = match self.modifier {
            None => ("", ""),
            Some(Modifier::Saturate) => (".satfinite", ""),
            Some(Modifier::XorPopc) => ("", ".xor.popc"),
            Some(Modifier::AndPopc) => ("", ".and.popc"),
        };
        match self.unit {
            _ if a == C64 => None,
            Unit::Fma => Some(if d == S32 { "mad.lo.s32".into() } else { format!("fma.rn.{d}") }),
            Unit::Dot => Some(format!("dp{k}a.s32.s32")),
            Unit::QuadPair | Unit::Warp => {
                let (left, right) = (order(self.majors[0] == Major::K), order(self.majors[1] == Major::MN));
                Some(format!("mma.sync.aligned.m{m}n{n}k{k}.{left}.{right}{saturate}.{d}.{a}.{b}.{c}{bits}"))
            }
            Unit::Warpgroup { .. } => {
                Some(format!("wgmma.mma_async.sync.aligned.m{m}n{n}k{k}{saturate}.{d}.{a}.{b}{bits}"))
            }
        }
    }
}

/// How many values of a factor share a 32-bit register: they are neighbours along K.
const fn packed(of: NumericType) -> usize {
    if of.bits() < 32 { 32 / of.bits() } else { 1 }
}

/// The fragment of a `rows` x `cols` operand, 8 rows and 4 columns of threads to a warp and 16 rows to each of several warps:
/// a thread holds `vector` neighbours in a row, those 8 rows below, and so on through the columns.
const fn fragment(rows: usize, cols: usize, vector: usize, warps: usize) -> Layout {
    let (m, v) = (rows as i64, vector as i64);
    let threads = match warps {
        1 => Layout::flat(&[4, 8], &[m * v, 1]),
        _ => Layout::flat(&[4, 8, warps as i64], &[m * v, 1, 16]),
    };
    let all = [(v, m), (m / (8 * warps as i64), 8), (cols as i64 / (4 * v), 4 * m * v)];
    // a mode of extent 1 is left out
    let (mut extents, mut strides, mut n, mut i) = ([1; 3], [0; 3], 0, 0);
    while i < all.len() {
        if all[i].0 > 1 {
            (extents[n], strides[n]) = all[i];
            n += 1;
        }
        i += 1;
    }
    let values = match n {
        0 | 1 => Layout::new(&IntTuple::int(extents[0]), &IntTuple::int(strides[0])),
        _ => Layout::flat(extents.split_at(n).0, strides.split_at(n).0),
    };
    crate::literal(Layout::tuple(&[crate::literal(threads), crate::literal(values)]))
}

/// CuTe's name.
impl fmt::Display for MmaAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([m, n, k], t) = (self.shape, self.types.map(NumericType::cute));
        if self.unit == Unit::Fma {
            return write!(f, "UniversalFMA<{},{},{},{}>", t.d, t.a, t.b, t.c);
        }
        if self.unit == Unit::Dot {
            return write!(f, "SM{}_DP{k}A", self.sm);
        }
        write!(f, "SM{}_{m}x{n}x{k}_{}{}{}", self.sm, t.d, t.a, t.b)?;
        if let Unit::Warpgroup { a_in_registers } = self.unit {
            f.write_str(if a_in_registers { "_RS" } else { "_SS" })?;
            if self.types.a.bits() == 16 {
                // template parameters: only these types have operands of either order
                write!(f, "<{:?},{:?}>", self.majors[0], self.majors[1])?;
            } else {
                f.write_str("_TN")?;
            }
        } else {
            // BLAS letters: A is transposed when K is contiguous, B when N is
            let (a, b) = (self.majors[0] == Major::K, self.majors[1] == Major::MN);
            let letter = |t: bool| if t { 'T' } else { 'N' };
            write!(f, "{}_{}{}", t.c, letter(a), letter(b))?;
        }
        f.write_str(match self.modifier {
            None => "",
            Some(Modifier::Saturate) => "_SATURATE",
            Some(Modifier::XorPopc) => "_XORPOPC",
            Some(Modifier::AndPopc) => "_ANDPOPC",
        })
    }
}

impl<T> Operands<T> {
    /// Each by itself.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// assert_eq!(MMA.types().map(|t| t.bits()).c, 32);
    /// ```
    pub fn map<U>(self, to: impl Fn(T) -> U) -> Operands<U> {
        Operands { d: to(self.d), a: to(self.a), b: to(self.b), c: to(self.c) }
    }
}

impl MmaAtom {
    /// The atom of this name, as CuTe spells it; for operands of a warpgroup of either order with `<K,MN>`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(MmaAtom::named("SM90_64x256x16_F16F16F16_SS<MN,K>").is_some());
    /// assert!(MmaAtom::named("SM90_64x260x16_F16F16F16_SS<MN,K>").is_none());
    /// ```
    pub fn named(name: &str) -> Option<MmaAtom> {
        MmaAtom::all().find(|atom| atom.to_string() == name)
    }

    /// All of them, up to Hopper: `dp4a`, `mma.sync` of a quad pair and of a warp, `wgmma` of every N.
    /// ```
    /// # use girih::prelude::*;
    /// let threads = |n: i64| MmaAtom::all().filter(move |m| m.thr().size() == Ok(n)).count();
    /// assert_eq!((threads(1), threads(8), threads(32), threads(128)), (2, 8, 82, 1440));
    /// ```
    pub fn all() -> impl Iterator<Item = MmaAtom> {
        let mut all = vec![
            MmaAtom::new(Unit::Dot, 61, [1, 1, 4], [S32, S8, S8, S32]),
            MmaAtom::new(Unit::Dot, 61, [1, 1, 2], [S32, S16, S16, S32]),
        ];
        use Major::{K, MN};
        for c in [F16, F32] {
            let quad_pair = MmaAtom::new(Unit::QuadPair, 70, [8, 8, 4], [c, F16, F16, c]);
            all.extend([[K, K], [MN, MN], [MN, K], [K, MN]].map(|majors| MmaAtom { majors, ..quad_pair }));
        }
        all.extend(WARP);
        for (types, shapes) in
            [([S8, U8], [[8, 8, 16], [16, 8, 16], [16, 8, 32]]), ([S4, U4], [[8, 8, 32], [16, 8, 32], [16, 8, 64]])]
        {
            for (a, b) in pairs(types) {
                for shape in shapes {
                    all.extend(saturating(MmaAtom::warp(80, shape, [S32, a, b, S32])));
                }
            }
        }
        for shape in [[16, 8, 256], [8, 8, 128], [16, 8, 128]] {
            let bits = MmaAtom::warp(80, shape, [S32, U1, U1, S32]);
            all.extend([Modifier::XorPopc, Modifier::AndPopc].map(|m| MmaAtom { modifier: Some(m), ..bits }));
        }
        for c in [F32, F16] {
            all.extend(pairs([E4M3, E5M2]).map(|(a, b)| MmaAtom::warp(89, [16, 8, 32], [c, a, b, c])));
        }
        for n in (8..=256).step_by(8) {
            warpgroup(n, &mut all);
        }
        all.into_iter()
    }
}

const WARP: [MmaAtom; 20] = [
    MmaAtom::warp(75, [16, 8, 8], [F32, F16, F16, F32]),
    MmaAtom::warp(75, [16, 8, 8], [F16, F16, F16, F16]),
    MmaAtom::warp(75, [8, 8, 16], [S32, S8, S8, S32]),
    MmaAtom::warp(80, [16, 8, 8], [F16, F16, F16, F16]),
    MmaAtom::warp(80, [16, 8, 16], [F16, F16, F16, F16]),
    MmaAtom::warp(80, [16, 8, 8], [F32, F16, F16, F32]),
    MmaAtom::warp(80, [16, 8, 16], [F32, F16, F16, F32]),
    MmaAtom::warp(80, [16, 8, 8], [F32, BF16, BF16, F32]),
    MmaAtom::warp(80, [16, 8, 16], [F32, BF16, BF16, F32]),
    MmaAtom::warp(80, [16, 8, 4], [F32, TF32, TF32, F32]),
    MmaAtom::warp(80, [16, 8, 8], [F32, TF32, TF32, F32]),
    MmaAtom::warp(80, [8, 8, 4], [F64, F64, F64, F64]),
    MmaAtom::warp(80, [8, 8, 4], [C64, C64, C64, C64]),
    MmaAtom::warp(80, [8, 8, 4], [GC64, C64, C64, GC64]),
    MmaAtom::warp(90, [16, 8, 4], [F64, F64, F64, F64]),
    MmaAtom::warp(90, [16, 8, 8], [F64, F64, F64, F64]),
    MmaAtom::warp(90, [16, 8, 16], [F64, F64, F64, F64]),
    MmaAtom::warp(90, [16, 8, 4], [C64, C64, C64, C64]),
    MmaAtom::warp(90, [16, 8, 8], [C64, C64, C64, C64]),
    MmaAtom::warp(90, [16, 8, 16], [C64, C64, C64, C64]),
];

/// `wgmma` of one N.
fn warpgroup(n: usize, all: &mut Vec<MmaAtom>) {
    use Major::{K, MN};
    for a_in_registers in [false, true] {
        let of = |k, d, a, b| MmaAtom::new(Unit::Warpgroup { a_in_registers }, 90, [64, n, k], [d, a, b, d]);
        let orders = if a_in_registers { &[[K, K], [K, MN]][..] } else { &[[K, K], [MN, MN], [K, MN], [MN, K]] };
        for (d, ab) in [(F16, F16), (F32, F16), (F32, BF16)] {
            all.extend(orders.iter().map(|&majors| MmaAtom { majors, ..of(16, d, ab, ab) }));
        }
        all.push(of(8, F32, TF32, TF32));
        for d in [F16, F32] {
            all.extend(pairs([E4M3, E5M2]).map(|(a, b)| of(32, d, a, b)));
        }
        // integers have N = 24 and else multiples of 16
        if n.is_multiple_of(16) || n == 8 || n == 24 {
            all.extend(pairs([S8, U8]).into_iter().flat_map(|(a, b)| saturating(of(32, S32, a, b))));
        }
    }
}

fn pairs([x, y]: [NumericType; 2]) -> [(NumericType, NumericType); 4] {
    [(x, x), (x, y), (y, x), (y, y)]
}

fn saturating(atom: MmaAtom) -> [MmaAtom; 2] {
    [atom, MmaAtom { modifier: Some(Modifier::Saturate), ..atom }]
}

/// The usual ones, by CuTe's names.
#[allow(non_upper_case_globals)]
pub(super) mod constants {
    use super::*;

    /// f16 times f16, added in f16.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F16F16F16F16_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_16x8x16_F16F16F16F16_TN");
    /// ```
    pub const SM80_16x8x16_F16F16F16F16_TN: MmaAtom = MmaAtom::warp(80, [16, 8, 16], [F16, F16, F16, F16]);
    /// f16 times f16, added in f32.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32F16F16F32_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_16x8x16_F32F16F16F32_TN");
    /// ```
    pub const SM80_16x8x16_F32F16F16F32_TN: MmaAtom = MmaAtom::warp(80, [16, 8, 16], [F32, F16, F16, F32]);
    /// bf16 times bf16, added in f32.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x16_F32BF16BF16F32_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_16x8x16_F32BF16BF16F32_TN");
    /// ```
    pub const SM80_16x8x16_F32BF16BF16F32_TN: MmaAtom = MmaAtom::warp(80, [16, 8, 16], [F32, BF16, BF16, F32]);
    /// tf32 times tf32, added in f32.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x8_F32TF32TF32F32_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_16x8x8_F32TF32TF32F32_TN");
    /// ```
    pub const SM80_16x8x8_F32TF32TF32F32_TN: MmaAtom = MmaAtom::warp(80, [16, 8, 8], [F32, TF32, TF32, F32]);
    /// s8 times s8, added in s32.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x32_S32S8S8S32_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_16x8x32_S32S8S8S32_TN");
    /// ```
    pub const SM80_16x8x32_S32S8S8S32_TN: MmaAtom = MmaAtom::warp(80, [16, 8, 32], [S32, S8, S8, S32]);
    /// e4m3 times e4m3, added in f32.
    /// ```
    /// # use girih::gpu::atom::SM89_16x8x32_F32E4M3E4M3F32_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM89_16x8x32_F32E4M3E4M3F32_TN");
    /// ```
    pub const SM89_16x8x32_F32E4M3E4M3F32_TN: MmaAtom = MmaAtom::warp(89, [16, 8, 32], [F32, E4M3, E4M3, F32]);
    /// f64.
    /// ```
    /// # use girih::gpu::atom::SM80_8x8x4_F64F64F64F64_TN as MMA;
    /// assert_eq!(MMA.to_string(), "SM80_8x8x4_F64F64F64F64_TN");
    /// ```
    pub const SM80_8x8x4_F64F64F64F64_TN: MmaAtom = MmaAtom::warp(80, [8, 8, 4], [F64, F64, F64, F64]);
}
