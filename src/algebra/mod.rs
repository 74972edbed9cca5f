//! Functions from layouts to layouts.
