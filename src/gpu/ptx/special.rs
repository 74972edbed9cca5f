//! Special registers.

use super::types::{Requirement, Target, Type, Version};
use core::fmt;
use std::sync::OnceLock;

/// A special register, such as `%tid.x`: what `mov` reads (PTX ISA, special registers).
/// ```
/// use girih::gpu::ptx::{Special, Type};
/// let tid = Special::named("%tid.x").unwrap();
/// assert_eq!((tid.ty(), tid.to_string()), (Type::U32, "%tid.x".into()));
/// assert!(Special::named("%tid.w").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Special {
    index: u16,
}

struct Row {
    name: &'static str,
    ty: Type,
    requirement: Requirement,
}

/// `name type requirement` a line.
fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| include_str!("forms/special.txt").lines().filter_map(row).collect())
}

fn row(line: &'static str) -> Option<Row> {
    let mut words = line.split_whitespace();
    let (name, ty, requirement) = (words.next()?, words.next()?, words.next()?);
    Some(Row { name, ty: ty.parse().ok()?, requirement: requirement.parse().ok()? })
}

impl Special {
    /// The one of this name, with its `%`.
    /// ```
    /// # use girih::gpu::ptx::Special;
    /// assert!(Special::named("%laneid").is_some());
    /// ```
    pub fn named(name: &str) -> Option<Special> {
        let index = rows().iter().position(|row| row.name == name)?;
        u16::try_from(index).ok().map(|index| Special { index })
    }

    /// All of them.
    /// ```
    /// # use girih::gpu::ptx::Special;
    /// assert!(Special::all().any(|s| s.name() == "%clock64"));
    /// ```
    pub fn all() -> impl Iterator<Item = Special> {
        (0..rows().len() as u16).map(|index| Special { index })
    }

    fn row(self) -> &'static Row {
        &rows()[self.index as usize]
    }

    /// With its `%`.
    /// ```
    /// # use girih::gpu::ptx::Special;
    /// assert_eq!(Special::named("%ctaid.y").map(|s| s.name()), Some("%ctaid.y"));
    /// ```
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it holds.
    /// ```
    /// # use girih::gpu::ptx::{Special, Type};
    /// assert_eq!(Special::named("%clock64").map(|s| s.ty()), Some(Type::U64));
    /// ```
    pub fn ty(self) -> Type {
        self.row().ty
    }

    /// The lowest version of PTX that has it on this target.
    /// ```
    /// # use girih::gpu::ptx::{Special, Target};
    /// let rank = Special::named("%cluster_ctarank").unwrap();
    /// assert!(rank.version_for(Target::SM_80).is_none() && rank.version_for(Target::SM_90).is_some());
    /// ```
    pub fn version_for(self, target: Target) -> Option<Version> {
        self.row().requirement.version_for(target).map(|v| v.max(target.version()))
    }
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
