//! What to measure: the command line.

use crate::Result;
use crate::data::Type;
use std::path::PathBuf;
use std::str::FromStr;

/// Cases when none is given.
const DEFAULT: [&str; 9] = [
    "f32:4096",
    "tf32:4096",
    "bf16:4096",
    "bf16:8192",
    "f16:4096",
    "s8:4096",
    "e4m3:4096",
    "copy:268435456",
    "axpy:268435456",
];

pub const USAGE: &str = "\
usage: gpu [--rounds N] [--json FILE] [CASE [--ptx FILE --launch FILE]...]...
CASE   TYPE:M[xNxK][:AB]  matrix product C (M,N) = A (M,K) B (K,N), C row-major; TYPE f32, tf32, bf16, f16, s8 or e4m3;
                          A is k (K contiguous, the default) or m, B is k (the default) or n
       copy:N, axpy:N     streams of N f32
--ptx, --launch           one more kernel for the case before: its PTX and its launch description, with parameters named
                          a b c m n k lda ldb ldc, or x y n alpha";

/// A matrix product: C row-major, A and B with K contiguous or not; no padding.
#[derive(Clone, Copy)]
pub struct Product {
    pub of: Type,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a_along_k: bool,
    pub b_along_k: bool,
}

impl Product {
    pub fn lda(&self) -> usize {
        if self.a_along_k { self.k } else { self.m }
    }

    pub fn ldb(&self) -> usize {
        if self.b_along_k { self.k } else { self.n }
    }
}

#[derive(Clone, Copy)]
pub enum Work {
    Product(Product),
    Copy(usize),
    Axpy(usize),
}

impl FromStr for Work {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Work, String> {
        let wrong = || format!("'{text}' is no case\n{USAGE}");
        let number = |s: &str| s.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(wrong);
        let (what, rest) = text.split_once(':').ok_or_else(wrong)?;
        match what {
            "copy" => return number(rest).map(Work::Copy),
            "axpy" => return number(rest).map(Work::Axpy),
            _ => (),
        }
        let (size, order) = rest.split_once(':').unwrap_or((rest, "kk"));
        let sizes = size.split('x').map(number).collect::<std::result::Result<Vec<_>, _>>()?;
        let (m, n, k) = match sizes[..] {
            [n] => (n, n, n),
            [m, n, k] => (m, n, k),
            _ => return Err(wrong()),
        };
        let (a_along_k, b_along_k) = match order {
            "kk" => (true, true),
            "kn" => (true, false),
            "mk" => (false, true),
            "mn" => (false, false),
            _ => return Err(wrong()),
        };
        let of = Type::OPERANDS.into_iter().find(|t| t.name() == what).ok_or_else(wrong)?;
        Ok(Work::Product(Product { of, m, n, k, a_along_k, b_along_k }))
    }
}

/// A case, its text, and files of more kernels for it: PTX and launch description.
pub struct Case {
    pub text: String,
    pub work: Work,
    pub files: Vec<(PathBuf, PathBuf)>,
}

pub struct Args {
    pub rounds: usize,
    pub json: Option<PathBuf>,
    pub cases: Vec<Case>,
}

pub fn parse(args: impl Iterator<Item = String>) -> Result<Args> {
    // cargo adds --bench
    let mut args = args.filter(|a| a != "--bench");
    let (mut rounds, mut json, mut cases, mut ptx) = (15, None, Vec::<Case>::new(), None);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{USAGE}"));
        match arg.as_str() {
            "--rounds" => rounds = value()?.parse::<usize>()?.max(1),
            "--json" => json = Some(value()?.into()),
            "--ptx" => ptx = Some(PathBuf::from(value()?)),
            "--launch" => {
                let launch = value()?.into();
                let (Some(case), Some(ptx)) = (cases.last_mut(), ptx.take()) else {
                    return Err(format!("--launch comes after --ptx, and both after a case\n{USAGE}").into());
                };
                case.files.push((ptx, launch));
            }
            text => cases.push(Case { text: text.into(), work: text.parse()?, files: vec![] }),
        }
    }
    if ptx.is_some() {
        return Err(format!("--ptx needs --launch\n{USAGE}").into());
    }
    if cases.is_empty() {
        let case = |text: &str| -> Result<Case> { Ok(Case { text: text.into(), work: text.parse()?, files: vec![] }) };
        cases = DEFAULT.into_iter().map(case).collect::<Result<_>>()?;
    }
    Ok(Args { rounds, json, cases })
}
