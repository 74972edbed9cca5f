//! Views: spans of memory in chunks.

mod seed;
