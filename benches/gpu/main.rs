//! Our kernels beside cuBLAS and cublasLt, interleaved in one process: `cargo bench --bench gpu -- --help`.
//!
//! Random operands; as many sets of buffers in rotation as exceed the second-level cache three times; every result checked
//! against cuBLAS' and against exact sums, C filled with NaN before; medians and ranges of rounds. Prints a table, and JSON if
//! asked to. Needs a GPU; a kernel need not be generated here: `--ptx` and `--launch` bring one with its description.

mod args;
mod data;
mod ours;
mod peer;
mod time;

use args::{Args, Case, Product, Work};
use data::Operands;
use girih::gpu::device::{Buffer, Device, Stream};
use ours::Ours;
use peer::Blas;
use serde_json::{Value, json};
use time::{Candidate, Times};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Bytes that the sets of operands have together: the second-level caches of today's devices hold 128 MiB at most.
const ROTATED: usize = 384 << 20;

fn main() -> Result<()> {
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
        println!("no cuBLAS found: nothing to compare with");
    }
    println!("{}, medians of {} rounds, [least, most]", device.name()?, args.rounds);
    let mut results = vec![];
    for case in &args.cases {
        let bench = Bench { device: &device, stream: &stream, blas: blas.as_ref(), args: &args, case };
        results.push(match case.work {
            Work::Product(p) => bench.product(p)?,
            Work::Copy(n) => bench.copy(n)?,
            Work::Axpy(n) => bench.axpy(n)?,
        });
    }
    if let Some(path) = &args.json {
        let all = json!({ "device": device.name()?, "rounds": args.rounds, "cases": results });
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
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
        let host = Operands::random(p);
        let (width, out) = (p.of.bytes(), p.m * p.n * p.of.result().bytes());
        let sets = ROTATED.div_ceil(host.a.len() + host.b.len() + out).max(2);
        let operand = |bytes: &[u8]| -> Result<Vec<Buffer<u8>>> {
            (0..sets).map(|i| data::upload(self.stream, &data::turned(bytes, width, i * 12_345_677))).collect()
        };
        let (a, b) = (operand(&host.a)?, operand(&host.b)?);
        let mut c = (0..sets).map(|_| Ok(Buffer::new(self.device, out)?)).collect::<Result<Vec<Buffer<u8>>>>()?;

        let kernels = ours::products(self.device, self.case, &p)?;
        let plans = self.blas.map(|blas| blas.plans(&p)).transpose()?.unwrap_or_default();
        // of a candidate: C of the first set, which was full of NaN before
        let result = |c: &mut [Buffer<u8>], run: &dyn Fn(&[Buffer<u8>]) -> Result<()>| -> Result<Vec<u8>> {
            c[0].fill(self.stream, 0xff)?;
            run(c)?;
            Ok(c[0].download(self.stream)?)
        };
        let mut checks = vec![];
        let mut reference: Option<Vec<u8>> = None;
        let mut check = |name: &str, got: Vec<u8>| {
            let (exact, peer) = (host.exact(&got), reference.as_ref().map(|want| host.compare(&got, want)));
            reference.get_or_insert(got.clone());
            checks.push((name.to_string(), exact, peer));
            got
        };
        let gemm_ex = self.blas.filter(|blas| blas.product(&p, &a[0], &b[0], &c[0]).is_ok());
        if let Some(blas) = gemm_ex {
            check("cuBLAS", result(&mut c, &|c| blas.product(&p, &a[0], &b[0], &c[0]))?);
        }
        // of cublasLt's algorithms the fastest
        let plan = {
            let run = |plan: &peer::Plan, i: usize| plan.run(&a[i], &b[i], &c[i]);
            let candidates: Vec<Candidate> = plans
                .iter()
                .enumerate()
                .map(|(i, plan)| Candidate {
                    name: format!("cublasLt {i}"),
                    ours: false,
                    run: Box::new(move |s| run(plan, s)),
                })
                .collect();
            let times = time::measure(self.stream, &candidates, sets, 3)?;
            let fastest = (0..plans.len()).min_by(|&i, &j| times[i].median().total_cmp(&times[j].median()));
            fastest.map(|i| (i, &plans[i]))
        };
        if let Some((i, plan)) = plan {
            check(&format!("cublasLt {i}"), result(&mut c, &|c| plan.run(&a[0], &b[0], &c[0]))?);
        }
        let mut firsts = vec![];
        for k in &kernels {
            firsts.push(check(&k.name, result(&mut c, &|c| k.product(self.stream, &p, &a[0], &b[0], &c[0]))?));
        }

        let times = {
            let (a, b, c) = (&a, &b, &c);
            let mut candidates: Vec<Candidate> = vec![];
            for k in &kernels {
                let run = move |i: usize| k.product(self.stream, &p, &a[i], &b[i], &c[i]);
                candidates.push(Candidate { name: k.name.clone(), ours: true, run: Box::new(run) });
            }
            if let Some(blas) = gemm_ex {
                let run = move |i: usize| blas.product(&p, &a[i], &b[i], &c[i]);
                candidates.push(Candidate { name: "cuBLAS".into(), ours: false, run: Box::new(run) });
            }
            if let Some((algorithm, plan)) = plan {
                let run = move |i: usize| plan.run(&a[i], &b[i], &c[i]);
                candidates.push(Candidate { name: format!("cublasLt {algorithm}"), ours: false, run: Box::new(run) });
            }
            let times = time::measure(self.stream, &candidates, sets, self.args.rounds)?;
            candidates.into_iter().map(|c| (c.name, c.ours)).zip(times).collect::<Vec<_>>()
        };
        // the same bits again, or it is a race
        for (k, first) in kernels.iter().zip(&firsts) {
            let again = result(&mut c, &|c| k.product(self.stream, &p, &a[0], &b[0], &c[0]))?;
            if again != *first {
                println!("WRONG: {} gives another result the second time", k.name);
            }
        }
        self.report(times, 2.0 * p.m as f64 * p.n as f64 * p.k as f64 / 1e12, "TFLOP/s", &checks)
    }

    fn copy(&self, n: usize) -> Result<Value> {
        let x = Buffer::from_slice(self.stream, &data::normals(n, 1))?;
        let y = std::cell::RefCell::new(Buffer::<f32>::new(self.device, n)?);
        let driver = || Ok(y.borrow_mut().copy_from(self.stream, &x)?);
        let kernels = ours::streams(self.device, self.case)?;
        let want = x.download(self.stream)?;
        let mut checks = vec![];
        for k in &kernels {
            y.borrow_mut().fill(self.stream, f32::NAN)?;
            k.stream(self.stream, 0.0, &x, &y.borrow())?;
            checks.push((k.name.clone(), unequal(&y.borrow().download(self.stream)?, &want), None));
        }
        let peer = Candidate { name: "cuMemcpyDtoD".into(), ours: false, run: Box::new(|_| driver()) };
        let run = |k: &Ours| k.stream(self.stream, 0.0, &x, &y.borrow());
        self.streams(&kernels, &run, Some(peer), 8.0 * n as f64 / 1e9, &checks)
    }

    fn axpy(&self, n: usize) -> Result<Value> {
        let alpha = 0.75f32;
        let (hx, hy) = (data::normals(n, 1), data::normals(n, 2));
        let (x, mut y) = (Buffer::from_slice(self.stream, &hx)?, Buffer::from_slice(self.stream, &hy)?);
        let kernels = ours::streams(self.device, self.case)?;
        let want: Vec<f32> = hx.iter().zip(&hy).map(|(x, y)| alpha.mul_add(*x, *y)).collect();
        let mut checks = vec![];
        for k in &kernels {
            y.upload(self.stream, 0, &hy)?;
            k.stream(self.stream, alpha, &x, &y)?;
            checks.push((k.name.clone(), unequal(&y.download(self.stream)?, &want), None));
        }
        if let Some(blas) = self.blas {
            y.upload(self.stream, 0, &hy)?;
            blas.axpy(n, alpha, &x, &y)?;
            checks.push(("cublasSaxpy".into(), unequal(&y.download(self.stream)?, &want), None));
        }
        let run = |k: &Ours| k.stream(self.stream, alpha, &x, &y);
        let peer = self.blas.map(|blas| {
            let run = |_| blas.axpy(n, alpha, &x, &y);
            Candidate { name: "cublasSaxpy".into(), ours: false, run: Box::new(run) }
        });
        self.streams(&kernels, &run, peer, 12.0 * n as f64 / 1e9, &checks)
    }

    fn streams(
        &self,
        kernels: &[Ours],
        run: &dyn Fn(&Ours) -> Result<()>,
        peer: Option<Candidate>,
        gigabytes: f64,
        checks: &[Check],
    ) -> Result<Value> {
        let ours =
            kernels.iter().map(|k| Candidate { name: k.name.clone(), ours: true, run: Box::new(move |_| run(k)) });
        let candidates: Vec<Candidate> = ours.chain(peer).collect();
        let times = time::measure(self.stream, &candidates, 1, self.args.rounds)?;
        let named = candidates.into_iter().map(|c| (c.name, c.ours)).zip(times).collect();
        self.report(named, gigabytes, "GB/s", checks)
    }

    /// A block of the table; the same as JSON.
    fn report(&self, times: Vec<((String, bool), Times)>, work: f64, unit: &str, checks: &[Check]) -> Result<Value> {
        let best = |ours: bool| {
            let medians = times.iter().filter(|((_, o), _)| *o == ours).map(|(_, t)| t.median());
            medians.min_by(f64::total_cmp)
        };
        let ratio = best(false).zip(best(true)).map(|(peer, ours)| peer / ours);
        println!("{:24}{}", self.case.text, ratio.map_or(String::new(), |r| format!("ours / best peer {r:.3}")));
        let mut rows = vec![];
        for ((name, ours), t) in &times {
            let (median, least, most) = (work / t.median(), work / t.most(), work / t.least());
            let check = checks.iter().find(|(n, ..)| n == name);
            let verdict = match check {
                None => String::new(),
                Some((_, exact, peer)) if *exact <= 1.0 && peer.unwrap_or(0.0) <= 1.0 => {
                    let peer = peer.map_or(String::new(), |p| format!(", of the peers' {p:.1e}"));
                    format!("error {exact:.1e} of the bound{peer}")
                }
                Some((_, exact, peer)) => format!("WRONG: error {exact:.1e}, of the peers' {peer:?}"),
            };
            println!("  {name:22}{:10.3} ms {median:10.1} {unit} [{least:.1}, {most:.1}]  {verdict}", 1e3 * t.median());
            rows.push(json!({
                "name": name, "ours": ours, "seconds": t.median(), "seconds_least": t.least(), "seconds_most": t.most(),
                "rate": median, "unit": unit, "error_of_bound": check.map(|c| c.1), "difference_of_bound": check.and_then(|c| c.2),
            }));
        }
        Ok(json!({ "case": self.case.text, "ratio": ratio, "candidates": rows }))
    }
}

/// A candidate, its error and its difference from the peer, in parts of what they may be.
type Check = (String, f64, Option<f64>);

/// 0, or infinite: these results have no rounding of their own.
fn unequal(got: &[f32], want: &[f32]) -> f64 {
    if got == want { 0.0 } else { f64::INFINITY }
}
