//! How a kernel is launched, as a value: what lies beside a `.ptx`.
//!
//! A [`Launch`] names the entry and its parameters, the block, the cluster and the shared memory, and says by expressions in
//! the arguments how large the grid is, how much each buffer holds and what else must be true. [`Launch::check`] compares typed
//! arguments with all of it before anything reaches a device. No device and no driver is needed for any of this, nor the
//! feature `gpu`; reading and writing JSON needs `json`.
//!
//! ```
//! # #[cfg(feature = "json")] {
//! use girih::gpu::launch::{Usage, Arg, DataType, Launch, LaunchError, Limits, Param};
//! let axpy = Launch {
//!     entry: "axpy".into(),
//!     params: vec![
//!         Param::number("n", DataType::U32),
//!         Param::number("a", DataType::F32),
//!         Param::pointer("x", DataType::F32, Usage::Read).holding("4 * n".parse()?),
//!         Param::pointer("y", DataType::F32, Usage::ReadWrite).holding("4 * n".parse()?),
//!     ],
//!     block: [256, 1, 1],
//!     grid: ["ceil(n / 256)".parse()?, 1.into(), 1.into()],
//!     ..Launch::default()
//! };
//! let x = |bytes| Arg::pointer(0x1000, bytes, DataType::F32, false);
//! let y = || Arg::pointer(0x2000, 4000, DataType::F32, true);
//! let args = [1000u32.into(), 2f32.into(), x(4000), y()];
//! let h200 = Limits::of(9, 0).unwrap();
//! assert_eq!(axpy.check(&args, &h200)?, [4, 1, 1]);
//!
//! let short = [1000u32.into(), 2f32.into(), x(3996), y()];
//! let e = axpy.check(&short, &h200).unwrap_err();
//! assert_eq!(e.to_string(), "the buffer x has 3996 bytes, the kernel touches 4000 (4 * n)");
//!
//! // ahead of time: the kernel is `axpy.ptx`, and this lies beside it
//! assert_eq!(Launch::from_json(&axpy.to_json()?)?, axpy);
//! # }
//! # Ok::<(), girih::gpu::launch::LaunchError>(())
//! ```

mod arg;
mod error;
mod expr;
mod param;

pub use arg::{Arg, DataType, Element, EncodedTensorMap};
pub(crate) use arg::{Memory, Value};
pub use error::LaunchError;
pub use expr::{Expr, Rule};
pub use param::{Param, Usage};

use super::ptx::is_identifier;
#[cfg(feature = "json")]
use serde::{Deserialize, Serialize};

/// A side condition.
/// ```
/// use girih::gpu::launch::Condition;
/// let c = Condition::new("lda % 8 == 0", "pad the rows of A to 16 bytes")?;
/// assert_eq!(c.rule.to_string(), "lda % 8 == 0");
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Condition {
    /// what must be true
    pub rule: Rule,
    /// what to do otherwise
    #[cfg_attr(feature = "json", serde(default))]
    pub message: String,
}

impl Condition {
    /// The rule from its text.
    ///
    /// # Errors
    /// The text is no rule.
    /// ```
    /// # use girih::gpu::launch::Condition;
    /// assert!(Condition::new("cols <= 8192", "").is_ok());
    /// assert!(Condition::new("cols < 8192", "").is_err());
    /// ```
    pub fn new(rule: &str, message: impl Into<String>) -> Result<Condition, LaunchError> {
        Ok(Condition { rule: rule.parse()?, message: message.into() })
    }
}

/// How many threads, blocks and bytes a device takes.
/// ```
/// use girih::gpu::launch::Limits;
/// assert_eq!(Limits::of(8, 6).unwrap().shared, 99 << 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// blocks of a grid, in each dimension
    pub grid: [u32; 3],
    /// threads of a block, in each dimension
    pub block: [u32; 3],
    /// threads of a block, together
    pub threads: u32,
    /// blocks of a cluster that every device of the kind takes; 1 where there are no clusters
    pub cluster: u32,
    /// bytes of shared memory of a block, static and dynamic, once a kernel asks for them
    pub shared: u32,
}

impl Limits {
    /// Those of compute capability 9.0, as large as any.
    /// ```
    /// # use girih::gpu::launch::Limits;
    /// assert_eq!(Limits::LARGEST.shared, 227 << 10);
    /// ```
    pub const LARGEST: Limits = Limits {
        grid: [i32::MAX as u32, 65535, 65535],
        block: [1024, 1024, 64],
        threads: 1024,
        cluster: 8,
        shared: 227 << 10,
    };

    /// Those of a compute capability, from 7.5 on (CUDA C++ Programming Guide, Technical Specifications per Compute
    /// Capability).
    /// ```
    /// # use girih::gpu::launch::Limits;
    /// assert_eq!(Limits::of(9, 0).unwrap().cluster, 8);
    /// assert_eq!(Limits::of(5, 0), None);
    /// ```
    pub fn of(major: u32, minor: u32) -> Option<Limits> {
        let shared = match (major, minor) {
            (7, 5) => 64,
            (8, 0 | 7) => 163,
            (8, 6 | 9) | (12, _) => 99,
            (9..=11, _) => 227,
            _ => return None,
        };
        Some(Limits { cluster: if major >= 9 { 8 } else { 1 }, shared: shared << 10, ..Limits::LARGEST })
    }
}

/// How a kernel is launched. See the [module](self) for an example.
/// ```
/// use girih::gpu::launch::Launch;
/// let one_thread = Launch { entry: "hello".into(), ..Launch::default() };
/// assert_eq!(one_thread.grid(&[])?, [1, 1, 1]);
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Launch {
    /// the kernel's name in the PTX
    pub entry: String,
    /// its parameters, in order
    pub params: Vec<Param>,
    /// threads of a block
    pub block: [u32; 3],
    /// blocks of a cluster; `[1, 1, 1]`: none
    #[cfg_attr(feature = "json", serde(default = "ones"))]
    pub cluster: [u32; 3],
    /// bytes of shared memory that the PTX declares
    #[cfg_attr(feature = "json", serde(default))]
    pub static_shared: u32,
    /// bytes of shared memory beyond these, given at the launch
    #[cfg_attr(feature = "json", serde(default))]
    pub dynamic_shared: u32,
    /// blocks of the grid; where one is 0 there is nothing to do
    pub grid: [Expr; 3],
    /// what else must be true
    #[cfg_attr(feature = "json", serde(default))]
    pub conditions: Vec<Condition>,
}

fn ones() -> [u32; 3] {
    [1; 3]
}

impl Default for Launch {
    /// One block of one thread, without a name.
    fn default() -> Launch {
        Launch {
            entry: String::new(),
            params: vec![],
            block: ones(),
            cluster: ones(),
            static_shared: 0,
            dynamic_shared: 0,
            grid: ones().map(|n| Expr::from(u64::from(n))),
            conditions: vec![],
        }
    }
}

impl Launch {
    /// The description itself makes sense: names, dimensions, and that expressions name parameters that have a value.
    ///
    /// # Errors
    /// What does not.
    /// ```
    /// # use girih::gpu::launch::{Launch, LaunchError};
    /// let mut l = Launch { entry: "f".into(), ..Launch::default() };
    /// assert_eq!(l.validate(), Ok(()));
    /// l.grid[0] = "ceil(n / 32)".parse()?;
    /// assert_eq!(l.validate(), Err(LaunchError::NoValue { name: "n".into() }));
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn validate(&self) -> Result<(), LaunchError> {
        for name in core::iter::once(self.entry.as_str()).chain(self.params.iter().map(Param::name)) {
            if !is_identifier(name) {
                return Err(LaunchError::BadName { name: name.into() });
            }
        }
        for (i, p) in self.params.iter().enumerate() {
            if self.params[..i].iter().any(|q| q.name() == p.name()) {
                return Err(LaunchError::Duplicate { name: p.name().into() });
            }
        }
        for (what, dims) in [("block", self.block), ("cluster", self.cluster)] {
            if dims.contains(&0) {
                return Err(LaunchError::Empty { what, dims });
            }
        }
        // in numbers an address has no meaning: only its alignment may be asked
        let numbers = self.params.iter().flat_map(Param::expressions).chain(&self.grid);
        for e in numbers {
            self.names(e, false, e)?;
            e.divides()?;
        }
        for Condition { rule, .. } in &self.conditions {
            match rule {
                Rule::Multiple(x, _) => self.names(x, true, rule)?,
                Rule::AtMost(x, y) => self.names(x, false, rule).and_then(|()| self.names(y, false, rule))?,
            }
            rule.divides()?;
        }
        Ok(())
    }

    /// The expression names integers, and pointers where they are `allowed`.
    fn names(&self, e: &Expr, allowed: bool, whole: &dyn core::fmt::Display) -> Result<(), LaunchError> {
        for name in e.names() {
            match self.params.iter().find(|p| p.name() == name) {
                Some(Param::Number { of, .. }) if !of.is_float() => {}
                Some(Param::Pointer { .. }) if allowed => {}
                Some(Param::Pointer { .. }) => {
                    return Err(LaunchError::Pointer { name: name.into(), expr: whole.to_string() });
                }
                _ => return Err(LaunchError::NoValue { name: name.into() }),
            }
        }
        Ok(())
    }

    /// Blocks of the grid for these arguments, not yet compared with any limit.
    ///
    /// # Errors
    /// The description makes no sense, the arguments are not what the parameters say, or a number overflows.
    /// ```
    /// # use girih::gpu::launch::{DataType, Launch, Param};
    /// let l = Launch {
    ///     entry: "f".into(),
    ///     params: vec![Param::number("m", DataType::U32), Param::number("n", DataType::S32)],
    ///     grid: ["ceil(m / 128) * ceil(n / 64)".parse()?, 1.into(), 1.into()],
    ///     ..Launch::default()
    /// };
    /// assert_eq!(l.grid(&[1000u32.into(), 64i32.into()])?, [8, 1, 1]);
    /// assert!(l.grid(&[1000u32.into()]).is_err());
    /// # Ok::<(), girih::gpu::launch::LaunchError>(())
    /// ```
    pub fn grid(&self, args: &[Arg]) -> Result<[u64; 3], LaunchError> {
        self.validate()?;
        if args.len() != self.params.len() {
            return Err(LaunchError::Count { got: args.len(), expected: self.params.len() });
        }
        for (p, a) in self.params.iter().zip(args) {
            p.check(a)?;
        }
        let [x, y, z] = &self.grid;
        Ok([self.value(x, args)?, self.value(y, args)?, self.value(z, args)?])
    }

    /// Everything that can be known before the launch: the arguments against the parameters, the buffers' sizes, the
    /// conditions, and the limits of the device. Blocks of the grid; one of them may be 0, then there is nothing to launch.
    ///
    /// # Errors
    /// The first thing that is wrong.
    /// ```
    /// # use girih::gpu::launch::{Launch, LaunchError, Limits};
    /// let l = Launch { entry: "f".into(), block: [2048, 1, 1], ..Launch::default() };
    /// let e = l.check(&[], &Limits::of(9, 0).unwrap()).unwrap_err();
    /// assert!(matches!(e, LaunchError::Block { threads: 1024, .. }));
    /// ```
    pub fn check(&self, args: &[Arg], limits: &Limits) -> Result<[u32; 3], LaunchError> {
        let grid = self.grid(args)?;
        for (p, a) in self.params.iter().zip(args) {
            match (p, a.value) {
                (
                    Param::Pointer { name, bytes: Some(rule), .. },
                    Value::Pointer { memory: Memory { bytes, .. }, .. },
                ) => {
                    let expected = self.value(rule, args)?;
                    if bytes < expected {
                        let (name, rule) = (name.clone(), rule.to_string());
                        return Err(LaunchError::TooSmall { name, got: bytes, expected, rule });
                    }
                }
                (Param::TensorMap { name, dims, .. }, Value::TensorMap(map)) if !dims.is_empty() => {
                    let expected = dims.iter().map(|e| self.value(e, args)).collect::<Result<Vec<_>, _>>()?;
                    let (got, what) = (map.map().dims(), "extents");
                    if got != expected {
                        return Err(LaunchError::Tensor { name: name.clone(), what, got: got.into(), expected });
                    }
                }
                _ => {}
            }
        }
        self.disjoint(args)?;
        for Condition { rule, message } in &self.conditions {
            let (left, holds) = match rule {
                Rule::Multiple(x, of) => self.value(x, args).map(|x| (x, x.is_multiple_of(*of)))?,
                Rule::AtMost(x, y) => {
                    let x = self.value(x, args)?;
                    (x, x <= self.value(y, args)?)
                }
            };
            if !holds {
                return Err(LaunchError::Condition { rule: rule.to_string(), left, message: message.clone() });
            }
        }
        self.fits(limits)?;
        if grid.contains(&0) {
            return Ok([0; 3]);
        }
        if grid.iter().zip(limits.grid).any(|(g, l)| *g > l.into()) {
            return Err(LaunchError::Grid { grid, limit: limits.grid });
        }
        if grid.iter().zip(self.cluster).any(|(g, c)| g % u64::from(c) != 0) {
            return Err(LaunchError::ClusterGrid { grid, cluster: self.cluster });
        }
        Ok(grid.map(|g| g as u32))
    }

    /// What does not depend on arguments: block, cluster and shared memory against the limits of the device.
    ///
    /// # Errors
    /// The first that is beyond its limit.
    /// ```
    /// # use girih::gpu::launch::{Launch, Limits};
    /// let l = Launch { entry: "f".into(), dynamic_shared: 200 << 10, ..Launch::default() };
    /// assert!(l.fits(&Limits::of(9, 0).unwrap()).is_ok());
    /// assert!(l.fits(&Limits::of(8, 0).unwrap()).is_err());
    /// ```
    pub fn fits(&self, limits: &Limits) -> Result<(), LaunchError> {
        let product = |dims: [u32; 3]| dims.iter().map(|d| u128::from(*d)).product::<u128>();
        let (block, cluster) = (self.block, self.cluster);
        if block.iter().zip(limits.block).any(|(b, l)| *b > l) || product(block) > limits.threads.into() {
            return Err(LaunchError::Block { block, limit: limits.block, threads: limits.threads });
        }
        if product(cluster) > limits.cluster.into() {
            return Err(LaunchError::Cluster { cluster, limit: limits.cluster });
        }
        let (fixed, dynamic, limit) = (self.static_shared, self.dynamic_shared, limits.shared);
        if u64::from(fixed) + u64::from(dynamic) > limit.into() {
            return Err(LaunchError::Shared { fixed, dynamic, limit });
        }
        Ok(())
    }

    /// What is written is nobody else's.
    fn disjoint(&self, args: &[Arg]) -> Result<(), LaunchError> {
        let memory: Vec<_> = self.params.iter().zip(args).filter_map(|(p, a)| Some((p, a.memory()?))).collect();
        for (i, (p, m)) in memory.iter().enumerate() {
            let with = memory.iter().enumerate().find(|(j, (_, n))| *j != i && p.writes() && m.overlaps(n));
            if let Some((_, (q, _))) = with {
                return Err(LaunchError::Overlap { name: p.name().into(), with: q.name().into() });
            }
        }
        Ok(())
    }

    fn value(&self, e: &Expr, args: &[Arg]) -> Result<u64, LaunchError> {
        let arg = |name: &str| self.params.iter().zip(args).find(|(p, _)| p.name() == name).map(|(_, a)| a);
        for name in e.names() {
            if let Some(value @ ..0) = arg(name).and_then(Arg::signed) {
                return Err(LaunchError::Negative { name: name.into(), value: value as i64 });
            }
        }
        e.value(|name| arg(name).and_then(Arg::integer))
    }

    /// As JSON, indented.
    ///
    /// # Errors
    /// The description makes no sense ([`Launch::validate`]).
    /// ```
    /// # use girih::gpu::launch::Launch;
    /// let l = Launch { entry: "f".into(), ..Launch::default() };
    /// assert!(l.to_json()?.contains("\"entry\": \"f\""));
    /// # Ok::<(), girih::gpu::launch::LaunchError>(())
    /// ```
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, LaunchError> {
        self.validate()?;
        serde_json::to_string_pretty(self).map_err(|e| LaunchError::Json { why: e.to_string() })
    }

    /// From JSON. `cluster`, `static_shared`, `dynamic_shared` and `conditions` may be missing.
    ///
    /// # Errors
    /// The text is not JSON, a field is missing, unknown or wrong, or the description makes no sense.
    /// ```
    /// # use girih::gpu::launch::{DataType, Launch, Param};
    /// let l = Launch::from_json(
    ///     r#"{"entry": "f", "params": [{"kind": "number", "name": "n", "of": "u32"}],
    ///         "block": [128, 1, 1], "grid": ["ceil(n / 128)", "1", "1"],
    ///         "conditions": [{"rule": "n <= 4096", "message": "split it"}]}"#,
    /// )?;
    /// assert_eq!(l.params, [Param::number("n", DataType::U32)]);
    /// let e = Launch::from_json(r#"{"entry": "f", "blocks": [1, 1, 1]}"#).unwrap_err();
    /// assert!(e.to_string().contains("unknown field `blocks`"));
    /// # Ok::<(), girih::gpu::launch::LaunchError>(())
    /// ```
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Launch, LaunchError> {
        let launch: Launch = serde_json::from_str(text).map_err(|e| LaunchError::Json { why: e.to_string() })?;
        launch.validate()?;
        Ok(launch)
    }
}
