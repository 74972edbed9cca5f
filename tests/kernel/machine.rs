//! One thread executing a module, as far as the builder's own instructions go.
//!
//! Registers that nothing has written are poison: they may be computed with, as in a thread that a guard leaves out, but not be
//! stored, branched on or addressed with.

use girih::gpu::ptx::{Address, Base, Instruction, Module, Operand, Otherwise, Reg, Statement};
use std::collections::HashMap;

/// What a thread sees.
#[derive(Clone, Default)]
pub struct Thread {
    pub special: HashMap<&'static str, u64>,
    pub params: HashMap<String, u64>,
}

/// Where `smem` begins.
pub const SMEM: u64 = 4096;

pub struct Machine<'a> {
    thread: &'a Thread,
    registers: Vec<Option<u64>>,
    pub memory: HashMap<u64, u8>,
    /// address and value, in order
    pub stores: Vec<(u64, u64)>,
    pub steps: usize,
}

type Fault = String;

/// Executes the kernel of a module.
pub fn run<'a>(module: &Module, thread: &'a Thread) -> Result<Machine<'a>, Fault> {
    run_with(module, thread, HashMap::new())
}

pub fn run_with<'a>(module: &Module, thread: &'a Thread, memory: HashMap<u64, u8>) -> Result<Machine<'a>, Fault> {
    let f = module.functions().next().ok_or("no function")?;
    let body = f.body.as_deref().ok_or("no body")?;
    let labels: HashMap<&str, usize> = body
        .iter()
        .enumerate()
        .filter_map(|(i, s)| if let Statement::Label(name) = s { Some((&**name, i)) } else { None })
        .collect();
    let registers = vec![None; f.registers.len()];
    let mut machine = Machine { thread, registers, memory, stores: Vec::new(), steps: 0 };
    let mut at = 0;
    while let Some(statement) = body.get(at) {
        at += 1;
        let Statement::Instruction(i) = statement else { continue };
        machine.steps += 1;
        if machine.steps > 100_000 {
            return Err("does not end".into());
        }
        match machine.step(i).map_err(|e| format!("{i}: {e}"))? {
            Next::On => {}
            Next::Leave => return Ok(machine),
            Next::To(label) => at = *labels.get(&*label).ok_or(format!("no label {label}"))?,
        }
    }
    Err("runs over the end".into())
}

enum Next {
    On,
    Leave,
    To(Box<str>),
}

fn low(x: u64) -> u64 {
    x & 0xFFFF_FFFF
}

fn signed(x: u64, bits: u32) -> i64 {
    if bits == 32 { x as i32 as i64 } else { x as i64 }
}

impl Machine<'_> {
    fn step(&mut self, i: &Instruction) -> Result<Next, Fault> {
        let name = i.opcode().to_string();
        let o = i.operands();
        if let Some(g) = i.guard {
            let p = self.registers[g.pred.id as usize];
            // both sides of an instruction without effect outside may be poison
            let Some(p) = p else { return Err("guard that nothing wrote".into()) };
            if (p != 0) == g.negated {
                if g.otherwise == Otherwise::Undefined {
                    for (r, access) in i.registers() {
                        if access != girih::gpu::ptx::Access::Read {
                            self.registers[r.id as usize] = None;
                        }
                    }
                }
                return Ok(Next::On);
            }
        }
        let words: Vec<&str> = name.split('.').collect();
        match words[0] {
            "ret" => return Ok(Next::Leave),
            "bra" => match &o[0] {
                Operand::Symbol(label, 0) => return Ok(Next::To(label.clone())),
                other => return Err(format!("to {other:?}")),
            },
            "bar" => return Ok(Next::On),
            "st" => {
                let at = self.address(&o[0])?;
                let bytes = width(words[words.len() - 1])? / 8;
                for (n, source) in several(&o[1]).iter().enumerate() {
                    let value = self.value(source)?.ok_or("stores what nothing wrote")?;
                    let at = at.wrapping_add(n as u64 * u64::from(bytes));
                    self.memory.extend((0..bytes).map(|b| (at.wrapping_add(b.into()), (value >> (8 * b)) as u8)));
                    self.stores.push((at, value));
                }
                return Ok(Next::On);
            }
            "ld" if words[1] == "param" => {
                let Operand::Address(Address { base: Base::Symbol(p), offset: 0 }) = &o[1] else {
                    return Err(format!("{:?}", o[1]));
                };
                let value = *self.thread.params.get(&**p).ok_or(format!("no parameter {p}"))?;
                self.write(&o[0], Some(value))?;
                return Ok(Next::On);
            }
            "ld" => {
                let at = self.address(&o[1])?;
                let bytes = width(words[words.len() - 1])? / 8;
                for (n, to) in several(&o[0]).iter().enumerate() {
                    let at = at.wrapping_add(n as u64 * u64::from(bytes));
                    let byte =
                        |b: u32| self.memory.get(&at.wrapping_add(b.into())).ok_or(format!("nothing at {at:#x}"));
                    let value = (0..bytes).try_fold(0, |v, b| Ok::<_, Fault>(v | u64::from(*byte(b)?) << (8 * b)))?;
                    self.write(to, Some(value))?;
                }
                return Ok(Next::On);
            }
            _ => {}
        }
        let sources = o[1..].iter().map(|s| self.value(s)).collect::<Result<Vec<_>, _>>()?;
        let value = match (words[0], words[1]) {
            // false whatever the other is
            ("and", "pred") if sources.contains(&Some(0)) => Some(0),
            ("selp", _) => match sources[2] {
                None => None,
                Some(0) => sources[1],
                Some(_) => sources[0],
            },
            _ => match sources.into_iter().collect::<Option<Vec<u64>>>() {
                None => None,
                Some(v) => compute(&name, &words, &v)?,
            },
        };
        self.write(&o[0], value)?;
        Ok(Next::On)
    }

    fn address(&self, o: &Operand) -> Result<u64, Fault> {
        match o {
            Operand::Address(Address { base: Base::Reg(r), offset }) => {
                let base = self.registers[r.id as usize].ok_or("address that nothing wrote")?;
                let at = base.wrapping_add(*offset as u64);
                Ok(if r.ty.bits() == 32 { low(at) } else { at })
            }
            other => Err(format!("address {other:?}")),
        }
    }

    fn value(&self, o: &Operand) -> Result<Option<u64>, Fault> {
        match o {
            Operand::Reg(r) => Ok(self.registers[r.id as usize]),
            Operand::Int(i) => Ok(Some(*i as u64)),
            Operand::F32(b) => Ok(Some((*b).into())),
            Operand::Special(s) => Ok(Some(*self.thread.special.get(s.name()).ok_or(format!("no {}", s.name()))?)),
            Operand::Symbol(s, 0) if &**s == "smem" => Ok(Some(SMEM)),
            other => Err(format!("reads {other:?}")),
        }
    }

    fn write(&mut self, o: &Operand, value: Option<u64>) -> Result<(), Fault> {
        let Operand::Reg(Reg { id, ty }) = o else { return Err(format!("writes {o:?}")) };
        self.registers[*id as usize] = value.map(|v| if ty.bits() == 32 { low(v) } else { v });
        Ok(())
    }
}

fn several(o: &Operand) -> Vec<Operand> {
    match o {
        Operand::Vector(of) => of.clone(),
        one => vec![one.clone()],
    }
}

fn width(ty: &str) -> Result<u32, Fault> {
    ty[1..].parse().map_err(|_| format!("width of {ty}"))
}

fn compute(name: &str, words: &[&str], v: &[u64]) -> Result<Option<u64>, Fault> {
    let ty = words[words.len() - 1];
    let bits = if ty == "pred" { 1 } else { width(ty)? };
    let s = |i: usize| signed(v[i], bits);
    let u = |i: usize| if bits == 32 { low(v[i]) } else { v[i] };
    Ok(Some(match (words[0], words.get(1).copied().unwrap_or("")) {
        ("mov", _) | ("cvta", _) => v[0],
        ("cvt", "s64") if ty == "s32" => s(0) as u64,
        ("cvt", "u32") if ty == "u64" => low(v[0]),
        ("add", _) => v[0].wrapping_add(v[1]),
        ("sub", _) => v[0].wrapping_sub(v[1]),
        ("mul", "lo") => v[0].wrapping_mul(v[1]),
        ("mul", "wide") => s(0).wrapping_mul(s(1)) as u64,
        ("mad", "lo") => v[0].wrapping_mul(v[1]).wrapping_add(v[2]),
        ("mad", "wide") => (s(0).wrapping_mul(s(1)) as u64).wrapping_add(v[2]),
        // amounts are clamped to the width
        ("shl", _) => {
            if v[1] >= bits.into() {
                0
            } else {
                u(0) << v[1]
            }
        }
        ("shr", t) if t.starts_with('u') => {
            if v[1] >= bits.into() {
                0
            } else {
                u(0) >> v[1]
            }
        }
        ("and", _) => v[0] & v[1],
        ("or", _) => v[0] | v[1],
        ("xor", _) => v[0] ^ v[1],
        ("not", "pred") => v[0] ^ 1,
        // on a division by zero the result is not defined
        ("div", t) if t.starts_with('u') => return Ok(u(0).checked_div(u(1))),
        ("rem", t) if t.starts_with('u') => return Ok(u(0).checked_rem(u(1))),
        ("min", t) if t.starts_with('s') => s(0).min(s(1)) as u64,
        ("max", t) if t.starts_with('s') => s(0).max(s(1)) as u64,
        ("setp", "lt") => (s(0) < s(1)).into(),
        ("setp", "gt") => (s(0) > s(1)).into(),
        ("setp", "eq") => (s(0) == s(1)).into(),
        _ => return Err(format!("`{name}` is not known")),
    }))
}
