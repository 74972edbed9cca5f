//! Interleaved rounds of back-to-back launches, by the device's clock.

use crate::Result;
use girih::gpu::device::Stream;

type Run<'a, T> = dyn Fn(&mut T) -> Result<()> + 'a;

/// One way to do the work. `run` starts it once on a set of buffers.
pub struct Candidate<'a, T> {
    pub name: String,
    pub ours: bool,
    pub run: Box<Run<'a, T>>,
}

impl<'a, T> Candidate<'a, T> {
    pub fn new(ours: bool, name: impl Into<String>, run: impl Fn(&mut T) -> Result<()> + 'a) -> Candidate<'a, T> {
        Candidate { name: name.into(), ours, run: Box::new(run) }
    }
}

/// Seconds of one launch in each round, sorted.
pub struct Times(Vec<f64>);

impl Times {
    pub fn least(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }

    pub fn most(&self) -> f64 {
        self.0.last().copied().unwrap_or(f64::NAN)
    }

    pub fn median(&self) -> f64 {
        let n = self.0.len();
        if n == 0 { f64::NAN } else { (self.0[(n - 1) / 2] + self.0[n / 2]) / 2.0 }
    }
}

/// Seconds that a candidate has in a round, about.
const TURN: f64 = 0.02;

/// Every candidate has its turn in every round, each round beginning with another; the launches of a turn take the sets in
/// rotation. The device is not idle within a round.
pub fn measure<T>(stream: &Stream, candidates: &[Candidate<T>], sets: &mut [T], rounds: usize) -> Result<Vec<Times>> {
    let mut turn = |c: &Candidate<T>, from: usize, launches: usize| -> Result<_> {
        let start = stream.record()?;
        for i in from..from + launches {
            (c.run)(&mut sets[i % sets.len()])?;
        }
        Ok((start, stream.record()?))
    };
    let mut launches = vec![];
    for c in candidates {
        turn(c, 0, 2)?; // the first call loads code
        let (start, end) = turn(c, 0, 3)?;
        launches.push((TURN / (end.since(&start)?.as_secs_f64() / 3.0)).ceil().clamp(1.0, 1000.0) as usize);
    }
    let mut times = vec![vec![]; candidates.len()];
    for round in 0..rounds {
        let order = (0..candidates.len()).map(|i| (i + round) % candidates.len());
        let turns = order.map(|i| Ok((i, turn(&candidates[i], round * launches[i], launches[i])?)));
        let turns = turns.collect::<Result<Vec<_>>>()?;
        for (i, (start, end)) in turns {
            times[i].push(end.since(&start)?.as_secs_f64() / launches[i] as f64);
        }
    }
    times.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
    Ok(times.into_iter().map(Times).collect())
}
