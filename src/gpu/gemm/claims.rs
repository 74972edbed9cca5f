//! What a kernel relies on, proved before it is written.

use super::GemmError;
use crate::algebra::prove::{Certificate, Verdict};
use crate::gpu::facts::{Access, banks};
use crate::layout::Drawable;

/// The certificates so far.
#[derive(Default)]
pub(super) struct Claims {
    pub certificates: Vec<Certificate>,
}

impl Claims {
    /// It holds.
    pub fn proved(&mut self, verdict: Verdict) -> Result<(), GemmError> {
        self.proved_if(verdict, &[])
    }

    /// It holds, or does so under no other conditions than these, which the launch sees to.
    pub fn proved_if(&mut self, verdict: Verdict, conditions: &[String]) -> Result<(), GemmError> {
        match verdict {
            Verdict::Proved(c) => self.certificates.push(c),
            Verdict::Conditional(c) if c.assuming.iter().all(|c| conditions.contains(&c.to_string())) => {
                self.certificates.push(c);
            }
            other => {
                let claim = match &other {
                    Verdict::Conditional(c) => c.claim.to_string(),
                    Verdict::Refuted(r) => r.claim.to_string(),
                    _ => "a tiling".into(),
                };
                return Err(GemmError::Claim { claim, verdict: other.to_string() });
            }
        }
        Ok(())
    }

    /// A certificate that says as much.
    pub fn holds(&mut self, holds: bool, claim: impl Fn() -> String, by: Certificate) -> Result<(), GemmError> {
        if !holds {
            return Err(GemmError::Claim { claim: claim(), verdict: by.claim.to_string() });
        }
        self.certificates.push(by);
        Ok(())
    }

    /// One warp's access to shared memory takes no more wavefronts than it must.
    pub fn free(&self, what: &'static str, l: &impl Drawable, bits: i64, access: Access) -> Result<(), GemmError> {
        match banks(l, bits as usize, access)?.conflicts() {
            0 => Ok(()),
            conflicts => Err(GemmError::Conflicts { access: what, conflicts }),
        }
    }
}
