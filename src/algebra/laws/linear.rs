//! Laws of linear layouts.

use super::{Violation, coordinates, equal, holds};
use crate::algebra::linear::{Axis, Conversion, LinearLayout, Scope};
use crate::layout::Composed;

/// `l` has the values of the (swizzled) layout `c`.
///
/// # Errors
/// Where they differ.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
/// laws::linear(&c, &LinearLayout::from_composed(&c)?)?;
/// assert!(laws::linear(&c, &LinearLayout::from_layout(c.inner())?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linear(c: &Composed, l: &LinearLayout) -> Result<(), Violation> {
    equal("the sizes are equal", 0, l.inputs().size(), c.size()?)?;
    for i in coordinates(c.size()?) {
        equal("the linear layout has the values of the layout", i, l.at(i)?, c.at(i)?)?;
    }
    Ok(())
}

/// `c` finds each value of `want` in `have`, and moves nothing beyond its scope.
///
/// # Errors
/// The index of `want` whose value is not there, or is fetched from too far.
/// ```
/// # use girih::{algebra::laws, prelude::*};
/// let have: LinearLayout = "register:[1] lane:[2] -> offset:4".parse()?;
/// let want: LinearLayout = "register:[2] lane:[1] -> offset:4".parse()?;
/// laws::conversion(&have, &want, &have.conversion(&want)?)?;
/// assert!(laws::conversion(&want, &want, &have.conversion(&want)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn conversion(have: &LinearLayout, want: &LinearLayout, c: &Conversion) -> Result<(), Violation> {
    let kept = [(Axis::LANE, Scope::Thread), (Axis::WARP, Scope::Warp), (Axis::BLOCK, Scope::Block)];
    for y in coordinates(want.inputs().size()) {
        let x = c.source().at(y)?;
        equal("the source has the wanted value", y, have.at(x)?, want.at(y)?)?;
        for (axis, scope) in kept {
            if c.scope() <= scope {
                let (from, to) = (have.inputs().part(axis, x), want.inputs().part(axis, y));
                equal("the value comes from inside its scope", y, from, to)?;
            }
        }
    }
    holds("the source reads from the layout at hand", c.source().outputs() == have.inputs())
}
