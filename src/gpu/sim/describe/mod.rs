//! A launch in words, as on a command line: sizes, then an argument for each parameter.

mod error;
mod fill;
#[cfg(test)]
mod tests;

pub use error::DescribeError;
pub use fill::{Fill, Filled};

use crate::gpu::launch::{DataType, Limits};
use crate::gpu::ptx::{Function, Module, Type, Variable};
use core::str::FromStr;
use fill::number;

/// A launch, described in words:
///
/// `--grid X[,Y[,Z]] --block X[,Y[,Z]] [--entry NAME] [--shared BYTES] ARG...`
///
/// | argument | what the kernel gets |
/// |---|---|
/// | `1000`, `-3`, `0x10`, `2.5`, `nan`, `inf` | a number of the parameter's type; of a float, `0x` is followed by its bits |
/// | `bytes(0102ff)` | a structure: the bytes of a parameter `.b8 p[3]` as they lie |
/// | `f32[64]` | a buffer of 64 elements that nothing has written |
/// | `f32[64]=0` | all equal |
/// | `f32[64]=iota` | 0, 1, 2, ...; integers wrap |
/// | `f32[64]=random(SEED)` | integers of all bits, floats in [-1, 1) |
/// | `f32[64]=random(SEED,LO,HI)` | numbers in [LO, HI) |
/// | `f32[64]=@FILE` | raw, little-endian, of exactly this size |
///
/// Types are those of [`DataType`]. An integer of n bits is written as -2^(n-1) to 2^n - 1, whatever its sign: PTX declares
/// C's `int` as `.u32`. Element i of `random` is made from x, output i + 1 of splitmix64 seeded with the seed: the lowest bits
/// of x, `LO + x mod (HI - LO)`, or in f64 `LO + (HI - LO) * (x >> 40) / 2^24`, then rounded to the type.
/// ```
/// use girih::gpu::sim::Description;
/// let launch: Description = "--grid 4 --block 256 1000 f32[1000]=iota f32[1000]".parse()?;
/// assert_eq!((launch.grid, launch.block, launch.args.len()), ([4, 1, 1], [256, 1, 1], 3));
/// let e = "--grid 4 --block 32,64 1000".parse::<Description>().unwrap_err();
/// assert_eq!(e.to_string(), "--block 32,64: 2048 threads, at most 1024");
/// # Ok::<(), girih::gpu::sim::DescribeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// the kernel's name; without one, the module's only kernel
    pub entry: Option<String>,
    /// blocks in x, y, z
    pub grid: [u32; 3],
    /// threads of a block in x, y, z
    pub block: [u32; 3],
    /// bytes of dynamic shared memory
    pub shared: u32,
    /// an argument for each parameter
    pub args: Vec<Described>,
}

/// An argument in words. See [`Description`].
/// ```
/// use girih::gpu::sim::Described;
/// assert_eq!("-3".parse(), Ok(Described::Number("-3".into())));
/// assert_eq!("bytes(0aff)".parse(), Ok(Described::Bytes(vec![10, 255])));
/// assert!(matches!("u8[3]".parse(), Ok(Described::Buffer(b)) if b.count == 3));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Described {
    /// a number, read once its parameter's type is known
    Number(String),
    /// a structure
    Bytes(Vec<u8>),
    /// memory, to which the parameter points
    Buffer(Filled),
}

/// What a parameter of a kernel gets. From [`Description::arguments`].
/// ```
/// use girih::gpu::ptx::{Function, Space, Type, Variable};
/// use girih::gpu::sim::{Argument, Description};
/// let mut f = Function::entry("f");
/// f.params = vec![Variable::new(Space::Param, Type::U32, "n")];
/// let launch: Description = "--grid 1 --block 1 -2".parse()?;
/// assert_eq!(launch.arguments(&f)?, [Argument::Value(vec![0xfe, 0xff, 0xff, 0xff])]);
/// # Ok::<(), girih::gpu::sim::DescribeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Argument<'a> {
    /// the parameter's bytes, little-endian
    Value(Vec<u8>),
    /// the address of this memory
    Buffer(&'a Filled),
}

/// Words that open the comment which describes a kernel's launch.
const HEADER: &str = "// girih sim ";

/// No buffer is larger: 4 GiB.
const MOST_BYTES: u64 = 1 << 32;

/// Of the largest device: others differ in shared memory alone.
const LIMITS: Limits = Limits::LARGEST;

impl Description {
    /// From words, as a shell splits them.
    ///
    /// # Errors
    /// An option that there is not, that is missing, or of which the value makes no sense; an argument that is none.
    /// ```
    /// use girih::gpu::sim::Description;
    /// let launch = Description::from_words(["--grid", "2", "--block", "64", "--shared", "4096", "u8[9]=0"])?;
    /// assert_eq!(launch.shared, 4096);
    /// # Ok::<(), girih::gpu::sim::DescribeError>(())
    /// ```
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Description, DescribeError> {
        let (mut entry, mut grid, mut block, mut shared, mut args) = (None, None, None, None, Vec::new());
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let place = match word {
                "--entry" => &mut entry,
                "--grid" => &mut grid,
                "--block" => &mut block,
                "--shared" => &mut shared,
                _ if word.starts_with("--") => return Err(DescribeError::Option { word: word.into() }),
                _ => {
                    args.push(word.parse()?);
                    continue;
                }
            };
            let value = words.next().ok_or_else(|| DescribeError::NoValue { option: word.into() })?;
            if place.replace(value).is_some() {
                return Err(DescribeError::Twice { option: word.into() });
            }
        }
        let grid = extents("--grid", grid, LIMITS.grid)?;
        let block_text = block.unwrap_or_default();
        let block = extents("--block", block, LIMITS.block)?;
        let threads = block.iter().map(|n| u64::from(*n)).product();
        if threads > LIMITS.threads.into() {
            let block = block_text.into();
            return Err(DescribeError::Threads { block, threads, limit: LIMITS.threads });
        }
        let shared = match shared {
            None => 0,
            Some(text) => whole(text)
                .filter(|n| *n <= LIMITS.shared.into())
                .and_then(|n| u32::try_from(n).ok())
                .ok_or_else(|| DescribeError::Shared { got: text.into(), limit: LIMITS.shared })?,
        };
        Ok(Description { entry: entry.map(String::from), grid, block, shared, args })
    }

    /// From a kernel's own text: the first comment `// girih sim --grid ...` of the lines before the module begins.
    ///
    /// # Errors
    /// As [`Description::from_words`].
    /// ```
    /// use girih::gpu::sim::Description;
    /// let ptx = "// girih sim --grid 4 --block 256 1000 f32[1000]=iota f32[1000]\n.version 8.0\n.target sm_80\n";
    /// assert_eq!(Description::of_text(ptx).unwrap()?.grid, [4, 1, 1]);
    /// assert!(Description::of_text(".version 8.0\n").is_none());
    /// # Ok::<(), girih::gpu::sim::DescribeError>(())
    /// ```
    pub fn of_text(ptx: &str) -> Option<Result<Description, DescribeError>> {
        ptx.lines()
            .map(str::trim)
            .take_while(|line| line.is_empty() || line.starts_with("//"))
            .find_map(|line| line.strip_prefix(HEADER))
            .map(str::parse)
    }

    /// The kernel of a module.
    ///
    /// # Errors
    /// There is none of this name; or no name is given, and there are none or several.
    /// ```
    /// use girih::gpu::ptx::{Module, Target};
    /// use girih::gpu::sim::{DescribeError, Description};
    /// let launch: Description = "--grid 1 --block 1".parse()?;
    /// let e = launch.kernel(&Module::new(Target::SM_80)).unwrap_err();
    /// assert_eq!(e.to_string(), "the module has no kernel");
    /// # Ok::<(), DescribeError>(())
    /// ```
    pub fn kernel<'m>(&self, module: &'m Module) -> Result<&'m Function, DescribeError> {
        let all: Vec<&Function> = module.functions().filter(|f| f.is_entry && f.body.is_some()).collect();
        let named = |f: &&&Function| self.entry.as_deref().is_none_or(|name| *f.name == *name);
        let mut found = all.iter().filter(named);
        match (found.next(), found.next()) {
            (Some(kernel), None) => Ok(kernel),
            _ => Err(DescribeError::Entry {
                entry: self.entry.clone(),
                kernels: all.iter().map(|f| f.name.to_string()).collect(),
            }),
        }
    }

    /// What the parameters of this kernel get.
    ///
    /// # Errors
    /// More or fewer arguments than parameters; one that does not fit its parameter.
    /// ```
    /// use girih::gpu::ptx::{Function, Space, Type, Variable};
    /// use girih::gpu::sim::Description;
    /// let mut f = Function::entry("f");
    /// f.params = vec![Variable::new(Space::Param, Type::F32, "scale")];
    /// let launch: Description = "--grid 1 --block 1 u8[4]".parse()?;
    /// let e = launch.arguments(&f).unwrap_err();
    /// assert_eq!(e.to_string(), "scale is a .f32, which takes no buffer: an address has 64 bits");
    /// # Ok::<(), girih::gpu::sim::DescribeError>(())
    /// ```
    pub fn arguments(&self, kernel: &Function) -> Result<Vec<Argument<'_>>, DescribeError> {
        if self.args.len() != kernel.params.len() {
            let (got, expected) = (self.args.len(), kernel.params.len());
            return Err(DescribeError::Count { kernel: kernel.name.to_string(), got, expected });
        }
        self.args.iter().zip(&kernel.params).map(|(arg, param)| arg.of(param)).collect()
    }
}

impl FromStr for Description {
    type Err = DescribeError;

    fn from_str(text: &str) -> Result<Description, DescribeError> {
        Description::from_words(text.split_whitespace())
    }
}

impl Described {
    fn of(&self, param: &Variable) -> Result<Argument<'_>, DescribeError> {
        let name = || param.name.to_string();
        let scalar = param.dims.is_empty();
        let shape = || match scalar {
            true => format!(".{}", param.ty),
            false => format!("structure of {} bytes", param.bytes().unwrap_or(0)),
        };
        match self {
            Described::Buffer(buffer) => match scalar && !param.ty.is_float() && param.ty.bits() == 64 {
                true => Ok(Argument::Buffer(buffer)),
                false => Err(DescribeError::NoPointer { param: name(), shape: shape() }),
            },
            Described::Bytes(bytes) => match param.bytes() == Some(bytes.len() as u64) {
                true => Ok(Argument::Value(bytes.clone())),
                false => Err(DescribeError::Bytes { param: name(), shape: shape(), got: bytes.len() }),
            },
            Described::Number(text) => match data_type(param.ty).filter(|_| scalar) {
                Some(ty) => Ok(Argument::Value(number(text, ty)?.to_le_bytes()[..ty.bits() as usize / 8].to_vec())),
                None => Err(DescribeError::NoNumber { param: name(), shape: shape(), text: text.clone() }),
            },
        }
    }
}

impl FromStr for Described {
    type Err = DescribeError;

    fn from_str(text: &str) -> Result<Described, DescribeError> {
        if let Some(digits) = text.strip_prefix("bytes(").and_then(|rest| rest.strip_suffix(')')) {
            let pairs = digits.as_bytes().chunks(2).map(|pair| match pair {
                [a, b] => Some((char::from(*a).to_digit(16)? << 4 | char::from(*b).to_digit(16)?) as u8),
                _ => None,
            });
            let bytes: Option<Vec<u8>> = pairs.collect();
            return bytes.map(Described::Bytes).ok_or_else(|| DescribeError::Hex { text: text.into() });
        }
        match text.contains(['[', '=', '(']) {
            true => text.parse().map(Described::Buffer),
            false => Ok(Described::Number(text.into())),
        }
    }
}

/// The numbers that a parameter of this type takes.
fn data_type(ty: Type) -> Option<DataType> {
    Some(match ty {
        Type::B8 | Type::U8 => DataType::U8,
        Type::S8 => DataType::S8,
        Type::B16 | Type::U16 => DataType::U16,
        Type::S16 => DataType::S16,
        Type::B32 | Type::U32 => DataType::U32,
        Type::S32 => DataType::S32,
        Type::B64 | Type::U64 => DataType::U64,
        Type::S64 => DataType::S64,
        Type::F16 => DataType::F16,
        Type::F32 => DataType::F32,
        Type::F64 => DataType::F64,
        _ => return None,
    })
}

/// `4096`, and no more than digits.
fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// One to three extents, each above 0 and within its limit.
fn extents(option: &'static str, text: Option<&str>, limits: [u32; 3]) -> Result<[u32; 3], DescribeError> {
    let text = text.ok_or(DescribeError::Missing { option })?;
    let bad = || DescribeError::Extents { option, text: text.into(), limits };
    let mut all = [1; 3];
    for (i, part) in text.split(',').enumerate() {
        let (Some(place), Some(limit)) = (all.get_mut(i), limits.get(i)) else { return Err(bad()) };
        *place =
            whole(part).and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=*limit).contains(n)).ok_or_else(bad)?;
    }
    Ok(all)
}
