//! `ldmatrix` and `stmatrix`: 8 x 8 matrices of 16 bits between shared memory and the registers of a warp.

use super::access::{Request, Stop, Target, addresses, touching};
use super::cta::Core;
use super::program::{Address, Place, Value};
use super::pure::Lanes;
use super::pure::matrix;
use super::run::Worker;
use super::shadow::Strength;
use super::warp::Warp;

impl Warp {
    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn load_matrix(
        &mut self,
        (number, code): (usize, u32),
        address: &Address,
        count: usize,
        transposed: bool,
        to: &[Place],
        mask: u32,
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Some(frame) = &mut self.frames[number] else { return Err(Stop) };
        let addresses = addresses(frame, address);
        // thread 8 m + r says where row r of matrix m is
        let request = self.know.rows(code, address, &addresses, count, false, frame.local_end(worker));
        worker.access(&request);
        let worker = &*worker;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        let mut rows = [[0u8; 16]; 32];
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else { return Ok(()) };
            if checks.races {
                let by = touching(&self.know, &request, lane, warps, Strength::Weak);
                if let Some(with) = page.read(&by, at, 16) {
                    request.race(worker, lane, with)?;
                }
            }
            if checks.memory && !page.is_written(at, 16) {
                request.unwritten(worker, lane)?;
            }
            rows[lane as usize & 31] = page.get(at, 16).to_le_bytes();
            Ok(())
        })?;
        let mut registers = [[0; 32]; 4];
        matrix::distribute(&rows[..8 * count.min(4)], transposed, &mut registers);
        to.iter().zip(&registers).for_each(|(place, lanes)| frame.set(*place, mask, lanes));
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // what an instruction says, and whose it is
    pub(super) fn store_matrix(
        &mut self,
        (number, code): (usize, u32),
        address: &Address,
        transposed: bool,
        from: &[Value],
        core: &mut Core,
        worker: &mut Worker,
    ) -> Result<(), Stop> {
        let Some(frame) = &self.frames[number] else { return Err(Stop) };
        let addresses = addresses(frame, address);
        let request = self.know.rows(code, address, &addresses, from.len(), true, frame.local_end(worker));
        worker.access(&request);
        let worker = &*worker;
        let (checks, warps) = (worker.run.checks, worker.run.warps);
        let registers: Vec<Lanes> = from.iter().map(|v| frame.lanes(v)).collect();
        let mut rows = [[0; 16]; 32];
        matrix::collect(&registers.iter().collect::<Vec<_>>(), transposed, &mut rows[..8 * from.len().min(4)]);
        request.each(core, worker, |target, lane| {
            let Target::Page(page, at) = target else { return Ok(()) };
            if checks.races {
                let by = touching(&self.know, &request, lane, warps, Strength::Weak);
                if let Some(with) = page.write(&by, at, 16) {
                    request.race(worker, lane, with)?;
                }
            }
            page.set(at, 16, u128::from_le_bytes(rows[lane as usize & 31]));
            Ok(())
        })
    }
}

impl super::clock::Knowledge {
    /// The rows of so many matrices.
    fn rows<'a>(
        &self,
        code: u32,
        address: &Address,
        addresses: &'a Lanes,
        count: usize,
        write: bool,
        local: u64,
    ) -> Request<'a> {
        let mask = u32::MAX >> (32 - 8 * count.clamp(1, 4));
        Request {
            mask,
            local,
            matrix: Some(count),
            ..Request::new(self.warp, code, address.space, addresses, 16, write)
        }
    }
}
