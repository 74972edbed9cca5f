//! Which thread, block and cluster this is.

use super::arith::Fact;
use super::index::Index;
use super::{Kernel, KernelError};
use crate::gpu::ptx::{Special, Type};

impl Kernel {
    /// A special register of 32 bits, read once, whose values lie in `0..below`.
    fn special(&mut self, name: &'static str, below: i64) -> Index {
        let Some(special) = Special::named(name) else {
            self.fail(KernelError::Special { name });
            return Index::default();
        };
        if below == 1 {
            return Index::default();
        }
        let r = self.pure("mov.u32", vec![special.into()], Type::B32, (0, (below - 1).into()));
        Index::register(r)
    }

    /// `%tid.x`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.range(&tid), (0, 63));
    /// ```
    pub fn tid(&mut self) -> Index {
        self.special("%tid.x", self.block[0].into())
    }

    /// `%tid.y`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// assert_eq!(k.tid_y().known(), Some(0));
    /// ```
    pub fn tid_y(&mut self) -> Index {
        self.special("%tid.y", self.block[1].into())
    }

    /// `%tid.z`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// assert_eq!(k.tid_z().known(), Some(0));
    /// ```
    pub fn tid_z(&mut self) -> Index {
        self.special("%tid.z", self.block[2].into())
    }

    /// `%ctaid.x`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let cta = k.ctaid();
    /// assert_eq!(k.range(&cta), (0, (1 << 31) - 2));
    /// ```
    pub fn ctaid(&mut self) -> Index {
        self.special("%ctaid.x", i32::MAX.into())
    }

    /// `%ctaid.y`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let cta = k.ctaid_y();
    /// assert_eq!(k.range(&cta), (0, 65534));
    /// ```
    pub fn ctaid_y(&mut self) -> Index {
        self.special("%ctaid.y", 65535)
    }

    /// `%ctaid.z`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let cta = k.ctaid_z();
    /// assert_eq!(k.range(&cta), (0, 65534));
    /// ```
    pub fn ctaid_z(&mut self) -> Index {
        self.special("%ctaid.z", 65535)
    }

    /// `%cluster_ctarank`, the position of the block in its cluster.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_90A, [64, 1, 1]);
    /// let rank = k.cluster_ctarank();
    /// assert_eq!(k.range(&rank), (0, 15));
    /// ```
    pub fn cluster_ctarank(&mut self) -> Index {
        let blocks = self.cluster.map_or(16, |c| c.iter().product());
        self.special("%cluster_ctarank", blocks.into())
    }

    /// `%nctaid.x`, the blocks of the grid.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let n = k.nctaid();
    /// assert_eq!(k.range(&n), (1, (1 << 31) - 1));
    /// ```
    pub fn nctaid(&mut self) -> Index {
        let n = self.special("%nctaid.x", 1 << 31);
        if let [(r, _)] = n.terms[..] {
            let fact = self.fact(r);
            self.learn(r, Fact { lo: 1, ..fact });
        }
        n
    }

    /// The number of the thread in its block: `%tid.x` counts first, as for warps.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [16, 4, 2]);
    /// let thread = k.thread_number();
    /// assert_eq!(k.range(&thread), (0, 127));
    /// ```
    pub fn thread_number(&mut self) -> Index {
        let [x, y, _] = self.block.map(i64::from);
        self.tid() + self.tid_y() * x + self.tid_z() * x.saturating_mul(y)
    }

    /// The position in the warp: the thread's number mod 32.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let lane = k.lane();
    /// assert_eq!(k.range(&lane), (0, 31));
    /// ```
    pub fn lane(&mut self) -> Index {
        let thread = self.thread_number();
        self.rem(&thread, 32)
    }

    /// The number of the warp: the thread's number / 32.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let warp = k.warp();
    /// assert_eq!(k.range(&warp), (0, 1));
    /// ```
    pub fn warp(&mut self) -> Index {
        let thread = self.thread_number();
        self.div(&thread, 32)
    }
}
