//! From an instruction to what is done.

use super::decode::{Frame, Symbol};
use super::program::*;
use super::pure::{Pure, pure};
use super::shadow::Strength;
use super::{atomic, collective};
use crate::gpu::ptx::{self, Instruction, Operand, Reg, Special, Type};

/// What an instruction does; none if it is not executed.
pub(super) fn translate(i: &Instruction, frame: &Frame) -> Option<Act> {
    let op = i.opcode();
    let operands = Operands { i, frame, types: i.types() };
    let has = |name| op.qualifiers().any(|q| q == name);
    Some(match op.mnemonic() {
        "bra" => Act::Branch(frame.label(operands.symbol(0)?)?),
        "brx" => Act::Table { index: operands.value(0)?, targets: frame.table(operands.symbol(1)?)? },
        "call" => operands.call()?,
        "ret" => Act::Return,
        "exit" => Act::Exit,
        "trap" => Act::Trap,
        "brkpt" | "pmevent" | "nanosleep" | "prefetch" | "prefetchu" | "applypriority" => Act::Nop,
        "discard" => Act::Discard(operands.address(0, Space::of(op.get("ss")))?),
        "griddepcontrol" => Act::Nop,
        "createpolicy" => operands.act(Pure::many(1, |_, to| to[0] = 0))?,
        "ld" | "ldu" => {
            let (access, to) = (operands.access(1)?, operands.places(0)?);
            let signed = op.type_of("type").is_some_and(|t| t.is_signed() && !t.is_float());
            Act::Load { signed, widths: operands.widths(0), access, to }
        }
        // asynchronous stores come with clusters
        "st" if has("async") || has("bulk") => return None,
        "st" => Act::Store { access: operands.access(0)?, from: operands.values(1)? },
        "atom" => {
            let from = operands.rest(2)?;
            Act::Atomic { access: operands.access(1)?, combine: atomic::combine(op)?, from, to: operands.places(0)? }
        }
        "red" if has("async") => return None,
        "red" => {
            let from = operands.rest(1)?;
            Act::Atomic { access: operands.access(0)?, combine: atomic::combine(op)?, from, to: Box::new([]) }
        }
        // one proxy is modelled, and of what `mbarrier_init` orders other CTAs of a cluster alone know
        "membar" | "fence" if has("proxy") || has("mbarrier_init") => Act::Nop,
        "membar" | "fence" => {
            let near = op.qualifiers().any(|q| matches!(q, "cta" | "cluster"));
            Act::Fence(Fence {
                reach: if near { Strength::Cta } else { Strength::Gpu },
                acquire: !has("release"),
                release: !has("acquire"),
                sequential: op.mnemonic() == "membar" || has("sc"),
            })
        }
        "bar" if has("warp") => Act::WarpBarrier { mask: operands.value(0)? },
        "barrier" if has("cluster") => return None,
        "bar" | "barrier" => operands.barrier()?,
        "ldmatrix" if has("b16") => {
            let to = operands.places(0)?;
            let address = operands.address(1, Space::of(op.get("ss")))?;
            Act::LoadMatrix { address, count: to.len(), transposed: has("trans"), to }
        }
        "stmatrix" if has("b16") => {
            let from = operands.values(1)?;
            let address = operands.address(0, Space::of(op.get("ss")))?;
            Act::StoreMatrix { address, transposed: has("trans"), from }
        }
        "cp" if has("commit_group") && !has("bulk") => Act::Commit,
        "cp" if has("wait_all") => Act::Wait(None),
        "cp" if has("wait_group") && !has("bulk") => match i.operands().first()? {
            // more groups than can be: none is waited for
            Operand::Int(n) if *n >= 0 => Act::Wait(Some(u32::try_from(*n).unwrap_or(u32::MAX))),
            _ => return None,
        },
        "cp" if has("bulk") => return None,
        "cp" if has("arrive") || has("mbarrier") => Act::Mbarrier {
            what: Mbarrier::ArriveOnCopies { counted: !has("noinc") },
            address: operands.address(0, Space::of(op.get("ss")))?,
            from: Box::new([]),
            to: Place::Sink,
        },
        "cp" => operands.copy()?,
        "mbarrier" => operands.mbarrier()?,
        "mov" => match i.operands() {
            [to, Operand::Special(what)] if is_modelled(*what) => Act::Special { what: *what, to: operands.place(to)? },
            [to, Operand::Symbol(name, offset)] => operands.address_of(to, name, *offset, false)?,
            _ => operands.act(pure(i)?)?,
        },
        "cvta" => match i.operands() {
            [to, Operand::Symbol(name, offset)] => operands.address_of(to, name, *offset, true)?,
            _ => {
                let window = Space::of(op.get("ss")).window();
                let to = has("to");
                operands.act(Pure::one(move |x| if to { x.wrapping_sub(window) } else { x.wrapping_add(window) }))?
            }
        },
        "isspacep" => {
            let space = Space::of(op.get("ss"));
            operands.act(Pure::one(move |x| (Space::of_generic(x).0 == space) as u64))?
        }
        "mma" | "movmatrix" => {
            Act::Pure { run: pure(i)?, from: operands.sources()?, to: operands.results()?, whole: true }
        }
        _ => match collective::collective(i) {
            Some(what) => operands.collective(what)?,
            None => operands.act(pure(i)?)?,
        },
    })
}

/// How far a scope reaches. No clusters are launched: each is one CTA.
fn reach(scope: Option<&str>) -> Strength {
    match scope {
        Some("cta" | "cluster") => Strength::Cta,
        _ => Strength::Gpu,
    }
}

/// Does the special register say something here? Counters and what a driver leaves are of a device.
fn is_modelled(what: Special) -> bool {
    let of_a_device = ["%pm", "%envreg", "%reserved_smem", "%aggr_smem"];
    !of_a_device.iter().any(|name| what.name().starts_with(name))
}

/// Bits of a register; 64 of what is none.
fn width(o: &Operand) -> u32 {
    if let Operand::Reg(r) = o { r.ty.bits() } else { 64 }
}

/// The lowest bits of a value.
fn cut(bits: u64, width: u32) -> u64 {
    bits & u64::MAX >> (64 - width.clamp(1, 64))
}

impl Space {
    /// From its name in an opcode; none is generic.
    pub fn of(name: Option<&str>) -> Space {
        match name {
            Some("global") => Space::Global,
            Some("shared" | "shared::cta" | "shared::cluster") => Space::Shared,
            Some("local") => Space::Local,
            Some("const") => Space::Const,
            Some("param" | "param::entry" | "param::func") => Space::Param,
            _ => Space::Generic,
        }
    }
}

impl Frame<'_> {
    fn label(&self, name: &str) -> Option<u32> {
        match self.names.find(name)? {
            Symbol::Label(number) => Some(*number),
            _ => None,
        }
    }

    fn table(&self, name: &str) -> Option<Box<[u32]>> {
        match self.names.find(name)? {
            Symbol::Table(labels) => labels.iter().map(|label| self.label(label)).collect(),
            _ => None,
        }
    }

    /// Its number, if the function has it as it is used.
    pub fn register(&self, r: &Reg) -> Option<u32> {
        let declared = self.registers.get(r.id as usize)?;
        self.slots.get(r.id as usize).copied().filter(|_| declared.ty == r.ty)
    }
}

/// The operands of an instruction.
struct Operands<'a> {
    i: &'a Instruction,
    frame: &'a Frame<'a>,
    types: Vec<Option<Type>>,
}

impl Operands<'_> {
    fn at(&self, n: usize) -> Option<&Operand> {
        self.i.operands().get(n)
    }

    fn symbol(&self, n: usize) -> Option<&str> {
        match self.at(n)? {
            Operand::Symbol(name, _) => Some(name),
            _ => None,
        }
    }

    /// What is computed by each thread on its own.
    fn act(&self, run: Pure) -> Option<Act> {
        let (from, mut to) = (self.sources()?.into_vec(), self.results()?.into_vec());
        to.truncate(run.results());
        Some(Act::Pure { run, from: from.into(), to: to.into(), whole: false })
    }

    /// All that is read, the carry flag last.
    fn sources(&self) -> Option<Box<[Value]>> {
        let mut all = Vec::new();
        for (n, (operand, access)) in self.i.accesses().enumerate() {
            if access != ptx::Access::Write {
                self.read(operand, self.types[n], &mut all)?;
            }
        }
        if matches!(self.i.opcode().mnemonic(), "addc" | "subc" | "madc") {
            all.push(Value::Predicate(self.frame.carry, false));
        }
        Some(all.into())
    }

    /// All that is written, the carry flag last.
    fn results(&self) -> Option<Box<[Place]>> {
        let mut all = Vec::new();
        for (operand, access) in self.i.accesses() {
            if access != ptx::Access::Read {
                self.write(operand, &mut all)?;
            }
        }
        if self.i.opcode().has("cc") {
            all.push(Place::Predicate(self.frame.carry));
        }
        Some(all.into())
    }

    fn value(&self, n: usize) -> Option<Value> {
        self.values(n)?.into_vec().pop()
    }

    fn values(&self, n: usize) -> Option<Box<[Value]>> {
        let mut all = Vec::new();
        self.read(self.at(n)?, self.types[n], &mut all)?;
        Some(all.into())
    }

    /// Operands from one on that are data: what follows the address, without a cache policy.
    fn rest(&self, from: usize) -> Option<Box<[Value]>> {
        let hint = self.i.opcode().has("L2::cache_hint") as usize;
        let mut all = Vec::new();
        for n in from..self.i.operands().len() - hint {
            self.read(self.at(n)?, self.types[n], &mut all)?;
        }
        Some(all.into())
    }

    fn places(&self, n: usize) -> Option<Box<[Place]>> {
        let mut all = Vec::new();
        self.write(self.at(n)?, &mut all)?;
        Some(all.into())
    }

    /// Bits of the registers of a destination.
    fn widths(&self, n: usize) -> Box<[u32]> {
        match self.at(n) {
            Some(Operand::Vector(of)) => of.iter().map(width).collect(),
            Some(o) => [width(o)].into(),
            None => Box::new([]),
        }
    }

    fn read(&self, operand: &Operand, ty: Option<Type>, all: &mut Vec<Value>) -> Option<()> {
        let constant = |bits: u64| Value::Constant(Box::new([bits; 32]));
        let width = ty.map_or(64, Type::bits);
        match operand {
            Operand::Reg(r) | Operand::Not(r) if r.ty == Type::Pred => {
                all.push(Value::Predicate(self.frame.register(r)?, matches!(operand, Operand::Not(_))))
            }
            Operand::Reg(r) => {
                let slot = self.frame.register(r)?;
                (0..r.ty.bits().div_ceil(64)).for_each(|half| all.push(Value::Register(slot + half)));
            }
            Operand::Int(i) if width == 128 => all.extend([constant(*i as u64), constant((*i >> 63) as u64)]),
            Operand::Int(i) if width == 1 => all.push(constant((*i != 0) as u64)),
            Operand::Int(i) => all.push(constant(cut(*i as u64, width))),
            Operand::F32(bits) if ty == Some(Type::F64) => {
                all.push(constant(f64::from(f32::from_bits(*bits)).to_bits()))
            }
            Operand::F32(bits) => all.push(constant((*bits).into())),
            Operand::F64(bits) if ty == Some(Type::F32) => {
                all.push(constant((f64::from_bits(*bits) as f32).to_bits().into()))
            }
            Operand::F64(bits) => all.push(constant(*bits)),
            Operand::Vector(of) => of.iter().try_for_each(|o| self.read(o, ty, all))?,
            Operand::Pair(of) => of.iter().try_for_each(|o| self.read(o, ty, all))?,
            // a sink in a source vector has no value
            Operand::Sink => all.push(constant(0)),
            // memory is no value; what is at it, its own act reads
            Operand::Address(_) | Operand::Tensor(..) => {}
            Operand::Not(_) | Operand::Symbol(..) | Operand::Special(_) | Operand::Call(_) => return None,
        }
        Some(())
    }

    fn write(&self, operand: &Operand, all: &mut Vec<Place>) -> Option<()> {
        match operand {
            Operand::Vector(of) => of.iter().try_for_each(|o| self.write(o, all))?,
            Operand::Pair(of) => of.iter().try_for_each(|o| self.write(o, all))?,
            Operand::Reg(r) if r.ty.bits() == 128 => {
                let slot = self.frame.register(r)?;
                all.extend([Place::Register(slot), Place::Register(slot + 1)]);
            }
            o => all.push(self.place(o)?),
        }
        Some(())
    }

    fn place(&self, operand: &Operand) -> Option<Place> {
        match operand {
            Operand::Reg(r) if r.ty == Type::Pred => Some(Place::Predicate(self.frame.register(r)?)),
            Operand::Reg(r) => Some(Place::Register(self.frame.register(r)?)),
            Operand::Sink => Some(Place::Sink),
            _ => None,
        }
    }

    fn address(&self, n: usize, space: Space) -> Option<Address> {
        let Operand::Address(a) = self.at(n)? else { return None };
        self.resolve(a, space)
    }

    fn resolve(&self, a: &ptx::Address, space: Space) -> Option<Address> {
        // parameters of functions are in the frame
        let param = if self.frame.is_entry { Space::Param } else { Space::Local };
        let space = if space == Space::Param { param } else { space };
        let fixed = |own: Space, at: u64| {
            let window = if space == Space::Generic { own.window() } else { 0 };
            let offset = (at.wrapping_add(window) as i64).wrapping_add(a.offset);
            Address { space, base: Base::Zero, offset, narrow: false }
        };
        Some(match &a.base {
            ptx::Base::Reg(r) => {
                let base = Base::Register(self.frame.register(r)?);
                Address { space, base, offset: a.offset, narrow: r.ty.bits() <= 32 }
            }
            ptx::Base::Zero => Address { space, base: Base::Zero, offset: a.offset, narrow: false },
            ptx::Base::Symbol(name) => match self.frame.names.find(name)? {
                Symbol::Global(at) => fixed(Space::Global, *at),
                Symbol::Shared(at) => fixed(Space::Shared, (*at).into()),
                Symbol::Const(at) => fixed(Space::Const, (*at).into()),
                Symbol::Param(at) => fixed(Space::Param, (*at).into()),
                // also what a kernel passes to functions, and they to others
                Symbol::Local(at) => {
                    let offset = a.offset.wrapping_add((*at).into());
                    Address { space: Space::Local, base: Base::Frame, offset, narrow: false }
                }
                _ => return None,
            },
        })
    }

    /// What `mov` and `cvta` make of a name.
    fn address_of(&self, to: &Operand, name: &str, offset: i64, generic: bool) -> Option<Act> {
        let (to, width) = (self.place(to)?, width(to));
        let (space, at) = match self.frame.names.find(name)? {
            Symbol::Global(at) => (Space::Global, *at),
            Symbol::Shared(at) => (Space::Shared, (*at).into()),
            Symbol::Const(at) => (Space::Const, (*at).into()),
            Symbol::Param(at) => (Space::Param, (*at).into()),
            Symbol::Local(at) => {
                let offset = i64::from(*at).wrapping_add(offset);
                return Some(Act::FrameAddress { offset, generic, width, to });
            }
            Symbol::Function(number) => (Space::Global, CODE + 16 * *number as u64),
            Symbol::Label(_) | Symbol::Table(_) | Symbol::Callees(_) => return None,
        };
        let window = if generic { space.window() } else { 0 };
        let at = cut(at.wrapping_add(window).wrapping_add_signed(offset), width);
        let from = Box::new([Value::Constant(Box::new([at; 32]))]);
        Some(Act::Pure { run: Pure::one(|x| x), from, to: Box::new([to]), whole: false })
    }

    /// A load, store or atomic at the address in a place.
    fn access(&self, n: usize) -> Option<Access> {
        let op = self.i.opcode();
        let has = |name| op.qualifiers().any(|q| q == name);
        let ty = op.type_of("type").or_else(|| op.qualifiers().last()?.parse().ok())?;
        let count = match op.get("vec") {
            Some(vec) => vec.trim_start_matches('v').parse().ok()?,
            None => 1,
        };
        let atomic = matches!(op.mnemonic(), "atom" | "red");
        let strong = atomic || has("volatile") || has("mmio") || op.get("sem").is_some() || has("relaxed");
        let sem = op.get("sem").unwrap_or("relaxed");
        Some(Access {
            address: self
                .address(n, Space::of(self.i.opcode().qualifiers().find(|q| Space::of(Some(q)) != Space::Generic)))?,
            size: ty.bits() as usize / 8,
            count,
            strength: if strong { reach(op.get("scope")) } else { Strength::Weak },
            acquire: matches!(sem, "acquire" | "acq_rel"),
            release: matches!(sem, "release" | "acq_rel"),
            incoherent: has("nc"),
            passed: op.qualifiers().any(|q| Space::of(Some(q)) == Space::Param),
        })
    }

    fn call(&self) -> Option<Act> {
        let Operand::Call(call) = self.at(0)? else { return None };
        let (callee, types): (_, Vec<Type>) = match &call.callee {
            Operand::Symbol(name, _) => match self.frame.names.find(name)? {
                Symbol::Function(number) => {
                    let function = self.frame.functions.get(*number)?;
                    (Callee::Direct(*number), function.params.iter().map(|p| p.ty).collect())
                }
                _ => return None,
            },
            Operand::Reg(r) => {
                let types = match call.prototype.as_deref().and_then(|name| self.frame.names.find(name)) {
                    Some(Symbol::Callees(types)) => types.clone(),
                    _ => vec![],
                };
                (Callee::Indirect(Value::Register(self.frame.register(r)?)), types)
            }
            _ => return None,
        };
        let arguments = call.arguments.iter().enumerate().map(|(n, o)| match o {
            Operand::Symbol(name, 0) => match self.frame.names.find(name)? {
                Symbol::Local(at) => Some(Argument::Memory(*at)),
                _ => None,
            },
            o => {
                let mut all = Vec::new();
                self.read(o, types.get(n).copied(), &mut all)?;
                // one of 128 bits is not passed by value
                all.pop().filter(|_| all.is_empty()).map(Argument::Value)
            }
        });
        let results = call.results.iter().map(|o| match o {
            Operand::Symbol(name, 0) => match self.frame.names.find(name)? {
                Symbol::Local(at) => Some(Home::Memory(*at)),
                _ => None,
            },
            o => self.place(o).filter(|_| width(o) <= 64).map(Home::Register),
        });
        Some(Act::Call {
            callee,
            arguments: arguments.collect::<Option<_>>()?,
            results: results.collect::<Option<_>>()?,
        })
    }

    fn barrier(&self) -> Option<Act> {
        let op = self.i.opcode();
        let has = |name| op.qualifiers().any(|q| q == name);
        let kind = match () {
            _ if has("arrive") => BarrierKind::Arrive,
            _ if has("popc") => BarrierKind::Popc,
            _ if has("and") => BarrierKind::And,
            _ if has("or") => BarrierKind::Or,
            _ => BarrierKind::Sync,
        };
        let reduces = !matches!(kind, BarrierKind::Sync | BarrierKind::Arrive);
        let (first, last) = (reduces as usize, self.i.operands().len() - reduces as usize);
        Some(Act::Barrier(Barrier {
            kind,
            id: self.value(first)?,
            count: if last > first + 1 { Some(self.value(first + 1)?) } else { None },
            aligned: op.mnemonic() == "bar" || has("aligned"),
            predicate: if reduces { Some(self.value(last)?) } else { None },
            to: if reduces { self.place(self.at(0)?)? } else { Place::Sink },
        }))
    }

    fn collective(&self, what: collective::Collective) -> Option<Act> {
        let mut from = self.sources()?.into_vec();
        // the mask of members is the last source
        let mask = if what.masked() { from.pop() } else { None };
        let mut to = self.results()?.into_vec();
        to.truncate(what.results());
        Some(Act::Collective { what, mask, from: from.into(), to: to.into() })
    }

    fn copy(&self) -> Option<Act> {
        let op = self.i.opcode();
        let Operand::Int(size) = self.at(2)? else { return None };
        let hint = op.has("L2::cache_hint") as usize;
        let (mut read, mut ignore) = (None, None);
        if self.i.operands().len() - hint > 3 {
            match self.types.get(3).copied().flatten() {
                Some(Type::Pred) => ignore = Some(self.value(3)?),
                _ => read = Some(self.value(3)?),
            }
        }
        Some(Act::Copy {
            to: self.address(0, Space::Shared)?,
            from: self.address(1, Space::Global)?,
            size: usize::try_from(*size).ok().filter(|n| matches!(n, 4 | 8 | 16))?,
            read,
            ignore,
        })
    }

    fn mbarrier(&self) -> Option<Act> {
        let op = self.i.opcode();
        let has = |name| op.qualifiers().any(|q| q == name);
        let relaxed = has("relaxed");
        let space = Space::of(op.qualifiers().find(|q| Space::of(Some(q)) != Space::Generic));
        if has("pending_count") {
            // the lower 32 bits of a state, as the simulator keeps it
            return self.act(Pure::one(|state| state & 0xf_ffff));
        }
        let tests = has("test_wait") || has("try_wait");
        let arrives = has("arrive") || has("arrive_drop");
        let what = match () {
            _ if has("init") => Mbarrier::Init,
            _ if has("inval") => Mbarrier::Invalidate,
            _ if tests => Mbarrier::Test { parity: has("parity"), acquire: !relaxed },
            _ if arrives => Mbarrier::Arrive {
                drop: has("arrive_drop"),
                expect: has("expect_tx"),
                complete: !has("noComplete"),
                release: !relaxed,
            },
            _ if has("expect_tx") => Mbarrier::ExpectTx,
            _ if has("complete_tx") => Mbarrier::CompleteTx,
            _ => return None,
        };
        let first = (tests || arrives) as usize;
        let mut from = Vec::new();
        for n in first + 1..self.i.operands().len() {
            from.extend(self.values(n)?);
        }
        let to = if first == 1 { self.place(self.at(0)?)? } else { Place::Sink };
        Some(Act::Mbarrier { what, address: self.address(first, space)?, from: from.into(), to })
    }
}
