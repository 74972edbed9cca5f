//! Our kernels beside cuBLAS and cublasLt, interleaved in one process: `cargo bench --bench gpu -- --help`.
//!
//! Random operands; as many sets of buffers in rotation as exceed the second-level cache three times; every result checked,
//! with its memory full of NaN before: of small integers it must be exact, of normal numbers within the derived bound of exact
//! sums and of the peer's. Medians and ranges of rounds. Prints a table, and JSON if asked to. Needs a GPU; a kernel need not be
//! generated here: `--ptx` and `--launch` bring one with its description.

mod args;
mod data;
mod ours;
mod peer;
mod time;

use args::{Args, Case, Product, Work};
use data::Operands;
use girih::gpu::device::{Buffer, Device, Stream};
use peer::{Blas, Plan};
use serde_json::{Value, json};
use std::process::ExitCode;
use time::{Candidate, Times};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Bytes that the sets of operands have together: the second-level caches of today's devices hold 128 MiB at most.
const ROTATED: usize = 384 << 20;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    if std::env::args().any(|a| a == "--help") {
        println!("{}", args::USAGE);
        return Ok(());
    }
    let args = args::parse(std::env::args().skip(1))?;
    if Device::count() == 0 {
        println!("skipped: no CUDA driver");
        return Ok(());
    }
    let device = Device::new(0)?;
    let stream = device.stream()?;
    let blas = Blas::new(&device, &stream)?;
    if blas.is_none() {
        println!("no cuBLAS found: nothing to compare products and axpy with");
    }
    println!("{}, medians of {} rounds, [least, most]", device.name()?, args.rounds);
    let mut results = vec![];
    for case in &args.cases {
        let bench = Bench { device: &device, stream: &stream, blas: blas.as_ref(), args: &args, case };
        let result = match case.work {
            Work::Product(p) => bench.product(p),
            Work::Copy(n) => bench.copy(n),
            Work::Axpy(n) => bench.axpy(n),
        };
        results.push(result.unwrap_or_else(|e| {
            println!("{}: {e}", case.text);
            json!({ "case": case.text, "wrong": true, "error": e.to_string() })
        }));
    }
    let wrong = results.iter().filter(|r| r["wrong"] == json!(true)).count();
    if let Some(path) = &args.json {
        let all = json!({ "device": device.name()?, "rounds": args.rounds, "cases": results });
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    if wrong > 0 { Err(format!("{wrong} cases went wrong").into()) } else { Ok(()) }
}

/// Operands and result of a product on the device.
struct Matrices {
    a: Buffer<u8>,
    b: Buffer<u8>,
    c: Buffer<u8>,
}

/// What is read and what is written by a stream.
struct Vectors {
    x: Buffer<f32>,
    y: Buffer<f32>,
}

/// What a result differs by, in parts of what it may: from exact ones, and from the peer's. Above 1 it is wrong.
#[derive(Clone, Copy, Default)]
struct Difference {
    exact: f64,
    peer: f64,
}

impl Difference {
    fn or(self, other: Difference) -> Difference {
        Difference { exact: self.exact.max(other.exact), peer: self.peer.max(other.peer) }
    }

    fn is_wrong(self) -> bool {
        !(self.exact <= 1.0 && self.peer <= 1.0)
    }
}

fn planned<'a>((i, plan): (usize, Plan<'a>)) -> Candidate<'a, Matrices> {
    Candidate::new(false, format!("cublasLt {i}"), move |s: &mut Matrices| plan.run(&s.a, &s.b, &s.c))
}

/// A case on a device.
struct Bench<'a> {
    device: &'a Device,
    stream: &'a Stream,
    blas: Option<&'a Blas>,
    args: &'a Args,
    case: &'a Case,
}

impl Bench<'_> {
    fn product(&self, p: Product) -> Result<Value> {
        let (integers, normal) = (Operands::integers(p), Operands::random(p));
        let (width, out) = (p.of.bytes(), p.m * p.n * p.of.result().bytes());
        let one = |i: usize| -> Result<Matrices> {
            // the other sets are the same numbers, beginning elsewhere
            let upload = |bytes: &[u8]| Buffer::from_slice(self.stream, &data::turned(bytes, width, i * 12_345_677));
            Ok(Matrices { a: upload(&normal.a)?, b: upload(&normal.b)?, c: Buffer::new(self.device, out)? })
        };
        let count = ROTATED.div_ceil(normal.a.len() + normal.b.len() + out).clamp(2, 64);
        let mut sets = (0..count).map(one).collect::<Result<Vec<_>>>()?;

        // cuBLAS has no e4m3, and neither has products of bytes whose rows are no multiples of 4 or 16 bytes
        let plans = self.blas.and_then(|blas| blas.plans(&p).ok()).unwrap_or_default();
        let mut plans: Vec<_> = plans.into_iter().enumerate().map(planned).collect();
        let times = time::measure(self.stream, &plans, &mut sets, 3)?;
        let fastest = (0..plans.len()).min_by(|&i, &j| times[i].median().total_cmp(&times[j].median()));
        let mut candidates: Vec<Candidate<Matrices>> = vec![];
        if let Some(blas) = self.blas.filter(|blas| blas.product(&p, &sets[0].a, &sets[0].b, &sets[0].c).is_ok()) {
            let run = move |s: &mut Matrices| blas.product(&p, &s.a, &s.b, &s.c);
            candidates.push(Candidate::new(false, "cuBLAS", run));
        }
        candidates.extend(fastest.map(|i| plans.swap_remove(i)));
        for k in ours::products(self.device, self.case, &p)? {
            let name = k.name.clone();
            let run = move |s: &mut Matrices| k.product(self.stream, &p, &s.a, &s.b, &s.c);
            candidates.push(Candidate::new(true, name, run));
        }

        let result = |candidate: &Candidate<Matrices>, set: &mut Matrices| -> Result<Vec<u8>> {
            set.c.fill(self.stream, 0xff)?; // NaN
            (candidate.run)(set)?;
            Ok(set.c.download(self.stream)?)
        };
        let mut differences = vec![Difference::default(); candidates.len()];
        let mut last = vec![];
        for operands in [&integers, &normal] {
            sets[0].a.upload(self.stream, 0, &operands.a)?;
            sets[0].b.upload(self.stream, 0, &operands.b)?;
            last = candidates.iter().map(|c| result(c, &mut sets[0])).collect::<Result<Vec<_>>>()?;
            for ((d, got), c) in differences.iter_mut().zip(&last).zip(&candidates) {
                let compared = operands.compare(got, &last[0]);
                if compared.wrong > 0 {
                    println!("{}: {compared}", c.name);
                }
                *d = d.or(Difference { exact: operands.exact(got), peer: compared.worst });
            }
        }
        let times = time::measure(self.stream, &candidates, &mut sets, self.args.rounds)?;
        for ((candidate, first), d) in candidates.iter().zip(&last).zip(&mut differences) {
            // of ours the same bits again, or it is a race
            if candidate.ours && result(candidate, &mut sets[0])? != *first {
                d.peer = f64::INFINITY;
            }
        }
        self.report(&candidates, &times, &differences, 2.0 * (p.m * p.n) as f64 * p.k as f64 / 1e12, "TFLOP/s")
    }

    fn copy(&self, n: usize) -> Result<Value> {
        let driver = Candidate::new(false, "cuMemcpyDtoD", |v: &mut Vectors| Ok(v.y.copy_from(self.stream, &v.x)?));
        let x = data::normals(n, 1);
        self.streams(0.0, vec![driver], &x, &vec![f32::NAN; n], &x, 8.0 * n as f64 / 1e9)
    }

    fn axpy(&self, n: usize) -> Result<Value> {
        let alpha = 0.75f32;
        let (x, y) = (data::normals(n, 1), data::normals(n, 2));
        let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| alpha.mul_add(*x, *y)).collect();
        let run = |blas| move |v: &mut Vectors| Blas::axpy(blas, n, alpha, &v.x, &v.y);
        let peers = self.blas.map(|blas| Candidate::new(false, "cublasSaxpy", run(blas))).into_iter().collect();
        self.streams(alpha, peers, &x, &y, &want, 12.0 * n as f64 / 1e9)
    }

    /// Peers and ours from x and y to what is wanted, which has no rounding of its own.
    fn streams<'a>(
        &'a self,
        alpha: f32,
        peers: Vec<Candidate<'a, Vectors>>,
        x: &[f32],
        y: &[f32],
        want: &[f32],
        gigabytes: f64,
    ) -> Result<Value> {
        let mut candidates = peers;
        for k in ours::streams(self.device, self.case)? {
            let name = k.name.clone();
            let run = move |v: &mut Vectors| k.stream(self.stream, alpha, &v.x, &v.y);
            candidates.push(Candidate::new(true, name, run));
        }
        let upload = |values: &[f32]| Buffer::from_slice(self.stream, values);
        let mut vectors = [Vectors { x: upload(x)?, y: upload(y)? }];
        let mut differences = vec![];
        for candidate in &candidates {
            vectors[0].y.upload(self.stream, 0, y)?;
            (candidate.run)(&mut vectors[0])?;
            let exact = if vectors[0].y.download(self.stream)? == want { 0.0 } else { f64::INFINITY };
            differences.push(Difference { exact, peer: 0.0 });
        }
        // one set: these vectors are longer than any cache
        let times = time::measure(self.stream, &candidates, &mut vectors, self.args.rounds)?;
        self.report(&candidates, &times, &differences, gigabytes, "GB/s")
    }

    /// A block of the table; the same as JSON.
    fn report<T>(
        &self,
        candidates: &[Candidate<T>],
        times: &[Times],
        differences: &[Difference],
        work: f64,
        unit: &str,
    ) -> Result<Value> {
        let best = |ours: bool| {
            let medians = candidates.iter().zip(times).filter(|(c, _)| c.ours == ours).map(|(_, t)| t.median());
            medians.min_by(f64::total_cmp)
        };
        let ratio = best(false).zip(best(true)).map(|(peer, ours)| peer / ours);
        println!("{:24}{}", self.case.text, ratio.map_or(String::new(), |r| format!("ours / best peer {r:.3}")));
        let mut rows = vec![];
        for ((c, t), d) in candidates.iter().zip(times).zip(differences) {
            let (median, least, most) = (work / t.median(), work / t.most(), work / t.least());
            println!(
                "  {:28}{:10.3} ms {median:10.1} {unit} [{least:.1}, {most:.1}]  {}{:.0e} of the bound, from the peer {:.0e}",
                c.name,
                1e3 * t.median(),
                if d.is_wrong() { "WRONG: " } else { "error " },
                d.exact,
                d.peer
            );
            rows.push(json!({
                "name": c.name, "ours": c.ours, "seconds": t.median(), "seconds_least": t.least(), "seconds_most": t.most(),
                "rate": median, "unit": unit, "wrong": d.is_wrong(), "error_of_bound": d.exact, "from_peer_of_bound": d.peer,
            }));
        }
        let wrong = differences.iter().any(|d| d.is_wrong());
        Ok(json!({ "case": self.case.text, "ratio": ratio, "wrong": wrong, "candidates": rows }))
    }
}
