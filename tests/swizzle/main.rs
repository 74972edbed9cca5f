//! Swizzles and composed layouts: agreement with CuTe, and laws against brute force.

mod brute;
mod decay;
mod forward;
mod fuzz;
mod oracle;
mod reports;
mod swizzle;
mod transport;
mod width;
