//! Parameters of a kernel, and which arguments they take.

use super::{Arg, DataType, Expr, LaunchError, Memory, Value};
use crate::gpu::tensor_map::TensorMap;
#[cfg(feature = "json")]
use serde::{Deserialize, Serialize};

/// What a kernel does with a buffer.
/// ```
/// use girih::gpu::launch::Usage;
/// assert!(Usage::Write.writes() && !Usage::Read.writes());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "json", derive(Serialize, Deserialize))]
pub enum Usage {
    /// reads only
    #[cfg_attr(feature = "json", serde(rename = "r"))]
    Read,
    /// writes only
    #[cfg_attr(feature = "json", serde(rename = "w"))]
    Write,
    /// both
    #[cfg_attr(feature = "json", serde(rename = "rw"))]
    ReadWrite,
}

impl Usage {
    /// Some bytes are written.
    /// ```
    /// # use girih::gpu::launch::Usage;
    /// assert!(Usage::ReadWrite.writes());
    /// ```
    pub fn writes(self) -> bool {
        self != Usage::Read
    }
}

/// A parameter of a kernel.
/// ```
/// use girih::gpu::launch::{Usage, DataType, Param};
/// let x = Param::pointer("x", DataType::F16, Usage::Read).holding("2 * n".parse()?);
/// assert_eq!((x.name(), x.size()), ("x", 8));
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "json",
    derive(Serialize, Deserialize),
    serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Param {
    /// The address of a buffer, 64 bits.
    Pointer {
        /// its name
        name: String,
        /// the type of the elements
        to: DataType,
        /// what the kernel does with it
        access: Usage,
        /// bytes that the kernel touches; None: not said
        #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
        bytes: Option<Expr>,
    },
    /// A number.
    Number {
        /// its name
        name: String,
        /// its type
        of: DataType,
    },
    /// A tensor map by value: 128 bytes, `.param .align 64 .b8 name[128]`.
    TensorMap {
        /// its name
        name: String,
        /// the type of the elements
        of: DataType,
        /// what the kernel does with the tensor
        access: Usage,
        /// extents of the box, the contiguous mode first ([`TensorMap::extents`])
        extents: Vec<u32>,
        /// steps in each dimension ([`TensorMap::steps`])
        steps: Vec<u32>,
        /// bytes that the swizzle spans ([`TensorMap::span`])
        #[cfg_attr(feature = "json", serde(default))]
        span: u32,
        /// extents of the tensor, the contiguous mode first; none: not said
        #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Vec::is_empty"))]
        dims: Vec<Expr>,
    },
}

impl Param {
    /// The address of a buffer.
    /// ```
    /// # use girih::gpu::launch::{Usage, DataType, Param};
    /// assert_eq!(Param::pointer("y", DataType::F32, Usage::Write).name(), "y");
    /// ```
    pub fn pointer(name: impl Into<String>, to: DataType, access: Usage) -> Param {
        Param::Pointer { name: name.into(), to, access, bytes: None }
    }

    /// A number.
    /// ```
    /// # use girih::gpu::launch::{DataType, Param};
    /// assert_eq!(Param::number("n", DataType::U32).size(), 4);
    /// ```
    pub fn number(name: impl Into<String>, of: DataType) -> Param {
        Param::Number { name: name.into(), of }
    }

    /// A tensor map with the element type, the box, the steps and the swizzle of this one: the kernel is made for them.
    /// ```
    /// # use girih::gpu::{launch::{DataType, Param, Usage}, tensor_map::TensorMap};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!(1024:1), &[256])?;
    /// assert_eq!(Param::tensor_map("a", &map, Usage::Read).size(), 128);
    /// # Ok::<(), girih::gpu::tensor_map::TensorMapError>(())
    /// ```
    pub fn tensor_map(name: impl Into<String>, map: &TensorMap, access: Usage) -> Param {
        Param::TensorMap {
            name: name.into(),
            of: map.data_type(),
            access,
            extents: map.extents().into(),
            steps: map.steps().into(),
            span: map.span(),
            dims: vec![],
        }
    }

    /// A tensor map whose tensor has these extents, the contiguous mode first; anything else is unchanged.
    /// ```
    /// # use girih::gpu::{launch::{DataType, Param, Usage}, tensor_map::TensorMap};
    /// # use girih::prelude::*;
    /// let map = TensorMap::new(DataType::F32, &layout!((64,64):(64,1)), &[16, 32])?;
    /// let a = Param::tensor_map("a", &map, Usage::Read).of_extents(["k".parse()?, "m".parse()?]);
    /// assert!(matches!(a, Param::TensorMap { dims, .. } if dims.len() == 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_extents(mut self, extents: impl IntoIterator<Item = Expr>) -> Param {
        if let Param::TensorMap { dims, .. } = &mut self {
            *dims = extents.into_iter().collect();
        }
        self
    }

    /// A pointer whose buffer holds at least this many bytes; anything else is unchanged.
    /// ```
    /// # use girih::gpu::launch::{Usage, DataType, Param};
    /// let x = Param::pointer("x", DataType::F32, Usage::Read).holding("4 * n".parse()?);
    /// assert!(matches!(x, Param::Pointer { bytes: Some(_), .. }));
    /// # Ok::<(), girih::gpu::launch::LaunchError>(())
    /// ```
    pub fn holding(mut self, rule: Expr) -> Param {
        if let Param::Pointer { bytes, .. } = &mut self {
            *bytes = Some(rule);
        }
        self
    }

    /// Its name.
    /// ```
    /// # use girih::gpu::launch::{DataType, Param};
    /// assert_eq!(Param::number("a", DataType::U32).name(), "a");
    /// ```
    pub fn name(&self) -> &str {
        match self {
            Param::Pointer { name, .. } | Param::Number { name, .. } | Param::TensorMap { name, .. } => name,
        }
    }

    /// Its bytes in the kernel's parameter space.
    /// ```
    /// # use girih::gpu::launch::{DataType, Param};
    /// assert_eq!(Param::number("a", DataType::F16).size(), 2);
    /// ```
    pub fn size(&self) -> usize {
        match self {
            Param::Pointer { .. } => 8,
            Param::Number { of, .. } => of.bits() as usize / 8,
            Param::TensorMap { .. } => 128,
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Param::Pointer { .. } => "a pointer",
            Param::Number { .. } => "a number",
            Param::TensorMap { .. } => "a tensor map",
        }
    }

    /// The kernel writes what it refers to.
    pub(super) fn writes(&self) -> bool {
        match self {
            Param::Pointer { access, .. } | Param::TensorMap { access, .. } => access.writes(),
            Param::Number { .. } => false,
        }
    }

    /// Numbers that it computes.
    pub(super) fn expressions(&self) -> &[Expr] {
        match self {
            Param::Pointer { bytes, .. } => bytes.as_slice(),
            Param::TensorMap { dims, .. } => dims,
            Param::Number { .. } => &[],
        }
    }

    /// The argument is what the parameter says.
    pub(super) fn check(&self, arg: &Arg) -> Result<(), LaunchError> {
        let name = || self.name().to_string();
        let (got, expected) = match (self, arg.value) {
            (Param::Number { of, .. }, Value::Number { of: got, .. }) => (got, *of),
            (Param::Pointer { to, .. }, Value::Pointer { to: got, .. }) => (got, *to),
            (Param::TensorMap { of, .. }, Value::TensorMap(map)) => (map.map().data_type(), *of),
            (_, got) => {
                let got = match got {
                    Value::Number { .. } => "a number",
                    Value::Pointer { .. } => "a pointer",
                    Value::TensorMap(_) => "a tensor map",
                    Value::Bytes(_) => "bytes",
                };
                return Err(LaunchError::Kind { name: name(), got, expected: self.kind() });
            }
        };
        if got.bits() != expected.bits() {
            return Err(LaunchError::Width { name: name(), got, expected });
        }
        if got != expected {
            return Err(LaunchError::Type { name: name(), got, expected });
        }
        if self.writes() && arg.memory().is_some_and(|m| !m.write) {
            return Err(LaunchError::ReadOnly { name: name() });
        }
        match (self, arg.value) {
            (Param::Pointer { to, .. }, Value::Pointer { memory: Memory { address, bytes, .. }, .. }) => {
                if address == 0 && bytes > 0 {
                    return Err(LaunchError::Null { name: name(), bytes });
                }
                if !address.is_multiple_of(u64::from(to.bits() / 8)) {
                    return Err(LaunchError::Misaligned { name: name(), address, to: *to });
                }
                if address.checked_add(bytes).is_none() {
                    return Err(LaunchError::Wraps { name: name(), address, bytes });
                }
            }
            (Param::TensorMap { extents, steps, span, .. }, Value::TensorMap(map)) => {
                let map = map.map();
                let all = [
                    ("box", map.extents(), extents.as_slice()),
                    ("steps", map.steps(), steps),
                    ("swizzle span in bytes", &[map.span()], core::slice::from_ref(span)),
                ];
                for (what, got, expected) in all {
                    if got != expected {
                        let wide = |of: &[u32]| of.iter().map(|n| u64::from(*n)).collect();
                        return Err(LaunchError::Tensor {
                            name: name(),
                            what,
                            got: wide(got),
                            expected: wide(expected),
                        });
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
