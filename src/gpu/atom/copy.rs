//! Instructions that move values.

use super::value::{RegisterType, Registers};
use crate::layout;
use crate::layout::Layout;
use core::fmt;

/// An instruction that moves values: its name, and the thread-value layouts of source and destination, from (thread, value)
/// to a common index. Values are **bits**.
///
/// [`CopyAtom::named`] finds one by CuTe's name, [`CopyAtom::all`] lists them.
/// ```
/// use girih::prelude::*;
/// let ldmatrix = CopyAtom::Ldmatrix { matrices: 4, transposed: false };
/// assert_eq!(ldmatrix.to_string(), "SM75_U32x4_LDSM_N");
/// assert_eq!(ldmatrix.src(), layout!((32,128):(128,1))); // each lane gives a row of 16 bytes
/// assert_eq!(ldmatrix.dst(), layout!((32,(32,4)):(32,(1,1024)))); // and gets 4 bytes of each matrix
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CopyAtom {
    /// A move of one thread, wherever it goes.
    Universal {
        /// 8, 16, 32, 64 or 128
        bits: usize,
    },
    /// `cp.async`: global to shared memory without a register.
    CpAsync {
        /// 32, 64 or 128; 128 past the L1 cache
        bits: usize,
        /// keeps the line in the L1 cache (`.ca`, else `.cg`)
        cached: bool,
        /// writes zeros where a predicate fails
        zero_fill: bool,
    },
    /// `ldmatrix`: 8 x 8 matrices of 16-bit elements from shared memory.
    Ldmatrix {
        /// 1, 2 or 4
        matrices: usize,
        /// `.trans`
        transposed: bool,
    },
    /// `stmatrix`: the reverse.
    Stmatrix {
        /// 1, 2 or 4
        matrices: usize,
        /// `.trans`
        transposed: bool,
    },
    /// `movmatrix`: an 8 x 8 matrix in registers, transposed.
    Movmatrix,
    /// Two lanes at this distance exchange a register each: 2 x 2 transposes.
    Shuffle {
        /// 1 or 4
        distance: usize,
    },
}

use CopyAtom::*;

impl CopyAtom {
    /// The threads that execute it together.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(CopyAtom::Movmatrix.thr(), layout!(32:1));
    /// assert_eq!(CopyAtom::Universal { bits: 8 }.thr(), layout!(1:0));
    /// ```
    pub const fn thr(&self) -> Layout {
        match self {
            Universal { .. } | CpAsync { .. } => layout!(1:0),
            _ => layout!(32:1),
        }
    }

    /// (thread, bit) of the source.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(CopyAtom::Universal { bits: 64 }.src(), layout!((1,64):(0,1)));
    /// ```
    pub const fn src(&self) -> Layout {
        match *self {
            Universal { bits } | CpAsync { bits, .. } => one_thread(bits),
            Ldmatrix { matrices, .. } => rows(matrices),
            Stmatrix { matrices, transposed } => registers(matrices, transposed),
            Movmatrix => registers(1, false),
            Shuffle { .. } => layout!((32,64):(64,1)),
        }
    }

    /// (thread, bit) of the destination.
    /// ```
    /// # use girih::prelude::*;
    /// let transposed = CopyAtom::Ldmatrix { matrices: 1, transposed: true };
    /// assert_eq!(transposed.dst(), layout!(((4,8),(16,2)):((256,16),(1,128))));
    /// ```
    pub const fn dst(&self) -> Layout {
        match *self {
            Ldmatrix { matrices, transposed } => registers(matrices, transposed),
            Stmatrix { matrices, .. } => rows(matrices),
            Shuffle { distance: 1 } => layout!(((2,16),(32,2)):((32,128),(1,64))),
            Shuffle { .. } => layout!(((4,2,4),(32,2)):((64,32,512),(1,256))),
            _ => self.src(),
        }
    }

    /// The side that tilings are made for: the registers of `ldmatrix` and `stmatrix`, else the source.
    /// ```
    /// # use girih::prelude::*;
    /// let load = CopyAtom::Ldmatrix { matrices: 2, transposed: false };
    /// assert_eq!(load.reference(), load.dst());
    /// ```
    pub const fn reference(&self) -> Layout {
        match self {
            Ldmatrix { .. } => self.dst(),
            _ => self.src(),
        }
    }

    /// Registers of the source and of the destination in one thread; a row in memory counts as one of 128 bits.
    /// ```
    /// # use girih::gpu::atom::{CopyAtom, RegisterType, Registers};
    /// let (src, dst) = CopyAtom::Ldmatrix { matrices: 4, transposed: false }.registers();
    /// assert_eq!(src, Registers { register: RegisterType::B128, count: 1 });
    /// assert_eq!(dst, Registers { register: RegisterType::B32, count: 4 });
    /// ```
    pub fn registers(&self) -> (Registers, Registers) {
        let words = |count| Registers { register: RegisterType::B32, count };
        let row = Registers { register: RegisterType::B128, count: 1 };
        match *self {
            Universal { bits } | CpAsync { bits, .. } => {
                let register = match bits {
                    8 => RegisterType::B8,
                    16 => RegisterType::B16,
                    32 => RegisterType::B32,
                    64 => RegisterType::B64,
                    _ => RegisterType::B128,
                };
                (Registers { register, count: 1 }, Registers { register, count: 1 })
            }
            Ldmatrix { matrices, .. } => (row, words(matrices)),
            Stmatrix { matrices, .. } => (words(matrices), row),
            Movmatrix => (words(1), words(1)),
            Shuffle { .. } => (words(2), words(2)),
        }
    }

    /// The instruction's name in PTX with its qualifiers; none for a plain move and for shuffles, which are several.
    /// ```
    /// # use girih::prelude::*;
    /// let copy = CopyAtom::named("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>").and_then(|c| c.ptx());
    /// assert_eq!(copy.as_deref(), Some("cp.async.cg.shared.global.L2::128B"));
    /// ```
    pub fn ptx(&self) -> Option<String> {
        let trans = |transposed: bool| if transposed { ".trans" } else { "" };
        match *self {
            Universal { .. } | Shuffle { .. } => None,
            CpAsync { cached, .. } => {
                Some(format!("cp.async.{}.shared.global.L2::128B", if cached { "ca" } else { "cg" }))
            }
            Ldmatrix { matrices: n, transposed } => {
                Some(format!("ldmatrix.sync.aligned.m8n8.x{n}{}.shared.b16", trans(transposed)))
            }
            Stmatrix { matrices: n, transposed } => {
                Some(format!("stmatrix.sync.aligned.m8n8.x{n}{}.shared.b16", trans(transposed)))
            }
            Movmatrix => Some("movmatrix.sync.aligned.m8n8.trans.b16".into()),
        }
    }

    /// The atom of this name, as CuTe spells it.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(CopyAtom::named("UniversalCopy<uint128_t>"), Some(CopyAtom::Universal { bits: 128 }));
    /// ```
    pub fn named(name: &str) -> Option<CopyAtom> {
        CopyAtom::all().find(|atom| atom.to_string() == name)
    }

    /// All of them.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(CopyAtom::all().count(), 28);
    /// ```
    pub fn all() -> impl Iterator<Item = CopyAtom> {
        let mut all = vec![Shuffle { distance: 1 }, Shuffle { distance: 4 }, Movmatrix];
        for transposed in [false, true] {
            all.extend([1, 2, 4].map(|matrices| Ldmatrix { matrices, transposed }));
            all.extend([1, 2, 4].map(|matrices| Stmatrix { matrices, transposed }));
        }
        for zero_fill in [false, true] {
            all.extend([32, 64, 128].map(|bits| CpAsync { bits, cached: true, zero_fill }));
            all.push(CpAsync { bits: 128, cached: false, zero_fill });
        }
        all.extend([8, 16, 32, 64, 128].map(|bits| Universal { bits }));
        all.into_iter()
    }
}

const fn one_thread(bits: usize) -> Layout {
    crate::literal(Layout::flat(&[1, bits as i64], &[0, 1]))
}

/// Lane `i` holds the address of row `i`; what lanes past the last row hold is not used.
const fn rows(matrices: usize) -> Layout {
    match matrices {
        1 => layout!(((8,4),128):((128,0),1)),
        2 => layout!(((16,2),128):((128,0),1)),
        _ => layout!((32,128):(128,1)),
    }
}

/// The fragment of 8 x 8 matrices: two neighbours in a row to each lane, in a column if transposed.
const fn registers(matrices: usize, transposed: bool) -> Layout {
    match (transposed, matrices) {
        (false, 1) => layout!((32,32):(32,1)),
        (false, 2) => layout!((32,(32,2)):(32,(1,1024))),
        (false, _) => layout!((32,(32,4)):(32,(1,1024))),
        (true, 1) => layout!(((4,8),(16,2)):((256,16),(1,128))),
        (true, 2) => layout!(((4,8),(16,2,2)):((256,16),(1,128,1024))),
        (true, _) => layout!(((4,8),(16,2,4)):((256,16),(1,128,1024))),
    }
}

/// CuTe's name.
impl fmt::Display for CopyAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matrix = |sm: usize, n: usize, transposed: bool, op: &str| match transposed {
            false => format!("SM{sm}_U32x{n}_{op}_N"),
            true => format!("SM{sm}_U16x{}_{op}_T", 2 * n),
        };
        match *self {
            Universal { bits } => write!(f, "UniversalCopy<uint{bits}_t>"),
            CpAsync { bits, cached, zero_fill } => {
                let (cache, fill) = (if cached { "ALWAYS" } else { "GLOBAL" }, if zero_fill { "_ZFILL" } else { "" });
                write!(f, "SM80_CP_ASYNC_CACHE{cache}{fill}<uint{bits}_t>")
            }
            Ldmatrix { matrices, transposed } => f.write_str(&matrix(75, matrices, transposed, "LDSM")),
            Stmatrix { matrices, transposed } => f.write_str(&matrix(90, matrices, transposed, "STSM")),
            Movmatrix => f.write_str("SM75_U32x1_MOVM_T"),
            Shuffle { distance } => write!(f, "SM50_Shuffle_U32_2x2Trans_XOR{distance}"),
        }
    }
}
