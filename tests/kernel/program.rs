//! Random programs: built into a kernel and recorded at once, then executed by the machine and by exact arithmetic.

use crate::build::{OUT, assemble, kernel, legal, show, shown, thread};
use crate::launch::{Machine, number};
use crate::random::{Rng, cases};
use crate::value::Value;
use girih::gpu::kernel::{Index, Kernel, KernelError, Pointer, Pred};
use girih::gpu::launch::{DataType, Launch, Param, Usage};
use girih::gpu::ptx::{Module, Type};
use girih::prelude::*;

/// A statement; handles are numbered in the order in which they are made.
enum Step {
    Sum(usize, usize, i128),
    Times(usize, i128),
    Plus(usize, i128),
    DivRem(usize, i128),
    DivRemBy(usize, usize),
    Ceil(usize, i128),
    Mul(usize, usize),
    Min(usize, usize),
    Max(usize, usize),
    Xor(usize, usize),
    Select(usize, usize, usize),
    Offset(Box<Layout>, usize),
    Swizzled(Box<Composed>, usize),
    Lt(usize, usize),
    Eq(usize, usize),
    And(usize, usize),
    Not(usize),
    Show(i64, usize),
    Touch(i64, usize),
    Variable(usize),
    Assign(usize, usize),
    If(usize, Vec<Step>, Vec<Step>),
    Guarded(usize, Vec<Step>),
    For(usize, usize, i128, Vec<Step>),
    Exit(usize),
}

struct Maker<'a> {
    rng: &'a mut Rng,
    out: Pointer,
    /// where the thread's own slots begin; otherwise all have the same, and values are addresses too
    own: Option<Index>,
    slots: i64,
    left: usize,
    indices: Vec<Index>,
    preds: Vec<Pred>,
    /// the handle's index, its least and greatest value
    variables: Vec<(Index, i64, i64)>,
    /// inside of a guard whose destinations are undefined elsewhere
    undefined: bool,
    swizzles: &'a [Composed],
    layouts: &'a [Layout],
}

const CONSTANTS: [i64; 22] =
    [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 128, 1000, 4096, 65536, 1 << 30, (1 << 31) - 1, 1 << 31, 1 << 33];

impl Maker<'_> {
    fn index(&mut self) -> usize {
        let n = self.indices.len() as i64;
        // mostly recent ones
        (if self.rng.below(2) == 0 { n - 1 - self.rng.below(n.min(4)) } else { self.rng.below(n) }) as usize
    }

    fn constant(&mut self) -> i64 {
        self.rng.of(&CONSTANTS) + if self.rng.below(4) == 0 { self.rng.below(5) - 2 } else { 0 }
    }

    fn fits(&self, k: &Kernel, i: &Index) -> bool {
        let (lo, hi) = k.range(i);
        lo >= -(1 << 62) && hi <= 1 << 62
    }

    fn positive(&mut self, k: &Kernel) -> Option<usize> {
        self.like(|i| k.range(i).0 >= 0)
    }

    fn like(&mut self, good: impl Fn(&Index) -> bool) -> Option<usize> {
        for _ in 0..8 {
            let i = self.index();
            if good(&self.indices[i]) {
                return Some(i);
            }
        }
        None
    }

    fn block(&mut self, k: &mut Kernel, depth: usize, steps: usize) -> Vec<Step> {
        let (indices, preds, variables) = (self.indices.len(), self.preds.len(), self.variables.len());
        let mut made = Vec::new();
        for _ in 0..steps {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            if let Some(step) = self.step(k, depth) {
                made.push(step);
            }
        }
        self.indices.truncate(indices);
        self.preds.truncate(preds);
        self.variables.truncate(variables);
        made
    }

    fn keep(&mut self, k: &Kernel, i: Index, step: Step) -> Option<Step> {
        if !self.fits(k, &i) {
            return None;
        }
        self.indices.push(i);
        Some(step)
    }

    fn step(&mut self, k: &mut Kernel, depth: usize) -> Option<Step> {
        let (a, b, c) = (self.index(), self.index(), self.constant());
        let (x, y) = (self.indices[a].clone(), self.indices[b].clone());
        match self.rng.below(if depth < 4 { 30 } else { 24 }) {
            0 | 1 => self.keep(k, &x + &y, Step::Sum(a, b, 1)),
            2 => self.keep(k, &x - &y, Step::Sum(a, b, -1)),
            3 => self.keep(k, &x * c, Step::Times(a, c.into())),
            4 => self.keep(k, &x + c, Step::Plus(a, c.into())),
            5 | 6 => {
                let a = self.positive(k)?;
                let c = c.max(1);
                let i = self.indices[a].clone();
                let (q, m) = (k.div(&i, c), k.rem(&i, c));
                self.indices.extend([q, m]);
                Some(Step::DivRem(a, c.into()))
            }
            7 => {
                let (a, b) = (self.positive(k)?, self.positive(k)?);
                if k.range(&self.indices[b]).0 < 1 {
                    return None;
                }
                let (q, m) = k.div_rem_by(&self.indices[a].clone(), &self.indices[b].clone());
                self.indices.extend([q, m]);
                Some(Step::DivRemBy(a, b))
            }
            8 => {
                let a = self.positive(k)?;
                let c = c.max(1);
                let q = k.ceil_div(&self.indices[a].clone(), c);
                self.keep(k, q, Step::Ceil(a, c.into()))
            }
            9 | 10 => {
                let ((p, q), (r, s)) = (k.range(&x), k.range(&y));
                let most = [p, q].map(i128::abs).into_iter().max()? * [r, s].map(i128::abs).into_iter().max()?;
                if most > 1 << 61 {
                    return None;
                }
                let product = k.mul(&x, &y);
                self.keep(k, product, Step::Mul(a, b))
            }
            11 if self.rng.below(2) == 0 => {
                let greatest = k.max(&x, &y);
                self.keep(k, greatest, Step::Max(a, b))
            }
            11 => {
                let least = k.min(&x, &y);
                self.keep(k, least, Step::Min(a, b))
            }
            12 => {
                let (a, b) = (self.positive(k)?, self.positive(k)?);
                let x = k.xor(&self.indices[a].clone(), &self.indices[b].clone());
                self.keep(k, x, Step::Xor(a, b))
            }
            13 => {
                let p = self.rng.below(self.preds.len() as i64) as usize;
                let s = k.select(self.preds[p], &x, &y);
                self.keep(k, s, Step::Select(p, a, b))
            }
            14 => {
                let layout = self.layouts[self.rng.below(self.layouts.len() as i64) as usize];
                let a = self.positive(k)?;
                let inside = k.rem(&self.indices[a].clone(), layout.size().unwrap());
                let offset = k.offset_at(&layout, &inside);
                self.keep(k, offset, Step::Offset(Box::new(layout), a))
            }
            15 => {
                let composed = self.swizzles[self.rng.below(self.swizzles.len() as i64) as usize];
                let a = self.positive(k)?;
                let inside = k.rem(&self.indices[a].clone(), composed.inner().size().unwrap());
                let (mut rest, mut coordinate) = (inside, vec![]);
                for i in 0..composed.inner().rank() {
                    let extent = composed.inner().mode(i).unwrap().size().unwrap();
                    coordinate.push(k.rem(&rest, extent));
                    rest = k.div(&rest, extent);
                }
                let value = k.offset_swizzled(&composed, &coordinate);
                self.keep(k, value, Step::Swizzled(Box::new(composed), a))
            }
            16 => {
                self.preds.push(k.lt(&x, &y));
                Some(Step::Lt(a, b))
            }
            17 => {
                self.preds.push(k.eq(&x, &y));
                Some(Step::Eq(a, b))
            }
            18 => {
                let (p, q) = (self.rng.below(self.preds.len() as i64), self.rng.below(self.preds.len() as i64));
                let (p, q) = (p as usize, q as usize);
                self.preds.push(k.and(self.preds[p], self.preds[q]));
                Some(Step::And(p, q))
            }
            19 => {
                let p = self.rng.below(self.preds.len() as i64) as usize;
                self.preds.push(!self.preds[p]);
                Some(Step::Not(p))
            }
            20 | 21 => {
                self.slots += 1;
                let value = self.rng.below(2) == 0;
                if value || self.own.is_some() {
                    let slot = self.own.clone().unwrap_or(0.into()) + self.slots;
                    show(k, &self.out, &slot, &x);
                    return Some(Step::Show(self.slots, a));
                }
                // as an address
                let mark = k.op("mov.b64", vec![self.slots.into()]);
                k.store(&self.out.at(&x), &[mark]);
                Some(Step::Touch(self.slots, a))
            }
            22 => {
                let (lo, hi) = k.range(&x);
                let (lo, hi) = (lo as i64 - self.rng.below(9), hi as i64 + self.rng.below(9));
                let v = k.variable(&x, lo, hi);
                self.variables.push((v.clone(), lo, hi));
                self.indices.push(v);
                Some(Step::Variable(a))
            }
            23 => {
                if self.variables.is_empty() || self.undefined {
                    return None;
                }
                let at = self.rng.below(self.variables.len() as i64) as usize;
                let (v, lo, hi) = self.variables[at].clone();
                let value = self.like(|i| k.range(i).0 >= lo.into() && k.range(i).1 <= hi.into())?;
                k.assign(&v, &self.indices[value].clone());
                Some(Step::Assign(at, value))
            }
            24 | 25 => {
                let p = self.rng.below(self.preds.len() as i64) as usize;
                let (mut then, mut or) = (vec![], vec![]);
                let (n, m) = (self.rng.below(10) as usize, self.rng.below(10) as usize);
                let pred = self.preds[p];
                // both closures make steps
                let cell = std::cell::RefCell::new(self);
                let both = |k: &mut Kernel, n| cell.borrow_mut().block(k, depth + 1, n);
                match m {
                    0..3 => k.branch(&pred, |k| then = both(k, n)),
                    _ => k.branch_or(&pred, |k| then = both(k, n), |k| or = both(k, m)),
                }
                Some(Step::If(p, then, or))
            }
            26 => {
                let p = self.rng.below(self.preds.len() as i64) as usize;
                let (n, pred, was) = (self.rng.below(8) as usize, self.preds[p], self.undefined);
                let mut body = vec![];
                if self.rng.below(2) == 0 {
                    self.undefined = true;
                    k.guarded(&pred, |k| body = self.block(k, depth + 1, n));
                } else {
                    k.guarded_or_kept(&pred, |k| body = self.block(k, depth + 1, n));
                }
                self.undefined = was;
                Some(Step::Guarded(p, body))
            }
            27 | 28 => {
                let step = self.rng.of(&[1i64, 1, 2, 3, 8, 1 << 20, 1 << 31]);
                let trips = |k: &Kernel, x: &Index, y: &Index| (k.range(y).1 - k.range(x).0) / i128::from(step);
                let pairs = (0..12).map(|_| (self.index(), self.index())).collect::<Vec<_>>();
                let (a, b) = pairs.into_iter().find(|&(a, b)| trips(k, &self.indices[a], &self.indices[b]) < 5)?;
                let (lo, hi, n) = (self.indices[a].clone(), self.indices[b].clone(), self.rng.below(12) as usize);
                let mut body = vec![];
                k.for_each(&lo, &hi, step, |k, i| {
                    self.indices.push(i.clone());
                    body = self.block(k, depth + 1, n);
                    self.indices.pop();
                });
                Some(Step::For(a, b, step.into(), body))
            }
            _ => {
                if self.rng.below(4) > 0 {
                    return None;
                }
                let p = self.rng.below(self.preds.len() as i64) as usize;
                k.exit_if(&self.preds[p]);
                Some(Step::Exit(p))
            }
        }
    }
}

/// The exact execution.
#[derive(Default)]
struct Exact {
    indices: Vec<Value>,
    preds: Vec<bool>,
    variables: Vec<i128>,
    seen: Vec<(i64, i64)>,
}

impl Exact {
    fn now(&self, i: usize) -> i128 {
        self.indices[i].now(&self.variables)
    }

    fn bind(&mut self, v: i128) {
        self.indices.push(v.into());
    }

    /// False if the thread left.
    fn block(&mut self, steps: &[Step]) -> bool {
        let (indices, preds, variables) = (self.indices.len(), self.preds.len(), self.variables.len());
        let stays = steps.iter().all(|s| self.step(s));
        self.indices.truncate(indices);
        self.preds.truncate(preds);
        self.variables.truncate(variables);
        stays
    }

    fn step(&mut self, step: &Step) -> bool {
        match step {
            Step::Sum(a, b, sign) => self.indices.push(self.indices[*a].plus(&self.indices[*b], *sign)),
            Step::Times(a, c) => self.indices.push(Value::default().plus(&self.indices[*a], *c)),
            Step::Plus(a, c) => self.indices.push(self.indices[*a].plus(&Value::from(*c), 1)),
            Step::DivRem(a, c) => {
                let i = self.now(*a);
                self.bind(i.div_euclid(*c));
                self.bind(i.rem_euclid(*c));
            }
            Step::DivRemBy(a, b) => {
                let (i, by) = (self.now(*a), self.now(*b));
                self.bind(i / by);
                self.bind(i % by);
            }
            Step::Ceil(a, c) => self.bind(self.now(*a).div_euclid(*c) + i128::from(self.now(*a).rem_euclid(*c) > 0)),
            Step::Mul(a, b) => self.bind(self.now(*a) * self.now(*b)),
            Step::Min(a, b) => self.bind(self.now(*a).min(self.now(*b))),
            Step::Max(a, b) => self.bind(self.now(*a).max(self.now(*b))),
            Step::Xor(a, b) => self.bind(self.now(*a) ^ self.now(*b)),
            Step::Select(p, a, b) => self.bind(self.now(if self.preds[*p] { *a } else { *b })),
            Step::Offset(layout, a) => {
                let at = self.now(*a) % i128::from(layout.size().unwrap());
                self.bind(layout.at(at as i64).unwrap().into());
            }
            Step::Swizzled(composed, a) => {
                let at = self.now(*a) % i128::from(composed.inner().size().unwrap());
                self.bind(composed.at(at as i64).unwrap().into());
            }
            Step::Lt(a, b) => self.preds.push(self.now(*a) < self.now(*b)),
            Step::Eq(a, b) => self.preds.push(self.now(*a) == self.now(*b)),
            Step::And(p, q) => self.preds.push(self.preds[*p] && self.preds[*q]),
            Step::Not(p) => self.preds.push(!self.preds[*p]),
            Step::Show(slot, a) => self.seen.push((*slot, self.now(*a) as i64)),
            Step::Touch(mark, a) => {
                // the machine's addresses are modulo 2^64
                let at = (self.now(*a) * 8 + i128::from(OUT)) as u64;
                self.seen.push(((at.wrapping_sub(OUT) / 8) as i64, *mark));
            }
            Step::Variable(a) => {
                self.variables.push(self.now(*a));
                let v = self.variables.len() - 1;
                self.indices.push(Value { known: 0, variables: [(v, 1)].into() });
            }
            Step::Assign(v, a) => self.variables[*v] = self.now(*a),
            Step::If(p, then, or) => return self.block(if self.preds[*p] { then } else { or }),
            Step::Guarded(p, body) => return !self.preds[*p] || self.block(body),
            Step::For(a, b, step, body) => {
                let (mut i, end) = (self.now(*a), self.now(*b));
                while i < end {
                    self.bind(i);
                    let stays = self.block(body);
                    self.indices.pop();
                    if !stays {
                        return false;
                    }
                    i += step;
                }
            }
            Step::Exit(p) => return !self.preds[*p],
        }
        true
    }
}

/// Layouts and swizzles to choose from.
fn material(rng: &mut Rng) -> (Vec<Layout>, Vec<Composed>) {
    let layouts = (0..8).map(|_| crate::layouts::random(rng)).collect();
    let tiles = [
        "S<3,3,3> o 0 o (16,64):(64,1)",
        "S<2,3,3> o 0 o (8,32):(32,1)",
        "S<3,0,3> o 5 o (64,9):(1,64)",
        "S<1,0,-2> o 0 o (4,4):(1,4)",
        "S<3,4,-3> o 64 o (2048):(1)",
        "S<2,0,2> o S<2,4,3> o 0 o (1024):(1)",
        "S<20,0,20> o 0 o (1048576,8):(1,1048576)",
        "S<3,20,20> o 0 o (8,4):(5000000,1)",
    ];
    (layouts, tiles.iter().filter_map(|t| t.parse().ok()).collect())
}

struct Program {
    module: Module,
    made: Vec<Step>,
    rng: Rng,
    /// threads of a block
    block: i64,
    /// the greatest n
    most: i64,
}

/// Slots of a thread's own, more than a program has.
const OWN: i64 = 128;

impl Program {
    /// None if a sum is too large. `own`: each thread has slots of its own.
    fn new(seed: u64, steps: usize, own: bool) -> Option<Program> {
        let mut rng = Rng::new(seed);
        let block = rng.of(&[1i64, 32, 33, 128, 1024]);
        let (layouts, swizzles) = material(&mut rng);
        let mut k = kernel(block as u32);
        let out = k.pointer("out", Type::B64);
        let most = rng.of(&[1i64, 5, 1000, i32::MAX as i64]);
        let (n, m) = (k.size_at_most("n", most), k.size("m"));
        let indices = vec![Index::from(3), k.tid(), k.ctaid(), n.clone(), m, n + 1];
        let preds = vec![Pred::Always, k.lt(&indices[1], &7.into()), k.lt(&indices[3], &indices[4])];
        let own = own.then(|| (k.ctaid() * block + k.tid()) * OWN);
        let (layouts, swizzles) = (&layouts[..], &swizzles[..]);
        let mut maker = Maker {
            rng: &mut rng,
            out,
            own,
            slots: 0,
            left: steps,
            indices,
            preds,
            variables: vec![],
            undefined: false,
            swizzles,
            layouts,
        };
        let made = maker.block(&mut k, 0, steps);
        let module = match k.finish() {
            Ok(module) => module,
            // a part of a sum whose whole fits
            Err(KernelError::TooLarge { .. }) => return None,
            Err(e) => panic!("seed {seed}: {e}"),
        };
        legal(&module);
        Some(Program { module, made, rng, block, most })
    }

    /// What a thread shows, by exact arithmetic.
    fn exact(&self, [tid, ctaid, n, m]: [u64; 4]) -> Vec<(i64, i64)> {
        let mut exact = Exact::default();
        [3, tid, ctaid, n, m, n + 1].into_iter().for_each(|v| exact.bind(v.into()));
        exact.preds = vec![true, tid < 7, n < m];
        exact.block(&self.made);
        exact.seen
    }

    fn sizes(&mut self, greatest: bool) -> [u64; 2] {
        let (n, m) = (self.rng.below(self.most + 1), self.rng.of(&[0, 1, 6, 4096, i32::MAX as i64]));
        [if greatest { self.most } else { n }, m].map(|x| x as u64)
    }
}

/// How many values were compared.
fn one(program: &mut Program, seed: u64) -> usize {
    let mut values = 0;
    for t in 0..6 {
        let tid = if t == 0 { 0 } else { program.rng.below(program.block) as u64 };
        let ctaid = program.rng.of(&[0, 1, 2, 77, i32::MAX as i64 - 1]) as u64;
        let [n, m] = program.sizes(t == 1);
        let (seen, module) = (program.exact([tid, ctaid, n, m]), &program.module);
        let thread = thread(tid, ctaid, &[("n", n), ("m", m)]);
        assert_eq!(shown(module, &thread), seen, "seed {seed}, tid {tid}, ctaid {ctaid}, n {n}, m {m}\n{module}");
        values += seen.len();
    }
    values
}

#[test]
fn random_programs_compute_what_exact_arithmetic_does() {
    let (mut values, mut refused, mut modules) = (0, 0, Vec::new());
    for seed in 1..=cases(1500) {
        let Some(mut program) = Program::new(seed, 10 + (seed % 90) as usize, false) else {
            refused += 1;
            continue;
        };
        values += one(&mut program, seed);
        if modules.len() < 100 {
            modules.push(program.module);
        }
    }
    assert!(values > 10 * cases(1500) as usize && refused < cases(1500) / 50, "{values} values, {refused} refused");
    assemble(&modules);
    println!("{values} values, {refused} refused");
}

#[test]
fn all_threads_of_random_programs_do_so_together() {
    const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;
    let (machine, mut values) = (Machine::new(80), 0);
    for seed in 1..=cases(300) {
        let Some(mut program) = Program::new(seed, 10 + (seed % 90) as usize, true) else { continue };
        let launch = Launch {
            entry: "k".into(),
            params: vec![
                Param::pointer("out", DataType::U64, Usage::Write),
                Param::number("n", DataType::U32),
                Param::number("m", DataType::U32),
            ],
            block: [program.block as u32, 1, 1],
            grid: [2.into(), 1.into(), 1.into()],
            ..Launch::default()
        };
        let kernel = machine.kernel(&program.module, &launch);
        for greatest in [false, true] {
            let [n, m] = program.sizes(greatest);
            let mut want = vec![POISON; (2 * program.block * OWN) as usize];
            let mut out = machine.buffer(&want);
            for thread in 0..2 * program.block {
                let seen = program
                    .exact([thread % program.block, thread / program.block, n as i64, m as i64].map(|x| x as u64));
                values += seen.len();
                for (slot, value) in seen {
                    want[(thread * OWN + slot) as usize] = value as u64;
                }
            }
            kernel.launch(vec![out.all_mut(), number(n as u32), number(m as u32)]).unwrap();
            let differs = out.download().iter().zip(&want).position(|(got, want)| got != want);
            assert_eq!(differs, None, "seed {seed}, n {n}, m {m}\n{}", program.module);
        }
    }
    assert!(values > 1000 * cases(300) as usize, "{values} values");
}
