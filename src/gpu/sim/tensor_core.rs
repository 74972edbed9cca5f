//! What the tensor cores compute.
